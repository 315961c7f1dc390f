/* scene_layout.c - the seed rolls a street: (1) of scene.c */
#include "harness/inputs/scene_private.h"

enum { /* what the dice are for */
       DICE_STREET = 1,
       DICE_PROFILE,
       DICE_CROSSING,
       DICE_LOT,
       DICE_BACKGROUND,
       DICE_KERB,
       DICE_FURNITURE,
       DICE_TREES,
       DICE_TRAFFIC,
       DICE_PEOPLE,
       DICE_END
};

void scene_lay_profile(struct scene *s, int steep)
{
    struct dice d = dice_for(s->seed, DICE_PROFILE, 0);
    const double first = chance(&d, 0.6) ? 1.0 : -1.0;
    double z = 0.0, h = 0.0, slope = 0.0;

    for (int i = 0; i < N_KNOTS; i++) {
        double length = uniform(&d, 14.0, 34.0), next;

        s->knot_z[i] = z, s->knot_h[i] = h, s->knot_slope[i] = slope;
        /* Blocks of a San Francisco street: steep stretches with flat crossings between
         * them. */
        next = i % 3 == 2 ? uniform(&d, -0.02, 0.02) : uniform(&d, 0.09, 0.22);
        if (i == 0)
            length = uniform(&d, 10.0, 20.0);
        if (i % 3 != 2 && (i < 3 ? first : uniform(&d, -0.8, 1.0)) < 0)
            next = -0.7 * next;
        if (!steep)
            next = 0.0;
        if (i == N_KNOTS - 2)
            next = 0.0;
        h += 0.5 * (slope + next) * length;
        z += length;
        slope = next;
    }
}

void scene_lay_street(struct scene *s, enum style style)
{
    struct dice d = dice_for(s->seed, DICE_STREET, 1);
    const int lanes = style == AVENUE || style == DOWNTOWN ? 1 + below(&d, 2) : 1;
    const double lane = uniform(&d, 2.9, 3.5), parking = style == PARKSIDE ? 0.4 : 2.1;

    s->half_road = lanes * lane + parking;
    s->centre_x = -lane * (lanes == 2 && chance(&d, 0.5) ? 1.5 : 0.5);
    s->centre_x += uniform(&d, -0.25, 0.25);
    s->bend = chance(&d, 0.45) ? 0.0 : uniform(&d, -0.0016, 0.0016);
    s->pavement =
        style == AVENUE || style == DOWNTOWN ? uniform(&d, 3.2, 5.0) : uniform(&d, 1.8, 3.2);
    s->verge = style == RESIDENTIAL && chance(&d, 0.5) ? uniform(&d, 0.8, 1.8) : 0.0;
    if (style == PARKSIDE)
        s->verge = uniform(&d, 0.8, 2.5);
    s->kerb = uniform(&d, 0.09, 0.17);
    s->end_z = uniform(&d, 110.0, 220.0);
    s->is_green = style == RESIDENTIAL || style == PARKSIDE;

    for (int side = 0; side < 2; side++) {
        struct dice c =
            dice_for(s->seed, DICE_CROSSING, style == DOWNTOWN ? 0 : (uint32_t)side);
        double z = uniform(&c, 11.0, 48.0);

        while (s->n_crossings[side] < MAX_CROSSINGS && z < s->end_z) {
            const double wide = uniform(&c, 7.0, 14.0);

            if (chance(&c, 0.8))
                s->crossings[side][s->n_crossings[side]++] = (struct crossing){z, z + wide};
            z += wide + uniform(&c, 28.0, 70.0);
        }
    }
}

/* Garden edge of a lot: fence, wall or hedge along z, 'across' metres from the middle. */
static void add_boundary(struct scene *s, double side, double across, double z, double along,
                         struct dice *d)
{
    const int kind = below(d, 4);
    const double tall = kind == 3 ? uniform(d, 1.0, 2.2) : uniform(d, 0.8, 1.7);
    const double thick = kind == 3 ? 0.8 : kind == 2 ? 0.1 : 0.3;
    const double half = 0.5 * along, x = side * (across + 0.5 * thick);
    struct place at = place_at(s, 0.0, z);
    struct box b = {x - 0.5 * thick, x + 0.5 * thick, -0.6, tall, -half, half};
    struct solid *o;

