/* doctor.c - one screen of what this machine has for measuring, and of what stops it */
#include "harness/suite/doctor.h"

#include "harness/base/listing.h"
#include "harness/inputs/dataset.h"
#include "harness/platform/control.h"
#include "harness/platform/gpu_lock.h"
#include "harness/platform/sysfs.h"
#include "harness/platform/process.h"
#include "harness/suite/modes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INDENT 10
#define TOOL_S 5.0 /* how long a tool may take to say its version */

struct doctor {
    struct bench_env *env;
    struct platform_control *control; /* NULL: no power modes */
    struct platform_live live;
    const char *refused, *data, *results;
    int width, n_stops;
    struct text *page, words; /* of the line at hand */
    struct text next;         /* what helps */
};

/* Begin the next fact of the line. */
static struct text *fact(struct doctor *d)
{
    text_add(&d->words, d->words.size ? "; " : "");
    return &d->words;
}

/* A word that no line has room for, as a path, has its end alone. */
static void cut_words(char *words, size_t most)
{
    for (char *at = words; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");

        if (n > most) {
            memmove(at + 3, at + n - (most - 3), strlen(at + n - (most - 3)) + 1);
            at[0] = at[1] = at[2] = '.';
        }
    }
}

static void end_line(struct doctor *d, const char *name)
{
    if (d->words.size) {
        text_format(d->page, "%-*s", INDENT, name);
        text_clean(d->words.data, d->words.size, "");
        cut_words(d->words.data, (size_t)(d->width - INDENT));
        text_wrap(d->page, d->words.data, INDENT, INDENT, d->width);
        text_add(d->page, "\n");
    }
    text_free(&d->words);
}

/* Notes that the line at hand stops measuring, and what helps. */
static void stop(struct doctor *d, const char *remedy)
{
    d->n_stops++;
    text_format(&d->next, "%s%s", d->next.size ? "; " : "", remedy);
}

static void add_machine(struct doctor *d)
{
    const struct platform_facts *const b = &d->env->board;

    char cpu[sizeof d->env->cores->cpu_model];

    snprintf(cpu, sizeof cpu, "%s", d->env->cores->cpu_model);
    text_format(fact(d), "%s", b->model[0] ? b->model : text_trimmed(cpu));
    if (b->chip[0])
        text_format(&d->words, " (%s)", b->chip);
    if (!d->env->sysroot[0]) /* a made-up machine has none */
        text_format(&d->words, ", %d of %d cores", d->env->cores->n_cores,
                    d->env->cores->n_there);
    if (b->l4t[0])
        text_format(fact(d), "L4T %s", b->l4t);
    if (b->os[0])
        text_format(fact(d), "%s", b->os);
    if (b->kernel[0])
        text_format(fact(d), "kernel %s", b->kernel);
    end_line(d, b->model[0] ? "board" : "machine");
}

static void add_modes(struct doctor *d)
{
    const struct platform_mode *const now = d->control ? d->control->now : NULL;
    const struct platform_mode *modes;
    char why[BOARD_WHY];
    int n, most;

    if (!d->control) {
        if (d->env->board.l4t[0])
            text_add(fact(d), "none: there is no /etc/nvpmodel.conf that has any");
        end_line(d, "modes");
        return;
    }
    modes = d->control->mode;
    n = d->control->n_modes;
    most = platform_extreme_mode(modes, n, true);
    for (int i = 0; i < n; i++) {
        const bool reboots = now && now->tpc_mask >= 0 && modes[i].tpc_mask >= 0 &&
                             now->tpc_mask != modes[i].tpc_mask;
        char reboot[40]; /* by hand, so that its number is asked for */
        const char *const words[] = {&modes[i] == now ? "now" : NULL,
                                     modes[i].is_default ? "default" : NULL,
                                     i == most ? "most" : NULL, reboots ? reboot : NULL};
        const char *before = " (";

        snprintf(reboot, sizeof reboot, "-m %d needs a reboot", modes[i].id);
        text_format(&d->words, "%s%s", i ? ", " : "", modes[i].name);
        for (int k = 0; k < 4; k++)
            if (words[k]) {
                text_format(&d->words, "%s%s", before, words[k]);
                before = ", ";
            }
        text_add(&d->words, *before == ',' ? ")" : "");
    }
    if (!now)
        text_add(fact(d), "which is on is not known");
    else if (now != &modes[most])
        text_format(fact(d), "%s: sudo nvpmodel -m %d", modes[most].name, modes[most].id);
    end_line(d, "modes");
    text_format(
        fact(d), "modes %s%s",
        platform_control_can(d->control, why) ? "can be switched" : "stay as they are: ", why);
    end_line(d, "rights");
}

