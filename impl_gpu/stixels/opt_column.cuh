/*
 * opt_column.cuh - stixels/gpu-opt: the dynamic programming of a column
 *
 * Source:  [STX] sect. 4, eq. 8, 9 and 12.
 * Schedule: rows form groups of 32.  The block finishes a group before the one above it.
 *          Phase 1: all warps try the stixels that begin below the group, each warp a part of
 *          the beginnings.  They first take those above groups that are finished, and after a
 *          barrier those above the group just below.
 *          Phase 2: one warp joins the parts and proceeds through the group row by row, since
 *          each row depends on the one before; its lanes exchange results.  Meanwhile the other
 *          warps are in phase 1 of the next group and take a larger share of it.
 *          So a group has two barriers; a step per row would have 32.
 *          MAKES: the energies of candidates that begin in a group depend on the tables alone.
 *          Phase 1 computes and stores them, which halves the time of phase 2.  This costs
 *          shared memory and instructions, and pays if few columns leave the GPU idle.
 *          Objects and grounds of 16 rows in the halves of that warp were no gain: a row alone
 *          took fewer clocks on an H200, a frame more time.
 * Mapping: block = column, lane = row of a group, warp = a part of its beginnings.
 * Shared:  a row takes 32 bytes of sums over depth, 80 over classes (up to 16 of objects, 3 of
 *          ground, 1 of sky; 160 with up to 32, 4 and 4), 32 of results and 8 of links.  A
 *          column takes 640 bytes per warp, and 24 KiB more if it MAKES.
 */
#ifndef STIXELS_OPT_COLUMN_CUH
#define STIXELS_OPT_COLUMN_CUH

#include "impl_gpu/stixels/opt_prune.cuh"

struct opt_task {
    const float *blocks;                /* [n_frames][2 + n_classes][n_cols][n_rows] */
    const struct stixels_model *models; /* [n_frames] */
    const struct stixels_constants_float *constants; /* [n_frames] */
    struct sorted_classes sorted;
    int n_cols, n_rows;
    int n_processors;     /* SMs: as many columns begin first */
    struct stixel *slots; /* [n_columns][n_rows], as column_kernel */
    int32_t *counts;      /* [n_columns] */
    uint32_t *clocks;     /* [n_columns][COLUMN_STAGES] where STAGES */
};

/* log2(x) by the GPU's instruction, whose absolute error is about 2^-22. */
DEVICE float log_2(float x)
{
#ifdef __CUDA_ARCH__
    float y;

    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return log2f(x);
#endif
}

/* 1.5 * 2^23: adding a number rounds it to a whole one, in the last bits of the sum */
#define ROUNDING 12582912.0f

/* stixels_semantic_cost by a logarithm, not a table; near ties 1/1024 nat off. */
DEVICE int cost_of(float probability)
{
    const float one = 11356.5078f; /* -log(1 / 65535) in 1/1024 nat */
    /* probability 0 costs STIXELS_LEAST_PROBABILITY_COST */
    const float y =
        fmaxf(log_2(probability), (one - STIXELS_LEAST_PROBABILITY_COST) / 709.782713f);

    return __float_as_int(fused(y, -709.782713f, one) + ROUNDING) - __float_as_int(ROUNDING);
}

/* Loads the entries of row v for the tables, before they are summed up. */
template <int OBJECT_QUADS>
DEVICE void load_rows(const struct opt_task *task, const struct stixels_constants_float *c,
                      const struct stixels_model *model, const float *column, int v,
                      struct group_sums<places<OBJECT_QUADS>::N_QUADS> *own)
{
    enum {
        N_QUADS = places<OBJECT_QUADS>::N_QUADS,
        PLACES = places<OBJECT_QUADS>::SKY + places<OBJECT_QUADS>::N_SKY
    };
    const int n_rows = task->n_rows;
    const size_t plane_stride = (size_t)task->n_cols * (size_t)n_rows;
    const bool in_column = v < n_rows;
    float p[PLACES];

    /* all loads first, so that they overlap; rows beyond the column load row 0 */
    const float *const at = column + (in_column ? v : 0);
    const float d = at[0], sure = at[plane_stride];

#pragma unroll
    for (int i = 0; i < PLACES; i++) {
        const int k = task->sorted.at[i];

        p[i] = 65535;
        if (k >= 0 && (!places<OBJECT_QUADS>::FEW || i != places<OBJECT_QUADS>::SKY - 1))
            p[i] = at[(size_t)(2 + k) * plane_stride]; /* k is the same in all lanes */
    }

