/*
 * dataset.c - read the descriptor of a named input, find its files, make its frames
 */
#include "harness/inputs/dataset.h"

#include "harness/base/build.h"
#include "harness/base/memory.h"
#include "harness/base/params.h"
#include "harness/base/text.h"
#include "harness/inputs/keys.h"
#include "harness/inputs/npy.h"
#include "harness/inputs/views.h"

#include <assert.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#define MAX_DEPTH  4      /* of includes */
#define MAX_FRAMES 100000 /* far above any data set; keeps sizes and counts in an int */

/* ---- the descriptor ---- */

enum {
    FOR_MAPS = 1 << DATASET_FILES,
    FOR_PAIRS = 1 << DATASET_PAIRS,
    FOR_FILES = FOR_MAPS | FOR_PAIRS,
    FOR_SCENE = 1 << DATASET_SCENE,
    FOR_NOISE = 1 << DATASET_NOISE
};

#define KINDS "files|pairs|scene|noise"

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
    {"pattern", KEY_PATHS, FOR_MAPS, PATHS(pattern)},
    {"left", KEY_PATHS, FOR_PAIRS, PATHS(pattern)},
    {"right", KEY_PATHS, FOR_PAIRS, AT(companion[DATASET_RIGHT].pattern), .item_size = 64},
    {"right_folder", KEY_PATHS, FOR_PAIRS, PATHS(companion[DATASET_RIGHT].folder)},
    {"frames", KEY_INT, FOR_FILES | FOR_SCENE, AT(n_frames), 0, MAX_FRAMES},
    {"scale", KEY_REAL, FOR_MAPS, AT(coding.scale), 1e-6, 1e6},
    {"offset", KEY_REAL, FOR_MAPS, AT(coding.offset), -1e6, 1e6},
    {"invalid", KEY_BITS, FOR_MAPS, AT(coding.zero_is_invalid),
     .words = "none|zero|max|zero-max"},
    {"threshold", KEY_INT, 0, AT(threshold), 0, 255},
    {"coding", KEY_TEXT, FOR_MAPS, AT(coding_name)},
    {"depth_m", KEY_REAL, FOR_MAPS, AT(coding.max_m), 1e-3, 1e6},
    CAMERA_KEYS(FOR_FILES, offsetof(struct dataset, camera)),
    COMPANION("truth", DATASET_TRUTH),
    COMPANION("confidence", DATASET_CONFIDENCE),
    COMPANION("probability", DATASET_PROBABILITY),
    COMPANION("labels", DATASET_LABELS),
    {"truth_scale", KEY_REAL, FOR_FILES, AT(truth_scale), 1e-6, 1e6},
    {"labels_coding", KEY_WORD, FOR_FILES, AT(labels_coding), .words = "train-ids|label-ids"},
    {"seed", KEY_SEED, FOR_SCENE | FOR_NOISE, AT(scene.seed)},
    {"most", KEY_INT, FOR_NOISE, AT(most_px), 0, 127},
    {"level", KEY_WORD, FOR_SCENE, AT(scene.level), .words = "easy|normal|hard"},
    {"steep", KEY_INT, FOR_SCENE, AT(scene.steep), 0, 1},
    {"views", KEY_INT, FOR_SCENE, AT(has_views), 0, 1},
    {"width", KEY_INT, FOR_SCENE, AT(scene.width), 1, INPUTS_MAX_SIDE},
    {"height", KEY_INT, FOR_SCENE, AT(scene.height), 1, INPUTS_MAX_SIDE},
};

static const char *const companion_name[] = {"truth", "confidence", "probability", "labels",
                                             "right"};

static bool has_files(const struct dataset *dataset)
{
    return dataset->kind == DATASET_FILES || dataset->kind == DATASET_PAIRS;
}

/* 'coding' and 'depth_m' say all about the values, so other keys have no place beside them. */
static enum bench_status check_alone(const struct ini_file *ini, const char *key)
{
    static const char *const others[] = {"scale", "offset", "invalid", "coding"};
    char why[96];

    snprintf(why, sizeof why, "means nothing beside '%s', which says all about the values",
             key);
    for (size_t i = 0; ini_find(ini, "", key) && i < sizeof others / sizeof *others; i++) {
        const struct ini_fact *const fact = ini_find(ini, "", others[i]);

        if (fact && strcmp(others[i], key) != 0)
            return KEYS_REFUSE(ini, fact, why);
    }
    return BENCH_OK;
}

