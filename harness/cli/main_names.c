/* main_names.c - what words of a command line name: experiments and what of them is asked for,
 * folders of results.  What is misspelt is told what is near. */
#include "harness/cli/main_private.h"

#include "harness/base/memory.h"
#include "harness/suite/peer.h"

#include <stdio.h>
#include <unistd.h>

/* ---- variants ---- */

enum bench_status main_variant(const char *name, const struct bench_impl **impl)
{
    struct nearest near = nearest_to(name);

    *impl = bench_find_impl(name);
    if (*impl)
        return BENCH_OK;
    bench_offer_impls(&near);
    return BENCH_FAIL(BENCH_EINPUT, "no variant '%s'%s (depthbench list names them)", name,
                      nearest_text(&near));
}

enum bench_status main_check_variant(const struct bench_impl *impl, const struct bench_env *env)
{
    FAIL_IF(!bench_is_built(impl), BENCH_ESKIP,
            "%s is not in this build: it was built without %s", impl->name, bench_lacks(impl));
    FAIL_IF(impl->target == BENCH_CUDA && !env->device, BENCH_ESKIP, "%s needs a GPU: %s",
            impl->name, env->no_device);
    return BENCH_OK;
}

/* ---- experiments ---- */

/* "HOME/experiments/rdp/fig9.ini" becomes "rdp/fig9"; false: it is no experiment. */
static bool name_experiment(char *path)
{
    char *const name = memrchr(path, '/', (size_t)(listing_name(path) - path) - 1);

    if (!strcmp(listing_name(path), "figures.ini"))
        return false;
    memmove(path, name + 1, strlen(name));
    path[strlen(path) - strlen(".ini")] = '\0';
    return true;
}

static bool is_paper(char *path)
{
    return bench_choice("inputs|claims|peers", listing_name(path)) < 0 && main_is_folder(path);
}

enum bench_status main_experiments(struct listing *names)
{
    char root[4300];
    OWNED(listing_free) struct listing folders = {0};

    snprintf(root, sizeof root, "%s/experiments", bench_home());
    *names = (struct listing){0};
    TRY(listing_read(root, "", &folders));
    listing_keep(&folders, is_paper);
    for (int i = 0; i < folders.n; i++) {
        OWNED(listing_free) struct listing files = {0};

        TRY(listing_read(folders.path[i], ".ini", &files));
        listing_keep(&files, name_experiment);
        for (int k = 0; k < files.n; k++)
            TRY(listing_add(names, files.path[k]));
    }
    return BENCH_OK;
}

enum bench_status main_descriptors(struct listing *paths)
{
    OWNED(listing_free) struct listing names = {0};

    TRY(main_experiments(&names));
    for (int i = 0; i < names.n; i++) {
        char path[4400];

        snprintf(path, sizeof path, "%s/experiments/%.80s.ini", bench_home(), names.path[i]);
        TRY(listing_add(paths, path));
    }
    return BENCH_OK;
}

enum bench_status main_peers(const struct arguments *a)
{
    const char *rest = a->peers;
    char element[TEXT_ELEMENT], name[64];
    OWNED(listing_free) struct listing files = {0};

    for (const char *path; (path = text_next(&rest, element)) != NULL;)
        TRY(peer_add(path));
    snprintf(element, sizeof element, "%s/" PEER_FOLDER, bench_home());
    TRY(listing_read(element, ".ini", &files));
    for (int i = 0; i < files.n; i++) {
        TRY(peer_name(files.path[i], name));
        if (!bench_find_impl(name))
            TRY(peer_add(files.path[i]));
    }
    return BENCH_OK;
}

/* "ext/a,ext/b" of --peer; "": none. */
static void name_peers(const struct arguments *a, char names[1024])
{
    const char *rest = a->peers;
    char element[TEXT_ELEMENT], name[64];
    size_t n = 0;

    names[0] = '\0';
    for (const char *path; n < 1024 - sizeof name && (path = text_next(&rest, element));)
        if (!peer_name(path, name))
            n += (size_t)snprintf(names + n, 1024 - n, "%s%s", n > 0 ? "," : "", name);
}

static enum bench_status no_experiment(const struct arguments *a, const char *wrong)
{
    struct nearest near = nearest_to(wrong);
    OWNED(listing_free) struct listing names = {0};

    if (main_experiments(&names) == BENCH_OK)
        for (int i = 0; i < names.n; i++) {
            char folder[64];

            snprintf(folder, sizeof folder, "%.*s", (int)strcspn(names.path[i], "/"),
                     names.path[i]);
            if (!strcmp(a->subcommand, "list"))
                nearest_offer(&near, folder);
            nearest_offer(&near, names.path[i]);
        }
    return BENCH_FAIL(BENCH_EINPUT, "no experiment '%s'%s (depthbench list names them)", wrong,
                      nearest_text(&near));
}

/* "rdp/fig9" or a path -> the descriptor's path. */
static enum bench_status descriptor_path(const struct arguments *a, const char *name,
                                         char *path, size_t size)
{
    const size_t n = strlen(name);
    const bool is_older = !strncmp(name, "stx/", 4); /* of stixels */

    if (n > 4 && !strcmp(name + n - 4, ".ini")) {
        snprintf(path, size, "%s", name);
        return BENCH_OK;
    }
    snprintf(path, size, "%s/experiments/%s%s.ini", bench_home(), is_older ? "stixels" : "",
             name + (is_older ? strlen("stx") : 0));
    return access(path, F_OK) == 0 ? BENCH_OK : no_experiment(a, name);
}

