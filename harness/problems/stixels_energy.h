/* stixels_energy.h - what a given segmentation of a column costs, in exact arithmetic; for stixels.c and tests */
#ifndef STIXELS_ENERGY_H
#define STIXELS_ENERGY_H

#include "harness/problems/stixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The energy [eq. 1 to 7, 12] of block column 'col' cut into list [n], bottom to top, which covers its rows: rows, geometry and
 * class are read, planes are fitted anew, into planes [n] unless NULL.  STIXELS_FORBIDDEN where a geometry may not be there,
 * a transition may not be made or a class is not of its geometry; planes are fitted all the same.  From the pixels, without
 * summed tables: slow.  Only for models that need nothing of stixels_general.h.
 */
double stixels_energy(const struct stixels_input *input, int frame, int col,
                      const struct stixel *list, int n, struct stixels_plane_double *planes);

#ifdef __cplusplus
}
#endif

#endif
