/* nested.c - see nested.h. The tree of what a kernel has launched: in which order it runs, and how
 * long all of it lasts. */
#include "sim/nested/nested_internal.h"
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include "sim/host/host.h"
#include "sim/include/threelane/self.h"
#include "sim/runtime/runtime.h"
#include "sim/runtime/work.h"

/* A grid. Its own body first, then what it has launched, in the order of the launches, each with
 * all of its own; then what it has put into its tail. */
typedef struct Grid Grid;
typedef struct GridList {
    Grid *first, **last;
} GridList;
struct Grid {
    ExecLaunch launch;
    uint32_t waves;
    Grid *parent, *next, *all; /* next: of the same list; all: of the kernel's grids */
    Grid *after, *event;       /* begins when these have ended; NULL: nothing */
    Grid *then;                /* the one that ran after it */
    Grid *latest;              /* of what it has launched, what ended last; NULL: nothing */
    uint32_t number;           /* what it is called in the trace */
    GridList launched, tail;
    uint64_t begin_ns, body_ns, end_ns; /* of the kernel's time; body_ns: when its blocks have
                                           ended; end_ns: with all that it has launched */
};

/* A stream of a grid: what was launched into it last, and what it has been told to wait for. */
typedef struct Line {
    const Grid *of;
    uintptr_t stream;
    uint64_t block; /* of the NULL stream, of which each block has one */
    Grid *last, *event;
} Line;

/* A launch that a thread has begun: its arguments come next. */
typedef struct Pending {
    uint64_t thread;
    LaunchShape shape;
    uintptr_t stream;
    TraceSite site;
} Pending;

typedef struct ThreadError {
    uint64_t thread;
    cudaError_t error;
} ThreadError;

struct Nested {
    Grid own; /* the kernel itself */
    Grid *running, *all;
    void *lines; /* a tree of Line */
    Pending *pending;
    ThreadError *errors;
    Grid **events; /* what each event stands for */
    bool *streams; /* which streams there are */
    size_t n_pending, n_errors, n_events, n_streams;
};

enum { LEGACY = 1, PER_THREAD = 2, TAIL = 3, FORGET = 4 };
#define STREAM_TAG ((uintptr_t)0x4e53 << 32)
#define EVENT_TAG ((uintptr_t)0x4e45 << 32)

static void *or_die(void *memory)
{
    if (!memory)
        host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0},
                   "out of memory for what a kernel launches");
    return memory;
}

/* Room for one more of an array that has n, and grows by doubling. */
static void *grown(void *array, size_t n, size_t bytes)
{
    return n & (n - 1) ? array : or_die(realloc(array, (n ? 2 * n : 1) * bytes));
}

static void list_init(GridList *list) { *list = (GridList){NULL, &list->first}; }

static void list_add(GridList *list, Grid *grid)
{
    *list->last = grid;
    list->last = &grid->next;
}

static void forget(ExecRun *run)
{
    struct Nested *nested = run->nested;
    if (!nested) return;
    for (Grid *grid = nested->all, *next; grid; grid = next) {
        next = grid->all;
        grid->launch.destroy(grid->launch.closure);
        free(grid);
    }
    tdestroy(nested->lines, free);
    free(nested->pending);
    free(nested->errors);
    free(nested->events);
    free(nested->streams);
    free(nested);
    run->nested = NULL;
}

/* ---- what comes next ---- */

/* The grid has run its blocks. */
static void body_over(Grid *grid, const ExecNestedFacts *facts)
{
    grid->body_ns = grid->begin_ns + grid->waves * work_block_ns(&grid->launch, grid->waves, facts);
    grid->end_ns = grid->body_ns;
}

static uint64_t begin_of(const Grid *grid)
{
    uint64_t begin = grid->parent->body_ns;
    if (grid->after && grid->after->end_ns > begin) begin = grid->after->end_ns;
    if (grid->event && grid->event->end_ns > begin) begin = grid->event->end_ns;
    return begin;
}