static enum bench_status read_experiment(const struct arguments *a, const char *path,
                                         const char *glob, bool quick, bool with_absent,
                                         struct bench_experiment *experiment)
{
    char peers[1024];
    const struct bench_overrides overrides = {.assignments = a->assignment,
                                              .n = a->n_assignments,
                                              .impl_glob = glob,
                                              .beside = peers,
                                              .group_glob = a->group,
                                              .with_absent = with_absent,
                                              .quick = quick};

    name_peers(a, peers);
    return experiment_read(path, &overrides, experiment);
}

enum bench_status main_experiment(const struct arguments *a, const char *name,
                                  struct bench_experiment *experiment)
{
    /* what ranks share is the same for all builds */
    const bool with_absent = strcmp(a->subcommand, "run") != 0 || a->rank;
    char path[4400];
    int n = 0;

    TRY(descriptor_path(a, name, path, sizeof path));
    TRY(read_experiment(a, path, a->glob, a->quick, with_absent, experiment));
    for (int i = 0; i < experiment->n_configs; i++) {
        struct bench_config *const config = &experiment->configs[i];

        config->plan.times &= !a->verify_only;
        if (config->plan.runs >= a->run || a->rank) /* else it is not measured so often */
            experiment->configs[n++] = *config;
    }
    experiment->n_configs = n;
    return BENCH_OK;
}

enum bench_status main_check_empty(const struct arguments *a, const char *name,
                                   const struct bench_experiment *experiment)
{
    OWNED(experiment_free) struct bench_experiment e = {0};
    char known[300] = "", path[4400];
    bool has_any = !a->glob;

    if (experiment->n_configs > 0 || experiment->n_absent > 0 || a->run > 1)
        return BENCH_OK;
    TRY(descriptor_path(a, name, path, sizeof path));
    TRY(read_experiment(a, path, NULL, false, true, &e));
    for (int i = 0; i < e.n_configs; i++) {
        const size_t n = strlen(known);
        const char *const impl = e.configs[i].impl->name;

        has_any |= a->glob && text_matches(a->glob, impl);
        if (!strstr(known, impl) && n + strlen(impl) + 8 < sizeof known)
            snprintf(known + n, sizeof known - n, "%s%s", n > 0 ? ", " : "", impl);
    }
    REFUSE_IF(!has_any, "-i %s: %s has no such variant; it has %s", a->glob, name, known);
    return BENCH_FAIL(BENCH_ESKIP, "--quick: it leaves nothing of %s", name);
}

/* ---- results ---- */

/* A folder, or one of that name in results/. */
static void find_results(const char *name, char path[4400])
{
    snprintf(path, 4400, "%s/%s", bench_results(), name);
    if (strchr(name, '/') || access(name, F_OK) == 0 || access(path, F_OK) != 0)
        snprintf(path, 4400, "%s", name);
}

bool main_is_read_anyway(const char *path)
{
    char parent[4400], home[4400];
    const int n = (int)(listing_name(path) - path);

    snprintf(parent, sizeof parent, "%.*s", n > 0 ? n : 1, n > 0 ? path : ".");
    snprintf(home, sizeof home, "%s/results", bench_home());
    return (text_same_file(parent, home) || text_same_file(parent, bench_results())) &&
           (!main_is_folder(path) || !strcmp(listing_name(path), "paper"));
}

static bool is_machine(char *path)
{
    return main_is_folder(path) && strcmp(listing_name(path), "paper") != 0;
}

enum bench_status main_machines(const char *root, struct listing *folders)
{
    TRY(listing_read(root, "", folders));
    listing_keep(folders, is_machine);
    return BENCH_OK;
}

enum bench_status main_results_there(const char *name, char path[4400])
{
    struct nearest near = nearest_to(listing_name(name));
    OWNED(listing_free) struct listing folders = {0};

    find_results(name, path);
    if (access(path, F_OK) == 0 || strlen(path) > 255)
        return BENCH_OK; /* opening it says what else is wrong */
    if (main_machines(bench_results(), &folders) == BENCH_OK)
        for (int i = 0; i < folders.n; i++)
            nearest_offer(&near, listing_name(folders.path[i]));
    return BENCH_FAIL(BENCH_EINPUT,
                      "%s: expected a folder with results, or its name in results/, found "
                      "none%s",
                      name, nearest_text(&near));
}

/* Those of --results, "DIR,NAME".  'may_lack': which need not be there; "": any, NULL: none. */
static enum bench_status list_folders(const char *list, const char *may_lack,
                                      struct listing *folders)
{
    OWNED(memory_free) char *given = strdup(list);
    char *rest = given, path[4400];

    NEED(given, "folders");
    for (char *part; (part = listing_next(&rest, bench_results()));) {
        if (!may_lack || (*may_lack && strcmp(listing_name(part), may_lack) != 0))
            TRY(main_results_there(part, path));
        else
            find_results(part, path);
        if (*part)
            TRY(listing_add(folders, path));
    }
    return BENCH_OK;
}

enum bench_status main_folders(const struct arguments *a, const char *machine,
                               struct listing *folders)
{
    const bool is_drawn = !strcmp(a->subcommand, "draw");
    char own[4400];

    *folders = (struct listing){0};
    if (a->results || is_drawn)
        return list_folders(a->results ? a->results : "", is_drawn ? "" : machine, folders);
    snprintf(own, sizeof own, "%s/%s", bench_results(), machine ? machine : "");
    if (machine)
        return listing_add(folders, own);
    FAIL_IF(!main_is_folder(own), BENCH_EIO, "%s: no results are there", bench_results());
    return main_machines(bench_results(), folders);
}

void main_own_folder(const struct bench_env *env, char path[4400])
{
    char folder[BENCH_MAX_FOLDER];

    bench_env_folder(env, folder);
    snprintf(path, 4400, "%s/%s", bench_results(), folder);
}