static enum bench_status read_coding(const struct ini_file *ini, struct dataset *dataset)
{
    const struct ini_fact *const fact = ini_find(ini, "", "coding");
    const struct value_coding *coding;
    char where[600];

    if (!fact)
        return BENCH_OK;
    snprintf(where, sizeof where, "%s:%d: coding", ini->path, fact->line);
    coding = coding_find(fact->value, where);
    if (!coding)
        return BENCH_EINPUT;
    dataset->coding = coding->values;
    return check_alone(ini, "coding");
}

/* 'depth_m' needs a camera beside it. */
static enum bench_status check_depth(const struct ini_file *ini, const struct dataset *dataset)
{
    const struct ini_fact *depth = ini_find(ini, "", "depth_m");

    if (depth == NULL)
        return BENCH_OK;
    TRY(check_alone(ini, "depth_m"));
    if (dataset->camera.fx_px <= 0)
        return KEYS_REFUSE(ini, depth, "disparity from depth needs the key 'fx', above zero");
    if (dataset->camera.baseline_m <= 0)
        return KEYS_REFUSE(ini, depth,
                           "disparity from depth needs the key 'baseline_m', above zero");
    return BENCH_OK;
}

/* Returns the number of '*'; -1: there is another wildcard, or too many. */
static int count_stars(const char *pattern)
{
    int n = 0;

    if (strpbrk(pattern, "?[") != NULL)
        return -1;
    for (; (pattern = strchr(pattern, '*')) != NULL; pattern++)
        n++;
    return n <= 8 ? n : -1;
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
    const char *name = companion_name[which];
    const struct ini_fact *pattern =
        which == DATASET_RIGHT ? ini_find(ini, "", name) : find_detail(ini, name, "pattern");

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
    const struct ini_fact *said = ini_find(ini, "", "kind");
    const int kind = said ? bench_choice(KINDS, said->value) : DATASET_FILES;

    TRY(keys_name(ini->path, "an input", dataset->name, sizeof dataset->name));
    if (kind < 0)
        return KEYS_REFUSE(ini, said, "expected one of " KINDS);
    dataset->coding.scale = 1;
    dataset->truth_scale = 1;
    dataset->most_px = 127;
    dataset->scene = (struct scene_options){1242, 375, 1, SCENE_NORMAL, 0}; /* KITTI's frame */
    dataset->n_frames = kind == DATASET_SCENE || kind == DATASET_NOISE;
    TRY(keys_read(ini, keys, sizeof keys / sizeof *keys, 1u << kind, "a descriptor of an input",
                  dataset));
    REFUSE_IF(has_files(dataset) && (!dataset->folder[0][0] || !dataset->pattern[0][0]),
              "%s: kind = %s needs the key '%s'", ini->path,
              dataset->kind == DATASET_FILES ? "files" : "pairs",
              !dataset->folder[0][0]           ? "folder"
              : dataset->kind == DATASET_FILES ? "pattern"
                                               : "left");
    REFUSE_IF(dataset->kind == DATASET_PAIRS && !dataset->companion[DATASET_RIGHT].pattern[0],
              "%s: kind = pairs needs the key 'right'", ini->path);
    REFUSE_IF(dataset->kind == DATASET_SCENE && dataset->n_frames == 0,
              "%s: kind = scene needs at least one frame", ini->path);
    for (int i = 0; i < DATASET_N_COMPANIONS; i++)
        TRY(check_companion(ini, dataset, i));
    TRY(check_depth(ini, dataset));
    return read_coding(ini, dataset);
}

static enum bench_status finish(enum bench_status status, const struct ini_file *ini,
                                struct dataset *dataset)
{
    memset(dataset, 0, sizeof *dataset);
    if (status == BENCH_OK)
        status = interpret(ini, dataset);
    if (status != BENCH_OK)
        memset(dataset, 0, sizeof *dataset);
    return status;
}

/* Reads a descriptor's facts, and those of what it includes whose keys it does not give. */
static enum bench_status read_whole(const char *path, int depth, struct ini_file *ini)
{
    OWNED(ini_free) struct ini_file own = {0}, other = {0};
    const char *const slash = strrchr(path, '/');
    const struct ini_fact *said;
    char beside[600];

