/*
 * npy.c - read class probabilities from a NumPy file
 *
 * Source: NumPy Enhancement Proposal 1.  The header is the text of a Python dictionary; the parser here
 * takes the three keys that the format defines, each once, and nothing else.  All sizes are checked against
 * the number of bytes at hand before anything is allocated.
 */
#include "harness/inputs/npy.h"

#include "harness/base/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_HEADER \
    10000          /* NumPy's own limit for files that are not trusted (max_header_size) */
#define MAX_RANK 8 /* dimensions kept; more are only counted */

enum value_type { VALUE_F32, VALUE_F16, VALUE_U8, N_TYPES };

static const struct {
    const char *descr; /* as the header has it */
    size_t n_bytes;
} types[N_TYPES] = {{"<f4", 4}, {"<f2", 2}, {"|u1", 1}};

/* The header's facts. */
struct header {
    char descr[16]; /* cut to fit */
    int is_fortran;
    uint64_t side[MAX_RANK];
    int rank;
    int has_descr, has_order, has_shape;
};

/* Where the classes are. */
struct layout {
    enum value_type type;
    int width, height, n_classes;
    int classes_last;
};

/* ---- the header ---- */

struct cursor {
    const char *name; /* borrowed, for messages */
    const uint8_t *text;
    size_t n, at;
};

static enum bench_status broken(const struct cursor *c, const char *expected)
{
    return BENCH_FAIL(BENCH_EINPUT, "%s: broken .npy header: expected %s at its byte %zu",
                      c->name, expected, c->at);
}

/* The next byte that is no blank, or -1 at the end. */
static int peek(struct cursor *c)
{
    while (c->at < c->n && (c->text[c->at] == ' ' || c->text[c->at] == '\n' ||
                            c->text[c->at] == '\t' || c->text[c->at] == '\r'))
        c->at++;
    return c->at < c->n ? c->text[c->at] : -1;
}

/* Whether 'byte' came next; it is behind us then. */
static int take(struct cursor *c, char byte)
{
    if (peek(c) != (uint8_t)byte)
        return 0;
    c->at++;
    return 1;
}

static int take_word(struct cursor *c, const char *word)
{
    const size_t n = strlen(word);

    (void)peek(c);
    if (n > c->n - c->at || memcmp(c->text + c->at, word, n) != 0)
        return 0;
    c->at += n;
    return 1;
}

/* 'text' or "text" of printable ASCII without escapes, cut to 'size' - 1 bytes. */
static enum bench_status read_string(struct cursor *c, char *string, size_t size)
{
    const int quote = peek(c);
    size_t n = 0;

    if (quote != '\'' && quote != '"')
        return broken(c, "a string");
    for (c->at++; c->at < c->n && c->text[c->at] != quote; c->at++) {
        const uint8_t byte = c->text[c->at];

        if (byte < ' ' || byte > '~' || byte == '\\')
            return broken(c, "a string of plain characters");
        if (n + 1 < size)
            string[n++] = (char)byte;
    }
    if (c->at == c->n)
        return broken(c, "the end of a string");
    c->at++;
    string[n] = '\0';
    return BENCH_OK;
}

/* A whole number; what is beyond INPUTS_MAX_SIDE stays beyond it. */
static enum bench_status read_side(struct cursor *c, uint64_t *side)
{
    const size_t start = (peek(c), c->at);

    *side = 0;
    for (; c->at < c->n && c->text[c->at] >= '0' && c->text[c->at] <= '9'; c->at++)
        if (*side <= UINT32_MAX) /* times ten: far from the end of 64 bits */
            *side = *side * 10 + (uint64_t)(c->text[c->at] - '0');
    return c->at == start ? broken(c, "a whole number") : BENCH_OK;
}

/* "(19, 375, 1242)", "(3,)", "()". */
static enum bench_status read_shape(struct cursor *c, struct header *header)
{
    if (!take(c, '('))
        return broken(c, "a shape in parentheses");
    while (!take(c, ')')) {
        uint64_t side;

        TRY(read_side(c, &side));
        if (header->rank < MAX_RANK)
            header->side[header->rank] = side;
        header->rank++; /* at most one for two bytes of header */
        if (!take(c, ',') && peek(c) != ')')
            return broken(c, "a comma or a closing parenthesis");
    }
    return BENCH_OK;
}

static enum bench_status read_entry(struct cursor *c, struct header *header)
{
    char key[32];
    int *given;

