/*
 * config.h - what a configuration is, as a text, for descriptors and for rows
 *
 * Each key of plan.c that has a column of rows is a part of it, and so is each key of the
 * problem and of the variant.
 */
#ifndef BENCH_CONFIG_H
#define BENCH_CONFIG_H

#include "harness/base/status.h"
#include "harness/base/text.h"
#include "harness/suite/experiment.h"

/* Append all keys of a variant and its problem, "eps=4;height=1024": as 'given' has them or by
 * their defaults, numbers in one way, then whatever else is given.  'problem' is asked for
 * where the variant is not known.  BENCH_ENOMEM. */
enum bench_status config_keys(const char *impl, const char *problem, const char *given,
                              struct text *keys);

/* Append "rdp/serial;input=street;eps=8": the variant, and what is not at its default, of
 * 'plan', keys of the harness with their values, then of 'keys', which config_keys() made.  A
 * new key changes no older text.  BENCH_ENOMEM. */
enum bench_status config_identity(const char *impl, const char *problem, const char *plan,
                                  const char *keys, struct text *identity);

/* The same of a descriptor's configuration. */
enum bench_status config_text(const struct bench_config *config, struct text *identity);

/* Append how a configuration is measured, as far as no column of rows says it. */
void config_plan_text(const struct bench_plan *plan, bool realtime, struct text *text);

/* Team, multiprocessors and power mode: a descriptor may leave them open, so that the identity
 * has none of them. */
bool config_is_open(const struct bench_key *key);

#endif