    TRY(ini_read(path, &own));
    ini->path = own.path;
    own.path = NULL;
    for (int i = 0; i < own.n_facts; i++)
        if (strcmp(own.fact[i].key, "include") != 0)
            TRY(ini_add(ini, own.fact[i].section, own.fact[i].key, own.fact[i].value,
                        own.fact[i].line));
    said = ini_find(&own, "", "include");
    if (!said)
        return BENCH_OK;
    if (depth == MAX_DEPTH)
        return KEYS_REFUSE(ini, said, "descriptors include one another more than 4 deep");
    snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path,
             said->value);
    TRY(read_whole(beside, depth + 1, &other));
    for (int i = 0; i < other.n_facts; i++)
        if (!ini_find(&own, other.fact[i].section, other.fact[i].key))
            TRY(ini_add(ini, other.fact[i].section, other.fact[i].key, other.fact[i].value,
                        said->line));
    return BENCH_OK;
}

enum bench_status dataset_read(const char *path, struct dataset *dataset)
{
    OWNED(ini_free) struct ini_file ini = {0};

    return finish(read_whole(path, 0, &ini), &ini, dataset);
}

enum bench_status dataset_parse(const char *text, size_t n_bytes, const char *path,
                                struct dataset *dataset)
{
    OWNED(ini_free) struct ini_file ini = {0};

    return finish(ini_parse_text(text, n_bytes, path, &ini), &ini, dataset);
}

/* ---- the files ---- */

/* The files of the frames. */
struct found {
    const char *folder, *pattern; /* as the descriptor has those where they are, borrowed */
    char *root;                   /* the folder, owned */
    glob_t files;
    char **path; /* [n], in 'files', sorted */
    size_t n;
    char *companion[DATASET_N_COMPANIONS]; /* its folder, owned; NULL: not known */
};

static void free_found(struct found *found)
{
    globfree(&found->files);
    free(found->root);
    for (int i = 0; i < DATASET_N_COMPANIONS; i++)
        free(found->companion[i]);
}

/* Returns the frame's name below its folder. */
static const char *name_in(const struct found *found, const char *path)
{
    return path + strlen(found->root) + 1;
}

static int has_mode(const char *path, mode_t mode)
{
    struct stat facts;

    return stat(path, &facts) == 0 && (facts.st_mode & S_IFMT) == mode;
}

static enum bench_status join(const char *folder, const char *name, char **path)
{
    if (asprintf(path, "%s/%s", folder, name) >= 0)
        return BENCH_OK;
    *path = NULL;
    return BENCH_FAIL(BENCH_ENOMEM, "no memory for the name of a file in %s", folder);
}

/* By bytes: the same order in every locale. */
static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A folder that is not there has no files; any other failure is one. */
static int is_failure(const char *path, int error)
{
    return error != ENOENT && error != ENOTDIR &&
           BENCH_FAIL(BENCH_EIO, "%s: %s", path, strerror(error)) != BENCH_OK;
}

static void add_escaped(struct text *text, const char *string, const char *special)
{
    for (; *string != '\0'; string++) {
        if (strchr(special, *string) != NULL)
            text_add(text, "\\");
        text_bytes(text, string, 1);
    }
}

/* Find the files below found->root that match 'pattern', sorted. */
static enum bench_status find_in(struct found *found, const char *pattern)
{
    OWNED(text_free) struct text text = {0};
    int error = GLOB_NOSPACE;

    globfree(&found->files);
    found->files = (glob_t){0};
    found->pattern = pattern;
    add_escaped(&text, found->root, "*?[\\");
    text_add(&text, "/");
    add_escaped(&text, pattern, "\\");
    if (text_ok(&text) == BENCH_OK)
        error = glob(text.data, GLOB_NOSORT, is_failure, &found->files);
    FAIL_IF(error == GLOB_NOSPACE, BENCH_ENOMEM, "no memory for the names of files in %s",
            found->root);
    if (error == GLOB_ABORTED)
        return BENCH_EIO;

    char **path = found->path = found->files.gl_pathv;

    found->n = 0;
    for (size_t i = 0; i < found->files.gl_pathc; i++) { /* ".*" matches "." and ".." too */
        char *swap = path[found->n];

        if (keys_is_safe_path(name_in(found, path[i])) && has_mode(path[i], S_IFREG)) {
            path[found->n++] = path[i];
            path[i] = swap;
        }
    }
    if (found->n > 0)
        qsort(path, found->n, sizeof *path, compare_paths);
    return BENCH_OK;
}

