/* durations.c - how long kernels lasted in a run that was recorded, for the launches of this one:
 * so a plan (other streams, another order) can be tried on the virtual GPU with the card's own
 * times. */
#include "sim/runtime/durations.h"
#include "common/env.h"
#include "sim/host/host.h"
#include <stdlib.h>
#include <string.h>

typedef struct Shape { /* launches of one kernel in one shape */
    const char *name;
    TraceDim grid, block;
    uint64_t *ns, median_ns; /* in order of issue */
    uint32_t n, taken;
} Shape;

static Trace *recorded; /* owns the names */
static Shape *shapes;
static uint32_t n_shapes;

static bool same(TraceDim a, TraceDim b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static Shape *find(const char *name, TraceDim grid, TraceDim block)
{
    for (uint32_t i = 0; i < n_shapes; i++)
        if (same(shapes[i].grid, grid) && same(shapes[i].block, block) &&
            !strcmp(shapes[i].name, name))
            return &shapes[i];
    return NULL;
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static _Noreturn void no_memory(void)
{
    host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory for " ENV_KERNELS);
}

static void add(const TraceOp *op)
{
    Shape *shape = find(op->name, op->grid, op->block);
    if (!shape) {
        Shape *more = realloc(shapes, (n_shapes + 1) * sizeof *shapes);
        if (!more) no_memory();
        shapes = more;
        shape = &shapes[n_shapes++];
        *shape = (Shape){.name = op->name, .grid = op->grid, .block = op->block};
    }
    if ((shape->n & (shape->n - 1)) == 0) { /* full at each power of two */
        uint64_t *more = realloc(shape->ns, (shape->n ? 2 * (size_t)shape->n : 1) * sizeof *more);
        if (!more) no_memory();
        shape->ns = more;
    }
    shape->ns[shape->n++] = op->end_ns > op->start_ns ? op->end_ns - op->start_ns : 1;
}

void durations_open(const char *path)
{
    char error[400];
    if (!path || !*path) return;
    recorded = trace_read(path, error, sizeof error);
    if (!recorded) host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0}, ENV_KERNELS ": %s", error);
    for (uint32_t i = 1; i <= recorded->n_ops; i++) {
        const TraceOp *op = &recorded->ops[i];
        if (op->kind == TRACE_KERNEL && op->start_ns != TRACE_OPEN_NS &&
            op->end_ns != TRACE_OPEN_NS)
            add(op);
    }
    if (!n_shapes)
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0},
                   ENV_KERNELS "=%s: no kernel ended in that trace", path);
    for (uint32_t i = 0; i < n_shapes; i++) {
        uint64_t *sorted = malloc(shapes[i].n * sizeof *sorted);
        if (!sorted) no_memory();
        memcpy(sorted, shapes[i].ns, shapes[i].n * sizeof *sorted);
        qsort(sorted, shapes[i].n, sizeof *sorted, by_size);
        shapes[i].median_ns = sorted[shapes[i].n / 2];
        free(sorted);
    }
}

static double blocks_of(TraceDim grid) { return (double)grid.x * grid.y * grid.z; }

bool durations_next(const char *kernel, TraceDim grid, TraceDim block, uint64_t *ns, bool *estimate)
{
    const Shape *near = NULL;
    if (!n_shapes) return false;
    Shape *shape = find(kernel, grid, block);
    *estimate = false;
    if (shape) {
        *ns = shape->taken < shape->n ? shape->ns[shape->taken++] : shape->median_ns;
        return true;
    }
    for (uint32_t i = 0; i < n_shapes; i++) { /* the shape that is nearest in blocks */
        if (strcmp(shapes[i].name, kernel) != 0) continue;
        double own = blocks_of(grid), this = blocks_of(shapes[i].grid),
               best = near ? blocks_of(near->grid) : 0;
        if (!near ||
            (this > own ? this / own : own / this) < (best > own ? best / own : own / best))
            near = &shapes[i];
    }
    if (!near) return false;
    double scaled = (double)near->median_ns * blocks_of(grid) / blocks_of(near->grid);
    *ns = scaled < 1 ? 1 : scaled < 1e15 ? (uint64_t)scaled : (uint64_t)1e15;
    *estimate = true;
    return true;
}
