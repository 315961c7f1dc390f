/*
 * camera.c - read a camera from an own .ini, KITTI's calib.txt or Cityscapes' JSON
 */
#include "harness/inputs/camera.h"

#include "harness/base/ini.h"
#include "harness/base/params.h"
#include "harness/base/text.h"
#include "harness/base/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if HAVE_JANSSON
#include <jansson.h>
#endif

#define MAX_BYTES (1 << 20) /* far above any calibration file */

/* ---- what a number may be ---- */

enum number { FX, FY, CX, CY, BASELINE, HEIGHT, PITCH, N_NUMBERS };

static const struct {
    const char *key;  /* in our .ini */
    const char *path; /* in Cityscapes' JSON */
    size_t offset;    /* in struct camera */
    double min, max;  /* as in a descriptor of an input */
} numbers[N_NUMBERS] = {
    [FX] = {"fx", "intrinsic.fx", offsetof(struct camera, fx_px), 0, 1e6},
    [FY] = {"fy", "intrinsic.fy", offsetof(struct camera, fy_px), 0, 1e6},
    [CX] = {"cx", "intrinsic.u0", offsetof(struct camera, cx_px), -1e6, 1e6},
    [CY] = {"cy", "intrinsic.v0", offsetof(struct camera, cy_px), -1e6, 1e6},
    [BASELINE] = {"baseline_m", "extrinsic.baseline", offsetof(struct camera, baseline_m), 0,
                  1e3},
    [HEIGHT] = {"height_m", "extrinsic.z", offsetof(struct camera, height_m), 0, 1e3},
    [PITCH] = {"pitch_rad", "extrinsic.pitch", offsetof(struct camera, pitch_rad), -1.5, 1.5},
};

static int is_in_range(enum number number, double value)
{
    return value >= numbers[number].min && value <= numbers[number].max;
}

static void set_number(struct camera *camera, enum number number, double value)
{
    memcpy((char *)camera + numbers[number].offset, &value, sizeof value);
}

/* ---- our own .ini ---- */

static enum bench_status unknown_key(const struct ini_file *ini, const struct ini_fact *fact)
{
    struct bench_key keys[N_NUMBERS + 1] = {{0}};
    const struct bench_key *const lists[] = {keys, NULL};

    for (int i = 0; i < N_NUMBERS; i++)
        keys[i].name = numbers[i].key;

    const char *nearest = bench_nearest_key(lists, fact->key);

    if (nearest != NULL)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: unknown key '%s'; did you mean '%s'?",
                          ini->path, fact->line, fact->key, nearest);
    return BENCH_FAIL(BENCH_EINPUT,
                      "%s:%d: unknown key '%s', expected fx, fy, cx, cy, baseline_m, height_m "
                      "or pitch_rad",
                      ini->path, fact->line, fact->key);
}

static enum bench_status read_fact(const struct ini_file *ini, const struct ini_fact *fact,
                                   struct camera *camera)
{
    double value = 0;

    if (fact->section[0] != '\0')
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: a camera has no sections, found [%s]",
                          ini->path, fact->line, fact->section);
    for (int i = 0; i < N_NUMBERS; i++) {
        if (strcmp(fact->key, numbers[i].key) != 0)
            continue;
        if (!text_to_number(fact->value, &value) || !is_in_range((enum number)i, value))
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s = %s: expected a number of %g..%g",
                              ini->path, fact->line, fact->key, fact->value, numbers[i].min,
                              numbers[i].max);
        set_number(camera, (enum number)i, value);
        return BENCH_OK;
    }
    return unknown_key(ini, fact);
}

static enum bench_status parse_ini(const char *text, size_t n_bytes, const char *path,
                                   struct camera *camera)
{
    struct ini_file ini;
    enum bench_status status = BENCH_OK;

    TRY(ini_parse_text(text, n_bytes, path, &ini));
    for (int i = 0; i < ini.n_facts && status == BENCH_OK; i++)
        status = read_fact(&ini, &ini.fact[i], camera);
    if (status == BENCH_OK && ini.n_facts == 0)
        status = BENCH_FAIL(BENCH_EINPUT, "%s: no key of a camera in it", path);
    ini_free(&ini);
    return status;
}

/* ---- KITTI's calib.txt ---- */

/* The projection of a rectified camera, 3 x 4. */
struct matrix {
    double at[12];
    int line; /* 0: not in the file */
};

