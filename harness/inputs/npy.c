/*
 * npy.c - read class probabilities from a NumPy file
 *
 * Source: NumPy Enhancement Proposal 1.  The header is the text of a Python dictionary; the
 * parser here takes the three keys that the format defines, each once, and nothing else.  All
 * sizes are checked against the number of bytes at hand before anything is allocated.
 */
#include "harness/inputs/npy.h"

#include "harness/base/file.h"
#include "harness/base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* NumPy's own limit for files that are not trusted (max_header_size). */
#define MAX_HEADER 10000
#define RANK       3

enum value_type { VALUE_F32, VALUE_F16, VALUE_U8, N_TYPES };

static const struct {
    const char *descr; /* as the header has it */
    size_t n_bytes;
} types[N_TYPES] = {{"<f4", 4}, {"<f2", 2}, {"|u1", 1}};

enum { DESCR, ORDER, SHAPE, N_KEYS };

static const char *const keys[N_KEYS] = {"descr", "fortran_order", "shape"};

/* The header's facts; texts are cut to fit. */
struct header {
    int is_given[N_KEYS];
    char descr[16], shape[96];
    int is_fortran;
    uint64_t side[RANK];
    int rank; /* may be more than RANK */
};

struct array {
    const char *name; /* borrowed, for messages */
    enum value_type type;
    int width, height, n_classes;
    int classes_last;
};

/* ---- the header ---- */

struct cursor {
    const char *name;
    char text[MAX_HEADER + 1], *at;
};

static enum bench_status broken(const struct cursor *c, const char *expected)
{
    return BENCH_FAIL(BENCH_EINPUT, "%s: broken .npy header: expected %s at its byte %td",
                      c->name, expected, c->at - c->text);
}

/* Returns 1 if 'word' came next, blanks apart; it is behind us then. */
static int take(struct cursor *c, const char *word)
{
    const size_t n = strlen(word);

    c->at += strspn(c->at, " ");
    if (strncmp(c->at, word, n) != 0)
        return 0;
    c->at += n;
    return 1;
}

/* 'text' or "text" of printable ASCII without escapes, cut to 'size' - 1 bytes. */
static enum bench_status read_string(struct cursor *c, char *string, size_t size)
{
    const char *quote = take(c, "'") ? "'" : take(c, "\"") ? "\"" : NULL;
    const char *start = c->at;

    if (quote == NULL)
        return broken(c, "a string");
    for (; *c->at != '\0' && *c->at != *quote; c->at++)
        if (*c->at < ' ' || *c->at > '~' || *c->at == '\\')
            return broken(c, "a string of plain characters");
    snprintf(string, size, "%.*s", (int)(c->at - start), start);
    return take(c, quote) ? BENCH_OK : broken(c, "the end of a string");
}

/* "(19, 375, 1242)", "(3,)", "()". */
static enum bench_status read_shape(struct cursor *c, struct header *header)
{
    const char *start;

    if (!take(c, "("))
        return broken(c, "a shape in parentheses");
    for (start = c->at - 1; !take(c, ")"); header->rank++) {
        if (*c->at < '0' || *c->at > '9')
            return broken(c, "a whole number");

        const uint64_t side = strtoull(c->at, &c->at, 10); /* too much: UINT64_MAX */

        if (header->rank < RANK)
            header->side[header->rank] = side;
        if (!take(c, ",") && *c->at != ')')
            return broken(c, "a comma or a closing parenthesis");
    }
    snprintf(header->shape, sizeof header->shape, "%.*s", (int)(c->at - start), start);
    return BENCH_OK;
}

static enum bench_status read_entry(struct cursor *c, struct header *header)
{
    char key[32];
    int i = 0;

    TRY(read_string(c, key, sizeof key));
    while (i < N_KEYS && strcmp(key, keys[i]) != 0)
        i++;
    REFUSE_IF(i == N_KEYS || header->is_given[i],
              "%s: broken .npy header: expected the keys descr, fortran_order and shape, each "
              "once, found %s'%s'",
              c->name, i == N_KEYS ? "" : "a second ", key);
    header->is_given[i] = 1;
    if (!take(c, ":"))
        return broken(c, "a colon");
    if (i == SHAPE)
        return read_shape(c, header);
    if (i == ORDER) {
        header->is_fortran = take(c, "True");
        return header->is_fortran || take(c, "False") ? BENCH_OK : broken(c, "True or False");
    }
    REFUSE_IF(take(c, "["), "%s: an array of structures, expected one of plain numbers",
              c->name);
    return read_string(c, header->descr, sizeof header->descr);
}

