/* fuzz_claims.c - any bytes are claims that can be judged, or one sentence with the file */
#include "tests/fuzz/fuzz.h"

#include "harness/analysis/claims.h"

static struct claims
    claims; /* opened once: of a home with the papers' numbers, and any claims */

/* A machine of one row, which no claim asks for. */
static void open_claims(void)
{
    static const char row[] = "session,row_id,impl,scope,series,status,verdict,median_ms\n"
                              "1,r1,none,kernel,hot,ok,exact,1.5\n";
    static const char *const machine = "m";
    const struct claims_files files = {".", NULL, &machine, 1, stderr, false};
    char *results;

    if (claims.store)
        return;
    results = realpath("results", NULL);
    enter("fuzz_claims");
    must(results && !symlink(results, "results") && !text_make_folder("experiments/claims"));
    free(results);
    put("m/1.csv", row, sizeof row - 1);
    must(!claims_open(&files, &claims));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum bench_status status;

    open_claims();
    bench_failure_clear();
    put("experiments/claims/a.ini", data, size);
    status = claims_add(&claims);
    must(!status || *bench_failure());
    for (int i = 0; i < claims.n && !status; i++)
        for (int measured = 0; measured < 2; measured++) {
            if (!(measured ? claims.claim[i].measured : claims.claim[i].paper))
                continue;
            status = claims_judge(&claims, &claims.claim[i], measured ? "m" : NULL, NULL);
            /* measured: a key that no row can have */
            must(!status || (status == BENCH_EINPUT && measured && *bench_failure()));
            status = BENCH_OK;
        }
    return 0;
}