    if (kind <= 1) {
        scene_add_box(s, at, b, kind ? WALL : FENCE, TEXTURED);
    } else if (kind == 2) {
        o = scene_add_box(s, at, b, FENCE, TEXTURED);
        o->relief = PICKETS;
        o->bay = uniform(d, 0.14, 0.3);
        o->band_low = 0.35, o->band_high = tall - 0.15; /* rails below and above */
    } else {
        o = scene_add_box(s, at, b, VEGETATION, LEAVES);
        o->relief = FOLIAGE;
        o->rough = 0.35;
    }
}

/* A bank of grass that rises away from the road, in slices that follow its bend. */
static void add_bank(struct scene *s, double sign, double front, double rise)
{
    for (double z = 0.0; z < s->end_z; z += 12.0) {
        const struct box b = {
            sign < 0 ? -60.0 : front, sign < 0 ? -front : 60.0, -3.0, 14.0, -6.3, 6.3};
        struct solid *o = scene_add_box(s, place_at(s, 0.0, z + 6.0), b, TERRAIN, TEXTURED);

        scene_add_face(o, -sign * rise, 1, 0, s->kerb - rise * front);
    }
}

/* A lot without a house: trees and bushes, perhaps behind a fence. */
static void add_grove(struct scene *s, double sign, double front, double z, double along,
                      struct dice *d)
{
    const int n = 2 + below(d, 4);

    for (int i = 0; i < n; i++) {
        const double across = front + uniform(d, 1.5, 24.0);
        const double tree_z = z + uniform(d, 0.0, along);
        const double size = uniform(d, 5.0, 12.0);

        if (chance(d, 0.7))
            scene_add_tree(s, place_at(s, sign * across, tree_z), d, size);
        else
            scene_add_bush(s, place_at(s, sign * across, tree_z), d, 0.16 * size);
    }
    if (chance(d, 0.35))
        add_boundary(s, sign, front + 0.2, z + 0.5 * along, along, d);
}

/* What stands between a house and the pavement when there is room. */
static void add_garden(struct scene *s, double sign, double front, double setback, double z,
                       double along, double gap, struct dice *d)
{
    const double mid = z + 0.5 * along;

    add_boundary(s, sign, front + 0.1, mid, along + gap - 1.2, d);
    if (chance(d, 0.5))
        scene_add_tree(s, place_at(s, sign * (front + 0.5 * setback), mid), d,
                       uniform(d, 4.0, 7.0));
    if (chance(d, 0.6))
        scene_add_bush(s, place_at(s, sign * (front + 1.2), z + 2.0), d, uniform(d, 0.6, 1.2));
}

static double typical_height(enum style style, struct dice *d)
{
    if (style == DOWNTOWN)
        return uniform(d, 18.0, 40.0);
    if (style == RESIDENTIAL || style == PARKSIDE)
        return uniform(d, 5.0, 9.0);
    return uniform(d, 9.0, 19.0);
}

