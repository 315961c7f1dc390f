/*
 * cells.h - the cells of a mesh as tables: the neurons that each lists, and what searches visit
 *
 * Source: [SOM] sect. 4.1, 4.2 and 5.3, Figs. 5 to 7; the lists are those of a refresh (som.h).
 */
#ifndef SOM_CELLS_H
#define SOM_CELLS_H

#include "harness/base/text.h"
#include "harness/problems/som/som.h"

#define SOM_N_SEARCHES 16

/*
 * A row for each neuron that a cell lists: the cell, how many neurons its list has before this
 * one, the neuron and its position, and where it stands in memory under either order of
 * som/gpu-paper: mov1, in an array of columns and in one of rows, the k-th neurons of all cells
 * side by side; mov2, in one of pairs, the whole list of a cell.
 */
enum bench_status som_cells_table(const struct som_input *in, const float *position,
                                  struct text *text);

/* A row for each cell that a search visits, in order: the point, the cell, its ring around that
 * of the point, how many neurons it lists, and the nearest neuron so far, -1: none.  The points
 * are the first SOM_N_SEARCHES that som_draw() gives of the map; none of one without density. */
enum bench_status som_searches_table(const struct som_input *in, const float *position,
                                     struct text *text);

#endif