/* Cut the next word off [*from, end); returns its length, 0 at the end of the line. */
static size_t next_word(const char **from, const char *end, const char **word)
{
    while (*from < end && (**from == ' ' || **from == '\t' || **from == '\r'))
        ++*from;
    *word = *from;
    while (*from < end && **from != ' ' && **from != '\t' && **from != '\r')
        ++*from;
    return (size_t)(*from - *word);
}

/* 0..3 for "P2:" and "P_rect_02:" (*is_long), -1 for anything else. */
static int camera_of(const char *word, size_t n, int *is_long)
{
    const int is_short = n == 3 && word[0] == 'P';

    *is_long = n == 10 && memcmp(word, "P_rect_0", 8) == 0;
    if ((!is_short && !*is_long) || word[n - 1] != ':')
        return -1;
    return word[n - 2] >= '0' && word[n - 2] <= '3' ? word[n - 2] - '0' : -1;
}

static enum bench_status read_matrix(const char *from, const char *end, const char *path,
                                     int line, struct matrix *matrix)
{
    const char *word;
    size_t n, n_numbers = 0;

    if (matrix->line != 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: the same matrix as in line %d again", path,
                          line, matrix->line);
    while ((n = next_word(&from, end, &word)) > 0) {
        char number[64];

        if (n >= sizeof number || n_numbers == 12)
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected the 12 numbers of a 3 x 4 matrix",
                              path, line);
        memcpy(number, word, n);
        number[n] = '\0';
        if (!text_to_number(number, &matrix->at[n_numbers++]))
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: expected a number, found '%s'", path, line,
                              number);
    }
    if (n_numbers != 12)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s:%d: expected the 12 numbers of a 3 x 4 matrix, found %zu", path,
                          line, n_numbers);
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

        if (!is_in_range(number, value) || (number <= FY && value <= 0))
            return BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s is %g px, expected a camera's", path,
                              left->line, numbers[number].key, value);
        if (!(fabs(value - right->at[parts[i].at]) <= 0.01)) /* px */
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s:%d: no rectified pair: %s is %g px in line %d, %g px here",
                              path, right->line, numbers[number].key, value, left->line,
                              right->at[parts[i].at]);
        set_number(camera, number, value);
    }

    const double baseline_m = (left->at[3] - right->at[3]) / left->at[0];

    if (!is_in_range(BASELINE, baseline_m) || baseline_m <= 0)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s:%d: the fourth numbers give a baseline of %g m, expected one "
                          "above zero",
                          path, right->line, baseline_m);
    camera->baseline_m = baseline_m;
    return BENCH_OK;
}

static enum bench_status parse_calib(const char *text, size_t n_bytes, const char *path,
                                     struct camera *camera)
{
    struct matrix matrix[2][4] = {{{{0}, 0}}}; /* [is_long][camera] */
    const char *end = text + n_bytes;
    int line = 1;

    if (memchr(text, '\0', n_bytes) != NULL)
        return BENCH_FAIL(BENCH_EINPUT, "%s: not a text file", path);
    for (const char *at = text; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at)), *word;

        if (stop == NULL)
            stop = end;

        const size_t n = next_word(&at, stop, &word);
        int is_long;
        const int number = camera_of(word, n, &is_long);

        if (number >= 0)
            TRY(read_matrix(at, stop, path, line, &matrix[is_long][number]));
        at = stop < end ? stop + 1 : end;
    }
    for (int left = 2; left >= 0; left -= 2)
        for (int is_long = 0; is_long <= 1; is_long++) {
            const struct matrix *pair = &matrix[is_long][left];

            if (pair[0].line != 0 && pair[1].line != 0)
                return use_pair(&pair[0], &pair[1], path, camera);
            if (pair[0].line != 0 || pair[1].line != 0)
                return BENCH_FAIL(BENCH_EINPUT,
                                  "%s:%d: only one camera of a pair, expected both %s%d and "
                                  "%s%d",
                                  path, pair[0].line + pair[1].line, is_long ? "P_rect_0" : "P",
                                  left, is_long ? "P_rect_0" : "P", left + 1);
        }
    return BENCH_FAIL(BENCH_EINPUT,
                      "%s: no KITTI calibration: expected lines P2: and P3: (or P_rect_02: and "
                      "P_rect_03:, or of 0 and 1)",
                      path);
}

/* ---- Cityscapes' JSON ---- */

#if HAVE_JANSSON

