/*
 * opt_search.cuh - the neuron nearest to a point: a warp searches for one, or for up to 32
 */
#ifndef SOM_OPT_SEARCH_CUH
#define SOM_OPT_SEARCH_CUH

#include "impl_gpu/som/opt_lists.cuh"

#define N_RANGES 4

/* Neurons to search, numbered through all ranges.  Range k ends before number end[k]; its
 * number i is entry at[k] + i of the lists. */
struct ranges {
    int at[N_RANGES], end[N_RANGES];
};

/* Sets range k to the lists of the cells x0 to x1 of row y, as far as these exist. */
template <enum team TEAM>
DEVICE void add_range(const struct mesh &m, const struct place &p, int x0, int x1, int y, int k,
                      struct ranges *r)
{
    const int before = k > 0 ? r->end[k > 0 ? k - 1 : 0] : 0;

    x0 = max(x0, 0);
    x1 = min(x1, m.cell_cols - 1);
    r->at[k] = 0;
    r->end[k] = before;
    if (y >= 0 && y < m.cell_rows && x0 <= x1) {
        const int first = load_listed<TEAM>(p.short_first, p.first, y * m.cell_cols + x0);

        r->at[k] = first - before;
        r->end[k] = before +
                    load_listed<TEAM>(p.short_first, p.first, y * m.cell_cols + x1 + 1) - first;
    }
}

/* Finds the cells of a ring in passes 0 .. ring - 1 (0 of ring 0): the first takes the top and
 * bottom row and one between them, the others two rows each. */
template <enum team TEAM>
DEVICE void find_ranges(const struct mesh &m, const struct place &p, int cx, int cy, int ring,
                        int pass, struct ranges *r)
{
    const int y = cy - ring + 2 * pass;

    if (ring == 0) {
        add_range<TEAM>(m, p, cx, cx, cy, 0, r);
        return;
    }
    if (pass == 0) {
        add_range<TEAM>(m, p, cx - ring, cx + ring, y, 0, r);
        add_range<TEAM>(m, p, cx - ring, cx + ring, cy + ring, 1, r);
    } else {
        add_range<TEAM>(m, p, cx - ring, cx - ring, y, 0, r);
        add_range<TEAM>(m, p, cx + ring, cx + ring, y, 1, r);
    }
    add_range<TEAM>(m, p, cx - ring, cx - ring, y + 1, 2, r);
    add_range<TEAM>(m, p, cx + ring, cx + ring, y + 1, 3, r);
}

DEVICE float2 point_of(uint32_t pixel)
{
    return make_float2((float)(pixel & PIXEL_MASK) + 0.5f, (float)(pixel >> PIXEL_BITS) + 0.5f);
}

/* (distance squared, id) as one word. */
DEVICE unsigned long long word_of(float2 neuron, float2 point, int id)
{
    const float square = som_square(neuron.x - point.x, neuron.y - point.y);

    return (unsigned long long)__float_as_uint(square) << 32 | (unsigned)id;
}

/* Some neurons of a lane's share: where they are in the lists, and their ids; -1: none. */
template <int TOGETHER> struct listed {
    int at[TOGETHER], id[TOGETHER];
};

/* Loads the ids from number 'base' on, LANES numbers apart, of N ranges. */
template <enum team TEAM, int N, int TOGETHER>
DEVICE void list_ids(const struct place &p, const struct ranges &r, int base,
                     struct listed<TOGETHER> *listed)
{
#pragma unroll
    for (int u = 0; u < TOGETHER; u++) {
        const int i = base + u * LANES;
        int at = r.at[N - 1];

        for (int k = N - 2; k >= 0; k--)
            at = i < r.end[k] ? r.at[k] : at;
        listed->at[u] = at + i;
        listed->id[u] =
            i < r.end[N - 1] ? load_listed<TEAM>(p.short_list, p.list, listed->at[u]) : -1;
    }
}