    const bool valid = in_column && d >= 0;
    const uint32_t confidence = valid ? (uint32_t)sure : 0;
    const int weight = stixels_weight(confidence, model->weight_squared);
    const struct stixels_float_row row =
        stixels_float_row_of(c, model->horizon, (float)weight * (1.0f / STIXELS_WEIGHT_ONE),
                             valid ? d * (1.0f / 256) : 0, v);
    float constant[STIXELS_N_GEOMETRIES];

#pragma unroll
    for (int g = 0; g < STIXELS_N_GEOMETRIES; g++)
        constant[g] = valid ? c->k_valid[g] : c->k_invalid[g];
    if (places<OBJECT_QUADS>::N_SKY == 1)
        constant[STIXELS_SKY] =
            fused(c->weight_semantic, (float)cost_of(p[places<OBJECT_QUADS>::SKY]),
                  constant[STIXELS_SKY]);
    own->depth.a.s0 = weight;
    own->depth.a.t0 = row.t0;
    own->depth.a.object =
        fused(row.object, c->inverse_sigma2[STIXELS_OBJECT], constant[STIXELS_OBJECT]);
    own->depth.a.beside =
        v <= model->horizon
            ? fused(row.ground, c->inverse_sigma2[STIXELS_GROUND], constant[STIXELS_GROUND])
            : fused(row.sky, c->inverse_sigma2[STIXELS_SKY], constant[STIXELS_SKY]);
    own->depth.b.s1 = (double)row.s1;
    own->depth.b.s2 = (double)row.s2;
    own->depth.b.r0 = (double)row.r0;
    own->depth.b.r1 = (double)row.r1;
#pragma unroll
    for (int q = 0; q < N_QUADS; q++) {
        own->classes[q].x = cost_of(p[4 * q]);
        own->classes[q].y = cost_of(p[4 * q + 1]);
        own->classes[q].z = cost_of(p[4 * q + 2]);
        own->classes[q].w = cost_of(p[4 * q + 3]);
    }
}

/* Stores the sums of row v over its group, and the group's totals.  Unrounded sums use the
 * memory of the row's results. */
template <int OBJECT_QUADS>
DEVICE void store_sums(const struct column<OBJECT_QUADS> *k, int group,
                       const struct group_sums<places<OBJECT_QUADS>::N_QUADS> *own)
{
    enum { N_QUADS = places<OBJECT_QUADS>::N_QUADS };
    const int v = group * STIXELS_WARP + k->lane;

    if (v < k->n_rows) {
        *(struct depth_sums_a *)&k->depth[v + 1] = own->depth.a;
        *(struct depth_sums_b *)&k->found[v] = own->depth.b;
#pragma unroll
        for (int q = 0; q < N_QUADS; q++)
            k->classes(v + 1)[q] = own->classes[q];
    }
    if (k->lane == STIXELS_WARP - 1)
        k->totals[group] = *own;
}

/* Adds the totals of the groups below to the sums of a group's rows, and rounds them. */
template <int OBJECT_QUADS>
DEVICE void add_below(const struct column<OBJECT_QUADS> *k, int group)
{
    enum { N_QUADS = places<OBJECT_QUADS>::N_QUADS };
    const int v = group * STIXELS_WARP + k->lane;
    int4 *const semantic = k->classes(v + 1);
    struct depth_sums depth;
    int4 classes[N_QUADS > 0 ? N_QUADS : 1];

    if (v >= k->n_rows)
        return;
    depth.a = *(const struct depth_sums_a *)&k->depth[v + 1];
    depth.b = *(const struct depth_sums_b *)&k->found[v];
    for (int below = 0; below < group; below++) {
        const struct depth_sums *const total = &k->totals[below].depth;

        depth.a.s0 += total->a.s0;
        depth.a.t0 += total->a.t0;
        depth.a.object += total->a.object;
        depth.a.beside += total->a.beside;
        depth.b.s1 += total->b.s1;
        depth.b.s2 += total->b.s2;
        depth.b.r0 += total->b.r0;
        depth.b.r1 += total->b.r1;
    }
    k->depth[v + 1].a =
        make_float4((float)depth.a.s0, depth.a.t0, depth.a.object, depth.a.beside);
    k->depth[v + 1].b =
        make_float4((float)depth.b.s1, (float)depth.b.s2, (float)depth.b.r0, (float)depth.b.r1);
    if (group == 0)
        return;
#pragma unroll
    for (int q = 0; q < N_QUADS; q++)
        classes[q] = semantic[q];
    for (int below = 0; below < group; below++) {
#pragma unroll
        for (int q = 0; q < N_QUADS; q++) {
            const int4 total = k->totals[below].classes[q];

            classes[q].x += total.x;
            classes[q].y += total.y;
            classes[q].z += total.z;
            classes[q].w += total.w;
        }
    }
#pragma unroll
    for (int q = 0; q < N_QUADS; q++)
        semantic[q] = classes[q];
}

