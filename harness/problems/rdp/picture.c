/*
 * picture.c - one segmented image as a picture: disparity, segments, reconstruction
 *
 * Source: [RDP] Figs. 1 and 8 show such pictures; drawing and colours are our own.
 */
#include "harness/problems/rdp/picture.h"

#include "harness/inputs/plane.h"

static const struct picture_colour no_measurement = PICTURE_NO_MEASUREMENT,
                                   kept_point = {0, 0, 0};

/* Okabe and Ito's colours that stay apart for colour-blind readers. */
static const struct picture_colour look_colour[RDP_N_LOOKS] = {
    [RDP_LOOK_FAR] = {86, 180, 233},
    [RDP_LOOK_UPRIGHT] = {230, 159, 0},
    [RDP_LOOK_GROUND] = {0, 158, 115},
    [RDP_LOOK_OTHER] = {204, 121, 167},
};

enum rdp_look rdp_look(int first, int last, uint16_t y_first, uint16_t y_last,
                       uint32_t range_q8, int n_rows)
{
    /* The rise over the whole height, in ranges: a road from half height on has 2. */
    const double rise =
        ((double)y_last - (double)y_first) * n_rows / ((double)range_q8 * (last - first));

    if (20 * (uint32_t)y_first < range_q8 && 20 * (uint32_t)y_last < range_q8)
        return RDP_LOOK_FAR;
    if (rise > -0.4 && rise < 0.4)
        return RDP_LOOK_UPRIGHT;
    return rise >= 0.4 && rise < 8 ? RDP_LOOK_GROUND : RDP_LOOK_OTHER;
}

/* One column on its way into the picture. */
struct strip {
    const uint16_t *y;    /* [n_rows], borrowed */
    const uint32_t *kept; /* [rdp_n_words], borrowed */
    int n_rows;
    const uint8_t *view; /* [n_rows], 'pitch' apart: what the camera saw; NULL */
    size_t pitch;
    uint32_t range_q8;
    uint16_t line[RDP_MAX_ROWS]; /* reconstruction, RDP_INVALID outside */
    uint8_t look[RDP_MAX_ROWS];  /* enum rdp_look */
};

/* Fill line and look from the kept rows. */
static void fill_strip(struct strip *s)
{
    int first = -1;

    for (int v = 0; v < s->n_rows; v++) {
        s->line[v] = RDP_INVALID;
        s->look[v] = RDP_LOOK_OTHER;
    }
    for (int v = 0; v < s->n_rows; v++) {
        if (!rdp_is_kept(s->kept, v))
            continue;
        s->line[v] = s->y[v];
        if (first >= 0) {
            const int32_t length = v - first, dy = (int32_t)s->y[v] - s->y[first];
            const enum rdp_look look =
                rdp_look(first, v, s->y[first], s->y[v], s->range_q8, s->n_rows);

            for (int i = first; i < v; i++) {
                s->line[i] = (uint16_t)(s->y[first] + (int64_t)dy * (i - first) / length);
                s->look[i] = (uint8_t)look;
            }
            s->look[v] = (uint8_t)look;
        }
        first = v;
    }
}

static struct picture_colour segment_colour(const struct strip *s, int v)
{
    static const struct picture_colour white = {255, 255, 255}, black = {0, 0, 0};
    const struct picture_colour c = look_colour[s->look[v]];
    const uint32_t near = s->line[v] < s->range_q8 ? s->line[v] : s->range_q8;

    /* from 35 % darker when far away to 35 % lighter when near */
    if (2 * near < s->range_q8)
        return picture_mix(c, black, (s->range_q8 - 2 * near) * 35 / 100, s->range_q8);
    return picture_mix(c, white, (2 * near - s->range_q8) * 35 / 100, s->range_q8);
}

/* True if a row of those that this panel row stands for is kept. */
static int marked(const struct strip *s, int v, struct picture_scale scale)
{
    for (int i = v; i < v + scale.step && i < s->n_rows; i++)
        if (rdp_is_kept(s->kept, i))
            return 1;
    return 0;
}

