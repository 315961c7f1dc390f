/* text.c - text under construction, and files that appear whole */
#include "harness/base/text.h"

#include "harness/base/memory.h"

#include <csv.h>
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room for n_bytes more and a NUL. */
static bool reserve(struct text *text, size_t n_bytes)
{
    size_t capacity = text->capacity ? text->capacity : 256;
    char *data;

    if (text->failed)
        return false;
    if (n_bytes > SIZE_MAX / 4 - text->size) {
        text->failed = true;
        return false;
    }
    while (capacity < text->size + n_bytes + 1)
        capacity *= 2;
    if (capacity == text->capacity)
        return true;
    data = realloc(text->data, capacity);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void text_bytes(struct text *text, const void *bytes, size_t n_bytes)
{
    if (!reserve(text, n_bytes))
        return;
    if (n_bytes > 0)
        memcpy(text->data + text->size, bytes, n_bytes);
    text->size += n_bytes;
    text->data[text->size] = '\0';
}

void text_add(struct text *text, const char *string)
{
    text_bytes(text, string, strlen(string));
}

void text_format(struct text *text, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0) {
        text->failed = true;
        return;
    }
    if (!reserve(text, (size_t)n))
        return;
    va_start(args, format);
    vsnprintf(text->data + text->size, (size_t)n + 1, format, args);
    va_end(args);
    text->size += (size_t)n;
}

void text_csv(struct text *text, const char *field)
{
    const size_t n_field = strlen(field);
    size_t n_bytes;

    if (n_field == 0)
        return;
    n_bytes = csv_write(NULL, 0, field, n_field);
    if (!reserve(text, n_bytes))
        return;
    csv_write(text->data + text->size, n_bytes, field, n_field);
    text->size += n_bytes;
    text->data[text->size] = '\0';
}

void text_html(struct text *text, const char *string)
{
    static const char *const instead[] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};

    for (size_t n; n = strcspn(string, "&<>\"'"), text_bytes(text, string, n), string[n];
         string += n + 1)
        text_add(text, instead[(unsigned char)string[n]]);
}

enum bench_status text_ok(const struct text *text)
{
    NEED(!text->failed, "a text of more than %zu bytes", text->size);
    return BENCH_OK;
}

void text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

/* glibc gives its built-in object for this request, so that nothing is allocated per call. */
static void print_number(char buffer[TEXT_NUMBER], const char *format, int digits, double value)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = c_locale ? uselocale(c_locale) : (locale_t)0;

    buffer[0] = '\0';
    if (isfinite(value))
        snprintf(buffer, TEXT_NUMBER, format, digits, value);
    if (c_locale) {
        uselocale(before);
        freelocale(c_locale);
    }
}

void text_number(char buffer[TEXT_NUMBER], double value)
{
    print_number(buffer, "%.*g", 9, value == 0.0 ? 0.0 : value); /* no "-0" */
}

void text_add_number(struct text *text, double value)
{
    char digits[TEXT_NUMBER];

    text_number(digits, value);
    text_add(text, digits);
}

void text_short_number(char buffer[TEXT_NUMBER], double value, int digits)
{
    double limit = 1.0;

    for (int i = 1; i < digits; i++)
        limit *= 10.0;
    if (fabs(value) >= limit && fabs(value) < 1e12)
        print_number(buffer, "%.*f", 0, value);
    else
        print_number(buffer, "%.*g", digits, value);
}

const char *bench_number(const char *text, double *value)
{
    const char *const digits = text + (*text == '+' || *text == '-');
    /* With "C" glibc hands out a static object: this neither allocates nor fails. */
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double number;
    char *end;

    if (c_locale == (locale_t)0 || !*digits || !strchr(".0123456789", *digits))
        return NULL;
    number = strtod_l(text, &end, c_locale);
    freelocale(c_locale);
    if (end == text || !isfinite(number))
        return NULL;
    if (digits[0] == '0' && tolower((unsigned char)digits[1]) == 'x') {
        *value = 0; /* and the caller sees the x */
        return digits + 1;
    }
    *value = number;
    return end;
}

