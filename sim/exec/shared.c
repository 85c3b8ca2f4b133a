#include "sim/exec/shared.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "sim/exec/exec_internal.h"
#include "sim/exec/inside.h"
#include "sim/hazard/symbols.h"

enum { THREADS = SHARED_THREADS, LANES = 32, STATIC_MOST = 1 << 20, FLAGS = 64, NOBODIES = 64 };
#define STAMP_ONE (1ull << SHARED_STAMP_SHIFT)
#define STAMP_LAST (((1ull << (64 - SHARED_STAMP_SHIFT)) - 2) << SHARED_STAMP_SHIFT)
#define SPLIT UINT64_MAX /* a cell whose bytes have cells of their own */

SharedRange shared_ranges[2];
uint64_t shared_now = STAMP_ONE, shared_floor = STAMP_ONE;
bool shared_fenced, shared_on, shared_volatile;
uint32_t shared_generation;

/* Of each block of a cluster; of other blocks the first. */
static SharedCell *sets[SHARED_SETS][2], *byte_sets[SHARED_SETS][2];
static SharedCell **cells = sets[0], **byte_cells = byte_sets[0];
static uint64_t *copied[2];  /* of each word: the key of the copy to it that is going on, or 0 */
static size_t n_copied;      /* such words */
#define LANDED SHARED_ATOMIC /* in such a key: it is over, for who has learned of it */
/* Up to where everybody knows of what nobody of the block has done (a barrier makes it known), by
 * number; and whether anybody knows more. */
static uint64_t nobody_floor[SHARED_THREADS];
static uint32_t nobody_first = SHARED_THREADS, nobody_last;
static bool nobody_news;
static size_t room[2];
static uint64_t warp_floor[THREADS / LANES];
/* What a thread knows of another one: everything up to this stamp. Of its own warp, and of others
 * (NULL: nothing). */
static uint64_t known[THREADS][LANES];
static bool knows_lanes; /* is there anything */
typedef struct Knowledge {
    uint32_t refs; /* threads and meetings that share it: then it is not changed any more */
    uint64_t at[THREADS];
} Knowledge;
static Knowledge *far[THREADS];
static Knowledge *spare_knowledge; /* to use again; linked by their first words */
static uint32_t threads;           /* of the running block */
static uint32_t width; /* of what is in use of such arrays: the block's threads, and nobodies */
typedef struct Flag {
    uintptr_t address;
    uint64_t block, *far;
} Flag;
static Flag flags[FLAGS];
static uint64_t block_began; /* flags from before this stamp need not count: a barrier has said more
                              */

static uint32_t thread_of(uint64_t key)
{
    return (uint32_t)(key >> SHARED_PC_BITS) & (THREADS - 1);
}
static uint64_t stamp_of(uint64_t key) { return key >> SHARED_STAMP_SHIFT << SHARED_STAMP_SHIFT; }

