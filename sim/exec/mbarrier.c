#include "sim/exec/mbarrier.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/exec/cluster.h"
#include "sim/exec/inside.h"
#include "sim/exec/race.h"
#include "sim/hazard/symbols.h"

#define CALLER ((const char *)__builtin_return_address(0) - 1)

enum { MOST = (1 << 20) - 1, THREADS = SHARED_THREADS, NAMED = 3 * 256 };

/* A copy that is going on. Those of a thread's groups are in its list, those that a barrier stands
 * for in the barrier's. */
typedef struct Copy {
    struct Copy *next;
    char *to;
    const char *from;
    size_t bytes, filled; /* of the source; the rest are zeros */
    uint32_t thread;
    uint32_t group;
    const void *pc;
} Copy;

/* What a thread has begun. */
typedef struct Begun {
    Copy *first, *last;
    uint32_t open; /* the group that takes more copies */
} Begun;
typedef struct BlockCopies {
    Begun loads[THREADS], stores[THREADS];
} BlockCopies;

/* An arrival that comes when what its thread had begun has landed. */
typedef struct Later {
    struct Later *next;
    uint32_t thread, last; /* the group it stands for, and those before */
} Later;

typedef struct Mbarrier {
    struct Mbarrier *next;
    uint64_t *at, word;         /* what lies there, if nobody else has written to it */
    uint32_t expected, pending; /* arrivals: of each phase, and still to come in this one */
    uint32_t n_later, n_more;   /* of these: when copies have landed; of those, not in expected */
    int64_t bytes;              /* of bulk copies, still to come */
    uint64_t phase;             /* phases that are complete */
    Later *later;
    Copy *copies;
    uint64_t latest_ns, done_ns; /* the latest clock among those who arrived; in the phase before */
    uint32_t number;             /* among the block's */
    uint32_t generation;         /* of what is known of its init() */
    SharedMeeting *meeting;
    uint64_t made;       /* the key of its init() (shared_key) */
    const void *made_pc; /* NULL: a race with it has been told */
    int use;
    uint32_t id; /* of one that is NAMED */
    const void *owner;
    const char *file;
    int line;
} Mbarrier;

enum { TABLE = 16 };
typedef struct BlockBarriers {
    Mbarrier *table[TABLE];
    uint32_t n;
    BlockCopies *copies;
    Mbarrier *named;   /* those that have a number instead of a place */
    uint64_t *scratch; /* what threads of a tile leave for one another; NULL: nothing yet */
} BlockBarriers;
enum {
    PIECES = 4,
    TILE = 1 << 30
}; /* of scratch for a thread; a tile's number: its first thread */

static Copy *spare_copies;

static BlockBarriers *of_block(Block *b)
{
    if (!b->barriers) {
        b->barriers = exec_allocate(sizeof *b->barriers);
        *b->barriers = (BlockBarriers){0};
    }
    return b->barriers;
}

static Mbarrier **slot(BlockBarriers *all, const void *at)
{
    return &all->table[((uintptr_t)at >> 3) % TABLE];
}

static Mbarrier *find(const void *at)
{
    BlockBarriers *all = exec_block->barriers;
    Mbarrier *m = all ? *slot(all, at) : NULL;
    while (m && m->at != at) m = m->next;
    if (m || !all) return m;
    for (m = all->named; m && m->at != at;) m = m->next;
    return m;
}

int threelane_is_shared(const void *address)
{
    return exec_run &&
           ((uintptr_t)address - threelane_static_at < threelane_static_bytes ||
            (uintptr_t)address - (uintptr_t)threelane_dynamic_at < THREELANE_DYNAMIC_SHARED);
}

void *threelane_shared_at(uint64_t address)
{
    uint32_t from_static = (uint32_t)address - (uint32_t)threelane_static_at,
             from_dynamic = (uint32_t)address - (uint32_t)(uintptr_t)threelane_dynamic_at;
    if (address > UINT32_MAX) return (void *)(uintptr_t)address;
    if (from_static < threelane_static_bytes) return (void *)(threelane_static_at + from_static);
    if (from_dynamic < THREELANE_DYNAMIC_SHARED) return threelane_dynamic_at + from_dynamic;
    uint32_t from_window = (uint32_t)address - (uint32_t)cluster_base; /* of other blocks */
    if (from_window < cluster_bytes) return (char *)cluster_base + from_window;
    return (void *)(uintptr_t)address;
}

