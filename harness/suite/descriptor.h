/* descriptor.h - the files of one descriptor, as entries: key = value and where that stands */
#ifndef BENCH_DESCRIPTOR_H
#define BENCH_DESCRIPTOR_H

#include "harness/base/ini.h"
#include "harness/base/params.h"
#include "harness/base/status.h"

#include <stdbool.h>

#define DESCRIPTOR_MAX_FILES 32  /* with all that is included */
#define ENTRY_WHERE          640 /* "PATH:LINE" or "-S key=value" */

/* One key = value that counts for a section, and where it stands.  Text is borrowed. */
struct entry {
    const char *key, *value;
    const char *path; /* NULL: an -S assignment */
    const char *assignment;
    int line;
};

#define MAX_ENTRIES 256 /* that count for a section: more than there are, and few to search */

struct entries {
    struct entry item[MAX_ENTRIES];
    int n;
};

struct descriptor {
    struct ini_file file[DESCRIPTOR_MAX_FILES]; /* owned; [0] is the descriptor itself */
    int n_files;
    struct entries global;      /* [global] with what it includes */
    struct entries assignments; /* -S, the last of each key */
    struct ini_file given;      /* keys and values of these; owned */
};

/* A key whose value is any text. */
#define KEY_OF_TEXT(name)                            \
    {                                                \
        name, NULL, "", "", BENCH_CHOICE, 0, 0, NULL \
    }

/* Keys about the descriptor itself, for the spelling check. */
extern const struct bench_key descriptor_keys[];

/*
 * Read a descriptor, the files that its [global] includes, before it, and n assignments
 * "key=value".  BENCH_EINPUT with file, line and a sentence; BENCH_EIO, BENCH_ENOMEM.
 * *descriptor is all 0; the caller owns it, also after a failure: descriptor_free.
 */
enum bench_status descriptor_read(const char *path, const char *const *assignments, int n,
                                  struct descriptor *descriptor);
void descriptor_free(struct descriptor *descriptor); /* a zeroed one is fine */

/* True if a key is about the descriptor and no configuration: it stands in [global] alone,
 * `like` in a section alone. */
bool descriptor_has(const char *key);

struct entry entry_of(const struct ini_file *ini, const struct ini_fact *fact);
/* Add an entry: at the end, and one of the same key that stands there already goes; or in the
 * place of that one. */
enum bench_status entries_put(struct entries *entries, const struct entry *entry);
enum bench_status entries_replace(struct entries *entries, const struct entry *entry);
const struct entry *entries_find(const struct entries *entries, const char *key);

/* "FILE:LINE", or "-S key=value", for a sentence. */
const char *entry_where(const struct entry *entry, char where[ENTRY_WHERE]);
#define WHERE(entry) entry_where(entry, (char[ENTRY_WHERE]){0})
#define ENTRY_FAIL(entry, format, ...) \
    BENCH_FAIL(BENCH_EINPUT, "%s: " format, WHERE(entry), __VA_ARGS__)
#define ENTRY_REFUSE_IF(condition, entry, format, ...) \
    REFUSE_IF(condition, "%s: " format, WHERE(entry), __VA_ARGS__)
enum bench_status entry_refuse_empty(const struct entry *entry);

/* ---- axis.c: the values of one key, "256, 512", "256-1024+256", "256-1024*2" ---- */

struct axis {
    const struct bench_key *key;
    const struct entry *entry;
    struct bench_param *value; /* [n], distinct, in order; owned */
    int n;
};

/* All values of the entry's list; BENCH_EINPUT with a sentence that says where it stands.
 * Caller frees axis->value, also after a failure. */
enum bench_status axis_read(struct axis *axis, const struct bench_key *key,
                            const struct entry *entry);

#endif
