/* inside.c - see inside.h. */
#include "sim/exec/inside.h"
#include <stdlib.h>
#include <string.h>
#include "sim/exec/exec_internal.h"
#include "sim/memory/memory.h"

bool inside_on, inside_ranked;
static const char *wanted; /* names with commas between; NULL: none */

enum { WARPS = 32, BLOCKS = 1024, MEMORIES = 64 };
#define WHOLE 1000000000ll /* a block's work, as a number */

typedef enum Role { ROLE_NONE, ROLE_LOAD, ROLE_COMPUTE, ROLE_STORE, ROLE_SEVERAL, ROLES } Role;

/* Bytes. */
typedef struct Touched {
    uint64_t global_read, global_written, shared_read, shared_written;
} Touched;

/* What the warps of a role have done in one block: all of it, and so far. */
typedef struct Progress {
    uint64_t all[ROLES], done[ROLES];
    int64_t ahead[EXEC_LEADS]; /* the greatest so far, in parts of WHOLE */
} Progress;

typedef struct BlockFacts { /* of one of the first blocks */
    Touched touched[WARPS];
    Progress progress;
} BlockFacts;

static Touched touched[WARPS]; /* in all blocks together */
static Role roles[WARPS];
static BlockFacts *blocks;
static uint64_t n_blocks;
static ExecInside *facts;
static const MemoryBlock *latest;

/* Whose lead over whom. */
static const struct Lead {
    Role ahead, of;
} leads[EXEC_LEADS] = {[EXEC_LOAD_COMPUTE] = {ROLE_LOAD, ROLE_COMPUTE},
                       [EXEC_LOAD_STORE] = {ROLE_LOAD, ROLE_STORE},
                       [EXEC_COMPUTE_STORE] = {ROLE_COMPUTE, ROLE_STORE}};

void exec_look_inside(const char *names) { wanted = names; }

bool inside_wanted(const char *kernel)
{
    for (const char *at = wanted; at && *at;) {
        size_t n = strcspn(at, ",");
        bool any_rest = n && at[n - 1] == '*';
        if (!strncmp(at, kernel, n - any_rest) && (any_rest || !kernel[n])) return true;
        at += n + (at[n] == ',');
    }
    return false;
}

static uint64_t block_number(void)
{
    const uint32_t *at = exec_block->index;
    const TraceDim *grid = &exec_run->launch.grid;
    return at[0] + grid->x * (at[1] + (uint64_t)grid->y * at[2]);
}

void inside_begin(Run *run, bool ranked)
{
    latest = NULL;
    inside_on = true;
    inside_ranked = ranked;
    if (ranked) return;

    memset(touched, 0, sizeof touched);
    memset(roles, 0, sizeof roles);
    n_blocks = run->blocks < BLOCKS ? run->blocks : BLOCKS;
    blocks = exec_allocate(n_blocks * sizeof *blocks);
    memset(blocks, 0, n_blocks * sizeof *blocks);
    facts = exec_allocate(sizeof *facts);
    *facts = (ExecInside){0};
}

void inside_free(ExecInside *inside)
{
    if (inside) free(inside->memories);
    free(inside);
}

/* ---- roles ---- */

static bool is_little(uint64_t part, uint64_t of) { return part <= of / 8; }

static Role role_of(const Touched *t)
{
    uint64_t global = t->global_read + t->global_written;
    if (!global && !t->shared_read) return ROLE_NONE;
    if (t->global_read && is_little(t->global_written, t->global_read) &&
        is_little(t->shared_read, t->global_read))
        return ROLE_LOAD;
    if (t->global_written && t->shared_read && is_little(t->global_read, t->global_written))
        return ROLE_STORE;
    if (is_little(global, t->shared_read)) return ROLE_COMPUTE;
    return ROLE_SEVERAL;
}

/* What counts as a role's work: of one who loads, what is asked for; of the others, what they take
 * and what they make of it. */
static uint64_t work(Role role, const Touched *t)
{
    switch (role) {
    case ROLE_LOAD: return t->global_read;
    case ROLE_COMPUTE: return t->shared_read + t->shared_written;
    case ROLE_STORE: return t->shared_read + t->global_written;
    default: return 0;
    }
}

unsigned inside_rank(uint32_t thread)
{
    switch (roles[thread / 32]) {
    case ROLE_NONE: return 0; /* what it does is waiting, which others may wait for */
    case ROLE_LOAD: return 1;
    case ROLE_STORE: return 3;
    default: return 2;
    }
}

/* ---- while it runs ---- */

static ExecInsideMemory *memory_facts(const MemoryBlock *block)
{
    for (size_t i = 0; i < facts->n_memories; i++)
        if (facts->memories[i].alloc == block->id) return &facts->memories[i];
    if (facts->n_memories == MEMORIES) return NULL;
    if (!facts->memories) facts->memories = exec_allocate(MEMORIES * sizeof *facts->memories);
    ExecInsideMemory *new = &facts->memories[facts->n_memories++];
    *new = (ExecInsideMemory){.alloc = block->id};
    return new;
}

