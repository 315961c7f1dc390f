/*
 * dataset.c - read the descriptor of a named input, find its files, make its frames
 */
#include "inputs/dataset.h"

#include "harness/ini.h"
#include "harness/params.h"
#include "harness/text.h"
#include "inputs/npy.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_FRAMES 100000 /* far above any data set; keeps sizes and counts in an int */
#define MAX_STARS  8      /* of a pattern with companions */

/* ---- the descriptor ---- */

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
static const char *const companion_name[] = {"truth", "confidence", "probability", "labels"};
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

/* A path below the data folder: not absolute, no part of it empty, "." or "..". */
static int is_safe_path(const char *path)
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
        if (!is_safe_path(out))
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
            TRY(check_alone(ini, companion_name[i], "folder"));
            TRY(check_alone(ini, companion_name[i], "scale"));
            TRY(check_alone(ini, companion_name[i], "coding"));
            continue;
        }
        snprintf(key, sizeof key, "%s_pattern", companion_name[i]);
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

/* ---- the files ---- */

/* Paths below a folder, each owned. */
struct names {
    char **name;
    size_t n, capacity;
};

static void free_names(struct names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->name[i]);
    free(names->name);
    memset(names, 0, sizeof *names);
}

/* Takes over 'name', which may be NULL for no memory. */
static enum bench_status add_name(struct names *names, char *name)
{
    if (name != NULL && names->n == names->capacity) {
        const size_t capacity = names->capacity == 0 ? 64 : 2 * names->capacity;
        char **grown = realloc(names->name, capacity * sizeof *grown);

        if (grown != NULL) {
            names->name = grown;
            names->capacity = capacity;
        }
    }
    if (name == NULL || names->n == names->capacity) {
        free(name);
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for a list of %zu file names", names->n + 1);
    }
    names->name[names->n++] = name;
    return BENCH_OK;
}

static char *join(const char *a, const char *b)
{
    char *joined = NULL;

    return asprintf(&joined, "%s%s%s", a, a[0] == '\0' ? "" : "/", b) < 0 ? NULL : joined;
}

static enum bench_status find_in(const char *root, const char *below, const char *pattern,
                                 struct names *names);

/* One entry whose name matched.  Takes over 'path', which begins below 'root'. */
static enum bench_status visit(const char *root, char *path, const char *rest,
                               struct names *names)
{
    struct stat facts;
    char *full = path == NULL ? NULL : join(root, path);
    enum bench_status status = BENCH_OK;

    if (full == NULL) {
        free(path);
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the names of files in %s", root);
    }

    const int is_there = stat(full, &facts) == 0;

    free(full);
    if (is_there && rest == NULL && S_ISREG(facts.st_mode))
        return add_name(names, path);
    if (is_there && rest != NULL && S_ISDIR(facts.st_mode))
        status = find_in(root, path, rest, names);
    free(path);
    return status;
}

/*
 * Add the files below root/below that match 'pattern', whose parts between '/' match one level
 * each.  A folder that is not there has none.  Depth is bounded by the pattern's length.
 */
static enum bench_status find_in(const char *root, const char *below, const char *pattern,
                                 struct names *names)
{
    const size_t n_part = strcspn(pattern, "/");
    const char *rest = pattern[n_part] == '\0' ? NULL : pattern + n_part + 1;
    char *folder = below[0] == '\0' ? strdup(root) : join(root, below);
    char *part = strndup(pattern, n_part);
    enum bench_status status = BENCH_OK;
    DIR *stream = NULL;

    if (folder == NULL || part == NULL)
        status = BENCH_FAIL(BENCH_ENOMEM, "no memory for the names of files in %s", root);
    else if ((stream = opendir(folder)) == NULL && errno != ENOENT && errno != ENOTDIR)
        status = BENCH_FAIL(BENCH_EIO, "%s: %s", folder, strerror(errno));

    while (stream != NULL && status == BENCH_OK) {
        const struct dirent *entry = (errno = 0, readdir(stream));

        if (entry == NULL) {
            if (errno != 0)
                status = BENCH_FAIL(BENCH_EIO, "%s: %s", folder, strerror(errno));
            break;
        }
        if (fnmatch(part, entry->d_name, FNM_PERIOD | FNM_NOESCAPE) == 0 &&
            strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            status = visit(root, join(below, entry->d_name), rest, names);
    }
    if (stream != NULL)
        closedir(stream);
    free(part);
    free(folder);
    return status;
}

/* By bytes: the same order in every locale. */
static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "no file *_10.png in data/kitti2015/sgm or data/training/disp_occ_0". */
static enum bench_status nothing_found(const struct dataset *dataset, const char *data_folder)
{
    struct text where = {NULL, 0, 0, false};
    enum bench_status status;

