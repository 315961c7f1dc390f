/* env.c - everything about this machine and this build that a row or its env file says */
#include "harness/suite/env.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <xxhash.h>

/* Lower case letters and digits, the rest as single '-'; words that say nothing are dropped, of
 * a board also who makes it, and for whom. */
static void slug(const char *name, bool is_board, char *out, size_t size)
{
    static const char *const noise[] = {"r",         "tm",          "cpu",     "processor",
                                        "with",      "corporation", "amd",     "intel",
                                        "developer", "kit",         "graphics"};
    static const char *const board_noise[] = {"nvidia", "engineering", "reference"};
    char word[64];
    size_t n = 0;

    out[0] = '\0';
    while (*name) {
        size_t length = 0;
        bool drop = false;

        while (*name && !isalnum((unsigned char)*name))
            name++;
        while (*name && isalnum((unsigned char)*name)) {
            if (length + 1 < sizeof word)
                word[length++] = (char)tolower((unsigned char)*name);
            name++;
        }
        word[length] = '\0';
        for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
            drop = drop || !strcmp(word, noise[i]);
        for (size_t i = 0; is_board && i < sizeof board_noise / sizeof *board_noise; i++)
            drop = drop || !strcmp(word, board_noise[i]);
        /* a clock in a name ("3 00ghz") is not a stable word */
        if (!length || drop || strstr(word, "ghz"))
            continue;
        n += (size_t)snprintf(out + n, n < size ? size - n : 0, "%s%s", n ? "-" : "", word);
        if (n >= size)
            return;
    }
}

static void name_machine(struct bench_env *env)
{
    char cpu[48], gpu[40] = "";
    /* a power mode may have turned some off: the machine is the same */
    const int n_cpus = env->board.model[0] ? platform_n_cpus(env->sysroot) : 0;

    slug(env->board.model[0] ? env->board.model : env->cores->cpu_model, env->board.model[0],
         cpu, sizeof cpu);
    if (env->device)
        slug(bench_device_describe(env->device)->name, false, gpu, sizeof gpu);
    snprintf(env->machine, sizeof env->machine, "%s-%dc%s%s", cpu[0] ? cpu : "cpu",
             n_cpus > 0 ? n_cpus : env->cores->n_there,
             gpu[0] && !env->board.model[0] ? "_" : "", env->board.model[0] ? "" : gpu);
}

/* Cloned boards share a machine-id, so what a maker numbers joins it. */
static void find_host(struct bench_env *env)
{
    static const char *const made_of[2][3] = {
        {"no machine-id, serial number or network card's address; --host NAME gives a name",
         "serial number", "network card's address"},
        {"machine-id", "machine-id and serial number", "machine-id and network card's address"},
    };
    struct platform_identity identity;
    char text[sizeof identity + 2];
    int second;

    platform_identity_read(env->sysroot, &identity);
    second = identity.serial[0] ? 1 : identity.address[0] ? 2 : 0;
    env->host_of = made_of[identity.machine_id[0] != '\0'][second];
    env->host[0] = '\0';
    if (!identity.machine_id[0] && second == 0)
        return;
    snprintf(text, sizeof text, "%s\n%s", identity.machine_id,
             second == 1 ? identity.serial : identity.address);
    snprintf(env->host, sizeof env->host, "%016llx",
             (unsigned long long)XXH64(text, strlen(text), 0));
}

enum bench_status bench_env_set_host(struct bench_env *env, const char *name)
{
    const size_t n = strlen(name);

    REFUSE_IF(
        n < 1 || n > BENCH_MAX_HOST || !isalnum((unsigned char)name[0]) ||
            strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") !=
                n,
        "--host: expected 1 to %d letters, digits, '.', '_' or '-', a letter "
        "or digit first, found '%.40s'",
        BENCH_MAX_HOST, name);
    snprintf(env->host, sizeof env->host, "%s", name);
    env->host_of = "--host";
    return BENCH_OK;
}

void bench_env_folder(const struct bench_env *env, char folder[BENCH_MAX_FOLDER])
{
    char path[4400], line[sizeof env->machine + 2];
    bool is_taken = false;
    FILE *list;

    snprintf(path, sizeof path, "%s/MACHINES", bench_results());
    list = fopen(path, "r");
    while (list && !is_taken && fgets(line, sizeof line, list)) {
        line[strcspn(line, "\r\n")] = '\0';
        is_taken = !strcmp(line, env->machine);
    }
    if (list)
        fclose(list);
    snprintf(folder, BENCH_MAX_FOLDER, "%s%s%.4s", env->machine, is_taken ? "-" : "",
             !is_taken      ? ""
             : env->host[0] ? env->host
                            : "own");
}