int threelane_is_global(const void *address)
{
    bool guard;
    return exec_run && !threelane_is_shared(address) && !fiber_owns((uintptr_t)address, &guard);
}

/* ---- what a barrier is called ---- */

static const char *base_name(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? slash + 1 : file ? file : "?";
}

static void variable_name(const void *at, char *text, size_t size)
{
    uintptr_t dynamic = (uintptr_t)at - (uintptr_t)threelane_dynamic_at;
    const Variable *v = symbols_at((uintptr_t)at);
    size_t offset = v ? (uintptr_t)at - v->address : 0;
    if (dynamic < THREELANE_DYNAMIC_SHARED)
        snprintf(text, size, "the barrier %zu bytes into dynamic shared memory", (size_t)dynamic);
    else if (!v) snprintf(text, size, "a barrier");
    else if (v->bytes == 8) snprintf(text, size, "%s", v->name);
    else if (v->bytes % 8 == 0) snprintf(text, size, "%s[%zu]", v->name, offset / 8);
    else snprintf(text, size, "the barrier in %s", v->name);
}

static void barrier_name(const Mbarrier *m, char *text, size_t size)
{
    char owner[100];
    if (m->use == NAMED && m->id & TILE) {
        snprintf(text, size, "the barrier of the tile of threads %u-%u", m->id & ~(unsigned)TILE,
                 (m->id & ~(unsigned)TILE) + m->expected - 1);
        return;
    }
    if (m->use == NAMED) {
        snprintf(text, size, "barrier %u of the block", m->id);
        return;
    }
    if (!m->owner) {
        variable_name(m->at, text, size);
        return;
    }
    const Variable *v = symbols_at((uintptr_t)m->owner);
    snprintf(owner, sizeof owner, "%s%s", v ? " " : "", v ? v->name : "");
    snprintf(text, size, "stage %d of the pipeline%s", m->use % 256, owner);
}

static uint32_t arrived(const Mbarrier *m)
{
    uint32_t all = m->expected + m->n_more;
    return all > m->pending ? all - m->pending : 0;
}

/* "32 of 96 threads have committed in phase 2" */
static void state_text(const Mbarrier *m, char *text, size_t size)
{
    static const char *const come[] = {"arrivals have come", "threads have committed",
                                       "threads have released it", "threads have come"};
    char bytes[80] = "";
    uint32_t here = arrived(m);
    if (m->bytes)
        snprintf(bytes, sizeof bytes, ", and %lld bytes of bulk copies are %s",
                 (long long)(m->bytes > 0 ? m->bytes : -m->bytes),
                 m->bytes > 0 ? "still expected" : "more than was expected");
    snprintf(text, size, "%u of %u %s in phase %llu%s", here, m->expected, come[m->use / 256 % 4],
             (unsigned long long)m->phase, bytes);
}

/* ---- the barrier itself ---- */

static void put_word(Mbarrier *m)
{
    m->word = (m->phase & 1) << 63 | (uint64_t)(m->expected & MOST) << 40 |
              (uint64_t)(m->number & 0xfff) << 24 | (m->pending & MOST);
    *m->at = m->word;
}

static _Noreturn void misuse(const void *at, const char *file, int line, const char *what)
{
    char name[160], text[400];
    variable_name(at, name, sizeof name);
    snprintf(text, sizeof text, "%s %s", name, what);
    exec_kernel = 0;
    exec_report_deadlock(
        file, line, text, "a barrier in shared memory is what init() makes of it",
        "call init() once, by one thread, and __syncthreads() before others use it");
    exec_fault(EXEC_LAUNCH_FAILURE, NULL, file, line, "%s, %s", text, exec_where());
}

