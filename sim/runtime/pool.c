/* pool.c - see pool.h. The choice among free memory is made in sim/memory/pieces.c; here stands who
 * may have which piece, and when chunks come and go. */
#include "sim/runtime/pool.h"
#include "common/devices.h"
#include "sim/hazard/clock.h"
#include "sim/host/host.h"
#include "sim/runtime/handle.h"
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_OWN = DEVICES_MOST + 1
}; /* pools are numbered as the trace numbers devices, from 1;
      then the program's own */

static Pool defaults[DEVICES_MOST];
static Pool *current[DEVICES_MOST]; /* NULL: its own */
static Pool *pools;                 /* all there are, the destroyed ones as well */

static void *or_die(void *memory)
{
    if (!memory)
        host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory for memory pools");
    return memory;
}

static uint64_t round_up(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

/* ---- which stream comes after which free ----
 *
 * By events and the legacy stream alone, as CUDA promises it, and whether or not anybody looks for
 * hazards. Kept from the first pool allocation on: nothing before comes after a free. */

typedef struct Behind {
    Clock *clock;  /* what its next operation comes after, in other streams */
    EngineOp last; /* its latest operation; 0: none */
    int device;
    uint8_t flavour;
} Behind;
static Behind *behind; /* by stream */
static Clock **events; /* by event: what its latest record stands for */
static uint32_t n_behind, n_events;
static bool follows;

static void grow(void **array, uint32_t *n, uint32_t wanted, size_t item)
{
    if (wanted < *n) return;
    uint32_t more = 2 * wanted + 16;
    *array = or_die(realloc(*array, more * item));
    memset((char *)*array + *n * item, 0, (more - *n) * item);
    *n = more;
}

static Behind *behind_of(const Stream *stream)
{
    grow((void **)&behind, &n_behind, stream->id, sizeof *behind);
    Behind *b = &behind[stream->id];
    b->device = stream->device;
    b->flavour = (uint8_t)stream->flavour;
    return b;
}

static void learn(Clock **slot, Clock *more)
{
    Clock *joined = clock_join(*slot, more);
    clock_release(*slot);
    *slot = joined;
}

/* All that another stream has so far. */
static void learn_stream(Clock **slot, uint32_t other)
{
    ClockPoint last = {other, behind[other].last};
    if (!behind[other].last || clock_knows(*slot, last)) return;
    Clock *more = clock_make(*slot, behind[other].clock, last, last);
    clock_release(*slot);
    *slot = more;
}

static bool is_blocking(const Behind *b)
{
    return b->flavour == TRACE_STREAM_BLOCKING || b->flavour == TRACE_STREAM_PER_THREAD;
}

/* What the default stream is to blocking streams, and they to it. */
static Behind *catch_up(Behind *b)
{
    bool legacy = b->flavour == TRACE_STREAM_LEGACY;
    for (uint32_t i = 1; i < n_behind && (legacy || is_blocking(b)); i++)
        if (behind[i].last && behind[i].device == b->device &&
            (legacy ? is_blocking(&behind[i]) : behind[i].flavour == TRACE_STREAM_LEGACY))
            learn_stream(&b->clock, i);
    return b;
}

static void submitted(const Submitted *s)
{
    uint32_t event = s->event;
    Behind *b = catch_up(behind_of(s->stream));
    b->last = s->op;
    if (!event) return;
    grow((void **)&events, &n_events, event, sizeof *events);
    if (s->kind == TRACE_WAIT) {
        learn(&b->clock, events[event]);
    } else if (s->kind == TRACE_RECORD) {
        ClockPoint here = {s->stream->id, s->op};
        clock_release(events[event]);
        events[event] = clock_make(b->clock, NULL, here, here);
    }
}

/* ---- who may have what ---- */

typedef struct Request {
    const Pool *pool;
    uint32_t stream;
    const Clock *clock;
    bool only_freed; /* no memory that has been free for everybody */
    bool finished;   /* frees that are over count */
    bool wait;       /* those that are not may be waited for */
    EngineOp *after; /* they */
    int n_after, room;
} Request;

static bool is_over(const Piece *piece)
{
    return !piece->op || engine_op_ended(runtime.engine, piece->op);
}

static bool is_ordered(const Piece *piece, const Request *r)
{
    if (!piece->op || piece->stream == r->stream) return true;
    if (r->finished && is_over(piece)) return true;
    return r->pool->reuse[cudaMemPoolReuseFollowEventDependencies - 1] &&
           clock_knows(r->clock, (ClockPoint){piece->stream, piece->op});
}

static bool may_use(const Piece *piece, void *request)
{
    const Request *r = request;
    if (r->only_freed && !piece->op) return false;
    return r->wait || is_ordered(piece, r);
}

static void note_wait(const Piece *piece, void *request)
{
    Request *r = request;
    if (is_ordered(piece, r) || is_over(piece)) return;
    if (r->n_after == r->room) {
        r->room = r->room ? 2 * r->room : 16;
        r->after = or_die(realloc(r->after, (size_t)r->room * sizeof *r->after));
    }
    r->after[r->n_after++] = piece->op;
}

/* ---- the device's memory ---- */

static void give_back_chunk(const PieceChunk *chunk, uint64_t backed, void *pool)
{
    memory_unreserve(((const Pool *)pool)->device, chunk->address, backed,
                     PIECE_STRETCH * chunk->bytes);
}

static void give_back_part(uintptr_t address, uint64_t bytes, void *pool)
{
    memory_bare(((const Pool *)pool)->device, address, bytes, PIECE_STRETCH * bytes);
}

static bool over_for_all(const Piece *piece, void *unused)
{
    (void)unused;
    return is_over(piece);
}

void pool_trim(Pool *pool, uint64_t keep)
{
    if (keep > UINT64_MAX - PIECE_GRANULE) return;
    pieces_release(&pool->pieces, round_up(keep, PIECE_GRANULE), give_back_part, pool);
}

/* Down to the release threshold. */
static void release(Pool *pool)
{
    pieces_release(&pool->pieces, pool->threshold / PIECE_GRANULE * PIECE_GRANULE, give_back_part,
                   pool);
}

static bool may_hold(const Pool *pool, uint64_t more)
{
    return !pool->most || more <= round_up(pool->most, PIECE_GRANULE) - pool->pieces.reserved;
}

static bool back_part(uint64_t bytes, void *request)
{
    const Pool *pool = ((const Request *)request)->pool;
    return may_hold(pool, bytes) && memory_back(pool->device, bytes);
}

/* At the end of what there is, or somewhere else. */
static bool add_memory(Pool *pool, uint64_t bytes, Request *r)
{
    PieceChunk *chunk = pool->pieces.chunks;
    uint64_t more = round_up(bytes - pieces_tail(&pool->pieces, may_use, r), PIECE_GRANULE);
    if (chunk && may_hold(pool, more) &&
        memory_extend(pool->device, chunk->address, PIECE_STRETCH * chunk->bytes, more,
                      PIECE_STRETCH * more))
        return pieces_extend(&pool->pieces, more);

    more = round_up(bytes, PIECE_GRANULE);
    uintptr_t at =
        may_hold(pool, more) ? memory_reserve(pool->device, more, PIECE_STRETCH * more) : 0;
    if (!at || pieces_add(&pool->pieces, at, more)) return at != 0;
    memory_unreserve(pool->device, at, more, PIECE_STRETCH * more);
    return false;
}

/* The pool gets more of the device's memory, so that there is room. */
static bool grow_for(const Call *call, Pool *pool, uint64_t bytes, Request *r)
{
    uint64_t before = pool->pieces.reserved;
    bool grows =
        pieces_back(&pool->pieces, bytes, may_use, back_part, r) || add_memory(pool, bytes, r);
    uint64_t grown = pool->pieces.reserved - before;
    static bool any[DEVICES_MOST];
    if (grown)
        call_spend((any[pool->device] ? 0 : call->costs->pool_first) +
                   (grown >> 20) * call->costs->pool_grow_per_mib);
    any[pool->device] |= grown != 0;
    if (pool->reserved_high < pool->pieces.reserved) pool->reserved_high = pool->pieces.reserved;

    return grows;
}

/* ---- the pools there are ---- */

static void begin(Pool *pool, uint32_t number, int device, uint64_t most, TraceSite made)
{
    *pool = (Pool){.number = number,
                   .device = device,
                   .most = most,
                   .reuse = {true, true, true},
                   .made = made,
                   .next = pools};
    pools = pool;
    if (!handle_add(HANDLE_POOL, number, pool)) or_die(NULL);
}

Pool *pool_default(int device)
{
    Pool *pool = &defaults[device];
    if (!pool->number) begin(pool, (uint32_t)device + 1, device, 0, (TraceSite){NULL, 0});
    return pool;
}

Pool *pool_current(int device) { return current[device] ? current[device] : pool_default(device); }
void pool_make_current(Pool *pool) { current[pool->device] = pool; }

cudaMemPool_t pool_handle(const Pool *pool) { return handle_make(HANDLE_POOL, pool->number); }
Pool *pool_find(cudaMemPool_t handle) { return handle_find(HANDLE_POOL, handle); }

Pool *pool_new(const Call *call, int device, uint64_t most)
{
    uint32_t number = handle_end(HANDLE_POOL);
    Pool *pool = malloc(sizeof *pool);
    if (!pool) return NULL;
    begin(pool, number < FIRST_OWN ? FIRST_OWN : number, device, most, call->site);
    return pool;
}

static void forget(Pool *pool)
{
    Pool **link = &pools;
    while (*link != pool) link = &(*link)->next;
    *link = pool->next;
    pieces_forget(&pool->pieces, give_back_chunk, pool);
    if (pool->number >= FIRST_OWN) free(pool);
    else *pool = (Pool){0};
}

/* A destroyed pool goes with its last block. */
static void look_if_gone(Pool *pool)
{
    if (!pool->destroyed || pool->blocks) return;
    pieces_settle(&pool->pieces, over_for_all, NULL);
    pool_trim(pool, 0);
    if (!pool->pieces.reserved) forget(pool);
}

void pool_destroy(const Call *call, Pool *pool)
{
    if (current[pool->device] == pool) current[pool->device] = NULL;
    handle_close(HANDLE_POOL, pool->number, call->site);
    pool->destroyed = true;
    look_if_gone(pool);
}

void pool_each_own(void (*visit)(const Pool *))
{
    for (const Pool *pool = pools; pool; pool = pool->next)
        if (pool->made.file && !pool->destroyed) visit(pool);
}

bool pool_spare(int device)
{
    uint64_t before = memory_free_bytes(device);
    for (Pool *pool = pools, *next; pool; pool = next) {
        next = pool->next;
        if (pool->device != device) continue;
        pieces_settle(&pool->pieces, over_for_all, NULL);
        pool_trim(pool, 0);
        look_if_gone(pool);
    }
    return memory_free_bytes(device) > before;
}

/* ---- synchronizations ---- */

/* What a host that waits learns of: the frees that it then knows to be over, and only those, are
 * over for everybody, and their memory can go back to the device. */
typedef struct Seen {
    const Wait *wait;
    const Clock *clock;
} Seen;

static bool is_seen(const Piece *piece, void *arg)
{
    const Seen *seen = arg;
    if (!is_over(piece)) return false;
    if (seen->wait->kind == WAIT_DEVICE)
        return seen->wait->device < 0 || behind[piece->stream].device == seen->wait->device;
    return (seen->wait->kind == WAIT_STREAM && piece->stream == seen->wait->id) ||
           clock_knows(seen->clock, (ClockPoint){piece->stream, piece->op});
}

static void waited(const Wait *wait)
{
    Seen seen = {.wait = wait};
    if (!wait->call || wait->kind > WAIT_DEVICE) return;
    if (wait->kind == WAIT_STREAM && wait->id < n_behind)
        seen.clock = catch_up(&behind[wait->id])->clock;
    if (wait->kind == WAIT_EVENT && wait->id < n_events) seen.clock = events[wait->id];
    for (Pool *pool = pools, *next; pool; pool = next) {
        next = pool->next;
        pieces_settle(&pool->pieces, is_seen, &seen);
        release(pool);
        look_if_gone(pool);
    }
}

static const Observer observer = {.submitted = submitted, .waited = waited};

/* ---- taking and giving ---- */

/* In which order, CUDA says: what was freed for this stream, what is free for all; what is over;
 * more of the device's memory; what is not over yet, with a wait for it. */
static Piece *find_room(const Call *call, Pool *pool, Request *r, uint64_t bytes)
{
    r->only_freed = true;
    Piece *piece = pieces_take(&pool->pieces, bytes, may_use, NULL, r);
    r->only_freed = false;
    if (!piece) piece = pieces_take(&pool->pieces, bytes, may_use, NULL, r);
    r->finished = pool->reuse[cudaMemPoolReuseAllowOpportunistic - 1];
    if (!piece && r->finished) piece = pieces_take(&pool->pieces, bytes, may_use, NULL, r);
    if (!piece && (grow_for(call, pool, bytes, r) ||
                   (pool_spare(pool->device) && grow_for(call, pool, bytes, r))))
        piece = pieces_take(&pool->pieces, bytes, may_use, NULL, r);
    r->wait = pool->reuse[cudaMemPoolReuseAllowInternalDependencies - 1];
    if (!piece && r->wait) piece = pieces_take(&pool->pieces, bytes, may_use, note_wait, r);
    return piece;
}

MemoryBlock *pool_take(const Call *call, Pool *pool, const Stream *stream, size_t bytes,
                       const EngineOp **after, int *n_after)
{
    static Request r;
    if (!follows) {
        observer_add(&observer);
        follows = true;
    }
    if (bytes > memory_total_bytes(pool->device)) return NULL;
    r.pool = pool;
    r.stream = stream->id;
    r.clock = catch_up(behind_of(stream))->clock;
    r.finished = r.wait = false;
    r.n_after = 0;

    Piece *piece = find_room(call, pool, &r, round_up(bytes, PIECE_BYTES));
    if (!piece) return NULL;
    memory_forget_older(engine_oldest(runtime.engine));
    MemoryBlock *block = memory_place(pool->device, piece->address, bytes, call->site);
    if (!block) {
        pieces_give(&pool->pieces, piece, 0, 0);
        return NULL;
    }
    block->piece = piece;
    call_allocated(call, block);
    pool->blocks++;
    pool->used += bytes;
    if (pool->used_high < pool->used) pool->used_high = pool->used;
    *after = r.after;
    *n_after = r.n_after;

    return block;
}

void pool_give(MemoryBlock *block, const Stream *stream, EngineOp op)
{
    Piece *piece = block->piece;
    if (!piece) return;
    Pool *pool = (Pool *)piece->chunk->of;
    block->piece = NULL;
    pool->blocks--;
    pool->used -= block->bytes;
    pieces_give(&pool->pieces, piece, stream ? stream->id : 0, op);
    if (!stream) release(pool);
    look_if_gone(pool);
}

void pool_begin_high(Pool *pool, bool reserved)
{
    if (reserved) pool->reserved_high = pool->pieces.reserved;
    else pool->used_high = pool->used;
}

void pool_reset(int device, TraceSite site)
{
    current[device] = NULL;
    for (Pool *pool = pools, *next; pool; pool = next) {
        next = pool->next;
        if (pool->device != device) continue;
        if (!pool->destroyed) handle_close(HANDLE_POOL, pool->number, site);
        forget(pool);
    }
}
