/* fuzz_pipe.c - any bytes are frames of one size, or a sentence that says where it ends */
#include "harness/inputs/pipe.h"
#include "tests/fuzz/fuzz.h"

#define MAX_SIDE 1000 /* a header alone may ask for 2 GiB, which libFuzzer takes for a fault */

struct memory {
    const uint8_t *bytes;
    size_t n, at;
};

static enum bench_status read_memory(void *self, void *bytes, size_t n, bool may_wait,
                                     size_t *n_read)
{
    struct memory *const m = self;

    (void)may_wait;
    *n_read = m->n - m->at < n ? m->n - m->at : n;
    if (*n_read > 0)
        memcpy(bytes, m->bytes + m->at, *n_read);
    m->at += *n_read;
    return BENCH_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory memory = {.bytes = data, .n = size};
    const struct pipe_source source = {read_memory, &memory, "a"};
    struct pipe pipe;
    uint64_t time_ns;
    bool is_end = false;
    enum bench_status status;

    for (size_t i = 4; i < 12 && i + 4 <= size; i += 4) {
        uint32_t side;

        memcpy(&side, data + i, sizeof side);
        if (side > MAX_SIDE && side <= INPUTS_MAX_SIDE)
            return 0;
    }
    bench_failure_clear();
    status = pipe_open(&source, size > 2 && data[2] == 'P', &pipe);
    while (!status && !is_end) {
        struct plane plane;
        const uint64_t at = pipe.at;

        status = pipe_next(&pipe, &plane, &time_ns, &is_end);
        must(pipe.at == memory.at && pipe.at <= size);
        if (!status && !is_end) {
            must(plane.width == pipe.width && plane.height == pipe.height);
            must(pipe.at - at ==
                 16 + 2 * (uint64_t)((long long)plane.width * (long long)plane.height));
        }
        plane_free(&plane);
    }
    must(status == BENCH_OK || (status == BENCH_EINPUT && bench_failure()[0] == 'a'));
    pipe_close(&pipe);
    return 0;
}