/* Of the kernel's grids, the one that comes next; NULL: none. */
static Grid *advance(struct Nested *nested)
{
    for (Grid *grid = nested->running;;) {
        Grid *next = grid->launched.first;
        if (next) {
            grid->launched.first = next->next;
            next->begin_ns = begin_of(next);
            return next;
        }
        next = grid->tail.first;
        if (next) {
            grid->tail.first = next->next;
            next->begin_ns = grid->end_ns;
            next->after = grid->latest;
            return next;
        }
        Grid *parent = grid->parent;
        if (!parent) return NULL;
        if (grid->end_ns > parent->end_ns) {
            parent->end_ns = grid->end_ns;
            parent->latest = grid->latest ? grid->latest : grid;
        }
        grid = parent;
    }
}

static const ExecLaunch *next(ExecRun *run, const ExecNestedFacts *facts, uint64_t *begin_ns)
{
    struct Nested *nested = run->nested;
    body_over(nested->running, facts);
    Grid *grid = advance(nested);
    nested->running->then = grid;
    nested->running = grid;
    nested->n_pending = nested->n_errors = 0;
    *begin_ns = grid ? grid->begin_ns : nested->own.end_ns;
    return grid ? &grid->launch : NULL;
}

void nested_each(const ExecRun *run, uint32_t number,
                 uint32_t (*tell)(void *arg, const NestedGrid *), void *arg)
{
    struct Nested *nested = run->nested;
    nested->own.number = number;
    for (Grid *grid = nested->own.then; grid; grid = grid->then) {
        const Grid *parent = grid->parent, *after = parent;
        if (grid->after && grid->after->end_ns == grid->begin_ns) after = grid->after;
        if (grid->event && grid->event->end_ns == grid->begin_ns) after = grid->event;
        NestedGrid told = {.launch = &grid->launch,
                           .parent = parent->number,
                           .after = after->number,
                           .begin_ns = grid->begin_ns,
                           .end_ns = grid->body_ns};
        grid->number = tell(arg, &told);
    }
}

/* ---- launches ---- */

static const ExecNested hooks = {next, forget};

static uint32_t waves_of(const Model *model, const LaunchShape *shape, int per_sm)
{
    uint64_t at_once = (uint64_t)per_sm * (uint64_t)model->sm_count,
             blocks = launch_volume(shape->grid);
    return model->room_limited && at_once ? (uint32_t)((blocks + at_once - 1) / at_once) : 1;
}

static struct Nested *of_running(void)
{
    ExecRun *run = exec_running();
    if (run->nested) return run->nested;

    const ExecLaunch *launch = exec_current();
    const Model *model = device_model(launch->device);
    LaunchShape shape = {launch->grid, launch->block, launch->shared_bytes};
    struct Nested *nested = or_die(calloc(1, sizeof *nested));
    int per_sm = model_blocks_per_sm(model, (uint32_t)launch_volume(shape.block), shape.shared);
    nested->own = (Grid){.launch = *launch, .waves = waves_of(model, &shape, per_sm)};
    list_init(&nested->own.launched);
    list_init(&nested->own.tail);
    nested->running = &nested->own;
    run->nested = nested;
    exec_nested = &hooks;

    return nested;
}

static uint64_t this_thread(void) { return exec_block_number() << 10 | threelane_rank(); }

cudaError_t nested_failed(cudaError_t error)
{
    struct Nested *nested = of_running();
    uint64_t thread = this_thread();
    for (size_t i = nested->n_errors; i-- > 0;)
        if (nested->errors[i].thread == thread) {
            nested->errors[i].error = error;
            return error;
        }
    nested->errors = grown(nested->errors, nested->n_errors, sizeof *nested->errors);
    nested->errors[nested->n_errors++] = (ThreadError){thread, error};
    return error;
}

cudaError_t nested_last_error(bool clear)
{
    struct Nested *nested = exec_running()->nested;
    uint64_t thread = this_thread();
    for (size_t i = nested ? nested->n_errors : 0; i-- > 0;) {
        cudaError_t error = nested->errors[i].error;
        if (nested->errors[i].thread != thread) continue;
        if (clear) nested->errors[i].error = cudaSuccess;
        return error;
    }
    return cudaSuccess;
}

