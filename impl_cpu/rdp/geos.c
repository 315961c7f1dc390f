/*
 * rdp/geos - the columns by GEOS, the geometry library of PostGIS and Shapely; one thread
 *
 * Source: GEOS, GEOSSimplify: Ramer-Douglas-Peucker in double, the first of the farthest
 *         points, strictly farther than the tolerance.
 * Work:   as rdp/serial, and two divisions and a root a distance, a few allocations a column.
 *
 * It gives the bits of rdp/serial at any height: peer.h says why stretched rows make
 * perpendicular distances vertical ones.  GEOS divides a cross product, which is exact, by the
 * square of the chord and takes the chord times that; both are the same for a segment and keep
 * the order.
 */
#include "impl_cpu/rdp/peer.h"

#if HAVE_GEOS

#include <geos_c.h>

/* From 3.10 on GEOS takes all points at once, which saves a sixth of the time.  3.9 has the
 * same version of the C interface, and no such call. */
#define HAS_BUFFERS (100 * GEOS_VERSION_MAJOR + GEOS_VERSION_MINOR >= 310)

struct state {
    struct peer peer;
    GEOSContextHandle_t geos; /* owned */
    double *points;           /* [n_rows][2], owned */
};

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = opaque;

    (void)ctx;
    TRY(peer_open(&s->peer, "rdp/geos", input, output));
    s->points = malloc((size_t)s->peer.in->n_rows * 2 * sizeof *s->points);
    s->geos = GEOS_init_r();
    NEED(s->points && s->geos, "GEOS");
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;

    if (s->geos)
        GEOS_finish_r(s->geos);
    free(s->points);
    peer_close(&s->peer);
}

static GEOSCoordSequence *sequence_of(GEOSContextHandle_t geos, const double *points,
                                      unsigned n)
{
#if HAS_BUFFERS
    return GEOSCoordSeq_copyFromBuffer_r(geos, points, n, 0, 0);
#else
    GEOSCoordSequence *const sequence = GEOSCoordSeq_create_r(geos, n, 2);

    for (unsigned i = 0; i < n && sequence; i++) {
        GEOSCoordSeq_setX_r(geos, sequence, i, points[2 * i]);
        GEOSCoordSeq_setY_r(geos, sequence, i, points[2 * i + 1]);
    }
    return sequence;
#endif
}

/* The valid rows of a column; NULL: GEOS has no memory. */
static GEOSGeometry *line_of(const struct state *s, const struct peer_column *c)
{
    GEOSCoordSequence *sequence;
    unsigned n = 0;

    for (int v = 0; v < c->n_rows; v++)
        if (c->y[v] != RDP_INVALID) {
            s->points[2 * n] = (double)v * PEER_STRETCH;
            s->points[2 * n++ + 1] = c->y[v];
        }
    sequence = sequence_of(s->geos, s->points, n);
    return sequence ? GEOSGeom_createLineString_r(s->geos, sequence) : NULL; /* owns it */
}

static void keep_points(GEOSContextHandle_t geos, const GEOSGeometry *line,
                        struct peer_column *c)
{
    const GEOSCoordSequence *const points = GEOSGeom_getCoordSeq_r(geos, line);
    unsigned n = 0;

    GEOSCoordSeq_getSize_r(geos, points, &n);
    for (unsigned i = 0; i < n; i++) {
        double x = 0;

        GEOSCoordSeq_getX_r(geos, points, i, &x);
        peer_keep(c, x);
    }
}

static enum bench_status simplify(const struct state *s, struct peer_column *c)
{
    GEOSGeometry *const line = line_of(s, c);
    GEOSGeometry *const simple = line ? GEOSSimplify_r(s->geos, line, s->peer.tolerance) : NULL;
    const enum bench_status status =
        simple ? BENCH_OK : BENCH_FAIL(BENCH_ENOMEM, "GEOS has no memory for a column");

    if (simple)
        keep_points(s->geos, simple, c);
    GEOSGeom_destroy_r(s->geos, simple);
    GEOSGeom_destroy_r(s->geos, line);
    return status;
}

static enum bench_status run(void *opaque)
{
    const struct state *s = opaque;

    for (size_t k = 0; k < peer_n_columns(&s->peer); k++) {
        struct peer_column c = peer_begin(&s->peer, k);

        if (c.n_valid > 1)
            TRY(simplify(s, &c));
        peer_end(&c);
    }
    return BENCH_OK;
}

#endif

BENCH_IMPL(rdp_geos) = {
    .name = "rdp/geos",
    .problem = &rdp_problem,
    .target = BENCH_SERIAL,
    .source = "GEOS's line simplifier, rows drawn far apart",
    .reference = "rdp/serial",
    .needs = "libgeos",
#if HAVE_GEOS
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
#endif
};
