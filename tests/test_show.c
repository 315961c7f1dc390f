/* test_show.c - which row a figure gets, what is said of those that are missing, tables */
#include "harness/analysis/query.h"
#include "harness/analysis/show.h"
#include "tests/session.h"
#include "tests/support.h"

static char base[500], host[600], paper[600], shown[100000];

/* ---- results ---- */

static void put_file(const char *name, const char *text)
{
    char path[900], *slash;

    snprintf(path, sizeof path, "%s/%s", base, name);
    slash = strrchr(path, '/');
    *slash = '\0';
    write_text(path, slash + 1, text);
}

/* "02b rdp/serial median_ms=1 :rounds=3 :share:0=0.5": a row of a session of a day of January,
 * in a file of its own, and its values, of which ":share:0" is one of a series. */
static void put_row(char *line)
{
    static int n_files;
    const char *const day = strsep(&line, " "), *const impl = strsep(&line, " ");
    const char *const device = strstr(impl, "gpu")   ? "gpu"
                               : strstr(impl, "omp") ? "omp"
                                                     : "serial";
    struct text words = {0}, header = {0}, row = {0}, csv = {0}, values = {0};
    char session[32], name[60], column[60];

    snprintf(session, sizeof session, "202601%.2sT000000Z-%s", day, day[2] ? day + 2 : "a");
    text_format(&words,
                "%s session=%s row_id=r1 utc=%s build_hash=%s machine=host cpu=CPU gpu=GPU "
                "commit=abc1234567 dirty=0 protocol=paper problem=rdp impl=%s device=%s "
                "height=256 input=scene frame_pick=all threads=%d batch=1 mode_name=any "
                "scope=kernel series=frames verdict=exact status=ok n=30",
                line ? line : "schema=1", session, session, session, impl, device,
                *device == 'o' ? 8 : 1);
    text_add(&header, ",");
    text_add(&values, "row_id,name,index,value,unit\n");
    for (char *rest = words.data, *word; (word = strsep(&rest, " ")) != NULL;) {
        char *const value = strchr(word, '=') + 1, *index = strchr(word + 1, ':');

        value[-1] = '\0';
        snprintf(column, sizeof column, ",%s,", word);
        if (*word == ':') {
            text_format(&values, "r1,%.*s,%s,%s,px\n", (int)strcspn(word + 1, ":"), word + 1,
                        index ? index + 1 : "", value);
        } else if (!strstr(header.data, column)) { /* what the row says is before the usual */
            text_format(&header, "%s,", word);
            text_format(&row, ",%s", value);
        }
    }
    text_format(&csv, "%.*s\n%s\n", (int)header.size - 2, header.data + 1, row.data + 1);
    snprintf(name, sizeof name, "%s-%04d.csv", session, n_files);
    write_text(host, name, csv.data);
    snprintf(name, sizeof name, "%s-%04d.values.csv", session, n_files++);
    write_text(host, name, values.data);
    text_free(&words);
    text_free(&header);
    text_free(&row);
    text_free(&csv);
    text_free(&values);
}

/* Rows, a line each; "file NAME" is followed by its text. */
static void add(const char *more)
{
    char *const copy = strdup(more), *rest = copy;

    assert_non_null(copy);
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        if (!strncmp(line, "file ", 5)) {
            put_file(line + 5, rest);
            break;
        } else if (*line) {
            put_row(line);
        }
    free(copy);
}

/* ---- showing ---- */

/* The columns "a b" of rows, a row a line; '.' is empty. */
static void print_columns(const struct table *rows, const char *columns)
{
    size_t n = 0;

    for (int i = 0; i < rows->n_rows; i++) {
        char copy[500], *rest = copy;

        snprintf(copy, sizeof copy, "%s", columns);
        for (const char *name; (name = strsep(&rest, " ")) != NULL;) {
            const char *const text = query_text(rows, i, name);

            n += (size_t)snprintf(shown + n, sizeof shown - n, "%s%c", *text ? text : ".",
                                  rest ? ' ' : '\n');
        }
    }
}

/* A format, "first" (the text without --all), "notes", "short" (those), "refusal", or columns of
 * the rows. */
static void show(const char *what)
{
    const struct bench_overrides overrides = {.with_absent = true};
    const char *const folders[] = {host};
    const struct store_files files = {folders, 1, true, paper, NULL};
    const bool is_refused = !strcmp(what, "refusal"), is_short = !strcmp(what, "short");
    const bool is_noted = is_short || !strcmp(what, "notes");
    const bool is_first = is_short || !strcmp(what, "first");
    FILE *const file = fmemopen(shown, sizeof shown, "w");
    struct show_options options = {.format = TABLE_TERMINAL,
                                   .width = 80,
                                   .is_all = !is_first,
                                   .out = is_noted ? NULL : file,
                                   .notes = is_noted ? file : NULL};
    const bool is_page =
        !table_format_of(what, &options.format) || is_refused || is_noted || is_first;
    struct bench_experiment experiment;
    struct table rows = {0};
    struct store *store = NULL;
    char path[700];
    enum bench_status status;

    snprintf(path, sizeof path, "%s/rdp/fig9.ini", base);
    shown[0] = '\0';
    if (experiment_read(path, &overrides, &experiment) ||
        store_read_files(&files, NULL, &store))
        fail_msg("%s", bench_failure());
    status = is_page ? show_write(&experiment, store, &options)
                     : show_rows(&experiment, store, &rows);
    assert_int_equal(status, is_refused ? BENCH_EINPUT : BENCH_OK);
    fclose(file);
    print_columns(&rows, what);
    if (is_refused)
        snprintf(shown, sizeof shown, "%s", strstr(bench_failure(), "[show]"));
    table_free(&rows);
    store_close(store);
    experiment_free(&experiment);
}

/* A step of a story: what is added, the sections of the descriptor, what is shown, and what it
 * has; of columns and notes that is all.  NULL: as before. */
struct step {
    const char *more, *descriptor, *what, *expected;
};

