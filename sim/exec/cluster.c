/* cluster.c - see cluster.h. */
#include "sim/exec/cluster.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "sim/exec/race.h"
#include "sim/include/threelane/cluster.h"

enum { PAGE = 4096, WARPS = 32, FLAGS = 64 };
#define MOST_WINDOWS ((size_t)1 << 30) /* bytes of address space for a kernel's */

/* What another block did to four bytes of a block's shared memory since the cluster's latest
 * barrier. */
typedef struct Touch {
    uint64_t wrote, read; /* stamps; 0: not */
    const void *wrote_at, *read_at;
    uint16_t wrote_by, read_by; /* threads, and their blocks' ranks above THREAD_BITS */
    bool wrote_atomic, read_atomic;
    uint32_t next; /* in the list of those touched, from 1; 0: the last */
} Touch;
enum { THREAD_BITS = 10 };

typedef struct Flag {
    uintptr_t address;
    uint64_t known[CLUSTER_MOST];
} Flag;

typedef struct Cluster {
    struct Cluster *next, *next_spare; /* of all; of those that are not in use */
    uint64_t number;                   /* in the grid */
    uint32_t begun, ended;
    uint64_t latest_ns;           /* the latest clock among those who have arrived */
    char *window;                 /* NULL: a cluster of one block */
    Touch *touches;               /* of the window's words; NULL until one is noted */
    uint32_t touched;             /* the first of the list, from 1 */
    Block *block[CLUSTER_MOST];   /* NULL: it has not begun, or has ended */
    uint64_t index[CLUSTER_MOST]; /* its number in the grid */
    bool over[CLUSTER_MOST];
    uint64_t began[CLUSTER_MOST]; /* stamps */
    /* Up to which stamp (shared.h) a block knows what another one has done; 0: not even that it has
     * begun. */
    uint64_t known[CLUSTER_MOST][CLUSTER_MOST];
    Flag flags[FLAGS];
} Cluster;

typedef struct ClusterRun {
    char *base;
    size_t bytes, stride, tls_room; /* of a block: static and then dynamic shared memory */
    size_t slots, used;             /* windows */
    Cluster *all, *spare, *open;
} ClusterRun;

uintptr_t cluster_base, cluster_bytes;