bool text_to_number(const char *string, double *value)
{
    double number;
    const char *const end = bench_number(string, &number);

    if (!end || *end)
        return false;
    *value = number;
    return true;
}

/* 'between' ends with the blank that may become the end of a line. */
static void wrap(struct text *text, const char *words, const char *between, int used,
                 int indent, int width)
{
    for (bool is_first = true; *words; is_first = false) {
        const char *const end = strstr(words, between);
        const int n = end ? (int)(end - words) + (int)strlen(between) - 1 : (int)strlen(words);
        const bool is_full = !is_first && used + 1 + n > width;

        if (is_full)
            text_format(text, "\n%*s", indent, "");
        else if (!is_first)
            text_add(text, " ");
        text_bytes(text, words, (size_t)n);
        used = (is_full ? indent : used + !is_first) + n;
        words += n + (end != NULL);
    }
}

void text_wrap(struct text *text, const char *words, int used, int indent, int width)
{
    wrap(text, words, " ", used, indent, width);
}

void text_wrap_list(struct text *text, const char *list, int used, int indent, int width)
{
    wrap(text, list, ", ", used, indent, width);
}

char *text_trimmed(char *string)
{
    size_t n;

    string += strspn(string, " \t");
    n = strlen(string);
    while (n > 0 && (string[n - 1] == ' ' || string[n - 1] == '\t'))
        n--;
    string[n] = '\0';
    return string;
}

enum bench_status text_print(struct text *text, FILE *out)
{
    TRY(text_ok(text));
    text_clean(text->data, text->size, "\n\t");
    FAIL_IF((text->size > 0 && fwrite(text->data, 1, text->size, out) != text->size) ||
                fflush(out),
            BENCH_EIO, "the output cannot be written: %s", strerror(errno));
    return BENCH_OK;
}

char *text_next(const char **list, char element[TEXT_ELEMENT])
{
    const char *const at = *list;
    const size_t n = at ? strcspn(at, ",") : 0;

    if (!at)
        return NULL;
    *list = at[n] ? at + n + 1 : NULL;
    snprintf(element, TEXT_ELEMENT, "%.*s", (int)n, at);
    return text_trimmed(element);
}

const char *text_item(const char *list, const char *name, size_t n_name)
{
    while (list && *list && !(!strncmp(list, name, n_name) && strchr("=;", list[n_name]))) {
        list += strcspn(list, ";");
        list += *list == ';';
    }
    return list && *list ? list : NULL;
}

bool text_matches(const char *patterns, const char *name)
{
    char element[TEXT_ELEMENT];

    for (const char *pattern; (pattern = text_next(&patterns, element)) != NULL;)
        if (strlen(pattern) < 64 && fnmatch(pattern, name, 0) == 0)
            return true;
    return false;
}

bool text_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;

    return !stat(a, &of_a) && !stat(b, &of_b) && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

enum bench_status text_make_folder(const char *path)
{
    OWNED(memory_free) char *part = strdup(path);
    struct stat info;
    int error;

    NEED(part, "a path");
    for (char *at = part; *at && (at = strchr(at + 1, '/'));) {
        *at = '\0';
        (void)mkdir(part, 0777); /* the last one says what is wrong */
        *at = '/';
    }
    error = mkdir(path, 0777) ? errno : 0;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return BENCH_OK;
    return BENCH_FAIL(BENCH_EIO, "%s: cannot make the folder: %s", path,
                      strerror(error == EEXIST ? ENOTDIR : error));
}

int text_write_all(int fd, const void *bytes, size_t n_bytes)
{
    const char *at = bytes;

    while (n_bytes > 0) {
        const ssize_t n = TEMP_FAILURE_RETRY(write(fd, at, n_bytes));

        if (n <= 0)
            return n < 0 ? errno : EIO;
        at += n;
        n_bytes -= (size_t)n;
    }
    return 0;
}

