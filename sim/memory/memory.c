/* memory.c - the arena and its allocator.
 *
 * Theory of operation. The arena is cut into zones: one for each device, and one for pinned and
 * managed memory above them. A zone has a part for small blocks, whose pages become accessible as
 * the part grows, and a part for big blocks, each mapped for itself with an inaccessible page
 * behind it: a big block that is freed gives its pages back and a late access faults. A small block
 * is followed by at least GUARD bytes that belong to no block. Small blocks of pinned and managed
 * memory have pages of their own, which nobody can touch once they are freed; host code that
 * touches device memory is found out by its instrumentation.
 *
 * A freed range rests in quarantine (first in, first out) before it may be used again, so that late
 * uses can be named. After that it is a free extent; extents are joined with their neighbours and
 * handed out best fit, lowest address first. When nothing fits, the quarantine is emptied before an
 * allocation is refused.
 *
 * Pools reserve chunks and place blocks in them. There an address can belong to several blocks:
 * what the program has given back in stream order, and operations still use, and what it has got
 * since. `given_out` has the latest ones, `older` those that lie below them, latest last; which one
 * is meant depends on when it was meant (memory_view).
 *
 * Big device blocks are copy-on-write mappings of a small file full of the fill pattern: memory
 * that is allocated and never touched costs nothing.
 */
#include "sim/memory/memory.h"
#include "common/devices.h"
#include "sim/memory/tree.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum {
    FILL = 0xA5,
    GUARD = 256,
    DEVICE_ALIGNMENT = 256,
    BIG_BYTES = 1 << 20,
    GROW_BYTES = 2 << 20,      /* accessible memory of a small part grows in these steps */
    PATTERN_BYTES = 256 << 10, /* the pattern file is at least this long */
    SMALL_RESTING_BLOCKS = 16384,
    REGISTERED_RESTING_BLOCKS = 1024
};
#define SMALL_RESTING_BYTES ((uint64_t)16 << 20)
#define HOST_BYTES ((uint64_t)256 << 30) /* pinned and managed memory together */
#define SLACK_BYTES ((uint64_t)8 << 30)

typedef struct Block {
    MemoryBlock block;     /* first: the public face */
    TreeNode node;         /* in live, or in gone */
    struct Part *part;     /* NULL: registered */
    uint64_t extent_bytes; /* with guard and rounding */
    struct Block *next_resting;
    bool resting;

    TreeNode given; /* of a pool, while nothing lies above */
    bool placed;
    uint32_t over_op; /* the operation that brought into being what lies above */
} Block;

typedef struct Extent {
    TreeNode by_address, by_size;
} Extent;

typedef struct Queue {
    Block *first, *last;
    uint64_t bytes, blocks;
} Queue;

typedef struct Part { /* of a zone: small or big blocks */
    uintptr_t base, limit;
    uintptr_t top;        /* nothing above was ever handed out */
    uintptr_t accessible; /* small parts: mapped up to here */
    bool big;
    TreeNode *by_address, *by_size; /* free extents below top */
    Queue resting;
} Part;

typedef struct Zone {
    Part small, big;
    uint64_t used, total;
} Zone;

uintptr_t memory_base, memory_span, memory_device_span;
bool memory_watch_written;

static Zone zones[DEVICES_MOST + 1]; /* devices, then the host */
static int n_devices;
static TreeNode *live, *gone;
static TreeNode *given_out;
static Block **older;
static size_t n_older, room_older;
static uint32_t view; /* the operation that asks; 0: a call */
void (*memory_overlaid)(const MemoryBlock *);
static Queue registered_gone;
static Block *last_found;
static uint32_t last_id;
static uint64_t page;
static bool reserved; /* the arena is mapped inaccessible; else it is only an agreement */
static int pattern_fd = -1;
static uint64_t pattern_bytes;

