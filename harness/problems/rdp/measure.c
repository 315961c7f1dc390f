/*
 * measure.c - the values of rdp that are no time, over all columns of the inputs given
 *
 * Source: [RDP] sect. 2 and Fig. 5 (rounds, segments), Fig. 7 (useful work); mean and rms error
 * follow from the definition of the segmentation; outliers as outlier.h says, so that they
 * compare with those of stixels.
 *
 *     segments, segments_sd                 mean and standard deviation over columns
 *     rounds_mean, rounds_sd, rounds_max    the same for the rounds of rdp.h
 *     rounds_hist[r]      % of the columns that need r rounds, r = 1 .. rounds_max
 *     useful_pct[r]       % of a column's rows that work in round r for the first time on a
 *                         segment: 100 in round 1; later the rows first + 1 .. last of each
 *                         segment of depth r with an inner row; mean over all columns, 0 for
 *                         those that have finished
 *     rms_error_px, mean_abs_error_px, max_error_px
 *                         valid rows against the straight line between the kept rows around
 *                         them (columns with at least two valid rows)
 *     d1_to_input_pct     rows of these that are outliers against the input
 *     d1_pct              outliers against the truth, among all pixels that have one; the lines
 *                         go on over invalid rows, and where there is no line the pixel is one
 *     input_d1_all_pct    the same of the input; where it has no disparity it is one
 *     invalid_pct         % of all pixels
 *     pixels_per_segment  all pixels over all segments; absent when there is no segment
 *     compression         valid pixels over kept rows; absent when none is kept
 *     points_visited      distances that Algorithm 1 evaluates, per frame
 *     nodes_visited       segments for which it does, per frame: the nodes of the recursion
 *                         trees that have an inner row
 *
 * All follow from the kept rows.  Of an output of another rule the tree is the one by which
 * Algorithm 1 would have come to them.
 */
#include "harness/base/memory.h"
#include "harness/base/sums.h"
#include "harness/problems/outlier.h"
#include "harness/problems/rdp/cut.h"

#include <assert.h>
#include <math.h>

#define Q8 256.0 /* units of disparity per pixel */

/* Sums over columns: of one input while they are taken, of all when values are made:
 * whole numbers, and others.  compared: pixels that have a line to be compared with;
 * off_input: of these, outliers against the input; truth: pixels with one; of these
 * right, input_off_truth. */
/* clang-format off */
#define WHOLES(X)                                                                         \
    X(frames) X(columns) X(pixels) X(valid) X(kept) X(segments) X(segments2)              \
    X(points_visited) X(nodes_visited) X(compared) X(off_input)                           \
    X(truth) X(right) X(input_off_truth)
#define REALS(X) X(error2) X(abs_error) X(error_max) /* 1/256 px */

struct sums {
    WHOLES(SUMS_WHOLE) REALS(SUMS_REAL)
    uint64_t rounds[RDP_MAX_ROWS + 1]; /* columns of so many */
    double useful[RDP_MAX_ROWS + 1];   /* sums of shares in 0..1 */
};

static const struct bench_member members[] = {
    WHOLES(SUMS_IS_WHOLE) REALS(SUMS_IS_REAL)
    SUMS_IS_WHOLE(rounds) SUMS_IS_REAL(useful) {NULL, 0, 0, false}};
/* clang-format on */

/* Distances of the rows inside the leaf (first, last) from its chord. */
static void add_errors(struct sums *sums, const uint16_t *y, int first, int last)
{
    const int32_t length = last - first, dy = y[last] - y[first];

    for (int i = first + 1; i < last; i++) {
        double error;

        if (y[i] == RDP_INVALID)
            continue;
        error = (double)rdp_cost(dy, length, y[first], y[i], i - first) / length;
        sums->abs_error += error;
        sums->error2 += error * error;
        sums->off_input += (uint64_t)is_outlier(error / Q8, y[i] / Q8, OUTLIER_AND);
        if (error > sums->error_max)
            sums->error_max = error;
    }
}

/* A column of the input against the truth, whose rows are 'stride' apart. */
static void add_input_truth(struct sums *sums, const uint16_t *y, int n_rows,
                            const uint16_t *truth, size_t stride)
{
    for (int v = 0; v < n_rows; v++) {
        const uint16_t t = truth[(size_t)v * stride];

        if (t == RDP_INVALID)
            continue;
        sums->truth++;
        sums->input_off_truth +=
            y[v] == RDP_INVALID || is_outlier(fabs(y[v] / Q8 - t / Q8), t / Q8, OUTLIER_AND);
    }
}

/* The rows from first to end - 1 of the leaf (first, last) against the truth; the line has
 * every row, valid or not. */
static void add_leaf_truth(struct sums *sums, const uint16_t *y, int first, int last, int end,
                           const uint16_t *truth, size_t stride)
{
    for (int v = first; v < end; v++) {
        const uint16_t t = truth[(size_t)v * stride];
        const double line =
            y[first] + ((double)y[last] - y[first]) * (v - first) / (last - first);

        sums->right +=
            t != RDP_INVALID && !is_outlier(fabs(line - t) / Q8, t / Q8, OUTLIER_AND);
    }
}

