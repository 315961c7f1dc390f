/* plan.c - the keys of the harness: values, members, limits under --quick, and texts */
#include "harness/measure/plan.h"

#include "harness/base/text.h"
#include "harness/measure/arrivals.h"
#include "harness/measure/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SERIAL_TIMEOUT_S     60
#define QUICK_MIN_SAMPLES    5
#define QUICK_MAX_SAMPLES    15
#define QUICK_SERIAL_SAMPLES 3

const char *const bench_scope_name[BENCH_N_SCOPES] = {"kernel", "device", "end_to_end",
                                                      "scores_on_gpu"};
const char *const bench_series_name[BENCH_N_SERIES] = {"cold", "hot", "frames", "sustained",
                                                       "stream"};
const char *const bench_frame_pick_name[4] = {"all", "typical", "best", "worst"};
const char *const bench_transfer_name[3] = {"copy", "mapped", "managed"};
const char *const bench_scaling_name[3] = {"none", "weak", "strong"};
const char *const bench_arrival_name[2] = {"queue", "drop"};
const char *const bench_launch_name[2] = {"each", "graph"};
const char *const bench_wake_name[3] = {"no", "touch", "rerun"};

/* The form of a text that becomes a member. */
enum how {
    NAME,    /* char[32] */
    INTEGER, /* int */
    REAL,    /* double */
    PERCENT, /* double, a share: "0.5%" */
    RANGE,   /* two ints: "30..1000", or "30" for both */
    CHOICE,  /* an enum: the place among the choices */
    SET,     /* unsigned: a bit for each place among the choices */
    FLAG     /* bool: not the first of the choices, or not 0 */
};
/* The variants for which several values make several configurations. */
enum axis { NO_AXIS, OF_ALL, OF_OPENMP, OF_CUDA };

/* X(name, default, unit, help, kind, min, max, choices, how, member, axis, most under --quick
 * or 0, printed also if default, the rows' column that tells configurations apart by it or
 * NULL).  They are printed in this order. */
