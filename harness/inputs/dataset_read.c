/* dataset_read.c - the descriptor of a named input */
#include "harness/inputs/dataset_private.h"

#include "harness/base/ini.h"
#include "harness/base/params.h"
#include "harness/base/text.h"

#include <stdio.h>
#include <string.h>

enum key_kinds { FOR_FILES = 1, FOR_SCENE = 2, FOR_NOISE = 4, FOR_ALL = 7 };

enum key_type {
    KEY_KIND,
    KEY_FOLDERS,
    KEY_PATTERNS,
    KEY_INT,
    KEY_SEED,
    KEY_REAL,
    KEY_INVALID,
    KEY_LEVEL,
    KEY_TEXT,
    KEY_COMPANION_FOLDERS,
    KEY_COMPANION_PATTERN,
    KEY_CODING
};

/* One row per key: where it goes and what it may be. */
struct key {
    const char *name;
    enum key_type type;
    unsigned kinds;
    size_t offset, size; /* of the member; size for KEY_TEXT */
    double min, max;     /* KEY_INT, KEY_REAL */
};

#define MEMBER(member) offsetof(struct dataset, member)
#define COMPANION(name, which)                                                              \
    {name "_pattern", KEY_COMPANION_PATTERN, FOR_FILES, MEMBER(companion[which]), 0, 0, 0}, \
    {                                                                                       \
        name "_folder", KEY_COMPANION_FOLDERS, FOR_FILES, MEMBER(companion[which]), 0, 0, 0 \
    }

static const struct key keys[] = {
    {"kind", KEY_KIND, FOR_ALL, 0, 0, 0, 0},
    {"source", KEY_TEXT, FOR_ALL, MEMBER(source), sizeof((struct dataset *)0)->source, 0, 0},
    {"fetch", KEY_TEXT, FOR_FILES, MEMBER(fetch), sizeof((struct dataset *)0)->fetch, 0, 0},
    {"folder", KEY_FOLDERS, FOR_FILES, 0, 0, 0, 0},
    {"pattern", KEY_PATTERNS, FOR_FILES, 0, 0, 0, 0},
    {"frames", KEY_INT, FOR_FILES | FOR_SCENE, MEMBER(n_frames), 0, 0, MAX_FRAMES},
    {"scale", KEY_REAL, FOR_FILES, MEMBER(coding.scale), 0, 1e-6, 1e6},
    {"offset", KEY_REAL, FOR_FILES, MEMBER(coding.offset), 0, -1e6, 1e6},
    {"invalid", KEY_INVALID, FOR_FILES, 0, 0, 0, 0},
    {"threshold", KEY_INT, FOR_ALL, MEMBER(threshold), 0, 0, 255},
    {"depth_m", KEY_REAL, FOR_FILES, MEMBER(depth_max_m), 0, 1e-3, 1e6},
    {"fx", KEY_REAL, FOR_FILES, MEMBER(camera.fx_px), 0, 0, 1e6},
    {"fy", KEY_REAL, FOR_FILES, MEMBER(camera.fy_px), 0, 0, 1e6},
    {"cx", KEY_REAL, FOR_FILES, MEMBER(camera.cx_px), 0, -1e6, 1e6},
    {"cy", KEY_REAL, FOR_FILES, MEMBER(camera.cy_px), 0, -1e6, 1e6},
    {"baseline_m", KEY_REAL, FOR_FILES, MEMBER(camera.baseline_m), 0, 0, 1e3},
    {"height_m", KEY_REAL, FOR_FILES, MEMBER(camera.height_m), 0, 0, 1e3},
    {"pitch_rad", KEY_REAL, FOR_FILES, MEMBER(camera.pitch_rad), 0, -1.5, 1.5},
    COMPANION("truth", DATASET_TRUTH),
    COMPANION("confidence", DATASET_CONFIDENCE),
    COMPANION("probability", DATASET_PROBABILITY),
    COMPANION("labels", DATASET_LABELS),
    {"truth_scale", KEY_REAL, FOR_FILES, MEMBER(truth_scale), 0, 1e-6, 1e6},
    {"labels_coding", KEY_CODING, FOR_FILES, 0, 0, 0, 0},
    {"seed", KEY_SEED, FOR_SCENE | FOR_NOISE, MEMBER(scene.seed), 0, 0, 0},
    {"level", KEY_LEVEL, FOR_SCENE, 0, 0, 0, 0},
    {"steep", KEY_INT, FOR_SCENE, MEMBER(scene.steep), 0, 0, 1},
    {"width", KEY_INT, FOR_SCENE, MEMBER(scene.width), 0, 1, INPUTS_MAX_SIDE},
    {"height", KEY_INT, FOR_SCENE, MEMBER(scene.height), 0, 1, INPUTS_MAX_SIDE},
};

