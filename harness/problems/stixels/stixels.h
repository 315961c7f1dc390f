/*
 * stixels.h - the problem "stixels": each column of an image as the cheapest list of slanted
 * stixels
 *
 * Source: [STX] D. Hernandez-Juarez, A. Espinosa, D. Vazquez, A. M. Lopez, J. C. Moure, "3D
 *         Perception With Slanted Stixels on GPU", TPDS 2021.
 * The paper's letters: H, W = height, width; s, t = block_rows, block_cols; h, w = n_rows,
 * n_cols; z = 2 + n_classes.
 *
 * Definition.
 *   1. The image is divided into blocks of block_rows x block_cols pixels, from its top left
 *      corner; what is left over at the bottom and on the right is dropped [STX 4.2].  A
 *      block's disparity is the mean over its valid pixels (those with a disparity and a
 *      confidence above 0) and is valid if they are at least half; its confidence is the mean
 *      over all pixels, invalid ones counting 0; a class probability is the mean over all
 *      pixels. Means are rounded half up.
 *   2. A column of blocks, v = 0 at the bottom, is cut into stixels: rows v_b .. v_t, a
 *      geometry (object, ground, sky), a semantic class among those mapped to the geometry, a
 *      plane D(v) = b v + a. Energy of a stixel:
 *          depth    = (Gaussian part at the best plane) + rows * constants of the class [eq. 7,
 *                     11, 12; or eq. 6]; in a flat model a sum over rows of eq. 6, see below
 *          semantic = weight_semantic * least sum over rows of -log p(class) [eq. 3]; smallest
 *                     id among equals; 0 for a geometry that has no class, which favours it
 *          prior    = beta_mc + transition from the stixel below, or what the bottom stixel
 *                     costs as such
 *      stixels/model.h has every formula, stixels/general.h those that b12 and b6 do not take.
 *   3. Dynamic programming [eq. 8, 9]: best[g][k] = cheapest segmentation of rows 0..k whose
 *      last stixel has geometry g.  Candidates are tried with v_b ascending and, for one v_b,
 *      the geometry below in the order object, ground, sky; only a strictly smaller energy
 *      replaces. The transition reads the plane that is stored with the best segmentation
 *      below. The column's result is the smallest best[g][n_rows - 1], in the order object,
 *      ground, sky. What is forbidden is never a candidate. Sums of energies: data + beta_mc, +
 *      transition, + best below.
 *   An object alone is always possible, so every column has a result.
 *
 * Other models.
 *   direction = top_down
 *       best[g][k] is of rows k .. n_rows - 1, g the geometry of the lowest stixel.  Candidates
 *       are tried with v_t descending, then by the geometry above, in the same order; the
 *       result is the smallest best[g][0].  The transition reads the plane that is stored with
 *       the best segmentation above.
 *   prior = pfeiffer
 *       stixels_pfeiffer() and stixels_pfeiffer_first() replace the linear
 *       transitions.  Sums of energies: data + beta_mc, + first, + transition, + best next to
 *       it.
 *   sigma_rule = stixel Each stixel has a sigma (stixels_sigma2): of the ground at its bottom
 *       row, of an object at its fitted disparity.  The fit itself takes lam_a, lam_b as they
 *       are, with the geometry's own sigma.
 *   zg = truncated
 *       Each stixel has a Z_G, at the disparity of its middle row.  arith = float alone.
 *   flat = yes The ground's plane is the expected road, an object's the mean of its rows (0
 *       without any).  depth is the sum over rows of eq. 6 about it, in 1/1024 nat: for an
 *       object about the mean rounded half up to whole px, at most d_max, with sigma of that
 *       disparity; for the ground with sigma at each row.  Priors read the mean itself.  Such
 *       costs are prefix sums, one for each whole disparity, so that a candidate takes constant
 *       time.
 *
 * arith = exact gives the same bits in every variant; some run other code then than under
 * float.  arith = float is compared with the exact reference: see compare().
 */
#ifndef STIXELS_H
#define STIXELS_H

#include "harness/measure/problem.h"
#include "harness/problems/stixels/model.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

struct camera; /* harness/inputs/plane.h */

/* The key arith: how a variant computes, read from its parameters, no part of the input. */
enum stixels_arith { STIXELS_EXACT, STIXELS_FLOAT };

struct stixels_input {
    int32_t n_frames;      /* >= 1; a batch when > 1 */
    int32_t height, width; /* px, after cropping to whole blocks: multiples of the block */
    int32_t block_rows, block_cols; /* 1..STIXELS_MAX_BLOCK each */
    /* blocks: height / block_rows (1..STIXELS_MAX_ROWS), width / block_cols */
    int32_t n_rows, n_cols;
    int32_t n_classes;           /* 0..STIXELS_MAX_CLASSES; 0: no semantic input */
    struct stixels_model *model; /* [n_frames], since each frame has its camera; owned */
    uint16_t *disparity; /* [n_frames][height][width], 1/256 px, STIXELS_INVALID; owned */
    uint8_t *confidence; /* [n_frames][height][width], 0..255; owned */
    /* [n_frames][n_classes][height][width], 65535 is 1; NULL without classes; owned */
    uint16_t *probability;
    uint16_t *truth; /* [n_frames][height][width], as disparity; NULL: not known; owned */
    /* [n_frames][height][width], 0..n_classes - 1, 255 unlabelled; NULL: not known; owned */
    uint8_t *truth_class;
    size_t dropped_pixels; /* of one frame, left over beyond whole blocks */
};

