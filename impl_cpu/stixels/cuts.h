/*
 * cuts.h - stixels/cuts and stixels/cuts-cubic: the dynamic programming on candidate rows
 *
 * Source: [STX] sect. 1 and 5.2.1 speak of an over-segmentation that rules out unlikely cuts.
 *         Here it is by farthest points (rdp/cut.h, [RDP] Algorithm 1), in two passes:
 *         harness/problems/stixels/cuts.h.
 * Work:   m (m + 1) / 2 candidates for each geometry, where m are the candidate rows of a pass.
 */
#ifndef IMPL_CPU_STIXELS_CUTS_H
#define IMPL_CPU_STIXELS_CUTS_H

#include "harness/problems/rdp/cut.h"
#include "harness/problems/stixels/cuts.h"
#include "impl_cpu/stixels/strips.h"

#if (STIXELS_INVALID != RDP_INVALID)
#error "find_cut() must know rows without a disparity"
#endif

/* The keys, and one thread's room. */
struct cuts {
    struct column cells;                   /* for strips */
    uint8_t is_cut[STIXELS_MAX_ROWS + 1];  /* between row v - 1 and v */
    int16_t waiting[STIXELS_MAX_ROWS + 1]; /* ends of segments, from the top down */
    struct stixels_cuts keys;
};

/* Allows cuts at row v and up to 'reach' rows from it. */
static inline void allow_cuts(struct cuts *t, const struct column *c, int v, int reach)
{
    const int first = v - reach < 0 ? 0 : v - reach;

    for (int i = first; i <= v + reach && i <= c->n_rows; i++)
        t->is_cut[i] = 1;
}

/* Allows both cuts of each row that Algorithm 1 keeps. */
static inline void allow_kept(struct cuts *t, const struct column *c)
{
    struct rdp_node node;
    int n = 0;

    if (!find_root(c->mean, c->n_rows, &node))
        return;
    allow_cuts(t, c, node.first, 0);
    allow_cuts(t, c, node.first + 1, 0);
    t->waiting[n++] = (int16_t)node.last;
    while (n > 0) {
        const int last = t->waiting[n - 1];
        const int cut = find_cut(c->mean, node.first, last, t->keys.epsilon_q8, RDP_VERTICAL);

        if (cut >= 0) {
            t->waiting[n++] = (int16_t)cut;
            continue;
        }
        allow_cuts(t, c, last, 0);
        allow_cuts(t, c, last + 1, 0);
        node.first = last;
        n--;
    }
}

/* Takes the cuts that are allowed, and where both ends of the column and the horizon are. */
static inline void take_cuts(struct cuts *t, struct column *c)
{
    const int beyond = c->model->horizon + 1;

    t->is_cut[0] = t->is_cut[c->n_rows] = 1;
    if (beyond >= 0 && beyond <= c->n_rows)
        t->is_cut[beyond] = 1;
    c->n_cuts = -1;
    for (int v = 0; v <= c->n_rows; v++)
        if (t->is_cut[v])
            c->cut[++c->n_cuts] = v;
    memset(t->is_cut, 0, sizeof t->is_cut);
}

static inline int cuts_pass(struct cuts *t, struct column *c, int exact, int is_pruned)
{
    take_cuts(t, c);
    return strips_take(c->model) && !exact ? strips_segment(c, &t->cells, is_pruned)
                                           : column_segment(c, exact);
}

/* Segment the loaded column, as column_segment(). */
static inline int cuts_segment(struct cuts *t, struct column *c, int exact, int is_pruned)
{
    int n, n_tried;

    allow_kept(t, c);
    for (int v = 0; v < c->n_rows; v += t->keys.grid)
        allow_cuts(t, c, v, 0);
    n = cuts_pass(t, c, exact, is_pruned);
    n_tried = c->n_cuts;
    for (int i = 0; i < n; i++)
        allow_cuts(t, c, c->found[i].v_bottom, t->keys.reach);
    n = cuts_pass(t, c, exact, is_pruned);
    c->found[n - 1].reserved = (uint16_t)n_tried; /* of pass 1 */
    return n;
}

static inline enum bench_status cuts_alloc(struct cuts *t, const struct bench_ctx *ctx,
                                           const struct stixels_input *in)
{
    t->keys.grid = bench_int(ctx->params, "cut_grid");
    t->keys.reach = bench_int(ctx->params, "cut_reach");
    TRY(rdp_epsilon(bench_real(ctx->params, "cut_eps"), &t->keys.epsilon_q8));
    return column_alloc(&t->cells, in);
}

#endif
