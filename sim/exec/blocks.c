/* blocks.c - the threads of a block, and the blocks of a grid, one after another on one OS thread.
 *
 * The loop over a block's threads (tl::run) runs on a fiber. A thread that must wait keeps that
 * fiber, and the next fiber goes on with the loop; so a kernel without barriers costs no switch,
 * and one with them a switch per thread and barrier. A thread that waits is in one of the block's
 * lists:
 *   sync     at the block's barrier      warps[].lane   in a warp primitive
 *   polling  repeating a volatile or atomic access that does not change
 *   grid     at the grid's barrier       ready          may go on
 *   waiting  at a barrier in shared memory (mbarrier.h)
 *   depend   for the kernels that an early launch depends on
 * When nothing is ready and every thread has begun, settle() looks for whom to wake. Exited threads
 * do not count anywhere. What can never be satisfied is reported as a fault with the lines
 * concerned.
 *
 * A block whose threads all poll, or wait for the grid or their cluster (cluster.h), is set aside
 * with its shared memory, and other blocks run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "common/env.h"
#include "sim/exec/cluster.h"
#include "sim/exec/exec_internal.h"
#include "sim/exec/inside.h"
#include "sim/exec/mbarrier.h"
#include "sim/exec/race.h"
#include "sim/host/host.h"
#include "sim/include/threelane/self.h"
#include "sim/spread/spread.h"

/* Read by device code as blockIdx, blockDim and gridDim (kernel.h), where they are constant. */
uint32_t threelane_block_index[EXEC_PLACE], threelane_block_dim[EXEC_PLACE],
    threelane_grid_dim[EXEC_PLACE];

__thread ThreelaneSelf threelane_self;
uint64_t threelane_turn;
char threelane_dynamic_shared[THREELANE_DYNAMIC_SHARED] __attribute__((aligned(4096)));
__thread char *threelane_dynamic_at = threelane_dynamic_shared;
__thread uintptr_t threelane_static_at;
uintptr_t threelane_static_bytes, threelane_dynamic_bytes;
__thread unsigned threelane_block_here[3];
ExecOrder exec_order;
_Thread_local Block *exec_block;
_Thread_local Fiber *exec_fiber;

static _Thread_local void *main_sp; /* the scheduler's caller */
static _Thread_local Block *spare;  /* blocks to use again; their arrays have spare_room */
static Fiber *next_after_settle(void);

/* Polling: how often a thread may repeat an access before others get a turn, and how many rounds of
 * that are made before the kernel is suspended. A loop that reads a volatile a few hundred times is
 * so run through. */
enum {
    POLL_REPEATS = 3,
    POLL_ROUNDS = 64,
    POLL_BUDGET = 1 << 14,
    POLL_PATIENCE = 1 << 18,
    POLL_RELEASES = 256,
    POLL_LANES = 32,
    POLL_PLACES = 8
};
/* The lanes of a warp may each look at a place of their own in turn, with a vote in between. */
typedef struct Polled {
    uintptr_t address;
    uint64_t value;
    uint32_t thread;
    unsigned repeats;
    uint64_t age; /* polls_age, else it is of a time that is over */
} PolledPlaces[POLL_LANES][POLL_PLACES];
static PolledPlaces main_polled;
static _Thread_local struct Polled (*polled)[POLL_PLACES]; /* of the thread that runs blocks */
static _Thread_local uint64_t polls_age;
_Thread_local uint64_t exec_progress;

static void fiber_main(void);
static void spread_work(void);

static Block *block_new(const Run *run)
{
    uint32_t total = run->launch.block.x * run->launch.block.y * run->launch.block.z;
    Block *b = spare;
    Fiber **lists;
    if (b) {
        Fiber **all[] = {b->ready, b->sync, b->polling, b->grid, b->waiting, b->depend};
        spare = b->next;
        lists = all[0];
        for (int i = 1; i < 6; i++)
            if (all[i] < lists) lists = all[i];
    } else {
        b = exec_allocate(sizeof *b);
        lists = exec_allocate(6 * 1024 * sizeof *lists);
    }
    *b = (Block){.total = total,
                 .ready = lists,
                 .sync = lists + 1024,
                 .polling = lists + 2048,
                 .grid = lists + 3072,
                 .waiting = lists + 4096,
                 .depend = lists + 5120};
    return b;
}

static void block_free(Block *b)
{
    mbarrier_block_ends(b);
    free(b->cluster_wait);
    b->cluster_wait = NULL;
    if (!b->in_window) free(b->tls), free(b->dynamic);
    b->tls = b->dynamic = NULL;
    b->next = spare;
    spare = b;
}

/* ---- shared memory of blocks that are set aside ---- */

static void keep_shared(Block *b, size_t dynamic)
{
    void *tls;
    size_t bytes;
    footprint_tls(&tls, &bytes);
    if (bytes) {
        if (!b->tls) b->tls = exec_allocate(bytes);
        memcpy(b->tls, tls, bytes);
    }
    if (dynamic) {
        if (!b->dynamic) b->dynamic = exec_allocate(dynamic);
        memcpy(b->dynamic, threelane_dynamic_shared, dynamic);
    }
}

static void bring_shared(const Block *b, size_t dynamic)
{
    if (b->tls) footprint_tls_bring(b->tls);
    if (b->dynamic) memcpy(threelane_dynamic_shared, b->dynamic, dynamic);
}

/* ---- a block begins and ends ---- */

/* Gives the block's next threads to the running fiber. */
static void begin_loop(void)
{
    memcpy(threelane_self.thread, exec_block->next_thread, sizeof threelane_self.thread);
    threelane_self.row =
        threelane_block_dim[0] *
        (threelane_self.thread[1] + threelane_block_dim[1] * threelane_self.thread[2]);
}

/* All threads of the current block have ended. */
static void end_block(Block *b)
{
    depend_block_over();
    race_block_ends();
    mbarrier_block_ends(b);
    if (!b->cluster) return;
    if (b->in_window) keep_shared(b, exec_run->launch.shared_bytes); /* others may look at it */
    cluster_block_ends(b);
}

/* The current block begins as the n-th. */
static void place_block(const Run *run, Block *b, uint64_t n)
{
    cluster_place(run, n, b->index);
    memcpy(threelane_block_here, b->index, sizeof b->index);
    b->started = 0;
    memset(b->next_thread, 0, sizeof b->next_thread);
    b->base_ns = 0;
    b->passed_line = 0;
    b->passed = 0;
    b->ordered = false;
    exec_progress++;
    depend_new_block();
}