static void *map_bytes(size_t n)
{
    void *at =
        mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static SharedCell *map_cells(size_t n) { return map_bytes(n * sizeof(SharedCell)); }

/* ---- bounds of __shared__ variables ---- */

static unsigned char *held; /* of each byte from shared_ranges[1].at on: a variable's? NULL: not
                               known */

static void hold(const Variable *variable, void *at)
{
    uintptr_t begin = (uintptr_t)at;
    for (size_t i = 0; i < variable->bytes && variable->cpp; i++) /* others are the host's */
        if (variable->address + i - begin < room[1]) held[variable->address + i - begin] = 1;
}

/* Words with bytes that are nobody's are kept split: they are looked at the careful way. */
static void mark_gaps(SharedCell *of)
{
    for (size_t i = 0; held && of && i < room[1]; i += 4)
        if (!(held[i] && held[i + 1] && held[i + 2] && held[i + 3]))
            of[i / 4] = (SharedCell){SPLIT, {SPLIT, SPLIT, SPLIT}};
}

static void find_gaps(uintptr_t at, size_t bytes)
{
    bool any = false;
    free(held);
    held = hazard_wanted(HAZARD_OUT_OF_BOUNDS) ? calloc(room[1], 1) : NULL;
    if (!held) return;
    symbols_each(at, at + bytes, hold, (void *)at);
    for (size_t i = 0; i < room[1] && !any; i++) any = held[i];
    if (any) {
        mark_gaps(sets[0][1]);
        return;
    }
    free(held);
    held = NULL;
}

static bool set_range(int i, uintptr_t at, size_t bytes)
{
    if (bytes > room[i]) {
        size_t n = (bytes + 4095) / 4096 * 4096;
        for (int k = 0; k < SHARED_SETS; k++) {
            if (sets[k][i]) munmap(sets[k][i], (room[i] / 4 + 8) * sizeof(SharedCell));
            if (byte_sets[k][i]) munmap(byte_sets[k][i], (room[i] + 8) * sizeof(SharedCell));
            sets[k][i] = byte_sets[k][i] = NULL;
        }
        if (copied[i]) munmap(copied[i], room[i] / 4 * sizeof **copied);
        copied[i] = NULL;
        cells[i] = map_cells(n / 4 + 8);
        byte_cells[i] = map_cells(n + 8);
        room[i] = cells[i] && byte_cells[i] ? n : 0;
        if (i == 1 && room[i]) find_gaps(at, bytes);
    }
    if (bytes > room[i]) return false;
    shared_ranges[i] = (SharedRange){at, bytes, cells[i]};
    return true;
}

/* ---- what threads know ---- */

static Knowledge *new_knowledge(void)
{
    Knowledge *k = spare_knowledge;
    if (k) memcpy(&spare_knowledge, k->at, sizeof k);
    else k = exec_allocate(sizeof *k);
    k->refs = 1;
    memset(k->at, 0, width * sizeof *k->at);
    return k;
}

static Knowledge *keep(Knowledge *k)
{
    k->refs++;
    return k;
}

static void drop(Knowledge *k)
{
    if (!k || --k->refs) return;
    memcpy(k->at, &spare_knowledge, sizeof k);
    spare_knowledge = k;
}

static void replace(Knowledge **at, Knowledge *by)
{
    drop(*at);
    *at = by;
}

/* The same, to be changed. */
static Knowledge *own(Knowledge *k)
{
    if (k->refs == 1) return k;
    Knowledge *copy = new_knowledge();
    memcpy(copy->at, k->at, width * sizeof *k->at);
    k->refs--;
    return copy;
}

static uint32_t whole_warps(uint32_t n) { return (n + LANES - 1) / LANES * LANES; }

static void raise_to(uint64_t *at, uint64_t value)
{
    if (*at < value) *at = value;
}

static void raise_all(uint64_t *at, const uint64_t *by)
{
    for (uint32_t k = 0; k < width; k++) at[k] = at[k] > by[k] ? at[k] : by[k];
}

/* Stamps have run out: everything is forgotten. */
static void start_over(void)
{
    for (int k = 0; k < SHARED_SETS; k++) {
        for (int i = 0; i < 2; i++) {
            SharedCell *of = sets[k][i], *of_bytes = byte_sets[k][i];
            if (of) madvise(of, room[i] / 4 * sizeof *of, MADV_DONTNEED);
            if (of_bytes) madvise(of_bytes, room[i] * sizeof *of_bytes, MADV_DONTNEED);
        }
        mark_gaps(sets[k][1]);
    }
    shared_copies_gone();
    shared_generation++;
    memset(warp_floor, 0, sizeof warp_floor);
    memset(known, 0, sizeof known);
    knows_lanes = false;
    for (int i = 0; i < THREADS; i++) drop(far[i]), far[i] = NULL;
    block_began = shared_now = shared_floor = STAMP_ONE;
    for (int i = 0; i < FLAGS; i++) flags[i].address = 0;
}

static void tick(void)
{
    if (shared_now >= STAMP_LAST) start_over();
    shared_now += STAMP_ONE;
}

void shared_begin_run(void)
{
    void *tls;
    size_t tls_bytes;
    const ExecLaunch *launch = &exec_run->launch;
    shared_end_run();
    cells = sets[0];
    byte_cells = byte_sets[0];
    if (inside_on || !hazard_wanted(HAZARD_SHARED_RACE) ||
        (uint64_t)launch->block.x * launch->block.y * launch->block.z > THREADS)
        return;
    for (int i = 0; i < THREADS; i++) drop(far[i]), far[i] = NULL;
    threads = launch->block.x * launch->block.y * launch->block.z;
    width = whole_warps(threads) + NOBODIES;
    if (width > THREADS) width = THREADS;
    footprint_tls(&tls, &tls_bytes);
    shared_on = set_range(0, (uintptr_t)threelane_dynamic_shared, launch->shared_bytes);
    if (!shared_on) return;
    if (tls_bytes && tls_bytes <= STATIC_MOST) {
        /* cells are for aligned words */
        uintptr_t at = (uintptr_t)tls & ~(uintptr_t)7;
        set_range(1, at, (uintptr_t)tls + tls_bytes - at);
    }
    shared_barrier();
}

void shared_end_run(void)
{
    shared_copies_gone();
    shared_ranges[0].bytes = shared_ranges[1].bytes = 0;
    shared_generation++;
    shared_fenced = shared_on = false;
}

void shared_select(uint32_t rank)
{
    if (!shared_on) return;
    cells = sets[rank];
    byte_cells = byte_sets[rank];
    for (int i = 0; i < 2; i++) {
        if (!shared_ranges[i].bytes) continue;
        bool new = !cells[i];
        if (new) cells[i] = map_cells(room[i] / 4 + 8);
        if (new) byte_cells[i] = map_cells(room[i] + 8);
        if (!cells[i] || !byte_cells[i]) { /* no address space: nothing is looked for */
            shared_end_run();
            return;
        }
        if (new &&i == 1) mark_gaps(cells[1]);
        shared_ranges[i].cells = cells[i];
    }
}

bool shared_known(uint32_t rank, uintptr_t address, SharedCell *cell)
{
    const SharedRange *range = shared_range(address);
    if (!range || !sets[rank][range - shared_ranges]) return false;
    int i = (int)(range - shared_ranges);
    *cell = sets[rank][i][(address - range->at) / 4];
    if (cell->wrote != SPLIT) return true;
    if (!byte_sets[rank][i]) return false;
    *cell = byte_sets[rank][i][address - range->at];
    return true;
}

void shared_barrier(void)
{
    if (!shared_on) return;
    tick();
    shared_floor = block_began = shared_now;
    if (!nobody_news) return;
    nobody_news = false;
    for (int i = 0; i < THREADS; i++)
        for (uint32_t k = nobody_first; far[i] && k <= nobody_last; k++)
            if (far[i]->at[k] > nobody_floor[k]) nobody_floor[k] = far[i]->at[k];
}

/* ---- orders within a block that are not for all of it ---- */

static uint64_t before_now(void) { return shared_now - 1; }

void shared_warp_barrier(unsigned warp, uint32_t lanes, bool whole)
{
    if (!shared_on) return;
    uint64_t up_to = before_now() + STAMP_ONE; /* accesses with the present stamp, too */
    Knowledge *sum = NULL;
    unsigned base = warp * LANES;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        Knowledge *of = far[base + (uint32_t)__builtin_ctz(rest)];
        if (!of || of == sum) continue;
        if (!sum) {
            sum = keep(of);
            continue;
        }
        sum = own(sum);
        raise_all(sum->at, of->at);
    }
    if (sum) { /* what one lane has learned of other warps, all know now */
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            replace(&far[base + (uint32_t)__builtin_ctz(rest)], keep(sum));
        drop(sum);
    }
    if (whole) {
        tick();
        warp_floor[warp] = shared_now;
        return;
    }
    uint64_t known_sum[LANES] = {0};
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        for (int k = 0; k < LANES; k++)
            if (known[base + i][k] > known_sum[k]) known_sum[k] = known[base + i][k];
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) known_sum[__builtin_ctz(rest)] = up_to;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        memcpy(known[base + (uint32_t)__builtin_ctz(rest)], known_sum, sizeof known_sum);
    knows_lanes = true;
    tick();
}

