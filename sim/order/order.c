/* order.c - see order.h. Knowledge is a graph of nodes that never change: a node says what one
 * thread had done by some moment, or joins two others. */
#include "sim/order/order.h"
#include <stdlib.h>
#include <string.h>
#include "sim/host/host.h"

enum {
    THREADS = 1024,
    LANES = 32,
    TABLE = 4096,
    CHUNK = 1024,
    MOST_NODES = 4 << 20,
    MOST_LOOSE = 1 << 18
};

typedef struct Know {
    const struct Know *a, *b; /* what it joins; of a point: a is what its thread knew then */
    uint64_t block, stamp;
    uint32_t rank, phase;
    bool point, block_only;
    uint64_t seen; /* the query that has been here */
} Know;

typedef struct OrderBlock {
    struct OrderBlock *next;
    uint64_t number;
    uint32_t phase;
    const Know *all, *fences; /* what every thread knows; what fences before the last barrier are
                                 good for */
    const Know **of, **fence; /* of each thread, since then; NULL: nothing */
    const Know *all_loose, **loose; /* what they would know if fences had been made everywhere */
} OrderBlock;

typedef struct Flag {
    struct Flag *next;
    uintptr_t address;
    const Know *know, *loose;
} Flag;

typedef struct Chunk {
    struct Chunk *next;
    Know nodes[CHUNK];
} Chunk;

static OrderBlock *blocks[TABLE], *now;
static Flag *flags[TABLE];
static Chunk *chunks;
static unsigned used; /* of the newest chunk */
static uint64_t n_nodes, stamp, grid_stamp, query;
static bool blind; /* too much to remember: everything counts as ordered */

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        host_fatal(HOST_STATUS_CRASH, (TraceSite){0},
                   "out of memory (%zu bytes for the order of a kernel's threads)", bytes);
    return memory;
}

static Know *new_node(void)
{
    if (++n_nodes > MOST_NODES) blind = true;
    if (!chunks || used == CHUNK) {
        Chunk *chunk = allocate(sizeof *chunk);
        chunk->next = chunks;
        chunks = chunk;
        used = 0;
    }
    Know *node = &chunks->nodes[used++];
    *node = (Know){0};
    return node;
}

static const Know *join(const Know *a, const Know *b)
{
    if (!a || a == b || blind) return b;
    if (!b || b->a == a || b->b == a) return b ? b : a;
    if (a->a == b || a->b == b) return a;
    Know *node = new_node();
    node->a = a;
    node->b = b;
    return node;
}

static const Know *known_to(uint32_t rank)
{
    return join(now->all, now->of ? now->of[rank] : NULL);
}

static const Know *point_of(uint32_t rank, const Know *known, bool block_only)
{
    Know *node = new_node();
    node->point = true;
    node->block_only = block_only;
    node->block = now->number;
    node->rank = rank;
    node->phase = now->phase;
    node->stamp = stamp;
    node->a = known;
    return node;
}

static const Know **of_threads(const Know ***array)
{
    if (!*array) {
        *array = allocate(THREADS * sizeof **array);
        memset(*array, 0, THREADS * sizeof **array);
    }
    return *array;
}

void order_begin(void)
{
    order_end();
    stamp = 1;
}

static void free_block(OrderBlock *b)
{
    free(b->of);
    free(b->fence);
    free(b->loose);
    free(b);
}

void order_end(void)
{
    for (int i = 0; i < TABLE; i++) {
        for (OrderBlock *b = blocks[i], *next; b; b = next) next = b->next, free_block(b);
        for (Flag *f = flags[i], *next; f; f = next) next = f->next, free(f);
        blocks[i] = NULL;
        flags[i] = NULL;
    }
    for (Chunk *next; chunks; chunks = next) next = chunks->next, free(chunks);
    now = NULL;
    used = 0;
    n_nodes = stamp = grid_stamp = query = 0;
    blind = false;
}

void order_block(uint64_t number)
{
    OrderBlock **at = &blocks[number % TABLE];
    for (now = *at; now && now->number != number; now = now->next) {}
    if (now) return;
    now = allocate(sizeof *now);
    *now = (OrderBlock){.next = *at, .number = number};
    *at = now;
}

void order_block_ended(uint64_t number)
{
    for (OrderBlock **at = &blocks[number % TABLE]; *at; at = &(*at)->next) {
        OrderBlock *b = *at;
        if (b->number != number) continue;
        *at = b->next;
        if (now == b) now = NULL;
        free_block(b);
        return;
    }
}

/* All threads of the block know what each of them knows, and has done. */
static void meet(OrderBlock *b)
{
    for (int i = 0; i < THREADS && (b->of || b->fence || b->loose); i++) {
        if (b->of) b->all = join(b->all, b->of[i]);
        if (b->fence) b->fences = join(b->fences, b->fence[i]);
        if (b->loose) b->all_loose = join(b->all_loose, b->loose[i]);
    }
    if (b->loose) memset(b->loose, 0, THREADS * sizeof *b->loose);
    if (b->of) memset(b->of, 0, THREADS * sizeof *b->of);
    if (b->fence) memset(b->fence, 0, THREADS * sizeof *b->fence);
    b->phase++;
}