    for (int i = 0; i < dataset->n_patterns; i++)
        text_format(&where, "%s%s", i == 0 ? "" : " or ", dataset->pattern[i]);
    for (int i = 0; i < dataset->n_folders; i++)
        text_format(&where, "%s%s/%s", i == 0 ? " in " : " or ", data_folder,
                    dataset->folder[i]);
    if (dataset->fetch[0] != '\0')
        text_format(&where, "; `scripts/fetch_data %s` gets them", dataset->fetch);
    if (text_ok(&where) != BENCH_OK)
        status = BENCH_ENOMEM;
    else
        status = BENCH_FAIL(BENCH_ESKIP, "input %s: no files %s", dataset->name, where.data);
    text_free(&where);
    return status;
}

/* Where the frames are. */
struct found {
    char *root;                            /* their folder, owned */
    const char *pattern;                   /* the one that they matched, borrowed */
    struct names names;                    /* sorted; at least one */
    char *companion[DATASET_N_COMPANIONS]; /* its folder, owned; NULL: not known */
};

static void free_found(struct found *found)
{
    free_names(&found->names);
    free(found->root);
    for (int i = 0; i < DATASET_N_COMPANIONS; i++)
        free(found->companion[i]);
}

static enum bench_status find_files(const struct dataset *dataset, const char *data_folder,
                                    struct found *found)
{
    struct names *names = &found->names;

    for (int i = 0; i < dataset->n_folders; i++) {
        found->root = join(data_folder, dataset->folder[i]);
        if (found->root == NULL)
            return BENCH_FAIL(BENCH_ENOMEM, "no memory for the name of a folder");
        for (int k = 0; k < dataset->n_patterns && names->n == 0; k++) {
            found->pattern = dataset->pattern[k];
            TRY(find_in(found->root, "", found->pattern, names));
        }
        if (names->n > 0)
            break;
        free(found->root);
        found->root = NULL;
    }
    if (names->n == 0)
        return nothing_found(dataset, data_folder);
    qsort(names->name, names->n, sizeof *names->name, compare_names);
    if (names->n > MAX_FRAMES)
        return BENCH_FAIL(BENCH_EINPUT, "input %s: %zu files in %s, at most %d can be taken",
                          dataset->name, names->n, found->root, MAX_FRAMES);
    if ((size_t)dataset->n_frames > names->n)
        return BENCH_FAIL(BENCH_EINPUT, "input %s: expected %d files in %s, found %zu",
                          dataset->name, dataset->n_frames, found->root, names->n);
    return BENCH_OK;
}

/* "aachen/aachen_000000_000019_disparity.png" -> the same without its ending, cut to fit. */
static void name_plane(struct plane *plane, const char *path)
{
    const char *dot = strrchr(path, '.');
    const char *slash = strrchr(path, '/');
    size_t n =
        dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - path) : strlen(path);

    /* the end tells frames apart better than the beginning */
    if (n >= sizeof plane->name) {
        path += n - (sizeof plane->name - 1);
        n = sizeof plane->name - 1;
    }
    memcpy(plane->name, path, n);
    plane->name[n] = '\0';
}

static enum bench_status read_plane(const struct dataset *dataset, const char *path,
                                    struct plane *plane)
{
    struct image image = {0, 0, IMAGE_U8, NULL};
    enum bench_status status;

    if (dataset->depth_max_m > 0) {
        const struct depth_coding coding = {dataset->depth_max_m, dataset->camera.fx_px,
                                            dataset->camera.baseline_m};

        status = image_read_depth24(path, &image);
        if (status == BENCH_OK)
            status = image_depth24_to_disparity(&image, &coding, plane);
    } else {
        status = image_read(path, &image);
        if (status == BENCH_OK)
            status = image_to_disparity(&image, &dataset->coding, plane);
    }
    image_free(&image);
    return status;
}

/* ---- companions ---- */

/* The first folder of each companion that is there. */
static enum bench_status find_companions(const struct dataset *dataset, const char *data_folder,
                                         struct found *found)
{
    assert(found->root != NULL);
    for (int i = 0; i < DATASET_N_COMPANIONS; i++) {
        const struct companion *companion = &dataset->companion[i];
        const int n = companion->n_folders > 0 ? companion->n_folders : 1;

        for (int k = 0; k < n && companion->pattern[0] != '\0' && found->companion[i] == NULL;
             k++) {
            struct stat facts;
            char *folder = companion->n_folders > 0 ? join(data_folder, companion->folder[k])
                                                    : strdup(found->root);

            if (folder == NULL)
                return BENCH_FAIL(BENCH_ENOMEM, "no memory for the name of a folder");
            if (stat(folder, &facts) == 0 && S_ISDIR(facts.st_mode))
                found->companion[i] = folder;
            else
                free(folder);
        }
    }
    return BENCH_OK;
}