/* "no files *_10.png in data/kitti2015/sgm or data/training/disp_occ_0". */
static enum bench_status nothing_found(const struct dataset *dataset, const char *data_folder)
{
    OWNED(text_free) struct text where = {0};

    for (int i = 0; i < DATASET_MAX_PATTERNS && dataset->pattern[i][0]; i++)
        text_format(&where, "%s%s", i == 0 ? "" : " or ", dataset->pattern[i]);
    for (int i = 0; i < DATASET_MAX_FOLDERS && dataset->folder[i][0]; i++)
        text_format(&where, "%s%s/%s", i == 0 ? " in " : " or ", data_folder,
                    dataset->folder[i]);
    if (dataset->fetch[0] != '\0')
        text_format(&where, "; `%s/fetch_data %s` gets them", bench_scripts(), dataset->fetch);
    else if (dataset->source[0] != '\0')
        text_add(&where, "; put them there by hand (depthbench list inputs)");
    TRY(text_ok(&where));
    return BENCH_FAIL(BENCH_ESKIP, "input %s: no files %s", dataset->name, where.data);
}

static enum bench_status find_files(const struct dataset *dataset, const char *data_folder,
                                    struct found *found)
{
    for (int i = 0; i < DATASET_MAX_FOLDERS && dataset->folder[i][0] && found->n == 0; i++) {
        free(found->root);
        found->folder = dataset->folder[i];
        TRY(join(data_folder, found->folder, &found->root));
        for (int k = 0; k < DATASET_MAX_PATTERNS && dataset->pattern[k][0] && found->n == 0;
             k++)
            TRY(find_in(found, dataset->pattern[k]));
    }
    if (found->n == 0)
        return nothing_found(dataset, data_folder);
    REFUSE_IF(found->n > MAX_FRAMES, "input %s: %zu files in %s, at most %d can be taken",
              dataset->name, found->n, found->root, MAX_FRAMES);
    REFUSE_IF((size_t)dataset->n_frames > found->n,
              "input %s: expected %d files in %s, found %zu", dataset->name, dataset->n_frames,
              found->root, found->n);
    return BENCH_OK;
}

/* "aachen/aachen_000000_000019_disparity.png" -> the same without its ending, cut to fit. */
static void name_plane(struct plane *plane, const char *path)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    const size_t room = sizeof plane->name - 1;
    size_t n =
        dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - path) : strlen(path);

    if (n > room) { /* the end tells frames apart better than the beginning */
        path += n - room;
        n = room;
    }
    snprintf(plane->name, sizeof plane->name, "%.*s", (int)n, path);
}

static enum bench_status read_plane(const struct dataset *dataset, const char *path,
                                    struct plane *plane)
{
    struct disparity_coding coding = dataset->coding;
    OWNED(image_free) struct image image = {0};

    if (dataset->kind == DATASET_PAIRS)
        return views_read(path, 0, plane);
    coding.fx_px = dataset->camera.fx_px;
    coding.baseline_m = dataset->camera.baseline_m;
    TRY(image_read(path, coding.max_m > 0 ? IMAGE_COLOURS : IMAGE_GREY, &image));
    if (dataset->coding_name[0])
        TRY(coding_check_type(coding_find(dataset->coding_name, path), image.type, path));
    TRY(image_to_disparity(&image, &coding, plane));
    return coding_check_lost(&plane->values, path);
}

/* ---- companions ---- */

/* The first folder of each companion that is there. */
static enum bench_status find_companions(const struct dataset *dataset, const char *data_folder,
                                         struct found *found)
{
    for (int i = 0; i < DATASET_N_COMPANIONS; i++) {
        const struct companion *companion = &dataset->companion[i];
        char **folder = &found->companion[i];

        if (companion->pattern[0] == '\0')
            continue;
        if (companion->folder[0][0] == '\0')
            TRY(join(data_folder, found->folder, folder));
        for (int k = 0; k < DATASET_MAX_FOLDERS && companion->folder[k][0] && *folder == NULL;
             k++) {
            TRY(join(data_folder, companion->folder[k], folder));
            if (!has_mode(*folder, S_IFDIR)) {
                free(*folder);
                *folder = NULL;
            }
        }
    }
    return BENCH_OK;
}

