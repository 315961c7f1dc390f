/* nvtx.c - ranges for nsys and ncu */
#include "harness/measure/nvtx.h"

#if HAVE_NVTX

#include <nvtx3/nvToolsExt.h>

#include <stddef.h>
#include <stdint.h>

static nvtxDomainHandle_t domain;
static nvtxStringHandle_t phase_string[BENCH_N_PHASES];

void bench_nvtx_start(void)
{
    static const char *const name[BENCH_N_PHASES] = {"setup", "verify", "warmup",
                                                     "timed", "copy",   "energy"};

    nvtxInitialize(NULL);
    domain = nvtxDomainCreateA("depthbench");
    for (int i = 0; i < BENCH_N_PHASES; i++) {
        phase_string[i] = nvtxDomainRegisterStringA(domain, name[i]);
        nvtxDomainNameCategoryA(domain, (uint32_t)i + 1, name[i]);
    }
}

static void push(nvtxEventAttributes_t event)
{
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    nvtxDomainRangePushEx(domain, &event);
}

void bench_nvtx_begin(enum bench_phase phase, long long payload)
{
    push((nvtxEventAttributes_t){.category = (uint32_t)phase + 1,
                                 .payloadType = NVTX_PAYLOAD_TYPE_INT64,
                                 .payload.llValue = payload,
                                 .messageType = NVTX_MESSAGE_TYPE_REGISTERED,
                                 .message.registered = phase_string[phase]});
}

void bench_nvtx_begin_config(const char *message)
{
    push((nvtxEventAttributes_t){.messageType = NVTX_MESSAGE_TYPE_ASCII,
                                 .message.ascii = message});
}

void bench_nvtx_end(void)
{
    nvtxDomainRangePop(domain);
}

#endif
