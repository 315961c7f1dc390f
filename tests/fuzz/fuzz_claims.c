/* fuzz_claims.c - any bytes are claims that can be judged, or one sentence that names the file */
#include "judge/claims.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

/* A machine of one row, which no claim asks for. */
static struct claim_machine *a_machine(void)
{
    static struct claim_machine machine;
    char folder[64], path[80];
    FILE *file;

    if (machine.store)
        return &machine;
    snprintf(folder, sizeof folder, "/tmp/fuzz_claims.%ld", (long)getpid());
    snprintf(path, sizeof path, "%s/1.csv", folder);
    must(!mkdir(folder, 0700));
    file = fopen(path, "w");
    must(file != NULL);
    must(fputs("session,row_id,impl,scope,series,status,verdict,median_ms\n"
               "1,r1,none,kernel,hot,ok,exact,1.5\n",
               file) >= 0);
    must(!fclose(file) && !claim_machine_read(folder, stderr, &machine));
    must(!unlink(path) && !rmdir(folder));
    return &machine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct claims claims;

    bench_failure_clear();
    if (claims_parse((const char *)data, size, "a.ini", "results/paper", NULL, &claims) != BENCH_OK) {
        must(*bench_failure() && !claims.claim && !claims.file);
        return 0;
    }
    for (int i = 0; i < claims.n; i++)
        for (int measured = 0; measured < 2; measured++) {
            struct claim_judgement j;
            enum bench_status status;

            if (!(measured ? claims.claim[i].measured : claims.claim[i].paper))
                continue;
            status = claims_judge(&claims, &claims.claim[i], measured ? a_machine() : NULL,
                                  NULL, &j);
            if (status == BENCH_EINPUT && measured) { /* a key that no row can have */
                must(*bench_failure());
                continue;
            }
            must(!status && j.verdict < CLAIM_N_VERDICTS && *j.reason);
        }
    claims_free(&claims);
    return 0;
}
