/*
 * camera.c - read a camera from an own .ini, KITTI's calib.txt or Cityscapes' JSON
 */
#include "harness/inputs/camera.h"

#include "harness/base/file.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/inputs/keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if HAVE_JANSSON
#include <jansson.h>
#endif

#define MAX_BYTES (1 << 20) /* far above any calibration file */
#define BLANKS    " \t\r"

/* ---- what a number may be ---- */

enum number { FX, FY, CX, CY, BASELINE, HEIGHT, PITCH, N_NUMBERS };

static const struct key numbers[N_NUMBERS] = {CAMERA_KEYS(0, 0)};

static int is_in_range(enum number number, double value)
{
    return value >= numbers[number].min && value <= numbers[number].max;
}

static void set_number(struct camera *camera, enum number number, double value)
{
    memcpy((char *)camera + numbers[number].offset, &value, sizeof value);
}

/* ---- our own .ini ---- */

static enum bench_status parse_ini(const char *text, size_t n_bytes, const char *path,
                                   struct camera *camera)
{
    OWNED(ini_free) struct ini_file ini = {0};

    TRY(ini_parse_text(text, n_bytes, path, &ini));
    REFUSE_IF(ini.n_facts == 0, "%s: no key of a camera in it", path);
    return keys_read(&ini, numbers, N_NUMBERS, 0, "a camera", camera);
}

/* ---- KITTI's calib.txt ---- */

/* The projection of a rectified camera, 3 x 4. */
struct matrix {
    double at[12];
    int line; /* 0: not in the file */
};

static const char *const prefix[2] = {"P", "P_rect_0"}; /* "P2:", "P_rect_02:" */

/* The matrix that a line with this first word has; NULL: none. */
static struct matrix *matrix_of(const char *word, struct matrix matrix[2][4])
{
    for (int is_long = 0; is_long <= 1; is_long++) {
        const size_t n = strlen(prefix[is_long]);

        if (strncmp(word, prefix[is_long], n) == 0 && word[n] >= '0' && word[n] <= '3' &&
            strcmp(word + n + 1, ":") == 0)
            return &matrix[is_long][word[n] - '0'];
    }
    return NULL;
}

/* 'words' is what strtok_r() has left of the line. */
static enum bench_status read_matrix(char *words, const char *path, int line,
                                     struct matrix *matrix)
{
    const char *word;
    size_t n = 0;

    REFUSE_IF(matrix->line != 0, "%s:%d: the same matrix as in line %d again", path, line,
              matrix->line);
    for (; (word = strtok_r(NULL, BLANKS, &words)) != NULL; n++)
        REFUSE_IF(n < 12 && !text_to_number(word, &matrix->at[n]),
                  "%s:%d: expected a number, found '%s'", path, line, word);
    REFUSE_IF(n != 12, "%s:%d: expected the 12 numbers of a 3 x 4 matrix, found %zu", path,
              line, n);
    matrix->line = line;
    return BENCH_OK;
}

/* Both matrices of a rectified pair differ in nothing but what the baseline makes. */
static enum bench_status use_pair(const struct matrix *left, const struct matrix *right,
                                  const char *path, struct camera *camera)
{
    static const struct {
        int at;
        enum number number;
    } parts[] = {{0, FX}, {5, FY}, {2, CX}, {6, CY}};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const enum number number = parts[i].number;
        const double value = left->at[parts[i].at];

        REFUSE_IF(!is_in_range(number, value) || (number <= FY && value <= 0),
                  "%s:%d: %s is %g px, expected a camera's", path, left->line,
                  numbers[number].name, value);
        if (!(fabs(value - right->at[parts[i].at]) <= 0.01)) /* px */
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s:%d: no rectified pair: %s is %g px in line %d, %g px here",
                              path, right->line, numbers[number].name, value, left->line,
                              right->at[parts[i].at]);
        set_number(camera, number, value);
    }

    const double baseline_m = (left->at[3] - right->at[3]) / left->at[0];

    REFUSE_IF(!is_in_range(BASELINE, baseline_m) || baseline_m <= 0,
              "%s:%d: the fourth numbers give a baseline of %g m, expected one above zero",
              path, right->line, baseline_m);
    camera->baseline_m = baseline_m;
    return BENCH_OK;
}

/* The first pair of these that is there. */
static enum bench_status find_pair(struct matrix matrix[2][4], const char *path,
                                   struct camera *camera)
{
    for (int i = 0; i < 4; i++) { /* colour before grey, short names before long ones */
        const int left = i < 2 ? 2 : 0;
        const struct matrix *pair = &matrix[i % 2][left];

        if (pair[0].line != 0 && pair[1].line != 0)
            return use_pair(&pair[0], &pair[1], path, camera);
        REFUSE_IF(pair[0].line != 0 || pair[1].line != 0,
                  "%s:%d: only one camera of a pair, expected both %s%d and %s%d", path,
                  pair[0].line + pair[1].line, prefix[i % 2], left, prefix[i % 2], left + 1);
    }
    return BENCH_FAIL(BENCH_EINPUT,
                      "%s: no KITTI calibration: expected lines P2: and P3: (or P_rect_02: and "
                      "P_rect_03:, or of 0 and 1)",
                      path);
}

/* 'text' is cut up. */
static enum bench_status parse_lines(char *text, const char *path, struct camera *camera)
{
    struct matrix matrix[2][4] = {{{{0}, 0}}}; /* [is_long][camera] */