static bool begin_block(Run *run)
{
    if (run->next_block == run->blocks) return false;
    uint64_t n = run->next_block++;
    bool light = exec_goes_light(run, n);
    if (run->block_step != 1 || run->block_first) { /* cluster by cluster */
        uint64_t blocks = cluster_blocks(run), clusters = run->blocks / blocks, rank = n % blocks;
        n = (uint64_t)((run->block_first + (unsigned __int128)(n / blocks) * run->block_step) %
                       clusters) *
                blocks +
            (rank + run->block_first) % blocks;
    }
    Block *b = exec_block && !exec_block->next && !exec_block->fibers ? exec_block : NULL;
    if (b) end_block(b);
    else exec_block = b = block_new(run);
    place_block(run, b, n);
    memcpy(threelane_block_index, b->index, sizeof b->index);
    touch_new_block(b->total);
    clock_new_block();
    shared_barrier();
    cluster_block_begins(n);
    race_block_begins();
    b->light = light;
    exec_set_light(run, light);
    return true;
}

/* ---- blocks on several OS threads ---- */

static uint64_t ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    uint64_t now, a_second;
    __asm__ volatile("mrs %0, cntvct_el0\n\tmrs %1, cntfrq_el0" : "=r"(now), "=r"(a_second));
    return now * 64 / (a_second / 40000000 + 1); /* roughly as many as on the other machine */
#endif
}

/* So long must a kernel have run, and have left to do; so long is a chunk at least, where there are
 * enough. */
enum { SPREAD_TICKS = 800000, CHUNK_TICKS = 200000, CHUNKS = 8 };
static uintptr_t main_static_at, main_self_at; /* on the main OS thread */
static bool in_one_order;                      /* the program: threelane_one_order, */
static bool for_all;                           /* threelane_dynamic_for_all */

void threelane_one_order(void) { in_one_order = true; }
void *threelane_dynamic_for_all(void)
{
    for_all = true;
    return threelane_dynamic_shared;
}

static bool may_spread(const Run *run)
{
    const ExecLaunch *launch = &run->launch;
    return run->blocks > 1 && !run->next_block && !exec_hooked() && !launch->cooperative &&
           !launch->early && !launch->order && cluster_blocks(run) == 1 && !inside_on && !race_on &&
           !race_watching && !exec_apart && !exec_without_heap && !in_one_order &&
           !(for_all && launch->shared_bytes) && spread_width() > 1;
}

void exec_wait_for_order(void)
{
    Block *b = exec_block;
    if (exec_order == EXEC_SPREAD) spread_turn();
    if (!b || b->ordered) return;
    b->ordered = true;
    if (exec_order == EXEC_SPREAD) clock_new_block();
    else b->began = ticks();
}

void threelane_in_order(void)
{
    if (exec_kernel) exec_in_order();
}

void exec_alone_at_end(void)
{
    if (exec_order != EXEC_SPREAD) return;
    exec_wait_for_order();
    spread_stop();
}

/* A block has ended, or none has begun: are those that are left to be spread? */
static void watch_order(Run *run)
{
    const Block *b = exec_block;
    uint64_t done = run->next_block, left = run->blocks - done;
    bool bound = b && b->ordered;
    bool always = spread_always();
    if (!done || (done > 16 && done % 16 && !bound && !always)) return;
    uint64_t now = ticks(), took = now - run->spread_began;
    if (bound) run->spread_bound += now - b->began;
    run->spread_ordered = run->spread_ordered || bound;
    if (run->suspended || run->pub.clock_driven || left < 2) {
        exec_order = EXEC_ONE_BY_ONE;
        return;
    }
    if (!always && (took < SPREAD_TICKS || took / done * left < SPREAD_TICKS)) return;
    exec_order = EXEC_ONE_BY_ONE;
    if (!always && run->spread_bound > took / 10 * 7) return;
    uint64_t chunk = CHUNK_TICKS / (took / done + 1) + 1, most = left / (spread_width() * CHUNKS);
    if (chunk > most) chunk = most;
    if (run->spread_ordered || !chunk) chunk = 1;
    SpreadJob job = {run->next_block, run->blocks, chunk, spread_work, schedule_leave};
    shared_end_run(); /* nothing is looked for in it: every OS thread has its own */
    exec_order = EXEC_SPREAD;
    main_static_at = threelane_static_at;
    main_self_at = (uintptr_t)&threelane_self;
    if (!spread_begin(&job)) {
        exec_order = EXEC_ONE_BY_ONE;
        return;
    }
    run->next_block = run->blocks;
}

static bool begin_spread(Run *run)
{
    uint64_t n;
    Block *b = exec_block;
    if (b) end_block(b);
    if (!spread_next(&n)) {
        if (b) block_free(b);
        exec_block = NULL;
        return false;
    }
    if (!b) exec_block = b = block_new(run);
    place_block(run, b, n);
    return true;
}

/* ---- blocks that are set aside ---- */

static void set_aside(Run *run)
{
    Block *b = exec_block;
    if (exec_order == EXEC_SPREAD)
        exec_fault(EXEC_LAUNCH_FAILURE, NULL, NULL, 0,
                   "block (%u,%u,%u) waits for what a later block does, which it cannot where "
                   "blocks run on several processors: set " ENV_CORES "=1",
                   b->index[0], b->index[1], b->index[2]);
    mbarrier_set_aside(b);
    keep_shared(b, run->launch.shared_bytes);
    b->next = NULL;
    *run->suspended_tail = b;
    run->suspended_tail = &b->next;
    exec_block = NULL;
}

static bool take_back(Run *run)
{
    Block *b = run->suspended;
    if (!b) return false;
    run->suspended = b->next;
    if (!run->suspended) run->suspended_tail = &run->suspended;
    b->next = NULL;
    exec_block = b;
    memcpy(threelane_block_index, b->index, sizeof b->index);
    memcpy(threelane_block_here, b->index, sizeof b->index);
    bring_shared(b, run->launch.shared_bytes);
    shared_barrier();
    cluster_block_returns();
    mbarrier_taken_back(b);
    race_block_begins();
    exec_set_light(run, b->light && !run->budget.never);
    return true;
}

/* ---- who goes on ---- */

/* The next of those that are ready: the first, or, while turns go by rank, the first of the lowest
 * rank. */
static Fiber *next_ready(Block *b)
{
    if (__builtin_expect(!inside_ranked, 1)) return b->ready[b->ready_at++];
    uint32_t best = b->ready_at;
    for (uint32_t i = best + 1; i < b->n_ready; i++)
        if (inside_rank(b->ready[i]->linear) < inside_rank(b->ready[best]->linear)) best = i;
    Fiber *f = b->ready[best];
    memmove(b->ready + b->ready_at + 1, b->ready + b->ready_at,
            (best - b->ready_at) * sizeof *b->ready);
    b->ready_at++;
    return f;
}

/* Is somebody to be looked for among the ready, before new threads begin? */
static inline bool takes_ready(const Block *b)
{
    return b->ready_at < b->n_ready && !(inside_ranked && b->started < b->total);
}

