/*
 * measure.h - how good a mesh of som is, and the problem's values that are no time
 */
#ifndef SOM_MEASURE_H
#define SOM_MEASURE_H

#include "harness/measure/problem.h"
#include "harness/problems/som/delaunay.h"
#include "harness/problems/som/som.h"

#include <stddef.h>

/* The quality of the mesh over one map. */
struct som_quality {
    /* %cost; NaN without a honeycomb or density in any: eq. 2 divides by their mean */
    double cost_pct;
    /* density in honeycombs over that of the map, folds count twice; 0 for an empty map */
    double coverage_pct;
    /* complete ones: K */
    int n_honeycombs;
    /* of the whole network; of these, those turned over, and those without area */
    size_t n_triangles, n_folded, n_flat;
};

/*
 * The grey level of the pixel that a position of frame 0 .. lies in, with which it has its
 * place on the surface; a position is rounded to 1/256 px, and on the right or lower border of
 * the map it lies in the last pixel.  0: over background or outside of the map.
 */
uint8_t som_level_at(const struct som_input *in, int frame, const float *position);

/*
 * The quality of 'position' ([grid_rows][grid_cols][2]; NULL: the network as it begins) over a
 * frame of 'in', exact to the rounding of the two divisions.  BENCH_EMISMATCH for a position
 * that is no number or beyond 1e6 px, with the neuron's name; BENCH_ENOMEM; *quality is not
 * written then.
 */
enum bench_status som_quality_of(const struct som_input *in, int frame, const float *position,
                                 struct som_quality *quality);

/*
 * The triangles of a mesh that is no network, once more from its vertices; the caller's to
 * release, whatever is returned.  BENCH_EMISMATCH where these cannot be ones (som.h), with the
 * vertex; BENCH_ENOMEM.
 */
enum bench_status som_delaunay_of(const struct som_input *in, const struct som_output *out,
                                  int frame, struct delaunay *d);

/* bench_problem.sum and values of som: see som/measure.c for the names. */
enum bench_status som_sum(const void *input, const void *reference, const void *output,
                          int first_frame, struct bench_sums *sums);
enum bench_status som_values(const struct bench_sums *sums, struct bench_sink *sink);

#endif