void scene_lay_lots_of_side(struct scene *s, enum style style, int side)
{
    const double sign = side ? 1.0 : -1.0, front = s->half_road + s->verge + s->pavement;
    const int is_home = style == RESIDENTIAL, is_city = style == CANYON || style == DOWNTOWN;
    struct dice whole = dice_for(s->seed, DICE_LOT, WHOLE_SIDE + (uint32_t)side);
    const int is_park = style == PARKSIDE && chance(&whole, 0.7);
    const double typical = typical_height(style, &whole);
    uint32_t index = (uint32_t)side << 16;
    double z = -6.0;

    if (is_park)
        add_bank(s, sign, front, uniform(&whole, 0.02, 0.22));
    while (z < s->end_z) {
        struct dice d = dice_for(s->seed, DICE_LOT, index++);
        const double along = is_home ? uniform(&d, 10.0, 18.0) : uniform(&d, 9.0, 26.0);
        const double tall = typical * uniform(&d, 0.7, 1.3), mid = z + 0.5 * along;
        double setback = 0.0, gap = 0.0;

        if (is_home || chance(&d, 0.45))
            setback = is_home ? uniform(&d, 2.5, 7.0) : uniform(&d, 0.3, 2.8);
        if (is_home || chance(&d, 0.15))
            gap = is_home ? uniform(&d, 1.5, 5.0) : uniform(&d, 2.0, 9.0);
        if (in_crossing(s, side, z, 0.1)) {
            z += 1.0;
            continue;
        }
        if (in_crossing(s, side, mid, 0.5 * along)) {
            /* little room before the side street: a small building, or a low wall */
            double room = 0.0;

            while (!in_crossing(s, side, z + room, 0.1) && room < along)
                room += 0.5;
            if (room > 5.0 && !is_park)
                scene_add_building(s, sign, front + setback, z + 0.5 * room, room - 0.5, tall,
                                   &d);
            else if (room > 2.0)
                add_boundary(s, sign, front + 0.2, z + 0.5 * room, room - 0.5, &d);
            z += room + 0.2;
            continue;
        }
        if (is_park || (!is_city && chance(&d, 0.12))) {
            add_grove(s, sign, front, z, along, &d);
        } else {
            scene_add_building(s, sign, front + setback, mid, along, tall, &d);
            if (setback > 2.0)
                add_garden(s, sign, front, setback, z, along, gap, &d);
        }
        z += along + gap;
    }
}

void scene_lay_background(struct scene *s, enum style style)
{
    const double front = s->half_road + s->verge + s->pavement;

    for (int side = 0; side < 2; side++) {
        const double sign = side ? 1.0 : -1.0;

        for (uint32_t i = 0; i < 16; i++) {
            struct dice d = dice_for(s->seed, DICE_BACKGROUND, i + (uint32_t)side * 64);
            const double z = 16.0 * i + uniform(&d, 0.0, 8.0),
                         across = front + uniform(&d, 24.0, 40.0);

            if (style == PARKSIDE || chance(&d, 0.4)) {
                const double size = uniform(&d, 9.0, 15.0);

                scene_add_tree(s, place_at(s, sign * across, z), &d, size);
                scene_add_bush(s, place_at(s, sign * (across + 4.0), z + 7.0), &d, 4.0);
            } else {
                scene_add_building(s, sign, across, z, 13.0,
                                   uniform(&d, 6.0, style == DOWNTOWN ? 45.0 : 16.0), &d);
            }
        }
    }
    for (uint32_t i = 0; i < 12; i++) {
        struct dice d = dice_for(s->seed, DICE_END, i);
        struct dice all = dice_for(s->seed, DICE_END, 999);
        const int kind =
            below(&all, 3); /* houses across, a wood, or an open end with few trees */
        const double across = -78.0 + 13.0 * i + uniform(&d, 0.0, 4.0);
        const double z = s->end_z + uniform(&d, 8.0, 40.0);
        const double size = uniform(&d, 9.0, 18.0);

        if (kind == 0)
            scene_add_building(s, 1.0, across, z, 14.0, size, &d);
        else if (kind == 1 || chance(&d, 0.4))
            scene_add_tree(s, place_at(s, across, z), &d, size);
    }
}

void scene_lay_kerbsides(struct scene *s, enum style style)
{
    for (int side = 0; side < 2; side++) {
        const double sign = side ? 1.0 : -1.0;
        struct dice whole = dice_for(s->seed, DICE_KERB, WHOLE_SIDE + (uint32_t)side);
        const double density = style == PARKSIDE ? 0.0 : uniform(&whole, 0.2, 0.95);
        double z = uniform(&whole, 4.5, 10.0);
        uint32_t index = (uint32_t)side << 16;

        while (z < s->end_z) {
            struct dice d = dice_for(s->seed, DICE_KERB, index++);
            const double across = s->half_road - 1.0 + uniform(&d, -0.12, 0.1);
            const int kind = below(&d, 40);
            struct place at;

            z += uniform(&d, 5.3, 6.6);
            z += chance(&d, 0.12) ? 4.5 : 0.0;
            if (in_crossing(s, side, z, 5.5) || !chance(&d, density))
                continue;
            at = turned(place_at(s, sign * across, z), uniform(&d, -0.012, 0.012));
            if (side == 0)
                at = reversed(at);
            if (kind == 0 && z > 25.0) {
                z += 4.0;
                scene_add_truck(s,
                                side == 0 ? reversed(place_at(s, sign * across, z))
                                          : place_at(s, sign * across, z),
                                &d);
                z += 4.0;
            } else if (kind <= 2) {
                for (int i = 0; i < 3; i++)
                    scene_add_two_wheeler(s,
                                          turned(place_at(s, sign * across, z - 1.6 + 1.5 * i),
                                                 uniform(&d, 0.3, 0.9)),
                                          &d, kind == 1, 0);
            } else {
                scene_add_car(s, at, &d);
            }
        }
    }
}

