/*
 * rdp/opencv - the columns by OpenCV's approxPolyDP; one thread
 *
 * Source: OpenCV imgproc, approxPolyDP: Douglas-Peucker, the first of the farthest points,
 *         strictly farther than epsilon; then a pass over what is kept.
 * Work:   as rdp/serial.
 *
 * Another rule: that pass drops rows that are within eps / sqrt(2) of the chord of their
 * neighbours, and has no switch.  Without it the rows would be those of rdp/serial (peer.h): a
 * float has each row times a power of two, and each difference of two, exactly; cross products
 * are double.
 */
#include "impl_cpu/rdp/peer.h"

#if HAVE_OPENCV

#include "impl_cpu/rdp/peer_line.h"

#include <opencv2/imgproc.hpp>

#include <vector>

typedef std::vector<cv::Point2f> line;

static void simplify(const line &whole, double eps, line &simple)
{
    cv::approxPolyDP(whole, simple, eps, false);
}

static double x_of(const cv::Point2f &point)
{
    return point.x;
}

static enum bench_status setup(void *opaque, const struct bench_ctx *, const void *input,
                               void *output)
{
    return peer_open_lines<line>(opaque, "rdp/opencv", input, output);
}

#endif

BENCH_IMPL(rdp_opencv) = {
    .name = "rdp/opencv",
    .problem = &rdp_problem,
    .target = BENCH_SERIAL,
    .source = "OpenCV's approxPolyDP, rows drawn far apart",
    .reference = "rdp/serial",
    .other = "without kept rows that are near the chord of their neighbours",
    .needs = "OpenCV",
#if HAVE_OPENCV
    .keys = NULL,
    .state_size = sizeof(peer_lines<line>),
    .setup = setup,
    .upload = NULL,
    .poison = NULL,
    .run = peer_run_lines<line, simplify, x_of>,
    .download = NULL,
    .teardown = peer_close_lines<line>,
#endif
};