/* The barrier there, which is about to be used. */
static Mbarrier *used(const void *at, SharedUse use, const char *file, int line, const void *pc)
{
    Mbarrier *m = find(at);
    if ((uintptr_t)at % 8) {
        exec_report_misaligned((uintptr_t)at, 8, NULL, use != SHARED_ATOMIC_READ, pc, file,
                               (uint32_t)line);
        exec_fault(EXEC_MISALIGNED, pc, file, line, "misaligned address: a barrier at %p, %s", at,
                   exec_where());
    }
    if (!m) misuse(at, file, line, "is used before init() has been called for it");
    if (*m->at != m->word)
        misuse(at, file, line, "has been overwritten: something else was stored where it lies");
    exec_accesses++;
    if (!shared_on) return m;
    if (m->made_pc && m->generation == shared_generation && !shared_comes_after(m->made)) {
        uint32_t maker = (uint32_t)(m->made >> SHARED_PC_BITS) & (THREADS - 1);
        exec_report_shared_race((uintptr_t)at, 8, maker, SHARED_WRITE, m->made_pc, use, pc);
        m->made_pc = NULL;
    }
    shared_access((uintptr_t)at, 8, use, pc);
    return m;
}

static void forget_copies(Copy **list)
{
    for (Copy *c = *list, *next; c; c = next) {
        next = c->next;
        c->next = spare_copies;
        spare_copies = c;
    }
    *list = NULL;
}

static void forget(Mbarrier *m)
{
    for (Later *l = m->later, *next; l; l = next) next = l->next, free(l);
    forget_copies(&m->copies);
    shared_meeting_ends(&m->meeting);
    free(m);
}

int threelane_barrier_is_here(uintptr_t at, const char *file, int line)
{
    uintptr_t own;
    if (threelane_is_shared((const void *)at)) return 1;
    if (exec_run) exec_in_order();
    if (!exec_run || !exec_run->clusters || !cluster_owner(at, &own)) return 0;
    exec_kernel = 0;
    exec_report_deadlock(
        file, line, "a barrier in the shared memory of another block is used",
        "a cuda::barrier is for its own block; a card traps here, too",
        "use the cluster's barrier, this_cluster().sync(), or a barrier of the own block");
    exec_fault(EXEC_LAUNCH_FAILURE, NULL, file, line,
               "a barrier in the shared memory of another block, %s", exec_where());
}

void threelane_barrier_init(void *at, unsigned expected, int use, const void *owner,
                            const char *file, int line)
{
    if (!exec_run) return;
    exec_in_order();
    const Mbarrier *made = find(at);
    if (shared_on && made && made->expected == expected && made->pending == expected &&
        !made->phase && *made->at == made->word && made->generation == shared_generation &&
        !shared_comes_after(made->made))
        return; /* several threads make the same of it before anybody uses it */
    exec_announce((uintptr_t)at, 8, true, CALLER);
    if (expected > MOST)
        exec_fault(EXEC_LAUNCH_FAILURE, NULL, file, line,
                   "init() of a barrier for %u arrivals; the most are %d, %s", expected, MOST,
                   exec_where());
    BlockBarriers *all = of_block(exec_block);
    Mbarrier **list = slot(all, at), *m = find(at), *new = exec_allocate(sizeof *new);
    uint32_t number = m ? m->number : all->n++;
    if (m) {
        while (*list != m) list = &(*list)->next;
        *list = m->next;
        forget(m);
    }
    *new = (Mbarrier){.next = *slot(all, at),
                      .at = at,
                      .expected = expected,
                      .pending = expected,
                      .number = number,
                      .generation = shared_generation,
                      .made = shared_on ? shared_key(NULL) : 0,
                      .made_pc = shared_on ? CALLER : NULL,
                      .use = use,
                      .owner = owner,
                      .file = file,
                      .line = line};
    *slot(all, at) = new;
    put_word(new);
}

void threelane_barrier_invalidate(void *at, const char *file, int line)
{
    if (!exec_run) return;
    exec_in_order();
    Mbarrier *m = used(at, SHARED_WRITE, file, line, CALLER), **list;
    for (list = slot(exec_block->barriers, at); *list != m; list = &(*list)->next) {}
    *list = m->next;
    forget(m);
}

/* Where order.h keeps what those know who arrived in a phase: two phases are never both of use. */
static uintptr_t order_key(const Mbarrier *m, uint64_t phase)
{
    return (uintptr_t)m->at + (phase & 1);
}

