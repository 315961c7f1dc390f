/*
 * report_artifact.c - the headings that an evaluator of artifacts expects, filled from the record
 */
#include "judge/report_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MANY 24 /* distinct texts in one field */

static const char *rows_or_nothing(const struct report *r)
{
    return r->has_rows ? "" : "nothing recorded on this machine yet";
}

static void open_field(struct text *page, const char *name)
{
    text_format(page, "<div><dt>%s</dt><dd>", name);
}

static void close_field(struct text *page)
{
    text_add(page, "</dd></div>\n");
}

/* A field in plain words, `code` allowed. */
static void field(struct text *page, const char *name, const char *sentence)
{
    open_field(page, name);
    html_prose(page, sentence);
    close_field(page);
}

/* "label a, b" of the distinct texts of a column, with ';' before it where something stands there already. */
static void add_distinct(struct text *page, const struct report *r, const char *label,
                         const char *column, bool *first)
{
    struct text list = {0};

    if (r->has_rows)
        report_distinct(&r->all, column, MANY, &list);
    if (list.size > 0) {
        html_format(page, "%s%s%s", *first ? "" : "; ", label, list.data);
        *first = false;
    }
    page->failed |= list.failed;
    text_free(&list);
}

/* A field of the distinct texts of columns: pairs of label and column, NULL-terminated. */
static void field_of_columns(struct text *page, const struct report *r, const char *name,
                             const char *const *pairs)
{
    bool first = true;

    open_field(page, name);
    for (; pairs[0]; pairs += 2)
        add_distinct(page, r, pairs[0], pairs[1], &first);
    if (first)
        html_text(page, r->has_rows ? "not recorded" : rows_or_nothing(r));
    close_field(page);
}

/* "; label 41 to 63 unit" of a column of numbers. */
static void add_range(struct text *page, const struct report *r, const char *label,
                      const char *column, const char *unit)
{
    const struct record_table *rows = &r->all;
    double low = 0, high = 0, value;
    char low_text[TEXT_NUMBER], high_text[TEXT_NUMBER];
    int n = 0;

    for (int row = 0; r->has_rows && row < rows->n_rows; row++)
        if (record_get_number(rows, row, column, &value)) {
            low = n == 0 || value < low ? value : low;
            high = n == 0 || value > high ? value : high;
            n++;
        }
    if (n == 0)
        return;
    text_short_number(low_text, low, 4);
    text_short_number(high_text, high, 4);
    html_format(page, "; %s %s%s%s %s", label, low_text, low < high ? " to " : "",
                low < high ? high_text : "", unit);
}

static void field_of_state(struct text *page, const struct report *r)
{
    bool first = true;

    open_field(page, "Run-time state");
    if (r->has_rows) {
        add_distinct(page, r, "status of rows ", "status", &first);
        add_distinct(page, r, "power mode (any: the machine has none) ", "mode_name", &first);
        add_distinct(page, r, "clocks locked ", "clocks_locked", &first);
        add_distinct(page, r, "governor ", "governor", &first);
        add_range(page, r, "GPU clock before a row", "gpu_mhz_before", "MHz");
        add_range(page, r, "after it", "gpu_mhz_after", "MHz");
        add_range(page, r, "temperature before a row", "temp_c_before", "\u00b0C");
    } else {
        html_text(page, rows_or_nothing(r));
    }
    close_field(page);
}

static void field_of_algorithms(struct text *page, const struct report *r)
{
    open_field(page, "Algorithm");
    for (int i = 0; i < r->n_papers; i++)
        html_format(page, "%s[%s] %s", i ? "; " : "",
                    report_says(&r->paper[i], REPORT_PAPER, "short"),
                    report_says(&r->paper[i], REPORT_PAPER, "algorithm"));
    close_field(page);
}

/* ---- inputs ---- */

/* One input with where it is from: "scene (generated)", "cones (files: …)". */
static void add_input(struct text *page, const struct report *r, const char *name, bool first)
{
    struct text path = {0};
    struct ini_file ini;

    html_format(page, "%s%s", first ? "" : "; ", name);
    text_format(&path, "%s/experiments/inputs/%s.ini", r->request->home, name);
    if (path.data && ini_read(path.data, &ini) == BENCH_OK) {
        const struct ini_fact *kind = ini_find(&ini, "", "kind");
        const struct ini_fact *source = ini_find(&ini, "", "source");

        if (source)
            html_format(page, " (%s)", source->value);
        else if (kind)
            html_format(page, " (%s)", !strcmp(kind->value, "files") ? "files" : "generated");
        ini_free(&ini);
    }
    text_free(&path);
}

static void field_of_inputs(struct text *page, const struct report *r)
{
    struct text list = {0};
    char *save = NULL;
    bool first = true;

    open_field(page, "Data sets");
    if (r->has_rows)
        report_distinct(&r->all, "input", MANY, &list);
    for (char *name = list.data ? strtok_r(list.data, ", ", &save) : NULL; name;
         name = strtok_r(NULL, ", ", &save)) {
        add_input(page, r, name, first);
        first = false;
    }
    html_text(page, first
                        ? rows_or_nothing(r)
                        : ". None of the data sets is part of the repository; generated inputs "
                          "are made from a seed.");
    page->failed |= list.failed;
    text_free(&list);
    close_field(page);
}

