/*
 * traits.h - what tells configurations apart, "impl=rdp/serial;height=1024;...", as the view
 * 'described' has it
 */
#ifndef ANALYSIS_TRAITS_H
#define ANALYSIS_TRAITS_H

#include "harness/base/text.h"

#include <stdbool.h>

/* Append, with blanks between them, those traits of 'one' that all n lists have ('shared'), or
 * those that tell it apart: where another list has another value, or lacks the trait though its
 * first one, the variant, is the same. */
void traits_add(const char *one, const char *const *all, int n, bool shared, struct text *text);

#endif