enum bench_status bench_env_open(int index, const char *sysroot, struct bench_env *env)
{
    enum bench_status status;
    char why[BOARD_WHY];

    memset(env, 0, sizeof *env);
    env->sysroot = sysroot ? sysroot : "";
    env->build = bench_build();
    env->cores = bench_cores();
    platform_read(env->sysroot, &env->board);
    bench_cores_limit(env->board.cgroup.cpu_quota);
    FAIL_IF(!bench_threads_check_stacks(why), BENCH_EENV, "%s", why);
    status = bench_device_open(index < 0 ? 0 : index, &env->device);
    if (status == BENCH_ESKIP && index < 0) {
        snprintf(env->no_device, sizeof env->no_device, "%.255s", bench_failure());
        bench_failure_clear();
        status = BENCH_OK;
    }
    name_machine(env);
    find_host(env);
    return status;
}

enum bench_status bench_env_check(const struct bench_env *env, const struct bench_impl *impl)
{
    FAIL_IF(!bench_is_built(impl), BENCH_ESKIP, "%s: not in this build, which has no %s",
            impl->name, bench_lacks(impl));
    FAIL_IF(impl->target == BENCH_CUDA && !env->device, BENCH_ESKIP, "%s", env->no_device);
    return BENCH_OK;
}

void bench_env_close(struct bench_env *env)
{
    bench_device_close(env->device);
    env->device = NULL;
}

/* Whatever is known of the machine and the build: as a line, as a column, or as both. */
static void add_facts(const struct bench_env *env, struct text *lines, struct record_row *row)
{
    static const struct bench_device_facts no_device;
    const struct bench_device_facts *const f =
        env->device ? bench_device_describe(env->device) : &no_device;
    const struct bench_build *const b = env->build;
    const struct platform_facts *const board = &env->board;
    const struct bench_cores *const cores = env->cores;
    char cc[32] = "";
    const struct {
        const char *line, *column, *text; /* 'text' NULL: a number, where it is above 0 */
        double number;
    } facts[] = {
        {"machine", "machine", env->machine, 0},
        {"host", "host", env->host, 0},
        {env->host[0] ? "host_of" : "host_missing", NULL, env->host_of, 0},
        {"version", NULL, b->version, 0},
        {"commit", "commit_hash", b->commit, 0},
        {"commit_date", NULL, b->commit_date, 0},
        {"dirty", "dirty", b->dirty, 0},
        {"build", NULL, b->mode, 0},
        {"build_hash", "build_hash", b->hash, 0},
        {"compiler", "compiler", b->compiler, 0},
        {"cuda_toolkit", "cuda", b->cuda, 0},
        {"flags", "flags", b->flags, 0},
        {"os", NULL, board->os, 0},
        {"kernel", NULL, board->kernel, 0},
        {"board", NULL, board->model, 0},
        {"l4t", "l4t", board->l4t, 0},
        {"cpu", "cpu", cores->cpu_model, 0},
        {"cores", NULL, NULL, cores->n_cores},
        {"hardware_threads", "cpus", NULL, cores->n_pus},
        {"cpus_online", "cpus_online", NULL, board->n_online},
        {"cpuset_cpus", NULL, NULL, board->cgroup.n_cpus},
        {"cpu_quota", "cpu_quota", NULL, board->cgroup.cpu_quota},
        {"cpu_limits", NULL, cores->limits, 0},
        {"variables_ignored", NULL, cores->ignored, 0},
        {"llc_bytes", NULL, NULL, (double)cores->llc_bytes},
        {"memory_gib", NULL, NULL, board->memory_gib},
        {"power_mode", NULL, board->mode_name, 0},
        {"governor", "governor", board->governor, 0},
        {"cpu_mhz", NULL, NULL, board->cpu_mhz},
        {"temp_c", NULL, NULL, board->temp_c},
        {"load_1", NULL, NULL, board->load_1},
        {"gpu", "gpu", f->name, 0},
        {"gpu_uuid", "gpu_uuid", f->uuid, 0},
        {"cc", "cc", cc, 0},
        {"sm_count", "sm_count", NULL, f->sm_count},
        {"integrated", "integrated",
         !env->device    ? ""
         : f->integrated ? "1"
                         : "0",
         0},
        {"l2_bytes", "l2_bytes", NULL, (double)f->l2_bytes},
        {"gpu_memory_bytes", NULL, NULL, (double)f->memory_bytes},
        {"sm_clock_max_mhz", NULL, NULL, f->sm_clock_mhz},
        {"driver", "driver", NULL, f->driver},
        {"runtime", NULL, NULL, f->runtime},
        {"device_timer_resolution_us", NULL, NULL, f->timer_resolution_us},
        {"gpu_code_for_sm", NULL, env->device ? bench_device_architectures() : "", 0},
        {"gpu_missing", NULL, env->device ? "" : env->no_device, 0},
    };

    if (env->device)
        snprintf(cc, sizeof cc, "%d.%d", f->cc_major, f->cc_minor);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *value = facts[i].text;
        char number[TEXT_NUMBER] = "";

        if (!value && facts[i].number > 0)
            text_number(number, facts[i].number);
        value = value ? value : number;
        if (lines && *value)
            text_format(lines, "%s=%s\n", facts[i].line, value);
        if (row && facts[i].column)
            record_text(row, facts[i].column, value);
    }
}

