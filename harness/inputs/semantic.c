/*
 * semantic.c - labels from images, class probabilities from labels
 *
 * Row by row: the blur keeps, for each class and column, the count of its pixels in the box's
 * rows, and runs a sum along them.  Probabilities are in 1/65535 and only ever rounded down, so
 * no pixel's sum can pass 65535.
 */
#include "harness/inputs/semantic.h"

#include "harness/base/memory.h"
#include "harness/base/random.h"
#include "harness/inputs/image.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ONE      65535u
#define N_OTHERS 3
#define FINER    4         /* cells of the fine octave in one of the coarse one, along a side */
#define RAMP     (24 << 8) /* of the field's 65280: from nothing to all */

/* Counters' highest words; scene.c has 1..6. */
enum { STREAM_FIELD = 100, STREAM_OTHERS = 101 };

/* ---- what is taken for what ---- */

/* Cityscapes train ids: 0 road, 1 sidewalk, 2 building, 3 wall, 4 fence, 5 pole, 6 traffic
 * light, 7 traffic sign, 8 vegetation, 9 terrain, 10 sky, 11 person, 12 rider, 13 car,
 * 14 truck, 15 bus, 16 train, 17 motorcycle, 18 bicycle. */
static const struct others {
    int n;
    uint8_t id[N_OTHERS];
} cityscapes[SEMANTIC_CITYSCAPES] = {
    {2, {1, 9}},       {2, {0, 9}},    {3, {3, 4, 8}},    {3, {2, 4, 8}}, {3, {2, 3, 8}},
    {3, {7, 2, 8}},    {3, {5, 7, 8}}, {3, {5, 6, 2}},    {3, {9, 2, 4}}, {2, {8, 1}},
    {2, {2, 8}},       {2, {12, 2}},   {3, {11, 18, 17}}, {2, {14, 15}},  {3, {13, 15, 2}},
    {3, {14, 13, 16}}, {2, {15, 14}},  {2, {18, 12}},     {2, {17, 12}},
};

/* Returns what class 'k' is taken for; nothing where there is no other class. */
static struct others others_of(int k, int n_classes, uint64_t seed)
{
    const struct bench_words p = bench_philox(seed, (uint32_t)k, 0, 0, STREAM_OTHERS);
    struct others others = {0, {0}};

    if (n_classes == SEMANTIC_CITYSCAPES)
        return cityscapes[k];
    if (n_classes == 1)
        return others;
    others.n = N_OTHERS;
    for (int m = 0; m < N_OTHERS; m++) {
        const int id = (int)bench_below(p.word[m], (uint32_t)n_classes - 1);

        others.id[m] = (uint8_t)(id + (id >= k)); /* all but k itself */
    }
    return others;
}

struct semantic_noise semantic_noise_of(enum scene_level level)
{
    static const struct semantic_noise levels[] = {
        [SCENE_EASY] = {5, 64, 210, 4, 164},
        [SCENE_NORMAL] = {9, 64, 195, 8, 656},
        [SCENE_HARD] = {15, 64, 172, 16, 1311},
    };

    return levels[level >= SCENE_EASY && level <= SCENE_HARD ? level : SCENE_NORMAL];
}

/* ---- the model ---- */

/* A grid of random bytes for each pair of classes. */
struct octave {
    int cell_px, n_nodes; /* in a row, a multiple of 4 */
    uint8_t *node;        /* [height / cell_px + 2][n_classes][N_OTHERS][n_nodes], owned */
};

struct model {
    const uint8_t *labels; /* [height][width], borrowed */
    int width, height, n_classes;
    struct semantic_noise noise;
    uint64_t seed;
    struct others others[SEMANTIC_MAX_CLASSES];

    struct octave octave[2];
    int *n_in_rows;      /* [n_classes], labelled pixels in the box's rows, owned */
    uint32_t *in_column; /* [n_classes][width], of those the column's, owned */
    uint32_t *total;     /* [width], labelled pixels in the box, owned */
    uint32_t *field;     /* [width], owned */
    uint32_t *blurred;   /* [n_classes][width], in 1/65535, owned */
    uint32_t *confused;  /* [n_classes][width], the same, owned */
};