/* One stixel; a plain value of 20 bytes without padding. */
struct stixel {
    uint16_t v_bottom, v_top; /* block rows, v_bottom <= v_top */
    uint8_t geometry;         /* enum stixels_geometry */
    uint8_t semantic; /* 0..n_classes - 1; STIXELS_NO_CLASS where the geometry has none */
    /* 0; of a column's bottom stixel the rows at which it may have been cut, where those are
     * not all of them */
    uint16_t reserved;
    float a, b; /* D(v) = b v + a, px, v in block rows from the bottom */
    /* nat: the column's energy up to this stixel less that below it (top_down: above) */
    float cost;
};

struct stixels_output {
    int32_t n_frames, n_cols, n_rows;
    /* [n_frames * n_cols + 1]: column c has list[first[c] .. first[c + 1] - 1], bottom
     * to top */
    int32_t *first;
    /* [n_frames * n_cols * n_rows], compact; entries from first[n_frames * n_cols] on are 0 */
    struct stixel *list;
};

extern const struct bench_problem stixels_problem;

/*
 * Below: for the problem's own files, the apply verb and the tests.
 */

/* Numbers of a named model, as its text file gives them
 * (harness/problems/stixels/presets/). */
struct stixels_preset {
    char name[32];
    int data_term;                        /* enum stixels_data_term */
    int weight_squared;                   /* enum stixels_weight_rule; 1: w = c^2 */
    int prior, direction, sigma_rule, zg; /* enums of stixels/model.h */
    int flat;                             /* 1: disparity alone */
    int half_block; /* 1: the expected ground at the centres of block rows */
    /* rows without a disparity: 0 literal (weight 0), 1 pfeiffer (p_invalid), 2 zero */
    int invalid;
    int log_z; /* 1: log of sigma sqrt(pi) for every valid row; 0: left out */
    double sigma[STIXELS_N_GEOMETRIES]; /* px */
    double p_out[STIXELS_N_GEOMETRIES]; /* eq. 6 */
    double p_invalid; /* P(invalid); 0: such rows cost nothing under pfeiffer */
    double p_geometry_given_invalid[STIXELS_N_GEOMETRIES];
    double d_max;    /* px: Z_U */
    double s_a, s_b; /* ground: eq. 7, block units; 0: no prior */
    double weight_semantic, beta_mc;
    double gap_alpha, gap_beta, behind_alpha, behind_beta;
    double hovering_alpha, hovering_beta, ordering_alpha, ordering_beta;
    double plane[STIXELS_N_GEOMETRIES];
    double sigma_alpha, sigma_height, depth_uncertainty;  /* rad, m, m: sigma_rule = stixel */
    double epsilon, p_ord, p_grav, p_blg, ordering_range; /* px, -, -, -, m: prior = pfeiffer */
    uint32_t ground_classes, sky_classes,
        void_classes; /* bit k: class k; the rest are objects */
};

/* The preset called 'name' that is built in, or the file 'name' if that ends in .ini.
 * BENCH_EINPUT with file and line for an unknown, missing, duplicate or impossible value;
 * BENCH_EIO. */
enum bench_status stixels_preset_read(const char *name, struct stixels_preset *preset);

/* True if a name is that of a file: it ends in .ini. */
int stixels_preset_is_file(const char *name);

/* The same from memory; 'path' gives the name and begins messages. */
enum bench_status stixels_preset_parse(const char *text, size_t n_bytes, const char *path,
                                       struct stixels_preset *preset);

/*
 * Everything that the energies depend on: expected ground from the camera in block rows from
 * the bottom, with the half-block shift, the horizon, the constants.  cy counts from the top of
 * the image, whose top n_rows * block_rows rows are used.  BENCH_EINPUT (beginning with 'name',
 * the frame's) for a camera without focal length, baseline or height above the ground.
 */
enum bench_status stixels_model_make(const struct stixels_preset *preset,
                                     const struct camera *camera, const char *name,
                                     int block_rows, int n_rows, int n_classes,
                                     struct stixels_model *model);

/* Allocate an input of whole blocks (all values 0; truth and truth_class when wanted).
 * BENCH_EINPUT for more rows or pixels than there may be, BENCH_ENOMEM. */
enum bench_status stixels_input_new(int n_frames, int height, int width, int block_rows,
                                    int block_cols, int n_classes, int with_truth,
                                    int with_truth_class, struct stixels_input **input);