#define N_KEYS (sizeof keys / sizeof keys[0])

static const char *const kind_name[] = {"files", "scene", "noise"};
static const char *const level_name[] = {"easy", "normal", "hard"};
static const char *const coding_name[] = {"train-ids", "label-ids"};
const char *const dataset_companion_name[] = {"truth", "confidence", "probability", "labels"};
static const char *const invalid_name[] = {"none", "zero", "max", "zero-max"}; /* bits 1, 2 */

/* One fact of one file, for messages. */
struct place {
    const char *path;
    const struct ini_fact *fact;
};

#define REFUSE(place, ...) refuse(place, __FILE__, __LINE__, __VA_ARGS__)

/* "kitti.ini:12: scale = x: expected ...". */
static enum bench_status refuse(struct place at, const char *file, int line,
                                const char *expected)
{
    return bench_fail(BENCH_EINPUT, file, line, "%s:%d: %s = %s: %s", at.path, at.fact->line,
                      at.fact->key, at.fact->value, expected);
}

static enum bench_status unknown_key(struct place at)
{
    struct bench_key names[N_KEYS + 1] = {{0}};
    const struct bench_key *const lists[] = {names, NULL};

    for (size_t i = 0; i < N_KEYS; i++)
        names[i].name = keys[i].name;

    const char *nearest = bench_nearest_key(lists, at.fact->key);

    if (nearest == NULL)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: unknown key '%s'", at.path, at.fact->line,
                          at.fact->key);
    return BENCH_FAIL(BENCH_EINPUT, "%s:%d: unknown key '%s'; did you mean '%s'?", at.path,
                      at.fact->line, at.fact->key, nearest);
}

/* The place of 'word' in a list of n, or -1. */
static int find_word(const char *word, const char *const *list, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0)
            return i;
    return -1;
}

int dataset_is_safe_path(const char *path)
{
    while (1) {
        const size_t n = strcspn(path, "/");

        if (n == 0 || (n == 1 && path[0] == '.') ||
            (n == 2 && path[0] == '.' && path[1] == '.'))
            return 0;
        if (path[n] == '\0')
            return 1;
        path += n + 1;
    }
}

/* Split "a, b" into list[capacity][item_size]. */
static enum bench_status read_list(struct place at, char *list, size_t item_size, int capacity,
                                   int *n_items)
{
    const char *item = at.fact->value;

    *n_items = 0;
    while (1) {
        const size_t to_comma = strcspn(item, ",");
        const size_t blanks = strspn(item, " \t");
        size_t n;

        if (blanks >= to_comma)
            return REFUSE(at, "expected names with commas between them, found an empty one");
        n = to_comma - blanks;
        item += blanks;
        while (item[n - 1] == ' ' || item[n - 1] == '\t')
            n--;
        if (*n_items == capacity)
            return REFUSE(at, "too many alternatives");
        if (n >= item_size)
            return REFUSE(at, "one of the names is too long");

        char *out = list + (size_t)*n_items * item_size;

        memcpy(out, item, n);
        out[n] = '\0';
        if (!dataset_is_safe_path(out))
            return REFUSE(at,
                          "expected a path below the data folder, without '.', '..' and '//'");
        ++*n_items;
        item += to_comma - blanks;
        if (*item == '\0')
            return BENCH_OK;
        item++;
    }
}

static enum bench_status read_seed(struct place at, uint64_t *seed)
{
    const char *text = at.fact->value;
    uint64_t number = 0;

    if (*text == '\0')
        return REFUSE(at, "expected a whole number");
    for (; *text != '\0'; text++) {
        const uint64_t digit = (uint64_t)(*text - '0');

        if (*text < '0' || *text > '9' || number > (UINT64_MAX - digit) / 10)
            return REFUSE(at, "expected a whole number of 0..18446744073709551615");
        number = number * 10 + digit;
    }
    *seed = number;
    return BENCH_OK;
}

static enum bench_status read_number(struct place at, const struct key *key, double *number)
{
    char expected[96];

    if (text_to_number(at.fact->value, number) && *number >= key->min && *number <= key->max &&
        (key->type != KEY_INT || *number == (double)(int)*number))
        return BENCH_OK;
    snprintf(expected, sizeof expected, "expected a %s of %g..%g",
             key->type == KEY_INT ? "whole number" : "number", key->min, key->max);
    return REFUSE(at, expected);
}