#define PLAN_KEYS(X)                                                                           \
    X("input", "scene", "", "a named input", BENCH_CHOICE, 0, 0, NULL, NAME, input, OF_ALL, 0, \
      true, "input")                                                                           \
    X("frame_pick", "all", "", "which frames of the input", BENCH_CHOICE, 0, 0,                \
      "all|typical|best|worst", CHOICE, which, OF_ALL, 0, true, "frame_pick")                  \
    X("series", "frames", "", "a set; hot where case is one frame", BENCH_CHOICE, 0, 0,        \
      "cold|hot|frames|sustained|stream", SET, series, NO_AXIS, 0, true, NULL)                 \
    X("scope", "kernel", "", "a set: what is timed", BENCH_CHOICE, 0, 0,                       \
      "kernel|device|end_to_end|scores_on_gpu", SET, scopes, NO_AXIS, 0, true, NULL)           \
    X("batch", "1", "frames", "frames in one input", BENCH_INT, 1, 4096, NULL, INTEGER, batch, \
      OF_ALL, 0, false, "batch")                                                               \
    X("threads", "0", "", "OpenMP team; 0: all cores", BENCH_INT, 0, 1024, NULL, INTEGER,      \
      threads, OF_OPENMP, 0, false, "threads")                                                 \
    X("transfer", "copy", "", "how frames get to a GPU and back", BENCH_CHOICE, 0, 0,          \
      "copy|mapped|managed", CHOICE, transfer, OF_CUDA, 0, false, "transfer")                  \
    X("sms", "all", "", "multiprocessors of a GPU that may be used", BENCH_INT, 0, 100000,     \
      "all", INTEGER, sms, OF_CUDA, 0, false, "sms")                                           \
    X("mode", "any", "", "power mode of the board: NAME, least, default, most, A | B or each", \
      BENCH_CHOICE, 0, 0, NULL, NAME, mode, OF_ALL, 0, false, "mode_name")                     \
    X("clocks", "keep", "", "of a board: max locks them to the highest of the mode",           \
      BENCH_CHOICE, 0, 0, "keep|max", FLAG, lock_clocks, NO_AXIS, 0, false, NULL)              \
    X("frames", "0", "", "at most so many frames of the input; 0: all", BENCH_INT, 0, 1000000, \
      NULL, INTEGER, max_frames, NO_AXIS, 3, false, NULL)                                      \
    X("runs", "1", "", "processes that measure the configuration, one after the other",        \
      BENCH_INT, 1, 64, NULL, INTEGER, runs, NO_AXIS, 0, false, NULL)                          \
    X("stages", "0", "", "1: a pass for stages too", BENCH_INT, 0, 1, NULL, FLAG, stages,      \
      NO_AXIS, 0, false, NULL)                                                                 \
    X("energy", "0", "", "1: a pass for energy too", BENCH_INT, 0, 1, NULL, FLAG, energy,      \
      NO_AXIS, 0, false, NULL)                                                                 \
    X("values", "1", "", "0: no values, only times", BENCH_INT, 0, 1, NULL, FLAG, values,      \
      NO_AXIS, 0, false, NULL)                                                                 \
    X("times", "1", "", "0: no times, only values", BENCH_INT, 0, 1, NULL, FLAG, times,        \
      NO_AXIS, 0, false, NULL)                                                                 \
    X("samples", "30..1000", "", "fewest..most", BENCH_INT, 1, 1000000, NULL, RANGE,           \
      min_samples, NO_AXIS, 0, false, NULL)                                                    \
    X("precision", "0.5%", "%", "half width of the median's 95 % interval", BENCH_REAL, 0.001, \
      100, NULL, PERCENT, precision, NO_AXIS, 0, false, NULL)                                  \
    X("min_time", "0.5", "s", "sampling lasts at least", BENCH_REAL, 0, 3600, NULL, REAL,      \
      min_time_s, NO_AXIS, 0.02, false, NULL)                                                  \
    X("timeout", "15", "s", "and at most; 60 for serial variants", BENCH_REAL, 0.001, 86400,   \
      NULL, REAL, timeout_s, NO_AXIS, 1, false, NULL)                                          \
    X("sustained_time", "5", "s", "of load before a sustained series", BENCH_REAL, 0.001,      \
      3600, NULL, REAL, sustained_time_s, NO_AXIS, 0.5, false, NULL)                           \
    X("energy_time", "3", "s", "of work in it", BENCH_REAL, 1, 600, NULL, REAL, energy_time_s, \
      NO_AXIS, 1, false, NULL)                                                                 \
    X("rate", "30", "1/s", "frames a second of a stream; max: as fast as they are done",       \
      BENCH_INT, 0, 100000, "max", INTEGER, rate, OF_ALL, 0, false, "stream_rate")             \
    X("in_flight", "1", "frames", "of a stream, in work on a GPU at a time", BENCH_INT, 1,     \
      BENCH_MAX_IN_FLIGHT, NULL, INTEGER, in_flight, OF_CUDA, 0, false, "stream_in_flight")    \
    X("arrival", "queue", "", "a frame that finds so many in work waits, or is lost",          \
      BENCH_CHOICE, 0, 0, "queue|drop", FLAG, drops, OF_ALL, 0, false, "stream_arrival")       \
    X("launch", "each", "", "of a stream: copies and kernels of a frame, or a graph of all",   \
      BENCH_CHOICE, 0, 0, "each|graph", FLAG, by_graph, OF_CUDA, 0, false, "stream_launch")    \
    X("wake", "no", "", "of a stream, before a frame: use a GPU, or run the last frame again", \
      BENCH_CHOICE, 0, 0, "no|touch|rerun", CHOICE, wake, OF_CUDA, 0, false, "stream_wake")    \
    X("arrivals", "20000", "frames",                                                           \
      "of a stream, at most; 5000 up to 60 a second, 1000 up to 10", BENCH_INT, 1, 1000000,    \
      NULL, INTEGER, arrivals, NO_AXIS, 1000, false, NULL)                                     \
    X("scaling", "none", "", "ranks measure together: each all frames, or a part of them",     \
      BENCH_CHOICE, 0, 0, "none|weak|strong", CHOICE, scaling, OF_ALL, 0, false, "scaling")    \
    X("ranks", "1", "", "how many of the ranks measure together", BENCH_INT, 1, 4096, NULL,    \
      INTEGER, ranks, OF_ALL, 0, false, "ranks")                                               \
    X("devices", "each", "", "a GPU for each rank, or one for all ranks of a host",            \
      BENCH_CHOICE, 0, 0, "each|one", FLAG, share_device, NO_AXIS, 0, false, NULL)             \
    X("interval", "5", "s", "in which all ranks count their frames", BENCH_REAL, 0.001, 86400, \
      NULL, REAL, interval_s, NO_AXIS, 0.5, false, NULL)                                       \
    X("wait", "600", "s", "that a rank waits for the others at most", BENCH_REAL, 0.001,       \
      86400, NULL, REAL, wait_s, NO_AXIS, 0, false, NULL)

#define KEY(name, default_text, unit, help, kind, min, max, choices, ...) \
    {name, default_text, unit, help, kind, min, max, choices},
