/* sgm-libsgm.cu - a peer: libSGM on a GPU, of images that are there; its result stays there */
#include "sgm-peer.h"

#include <libsgm.h>
#include <memory>
#include <vector>

static std::unique_ptr<sgm::StereoSGM> matcher;
static uint8_t *views[2];
static uint16_t *result;
static cudaEvent_t begins, ends;

static const char *peer_skip(const struct peer *peer)
{
    const struct sgm_input *const in = shape_of(peer);
    const size_t n = sgm_frame_pixels(in);

    if (in->n_frames != 1 || in->n_paths == 2 || in->half_x != 4 || !in->median)
        return "one frame, 4 or 8 paths, census = 9x7, median = 3 alone";
    if (!begins && (cudaEventCreate(&begins) || cudaEventCreate(&ends)))
        return "no GPU that it can use";
    cudaFree(views[0]), cudaFree(views[1]), cudaFree(result);
    views[0] = views[1] = NULL, result = NULL;
    for (int i = 0; i < 2; i++)
        if (cudaMalloc(&views[i], n) ||
            cudaMemcpy(views[i], peer_block(peer, i ? "right" : "left"), n,
                       cudaMemcpyHostToDevice))
            return "its views do not fit on the GPU";
    if (cudaMalloc(&result, n * sizeof *result))
        return "its result does not fit on the GPU";
    matcher.reset(new sgm::StereoSGM(
        in->n_cols, in->n_rows, in->n_disparities, 8, 16, sgm::EXECUTE_INOUT_CUDA2CUDA,
        sgm::StereoSGM::Parameters(in->p1, in->p2, (float)in->uniqueness / 100, in->subpixel,
                                   in->n_paths == 8 ? sgm::PathType::SCAN_8PATH
                                                    : sgm::PathType::SCAN_4PATH,
                                   0, in->lr_check)));
    return NULL;
}

static void peer_run(const struct peer *peer)
{
    std::vector<uint16_t> found(peer->out_bytes / sizeof *result);
    float ms = 0;

    cudaEventRecord(begins);
    matcher->execute(views[0], views[1], result);
    cudaEventRecord(ends);
    cudaEventSynchronize(ends);
    cudaEventElapsedTime(&ms, begins, ends);
    peer_ns = (long long)(1e6 * ms);
    cudaMemcpy(found.data(), result, peer->out_bytes, cudaMemcpyDeviceToHost);
    put(peer, found.data(), shape_of(peer)->subpixel ? sgm::StereoSGM::SUBPIXEL_SCALE : 1,
        (uint16_t)matcher->get_invalid_disparity());
}