void scene_lay_furniture(struct scene *s, enum style style)
{
    for (int side = 0; side < 2; side++) {
        const double sign = side ? 1.0 : -1.0, edge = s->half_road + 0.45;
        struct dice whole = dice_for(s->seed, DICE_FURNITURE, WHOLE_SIDE + (uint32_t)side);
        const double step = uniform(&whole, 18.0, 32.0);
        const int has_trees = style == AVENUE                        ? chance(&whole, 0.9)
                              : style == DOWNTOWN || style == CANYON ? chance(&whole, 0.4)
                                                                     : chance(&whole, 0.5);
        const double tree_step = uniform(&whole, 7.0, 13.0),
                     tree_size = uniform(&whole, 4.5, 9.5);
        const int has_lamps = chance(&whole, 0.75), has_posts = chance(&whole, 0.3);
        uint32_t index = (uint32_t)side << 16;

        for (double z = uniform(&whole, 6.0, step); has_lamps && z < s->end_z; z += step) {
            struct dice d = dice_for(s->seed, DICE_FURNITURE, index++);

            if (!in_crossing(s, side, z, 0.5))
                scene_add_lamp(s, raised(place_at(s, sign * edge, z), s->kerb), &d, -sign);
        }
        for (double z = uniform(&whole, 7.0, 14.0); has_trees && z < s->end_z; z += tree_step) {
            struct dice d = dice_for(s->seed, DICE_TREES, index++);
            const double size = tree_size * uniform(&d, 0.8, 1.25);

            if (!in_crossing(s, side, z, 1.5) && chance(&d, 0.88))
                scene_add_tree(s, place_at(s, sign * (edge + 0.4), z), &d, size);
        }
        for (double z = 7.0; has_posts && z < 60.0; z += 1.9)
            if (!in_crossing(s, side, z, 0.3))
                scene_add_cylinder(s, upright(place_at(s, sign * (s->half_road + 0.25), z)), 0,
                                   0, 0.06, -0.3, 1.0, POLE, TEXTURED);
        for (double z = uniform(&whole, 9.0, 20.0); z < s->end_z; z += 0.0) {
            struct dice d = dice_for(s->seed, DICE_FURNITURE, index++);

            if (!in_crossing(s, side, z, 0.5) && chance(&d, 0.6))
                scene_add_sign(
                    s, raised(place_at(s, sign * (edge + uniform(&d, 0.0, 0.4)), z), s->kerb),
                    &d);
            z += uniform(&d, 12.0, 40.0);
        }
        for (int i = 0; i < s->n_crossings[side]; i++) {
            struct dice d = dice_for(s->seed, DICE_FURNITURE, index++);

            if (style != RESIDENTIAL && chance(&d, 0.75))
                scene_add_traffic_light(
                    s,
                    raised(place_at(s, sign * edge, s->crossings[side][i].first - 1.0),
                           s->kerb),
                    &d, -sign, s->half_road * 0.7);
            if (chance(&d, 0.5))
                scene_add_traffic_light(
                    s,
                    raised(place_at(s, sign * edge, s->crossings[side][i].last + 0.8), s->kerb),
                    &d, -sign, s->half_road * 0.6);
        }
    }
}