/* Count the labels of row 'v' in (step 1) or out (-1); rows beyond the image have none. */
static void count_row(struct model *m, int v, int step)
{
    const uint8_t *row = m->labels + (size_t)v * (size_t)m->width;

    if (v < 0 || v >= m->height)
        return;
    for (int u = 0; u < m->width; u++) {
        const int k = row[u];

        if (k >= m->n_classes)
            continue;
        m->in_column[(size_t)k * (size_t)m->width + (size_t)u] += (uint32_t)step;
        m->n_in_rows[k] += step;
    }
}

/* The sum of column[u - reach .. u + reach] for each u; beyond the border there is nothing. */
static void sum_boxes(const uint32_t *column, int width, int reach, uint32_t *sum)
{
    uint32_t running = 0;

    for (int u = 0; u < reach && u < width; u++)
        running += column[u];
    for (int u = 0; u < width; u++) {
        if (u + reach < width)
            running += column[u + reach];
        sum[u] = running;
        if (u >= reach)
            running -= column[u - reach];
    }
}

/* (a): m->blurred from the counts, which are those of the box's rows. */
static void blur_row(struct model *m)
{
    const size_t w = (size_t)m->width;
    const int reach = m->noise.blur_px / 2;

    memset(m->total, 0, w * sizeof *m->total);
    for (int k = 0; k < m->n_classes; k++) {
        uint32_t *row = m->blurred + (size_t)k * w;

        if (m->n_in_rows[k] == 0) {
            memset(row, 0, w * sizeof *row);
            continue;
        }
        sum_boxes(m->in_column + (size_t)k * w, m->width, reach, row);
        for (size_t u = 0; u < w; u++)
            m->total[u] += row[u];
    }
    for (int k = 0; k < m->n_classes; k++) {
        uint32_t *row = m->blurred + (size_t)k * w;

        if (m->n_in_rows[k] != 0)
            for (size_t u = 0; u < w; u++) /* at most 255 * 255 * 65535 < 2^32 */
                row[u] = m->total[u] == 0 ? 0 : row[u] * ONE / m->total[u];
    }
}

/* Add to m->field what the octave has in row 'v' for class k's other number 'other': the bytes
 * between the nodes, times 256, times 'weight'. */
static void add_octave(struct model *m, const struct octave *o, int v, int k, int other,
                       uint32_t weight)
{
    const int cell = o->cell_px;
    const uint32_t y = (uint32_t)(v % cell), area = (uint32_t)(cell * cell);
    const size_t n_pairs = (size_t)m->n_classes * N_OTHERS, n_nodes = (size_t)o->n_nodes;
    const size_t pair = (size_t)(v / cell) * n_pairs + (size_t)k * N_OTHERS + (size_t)other;
    const uint8_t *above = o->node + pair * n_nodes, *below = above + n_pairs * n_nodes;

    for (int i = 0; i * cell < m->width; i++) {
        const uint32_t left = above[i] * ((uint32_t)cell - y) + below[i] * y;
        const uint32_t right = above[i + 1] * ((uint32_t)cell - y) + below[i + 1] * y;
        const int n = m->width - i * cell < cell ? m->width - i * cell : cell;
        uint32_t *field = m->field + (size_t)i * (size_t)cell;
        /* at most 3 * 255 * 128 * 128 * 256 < 2^32; by steps, which are exact modulo 2^32 */
        const uint32_t step = (right - left) * 256 * weight;
        uint32_t sum = left * (uint32_t)cell * 256 * weight;

        for (int x = 0; x < n; x++, sum += step)
            field[x] += sum / area;
    }
}