/* What one '*' stands for. */
struct span {
    const char *from; /* borrowed */
    size_t n;
};

/*
 * Find what the stars of 'pattern', which has no other wildcard, stand for in 'name', which matches it.
 * Each takes as little as it can, but for the last, which goes on to where the rest of the pattern ends
 * the name.  That never takes a '/': pattern and name have equally many, and the piece of the pattern
 * with the next one is found at the first place where it can be.  Returns how many there are.
 */
static int find_spans(const char *pattern, const char *name, struct span spans[MAX_STARS])
{
    const char *star = strchr(pattern, '*');
    int n = 0;

    if (star == NULL)
        return 0;
    name += star - pattern;
    for (; star != NULL; n++) {
        const char *piece = star + 1, *next = strchr(piece, '*');
        const size_t n_piece = next == NULL ? strlen(piece) : (size_t)(next - piece);
        const char *stop;

        if (next == NULL)
            stop = name + strlen(name) - n_piece;
        else
            stop = memmem(name, strlen(name), piece, n_piece);
        assert(n < MAX_STARS && stop != NULL && stop >= name);
        spans[n] = (struct span){name, (size_t)(stop - name)};
        name = stop + n_piece;
        star = next;
    }
    return n;
}

/* The path of a frame's companion, which the caller frees. */
static enum bench_status name_companion(const struct dataset *dataset,
                                        const struct found *found, enum dataset_companion which,
                                        const char *name, char **path)
{
    struct text text = {NULL, 0, 0, false};
    struct span spans[MAX_STARS] = {{NULL, 0}};
    const struct span *next = spans;
    const struct span *end = spans + find_spans(found->pattern, name, spans);
    struct stat facts;

    text_format(&text, "%s/", found->companion[which]);

    const size_t n_folder = text.size;

    for (const char *c = dataset->companion[which].pattern; *c != '\0'; c++) {
        if (*c == '*' && next < end) { /* check_companions saw to the second */
            text_bytes(&text, next->from, next->n);
            next++;
        } else {
            text_bytes(&text, c, 1);
        }
    }
    *path = text.data;
    TRY(text_ok(&text));
    if (!is_safe_path(text.data + n_folder) || stat(text.data, &facts) != 0 ||
        !S_ISREG(facts.st_mode))
        return BENCH_FAIL(BENCH_EINPUT, "input %s: the frame %s has no %s: expected a file %s",
                          dataset->name, name, companion_name[which], text.data);
    return BENCH_OK;
}

/* An image of the frame's size. */
static enum bench_status read_beside(const char *path, const struct plane *plane,
                                     struct image *image)
{
    TRY(image_read(path, image));
    if (image->width == plane->width && image->height == plane->height)
        return BENCH_OK;
    return BENCH_FAIL(BENCH_EINPUT, "%s: %d x %d pixels, expected %d x %d as in its frame",
                      path, image->width, image->height, plane->width, plane->height);
}

static enum bench_status read_truth(const struct dataset *dataset, const char *path,
                                    struct image *image, struct plane *plane)
{
    const struct disparity_coding coding = {
        .scale = dataset->truth_scale, .offset = 0, .zero_is_invalid = 1, .max_is_invalid = 0};
    struct plane truth = {0};

    TRY(read_beside(path, plane, image));
    TRY(image_to_disparity(image, &coding, &truth));
    plane->truth = truth.disparity;
    return BENCH_OK;
}

static enum bench_status read_confidence(const char *path, struct image *image,
                                         struct plane *plane)
{
    TRY(read_beside(path, plane, image));
    if (image->type != IMAGE_U8)
        return BENCH_FAIL(BENCH_EINPUT, "%s: confidence of more than 8 bits, expected 8", path);
    plane->confidence = image->pixels;
    image->pixels = NULL;
    return BENCH_OK;
}

static enum bench_status read_companion(const struct dataset *dataset,
                                        enum dataset_companion which, const char *path,
                                        struct plane *plane)
{
    struct image image = {0, 0, IMAGE_U8, NULL};
    enum bench_status status = BENCH_OK;