void shared_fence(void) { shared_fenced = shared_on; }

static Flag *flag_at(uintptr_t address, bool make)
{
    Flag *flag = &flags[(address >> 2 ^ address >> 8) % FLAGS];
    if (flag->address == address && flag->block >= block_began) return flag;
    if (!make) return NULL;
    if (!flag->far) flag->far = exec_allocate(THREADS * sizeof *flag->far);
    memset(flag->far, 0, THREADS * sizeof *flag->far);
    flag->address = address;
    flag->block = block_began;
    return flag;
}

/* What the running thread knows of its own warp, and has done. */
static void gather_own(uint64_t *stamps)
{
    uint32_t me = threelane_rank(), base = me / LANES * LANES;
    uint64_t floor = warp_floor[me / LANES] > shared_floor ? warp_floor[me / LANES] - 1 : 0;
    for (uint32_t k = 0; (knows_lanes || floor) && k < LANES; k++) {
        raise_to(&stamps[base + k], known[me][k]);
        raise_to(&stamps[base + k], floor);
    }
    raise_to(&stamps[me], before_now() + STAMP_ONE);
    tick();
}

static void gather(uint64_t *stamps)
{
    uint32_t me = threelane_rank();
    if (far[me]) raise_all(stamps, far[me]->at);
    gather_own(stamps);
}