/* The number behind a handle of ours, from 0. */
static bool handle_number(uintptr_t handle, uintptr_t tag, size_t n, size_t *number)
{
    *number = handle - tag;
    return handle >= tag && *number < n;
}

static bool is_stream(const struct Nested *nested, uintptr_t stream)
{
    size_t number;
    if (stream <= FORGET) return true;
    return handle_number(stream, STREAM_TAG, nested->n_streams, &number) && nested->streams[number];
}

static int by_line(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    if (x->of != y->of) return x->of < y->of ? -1 : 1;
    if (x->stream != y->stream) return x->stream < y->stream ? -1 : 1;
    return x->block < y->block ? -1 : x->block > y->block;
}

static Line *line_of(struct Nested *nested, uintptr_t stream)
{
    bool own = stream <= PER_THREAD;
    Line *line = or_die(malloc(sizeof *line));
    *line = (Line){.of = nested->running,
                   .stream = own ? 0 : stream,
                   .block = own ? exec_block_number() : 0};
    Line **found = or_die(tsearch(line, &nested->lines, by_line));
    if (*found != line) free(line);
    return *found;
}

void nested_add(const ExecLaunch *launch, uint32_t waves, uintptr_t stream)
{
    struct Nested *nested = of_running();
    Grid *grid = or_die(malloc(sizeof *grid)), *parent = nested->running;
    *grid = (Grid){.launch = *launch, .waves = waves, .parent = parent, .all = nested->all};
    nested->all = grid;
    list_init(&grid->launched);
    list_init(&grid->tail);
    if (stream == TAIL) {
        list_add(&parent->tail, grid);
        return;
    }
    list_add(&parent->launched, grid);
    if (stream == FORGET) return;

    Line *line = line_of(nested, stream);
    grid->after = line->last;
    grid->event = line->event;
    line->last = grid;
    line->event = NULL;
}

bool nested_stream_is(cudaStream_t stream) { return is_stream(of_running(), (uintptr_t)stream); }

static Pending *pending_of(struct Nested *nested)
{
    uint64_t thread = this_thread();
    for (size_t i = nested ? nested->n_pending : 0; i-- > 0;)
        if (nested->pending[i].thread == thread) return &nested->pending[i];
    return NULL;
}

bool nested_is_pending(void) { return pending_of(exec_running()->nested) != NULL; }

void nested_permit(const char *what, TraceSite site)
{
    if (call_log)
        host_fatal(HOST_STATUS_UNSUPPORTED, site,
                   "the kernel %s %s: in a program that is graded without trust, kernels cannot",
                   exec_current()->name, what);
    if (exec_without_heap) exec_end_kernel(cudaErrorNotSupported, NULL, what);
}

bool nested_push(const LaunchShape *shape, cudaStream_t stream, ThreelaneSite at)
{
    const ExecLaunch *kernel = exec_current();
    TraceSite site = {at.file, (uint32_t)at.line};
    nested_permit("launches a kernel", site);
    struct Nested *nested = of_running();
    cudaError_t error = launch_check_shape(device_model(kernel->device), shape);
    if (!error && !is_stream(nested, (uintptr_t)stream)) error = cudaErrorInvalidResourceHandle;
    if (error) {
        nested_failed(error);
        return true;
    }
    nested->pending = grown(nested->pending, nested->n_pending, sizeof *nested->pending);
    nested->pending[nested->n_pending++] =
        (Pending){this_thread(), *shape, (uintptr_t)stream, site};

    return false;
}