/* What the running thread did comes before the end of the phase. */
static void release(Mbarrier *m)
{
    uint64_t now_ns = exec_local_ns(threelane_rank());
    if (now_ns > m->latest_ns) m->latest_ns = now_ns;
    shared_arrive(&m->meeting);
    race_fence(true);
    race_release(order_key(m, m->phase), true);
}

/* The latest phase is complete, and the running thread has seen it. */
static void acquire(Mbarrier *m)
{
    uint32_t me = threelane_rank();
    if (exec_time.used && exec_local_ns(me) < m->done_ns) exec_set_local_ns(me, m->done_ns);
    shared_pass(&m->meeting);
    race_acquire(order_key(m, m->phase - 1));
}

/* ---- copies ---- */

static Begun *begun(bool loads)
{
    BlockBarriers *all = of_block(exec_block);
    if (!all->copies) {
        all->copies = exec_allocate(sizeof *all->copies);
        memset(all->copies, 0, sizeof *all->copies);
    }
    return &(loads ? all->copies->loads : all->copies->stores)[threelane_rank()];
}

static Copy *new_copy(void *to, const void *from, size_t bytes, size_t filled, const void *pc)
{
    Copy *c = spare_copies;
    if (c) spare_copies = c->next;
    else c = exec_allocate(sizeof *c);
    *c = (Copy){.to = to,
                .from = from,
                .bytes = bytes,
                .filled = filled,
                .thread = threelane_rank(),
                .pc = pc};
    return c;
}

static void append(Begun *list, Copy *c)
{
    c->group = list->open;
    if (list->first) list->last->next = c;
    else list->first = c;
    list->last = c;
}

/* Makes the copy. nobody: who will have written what it leaves in shared memory; HERE: the running
 * thread, which has waited for it. */
#define HERE UINT32_MAX
static void land(const Copy *c, uint32_t nobody)
{
    uintptr_t bad;
    if (!threelane_is_shared(c->to)) footprint_write((uintptr_t)c->to, c->bytes, &bad);
    memcpy(c->to, c->from, c->filled);
    memset(c->to + c->filled, 0, c->bytes - c->filled);
    if (nobody == HERE) shared_copy_lands_here((uintptr_t)c->to, c->bytes, c->pc);
    else shared_copy_lands((uintptr_t)c->to, c->bytes, nobody, c->pc);
}

/* Those of the thread's groups up to one. */
static void land_groups(Begun *list, uint32_t thread, uint32_t last, uint32_t as)
{
    while (list->first && (int32_t)(list->first->group - last) <= 0) {
        Copy *c = list->first;
        if (c->thread != thread) return;
        list->first = c->next;
        c->next = NULL;
        land(c, as);
        c->next = spare_copies;
        spare_copies = c;
    }
}

static void complete(Mbarrier *m)
{
    m->phase++;
    m->pending = m->expected;
    m->done_ns = m->latest_ns;
    shared_phase_ends(&m->meeting);
    put_word(m);
    block_wake(m->at, m->done_ns);
}

/* Has everything come that the phase waits for, but for copies? Then these have landed, too. */
static bool is_full(Mbarrier *m)
{
    if (m->pending > m->n_later) return false;
    uint32_t as = shared_nobody(m->number);
    bool any = m->later || m->copies;
    for (Later *l; (l = m->later);) {
        m->later = l->next;
        land_groups(&exec_block->barriers->copies->loads[l->thread], l->thread, l->last, as);
        free(l);
        m->pending--;
    }
    m->n_later = m->n_more = 0;
    for (Copy *c; (c = m->copies);) {
        m->copies = c->next;
        land(c, as);
        m->bytes -= (int64_t)c->bytes;
        c->next = spare_copies;
        spare_copies = c;
    }
    if (any) shared_nobody_arrives(&m->meeting, as);
    return m->pending == 0 && m->bytes == 0;
}

static void settle(Mbarrier *m)
{
    bool ends = is_full(m);
    if (ends) complete(m);
    else put_word(m);
    if (ends && __builtin_expect(inside_ranked, 0)) schedule_by_rank(); /* others may go first */
}

