/*
 * som.h - the problem "som": deform a hexagonal mesh until it follows the density of a
 * disparity map
 *
 * Source: [SOM] H. Wang, N. Zhang, J.-C. Creput, J. Moreau, Y. Ruichek, "Parallel Structured
 * Mesh Generation with Disparity
 *         Maps by GPU Implementation".
 *
 * The map is grey: 0 .. 255, larger is nearer.  Its density is the cube of a level above the
 * map's threshold, else 0.  A network of W / g x H / g neurons (rounded half up), each linked
 * to six, lies over it; each neuron has a position in px.  Cells of co x co px (the last ones
 * smaller) divide the map.  One round, of 'n_rounds':
 *
 *     refresh    in the first round and each 'refresh_rate' rounds: each cell lists the neurons
 *                that lie in it, by id, at most 'cell_capacity' of them; the others are counted
 *     extraction a cell is active with the probability of its density over that of the densest
 *                cell, times delta [eq. 6].  It then draws one of its pixels, each as likely as
 *                it is dense [eq. 7]: the pixel's centre is a data point
 *     search     finds the winner, the nearest neuron of the lists, the smaller id of equals:
 *                first in the point's own cell, then in the cells around it, ring after ring to
 *                'search_range', as long as a ring may hold a nearer one.  A search that finds
 *                none is counted, and the round does nothing for that cell
 *     learning   neurons within floor(sigma) links of the winner are pulled towards the point
 *                [eq. 3]
 *
 * sigma and alpha shrink geometrically from round to round [sect. 3].  A pull takes the share
 * alpha exp(-d^2 / sigma^2) [eq. 4] of the way; it is a table of the input, so no variant calls
 * exp.  Frame f of a batch draws with the seed + f.
 *
 * update = snapshot: all searches of a round see the mesh as the round began.  Then the cells
 * pull
 *          one after the other, in the order of a random word of each cell (then of its
 *          number).  The result depends on the seed alone: every variant must give the same
 *          bits.  The order must be random: in the order of the cells the mesh is dragged and
 *          folds.
 * update = live: a search sees what others have already pulled, as in the paper's single
 * kernel.
 *          The result depends on the order in which a machine happens to run: outputs are
 *          compared by %cost and folded triangles.
 *
 * The paper's counterpart on one core is another algorithm: n_rounds x cells single steps, each
 * of which draws a pixel of the whole map.  It is its own reference.
 *
 * %cost [eq. 1, 2].  Every third neuron of a row, shifted from row to row, makes a honeycomb of
 * six triangles with its six neighbours; honeycombs tile the plane.  W_k is the density of the
 * pixels whose centres lie in triangles of honeycomb k, and %cost = 100 sum |W_k - mean| / (K
 * mean).  It is exact: positions are rounded to 1/256 px, edges are whole numbers.
 */
#ifndef SOM_H
#define SOM_H

#include "harness/measure/problem.h"
#include "harness/problems/som/model.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum som_update { SOM_SNAPSHOT, SOM_LIVE };

struct som_input {
    int32_t n_frames;             /* >= 1; a batch when > 1 */
    int32_t width, height;        /* px of each map, 1..SOM_MAX_SIDE */
    int32_t grid_cols, grid_rows; /* neurons, >= 1 */
    int32_t cell_size;            /* px, 1..SOM_MAX_CELL: co */
    int32_t cell_cols, cell_rows; /* cells, >= 1 */
    int32_t n_rounds;             /* 1..SOM_MAX_ROUNDS: t_max */
    int32_t search_range;         /* rings: SSR; SOM_NO_BOUND */
    int32_t refresh_rate;         /* rounds, >= 1: CRR */
    int32_t cell_capacity;        /* neurons, >= 1: MNPC */
    int32_t update;               /* enum som_update */
    uint32_t delta_q16;           /* 1/65536, 1..65536: delta */
    int32_t max_radius;           /* links: floor(sigma) of the first round, 0..SOM_MAX_SIGMA */
    uint32_t reserved;            /* 0 */
    uint64_t seed;
    double alpha[2], sigma[2]; /* of the first round, and what they come to after the last */
    uint8_t *grey; /* [n_frames][height][width], 0 for background; owned, as all that follow */
    float *rate;   /* [n_rounds][max_radius + 1]: alpha exp(-d^2 / sigma^2) by the distance d */
    int32_t *radius; /* [n_rounds]: floor(sigma) */
    /* where positions are in space, for pictures and meshes: per frame; 0 where it is not
     * known */
    double *focal_px, *baseline_m, *grey_per_px; /* [n_frames] */
};

/* What was counted in a map. */
struct som_counts {
    uint64_t updates;  /* data points that found a winner */
    uint64_t misses;   /* that found none */
    uint64_t left_out; /* neurons that found no room in a cell's list, over all refreshes */
};

struct som_output {
    int n_frames, n_neurons;

    /* [n_frames][grid_rows][grid_cols][2]: x, y in px from the map's upper left corner */
    float *position;
    struct som_counts *counts; /* [n_frames] */
};

extern const struct bench_problem som_problem;

/*
 * Below: for the problem's own files, `depthbench apply` and the tests.
 */

static inline size_t som_n_pixels(const struct som_input *in)
{
    return (size_t)in->width * (size_t)in->height;
}

static inline int som_n_cells(const struct som_input *in)
{
    return in->cell_cols * in->cell_rows;
}

static inline int som_n_neurons(const struct som_input *in)
{
    return in->grid_cols * in->grid_rows;
}

/*
 * Allocate an input for maps of width x height px, grid factor g and cells of co px: grey is 0
 * everywhere, what is not given here has the keys' defaults, the tables are not filled.
 * BENCH_EINPUT for sizes out of range, BENCH_ENOMEM.  som_input_free and som_output_free take
 * NULL and half-built ones.
 */
enum bench_status som_input_new(int n_frames, int width, int height, int grid_factor,
                                int cell_size, int n_rounds, struct som_input **input);
/* Fill rate, radius and max_radius (of the larger sigma) from n_rounds, alpha (above 0, up to
 * 1) and sigma (above 0, below SOM_MAX_SIGMA + 1).  BENCH_EINPUT, BENCH_ENOMEM. */
enum bench_status som_input_tables(struct som_input *input);
enum bench_status som_output_new(const struct som_input *input, struct som_output **output);
void som_input_free(void *input);
void som_output_free(void *output);

/* Positions at the start: a regular network over the map, [grid_rows][grid_cols][2]. */
void som_first_positions(const struct som_input *in, float *position);

#ifdef __cplusplus
}
#endif

#endif