static void add_column(struct sums *sums, struct rdp_walk *walk, const struct rdp_input *in,
                       const struct rdp_output *out, size_t column)
{
    const size_t n_cols = (size_t)in->n_cols, n_rows = (size_t)in->n_rows;
    const size_t n_words = (size_t)rdp_n_words(in->n_rows);
    const uint16_t *const y = in->y + column * n_rows;
    const uint32_t *const kept = out->kept + column * n_words;
    const uint16_t *const truth =
        in->truth ? in->truth + column / n_cols * n_cols * n_rows + column % n_cols : NULL;
    const uint64_t segments = (uint64_t)out->segments[column];
    const int rounds = out->rounds[column];
    struct rdp_node node;
    uint64_t n_valid = 0;
    int bottom;

    assert(rounds >= 1 && rounds <= RDP_MAX_ROWS);
    for (size_t v = 0; v < n_rows; v++)
        n_valid += y[v] != RDP_INVALID;
    for (size_t w = 0; w < n_words; w++)
        sums->kept += (unsigned)__builtin_popcount(kept[w]);
    sums->columns++;
    sums->pixels += n_rows;
    sums->valid += n_valid;
    sums->segments += segments;
    sums->segments2 += segments * segments;
    sums->rounds[rounds]++;
    sums->useful[1] += 1;
    if (truth)
        add_input_truth(sums, y, in->n_rows, truth, n_cols);

    if (!rdp_walk_column(walk, in, column, &node))
        return;
    bottom = node.last;
    sums->compared += n_valid;
    while (rdp_walk_kept(walk, kept, &node)) {
        const int length = node.last - node.first;

        sums->points_visited += (uint64_t)(length - 1);
        sums->nodes_visited += length > 1;
        if (node.depth > 1 && length > 1)
            sums->useful[node.depth] += (double)length / in->n_rows;
        if (node.cut >= 0)
            continue;
        add_errors(sums, y, node.first, node.last);
        /* the end that two leaves share belongs to the upper one */
        if (truth)
            add_leaf_truth(sums, y, node.first, node.last, node.last + (node.last == bottom),
                           truth, n_cols);
    }
}

static double deviation(double sum, double sum2, double n)
{
    const double variance = (sum2 - sum * sum / n) / n; /* of all columns, not of a sample */

    return variance > 0 ? sqrt(variance) : 0;
}

static void write_rounds(const struct sums *s, struct bench_sink *sink)
{
    const double n = (double)s->columns;
    uint64_t rounds = 0, rounds2 = 0;
    int most = 0;

    for (int r = 1; r <= RDP_MAX_ROWS; r++) {
        rounds += s->rounds[r] * (uint64_t)r;
        rounds2 += s->rounds[r] * (uint64_t)r * (uint64_t)r;
        most = s->rounds[r] > 0 ? r : most;
    }
    bench_value(sink, "rounds_mean", -1, (double)rounds / n, "");
    bench_value(sink, "rounds_sd", -1, deviation((double)rounds, (double)rounds2, n), "");
    bench_value(sink, "rounds_max", -1, most, "");
    for (int r = 1; r <= most; r++)
        bench_value(sink, "rounds_hist", r, 100 * (double)s->rounds[r] / n, "%");
    for (int r = 1; r <= most; r++)
        bench_value(sink, "useful_pct", r, 100 * s->useful[r] / n, "%");
}

static void write_values(const struct sums *s, struct bench_sink *sink)
{
    const double n = (double)s->columns, n_segments = (double)s->segments;
    const double n_compared = s->compared > 0 ? (double)s->compared : 1;

    bench_value(sink, "segments", -1, n_segments / n, "");
    bench_value(sink, "segments_sd", -1, deviation(n_segments, (double)s->segments2, n), "");
    write_rounds(s, sink);
    bench_value(sink, "rms_error_px", -1, sqrt(s->error2 / n_compared) / Q8, "px");
    bench_value(sink, "mean_abs_error_px", -1, s->abs_error / n_compared / Q8, "px");
    bench_value(sink, "max_error_px", -1, s->error_max / Q8, "px");
    bench_value(sink, "d1_to_input_pct", -1, 100 * (double)s->off_input / n_compared, "%");
    if (s->truth > 0) {
        const double n_truth = (double)s->truth;

        bench_value(sink, "d1_pct", -1, 100 * (n_truth - (double)s->right) / n_truth, "%");
        bench_value(sink, "input_d1_all_pct", -1, 100 * (double)s->input_off_truth / n_truth,
                    "%");
    }
    bench_value(sink, "invalid_pct", -1,
                100 * (double)(s->pixels - s->valid) / (double)s->pixels, "%");
    if (s->segments > 0)
        bench_value(sink, "pixels_per_segment", -1, (double)s->pixels / n_segments, "px");
    if (s->kept > 0)
        bench_value(sink, "compression", -1, (double)s->valid / (double)s->kept, "");
    bench_value(sink, "points_visited", -1, (double)s->points_visited / (double)s->frames, "");
    bench_value(sink, "nodes_visited", -1, (double)s->nodes_visited / (double)s->frames, "");
}

enum bench_status rdp_sum(const void *input, const void *reference, const void *output,
                          int first_frame, struct bench_sums *sums)
{
    const struct rdp_input *const in = input;
    const size_t n_columns = (size_t)in->n_frames * (size_t)in->n_cols;
    OWNED(memory_free) struct sums *own = NULL;
    struct rdp_walk walk;

    (void)reference; /* always exact */
    (void)first_frame;
    TRY(memory_allocate(&own, sizeof *own, 1, 1, 1, 1));
    own->frames = (uint64_t)in->n_frames;
    for (size_t c = 0; c < n_columns; c++)
        add_column(own, &walk, in, output, c);
    bench_sums_pack(sums, members, own);
    return bench_sums_ok(sums);
}

enum bench_status rdp_values(const struct bench_sums *sums, struct bench_sink *sink)
{
    OWNED(memory_free) struct sums *all = NULL;

    TRY(memory_allocate(&all, sizeof *all, 1, 1, 1, 1));
    bench_sums_unpack(sums, members, all);
    write_values(all, sink);
    return BENCH_OK;
}