/*
 * Add 'companion', each star replaced by what the same star of 'pattern' stands for in 'name'.
 * The name matches the pattern, which has no other wildcard.  A star takes as little as it can,
 * but for the last, which goes on to where the rest of the pattern ends the name.  None takes a
 * '/': pattern and name have equally many, and the piece of the pattern with the next one is
 * found at the first place where it can be.
 */
static void expand_stars(struct text *text, const char *companion, const char *pattern,
                         const char *name)
{
    const char *star = strchrnul(pattern, '*');

    name += star - pattern;
    for (; *companion != '\0'; companion++) {
        const char *piece = star + 1, *stop;
        size_t n_piece;

        if (*companion != '*' || *star != '*') { /* check_companion() saw to the second */
            text_bytes(text, companion, 1);
            continue;
        }
        n_piece = strcspn(piece, "*");
        star = piece + n_piece;
        stop = *star == '\0' ? name + strlen(name) - n_piece
                             : memmem(name, strlen(name), piece, n_piece);
        assert(stop != NULL && stop >= name);
        text_bytes(text, name, (size_t)(stop - name));
        name = stop + n_piece;
    }
}

/* The path of a frame's companion, which the caller frees. */
static enum bench_status name_companion(const struct dataset *dataset,
                                        const struct found *found, int which, const char *name,
                                        struct text *path)
{
    size_t n_folder;

    text_format(path, "%s/", found->companion[which]);
    n_folder = path->size;
    expand_stars(path, dataset->companion[which].pattern, found->pattern, name);
    TRY(text_ok(path));
    REFUSE_IF(!keys_is_safe_path(path->data + n_folder) || !has_mode(path->data, S_IFREG),
              "input %s: the frame %s has no %s: expected a file %s", dataset->name, name,
              companion_name[which], path->data);
    return BENCH_OK;
}

static enum bench_status read_truth(const struct dataset *dataset, const char *path,
                                    struct plane *plane)
{
    const struct disparity_coding coding = {.scale = dataset->truth_scale,
                                            .zero_is_invalid = 1};
    OWNED(image_free) struct image image = {0};
    struct plane truth = {0};

    TRY(image_read(path, IMAGE_GREY, &image));
    REFUSE_IF(image.width != plane->width || image.height != plane->height,
              "%s: %d x %d pixels, expected %d x %d as in its frame", path, image.width,
              image.height, plane->width, plane->height);
    TRY(image_to_disparity(&image, &coding, &truth));
    plane->truth = truth.disparity;
    return coding_check_lost(&truth.values, path);
}

static enum bench_status read_companion(const struct dataset *dataset, int which,
                                        const char *path, struct plane *plane)
{
    switch (which) {
    case DATASET_PROBABILITY:
        return npy_read_probability(path, plane->width, plane->height, &plane->probability,
                                    &plane->n_classes);
    case DATASET_RIGHT:
        return views_read(path, 1, plane);
    case DATASET_LABELS:
        return semantic_read_labels(path, plane->width, plane->height, dataset->labels_coding,
                                    &plane->truth_class);
    case DATASET_CONFIDENCE:
        return image_read_u8(path, "pixels", plane->width, plane->height, &plane->confidence);
    default:
        return read_truth(dataset, path, plane);
    }
}

/* ---- frames ---- */

static enum bench_status load_frame(const struct dataset *dataset, const struct found *found,
                                    const char *path, struct plane *plane)
{
    const char *name = name_in(found, path);

    TRY(read_plane(dataset, path, plane));
    plane->camera = dataset->camera;
    if (plane->disparity && dataset->coding.max_m <= 0 && dataset->coding.offset == 0)
        plane->grey_per_px = dataset->coding.scale;
    name_plane(plane, name);
    for (int i = 0; i < DATASET_N_COMPANIONS; i++) {
        OWNED(text_free) struct text companion = {0};

        if (found->companion[i] == NULL)
            continue;
        TRY(name_companion(dataset, found, i, name, &companion));
        TRY(read_companion(dataset, i, companion.data, plane));
    }
    return BENCH_OK;
}

/* Finds the frames and their companions; nothing, where they are made. */
static enum bench_status look_up(const struct dataset *dataset, const char *data_folder,
                                 struct found *found)
{
    const char *const folder = data_folder != NULL && data_folder[0] ? data_folder : "data";

