/* stixels-dhernandez0.cu - a peer: flat stixels on a GPU by the first author of [STX], with the
 * numbers of its main.cu, but the input's camera */
#include "Stixels.hpp"
#undef GROUND /* its types of stixels: 0, 1, 2 */
#undef OBJECT
#undef SKY

#include "stixels-peer.h"

#define MOST_DISPARITY 128

static Stixels *stixels;
static float *disparity;

static const char *peer_skip(const struct peer *peer)
{
    const struct stixels_input *const in =
        (const struct stixels_input *)peer_block(peer, "shape");
    const struct stixels_model *const model =
        (const struct stixels_model *)peer_block(peer, "model");
    const float height =
        (float)(0.0707106781 /
                sqrt(model->ground_sigma2_per_px2)); /* its preset has that sigma */
    const size_t n = (size_t)in->height * in->width;
    const uint16_t *const d = (const uint16_t *)peer_block(peer, "disparity");

    if (in->n_frames != 1 || in->height < MOST_DISPARITY || in->height >= 1024 ||
        in->block_rows != 1 || in->n_classes || !model->flat || !std::isfinite(height))
        return "one frame of 128 to 1023 rows, blocks of one row, no classes, model = dh alone";
    /* fb / height * (its tilt + rows / focal) is the expected disparity, its tilt being 0 */
    const float slope = (float)-model->mu_b, fb = (float)model->focal_baseline;
    const float focal = fb / height / slope;

    if (stixels) {
        stixels->Finish();
        cudaFreeHost(disparity);
        delete stixels;
    }
    stixels = new Stixels;
    stixels->SetDisparityParameters(in->height, in->width, MOST_DISPARITY, 1, 2, 0.1f);
    stixels->SetProbabilities(0.15f, 0.4f, 0.36f, 0.28f, 0.36f, 0, 1.0f / 3, 1.0f / 3, 1.0f / 3,
                              0.2f, 0.1f, 0.04f);
    stixels->SetModelParameters(in->block_cols, false, 3, 10.2f, 0);
    stixels->SetCameraParameters(in->height - 1 - (int)lround(-model->mu_a / model->mu_b),
                                 focal, fb / focal, 0, 0.05f, height, 0.05f, slope);
    stixels->Initialize();
    CUDA_CHECK_RETURN(cudaMallocHost((void **)&disparity, n * sizeof *disparity));
    for (size_t i = 0; i < n; i++) /* none measured is 0, as in its images */
        disparity[i] = d[i] == STIXELS_INVALID ? 0 : fminf(d[i] / 256.0f, MOST_DISPARITY - 1);
    return NULL;
}

static void peer_run(const struct peer *peer)
{
    static const int geometry[] = {STIXELS_GROUND, STIXELS_OBJECT, STIXELS_SKY};
    const struct stixels_model *const model =
        (const struct stixels_model *)peer_block(peer, "model");

    stixels->SetDisparityImage(disparity);
    peer_ns = (long long)(1e6 * stixels->Compute());
    memset(peer->out, 0, peer->out_bytes);
    for (int c = 0; c < stixels->GetRealCols(); c++) { /* from the top, ended by a type of -1 */
        const Section *const top = stixels->GetStixels() + c * stixels->GetMaxSections();
        const Section *s = top;

        while (s->type >= 0)
            s++;
        while (s-- > top) {
            const int g =
                geometry[s->type == 1 && s->disparity < 1 ? 2 : s->type]; /* as main */
            const float a[] = {s->disparity, (float)model->mu_a, 0};
            const float b[] = {0, (float)model->mu_b, 0};

            put(peer, c, s->vB, s->vT, g, STIXELS_NO_CLASS, a[g], b[g]);
        }
    }
}