static void paint_strip(const struct picture *p, const struct strip *s, int x0,
                        struct picture_scale scale)
{
    const int panel_height = picture_scaled(s->n_rows, scale);
    const int mark_height = (scale.zoom + 1) / 2; /* the first rows only: a mark is flat */

    for (int y = 0; y < panel_height; y++) {
        const int v = picture_source(y, scale);
        struct picture_colour panel[RDP_N_PANELS] = {no_measurement, no_measurement,
                                                     no_measurement};

        if (s->y[v] != RDP_INVALID)
            panel[0] = picture_disparity_colour(s->y[v], s->range_q8);
        if (s->line[v] != RDP_INVALID) {
            panel[1] = segment_colour(s, v);
            panel[2] = picture_disparity_colour(s->line[v], s->range_q8);
            for (int i = 1; i < RDP_N_PANELS && s->y[v] == RDP_INVALID; i++)
                panel[i] = picture_mix(panel[i], no_measurement, 1, 2);
        }
        if (s->view)
            panel[1] = picture_over(panel[1], s->view[(size_t)v * s->pitch]);
        if (y % scale.zoom < mark_height && marked(s, v, scale))
            panel[1] = kept_point;
        for (int i = 0; i < RDP_N_PANELS; i++)
            for (int x = x0; x < x0 + scale.zoom; x++)
                picture_put(p, x, i * (panel_height + PICTURE_GAP) + y, panel[i]);
    }
}

enum bench_status rdp_picture_draw(const struct rdp_input *in, const struct rdp_output *out,
                                   int frame, const struct plane *seen, struct picture *picture)
{
    const struct picture_scale scale = picture_choose_scale(in->n_cols, in->n_rows, 0);
    const size_t n_rows = (size_t)in->n_rows, n_cols = (size_t)in->n_cols;
    const size_t n_words = (size_t)rdp_n_words(in->n_rows), first = (size_t)frame * n_cols;
    struct strip strip = {.n_rows = in->n_rows};

    *picture = (struct picture){0};
    TRY(picture_near(in->y + first * n_rows, n_cols * n_rows, &strip.range_q8));
    /* at most 3 * 2048 * 6160 bytes */
    TRY(picture_new(picture_scaled(in->n_cols, scale),
                    RDP_N_PANELS * picture_scaled(in->n_rows, scale) +
                        (RDP_N_PANELS - 1) * PICTURE_GAP,
                    255, picture));
    picture->range_q8 = strip.range_q8;
    for (int u = 0, x = 0; u < in->n_cols; u += scale.step, x += scale.zoom) {
        strip.y = in->y + (first + (size_t)u) * n_rows;
        strip.kept = out->kept + (first + (size_t)u) * n_words;
        strip.view = seen && seen->view[0] ? seen->view[0] + u : NULL;
        strip.pitch = n_cols;
        fill_strip(&strip);
        paint_strip(picture, &strip, x, scale);
    }
    return BENCH_OK;
}

enum bench_status rdp_picture_legend(struct picture *picture)
{
    char near[32];
    const struct picture_entry entry[] = {
        {.text = "first: disparity 0"},
        {.text = picture_range_text(picture, near, sizeof near),
         .ramp = picture_disparity_ramp},
        {.text = "no measurement", .square = &no_measurement},
        {.text = "second: segments", .begins_line = true},
        {.text = "upright", .square = &look_colour[RDP_LOOK_UPRIGHT]},
        {.text = "ground-like", .square = &look_colour[RDP_LOOK_GROUND]},
        {.text = "far", .square = &look_colour[RDP_LOOK_FAR]},
        {.text = "other", .square = &look_colour[RDP_LOOK_OTHER]},
        {.text = "kept point", .square = &kept_point},
        {.text = "third: lines between kept points, dimmed where nothing was measured",
         .begins_line = true},
    };

    return picture_add_legend(picture, entry, (int)(sizeof entry / sizeof entry[0]));
}
