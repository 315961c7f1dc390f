/*
 * doctor.h - one screen of what this machine has for measuring, and of what stops it
 *
 * Each line is what was read now; a line without facts is left out.  Nothing is changed.
 */
#ifndef BENCH_DOCTOR_H
#define BENCH_DOCTOR_H

#include "harness/suite/env.h"

/*
 * Add the lines to 'page', at most 'width' columns wide.  'refused': why the machine could
 * not be opened, which is then all that is known of its GPU; NULL: it was.  'results' is where
 * rows would go. BENCH_EMISMATCH where something stops measuring: the page says what helps.
 */
enum bench_status bench_doctor(struct bench_env *env, const char *refused, const char *data,
                               const char *results, int width, struct text *page);

#endif
