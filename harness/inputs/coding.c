/*
 * coding.c - the codings of disparity maps by name, and values into disparities
 *
 * Sources: the read-me files of the KITTI 2012 and 2015 devkits and of cityscapesScripts;
 * OpenCV's StereoMatcher (DISP_SHIFT 4, invalid: 16 (minDisparity - 1)); libSGM's INVALID_DISP;
 * VPI's "Stereo Disparity Estimator" (Q10.5); Luxonis' "StereoDepth"; zed-sdk issue 270.
 */
#include "harness/inputs/coding.h"

#include "harness/base/memory.h"
#include "harness/base/nearest.h"

#include <assert.h>
#include <math.h>

#define INTEGERS (1u << IMAGE_U8 | 1u << IMAGE_U16)
#define WIDE     (1u << IMAGE_U16)
#define FLOATS   (1u << IMAGE_F32)

/* scale, offset, zero_is_invalid, max_is_invalid, is_signed; of no depth */
#define VALUES(...)          \
    {                        \
        __VA_ARGS__, 0, 0, 0 \
    }

const struct value_coding value_codings[] = {
    {"px", "Middlebury, ETH3D (PFM); maps of whole px", INTEGERS | FLOATS,
     VALUES(1, 0, 1, 0, 0)},
    {"kitti", "KITTI 2012 and 2015, DrivingStereo", WIDE, VALUES(256, 0, 1, 0, 0)},
    {"cityscapes", "Cityscapes", WIDE, VALUES(256, 1, 1, 0, 0)},
    {"sgm16", "OpenCV StereoSGBM, StereoBM; libSGM's sub-pixels", WIDE, VALUES(16, 0, 0, 0, 1)},
    {"vpi", "NVIDIA VPI, Q10.5", WIDE, VALUES(32, 0, 0, 0, 1)},
    {"depthai", "Luxonis DepthAI, sub-pixels of 3 bits", WIDE, VALUES(8, 0, 1, 0, 0)},
    {"zed", "Stereolabs ZED, MEASURE::DISPARITY", FLOATS, VALUES(-1, 0, 0, 0, 0)},
    {NULL, NULL, 0, VALUES(0, 0, 0, 0, 0)},
};

void coding_describe(const struct value_coding *c, struct text *text)
{
    char value[32] = "p", scale[32] = "";

    if (c->values.offset != 0)
        snprintf(value, sizeof value, "(p - %g)", c->values.offset);
    if (c->values.scale > 1)
        snprintf(scale, sizeof scale, " / %g", c->values.scale);
    text_format(text, "%s%s%s; not measured: %s; %s", c->values.scale < 0 ? "-" : "", value,
                scale,
                c->values.is_signed  ? "below 0 in two's complement, as 65520"
                : c->types == FLOATS ? "NaN, infinity"
                : c->types & FLOATS  ? "0 of whole numbers"
                                     : "0",
                c->source);
}

const struct value_coding *coding_find(const char *name, const char *where)
{
    struct nearest near = nearest_to(name);
    char names[128] = "";

    for (const struct value_coding *c = value_codings; c->name; c++) {
        if (!strcmp(c->name, name))
            return c;
        nearest_offer(&near, c->name);
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                 c == value_codings ? ""
                 : c[1].name        ? ", "
                                    : " or ",
                 c->name);
    }
    (void)BENCH_FAIL(BENCH_EINPUT, "%s: expected %s, found '%s'%s", where, names, name,
                     nearest_text(&near));
    return NULL;
}

enum bench_status coding_check_type(const struct value_coding *coding, enum image_type type,
                                    const char *name)
{
    static const char *const words[] = {"8 bits", "16 bits", "floats", "depth in 24 bits"};

    if (coding->types & 1u << type)
        return BENCH_OK;
    return BENCH_FAIL(BENCH_EINPUT, "%s: the coding %s has %s, found values of %s", name,
                      coding->name,
                      coding->types == WIDE     ? words[IMAGE_U16]
                      : coding->types == FLOATS ? words[IMAGE_F32]
                                                : "whole numbers or floats",
                      words[type]);
}

