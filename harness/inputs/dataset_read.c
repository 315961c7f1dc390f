/* dataset_read.c - the descriptor of a named input */
#include "harness/inputs/dataset_private.h"

#include "harness/inputs/keys.h"

#include <stdio.h>
#include <string.h>

enum { FOR_FILES = 1 << DATASET_FILES, FOR_SCENE = 1 << DATASET_SCENE };
enum { FOR_NOISE = 1 << DATASET_NOISE };

#define KINDS "files, scene or noise"

#define AT(member) \
    .offset = offsetof(struct dataset, member), .size = sizeof(((struct dataset *)0)->member)
#define PATHS(member) AT(member), .item_size = sizeof(((struct dataset *)0)->member[0])
#define COMPANION(name, which)                                                              \
    {name "_pattern", KEY_PATHS, FOR_FILES, AT(companion[which].pattern), .item_size = 64}, \
    {                                                                                       \
        name "_folder", KEY_PATHS, FOR_FILES, PATHS(companion[which].folder)                \
    }

static const struct key keys[] = {
    {"kind", KEY_WORD, 0, AT(kind), .words = KINDS},
    {"source", KEY_TEXT, 0, AT(source)},
    {"fetch", KEY_TEXT, FOR_FILES, AT(fetch)},
    {"folder", KEY_PATHS, FOR_FILES, PATHS(folder)},
    {"pattern", KEY_PATHS, FOR_FILES, PATHS(pattern)},
    {"frames", KEY_INT, FOR_FILES | FOR_SCENE, AT(n_frames), 0, MAX_FRAMES},
    {"scale", KEY_REAL, FOR_FILES, AT(coding.scale), 1e-6, 1e6},
    {"offset", KEY_REAL, FOR_FILES, AT(coding.offset), -1e6, 1e6},
    {"invalid", KEY_BITS, FOR_FILES, AT(coding.zero_is_invalid),
     .words = "none, zero, max or zero-max"},
    {"threshold", KEY_INT, 0, AT(threshold), 0, 255},
    {"depth_m", KEY_REAL, FOR_FILES, AT(depth_max_m), 1e-3, 1e6},
    CAMERA_KEYS(FOR_FILES, offsetof(struct dataset, camera)),
    COMPANION("truth", DATASET_TRUTH),
    COMPANION("confidence", DATASET_CONFIDENCE),
    COMPANION("probability", DATASET_PROBABILITY),
    COMPANION("labels", DATASET_LABELS),
    {"truth_scale", KEY_REAL, FOR_FILES, AT(truth_scale), 1e-6, 1e6},
    {"labels_coding", KEY_WORD, FOR_FILES, AT(labels_coding),
     .words = "train-ids or label-ids"},
    {"seed", KEY_SEED, FOR_SCENE | FOR_NOISE, AT(scene.seed)},
    {"level", KEY_WORD, FOR_SCENE, AT(scene.level), .words = "easy, normal or hard"},
    {"steep", KEY_INT, FOR_SCENE, AT(scene.steep), 0, 1},
    {"width", KEY_INT, FOR_SCENE, AT(scene.width), 1, INPUTS_MAX_SIDE},
    {"height", KEY_INT, FOR_SCENE, AT(scene.height), 1, INPUTS_MAX_SIDE},
};

const char *const dataset_companion_name[] = {"truth", "confidence", "probability", "labels"};

/* "experiments/inputs/kitti-sgm.ini" -> "kitti-sgm". */
static enum bench_status set_name(const char *path, struct dataset *dataset)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    size_t n = strlen(name);

    if (n > 4 && strcmp(name + n - 4, ".ini") == 0)
        n -= 4;
    if (n == 0 || n >= sizeof dataset->name)
        return BENCH_FAIL(BENCH_EINPUT, "%s: the name of an input must have 1..%zu letters",
                          path, sizeof dataset->name - 1);
    memcpy(dataset->name, name, n);
    return BENCH_OK;
}

/* What 'depth_m' needs beside it, and what it leaves no room for. */
static enum bench_status check_depth(const struct ini_file *ini, const struct dataset *dataset)
{
    static const char *const of_disparity[] = {"scale", "offset", "invalid"};
    const struct ini_fact *depth = ini_find(ini, "", "depth_m");

    if (depth == NULL)
        return BENCH_OK;
    for (size_t i = 0; i < sizeof of_disparity / sizeof *of_disparity; i++) {
        const struct ini_fact *fact = ini_find(ini, "", of_disparity[i]);

        if (fact != NULL)
            return KEYS_REFUSE(
                ini, fact, "means nothing beside 'depth_m', which says all about the values");
    }
    if (dataset->camera.fx_px <= 0)
        return KEYS_REFUSE(ini, depth, "disparity from depth needs the key 'fx', above zero");
    if (dataset->camera.baseline_m <= 0)
        return KEYS_REFUSE(ini, depth,
                           "disparity from depth needs the key 'baseline_m', above zero");
    return BENCH_OK;
}