static inline size_t stixels_n_columns(const struct stixels_output *out)
{
    return (size_t)out->n_frames * (size_t)out->n_cols;
}

/* Stixels that there is room for. */
static inline size_t stixels_capacity(const struct stixels_output *out)
{
    return stixels_n_columns(out) * (size_t)out->n_rows;
}

/*
 * A column is one value.
 *
 * exact: wrong when any field of any stixel differs.
 *
 * float: different when cuts, geometries or classes differ: near-ties may fall otherwise.  What
 * counts is what they cost in exact arithmetic (stixels/energy.h).
 *
 * Wrong: no segmentation of the column; a class that the input has not; anything not finite; an
 *        object or sky with a slope, a sky that is not at 0 px; a geometry, class or neighbour
 *        that is forbidden (a ground may be nearer than the object below it by FLOAT_PLANE_*,
 *        by the planes that fit or by the output's own); a plane that too little was measured
 *        of, further than FLOAT_PLANE_* from the one that stixels/fit.h gives; and any of
 *        these, further off than FLOAT_WRONG_*:
 *     the column's energy (the sum of 'cost') from the reference's; what its cuts and classes
 *     cost, above the reference's; what its planes cost, above what those that fit do: of
 *     hardly any confidence a plane may be off by many px; a stixel's cost from the
 *     reference's, or where the column is cut otherwise from what its stixels cost.
 * Off: any of these four, further off than FLOAT_ENERGY_*, planes than FLOAT_EXCESS_NAT.  What
 *      is wrong in general is wrong in many: one more is wrong when more than FLOAT_OFF_PCT of
 *      the columns (FLOAT_OFF_LONG_PCT of long ones) are off, or when energies, for each column
 *      the worst of the first three, differ by more than FLOAT_MEAN_* on average.
 *
 * Without the input, or for a model of stixels/general.h, what cuts and planes cost is not
 * known.  Then no more than FLOAT_OFF_LONG_PCT may be off in what remains, and no more than
 * FLOAT_DIFFERENT_PCT may differ.  Of those that are cut as the reference's, no more than
 * FLOAT_PLANES_PCT may have a plane further than FLOAT_PLANE_* from the reference's at an end
 * of a stixel.
 *
 * Both: one more is wrong when the list does not begin at 0 or is not 0 behind its end.
 *       max_error is the largest difference of a column's energy by its own account, nat.
 */
void stixels_compare(const struct bench_params *params, const void *input,
                     const void *reference, const void *output,
                     struct bench_difference *difference);

/* bench_problem.compare_other of stixels: an output of another energy.  Wrong is a column that
 * is no segmentation, and a list that does not begin at 0 or is not 0 behind its end; costs may
 * be any.  Different are columns of other cuts, geometries or classes. */
void stixels_compare_other(const struct bench_params *params, const void *input,
                           const void *reference, const void *output,
                           struct bench_difference *difference);

/*
 * The dense images that the stixels of one frame stand for: disparity [height][width] in px at
 * each pixel's own row (the plane at (row's centre), block rows from the bottom; object
 * constant, sky 0, never below 0), and semantic class [height][width] (STIXELS_NO_CLASS where
 * there is none).  Either may be NULL.
 */
void stixels_reconstruct(const struct stixels_input *input, const struct stixels_output *output,
                         int frame, float *disparity_px, uint8_t *semantic);

/* bench_problem.sum and values of stixels: see stixels/measure.c for the names. */
enum bench_status stixels_sum(const void *input, const void *reference, const void *output,
                              int first_frame, struct bench_sums *sums);
enum bench_status stixels_values(const struct bench_sums *sums, struct bench_sink *sink);

/* The class probabilities in 8 bits, as a network may deliver them: 255 times the square root,
 * rounded; [n_frames][n_classes][height][width]. */
void stixels_roots(const struct stixels_input *in, uint8_t *roots);

/* Everybody who walks over an output relies on this: its shape is the input's, each column is a
 * segmentation.  BENCH_EMISMATCH names the first column where that is not so. */
enum bench_status stixels_check_output(const struct stixels_input *in,
                                       const struct stixels_output *out);

/* The stixels of column c of all, from the bottom, and how many they are; -1: 'first' makes no
 * sense there.  compare.c has this and the two below. */
int stixels_column(const struct stixels_output *out, size_t c, const struct stixel **list);

/* True if they are a segmentation of the rows 0 .. n_rows - 1 with classes below n_classes.  If
 * they are not, 'why' is the first thing that is wrong. */
int stixels_is_segmentation(const struct stixel *list, int n, int n_rows, int n_classes,
                            char *why, size_t size);

/* True if two have the same cuts, geometries and classes. */
int stixels_same_cuts(const struct stixel *reference, int n_reference,
                      const struct stixel *output, int n_output);

__END_DECLS

#endif