static void run(void **state)
{
    const char *what = "";
    char descriptor[2000];

    for (const struct step *step = *state; step->expected; step++) {
        if (step->more)
            add(step->more);
        snprintf(descriptor, sizeof descriptor,
                 "[global]\ntitle = time\nproblem = rdp\nheight = 256\n[fig9]\n%s",
                 step->descriptor ? step->descriptor : "");
        if (step->descriptor)
            put_file("rdp/fig9.ini", descriptor);
        what = step->what ? step->what : what;
        show(what);
        if (!strstr("text first md csv refusal", what))
            assert_string_equal(shown, step->expected);
        else if (!strstr(shown, step->expected))
            fail_msg("expected\n%s\nin\n%s", step->expected, shown);
    }
}

static int begin(void **unused)
{
    snprintf(base, sizeof base, "%s/show", support_place());
    snprintf(host, sizeof host, "%s/results/host", base);
    snprintf(paper, sizeof paper, "%s/paper", base);
    support_remove(base);
    return 0;
}

/* What is said of a configuration that is missing. */
#define KEYS(height)                         \
    "distance=vertical;eps=4;height=" height \
    ";median=0;resample=linear;width=0 input=scene frame_pick=all"
#define GPU_KEYS(height, skip, unroll)                       \
    "barriers=one;distance=vertical;eps=4;height=" height    \
    ";median=0;resample=linear;skip=" skip ";unroll=" unroll \
    ";width=0 input=scene frame_pick=all"
#define WHY(why) " kernel/frames: " why "\n"
#define TIMES    WHY("not measured")

#define SERIAL "impl = rdp/serial\n"
#define OMP    "impl = rdp/omp-columns\n"
#define GPU    "impl = rdp/gpu-paper\n"

