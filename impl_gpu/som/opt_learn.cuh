/*
 * opt_learn.cuh - each warp owns tiles of neurons and applies, in order, the pulls on them
 *
 * A warp of a lone block checks the pulls for several tiles at once: pull_few, or pull_strips
 * if there are many.
 */
#ifndef SOM_OPT_LEARN_CUH
#define SOM_OPT_LEARN_CUH

#include "impl_gpu/som/opt_team.cuh"

/* Neurons from (x0, y0) to (x1, y1). */
struct box {
    int x0, y0, x1, y1;
};

/* True if a pull may reach a neuron of the box; it is for all pulls that do. */
DEVICE bool may_reach(const struct box &box, int at, int radius)
{
    const int x = at & 0xFFFF, y = at >> 16;
    const int dx = max(max(box.x0 - x, x - box.x1), 0);
    const int dy = max(max(box.y0 - y, y - box.y1), 0);

    /* dy links lead to another row and at most (dy + 1) / 2 columns aside */
    return dy <= radius && dx + dy / 2 <= radius;
}

/* The neurons of a lane in a tile. */
template <int PER_LANE> struct tile {
    float2 at[PER_LANE];
    int place;   /* of the first neuron in the table of rates, from the table's middle */
    int between; /* places from one neuron to the next */
};

/* Loads a lane's neurons, the first at (x, y); those outside the mesh are (0, 0). */
template <enum team TEAM, int PER_LANE>
DEVICE void load_tile(const struct task &t, const float2 *position, int x, int y, int radius,
                      struct tile<PER_LANE> *tile)
{
    const struct mesh &m = t.mesh;

    tile->place = rate_place(x, y, t.pitch) + middle_of_rates(t, radius, PER_LANE);
    tile->between = TILE_ROWS * t.pitch - TILE_ROWS / 2; /* rate_place; TILE_ROWS is even */
    for (int k = 0; k < PER_LANE; k++) {
        const int row = y + TILE_ROWS * k;

        tile->at[k] = make_float2(0, 0);
        if (x < m.grid_cols && row < m.grid_rows)
            tile->at[k] = load<TEAM>(position + row * m.grid_cols + x);
    }
}

/* Stores a neuron on each GPU of the team. */
DEVICE void store_everywhere(const struct task &t, int id, float2 at)
{
#pragma unroll
    for (int g = 0; g < MOST_GPUS; g++) /* parameters have no index that is not constant */
        if (g < t.n_gpus)
            t.shore[g].position[id] = at;
}

/* Stores a lane's neurons; of several GPUs, on each of them. */
template <enum team TEAM, int PER_LANE>
DEVICE void store_tile(const struct task &t, float2 *moved, int x, int y,
                       const struct tile<PER_LANE> &tile)
{
    const struct mesh &m = t.mesh;

    for (int k = 0; k < PER_LANE; k++) {
        const int row = y + TILE_ROWS * k;

        if (x < m.grid_cols && row < m.grid_rows) {
            if (TEAM == TEAM_GPUS)
                store_everywhere(t, row * m.grid_cols + x, tile.at[k]);
            else
                moved[row * m.grid_cols + x] = tile.at[k];
        }
    }
}

/* A pull on the neurons of a lane. */
template <int PER_LANE> struct step {
    float2 point;
    float rate[PER_LANE];
};

template <int PER_LANE>
DEVICE void look_up(const struct tile<PER_LANE> &tile, const struct pull &pull,
                    const float *rates, struct step<PER_LANE> *step)
{
    step->point = make_float2(pull.x, pull.y);
    for (int k = 0; k < PER_LANE; k++)
        step->rate[k] = rates[tile.place - pull.place + k * tile.between];
}

/* Applies the pulls in 'mask', in order; bit i stands for pulls[i]. */
template <int PER_LANE>
DEVICE void apply(struct tile<PER_LANE> *tile, const struct pull *pulls, unsigned mask,
                  const float *rates)
{
    for (; mask; mask &= mask - 1) {
        struct step<PER_LANE> step;

        look_up(*tile, pulls[__ffs((int)mask) - 1], rates, &step);
        for (int k = 0; k < PER_LANE; k++)
            tile->at[k] = pulled(tile->at[k], step.point, step.rate[k]);
    }
}