static void learn(const uint64_t *stamps)
{
    uint32_t me = threelane_rank();
    far[me] = far[me] ? own(far[me]) : new_knowledge();
    raise_all(far[me]->at, stamps);
    if (nobody_first <= nobody_last) nobody_news = true;
}

/* ---- meetings: barriers with phases ---- */

/* Many threads leave what they know and have done, then many take what is there; most know the same
 * already, as one array that they share. */
struct SharedMeeting {
    uint32_t generation;
    Knowledge *gathers, *tells; /* so far; when the latest phase was complete */
    Knowledge *merged;          /* what is in `gathers` already */
    Knowledge *from, *to;       /* who knew that knows this afterwards */
};

static void forget_meeting(SharedMeeting *m)
{
    drop(m->gathers), drop(m->tells), drop(m->merged), drop(m->from), drop(m->to);
    *m = (SharedMeeting){.generation = shared_generation};
}

static SharedMeeting *meeting(SharedMeeting **at)
{
    if (!*at) {
        *at = exec_allocate(sizeof **at);
        **at = (SharedMeeting){.generation = shared_generation};
    }
    if ((*at)->generation != shared_generation) forget_meeting(*at); /* it is of earlier times */
    if (!(*at)->gathers) (*at)->gathers = new_knowledge();
    return *at;
}

void shared_arrive(SharedMeeting **at)
{
    if (!shared_on) return;
    SharedMeeting *m = meeting(at);
    Knowledge *mine = far[threelane_rank()];
    if (mine && mine != m->merged) {
        raise_all(m->gathers->at, mine->at);
        replace(&m->merged, keep(mine));
    }
    gather_own(m->gathers->at);
}

void shared_nobody_arrives(SharedMeeting **at, uint32_t nobody)
{
    if (!shared_on) return;
    raise_to(&meeting(at)->gathers->at[nobody], before_now() + STAMP_ONE);
    tick();
}

void shared_phase_ends(SharedMeeting **at)
{
    if (!shared_on) return;
    SharedMeeting *m = meeting(at);
    Knowledge *tells = new_knowledge();
    memcpy(tells->at, m->gathers->at, width * sizeof *tells->at);
    replace(&m->tells, tells);
    replace(&m->from, NULL);
    replace(&m->to, NULL);
}

void shared_pass(SharedMeeting **at)
{
    if (!shared_on || !*at) return;
    SharedMeeting *m = meeting(at);
    Knowledge **mine = &far[threelane_rank()];
    if (!m->tells || *mine == m->tells) return;
    if (nobody_first <= nobody_last) nobody_news = true;
    if (*mine && *mine == m->from) {
        replace(mine, keep(m->to));
        return;
    }
    bool more = false; /* than the meeting tells */
    for (uint32_t k = 0; *mine && k < width && !more; k++) more = (*mine)->at[k] > m->tells->at[k];
    Knowledge *after = keep(m->tells);
    if (more) {
        after = own(after);
        raise_all(after->at, (*mine)->at);
    }
    replace(&m->from, *mine ? keep(*mine) : NULL);
    replace(&m->to, keep(after));
    replace(mine, after);
}

void shared_meeting_ends(SharedMeeting **at)
{
    if (*at) forget_meeting(*at);
    free(*at);
    *at = NULL;
}

uint32_t shared_nobody(uint32_t number)
{
    uint32_t first = whole_warps(threads); /* a block of all threads has none left */
    return first < width ? first + number % (width - first) : THREADS - 1;
}

void shared_release_flag(uintptr_t address)
{
    if (shared_on) gather(flag_at(address, true)->far);
}

void shared_acquire_flag(uintptr_t address)
{
    const Flag *flag = shared_on ? flag_at(address, false) : NULL;
    if (flag) learn(flag->far);
}