    TRY(read_string(c, key, sizeof key));
    given = strcmp(key, "descr") == 0           ? &header->has_descr
            : strcmp(key, "fortran_order") == 0 ? &header->has_order
            : strcmp(key, "shape") == 0         ? &header->has_shape
                                                : NULL;
    if (given == NULL || *given)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: broken .npy header: expected the keys descr, fortran_order and "
                          "shape, each once, found %s'%s'",
                          c->name, given == NULL ? "" : "a second ", key);
    *given = 1;
    if (!take(c, ':'))
        return broken(c, "a colon");
    if (given == &header->has_shape)
        return read_shape(c, header);
    if (given == &header->has_order) {
        header->is_fortran = take_word(c, "True");
        return header->is_fortran || take_word(c, "False") ? BENCH_OK
                                                           : broken(c, "True or False");
    }
    if (peek(c) == '[')
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: an array of structures, expected one of plain numbers", c->name);
    return read_string(c, header->descr, sizeof header->descr);
}

static enum bench_status read_dictionary(struct cursor *c, struct header *header)
{
    memset(header, 0, sizeof *header);
    if (!take(c, '{'))
        return broken(c, "'{'");
    while (!take(c, '}')) {
        TRY(read_entry(c, header));
        if (!take(c, ',') && peek(c) != '}')
            return broken(c, "a comma or '}'");
    }
    if (peek(c) >= 0)
        return broken(c, "nothing more");
    if (!header->has_descr || !header->has_order || !header->has_shape)
        return BENCH_FAIL(BENCH_EINPUT, "%s: broken .npy header: the key %s is missing",
                          c->name,
                          !header->has_descr   ? "descr"
                          : !header->has_order ? "fortran_order"
                                               : "shape");
    return BENCH_OK;
}

/* Read all before the values; *n_head is how many bytes that are. */
static enum bench_status read_header(const uint8_t *bytes, size_t n_bytes, const char *name,
                                     struct header *header, size_t *n_head)
{
    static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

    if (n_bytes < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return BENCH_FAIL(BENCH_EINPUT, "%s: no .npy file (it does not begin with \\x93NUMPY)",
                          name);
    if (n_bytes < 12)
        return BENCH_FAIL(BENCH_EINPUT, "%s: a .npy file of only %zu bytes, cut in its header",
                          name, n_bytes);

    const unsigned major = bytes[6], minor = bytes[7];

    if (major < 1 || major > 3 || minor != 0)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: .npy format version %u.%u, expected 1.0, 2.0 or 3.0", name,
                          major, minor);

    const size_t start = major == 1 ? 10 : 12;
    uint32_t n_text = (uint32_t)bytes[8] | (uint32_t)bytes[9] << 8;

    if (major > 1)
        n_text |= (uint32_t)bytes[10] << 16 | (uint32_t)bytes[11] << 24;
    if (n_text > MAX_HEADER)
        return BENCH_FAIL(BENCH_EINPUT, "%s: a .npy header of %lu bytes, expected at most %d",
                          name, (unsigned long)n_text, MAX_HEADER);
    if (n_text > n_bytes - start)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: truncated .npy header: expected %lu bytes, found %zu", name,
                          (unsigned long)n_text, n_bytes - start);

    struct cursor c = {name, bytes + start, n_text, 0};

    *n_head = start + n_text;
    return read_dictionary(&c, header);
}

/* ---- what the header means ---- */

static enum bench_status find_type(const char *name, const char *descr, enum value_type *type)
{
    for (int i = 0; i < N_TYPES; i++)
        if (strcmp(descr, types[i].descr) == 0) {
            *type = (enum value_type)i;
            return BENCH_OK;
        }
    return BENCH_FAIL(BENCH_EINPUT,
                      "%s: %svalues of type '%s', expected '<f4', '<f2' or '|u1' (float32, "
                      "float16, uint8)",
                      name, descr[0] == '>' ? "big-endian " : "", descr);
}

