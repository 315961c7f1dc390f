/* cells.h - the cells of a mesh as tables [SOM sect. 4.1, 4.2, 5.3; Figs. 5 to 7] */
#ifndef SOM_CELLS_H
#define SOM_CELLS_H

#include "harness/base/text.h"
#include "harness/problems/som/som.h"

#define SOM_N_SEARCHES 16

/* A row for each neuron that a cell lists: the cell, how many neurons are before this one, the
 * neuron, its position, and its place in som/gpu-paper's memory under either order (mov). */
enum bench_status som_cells_table(const struct som_input *in, const float *position,
                                  struct text *text);

/* A row for each cell that a search visits: the point, one of the first SOM_N_SEARCHES that
 * som_draw() gives; the cell, its ring, and the nearest neuron so far with its distance. */
enum bench_status som_searches_table(const struct som_input *in, const float *position,
                                     struct text *text);

#endif
