/* fuzz_experiment.c - any descriptor gives complete configurations, or one sentence */
#include "tests/fuzz/fuzz.h"

#include "harness/suite/experiment.h"

#include <sys/mman.h>

static void check_config(const struct bench_experiment *e, const struct bench_config *config)
{
    const struct bench_plan *plan = &config->plan;
    char line[4096];

    must(config->impl->problem == e->problem && config->section != NULL);
    for (const struct bench_key *key = e->problem->keys; key->name != NULL; key++)
        must(bench_has(&config->params, key->name));
    must(plan->min_samples >= 1 && plan->min_samples <= plan->max_samples);
    must(plan->timeout_s > 0 && plan->precision > 0 && plan->batch >= 1 && plan->threads >= 0);
    must(plan->scopes != 0 && plan->scopes < 1u << BENCH_N_SCOPES);
    must(plan->series != 0 && plan->series < 1u << BENCH_N_SERIES);
    must(plan->which == BENCH_PICK_ALL || (plan->series & 1u << BENCH_FRAMES) == 0);
    must(bench_config_text(config, line, sizeof line) < sizeof line);
}

/* The first byte chooses overrides, the rest is the descriptor. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const assignments[] = {"eps=1-4*2", "samples=3"};
    struct bench_overrides overrides = {.n = 0};
    struct bench_experiment e;
    char path[64];
    int file;

    if (size == 0)
        return 0;
    file = memfd_create("descriptor", MFD_CLOEXEC);
    must(file >= 0);
    must(write(file, data + 1, size - 1) == (ssize_t)(size - 1));
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);

    overrides.quick = (data[0] & 1) != 0;
    overrides.impl_glob = (data[0] & 2) != 0 ? "rdp/s*" : NULL;
    overrides.assignments = assignments;
    overrides.n = (data[0] & 4) != 0 ? 2 : 0;

    bench_failure_clear();
    if (experiment_read(path, &overrides, &e) != BENCH_OK) {
        must(bench_failure()[0] != '\0' && e.configs == NULL && e.n_configs == 0);
    } else {
        must(e.n_configs >= 0 && e.n_configs <= 100000);
        for (int i = 0; i < e.n_configs; i += 1 + e.n_configs / 50)
            check_config(&e, &e.configs[i]);
        experiment_free(&e);
    }
    close(file);
    return 0;
}