/* The least word of all and, if OWN, of entries own[0] to own[1]; the loads overlap. */
template <enum team TEAM, int TOGETHER, bool OWN>
DEVICE void weigh(const struct place &p, const struct listed<TOGETHER> &listed,
                  const int own[2], float2 point, unsigned long long *least,
                  unsigned long long *least_own)
{
    float2 neuron[TOGETHER];

#pragma unroll
    for (int u = 0; u < TOGETHER; u++)
        neuron[u] =
            listed.id[u] >= 0 ? load<TEAM>(p.position + listed.id[u]) : make_float2(0, 0);
#pragma unroll
    for (int u = 0; u < TOGETHER; u++) {
        const unsigned long long word =
            listed.id[u] >= 0 ? word_of(neuron[u], point, listed.id[u]) : ~0ull;

        *least = word < *least ? word : *least;
        if (OWN && listed.at[u] >= own[0] && listed.at[u] < own[1])
            *least_own = word < *least_own ? word : *least_own;
    }
}

/* The same for this lane's share of N ranges, from number 'begin' on. */
template <enum team TEAM, int N, int TOGETHER, bool OWN>
DEVICE void scan(const struct place &p, const struct ranges &r, const int own[2], float2 point,
                 int begin, unsigned long long *least, unsigned long long *least_own)
{
    for (int base = begin; base < r.end[N - 1]; base += TOGETHER * LANES) {
        struct listed<TOGETHER> listed;

        list_ids<TEAM, N, TOGETHER>(p, r, base, &listed);
        weigh<TEAM, TOGETHER, OWN>(p, listed, own, point, least, least_own);
    }
}

/* The id in the least word of all lanes; its upper half is 'square'. */
DEVICE unsigned id_of(unsigned long long least, unsigned square)
{
    return warp_min((unsigned)(least >> 32) == square ? (unsigned)least : ~0u);
}

DEVICE bool goes_to(const struct mesh &m, float2 point, int cx, int cy, int ring,
                    unsigned square)
{
    return square == ~0u || !(som_ring_square(point.x, point.y, cx, cy, m.cell_size, ring) >
                              __uint_as_float(square));
}

/* The range of a lane, of up to 32: 'end' counts the neurons of all ranges up to this one. */
struct lane_range {
    int at, end;
};

/* Range k of the 4 * ring ranges of a ring around (cx, cy): 0 is its upper row, 1 the lower
 * one; then each row between them has two, its ends. */
template <enum team TEAM>
DEVICE struct lane_range find_ring(const struct mesh &m, const struct place &p, int cx, int cy,
                                   int ring, int k, int lane)
{
    const int y = k < 2 ? cy + (k ? ring : -ring) : cy - ring + k / 2;
    const int x0 = max(cx + (k >= 2 && k & 1 ? ring : -ring), 0);
    const int x1 = min(cx + (k < 2 || k & 1 ? ring : -ring), m.cell_cols - 1);
    struct lane_range r = {0, 0};
    int n = 0;

    if (k < 4 * ring && y >= 0 && y < m.cell_rows && x0 <= x1) {
        r.at = load_listed<TEAM>(p.short_first, p.first, y * m.cell_cols + x0);
        n = load_listed<TEAM>(p.short_first, p.first, y * m.cell_cols + x1 + 1) - r.at;
    }
    r.end = sum_up_to(n, lane);
    r.at -= r.end - n;
    return r;
}

/* Searches like scan(), over the ranges of all lanes. */
template <enum team TEAM, int TOGETHER>
DEVICE void scan_ring(const struct place &p, struct lane_range r, float2 point, int lane,
                      unsigned long long *least)
{
    const int own[2] = {0, 0}, n = __shfl_sync(ALL_LANES, r.end, LANES - 1);
    unsigned long long nothing = ~0ull;

    for (int base = 0; base < n; base += TOGETHER * LANES) {
        struct listed<TOGETHER> listed;
        int range[TOGETHER]; /* the number of ranges that end before the neuron */

#pragma unroll
        for (int u = 0; u < TOGETHER; u++)
            range[u] = 0;
        for (int half = LANES / 2; half > 0; half /= 2)
#pragma unroll
            for (int u = 0; u < TOGETHER; u++) {
                const int end = __shfl_sync(ALL_LANES, r.end, range[u] + half - 1);

                range[u] += end <= base + u * LANES + lane ? half : 0;
            }
#pragma unroll
        for (int u = 0; u < TOGETHER; u++) {
            const int i = base + u * LANES + lane;

            listed.at[u] = __shfl_sync(ALL_LANES, r.at, range[u]) + i;
            listed.id[u] = i < n ? load_listed<TEAM>(p.short_list, p.list, listed.at[u]) : -1;
        }
        weigh<TEAM, TOGETHER, false>(p, listed, own, point, least, &nothing);
    }
}

