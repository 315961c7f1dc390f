/*
 * legend.c - what a picture says of itself: words, colours and their scale, in lines below it
 */
#include "harness/problems/picture.h"

#include <stdio.h>
#include <string.h>

/* The letters of 5 x 8 dots: a byte for each column, the left one first, its lowest bit on
 * top. */
#define N_COLUMNS 5
static const char drawn[] = "abcdefghijklmnopqrstuvwxyz0123456789,.:%-()";
static const uint64_t letter[] = {
    0x2054545478, 0x7f48444438, 0x3844444420, 0x384444487f, 0x3854545418, 0x087e090102,
    0x18a4a4a47c, 0x7f08040478, 0x00447d4000, 0x4080847d00, 0x7f10284400, 0x00417f4000,
    0x7c04180478, 0x7c08040478, 0x3844444438, 0xfc24242418, 0x18242424fc, 0x7c08040408,
    0x4854545420, 0x043f444020, 0x3c4040207c, 0x1c2040201c, 0x3c4030403c, 0x4428102844,
    0x1ca0a0a07c, 0x4464544c44, 0x3e5149453e, 0x00427f4000, 0x4261514946, 0x2141454b31,
    0x1814127f10, 0x2745454539, 0x3c4a494930, 0x0171090503, 0x3649494936, 0x0649492f1e,
    0x0050300000, 0x0060600000, 0x0036360000, 0x2313086462, 0x0808080808, 0x001c224100,
    0x0041221c00};

/* In dots of a letter; a small picture has small ones. */
#define LINE      12
#define SQUARE    8
#define RAMP      80
#define MARGIN    4
#define NARROW_PX 720

static void fill(const struct picture *p, int x0, int y0, int width, int height,
                 struct picture_colour colour)
{
    for (int y = y0; y < y0 + height && y < p->height; y++)
        for (int x = x0; x < x0 + width && x < p->width; x++)
            picture_put(p, x, y, colour);
}

/* Other characters are blank. */
static void write_text(const struct picture *p, int x, int y, int dot, const char *text)
{
    static const struct picture_colour black = {0, 0, 0};

    for (; *text; text++, x += (N_COLUMNS + 1) * dot) {
        const char *const found = strchr(drawn, *text);

        for (int i = 0; i < 8 * N_COLUMNS && found; i++)
            if (letter[found - drawn] >> (8 * (N_COLUMNS - 1 - i / 8) + i % 8) & 1)
                fill(p, x + i / 8 * dot, y + i % 8 * dot, dot, dot, black);
    }
}

static void write_entry(const struct picture *p, const struct picture_entry *e, int x, int y,
                        int dot, int sign_px)
{
    for (int i = 0; i < sign_px; i++)
        fill(p, x + i, y, 1, SQUARE * dot,
             e->ramp ? e->ramp((uint32_t)(65536 * (int64_t)i / sign_px)) : *e->square);
    write_text(p, x + (sign_px ? sign_px + 4 * dot : 0), y, dot, e->text);
}

enum bench_status picture_add_legend(struct picture *picture, const struct picture_entry *entry,
                                     int n_entries)
{
    const int dot = picture->width < NARROW_PX ? 1 : 2;
    struct picture below = {0};

    /* first how many lines there are, then what stands in them */
    for (int pass = 0; pass < 2; pass++) {
        int x = MARGIN * dot, y = picture->height + LINE / 2 * dot;

        for (int i = 0; i < n_entries; i++) {
            const struct picture_entry *const e = &entry[i];
            const int sign_px = dot * (e->ramp ? RAMP : e->square ? SQUARE : 0);
            const int width =
                sign_px + dot * ((sign_px ? 4 : 0) + (N_COLUMNS + 1) * (int)strlen(e->text));

            if (i > 0 && (e->begins_line || x + width > picture->width)) {
                x = MARGIN * dot;
                y += LINE * dot;
            }
            if (pass == 1)
                write_entry(&below, e, x, y, dot, sign_px);
            x += width + 2 * (N_COLUMNS + 1) * dot;
        }
        if (pass == 0) {
            TRY(picture_new(picture->width, y + LINE * dot, 255, &below));
            memcpy(below.rgb, picture->rgb,
                   3 * (size_t)picture->width * (size_t)picture->height);
        }
    }
    below.range_q8 = picture->range_q8;
    picture_free(picture);
    *picture = below;
    return BENCH_OK;
}

struct picture_colour picture_disparity_ramp(uint32_t share)
{
    return picture_disparity_colour(share, 65536);
}

const char *picture_range_text(const struct picture *picture, char *text, size_t size)
{
    snprintf(text, size, "%.3g px and more", picture->range_q8 / 256.0);
    return text;
}