/* Leaves the running thread waiting; it is in one of the lists already. Returns when it may go
 * on. */
static inline void wait_turn(Fiber *me, Block *b)
{
    Fiber *next;
    if (b->ready_at < b->n_ready && !inside_ranked) {
        next = b->ready[b->ready_at++];
    } else {
        next = next_after_settle();
    }
    if (next != me) {
        exec_fiber = next; /* whoever is switched to finds itself there */
        exec_count_stops();
        if (__builtin_expect(next != NULL, 1)) fiber_switch(&me->sp, next->sp);
        else fiber_switch(&me->sp, main_sp);
        exec_count_goes_on();
    }
    threelane_self = me->self;
    if (__builtin_expect(exec_order != EXEC_SPREAD, 1))
        threelane_turn = (uint64_t)(me->self.row + me->self.thread[0]) << THREELANE_TURN_SHIFT;
    if (__builtin_expect(exec_time.used, 0)) exec_set_local_ns(me->linear, me->local_ns);
}

/* A thread's first wait: it keeps the fiber that ran the loop, and the next one goes on with the
 * loop. */
static __attribute__((noinline)) void keep_fiber_now(Fiber *me, Block *b)
{
    me->linear = threelane_rank();
    me->self = threelane_self;
    me->self.row |= THREELANE_LOST;
    b->started = me->linear + 1;
    memcpy(b->next_thread, me->self.thread, sizeof b->next_thread);
    if (++b->next_thread[0] == threelane_block_dim[0]) {
        b->next_thread[0] = 0;
        if (++b->next_thread[1] == threelane_block_dim[1])
            b->next_thread[1] = 0, b->next_thread[2]++;
    }
    b->fibers++;
    b->warps[me->linear / 32].alive |= 1u << me->linear % 32;
    memset(me->polled, 0, sizeof me->polled);
    memset(&me->in_step, 0, sizeof me->in_step);
    me->barrier = NULL;
    me->local_ns = 0;
}

/* The running thread is about to wait: it keeps its fiber. */
static inline __attribute__((always_inline)) Fiber *keep_fiber(void)
{
    Fiber *me = exec_fiber;
    if (__builtin_expect(!threelane_lost(), 0)) keep_fiber_now(me, exec_block);
    if (__builtin_expect(exec_time.used, 0)) me->local_ns = exec_local_ns(me->linear);
    return me;
}

static void make_ready(Fiber *f)
{
    Block *b = exec_block;
    if (b->ready_at == b->n_ready) b->ready_at = b->n_ready = 0;
    if (b->n_ready == 1024) {
        memmove(b->ready, b->ready + b->ready_at, (b->n_ready - b->ready_at) * sizeof *b->ready);
        b->n_ready -= b->ready_at;
        b->ready_at = 0;
    }
    b->ready[b->n_ready++] = f;
}

/* Turns go by rank: whoever polls may have its own before others that are ready. */
static void wake_pollers(Block *b)
{
    if (!b->n_polling || b->seen == exec_progress) return;
    b->seen = exec_progress;
    b->rounds = 0;
    for (uint32_t i = 0; i < b->n_polling; i++) make_ready(b->polling[i]);
    b->n_polling = 0;
}

void schedule_by_rank(void)
{
    Block *b = exec_block;
    unsigned mine = inside_rank(threelane_rank());
    bool yields = !threelane_lost() && threelane_rank() + 1 < b->total; /* all are to begin */
    wake_pollers(b);
    for (uint32_t i = b->ready_at; i < b->n_ready && !yields; i++)
        yields = inside_rank(b->ready[i]->linear) < mine;
    if (!yields) return;
    Fiber *me = keep_fiber();
    make_ready(me);
    wait_turn(me, b);
    polls_age++;
}

static const char *base_name(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? slash + 1 : file ? file : "?";
}

static _Noreturn void report_barrier(const char *what)
{
    exec_alone_at_end();
    const Block *b = exec_block;
    /* Name the first thread that stands elsewhere than the first one in the barrier. */
    const Fiber *first = b->n_sync ? b->sync[0] : NULL, *other = NULL;
    unsigned here = 0, there = 0;
    for (uint32_t i = 0; i < b->n_sync; i++) {
        if (b->sync[i]->line == first->line && strcmp(b->sync[i]->file, first->file) == 0) {
            here++;
        } else {
            if (!other) other = b->sync[i];
            there++;
        }
    }
    if (!other)
        for (unsigned w = 0; w < 32 && !other; w++)
            for (uint32_t lanes = b->warps[w].pending; lanes; lanes &= lanes - 1) {
                if (!other) other = b->warps[w].lane[__builtin_ctz(lanes)];
                there++;
            }
    if (!first) first = other, here = there, other = NULL;
    char more[160] = "";
    if (other)
        snprintf(more, sizeof more, ", %u at %s:%d (first: %u)", there, base_name(other->file),
                 other->line, other->linear);
    char text[200];
    snprintf(text, sizeof text, "%s: in block (%u,%u,%u), %u of %u threads wait at %s", what,
             b->index[0], b->index[1], b->index[2], here, b->total,
             other ? "{line1}, others at {line2}" : "{line2}, the others never come");
    if (other)
        exec_report_barrier(first ? first->file : NULL, first ? first->line : 0, other->file,
                            other->line, text);
    else exec_report_barrier(first ? first->file : NULL, first ? first->line : 0, NULL, 0, text);
    exec_fault(EXEC_LAUNCH_FAILURE, NULL, first ? first->file : NULL, first ? first->line : 0,
               "%s: block (%u,%u,%u): %u of %u threads at %s:%d (first: %u)%s", what, b->index[0],
               b->index[1], b->index[2], here, b->total, base_name(first ? first->file : NULL),
               first ? first->line : 0, first ? first->linear : 0, more);
}

/* Everyone in a list may go on, in its order; nobody was ready. */
static void release(Block *b, Fiber ***list, uint32_t *n)
{
    Fiber **empty = b->ready;
    b->ready = *list;
    b->n_ready = *n;
    b->ready_at = 0;
    *list = empty;
    *n = 0;
}

static void release_sync(void)
{
    Block *b = exec_block;
    exec_progress++;
    if (exec_order != EXEC_SPREAD) shared_barrier(), race_barrier();
    if (__builtin_expect(inside_on, 0)) inside_barrier();
    b->passed_line = b->sync_line;
    if (b->sync_mixed) report_barrier("divergent __syncthreads()");
    if (__builtin_expect(b->n_sync < b->total, 0))
        exec_report_early_return(b->sync_file, b->sync_line);
    if (b->sync_kind) {
        bool all = b->sync_votes == b->n_sync;
        b->sync_result = b->sync_kind == 1 + THREELANE_SYNC_COUNT ? (int)b->sync_votes
                         : b->sync_kind == 1 + THREELANE_SYNC_AND ? all
                                                                  : b->sync_votes != 0;
        b->sync_kind = 0;
        b->sync_votes = 0;
    }
    if (b->sync_ns) { /* clocks are in use: nobody leaves before the last one came */
        for (uint32_t i = 0; i < b->n_sync; i++) b->sync[i]->local_ns = b->sync_ns;
        b->sync_ns = 0;
    }
    release(b, &b->sync, &b->n_sync);
}

