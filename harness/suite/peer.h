/*
 * peer.h - a program of the user's own as a variant, "ext/NAME"
 *
 * A descriptor names its command; docs/PEERS.md has the lines and files by which it is asked.
 * It computes in a process of its own, which lives from the first setup of a configuration to
 * the last teardown, and takes the time itself.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "harness/measure/impl.h"

#define PEER_FOLDER \
    "experiments/peers" /* below bench_home(): descriptors that are always read */

/* "folder/mine.ini" -> "ext/mine".  BENCH_EINPUT: letters, digits, '.', '_' and '-' alone. */
enum bench_status peer_name(const char *path, char name[64]);

/* Read a descriptor and add its variant to bench_impls: it is there until the process ends.
 * BENCH_EINPUT with file and line; BENCH_EIO, BENCH_ENOMEM. */
enum bench_status peer_add(const char *path);

#endif
