/* keys.h - from the facts of a descriptor to the members of a struct, by a table of keys */
#ifndef INPUTS_KEYS_H
#define INPUTS_KEYS_H

#include "harness/base/ini.h"
#include "harness/inputs/plane.h"

#include <stddef.h>

enum key_type {
    KEY_INT,  /* int, in min..max */
    KEY_REAL, /* double, in min..max */
    KEY_SEED, /* uint64_t */
    KEY_WORD, /* int or enum: the number of the word in 'words' */
    KEY_BITS, /* int[2]: the two bits of that number */
    KEY_TEXT, /* char[size] */
    KEY_PATHS /* char[][item_size]: paths below a folder, the first empty one ends them */
};

/* One row per key: where its value goes and what it may be. */
struct key {
    const char *name;
    enum key_type type;
    unsigned kinds;      /* the bits of the kinds of descriptors that know it; 0: all do */
    size_t offset, size; /* of the member, in bytes */
    double min, max;     /* KEY_INT, KEY_REAL */
    const char *words;   /* "easy|normal|hard" */
    size_t item_size;    /* KEY_PATHS */
};

/*
 * Set the members of 'into' from all facts.  'kind' is the descriptor's bit of key.kinds,
 * 'what' ends up in "WHAT has no sections".  BENCH_EINPUT names file and line; an unknown key
 * names the nearest one.
 */
enum bench_status keys_read(const struct ini_file *ini, const struct key *keys, size_t n_keys,
                            unsigned kind, const char *what, void *into);

/* The members of the struct camera at 'place', px, metres and radians. */
#define CAMERA_KEYS(kinds, place)                                   \
    CAMERA_KEY(kinds, place, "fx", fx_px, 0, 1e6),                  \
        CAMERA_KEY(kinds, place, "fy", fy_px, 0, 1e6),              \
        CAMERA_KEY(kinds, place, "cx", cx_px, -1e6, 1e6),           \
        CAMERA_KEY(kinds, place, "cy", cy_px, -1e6, 1e6),           \
        CAMERA_KEY(kinds, place, "baseline_m", baseline_m, 0, 1e3), \
        CAMERA_KEY(kinds, place, "height_m", height_m, 0, 1e3),     \
        CAMERA_KEY(kinds, place, "pitch_rad", pitch_rad, -1.5, 1.5)
#define CAMERA_KEY(kind, place, key, member, least, most)                              \
    {                                                                                  \
        .name = key, .type = KEY_REAL, .kinds = kind,                                  \
        .offset = (place) + offsetof(struct camera, member), .min = least, .max = most \
    }

/* "kitti.ini:12: scale = x: EXPECTED" */
#define KEYS_REFUSE(ini, fact, expected)                                                   \
    BENCH_FAIL(BENCH_EINPUT, "%s:%d: %s = %s: %s", (ini)->path, (fact)->line, (fact)->key, \
               (fact)->value, (expected))

/* "experiments/inputs/kitti-sgm.ini" -> "kitti-sgm".  BENCH_EINPUT for one that is empty or too
 * long: "PATH: the name of WHAT must have 1..31 letters". */
enum bench_status keys_name(const char *path, const char *what, char name[], size_t size);

/* A path below the data folder: not absolute, no part of it empty, "." or "..". */
int keys_is_safe_path(const char *path);

#endif