static _Noreturn void too_many(const Mbarrier *m, unsigned count, const char *file, int line)
{
    char name[160], text[400];
    barrier_name(m, name, sizeof name);
    snprintf(text, sizeof text,
             "%s: %u arrivals at once, and only %u of %u are still to come in phase %llu", name,
             count, m->pending, m->expected, (unsigned long long)m->phase);
    exec_kernel = 0;
    exec_report_deadlock(file, line, text, "a phase takes as many arrivals as init() says, no more",
                         "make init()'s count the arrivals of a phase");
    exec_fault(EXEC_LAUNCH_FAILURE, NULL, file, line, "%s, %s", text, exec_where());
}

uint64_t threelane_barrier_arrive(void *at, unsigned count, int how, const char *file, int line)
{
    if (!exec_run) return 0;
    exec_in_order();
    Mbarrier *m = used(at, SHARED_ATOMIC_WRITE, file, line, CALLER);
    uint64_t token = (m->phase & 1) << 63 | (m->pending & MOST);
    if (count > m->pending) too_many(m, count, file, line);
    release(m);
    m->pending -= count;
    if (how & THREELANE_DROP) m->expected -= count;
    exec_progress++;
    if (!(how & THREELANE_HOLD)) settle(m);
    else if (is_full(m)) put_word(m), token |= THREELANE_HELD;
    else put_word(m);
    return token;
}

/* The last to arrive has run what comes at the end of the phase: that comes before it, too. */
void threelane_barrier_complete(void *at, const char *file, int line)
{
    if (!exec_run) return;
    exec_in_order();
    Mbarrier *m = used(at, SHARED_ATOMIC_WRITE, file, line, CALLER);
    release(m);
    complete(m);
}

void threelane_barrier_expect(void *at, long bytes, const char *file, int line)
{
    if (!exec_run) return;
    exec_in_order();
    Mbarrier *m = used(at, SHARED_ATOMIC_WRITE, file, line, CALLER);
    m->bytes += bytes;
    settle(m);
}

int threelane_barrier_wait(const void *at, int parity, int how, const char *file, int line)
{
    if (!exec_run) return 1;
    exec_in_order();
    const void *pc = CALLER;
    for (;;) {
        Mbarrier *m = used(at, SHARED_ATOMIC_READ, file, line, pc);
        bool passed = (m->phase & 1) != (uint64_t)(parity != 0);
        if (passed) acquire(m);
        if (passed || how == TL_BARRIER_TEST + 16) return passed;
        block_wait(at, how != TL_BARRIER_WAIT, file, line);
        if (how != TL_BARRIER_WAIT)
            how = TL_BARRIER_TEST + 16; /* once more, and that is the answer */
    }
}

/* ---- barriers with a number ---- */

static void meet(uint32_t id, uint32_t threads, bool waits, const char *file, int line)
{
    exec_in_order();
    BlockBarriers *all = of_block(exec_block);
    Mbarrier *m = all->named;
    while (m && m->id != id) m = m->next;
    if (!m) {
        m = exec_allocate(sizeof *m);
        *m = (Mbarrier){.next = all->named, .use = NAMED, .id = id, .file = file, .line = line};
        m->at = &m->word;
        m->generation = shared_generation;
        all->named = m;
    }
    if (m->pending == m->expected) m->pending = m->expected = threads;
    if (m->expected != threads) {
        char text[160];
        snprintf(text, sizeof text,
                 "barrier %u of the block is for %u threads here, and for %u "
                 "where others wait",
                 id, threads, m->expected);
        exec_kernel = 0;
        exec_report_deadlock(file, line, text,
                             "all that meet there must say the same number of threads",
                             "give both the same number");
        exec_fault(EXEC_LAUNCH_FAILURE, NULL, file, line, "%s, %s", text, exec_where());
    }
    uint64_t phase = m->phase;
    release(m);
    m->pending--;
    settle(m);
    while (waits && m->phase == phase) block_wait(m->at, false, file, line);
    if (waits) acquire(m);
}

void threelane_sync_named(unsigned number, unsigned threads, int waits, const char *file, int line)
{
    if (exec_run) meet(number % 16, threads, waits, file, line);
}