static enum bench_status read_json(const json_t *root, const char *path, struct camera *camera)
{
    for (int i = 0; i < N_NUMBERS; i++) {
        const char *dot = strchr(numbers[i].path, '.');
        char object[16];

        snprintf(object, sizeof object, "%.*s", (int)(dot - numbers[i].path), numbers[i].path);

        const json_t *value = json_object_get(json_object_get(root, object), dot + 1);

        if (!json_is_number(value))
            return BENCH_FAIL(BENCH_EINPUT, "%s: %s at %s, expected a number", path,
                              value == NULL ? "nothing" : "no number", numbers[i].path);
        if (!is_in_range((enum number)i, json_number_value(value)))
            return BENCH_FAIL(BENCH_EINPUT, "%s: %s is %g, expected %g..%g", path,
                              numbers[i].path, json_number_value(value), numbers[i].min,
                              numbers[i].max);
        set_number(camera, (enum number)i, json_number_value(value));
    }
    return BENCH_OK;
}

static enum bench_status parse_json(const char *text, size_t n_bytes, const char *path,
                                    struct camera *camera)
{
    json_error_t error;
    json_t *root = json_loadb(text, n_bytes, JSON_REJECT_DUPLICATES, &error);

    if (root == NULL)
        return BENCH_FAIL(BENCH_EINPUT, "%s:%d: no JSON: %s", path,
                          error.line < 1 ? 1 : error.line, error.text);

    const enum bench_status status = read_json(root, path, camera);

    json_decref(root);
    return status;
}

#else

static enum bench_status parse_json(const char *text, size_t n_bytes, const char *path,
                                    struct camera *camera)
{
    (void)text;
    (void)n_bytes;
    (void)camera;
    return BENCH_FAIL(BENCH_EENV,
                      "%s: this program was built without jansson and reads no JSON: install "
                      "libjansson-dev and build it again",
                      path);
}

#endif

/* ---- any kind ---- */

static enum bench_status parse_any(const char *text, size_t n_bytes, const char *path,
                                   struct camera *camera)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash == NULL ? path : slash, '.');

    if (n_bytes > MAX_BYTES)
        return BENCH_FAIL(BENCH_EINPUT, "%s: %zu bytes are more than any camera file has", path,
                          n_bytes);
    if (dot != NULL && strcmp(dot, ".ini") == 0)
        return parse_ini(text, n_bytes, path, camera);
    if (dot != NULL && strcmp(dot, ".txt") == 0)
        return parse_calib(text, n_bytes, path, camera);
    if (dot != NULL && strcmp(dot, ".json") == 0)
        return parse_json(text, n_bytes, path, camera);
    return BENCH_FAIL(BENCH_EINPUT,
                      "%s: a camera is a file .ini (our own), .txt (KITTI's calibration) or "
                      ".json (Cityscapes)",
                      path);
}

enum bench_status camera_parse(const char *text, size_t n_bytes, const char *path,
                               struct camera *camera)
{
    memset(camera, 0, sizeof *camera);

    const enum bench_status status = parse_any(text, n_bytes, path, camera);

    if (status != BENCH_OK)
        memset(camera, 0, sizeof *camera);
    return status;
}

enum bench_status camera_read(const char *path, struct camera *camera)
{
    uint8_t *bytes;
    size_t n_bytes;

    memset(camera, 0, sizeof *camera);
    TRY(file_read(path, MAX_BYTES, "camera file", &bytes, &n_bytes));

    const enum bench_status status = camera_parse((const char *)bytes, n_bytes, path, camera);

    free(bytes);
    return status;
}

/* ---- what a camera is good for ---- */

enum bench_status camera_check_stereo(const struct camera *camera, const char *name)
{
    const struct {
        const char *key;
        double value;
        int may_be_zero;
    } lengths[] = {{"fx", camera->fx_px, 0},
                   {"fy", camera->fy_px, 1},
                   {"baseline_m", camera->baseline_m, 0},
                   {"height_m", camera->height_m, 0}};

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const double value = lengths[i].value;

        if (!isfinite(value) || value < 0 || (value == 0 && !lengths[i].may_be_zero))
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s: the camera's %s is %s (%g), expected it above zero: the "
                              "road's disparity needs fx, baseline_m and height_m",
                              name, lengths[i].key, value == 0 ? "not known" : "impossible",
                              value);
    }
    if (!isfinite(camera->cx_px) || !isfinite(camera->cy_px))
        return BENCH_FAIL(BENCH_EINPUT, "%s: the camera's cx, cy are %g, %g, expected numbers",
                          name, camera->cx_px, camera->cy_px);
    if (!is_in_range(PITCH, camera->pitch_rad))
        return BENCH_FAIL(BENCH_EINPUT, "%s: the camera's pitch_rad is %g, expected %g..%g",
                          name, camera->pitch_rad, numbers[PITCH].min, numbers[PITCH].max);
    return BENCH_OK;
}