    if (!has_files(dataset))
        return BENCH_OK;
    TRY(find_files(dataset, folder, found));
    return find_companions(dataset, folder, found);
}

static enum bench_status load_files(const struct dataset *dataset, const struct found *found,
                                    int first, int n, struct plane *planes)
{
    REFUSE_IF((size_t)first + (size_t)n > found->n,
              "input %s: frames %d to %d of %zu are asked for", dataset->name, first + 1,
              first + n, found->n);
    for (int i = 0; i < n; i++)
        TRY(load_frame(dataset, found, found->path[first + i], &planes[i]));
    return BENCH_OK;
}

static enum bench_status make_frames(const struct dataset *dataset, int noise_width,
                                     int noise_height, int first, int n, struct plane *planes)
{
    struct scene_options options = dataset->scene;

    options.seed += (uint64_t)first;
    for (int i = 0; i < n; i++, options.seed++) {
        if (dataset->kind == DATASET_NOISE)
            TRY(noise_make(noise_width, noise_height, options.seed, dataset->most_px,
                           &planes[i]));
        else
            TRY(scene_make(&options, &planes[i]));
        if (dataset->has_views)
            TRY(views_draw(options.seed, &planes[i]));
    }
    return BENCH_OK;
}

enum bench_status dataset_find(const struct dataset *dataset, const char *data_folder,
                               size_t *n_files)
{
    OWNED(free_found) struct found found = {0};
    const enum bench_status status = look_up(dataset, data_folder, &found);

    *n_files = found.n;
    return status;
}

enum bench_status dataset_count(const struct dataset *dataset, const char *data_folder,
                                int *n_frames)
{
    size_t n_files;

    *n_frames = 0;
    TRY(dataset_find(dataset, data_folder, &n_files));
    *n_frames = dataset->n_frames > 0 ? dataset->n_frames : (int)n_files;
    return BENCH_OK;
}

/* A frame's name, and how large its files are. */
static enum bench_status hash_frame(const struct dataset *dataset, const struct found *found,
                                    const char *path, uint64_t *hash)
{
    const char *const name = name_in(found, path);
    int64_t size[1 + DATASET_N_COMPANIONS] = {0}; /* 0: it is not known */
    struct stat facts;

    FAIL_IF(stat(path, &facts) != 0, BENCH_EIO, "%s: cannot be read: %s", path,
            strerror(errno));
    size[0] = facts.st_size;
    for (int i = 0; i < DATASET_N_COMPANIONS; i++) {
        OWNED(text_free) struct text companion = {0};

        if (!found->companion[i])
            continue;
        TRY(name_companion(dataset, found, i, name, &companion));
        if (stat(companion.data, &facts) == 0)
            size[1 + i] = facts.st_size;
    }
    *hash = XXH64(size, sizeof size, XXH64(name, strlen(name), *hash));
    return BENCH_OK;
}

enum bench_status dataset_hash(const struct dataset *dataset, const char *data_folder, int n,
                               uint64_t *hash)
{
    OWNED(free_found) struct found found = {0};

    *hash = XXH64(dataset, sizeof *dataset, (uint64_t)n); /* it was zeroed before it was read */
    TRY(look_up(dataset, data_folder, &found));
    for (int i = 0; i < n && (size_t)i < found.n; i++)
        TRY(hash_frame(dataset, &found, found.path[i], hash));
    return BENCH_OK;
}

enum bench_status dataset_load(const struct dataset *dataset, const char *data_folder,
                               int noise_width, int noise_height, int first, int n,
                               struct plane **planes)
{
    OWNED(free_found) struct found found = {0};
    enum bench_status status;

    *planes = NULL;
    TRY(memory_allocate(planes, sizeof **planes, 1, 1, 1, n));
    status = look_up(dataset, data_folder, &found);
    if (!status)
        status = has_files(dataset)
                     ? load_files(dataset, &found, first, n, *planes)
                     : make_frames(dataset, noise_width, noise_height, first, n, *planes);
    for (int i = 0; i < n; i++)
        (*planes)[i].threshold = dataset->threshold;
    if (status != BENCH_OK) {
        planes_free(*planes, n);
        *planes = NULL;
    }
    return status;
}

void planes_free(struct plane *planes, int n_planes)
{
    for (int i = 0; i < n_planes; i++)
        plane_free(&planes[i]);
    free(planes);
}
