/* fuzz_claims.c - any bytes are claims that can be judged, or one sentence that names the file */
#include "tests/fuzz/fuzz.h"

#include "harness/analysis/claims.h"

/* A home, and a machine of one row, which no claim asks for. */
static struct claim_machine *a_machine(void)
{
    static const char row[] = "session,row_id,impl,scope,series,status,verdict,median_ms\n"
                              "1,r1,none,kernel,hot,ok,exact,1.5\n";
    static struct claim_machine machine;
    char *results;

    if (machine.store)
        return &machine;
    results = realpath("results", NULL);
    enter("fuzz_claims");
    must(results && !symlink(results, "results") && !text_make_folder("experiments/claims"));
    free(results);
    put("m/1.csv", row, sizeof row - 1);
    must(!claim_machine_read("m", stderr, &machine));
    return &machine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct claim_machine *const machine = a_machine();
    struct claims claims;

    bench_failure_clear();
    put("experiments/claims/a.ini", data, size);
    if (claims_read(".", NULL, &claims) != BENCH_OK) {
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
                claims_judge(&claims, &claims.claim[i], measured ? machine : NULL, NULL, &j);
            if (status == BENCH_EINPUT && measured) { /* a key that no row can have */
                must(*bench_failure());
                continue;
            }
            must(!status && j.verdict < CLAIM_N_VERDICTS && *j.reason);
        }
    claims_free(&claims);
    return 0;
}
