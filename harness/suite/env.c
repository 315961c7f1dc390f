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

    if (n < 1 || n > BENCH_MAX_HOST || !isalnum((unsigned char)name[0]) ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != n)
        return BENCH_FAIL(BENCH_EINPUT,
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
    if (!bench_threads_check_stacks(why))
        return BENCH_FAIL(BENCH_EENV, "%s", why);
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

void bench_env_close(struct bench_env *env)
{
    bench_device_close(env->device);
    env->device = NULL;
}

static void line_text(struct text *text, const char *key, const char *value)
{
    if (value && *value)
        text_format(text, "%s=%s\n", key, value);
}

static void line_number(struct text *text, const char *key, double value)
{
    char number[TEXT_NUMBER];

    text_number(number, value);
    if (value > 0)
        text_format(text, "%s=%s\n", key, number);
}

void bench_env_text(const struct bench_env *env, struct text *text)
{
    static const char *const variables[] = {"OMP_", "GOMP_", "KMP_", "HWLOC_",
                                            "CUDA_VISIBLE_DEVICES="};
    const struct bench_build *b = env->build;

    line_text(text, "machine", env->machine);
    line_text(text, "host", env->host);
    line_text(text, env->host[0] ? "host_of" : "host_missing", env->host_of);
    line_text(text, "commit", b->commit);
    line_text(text, "commit_date", b->commit_date);
    line_text(text, "dirty", b->dirty);
    line_text(text, "build", b->mode);
    line_text(text, "build_hash", b->hash);
    line_text(text, "compiler", b->compiler);
    line_text(text, "cuda_toolkit", b->cuda);
    line_text(text, "flags", b->flags);
    line_text(text, "os", env->board.os);
    line_text(text, "kernel", env->board.kernel);
    line_text(text, "board", env->board.model);
    line_text(text, "l4t", env->board.l4t);
    line_text(text, "cpu", env->cores->cpu_model);
    text_format(text, "cores=%d\nhardware_threads=%d\n", env->cores->n_cores,
                env->cores->n_pus);
    line_number(text, "cpus_online", env->board.n_online);
    line_number(text, "cpuset_cpus", env->board.cgroup.n_cpus);
    line_number(text, "cpu_quota", env->board.cgroup.cpu_quota);
    line_text(text, "cpu_limits", env->cores->limits);
    line_text(text, "variables_ignored", env->cores->ignored);
    line_number(text, "llc_bytes", (double)env->cores->llc_bytes);
    line_number(text, "memory_gib", env->board.memory_gib);
    line_text(text, "power_mode", env->board.mode_name);
    line_text(text, "governor", env->board.governor);
    line_number(text, "cpu_mhz", env->board.cpu_mhz);
    line_number(text, "temp_c", env->board.temp_c);
    line_number(text, "load_1", env->board.load_1);
    if (env->device) {
        const struct bench_device_facts *f = bench_device_describe(env->device);

        line_text(text, "gpu", f->name);
        line_text(text, "gpu_uuid", f->uuid);
        text_format(text, "cc=%d.%d\nsm_count=%d\nintegrated=%d\n", f->cc_major, f->cc_minor,
                    f->sm_count, f->integrated);
        line_number(text, "l2_bytes", (double)f->l2_bytes);
        line_number(text, "gpu_memory_bytes", (double)f->memory_bytes);
        line_number(text, "sm_clock_max_mhz", f->sm_clock_mhz);
        text_format(text, "driver=%d\nruntime=%d\n", f->driver, f->runtime);
        line_number(text, "device_timer_resolution_us", f->timer_resolution_us);
        line_text(text, "gpu_code_for_sm", bench_device_architectures());
    } else {
        line_text(text, "gpu_missing", env->no_device);
    }
    for (char **set = environ; *set; set++)
        for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
            if (!strncmp(*set, variables[i], strlen(variables[i])))
                text_format(text, "%.*s\n", (int)strcspn(*set, "\n"), *set);
}

/* 1: what was committed has yet to come; 0: it has not; -1: the commit's date is not known. */
static int is_clock_behind(const struct bench_env *env)
{
    struct tm utc = {0};
    int hours = 0, minutes = 0, n;
    const char *const date = env->build->commit_date;
    time_t committed;

    n = date ? sscanf(date, "%d-%d-%dT%d:%d:%d%3d:%d", &utc.tm_year, &utc.tm_mon, &utc.tm_mday,
                      &utc.tm_hour, &utc.tm_min, &utc.tm_sec, &hours, &minutes)
             : 0;
    if (n < 6)
        return -1;
    utc.tm_year -= 1900;
    utc.tm_mon--;
    committed = timegm(&utc) - (hours * 60 + (hours < 0 ? -minutes : minutes)) * 60;
    return time(NULL) < committed;
}

void bench_env_row(const struct bench_env *env, struct record_row *row)
{
    const struct bench_build *b = env->build;
    char text[64];
    const time_t now = time(NULL);
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    record_text(row, "utc", text);
    record_text(row, "commit_hash", b->commit);
    record_text(row, "dirty", b->dirty);
    record_text(row, "build_hash", b->hash);
    record_text(row, "compiler", b->compiler);
    record_text(row, "cuda", b->cuda);
    record_text(row, "flags", b->flags);
    record_text(row, "machine", env->machine);
    record_text(row, "host", env->host);
    record_text(row, "cpu", env->cores->cpu_model);
    record_text(row, "l4t", env->board.l4t);
    record_text(row, "governor", env->board.governor);
    record_text(row, "mode_name", env->board.mode_id >= 0 ? env->board.mode_name : "any");
    if (env->board.mode_id >= 0)
        record_integer(row, "mode_id", env->board.mode_id);
    record_integer(row, "cpus", env->cores->n_pus);
    record_known(row, "cpus_online", env->board.n_online);
    record_known(row, "cpu_quota", env->board.cgroup.cpu_quota);
    if (is_clock_behind(env) >= 0)
        record_integer(row, "clock_behind", is_clock_behind(env));
    if (env->board.cpu_mhz > 0)
        record_number(row, "cpu_mhz", platform_cpu_mhz(env->sysroot));
    if (env->device) {
        const struct bench_device_facts *f = bench_device_describe(env->device);

        record_text(row, "gpu", f->name);
        record_text(row, "gpu_uuid", f->uuid);
        snprintf(text, sizeof text, "%d.%d", f->cc_major, f->cc_minor);
        record_text(row, "cc", text);
        record_integer(row, "sm_count", f->sm_count);
        record_integer(row, "l2_bytes", (long long)f->l2_bytes);
        record_integer(row, "integrated", f->integrated);
        record_integer(row, "driver", f->driver);
    }
}

bool bench_env_loaded(const struct bench_env *env)
{
    const int n_cpus = platform_n_cpus(env->sysroot);

    return env->board.load_1 > fmax(0.5, 0.1 * (n_cpus > 0 ? n_cpus : env->cores->n_there));
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