/* Does whoever has key come after what the other key stands for? */
static bool after(uint64_t other, uint64_t key)
{
    if (other < shared_floor || shared_same(other, key)) return true;
    uint32_t them = thread_of(other), me = thread_of(key);
    if (them / LANES == me / LANES &&
        (other < warp_floor[me / LANES] || stamp_of(other) < known[me][them % LANES]))
        return true;
    return far[me] && stamp_of(other) < far[me]->at[them];
}

/* ---- accesses ---- */

static void race(uintptr_t address, unsigned bytes, uint64_t other, bool other_writes,
                 SharedUse use, const void *pc)
{
    const void *place = (const void *)(((uintptr_t)pc & ~(uintptr_t)UINT32_MAX) | (uint32_t)other);
    bool atomic = (other & SHARED_ATOMIC) != 0;
    SharedUse before = other_writes ? atomic ? SHARED_ATOMIC_WRITE : SHARED_WRITE
                       : atomic     ? SHARED_ATOMIC_READ
                                    : SHARED_READ;
    exec_report_shared_race(address, bytes, thread_of(other), before, place, use, pc);
}

static void look(SharedCell *c, uintptr_t address, unsigned bytes, SharedUse use, uint64_t key,
                 const void *pc)
{
    bool atomic = use >= SHARED_ATOMIC_READ,
         writes = use == SHARED_WRITE || use == SHARED_ATOMIC_WRITE;
    if (!after(c->wrote, key) && !(atomic && c->wrote & SHARED_ATOMIC))
        race(address, bytes, c->wrote, true, use, pc);
    if (atomic) key |= SHARED_ATOMIC;
    if (writes) {
        bool told = false;
        for (int i = 0; i < SHARED_READERS; i++) {
            if (told || after(c->read[i], key) || (atomic && c->read[i] & SHARED_ATOMIC)) continue;
            race(address, bytes, c->read[i], false, use, pc);
            told = true;
        }
        *c = (SharedCell){.wrote = key};
        return;
    }
    if (!shared_same(c->read[0], key)) {
        if ((c->read[0] ^ key) >> (SHARED_PC_BITS + 5) & 31) c->read[2] = c->read[0];
        c->read[1] = c->read[0];
    } else if (atomic && c->read[0] >= shared_floor && !(c->read[0] & SHARED_ATOMIC)) {
        return; /* its plain read says more */
    }
    c->read[0] = key;
}

/* ---- copies that are going on ---- */

/* The word at address, which is one of shared memory's: its cell, and where its copy is noted. */
static SharedCell *word_at(uintptr_t address, uint64_t **copy)
{
    const SharedRange *range = shared_range(address);
    if (!range) return NULL;
    int n = (int)(range - shared_ranges);
    uintptr_t word = (address - range->at) / 4;
    if (!copied[n]) copied[n] = map_bytes(room[n] / 4 * sizeof **copied);
    *copy = copied[n] ? &copied[n][word] : NULL;
    return *copy ? &cells[n][word] : NULL;
}

void shared_copy_begins(uintptr_t address, size_t bytes, const void *pc)
{
    uint64_t *copy;
    for (uintptr_t at = address; shared_on && at < address + bytes; at += 4) {
        SharedCell *cell = word_at(at, &copy);
        if (!cell) return;
        if (!*copy) n_copied++;
        *copy = shared_key(pc);
        *cell = (SharedCell){SPLIT, {SPLIT, SPLIT, SPLIT}}; /* to be looked at the careful way */
    }
}

void shared_copy_lands_here(uintptr_t address, size_t bytes, const void *pc)
{
    uint64_t *copy;
    for (uintptr_t at = address; shared_on && at < address + bytes; at += 4) {
        SharedCell *cell = word_at(at, &copy);
        if (!cell || !*copy) continue;
        *copy = 0;
        n_copied--;
        *cell = (SharedCell){.wrote = shared_key(pc)};
    }
}

void shared_copy_lands(uintptr_t address, size_t bytes, uint32_t nobody, const void *pc)
{
    uint64_t *copy, key = shared_now | (uint64_t)nobody << SHARED_PC_BITS | (uint32_t)(uintptr_t)pc;
    if (!shared_on) return;
    if (nobody < nobody_first) nobody_first = nobody;
    if (nobody > nobody_last) nobody_last = nobody;
    for (uintptr_t at = address; at < address + bytes; at += 4)
        if (word_at(at, &copy) && *copy) *copy = key | LANDED;
}

