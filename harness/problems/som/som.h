/*
 * som.h - the problem "som": deform a hexagonal mesh until it follows the density of a
 * disparity map
 *
 * Source: [SOM] H. Wang, N. Zhang, J.-C. Creput, J. Moreau, Y. Ruichek, "Parallel Structured
 *         Mesh Generation with Disparity Maps by GPU Implementation".
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
 *          pull one after the other, in the order of a random word of each cell (then of its
 *          number); in the order of the cells the mesh is dragged and folds.  The result
 *          depends on the seed alone: every variant must give the same bits.
 * update = live: a search sees what others have already pulled, as in the paper's single
 *          kernel.  The result depends on the order in which a machine happens to run: outputs
 *          are compared by %cost and folded triangles.
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
#include <sys/cdefs.h>

__BEGIN_DECLS

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
    double alpha[2], sigma[2]; /* of the first round and after the last */
    uint8_t *grey; /* [n_frames][height][width], 0 for background; owned, as all that follow */
    float *rate;   /* [n_rounds][max_radius + 1]: alpha exp(-d^2 / sigma^2) by the distance d */
    int32_t *radius;     /* [n_rounds]: floor(sigma) */
    double *grey_per_px; /* [n_frames]: levels per px of disparity */
    int32_t *threshold;  /* [n_frames]: levels of the map up to this are background */
};

/* Counts of a map.  A mesh that is no network has its vertices counted as updates,
 * SOM_NO_NETWORK as misses, and one of the enum as left out. */
struct som_counts {
    uint64_t updates;  /* data points that found a winner */
    uint64_t misses;   /* that found none */
    uint64_t left_out; /* neurons that found no room in a cell's list, over all refreshes */
};

#define SOM_NO_NETWORK UINT64_MAX
/* triangles: Delaunay's (som/greedy), or halves of squares (rtin.h); 'free': with levels over
 * the background that are not the map's */
enum som_kind { SOM_DELAUNAY, SOM_RTIN_KEPT, SOM_RTIN_FREE };

struct som_output {
    int n_frames, n_neurons;

    /* [n_frames][grid_rows][grid_cols][2]: x, y in px from the map's upper left corner.  Of a
     * mesh that is no network: centres of pixels, in the order in which delaunay.h links them,
     * the map's corners first, or row by row, also beyond the map (rtin.h); 0, 0 behind the
     * last. */
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

/* The map of a frame, [height][width]. */
static inline const uint8_t *som_grey(const struct som_input *in, int frame)
{
    return in->grey + (size_t)frame * som_n_pixels(in);
}

/* The mesh of a frame, [grid_rows][grid_cols][2]. */
static inline float *som_position(const struct som_output *out, int frame)
{
    return out->position + (size_t)frame * (size_t)out->n_neurons * 2;
}

static inline int som_is_network(const struct som_output *out, int frame)
{
    return out->counts[frame].misses != SOM_NO_NETWORK;
}

/* The number of a neuron's k-th neighbour, k of som_neighbour; -1: it is not in the network. */
static inline int som_linked(const struct som_input *in, int neuron, int k)
{
    int x, y;

    som_neighbour(neuron % in->grid_cols, neuron / in->grid_cols, k, &x, &y);
    return x < 0 || x >= in->grid_cols || y < 0 || y >= in->grid_rows ? -1
                                                                      : y * in->grid_cols + x;
}

/*
 * The triangle of a neuron and its neighbours k and k + 1, which goes counter-clockwise
 * in a mesh that is not folded; 0: it is not in the network.  Each triangle has two corners in
 * one row: the third names it with k = 1 or 4, so that each comes once.
 */
static inline int som_triangle(const struct som_input *in, int neuron, int k, int corner[3])
{
    corner[0] = neuron;
    corner[1] = som_linked(in, neuron, k);
    corner[2] = som_linked(in, neuron, (k + 1) % 6);
    return corner[1] >= 0 && corner[2] >= 0;
}

/* The grey levels of all disparities, 1/256 px, of a frame's map; 0 is background, as what is
 * not measured. */
#define SOM_N_DISPARITIES 65536
void som_levels(const struct som_input *in, int frame, uint8_t level[SOM_N_DISPARITIES]);

/* A key of meshes that are none of the network's. */
#define SOM_BACKGROUND_KEY                                                                    \
    {                                                                                         \
        "background", "kept", "",                                                             \
            "level 0, as near as any other; or whatever the mesh has there", BENCH_CHOICE, 0, \
            0, "kept|free"                                                                    \
    }

/* BENCH_ESKIP where a map has no corners for such a mesh, or the network fewer neurons. */
enum bench_status som_has_corners(const struct som_input *in);

/* Positions at the start: a regular network over the map, [grid_rows][grid_cols][2]. */
void som_first_positions(const struct som_input *in, float *position);

/*
 * The lots of single steps.  som_sum_density returns the density of a frame's map; prefix[i],
 * unless NULL, is that of its pixels up to i, row by row.  som_draw: the pixel of a step, each
 * of n_pixels as likely as it is dense [eq. 5], by 64 random bits; not for an empty map.
 */
uint64_t som_sum_density(const struct som_input *in, int frame, uint64_t *prefix);
size_t som_draw(const uint64_t *prefix, size_t n_pixels, uint64_t seed, uint64_t step);

__END_DECLS

#endif