static const struct story {
    const char *name;
    struct step step[16]; /* the last is empty */
} stories[] = {
    /* ---- choosing ---- */

    {"newest_of_the_best_is_shown",
     {{"", SERIAL, "median_ms", ""},
      {"01 rdp/serial median_ms=1 dirty=1 protocol=quick", NULL, NULL, "1\n"},
      {"10 rdp/serial median_ms=2 dirty=1 protocol=quick", NULL, NULL, "2\n"},
      {"02 rdp/serial median_ms=3 dirty=1", NULL, NULL, "3\n"}, /* full before quick */
      {"09 rdp/serial median_ms=3.5 dirty=unknown", NULL, NULL, "3.5\n"}, /* as if it were */
      {"03 rdp/serial median_ms=4 protocol=quick", NULL, NULL, "4\n"}, /* clean before dirty */
      {"04 rdp/serial median_ms=5", NULL, NULL, "5\n"},
      {"12 rdp/serial median_ms=6", NULL, NULL, "6\n"},
      {"11 rdp/serial median_ms=7", NULL, NULL, "6\n"},
      {"13 rdp/serial median_ms=8 verdict=wrong\n14 rdp/serial median_ms=9 status=wrong\n"
       "15 rdp/serial median_ms=10 status=unstable\n16 rdp/serial median_ms=11 "
       "status=throttled",
       NULL, NULL, "6\n"},
      {"file results/host/WITHDRAWN\n20260112T000000Z-a:r1 fan was off\n", NULL, NULL, "7\n"}}},

    /* Where energy is asked for a row that has it counts, though a newer one has none. */
    {"energy_is_shown_where_it_is_asked_for",
     {{"01 rdp/serial median_ms=1 mj_frame=5\n02 rdp/serial median_ms=2", SERIAL, "median_ms",
       "2\n"},
      {NULL, SERIAL "energy = 1\n", NULL, "1\n"},
      {"03 rdp/serial median_ms=3 mj_frame=6", NULL, NULL, "3\n"}}},

    {"other_cells_do_not_match",
     {{"01a rdp/serial height=512\n01b rdp/serial eps=8\n01c rdp/omp-tasks\n"
       "01d rdp/serial input=noise\n01e rdp/serial frame_pick=worst\n01f rdp/serial batch=64\n"
       "01g rdp/serial scope=end_to_end\n01h rdp/serial series=hot\n01i rdp/serial stage=sort\n"
       "01j rdp/serial cutoff=64", /* a key that this variant does not have */
       SERIAL, "median_ms", ""},
      {"01k rdp/serial median_ms=1", NULL, NULL, "1\n"}}},

    {"empty_keys_stand_for_fallbacks",
     {{"01 rdp/omp-columns median_ms=1 params=old", OMP, "median_ms",
       "1\n"}, /* from before the keys were declared */
      {NULL, OMP "chunk = 16\n", NULL, ""},
      {"01b rdp/omp-columns median_ms=2 chunk=16", NULL, NULL, "2\n"}}},

    /* All cores: the larger team, though older.  A machine without modes stands in for each,
     * with its row once. */
    {"threads_and_modes",
     {{"02 rdp/omp-columns median_ms=1 threads=8\n03 rdp/omp-columns median_ms=2 threads=2",
       OMP, "median_ms", "1\n"},
      {NULL, OMP "threads = 2\n", NULL, "2\n"},
      {NULL, OMP "threads = 4\n", NULL, ""},
      {NULL, OMP "mode = MAXN, MODE_10W\n", NULL, "1\n"},
      {"01b rdp/omp-columns median_ms=3 mode_name=MAXN\n"
       "04b rdp/omp-columns median_ms=4 mode_name=MODE_15W",
       OMP "mode = MAXN\n", NULL, "3\n"}}},

    /* A part of the GPU is never shown for the whole, nor the whole for a part.  Rows from
     * before 'sms' are of the whole; of a GPU as small as the part, that is the whole. */
    {"parts_of_a_card_are_told_apart",
     {{"05 rdp/gpu-paper median_ms=8 sm_count=132 sms=8", GPU, "median_ms", ""},
      {"01 rdp/gpu-paper median_ms=1 sm_count=132", NULL, NULL, "1\n"},
      {"02 rdp/gpu-paper median_ms=2 sm_count=132 sms=132", NULL, NULL, "2\n"},
      {"03 rdp/gpu-paper median_ms=3 sm_count=132", NULL, NULL, "3\n"},
      {NULL, GPU "sms = 8\n", NULL, "8\n"},
      {NULL, GPU "sms = 132\n", NULL, "3\n"},
      {"06 rdp/gpu-paper median_ms=9 sm_count=8 sms=8", GPU "sms = 8\n", NULL, "9\n"},
      {NULL, GPU, NULL, "9\n"},
      {NULL, GPU "sms = 16\n", NULL, ""},
      {NULL, NULL, "notes",
       "missing: rdp/gpu-paper " GPU_KEYS("256", "0", "5") " sms=16" TIMES},
      {"07 rdp/serial median_ms=50 sm_count=132\n07 rdp/gpu-paper median_ms=17 sm_count=132 "
       "sms=16",
       GPU "sms = 132, 8, 16\n[b]\nimpl = rdp/serial\n"
           "[show]\nrows = sms\ncolumns = impl\nvalue = median_ms\n",
       "text",
       "sms   rdp/gpu-paper  rdp/serial\n"
       "8                 9            \n"
       "16               17            \n"
       "132               3            \n"
       "none                         50\n"
       "n 30 samples of one process; 95 % interval of the median at most 0 % wide\n\n"
       "host; CPU; GPU; SMs 132, 8, 16; mode any;"}}},

    /* A row says how its frames were transferred; one from before that was said copied them. */
    {"transfers_are_told_apart",
     {{"03 rdp/gpu-paper median_ms=1 transfer=mapped", GPU, "median_ms", ""},
      {"01b rdp/gpu-paper median_ms=2", NULL, NULL, "2\n"},
      {"02c rdp/gpu-paper median_ms=3 transfer=copy", NULL, NULL, "3\n"},
      {NULL, GPU "transfer = mapped\n", NULL, "1\n"},
      {NULL, GPU "transfer = managed\n", NULL, ""}}},

    {"scopes_series_and_stages",
     {{"01 rdp/gpu-paper reason=k1\n01 rdp/gpu-paper stage=a reason=old-a\n"
       "01 rdp/gpu-paper stage=gone reason=old\n01 rdp/gpu-paper scope=device reason=d1\n"
       "02 rdp/gpu-paper stage=a reason=older-a\n02 rdp/gpu-paper stage=a reason=new-a\n"
       "02 rdp/gpu-paper stage=b reason=new-b",
       GPU "scope = kernel, device\nstages = 1\n", "reason", "k1\nnew-a\nnew-b\nd1\n"},
      {NULL, GPU "scope = kernel, device\n", NULL, "k1\nd1\n"},
      /* no device scope on a CPU: neither shown nor missing */
      {"02 rdp/serial reason=cpu", SERIAL "scope = kernel, device\n", NULL, "cpu\n"},
      {NULL, NULL, "notes", ""}}},

    /* A build without CUDA lacks some variants: whatever it has, it shows the rows of each configuration
     * and no others, such as a newer row with other keys of the variant. */
    {"every_build_shows_the_same",
     {{"01 rdp/gpu-opt reason=opt\n02 rdp/gpu-opt reason=rows layout=rows\n"
       "02 rdp/omp-columns reason=columns\n01b rdp/gpu-paper reason=unroll-5\n"
       "02b rdp/gpu-paper reason=unroll-0 unroll=0\n03b rdp/gpu-paper reason=skip skip=1\n"
       "03c rdp/gpu-paper reason=512 height=512",
       "impl = rdp/gpu-opt, rdp/omp-columns\n[b]\nimpl = rdp/gpu-paper\nunroll = 0, 5\n"
       "[c]\nimpl = rdp/gpu-*\nlayout = rows\n"
       "[d]\nimpl = rdp/gpu-paper\nskip = 0, 1\nunroll = 0\n",
       "reason", "opt\ncolumns\nunroll-0\nunroll-5\nrows\n"},
      {NULL, NULL, "notes", "missing: rdp/gpu-paper " GPU_KEYS("256", "1", "0") TIMES}}},

    /* What processes of one call say together; what one of them lacks stays the row's own. */
    {"processes_of_one_call_are_one_row",
     {{"01 rdp/serial mean_ms=9 median_ms=9 run_group=other run=7\n"
       "02b rdp/serial mean_ms=1 median_ms=2 min_ms=1 max_ms=5 run_group=g run=1\n"
       "02c rdp/serial mean_ms=2 median_ms=7 min_ms=4 run_group=g run=2\n"
       "02d rdp/serial mean_ms=60 median_ms=4 status=wrong run_group=g run=3\n"
       "02e rdp/serial mean_ms=6 median_ms=3 min_ms=3 max_ms=8 run_group=g run=4",
       SERIAL, "n processes mean_ms sd_ms median_ms min_ms max_ms ci_lo_ms ci_hi_ms fps",
       "3 3 3 2.64575131 3 3 8 2 7 333.333333\n"}}},

    /* Of streams the frames of all of them count: the first has a p99 of its own, both have a p99.9 of 20 000 frames. */
    {"streams_of_one_call_are_one_distribution",
     {{"02b rdp/serial schema=7 scope=end_to_end series=stream stream_rate=30 "
       "stream_in_flight=1 "
       "stream_arrival=queue n=10000 mean_ms=1 median_ms=1 max_ms=9.5 fps=30 n_missed=2 "
       "n_dropped=0 p99_ms=2 jitter_ms=0.5 host_ms=0.25 "
       "run_group=g run=1 :latency_count:10000=9880 :latency_count:20000=90 "
       ":latency_count:30000=25 "
       ":latency_count:96000=5\n"
       "02c rdp/serial schema=7 scope=end_to_end series=stream stream_rate=30 "
       "stream_in_flight=1 "
       "stream_arrival=queue n=10000 mean_ms=2 median_ms=2 max_ms=7 fps=30.5 n_missed=3 "
       "n_dropped=0 p99_ms=7 jitter_ms=1.5 host_ms=0.75 "
       "run_group=g run=2 :latency_count:10000=9980 :latency_count:70000=20",
       SERIAL "series = stream\nscope = end_to_end\nrate = 30\n",
       "processes p90_ms p99_ms p999_ms p999_lo_ms p999_hi_ms n_missed n_dropped max_ms fps "
       "jitter_ms host_ms gpu_ms",
       "2 1 1 7 3 7 5 0 9.5 30.25 1 0.5 .\n"}}},

    /* ---- values and files ---- */

    /* Each set of values once, for all rows of a configuration; none overwrites a column. */
    {"values_are_joined",
     {{"01 rdp/serial :segments=11.5 :round_share:0=0.75 :round_share:1=0.25 :eps=3\n"
       "01 rdp/serial scope=end_to_end\n01 rdp/serial height=512 :segments=22 :rounds_mean=5",
       SERIAL "scope = kernel, end_to_end\n[b]\nimpl = rdp/serial\nheight = 512\n",
       "scope segments rounds_mean eps value_eps",
       "kernel 11.5 . . 3\nend_to_end 11.5 . . 3\nkernel 22 5 . .\n"},
      {NULL, NULL, "csv", ",\"processes\",\"segments\",\"value_eps\",\"rounds_mean\"\n"},
      {"01b rdp/serial height=64 scope= series= :segments=7", SERIAL "height = 64\ntimes = 0\n",
       "segments", "7\n"}}},

    {"missing_cells_are_named",
     {{"01 rdp/gpu-paper height=2048 scope= series= status=skipped reason=tall",
       GPU "height = 2048\n", "notes",
       "missing: rdp/gpu-paper " GPU_KEYS("2048", "0", "5") WHY("skipped: tall")},
      {"02 rdp/gpu-paper height=2048 status=wrong reason=values",
       GPU "height = 2048\n[b]\nimpl = rdp/serial\nheight = 256, 512, 768\n", NULL,
       "missing: rdp/gpu-paper " GPU_KEYS("2048", "0", "5")
           WHY("wrong: values") "missing: rdp/serial " KEYS("256") TIMES
       "missing: rdp/serial " KEYS("512") TIMES "missing: rdp/serial " KEYS("768") TIMES},
      {NULL, SERIAL "height = 256, 512, 768, 1024\n", NULL,
       "missing: rdp/serial: 4 configurations, the first " KEYS("256") TIMES},
      {NULL, GPU "height = 2048\n[b]\nimpl = rdp/serial\nheight = 256, 512, 768, 1024\n",
       "short",
       "missing: 5 configurations (1 wrong, 4 not measured): depthbench show rdp/fig9\n"
       "  --all lists them\n"},
      {NULL, NULL, "csv", "\"schema\",\"session\",\"row_id\","},
      {NULL, NULL, "md", "### rdp/fig9: time\n\nNo rows.\n"}}},

/* ---- for people ---- */

#define FOUR_ROWS                                                                           \
    "01 rdp/serial height=512 mean_ms=10.25 median_ms=10 ci_lo_ms=9.9 ci_hi_ms=10.1 n=57\n" \
    "01 rdp/gpu-paper height=512 mean_ms=0.01 median_ms=0.0101 ci_lo_ms=0.01 "              \
    "ci_hi_ms=0.0102\n"                                                                     \
    "01 rdp/serial height=1024 mean_ms=21.1552 median_ms=21 ci_lo_ms=20.9 ci_hi_ms=21.11\n" \
    "01 rdp/gpu-paper height=1024 mean_ms=0.012345 median_ms=0.0122 ci_lo_ms=0.0121 "       \
    "ci_hi_ms=0.0123 n=1000\n"
#define OF_FOUR "impl = rdp/serial, rdp/gpu-paper\nheight = 512, 1024\n"
#define CAPTION                                                                                \
    "\nhost; CPU; GPU; mode any; commit abc1234; input scene; scope kernel; series frames; n " \
    "30..1000 samples of one process; protocol paper\n"

    {"long_table",
     {{FOUR_ROWS, OF_FOUR, "md",
       "### rdp/fig9: time\n\n"
       "input scene, frame_pick all, batch 1, threads 1, mode_name any, machine host,\n"
       "scope kernel, series frames, verdict exact, status ok\n\n"
       "| impl          | height | median ms | mean ms | 95 % of median |    n |\n"
       "| ------------- | -----: | --------: | ------: | -------------: | ---: |\n"
       "| rdp/serial    |    512 |      10.0 |    10.3 |      9.9..10.1 |   57 |\n"
       "| rdp/serial    |   1024 |      21.0 |    21.2 |    20.9..21.11 |   30 |\n"
       "| rdp/gpu-paper |    512 |    0.0101 |  0.0100 |   0.01..0.0102 |   30 |\n"
       "| rdp/gpu-paper |   1024 |    0.0122 |  0.0123 | 0.0121..0.0123 | 1000 |\n" CAPTION}}},

    /* Rows of another rule count, and are named. */
    {"another_rule",
     {{"01 rdp/serial mean_ms=10.25\n01 rdp/omp-columns mean_ms=2.5 verdict=other",
       "impl = rdp/serial, rdp/omp-columns\n[show]\nrows = impl\ncolumns = eps\n"
       "value = mean_ms\n",
       "text", "rdp/omp-columns    2.5"},
      {NULL, NULL, NULL, "protocol paper; by another rule: rdp/omp-columns"}}},

    /* Tables for the heights, with the numbers that the paper prints for one of them. */
    {"pivot_with_the_printed_numbers",
     {{FOUR_ROWS "file paper/rdp.csv\npaper,figure,impl,mode_name,height,name,value,printed\n"
                 "rdp,table1,rdp/serial,MODE_10W,1024,mean_ms,43.9,43.9\n"
                 "rdp,table1,rdp/gpu-paper,MODE_10W,1024,mean_ms,5.66,5.66\n"
                 "rdp,table1,rdp/gpu-paper,MAXN,1024,mean_ms,1.09,1.09\n"
                 "rdp,table1,rdp/serial,MAXN,1024,mean_ms,21.1,21.10\n"
                 "rdp,table1,rdp/omp-columns,MAXN,1024,mean_ms,4.97,4.97\n",
       OF_FOUR "[show]\nrows = impl\ncolumns = mode\nvalue = mean_ms\ntitle = Times < all\n"
               "unit = ms\npaper = rdp/table1\n",
       "text",
       "rdp/fig9: Times < all [ms]\n\n"
       "input scene, frame_pick all, batch 1, threads 1, machine host, scope kernel,\nseries "
       "frames\n\n"
       "height 512\n"
       "impl              any\n"
       "rdp/serial       10.3\n"
       "rdp/gpu-paper  0.0100\n"
       "n 30..57 samples of one process; 95 % interval of the median at most 2 % wide\n\n"
       "height 1024\n"
       "impl                any  MODE_10W printed  MAXN printed\n"
       "rdp/serial         21.2              43.9         21.10\n"
       "rdp/gpu-paper    0.0123              5.66          1.09\n"
       "rdp/omp-columns                                    4.97\n"
       "n 30..1000 samples of one process; 95 % interval of the median at most 1.6 %\n"
       "wide; printed: the paper's table1\n\n"
       "host; CPU; GPU; mode any; commit abc1234; input scene; scope kernel; series\n"
       "frames; n 30..1000 samples of one process; protocol paper\n"},
      /* with a mode that the paper has, ours stands beside what is printed */
      {"02 rdp/gpu-paper height=1024 mode_name=MAXN mean_ms=1.15",
       GPU "height = 1024\nmode = MAXN\n"
           "[show]\nrows = mode\ncolumns = impl\nvalue = mean_ms\npaper = rdp/table1\n",
       "csv", ""},
      {NULL, NULL, "md",
       "| mode     | rdp/gpu-paper | rdp/gpu-paper printed | rdp/serial printed | "
       "rdp/omp-columns printed |\n"}}},

    {"a_list_of_values_and_what_is_beside",
     {{"01 rdp/serial input=scene height=512 :err=1.5 :hit=60 :in_err=9 n=\n"
       "01 rdp/serial input=scene height=1024 :err=1.25 :hit=70 :in_err=9 n=\n"
       "01 rdp/serial input=noise height=512 :err=2.5 :hit=40 :in_err=20 n=\n"
       "01 rdp/serial input=noise height=1024 :err=2 :hit=50 :in_err=21 n=\n"
       "file paper/set.csv\npaper,figure,impl,input,height,batch,name,value,printed\n"
       "set,table9,,KITTI,512,,err,8,8.0\nset,table9,,KITTI,512,8,err,7,of another batch\n"
       "set,table9,,KITTI,,,in_err,9.1,9.10\nset,table8,,KITTI,512,,err,6,of another table\n"
       "set,table9,,SYNTHIA,,,in_err,10.26,10.26\n",
       SERIAL "input = scene, noise\nheight = 512, 1024\n[show]\nrows = input\n"
              "columns = height\nvalue = err, hit\nextra = in_err\npaper = set/table9\n",
       "text",
       "err\n"
       "input    in_err  in_err printed  512  512 printed  1024\n"
       "scene         9                  1.5               1.25\n"
       "noise    20..21                  2.5                  2\n"
       "KITTI                      9.10               8.0      \n"
       "SYNTHIA                   10.26                        \n"
       "printed: the paper's table9\n\n"
       "hit\n"
       "input  512  1024\n"
       "scene   60    70\n"
       "noise   40    50\n\nhost; CPU;"}}},

#define FIRST_SQL                                                                             \
    "file rdp/first.sql\n-- the paper's\nSELECT height || ' rows' AS \" \", (SELECT printed " \
    "FROM printed WHERE figure = 'table1') AS \"time printed\", CASE height WHEN 512 THEN "   \
    "told(ms, half) ELSE '(no rows)' END AS \"time here\", NULL AS \"energy here\", CASE "    \
    "height WHEN 512 THEN 'n ' || of_n END AS note FROM shown_row WHERE impl = 'rdp/serial'\n"
#define OF_FIRST \
    OF_FOUR      \
    "[show]\nfirst = first.sql\nrows = impl\ncolumns = mode\nvalue = mean_ms\nunit = ms\n"
#define FIRST_ROWS                         \
    "           time printed  time here\n" \
    "512 rows           21.1       10.3\n" \
    "1024 rows          21.1  (no rows)\nn 57\n"

    /* The table as the paper prints it stands alone, with its reasons and without an empty
     * column; the others fold behind it. */
    {"the_table_of_the_paper_is_first",
     {{FOUR_ROWS "file paper/rdp.csv\npaper,figure,impl,name,value,printed\n"
                 "rdp,table1,rdp/serial,mean_ms,21.1,21.1\n",
       OF_FOUR, "height", "512\n1024\n512\n1024\n"},
      {FIRST_SQL, OF_FIRST, "first",
       "rdp/fig9: time\n\n" FIRST_ROWS "\nAll rows, 2 tables: the same with --all\n"},
      {NULL, NULL, "text",
       FIRST_ROWS "\ninput scene, frame_pick all, batch 1, threads 1, machine host, scope "
                  "kernel,\nseries frames, in ms\n\nheight 512\nimpl              any\n"},
      {NULL, NULL, "md",
       "### rdp/fig9: time\n\n"
       "|           | time printed | time here |\n"
       "| --------- | -----------: | --------: |\n"
       "| 512 rows  |         21.1 |      10.3 |\n"
       "| 1024 rows |         21.1 | (no rows) |\n\n"
       "n 57\n\n<details>\n<summary>All rows, 2 tables</summary>\n\ninput scene,"},
      {NULL, NULL, NULL, "protocol paper\n\n</details>\n"},
      {"file rdp/first.sql\nSELECT 1 FROM nowhere\n", NULL, "refusal",
       "[show] first.sql: sql: no such table: nowhere"},
      {"file rdp/first.sql\nDELETE FROM measurement\n", NULL, "refusal", "[show] first.sql: "},
      {NULL, SERIAL "height = 64\n[show]\nfirst = first.sql\n", "first",
       "No rows.\nnext: depthbench run rdp/fig9 --quick; --results shows another "
       "machine's\n"}}},

    /* A variant without the key of the rows, or of the columns, is not under an empty head; one
     * of many tables has it, too. */
    {"keys_of_one_variant",
     {{"01 rdp/serial mean_ms=90\n01 rdp/gpu-paper mean_ms=30\n"
       "01 rdp/omp-columns chunk=2 mean_ms=20\n01 rdp/omp-columns chunk=10 mean_ms=10\n"
       "01 rdp/omp-columns chunk=2 stage=search mean_ms=4",
       "impl = rdp/omp-columns, rdp/serial\nchunk = 10, 2\n"
       "[show]\nrows = impl\ncolumns = height\nvalue = mean_ms\n",
       "text",
       "chunk 10\n"
       "impl             256\n"
       "rdp/omp-columns   10\n"
       "rdp/serial        90\n"
       "n 30 samples of one process; 95 % interval of the median at most 0 % wide\n\n"
       "chunk 2\n"
       "impl             256\n"
       "rdp/omp-columns   20\n"
       "rdp/serial        90\n"},
      {NULL,
       "impl = rdp/omp-columns, rdp/serial, rdp/gpu-paper\nchunk = 10, 2\n"
       "[show]\nrows = chunk\ncolumns = height\nvalue = mean_ms\n",
       NULL,
       "chunk          256\n"
       "2               20\n"
       "10              10\n"
       "rdp/serial      90\n"
       "rdp/gpu-paper   30\n"},
      {NULL,
       "impl = rdp/omp-columns, rdp/serial, rdp/gpu-paper\nchunk = 10, 2\n"
       "[show]\nrows = impl\ncolumns = chunk\nvalue = mean_ms\n",
       NULL,
       "impl              2  10  none\n"
       "rdp/omp-columns  20  10      \n"
       "rdp/serial                 90\n"
       "rdp/gpu-paper              30\n"},
      {NULL,
       OMP "chunk = 10, 2\nstages = 1\n"
           "[show]\nrows = stage\ncolumns = chunk\nvalue = mean_ms\n",
       NULL,
       "stage       2  10\n"
       "whole run  20  10\n"
       "search      4    \n"}}},

    /* ---- what is made of rows ---- */

    /* Medians 1 2 8 16 at 128 256 512 1024: in powers of two 0 1 3 4, slope
     * 1.4 +- 4.30265 / sqrt 50. */
    {"powers_are_fitted",
     {{"01 rdp/serial height=256 median_ms=2\n01 rdp/serial height=256 median_ms=5 stage=part\n"
       "01 rdp/serial height=128 median_ms=1\n01 rdp/serial height=1024 median_ms=16\n"
       "01 rdp/serial height=512 median_ms=8\n01 rdp/gpu-paper height=512 median_ms=1\n"
       "01 rdp/gpu-paper height=1024 median_ms=8\n01 rdp/omp-columns height=512 median_ms=3\n"
       "file paper/set.csv\npaper,figure,impl,batch,name,value,printed\n"
       "set,table9,rdp/serial,8,exponent,9,of another batch\n"
       "set,table9,rdp/serial,,exponent,2,w h^2\n",
       "impl = rdp/serial, rdp/gpu-paper, rdp/omp-columns\nheight = 128, 256, 512, 1024\n"
       "stages = 1\n[show]\nrows = impl\ncolumns = height\nvalue = median_ms\nfit = height\n"
       "paper = set/table9\n",
       "text",
       "median_ms ~ height^exponent, least squares of the logarithms; last step: between\n"
       "the two largest alone\n"
       "impl              height  points  exponent  95 % interval  last step  printed\n"
       "rdp/serial     128..1024       4       1.4  0.7915..2.008          1  w h^2\n"
       "rdp/gpu-paper  512..1024       2         3                         3  \n"}}},

    /* 2 ns a node and 0.5 ns a row; one row is no fit. */
    {"sums_of_two_terms_are_fitted",
     {{"01 rdp/serial height=128 median_ms=4 :nodes=1e6 :rows=4e6\n"
       "01 rdp/serial height=256 median_ms=7 :nodes=3e6 :rows=2e6\n"
       "01 rdp/serial height=512 median_ms=2.5 :nodes=1e6 :rows=1e6\n"
       "01 rdp/gpu-paper height=512 median_ms=1 :nodes=1 :rows=2",
       "impl = rdp/serial, rdp/gpu-paper\nheight = 128, 256, 512\n[show]\nrows = impl\n"
       "columns = height\nvalue = median_ms\nlinear = nodes, rows, height\n",
       "text",
       "median_ms = a nodes + b rows, least squares of the relative residuals; \u00b1 95 %\n"
       "interval; rms and worst residual\n"
       "impl        rows  a, ns  b, ns "},
      {NULL, NULL, NULL, "\nrdp/serial     3      2    0.5 "}}},

/* Teams of 16, 8 and 4: the second is the fastest, the third as fast, as the intervals tell. */
#define TEAMS "impl = rdp/serial, rdp/omp-columns\nthreads = 16, 8, 4\nstages = 1\n"
    {"the_best_setting_is_shown",
     {{"01 rdp/serial median_ms=9\n"
       "01 rdp/omp-columns threads=16 median_ms=1.1 ci_lo_ms=1.03 ci_hi_ms=1.2\n"
       "01 rdp/omp-columns threads=16 median_ms=0.5 stage=part\n"
       "01 rdp/omp-columns threads=8 median_ms=1 ci_lo_ms=0.98 ci_hi_ms=1.02\n"
       "01 rdp/omp-columns threads=8 median_ms=0.5 stage=part\n"
       "01 rdp/omp-columns threads=4 median_ms=1.01 ci_lo_ms=1.02 ci_hi_ms=1.03\n"
       "01 rdp/omp-columns threads=4 median_ms=0.5 stage=part",
       TEAMS "[show]\nbest = threads\n", "threads median_ms stage",
       "1 9 .\n4 1.01 .\n4 0.5 part\n"},
      {NULL, TEAMS, "threads", "1\n16\n16\n8\n8\n4\n4\n"}}},

/* Widths stand for seeds. */
#define SEEDS                                                                \
    "01 rdp/serial height=512 width=1 mean_ms=90 mj_frame=5 :err=10\n"       \
    "01 rdp/serial height=512 width=2 mean_ms=110 sd_ms=7 :err=12\n"         \
    "01 rdp/gpu-paper height=256 width=1 mean_ms=5 :err=20 :work=1000000\n"  \
    "01 rdp/gpu-paper height=512 width=1 mean_ms=9 :err=9 :work=2000000\n"   \
    "01 rdp/gpu-paper height=512 width=2 mean_ms=11 :err=13 :work=2000000\n" \
    "01 rdp/gpu-paper height=1024 width=1 mean_ms=40 :err=4 :work=4000000"
#define OF_SEEDS                                                     \
    SERIAL "height = 512\nwidth = 1, 2\n[b]\nimpl = rdp/gpu-paper\n" \
           "height = 512, 256, 1024\nwidth = 1, 2\n[show]\n"

    {"runs_are_means",
     {{SEEDS,
       OF_SEEDS "rows = height\ncolumns = impl\nvalue = mean_ms, err\nmean_over = width\n",
       "height width mean_ms n min_ms sd_ms err err_sd mj_frame",
       "512 . 100 2 90 14.1421356 11 1.41421356 .\n512 . 10 2 9 1.41421356 11 2.82842712 .\n"
       "256 . 5 1 5 0 20 . .\n1024 . 40 1 40 0 4 . .\n"},
      {NULL, NULL, "text",
       "mean_ms\n"
       "height  rdp/serial  rdp/gpu-paper\n"
       "   256                     5, n 1\n"
       "   512    100 \u00b1 14     10.0 \u00b1 1.4\n"
       "  1024                    40, n 1\n"
       "n 2 where no other stands: means over width, \u00b1 one standard deviation\n"},
      {NULL, NULL, NULL, "; n 1..2; protocol paper\n"}}},

    /* 'reach': an error of 11, as the mean of the other; 40 ms are longer.  Without the second
     * name of 'baseline' only rows of the same height have a measure, and without means each run
     * has one of its own. */
    {"rows_are_measured_by_another",
     {{SEEDS,
       OF_SEEDS "mean_over = width\nbaseline = rdp/serial, height\ndivide_by = work, work_ns\n"
                "time_to_quality = err, height\n",
       "height speedup work_ns to_quality_ms to_quality_height",
       "512 1 . 100 512\n512 10 5 10 512\n256 20 5 . .\n1024 2.5 10 . .\n"},
      {NULL, OF_SEEDS "mean_over = width\nbaseline = rdp/serial\ndivide_by = work, work_ns\n",
       "speedup work_ns", "1 .\n10 5\n. 5\n. 10\n"},
      {NULL, OF_SEEDS "baseline = rdp/serial\n", "sd_ms n speedup",
       ". 30 1\n7 30 1\n. 30 10\n. 30 10\n. 30 .\n. 30 .\n"},
      {NULL,
       OF_SEEDS "rows = eps\ncolumns = impl\nvalue = to_quality_ms\nmean_over = width\n"
                "baseline = rdp/serial, height\ntime_to_quality = err, height\n",
       "text",
       "series frames\n\n" /* what was looked for parts no tables */
       "eps   rdp/serial  rdp/gpu-paper\n"
       "none         100             10\n"}}},

/* Two sessions may be of two machines: one is not divided by the other. */
#define TWO_SEEDS \
    "impl = rdp/serial, rdp/gpu-paper\nwidth = 1, 2\n[show]\nbaseline = rdp/serial\n"
    {"an_acceleration_is_of_one_session",
     {{"01 rdp/serial width=1 mean_ms=100\n02 rdp/gpu-paper threads=0 width=1 mean_ms=10",
       TWO_SEEDS "mean_over = width\n", "mean_ms speedup", "100 1\n10 .\n"},
      /* 100 and 20 times as fast */
      {"01 rdp/gpu-paper threads=0 width=2 mean_ms=1\n02 rdp/serial width=2 mean_ms=200", NULL,
       NULL, "150 1\n5.5 20\n"},
      /* an older one has both of each, though no row of it is shown */
      {"00 rdp/gpu-paper threads=0 width=1 mean_ms=4\n00 rdp/gpu-paper threads=0 width=2 "
       "mean_ms=6\n"
       "00 rdp/serial width=1 mean_ms=100\n00 rdp/serial width=2 mean_ms=200",
       NULL, NULL, "150 1\n5.5 30\n"},
      {NULL, TWO_SEEDS, "mean_ms", "100\n200\n10\n1\n"}}},

    /* What is outside counts in the mean, and is counted. */
    {"rows_outside_are_counted",
     {{"01 rdp/gpu-paper width=1 mean_ms=10 verdict=statistical\n"
       "01 rdp/gpu-paper width=2 mean_ms=20 verdict=outside\n"
       "01 rdp/gpu-paper width=3 mean_ms=90 verdict=wrong status=wrong",
       GPU "width = 1, 2, 3\n[show]\nmean_over = width\n", "mean_ms n n_outside", "15 2 1\n"},
      {NULL, NULL, "md", "; 1 of 2 rows outside the reference's scatter\n"}}},

/* ---- what a profiler counted ---- */

#define NCU                                                                             \
    "utc,machine,impl,input,frame_pick,batch,params,kernel,ipc,registers,shared_bytes," \
    "achieved_occupancy_pct,issue_active_pct,l1_hit_pct,launches,run_instructions,"     \
    "run_dram_bytes,run_l2_bytes\n"
#define PARAMS        "eps=4;height=256;width=0,"
#define CONFIG        "20260102T000000Z,host,rdp/gpu-paper,scene,all,1," PARAMS
#define ONE           "one,2,32,1,40,50,80,1,200,1000,3000\n"
#define COUNTED(text) "file results/host/ncu/02.csv\n" NCU text

    /* Sums over the kernels of one run, means by their cycles (100 of the first, 300 of the
     * second), and nothing that is of another configuration. */
    {"counters_are_joined",
     {{"01 rdp/gpu-paper mean_ms=2 n_frames=1 n_inputs=1\n" COUNTED(
           "20260102T000000Z,other,rdp/gpu-paper,scene,all,1," PARAMS ONE
           "20260102T000000Z,host,rdp/gpu-opt,scene,all,1," PARAMS ONE
           "20260102T000000Z,host,rdp/gpu-paper,noise,all,1," PARAMS ONE
           "20260102T000000Z,host,rdp/gpu-paper,scene,best,1," PARAMS ONE
           "20260102T000000Z,host,rdp/gpu-paper,scene,all,8," PARAMS ONE
           "20260102T000000Z,host,rdp/gpu-paper,scene,all,1,eps=8;height=256;width=0," ONE
           "20260103T000000Z,host,rdp/gpu-paper,scene,all,1,barriers=two;" PARAMS ONE),
       GPU "[show]\ncounters = ncu\n", "ncu_session ncu_kernels ncu_ipc", ". . .\n"},
      {COUNTED(CONFIG "one,2,32,1000,40,50,80,1,200,1000,3000\n" CONFIG
                      "two,1,64,2000,80,10,40,3,300,5000,7000\n"),
       NULL,
       "ncu_session ncu_kernels ncu_launches ncu_instructions ncu_dram_bytes ncu_l2_bytes "
       "ncu_ipc ncu_achieved_occupancy_pct ncu_issue_active_pct ncu_l1_hit_pct ncu_kernel "
       "ncu_registers ncu_shared_bytes",
       "20260102T000000Z 2 4 500 6000 10000 1.25 70 20 50 two 64 2000\n"},
      /* what is not known is empty */
      {COUNTED(CONFIG "one,2,32,,40,50,80,,,,\n" CONFIG "two,1,64,,80,10,40,3,300,5000,\n"),
       NULL, "ncu_kernels ncu_launches ncu_instructions ncu_dram_bytes ncu_ipc", "2 . . . .\n"},
      /* what was counted before or after a key was there is of its default */
      {COUNTED("20260102T000000Z,host,rdp/gpu-paper,scene,all,1,barriers=one;" PARAMS ONE),
       NULL, "ncu_session ncu_kernel", "20260102T000000Z one\n"},
      /* the newest is taken whole */
      {"file results/host/ncu/03.csv\n" NCU
       "20260103T000000Z,host,rdp/gpu-paper,scene,all,1," PARAMS
       "new,2,32,,40,50,80,1,10,20,30\n",
       NULL, "ncu_kernels ncu_kernel ncu_instructions", "1 new 10\n"},
      /* a mean over frames has none, nor has another transfer; a batch is per frame */
      {"02 rdp/gpu-paper n_inputs=25\n02 rdp/gpu-paper n_inputs=1 transfer=mapped\n"
       "02 rdp/gpu-paper n_inputs=1 batch=8 n_frames=8\n"
       "file results/host/ncu/04.csv\n" NCU
       "20260102T000000Z,host,rdp/gpu-paper,scene,all,8," PARAMS
       "one,2,32,1,40,50,80,1,200,1000,3001\n",
       GPU "transfer = copy, mapped\n[b]\nimpl = rdp/gpu-paper\nbatch = 8\n"
           "[show]\ncounters = ncu\n",
       "ncu_instructions ncu_dram_bytes ncu_l2_bytes ncu_ipc",
       ". . . .\n. . . .\n25 125 375.125 2\n"},
      {NULL, GPU, "csv", ",\"processes\"\n"}}},

/* Slips in a descriptor: its lists of columns, and what only tables need. */
#define OF_TABLE "rows = input\ncolumns = height\n"
#define TABLE    OF_SEEDS OF_TABLE
    {"slips_are_refused",
     {{SEEDS, OF_SEEDS "fit = hight\nvalue = median_ms\n", "refusal",
       "[show] fit 'hight' is neither a column, nor a key, nor a value of any problem"},
      {NULL, OF_SEEDS "linear = err, wrk, height\n", NULL, "[show] linear 'wrk' is neither"},
      {NULL, OF_SEEDS "linear = err\n", NULL, "[show] linear: expected two values"},
      {NULL, OF_SEEDS "mean_over = wdth\n", NULL, "[show] mean_over 'wdth' is neither"},
      {NULL, OF_SEEDS "time_to_quality = err, height\n", NULL,
       "[show] time_to_quality: expected"},
      {NULL, OF_SEEDS "divide_by = work\n", NULL, "[show] divide_by: expected"},
      {NULL, OF_SEEDS "counters = perf\n", NULL, "[show] counters: expected ncu, found 'perf'"},
      {NULL, TABLE "value = segmnets\n", NULL, "[show] value 'segmnets' is neither"},
      {NULL, TABLE "value = err, hti\n", NULL, "[show] value 'hti' is neither"},
      {NULL, TABLE "value = err\nextra = in_er\n", NULL, "[show] extra 'in_er' is neither"},
      {NULL, OF_SEEDS "rows = input\ncolumns = hight\nvalue = err\n", NULL,
       "[show] columns 'hight' is neither"}}},

    {"slips_are_refused_where_there_are_no_rows",
     {{"", SERIAL "[show]\n" OF_TABLE "value = segmnets\n", "refusal", "'segmnets' is neither"},
      {NULL, SERIAL "[show]\nmean_over = sed\n", NULL, "'sed' is neither"},
      {NULL, SERIAL "[show]\nlinear = segments\n", NULL, "expected two values"},
      {NULL,
       SERIAL "[show]\nmean_over = seed\n" OF_TABLE "value = segments_sd, to_quality_eps\n"
              "baseline = rdp/serial\ntime_to_quality = d1_pct, eps\n",
       "text", "\nNo rows.\n"}}},

    {"what_nobody_measured_is_said",
     {{"01 rdp/serial median_ms=1",
       SERIAL "[show]\n" OF_TABLE "value = median_ms, d1_pct\n"
              "extra = equal_pct\nlinear = candidates, updates\n",
       "text", "\nnot measured: d1_pct, equal_pct, candidates, updates\n"},
      {NULL, SERIAL "[show]\n" OF_TABLE "value = d1_pct\n", "first",
       "series frames\n\nnot measured: d1_pct\nnext: "},
      {NULL, SERIAL "[show]\nmean_over = seed\n" OF_TABLE "value = d1_pct\n", NULL,
       "not measured: d1_pct\n"},
      {NULL, NULL, "impl n median_ms", "rdp/serial 1 .\n"}}},

    {"rows_that_may_be_of_several_machines_say_so",
     {{"01 rdp/serial host=a\n02 rdp/serial host=b height=512", SERIAL "height = 256, 512\n",
       "text", "\n\nnot surely one machine: host is 2 hosts\n"},
      {"03 rdp/serial host=b", NULL, NULL, "protocol paper\n"},
      {"04 rdp/serial", NULL, NULL,
       "\n\nnot surely one machine: host is 1 host and unknown ones\n"},
      {"05 rdp/gpu-paper host=b gpu_uuid=x\n06 rdp/gpu-paper host=b gpu_uuid=y height=512",
       GPU "height = 256, 512\n", NULL, "machine: host is 1 host, 2 GPUs\n"}}},
};

int main(void)
{
    enum { N = sizeof stories / sizeof *stories };
    struct CMUnitTest tests[N];

    for (int i = 0; i < N; i++)
        tests[i] = (struct CMUnitTest){stories[i].name, run, begin, NULL,
                                       (void *)(uintptr_t)stories[i].step};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