/* ---- values ---- */

/* A value is one of these, beside its 16 bits of disparity. */
enum fate { KEPT, NONE, CLAMPED, NEGATIVE, NAN_VALUE, INFINITE_VALUE, N_FATES };
#define WITH(fate, disparity) ((uint32_t)(fate) << 16 | (uint32_t)(disparity))

/* One value as 1/256 px, rounded to nearest, half up. */
static uint32_t encode_value(double value, const struct disparity_coding *coding)
{
    /* the product is exact for integer images, so a scale of 256 maps 1 : 1 */
    const double units = (value - coding->offset) * DISPARITY_SCALE / coding->scale;

    if (!isfinite(value))
        return WITH(isnan(value) ? NAN_VALUE : INFINITE_VALUE, DISPARITY_INVALID);
    if (units < 0)
        return WITH(NEGATIVE, DISPARITY_INVALID);
    return floor(units + 0.5) > DISPARITY_MAX ? WITH(CLAMPED, DISPARITY_MAX)
                                              : WITH(KEPT, floor(units + 0.5));
}

/* table[value]: what each value of an integer type becomes. */
static void fill_table(const struct disparity_coding *coding, uint32_t n_values,
                       uint32_t *table)
{
    for (uint32_t value = 0; value < n_values; value++)
        table[value] = coding->is_signed && value > INT16_MAX
                           ? WITH(NONE, DISPARITY_INVALID)
                           : encode_value((double)value, coding);
    if (coding->zero_is_invalid && n_values > 0)
        table[0] = WITH(NONE, DISPARITY_INVALID);
    if (coding->max_is_invalid && n_values > 0)
        table[n_values - 1] = WITH(NONE, DISPARITY_INVALID);
}

/* The values that other coders may have for no measurement: the only one below zero, and the
 * only one in the upper half of an integer type's range, twice as large as all others. */
struct marks {
    double below, above, largest; /* of those that are not 'above' */
    int n_below, n_above;         /* 0, 1, 2: several */
};

static void look_for_marks(struct marks *m, double value, uint32_t fate, double half)
{
    if (fate == NEGATIVE && (m->n_below == 0 || value != m->below)) {
        m->n_below++;
        m->below = value;
    } else if (fate == KEPT || fate == CLAMPED) {
        if (value < half)
            m->largest = value > m->largest ? value : m->largest;
        else if (m->n_above == 0 || value != m->above) {
            m->n_above += m->n_above < 2;
            m->above = value;
        }
    }
}

enum bench_status coding_decode(enum image_type type, const void *values, size_t n,
                                const struct disparity_coding *coding, uint16_t *disparity,
                                struct counted_values *counted)
{
    static const struct disparity_coding pixels = {.scale = 1};
    /* of the depth 1: one division is left for each pixel, and none of a depth in metres */
    const double nearest_px = coding->fx_px * coding->baseline_m * DEPTH24_MAX / coding->max_m;
    const uint32_t n_values = type == IMAGE_U8 ? 256 : type == IMAGE_U16 ? 65536 : 0;
    const double half = n_values > 0 ? (double)(n_values >> 1) : (double)INFINITY;
    struct marks marks = {0};
    size_t n_of[N_FATES] = {0}, n_above = 0;
    OWNED(memory_free) uint32_t *table = NULL;