#define BLOCK_OF(n) ((Block *)((char *)(n)-offsetof(Block, node)))
#define BLOCK_GIVEN(n) ((Block *)((char *)(n)-offsetof(Block, given)))
#define EXTENT_BY_ADDRESS(n) ((Extent *)((char *)(n)-offsetof(Extent, by_address)))
#define EXTENT_BY_SIZE(n) ((Extent *)((char *)(n)-offsetof(Extent, by_size)))

static uint64_t round_up(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

static bool map_fixed(uintptr_t at, uint64_t bytes, int protection, int fd, bool replace)
{
    int flags = MAP_PRIVATE | MAP_NORESERVE | (replace ? MAP_FIXED : MAP_FIXED_NOREPLACE) |
                (fd < 0 ? MAP_ANONYMOUS : 0);
    void *got = mmap((void *)at, bytes, protection, flags, fd, 0);
    if (got == (void *)at) return true;
    if (got != MAP_FAILED) { /* a kernel older than MAP_FIXED_NOREPLACE took the address for a hint
                              */
        munmap(got, bytes);
        errno = EEXIST;
    }
    return false;
}

static void unmap(uintptr_t at, uint64_t bytes)
{
    if (!reserved || !map_fixed(at, bytes, PROT_NONE, -1, true)) munmap((void *)at, bytes);
}

static Part part_at(uintptr_t base, uint64_t bytes, bool big)
{
    return (Part){.base = base, .limit = base + bytes, .top = base, .accessible = base, .big = big};
}

int memory_init(int devices, uint64_t device_bytes)
{
    /* the usual place; others for when it is taken; low ones for 42- and 39-bit address spaces and
     * under valgrind */
    static const uintptr_t places[] = {0x200000000000, 0x300000000000, 0x100000000000,
                                       0x020000000000, 0x1000000000};
    if (memory_base || devices < 0 || devices > DEVICES_MOST || device_bytes > (uint64_t)1 << 44)
        return -1;
    page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (page < 4096) page = 4096;
    /* room for every block twice (a quarantine as large as the memory itself), in either part; and
     * for big ones once more, since a pool spreads its blocks, and keeps its addresses */
    uint64_t device_part = round_up(2 * device_bytes + SLACK_BYTES, GROW_BYTES);
    uint64_t host_part = 2 * HOST_BYTES;
    uint64_t span = (uint64_t)devices * 3 * device_part + 2 * host_part;
    uintptr_t base = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places && !base; i++) {
        reserved = map_fixed(places[i], span, PROT_NONE, -1, false);
        /* Under a limit of the address space nothing is reserved; each block is then mapped where
         * nothing is yet. */
        if (reserved) base = places[i];
        else if (errno == ENOMEM && map_fixed(places[i], page, PROT_NONE, -1, false)) {
            munmap((void *)places[i], page);
            base = places[i];
        }
    }
    if (!base) return -1;
    n_devices = devices;
    uintptr_t at = base;
    for (int i = 0; i <= devices; i++) {
        uint64_t small = i < devices ? device_part : host_part,
                 big = i < devices ? 2 * small : small;
        zones[i].small = part_at(at, small, false);
        zones[i].big = part_at(at + small, big, true);
        zones[i].total = i < devices ? device_bytes : HOST_BYTES;
        at += small + big;
    }
    memory_base = base;
    memory_span = span;
    memory_device_span = (uint64_t)devices * 3 * device_part;
    return 0;
}

/* ---- free extents ---- */

static Extent *extent_before(Part *part, uintptr_t address)
{
    TreeNode *node = tree_at_or_before(part->by_address, address, 0);
    return node ? EXTENT_BY_ADDRESS(node) : NULL;
}

static void extent_remove(Part *part, Extent *extent)
{
    tree_remove(&part->by_address, &extent->by_address);
    tree_remove(&part->by_size, &extent->by_size);
}

static void extent_insert(Part *part, Extent *extent, uintptr_t address, uint64_t bytes)
{
    tree_insert(&part->by_address, &extent->by_address, address, 0);
    tree_insert(&part->by_size, &extent->by_size, bytes, address);
}

/* A range may be used again: joins it with its neighbours. Out of memory: the range is never used
 * again. */
