/* fuzz_claims.c - any bytes are claims that can be judged, or one sentence that names the file */
#include "harness/analysis/claims.h"

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

static char home[64];

static void write_file(const char *name, const void *bytes, size_t n)
{
    char path[160];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", home, name);
    file = fopen(path, "w");
    must(file != NULL);
    must(fwrite(bytes, 1, n, file) == n);
    must(!fclose(file));
}

static void remove_home(void)
{
    static const char *const parts[] = {"experiments/claims/a.ini",
                                        "experiments/claims",
                                        "experiments",
                                        "results",
                                        "m/1.csv",
                                        "m",
                                        ""};
    char path[160];

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(path, sizeof path, "%s/%s", home, parts[i]);
        remove(path);
    }
}

/* A home, and a machine of one row, which no claim asks for. */
static struct claim_machine *a_machine(void)
{
    static const char row[] = "session,row_id,impl,scope,series,status,verdict,median_ms\n"
                              "1,r1,none,kernel,hot,ok,exact,1.5\n";
    static struct claim_machine machine;
    char path[160], *here;

    if (machine.store)
        return &machine;
    snprintf(home, sizeof home, "/tmp/fuzz_claims.%ld", (long)getpid());
    snprintf(path, sizeof path, "%s/experiments/claims", home);
    must(!text_make_folder(path));
    here = realpath("results", NULL);
    snprintf(path, sizeof path, "%s/results", home);
    must(here && !symlink(here, path));
    free(here);
    snprintf(path, sizeof path, "%s/m", home);
    must(!text_make_folder(path));
    write_file("m/1.csv", row, sizeof row - 1);
    must(!claim_machine_read(path, stderr, &machine) && !atexit(remove_home));
    return &machine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct claim_machine *const machine = a_machine();
    struct claims claims;

    bench_failure_clear();
    write_file("experiments/claims/a.ini", data, size);
    if (claims_read(home, NULL, &claims) != BENCH_OK) {
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