static enum bench_status read_dictionary(struct cursor *c, struct header *header)
{
    memset(header, 0, sizeof *header);
    if (!take(c, "{"))
        return broken(c, "'{'");
    while (!take(c, "}")) {
        TRY(read_entry(c, header));
        if (!take(c, ",") && *c->at != '}')
            return broken(c, "a comma or '}'");
    }
    (void)take(c, "");
    if (*c->at != '\0')
        return broken(c, "nothing more");
    for (int i = 0; i < N_KEYS; i++)
        REFUSE_IF(!header->is_given[i], "%s: broken .npy header: the key %s is missing",
                  c->name, keys[i]);
    return BENCH_OK;
}

/* Read all before the values; *n_head is how many bytes that are. */
static enum bench_status read_header(const uint8_t *bytes, size_t n_bytes, const char *name,
                                     struct header *header, size_t *n_head)
{
    static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    const char *const kind = file_kind(bytes, n_bytes);

    REFUSE_IF(n_bytes < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0,
              "%s: no .npy file (%s)", name, kind ? kind : "it does not begin with \\x93NUMPY");
    REFUSE_IF(n_bytes < 12, "%s: a .npy file of only %zu bytes, cut in its header", name,
              n_bytes);

    const unsigned major = bytes[6], minor = bytes[7];

    REFUSE_IF(major < 1 || major > 3 || minor != 0,
              "%s: .npy format version %u.%u, expected 1.0, 2.0 or 3.0", name, major, minor);

    const size_t start = major == 1 ? 10 : 12;
    size_t n_text = 0;

    for (size_t i = start; i > 8; i--)
        n_text = n_text << 8 | bytes[i - 1];
    REFUSE_IF(n_text > MAX_HEADER, "%s: a .npy header of %zu bytes, expected at most %d", name,
              n_text, MAX_HEADER);
    REFUSE_IF(n_text > n_bytes - start,
              "%s: truncated .npy header: expected %zu bytes, found %zu", name, n_text,
              n_bytes - start);

    struct cursor c = {.name = name, .at = c.text};

    *n_head = start + n_text;
    for (size_t i = 0; i < n_text; i++) /* of all blanks, and of NUL, a space is made */
        c.text[i] = strchr("\n\t\r", bytes[start + i]) ? ' ' : (char)bytes[start + i];
    return read_dictionary(&c, header);
}

/* ---- what the header means ---- */

static int are_classes(uint64_t side)
{
    return side >= 1 && side <= NPY_MAX_CLASSES;
}

/* The name, width and height of 'array' are set; find the rest. */
static enum bench_status find_layout(const struct header *header, struct array *array)
{
    const uint64_t w = (uint64_t)array->width, h = (uint64_t)array->height;
    const uint64_t *side = header->side;
    const char *name = array->name;
    int type = 0;

    while (type < N_TYPES && strcmp(header->descr, types[type].descr) != 0)
        type++;
    REFUSE_IF(
        type == N_TYPES,
        "%s: %svalues of type '%s', expected '<f4', '<f2' or '|u1' (float32, float16, uint8)",
        name, header->descr[0] == '>' ? "big-endian " : "", header->descr);
    REFUSE_IF(header->is_fortran,
              "%s: Fortran order, expected C order (numpy.ascontiguousarray)", name);

    const int rank_fits = header->rank == RANK;
    const int first = rank_fits && are_classes(side[0]) && side[1] == h && side[2] == w;
    const int last = rank_fits && side[0] == h && side[1] == w && are_classes(side[2]);

    REFUSE_IF(
        !first && !last,
        "%s: shape %s, expected (classes, %d, %d) or (%d, %d, classes) with 1..%d classes",
        name, header->shape, array->height, array->width, array->height, array->width,
        NPY_MAX_CLASSES);
    REFUSE_IF(first && last,
              "%s: shape %s: cannot tell whether the classes come first or last, expected a "
              "shape that fits %d x %d pixels in one way",
              name, header->shape, array->width, array->height);
    array->type = (enum value_type)type;
    array->classes_last = last;
    array->n_classes = (int)side[first ? 0 : 2];
    return BENCH_OK;
}

/* ---- the values ---- */