/* "(19, 375, 1242)", cut to fit. */
static void name_shape(const struct header *header, char *text, size_t size)
{
    const int n = header->rank < MAX_RANK ? header->rank : MAX_RANK;
    size_t at = 0;

    for (int i = 0; i < n && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%llu", i == 0 ? "(" : ", ",
                               (unsigned long long)header->side[i]);
    if (at < size)
        snprintf(text + at, size - at, "%s%s", n == 0 ? "(" : "",
                 header->rank > n ? ", ...)" : ")");
}

static int are_classes(uint64_t side)
{
    return side >= 1 && side <= NPY_MAX_CLASSES;
}

/* layout->width and height are set; find the rest. */
static enum bench_status find_layout(const char *name, const struct header *header,
                                     struct layout *layout)
{
    const uint64_t w = (uint64_t)layout->width, h = (uint64_t)layout->height;
    const uint64_t *side = header->side;
    char shape[128];

    name_shape(header, shape, sizeof shape);
    TRY(find_type(name, header->descr, &layout->type));
    if (header->is_fortran)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: Fortran order, expected C order (numpy.ascontiguousarray)",
                          name);

    const int rank_fits = header->rank == 3;
    const int first = rank_fits && are_classes(side[0]) && side[1] == h && side[2] == w;
    const int last = rank_fits && side[0] == h && side[1] == w && are_classes(side[2]);

    if (!first && !last)
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: shape %s, expected (classes, %d, %d) or (%d, %d, classes) with 1..%d classes",
            name, shape, layout->height, layout->width, layout->height, layout->width,
            NPY_MAX_CLASSES);
    if (first && last)
        return BENCH_FAIL(
            BENCH_EINPUT,
            "%s: shape %s: cannot tell whether the classes come first or last, expected a "
            "shape that fits %d x %d pixels in one way",
            name, shape, layout->width, layout->height);
    layout->classes_last = last;
    layout->n_classes = (int)side[first ? 0 : 2];
    return BENCH_OK;
}

/* At most 2^15 * 2^15 * 2^5 * 2^2 bytes. */
static uint64_t count_bytes(const struct layout *layout)
{
    return (uint64_t)layout->width * (uint64_t)layout->height * (uint64_t)layout->n_classes *
           types[layout->type].n_bytes;
}

/* ---- the values ---- */