/* True if the system has a GPU's device file. */
static bool has_gpu_file(const struct doctor *d)
{
    static const char *const files[] = {"/dev/nvidia0", "/dev/nvhost-gpu", "/dev/nvgpu"};
    char path[600];

    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", d->env->sysroot, files[i]);
        if (access(path, F_OK) == 0)
            return true;
    }
    return false;
}

static void add_gpu(struct doctor *d)
{
    const struct platform_mode mode = platform_set_mode(d->env->sysroot);
    const struct platform_live *const live = &d->live;
    const char *const codes = bench_device_architectures();

    if (d->env->device) {
        const struct bench_device_facts *const f = bench_device_describe(d->env->device);

        text_format(fact(d), "%s, sm %d%d, %d SMs, %.1f GiB", f->name, f->cc_major, f->cc_minor,
                    f->sm_count, (double)f->memory_bytes / (1 << 30));
        if (f->sm_clock_mhz > 0)
            text_format(fact(d), "at most %d MHz", f->sm_clock_mhz);
        text_format(fact(d), "driver for CUDA %d.%d", f->driver / 1000, f->driver % 1000 / 10);
    } else if (live->sm_count > 0) {
        text_format(fact(d), "%d SMs", live->sm_count);
    }
    if (live->tpc_mask >= 0)
        text_format(&d->words, " (mask %d)", live->tpc_mask);
    if (live->gpu_max_mhz > 0)
        text_format(fact(d), "%.0f to %.0f MHz", live->gpu_min_mhz, live->gpu_max_mhz);
    if (live->gpu_mhz > 0)
        text_format(fact(d), "now %.0f MHz", live->gpu_mhz);
    if (mode.gpu_hz > 0 && live->gpu_max_mhz > 1.05e-6 * mode.gpu_hz)
        text_format(fact(d), "above what mode %s allows, %.0f MHz: it was not set", mode.name,
                    mode.gpu_hz * 1e-6);
    if (*codes)
        text_format(fact(d), "code for sm %s", codes);
    if (d->refused || !d->env->device)
        text_format(fact(d), "%s", d->refused ? d->refused : d->env->no_device);
    if (d->refused || (*codes && !d->env->device && has_gpu_file(d)))
        stop(d, "a GPU is there that cannot be used: the line gpu says why");
    else if (!*codes && has_gpu_file(d))
        text_add(fact(d), "a GPU is there: make clean && make CUDA=yes");
    end_line(d, "gpu");
}

static void add_clocks(struct doctor *d)
{
    const struct platform_live *const live = &d->live;

    if (live->clocks_locked >= 0)
        text_add(fact(d), live->clocks_locked ? "locked" : "free");
    if (live->cpu_mhz > 0)
        text_format(fact(d), "cpu0 %.0f MHz", live->cpu_mhz);
    if (d->env->board.governor[0])
        text_format(fact(d), "governor %s", d->env->board.governor);
    if (d->control)
        text_format(fact(d), "jetson_clocks is %sthere",
                    d->control->jetson_clocks[0] ? "" : "not ");
    end_line(d, "clocks");
    if (live->emc_mhz > 0)
        text_format(fact(d), "%.0f MHz", live->emc_mhz);
    if (d->env->board.memory_gib > 0)
        text_format(fact(d), "%.1f GiB, %.1f free", d->env->board.memory_gib,
                    platform_free_bytes(d->env->sysroot) / (1 << 30));
    end_line(d, "memory");
}

static void add_power(struct doctor *d)
{
    const char *const uuid =
        d->env->device ? bench_device_describe(d->env->device)->uuid : NULL;
    struct platform_energy now = {0};
    char why[BOARD_WHY];
    struct platform_power *const power = platform_power_open(d->env->sysroot, uuid, NULL, why);

    if (power) {
        const struct platform_power_facts *const f = platform_power_describe(power);

        text_format(fact(d), "%s %s (%s)", f->source, f->rails, f->scope);
        if (f->is_counter)
            text_add(&d->words, ", a counter of energy");
        else if (platform_power_read(power, 0, &now, why))
            text_format(&d->words, " %.2f W", now.last);
    } else {
        text_format(fact(d), "none: %s", why);
    }
    platform_power_close(power);
    end_line(d, "power");
}

/* Adds the hottest zone, and what the kernel has slowed down: sysfs-class-thermal of its
 * ABI. */