/* Finds the geometry below each row's last stixel, of which try_candidate keeps no record. */
template <int OBJECT_QUADS>
DEVICE void link_group(const struct column<OBJECT_QUADS> *k, int group)
{
    const int v = group * STIXELS_WARP + k->lane;

    if (v >= k->n_rows)
        return;

    const struct high_row<OBJECT_QUADS> high = load_high(k, v);
    struct row_links links = k->links[v];
    const int object = links.to[STIXELS_OBJECT] >> 2, ground = links.to[STIXELS_GROUND] >> 2;

    if (object > 0) {
        const struct row_below below = below_of(&k->found[object - 1]);
        const struct candidate x =
            candidate_from<true, NOTHING>(k, &high, object, (float)object);
        const bool on_beside =
            object_on_beside(&k->c, &below, x.object) < object_on_object(&k->c, &below, &x);
        const int from = !on_beside                ? STIXELS_OBJECT
                         : object - 1 > k->horizon ? STIXELS_SKY
                                                   : STIXELS_GROUND;

        links.to[STIXELS_OBJECT] = (uint16_t)(object << 2 | from);
    }
    if (ground > 0) {
        const struct row_below below = below_of(&k->found[ground - 1]);
        const struct candidate x =
            candidate_from<true, GROUND>(k, &high, ground, (float)ground);
        const bool on_ground =
            ground_on_ground(&k->c, &below, x.bottom) < ground_on_object(&below, x.bottom);

        links.to[STIXELS_GROUND] =
            (uint16_t)(ground << 2 | (on_ground ? STIXELS_GROUND : STIXELS_OBJECT));
    }
    links.to[STIXELS_SKY] = (uint16_t)(links.to[STIXELS_SKY] | STIXELS_OBJECT);
    k->links[v] = links;
}

DEVICE float energy_of(const struct found_row *row, int g)
{
    return g == STIXELS_OBJECT ? row->a.x : row->b.x;
}

/* Follows the links of a column from the top; returns the number of stixels. */
DEVICE int walk_back(const struct found_row *found, const struct row_links *links, int n_rows,
                     int horizon, int *cut)
{
    const struct found_row *const row = &found[n_rows - 1];
    int v_t = n_rows - 1, g = STIXELS_OBJECT, n = 0;

    if (row->b.x < row->a.x)
        g = v_t > horizon ? STIXELS_SKY : STIXELS_GROUND;
    for (;;) {
        const int link = links[v_t].to[g], v_b = link >> 2;

        cut[n++] = v_b << 12 | v_t << 2 | g;
        if (v_b == 0)
            return n;
        v_t = v_b - 1;
        g = link & 3;
    }
}

/* Makes a stixel: class, plane and share of the energy; class_at: sorted_classes, shared. */
template <int OBJECT_QUADS>
DEVICE struct stixel make_stixel(const struct column<OBJECT_QUADS> *k, const int8_t *class_at,
                                 int v_b, int v_t, int g)
{
    const struct stixels_moments_float m =
        depth_between(&k->c.c, &k->depth[v_t + 1], &k->depth[v_b]);
    typedef struct places<OBJECT_QUADS> at;
    const int from = g == STIXELS_OBJECT ? 0 : g == STIXELS_GROUND ? at::GROUND : at::SKY;
    const int n = g == STIXELS_OBJECT   ? 4 * OBJECT_QUADS
                  : g == STIXELS_GROUND ? at::N_GROUND
                                        : 4;
    const int *const high = (const int *)k->classes(v_t + 1);
    const int *const low = (const int *)k->classes(v_b);
    struct stixel stixel;
    float energy = energy_of(&k->found[v_t], g);
    int best = STIXELS_NO_CLASS, least = 0;

    if (at::FEW && g == STIXELS_SKY && class_at[from] >= 0)
        best = class_at[from];
#pragma unroll 4
    for (int place = from; place < from + n && !(at::FEW && g == STIXELS_SKY); place++) {
        const int id = class_at[place], difference = high[place] - low[place];

        /* among equals the smaller id wins; places are not in the order of ids */
        if (id >= 0 && (best == STIXELS_NO_CLASS || difference < least ||
                        (difference == least && id < best))) {
            best = id;
            least = difference;
        }
    }
    stixel.v_bottom = (uint16_t)v_b;
    stixel.v_top = (uint16_t)v_t;
    stixel.geometry = (uint8_t)g;
    stixel.semantic = (uint8_t)best;
    stixel.reserved = 0;
    stixel.a = stixel.b = 0;
    if (g != STIXELS_SKY) {
        float unused;
        const struct stixels_plane_float plane =
            g == STIXELS_OBJECT ? stixels_fit_object_float(&k->c.c, &m, &unused)
                                : stixels_fit_ground_float(&k->c.c, &m, &unused);

        stixel.a = plane.a;
        stixel.b = plane.b;
    }
    if (v_b > 0)
        energy -= energy_of(&k->found[v_b - 1], k->links[v_t].to[g] & 3);
    stixel.cost = energy;
    return stixel;
}