static bool settle_warps(bool partly);

/* Has every thread left to wait for a barrier in shared memory, or for those who do? Nobody else
 * can arrive there; but one that waits for what is outside of the block may yet come back. */
static bool all_at_barriers(const Block *b)
{
    uint32_t polling = 0;
    for (uint32_t i = 0; i < b->n_polling; i++) polling += b->polling[i]->barrier != NULL;
    return (polling || b->n_waiting) && polling == b->n_polling &&
           b->n_waiting + b->n_polling + b->n_sync + b->n_grid + b->in_warp == b->fibers;
}

static bool can_go_on(Block *);
static bool others_can_go_on(const Run *run)
{
    bool any = run->next_block < run->blocks;
    for (Block *b = run->suspended; b && !any; b = b->next) any = can_go_on(b);
    return any;
}

/* Every thread of the current block has begun and none is ready. Wakes some, or returns false: the
 * block has ended (then it has no fibers) or cannot go on by itself. */
static bool settle(void)
{
    Block *b = exec_block;
    if (!b->fibers) return false;
    if (b->in_warp && settle_warps(false)) return true;
    if (b->n_sync == b->fibers) {
        release_sync();
        return true;
    }
    if (b->in_warp && settle_warps(true)) return true;
    if (b->n_polling) {
        if (b->seen != exec_progress) b->rounds = 0;
        b->seen = exec_progress;
        unsigned limit = POLL_BUDGET / b->n_polling;
        if (limit > POLL_ROUNDS) limit = POLL_ROUNDS;
        /* who reads the clock meanwhile would see it run on, while the host may be about to act */
        if (exec_run->pub.clock_driven && !exec_alone) limit = 0;
        bool stuck = all_at_barriers(b);
        if (exec_run->patient || stuck) limit = POLL_PATIENCE / b->n_polling;
        if (b->rounds++ >= limit && stuck) mbarrier_deadlock();
        if (b->rounds > limit) return false;
        /* a warp that votes on what its lanes have read gets somewhere each time, and nowhere */
        if (++b->releases % POLL_RELEASES == 0 && others_can_go_on(exec_run)) return false;
        release(b, &b->polling, &b->n_polling); /* every poller tries again */
        return true;
    }
    if (cluster_release(b)) return true;
    if (b->n_grid == b->fibers || b->n_cluster || b->n_depend) return false;
    if (b->n_waiting && b->in_window) return false; /* another block may arrive there */
    if (all_at_barriers(b)) mbarrier_deadlock();
    if (b->n_waiting) return false;
    if (b->n_sync) report_barrier("__syncthreads() never completes");
    if (b->in_warp) report_barrier("a warp primitive never completes");
    char text[160];
    snprintf(text, sizeof text,
             "a grid barrier never completes: in block (%u,%u,%u), %u threads wait at {line2}, and "
             "others have left",
             b->index[0], b->index[1], b->index[2], b->n_grid);
    exec_report_barrier(b->grid[0]->file, b->grid[0]->line, NULL, 0, text);
    exec_fault(
        EXEC_LAUNCH_FAILURE, NULL, b->grid[0]->file, b->grid[0]->line,
        "a grid barrier that can never complete: in block (%u,%u,%u), %u threads wait at %s:%d",
        b->index[0], b->index[1], b->index[2], b->n_grid, base_name(b->grid[0]->file),
        b->grid[0]->line);
}

/* A grid barrier is complete when no block remains to begin and every thread of every block that
 * has not ended waits at it. */
static bool release_grid(Run *run)
{
    if (!run->suspended) return false;
    uint64_t latest = 0;
    for (Block *b = run->suspended; b; b = b->next) {
        if (b->n_grid != b->fibers) return false;
        for (uint32_t i = 0; i < b->n_grid; i++)
            if (b->grid[i]->local_ns > latest) latest = b->grid[i]->local_ns;
    }
    if (run->next_block < run->blocks) {
        const Fiber *first = run->suspended->grid[0];
        exec_fault(EXEC_NO_MEMORY, NULL, first->file, first->line,
                   "the grid's barrier needs all %llu blocks at once, and the virtual GPU has room "
                   "for %llu of them to wait: launch fewer, and let each do more",
                   (unsigned long long)run->blocks, (unsigned long long)run->next_block);
    }
    race_grid_barrier();
    latest += run->clock.grid_barrier_ns;
    for (Block *b = run->suspended; b; b = b->next) {
        for (uint32_t i = 0; i < b->n_grid; i++) b->grid[i]->local_ns = latest;
        Fiber **list = b->ready;
        b->ready = b->grid;
        b->n_ready = b->n_grid;
        b->ready_at = 0;
        b->grid = list;
        b->n_grid = 0;
    }
    return true;
}

/* Is there room for the threads of one more block, or cluster, all waiting? */
static bool has_room(const Run *run)
{
    const TraceDim *block = &run->launch.block;
    return fiber_room(block->x * block->y * block->z * cluster_blocks(run));
}

static bool can_go_on(Block *b)
{
    if (b->n_ready == b->ready_at && b->n_cluster) cluster_release(b);
    return b->n_ready > b->ready_at || (b->n_polling && b->seen != exec_progress);
}

/* This one of those set aside becomes the current one. */
static bool bring(Run *run, Block *b)
{
    Block *last = NULL;
    for (Block *a = run->suspended; a != b; a = a->next) last = a;
    if (last) { /* take it from the middle */
        last->next = b->next;
        if (!b->next) run->suspended_tail = &last->next;
        b->next = run->suspended;
        run->suspended = b;
    }
    return take_back(run);
}

/* Nobody can go on, but for those who poll: are there threads of a cluster that wait at a barrier
 * in shared memory, and nobody in their cluster polls? */
static void barrier_deadlock(Run *run)
{
    for (Block *b = run->suspended; b; b = b->next) {
        bool polls = !b->in_window || !b->n_waiting;
        for (const Block *a = run->suspended; a && !polls; a = a->next)
            polls = a->cluster == b->cluster && a->n_polling;
        if (polls) continue;
        bring(run, b);
        mbarrier_deadlock();
    }
}

