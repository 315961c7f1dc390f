/* fuzz_dataset.c - any bytes are a descriptor that stays below its folder, or one sentence */
#include "harness/inputs/dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

/* No part of the path leads up, and it does not begin at the root. */
static void must_stay_below(const char *path)
{
    must(path[0] != '\0' && path[0] != '/');
    must(strcmp(path, "..") != 0 && strncmp(path, "../", 3) != 0 &&
         strstr(path, "/../") == NULL);
    must(strlen(path) < 3 || strcmp(path + strlen(path) - 3, "/..") != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dataset d;

    bench_failure_clear();
    if (dataset_parse((const char *)data, size, "a.ini", &d) != BENCH_OK) {
        must(strncmp(bench_failure(), "a.ini:", 6) == 0 && d.n_folders == 0);
        return 0;
    }
    must(d.n_folders >= 0 && d.n_folders <= DATASET_MAX_FOLDERS);
    must(d.n_patterns >= 0 && d.n_patterns <= DATASET_MAX_PATTERNS);
    for (int i = 0; i < d.n_folders; i++)
        must_stay_below(d.folder[i]);
    for (int i = 0; i < d.n_patterns; i++)
        must_stay_below(d.pattern[i]);
    for (int i = 0; i < DATASET_N_COMPANIONS; i++) {
        must(d.companion[i].n_folders >= 0 && d.companion[i].n_folders <= DATASET_MAX_FOLDERS);
        must(d.companion[i].n_folders == 0 || d.companion[i].pattern[0] != '\0');
        for (int k = 0; k < d.companion[i].n_folders; k++)
            must_stay_below(d.companion[i].folder[k]);
        if (d.companion[i].pattern[0] != '\0')
            must_stay_below(d.companion[i].pattern);
    }
    must(isfinite(d.coding.scale) && d.coding.scale > 0 && isfinite(d.coding.offset));
    must(d.n_frames >= 0 && d.scene.width >= 1 && d.scene.width <= INPUTS_MAX_SIDE);
    must(memchr(d.source, '\0', sizeof d.source) != NULL);
    return 0;
}
