/* cells.c - the cells of a mesh as tables: cells.h */
#include "harness/problems/som/cells.h"
#include "harness/base/memory.h"

#include <math.h>

static int cell_at(const struct som_input *in, const float at[2])
{
    return som_cell(at[1], in->cell_size, in->cell_rows) * in->cell_cols +
           som_cell(at[0], in->cell_size, in->cell_cols);
}

enum bench_status som_cells_table(const struct som_input *in, const float *position,
                                  struct text *text)
{
    const int n_cells = som_n_cells(in), n_neurons = som_n_neurons(in);
    const int capacity = in->cell_capacity < n_neurons ? in->cell_capacity : n_neurons;
    OWNED(memory_free) int *n = NULL; /* neurons of each cell so far */

    TRY(memory_allocate(&n, sizeof *n, 1, 1, 1, n_cells));
    text_add(text, "cell,before,neuron,x,y,mov1,mov2\n");
    for (int id = 0; id < n_neurons; id++, position += 2) {
        const int cell = cell_at(in, position), before = n[cell]++;

        if (before >= capacity)
            continue;
        text_format(text, "%d,%d,%d,", cell, before, id);
        text_add_number(text, (double)position[0]);
        text_add(text, ",");
        text_add_number(text, (double)position[1]);
        text_format(text, ",%lld,%lld\n", (long long)before * n_cells + cell,
                    (long long)cell * capacity + before);
    }
    return BENCH_OK;
}

/* Adds the rows of a search, which goes as the variants' do. */
static void add_search(const struct som_input *in, const float *position, int number,
                       const float point[2], struct text *text)
{
    const int cols = in->cell_cols, rows = in->cell_rows, size = in->cell_size;
    const int cx = som_cell(point[0], size, cols), cy = som_cell(point[1], size, rows);
    const int all = cols > rows ? cols : rows;
    const int range = in->search_range == SOM_NO_BOUND ? all : in->search_range;
    float least = 0;
    int winner = -1, n_visited = 0, x, y;

    for (int ring = 0; ring <= range && ring <= all; ring++) {
        if (winner >= 0 && som_ring_square(point[0], point[1], cx, cy, size, ring) > least)
            return;
        for (int i = 0; i < som_ring_cells(ring); i++) {
            som_ring_cell(cx, cy, ring, i, &x, &y);
            if (x < 0 || y < 0 || x >= cols || y >= rows)
                continue;
            for (int id = 0, room = in->cell_capacity; id < som_n_neurons(in); id++) {
                const float *const at = position + 2 * (size_t)id;
                const float square = som_square(at[0] - point[0], at[1] - point[1]);

                if (cell_at(in, at) == y * cols + x && room-- > 0 &&
                    (winner < 0 || square < least || (!(square > least) && id < winner))) {
                    least = square;
                    winner = id;
                }
            }
            text_format(text, "%d,%d.5,%d.5,%d,%d,%d,%d,", number, (int)point[0], (int)point[1],
                        ++n_visited, y * cols + x, ring, winner);
            text_add_number(text, winner < 0 ? (double)NAN : sqrt((double)least));
            text_add(text, "\n");
        }
    }
}

enum bench_status som_searches_table(const struct som_input *in, const float *position,
                                     struct text *text)
{
    OWNED(memory_free) uint64_t *prefix = NULL;

    TRY(memory_allocate(&prefix, sizeof *prefix, 1, 1, in->height, in->width));
    text_add(text, "point,x,y,order,cell,ring,winner,distance_px\n");
    for (int i = 0; som_sum_density(in, 0, prefix) > 0 && i < SOM_N_SEARCHES; i++) {
        const int pixel = (int)som_draw(prefix, som_n_pixels(in), in->seed, (uint64_t)i);
        const int x = pixel % in->width, y = pixel / in->width;
        const float point[2] = {(float)x + 0.5f, (float)y + 0.5f};

        add_search(in, position, i, point, text);
    }
    return BENCH_OK;
}