/* Of the blocks set aside, the first that can go on becomes the current one. */
static bool go_on(Run *run)
{
    if (exec_block) {
        if (exec_block->fibers) return false;
        bool any = false;
        for (Block *b = run->suspended; b && !any; b = b->next) any = can_go_on(b);
        if (!any) return false;
        end_block(exec_block);
        block_free(exec_block);
        exec_block = NULL;
    }
    /* of the cluster that went on last, if there are any: what is known of the shared memory of a
     * cluster is that of one at a time */
    Block *b = run->suspended, *first = NULL;
    for (; b && !(can_go_on(b) && b->cluster && b->cluster == run->went_on); b = b->next)
        if (!first && can_go_on(b)) first = b;
    if (!b) b = first;
    if (b) run->went_on = b->cluster;
    return b && bring(run, b);
}

/* The current block cannot go on. Finds one that can: one that has not begun, then those set aside,
 * in order. False: the grid has ended or polls. */
static bool next_block(Run *run)
{
    if (exec_block && exec_block->fibers) set_aside(run);
    if (exec_order == EXEC_WATCHED) watch_order(run);
    if (exec_order == EXEC_SPREAD) return begin_spread(run);
    if (!cluster_is_open(run) && cluster_blocks(run) > 1 && go_on(run)) return true;
    if ((cluster_is_open(run) || has_room(run)) && begin_block(run)) return true;
    if (exec_block) {
        end_block(exec_block);
        block_free(exec_block);
        exec_block = NULL;
    }
    release_grid(run);
    if (go_on(run)) return true;
    cluster_deadlock(run);
    barrier_deadlock(run);
    return false;
}

/* Who runs next: NULL, the scheduler's caller. The fiber returned may be the running one. */
static Fiber *next_after_settle(void)
{
    for (;;) {
        Block *b = exec_block;
        if (__builtin_expect(inside_ranked, 0)) wake_pollers(b);
        if (takes_ready(b)) return next_ready(b);
        if (b->started < b->total) {
            Fiber *f = fiber_take(fiber_main);
            if (!f)
                exec_fault(EXEC_NO_MEMORY, NULL, NULL, 0,
                           "no memory for the stacks of the threads that wait");
            begin_loop();
            return f;
        }
        if (settle()) continue;
        if (!next_block(exec_run)) return NULL;
    }
}

static void fiber_main(void)
{
    exec_count_goes_on();
    for (;;) {
        /* here the fiber has been given threads by begin_loop */
        exec_run->launch.run_block(exec_run->launch.closure);
        Block *b = exec_block;
        Fiber *me = exec_fiber;
        if (threelane_lost()) {
            b->fibers--;
            b->warps[me->linear / 32].alive &= ~(1u << me->linear % 32);
            exec_progress++;
        } else {
            b->started = b->total;
        }
        for (;;) {
            b = exec_block;
            if (__builtin_expect(inside_ranked, 0) && b) wake_pollers(b);
            if (!takes_ready(b) && b->started < b->total) {
                begin_loop(); /* on this fiber */
                break;
            }
            if (b->ready_at == b->n_ready) {
                if (settle()) continue;
                if (next_block(exec_run)) continue;
            }
            Fiber *next = exec_block && exec_block->ready_at < exec_block->n_ready
                              ? next_ready(exec_block)
                              : NULL;
            fiber_give_back(me);
            exec_fiber = next;
            exec_count_stops();
            fiber_switch(&me->sp, next ? next->sp : main_sp);
            exec_count_goes_on();
            exec_fiber = me; /* taken again, to go on with a loop */
            break;
        }
    }
}

void schedule_init(void)
{
    static bool done;
    if (done) return;
    done = true;
    footprint_tls_own(&threelane_self, sizeof threelane_self);
    footprint_tls_own(&threelane_dynamic_at, sizeof threelane_dynamic_at);
    footprint_tls_own(&threelane_static_at, sizeof threelane_static_at);
    footprint_tls_own(threelane_block_here, sizeof threelane_block_here);
    footprint_tls_own(&exec_block, sizeof exec_block);
    footprint_tls_own(&exec_fiber, sizeof exec_fiber);
    footprint_tls_own(&exec_kernel, sizeof exec_kernel);
    footprint_tls_own(&exec_accesses, sizeof exec_accesses);
    footprint_tls_own(&exec_counted_from, sizeof exec_counted_from);
    footprint_tls_own(&exec_progress, sizeof exec_progress);
    footprint_tls_own(&exec_time, sizeof exec_time);
    footprint_tls_own(&exec_trap_top, sizeof exec_trap_top);
    footprint_tls_own(&main_sp, sizeof main_sp);
    footprint_tls_own(&spare, sizeof spare);
    footprint_tls_own(&polled, sizeof polled);
    footprint_tls_own(&polls_age, sizeof polls_age);
    fiber_own(footprint_tls_own);
}

void schedule_run(Run *run)
{
    memcpy(threelane_block_dim, &run->launch.block, sizeof run->launch.block);
    memcpy(threelane_grid_dim, &run->launch.grid, sizeof run->launch.grid);
    threelane_dynamic_bytes = run->launch.shared_bytes;
    exec_run = run;
    exec_block = NULL;
    shared_begin_run();
    cluster_begin_run();
    race_begin();
    polled = main_polled;
    polls_age++;
    exec_order = may_spread(run) ? EXEC_WATCHED : EXEC_ONE_BY_ONE;
    run->spread_began = exec_order ? ticks() : 0;
    uint64_t before = ++exec_progress; /* pollers of a run that is resumed try again */
    exec_count_goes_on();              /* next_block asks for it */
    if (!next_block(run)) return;
    Fiber *next = next_after_settle();
    exec_fiber = next;
    if (next) fiber_switch(&main_sp, next->sp);
    if (exec_order == EXEC_SPREAD) {
        spread_end();
        depend_spread_over(run);
    }
    exec_order = EXEC_ONE_BY_ONE;
    run->steps += exec_progress - before;
}

/* ---- barriers ---- */

static inline void arrive(const char *file, int line)
{
    Fiber *me = keep_fiber();
    Block *b = exec_block;
    me->file = file;
    me->line = line;
    if (b->n_sync == 0) {
        b->sync_line = (uint32_t)line;
        b->sync_file = file;
        b->sync_mixed = false;
    } else if (__builtin_expect(b->sync_line != (uint32_t)line || b->sync_file != file, 0)) {
        if (b->sync_line != (uint32_t)line || strcmp(b->sync_file, file) != 0) b->sync_mixed = true;
    }
    if (__builtin_expect(exec_time.used, 0) && me->local_ns > b->sync_ns) b->sync_ns = me->local_ns;
    b->sync[b->n_sync++] = me;
    wait_turn(me, b);
}

void threelane_sync(const char *file, int line)
{
    if (!exec_run) return;
    arrive(file, line);
}