/* Looks up AHEAD of n pulls (n > 0) from number i on; beyond the last pull the rates are 0. */
template <int PER_LANE, int AHEAD>
DEVICE void look_up_some(const struct tile<PER_LANE> &tile, const struct pull *pulls, int n,
                         int i, const float *rates, struct step<PER_LANE> step[AHEAD])
{
    struct pull pull[AHEAD];

#pragma unroll
    for (int u = 0; u < AHEAD; u++)
        pull[u] = pulls[min(i + u, n - 1)];
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
        look_up(tile, pull[u], rates, &step[u]);
        for (int k = 0; k < PER_LANE; k++)
            step[u].rate[k] = i + u < n ? step[u].rate[k] : 0;
    }
}

/* Applies n pulls (n > 0) in order, and meanwhile looks up the next ones. */
template <int PER_LANE, int AHEAD>
DEVICE void apply_all(struct tile<PER_LANE> *tile, const struct pull *pulls, int n,
                      const float *rates)
{
    struct step<PER_LANE> next[AHEAD];

    look_up_some<PER_LANE, AHEAD>(*tile, pulls, n, 0, rates, next);
#pragma unroll 1 /* for lack of registers */
    for (int i = 0; i < n; i += AHEAD) {
        struct step<PER_LANE> now[AHEAD];

#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            now[u] = next[u];
        if (i + AHEAD < n)
            look_up_some<PER_LANE, AHEAD>(*tile, pulls, n, i + AHEAD, rates, next);
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            for (int k = 0; k < PER_LANE; k++)
                tile->at[k] = pulled(tile->at[k], now[u].point, now[u].rate[k]);
    }
}

/* Applies the pulls, in order, to the neurons of the tile that begins at (x0, y0), position ->
 * moved, on an SM with few warps, which wait for their loads.  Each lane loads MASKS pulls at
 * once.  The warp collects those that may reach the tile in its own 'picked' [LANES]. */
template <enum team TEAM, int PER_LANE, int AHEAD>
DEVICE void pick_and_pull(const struct task &t, const float2 *position, float2 *moved, int x0,
                          int y0, const struct pull *pulls, int n_pulls, const float *rates,
                          int radius, struct pull *picked, int lane)
{
    constexpr int MASKS = AHEAD > 1 ? 4 : 2;
    const struct box box = {x0, y0, x0 + TILE_COLS - 1, y0 + TILE_ROWS * PER_LANE - 1};
    const int x = x0 + lane % TILE_COLS, y = y0 + lane / TILE_COLS;
    struct tile<PER_LANE> tile;
    bool loaded = false;

    for (int begin = 0; begin < n_pulls; begin += MASKS * LANES) {
        int4 word[MASKS]; /* a pull */
        unsigned mask[MASKS];
        int n = 0;

#pragma unroll
        for (int u = 0; u < MASKS; u++) {
            const int i = begin + u * LANES + lane;

            word[u] = make_int4(0, 0, NOWHERE, 0);
            if (i < n_pulls)
                word[u] = *(const int4 *)(pulls + i);
        }
#pragma unroll
        for (int u = 0; u < MASKS; u++) {
            mask[u] = __ballot_sync(ALL_LANES, may_reach(box, word[u].z, radius));
            n += __popc(mask[u]);
        }
        if (n > 0 && !loaded) {
            load_tile<TEAM, PER_LANE>(t, position, x, y, radius, &tile);
            loaded = true;
        }
        for (int done = 0; done < n; done += LANES) {
            int before = -done;

#pragma unroll
            for (int u = 0; u < MASKS; u++) {
                const int place = before + __popc(mask[u] & ((1u << lane) - 1));

                if ((mask[u] >> lane & 1) && place >= 0 && place < LANES)
                    ((int4 *)picked)[place] = word[u];
                before += __popc(mask[u]);
            }
            __syncwarp();
            apply_all<PER_LANE, AHEAD>(&tile, picked, min(n - done, LANES), rates);
            __syncwarp();
        }
    }
    if (loaded)
        store_tile<TEAM, PER_LANE>(t, moved, x, y, tile);
}

#define MAX_STRIP    5 /* tiles of a row; each lane has a register for the pulls of a tile */
#define OUT_OF_REACH (-(1 << 20)) /* far more columns than a mesh has: see 'least' */

