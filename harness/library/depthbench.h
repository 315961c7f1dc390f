/*
 * depthbench.h - depthbench's kernels in your own program: SGM on pairs of views; RDP, Stixels
 * and SOM on disparities, or on pairs
 *
 * A context is one variant ("rdp/cpu-simd", "stixels/gpu-opt") with its parameters, its shape
 * and its arrays.  Call, in this order:
 *
 *     depthbench_new -> depthbench_set ... -> depthbench_shape -> depthbench_bind ...
 *     -> depthbench_prepare -> depthbench_run, depthbench_wait ... -> depthbench_free
 *
 * Results.  A function that returns int returns DEPTHBENCH_OK or an error; depthbench_error()
 * then has a sentence.  A failed call leaves the context as it was, outputs apart, and it can
 * be called again.  Any pointer may be NULL: it is refused, or fine.  Nothing prints, exits, or
 * reads files that you do not name (the key "model" may).
 *
 * Threads.  Different contexts may be used by different threads at the same time; one context
 * by one thread at a time, also by a call that only asks, as depthbench_array().
 * depthbench_error() is of the calling thread.  A context of a GPU variant is of the GPU that
 * is current in depthbench_prepare(), which is to be current in later calls.  A forked child
 * can free its parent's contexts, and nothing else; once one of several threads or of a GPU has
 * been prepared, the child makes new ones of serial variants alone.
 *
 * Arrays.  Row-major, row 0 at the top, no padding, frame after frame.  Inputs are to be there
 * when a run begins and to stay until it is over; outputs are whole then.  H, W: height, width.
 *
 *     rdp      in  image       uint16 [frames][H][W], disparity in 1/256 px, 65535: none
 *                  y           uint16 [frames][W][H], the same by columns: if bound, it is
 *                              read in the place of image
 *              out kept        uint32 [frames][W][(H + 31) / 32], row v: bit v % 32 of v / 32
 *                  segments    int32  [frames][W]
 *                  rounds      int32  [frames][W]
 *     stixels  in  disparity   uint16 [frames][H][W], as image
 *                  confidence  uint8  [frames][H][W], 0..255; all 255 unless you say otherwise
 *                  probability uint16 [frames][classes][H][W], 65535 is 1; none if classes = 0
 *              out first       int32  [frames * columns + 1]: column c has list[first[c]] to
 *                                     list[first[c + 1] - 1], bottom to top
 *                  list        struct depthbench_stixel [frames * columns * rows]
 *     som      in  grey        uint8  [frames][H][W], larger is nearer, 0: background
 *              out position    float  [frames][neurons][2], x and y in px; its size says how
 *                              many neurons there are
 *                  counts      uint64 [frames][3]: updates, misses, neurons left out
 *
 *     sgm      in  left, right uint8  [frames][H][W], a rectified pair
 *              out disparity   uint16 [frames][H][W], as image
 *     pair-rdp, pair-stixels, pair-som
 *              in  left, right as sgm; stixels: probability, too
 *              out those of rdp, stixels, som; with the key "map" = 1 disparity, too
 *
 * Stixels: H and W are multiples of the key "block" (of pairs the rest is dropped); columns =
 * W / block, rows = H / block.
 *
 * docs/LIBRARY.md has the keys, and what stays the same from version to version.
 */
#ifndef DEPTHBENCH_H
#define DEPTHBENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DEPTHBENCH_VERSION "1.0.0"

/* Values never change; later versions may add some. */
enum {
    DEPTHBENCH_OK = 0,
    DEPTHBENCH_ENOMEM = 1,  /* host or device memory ran out */
    DEPTHBENCH_EINPUT = 2,  /* an argument, or a call in the wrong order */
    DEPTHBENCH_EIO = 3,     /* a file that you named could not be read */
    DEPTHBENCH_ECUDA = 4,   /* any other error of CUDA */
    DEPTHBENCH_EUNABLE = 6, /* the variant does not take this, or is not in this build (CUDA) */
    DEPTHBENCH_EENV = 7     /* the GPU is none that the library was built for */
};

/* An element of the array "list", of 20 bytes. */
struct depthbench_stixel {
    uint16_t v_bottom, v_top; /* rows of blocks, 0 at the bottom */
    uint8_t geometry;         /* 0 object, 1 ground, 2 sky */
    uint8_t semantic;         /* 0..classes - 1; 255: none */
    uint16_t reserved;        /* 0, but for stixels/cuts */
    float a, b;               /* disparity of row v: b v + a, px */
    float cost;               /* nat */
};

typedef struct depthbench depthbench;