static void extent_add(Part *part, uintptr_t address, uint64_t bytes)
{
    Extent *before = extent_before(part, address), *spare = NULL;
    if (before && before->by_address.key + before->by_size.key == address) {
        address = before->by_address.key;
        bytes += before->by_size.key;
        extent_remove(part, before);
        spare = before;
    }
    TreeNode *node = tree_at_or_after(part->by_address, address, 0);
    if (node && node->key == address + bytes) {
        Extent *after = EXTENT_BY_ADDRESS(node);
        bytes += after->by_size.key;
        extent_remove(part, after);
        free(spare);
        spare = after;
    }
    if (!spare) spare = malloc(sizeof *spare);
    if (spare) extent_insert(part, spare, address, bytes);
}

static uintptr_t extent_take(Part *part, uint64_t bytes)
{
    TreeNode *node = tree_at_or_after(part->by_size, bytes, 0);
    if (!node) return 0;
    Extent *extent = EXTENT_BY_SIZE(node);
    uintptr_t address = extent->by_address.key;
    uint64_t left = extent->by_size.key - bytes;
    extent_remove(part, extent);
    if (left) extent_insert(part, extent, address + bytes, left);
    else free(extent);
    return address;
}

/* ---- quarantine ---- */

static void queue_push(Queue *queue, Block *block)
{
    block->next_resting = NULL;
    block->resting = true;
    if (queue->last) queue->last->next_resting = block;
    else queue->first = block;
    queue->last = block;
    queue->bytes += block->extent_bytes;
    queue->blocks++;
}

static Block *queue_pop(Queue *queue)
{
    Block *block = queue->first;
    queue->first = block->next_resting;
    if (!queue->first) queue->last = NULL;
    queue->bytes -= block->extent_bytes;
    queue->blocks--;
    block->resting = false;
    return block;
}

static void wake_oldest(Part *part)
{
    Block *block = queue_pop(&part->resting);
    extent_add(part, block->block.address, block->extent_bytes);
}

/* Forgets freed blocks that overlap a range which is used again. */
static void forget_gone(uintptr_t address, uint64_t bytes)
{
    for (;;) {
        TreeNode *node = tree_at_or_before(gone, address + bytes - 1, UINT64_MAX);
        if (!node || BLOCK_OF(node)->block.address + BLOCK_OF(node)->block.bytes <= address) return;
        Block *block = BLOCK_OF(node);
        tree_remove(&gone, node);
        if (block->resting) { /* only registered memory: its place in the queue is given up later */
            block->block.bytes = 0;
            continue;
        }
        free(block);
    }
}

/* ---- blocks ---- */

static bool pattern_ready(uint64_t bytes)
{
    if (pattern_fd < 0) {
        pattern_fd = memfd_create("threelane-fill", MFD_CLOEXEC);
        if (pattern_fd < 0) return false;
    }
    if (pattern_bytes >= bytes) return true;
    static char fill[PATTERN_BYTES];
    memset(fill, FILL, sizeof fill);
    while (pattern_bytes < bytes) {
        ssize_t n = pwrite(pattern_fd, fill, sizeof fill, (off_t)pattern_bytes);
        if (n != (ssize_t)sizeof fill) return false;
        pattern_bytes += sizeof fill;
    }
    return true;
}

/* used: how much the device has given out by then. */
static bool map_big(uintptr_t at, uint64_t bytes, bool fill, uint64_t used)
{
    if (!fill) return map_fixed(at, bytes, PROT_READ | PROT_WRITE, -1, reserved);
    /* few mappings even for the largest block, and for all of a device's memory in smaller ones: a
     * process may have about 65,000 */
    uint64_t window = PATTERN_BYTES;
    while (window < bytes / 2048 || window < used / 2048) window *= 2;
    if (!pattern_ready(window)) {
        if (!map_fixed(at, bytes, PROT_READ | PROT_WRITE, -1, reserved)) return false;
        memset((void *)at, FILL, bytes);
        return true;
    }
    for (uint64_t done = 0; done < bytes; done += window) {
        uint64_t part = bytes - done < window ? bytes - done : window;
        if (!map_fixed(at + done, part, PROT_READ | PROT_WRITE, pattern_fd, reserved)) {
            if (done) unmap(at, done);
            return false;
        }
    }
    return true;
}