static float float_of_bits(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* IEEE 754 binary16; every value of it is a float. */
static float float_of_half(unsigned half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    const uint32_t exponent = half >> 10 & 31, fraction = half & 1023;

    if (exponent == 0) { /* subnormal: a multiple of 2^-24 */
        const float size = (float)fraction * 0x1p-24f;

        return sign ? -size : size;
    }
    if (exponent == 31)
        return float_of_bits(sign | 0x7F800000u | fraction << 13);
    return float_of_bits(sign | (exponent + 127 - 15) << 23 | fraction << 13);
}

static void decode(enum value_type type, const uint8_t *bytes, size_t n, float *value)
{
    switch (type) {
    case VALUE_F32:
        for (size_t i = 0; i < n; i++, bytes += 4)
            value[i] = float_of_bits((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
                                     (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24);
        break;
    case VALUE_F16:
        for (size_t i = 0; i < n; i++, bytes += 2)
            value[i] = float_of_half((unsigned)bytes[0] | (unsigned)bytes[1] << 8);
        break;
    default: /* times 65535 that rounds to 257 times the byte, as it should */
        for (size_t i = 0; i < n; i++)
            value[i] = (float)bytes[i] / 255.0f;
        break;
    }
}

/* round(65535 p) into every stride-th element of 'out'; returns the first index whose value is no
 * probability, or n. */
static size_t quantise(const float *value, size_t value_stride, size_t n, uint16_t *out)
{
    for (size_t i = 0; i < n; i++) {
        const double p = (double)value[i * value_stride];

        if (!(p >= -0.001 && p <= 1.001)) /* also where it is no number */
            return i;
        out[i] =
            p <= 0 ? 0
            : p >= 1
                ? 65535
                : (uint16_t)floor(p * 65535 + 0.5); /* 24 + 16 bits: exact before the sum */
    }
    return n;
}

static enum bench_status bad_value(const char *name, double value, size_t u, int v, int k)
{
    return BENCH_FAIL(BENCH_EINPUT,
                      "%s: %g for class %d of the pixel in column %zu, row %d, expected a "
                      "probability of 0..1: softmax the scores first",
                      name, value, k, u, v);
}

/* One row of the image; 'bytes' begins at the values, 'value' has room for a row of all classes. */
static enum bench_status convert_row(const struct layout *layout, const uint8_t *bytes,
                                     const char *name, int v, float *value, uint16_t *out)
{
    const size_t w = (size_t)layout->width, h = (size_t)layout->height;
    const size_t n_classes = (size_t)layout->n_classes;
    const size_t size = types[layout->type].n_bytes;
    const size_t stride = layout->classes_last ? n_classes : 1;

    if (layout->classes_last)
        decode(layout->type, bytes + (size_t)v * w * n_classes * size, w * n_classes, value);
    for (size_t k = 0; k < n_classes; k++) {
        const size_t offset = (k * h + (size_t)v) * w;
        const float *of_class = layout->classes_last ? value + k : value;

        if (!layout->classes_last)
            decode(layout->type, bytes + offset * size, w, value);

        const size_t u = quantise(of_class, stride, w, out + offset);

        if (u < w)
            return bad_value(name, (double)of_class[u * stride], u, v, (int)k);
    }
    return BENCH_OK;
}

/* 'sum' has room for a row. */
static enum bench_status check_sums(const struct layout *layout, const char *name, int v,
                                    const uint16_t *probability, uint32_t *sum)
{
    const size_t w = (size_t)layout->width, h = (size_t)layout->height;
    const uint32_t slack =
        65535 * 2 / 100 +
        (layout->type == VALUE_U8 ? (uint32_t)layout->n_classes * 257 / 2 : 0);

    memset(sum, 0, w * sizeof *sum);
    for (size_t k = 0; k < (size_t)layout->n_classes; k++) {
        const uint16_t *row = probability + (k * h + (size_t)v) * w;

        for (size_t u = 0; u < w; u++)
            sum[u] += row[u];
    }
    for (size_t u = 0; u < w; u++)
        if (sum[u] + slack < 65535 || sum[u] > 65535 + slack)
            return BENCH_FAIL(BENCH_EINPUT,
                              "%s: the classes of the pixel in column %zu, row %d add up to "
                              "%.3f, expected 1 within 2 %%: softmax the scores first",
                              name, u, v, sum[u] / 65535.0);
    return BENCH_OK;
}

static enum bench_status convert(const struct layout *layout, const uint8_t *bytes,
                                 const char *name, uint16_t *probability)
{
    const size_t w = (size_t)layout->width;
    float *value = malloc(w * (size_t)layout->n_classes * sizeof *value);
    uint32_t *sum = malloc(w * sizeof *sum);
    enum bench_status status = BENCH_OK;

    if (value == NULL || sum == NULL)
        status = BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for a row of values", name);
    for (int v = 0; v < layout->height && status == BENCH_OK; v++) {
        status = convert_row(layout, bytes, name, v, value, probability);
        if (status == BENCH_OK)
            status = check_sums(layout, name, v, probability, sum);
    }
    free(sum);
    free(value);
    return status;
}

enum bench_status npy_parse_probability(const void *bytes, size_t n_bytes, const char *name,
                                        int width, int height, uint16_t **probability,
                                        int *n_classes)
{
    struct layout layout = {.width = width, .height = height};
    struct header header;
    size_t n_head = 0;

    *probability = NULL;
    *n_classes = 0;
    if (width < 1 || height < 1 || width > INPUTS_MAX_SIDE || height > INPUTS_MAX_SIDE)
        return BENCH_FAIL(BENCH_EINPUT, "%s: for %d x %d pixels: each side must be 1..%d", name,
                          width, height, INPUTS_MAX_SIDE);
    TRY(read_header(bytes, n_bytes, name, &header, &n_head));
    TRY(find_layout(name, &header, &layout));

    const uint64_t expected = count_bytes(&layout), found = n_bytes - n_head;

    if (found != expected)
        return BENCH_FAIL(BENCH_EINPUT,
                          "%s: %s .npy file: expected %llu bytes of values, found %llu", name,
                          found < expected ? "truncated" : "oversized",
                          (unsigned long long)expected, (unsigned long long)found);

    /* as many values as are at hand, so the product is a size_t twice over */
    uint16_t *out = malloc((size_t)(expected / types[layout.type].n_bytes) * sizeof *out);

    if (out == NULL)
        return BENCH_FAIL(BENCH_ENOMEM, "%s: no memory for %d classes of %d x %d pixels", name,
                          layout.n_classes, width, height);

    const enum bench_status status =
        convert(&layout, (const uint8_t *)bytes + n_head, name, out);

    if (status != BENCH_OK) {
        free(out);
        return status;
    }
    *probability = out;
    *n_classes = layout.n_classes;
    return BENCH_OK;
}

enum bench_status npy_read_probability(const char *path, int width, int height,
                                       uint16_t **probability, int *n_classes)
{
    const uint64_t max_bytes =
        12 + MAX_HEADER +
        4 * NPY_MAX_CLASSES * (uint64_t)INPUTS_MAX_SIDE * (uint64_t)INPUTS_MAX_SIDE;
    uint8_t *bytes;
    size_t n_bytes;

    *probability = NULL;
    *n_classes = 0;
    TRY(file_read(path, max_bytes, ".npy file of probabilities", &bytes, &n_bytes));

    const enum bench_status status =
        npy_parse_probability(bytes, n_bytes, path, width, height, probability, n_classes);

    free(bytes);
    return status;
}
