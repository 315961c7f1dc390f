/* sgm-dhernandez0.cu - a peer: the first author of [SGM] on a GPU; compiled for 4 or 8 paths */
#include "disparity_method.h"

#include "sgm-peer.h"

static bool has_begun;

static const char *peer_skip(const struct peer *peer)
{
    const struct sgm_input *const in = shape_of(peer);

    if (in->n_frames != 1 || in->n_paths != PATH_AGGREGATION || in->n_disparities != 128 ||
        in->half_x != 4 || !in->median || in->subpixel || in->lr_check >= 0 ||
        in->uniqueness < 100 || in->n_cols % 4 || in->n_rows % 4)
        return "one frame of sides that 4 divides, its number of paths, 128 disparities, "
               "census = 9x7, median = 3, no checks, whole px alone";
    if (has_begun)
        finish_disparity_method();
    has_begun = true;
    init_disparity_method((uint8_t)in->p1, (uint8_t)in->p2);
    return NULL;
}

static void peer_run(const struct peer *peer)
{
    const struct sgm_input *const in = shape_of(peer);
    float ms = 0;
    const cv::Mat found = compute_disparity_method(
        cv::Mat(in->n_rows, in->n_cols, CV_8UC1, (void *)peer_block(peer, "left")),
        cv::Mat(in->n_rows, in->n_cols, CV_8UC1, (void *)peer_block(peer, "right")), &ms, "",
        "");

    peer_ns = (long long)(1e6 * ms);
    put(peer, found.ptr<uint8_t>(), 1, (uint8_t)255);
}