void order_barrier(void)
{
    meet(now);
    stamp++;
}

static OrderBlock *find_block(uint64_t number)
{
    OrderBlock *b = blocks[number % TABLE];
    while (b && b->number != number) b = b->next;
    return b;
}

void order_cluster_barrier(const uint64_t *numbers, uint32_t n)
{
    const Know *sum = NULL, *fences = NULL;
    for (uint32_t i = 0; i < n; i++) {
        OrderBlock *b = find_block(numbers[i]);
        if (!b) continue;
        meet(b);
        Know *node = new_node(); /* all that its threads did before this barrier */
        node->point = true;
        node->block = b->number;
        node->phase = b->phase;
        node->stamp = stamp;
        node->a = b->all;
        sum = join(sum, node);
        fences = join(fences, b->fences);
    }
    for (uint32_t i = 0; i < n; i++) {
        OrderBlock *b = find_block(numbers[i]);
        if (!b) continue;
        b->all = sum;
        b->fences = fences;
    }
    stamp++;
}

void order_grid_barrier(void) { grid_stamp = stamp++; }

void order_warp(uint32_t first_rank, uint32_t lanes)
{
    const Know *sum = NULL, **of = of_threads(&now->of);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t rank = first_rank + (uint32_t)__builtin_ctz(rest);
        sum = join(sum, point_of(rank, of[rank], false));
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        of[first_rank + (uint32_t)__builtin_ctz(rest)] = sum;
    stamp++;
}

void order_fence(uint32_t rank, bool block_only)
{
    const Know **fence = of_threads(&now->fence), *old = fence[rank];
    const Know *made = point_of(rank, known_to(rank), block_only);
    /* a fence of the block adds to one for all, and does not replace it */
    fence[rank] = block_only && old ? join(old, made) : made;
    stamp++;
}

static Flag *flag_at(uintptr_t address, bool make)
{
    Flag **at = &flags[(address >> 2 ^ address >> 14) % TABLE], *f = *at;
    while (f && f->address != address) f = f->next;
    if (f || !make) return f;
    f = allocate(sizeof *f);
    *f = (Flag){.next = *at, .address = address};
    *at = f;
    return f;
}

void order_release(uint32_t rank, uintptr_t address, bool adds)
{
    const Know *made = join(now->fences, now->fence ? now->fence[rank] : NULL);
    bool loosely = n_nodes < MOST_LOOSE;
    Flag *flag = flag_at(address, made != NULL || loosely);
    if (!flag) return;
    flag->know = adds ? join(flag->know, made) : made;
    if (!loosely) return;
    const Know *here =
        join(known_to(rank), join(now->all_loose, now->loose ? now->loose[rank] : NULL));
    flag->loose = join(flag->loose, point_of(rank, here, false));
    stamp++;
}

void order_acquire(uint32_t rank, uintptr_t address)
{
    const Flag *flag = flag_at(address, false);
    if (flag && flag->know) {
        const Know **of = of_threads(&now->of);
        of[rank] = join(of[rank], flag->know);
    }
    if (flag && flag->loose) {
        const Know **loose = of_threads(&now->loose);
        loose[rank] = join(loose[rank], flag->loose);
    }
}

OrderPoint order_now(uint32_t rank) { return (OrderPoint){now->number, stamp, rank, now->phase}; }

/* Is the point among what is known? */
static bool covers(const Know *known, const OrderPoint *p)
{
    static const Know **stack;
    static size_t room;
    size_t n = 0;
    query++;
    for (const Know *k = known; k || n;) {
        if (!k) k = stack[--n];
        if (k->seen == query || (k->block_only && k->block != now->number)) {
            k = NULL;
            continue;
        }
        ((Know *)(uintptr_t)k)->seen = query;
        if (k->point && k->block == p->block &&
            (p->phase < k->phase || (p->rank == k->rank && p->stamp <= k->stamp)))
            return true;
        if (k->b && k->b->seen != query) {
            if (n == room) {
                const Know **more = allocate((2 * room + 64) * sizeof *more);
                if (n) memcpy(more, stack, n * sizeof *more);
                free(stack);
                stack = more;
                room = 2 * room + 64;
            }
            stack[n++] = k->b;
        }
        k = k->a;
    }
    return false;
}

bool order_after(uint32_t rank, const OrderPoint *p)
{
    if (blind || p->stamp <= grid_stamp) return true;
    if (p->block == now->number && (p->rank == rank || p->phase < now->phase)) return true;
    return covers(known_to(rank), p);
}

bool order_is_blind(void) { return blind; }

bool order_only_fence_missing(uint32_t rank, const OrderPoint *p)
{
    return covers(join(now->all_loose, now->loose ? now->loose[rank] : NULL), p);
}
