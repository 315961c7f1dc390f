/* sgm-peer.h - what peers for sgm share */
#include "peer.h"

#include "harness/problems/sgm/sgm.h"

static const struct sgm_input *shape_of(const struct peer *peer)
{
    return (const struct sgm_input *)peer_block(peer, "shape"); /* up to 'median' */
}

/* Writes disparities in 1/per_px px; 'invalid' is none. */
template <typename T>
static void put(const struct peer *peer, const T *disparity, int per_px, T invalid)
{
    uint16_t *const to = (uint16_t *)peer->out;

    for (size_t i = 0; i < peer->out_bytes / sizeof *to; i++)
        to[i] = (uint16_t)(disparity[i] == invalid ? SGM_INVALID
                                                   : disparity[i] * (SGM_SCALE / per_px));
}