/* (b): m->confused from m->blurred, which it uses up, for the image's row 'v'. */
static void confuse_row(struct model *m, int v)
{
    const size_t w = (size_t)m->width;
    const uint32_t threshold = (uint32_t)m->noise.threshold_q8 << 8;
    const uint32_t doubt = (uint32_t)m->noise.doubt_q8;

    memset(m->confused, 0, (size_t)m->n_classes * w * sizeof *m->confused);
    for (int k = 0; k < m->n_classes; k++) {
        uint32_t *rest = m->blurred + (size_t)k * w;

        if (m->n_in_rows[k] == 0)
            continue;
        for (int other = 0; other < m->others[k].n; other++) {
            uint32_t *to = m->confused + (size_t)m->others[k].id[other] * w;

            memset(m->field, 0, w * sizeof *m->field);
            add_octave(m, &m->octave[0], v, k, other, 3);
            add_octave(m, &m->octave[1], v, k, other, 1);
            for (size_t u = 0; u < w; u++) {
                const uint32_t f = m->field[u] / 4; /* 0..65280 */
                const uint32_t above = f > threshold ? f - threshold : 0;
                const uint32_t sure = above < RAMP ? above * 65536 / RAMP : 65536;
                const uint32_t doubted = f * doubt >> 8;
                const uint32_t share_q16 = sure > doubted ? sure : doubted;
                const uint32_t moved = rest[u] * share_q16 >> 16;

                rest[u] -= moved;
                to[u] += moved;
            }
        }
        for (size_t u = 0; u < w; u++)
            m->confused[(size_t)k * w + u] += rest[u];
    }
}

/* (c), and the sums; m->blurred is free to be used by now. */
static void finish_row(struct model *m, int v, uint16_t *probability)
{
    const size_t w = (size_t)m->width, plane = w * (size_t)m->height;
    const uint8_t *labels = m->labels + (size_t)v * w;
    const uint32_t kept_q16 = 65536 - (uint32_t)m->noise.residual_q16;
    const uint32_t spread =
        (ONE * (uint32_t)m->noise.residual_q16 >> 16) / (uint32_t)m->n_classes;
    uint32_t *sum = m->total, *best = m->blurred;
    uint16_t *out = probability + (size_t)v * w;

    memset(sum, 0, w * sizeof *sum);
    memset(best, 0, w * sizeof *best);
    for (int k = 0; k < m->n_classes; k++, out += plane) {
        const uint32_t *row = m->confused + (size_t)k * w;

        for (size_t u = 0; u < w; u++) {
            const uint32_t p = labels[u] < m->n_classes ? (row[u] * kept_q16 >> 16) + spread
                                                        : ONE / (uint32_t)m->n_classes;
            /* the larger the better, then the smaller id */
            const uint32_t rank = p << 5 | (uint32_t)(SEMANTIC_MAX_CLASSES - 1 - k);

            out[u] = (uint16_t)p;
            sum[u] += p;
            best[u] = rank > best[u] ? rank : best[u];
        }
    }
    for (size_t u = 0; u < w; u++) {
        const size_t k = SEMANTIC_MAX_CLASSES - 1 - (best[u] & 31);

        probability[k * plane + (size_t)v * w + u] += (uint16_t)(ONE - sum[u]);
    }
}

