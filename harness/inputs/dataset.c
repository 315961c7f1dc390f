/*
 * dataset.c - find the files of a named input, make its frames
 */
#include "harness/inputs/dataset_private.h"

#include "harness/base/text.h"
#include "harness/inputs/npy.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    if (!dataset_is_safe_path(text.data + n_folder) || stat(text.data, &facts) != 0 ||
        !S_ISREG(facts.st_mode))
        return BENCH_FAIL(BENCH_EINPUT, "input %s: the frame %s has no %s: expected a file %s",
                          dataset->name, name, dataset_companion_name[which], text.data);
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
