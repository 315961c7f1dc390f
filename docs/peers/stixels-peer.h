/* stixels-peer.h - what peers for stixels share */
#include "peer.h"

#include "harness/problems/stixels/stixels.h"

/* Adds a stixel to an output that began as zeros: by columns, and there from the bottom. */
static void put(const struct peer *peer, int column, int bottom, int top, int geometry,
                int semantic, float a, float b)
{
    const int n_cols = ((const struct stixels_input *)peer_block(peer, "shape"))->n_cols;
    int32_t *const first = (int32_t *)peer->out, *const n = &first[column + 1];
    struct stixel *const list = (struct stixel *)(first + n_cols + 1);
    struct stixel *const s = &list[*n > 0 ? *n : first[column]];

    s->v_bottom = (uint16_t)bottom, s->v_top = (uint16_t)top;
    s->geometry = (uint8_t)geometry, s->semantic = (uint8_t)semantic;
    s->a = a, s->b = b;
    *n = (int32_t)(s - list) + 1;
}