void threelane_sync_tile(unsigned first, unsigned threads, const char *file, int line)
{
    if (exec_run) meet(TILE | first, threads, true, file, line);
}

void threelane_tile_put(unsigned number, unsigned piece, uint64_t value)
{
    if (!exec_run) return;
    exec_in_order();
    BlockBarriers *all = of_block(exec_block);
    if (!all->scratch) all->scratch = exec_allocate(THREADS * PIECES * sizeof *all->scratch);
    all->scratch[number % THREADS * PIECES + piece % PIECES] = value;
}

uint64_t threelane_tile_get(unsigned number, unsigned piece)
{
    const BlockBarriers *all = exec_run ? exec_block->barriers : NULL;
    return all && all->scratch ? all->scratch[number % THREADS * PIECES + piece % PIECES] : 0;
}

/* The arrival of a thread when what it has begun so far has landed. counted: init()'s count has it;
 * else it is one more. */
void threelane_copy_arrive(void *at, int counted, const char *file, int line)
{
    if (!exec_run) return;
    exec_in_order();
    Mbarrier *m = used(at, SHARED_ATOMIC_WRITE, file, line, CALLER);
    const Begun *list = begun(true);
    if (!list->first) {
        if (counted) threelane_barrier_arrive(at, 1, 0, file, line);
        return;
    }
    if (counted && !m->pending) too_many(m, 1, file, line);
    if (!counted) m->pending++, m->n_more++;
    Later *l = exec_allocate(sizeof *l);
    *l = (Later){m->later, threelane_rank(), list->open};
    m->later = l;
    m->n_later++;
    /* what the thread begins from here on is not meant */
    begun(true)->open++;
    settle(m);
}

static void check_alignment(const void *to, const void *from, size_t alignment, const void *pc)
{
    const void *wrong = (uintptr_t)to % alignment ? to : (uintptr_t)from % alignment ? from : NULL;
    if (!wrong) return;
    exec_kernel = 0;
    exec_report_misaligned((uintptr_t)wrong, alignment, NULL, wrong == to, pc, NULL, 0);
    exec_fault(EXEC_MISALIGNED, pc, NULL, 0,
               "misaligned address: an asynchronous copy %s %#lx, which is not a multiple of %zu, "
               "%s",
               wrong == to ? "to" : "from", (unsigned long)(uintptr_t)wrong, alignment,
               exec_where());
}

/* The copy reads and writes from now on. */
static Copy *begin(void *to, const void *from, size_t bytes, size_t filled, const void *pc)
{
    exec_announce((uintptr_t)from, filled, false, pc);
    exec_announce((uintptr_t)to, bytes, true, pc);
    if (threelane_is_shared(to)) shared_copy_begins((uintptr_t)to, bytes, pc);
    return new_copy(to, from, bytes, filled, pc);
}

void threelane_copy_async(void *to, const void *from, unsigned bytes, unsigned filled)
{
    const void *pc = CALLER;
    if (!exec_run) {
        memcpy(to, from, filled);
        memset((char *)to + filled, 0, bytes - filled);
        return;
    }
    exec_in_order();
    check_alignment(to, from, bytes, pc);
    append(begun(true), begin(to, from, bytes, filled, pc));
}

void threelane_copy_commit(void)
{
    if (exec_run) begun(true)->open++;
}

static void wait_groups(bool loads, unsigned prior)
{
    if (!exec_run || !exec_block->barriers || !exec_block->barriers->copies) return;
    Begun *list = begun(loads);
    uint32_t me = threelane_rank();
    if (prior == ~0u) land_groups(list, me, list->open, HERE);
    else if (list->open > prior) land_groups(list, me, list->open - 1 - prior, HERE);
}

void threelane_copy_wait(unsigned prior) { wait_groups(true, prior); }