static void add_thermal(struct doctor *d)
{
    static const char zone_path[] = "/sys/class/thermal/thermal_zone";
    const char *const root = d->env->sysroot;
    char type[64], limit[64];
    OWNED(globfree) glob_t found = {0};
    OWNED(globfree) glob_t coolers = {0};
    int n_slowed = 0;

    sysfs_find(root, "/sys/class/thermal/thermal_zone*", &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *const zone = found.gl_pathv[i];
        const double c = sysfs_number(root, -1e9, "%s/temp", zone) / 1000.0;

        if (d->env->board.temp_c <= 0 || c != d->env->board.temp_c)
            continue;
        sysfs_text(root, type, sizeof type, "%s/type", zone);
        text_format(fact(d), "%s %.0f C", type[0] ? type : zone + strlen(zone_path), c);
        for (int k = 0; k < 12; k++) {
            sysfs_text(root, limit, sizeof limit, "%s/trip_point_%d_type", zone, k);
            if (strcmp(limit, "passive") == 0 || strcmp(limit, "critical") == 0)
                text_format(&d->words, ", %s at %.0f C", limit,
                            sysfs_number(root, 0, "%s/trip_point_%d_temp", zone, k) / 1000.0);
        }
        break;
    }
    sysfs_find(root, "/sys/class/thermal/cooling_device*", &coolers);
    for (size_t i = 0; i < coolers.gl_pathc; i++) {
        sysfs_text(root, type, sizeof type, "%s/type", coolers.gl_pathv[i]);
        if (strstr(type, "fan") ||
            sysfs_number(root, 0, "%s/cur_state", coolers.gl_pathv[i]) <= 0)
            continue;
        text_format(n_slowed ? &d->words : fact(d), "%s%s",
                    n_slowed ? ", " : "slowed down: ", type);
        n_slowed++;
    }
    if (coolers.gl_pathc && !n_slowed)
        text_add(fact(d), "nothing is slowed down");
    end_line(d, "thermal");
}

/* Returns what a tool says to 'option' and 'argument'; NULL: it is not there, or fails. */
static const char *asked(const struct doctor *d, const char *name, const char *option,
                         const char *argument, struct process_result *said)
{
    char path[PATH_MAX];

    return process_find(d->env->sysroot, name, path, sizeof path) &&
                   process_run(path, option, argument, TOOL_S, said)
               ? said->output
               : NULL;
}

static void add_fan(struct doctor *d)
{
    struct process_result said = {0};
    char status[64], *fan;

    sysfs_text(d->env->sysroot, status, sizeof status, "/var/lib/nvpmodel/status");
    fan = strstr(status, "fmode:");
    if (fan)
        text_format(fact(d), "%s", fan + strlen("fmode:"));
    if (d->control) { /* exit 3 where it is inactive */
        (void)asked(d, "systemctl", "is-active", "nvpmodel.service", &said);
        if (said.output[0])
            text_format(fact(d), "nvpmodel.service: %.*s", (int)strcspn(said.output, "\n"),
                        said.output);
    }
    end_line(d, "fan");
}

static void add_load(struct doctor *d)
{
    if (d->env->device)
        text_format(fact(d), "GPU %s",
                    gpu_lock_is_taken(bench_device_describe(d->env->device)->uuid)
                        ? "taken: another depthbench measures on it"
                        : "free of other depthbench");
    if (gpu_lock_is_taken("cpu"))
        text_add(fact(d), "another depthbench measures on the cores");
    if (d->env->board.load_1 >= 0)
        text_format(fact(d), "load %.2f%s", d->env->board.load_1,
                    bench_env_loaded(d->env) ? ": other work is running, times may be too long"
                                             : "");
    end_line(d, "lock");
}

/* "NAME 5.4": the first number with a point behind 'before', as the tool says it; false: no
 * tool. */
static bool add_version(struct doctor *d, const char *name, const char *option,
                        const char *before)
{
    struct process_result said;
    const char *at = asked(d, name, option, NULL, &said);

    if (!at)
        return false;
    if (strstr(at, before))
        at = strstr(at, before) + strlen(before);
    at += strcspn(at, "0123456789");
    text_format(fact(d), "%s %.*s", name, (int)strspn(at, "0123456789."), at);
    return true;
}

/* Compilers, profilers and what draws, by their own words; a made-up machine has its own
 * alone. */