void bench_env_text(const struct bench_env *env, struct text *text)
{
    static const char *const variables[] = {"OMP_", "GOMP_", "KMP_", "HWLOC_",
                                            "CUDA_VISIBLE_DEVICES="};

    add_facts(env, text, NULL);
    for (char **set = environ; *set; set++)
        for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
            if (!strncmp(*set, variables[i], strlen(variables[i])))
                text_format(text, "%.*s\n", (int)strcspn(*set, "\n"), *set);
}

void bench_utc(const char *format, char text[BENCH_UTC])
{
    const time_t now = time(NULL);
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(text, BENCH_UTC, format, &utc);
}

/* 1: what was committed has yet to come; 0: it has not; -1: the commit's date is not known. */
static int is_clock_behind(const struct bench_env *env)
{
    struct tm date = {0};
    long offset_s;

    if (!env->build->commit_date ||
        !strptime(env->build->commit_date, "%Y-%m-%dT%H:%M:%S%z", &date))
        return -1;
    offset_s = date.tm_gmtoff;
    return time(NULL) < timegm(&date) - offset_s;
}

void bench_env_row(const struct bench_env *env, struct record_row *row)
{
    char utc[BENCH_UTC];

    add_facts(env, NULL, row);
    bench_utc("%Y-%m-%dT%H:%M:%SZ", utc);
    record_text(row, "utc", utc);
    record_text(row, "mode_name", env->board.mode_id >= 0 ? env->board.mode_name : "any");
    if (env->board.mode_id >= 0)
        record_integer(row, "mode_id", env->board.mode_id);
    if (is_clock_behind(env) >= 0)
        record_integer(row, "clock_behind", is_clock_behind(env));
    if (env->board.cpu_mhz > 0)
        record_number(row, "cpu_mhz", platform_cpu_mhz(env->sysroot));
}

bool bench_env_loaded(const struct bench_env *env)
{
    const int n_cpus = platform_n_cpus(env->sysroot);

    /* the last minute has what this program did before, the moment what others do by chance */
    return fmin(env->board.load_1, env->board.n_running - 1) >
           fmax(0.5, 0.1 * (n_cpus > 0 ? n_cpus : env->cores->n_there));
}

void bench_env_warnings(const struct bench_env *env, struct text *text)
{
    const struct platform_facts *const board = &env->board;

    if (env->board.governor[0] && strcmp(env->board.governor, "performance") != 0)
        text_format(text, "note: the CPU governor is '%s': clocks may move between samples\n",
                    env->board.governor);
    if (bench_env_loaded(env))
        text_format(text, "note: other work is running: the load is %.2f\n", env->board.load_1);
    if (env->cores->limits[0])
        text_format(text, "note: a team has at most %d threads here: %s\n", env->cores->n_pus,
                    env->cores->limits);
    else if (board->cgroup.cpu_quota > 0)
        text_format(text, "note: the cgroup has a CPU quota of %g processors\n",
                    board->cgroup.cpu_quota);
    if (board->cgroup.n_cpus > 0 && board->cgroup.n_cpus < board->n_online)
        text_format(text, "note: the cgroup's cpuset has %d of %d processors\n",
                    board->cgroup.n_cpus, board->n_online);
    if (env->cores->ignored[0])
        text_format(text, "note: %s: not used, since this machine is measured\n",
                    env->cores->ignored);
    if (is_clock_behind(env) == 1)
        text_format(text,
                    "note: the clock is before the commit's date, %s: rows have a wrong time\n",
                    env->build->commit_date);
    if (strcmp(env->build->mode, "release") != 0)
        text_format(text, "note: this is a %s build: its times mean nothing\n",
                    env->build->mode);
}