/* Phase 2 of a group takes as long as so many beginnings of phase 1 (measured on an H200). */
#define BEGINNINGS_MADE   16
#define BEGINNINGS_UNMADE 36

/* blocks -> slots and counts, as column_kernel. */
template <int N_WARPS, bool MAKES, int OBJECT_QUADS, bool PRUNES, bool STAGES>
static __global__ void __launch_bounds__(N_WARPS *STIXELS_WARP,
                                         MAKES ? 2 : 512 / (N_WARPS * STIXELS_WARP))
    opt_kernel(struct opt_task task)
{
    enum { N_QUADS = places<OBJECT_QUADS>::N_QUADS };
    extern __shared__ __align__(16) char shared[];
    __shared__ int n_cuts;
    __shared__ struct alive alive; /* if it PRUNES */
    __shared__ int8_t class_at[MAX_PLACES];
    const int n_rows = task.n_rows, warp = (int)threadIdx.x / STIXELS_WARP;
    const int n_groups = (n_rows + STIXELS_WARP - 1) / STIXELS_WARP;
    const int frame = (int)blockIdx.x / task.n_cols, u = (int)blockIdx.x % task.n_cols;
    const struct stixels_model *const model = &task.models[frame];
    const float *const blocks =
        task.blocks +
        ((size_t)frame * (size_t)(2 + model->n_classes) * (size_t)task.n_cols + (size_t)u) *
            (size_t)n_rows;
    struct column<OBJECT_QUADS> k;
    uint32_t clock[COLUMN_STAGES];

    k.c = opt_constants_of(&task.constants[frame]);
    k.depth = (struct depth_row *)shared;
    k.semantic = (int4 *)(k.depth + n_rows + 1);
    k.found = (struct found_row *)(k.semantic + N_QUADS * (n_rows + 1));
    k.made = (struct made_candidates *)(k.found + n_rows);
    k.links = (struct row_links *)(k.made + (MAKES ? 2 : 0));
    k.totals = (struct group_sums<N_QUADS> *)(k.links + (n_rows + 1) / 2 * 2);
    k.parts = (struct part *)k.totals;
    k.n_rows = n_rows;
    k.horizon = model->horizon;
    k.lane = (int)threadIdx.x % STIXELS_WARP;

    /* of alive rows, if it PRUNES */
    uint16_t *const list =
        (uint16_t *)(shared + opt_shared_bytes(n_rows, N_WARPS, MAKES, false, N_QUADS)) +
        warp * most_listed(n_rows, N_WARPS);

    if (MAKES)
        /* lanes read entries that they do not use */
        for (int i = (int)threadIdx.x; i < 2 * (int)(sizeof *k.made / sizeof(int4));
             i += N_WARPS * STIXELS_WARP)
            ((int4 *)k.made)[i] = make_int4(0, 0, 0, 0);
    wait_for_previous();
    if (STAGES)
        clock[0] = stage_clock();
    for (int group = warp; group < n_groups; group += N_WARPS) {
        const int v = group * STIXELS_WARP + k.lane;
        struct group_sums<N_QUADS> own;

        load_rows<OBJECT_QUADS>(&task, &k.c.c, model, blocks, v, &own);
        if (PRUNES) {
            float most = v < n_rows ? fmaxf(blocks[v], 0) : 0;

            for (int offset = STIXELS_WARP / 2; offset > 0; offset /= 2)
                most = fmaxf(most, __shfl_xor_sync(ALL_LANES, most, offset));
            if (k.lane == 0) {
                alive.most[group] = most * (1.0f / 256) - STIXELS_CENTRE_PX;
                alive.object[group] = alive.beside[group] = ~0u;
            }
        }
        scan_group<N_QUADS>(&own, k.lane);
        store_sums(&k, group, &own);
    }
    if (threadIdx.x == 0) {
#pragma unroll
        for (int place = 0; place < MAX_PLACES; place++) /* a parameter has no address */
            class_at[place] = task.sorted.at[place];
        k.depth[0].a = k.depth[0].b = make_float4(0, 0, 0, 0);
#pragma unroll
        for (int q = 0; q < N_QUADS; q++)
            k.semantic[q] = make_int4(0, 0, 0, 0);
    }
    __syncthreads();
    if (PRUNES && threadIdx.x == 0)
        for (int group = n_groups - 1; group-- > 0;)
            alive.most[group] = fmaxf(alive.most[group], alive.most[group + 1]);
    for (int group = warp; group < n_groups; group += N_WARPS)
        add_below(&k, group);
    __syncthreads();
    if (STAGES)
        clock[1] = stage_clock();

    /* Warp 'place' 0 has phase 2 of a group.  It differs from group to group and from column to
     * column, so that each of the SM's schedulers gets its share. */
    int place = (warp + (int)blockIdx.x / task.n_processors) % N_WARPS;

    for (int group = 0;; group++) {
        const int first = group * STIXELS_WARP;

        if (place == 0 && group > 0) {
            finish_group<N_WARPS, MAKES>(&k, group - 1);
            if (PRUNES && group < n_groups) {
                __syncwarp();
                drop_beginnings(&k, &alive, group - 1, first - 1);
            }
        }
        if (place == 1 && group > 1)
            link_group(&k, group - 2);
        if (group == n_groups)
            break;

        const struct high_row<OBJECT_QUADS> high = load_high(&k, first + k.lane);
        struct kept_row row = place == N_WARPS - 1 ? from_bottom(&k, &high) : nothing_found();
        const int below = group > 0 ? first - STIXELS_WARP : 0;

#pragma unroll 1
        for (int late = 0; late < 2; late++) {
            struct alive_sets sets;
            int n, from, to;

            if (late)
                __syncthreads(); /* the group below is finished */
            if (PRUNES) {
                sets = late ? find_alive(&k, &alive, group, group - 1, group > 0)
                            : find_alive(&k, &alive, group, 0, group - 1);
                n = sets.end[STIXELS_SKY];
            } else {
                n = late ? first - below : below; /* those above finished groups come first */
            }
            if (late) {
                from = n * warp / N_WARPS;
                to = n * (warp + 1) / N_WARPS;
            } else {
                /* the warp in phase 2 has fewer */
                const int through = MAKES ? BEGINNINGS_MADE : BEGINNINGS_UNMADE;
                const int share = (n + through) / N_WARPS;
                const int others = share > through ? n - (share - through) : n;

                from = place == 0 ? others : others * (place - 1) / (N_WARPS - 1);
                to = place == 0 ? n : others * place / (N_WARPS - 1);
            }
            if (PRUNES)
                try_alive(&k, &high, &sets, from, to, list, &row);
            else
                try_part(&k, &high, group, (late ? below : 0) + from + 1,
                         (late ? below : 0) + to, &row);
            if (MAKES && !late && place > 0)
                make_part<N_WARPS>(&k, &high, group, place - 1);
        }
        if (PRUNES && group + 1 < n_groups) /* for the next group's early ones */
            for (int set = warp; set < group - 1; set += N_WARPS)
                drop_beginnings(&k, &alive, set, first - 1);
        store_part(k.parts + warp, k.lane, &row);
        __syncthreads();
        place = (place + 1) % N_WARPS;
    }
    __syncthreads();
    if (STAGES)
        clock[2] = stage_clock();

    let_next_begin();
    if (warp == 0)
        link_group(&k, n_groups - 1);

    int *const cut = (int *)k.totals; /* v_b << 12 | v_t << 2 | geometry, from the top */

    __syncwarp();
    if (threadIdx.x == 0) {
        n_cuts = walk_back(k.found, k.links, n_rows, k.horizon, cut);
        task.counts[blockIdx.x] = n_cuts;
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < n_cuts; i += N_WARPS * STIXELS_WARP)
        task.slots[((size_t)blockIdx.x + 1) * (size_t)n_rows - 1 - (size_t)i] =
            make_stixel(&k, class_at, cut[i] >> 12, cut[i] >> 2 & 1023, cut[i] & 3);
    if (STAGES) {
        __syncthreads();
        if (threadIdx.x == 0) {
            uint32_t *const took = task.clocks + (size_t)blockIdx.x * COLUMN_STAGES;

            took[0] = clock[1] - clock[0];
            took[1] = clock[2] - clock[1];
            took[2] = stage_clock() - clock[2];
        }
    }
}

#endif
