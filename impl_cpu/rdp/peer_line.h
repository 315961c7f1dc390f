/*
 * peer_line.h - peer.h for a library in C++, which has a type of its own for a line of points
 *
 * A variant gives the type, a container of points that are made of x and y, and two functions:
 * what it keeps of a line, and the x of a point.  Both lines of a state keep their memory.
 */
#ifndef IMPL_CPU_RDP_PEER_LINE_H
#define IMPL_CPU_RDP_PEER_LINE_H

#include "impl_cpu/rdp/peer.h"

#include <exception>

template <typename line> struct peer_lines {
    struct peer peer;
    line *whole, *simple; /* owned */
};

/* 'simple' is empty. */
template <typename line> using peer_call = void(const line &whole, double eps, line &simple);

template <typename line>
static enum bench_status peer_open_lines(void *opaque, const char *name, const void *input,
                                         const void *output)
{
    peer_lines<line> *const s = static_cast<peer_lines<line> *>(opaque);
    const enum bench_status status = peer_open(&s->peer, name, input, output);

    if (status != BENCH_OK)
        return status;
    try {
        s->whole = new line;
        s->simple = new line;
        s->whole->reserve(static_cast<size_t>(s->peer.in->n_rows));
        s->simple->reserve(static_cast<size_t>(s->peer.in->n_rows));
    } catch (const std::exception &) {
        return BENCH_FAIL(BENCH_ENOMEM, "no memory for the points of %s", name);
    }
    return BENCH_OK;
}

template <typename line> static void peer_close_lines(void *opaque)
{
    peer_lines<line> *const s = static_cast<peer_lines<line> *>(opaque);

    delete s->whole;
    delete s->simple;
    peer_close(&s->peer);
}

template <typename line, peer_call<line> simplify,
          double x_of(const typename line::value_type &)>
static enum bench_status peer_run_lines(void *opaque)
{
    peer_lines<line> *const s = static_cast<peer_lines<line> *>(opaque);
    typedef typename line::value_type point;

    for (size_t k = 0; k < peer_n_columns(&s->peer); k++) {
        struct peer_column c = peer_begin(&s->peer, k);

        s->whole->clear();
        s->simple->clear();
        for (int v = 0; v < c.n_rows; v++)
            if (c.y[v] != RDP_INVALID)
                s->whole->push_back(point(static_cast<double>(v) * PEER_STRETCH, c.y[v]));
        try {
            if (c.n_valid > 1)
                simplify(*s->whole, s->peer.tolerance, *s->simple);
        } catch (const std::exception &e) {
            return BENCH_FAIL(BENCH_EINPUT, "the library refuses a column: %.200s", e.what());
        }
        for (const point &p : *s->simple)
            peer_keep(&c, x_of(p));
        peer_end(&c);
    }
    return BENCH_OK;
}

#endif
