/* fuzz_claims.c - any bytes are claims that can be judged, or one sentence that names the file */
#include "judge/claims.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct claim_machine empty = {.name = (char[]){"none"}};
    struct claims claims;

    bench_failure_clear();
    if (claims_parse((const char *)data, size, "a.ini", "results/paper", &claims) != BENCH_OK) {
        must(*bench_failure() && !claims.claim && !claims.file);
        return 0;
    }
    for (int i = 0; i < claims.n; i++)
        for (int measured = 0; measured < 2; measured++) {
            struct claim_judgement j;
            enum bench_status status;

            if (!(measured ? claims.claim[i].measured : claims.claim[i].paper))
                continue;
            status =
                claims_judge(&claims, &claims.claim[i], measured ? &empty : NULL, NULL, &j);
            if (status == BENCH_EINPUT && measured) { /* a key that no row can have */
                must(*bench_failure());
                continue;
            }
            must(!status && j.verdict < CLAIM_N_VERDICTS && *j.reason);
        }
    claims_free(&claims);
    return 0;
}