static enum bench_status read_fact(struct place at, const struct key *key,
                                   struct dataset *dataset)
{
    char *member = (char *)dataset + key->offset;
    struct companion *companion;
    const char *value = at.fact->value;
    double number = 0;
    int word;

    switch (key->type) {
    case KEY_KIND:
        return BENCH_OK; /* read before all others */
    case KEY_FOLDERS:
        return read_list(at, dataset->folder[0], sizeof dataset->folder[0], DATASET_MAX_FOLDERS,
                         &dataset->n_folders);
    case KEY_PATTERNS:
        return read_list(at, dataset->pattern[0], sizeof dataset->pattern[0],
                         DATASET_MAX_PATTERNS, &dataset->n_patterns);
    case KEY_SEED:
        return read_seed(at, &dataset->scene.seed);
    case KEY_INT:
        TRY(read_number(at, key, &number));
        word = (int)number;
        memcpy(member, &word, sizeof word);
        return BENCH_OK;
    case KEY_REAL:
        TRY(read_number(at, key, &number));
        memcpy(member, &number, sizeof number);
        return BENCH_OK;
    case KEY_INVALID:
        word = find_word(value, invalid_name, 4);
        if (word < 0)
            return REFUSE(at, "expected none, zero, max or zero-max");
        dataset->coding.zero_is_invalid = (word & 1) != 0;
        dataset->coding.max_is_invalid = (word & 2) != 0;
        return BENCH_OK;
    case KEY_LEVEL:
        word = find_word(value, level_name, 3);
        if (word < 0)
            return REFUSE(at, "expected easy, normal or hard");
        dataset->scene.level = (enum scene_level)word;
        return BENCH_OK;
    case KEY_TEXT:
        if (strlen(value) >= key->size)
            return REFUSE(at, "the text is too long");
        memcpy(member, value, strlen(value) + 1);
        return BENCH_OK;
    case KEY_COMPANION_FOLDERS:
        companion = (struct companion *)(void *)member;
        return read_list(at, companion->folder[0], sizeof companion->folder[0],
                         DATASET_MAX_FOLDERS, &companion->n_folders);
    case KEY_COMPANION_PATTERN:
        companion = (struct companion *)(void *)member;
        return read_list(at, companion->pattern, sizeof companion->pattern, 1, &word);
    case KEY_CODING:
        word = find_word(value, coding_name, 2);
        if (word < 0)
            return REFUSE(at, "expected train-ids or label-ids");
        dataset->labels_coding = (enum semantic_coding)word;
        return BENCH_OK;
    }
    return BENCH_OK;
}

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
    dataset->name[n] = '\0';
    return BENCH_OK;
}

static enum bench_status read_kind(const struct ini_file *ini, struct dataset *dataset)
{
    const struct ini_fact *fact = ini_find(ini, "", "kind");

    if (fact == NULL)
        return BENCH_FAIL(BENCH_EINPUT, "%s: the key 'kind' is missing: files, scene or noise",
                          ini->path);

    const int word = find_word(fact->value, kind_name, 3);

    if (word < 0)
        return REFUSE(((struct place){ini->path, fact}), "expected files, scene or noise");
    dataset->kind = (enum dataset_kind)word;
    return BENCH_OK;
}

/* What 'depth_m' needs beside it, and what it leaves no room for. */
static enum bench_status check_depth(const struct ini_file *ini, const struct dataset *dataset)
{
    static const char *const of_disparity[] = {"scale", "offset", "invalid"};
    const struct ini_fact *depth = ini_find(ini, "", "depth_m");

    if (depth == NULL)
        return BENCH_OK;
    for (size_t i = 0; i < sizeof of_disparity / sizeof of_disparity[0]; i++) {
        const struct ini_fact *fact = ini_find(ini, "", of_disparity[i]);

        if (fact != NULL)
            return REFUSE(((struct place){ini->path, fact}),
                          "means nothing beside 'depth_m', which says all about the values");
    }
    if (dataset->camera.fx_px <= 0)
        return REFUSE(((struct place){ini->path, depth}),
                      "disparity from depth needs the key 'fx', above zero");
    if (dataset->camera.baseline_m <= 0)
        return REFUSE(((struct place){ini->path, depth}),
                      "disparity from depth needs the key 'baseline_m', above zero");
    return BENCH_OK;
}

/* How many '*' there are; -1 where there is another wildcard, or too many. */
static int count_stars(const char *pattern)
{
    int n = 0;

    for (const char *c = pattern; *c != '\0'; c++) {
        if (*c == '?' || *c == '[')
            return -1;
        n += *c == '*';
    }
    return n <= MAX_STARS ? n : -1;
}

