/* slanted-stixels-gishi523.cc - a peer: slanted stixels on a CPU by gishi523 */
#include "slanted_stixels.h"

#include "stixels-peer.h"

static cv::Ptr<SlantedStixels> program;
static cv::Mat1f disparity, confidence, scores; /* scores: [n_classes][height][width] */
static std::vector<Stixel> found;

static const char *peer_skip(const struct peer *peer)
{
    const struct stixels_input *const in =
        (const struct stixels_input *)peer_block(peer, "shape");
    const struct stixels_model *const model =
        (const struct stixels_model *)peer_block(peer, "model");
    const int n = in->height * in->width, sizes[] = {in->n_classes, in->height, in->width};
    static const int geometry[] = {GEOMETRIC_ID_OBJECT, GEOMETRIC_ID_GROUND, GEOMETRIC_ID_SKY};
    const uint16_t *const d = (const uint16_t *)peer_block(peer, "disparity");
    const uint16_t *const p = (const uint16_t *)peer_block(peer, "probability");
    const uint8_t *const c = (const uint8_t *)peer_block(peer, "confidence");
    SlantedStixels::Parameters keys;

    keys.camera.height =
        (float)(0.05 / sqrt(model->ground_sigma2_per_px2)); /* its preset has 0.05 */
    /* its road is slope (row from the top) + first, its tilt being 0 */
    const double slope = -model->mu_b / in->block_rows;
    const double first = model->mu_a + model->mu_b * (in->n_rows - 1);
    if (in->n_frames != 1 || in->block_rows % 4 || in->block_cols % 4 || model->flat ||
        !std::isfinite(keys.camera.height) || !(first < 0 && first > model->mu_b * in->n_rows))
        return "one frame, blocks of 4 or 8 px, a horizon in the image, model = gs alone";
    keys.camera.baseline = (float)(slope * keys.camera.height);
    keys.camera.fu = (float)(model->focal_baseline / keys.camera.baseline);
    keys.camera.v0 = (float)(-first / slope);
    keys.dmax = (int)model->d_max;
    keys.stixelWidth = in->block_cols;
    keys.stixelYResolution = in->block_rows;
    for (int k = 0; k < in->n_classes; k++)
        keys.geometry.push_back(model->geometry_of[k] < 0 ? -1
                                                          : geometry[model->geometry_of[k]]);
    program = SlantedStixels::create(keys);

    disparity.create(in->height, in->width);
    confidence.create(in->height, in->width);
    for (int i = 0; i < n; i++) {
        ((float *)disparity.data)[i] = d[i] == STIXELS_INVALID ? -1 : d[i] / 256.0f;
        ((float *)confidence.data)[i] = c[i] / 255.0f;
    }
    if (p) {
        scores.create(3, sizes);
        for (size_t i = 0; i < (size_t)in->n_classes * n; i++)
            ((float *)scores.data)[i] = logf(p[i] ? p[i] / 65535.0f : 1e-6f);
    }
    return NULL;
}

static void peer_run(const struct peer *peer)
{
    static const int geometry[] = {STIXELS_GROUND, STIXELS_OBJECT, STIXELS_SKY};
    const struct stixels_input *const in =
        (const struct stixels_input *)peer_block(peer, "shape");
    const int last = in->n_rows - 1;
    const long long began = peer_clock();

    if (in->n_classes)
        program->compute(disparity, confidence, scores, found);
    else
        program->compute(disparity, confidence, found);
    peer_ns = peer_clock() - began;

    memset(peer->out, 0, peer->out_bytes);
    for (size_t i = 0; i < found.size(); i++) { /* by columns, from the bottom */
        const Stixel &s = found[i];
        const bool is_top = i + 1 == found.size() || found[i + 1].uL != s.uL;
        const float slope = s.geoId == GEOMETRIC_ID_GROUND ? s.disp[0] * in->block_rows : 0;

        /* the topmost row is in none of its stixels */
        put(peer, s.uL / in->block_cols, last + 1 - s.vB / in->block_rows,
            is_top ? last : last - s.vT / in->block_rows, geometry[s.geoId],
            in->n_classes ? s.semId : STIXELS_NO_CLASS, s.disp[1] + slope * last, -slope);
    }
}
