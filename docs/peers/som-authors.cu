/*
 * som-authors.cu - a peer: the program of [SOM]'s authors, driven as its TestSom drives it; on
 *                  a GPU with CUDA_CODE, else on one core
 *
 * Its network goes beyond the map: the output is the part that begins on it, as large as ours.
 */
#include "peer.h"

#include "SomOperator.h"
#include "harness/problems/som/som.h"

using namespace components;
using namespace operators;

typedef ViewGridHexa view;
typedef CellB<CM_DistanceEuclidean, CM_ConditionTrue, NIterHexa, view> cell_of_net;
typedef CellSpS<CM_DistanceEuclidean, CM_ConditionTrue, NIterHexa, view> cell_of_map;
typedef CellularMatrix<cell_of_net, view> cells_of_net;
typedef CellularMatrix<cell_of_map, view> cells_of_map;

static NN map_host, map_there, net_host, net_there; /* "there": where it computes */
static view base, cells;
static cells_of_map of_map;
static cells_of_net of_net;
static int first_col, first_row; /* of the part that is ours */

static void wait()
{
#ifdef CUDA_CODE
    const cudaError_t error = cudaDeviceSynchronize();

    if (error != cudaSuccess)
        fprintf(stderr, "%s\n", cudaGetErrorString(error)), exit(1);
#endif
}

static void prepare(const struct som_input *in, const uint8_t *grey)
{
    const int w = in->width, h = in->height;
    const int factor = (int)lround(sqrt((double)w * h / in->grid_cols / in->grid_rows));

    map_host.resize(w, h);
    map_there.gpuResize(w, h);
    map_host.activeMap = 0;
    for (int i = 0; i < w * h; i++)
        map_host.densityMap.set(i % w, i / w, powf(grey[i], 3));
    map_host.gpuCopyHostToDevice(map_there);

    base = view(PointCoord(w / 2, h / 2), w, h, factor);
    net_host.resize(base.getWidthBase(), base.getHeightBase());
    net_there.gpuResize(base.getWidthBase(), base.getHeightBase());
    net_host.fixedMap = 0;
    net_host.gpuCopyHostToDevice(net_there);
    first_col = first_row = 0;
    while (base.F(PointCoord(first_col, 1))[0] < 0)
        first_col++;
    while (base.F(PointCoord(1, first_row + 1))[1] < 0) /* rows of even number are shifted */
        first_row += 2;

    cells = view(PointCoord(w / 2, h / 2), w, h, (int)lround(in->cell_size / sqrt(3.0)));
    of_map.setViewG(cells);
    of_map.gpuResize(cells.getWidthDual(), cells.getHeightDual());
    of_map.K_initialize(cells);
    of_map.K_cellDensityComputation(map_there);
    of_map.K_initializeRegularIntoPlane<LOW_LEVEL>(cells, map_there.adaptiveMap);
    of_net.setViewG(cells);
    of_net.gpuResize(cells.getWidthDual(), cells.getHeightDual());
    of_net.K_initialize(cells);
    wait();
}

static const char *peer_skip(const struct peer *peer)
{
    const struct som_input *const in = (const struct som_input *)peer_block(peer, "shape");

    CELL_REFRESH_RATE = in->refresh_rate;
    prepare(in, (const uint8_t *)peer_block(peer, "grey"));
    return in->n_frames == 1 && first_col + in->grid_cols <= (int)base.getWidthBase() &&
                   first_row + in->grid_rows <= (int)base.getHeightBase()
               ? NULL
               : "one map alone, and a network that is within its own";
}

static void peer_run(const struct peer *peer)
{
    const struct som_input *const in = (const struct som_input *)peer_block(peer, "shape");
    static SomOperator<cells_of_net, cells_of_map, cell_of_net, cell_of_map, NIterHexa,
                       NIterHexaDual, view>
        som;
    float *position = (float *)peer->out;
    TSomParams params;

    params.alphaInitial = in->alpha[0], params.alphaFinal = in->alpha[1];
    params.rInitial = in->sigma[0], params.rFinal = in->sigma[1];
    params.nGene = in->n_rounds;
    som.initialize(net_there, map_there, of_net, of_map, cells, params); /* random numbers */
    wait();

    const long long began = peer_clock();
    of_net.K_initializeRegularIntoPlane<BASE>(base, net_there.adaptiveMap);
    som.run();
    wait();
    peer_ns = peer_clock() - began;

    net_host.adaptiveMap.gpuCopyDeviceToHost(net_there.adaptiveMap);
    for (int i = 0; i < in->grid_rows * in->grid_cols; i++)
        for (int k = 0; k < 2; k++)
            *position++ = net_host.adaptiveMap[first_row + i / in->grid_cols]
                                              [first_col + i % in->grid_cols][k];
    memset(position, 0, 3 * sizeof(uint64_t)); /* data points: as many as are to be expected */
    *(uint64_t *)position =
        (uint64_t)(in->n_rounds * of_map.totalDensity / of_map.getMaxCellDensity());
}