#define ALONE_TOGETHER 4 /* neurons that a lane loads at once */

/* The part of a search by all lanes that depends on the lists, but on no position. */
struct aim {
    uint32_t pixel;
    int own[2];      /* the entries of the point's own cell in the lists */
    struct ranges r; /* this cell and those around it, in three rows */
    struct listed<ALONE_TOGETHER> first;
};

template <enum team TEAM>
DEVICE void aim_at(const struct task &t, const struct place &p, uint32_t pixel, int lane,
                   struct aim *aim)
{
    const struct mesh &m = t.mesh;
    const int cx = in_cells(t, (int)(pixel & PIXEL_MASK));
    const int cy = in_cells(t, (int)(pixel >> PIXEL_BITS));
    const int cell = cy * m.cell_cols + cx, aside = min(m.last_ring, 1);

    aim->pixel = pixel;
    aim->own[0] = load_listed<TEAM>(p.short_first, p.first, cell);
    aim->own[1] = load_listed<TEAM>(p.short_first, p.first, cell + 1);
    for (int k = 0; k < 3; k++)
        add_range<TEAM>(m, p, cx - aside, cx + aside,
                        aside    ? cy + k - 1
                        : k == 1 ? cy
                                 : -1,
                        k, &aim->r);
    list_ids<TEAM, 3, ALONE_TOGETHER>(p, aim->r, lane, &aim->first);
}

/* All lanes search for one point.  They search the cells around its own together with it, and
 * ignore them if the paper's search would have stopped.  -1: no neuron. */
template <enum team TEAM>
DEVICE int search_alone(const struct task &t, const struct place &p, const struct aim &aim,
                        int lane)
{
    const struct mesh &m = t.mesh;
    const int cx = in_cells(t, (int)(aim.pixel & PIXEL_MASK));
    const int cy = in_cells(t, (int)(aim.pixel >> PIXEL_BITS));
    const float2 point = point_of(aim.pixel);
    unsigned long long least = ~0ull, least_own = ~0ull;
    unsigned square;

    weigh<TEAM, ALONE_TOGETHER, true>(p, aim.first, aim.own, point, &least, &least_own);
    scan<TEAM, 3, ALONE_TOGETHER, true>(p, aim.r, aim.own, point, lane + ALONE_TOGETHER * LANES,
                                        &least, &least_own);
    square = warp_min((unsigned)(least_own >> 32));
    if (m.last_ring == 0 || !goes_to(m, point, cx, cy, 1, square))
        return (int)id_of(least_own, square);
    square = warp_min((unsigned)(least >> 32));
    for (int ring = 2; ring <= m.last_ring && goes_to(m, point, cx, cy, ring, square); ring++) {
        for (int k = 0; k < 4 * ring; k += LANES)
            scan_ring<TEAM, 2>(p, find_ring<TEAM>(m, p, cx, cy, ring, k + lane, lane), point,
                               lane, &least);
        square = warp_min((unsigned)(least >> 32));
    }
    return (int)id_of(least, square);
}

/* All lanes search the N ranges of lane 'owner'; returns the least word. */
template <enum team TEAM, int N, int TOGETHER>
DEVICE unsigned long long look_through(const struct place &p, const struct ranges &owners,
                                       uint32_t pixel, int owner, int lane)
{
    const float2 point = point_of(__shfl_sync(ALL_LANES, pixel, owner));
    const int own[2] = {0, 0};
    unsigned long long least = ~0ull, nothing = ~0ull;
    struct ranges r;

    for (int k = 0; k < N; k++) {
        r.at[k] = __shfl_sync(ALL_LANES, owners.at[k], owner);
        r.end[k] = __shfl_sync(ALL_LANES, owners.end[k], owner);
    }
    scan<TEAM, N, TOGETHER, false>(p, r, own, point, lane, &least, &nothing);

    const unsigned square = warp_min((unsigned)(least >> 32));

    return (unsigned long long)square << 32 | id_of(least, square);
}

