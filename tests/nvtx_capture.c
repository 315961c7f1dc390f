/*
 * nvtx_capture.c - an NVTX injection library that writes all ranges to $NVTX_CAPTURE
 *
 * Loaded by NVTX itself (NVTX_INJECTION64_PATH).  A line per event:
 * push|pop,depth,domain,message,payload
 */
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *out;
static int depth;

/* A handle is the text itself. */
static nvtxDomainHandle_t NVTX_API on_domain(const char *name)
{
    return (nvtxDomainHandle_t)(void *)strdup(name);
}

static nvtxStringHandle_t NVTX_API on_string(nvtxDomainHandle_t domain, const char *text)
{
    (void)domain;
    return (nvtxStringHandle_t)(void *)strdup(text);
}

static int NVTX_API on_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *e)
{
    const char *message = e->messageType == NVTX_MESSAGE_TYPE_REGISTERED
                              ? (const char *)(const void *)e->message.registered
                              : e->message.ascii;

    fprintf(out, "push,%d,%s,%s,%lld\n", depth, (const char *)(const void *)domain, message,
            e->payloadType == NVTX_PAYLOAD_TYPE_INT64 ? (long long)e->payload.llValue : -1LL);
    fflush(out);
    return depth++;
}

static int NVTX_API on_pop(nvtxDomainHandle_t domain)
{
    fprintf(out, "pop,%d,%s,,\n", --depth, (const char *)(const void *)domain);
    fflush(out);
    return depth;
}

__attribute__((visibility("default"))) int
InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table);

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table)
{
    const NvtxExportTableCallbacks *callbacks = get_table(NVTX_ETID_CALLBACKS);
    NvtxFunctionTable table = NULL;
    unsigned int size = 0;
    const char *path = getenv("NVTX_CAPTURE");

    if (!callbacks || !path ||
        !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size))
        return 0;
    out = fopen(path, "w");
    if (!out)
        return 0;
    *table[NVTX_CBID_CORE2_DomainCreateA] = (NvtxFunctionPointer)on_domain;
    *table[NVTX_CBID_CORE2_DomainRegisterStringA] = (NvtxFunctionPointer)on_string;
    *table[NVTX_CBID_CORE2_DomainRangePushEx] = (NvtxFunctionPointer)on_push;
    *table[NVTX_CBID_CORE2_DomainRangePop] = (NvtxFunctionPointer)on_pop;
    return 1;
}