    switch (which) {
    case DATASET_TRUTH:
        status = read_truth(dataset, path, &image, plane);
        break;
    case DATASET_CONFIDENCE:
        status = read_confidence(path, &image, plane);
        break;
    case DATASET_PROBABILITY:
        status = npy_read_probability(path, plane->width, plane->height, &plane->probability,
                                      &plane->n_classes);
        break;
    case DATASET_LABELS:
        status = semantic_read_labels(path, plane->width, plane->height, dataset->labels_coding,
                                      &plane->truth_class);
        break;
    case DATASET_N_COMPANIONS:
        break;
    }
    image_free(&image);
    return status;
}

static enum bench_status load_companions(const struct dataset *dataset,
                                         const struct found *found, const char *name,
                                         struct plane *plane)
{
    for (int i = 0; i < DATASET_N_COMPANIONS; i++) {
        const enum dataset_companion which = (enum dataset_companion)i;
        char *path = NULL;

        if (found->companion[i] == NULL)
            continue;

        enum bench_status status = name_companion(dataset, found, which, name, &path);

        if (status == BENCH_OK)
            status = read_companion(dataset, which, path, plane);
        free(path);
        if (status != BENCH_OK)
            return status;
    }
    return BENCH_OK;
}

/* ---- frames ---- */

static enum bench_status load_frame(const struct dataset *dataset, const struct found *found,
                                    const char *name, struct plane *plane)
{
    char *path = join(found->root, name);

    if (path == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the name of a file");

    enum bench_status status = read_plane(dataset, path, plane);

    if (status == BENCH_OK) {
        plane->camera = dataset->camera;
        if (dataset->depth_max_m <= 0 && dataset->coding.offset == 0)
            plane->grey_per_px = dataset->coding.scale;
        name_plane(plane, name);
        status = load_companions(dataset, found, name, plane);
    }
    free(path);
    return status;
}

static enum bench_status new_planes(size_t n, struct plane **planes, int *n_planes)
{
    assert(n > 0);
    *planes = calloc(n, sizeof **planes);
    if (*planes == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for %zu frames", n);
    *n_planes = (int)n;
    return BENCH_OK;
}

static enum bench_status load_found(const struct dataset *dataset, const struct found *found,
                                    struct plane **planes, int *n_planes)
{
    const struct names *names = &found->names;

    assert(names->name && (size_t)dataset->n_frames <= names->n);
    TRY(new_planes(dataset->n_frames > 0 ? (size_t)dataset->n_frames : names->n, planes,
                   n_planes));
    for (int i = 0; i < *n_planes; i++)
        TRY(load_frame(dataset, found, names->name[i], &(*planes)[i]));
    return BENCH_OK;
}

static enum bench_status load_files(const struct dataset *dataset, const char *data_folder,
                                    struct plane **planes, int *n_planes)
{
    struct found found = {0};
    enum bench_status status = find_files(dataset, data_folder, &found);

    if (status == BENCH_OK)
        status = find_companions(dataset, data_folder, &found);
    if (status == BENCH_OK)
        status = load_found(dataset, &found, planes, n_planes);
    free_found(&found);
    return status;
}

static enum bench_status load_scenes(const struct dataset *dataset, struct plane **planes,
                                     int *n_planes)
{
    struct scene_options options = dataset->scene;

    TRY(new_planes((size_t)dataset->n_frames, planes, n_planes));
    for (int i = 0; i < *n_planes; i++) {
        options.seed = dataset->scene.seed + (uint64_t)i;
        TRY(scene_make(&options, &(*planes)[i]));
    }
    return BENCH_OK;
}

static enum bench_status load_noise(const struct dataset *dataset, int width, int height,
                                    struct plane **planes, int *n_planes)
{
    TRY(new_planes(1, planes, n_planes));
    return noise_make(width, height, dataset->scene.seed, *planes);
}

enum bench_status dataset_load(const struct dataset *dataset, const char *data_folder,
                               int noise_width, int noise_height, struct plane **planes,
                               int *n_planes)
{
    enum bench_status status;

    *planes = NULL;
    *n_planes = 0;
    if (dataset->kind == DATASET_SCENE)
        status = load_scenes(dataset, planes, n_planes);
    else if (dataset->kind == DATASET_NOISE)
        status = load_noise(dataset, noise_width, noise_height, planes, n_planes);
    else
        status =
            load_files(dataset, data_folder != NULL && data_folder[0] ? data_folder : "data",
                       planes, n_planes);
    if (status != BENCH_OK) {
        planes_free(*planes, *n_planes);
        *planes = NULL;
        *n_planes = 0;
    }
    for (int i = 0; i < *n_planes; i++)
        (*planes)[i].threshold = dataset->threshold;
    return status;
}

void planes_free(struct plane *planes, int n_planes)
{
    for (int i = 0; i < n_planes; i++)
        plane_free(&planes[i]);
    free(planes);
}