/* How many of the bytes the kernel has not touched so before. */
static uint64_t new_bytes(uintptr_t address, size_t bytes, bool write)
{
    uint64_t n = 0;
    for (uintptr_t at = address, end = address + bytes; at < end;) {
        const FootprintPage *page = footprint_find(at);
        unsigned line = at / 64 % FOOTPRINT_LINES, first = at % 64,
                 count = end - at < 64 - first ? (unsigned)(end - at) : 64 - first;
        uint64_t bits = (count == 64 ? ~0ull : (1ull << count) - 1) << first;
        if (page) {
            uint64_t before = write ? page->held[line] | page->wrote[line] : page->read[line];
            n += (uint64_t)__builtin_popcountll(bits & ~before);
        }
        at += count;
    }
    return n;
}

static void count_memory(const MemoryBlock *block, uintptr_t address, size_t bytes, bool write)
{
    ExecInsideMemory *m = memory_facts(block);
    if (!m) return;
    ExecInsideTouch *t = write ? &m->written : &m->read;
    uint64_t now = exec_run->clock.start_ns + exec_local_ns(threelane_rank());
    if (!t->bytes || now < t->first_ns) t->first_ns = now;
    t->bytes += bytes;
    t->different += new_bytes(address, bytes, write);
}

static void note_ahead(Progress *p, Role role)
{
    for (int i = 0; i < EXEC_LEADS; i++) {
        const struct Lead *lead = &leads[i];
        if (lead->ahead != role || !p->all[lead->ahead] || !p->all[lead->of]) continue;
        double ahead = (double)p->done[lead->ahead] / (double)p->all[lead->ahead],
               behind = (double)p->done[lead->of] / (double)p->all[lead->of];
        int64_t by = (int64_t)((ahead - behind) * (double)WHOLE + 0.5);
        if (by > p->ahead[i]) p->ahead[i] = by;
    }
}

static void add(Touched *to, const Touched *more)
{
    to->global_read += more->global_read;
    to->global_written += more->global_written;
    to->shared_read += more->shared_read;
    to->shared_written += more->shared_written;
}

void inside_access(uintptr_t address, size_t bytes, bool write)
{
    uint64_t block = block_number();
    uint32_t warp = threelane_rank() / 32;
    Touched now = {0};
    if (exec_is_shared(address)) {
        if (write) now.shared_written = bytes;
        else now.shared_read = bytes;
    } else {
        if (!latest || address - latest->address >= latest->bytes)
            latest = memory_find((const void *)address);
        if (!latest) return;
        if (write) now.global_written = bytes;
        else now.global_read = bytes;
    }

    if (inside_ranked) {
        schedule_by_rank();
        if (block >= n_blocks) return;
        Progress *p = &blocks[block].progress;
        p->done[roles[warp]] += work(roles[warp], &now);
        note_ahead(p, roles[warp]);
        return;
    }
    if (now.global_read || now.global_written) count_memory(latest, address, bytes, write);
    add(&touched[warp], &now);
    if (block < n_blocks) add(&blocks[block].touched[warp], &now);
}

void inside_barrier(void)
{
    if (inside_ranked) return;
    uint32_t passed = ++exec_block->passed;
    if (passed > facts->barriers) facts->barriers = passed;
}

/* ---- its end ---- */

/* True when two of the roles are there, so that one can be ahead of the other. */
static bool find_roles(void)
{
    bool there[ROLES] = {0};
    for (int w = 0; w < WARPS; w++) {
        roles[w] = role_of(&touched[w]);
        there[roles[w]] = true;
    }
    for (uint64_t b = 0; b < n_blocks; b++)
        for (int w = 0; w < WARPS; w++)
            blocks[b].progress.all[roles[w]] += work(roles[w], &blocks[b].touched[w]);
    facts->several = there[ROLE_SEVERAL];
    return there[ROLE_LOAD] + there[ROLE_COMPUTE] + there[ROLE_STORE] >= 2;
}

/* A kernel keeps the distance that the least of its blocks keeps. */
static void find_leads(void)
{
    for (int i = 0; i < EXEC_LEADS; i++) {
        bool any = false;
        for (uint64_t b = 0; b < n_blocks; b++) {
            const Progress *p = &blocks[b].progress;
            if (!p->all[leads[i].ahead] || !p->all[leads[i].of]) continue;
            if (!any || p->ahead[i] < facts->lead[i]) facts->lead[i] = p->ahead[i];
            any = true;
        }
        facts->has_lead[i] = any;
    }
    facts->whole = WHOLE;
}

bool inside_end(Run *run, bool fine)
{
    bool ranked = inside_ranked;
    inside_on = inside_ranked = false;
    if (fine && !ranked && find_roles()) return true;
    if (fine && ranked) find_leads();
    if (fine || ranked) {
        run->pub.inside = facts;
    } else {
        inside_free(facts);
    }
    free(blocks);
    facts = NULL;
    blocks = NULL;
    return false;
}
