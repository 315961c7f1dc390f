/*
 * energy.h - what a given segmentation of a column costs, in exact arithmetic
 */
#ifndef STIXELS_ENERGY_H
#define STIXELS_ENERGY_H

#include "harness/problems/stixels/stixels.h"

/* A block as stixels.h defines it: means half up. */
struct stixels_block {
    int valid;          /* it has a disparity */
    uint16_t disparity; /* 1/256 px; STIXELS_INVALID where it has none */
    uint8_t confidence; /* 0..255, of valid and invalid blocks */
};

/* The block of block column 'col' at block row v, 0 at the bottom, from its pixels. */
struct stixels_block stixels_block_of(const struct stixels_input *input, int frame, int col,
                                      int v);

/* stixels_energy() finds this of one stixel. */
struct stixels_part {
    struct stixels_plane_double plane; /* fitted anew */
    double cost; /* nat: as that of struct stixel, of that plane; forbidden or not */
    double
        excess; /* nat, >= 0: what the list's own plane costs more, in what eq. 11 minimises */
    /* px that a ground is nearer than the object below, which it may not be; else 0 */
    double nearer_px;
    double slack;   /* nat: of 'cost', what float may leave out, between nearly equal objects */
    int n_weighted; /* rows whose weight is above 0 */
    /* it may not be there, follow the one below or have its class; nearer_px is not in it */
    int forbidden;
};

/*
 * The energy [eq. 1 to 7, 12] of block column 'col' cut into list [n], bottom to top, which
 * covers its rows: rows, geometry and class are read, planes are fitted anew.
 * STIXELS_FORBIDDEN where a geometry may not be there, a transition may not be made or a class
 * is not of its geometry.  Each stixel's share in 'parts' [n] unless NULL, forbidden or not:
 * its own plane is read for 'excess' alone.  From the pixels, without summed tables: slow.
 * Only for models that need nothing of stixels/general.h.
 */
double stixels_energy(const struct stixels_input *input, int frame, int col,
                      const struct stixel *list, int n, struct stixels_part *parts);

#endif