void threelane_copy_bulk(void *to, const void *from, size_t bytes, void *barrier, const char *file,
                         int line)
{
    const void *pc = CALLER;
    if (!exec_run || !bytes) return;
    exec_in_order();
    check_alignment(to, from, 16, pc);
    if (bytes % 16)
        exec_fault(EXEC_MISALIGNED, pc, NULL, 0,
                   "misaligned address: a bulk copy of %zu bytes, which is not a multiple of 16, "
                   "%s",
                   bytes, exec_where());
    Mbarrier *m = used(barrier, SHARED_ATOMIC_WRITE, file, line, pc);
    Copy *c = begin(to, from, bytes, bytes, pc), **at = &m->copies;
    while (*at) at = &(*at)->next;
    *at = c;
    settle(m);
}

void threelane_store_bulk(void *to, const void *from, size_t bytes)
{
    const void *pc = CALLER;
    if (!exec_run || !bytes) return;
    exec_in_order();
    check_alignment(to, from, 16, pc);
    append(begun(false), begin(to, from, bytes, bytes, pc));
}

void threelane_store_commit(void)
{
    if (exec_run) begun(false)->open++;
}

void threelane_store_wait(unsigned prior) { wait_groups(false, prior); }

/* ---- blocks ---- */

static void each_copy(BlockBarriers *all, void (*visit)(Copy *))
{
    for (int i = 0; i < TABLE; i++)
        for (Mbarrier *m = all->table[i]; m; m = m->next)
            for (Copy *c = m->copies; c; c = c->next) visit(c);
    for (int i = 0; all->copies && i < THREADS; i++)
        for (Copy *c = all->copies->loads[i].first; c; c = c->next) visit(c);
}

static void mark(Copy *c) { shared_copy_begins((uintptr_t)c->to, c->bytes, c->pc); }

void mbarrier_set_aside(Block *b)
{
    if (b->barriers) shared_copies_gone();
}

void mbarrier_taken_back(Block *b)
{
    if (b->barriers) each_copy(b->barriers, mark);
}

void mbarrier_block_ends(Block *b)
{
    BlockBarriers *all = b->barriers;
    if (!all) return;
    if (b == exec_block) shared_copies_gone();
    for (int i = 0; i < TABLE; i++)
        for (Mbarrier *m = all->table[i], *next; m; m = next) next = m->next, forget(m);
    for (Mbarrier *m = all->named, *next; m; m = next) next = m->next, forget(m);
    free(all->scratch);
    for (int i = 0; all->copies && i < THREADS; i++) {
        forget_copies(&all->copies->loads[i].first);
        Begun *stores = &all->copies->stores[i];
        if (b == exec_block && exec_run && exec_run->pub.state != EXEC_FAULT)
            land_groups(stores, (uint32_t)i, stores->open, HERE);
        forget_copies(&stores->first);
    }
    free(all->copies);
    free(all);
    b->barriers = NULL;
}

/* ---- deadlock ---- */

/* Where a thread of the block stands. */
typedef struct Stand {
    const Fiber *fiber; /* NULL: it has ended */
    const void *barrier;
    const char *place; /* what it waits in, where that is no barrier of ours */
} Stand;

static void note(Stand *stands, Fiber *const *list, uint32_t n, const char *place)
{
    for (uint32_t i = 0; i < n; i++)
        stands[list[i]->linear] = (Stand){list[i], list[i]->barrier, place};
}

static bool same_stand(const Stand *a, const Stand *b)
{
    if (!a->fiber || !b->fiber) return a->fiber == b->fiber;
    return a->barrier == b->barrier && a->place == b->place && a->fiber->line == b->fiber->line &&
           base_name(a->fiber->file)[0] == base_name(b->fiber->file)[0];
}

/* "threads 32-95 (warps 1-2)": all threads that stand where the first one does. */
static void who_text(Stand *stands, uint32_t first, uint32_t total, bool *told, char *text,
                     size_t size)
{
    char ranges[80] = "";
    uint32_t least = first, most = first, count = 0, runs = 0;
    for (uint32_t i = first; i < total;) {
        uint32_t end = i;
        while (end < total && same_stand(&stands[end], &stands[first])) told[end++] = true, count++;
        if (end == i) {
            i++;
            continue;
        }
        size_t n = strlen(ranges);
        if (runs++ < 3)
            snprintf(ranges + n, sizeof ranges - n, end - i > 1 ? "%s%u-%u" : "%s%u", n ? ", " : "",
                     i, end - 1);
        else if (runs == 5) snprintf(ranges + n, sizeof ranges - n, " ...");
        most = end - 1;
        i = end;
    }
    snprintf(text, size, count > 1 ? "threads %s" : "thread %s", ranges);
    if (least % 32 == 0 && (most % 32 == 31 || most + 1 == total) && runs == 1) {
        size_t n = strlen(text);
        snprintf(text + n, size - n, least / 32 == most / 32 ? " (warp %u)" : " (warps %u-%u)",
                 least / 32, most / 32);
    }
}