int threelane_sync_vote(int predicate, int kind, const char *file, int line)
{
    if (!exec_run) return predicate;
    Block *b = exec_block;
    b->sync_votes += predicate != 0;
    if (b->n_sync && b->sync_kind != 1 + kind) b->sync_mixed = true;
    b->sync_kind = 1 + kind;
    arrive(file, line);
    return exec_block->sync_result;
}

_Noreturn void exec_cluster_barrier_fault(uint64_t cluster, uint32_t waiting, const Fiber *here,
                                          const Block *of, uint32_t others, const Fiber *other)
{
    char text[300];
    snprintf(text, sizeof text,
             "the cluster's barrier never completes: in cluster %llu, %u threads wait at {line2}, "
             "and %u of block (%u,%u,%u) %s",
             (unsigned long long)cluster, waiting, others, of->index[0], of->index[1], of->index[2],
             other ? "wait at {line1}" : "never come");
    if (other) exec_report_barrier(other->file, other->line, here->file, here->line, text);
    else exec_report_barrier(here->file, here->line, NULL, 0, text);
    char more[120] = "never come";
    if (other) snprintf(more, sizeof more, "wait at %s:%d", base_name(other->file), other->line);
    exec_fault(EXEC_LAUNCH_FAILURE, NULL, here->file, here->line,
               "the cluster's barrier never completes: in cluster %llu, %u threads wait at %s:%d, "
               "and %u of block (%u,%u,%u) %s",
               (unsigned long long)cluster, waiting, base_name(here->file), here->line, others,
               of->index[0], of->index[1], of->index[2], more);
}

void exec_wait_in(Fiber **list, uint32_t *n, const char *file, int line)
{
    Fiber *me = keep_fiber();
    me->file = file;
    me->line = line;
    list[(*n)++] = me;
    wait_turn(me, exec_block);
}

void exec_ready(Block *b, Fiber *f)
{
    Block *running = exec_block;
    exec_block = b;
    make_ready(f);
    exec_block = running;
}

void block_wait(const void *barrier, bool briefly, const char *file, int line)
{
    Fiber *me = keep_fiber();
    Block *b = exec_block;
    me->barrier = barrier;
    me->file = file;
    me->line = line;
    if (briefly) b->polling[b->n_polling++] = me;
    else b->waiting[b->n_waiting++] = me;
    wait_turn(me, b);
    me->barrier = NULL;
}

void block_wake(const void *barrier, uint64_t local_ns)
{
    Block *b = exec_block;
    uint32_t left = 0;
    exec_progress++;
    for (uint32_t i = 0; i < b->n_waiting; i++) {
        Fiber *f = b->waiting[i];
        if (f->barrier != barrier) {
            b->waiting[left++] = f;
            continue;
        }
        if (f->local_ns < local_ns) f->local_ns = local_ns;
        make_ready(f);
    }
    b->n_waiting = left;
}

int threelane_is_cooperative(void) { return exec_run && exec_run->launch.cooperative; }

void threelane_sync_grid(const char *file, int line)
{
    if (!exec_run) return;
    if (!exec_run->launch.cooperative) {
        exec_report_deadlock(
            file, line,
            "the grid's barrier is used in a kernel that was not launched "
            "cooperatively",
            "its blocks need not be there at the same time; a card ends the kernel with "
            "719, unspecified launch failure",
            "launch it with cudaLaunchCooperativeKernel(), or with the attribute "
            "cudaLaunchAttributeCooperative");
        exec_fault(EXEC_LAUNCH_FAILURE, NULL, file, line,
                   "the grid's barrier, in a kernel that was not launched cooperatively: launch it "
                   "with cudaLaunchCooperativeKernel(), %s",
                   exec_where());
    }
    Fiber *me = keep_fiber();
    Block *b = exec_block;
    me->file = file;
    me->line = line;
    b->grid[b->n_grid++] = me;
    wait_turn(me, b);
}

void schedule_depend(const char *file, int line)
{
    Fiber *me = keep_fiber();
    Block *b = exec_block;
    me->file = file;
    me->line = line;
    b->depend[b->n_depend++] = me;
    wait_turn(me, b);
    clock_thread_resumed();
}

bool schedule_depended(Run *run, uint64_t local_ns)
{
    bool any = false;
    for (Block *b = run->suspended; b; b = b->next) {
        for (uint32_t i = 0; i < b->n_depend; i++) {
            Fiber *f = b->depend[i];
            if (f->local_ns < local_ns) {
                if (local_ns - f->local_ns > run->pub.held_ns)
                    run->pub.held_ns = local_ns - f->local_ns;
                f->local_ns = local_ns;
            }
            if (f->local_ns > b->longest_ns) b->longest_ns = f->local_ns;
            if (f->local_ns > run->longest_ns) run->longest_ns = f->local_ns;
            if (f->local_ns < run->pub.depended_ns) run->pub.depended_ns = f->local_ns;
            if (b->ready_at == b->n_ready) b->ready_at = b->n_ready = 0;
            b->ready[b->n_ready++] = f;
            any = true;
        }
        b->n_depend = 0;
    }
    return any;
}

/* ---- warps ---- */

/* Not of the program: lanes make a volatile access, whose place is the value, in step
 * (exec_in_step). */
#define IN_STEP ((ThreelaneWarpOp)(THREELANE_REDUCE_XOR + 1))

static uint32_t lanes_below(uint32_t count, uint32_t warp)
{
    if (count <= warp * 32) return 0;
    return count - warp * 32 >= 32 ? ~0u : (1u << (count - warp * 32)) - 1;
}

static uint32_t reduce(ThreelaneWarpOp op, uint32_t a, uint32_t b)
{
    switch (op) {
    case THREELANE_REDUCE_ADD: return a + b;
    case THREELANE_REDUCE_MIN: return (int32_t)b < (int32_t)a ? b : a;
    case THREELANE_REDUCE_MAX: return (int32_t)b > (int32_t)a ? b : a;
    case THREELANE_REDUCE_UMIN: return b < a ? b : a;
    case THREELANE_REDUCE_UMAX: return b > a ? b : a;
    case THREELANE_REDUCE_AND: return a & b;
    case THREELANE_REDUCE_OR: return a | b;
    default: return a ^ b;
    }
}

/* The lane that a shuffle reads; its own when the one asked for is outside its segment. */
static uint32_t shuffle_source(const Fiber *f, uint32_t lane, int *in_range)
{
    uint32_t width = f->width, base = lane & ~(width - 1), source;
    switch (f->op) {
    case THREELANE_SHFL_IDX: source = base + (f->lane & (width - 1)); break;
    case THREELANE_SHFL_UP: source = f->lane > lane - base ? ~0u : lane - f->lane; break;
    case THREELANE_SHFL_DOWN: source = f->lane >= width ? ~0u : lane + f->lane; break;
    default: source = lane ^ f->lane; break;
    }
    *in_range = source < base + width;
    return *in_range ? source : lane;
}