/* Applies the pulls, in order, to tiles in two rows, which begin at y0[0] and y0[1]: up to
 * MAX_STRIP of each row, 'apart' columns apart from x0 on.  A pull is loaded once for all of
 * them, 1024 pulls at a time.  words[k] of lane i: mask of the pulls 32 i to 32 i + 31 that may
 * reach tile k. */
template <enum team TEAM, int PER_LANE>
DEVICE void pull_strips(const struct task &t, float2 *position, int x0, const int y0[2],
                        int apart, const struct pull *pulls, int n_pulls, const float *rates,
                        int radius, int lane)
{
    const struct mesh &m = t.mesh;

    for (int base = 0; base < n_pulls; base += LANES * LANES, pulls += LANES * LANES) {
        const int n = min(n_pulls - base, LANES * LANES);
        unsigned words[2 * MAX_STRIP];

#pragma unroll
        for (int k = 0; k < 2 * MAX_STRIP; k++)
            words[k] = 0;
        for (int i = lane, word = 0; word * LANES < n; i += LANES, word++) {
            const int at = i < n ? pulls[i].at : NOWHERE;

#pragma unroll
            for (int row = 0; row < 2; row++) {
                /* Like may_reach: the pull reaches tiles that begin from 'least' - 'width' to
                 * 'least' columns after x0.  Out of reach both are negative; then the unsigned
                 * comparison fails for all columns of a mesh. */
                const int y = at >> 16, y1 = y0[row] + TILE_ROWS * PER_LANE - 1;
                const int dy = max(max(y0[row] - y, y - y1), 0);
                const int aside = dy <= radius ? radius - dy / 2 : OUT_OF_REACH;
                const int least = (at & 0xFFFF) - x0 + aside;
                const unsigned width = (unsigned)(2 * aside + TILE_COLS - 1);

#pragma unroll
                for (int k = 0; k < MAX_STRIP; k++) {
                    const unsigned mask =
                        __ballot_sync(ALL_LANES, (unsigned)(least - k * apart) <= width);

                    words[row * MAX_STRIP + k] =
                        lane == word ? mask : words[row * MAX_STRIP + k];
                }
            }
        }
        for (int k = 0, x = x0, y = y0[0]; k < 2 * MAX_STRIP; k++, x += apart) {
            const unsigned mine = words[0];
            unsigned left = __ballot_sync(ALL_LANES, mine != 0);
            struct tile<PER_LANE> tile;

            /* the next tile's mask moves to the front: registers have no index */
#pragma unroll
            for (int u = 1; u < 2 * MAX_STRIP; u++)
                words[u - 1] = words[u];
            if (k == MAX_STRIP) {
                x = x0;
                y = y0[1];
            }
            if (!left || x >= m.grid_cols || y >= m.grid_rows)
                continue;
            load_tile<TEAM, PER_LANE>(t, position, x + lane % TILE_COLS, y + lane / TILE_COLS,
                                      radius, &tile);
            for (; left; left &= left - 1) {
                const int word = __ffs((int)left) - 1;

                apply(&tile, pulls + word * LANES, __shfl_sync(ALL_LANES, mine, word), rates);
            }
            store_tile<TEAM, PER_LANE>(t, position, x + lane % TILE_COLS, y + lane / TILE_COLS,
                                       tile);
        }
    }
}

/* A rectangle of the mesh, in tiles. */
struct region {
    int col, row, n_cols, n_rows;
};

/* The region of a block, and in it the first tile of a warp and the distance to its next. */
struct share {
    struct region region; /* n_rows is 0 if there are more blocks than regions */
    int col, row, cols, rows;
};

template <enum team TEAM>
DEVICE struct share share_of(const struct task &t, const struct member &me)
{
    struct share share = {{0, 0, t.tiles_across, t.tiles_down}, 0, 0, 0, 0};
    struct region &region = share.region;

    if (!ALONE(TEAM)) {
        region.col = me.block % t.regions_across * t.region_cols;
        region.row = me.block / t.regions_across * t.region_rows;
        region.n_cols = min(t.region_cols, t.tiles_across - region.col);
        region.n_rows = max(min(t.region_rows, t.tiles_down - region.row), 0);
    }
    share.col = me.warp % region.n_cols;
    share.row = me.warp / region.n_cols;
    share.cols = me.n_warps % region.n_cols;
    share.rows = me.n_warps / region.n_cols;
    return share;
}