const struct bench_key bench_plan_keys[] = {
    PLAN_KEYS(KEY){NULL, NULL, NULL, NULL, BENCH_INT, 0, 0, NULL}};

#define ROW(name, default_text, unit, help, kind, min, max, choices, how, member, axis, quick, \
            always, column)                                                                    \
    {offsetof(struct bench_plan, member), how, axis, quick, always, column},
static const struct row {
    size_t member;
    enum how how;
    enum axis axis;
    double quick;
    bool always;
    const char *column;
} rows[] = {PLAN_KEYS(ROW)};

static const struct row *row_of(const struct bench_key *key)
{
    return &rows[key - bench_plan_keys];
}

#define MEMBER(plan, key, type) ((type *)(void *)((char *)(plan) + row_of(key)->member))
#define VALUE(plan, key, type) \
    (*(const type *)(const void *)((const char *)(plan) + row_of(key)->member))

bool plan_multiplies(const struct bench_key *key)
{
    return row_of(key)->axis != NO_AXIS;
}

const char *plan_column(const struct bench_key *key)
{
    return row_of(key)->column;
}

bool plan_is_name(const struct bench_key *key)
{
    return row_of(key)->how == NAME;
}

bool plan_is_axis(const struct bench_key *key, enum bench_target target)
{
    const enum axis axis = row_of(key)->axis;

    return axis == OF_ALL || (axis == OF_OPENMP && target == BENCH_OPENMP) ||
           (axis == OF_CUDA && target == BENCH_CUDA);
}

/* ---- texts to members ---- */

/* Among the key's choices; 0 where it is none. */
static unsigned place(const struct bench_key *key, const char *word)
{
    const int i = bench_choice(key->choices, word);

    return i > 0 ? (unsigned)i : 0;
}

void plan_set(struct bench_plan *plan, const struct bench_key *key,
              const struct bench_param *value)
{
    switch (row_of(key)->how) {
    case NAME: /* the length was checked */
        snprintf(MEMBER(plan, key, char), sizeof plan->input, "%.31s", value->text);
        break;
    case INTEGER:
        *MEMBER(plan, key, int) = (int)value->number;
        break;
    case REAL:
        *MEMBER(plan, key, double) = value->number;
        break;
    case PERCENT:
        *MEMBER(plan, key, double) = value->number / 100;
        break;
    case CHOICE: /* enums are as large as unsigned */
        *MEMBER(plan, key, unsigned) = place(key, value->text);
        break;
    case SET:
        *MEMBER(plan, key, unsigned) |= 1u << place(key, value->text);
        break;
    case FLAG:
        *MEMBER(plan, key, bool) = value->number > 0 || place(key, value->text) > 0;
        break;
    case RANGE:
        break;
    }
}

static enum bench_status set_checked(struct bench_plan *plan, const struct bench_key *key,
                                     const char *text, const char *where)
{
    struct bench_params one = {.n = 0};

    TRY(bench_params_set(&one, key, text, where));
    plan_set(plan, key, &one.item[0]);
    return BENCH_OK;
}

/* "30..1000", or "30": exactly so many. */
static enum bench_status read_range(struct bench_plan *plan, const struct bench_key *key,
                                    const char *text, const char *where)
{
    const char *dots = strstr(text, "..");
    const size_t n_min = dots ? (size_t)(dots - text) : strlen(text);
    int *const range = MEMBER(plan, key, int);
    struct bench_params min = {.n = 0}, max = {.n = 0};
    char first[BENCH_MAX_VALUE];

    REFUSE_IF(n_min >= sizeof first, "%s: %s: expected MIN..MAX, found '%.80s'", where,
              key->name, text);
    snprintf(first, sizeof first, "%.*s", (int)n_min, text);
    TRY(bench_params_set(&min, key, first, where));
    TRY(bench_params_set(&max, key, dots ? dots + 2 : first, where));
    range[0] = (int)min.item[0].number;
    range[1] = (int)max.item[0].number;
    REFUSE_IF(!(range[0] <= range[1]), "%s: %s: expected MIN..MAX, found %d above %d", where,
              key->name, range[0], range[1]);
    return BENCH_OK;
}

/* "0.5%": the sign must be there, since 0.5 alone could mean a half. */
static enum bench_status read_percent(struct bench_plan *plan, const struct bench_key *key,
                                      const char *text, const char *where)
{
    char number[BENCH_MAX_VALUE];
    const size_t n = strlen(text);

    REFUSE_IF(n == 0 || text[n - 1] != '%' || n >= sizeof number,
              "%s: %s: expected a share such as %s, found '%.80s'", where, key->name,
              key->default_text, text);
    snprintf(number, sizeof number, "%.*s", (int)n - 1, text);
    return set_checked(plan, key, text_trimmed(number), where);
}

