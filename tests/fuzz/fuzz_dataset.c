/* fuzz_dataset.c - any bytes are a descriptor that stays below its folder, or one sentence */
#include "harness/inputs/dataset.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>

/* No part of a path leads up, and none begins at the root. */
static void must_stay_below(const char *path, size_t capacity, size_t size)
{
    for (const char *end = path + capacity; path < end && path[0] != '\0'; path += size) {
        must(memchr(path, '\0', size) && path[0] != '/' && strcmp(path, "..") != 0);
        must(strncmp(path, "../", 3) != 0 && strstr(path, "/../") == NULL);
        must(strlen(path) < 3 || strcmp(path + strlen(path) - 3, "/..") != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dataset d;

    bench_failure_clear();
    if (dataset_parse((const char *)data, size, "a.ini", &d) != BENCH_OK) {
        must(strncmp(bench_failure(), "a.ini:", 6) == 0 && d.folder[0][0] == '\0');
        return 0;
    }
    must_stay_below(d.folder[0], sizeof d.folder, sizeof *d.folder);
    must_stay_below(d.pattern[0], sizeof d.pattern, sizeof *d.pattern);
    for (int i = 0; i < DATASET_N_COMPANIONS; i++) {
        const struct companion *c = &d.companion[i];

        must(c->folder[0][0] == '\0' || c->pattern[0] != '\0');
        must_stay_below(c->folder[0], sizeof c->folder, sizeof *c->folder);
        must_stay_below(c->pattern, sizeof c->pattern, sizeof c->pattern);
    }
    must(isfinite(d.coding.scale) && d.coding.scale > 0 && isfinite(d.coding.offset));
    must(d.n_frames >= 0 && d.scene.width >= 1 && d.scene.width <= INPUTS_MAX_SIDE);
    must(memchr(d.source, '\0', sizeof d.source) != NULL);
    return 0;
}