    assert(type == IMAGE_DEPTH24 ? nearest_px > 0 : coding->scale != 0);
    TRY(memory_allocate(&table, sizeof *table, (int)n_values + 1, 1, 1, 1));
    fill_table(coding, n_values, table);
    for (size_t i = 0; i < n; i++) {
        double value;
        uint32_t code;

        if (type == IMAGE_U8 || type == IMAGE_U16) {
            const uint32_t p =
                type == IMAGE_U8 ? ((const uint8_t *)values)[i] : ((const uint16_t *)values)[i];
            value = p;
            code = table[p];
        } else if (type == IMAGE_F32) {
            value = (double)((const float *)values)[i];
            code = encode_value(value, coding);
        } else {
            value = ((const uint32_t *)values)[i];
            code = value > 0 ? encode_value(nearest_px / value, &pixels)
                             : WITH(NONE, DISPARITY_INVALID);
        }
        disparity[i] = (uint16_t)code;
        n_of[code >> 16]++;
        look_for_marks(&marks, value, code >> 16, half);
        n_above += value >= half && disparity[i] != DISPARITY_INVALID;
    }
    *counted = (struct counted_values){.n = n,
                                       .n_kept = n_of[KEPT],
                                       .n_clamped = n_of[CLAMPED],
                                       .n_negative = n_of[NEGATIVE],
                                       .n_nan = n_of[NAN_VALUE],
                                       .n_infinite = n_of[INFINITE_VALUE]};
    if (marks.n_below == 1)
        counted->n_below_alone = n_of[NEGATIVE];
    if (marks.n_above == 1 && marks.largest > 0 && marks.above >= 2 * marks.largest) {
        counted->n_alone = n_above;
        counted->alone = (uint32_t)marks.above;
    }
    return BENCH_OK;
}

/* ---- what is said of them ---- */

#define MOST_PX ((double)DISPARITY_MAX / DISPARITY_SCALE)

void coding_add(struct counted_values *sum, const struct counted_values *c)
{
    sum->n += c->n;
    sum->n_kept += c->n_kept;
    sum->n_clamped += c->n_clamped;
    sum->n_negative += c->n_negative;
    sum->n_nan += c->n_nan;
    sum->n_infinite += c->n_infinite;
    sum->n_surplus += c->n_surplus;
    if (sum->n_alone == 0)
        sum->alone = c->alone;
    sum->n_alone += c->alone == sum->alone ? c->n_alone : 0;
}

void coding_tell(const struct counted_values *c, struct text *text)
{
    const struct {
        size_t n;
        const char *words;
    } out[] = {{c->n_nan, "NaN"}, {c->n_infinite, "infinite"}, {c->n_negative, "negative"}};

    for (int i = 0; i < 3; i++)
        if (out[i].n > 0)
            text_format(text, "%s%zu %s", text->size ? ", " : "left out: ", out[i].n,
                        out[i].words);
    if (text->size > 0)
        text_format(text, " of %zu values", c->n);
    if (c->n_clamped > 0)
        text_format(text, "%s%zu of %zu values were above %.2f px and were taken as that",
                    text->size ? "; " : "", c->n_clamped, c->n, MOST_PX);
    if (c->n_alone > 0)
        text_format(text,
                    "%s%zu of %zu values are %u, far above all others: if that is no "
                    "measurement, %s leaves it out",
                    text->size ? "; " : "", c->n_alone, c->n, c->alone,
                    c->alone == UINT8_MAX || c->alone == UINT16_MAX ? "-S invalid=zero-max"
                    : c->alone > INT16_MAX                          ? "--coding sgm16"
                                                                    : "another --coding");
    if (c->n_surplus > 0)
        text_format(text, "%s%zu bytes behind the image were left out", text->size ? "; " : "",
                    c->n_surplus);
    if (c->n > 0 && c->n_kept + c->n_clamped == 0)
        text_format(text, "%sno pixel is measured", text->size ? "; " : "");
}

enum bench_status coding_check_lost(const struct counted_values *c, const char *name)
{
    OWNED(text_free) struct text text = {0};

    if (c->n_negative - c->n_below_alone + c->n_clamped <= c->n_kept)
        return BENCH_OK;
    coding_tell(c, &text);
    TRY(text_ok(&text));
    return BENCH_FAIL(BENCH_EINPUT,
                      "%s: most values are lost, expected less than half: %s: is this depth, "
                      "or has it another --coding or --disparity-scale?",
                      name, text.data);
}