static enum bench_status read_set(struct bench_plan *plan, const struct bench_key *key,
                                  const char *text, const char *where)
{
    char element[TEXT_ELEMENT];

    *MEMBER(plan, key, unsigned) = 0;
    for (const char *word; (word = text_next(&text, element)) != NULL;)
        if (*word)
            TRY(set_checked(plan, key, word, where));
        else
            return BENCH_FAIL(BENCH_EINPUT, "%s: %s: expected a value, found an empty one",
                              where, key->name);
    return BENCH_OK;
}

enum bench_status plan_read(struct bench_plan *plan, const struct bench_key *key,
                            const char *text, const char *where)
{
    const enum how how = row_of(key)->how;

    REFUSE_IF(!*text, "%s: %s: expected a value, found an empty one", where, key->name);
    if (how == SET)
        return read_set(plan, key, text, where);
    REFUSE_IF(strchr(text, ','), "%s: %s takes one value, found the list '%.80s'", where,
              key->name, text);
    if (how == RANGE)
        return read_range(plan, key, text, where);
    if (how == PERCENT)
        return read_percent(plan, key, text, where);
    return set_checked(plan, key, text, where);
}

/* ---- whole plans ---- */

void plan_default(struct bench_plan *plan, enum bench_target target)
{
    *plan = (struct bench_plan){.batch = 1};
    for (const struct bench_key *key = bench_plan_keys; key->name; key++)
        (void)plan_read(plan, key, key->default_text,
                        "default"); /* a test reads each of them */
    if (target == BENCH_SERIAL)
        plan->timeout_s = SERIAL_TIMEOUT_S;
}

void plan_quicken(struct bench_plan *plan, const struct bench_key *key,
                  enum bench_target target)
{
    const struct row *const row = row_of(key);
    int *const integer = MEMBER(plan, key, int);

    if (row->how == REAL && row->quick > 0 && *MEMBER(plan, key, double) > row->quick)
        *MEMBER(plan, key, double) = row->quick;
    else if (row->how == INTEGER && row->quick > 0 &&
             (*integer == 0 || *integer > (int)row->quick))
        *integer = (int)row->quick; /* 0: no limit so far */
    else if (row->how == RANGE) {
        const int min = target == BENCH_SERIAL ? QUICK_SERIAL_SAMPLES : QUICK_MIN_SAMPLES;
        const int max = target == BENCH_SERIAL ? QUICK_SERIAL_SAMPLES : QUICK_MAX_SAMPLES;

        integer[0] = integer[0] < min ? integer[0] : min;
        integer[1] = integer[1] < max ? integer[1] : max;
    }
}

void plan_settle(struct bench_plan *plan)
{
    if (plan_streams(plan)) {
        plan->scopes &= 1u << BENCH_END_TO_END | 1u << BENCH_SCORES_ON_GPU;
        plan->scopes |= plan->scopes ? 0 : 1u << BENCH_END_TO_END;
        plan->stages = false;
        return;
    }
    if (plan->scaling != BENCH_ALONE) {
        plan->series = 1u << BENCH_SUSTAINED;
        plan->scopes &= ~(1u << BENCH_DEVICE); /* by events, which have no common clock */
        plan->stages = plan->energy = false;
        return;
    }
    if (plan->which != BENCH_PICK_ALL && (plan->series & 1u << BENCH_FRAMES) != 0)
        plan->series = (plan->series & ~(1u << BENCH_FRAMES)) | 1u << BENCH_HOT;
}

bool plan_seeks_mode(const char *mode)
{
    return strchr(mode, '|') || bench_choice("each|least|default|most", mode) >= 0;
}

int plan_arrivals(const struct bench_plan *plan)
{
    const int n = plan->rate == 0    ? 20000
                  : plan->rate <= 10 ? 1000
                  : plan->rate <= 60 ? 5000
                                     : 20000;

    return n < plan->arrivals ? n : plan->arrivals;
}

static enum bench_status check_stream(const struct bench_plan *plan)
{
    struct bench_plan usual;