    for (int line = 1; text != NULL; line++) {
        char *words;
        const char *word = strtok_r(strsep(&text, "\n"), BLANKS, &words);
        struct matrix *found = word != NULL ? matrix_of(word, matrix) : NULL;

        if (found != NULL)
            TRY(read_matrix(words, path, line, found));
    }
    return find_pair(matrix, path, camera);
}

static enum bench_status parse_calib(const char *text, size_t n_bytes, const char *path,
                                     struct camera *camera)
{
    OWNED(memory_free) char *copy = NULL;

    REFUSE_IF(memchr(text, '\0', n_bytes) != NULL, "%s: not a text file", path);
    TRY(memory_allocate(&copy, 1, 1, 1, 1, (int)n_bytes + 1));
    memcpy(copy, text, n_bytes);
    return parse_lines(copy, path, camera);
}

/* ---- Cityscapes' JSON ---- */

#if HAVE_JANSSON

static enum bench_status read_json(const json_t *root, const char *path, struct camera *camera)
{
    static const char *const places[N_NUMBERS][2] = {
        [FX] = {"intrinsic", "fx"},
        [FY] = {"intrinsic", "fy"},
        [CX] = {"intrinsic", "u0"},
        [CY] = {"intrinsic", "v0"},
        [BASELINE] = {"extrinsic", "baseline"},
        [HEIGHT] = {"extrinsic", "z"},
        [PITCH] = {"extrinsic", "pitch"},
    };

    for (int i = 0; i < N_NUMBERS; i++) {
        const char *const *place = places[i];
        const json_t *value = json_object_get(json_object_get(root, place[0]), place[1]);
        const double number = json_number_value(value);

        REFUSE_IF(!json_is_number(value), "%s: %s at %s.%s, expected a number", path,
                  value == NULL ? "nothing" : "no number", place[0], place[1]);
        REFUSE_IF(!is_in_range((enum number)i, number), "%s: %s.%s is %g, expected %g..%g",
                  path, place[0], place[1], number, numbers[i].min, numbers[i].max);
        set_number(camera, (enum number)i, number);
    }
    return BENCH_OK;
}

#endif

static enum bench_status parse_json(const char *text, size_t n_bytes, const char *path,
                                    struct camera *camera)
{
#if HAVE_JANSSON
    json_error_t error;
    json_t *root = json_loadb(text, n_bytes, JSON_REJECT_DUPLICATES, &error);
    enum bench_status status;

    REFUSE_IF(root == NULL, "%s:%d: no JSON: %s", path, error.line < 1 ? 1 : error.line,
              error.text);
    status = read_json(root, path, camera);
    json_decref(root);
    return status;
#else
    (void)text, (void)n_bytes, (void)camera;
    return BENCH_FAIL(BENCH_EENV,
                      "%s: this program was built without jansson and reads no JSON: install "
                      "libjansson-dev and build it again",
                      path);
#endif
}

/* ---- any kind ---- */

static enum bench_status parse_any(const char *text, size_t n_bytes, const char *path,
                                   struct camera *camera)
{
    static const struct {
        const char *ending;
        enum bench_status (*parse)(const char *text, size_t n_bytes, const char *path,
                                   struct camera *camera);
    } kinds[] = {{".ini", parse_ini}, {".txt", parse_calib}, {".json", parse_json}};
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash == NULL ? path : slash, '.');

    REFUSE_IF(n_bytes > MAX_BYTES, "%s: %zu bytes are more than any camera file has", path,
              n_bytes);
    for (size_t i = 0; dot != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(dot, kinds[i].ending) == 0)
            return kinds[i].parse(text, n_bytes, path, camera);
    return BENCH_FAIL(BENCH_EINPUT,
                      "%s: a camera is a file .ini (our own), .txt (KITTI's calibration) or "
                      ".json (Cityscapes)",
                      path);
}

enum bench_status camera_parse(const char *text, size_t n_bytes, const char *path,
                               struct camera *camera)
{
    struct camera found = {0};

    memset(camera, 0, sizeof *camera);
    TRY(parse_any(text, n_bytes, path, &found));
    *camera = found;
    return BENCH_OK;
}

enum bench_status camera_read(const char *path, struct camera *camera)
{
    OWNED(memory_free) uint8_t *bytes = NULL;
    size_t n_bytes;

    memset(camera, 0, sizeof *camera);
    TRY(file_read(path, MAX_BYTES, "camera file", &bytes, &n_bytes));
    return camera_parse((const char *)bytes, n_bytes, path, camera);
}

/* ---- what a camera is good for ---- */

enum bench_status camera_check_stereo(const struct camera *camera, const char *name)
{
    static const enum number lengths[] = {FX, FY, BASELINE, HEIGHT};

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const struct key *key = &numbers[lengths[i]];
        double value;

        memcpy(&value, (const char *)camera + key->offset, sizeof value);
        REFUSE_IF(!isfinite(value) || value < 0 || (value == 0 && lengths[i] != FY),
                  "%s: the camera's %s is %s (%g), expected it above zero: the road's "
                  "disparity needs fx, baseline_m and height_m",
                  name, key->name, value == 0 ? "not known" : "impossible", value);
    }
    REFUSE_IF(!isfinite(camera->cx_px) || !isfinite(camera->cy_px),
              "%s: the camera's cx, cy are %g, %g, expected numbers", name, camera->cx_px,
              camera->cy_px);
    REFUSE_IF(!is_in_range(PITCH, camera->pitch_rad),
              "%s: the camera's pitch_rad is %g, expected %g..%g", name, camera->pitch_rad,
              numbers[PITCH].min, numbers[PITCH].max);
    return BENCH_OK;
}