/* How many '*' there are; -1 where there is another wildcard, or too many. */
static int count_stars(const char *pattern)
{
    int n = 0;

    if (strpbrk(pattern, "?[") != NULL)
        return -1;
    for (; (pattern = strchr(pattern, '*')) != NULL; pattern++)
        n++;
    return n <= MAX_STARS ? n : -1;
}

/* The fact "truth_folder" of the companion "truth", or NULL. */
static const struct ini_fact *find_detail(const struct ini_file *ini, const char *companion,
                                          const char *detail)
{
    char key[64];

    snprintf(key, sizeof key, "%s_%s", companion, detail);
    return ini_find(ini, "", key);
}

/* A companion has a pattern, whose stars stand for those of the frames. */
static enum bench_status check_companion(const struct ini_file *ini,
                                         const struct dataset *dataset, int which)
{
    static const char *const details[] = {"folder", "scale", "coding"};
    const char *name = dataset_companion_name[which];
    const struct ini_fact *pattern = find_detail(ini, name, "pattern");

    for (size_t i = 0; pattern == NULL && i < sizeof details / sizeof *details; i++) {
        const struct ini_fact *fact = find_detail(ini, name, details[i]);
        char without[64];

        snprintf(without, sizeof without, "means nothing without '%s_pattern'", name);
        if (fact != NULL)
            return KEYS_REFUSE(ini, fact, without);
    }
    for (int k = 0; pattern && k < DATASET_MAX_PATTERNS && dataset->pattern[k][0]; k++) {
        const int n_stars = count_stars(dataset->pattern[k]);

        if (n_stars < 0 || count_stars(dataset->companion[which].pattern) != n_stars)
            return KEYS_REFUSE(ini, pattern,
                               "expected as many '*' as in each alternative of 'pattern', at "
                               "most 8, and no other wildcard in any of them");
    }
    return BENCH_OK;
}

static enum bench_status interpret(const struct ini_file *ini, struct dataset *dataset)
{
    const struct ini_fact *kind = ini_find(ini, "", "kind");

    TRY(set_name(ini->path, dataset));
    if (kind == NULL)
        return BENCH_FAIL(BENCH_EINPUT, "%s: the key 'kind' is missing: " KINDS, ini->path);
    if (keys_word(kind->value, KINDS) < 0)
        return KEYS_REFUSE(ini, kind, "expected " KINDS);
    dataset->coding.scale = 1;
    dataset->truth_scale = 1;
    dataset->scene = (struct scene_options){1242, 375, 1, SCENE_NORMAL, 0}; /* KITTI's frame */
    dataset->n_frames = strcmp(kind->value, "files") != 0;
    TRY(keys_read(ini, keys, sizeof keys / sizeof *keys, 1u << keys_word(kind->value, KINDS),
                  "a descriptor of an input", dataset));
    if (dataset->kind == DATASET_FILES && (!dataset->folder[0][0] || !dataset->pattern[0][0]))
        return BENCH_FAIL(BENCH_EINPUT, "%s: kind = files needs the key '%s'", ini->path,
                          dataset->folder[0][0] ? "pattern" : "folder");
    if (dataset->kind == DATASET_SCENE && dataset->n_frames == 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: kind = scene needs at least one frame", ini->path);
    for (int i = 0; i < DATASET_N_COMPANIONS; i++)
        TRY(check_companion(ini, dataset, i));
    return check_depth(ini, dataset);
}

/* Takes over 'ini', which is empty where 'status' is a failure. */
static enum bench_status finish(enum bench_status status, struct ini_file *ini,
                                struct dataset *dataset)
{
    memset(dataset, 0, sizeof *dataset);
    if (status == BENCH_OK)
        status = interpret(ini, dataset);
    if (status != BENCH_OK)
        memset(dataset, 0, sizeof *dataset);
    ini_free(ini);
    return status;
}

enum bench_status dataset_read(const char *path, struct dataset *dataset)
{
    struct ini_file ini;

    return finish(ini_read(path, &ini), &ini, dataset);
}

enum bench_status dataset_parse(const char *text, size_t n_bytes, const char *path,
                                struct dataset *dataset)
{
    struct ini_file ini;

    return finish(ini_parse_text(text, n_bytes, path, &ini), &ini, dataset);
}