/* Goes on to a warp's next tile in its region. */
DEVICE void go_on(const struct share &share, int *col, int *row)
{
    *col += share.cols;
    *row += share.rows;
    if (*col >= share.region.n_cols) {
        *col -= share.region.n_cols;
        ++*row;
    }
}

#define TILES_A_WARP 4 /* a warp that has more handles strips of them */

/* Applies the pulls, in order, to the neurons of a warp's tiles.  A pull is loaded once for all
 * of them, 1024 pulls at a time; words[k] is as in pull_strips. */
template <enum team TEAM, int PER_LANE>
DEVICE void pull_few(const struct task &t, float2 *position, const struct share &share,
                     const struct pull *pulls, int n_pulls, const float *rates, int radius,
                     int lane)
{
    for (int base = 0; base < n_pulls; base += LANES * LANES, pulls += LANES * LANES) {
        const int n = min(n_pulls - base, LANES * LANES);
        unsigned words[TILES_A_WARP];
        int x0[TILES_A_WARP], y0[TILES_A_WARP], n_tiles = 0;

#pragma unroll
        for (int k = 0, col = share.col, row = share.row; k < TILES_A_WARP; k++) {
            x0[k] = col * TILE_COLS;
            y0[k] = row * TILE_ROWS * PER_LANE;
            words[k] = 0;
            n_tiles += row < share.region.n_rows;
            go_on(share, &col, &row);
        }
        /* as in learn(): the warp does not diverge */
        n_tiles = (int)warp_min((unsigned)n_tiles);
        for (int i = lane, word = 0; word * LANES < n; i += LANES, word++) {
            const int at = i < n ? pulls[i].at : NOWHERE;

#pragma unroll
            for (int k = 0; k < TILES_A_WARP; k++)
                if (k < n_tiles) {
                    const struct box box = {x0[k], y0[k], x0[k] + TILE_COLS - 1,
                                            y0[k] + TILE_ROWS * PER_LANE - 1};
                    const unsigned mask = __ballot_sync(ALL_LANES, may_reach(box, at, radius));

                    words[k] = lane == word ? mask : words[k];
                }
        }
#pragma unroll 1
        for (int k = 0; k < n_tiles; k++) {
            const unsigned mine = words[0];
            const int x = x0[0] + lane % TILE_COLS, y = y0[0] + lane / TILE_COLS;
            unsigned left = __ballot_sync(ALL_LANES, mine != 0);
            struct tile<PER_LANE> tile;

            /* the next tile moves to the front: registers have no index */
#pragma unroll
            for (int u = 1; u < TILES_A_WARP; u++) {
                words[u - 1] = words[u];
                x0[u - 1] = x0[u];
                y0[u - 1] = y0[u];
            }
            if (!left)
                continue;
            load_tile<TEAM, PER_LANE>(t, position, x, y, radius, &tile);
            for (; left; left &= left - 1) {
                const int word = __ffs((int)left) - 1;

                apply(&tile, pulls + word * LANES, __shfl_sync(ALL_LANES, mine, word), rates);
            }
            store_tile<TEAM, PER_LANE>(t, position, x, y, tile);
        }
    }
}

template <enum team TEAM, int PER_LANE, int AHEAD>
DEVICE void pull_tiles(const struct task &t, const struct place &p, const struct share &share,
                       const struct pull *pulls, int n_pulls, const float *rates, int radius,
                       int lane)
{
    const struct region &region = share.region;

    for (int col = share.col, row = share.row; row < region.n_rows;) {
        const int x0 = (region.col + col) * TILE_COLS;
        const int y0 = (region.row + row) * TILE_ROWS * PER_LANE;

        pick_and_pull<TEAM, PER_LANE, AHEAD>(t, p.position, p.moved, x0, y0, pulls, n_pulls,
                                             rates, radius, p.picked, lane);
        go_on(share, &col, &row);
    }
}

/* Copies the pulls that may reach the box from L2 to 'near', in order, and returns how many.
 * Waits until they are of the round 'number'.  n_pulls: at most N for each thread.
 * 'sums' [N * MAX_WARPS].  Every thread of the block calls it. */