/* All of lanes are here: gives each its result. */
static void complete(Warp *w, uint32_t lanes)
{
    Fiber *first = w->lane[__builtin_ctz(lanes)];
    ThreelaneWarpOp op = (ThreelaneWarpOp)first->op;
    uint32_t ballot = 0, sum = (uint32_t)first->value;
    bool same = true;
    uint64_t latest = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        const Fiber *f = w->lane[i];
        if (f->op != first->op) {
            exec_alone_at_end();
            exec_report_barrier(first->file, first->line, f->file, f->line,
                                "lanes of one warp meet in different warp "
                                "primitives, at {line1} and {line2}");
            exec_fault(EXEC_LAUNCH_FAILURE, NULL, f->file, f->line,
                       "lanes of one warp meet in different warp primitives: lane %d at %s:%d, "
                       "lane %u at %s:%d",
                       __builtin_ctz(lanes), base_name(first->file), first->line, i,
                       base_name(f->file), f->line);
        }
        if (f->value) ballot |= 1u << i;
        if (f != first && op >= THREELANE_REDUCE_ADD) sum = reduce(op, sum, (uint32_t)f->value);
        same = same && f->value == first->value;
        if (f->local_ns > latest) latest = f->local_ns;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest), source;
        Fiber *f = w->lane[i];
        switch (op) {
        case THREELANE_SHFL_IDX:
        case THREELANE_SHFL_UP:
        case THREELANE_SHFL_DOWN:
        case THREELANE_SHFL_XOR:
            source = shuffle_source(f, i, &f->flag);
            f->result = lanes >> source & 1 ? w->lane[source]->value : f->value;
            break;
        case THREELANE_BALLOT: f->result = ballot; break;
        case THREELANE_MATCH_ANY:
            f->result = 0;
            for (uint32_t k = lanes; k; k &= k - 1)
                if (w->lane[__builtin_ctz(k)]->value == f->value) f->result |= k & -k;
            break;
        case THREELANE_MATCH_ALL:
            f->result = same ? lanes : 0;
            f->flag = same;
            break;
        case THREELANE_WARP_SYNC:
        case THREELANE_WARP_ACTIVE: f->result = lanes; break;
        default: f->result = sum;
        }
        f->local_ns = latest;
    }
    w->pending &= ~lanes;
    if (op == THREELANE_WARP_SYNC && exec_order != EXEC_SPREAD) {
        unsigned warp = (unsigned)(w - exec_block->warps);
        shared_warp_barrier(warp, lanes, lanes == lanes_below(exec_block->total, warp));
        race_warp(warp * 32, lanes);
    }
}

/* A warp primitive is for the lanes of a mask, or for those that happen to come to the same
 * place. */
typedef enum Meeting { BY_MASK, BY_LINE, BY_PLACE } Meeting;
static Meeting meeting(const Fiber *f)
{
    return f->op == THREELANE_WARP_ACTIVE ? BY_LINE : f->op == (int)IN_STEP ? BY_PLACE : BY_MASK;
}

/* The lanes that wait together with lane i. */
static uint32_t companions(const Warp *w, uint32_t i)
{
    const Fiber *f = w->lane[i];
    Meeting how = meeting(f);
    uint32_t lanes = 0;
    for (uint32_t rest = w->pending; rest; rest &= rest - 1) {
        const Fiber *g = w->lane[__builtin_ctz(rest)];
        if (meeting(g) != how) continue;
        if (how == BY_LINE    ? g->line == f->line
            : how == BY_PLACE ? g->value == f->value
                              : g->mask == f->mask)
            lanes |= rest & -rest;
    }
    return lanes;
}

/* Lanes that have come apart meet again if those go on first that are behind in the code. */
static uint64_t earliest_place(const Warp *w)
{
    uint64_t earliest = UINT64_MAX;
    for (uint32_t rest = w->pending; rest; rest &= rest - 1) {
        const Fiber *f = w->lane[__builtin_ctz(rest)];
        if (meeting(f) == BY_PLACE && f->value < earliest) earliest = f->value;
    }
    return earliest;
}

/* Completes the groups whose missing lanes have exited; partly: __activemask() with those who have
 * come. */
static bool settle_warps(bool partly)
{
    Block *b = exec_block;
    bool any = false;
    for (uint32_t n = 0; n < (b->total + 31) / 32; n++) {
        Warp *w = &b->warps[n];
        uint32_t here = lanes_below(b->total, n) & w->alive;
        uint64_t earliest = partly ? earliest_place(w) : 0;
        for (uint32_t rest = w->pending; rest;) {
            uint32_t i = (uint32_t)__builtin_ctz(rest), lanes = companions(w, i);
            rest &= ~lanes;
            Meeting how = meeting(w->lane[i]);
            bool enough =
                partly && (how == BY_LINE || (how == BY_PLACE && w->lane[i]->value == earliest));
            if (w->lane[i]->mask & here & ~lanes && !enough) continue;
            complete(w, lanes);
            for (uint32_t k = lanes; k; k &= k - 1)
                make_ready(w->lane[__builtin_ctz(k)]), b->in_warp--;
            any = true;
        }
    }
    exec_progress += any;
    return any;
}

uint64_t threelane_warp(ThreelaneWarpOp op, unsigned mask, uint64_t value, unsigned lane,
                        unsigned width, int *flag, const char *file, int line)
{
    if (!exec_run) return value;
    Block *b = exec_block;
    Fiber *me = exec_fiber;
    uint32_t linear = threelane_rank(), i = linear % 32;
    Warp *w = &b->warps[linear / 32];
    if (op == THREELANE_WARP_ACTIVE || op == IN_STEP) mask = ~0u;
    mask &= lanes_below(b->total, linear / 32);
    if (!(mask >> i & 1)) {
        exec_alone_at_end();
        char text[120];
        snprintf(text, sizeof text,
                 "lane %u of a warp calls a warp primitive with a mask (0x%08x) that does not name "
                 "it",
                 i, mask);
        exec_report_barrier(file, line, NULL, 0, text);
        exec_fault(EXEC_LAUNCH_FAILURE, NULL, file, line,
                   "lane %u calls a warp primitive with a mask (0x%08x) that "
                   "does not name it, %s",
                   i, mask, exec_where());
    }
    if (width == 0 || width > 32 || (width & (width - 1)))
        exec_fault(EXEC_LAUNCH_FAILURE, NULL, file, line,
                   "a shuffle's width is %u; it must be 1, 2, 4, 8, 16 or 32", width);
    me->op = (int)op;
    me->mask = mask;
    me->value = value;
    me->lane = lane;
    me->width = width;
    me->file = file;
    me->line = line;
    if (!w->pending) {
        w->mask = mask;
        w->mixed = op == THREELANE_WARP_ACTIVE || op == IN_STEP;
    } else if (w->mask != mask || op == THREELANE_WARP_ACTIVE || op == IN_STEP) {
        w->mixed = true;
    }
    w->lane[i] = me;
    w->pending |= 1u << i;
    uint32_t lanes = w->mixed ? companions(w, i) : w->pending;
    if (lanes == mask) {
        me->local_ns = exec_local_ns(linear);
        complete(w, lanes);
        for (uint32_t k = lanes & ~(1u << i); k; k &= k - 1)
            make_ready(w->lane[__builtin_ctz(k)]), b->in_warp--;
        exec_set_local_ns(linear, me->local_ns);
        exec_progress++;
    } else {
        keep_fiber();
        b->in_warp++;
        wait_turn(me, b);
    }
    if (flag) *flag = me->flag;
    return me->result;
}

