/*
 * rdp/boost - the columns by Boost.Geometry's simplify; one thread
 *
 * Source: Boost.Geometry, simplify of a linestring: Douglas-Peucker in double, the first of the
 *         farthest points, strictly farther than the tolerance.
 * Work:   as rdp/serial, with a division a distance.
 *
 * Another rule if rows are equally far from their chord (peer.h): Boost takes the distance to
 * the foot of a point, which it rounds, and so decides which row is kept.  A distance of our
 * own would be exact, but what Boost asks of one changed from release to release.
 */
#include "impl_cpu/rdp/peer.h"

#if HAVE_BOOST

#include "impl_cpu/rdp/peer_line.h"

#define BOOST_ALLOW_DEPRECATED_HEADERS /* its own headers include them */
#include <boost/geometry/geometry.hpp>
#include <boost/geometry/geometries/linestring.hpp>
#include <boost/geometry/geometries/point_xy.hpp>

typedef boost::geometry::model::d2::point_xy<double> point;
typedef boost::geometry::model::linestring<point> line;

static void simplify(const line &whole, double eps, line &simple)
{
    boost::geometry::simplify(whole, simple, eps);
}

static double x_of(const point &p)
{
    return p.x();
}

/* Boost calls itself for each kept row, which takes up to 0.7 KB of the stack. */
#define MOST_ROWS 8192

static enum bench_status setup(void *opaque, const struct bench_ctx *, const void *input,
                               void *output)
{
    const int n_rows = static_cast<const struct rdp_input *>(input)->n_rows;

    if (n_rows > MOST_ROWS)
        return BENCH_FAIL(
            BENCH_ESKIP,
            "columns of %d rows: Boost's recursion may need more stack than there "
            "is above %d",
            n_rows, MOST_ROWS);
    return peer_open_lines<line>(opaque, "rdp/boost", input, output);
}

#endif

BENCH_IMPL(rdp_boost) = {
    .name = "rdp/boost",
    .problem = &rdp_problem,
    .target = BENCH_SERIAL,
    .source = "Boost.Geometry's simplify, rows drawn far apart",
    .reference = "rdp/serial",
    .other = "rounding says which of equally far rows is kept",
    .needs = "Boost",
#if HAVE_BOOST
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