static uintptr_t place(Part *part, uint64_t bytes)
{
    uintptr_t address;
    for (;;) {
        address = extent_take(part, bytes);
        if (address) return address;
        if (part->limit - part->top >= bytes) break;
        if (!part->resting.first) return 0;
        wake_oldest(part);
    }
    uintptr_t end = part->top + bytes;
    if (!part->big && end > part->accessible) {
        uint64_t grow = round_up(end - part->accessible, GROW_BYTES);
        if (grow > part->limit - part->accessible) grow = part->limit - part->accessible;
        if (!map_fixed(part->accessible, grow, PROT_READ | PROT_WRITE, -1, reserved)) return 0;
        part->accessible += grow;
    }
    address = part->top;
    part->top = end;
    return address;
}

MemoryBlock *memory_alloc(TraceMemory kind, int device, size_t bytes, unsigned flags,
                          TraceSite site)
{
    bool on_device = kind == TRACE_MEM_DEVICE;
    if (!memory_base || !bytes || (on_device && (device < 0 || device >= n_devices))) return NULL;
    Zone *zone = &zones[on_device ? device : n_devices];
    if (bytes > zone->total || round_up(bytes, DEVICE_ALIGNMENT) > zone->total - zone->used)
        return NULL;
    bool big = bytes >= BIG_BYTES;
    Part *part = big ? &zone->big : &zone->small;
    uint64_t mapped =
        big ? round_up(bytes, page) : round_up(bytes + GUARD, on_device ? DEVICE_ALIGNMENT : page);
    uint64_t extent = mapped + (big ? page : 0);
    Block *block = calloc(1, sizeof *block);
    if (!block) return NULL;
    uintptr_t address = place(part, extent);
    if (address &&
        (big ? !map_big(address, mapped, on_device, zone->used)
             : !on_device && mprotect((void *)address, mapped, PROT_READ | PROT_WRITE))) {
        extent_add(part, address, extent);
        address = 0;
    }
    if (!address) {
        free(block);
        return NULL;
    }
    if (!big) memset((void *)address, on_device ? FILL : 0, bytes);
    forget_gone(address, extent);
    block->block =
        (MemoryBlock){.address = address,
                      .bytes = bytes,
                      .kind = kind,
                      .device = on_device ? device : -1,
                      .flags = flags,
                      .id = ++last_id,
                      .made = site,
                      .written =
                          on_device && memory_watch_written ? written_new(address, bytes) : NULL};
    block->part = part;
    block->extent_bytes = extent;
    zone->used += round_up(bytes, DEVICE_ALIGNMENT);
    tree_insert(&live, &block->node, address, 0);
    return &block->block;
}

MemoryBlock *memory_register(void *address, size_t bytes, unsigned flags, TraceSite site)
{
    uintptr_t at = (uintptr_t)address;
    if (!bytes || bytes - 1 > UINTPTR_MAX - at) return NULL;
    if (at - memory_base < memory_span || (at < memory_base && bytes > memory_base - at))
        return NULL;
    TreeNode *node = tree_at_or_before(live, at + (bytes - 1), 0);
    if (node && BLOCK_OF(node)->block.address + (BLOCK_OF(node)->block.bytes - 1) >= at)
        return NULL;
    Block *block = calloc(1, sizeof *block);
    if (!block) return NULL;
    forget_gone(at, bytes);
    block->block = (MemoryBlock){.address = at,
                                 .bytes = bytes,
                                 .kind = TRACE_MEM_REGISTERED,
                                 .device = -1,
                                 .flags = flags,
                                 .id = ++last_id,
                                 .made = site};
    block->extent_bytes = bytes;
    tree_insert(&live, &block->node, at, 0);
    return &block->block;
}

static void forget_held(void);

/* ---- pools ---- */