void nested_queue(const char *name, void (*run_block)(void *), void *closure,
                  void (*destroy)(void *))
{
    const LaunchAttributes none = {.cooperative = false};
    struct Nested *nested = of_running();
    int device = exec_current()->device, per_sm;
    const Model *model = device_model(device);
    Pending *found = pending_of(nested), launch = *found;
    TraceDim cluster;
    *found = nested->pending[--nested->n_pending];

    exec_closure_made();
    cudaError_t error = launch_check(model, launch_function(run_block, device), &launch.shape,
                                     &none, &cluster, &per_sm);
    if (error) {
        destroy(closure);
        nested_failed(error);
        return;
    }
    nested_add(&(ExecLaunch){.name = name,
                             .grid = launch.shape.grid,
                             .block = launch.shape.block,
                             .cluster = cluster,
                             .shared_bytes = launch.shape.shared,
                             .device = device,
                             .site = launch.site,
                             .op = exec_current()->op,
                             .stream = exec_current()->stream,
                             .run_block = run_block,
                             .closure = closure,
                             .destroy = destroy},
               waves_of(model, &launch.shape, per_sm), launch.stream);
}

void nested_give(void *to, const void *value, size_t bytes, const void *pc)
{
    exec_access((uintptr_t)to, bytes, true, pc);
    memcpy(to, value, bytes);
}

/* ---- streams and events of device code ---- */

cudaError_t nested_stream_create(cudaStream_t *to, unsigned flags)
{
    struct Nested *nested = of_running();
    if (!to || flags != cudaStreamNonBlocking) return nested_failed(cudaErrorInvalidValue);
    nested->streams = grown(nested->streams, nested->n_streams, sizeof *nested->streams);
    nested->streams[nested->n_streams] = true;
    cudaStream_t made = (cudaStream_t)(STREAM_TAG + nested->n_streams++);
    nested_give(to, &made, sizeof made, __builtin_return_address(0));
    return cudaSuccess;
}

cudaError_t nested_stream_destroy(cudaStream_t stream)
{
    struct Nested *nested = of_running();
    size_t number;
    if (!handle_number((uintptr_t)stream, STREAM_TAG, nested->n_streams, &number) ||
        !nested->streams[number])
        return nested_failed(cudaErrorInvalidResourceHandle);
    nested->streams[number] = false;
    return cudaSuccess;
}

cudaError_t nested_event_create(cudaEvent_t *to, unsigned flags)
{
    struct Nested *nested = of_running();
    if (!to || flags != cudaEventDisableTiming) return nested_failed(cudaErrorInvalidValue);
    nested->events = grown(nested->events, nested->n_events, sizeof *nested->events);
    nested->events[nested->n_events] = NULL;
    cudaEvent_t made = (cudaEvent_t)(EVENT_TAG + nested->n_events++);
    nested_give(to, &made, sizeof made, __builtin_return_address(0));
    return cudaSuccess;
}

/* Where the event keeps what it stands for; NULL: it is none. */
static Grid **event_at(struct Nested *nested, cudaEvent_t event)
{
    size_t number;
    return handle_number((uintptr_t)event, EVENT_TAG, nested->n_events, &number)
               ? &nested->events[number]
               : NULL;
}

cudaError_t nested_event_destroy(cudaEvent_t event)
{
    return event_at(of_running(), event) ? cudaSuccess
                                         : nested_failed(cudaErrorInvalidResourceHandle);
}

/* Work of these two has no order that an event could add to. */
static bool is_line(const struct Nested *nested, cudaStream_t stream)
{
    return (uintptr_t)stream != TAIL && (uintptr_t)stream != FORGET &&
           is_stream(nested, (uintptr_t)stream);
}

cudaError_t nested_event_record(cudaEvent_t event, cudaStream_t stream)
{
    struct Nested *nested = of_running();
    Grid **at = event_at(nested, event);
    if (!at || !is_line(nested, stream)) return nested_failed(cudaErrorInvalidResourceHandle);
    *at = line_of(nested, (uintptr_t)stream)->last;
    return cudaSuccess;
}

cudaError_t nested_stream_wait(cudaStream_t stream, cudaEvent_t event)
{
    struct Nested *nested = of_running();
    Grid **at = event_at(nested, event);
    if (!at || !is_line(nested, stream)) return nested_failed(cudaErrorInvalidResourceHandle);
    if (*at) line_of(nested, (uintptr_t)stream)->event = *at;
    return cudaSuccess;
}
