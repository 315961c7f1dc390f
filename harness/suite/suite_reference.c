/*
 * suite_reference.c - references that processes of one build hand on to each other in files
 *
 * A reference on one core may take a hundred times as long as what it verifies, and each of
 * five processes would make it anew.  A file is of one build, variant, parameters and input,
 * which stand in its first line; its name is their hash, and its last bytes are that of the
 * output.  What does not fit is made anew.
 */
#include "harness/suite/suite_private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#define MOST_BYTES (64u << 20) /* of a file: a larger one takes as long to read as to make */

/* "HASH rdp/serial eps=4;height=1024 INPUT 1234": what it is of, and its blocks' bytes. */
static void add_title(const struct run *run, const struct bench_impl *reference,
                      const struct bench_params *params, uint64_t input, const void *output,
                      struct text *title)
{
    struct bench_block block[BENCH_MAX_BLOCKS];
    char keys[BENCH_CONFIG_TEXT];
    const int n = run->group.problem->output_blocks(output, block);

    bench_params_text(params, keys, sizeof keys);
    text_format(title, "%s %s %s %016llx", run->env->build->hash, reference->name, keys,
                (unsigned long long)input);
    for (int i = 0; i < n; i++)
        text_format(title, " %zu", block[i].bytes);
    text_add(title, "\n");
}

/* Fills an output from a file's bytes behind the title; false: they are not all there. */
static bool fill(const struct bench_problem *problem, const char *at, size_t n_bytes,
                 void *output)
{
    struct bench_block block[BENCH_MAX_BLOCKS];
    const int n = problem->output_blocks(output, block);
    const char *const begin = at;
    XXH64_hash_t hash;

    for (int i = 0; i < n; i++) {
        if ((size_t)(at - begin) + block[i].bytes > n_bytes)
            return false;
        memcpy(block[i].data, at, block[i].bytes);
        at += block[i].bytes;
    }
    hash = XXH64(begin, (size_t)(at - begin), 0);
    return (size_t)(at - begin) + sizeof hash == n_bytes && !memcmp(at, &hash, sizeof hash);
}

static enum bench_status write_file(const struct bench_problem *problem, const char *path,
                                    const struct text *title, const void *output)
{
    struct bench_block block[BENCH_MAX_BLOCKS];
    const int n = problem->output_blocks(output, block);
    OWNED(text_free) struct text text = {0};
    XXH64_hash_t hash;

    text_bytes(&text, title->data, title->size);
    for (int i = 0; i < n; i++)
        text_bytes(&text, block[i].data, block[i].bytes);
    TRY(text_ok(&text));
    if (text.size > MOST_BYTES)
        return BENCH_OK;
    hash = XXH64(text.data + title->size, text.size - title->size, 0);
    text_bytes(&text, &hash, sizeof hash);
    TRY(text_ok(&text));
    return text_replace_file(path, &text);
}

enum bench_status suite_reference(const struct run *run, const struct bench_impl *reference,
                                  const struct bench_params *params, int at)
{
    const struct group *const g = &run->group;
    const char *const folder = run->options->references;
    OWNED(text_free) struct text title = {0};
    OWNED(text_free) struct text kept = {0};
    char path[4400];

    if (folder) {
        add_title(run, reference, params, bench_hash_input(g->problem, g->inputs[at], 0),
                  g->references[at], &title);
        TRY(text_ok(&title));
        snprintf(path, sizeof path, "%.4300s/%016llx.reference", folder,
                 (unsigned long long)XXH64(title.data, title.size, 0));
        if (access(path, R_OK) == 0 && !text_read_file(path, &kept) && kept.size > title.size &&
            !memcmp(kept.data, title.data, title.size) &&
            fill(g->problem, kept.data + title.size, kept.size - title.size, g->references[at]))
            return BENCH_OK;
        bench_failure_clear();
    }
    TRY(bench_once(reference, params, run->host.machine.n_cores, run->env->device,
                   g->inputs[at], g->references[at]));
    return folder ? write_file(g->problem, path, &title, g->references[at]) : BENCH_OK;
}