/* A key of a companion, "truth_folder", whose pattern is not given. */
static enum bench_status check_alone(const struct ini_file *ini, const char *name,
                                     const char *detail)
{
    const struct ini_fact *fact = NULL;
    char key[64];

    snprintf(key, sizeof key, "%s_%s", name, detail);
    fact = ini_find(ini, "", key);
    if (fact == NULL)
        return BENCH_OK;
    snprintf(key, sizeof key, "means nothing without '%s_pattern'", name);
    return REFUSE(((struct place){ini->path, fact}), key);
}

/* A companion's stars stand for those of the frames. */
static enum bench_status check_companions(const struct ini_file *ini,
                                          const struct dataset *dataset)
{
    for (int i = 0; i < DATASET_N_COMPANIONS; i++) {
        const struct companion *companion = &dataset->companion[i];
        const int n_stars = count_stars(companion->pattern);
        char key[64];

        if (companion->pattern[0] == '\0') {
            TRY(check_alone(ini, dataset_companion_name[i], "folder"));
            TRY(check_alone(ini, dataset_companion_name[i], "scale"));
            TRY(check_alone(ini, dataset_companion_name[i], "coding"));
            continue;
        }
        snprintf(key, sizeof key, "%s_pattern", dataset_companion_name[i]);
        for (int k = 0; k < dataset->n_patterns; k++)
            if (n_stars < 0 || count_stars(dataset->pattern[k]) != n_stars)
                return REFUSE(((struct place){ini->path, ini_find(ini, "", key)}),
                              "expected as many '*' as in each alternative of 'pattern', at "
                              "most 8, and no other wildcard in any of them");
    }
    return BENCH_OK;
}

static enum bench_status interpret(const struct ini_file *ini, struct dataset *dataset)
{
    TRY(set_name(ini->path, dataset));
    TRY(read_kind(ini, dataset));
    dataset->coding.scale = 1;
    dataset->truth_scale = 1;
    dataset->scene.width = 1242; /* KITTI's frame */
    dataset->scene.height = 375;
    dataset->scene.seed = 1;
    dataset->scene.level = SCENE_NORMAL;
    dataset->n_frames = dataset->kind == DATASET_FILES ? 0 : 1;

    for (int i = 0; i < ini->n_facts; i++) {
        const struct place at = {ini->path, &ini->fact[i]};
        const struct key *key = NULL;

        if (at.fact->section[0] != '\0')
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s:%d: a descriptor of an input has no sections, found [%s]",
                              at.path, at.fact->line, at.fact->section);
        for (size_t k = 0; k < N_KEYS; k++)
            if (strcmp(at.fact->key, keys[k].name) == 0)
                key = &keys[k];
        if (key == NULL)
            return unknown_key(at);
        if ((key->kinds & (1u << dataset->kind)) == 0)
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: the key '%s' means nothing for kind = %s",
                              at.path, at.fact->line, key->name, kind_name[dataset->kind]);
        TRY(read_fact(at, key, dataset));
    }
    if (dataset->kind == DATASET_FILES && (dataset->n_folders == 0 || dataset->n_patterns == 0))
        return BENCH_FAIL(BENCH_EINPUT, "%s: kind = files needs the key '%s'", ini->path,
                          dataset->n_folders == 0 ? "folder" : "pattern");
    if (dataset->kind == DATASET_SCENE && dataset->n_frames == 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: kind = scene needs at least one frame", ini->path);
    TRY(check_companions(ini, dataset));
    return check_depth(ini, dataset);
}

/* Takes over 'ini'. */
static enum bench_status interpret_and_free(struct ini_file *ini, struct dataset *dataset)
{
    const enum bench_status status = interpret(ini, dataset);

    ini_free(ini);
    if (status != BENCH_OK)
        memset(dataset, 0, sizeof *dataset);
    return status;
}

enum bench_status dataset_read(const char *path, struct dataset *dataset)
{
    struct ini_file ini;

    memset(dataset, 0, sizeof *dataset);
    TRY(ini_read(path, &ini));
    return interpret_and_free(&ini, dataset);
}

enum bench_status dataset_parse(const char *text, size_t n_bytes, const char *path,
                                struct dataset *dataset)
{
    struct ini_file ini;

    memset(dataset, 0, sizeof *dataset);
    TRY(ini_parse_text(text, n_bytes, path, &ini));
    return interpret_and_free(&ini, dataset);
}
