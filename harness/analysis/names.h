/*
 * names.h - rows whose names may be part of a path, of a drawing and of a line at the terminal
 */
#ifndef ANALYSIS_NAMES_H
#define ANALYSIS_NAMES_H

#include "harness/record.h"

#include <stdio.h>

/*
 * Leave out the rows of a file whose machine, commit, host, variant or input is no name (record_is_name); empty is fine.  The first
 * one and how many there are goes to 'notes', unless that is NULL.
 */
void names_check(const char *path, struct record_table *rows, FILE *notes);

#endif