static float float_of_bits(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* IEEE 754 binary16; every value of it is a float. */
static float float_of_half(uint32_t half)
{
    const uint32_t sign = (half & 0x8000) << 16, size = (half & 0x7FFF) << 13;

    if (size >= 31 << 23) /* infinite, or no number */
        return float_of_bits(sign | 0x7F800000 | size);
    return float_of_bits(sign | size) * 0x1p112f; /* 127 - 15; exact, subnormals too */
}

static void decode(enum value_type type, const uint8_t *bytes, size_t n, float *value)
{
    for (size_t i = 0; i < n; i++, bytes += types[type].n_bytes)
        if (type == VALUE_F32)
            value[i] = float_of_bits((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
                                     (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24);
        else if (type == VALUE_F16)
            value[i] = float_of_half((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8);
        else /* times 65535 that rounds to 257 times the byte, as it should */
            value[i] = (float)bytes[0] / 255.0f;
}

/* One row of the image: round(65535 p).  'bytes' begins at the values; 'value' has room for a
 * row of all classes, 'sum' for a row. */
static enum bench_status convert_row(const struct array *array, const uint8_t *bytes, int v,
                                     float *value, uint32_t *sum, uint16_t *out)
{
    const size_t w = (size_t)array->width, h = (size_t)array->height;
    const size_t n_classes = (size_t)array->n_classes, size = types[array->type].n_bytes;
    const size_t stride = array->classes_last ? n_classes : 1;
    const uint32_t slack =
        65535 * 2 / 100 + (array->type == VALUE_U8 ? (uint32_t)n_classes * 257 / 2 : 0);

    memset(sum, 0, w * sizeof *sum);
    if (array->classes_last)
        decode(array->type, bytes + (size_t)v * w * n_classes * size, w * n_classes, value);
    for (size_t k = 0; k < n_classes; k++) {
        const size_t offset = (k * h + (size_t)v) * w;

        if (!array->classes_last)
            decode(array->type, bytes + offset * size, w, value);
        for (size_t u = 0; u < w; u++) {
            const double p = (double)value[u * stride + (array->classes_last ? k : 0)];

            if (!(p >= -0.001 && p <= 1.001)) /* also where it is no number */
                return BENCH_FAIL(BENCH_EINPUT,
                                  "%s: %g for class %zu of the pixel in column %zu, row %d, "
                                  "expected a probability of 0..1: softmax the scores first",
                                  array->name, p, k, u, v);
            /* 24 + 16 bits: exact before the sum */
            out[offset + u] = p <= 0 ? 0 : p >= 1 ? 65535 : (uint16_t)floor(p * 65535 + 0.5);
            sum[u] += out[offset + u];
        }
    }
    for (size_t u = 0; u < w; u++)
        REFUSE_IF(sum[u] + slack < 65535 || sum[u] > 65535 + slack,
                  "%s: the classes of the pixel in column %zu, row %d add up to %.3f, expected "
                  "1 within 2 %%: softmax the scores first",
                  array->name, u, v, sum[u] / 65535.0);
    return BENCH_OK;
}

static enum bench_status convert(const struct array *array, const uint8_t *bytes,
                                 uint16_t **out)
{
    OWNED(memory_free) float *value = NULL;
    OWNED(memory_free) uint32_t *sum = NULL;
    OWNED(memory_free) uint16_t *new = NULL;

    TRY(memory_allocate(&value, sizeof *value, 1, 1, array->width, array->n_classes));
    TRY(memory_allocate(&sum, sizeof *sum, 1, 1, 1, array->width));
    TRY(memory_allocate(&new, sizeof *new, 1, array->n_classes, array->height, array->width));
    for (int v = 0; v < array->height; v++)
        TRY(convert_row(array, bytes, v, value, sum, new));
    *out = new;
    new = NULL;
    return BENCH_OK;
}

enum bench_status npy_parse_probability(const void *bytes, size_t n_bytes, const char *name,
                                        int width, int height, uint16_t **probability,
                                        int *n_classes)
{
    struct array array = {.name = name, .width = width, .height = height};
    struct header header;
    size_t n_head = 0;

    *probability = NULL;
    *n_classes = 0;
    assert(width >= 1 && height >= 1 && width <= INPUTS_MAX_SIDE && height <= INPUTS_MAX_SIDE);
    TRY(read_header(bytes, n_bytes, name, &header, &n_head));
    TRY(find_layout(&header, &array));

    /* at most 2^15 * 2^15 * 2^5 * 2^2; where so many bytes are at hand, a size_t twice over */
    const uint64_t n_values = (uint64_t)width * (uint64_t)height * (uint64_t)array.n_classes;
    const uint64_t expected = n_values * types[array.type].n_bytes, found = n_bytes - n_head;

    REFUSE_IF(found != expected, "%s: %s .npy file: expected %llu bytes of values, found %llu",
              name, found < expected ? "truncated" : "oversized", (unsigned long long)expected,
              (unsigned long long)found);
    TRY(convert(&array, (const uint8_t *)bytes + n_head, probability));
    *n_classes = array.n_classes;
    return BENCH_OK;
}

enum bench_status npy_read_probability(const char *path, int width, int height,
                                       uint16_t **probability, int *n_classes)
{
    const uint64_t max_bytes =
        12 + MAX_HEADER +
        4 * NPY_MAX_CLASSES * (uint64_t)INPUTS_MAX_SIDE * (uint64_t)INPUTS_MAX_SIDE;
    OWNED(memory_free) uint8_t *bytes = NULL;
    size_t n_bytes;

    *probability = NULL;
    *n_classes = 0;
    TRY(file_read(path, max_bytes, ".npy file of probabilities", &bytes, &n_bytes));
    return npy_parse_probability(bytes, n_bytes, path, width, height, probability, n_classes);
}