static void stand_text(const Stand *s, char *text, size_t size)
{
    char name[160], state[240];
    const Mbarrier *m = s->barrier ? find(s->barrier) : NULL;
    const char *verb = s->barrier ? "for" : "in";
    if (m) {
        barrier_name(m, name, sizeof name);
        state_text(m, state, sizeof state);
    } else {
        snprintf(name, sizeof name, "%s", s->place ? s->place : "a barrier");
        state[0] = 0;
    }
    snprintf(text, size, "wait at %s:%d %s %s%s%s", base_name(s->fiber->file), s->fiber->line, verb,
             name, state[0] ? ": " : "", state);
}

_Noreturn void mbarrier_deadlock(void)
{
    static Stand stands[THREADS];
    static bool told[THREADS];
    Block *b = exec_block;
    char all[900] = "", who[200], where[480], headline[700], first_where[200] = "";
    const Stand *first = NULL;
    uint32_t most = 0;
    memset(stands, 0, sizeof stands);
    memset(told, 0, sizeof told);
    note(stands, b->waiting, b->n_waiting, NULL);
    note(stands, b->polling, b->n_polling, "a loop that polls memory");
    note(stands, b->sync, b->n_sync, "__syncthreads()");
    note(stands, b->grid, b->n_grid, "the grid's barrier");
    for (unsigned w = 0; w < 32; w++)
        for (uint32_t lanes = b->warps[w].pending; lanes; lanes &= lanes - 1)
            note(stands, &b->warps[w].lane[__builtin_ctz(lanes)], 1, "a warp primitive");

    for (uint32_t i = 0; i < b->total; i++) {
        if (told[i]) continue;
        who_text(stands, i, b->total, told, who, sizeof who);
        if (stands[i].fiber) stand_text(&stands[i], where, sizeof where);
        else snprintf(where, sizeof where, "have ended");
        size_t n = strlen(all);
        snprintf(all + n, sizeof all - n, "%s%s %s", n ? "; " : "", who, where);
        const Mbarrier *m = stands[i].barrier ? find(stands[i].barrier) : NULL;
        uint32_t here = m ? arrived(m) : 0; /* where most have come says most */
        if (!stands[i].barrier || (first && here <= most)) continue;
        most = here;
        first = &stands[i];
        snprintf(first_where, sizeof first_where, "%s", who);
    }

    char name[160], state[240] = "", made[300] = "";
    const Mbarrier *m = find(first->barrier);
    variable_name(first->barrier, name, sizeof name);
    if (m) {
        barrier_name(m, name, sizeof name);
        state_text(m, state, sizeof state);
        snprintf(made, sizeof made, "; %s was made at %s:%d, for %u %s in a phase", name,
                 base_name(m->file), m->line, m->expected, m->owner ? "threads" : "arrivals");
    }
    snprintf(headline, sizeof headline,
             "the threads of block (%u,%u,%u) wait for ever: %s at {line2} for %s (%s)",
             b->index[0], b->index[1], b->index[2], first_where, name, state);
    char why[1300];
    snprintf(why, sizeof why, "%s%s", all, made);
    exec_report_deadlock(first->fiber->file, first->fiber->line, headline, why,
                         m && m->owner
                             ? "a pipeline counts threads: let every thread that it was made "
                               "for commit (or release), or tell make_pipeline() who produces "
                               "and who consumes"
                             : "let as many arrive in each phase as init() says, or change the "
                               "count; a thread that has left does not arrive");
    exec_fault(EXEC_LAUNCH_FAILURE, NULL, first->fiber->file, first->fiber->line,
               "deadlock in block (%u,%u,%u): %s", b->index[0], b->index[1], b->index[2], all);
}
