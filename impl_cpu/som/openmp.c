/*
 * som/openmp - som/rounds in vectors, on a team of threads
 *
 * Source: [SOM] sect. 4.2; the ideas are ours.  Up to 32 rounds are drawn ahead, each by any
 *         thread.  Then a round has two parts: every thread searches for some of the points;
 *         every thread pulls the neurons of its own rows of the network, by all points in
 *         order.  So no neuron has two writers, and the bits are those of som/rounds.  Between
 *         parts a thread waits for those alone whose neurons its searches may see, or whose
 *         searches may see or pull its own: the cells' lists and the radius say which.  A batch
 *         of as many maps as threads has a map a thread.  update = live: a thread searches and
 *         pulls for a point at once, each neuron by a compare-and-swap of its pair.
 * Work:   as som/rounds; with update = snapshot every thread looks at every update.
 *
 * Gains of each idea, in parts of a round of cones on one core (som/rounds 52 us, an EPYC with
 * AVX-512):
 *   Draws ahead, Philox for 64 cells at a time (draws.h): 0.14 to 0.05.  Predicted: 0.04.
 *   Lists with positions, rings 0 and 1 as ranges, 16 neurons at a time (lists.h): 0.56 to
 *     0.08, and 0.03 more since positions move with the neurons.  Predicted: 0.05 and 0.02.
 *   Rows of the mesh in vectors (learn.h): 0.26 to 0.06.  Predicted: 0.03.
 *   Together 4.0 times som/rounds, 3.4 with AVX2, 2.1 with SSE2; the goal was 6.
 *
 * docs/SOM.md#what-is-left-to-try lists what is open.
 */
#include "impl_cpu/som/learn.h"

#include <limits.h>
#include <omp.h>
#include <sched.h>
#include <unistd.h>

/* Looks at a barrier before a thread lets others have its processor, where each has one. */
#define SPINS 2000

/* Counts the parts that a thread has done: all of a team do the same, one after the other.  It
 * has a cache line of its own. */
struct epoch {
    _Alignas(64) unsigned n;
};

/* Some rows of cells or of the network, or threads; none where the last is before the first. */
struct rows {
    int first, last;
};
#define NO_ROWS ((struct rows){INT_MAX, -1})

/* A thread's own memory. */
struct thread_room {
    struct draw_room draw;
    int32_t *further;         /* [n_cells] */
    int32_t *squares;         /* [n_neurons], with room for three ranges' ends */
    float *rates;             /* of a round */
    struct learning learning; /* of the round */
    struct som_counts counts; /* of the map */
};

/* A map, on which a team works. */
struct map {
    int n_spins;
    struct epoch *epochs; /* [n_threads] */
    /* [cell_rows]: rows of the network that have neurons in a row of cells; that rings 0 and 1
     * of a search there see; that all of its rings do */
    struct rows *own, *near, *far;
    struct rows *cells; /* [DRAWN_ROUNDS][n_threads]: rows of cells with a thread's points */
    struct mesh mesh;
    struct draws draws;
    struct lists lists;
    float *position; /* [grid_rows][pitch] pairs: the mesh of snapshot updates */
    int next_round;  /* to draw */
    int next_point[DRAWN_ROUNDS];
};

struct state {
    const struct som_input *in; /* borrowed */
    size_t pitch;
    int n_threads, n_maps;
    struct map *maps;          /* [n_maps], those that are worked on together */
    struct thread_room *rooms; /* [n_threads] */
};