static bool contains(const Block *block, uintptr_t address)
{
    return address - block->block.address < block->block.bytes;
}

static Block *given_at(uintptr_t address)
{
    TreeNode *node = tree_at_or_before(given_out, address, 0);
    return node && contains(BLOCK_GIVEN(node), address) ? BLOCK_GIVEN(node) : NULL;
}

/* The first of those below that something was placed over by op, or later: over_op rises, and what
 * an address belonged to by then is mostly among the next few. */
static size_t overlaid_from(uint32_t op)
{
    size_t low = 0, high = n_older;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (older[middle]->over_op < op) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The block that whoever asks means. */
static Block *meant_at(uintptr_t address)
{
    Block *block = given_at(address);
    if (!view || (block && block->block.made_op < view)) return block;
    for (size_t i = overlaid_from(view); i < n_older; i++)
        if (contains(older[i], address) && older[i]->block.made_op < view) return older[i];
    return NULL;
}

void memory_view(uint32_t op)
{
    if (n_older) forget_held();
    view = op;
}

void memory_forget_older(uint32_t op)
{
    static size_t look_at = 64; /* now and then: most of them are kept for long, or none */
    size_t kept = 0;
    if (n_older < look_at) return;
    for (size_t i = 0; i < n_older; i++)
        if (older[i]->block.freed && older[i]->over_op < op) free(older[i]);
        else older[kept++] = older[i];
    n_older = kept;
    look_at = 2 * kept + 64;
}

/* What lies in the range goes below what is placed there, or, when the range itself goes, to what
 * is gone. The latest first. */
static bool clear_range(uintptr_t address, uint64_t bytes, bool below)
{
    for (;;) {
        TreeNode *node = tree_at_or_before(given_out, address + bytes - 1, 0);
        Block *block = node ? BLOCK_GIVEN(node) : NULL;
        if (!block || block->block.address + block->block.bytes <= address) return true;
        if (below && n_older == room_older) {
            size_t room = room_older ? 2 * room_older : 64;
            Block **more = realloc(older, room * sizeof *older);
            if (!more) return false;
            older = more;
            room_older = room;
        }
        if (below && memory_overlaid) memory_overlaid(&block->block);
        tree_remove(&given_out, node);
        block->over_op = UINT32_MAX;
        if (below) older[n_older++] = block;
        else tree_insert(&gone, &block->node, block->block.address, 0);
    }
}

uintptr_t memory_reserve(int device, uint64_t bytes, uint64_t span)
{
    if (!memory_base || !bytes || device < 0 || device >= n_devices) return 0;
    Zone *zone = &zones[device];
    if (bytes > zone->total - zone->used) return 0;
    uintptr_t address = place(&zone->big, span + page);
    if (address && !map_big(address, span, true, zone->used)) {
        extent_add(&zone->big, address, span + page);
        address = 0;
    }
    if (!address) return 0;
    forget_gone(address, span + page);
    zone->used += bytes;

    return address;
}

/* Takes the addresses right behind [.., end), which end with an inaccessible page, if nobody has
 * them. */
static bool take_behind(Part *part, uintptr_t end, uint64_t bytes)
{
    if (end == part->top) {
        if (part->limit - part->top < bytes) return false;
        part->top += bytes;
        return true;
    }
    TreeNode *node = tree_at_or_after(part->by_address, end, 0);
    if (!node || node->key != end) return false;
    Extent *extent = EXTENT_BY_ADDRESS(node);
    uint64_t there = extent->by_size.key;
    if (there < bytes) return false;
    extent_remove(part, extent);
    if (there > bytes) extent_insert(part, extent, end + bytes, there - bytes);
    else free(extent);
    return true;
}

bool memory_extend(int device, uintptr_t address, uint64_t span, uint64_t bytes, uint64_t more)
{
    Zone *zone = &zones[device];
    uintptr_t end = address + span;
    if (bytes > zone->total - zone->used || !take_behind(&zone->big, end + page, more))
        return false;
    if (!map_big(end, more, true, zone->used)) {
        unmap(end, page);
        extent_add(&zone->big, end + page, more);
        return false;
    }
    forget_gone(end, more + page);
    unmap(end + more, page);
    zone->used += bytes;

    return true;
}

void memory_bare(int device, uintptr_t address, uint64_t bytes, uint64_t span)
{
    zones[device].used -= bytes;
    madvise((void *)address, span, MADV_DONTNEED);
}

bool memory_back(int device, uint64_t bytes)
{
    Zone *zone = &zones[device];
    if (bytes > zone->total - zone->used) return false;
    zone->used += bytes;
    return true;
}

void memory_unreserve(int device, uintptr_t address, uint64_t bytes, uint64_t span)
{
    Zone *zone = &zones[device];
    zone->used -= bytes;
    size_t kept = 0;
    for (size_t i = 0; i < n_older; i++)
        if (older[i]->block.address - address < span) free(older[i]);
        else older[kept++] = older[i];
    n_older = kept;
    forget_held();
    clear_range(address, span, false);
    unmap(address, span);
    extent_add(&zone->big, address, span + page);
}

MemoryBlock *memory_place(int device, uintptr_t address, size_t bytes, TraceSite site)
{
    Block *block = calloc(1, sizeof *block);
    if (!block || !clear_range(address, bytes, true)) {
        free(block);
        return NULL;
    }
    block->block =
        (MemoryBlock){.address = address,
                      .bytes = bytes,
                      .kind = TRACE_MEM_DEVICE,
                      .device = device,
                      .id = ++last_id,
                      .pool = true,
                      .made = site,
                      .written = memory_watch_written ? written_new(address, bytes) : NULL};
    block->placed = true;
    tree_insert(&given_out, &block->given, address, 0);
    forget_held();

    return &block->block;
}

void memory_made_by(MemoryBlock *block, uint32_t op)
{
    block->made_op = op;
    for (size_t i = n_older; i-- > 0 && older[i]->over_op == UINT32_MAX;) older[i]->over_op = op;
}

MemoryBlock *memory_newest(const void *address)
{
    Block *block = given_at((uintptr_t)address);
    if (block) return &block->block;
    MemoryBlock *found = memory_find(address);
    return found ? found : memory_find_freed(address);
}

void memory_release(MemoryBlock *public, TraceSite site)
{
    Block *block = (Block *)public;
    if (!block || block->block.freed) return;
    block->block.freed = true;
    block->block.gone = site;
    if (last_found == block) last_found = NULL;
    forget_held();
    written_free(block->block.written);
    block->block.written = NULL;
    if (block->placed) return; /* it stays where it is, until something is placed there */
    tree_remove(&live, &block->node);
    forget_gone(block->block.address, block->block.bytes);
    tree_insert(&gone, &block->node, block->block.address, 0);
    Part *part = block->part;
    if (!part) {
        queue_push(&registered_gone, block);
        if (registered_gone.blocks > REGISTERED_RESTING_BLOCKS) {
            Block *old = queue_pop(&registered_gone);
            if (old->block.bytes) tree_remove(&gone, &old->node);
            free(old);
        }
        return;
    }
    Zone *zone = &zones[block->block.device >= 0 ? block->block.device : n_devices];
    zone->used -= round_up(block->block.bytes, DEVICE_ALIGNMENT);
    queue_push(&part->resting, block);
    if (part->big) unmap(block->block.address, block->extent_bytes - page);
    else if (block->block.device < 0)
        mprotect((void *)block->block.address, block->extent_bytes, PROT_NONE);
    uint64_t most = part->big ? (part->limit - part->base) / 2 : SMALL_RESTING_BYTES;
    while (part->resting.bytes > most || part->resting.blocks > SMALL_RESTING_BLOCKS)
        wake_oldest(part);
}

MemoryBlock *memory_find(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    if (last_found && at - last_found->block.address < last_found->block.bytes)
        return &last_found->block;
    TreeNode *node = tree_at_or_before(live, at, 0);
    if (node && contains(BLOCK_OF(node), at)) {
        last_found = BLOCK_OF(node);
        return &last_found->block;
    }
    Block *block = given_out ? meant_at(at) : NULL;
    return block && !block->block.freed ? &block->block : NULL;
}

/* By page, the block that was found there last. Emptied when a block goes. */
enum { HELD = 64 };
static struct {
    uintptr_t begin, end;
} held[HELD];

static void forget_held(void) { memset(held, 0, sizeof held); }

bool memory_holds(const void *address, size_t bytes)
{
    uintptr_t at = (uintptr_t)address;
    unsigned i = (unsigned)(at / 4096 % HELD);
    if (__builtin_expect(at >= held[i].begin && at < held[i].end && bytes <= held[i].end - at, 1))
        return true;
    const MemoryBlock *block = memory_find(address);
    if (!block) return false;
    held[i].begin = block->address;
    held[i].end = block->address + block->bytes;
    return bytes <= held[i].end - at;
}

void memory_written(const void *address, size_t bytes)
{
    if ((uintptr_t)address - memory_base >= memory_device_span) return;
    MemoryBlock *block = memory_find(address);
    if (!block || !block->written) return;
    written_add(block->written, (uintptr_t)address, bytes);
    if (written_all(block->written)) {
        written_free(block->written);
        block->written = NULL;
    }
}

MemoryBlock *memory_find_below(const void *address)
{
    TreeNode *node = tree_at_or_before(live, (uintptr_t)address, 0),
             *given = tree_at_or_before(given_out, (uintptr_t)address, 0);
    while (given && BLOCK_GIVEN(given)->block.freed)
        given = given->key ? tree_at_or_before(given_out, given->key - 1, 0) : NULL;
    if (given && (!node || node->key < given->key)) return &BLOCK_GIVEN(given)->block;
    return node ? &BLOCK_OF(node)->block : NULL;
}

MemoryBlock *memory_find_above(const void *address)
{
    TreeNode *node = tree_at_or_after(live, (uintptr_t)address + 1, 0),
             *given = tree_at_or_after(given_out, (uintptr_t)address + 1, 0);
    while (given && BLOCK_GIVEN(given)->block.freed)
        given = tree_at_or_after(given_out, given->key + 1, 0);
    if (given && (!node || node->key > given->key)) return &BLOCK_GIVEN(given)->block;
    return node ? &BLOCK_OF(node)->block : NULL;
}

MemoryBlock *memory_find_freed(const void *address)
{
    const Block *meant = given_out ? meant_at((uintptr_t)address) : NULL;
    if (meant && meant->block.freed) return (MemoryBlock *)&meant->block;
    TreeNode *node = tree_at_or_before(gone, (uintptr_t)address, 0);
    if (!node) return NULL;
    MemoryBlock *block = &BLOCK_OF(node)->block;
    return (uintptr_t)address - block->address < block->bytes ? block : NULL;
}

uint64_t memory_free_bytes(int device)
{
    return device >= 0 && device < n_devices ? zones[device].total - zones[device].used : 0;
}

uint64_t memory_total_bytes(int device)
{
    return device >= 0 && device < n_devices ? zones[device].total : 0;
}

void memory_each(void (*visit)(const MemoryBlock *, void *), void *arg)
{
    TreeNode *node = tree_at_or_after(live, 0, 0);
    while (node) {
        uint64_t key = node->key; /* visit may release the block */
        visit(&BLOCK_OF(node)->block, arg);
        node = tree_at_or_after(live, key + 1, 0);
    }
    for (node = tree_at_or_after(given_out, 0, 0); node;) {
        Block *block = BLOCK_GIVEN(node);
        uint64_t key = node->key;
        if (!block->block.freed) visit(&block->block, arg);
        node = tree_at_or_after(given_out, key + 1, 0);
    }
}

void memory_each_open(void (*visit)(uintptr_t begin, uintptr_t end, void *), void *arg)
{
    for (int i = 0; i < n_devices; i++) visit(zones[i].small.base, zones[i].small.accessible, arg);
}
