/* arrays.c - the arrays that an input or output owns, in one list */
#include "harness/problems/arrays.h"

#include "harness/base/memory.h"

struct array array_of(const char *name, size_t at, size_t element_bytes, int n1, int n2, int n3,
                      int n4)
{
    const size_t bytes = memory_bytes(element_bytes, n1, n2, n3, n4);

    return (struct array){name, at, bytes || !n1 || !n2 || !n3 || !n4 ? bytes : SIZE_MAX};
}

enum bench_status arrays_new(const void *shape, size_t n_bytes, array_list *list,
                             void *pointer_to_object)
{
    struct array array[BENCH_MAX_BLOCKS];
    const int n = list(shape, array);
    enum bench_status status = BENCH_OK;
    char *new = NULL;

    memcpy(pointer_to_object, &new, sizeof new);
    TRY(memory_allocate(&new, n_bytes, 1, 1, 1, 1));
    memcpy(new, shape, n_bytes);
    for (int i = 0; i < n; i++)
        if (array[i].at != ARRAY_SHAPE)
            memset(new + array[i].at, 0, sizeof(void *));
    for (int i = 0; i < n && status == BENCH_OK; i++)
        if (array[i].at != ARRAY_SHAPE && array[i].bytes > 0)
            status = memory_allocate(new + array[i].at, array[i].bytes, 1, 1, 1, 1);
    if (status == BENCH_OK)
        memcpy(pointer_to_object, &new, sizeof new);
    else
        arrays_free(new, list);
    return status;
}

static void *data_of(const void *object, const struct array *array)
{
    void *data = (void *)(uintptr_t)object;

    if (object && array->at != ARRAY_SHAPE)
        memcpy(&data, (const char *)object + array->at, sizeof data);
    return data;
}

void arrays_free(void *object, array_list *list)
{
    struct array array[BENCH_MAX_BLOCKS];

    for (int i = object ? list(object, array) : 0; i-- > 0;)
        if (array[i].at != ARRAY_SHAPE)
            free(data_of(object, &array[i]));
    free(object);
}

int arrays_blocks(const void *object, array_list *list, struct bench_block *blocks)
{
    struct array array[BENCH_MAX_BLOCKS];
    const int n_arrays = list(object, array);
    int n = 0;

    for (int i = 0; i < n_arrays; i++) {
        blocks[n] =
            (struct bench_block){data_of(object, &array[i]), array[i].bytes, array[i].name};
        n += blocks[n].data && !(array[i].name && !array[i].name[0]);
    }
    return n;
}