void shared_copies_gone(void)
{
    for (int i = 0; i < 2 && n_copied; i++)
        for (size_t k = 0; copied[i] && k < room[i] / 4; k++) {
            if (!copied[i][k]) continue;
            copied[i][k] = 0;
            cells[i][k] = (SharedCell){0};
        }
    n_copied = 0;
    memset(nobody_floor, 0, sizeof nobody_floor);
    nobody_first = THREADS;
    nobody_last = 0;
}

/* Is a copy to the word going on, or over without the running thread knowing? */
static bool is_copied(int n, uintptr_t offset, SharedUse use, const void *pc)
{
    uint64_t *copy = n_copied && copied[n] ? &copied[n][offset / 4] : NULL;
    if (!copy || !*copy) return false;
    uint32_t nobody = thread_of(*copy), me = threelane_rank();
    if (*copy & LANDED && (stamp_of(*copy) < nobody_floor[nobody] ||
                           (far[me] && stamp_of(*copy) < far[me]->at[nobody]))) {
        *copy = 0;
        n_copied--;
        cells[n][offset / 4] = (SharedCell){0};
        return false;
    }
    const void *place = (const void *)(((uintptr_t)pc & ~(uintptr_t)UINT32_MAX) | (uint32_t)*copy);
    exec_report_copy_race(shared_ranges[n].at + offset / 4 * 4, thread_of(*copy), place, use, pc);
    return true;
}

bool shared_comes_after(uint64_t key) { return after(key, shared_key(NULL)); }

static bool old(const SharedCell *c)
{
    return c->wrote < shared_floor && c->read[0] < shared_floor && c->read[1] < shared_floor &&
           c->read[2] < shared_floor;
}

/* Four cells take the place of one, or one of four again. */
static bool is_split(SharedCell *word, SharedCell *of_bytes, bool whole)
{
    if (word->wrote != SPLIT) {
        if (whole) return false;
        for (int i = 0; i < 4; i++) of_bytes[i] = *word;
        *word = (SharedCell){SPLIT, {SPLIT, SPLIT, SPLIT}};
        return true;
    }
    if (!whole) return true;
    bool same = true;
    for (int i = 1; i < 4; i++)
        same = same && (old(&of_bytes[i]) == old(&of_bytes[0])) &&
               (old(&of_bytes[i]) || memcmp(&of_bytes[i], of_bytes, sizeof *of_bytes) == 0);
    if (!same) return true;
    *word = of_bytes[0];
    return false;
}

void shared_bounds(uintptr_t address, size_t bytes, bool write, const void *pc)
{
    const SharedRange *range = shared_range(address);
    bool outside = shared_outside(address);
    if (!range && !outside) return;
    int n = range ? (int)(range - shared_ranges) : 0;
    uintptr_t offset = address - shared_ranges[n].at, end = offset + bytes;
    if (outside || (n == 0 && end > range->bytes))
        exec_report_past_shared(address, bytes, write, pc);
    for (uintptr_t i = offset; held && n == 1 && i < end; i++)
        if (i >= range->bytes || !held[i])
            exec_report_past_variable(address, bytes, range->at + i, write, pc);
}

void shared_access(uintptr_t address, size_t bytes, SharedUse use, const void *pc)
{
    const SharedRange *range = shared_range(address);
    if ((!range && !shared_outside(address)) || !bytes) return;
    shared_bounds(address, bytes, use == SHARED_WRITE || use == SHARED_ATOMIC_WRITE, pc);
    int n = (int)(range - shared_ranges);
    uintptr_t offset = address - range->at, end = offset + bytes;
    if (end > range->bytes) end = range->bytes;
    uint64_t key = shared_key(pc);
    while (offset < end) {
        SharedCell *word = &cells[n][offset / 4];
        uintptr_t stop = (offset & ~(uintptr_t)3) + 4 < end ? (offset & ~(uintptr_t)3) + 4 : end;
        bool whole = stop - offset == 4;
        if (is_copied(n, offset, use, pc)) {
            offset = stop;
            continue;
        }
        if (!is_split(word, &byte_cells[n][offset & ~(uintptr_t)3], whole)) {
            look(word, range->at + offset, 4, use, key, pc);
        } else {
            for (uintptr_t at = offset; at < stop; at++)
                look(&byte_cells[n][at], range->at + at, 1, use, key, pc);
        }
        offset = stop;
    }
}
