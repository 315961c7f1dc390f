/* rdp.c - a peer in C: Ramer-Douglas-Peucker of each column.  cc -O2 -o rdp rdp.c */
#include "peer.h"

static const char *peer_skip(const struct peer *peer)
{
    const int32_t *const shape = peer_block(peer, "shape");

    return shape[4] ? "vertical distances alone" : NULL;
}

/* The segments between two kept rows; *rounds is at least the depth of each. */
static int cut(const uint16_t *y, int f, int l, int64_t eps, int depth, uint32_t *kept,
               int *rounds)
{
    int64_t most = eps * (l - f), at = f;

    for (int64_t i = f + 1, d; i < l; i++) {
        d = llabs((y[l] - y[f]) * (i - f) + (int64_t)(y[f] - y[i]) * (l - f));
        if (y[i] != 0xFFFF && d > most)
            most = d, at = i;
    }
    *rounds = depth > *rounds ? depth : *rounds;
    if (at == f)
        return 1;
    kept[at / 32] |= 1u << at % 32;
    return cut(y, f, at, eps, depth + 1, kept, rounds) +
           cut(y, at, l, eps, depth + 1, kept, rounds);
}

static void peer_run(const struct peer *peer)
{
    const int32_t *const shape = peer_block(peer, "shape"); /* frames, columns, rows, eps */
    const uint16_t *y = peer_block(peer, "y");
    const int n = shape[0] * shape[1], n_rows = shape[2], n_words = (n_rows + 31) / 32;
    uint32_t *kept = memset(peer->out, 0, peer->out_bytes);
    int *const segments = (int *)kept + n * n_words, *const rounds = segments + n;

    for (int c = 0; c < n; c++, y += n_rows, kept += n_words) {
        int f = 0, l = n_rows - 1;

        while (f < l && y[f] == 0xFFFF)
            f++;
        while (l > f && y[l] == 0xFFFF)
            l--;
        rounds[c] = 1;
        if (l == f)
            continue;
        kept[f / 32] |= 1u << f % 32;
        kept[l / 32] |= 1u << l % 32;
        segments[c] = cut(y, f, l, shape[3], 1, kept, &rounds[c]);
    }
}