/* ---- disk and time ---- */

static void add_bytes(struct text *page, double bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB"};
    int i = 0;

    while (bytes >= 1000 && i < 3) {
        bytes /= 1000;
        i++;
    }
    html_format(page, i ? "%.1f %s" : "%.0f %s", bytes, units[i]);
}

/* Seconds since 1970 of "20261121T060040Z..." or "2026-11-21T06:00:40Z"; -1: neither. */
static double seconds_of(const char *text)
{
    struct tm at = {.tm_isdst = 0};
    int year, month;

    if (sscanf(text, "%4d%2d%2dT%2d%2d%2d", &year, &month, &at.tm_mday, &at.tm_hour, &at.tm_min,
               &at.tm_sec) != 6 &&
        sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d", &year, &month, &at.tm_mday, &at.tm_hour,
               &at.tm_min, &at.tm_sec) != 6)
        return -1;
    at.tm_year = year - 1900;
    at.tm_mon = month - 1;
    return (double)timegm(&at);
}

static void add_duration(struct text *page, double seconds)
{
    if (seconds < 120)
        html_format(page, "%.0f s", seconds);
    else if (seconds < 7200)
        html_format(page, "%.0f min", seconds / 60);
    else
        html_format(page, "%.1f h", seconds / 3600);
}

/* From the beginning of each session to its last row. */
static void field_of_time(struct text *page, const struct report *r)
{
    const struct record_table *rows = &r->all;
    double sum = 0;
    int n = 0;

    open_field(page, "Time to complete");
    for (int row = 0; r->has_rows && row < rows->n_rows; row++) {
        const char *session = record_get(rows, row, "session");
        const double begin = seconds_of(session),
                     end = seconds_of(record_get(rows, row, "utc"));

        if ((row + 1 == rows->n_rows ||
             strcmp(record_get(rows, row + 1, "session"), session) != 0) &&
            begin >= 0 && end >= begin) {
            sum += end - begin;
            n++;
        }
    }
    if (n > 0) {
        add_duration(page, sum);
        html_format(
            page,
            " for all that is recorded here, in %d %s, each from its beginning to its last row",
            n, n == 1 ? "session" : "sessions");
    } else {
        html_text(page, rows_or_nothing(r));
    }
    close_field(page);
}

/* ---- the repository ---- */

/* The value of a key that begins a line of a YAML file, without quotes; "" where it has none. */
static void yaml_value(const char *text, const char *key, char *value, size_t size)
{
    const size_t n = strlen(key);

    value[0] = '\0';
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");

        if (length > n + 1 && line[n] == ':' && !strncmp(line, key, n)) {
            const char *at = line + n + 1;

            at += strspn(at, " \"");
            snprintf(value, size, "%.*s", (int)strcspn(at, "\"\n"), at);
            return;
        }
        line += length + (line[length] == '\n');
    }
}

/* Public, licences and archived, as CITATION.cff says. */
static enum bench_status add_citation(struct text *page, const struct report *r)
{
    struct text path = {0}, file = {0};
    char address[256] = "", doi[256] = "", licence[128] = "";
    enum bench_status status;

    text_format(&path, "%s/CITATION.cff", r->request->home);
    status = text_ok(&path);
    if (!status && text_read_file(path.data, &file) == BENCH_OK && file.data) {
        yaml_value(file.data, "repository-code", address, sizeof address);
        yaml_value(file.data, "doi", doi, sizeof doi);
        yaml_value(file.data, "license", licence, sizeof licence);
    }
    open_field(page, "Publicly available?");
    if (address[0])
        html_format(page, "yes: %s", address);
    else
        html_text(page, "CITATION.cff names no public address");
    close_field(page);
    open_field(page, "Licences");
    if (licence[0])
        html_format(page, "the code: %s; libraries, tools and data sets have their own, see ",
                    licence);
    else
        html_text(page, "see LICENSE and ");
    text_add(page, "<code>NOTICE.md</code>");
    close_field(page);
    field(page, "Workflow framework",
          "make and descriptors (`experiments/*/*.ini`), no other framework");
    open_field(page, "Archived?");
    if (doi[0])
        html_format(page, "yes: doi:%s", doi);
    else
        html_text(page, "no: CITATION.cff has no DOI of an archive");
    close_field(page);
    text_free(&path);
    text_free(&file);
    return status;
}

/* ---- all of it ---- */