    if (plan_streams(plan)) {
        REFUSE_IF(plan->rate == 0 && plan->drops,
                  "rate = max: expected arrival = queue, since no "
                  "frame comes before there is room for it");
        REFUSE_IF(plan->rate == 0 && plan->wake,
                  "rate = max: expected wake = no, since no frame is waited for");
        REFUSE_IF(plan->scaling != BENCH_ALONE || plan->batch > 1,
                  "series = stream: expected scaling = none and batch = 1");
        return BENCH_OK;
    }
    REFUSE_IF(plan->series & 1u << BENCH_STREAM,
              "series = stream: expected no other series beside it");
    plan_default(&usual, BENCH_CUDA);
    REFUSE_IF(plan->rate != usual.rate || plan->in_flight != usual.in_flight || plan->drops ||
                  plan->by_graph || plan->wake,
              "rate = %d, in_flight = %d, arrival = %s, launch = %s, wake = %s: "
              "expected series = stream, too",
              plan->rate, plan->in_flight, bench_arrival_name[plan->drops],
              bench_launch_name[plan->by_graph], bench_wake_name[plan->wake]);
    return BENCH_OK;
}

static enum bench_status check_scaling(const struct bench_plan *plan)
{
    REFUSE_IF(plan->ranks > 1 && plan->scaling == BENCH_ALONE,
              "ranks = %d: expected scaling = weak or strong, too", plan->ranks);
    REFUSE_IF(plan->scaling != BENCH_ALONE &&
                  (strcmp(plan->mode, "any") != 0 || plan->lock_clocks),
              "mode = %s%s: expected any, and clocks = keep, with scaling", plan->mode,
              plan->lock_clocks ? ", clocks = max" : "");
    REFUSE_IF(plan->scaling != BENCH_ALONE && plan->runs > 1,
              "runs = %d: expected 1 with scaling = %s", plan->runs,
              bench_scaling_name[plan->scaling]);
    return BENCH_OK;
}

enum bench_status plan_check(const struct bench_plan *plan)
{
    TRY(check_stream(plan));
    return check_scaling(plan);
}

bool plan_times(const struct bench_plan *plan, const struct bench_impl *impl,
                enum bench_scope scope, enum bench_series series)
{
    const bool is_gpu = impl->target == BENCH_CUDA;
    const bool is_there =
        scope == BENCH_DEVICE ? is_gpu
        : scope == BENCH_SCORES_ON_GPU
            ? is_gpu && impl->problem->has_scores && plan->transfer == BENCH_COPY
            : true;

    return is_there && plan->times && (plan->scopes & 1u << scope) != 0 &&
           (plan->series & 1u << series) != 0;
}

/* ---- members to texts ---- */

/* The choices whose bits are set, with '+' between. */
static void set_text(const struct bench_key *key, unsigned set, char text[BENCH_PLAN_TEXT])
{
    size_t n = 0;
    const char *at = key->choices;

    for (unsigned i = 0; at; i++, at = strchr(at, '|')) {
        at += *at == '|';
        if ((set & 1u << i) != 0)
            n += (size_t)snprintf(text + n, BENCH_PLAN_TEXT - n, "%s%.*s", n > 0 ? "+" : "",
                                  (int)strcspn(at, "|"), at);
    }
}

void plan_value(const struct bench_plan *plan, const struct bench_key *key,
                char text[BENCH_PLAN_TEXT])
{
    text[0] = '\0';
    switch (row_of(key)->how) {
    case NAME:
        snprintf(text, BENCH_PLAN_TEXT, "%s", &VALUE(plan, key, char));
        break;
    case INTEGER:
        snprintf(text, BENCH_PLAN_TEXT, "%d", VALUE(plan, key, int));
        if (key->choices && VALUE(plan, key, int) == (int)key->min)
            set_text(key, 1, text); /* "all", "max" */
        break;
    case CHOICE:
        set_text(key, 1u << VALUE(plan, key, unsigned), text);
        break;
    case SET:
        set_text(key, VALUE(plan, key, unsigned), text);
        break;
    case FLAG:
        snprintf(text, BENCH_PLAN_TEXT, "%d", VALUE(plan, key, bool));
        if (key->choices)
            set_text(key, 1u << VALUE(plan, key, bool), text);
        break;
    case REAL:
    case PERCENT:
    case RANGE:
        break; /* they say how long is measured, not what */
    }
}

size_t plan_text(const struct bench_plan *plan, char *text, size_t size)
{
    char value[BENCH_PLAN_TEXT], usual_value[BENCH_PLAN_TEXT];
    struct bench_plan usual;
    size_t length = 0;

    plan_default(&usual, BENCH_CUDA);
    for (const struct bench_key *key = bench_plan_keys; key->name; key++) {
        plan_value(plan, key, value);
        plan_value(&usual, key, usual_value);
        if (row_of(key)->always || strcmp(value, usual_value) != 0)
            length +=
                (size_t)snprintf(length < size ? text + length : NULL,
                                 length < size ? size - length : 0, " %s=%s", key->name, value);
    }
    return length;
}
