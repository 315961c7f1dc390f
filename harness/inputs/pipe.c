/* pipe.c - frames of disparities one after the other */
#include "harness/inputs/pipe.h"

#include "harness/base/memory.h"
#include "harness/inputs/image.h"

#include <inttypes.h>
#include <stdio.h>

#define N_HEADER       16
#define N_FRAME_HEADER 16

static const char magic[] = "DBF1", pair_magic[] = "DBP1", frame_magic[] = "FRAM";

/* "standard input, frame 3, byte 1234": where a part begins, or ends too early. */
struct place {
    char text[128];
};

static struct place place_of(const struct pipe *pipe, uint64_t at, bool is_frame)
{
    struct place place;
    char frame[32] = "";

    if (is_frame)
        snprintf(frame, sizeof frame, ", frame %lld", pipe->n);
    snprintf(place.text, sizeof place.text, "%.60s%s, byte %" PRIu64, pipe->source.name, frame,
             at);
    return place;
}

static uint32_t u32_of(const uint8_t *b)
{
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static uint64_t u64_of(const uint8_t *b)
{
    return u32_of(b) | (uint64_t)u32_of(b + 4) << 32;
}

/* The next n bytes.  *n_read is n, or 0 where the stream may end and does. */
static enum bench_status take(struct pipe *pipe, void *bytes, size_t n, bool is_frame,
                              bool may_end, const char *what, size_t *n_read)
{
    const struct pipe_source *const source = &pipe->source;
    enum bench_status status;

    *n_read = 0;
    status = source->read(source->self, bytes, n, may_end, n_read);
    pipe->at += *n_read;
    if (status == BENCH_EINPUT) {
        char why[256];

        snprintf(why, sizeof why, "%s", bench_failure());
        return BENCH_FAIL(status, "%s: %s", place_of(pipe, pipe->at, is_frame).text, why);
    }
    TRY(status);
    if (*n_read == n || (may_end && *n_read == 0))
        return BENCH_OK;
    return BENCH_FAIL(BENCH_EINPUT, "%s: it ends there: expected %zu bytes of %s, found %zu",
                      place_of(pipe, pipe->at, is_frame).text, n, what, *n_read);
}

/* Four bytes that people can read. */
static void show_word(const uint8_t *bytes, char text[16])
{
    bool is_text = true;

    for (int i = 0; i < 4; i++)
        is_text &= bytes[i] > ' ' && bytes[i] < 0x7f;
    if (is_text)
        snprintf(text, 16, "\"%.4s\"", (const char *)bytes);
    else
        snprintf(text, 16, "%02x %02x %02x %02x", bytes[0], bytes[1], bytes[2], bytes[3]);
}

enum bench_status pipe_open(const struct pipe_source *source, bool has_pairs, struct pipe *pipe)
{
    const char *const word = has_pairs ? pair_magic : magic;
    uint8_t header[N_HEADER];
    uint32_t width, height;
    char found[16];
    size_t n_read;

    *pipe = (struct pipe){.source = *source, .has_pairs = has_pairs};
    TRY(take(pipe, header, 4, false, true, "a header", &n_read));
    REFUSE_IF(n_read == 0, "%s: expected a header, found nothing", source->name);
    show_word(header, found);
    REFUSE_IF(memcmp(header, word, 4) != 0, "%s: expected \"%s\", found %s",
              place_of(pipe, 0, false).text, word, found);
    TRY(take(pipe, header + 4, N_HEADER - 4, false, false, "a header", &n_read));
    width = u32_of(header + 4);
    height = u32_of(header + 8);
    pipe->scale = u32_of(header + 12);
    TRY(image_check_sides(place_of(pipe, 4, false).text, width, height));
    REFUSE_IF(has_pairs && pipe->scale != 0, "%s: expected 0 of a pair, found %" PRIu32,
              place_of(pipe, 12, false).text, pipe->scale);
    REFUSE_IF(!has_pairs && (pipe->scale < 1 || pipe->scale > PIPE_MAX_SCALE),
              "%s: expected 1 to %d values per px, found %" PRIu32,
              place_of(pipe, 12, false).text, PIPE_MAX_SCALE, pipe->scale);
    pipe->width = (int)width;
    pipe->height = (int)height;
    return memory_allocate(&pipe->bytes, 2, 1, 1, pipe->height, pipe->width);
}

static enum bench_status make_pair(const struct pipe *pipe, struct plane *plane)
{
    const size_t n = (size_t)pipe->width * (size_t)pipe->height;

    plane->width = pipe->width;
    plane->height = pipe->height;
    for (int i = 0; i < 2; i++) {
        TRY(memory_allocate(&plane->view[i], 1, 1, 1, pipe->height, pipe->width));
        memcpy(plane->view[i], pipe->bytes + (size_t)i * n, n);
    }
    return BENCH_OK;
}

/* Little-endian values, in place, become a plane. */
static enum bench_status make_plane(struct pipe *pipe, struct plane *plane)
{
    struct disparity_coding coding =
        pipe->coding ? pipe->coding->values : (struct disparity_coding){.scale = 0};
    const size_t n = (size_t)pipe->width * (size_t)pipe->height;
    const struct image image = {pipe->width, pipe->height, IMAGE_U16, pipe->bytes, 0};

    for (size_t i = 0; i < n; i++) {
        const uint8_t *const b = pipe->bytes + 2 * i;
        const uint16_t value = (uint16_t)(b[0] | b[1] << 8);

        memcpy(pipe->bytes + 2 * i, &value, sizeof value);
    }
    coding.scale = pipe->scale;
    coding.max_is_invalid = 1;
    TRY(image_to_disparity(&image, &coding, plane));
    return coding_check_lost(&plane->values, place_of(pipe, pipe->at - 2 * n, true).text);
}

enum bench_status pipe_next(struct pipe *pipe, struct plane *plane, uint64_t *time_ns,
                            bool *is_end)
{
    const size_t n_bytes = 2 * (size_t)pipe->width * (size_t)pipe->height;
    const uint64_t at = pipe->at;
    uint8_t header[N_FRAME_HEADER];
    char found[16];
    size_t n_read;

    memset(plane, 0, sizeof *plane);
    *time_ns = 0;
    TRY(take(pipe, header, 4, true, true, "\"FRAM\"", &n_read));
    *is_end = n_read == 0;
    if (*is_end)
        return BENCH_OK;
    show_word(header, found);
    REFUSE_IF(memcmp(header, frame_magic, 4) != 0, "%s: expected \"FRAM\", found %s%s",
              place_of(pipe, at, true).text, found,
              !memcmp(header, pipe->has_pairs ? pair_magic : magic, 4)
                  ? ": the size of frames cannot change"
                  : "");
    TRY(take(pipe, header + 4, N_FRAME_HEADER - 4, true, false, "a frame header", &n_read));
    REFUSE_IF(u32_of(header + 4) != n_bytes,
              "%s: expected a frame of %zu bytes (%d x %d px), found %" PRIu32,
              place_of(pipe, at + 4, true).text, n_bytes, pipe->width, pipe->height,
              u32_of(header + 4));
    TRY(take(pipe, pipe->bytes, n_bytes, true, false, "a plane", &n_read));
    *time_ns = u64_of(header + 8);
    TRY(pipe->has_pairs ? make_pair(pipe, plane) : make_plane(pipe, plane));
    snprintf(plane->name, sizeof plane->name, "frame-%lld", pipe->n);
    pipe->n++;
    return BENCH_OK;
}

void pipe_close(struct pipe *pipe)
{
    free(pipe->bytes);
    *pipe = (struct pipe){0};
}
