/*
 * stixels_gpu.cu - stixels of disparities that are born on the GPU, on a stream of one's own
 *
 *     nvcc stixels_gpu.cu $(pkg-config --cflags --libs depthbench) -o stixels_gpu
 */
#include <cuda_runtime.h>
#include <depthbench.h>

#include <stdio.h>
#include <stdlib.h>

#define CHECK(call, error)                         \
    if ((call) != 0) {                             \
        fprintf(stderr, "%s: %s\n", #call, error); \
        return EXIT_FAILURE;                       \
    }
#define CUDA(call) CHECK(call, cudaGetErrorString(cudaGetLastError()))
#define TRY(call)  CHECK(call, depthbench_error())

enum { HEIGHT = 384, WIDTH = 1024, N_PIXELS = HEIGHT * WIDTH };

/* A road below the horizon and a wall across it: in the place of a stereo matcher. */
static __global__ void draw(uint16_t *disparity)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), v = i / WIDTH, u = i % WIDTH;

    if (i < N_PIXELS)
        disparity[i] = (uint16_t)(256 * (u > 600 && v > 100 && v < 290 ? 30
                                         : v > 190                     ? (v - 190) / 3
                                                                       : 0));
}

int main(void)
{
    cudaStream_t stream;
    uint16_t *d_disparity;
    depthbench *stixels;

    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaMalloc(&d_disparity, N_PIXELS * sizeof *d_disparity));
    TRY(depthbench_new("stixels/gpu-opt", &stixels));
    TRY(depthbench_set(stixels, "classes", "0"));
    TRY(depthbench_camera(stixels, 700, 700, WIDTH / 2, 190, 0.5, 1.5, 0));
    TRY(depthbench_stream(stixels, stream));
    TRY(depthbench_shape(stixels, 1, HEIGHT, WIDTH));
    TRY(depthbench_bind(stixels, "disparity", d_disparity, N_PIXELS * sizeof *d_disparity));
    TRY(depthbench_prepare(stixels));

    draw<<<(N_PIXELS + 255) / 256, 256, 0, stream>>>(d_disparity);
    TRY(depthbench_run(stixels)); /* enqueued behind it */
    TRY(depthbench_wait(stixels));
    const int32_t *first = (const int32_t *)depthbench_array(stixels, "first", NULL);
    printf("%d stixels in %d columns\n", first[WIDTH / 8], WIDTH / 8);
    depthbench_free(stixels);
    cudaFree(d_disparity);
    cudaStreamDestroy(stream);
    return EXIT_SUCCESS;
}
