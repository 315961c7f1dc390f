/* sgm-opencv.cc - a peer: OpenCV's StereoSGBM on a CPU, which has costs of its own */
#include "sgm-peer.h"

#include <opencv2/calib3d.hpp>

#define WINDOW 5 /* and penalties for it, as scripts/disparity */

static const char *peer_skip(const struct peer *peer)
{
    const struct sgm_input *const in = shape_of(peer);

    return in->n_frames != 1 || in->n_paths == 2 ? "one frame, 4 or 8 paths alone" : NULL;
}

static void peer_run(const struct peer *peer)
{
    const struct sgm_input *const in = shape_of(peer);
    const cv::Mat left(in->n_rows, in->n_cols, CV_8UC1, (void *)peer_block(peer, "left")),
        right(in->n_rows, in->n_cols, CV_8UC1, (void *)peer_block(peer, "right"));
    const cv::Ptr<cv::StereoSGBM> matcher = cv::StereoSGBM::create(
        0, in->n_disparities, WINDOW, 8 * WINDOW * WINDOW, 32 * WINDOW * WINDOW, in->lr_check,
        0, 100 - in->uniqueness, 0, 0,
        in->n_paths == 8 ? cv::StereoSGBM::MODE_HH : cv::StereoSGBM::MODE_HH4);
    const char *const threads = getenv("OMP_NUM_THREADS");
    cv::Mat sixteenths;
    long long began;

    cv::setNumThreads(threads ? atoi(threads) : 1);
    began = peer_clock();
    matcher->compute(left, right, sixteenths);
    peer_ns = peer_clock() - began;
    put(peer, sixteenths.ptr<int16_t>(), 16, (int16_t)-16);
}