static void add_tools(struct doctor *d)
{
    const struct bench_device_facts *const gpu =
        d->env->device ? bench_device_describe(d->env->device) : NULL;
    struct process_result said;
    const char *at;
    char admin[2048], sm[16];

    if (add_version(d, "nvcc", "--version", "release") && gpu) {
        snprintf(sm, sizeof sm, "sm_%d%d", gpu->cc_major, gpu->cc_minor);
        at = asked(d, "nvcc", "--list-gpu-code", NULL, &said); /* from 11 on */
        if (at)
            text_format(&d->words, ", %s %s", strstr(at, sm) ? "knows" : "does not know", sm);
    }
    if (add_version(d, "nsys", "--version", "version")) {
        at = asked(d, "nsys", "stats", "--help-reports", &said);
        if (at && strstr(at, "cuda_gpu_kern_sum"))
            text_add(&d->words, " (cuda_gpu_kern_sum)");
        else if (at && strstr(at, "gpukernsum"))
            text_add(&d->words, " (gpukernsum)");
    }
    if (add_version(d, "ncu", "--version", "Version")) {
        sysfs_text(d->env->sysroot, admin, sizeof admin, "/proc/driver/nvidia/params");
        if (strstr(admin, "RmProfilingAdminOnly: 1") && geteuid() != 0)
            text_add(&d->words, ", its counters need root");
        if (d->env->board.chip[0])
            text_add(&d->words, ", no counter of DRAM on a Tegra");
    }
    if (add_version(d, "gnuplot", "--version", "gnuplot")) {
        at = asked(d, "gnuplot", "--version", NULL, &said);
        if (at && strverscmp(at, "gnuplot 5.4") < 0)
            text_add(&d->words, ", too old for figures, which take 5.4");
        else if (!asked(d, "gnuplot", "-e", "set terminal pngcairo", &said))
            text_add(&d->words, ", no PNG");
    }
    end_line(d, "tools");
}

/* Counts the inputs that are there; generated ones always are. */
static void add_data(struct doctor *d)
{
    char folder[4300];
    OWNED(listing_free) struct listing inputs = {0};
    struct dataset dataset;
    size_t n_files;
    int n = 0;

    snprintf(folder, sizeof folder, "%s/experiments/inputs", bench_home());
    if (listing_read(folder, ".ini", &inputs) != BENCH_OK || inputs.n == 0) {
        text_format(fact(d), "no descriptors in %s", folder);
        stop(d, "DEPTHBENCH_HOME=DIR, which has experiments/");
    } else {
        for (int i = 0; i < inputs.n; i++)
            n += dataset_read(inputs.path[i], &dataset) == BENCH_OK &&
                 dataset_find(&dataset, d->data, &n_files) == BENCH_OK;
        text_format(fact(d), "%d of %d inputs are here; others: depthbench list inputs", n,
                    inputs.n);
    }
    bench_failure_clear();
    end_line(d, "data");
}

/* The folder of rows, or the nearest above it that is there. */
static void add_results(struct doctor *d)
{
    char path[PATH_MAX], *slash;
    struct stat info;

    snprintf(path, sizeof path, "%s", d->results);
    while (access(path, F_OK) != 0 && (slash = strrchr(path, '/')) != NULL && slash > path)
        *slash = '\0';
    if (access(path, F_OK) != 0)
        snprintf(path, sizeof path, ".");
    text_format(fact(d), "%s", d->results);
    if (access(path, W_OK) != 0 || stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        text_format(fact(d), "%s is no folder that can be written", path);
        stop(d, "run --results DIR, which you may write");
    }
    end_line(d, "results");
}

enum bench_status bench_doctor(struct bench_env *env, const char *refused, const char *data,
                               const char *results, int width, struct text *page)
{
    struct doctor d = {.env = env,
                       .refused = refused,
                       .data = data,
                       .results = results,
                       .width = width > 80   ? 80
                                : width < 40 ? 40
                                             : width,
                       .page = page};
    char why[BOARD_WHY];

    d.control = bench_modes_control(env, 0);
    platform_live_read(env->sysroot, &d.live);
    add_machine(&d);
    add_modes(&d);
    add_gpu(&d);
    add_clocks(&d);
    add_power(&d);
    add_thermal(&d);
    add_fan(&d);
    add_load(&d);
    add_tools(&d);
    text_format(fact(&d), "%.12s%s; %s; %s%s", env->build->commit,
                env->build->dirty ? "-dirty" : "", env->build->mode,
                env->build->cuda[0] ? "CUDA " : "no CUDA: GPU variants are skipped",
                env->build->cuda);
    end_line(&d, "build");
    add_data(&d);
    add_results(&d);
    text_format(fact(&d), "%s",
                d.n_stops                     ? d.next.data
                : d.control && geteuid() != 0 ? "sudo depthbench run rdp/table1 --quick"
                                              : "depthbench run rdp/table1 --quick");
    end_line(&d, d.n_stops ? "to do" : "next");
    text_free(&d.next);
    platform_control_close(d.control, why);
    TRY(text_ok(page));
    FAIL_IF(d.n_stops, BENCH_EMISMATCH, "doctor: %d of these stop measuring", d.n_stops);
    return BENCH_OK;
}
