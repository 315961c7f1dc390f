/* dataset_private.h - what dataset.c and dataset_read.c share */
#ifndef INPUTS_DATASET_PRIVATE_H
#define INPUTS_DATASET_PRIVATE_H

#include "harness/inputs/dataset.h"

#define MAX_FRAMES 100000 /* far above any data set; keeps sizes and counts in an int */
#define MAX_STARS  8      /* of a pattern with companions */

extern const char *const dataset_companion_name[]; /* "truth", "confidence" ... */

#endif