static void release(struct model *m)
{
    void *const owned[] = {m->octave[0].node, m->octave[1].node, m->n_in_rows, m->in_column,
                           m->total,          m->field,          m->blurred,   m->confused};

    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

/* The nodes of octave i. */
static enum bench_status draw_nodes(const struct model *m, int i, struct octave *o)
{
    const int cell = i == 0 ? m->noise.cell_px : m->noise.cell_px / FINER;
    const int n_rows = m->height / cell + 2, n_nodes = (m->width / cell + 2 + 3) / 4 * 4;
    uint8_t *node;

    *o = (struct octave){cell, n_nodes, NULL};
    TRY(memory_allocate(&o->node, 1, n_rows, m->n_classes, N_OTHERS, n_nodes));
    node = o->node;
    for (int j = 0; j < n_rows; j++)
        for (int pair = 0; pair < m->n_classes * N_OTHERS; pair++)
            for (int at = 0; at < n_nodes; at += 4) {
                const struct bench_words p = bench_philox(
                    m->seed, (uint32_t)at / 4, (uint32_t)j,
                    (uint32_t)(pair / N_OTHERS | pair % N_OTHERS << 8 | i << 16), STREAM_FIELD);

                for (int word = 0; word < 4; word++)
                    *node++ = (uint8_t)(p.word[word] >> 24);
            }
    return BENCH_OK;
}

static enum bench_status allocate(struct model *m)
{
    const int w = m->width, n = m->n_classes;

    for (int i = 0; i < 2; i++)
        TRY(draw_nodes(m, i, &m->octave[i]));
    TRY(memory_allocate(&m->n_in_rows, sizeof *m->n_in_rows, n, 1, 1, 1));
    TRY(memory_allocate(&m->in_column, sizeof *m->in_column, n, w, 1, 1));
    TRY(memory_allocate(&m->total, sizeof *m->total, w, 1, 1, 1));
    TRY(memory_allocate(&m->field, sizeof *m->field, w, 1, 1, 1));
    TRY(memory_allocate(&m->blurred, sizeof *m->blurred, n, w, 1, 1));
    return memory_allocate(&m->confused, sizeof *m->confused, n, w, 1, 1);
}

enum bench_status semantic_from_labels(const uint8_t *labels, int width, int height,
                                       int n_classes, const struct semantic_noise *noise,
                                       uint64_t seed, uint16_t *probability)
{
    OWNED(release)
    struct model m = {labels, width, height, n_classes, .noise = *noise, .seed = seed};
    const int reach = noise->blur_px / 2;

    assert(n_classes >= 1 && n_classes <= SEMANTIC_MAX_CLASSES);
    for (int k = 0; k < n_classes; k++)
        m.others[k] = others_of(k, n_classes, seed);
    TRY(allocate(&m));
    for (int v = 0; v < reach; v++)
        count_row(&m, v, 1);
    for (int v = 0; v < height; v++) {
        count_row(&m, v + reach, 1);
        blur_row(&m);
        confuse_row(&m, v);
        finish_row(&m, v, probability);
        count_row(&m, v - reach, -1);
    }
    return BENCH_OK;
}

/* ---- labels from files ---- */

#define NO  SEMANTIC_UNLABELLED
#define BAD 254

/* Cityscapes' label ids; some have no train id (cityscapesScripts, helpers/labels.py). */
static const uint8_t train_id_of[34] = {NO, NO, NO, NO, NO, NO, NO, 0,  1,  NO, NO, 2,
                                        3,  4,  NO, NO, NO, 5,  NO, 6,  7,  8,  9,  10,
                                        11, 12, 13, 14, 15, NO, NO, 16, 17, 18};

/* BAD: no label. */
static uint8_t train_id(uint8_t value, enum semantic_coding coding)
{
    if (value == SEMANTIC_UNLABELLED)
        return SEMANTIC_UNLABELLED;
    if (coding == SEMANTIC_TRAIN_IDS)
        return value < SEMANTIC_CITYSCAPES ? value : BAD;
    return value < sizeof train_id_of ? train_id_of[value] : BAD;
}

enum bench_status semantic_read_labels(const char *path, int width, int height,
                                       enum semantic_coding coding, uint8_t **labels)
{
    OWNED(memory_free) uint8_t *label = NULL;

    *labels = NULL;
    TRY(image_read_u8(path, "labels", width, height, &label));
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
        const uint8_t value = label[i];

        label[i] = train_id(value, coding);
        REFUSE_IF(label[i] == BAD,
                  "%s: the pixel in column %zu, row %zu has the label %d, expected %s", path,
                  i % (size_t)width, i / (size_t)width, value,
                  coding == SEMANTIC_TRAIN_IDS ? "a train id of 0..18 or 255"
                                               : "a label id of 0..33 or 255");
    }
    *labels = label;
    label = NULL;
    return BENCH_OK;
}