static void *aligned(size_t n, size_t size)
{
    const size_t bytes = (n * size + 63) / 64 * 64;
    void *const memory = aligned_alloc(64, bytes > 0 ? bytes : 64);

    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

static int room_set_up(struct thread_room *room, const struct som_input *in)
{
    const size_t n_cells = (size_t)som_n_cells(in);

    room->further = malloc(n_cells * sizeof *room->further);
    room->squares = aligned((size_t)som_n_neurons(in) + 3 * LANES, sizeof *room->squares);
    room->rates = malloc(rates_of_round(in->max_radius) * sizeof *room->rates);
    return draw_room_set_up(&room->draw, n_cells) && room->further && room->squares &&
           room->rates;
}

static enum bench_status setup(void *opaque, const struct bench_ctx *ctx, const void *input,
                               void *output)
{
    struct state *s = opaque;
    const struct som_input *const in = input;
    int is_whole = 1;

    s->in = in;
    s->pitch = mesh_pitch(in);
    s->n_threads = ctx->n_threads;
    s->n_maps = in->n_frames < s->n_threads ? 1 : s->n_threads;
    s->maps = aligned((size_t)s->n_maps, sizeof *s->maps);
    s->rooms = calloc((size_t)s->n_threads, sizeof *s->rooms);
    NEED(s->maps && s->rooms, "%d threads", s->n_threads);
    for (int i = 0; i < s->n_maps; i++) {
        struct map *const map = &s->maps[i];

        map->n_spins = s->n_threads > sysconf(_SC_NPROCESSORS_ONLN) ? 0 : SPINS;
        map->epochs = aligned((size_t)s->n_threads, sizeof *map->epochs);
        map->own = aligned((size_t)in->cell_rows, sizeof *map->own);
        map->near = aligned((size_t)in->cell_rows, sizeof *map->near);
        map->far = aligned((size_t)in->cell_rows, sizeof *map->far);
        map->cells = aligned(DRAWN_ROUNDS * (size_t)s->n_threads, sizeof *map->cells);
        TRY(mesh_set_up_rounds(&map->mesh, ctx, in, output));
        map->position = aligned((size_t)in->grid_rows * s->pitch, 2 * sizeof(float));
        is_whole &= draws_set_up(&map->draws, in) && lists_set_up(&map->lists, in) &&
                    map->position && map->epochs && map->own && map->near && map->far &&
                    map->cells;
    }
    for (int i = 0; i < s->n_threads; i++)
        is_whole &= room_set_up(&s->rooms[i], in);
    NEED(is_whole, "the points of %d cells", som_n_cells(in));
    return BENCH_OK;
}

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* One more part of the work is done. */
static void step(struct map *map, int thread)
{
    unsigned *const n = &map->epochs[thread].n;

    __atomic_store_n(n, __atomic_load_n(n, __ATOMIC_RELAXED) + 1, __ATOMIC_RELEASE);
}

/* Wait until threads first .. last have done as much as this one.  With more threads than
 * processors, waiting threads yield theirs. */
static void wait_for(const struct map *map, int thread, int first, int last)
{
    const unsigned done = __atomic_load_n(&map->epochs[thread].n, __ATOMIC_RELAXED);

    for (int t = first; t <= last; t++)
        for (int spin = 0;
             (int)(__atomic_load_n(&map->epochs[t].n, __ATOMIC_ACQUIRE) - done) < 0; spin++)
            if (spin < map->n_spins)
                pause_briefly();
            else
                sched_yield();
}

/* Wait for all of a team. */
static void meet(struct map *map, int thread, int team)
{
    step(map, thread);
    wait_for(map, thread, 0, team - 1);
}

/* A thread's part of n things begins here; the next one's where it ends. */
static int part_of(int n, int thread, int team)
{
    return (int)((int64_t)n * thread / team);
}

/* A thread's counts go to those of the map. */
static void add_counts(struct som_counts *counts, const struct som_counts *of_thread)
{
    __atomic_fetch_add(&counts->updates, of_thread->updates, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counts->misses, of_thread->misses, __ATOMIC_RELAXED);
}

/* ---- neurons that searches see ---- */

static struct rows both(struct rows a, struct rows b)
{
    return (struct rows){a.first < b.first ? a.first : b.first,
                         a.last > b.last ? a.last : b.last};
}

/* The rows of the network that searches read in a row of cells, and in what a vector has behind
 * it. */
static struct rows rows_in(const struct lists *l, const struct som_input *in, int row)
{
    const int32_t *const first = l->first + (size_t)row * (size_t)in->cell_cols;
    const int end = at_most(first[in->cell_cols] + LANES, l->first[som_n_cells(in)]);
    struct rows rows = NO_ROWS;

    for (int i = first[0]; i < end; i++)
        rows = both(rows, (struct rows){l->id[i] >> 16, l->id[i] >> 16});
    return rows;
}

/* Fills in what so many rings around each row of cells see. */
static void see_rings(const struct map *map, const struct som_input *in, int n_rings,
                      struct rows *seen)
{
    const int n = in->cell_rows;

    for (int row = 0; row < n; row++) {
        seen[row] = n_rings < n ? NO_ROWS : (struct rows){0, in->grid_rows - 1};
        for (int y = row > n_rings ? row - n_rings : 0;
             y <= at_most(row + n_rings, n - 1) && n_rings < n; y++)
            seen[row] = both(seen[row], map->own[y]);
    }
}

/* By lists that are new. */
static void see_all(const struct map *map, const struct som_input *in)
{
    for (int row = 0; row < in->cell_rows; row++)
        map->own[row] = rows_in(&map->lists, in, row);
    see_rings(map, in, 1, map->near);
    see_rings(map, in, last_ring(in), map->far);
}

/* Returns what is seen from some rows of cells. */
static struct rows seen_from(const struct rows *seen, struct rows cells)
{
    struct rows rows = NO_ROWS;

    for (int row = cells.first; row <= cells.last; row++)
        rows = both(rows, seen[row]);
    return rows;
}

/* Notes the rows of cells of each thread's points, which are in the order of cells. */
static void note_cells(const struct map *map, int slot, int team)
{
    const struct draws *const d = &map->draws;
    const struct point *const points = d->points + (size_t)slot * (size_t)d->n_cells;
    struct rows *const cells = map->cells + (size_t)slot * (size_t)team;
    const int n = d->n_points[slot];

    for (int t = 0; t < team; t++) {
        const int from = part_of(n, t, team), end = part_of(n, t + 1, team);

        cells[t] = from < end ? (struct rows){points[from].cy, points[end - 1].cy} : NO_ROWS;
    }
}

/* The thread that has a row of the network. */
static int thread_of(int row, int n_rows, int team)
{
    return (int)((((int64_t)row + 1) * team - 1) / n_rows);
}

/* Wait for those who have moved the neurons of some rows. */
static void wait_for_rows(const struct map *map, const struct som_input *in, int thread,
                          int team, struct rows rows)
{
    if (rows.first <= rows.last)
        wait_for(map, thread, thread_of(rows.first, in->grid_rows, team),
                 thread_of(rows.last, in->grid_rows, team));
}

/* Returns the threads from the first to the last whose searches may see a neuron of these rows,
 * or one that is within the radius of them. */
static struct rows searchers_of(const struct map *map, int slot, int team, struct rows rows,
                                int radius)
{
    const struct rows *const cells = map->cells + (size_t)slot * (size_t)team;
    struct rows threads = NO_ROWS;

    for (int t = 0; t < team && rows.first <= rows.last; t++) {
        const struct rows seen = seen_from(map->far, cells[t]);

        if (seen.first <= rows.last + radius && seen.last >= rows.first - radius)
            threads = both(threads, (struct rows){t, t});
    }
    return threads;
}

static void count_all(struct som_counts *counts, const struct point *points, int n)
{
    for (int i = 0; i < n; i++) {
        counts->updates += points[i].winner != NO_WINNER;
        counts->misses += points[i].winner == NO_WINNER;
    }
}

/* A thread's searches: neighbours of its points have been moved by the round before. */
static void search_part(struct state *s, struct map *map, struct thread_room *room, int slot,
                        int thread, int team)
{
    const struct som_input *const in = s->in;
    const struct draws *const d = &map->draws;
    const int from = part_of(d->n_points[slot], thread, team);
    const int n = part_of(d->n_points[slot], thread + 1, team) - from;
    struct point *const points = d->points + (size_t)slot * (size_t)d->n_cells + from;
    const struct rows cells = map->cells[(size_t)slot * (size_t)team + (size_t)thread];
    int n_far;

    if (team > 1)
        wait_for_rows(map, in, thread, team, seen_from(map->near, cells));
    n_far = search_points(&map->lists, in, points, n, room->further, room->squares);
    if (team > 1 && n_far > 0)
        wait_for_rows(map, in, thread, team, seen_from(map->far, cells));
    for (int k = 0; k < n_far; k++) {
        struct point *const p = &points[room->further[k]];

        p->winner = search_far(&map->lists, in, p, room->squares);
    }
    count_all(&room->counts, points, n);
}

/* The slot-th of the rounds that were drawn.  A thread learns when all those have searched who
 * may have seen its neurons, which then are moved, or found one that is near them. */
static void run_round(struct state *s, struct map *map, struct thread_room *room, int round,
                      int slot, int thread, int team)
{
    const struct som_input *const in = s->in;
    const struct draws *const d = &map->draws;
    struct point *const points = d->points + (size_t)slot * (size_t)d->n_cells;
    const int32_t *const turn = d->turns + (size_t)slot * (size_t)d->n_cells;
    const int n = d->n_points[slot], first_row = part_of(in->grid_rows, thread, team);
    const int end_row = part_of(in->grid_rows, thread + 1, team);
    struct learning *const learning = &room->learning;
    struct rows threads = {0, 0};
    int from, end;

    search_part(s, map, room, slot, thread, team);
    step(map, thread);
    set_up_learning(learning, reach_in(in, round), room->rates);
    if (team > 1)
        threads = searchers_of(map, slot, team, (struct rows){first_row, end_row - 1},
                               learning->radius);
    if (threads.first <= threads.last) {
        wait_for(map, thread, threads.first, threads.last);
        from = part_of(n, threads.first, team);
        end = part_of(n, threads.last + 1, team);
        learn(learning, points, turn, n, from, end, map->position, s->pitch, first_row,
              end_row);
        move_pulled(&map->lists, learning, points + from, end - from, map->position, s->pitch,
                    in->grid_cols, first_row, end_row);
    }
    step(map, thread);
}

static void run_live_round(struct map *map, int round, int slot, struct som_counts *counts)
{
    const struct mesh *const m = &map->mesh;
    const struct draws *const d = &map->draws;
    const struct point *const points = d->points + (size_t)slot * (size_t)d->n_cells;
    const int32_t *const turn = d->turns + (size_t)slot * (size_t)d->n_cells;
    int i;

    while ((i = __atomic_fetch_add(&map->next_point[slot], 1, __ATOMIC_RELAXED)) <
           d->n_points[slot]) {
        const struct pair point = {points[turn[i]].x, points[turn[i]].y};
        const int winner = search(m, point);

        count(counts, winner);
        if (winner >= 0)
            pull(m, winner, point, reach_in(m->in, round), 0, m->in->grid_rows, 1);
    }
}

/* Draw rounds begin .. end - 1; a thread makes the lists where they are due. */
static void prepare_rounds(struct state *s, struct map *map, const struct draw_room *room,
                           int begin, int end, int thread, int team)
{
    const struct som_input *const in = s->in;
    int round;

    if (thread == 0 && begin % in->refresh_rate == 0) {
        if (in->update == SOM_LIVE)
            refresh(&map->mesh);
        else
            map->mesh.counts->left_out += make_lists(&map->lists, in, map->position, s->pitch);
        if (in->update == SOM_SNAPSHOT && team > 1)
            see_all(map, in);
    }
    while ((round = __atomic_fetch_add(&map->next_round, 1, __ATOMIC_RELAXED)) < end) {
        draw_round(&map->draws, &map->mesh, round, round - begin, room);
        map->next_point[round - begin] = 0;
        note_cells(map, round - begin, team);
    }
    meet(map, thread, team);
    if (thread == 0)
        map->next_round = end; /* nobody reads it before the team meets */
}

/* A thread's part of a map that has begun. */
static void run_part(struct state *s, struct map *map, int thread, int team,
                     struct thread_room *room)
{
    const struct som_input *const in = s->in;
    int end;

    room->counts = (struct som_counts){0};
    add_rows(&map->draws, &map->mesh, part_of(in->height, thread, team),
             part_of(in->height, thread + 1, team));
    meet(map, thread, team);
    for (int begin = 0; begin < in->n_rounds; begin = end) {
        const int next_lists = (begin / in->refresh_rate + 1) * in->refresh_rate;

        end = at_most(at_most(begin + DRAWN_ROUNDS, next_lists), in->n_rounds);
        prepare_rounds(s, map, &room->draw, begin, end, thread, team);
        for (int round = begin; round < end; round++) {
            if (in->update == SOM_SNAPSHOT) {
                run_round(s, map, room, round, round - begin, thread, team);
                continue;
            }
            run_live_round(map, round, round - begin, &room->counts);
            meet(map, thread, team);
        }
        wait_for(map, thread, 0, team - 1);
    }
    add_counts(map->mesh.counts, &room->counts);
}

static void begin_map(struct state *s, struct map *map, int frame)
{
    const size_t n_cols = (size_t)s->in->grid_cols;

    mesh_begin(&map->mesh, frame);
    add_densities(&map->mesh);
    find_dense_cells(&map->draws, &map->mesh);
    map->next_round = 0;
    memset(map->epochs, 0, (size_t)s->n_threads * sizeof *map->epochs);
    for (size_t y = 0; y < (size_t)s->in->grid_rows; y++)
        memcpy(map->position + 2 * s->pitch * y, map->mesh.position + 2 * n_cols * y,
               2 * n_cols * sizeof(float));
}

static void end_map(const struct state *s, const struct map *map)
{
    const size_t n_cols = (size_t)s->in->grid_cols;

    for (size_t y = 0; y < (size_t)s->in->grid_rows && s->in->update == SOM_SNAPSHOT; y++)
        memcpy(map->mesh.position + 2 * n_cols * y, map->position + 2 * s->pitch * y,
               2 * n_cols * sizeof(float));
}

/* A map a thread. */
static void run_side_by_side(struct state *s)
{
#pragma omp parallel for num_threads(s->n_threads) schedule(dynamic, 1)
    for (int frame = 0; frame < s->in->n_frames; frame++) {
        const int thread = omp_get_thread_num();

        begin_map(s, &s->maps[thread], frame);
        run_part(s, &s->maps[thread], 0, 1, &s->rooms[thread]);
        end_map(s, &s->maps[thread]);
    }
}

static enum bench_status run(void *opaque)
{
    struct state *s = opaque;

    if (s->n_maps > 1) {
        run_side_by_side(s);
        return BENCH_OK;
    }
    for (int frame = 0; frame < s->in->n_frames; frame++) {
        begin_map(s, s->maps, frame);
#pragma omp parallel num_threads(s->n_threads)
        run_part(s, s->maps, omp_get_thread_num(), omp_get_num_threads(),
                 &s->rooms[omp_get_thread_num()]);
        end_map(s, s->maps);
    }
    return BENCH_OK;
}

static void teardown(void *opaque)
{
    struct state *s = opaque;

    for (int i = 0; i < s->n_maps && s->maps; i++) {
        mesh_tear_down(&s->maps[i].mesh);
        draws_tear_down(&s->maps[i].draws);
        lists_tear_down(&s->maps[i].lists);
        free(s->maps[i].position);
        free(s->maps[i].epochs);
        free(s->maps[i].own);
        free(s->maps[i].near);
        free(s->maps[i].far);
        free(s->maps[i].cells);
    }
    for (int i = 0; i < s->n_threads && s->rooms; i++) {
        draw_room_tear_down(&s->rooms[i].draw);
        free(s->rooms[i].further);
        free(s->rooms[i].squares);
        free(s->rooms[i].rates);
    }
    free(s->maps);
    free(s->rooms);
}

BENCH_IMPL(som_openmp) = {
    .name = "som/openmp",
    .problem = &som_problem,
    .target = BENCH_OPENMP,
    .source = "[SOM] sect. 4.2 in vectors, points and then neurons over threads",
    .reference = "som/rounds",
    .state_size = sizeof(struct state),
    .setup = setup,
    .run = run,
    .teardown = teardown,
};