void scene_lay_traffic(struct scene *s, enum style style)
{
    struct dice whole = dice_for(s->seed, DICE_TRAFFIC, WHOLE_SIDE);
    const double gap = uniform(&whole, 14.0, 60.0);
    const double parking = style == PARKSIDE ? 0.4 : 2.1;
    const double lanes = s->half_road - parking > 4.5 ? 2.0 : 1.0,
                 lane = (s->half_road - parking) / lanes;
    uint32_t index = 0;

    for (int which = 0; which < (int)lanes * 2; which++) {
        const int is_ours = which < (int)lanes;
        const double across = (is_ours ? 1.0 : -1.0) * lane * (0.5 + (which % (int)lanes));
        const int is_own_lane =
            is_ours && across + s->centre_x < 1.4 && across + s->centre_x > -1.4;
        double z = is_own_lane ? uniform(&whole, 11.0, 30.0) : uniform(&whole, 8.0, 30.0);

        while (z < s->end_z) {
            struct dice d = dice_for(s->seed, DICE_TRAFFIC, index++);
            struct place at = place_at(s, across + uniform(&d, -0.3, 0.3), z);
            const int kind = below(&d, 30);

            at = is_ours ? at : reversed(at);
            if (chance(&d, 0.75)) {
                if (kind == 0 || kind == 1) {
                    z += 4.0;
                    scene_add_truck(
                        s, is_ours ? place_at(s, across, z) : reversed(place_at(s, across, z)),
                        &d);
                } else if (kind == 2 || kind == 3) {
                    z += 6.0;
                    scene_add_bus(
                        s, is_ours ? place_at(s, across, z) : reversed(place_at(s, across, z)),
                        &d);
                } else if (kind == 4 && style != RESIDENTIAL && style != PARKSIDE && z > 20.0) {
                    scene_add_tram(s, upright(place_at(s, across, z)), &d);
                    z += 30.0;
                } else if (kind <= 6) {
                    scene_add_two_wheeler(s, at, &d, kind == 5, 1);
                } else {
                    scene_add_car(s, at, &d);
                }
            }
            z += 7.0 + uniform(&d, 0.2, 1.8) * gap;
        }
    }
    for (uint32_t i = 0; i < 5; i++) { /* cyclists between the lane and the parked cars */
        struct dice d = dice_for(s->seed, DICE_TRAFFIC, 0x10000u + i);
        const double sign = chance(&d, 0.6) ? 1.0 : -1.0, z = uniform(&d, 8.0, 60.0);
        struct place at = place_at(s, sign * (s->half_road - parking - 0.4), z);

        if (chance(&d, 0.4))
            scene_add_two_wheeler(s, sign < 0 ? reversed(at) : at, &d, 0, 1);
    }
}

void scene_lay_people(struct scene *s, enum style style)
{
    struct dice whole = dice_for(s->seed, DICE_PEOPLE, WHOLE_SIDE);
    const double busy = style == CANYON || style == DOWNTOWN || style == AVENUE
                            ? uniform(&whole, 0.2, 0.8)
                            : uniform(&whole, 0.05, 0.4);

    for (uint32_t i = 0; i < 40; i++) {
        struct dice d = dice_for(s->seed, DICE_PEOPLE, i);
        const double sign = chance(&d, 0.5) ? 1.0 : -1.0;
        const double across = s->half_road + s->verge + uniform(&d, 0.25, 0.9) * s->pavement;
        const double range = uniform(&d, 2.0, 75.0), z = 6.5 + range * uniform(&d, 0.0, 1.0);
        struct place at = raised(upright(place_at(s, sign * across, z)), s->kerb);
        const int n = chance(&d, 0.3) ? 2 : 1;
        const double turn = chance(&d, 0.15) ? uniform(&d, -1.0, 1.0) : uniform(&d, -0.1, 0.1);

        if (!chance(&d, busy))
            continue;
        for (int k = 0; k < n; k++) {
            struct place p = turned(at, turn);

            p.x += 0.6 * k;
            p.z += 0.25 * k;
            scene_add_person(s, p, &d, chance(&d, 0.8));
        }
    }
    if (chance(&whole, 0.4)) { /* somebody crosses the road */
        const double z = uniform(&whole, 10.0, 32.0),
                     from = uniform(&whole, -1.0, 1.0) * (s->half_road - 2.2);
        const int n = 1 + below(&whole, 3);

        for (int k = 0; k < n; k++)
            scene_add_person(s, turned(upright(place_at(s, from + 0.7 * k, z + 0.3 * k)), 1.0),
                             &whole, 1);
    }
}