static size_t pages(size_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

/* ---- the grid's clusters ---- */

uint32_t cluster_blocks(const Run *run)
{
    const TraceDim *cluster = &run->launch.cluster;
    return cluster->x ? cluster->x * cluster->y * cluster->z : 1;
}

bool cluster_is_open(const Run *run)
{
    const Cluster *open = run->clusters ? run->clusters->open : NULL;
    return open && open->begun < cluster_blocks(run);
}

void cluster_place(const Run *run, uint64_t n, uint32_t index[3])
{
    uint32_t blocks = cluster_blocks(run);
    const TraceDim *grid = &run->launch.grid;
    TraceDim side = blocks > 1 ? run->launch.cluster : (TraceDim){1, 1, 1};
    uint64_t cluster = n / blocks, rank = n % blocks, gx = grid->x / side.x, gy = grid->y / side.y;
    index[0] = (uint32_t)(cluster % gx * side.x + rank % side.x);
    index[1] = (uint32_t)(cluster / gx % gy * side.y + rank / side.x % side.y);
    index[2] = (uint32_t)(cluster / gx / gy * side.z + rank / side.x / side.y);
}

/* ---- windows ---- */

static void reserve(Run *run, ClusterRun *to)
{
    void *tls;
    size_t tls_bytes, n = cluster_blocks(run);
    footprint_tls(&tls, &tls_bytes);
    to->tls_room = pages(tls_bytes + (uintptr_t)tls % PAGE);
    to->stride = to->tls_room + pages(run->launch.shared_bytes) + PAGE; /* and nothing between */
    size_t window = n * to->stride, most = MOST_WINDOWS / window;
    uint64_t clusters = run->blocks / n;
    to->slots = clusters < most ? (size_t)clusters : most ? most : 1;
    to->bytes = to->slots * window;
    void *at = mmap(NULL, to->bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        exec_fault(EXEC_NO_MEMORY, NULL, NULL, 0,
                   "no address space for the shared memory of clusters; raise the limit of virtual "
                   "memory (ulimit -v)");
    to->base = at;
}

void cluster_begin_run(void)
{
    const ClusterRun *with = exec_run->clusters;
    cluster_base = with ? (uintptr_t)with->base : 0;
    cluster_bytes = with ? with->bytes : 0;
}

void cluster_end_run(void) { cluster_bytes = 0; }

static Cluster *take(Run *run)
{
    if (!run->clusters) {
        run->clusters = exec_allocate(sizeof *run->clusters);
        *run->clusters = (ClusterRun){NULL};
        if (cluster_blocks(run) > 1) {
            reserve(run, run->clusters);
            cluster_begin_run();
        }
    }
    ClusterRun *with = run->clusters;
    Cluster *cluster = with->spare;
    char *window = NULL;
    Touch *touches = NULL;
    bool known = cluster != NULL;
    if (cluster) {
        with->spare = cluster->next_spare;
        window = cluster->window;
        touches = cluster->touches;
    } else {
        if (with->base && with->used == with->slots)
            exec_fault(EXEC_NO_MEMORY, NULL, NULL, 0,
                       "no memory for the shared memory of so many clusters that wait");
        cluster = exec_allocate(sizeof *cluster);
        if (with->base) window = with->base + with->used++ * cluster_blocks(run) * with->stride;
    }
    Cluster *next = known ? cluster->next : with->all;
    if (!known) with->all = cluster;
    *cluster = (Cluster){.next = next, .window = window, .touches = touches};

    return cluster;
}

static void give_back(Run *run, Cluster *cluster)
{
    if (run->clusters->open == cluster) run->clusters->open = NULL;
    cluster->next_spare = run->clusters->spare;
    run->clusters->spare = cluster;
}

static size_t words(const ClusterRun *with, const Run *run)
{
    return cluster_blocks(run) * with->stride / 4;
}

void cluster_free(Run *run)
{
    ClusterRun *with = run->clusters;
    if (!with) return;
    for (Cluster *c = with->all, *next; c; c = next) {
        next = c->next;
        if (c->touches) munmap(c->touches, words(with, run) * sizeof *c->touches);
        free(c);
    }
    if (with->base) munmap(with->base, with->bytes);
    free(with);
    run->clusters = NULL;
    if (exec_run == run || !exec_run) cluster_end_run();
}

static void forget_touches(Cluster *cluster)
{
    while (cluster->touched) {
        Touch *touch = &cluster->touches[cluster->touched - 1];
        cluster->touched = touch->next;
        *touch = (Touch){0};
    }
}

void cluster_abandon(Run *run)
{
    ClusterRun *with = run->clusters;
    if (!with) return;
    with->open = with->spare = NULL;
    for (Cluster *c = with->all; c; c = c->next) {
        forget_touches(c);
        c->next_spare = with->spare;
        with->spare = c;
    }
}

/* ---- a block's life ---- */

/* The cluster of a block that has none so far: of that one block. */
static Cluster *cluster_of(Block *b)
{
    if (b->cluster) return b->cluster;
    Cluster *cluster = take(exec_run);
    cluster->block[0] = b;
    cluster->begun = 1;
    b->cluster = cluster;
    b->cluster_rank = 0;
    b->n_cluster = 0;
    memset(b->cluster_arrived, 0, sizeof b->cluster_arrived);
    memset(b->cluster_passed, 0, sizeof b->cluster_passed);
    return cluster;
}

/* The number in the grid of the n-th block to begin. */
static uint64_t number_of(uint64_t n)
{
    uint32_t index[3];
    const TraceDim *grid = &exec_run->launch.grid;
    cluster_place(exec_run, n, index);
    return index[0] + (uint64_t)grid->x * (index[1] + (uint64_t)grid->y * index[2]);
}

void cluster_block_begins(uint64_t n)
{
    Block *b = exec_block;
    uint32_t blocks = cluster_blocks(exec_run);
    b->cluster = NULL;
    b->in_window = blocks > 1;
    if (blocks == 1) return;

    Cluster *cluster = cluster_is_open(exec_run) ? exec_run->clusters->open : take(exec_run);
    void *tls;
    size_t tls_bytes;
    footprint_tls(&tls, &tls_bytes);
    ClusterRun *with = exec_run->clusters;
    uint32_t rank = (uint32_t)(n % blocks);
    char *own = cluster->window + rank * with->stride;
    with->open = cluster;
    cluster->number = n / blocks;
    for (uint32_t r = 0; r < blocks; r++) cluster->index[r] = number_of(n / blocks * blocks + r);
    cluster->block[rank] = b;
    cluster->began[rank] = shared_now;
    cluster->begun++;
    b->cluster = cluster;
    b->cluster_rank = rank;
    b->n_cluster = 0;
    b->tls = own + (uintptr_t)tls % PAGE;
    b->dynamic = own + with->tls_room;
    memset(b->cluster_arrived, 0, sizeof b->cluster_arrived);
    memset(b->cluster_passed, 0, sizeof b->cluster_passed);
    /* what another block has left is not what it finds there */
    memset(threelane_dynamic_shared, 0xff, exec_run->launch.shared_bytes);
    shared_select(rank);
}

void cluster_block_returns(void)
{
    shared_select(exec_block->cluster ? exec_block->cluster_rank : 0);
}

/* ---- what blocks do to each other's shared memory ---- */

/* One who has done something: a thread, and its block's rank. */
static uint16_t who(uint32_t rank, uint32_t thread)
{
    return (uint16_t)(rank << THREAD_BITS | thread);
}

static RaceSide side_of(const Cluster *cluster, uint16_t by, SharedUse use, const void *pc)
{
    return (RaceSide){.pc = pc,
                      .use = use,
                      .block = cluster->index[by >> THREAD_BITS],
                      .rank = by & ((1u << THREAD_BITS) - 1)};
}

/* A key of a cell (shared.h), of a thread of the block of this rank. */
static RaceSide side_of_key(const Cluster *cluster, uint32_t rank, uint64_t key, bool write,
                            const void *near)
{
    bool atomic = (key & SHARED_ATOMIC) != 0;
    const void *pc = (const void *)(((uintptr_t)near & ~(uintptr_t)UINT32_MAX) | (uint32_t)key);
    return (RaceSide){.pc = pc,
                      .use = write    ? atomic ? SHARED_ATOMIC_WRITE : SHARED_WRITE
                             : atomic ? SHARED_ATOMIC_READ
                                      : SHARED_READ,
                      .block = cluster->index[rank],
                      .rank = (uint32_t)(key >> SHARED_PC_BITS) & ((1u << THREAD_BITS) - 1)};
}

static SharedUse remote_use(bool write, bool atomic)
{
    return write    ? atomic ? SHARED_ATOMIC_WRITE : SHARED_WRITE
           : atomic ? SHARED_ATOMIC_READ
                    : SHARED_READ;
}

/* The use of a block's memory by another one, noted in touch, and what its own threads did to it
 * afterwards: races, unless the block has learned of the use before. */
static void compare_with_own(const Cluster *cluster, uint32_t rank, uintptr_t own,
                             const Touch *touch)
{
    SharedCell cell;
    if (!shared_known(rank, own, &cell)) return;
    for (int i = -1; i < SHARED_READERS; i++) {
        uint64_t key = i < 0 ? cell.wrote : cell.read[i];
        bool writes = i < 0, atomic = (key & SHARED_ATOMIC) != 0;
        if (touch->wrote && key > touch->wrote && !(atomic && touch->wrote_atomic) &&
            touch->wrote >= cluster->known[rank][touch->wrote_by >> THREAD_BITS]) {
            RaceSide a = side_of(cluster, touch->wrote_by, remote_use(true, touch->wrote_atomic),
                                 touch->wrote_at),
                     b = side_of_key(cluster, rank, key, writes, touch->wrote_at);
            exec_report_cluster_race(own, 4, &a, &b);
            return;
        }
        if (writes && touch->read && key > touch->read && !(atomic && touch->read_atomic) &&
            touch->read >= cluster->known[rank][touch->read_by >> THREAD_BITS]) {
            RaceSide a = side_of(cluster, touch->read_by, remote_use(false, touch->read_atomic),
                                 touch->read_at),
                     b = side_of_key(cluster, rank, key, true, touch->read_at);
            exec_report_cluster_race(own, 4, &a, &b);
            return;
        }
    }
}

/* The block has ended: whoever used its memory, and of whom it knows nothing, may have come too
 * late. */
static void compare_with_end(const Cluster *cluster, uint32_t rank, uintptr_t own,
                             const Touch *touch)
{
    if (touch->wrote && touch->wrote >= cluster->known[rank][touch->wrote_by >> THREAD_BITS]) {
        RaceSide user = side_of(cluster, touch->wrote_by, remote_use(true, touch->wrote_atomic),
                                touch->wrote_at);
        exec_report_cluster_life(own, 4, &user, cluster->index[rank], true);
    } else if (touch->read && touch->read >= cluster->known[rank][touch->read_by >> THREAD_BITS]) {
        RaceSide user =
            side_of(cluster, touch->read_by, remote_use(false, touch->read_atomic), touch->read_at);
        exec_report_cluster_life(own, 4, &user, cluster->index[rank], true);
    }
}

static uintptr_t own_address(const ClusterRun *, size_t offset);

/* A barrier of the cluster, or its end: what was done to each other's memory since the one before
 * is judged. */
static void end_phase(Cluster *cluster)
{
    const ClusterRun *with = exec_run->clusters;
    if (!shared_on) return;
    for (uint32_t i = cluster->touched; i; i = cluster->touches[i - 1].next) {
        size_t at = (size_t)(i - 1) * 4;
        uint32_t rank = (uint32_t)(at / with->stride);
        uintptr_t own = own_address(with, at % with->stride);
        const Block *b = cluster->block[rank];
        compare_with_own(cluster, rank, own, &cluster->touches[i - 1]);
        if (!cluster->over[rank] && (!b || !b->fibers))
            compare_with_end(cluster, rank, own, &cluster->touches[i - 1]);
    }
    forget_touches(cluster);
}

void cluster_block_ends(Block *b)
{
    Cluster *cluster = b->cluster;
    uint32_t rank = b->cluster_rank;
    const ClusterRun *with = exec_run->clusters;
    b->cluster = NULL;
    cluster->block[rank] = NULL;
    if (shared_on)
        for (uint32_t i = cluster->touched; i; i = cluster->touches[i - 1].next) {
            size_t at = (size_t)(i - 1) * 4;
            if (at / with->stride == rank)
                compare_with_end(cluster, rank, own_address(with, at % with->stride),
                                 &cluster->touches[i - 1]);
        }
    cluster->over[rank] = true;
    if (++cluster->ended < cluster_blocks(exec_run)) return;
    end_phase(cluster);
    give_back(exec_run, cluster);
}

/* ---- the barrier ---- */

static bool all_have_arrived(const Cluster *cluster, uint32_t blocks)
{
    if (cluster->begun < blocks) return false;
    for (uint32_t r = 0; r < blocks; r++) {
        const Block *b = cluster->block[r];
        if (!b) continue;
        if (b->started < b->total) return false;
        for (unsigned w = 0; w < WARPS; w++)
            if (b->warps[w].alive & ~b->cluster_arrived[w]) return false;
    }
    return true;
}


bool cluster_release(Block *of)
{
    Cluster *cluster = of->cluster;
    uint32_t blocks = cluster_blocks(exec_run), waiting = 0;
    if (!cluster) return false;
    for (uint32_t r = 0; r < blocks; r++)
        if (cluster->block[r]) waiting += cluster->block[r]->n_cluster;
    if (!waiting || !all_have_arrived(cluster, blocks)) return false;

    end_phase(cluster);
    uint64_t over_ns = cluster->latest_ns + exec_run->clock.cluster_barrier_ns;
    for (uint32_t r = 0; r < blocks; r++) {
        Block *b = cluster->block[r];
        if (!b) continue;
        for (unsigned w = 0; w < WARPS; w++) {
            b->cluster_passed[w] |= b->cluster_arrived[w] & b->warps[w].alive;
            b->cluster_arrived[w] = 0;
        }
        for (uint32_t i = 0; i < b->n_cluster; i++) {
            Fiber *f = b->cluster_wait[i];
            b->cluster_passed[f->linear / 32] &= ~(1u << f->linear % 32);
            if (f->local_ns < over_ns) f->local_ns = over_ns;
            exec_ready(b, f);
        }
        b->n_cluster = 0;
    }
    cluster->latest_ns = 0;
    race_cluster_barrier(cluster->index, blocks);
    shared_barrier();
    for (uint32_t r = 0; r < blocks; r++)
        for (uint32_t k = 0; k < blocks; k++) cluster->known[r][k] = shared_now;
    exec_progress++;

    return true;
}

void threelane_cluster_arrive(const char *file, int line)
{
    if (!exec_run) return;
    Block *b = exec_block;
    Cluster *cluster = cluster_of(b);
    uint32_t rank = threelane_rank(), bit = 1u << rank % 32;
    if ((b->cluster_arrived[rank / 32] | b->cluster_passed[rank / 32]) & bit)
        exec_fault(EXEC_LAUNCH_FAILURE, NULL, file, line,
                   "a thread arrives twice at the cluster's barrier without waiting in between, %s",
                   exec_where());
    b->cluster_arrived[rank / 32] |= bit;
    uint64_t now = exec_local_ns(rank);
    if (now > cluster->latest_ns) cluster->latest_ns = now;
    exec_progress++;
}

void threelane_cluster_wait(const char *file, int line)
{
    if (!exec_run) return;
    Block *b = exec_block;
    cluster_of(b);
    uint32_t rank = threelane_rank(), bit = 1u << rank % 32;
    if (b->cluster_passed[rank / 32] & bit) {
        b->cluster_passed[rank / 32] &= ~bit;
        return;
    }
    if (!(b->cluster_arrived[rank / 32] & bit))
        exec_fault(EXEC_LAUNCH_FAILURE, NULL, file, line,
                   "a thread waits at the cluster's barrier and has not arrived there, %s",
                   exec_where());
    if (!b->cluster_wait) b->cluster_wait = exec_allocate(1024 * sizeof(Fiber *));
    exec_wait_in(b->cluster_wait, &b->n_cluster, file, line);
}

/* ---- who never comes ---- */

/* A thread of the block that waits for something else than the barrier; NULL: none. */
static const Fiber *elsewhere(const Block *b, uint32_t *n)
{
    const Fiber *first = NULL;
    *n = b->fibers - b->n_cluster;
    if (b->n_sync) first = b->sync[0];
    if (!first && b->n_grid) first = b->grid[0];
    for (unsigned w = 0; w < WARPS && !first; w++)
        if (b->warps[w].pending) first = b->warps[w].lane[__builtin_ctz(b->warps[w].pending)];
    return first;
}

static void report(const Cluster *cluster, uint32_t blocks)
{
    const Fiber *here = NULL, *other = NULL;
    const Block *there = NULL;
    uint32_t waiting = 0, others = 0;
    for (uint32_t r = 0; r < blocks; r++) {
        const Block *b = cluster->block[r];
        if (!b) continue;
        uint32_t n;
        const Fiber *f = elsewhere(b, &n);
        if (!here && b->n_cluster) here = b->cluster_wait[0];
        waiting += b->n_cluster;
        if (n && !other) other = f, there = b, others = n;
    }
    if (!here || !there) return;
    exec_cluster_barrier_fault(cluster->number, waiting, here, there, others, other);
}

void cluster_deadlock(Run *run)
{
    uint32_t blocks = cluster_blocks(run);
    for (const Block *b = run->suspended; b; b = b->next) {
        const Cluster *cluster = b->cluster;
        bool polls = false;
        if (!b->n_cluster) continue;
        for (uint32_t r = 0; r < blocks; r++)
            if (cluster->block[r]) polls = polls || cluster->block[r]->n_polling;
        if (!polls) report(cluster, blocks);
    }
}

/* ---- addresses ---- */

static const ClusterRun *with_windows(void)
{
    const ClusterRun *with = exec_run->clusters;
    return with && with->base ? with : NULL;
}

/* How far an address of the running block's shared memory is from the begin of its stretch; false:
 * it is none. */
static bool offset_of(const ClusterRun *with, uintptr_t address, size_t *offset)
{
    void *tls;
    size_t tls_bytes;
    footprint_tls(&tls, &tls_bytes);
    if (address - (uintptr_t)tls < tls_bytes) {
        *offset = address - (uintptr_t)tls + (uintptr_t)tls % PAGE;
        return true;
    }
    *offset = address - (uintptr_t)threelane_dynamic_shared + with->tls_room;
    return address - (uintptr_t)threelane_dynamic_shared <= exec_run->launch.shared_bytes;
}

static uintptr_t own_address(const ClusterRun *with, size_t offset)
{
    void *tls;
    size_t tls_bytes;
    footprint_tls(&tls, &tls_bytes);
    return offset < with->tls_room ? (uintptr_t)tls - (uintptr_t)tls % PAGE + offset
                                   : (uintptr_t)threelane_dynamic_shared + offset - with->tls_room;
}

/* The cluster that has the address in its window: of the running block, or NULL. */
static Cluster *window_of(uintptr_t address, uint32_t *rank, size_t *offset)
{
    const ClusterRun *with = exec_run->clusters;
    Cluster *cluster = exec_block->cluster;
    if (!cluster || address - (uintptr_t)cluster->window >= cluster_blocks(exec_run) * with->stride)
        return NULL;
    *rank = (uint32_t)((address - (uintptr_t)cluster->window) / with->stride);
    *offset = (address - (uintptr_t)cluster->window) % with->stride;
    return cluster;
}

Block *cluster_owner(uintptr_t address, uintptr_t *own)
{
    uint32_t rank;
    size_t offset;
    const Cluster *cluster = window_of(address, &rank, &offset);
    if (!cluster) return NULL;
    *own = own_address(exec_run->clusters, offset);
    return cluster->block[rank];
}

static _Noreturn void no_such_block(unsigned rank, uint32_t blocks, const char *file, int line)
{
    char why[200];
    snprintf(why, sizeof why, "a cluster of %u block%s has the ranks from 0 to %u; %s", blocks,
             blocks == 1 ? "" : "s", blocks - 1, exec_where());
    exec_report_no_block(file, line,
                         "{2}: the shared memory of a block that its cluster does not have", why,
                         "ask for a rank below cluster.num_blocks()");
    exec_fault(EXEC_ILLEGAL_ADDRESS, NULL, file, line,
               "shared memory of block %u of a cluster of %u is asked for, %s", rank, blocks,
               exec_where());
}

static _Noreturn void not_shared(const char *file, int line)
{
    exec_report_no_block(file, line, "{2}: an address that is not in shared memory is mapped",
                         "only what lies in shared memory is there in every block of the cluster",
                         "map the address of a __shared__ variable, or of dynamic shared memory");
    exec_fault(EXEC_ILLEGAL_ADDRESS, NULL, file, line,
               "an address that is not in the block's shared memory is mapped to another block, %s",
               exec_where());
}

void *threelane_cluster_map(const void *pointer, unsigned rank, const char *file, int line)
{
    uintptr_t address = (uintptr_t)pointer;
    uint32_t blocks = exec_run ? cluster_blocks(exec_run) : 1, of;
    const ClusterRun *with = exec_run ? with_windows() : NULL;
    size_t offset;
    if (!exec_run) return (void *)address;
    if (rank >= blocks) no_such_block(rank, blocks, file, line);
    if (!with) return (void *)address;
    if (cluster_has(address) ? !window_of(address, &of, &offset)
                             : !offset_of(with, address, &offset))
        not_shared(file, line);
    if (rank == exec_block->cluster_rank) return (void *)own_address(with, offset);

    return exec_block->cluster->window + rank * with->stride + offset;
}

unsigned threelane_cluster_rank_of(const void *pointer)
{
    uint32_t rank;
    size_t offset;
    if (!exec_run) return 0;
    if (with_windows() && window_of((uintptr_t)pointer, &rank, &offset)) return rank;
    return exec_block->cluster ? exec_block->cluster_rank : 0;
}

unsigned threelane_cluster_fact(ThreelaneClusterFact what, unsigned side)
{
    if (!exec_run) return 0;
    uint32_t blocks = cluster_blocks(exec_run);
    const uint32_t *index = exec_block->index;
    TraceDim cluster = blocks > 1 ? exec_run->launch.cluster : (TraceDim){1, 1, 1};
    const uint32_t sides[] = {cluster.x, cluster.y, cluster.z};
    const uint32_t grid[] = {exec_run->launch.grid.x, exec_run->launch.grid.y,
                             exec_run->launch.grid.z};
    switch (what) {
    case THREELANE_CLUSTER_DIM: return sides[side];
    case THREELANE_CLUSTER_INDEX: return index[side] / sides[side];
    case THREELANE_CLUSTER_GRID: return grid[side] / sides[side];
    case THREELANE_CLUSTER_BLOCK: return index[side] % sides[side];
    case THREELANE_CLUSTER_RANK: return blocks > 1 ? exec_block->cluster_rank : 0;
    case THREELANE_CLUSTER_BLOCKS: return blocks;
    case THREELANE_CLUSTER_EXPLICIT: return exec_run->launch.cluster.x != 0;
    }
    return 0;
}

/* ---- accesses ---- */

static Touch *touch_at(Cluster *cluster, size_t at)
{
    if (!cluster->touches) {
        size_t n = words(exec_run->clusters, exec_run);
        void *map = mmap(NULL, n * sizeof(Touch), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (map == MAP_FAILED) return NULL;
        cluster->touches = map;
    }
    Touch *touch = &cluster->touches[at / 4];
    if (!touch->wrote && !touch->read) {
        touch->next = cluster->touched;
        cluster->touched = (uint32_t)(at / 4) + 1;
    }
    return touch;
}

/* One word of the memory of the block of this rank is used by the running thread. */
static void judge(Cluster *cluster, uint32_t rank, uintptr_t own, Touch *touch, SharedUse use,
                  const void *pc)
{
    uint32_t me = exec_block->cluster_rank;
    uint16_t self = who(me, threelane_rank());
    bool writes = use == SHARED_WRITE || use == SHARED_ATOMIC_WRITE,
         atomic = use >= SHARED_ATOMIC_READ;
    RaceSide now = side_of(cluster, self, use, pc), other;
    SharedCell cell;

    uint32_t by = touch->wrote_by >> THREAD_BITS;
    if (touch->wrote && by != me && touch->wrote >= cluster->known[me][by] &&
        !(atomic && touch->wrote_atomic)) {
        other = side_of(cluster, touch->wrote_by, remote_use(true, touch->wrote_atomic),
                        touch->wrote_at);
        exec_report_cluster_race(own, 4, &other, &now);
    }
    by = touch->read_by >> THREAD_BITS;
    if (writes && touch->read && by != me && touch->read >= cluster->known[me][by] &&
        !(atomic && touch->read_atomic)) {
        other =
            side_of(cluster, touch->read_by, remote_use(false, touch->read_atomic), touch->read_at);
        exec_report_cluster_race(own, 4, &other, &now);
    }
    uint64_t floor = cluster->known[me][rank];
    if (floor < cluster->began[rank]) floor = cluster->began[rank];
    for (int i = -1; shared_known(rank, own, &cell) && i < (writes ? SHARED_READERS : 0); i++) {
        uint64_t key = i < 0 ? cell.wrote : cell.read[i];
        if (key < floor || (atomic && key & SHARED_ATOMIC)) continue;
        other = side_of_key(cluster, rank, key, i < 0, pc);
        exec_report_cluster_race(own, 4, &other, &now);
        break;
    }

    if (writes) {
        touch->wrote = shared_now;
        touch->wrote_at = pc;
        touch->wrote_by = self;
        touch->wrote_atomic = atomic;
    } else {
        touch->read = shared_now;
        touch->read_at = pc;
        touch->read_by = self;
        touch->read_atomic = atomic;
    }
}

void cluster_access(uintptr_t address, size_t bytes, SharedUse use, const void *pc)
{
    uint32_t rank, me = exec_block->cluster_rank;
    size_t offset;
    bool writes = use == SHARED_WRITE || use == SHARED_ATOMIC_WRITE;
    Cluster *cluster = window_of(address, &rank, &offset);
    const ClusterRun *with = exec_run->clusters;
    if (!cluster)
        exec_fault(EXEC_ILLEGAL_ADDRESS, pc, NULL, 0,
                   "illegal %s of %zu bytes: the shared memory of a block of another cluster, %s",
                   writes ? "write" : "read", bytes, exec_where());
    uintptr_t own = own_address(with, offset);
    if (rank == me)
        exec_fault(EXEC_ILLEGAL_ADDRESS, pc, NULL, 0,
                   "a block's own shared memory by an address that another block mapped is not "
                   "simulated: map it with the block's own rank, %s",
                   exec_where());
    if (!bytes) return;
    shared_bounds(own, bytes, writes, pc);
    if (!shared_on) return;
    if (cluster->over[rank] || !cluster->known[me][rank]) {
        RaceSide user = side_of(cluster, who(me, threelane_rank()), use, pc);
        exec_report_cluster_life(own, (unsigned)bytes, &user, cluster->index[rank],
                                 cluster->over[rank]);
        return;
    }

    size_t window = rank * with->stride;
    for (size_t at = offset & ~(size_t)3; at < offset + bytes; at += 4) {
        Touch *touch = touch_at(cluster, window + at);
        if (touch)
            judge(cluster, rank, own_address(with, at < offset ? offset : at), touch, use, pc);
    }
}

/* ---- flags ---- */

/* An address by which all blocks of the cluster know the same place. */
static uintptr_t common_address(uintptr_t address)
{
    const ClusterRun *with = with_windows();
    size_t offset;
    if (!with || cluster_has(address) || !offset_of(with, address, &offset)) return address;
    return (uintptr_t)exec_block->cluster->window + exec_block->cluster_rank * with->stride +
           offset;
}

static Flag *flag_at(Cluster *cluster, uintptr_t address)
{
    return &cluster->flags[(address >> 2 ^ address >> 8) % FLAGS];
}

void cluster_release_flag(uintptr_t address)
{
    Cluster *cluster = exec_block->cluster;
    if (!shared_on || !shared_fenced || !cluster || !cluster->window) return;
    uint32_t me = exec_block->cluster_rank;
    address = common_address(address);
    Flag *flag = flag_at(cluster, address);
    if (flag->address != address) *flag = (Flag){.address = address};
    for (uint32_t r = 0; r < CLUSTER_MOST; r++)
        if (flag->known[r] < cluster->known[me][r]) flag->known[r] = cluster->known[me][r];
    flag->known[me] = shared_now + 1; /* what it did so far, with the present stamp, too */
}

void cluster_acquire_flag(uintptr_t address)
{
    Cluster *cluster = exec_block->cluster;
    if (!shared_on || !cluster || !cluster->window) return;
    uint32_t me = exec_block->cluster_rank;
    address = common_address(address);
    const Flag *flag = flag_at(cluster, address);
    if (flag->address != address) return;
    for (uint32_t r = 0; r < CLUSTER_MOST; r++)
        if (cluster->known[me][r] < flag->known[r]) cluster->known[me][r] = flag->known[r];
}