void exec_in_step(const void *pc)
{
    if (exec_block->total > 1) threelane_warp(IN_STEP, ~0u, (uintptr_t)pc, 0, 32, NULL, NULL, 0);
}

/* ---- polling ---- */

/* It has read the same again and again: others get a turn. */
static void polls(Fiber *me, uintptr_t address, uint64_t value)
{
    exec_in_order();
    exec_report_poll(address);
    Block *b = exec_block;
    unsigned k = 0;
    while (k < 4 && (me->polled[k].address != address || me->polled[k].value != value)) k++;
    if (k == 4) { /* it has come further than the last time it waited here */
        exec_progress++;
        k = me->polled_next++ % 4;
        me->polled[k].address = address;
        me->polled[k].value = value;
    }
    b->polling[b->n_polling++] = me;
    wait_turn(me, b);
    polls_age++;
}

void exec_poll(uintptr_t address, uint64_t value)
{
    uint32_t linear = threelane_rank();
    struct Polled *p = &polled[linear % POLL_LANES][(address >> 2 ^ address >> 7) % POLL_PLACES];
    if (p->age != polls_age || p->address != address || p->value != value || p->thread != linear)
        *p = (struct Polled){address, value, linear, 0, polls_age};
    else if (++p->repeats >= POLL_REPEATS) polls(keep_fiber(), address, value);
}

void exec_poll_in_step(uintptr_t address, uint64_t value)
{
    if (exec_block->total == 1) {
        exec_poll(address, value);
        return;
    }
    Fiber *me = keep_fiber();
    bool again = me->in_step.address == address && me->in_step.value == value;
    me->in_step.repeats = again ? me->in_step.repeats + 1 : 0;
    me->in_step.address = address;
    me->in_step.value = value;
    if (me->in_step.repeats >= POLL_REPEATS) polls(me, address, value);
}

/* ---- ends ---- */

static void drop(Fiber *f, bool *current)
{
    if (f == exec_fiber) *current = true;
    fiber_reset(f, fiber_main);
    fiber_give_back(f);
}

static void abandon_block(Block *b, bool *current)
{
    for (uint32_t i = b->ready_at; i < b->n_ready; i++) drop(b->ready[i], current);
    for (uint32_t i = 0; i < b->n_sync; i++) drop(b->sync[i], current);
    for (uint32_t i = 0; i < b->n_polling; i++) drop(b->polling[i], current);
    for (uint32_t i = 0; i < b->n_grid; i++) drop(b->grid[i], current);
    for (uint32_t i = 0; b->cluster && i < b->n_cluster; i++) drop(b->cluster_wait[i], current);
    for (uint32_t i = 0; i < b->n_waiting; i++) drop(b->waiting[i], current);
    for (uint32_t i = 0; i < b->n_depend; i++) drop(b->depend[i], current);
    for (int n = 0; n < 32; n++)
        for (uint32_t lanes = b->warps[n].pending; lanes; lanes &= lanes - 1) {
            Fiber *f = b->warps[n].lane[__builtin_ctz(lanes)];
            if (f != exec_fiber) drop(f, current); /* that one is dropped last */
        }
    block_free(b);
}

/* What a helper has of its own: shared memory, a stack to go on at after a trap, its block. */
static void set_up_helper(void)
{
    enum { TRAP = 64 << 10, LISTS = 6 * 1024 * sizeof(Fiber *) };
    if (threelane_static_at) return;
    char *at = mmap(NULL, THREELANE_DYNAMIC_SHARED + TRAP + LISTS + sizeof(Block),
                    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        host_fatal(HOST_STATUS_CRASH, (TraceSite){0}, "out of memory for the blocks of a kernel");
    threelane_dynamic_at = at;
    exec_trap_top = at + THREELANE_DYNAMIC_SHARED + TRAP;
    Fiber **lists = (Fiber **)exec_trap_top;
    spare = (Block *)(lists + 6 * 1024);
    *spare = (Block){.ready = lists,
                     .sync = lists + 1024,
                     .polling = lists + 2048,
                     .grid = lists + 3072,
                     .waiting = lists + 4096,
                     .depend = lists + 5120};
    /* variables lie at the same distance from one another on every OS thread */
    threelane_static_at = main_static_at + (uintptr_t)&threelane_self - main_self_at;
}

static void abandon_current(void)
{
    bool current = exec_fiber == NULL;
    if (exec_block) abandon_block(exec_block, &current);
    exec_block = NULL;
    if (!current) drop(exec_fiber, &current);
    exec_fiber = NULL;
}

/* A helper's part of a kernel. */
static void spread_work(void)
{
    Run *run = exec_run;
    PolledPlaces places = {0};
    set_up_helper();
    exec_kernel = 1;
    exec_accesses = 0;
    exec_time = (ExecTime){0};
    exec_progress = 1;
    polled = places;
    polls_age = 1;
    exec_count_goes_on();
    Fiber *next = next_block(run) ? next_after_settle() : NULL;
    exec_fiber = next;
    if (next) fiber_switch(&main_sp, next->sp);
    exec_kernel = 0;
    abandon_current();
    depend_spread_over(run);
    __atomic_fetch_add(&run->pub.accesses, exec_accesses, __ATOMIC_RELAXED);
}

void schedule_abandon(Run *run)
{
    bool current = exec_fiber == NULL;
    if (exec_block) abandon_block(exec_block, &current);
    exec_block = NULL;
    for (Block *b = run->suspended, *next; b; b = next) {
        next = b->next;
        abandon_block(b, &current);
    }
    run->suspended = NULL;
    run->suspended_tail = &run->suspended;
    cluster_abandon(run);
    if (!current) drop(exec_fiber, &current);
    exec_fiber = NULL;
}

_Noreturn void schedule_leave(void)
{
    void *unused;
    exec_count_stops();
    fiber_switch(&unused, main_sp);
    __builtin_unreachable();
}