/* Lanes that search the cell of a point; the warp searches several cells at once. */
#define GROUP 8

DEVICE unsigned group_min(unsigned value)
{
    for (int distance = GROUP / 2; distance > 0; distance /= 2)
        value = min(value, __shfl_xor_sync(ALL_LANES, value, distance));
    return value;
}

/* The least word of the point's own cell, for each of the first n lanes. */
template <enum team TEAM>
DEVICE unsigned long long search_cells(const struct place &p, int begin, int end,
                                       uint32_t pixel, int n, int lane)
{
    unsigned long long least = ~0ull;

#pragma unroll 1
    for (int done = 0; done < n; done += LANES / GROUP) {
        const int owner = done + lane / GROUP;
        const int last = __shfl_sync(ALL_LANES, end, owner) - 1;
        const float2 point = point_of(__shfl_sync(ALL_LANES, pixel, owner));
        unsigned square = ~0u, id = ~0u;

#pragma unroll 1
        for (int at = __shfl_sync(ALL_LANES, begin, owner) + lane % GROUP; at <= last;
             at += 2 * GROUP) {
            const int ids[2] = {load_listed<TEAM>(p.short_list, p.list, at),
                                load_listed<TEAM>(p.short_list, p.list, min(at + GROUP, last))};
            const float2 neurons[2] = {load<TEAM>(p.position + ids[0]),
                                       load<TEAM>(p.position + ids[1])};

#pragma unroll
            for (int u = 0; u < 2; u++) {
                const unsigned s =
                    __float_as_uint(som_square(neurons[u].x - point.x, neurons[u].y - point.y));

                const bool nearer = s < square || (s == square && (unsigned)ids[u] < id);

                id = nearer ? (unsigned)ids[u] : id;
                square = min(square, s);
            }
        }

        const unsigned least_square = group_min(square);
        const unsigned least_id = group_min(square == least_square ? id : ~0u);
        const int group = (lane - done) * GROUP;
        const unsigned its_square = __shfl_sync(ALL_LANES, least_square, group & (LANES - 1));
        const unsigned its_id = __shfl_sync(ALL_LANES, least_id, group & (LANES - 1));

        if (group >= 0 && group < LANES)
            least = (unsigned long long)its_square << 32 | its_id;
    }
    return least;
}

/* For each lane with a point (the first ones): the nearest neuron, of equals the first; -1 if
 * there is none. */
template <enum team TEAM>
DEVICE int search_each(const struct task &t, const struct place &p, bool has, uint32_t pixel,
                       int lane)
{
    const struct mesh &m = t.mesh;
    const int cx = in_cells(t, (int)(pixel & PIXEL_MASK));
    const int cy = in_cells(t, (int)(pixel >> PIXEL_BITS));
    const float2 point = point_of(pixel);
    struct ranges own = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    unsigned long long least;

    if (has)
        find_ranges<TEAM>(m, p, cx, cy, 0, 0, &own);
    least = search_cells<TEAM>(p, own.at[0], own.at[0] + own.end[0], pixel,
                               __popc(__ballot_sync(ALL_LANES, has)), lane);
    for (int ring = 1; ring <= m.last_ring; ring++) {
        const bool goes_on = has && goes_to(m, point, cx, cy, ring, (unsigned)(least >> 32));
        const unsigned searching = __ballot_sync(ALL_LANES, goes_on);

        if (!searching)
            break;
        for (int pass = 0; pass < ring; pass++) {
            struct ranges r = {{0, 0, 0, 0}, {0, 0, 0, 0}};

            if (goes_on)
                find_ranges<TEAM>(m, p, cx, cy, ring, pass, &r);
            for (unsigned left = searching; left; left &= left - 1) {
                const int owner = __ffs((int)left) - 1;
                const unsigned long long found =
                    look_through<TEAM, N_RANGES, 2>(p, r, pixel, owner, lane);

                if (lane == owner)
                    least = found < least ? found : least;
            }
        }
    }
    return least == ~0ull ? -1 : (int)(unsigned)least;
}

#endif