/* DEPTHBENCH_VERSION of the library that is loaded. */
const char *depthbench_version(void);

/* The sentence of this thread's last error, "" before the first.  Valid until its next one. */
const char *depthbench_error(void);

/* "out of memory" for DEPTHBENCH_ENOMEM, and so on; for others "unknown error". */
const char *depthbench_status_text(int status);

/* The name of a variant that this build can run, index >= 0; NULL behind the last. */
const char *depthbench_variant(int index);

/* The name of a coding for depthbench_decode() ("kitti"), index >= 0; NULL behind the last. */
const char *depthbench_coding(int index);

/* Turn n values of another program's map, of type "uint8", "uint16", "int16" or "float", into
 * disparities, 1/256 px and 65535: none.  *n_lost, unless it is NULL: how many were NaN,
 * infinite, below 0, or above 255.99 px and taken as that.  EINPUT also where most of the map
 * is lost so: docs/LIBRARY.md.  'disparity' may be 'values' of 16 bits. */
int depthbench_decode(const char *coding, const char *type, const void *values, size_t n,
                      uint16_t *disparity, size_t *n_lost);

/* EINPUT: there is no such variant; EUNABLE: this build lacks it.  *context is NULL then. */
int depthbench_new(const char *variant, depthbench **context);

/* Waits for what runs.  The bound arrays stay yours.  NULL is fine. */
void depthbench_free(depthbench *context);

/* Set a parameter as descriptors do: "eps", "4".  Before depthbench_shape(). */
int depthbench_set(depthbench *context, const char *key, const char *value);

/* The value that a key has, NULL: no such key.  The library's, until depthbench_free(). */
const char *depthbench_get(const depthbench *context, const char *key);

/* Stixels need the camera: px, px, px, px, m, m above the road, rad down.  Before
 * depthbench_shape(). */
int depthbench_camera(depthbench *context, double fx, double fy, double cx, double cy,
                      double baseline, double height, double pitch);

/* Threads that a CPU variant takes, 1 to 1024 (default: OpenMP's).  Before
 * depthbench_prepare(). */
int depthbench_threads(depthbench *context, int n_threads);

/* The cudaStream_t that device work is enqueued on; NULL, the default: CUDA's default stream.
 * It must outlive the context.  GPU variants alone, before depthbench_prepare(). */
int depthbench_stream(depthbench *context, void *stream);

/* Set a run's shape: 1 to 65535 frames of so many px, fewer than 2^31 together.  Checks it and
 * the parameters, and makes room for all arrays. */
int depthbench_shape(depthbench *context, int n_frames, int height, int width);

/* The address and size of an array: yours if you have bound one, else the library's on the
 * host.  NULL and 0: no such name, or before depthbench_shape(). */
void *depthbench_array(const depthbench *context, const char *name, size_t *bytes);

/* Use an array of yours, which outlives the context.  'bytes' must be what depthbench_array()
 * says; the address is a multiple of an element's size (of "list": of 4).  With GPU variants it
 * may be memory of the GPU, at a multiple of 16, which is then used where it is; of the host's,
 * pinned memory is copied asynchronously.  Before depthbench_prepare(). */
int depthbench_bind(depthbench *context, const char *name, void *data, size_t bytes);

/* Allocate all: later calls allocate nothing (but the first run starts OpenMP's threads). */
int depthbench_prepare(depthbench *context);

/* One run: upload, compute, download.  GPU variants enqueue it on the stream; what they copy
 * from or to pageable memory, they wait for.  CPU variants have done it when this returns. */
int depthbench_run(depthbench *context);

/* The parts of a run, for those who keep inputs or outputs on the GPU.  Nothing to do is fine.
 * depthbench_compute() is what `depthbench run` times as scope kernel. */
int depthbench_upload(depthbench *context);
int depthbench_compute(depthbench *context);
int depthbench_download(depthbench *context);

/* Wait for all that this context has enqueued: then outputs may be read.  Reports what went
 * wrong on the GPU; after an error of CUDA call only depthbench_free(). */
int depthbench_wait(depthbench *context);

/* Host and GPU fall asleep between frames, and the next one pays for it: some 0.08 ms at 30
 * frames a second.  This wakes them.  Call it 0.4 ms before a frame is due, and spin from then
 * on.  It enqueues a copy of 64 KiB of its own to the GPU and an empty kernel on the context's
 * stream, which takes the host some 10 us, and does not wait.  No array is touched.  Where you
 * may run the last frame once more, depthbench_run() in its place wakes a little more.  CPU
 * variants have nothing to do. */
int depthbench_wake(depthbench *context);

#ifdef __cplusplus
}
#endif

#endif