int text_sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    OWNED(memory_free)
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int error = 0;
    int fd;

    if (!folder)
        return ENOMEM;
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    /* EINVAL: a file system that cannot do this for folders */
    if (fsync(fd) != 0 && errno != EINVAL)
        error = errno;
    close(fd);
    return error;
}

char *text_target(const char *path, bool *in_place)
{
    struct stat info;
    char *target;

    *in_place = stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
    target = *in_place ? NULL : realpath(path, NULL);
    return target ? target : strdup(path);
}

int text_open_unnamed(const char *path, const char *temporary)
{
    const char *const slash = strrchr(path, '/');
    OWNED(memory_free)
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const int fd = folder && access("/proc/self/fd", X_OK) == 0
                       ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)
                       : -1;

    return fd >= 0 ? fd : open(temporary, O_WRONLY | O_CLOEXEC | O_CREAT | O_TRUNC, 0666);
}

int text_name_file(int fd, const char *temporary, const char *path)
{
    char unnamed[40];
    struct stat info;

    if (fsync(fd) || fstat(fd, &info))
        return errno;
    if (info.st_nlink == 0) {
        snprintf(unnamed, sizeof unnamed, "/proc/self/fd/%d", fd);
        if (linkat(AT_FDCWD, unnamed, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
            return text_sync_folder(path);
        if (errno != EEXIST)
            return errno;
        unlink(temporary);
        if (linkat(AT_FDCWD, unnamed, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW))
            return errno;
    }
    return rename(temporary, path) ? errno : text_sync_folder(path);
}

/* A file that appears whole; 'temporary' NULL: a device or a pipe.  0 or errno. */
static int write_whole(const char *path, const struct text *text, const char *temporary)
{
    const int fd =
        temporary ? text_open_unnamed(path, temporary) : open(path, O_WRONLY | O_CLOEXEC);
    int error;

    if (fd < 0)
        return errno;
    error = text_write_all(fd, text->data, text->size);
    if (error == 0 && temporary)
        error = text_name_file(fd, temporary, path);
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error && temporary)
        unlink(temporary);
    return error;
}

enum bench_status text_replace_file(const char *path, const struct text *text)
{
    OWNED(text_free) struct text temporary = {0};
    bool in_place;
    OWNED(memory_free) char *target = text_target(path, &in_place);
    int error = ENOMEM;

    TRY(text_ok(text));
    text_format(&temporary, "%s.tmp.%ld", target ? target : "", (long)getpid());
    if (target && !text_ok(&temporary))
        error = write_whole(target, text, in_place ? NULL : temporary.data);
    FAIL_IF(error != 0, BENCH_EIO, "%s: cannot write: %s", path, strerror(error));
    return BENCH_OK;
}

enum bench_status text_read_bytes(const char *path, size_t most, const char *cannot,
                                  struct text *text)
{
    /* a pipe would be waited for, a device may have no end */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    enum bench_status status;
    struct stat info;
    ssize_t n = 1;

    *text = (struct text){0};
    if (fd < 0 || fstat(fd, &info) != 0)
        status = BENCH_FAIL(BENCH_EIO, "%s: %s: %s", path, cannot, strerror(errno));
    else if (!S_ISREG(info.st_mode))
        status = BENCH_FAIL(BENCH_EIO, "%s: is no regular file", path);
    else {
        while (n > 0 && text->size <= most && reserve(text, 65536)) {
            n = TEMP_FAILURE_RETRY(read(fd, text->data + text->size, 65536));
            text->size += n > 0 ? (size_t)n : 0;
            text->data[text->size] = '\0';
        }
        status = n < 0 ? BENCH_FAIL(BENCH_EIO, "%s: cannot read: %s", path, strerror(errno))
                       : text_ok(text);
    }
    if (fd >= 0)
        close(fd);
    if (status)
        text_free(text);
    return status;
}

enum bench_status text_read_file(const char *path, struct text *text)
{
    return text_read_bytes(path, SIZE_MAX, "cannot open", text);
}