template <enum team TEAM, int N>
DEVICE int pick_near(const struct task &t, const struct member &me, const struct box &box,
                     const struct pull *pulls, int n_pulls, int number, int radius,
                     struct pull *near, int *sums)
{
    int4 word[N]; /* a pull */
    unsigned mask[N];
    int n_near = 0;

    for (int k = 0; k < N; k++) {
        const int i = k * (int)blockDim.x + (int)threadIdx.x;

        word[k] = make_int4(0, 0, NOWHERE, 0);
        if (i < n_pulls)
            word[k] = look_at_pull<TEAM>(pulls + i);
    }
    for (int k = 0; k < N; k++) {
        const int i = k * (int)blockDim.x + (int)threadIdx.x;

        for (unsigned n_looks = 0; i < n_pulls && word[k].w != number; looked<TEAM>(&n_looks))
            word[k] = look_at_pull<TEAM>(pulls + i);
        word[k].w = rate_place(word[k].z & 0xFFFF, word[k].z >> 16, t.pitch);
        mask[k] = __ballot_sync(ALL_LANES, may_reach(box, word[k].z, radius));
        if (me.lane == 0)
            sums[k * MAX_WARPS + me.warp] = __popc(mask[k]);
    }
    __syncthreads();
    for (int k = 0; k < N; k++) {
        const int n = me.lane < me.n_warps ? sums[k * MAX_WARPS + me.lane] : 0;
        const int before = n_near + warp_sum(me.lane < me.warp ? n : 0);

        if (mask[k] >> me.lane & 1)
            ((int4 *)near)[before + __popc(mask[k] & ((1u << me.lane) - 1))] = word[k];
        n_near += warp_sum(n);
    }
    __syncthreads();
    return n_near;
}

template <enum team TEAM, int PER_LANE, int AHEAD, int N, bool STRIPS>
DEVICE void learn(const struct task &t, const struct place &p, const struct member &me,
                  const struct share &share, int number, int n_pulls, const float *rates,
                  int radius, struct pull *near, int *sums)
{
    const int segment = N * (int)blockDim.x;
    const struct region &region = share.region;
    struct box box;

    if (STRIPS) {
        /* the minimum of equal values tells the compiler that the warp does not diverge */
        const int n = (int)warp_min((unsigned)n_pulls);
        const int across = t.strips_across, half = (t.tiles_down + 1) / 2;

        /* pulls become fewer towards one side of a map: a warp gets the first row together with
         * the last; neighbouring rows go to different warps */
        for (int k = (int)warp_min((unsigned)me.warp); k < across * half; k += me.n_warps) {
            const int row = k / across, last = t.tiles_down - 1 - row;
            /* strips of the last columns may have fewer tiles: spread them over schedulers */
            const int col = (k + row) % across;
            const int y0[2] = {row * TILE_ROWS * PER_LANE,
                               (last > row ? last : t.tiles_down) * TILE_ROWS * PER_LANE};

            pull_strips<TEAM, PER_LANE>(t, p.position, col * TILE_COLS, y0, across * TILE_COLS,
                                        p.pulls, n, rates, radius, me.lane);
        }
        return;
    }
    if (ALONE(TEAM)) {
        pull_few<TEAM, PER_LANE>(t, p.position, share, p.pulls,
                                 (int)warp_min((unsigned)n_pulls), rates, radius, me.lane);
        return;
    }
    if (HAS_MESH(TEAM)) {
        pull_tiles<TEAM, PER_LANE, AHEAD>(t, p, share, p.pulls, n_pulls, rates, radius,
                                          me.lane);
        return;
    }
    if (region.n_rows == 0)
        return;
    box.x0 = region.col * TILE_COLS;
    box.y0 = region.row * TILE_ROWS * PER_LANE;
    box.x1 = (region.col + region.n_cols) * TILE_COLS - 1;
    box.y1 = (region.row + region.n_rows) * TILE_ROWS * PER_LANE - 1;
    for (int base = 0; base < n_pulls; base += segment) {
        int n_near;

        if (base > 0)
            __syncthreads();
        n_near = pick_near<TEAM, N>(t, me, box, p.pulls + base, min(n_pulls - base, segment),
                                    number, radius, near, sums);
        pull_tiles<TEAM, PER_LANE, AHEAD>(t, p, share, near, n_near, rates, radius, me.lane);
    }
}

#endif