static void add_list(struct text *page, const struct report *r)
{
    static const char *const program[] = {
        "C11, OpenMP and CUDA C; all variants are this project\u2019s own, written from the "
        "papers: ",
        "impl", NULL};
    static const char *const compilation[] = {"",       "compiler", "CUDA ", "cuda",
                                              "flags ", "flags",    NULL};
    static const char *const binary[] = {
        "made by make, not shipped; hash of the code that ran: ", "build_hash", "commit ",
        "commit", NULL};
    static const char *const runtime[] = {
        "Linux; driver ", "driver", "Jetson Linux ", "l4t", "binding of threads ",
        "binding",        NULL};
    static const char *const hardware[] = {
        "",    "gpu", "compute capability ", "cc", "multiprocessors ", "sm_count", "",
        "cpu", NULL};
    static const char *const execution[] = {"profile ",    "profile",     "series ", "series",
                                            "stopped by ", "stop_reason", NULL};
    static const char *const experiments[] = {"", "experiment", NULL};
    const struct record_table *rows = &r->all;

    field_of_algorithms(page, r);
    field_of_columns(page, r, "Program", program);
    field_of_columns(page, r, "Compilation", compilation);
    field(page, "Transformations", "none: what is compiled is what is in the repository");
    field_of_columns(page, r, "Binary", binary);
    field_of_inputs(page, r);
    field_of_columns(page, r, "Run-time environment", runtime);
    field_of_columns(page, r, "Hardware", hardware);
    field_of_state(page, r);
    field_of_columns(page, r, "Execution", execution);
    field(page, "Metrics",
          "time of a frame (`mean_ms`, as the papers print means; median with its 95 % "
          "interval for "
          "comparing builds), by scope: kernel, device or frame; values that are no times: "
          "errors, "
          "compression, rounds, cost");
    open_field(page, "Output");
    html_format(page, "%d rows of %d variants in ", r->has_rows ? rows->n_rows : 0,
                r->has_rows ? report_count_distinct(rows, "impl") : 0);
    text_add(page, "<code>results/");
    html_text(page, r->machine);
    text_add(page,
             "/</code>: times, values, samples and environment of each session; tables and "
             "figures; this page");
    close_field(page);
    field_of_columns(page, r, "Experiments", experiments);
    open_field(page, "Disk needed");
    add_bytes(page, report_bytes(r->folder.data));
    text_add(page,
             " for what is recorded here, beside the build; data sets need their own room, "
             "which <code>scripts/fetch_data --list</code> tells");
    close_field(page);
    field(
        page, "Time to prepare",
        "not recorded; `scripts/bootstrap` installs packages, `make` builds, `make info` tells "
        "what was found");
    field_of_time(page, r);
}

enum bench_status report_artifact(struct text *page, const struct report *r)
{
    text_add(page,
             "<section aria-labelledby=\"artifact\">\n<h2 id=\"artifact\">Artifact "
             "appendix</h2>\n<p>This is a replication: another team, its own programs. The "
             "headings are those that evaluators of artifacts expect, filled from the record "
             "of this machine.</p>\n<h3 id=\"check-list\">Check-list</h3>\n<dl "
             "class=\"artifact\">\n");
    add_list(page, r);
    TRY(add_citation(page, r));
    text_add(
        page,
        "</dl>\n<h3 id=\"description\">Description</h3>\n<p>depthbench measures programs that "
        "compress stereo disparity maps and redraws the tables and figures of the papers that "
        "proposed them. Each output is compared with a serial reference before anything is "
        "timed, "
        "and there is no switch against it. <code>README.md</code> shows the rooms of the "
        "house, <code>docs/PAPERS.md</code> what of each paper is there, "
        "<code>docs/METHOD.md</code> what each number means.</p>\n"
        "<h3 id=\"installation\">Installation</h3>\n<pre>scripts/bootstrap     # packages of "
        "Debian "
        "or Ubuntu\nmake                  # with CUDA where nvcc is, else for the CPU\nmake "
        "test     "
        "        # every test; without a GPU its variants are emulated</pre>\n"
        "<h3 id=\"workflow\">Experiment workflow</h3>\n<pre>make reproduce                  # "
        "every "
        "table and figure, few samples\nmake reproduce PROFILE=paper    # the full "
        "protocol\nmake rdp-fig9                   # one figure: measures what is missing, "
        "draws\nmake claims                     # verdicts\nmake report                     # "
        "this "
        "page</pre>\n"
        "<h3 id=\"expected\">Evaluation and expected results</h3>\n<p>What should come out is "
        "what "
        "the papers say; each claim stands with its printed number, ours and a verdict under "
        "<a "
        "href=\"#claims\">What the papers say, and the verdicts</a>. Claims that commit to a "
        "verdict on a machine make <code>depthbench claims</code> fail when another comes "
        "out.</p>\n"
        "<h3 id=\"customisation\">Customisation</h3>\n<p><code>depthbench run EXP -S "
        "key=value</code> changes a parameter, <code>-i GLOB</code> takes some variants alone, "
        "<code>depthbench apply VARIANT IMAGE</code> takes an image of your own. A new "
        "experiment "
        "is one <code>.ini</code> file, a new variant one file of code; <code>README.md</code> "
        "says "
        "how.</p>\n</section>\n");
    return text_ok(page);
}
