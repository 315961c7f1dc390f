/*
 * som/openmp - som/rounds in vectors, on a team of threads
 *
 * Source: [SOM] sect. 4.2; the ideas are ours.  Up to 32 rounds are drawn ahead, each by any
 *         thread.  Then a round has two parts, and the team meets behind each: every thread
 *         searches for some of the points; every thread pulls the neurons of its own rows of
 *         the network, by all points in order.  So no neuron has two writers, and the bits are
 *         those of som/rounds.  A batch of as many maps as threads has a map a thread.  update
 *         = live: a thread searches and pulls for a point at once, each neuron by a
 *         compare-and-swap of its pair.
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

#include <omp.h>
#include <sched.h>
#include <unistd.h>

/* Looks at a barrier before a thread lets others have its processor, where each has one. */
#define SPINS 2000

/* A team's meeting place.  Each word that changes has a cache line of its own. */
struct barrier {
    int n_spins;
    _Alignas(64) int n_there;
    _Alignas(64) unsigned n_met;
};

/* A thread's own memory. */
struct thread_room {
    struct draw_room draw;
    int32_t *further;         /* [n_cells] */
    int32_t *squares;         /* [n_neurons], with room for three ranges' ends */
    float *rates;             /* of a round */
    struct learning learning; /* of the round */
};

/* A map, on which a team works. */
struct map {
    struct barrier barrier;
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

        map->barrier.n_spins = s->n_threads > sysconf(_SC_NPROCESSORS_ONLN) ? 0 : SPINS;
        TRY(mesh_set_up_rounds(&map->mesh, ctx, in, output));
        map->position = aligned((size_t)in->grid_rows * s->pitch, 2 * sizeof(float));
        is_whole &=
            draws_set_up(&map->draws, in) && lists_set_up(&map->lists, in) && map->position;
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

/* Wait for all of a team.  With more threads than processors, waiting threads yield theirs. */
static void meet(struct barrier *b, int team)
{
    const unsigned n_met = __atomic_load_n(&b->n_met, __ATOMIC_RELAXED);

    if (team == 1)
        return;
    if (__atomic_add_fetch(&b->n_there, 1, __ATOMIC_ACQ_REL) == team) {
        __atomic_store_n(&b->n_there, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&b->n_met, n_met + 1, __ATOMIC_RELEASE);
        return;
    }
    for (int spin = 0; __atomic_load_n(&b->n_met, __ATOMIC_ACQUIRE) == n_met; spin++)
        if (spin < b->n_spins)
            pause_briefly();
        else
            sched_yield();
}

/* A thread's part of n things begins here; the next one's where it ends. */
static int part_of(int n, int thread, int team)
{
    return (int)((int64_t)n * thread / team);
}

static void count_all(struct som_counts *counts, const struct point *points, int n)
{
    for (int i = 0; i < n; i++) {
        counts->updates += points[i].winner != NO_WINNER;
        counts->misses += points[i].winner == NO_WINNER;
    }
}

/* The slot-th of the rounds that were drawn. */
static void run_round(struct state *s, struct map *map, struct thread_room *room, int round,
                      int slot, int thread, int team)
{
    const struct som_input *const in = s->in;
    const struct draws *const d = &map->draws;
    struct point *const points = d->points + (size_t)slot * (size_t)d->n_cells;
    const int32_t *const turn = d->turns + (size_t)slot * (size_t)d->n_cells;
    const int n = d->n_points[slot], from = part_of(n, thread, team);
    const int first_row = part_of(in->grid_rows, thread, team);
    const int end_row = part_of(in->grid_rows, thread + 1, team);
    struct learning *const learning = &room->learning;

    search_points(&map->lists, in, points + from, part_of(n, thread + 1, team) - from,
                  room->further, room->squares);
    set_up_learning(learning, reach_in(in, round), room->rates);
    meet(&map->barrier, team);
    if (thread == 0)
        count_all(map->mesh.counts, points, n);
    learn(learning, points, turn, n, map->position, s->pitch, first_row, end_row);
    move_pulled(&map->lists, learning, points, n, map->position, s->pitch, in->grid_cols,
                first_row, end_row);
}

static void run_live_round(struct map *map, int round, int slot)
{
    const struct mesh *const m = &map->mesh;
    const struct draws *const d = &map->draws;
    const struct point *const points = d->points + (size_t)slot * (size_t)d->n_cells;
    const int32_t *const turn = d->turns + (size_t)slot * (size_t)d->n_cells;
    struct som_counts counts = {0};
    int i;

    while ((i = __atomic_fetch_add(&map->next_point[slot], 1, __ATOMIC_RELAXED)) <
           d->n_points[slot]) {
        const struct pair point = {points[turn[i]].x, points[turn[i]].y};
        const int winner = search(m, point);

        count(&counts, winner);
        if (winner >= 0)
            pull(m, winner, point, reach_in(m->in, round), 0, m->in->grid_rows, 1);
    }
    __atomic_fetch_add(&m->counts->updates, counts.updates, __ATOMIC_RELAXED);
    __atomic_fetch_add(&m->counts->misses, counts.misses, __ATOMIC_RELAXED);
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
    }
    while ((round = __atomic_fetch_add(&map->next_round, 1, __ATOMIC_RELAXED)) < end) {
        draw_round(&map->draws, &map->mesh, round, round - begin, room);
        map->next_point[round - begin] = 0;
    }
    meet(&map->barrier, team);
    if (thread == 0)
        map->next_round = end; /* nobody reads it before the team meets */
}

/* A thread's part of a map that has begun. */
static void run_part(struct state *s, struct map *map, int thread, int team,
                     struct thread_room *room)
{
    const struct som_input *const in = s->in;
    int end;

    add_rows(&map->draws, &map->mesh, part_of(in->height, thread, team),
             part_of(in->height, thread + 1, team));
    meet(&map->barrier, team);
    for (int begin = 0; begin < in->n_rounds; begin = end) {
        const int next_lists = (begin / in->refresh_rate + 1) * in->refresh_rate;

        end = at_most(at_most(begin + DRAWN_ROUNDS, next_lists), in->n_rounds);
        prepare_rounds(s, map, &room->draw, begin, end, thread, team);
        for (int round = begin; round < end; round++) {
            if (in->update == SOM_LIVE)
                run_live_round(map, round, round - begin);
            else
                run_round(s, map, room, round, round - begin, thread, team);
            meet(&map->barrier, team);
        }
    }
}

static void begin_map(struct state *s, struct map *map, int frame)
{
    const size_t n_cols = (size_t)s->in->grid_cols;

    mesh_begin(&map->mesh, frame);
    add_densities(&map->mesh);
    find_dense_cells(&map->draws, &map->mesh);
    map->next_round = 0;
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
