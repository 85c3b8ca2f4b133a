/* exec_reports.c - what the executor reports as hazards (sim/hazard/hazard_report.h): bad accesses
 * and barriers.
 *
 * The line of such a report is that of the access or barrier in the kernel; why: names the launch
 * and the thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/exec/exec_internal.h"
#include "sim/hazard/symbols.h"
#include "sim/host/host.h"
#include "sim/exec/race.h"
#include "sim/hazard/hazard_report.h"
#include "sim/memory/memory.h"
#include "sim/memory/peers.h"
#include "sim/memory/variables.h"

enum { NULL_PAGES = 65536 };

static bool muted;
void exec_report_mute(bool mute) { muted = mute; }

static const char *base_name(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? slash + 1 : file;
}

static void launched(char *text, size_t size, const char *more)
{
    const ExecLaunch *launch = &exec_run->launch;
    if (launch->site.file)
        snprintf(text, size, "%s of the launch at %s:%u%s", exec_where(),
                 base_name(launch->site.file), launch->site.line, more);
    else snprintf(text, size, "%s%s", exec_where(), more);
}

/* The variable whose end an access has missed, or NULL. Gaps are no larger than this
 * (sim/tlcc/objects.c). */
enum { GAP = 1024 };
static const Variable *variable_before(uintptr_t bad)
{
    const Variable *v = symbols_at(bad) ? NULL : symbols_before(bad);
    return v && bad - (v->address + v->bytes) < GAP ? v : NULL;
}

static HazardMemory memory_of(const Variable *v, bool shared)
{
    return (HazardMemory){.address = v->address,
                          .bytes = v->bytes,
                          .name = v->name,
                          .variable = !shared};
}

/* "the array ends right before" */
static void past_text(const Variable *v, uintptr_t bad, char *text, size_t size)
{
    size_t past = bad - (v->address + v->bytes);
    if (!past) snprintf(text, size, "it ends right before");
    else snprintf(text, size, "it ended %zu byte%s before", past, past == 1 ? "" : "s");
}

static void report_past_variable(const Variable *v, bool shared, uintptr_t address, size_t bytes,
                                 uintptr_t bad, bool write, const void *pc)
{
    char why[400], more[80], past[60];
    const ExecLaunch *launch = &exec_run->launch;
    if (muted) return;
    past_text(v, bad, past, sizeof past);
    snprintf(more, sizeof more, "; %s", past);
    launched(why, sizeof why, more);
    hazard_report(
        &(HazardReport){.kind = HAZARD_OUT_OF_BOUNDS,
                        .address = (const void *)bad,
                        .bytes = address + bytes > bad ? address + bytes - bad : 1,
                        .memory = memory_of(v, shared),
                        .why = why,
                        .source = launch->site.file,
                        .fix = "make the array larger, or check the index before the access",
                        .second = {.verb = write ? "writes" : "reads",
                                   .op = launch->op,
                                   .stream = launch->stream,
                                   .pc = pc}});
}

bool exec_report_past_text(uintptr_t bad, char *text, size_t size)
{
    const Variable *v = variable_before(bad);
    if (!v) return false;
    size_t past = bad - (v->address + v->bytes);
    snprintf(text, size, "%zu byte%s past the end of %s (%zu bytes)", past + 1, past ? "s" : "",
             v->name, v->bytes);
    return true;
}

/* Why a device does not reach a block of another one, and what to do about it. */
static void report_reach(const MemoryBlock *block, int device, char *more, size_t more_size,
                         char *fix, size_t fix_size)
{
    int owner = block->device;
    if (block->variables) {
        snprintf(more, more_size,
                 "; a variable is its GPU's own, and peer access opens allocated memory, never "
                 "variables");
        snprintf(fix, fix_size,
                 "let the kernel use GPU %d's own variable (by its name), or copy between the two "
                 "with cudaMemcpyPeerAsync, or keep the data in memory from cudaMalloc",
                 device);
        return;
    }
    snprintf(more, more_size, "; GPU %d has no access to %s of GPU %d", device,
             block->pool ? "this pool" : "the memory", owner);
    if (block->pool)
        snprintf(fix, fix_size, "open the pool to GPU %d with cudaMemPoolSetAccess", device);
    else
        snprintf(fix, fix_size,
                 "call cudaDeviceEnablePeerAccess(%d, 0) while device %d is current, before the "
                 "launch, or copy the data with cudaMemcpyPeerAsync",
                 owner, device);
}

/* Memory of another device, and no access to it. */
static bool report_of_a_peer(HazardReport *report, uintptr_t bad)
{
    const MemoryBlock *block = memory_find((const void *)bad);
    int device = exec_run->launch.device;
    char headline[160], why[500], more[160], fix[200];
    if (!block || peers_reach(device, block)) return false;

    snprintf(headline, sizeof headline, "{2} runs on GPU %d and %s {m}, which is on GPU %d", device,
             report->second.verb, block->device);
    report_reach(block, device, more, sizeof more, fix, sizeof fix);
    uintptr_t in_place;
    if (block->variables && variables_find(bad, &in_place, &(int){0}))
        report->address = (const void *)in_place; /* where it has a name */
    launched(why, sizeof why, more);
    report->kind = HAZARD_WRONG_MEMORY;
    report->headline = headline;
    report->why = why;
    report->fix = fix;
    hazard_report(report);
    return true;
}

void exec_report_bad_access(uintptr_t address, size_t bytes, uintptr_t bad, bool write,
                            const void *pc)
{
    char text[200], why[500], headline[300];
    const ExecLaunch *launch = &exec_run->launch;
    if (muted) return;
    HazardReport report = {.address = (const void *)bad,
                           .bytes = address + bytes > bad ? address + bytes - bad : 1,
                           .second = {.verb = write ? "writes" : "reads",
                                      .op = launch->op,
                                      .stream = launch->stream,
                                      .pc = pc}};
    const Variable *variable = memory_find((const void *)bad) ? NULL : variable_before(bad);
    if (variable) {
        bool shared = bad - footprint_tls_pages < footprint_tls_page_bytes;
        report_past_variable(variable, shared, address, bytes, bad, write, pc);
        return;
    }
    if (report_of_a_peer(&report, bad)) return;
    report.kind = hazard_outside(bad, &report, text, sizeof text);
    if (report.kind == HAZARD_WRONG_MEMORY) {
        snprintf(headline, sizeof headline, "{2} %s %s", report.second.verb, text);
        report.headline = headline;
        report.fix = bad < NULL_PAGES
                         ? "check that the pointer was allocated, and that the allocation worked"
                         : "copy the data to device memory, or allocate it with cudaMallocHost or "
                           "cudaMallocManaged";
        launched(why, sizeof why, "");
    } else {
        char more[220];
        snprintf(more, sizeof more, "; %s", text);
        launched(why, sizeof why, more);
    }
    report.why = why;
    hazard_report(&report);
}

void exec_report_misaligned(uintptr_t address, size_t alignment, const char *type, bool write,
                            const void *pc, const char *file, uint32_t line)
{
    char why[400], headline[300], of[120] = "";
    const ExecLaunch *launch = &exec_run->launch;
    if (muted) return;
    if (type) snprintf(of, sizeof of, " of type %.100s", type);
    snprintf(headline, sizeof headline, "{2} %s {m}%s, at an address that is not a multiple of %zu",
             write ? "writes" : "reads", of, alignment);
    launched(why, sizeof why, "; the device can only access values that are aligned to their size");
    hazard_report(&(
        HazardReport){.kind = HAZARD_MISALIGNED,
                      .address = (const void *)address,
                      .bytes = alignment,
                      .headline = headline,
                      .why = why,
                      .fix =
                          "use an offset that is a multiple of the type's size, or a smaller type",
                      .source = launch->site.file,
                      .second = {.verb = write ? "writes" : "reads",
                                 .op = launch->op,
                                 .stream = launch->stream,
                                 .pc = pc,
                                 .site = {file, line}}});
}

/* ---- bytes that nothing has written ---- */

typedef struct Fresh {
    const void *pc;
    uintptr_t block, first, last;
    size_t count;
    char where[160];
} Fresh;
enum { FRESH = 32, STRUCT_GAPS = 16 };
static Fresh fresh[FRESH];
static unsigned n_fresh;

void exec_report_fresh(uintptr_t address, size_t bytes, const void *pc)
{
    FootprintFresh found = footprint_fresh;
    footprint_fresh.count = 0;
    /* a struct is copied with its padding */
    if (found.count < bytes && (bytes <= 16 || found.count < STRUCT_GAPS)) return;
    footprint_told(&found);
    if (muted) return;
    const MemoryBlock *block = memory_find((const void *)address);
    uintptr_t begin = block ? block->address : 0;
    for (unsigned i = 0; i < n_fresh; i++) {
        Fresh *f = &fresh[i];
        if (f->pc != pc || f->block != begin) continue;
        if (found.first < f->first) f->first = found.first;
        if (found.last > f->last) f->last = found.last;
        f->count += found.count;
        return;
    }
    if (n_fresh == FRESH) exec_report_end();
    Fresh *f = &fresh[n_fresh++];
    *f = (Fresh){.pc = pc,
                 .block = begin,
                 .first = found.first,
                 .last = found.last,
                 .count = found.count};
    launched(f->where, sizeof f->where, "");
}

/* ---- shared memory ---- */

typedef struct SharedPair {
    const void *first, *second;
    SharedUse first_use, second_use;
    uint32_t first_thread, second_thread, block[3];
    uintptr_t low, high;
    bool is_volatile;
    bool copying;         /* the first is a copy that was still going on */
    bool roles;           /* the block has barriers that not all threads need pass */
    uint32_t passed_line; /* of the block's latest barrier then; 0: none */
} SharedPair;
enum { PAIRS = 64 };
static SharedPair pairs[PAIRS];
static unsigned n_pairs;

static const char *const used[] = {[SHARED_READ] = "reads",
                                   [SHARED_WRITE] = "writes",
                                   [SHARED_ATOMIC_READ] = "atomically reads",
                                   [SHARED_ATOMIC_WRITE] = "atomically updates"};

/* Flags that threads poll: volatile accesses to them do not race. */
enum { POLLED = 16 };
static uintptr_t polled[POLLED];
static unsigned n_polled;

void exec_report_poll(uintptr_t address)
{
    for (unsigned i = 0; i < n_polled; i++)
        if (polled[i] == address) return;
    if (n_polled < POLLED) polled[n_polled++] = address;
}

static bool is_polled(uintptr_t low, uintptr_t high)
{
    for (unsigned i = 0; i < n_polled; i++)
        if (polled[i] >= low && polled[i] < high) return true;
    return false;
}

/* The line of a place in the program; 0: not known. */
static unsigned line_of(const void *pc)
{
    HostPosition at;
    return host_position(pc, &at) ? at.line : 0;
}

/* The barrier that the block has passed before both is on a line between theirs: they belong to two
 * rounds of a loop. The line of the later place; 0: no. */
static unsigned round_ends(const void *earlier, const void *later, uint32_t barrier)
{
    if (!barrier) return 0;
    unsigned first = line_of(earlier), second = line_of(later);
    return first < barrier && barrier < second ? second : 0;
}

void exec_report_copy_race(uintptr_t address, uint32_t thread, const void *place, SharedUse now,
                           const void *pc)
{
    if (muted) return;
    for (unsigned i = 0; i < n_pairs; i++) {
        SharedPair *p = &pairs[i];
        if (!p->copying || p->first != place) continue; /* one missing wait, one report */
        if (address < p->low) p->low = address;
        if (address + 4 > p->high) p->high = address + 4;
        return;
    }
    if (n_pairs == PAIRS) return;
    pairs[n_pairs++] =
        (SharedPair){.first = place,
                     .second = pc,
                     .first_use = SHARED_WRITE,
                     .second_use = now,
                     .first_thread = thread,
                     .second_thread = threelane_rank(),
                     .low = address,
                     .high = address + 4,
                     .copying = true,
                     .block = {exec_block->index[0], exec_block->index[1], exec_block->index[2]}};
}

void exec_report_shared_race(uintptr_t address, unsigned bytes, uint32_t other, SharedUse before,
                             const void *place, SharedUse now, const void *pc)
{
    uint32_t me = threelane_rank();
    if (muted) return;
    if (other >= exec_block->total) { /* of a copy that nobody has waited for */
        exec_report_copy_race(address, other, place, now, pc);
        return;
    }
    const Variable *variable = bytes == 1 ? symbols_at(address) : NULL;
    if (variable && variable->guard) return; /* g++ keeps one for an array of barriers */
    if ((uintptr_t)place > (uintptr_t)pc) {  /* who came first says nothing: in order of the code */
        const void *other_pc = place;
        SharedUse other_use = before;
        uint32_t other_thread = other;
        place = pc, pc = other_pc;
        before = now, now = other_use;
        other = me, me = other_thread;
    }
    for (unsigned i = 0; i < n_pairs; i++) {
        SharedPair *p = &pairs[i];
        if (p->copying || p->first != place || p->second != pc || p->first_use != before ||
            p->second_use != now)
            continue;
        if (address < p->low) p->low = address;
        if (address + bytes > p->high) p->high = address + bytes;
        return;
    }
    if (n_pairs == PAIRS) return;
    pairs[n_pairs++] =
        (SharedPair){.first = place,
                     .second = pc,
                     .first_use = before,
                     .second_use = now,
                     .first_thread = other,
                     .second_thread = me,
                     .low = address,
                     .high = address + bytes,
                     .is_volatile = shared_volatile,
                     .roles = exec_block->barriers != NULL,
                     .passed_line = exec_block->passed_line,
                     .block = {exec_block->index[0], exec_block->index[1], exec_block->index[2]}};
}

/* The memory that a report is about: the variable, or what the launch asked for. */
static HazardMemory shared_memory(uintptr_t address, char *name, size_t size)
{
    const SharedRange *range = shared_range(address);
    const Variable *variable = range == &shared_ranges[1] ? symbols_at(address) : NULL;
    if (variable) {
        snprintf(name, size, "%s", variable->name);
        return (HazardMemory){.address = variable->address, .bytes = variable->bytes, .name = name};
    }
    snprintf(name, size, "shared memory");
    if (range == &shared_ranges[0])
        return (HazardMemory){.address = range->at,
                              .bytes = exec_run->launch.shared_bytes,
                              .name = name};
    return (HazardMemory){.address = address, .bytes = 1, .name = name};
}

static void thread_text(uint32_t rank, char *text, size_t size)
{
    const TraceDim *block = &exec_run->launch.block;
    if (block->y == 1 && block->z == 1) snprintf(text, size, "thread %u", rank);
    else
        snprintf(text, size, "thread (%u,%u,%u)", rank % block->x, rank / block->x % block->y,
                 rank / block->x / block->y);
}

/* Names live as long as the reports do: one for each variable. */
static const char *keep_name(const char *name)
{
    typedef struct Name {
        struct Name *next;
        char text[];
    } Name;
    static Name *names;
    for (const Name *n = names; n; n = n->next)
        if (strcmp(n->text, name) == 0) return n->text;
    Name *n = exec_allocate(sizeof *n + strlen(name) + 1);
    strcpy(n->text, name);
    n->next = names;
    names = n;
    return n->text;
}

/* Two threads that one barrier too few is between: in one round of a loop and the next. */
typedef struct Round {
    const char *block;                  /* "in block (0,0,0), " */
    const char *first, *second;         /* "thread 3" */
    const char *did_first, *did_second; /* "writes" */
    unsigned line;                      /* of the barrier that they pass */
} Round;

static void say_round(const Round *r, char *why, size_t why_size, char *fix, size_t fix_size)
{
    snprintf(why, why_size,
             "%s%s %s at {line2} in one round of the loop and %s %s at {line1} in the next; the "
             "barrier at line %u is before {line2}, and none is after it",
             r->block, r->second, r->did_second, r->first, r->did_first, r->line);
    snprintf(fix, fix_size, "put another __syncthreads() after {line2}, before the next round");
}

/* The report of a pair in shared memory, as far as it is the same for all of them. */
static HazardReport pair_report(const SharedPair *p, char *name, size_t name_size)
{
    const ExecLaunch *launch = &exec_run->launch;
    HazardReport report = {.kind = HAZARD_SHARED_RACE,
                           .address = (const void *)p->low,
                           .bytes = p->high - p->low,
                           .memory = shared_memory(p->low, name, name_size)};
    report.memory.name = keep_name(name);
    report.first = (HazardAccess){.verb = used[p->first_use],
                                  .op = launch->op,
                                  .stream = launch->stream,
                                  .pc = p->first};
    report.second = (HazardAccess){.verb = used[p->second_use],
                                   .op = launch->op,
                                   .stream = launch->stream,
                                   .pc = p->second};
    return report;
}

static void report_pair(const SharedPair *p)
{
    char why[400], fix[160], block[64], first[48], second[48], name[64];
    bool same_warp = p->first_thread / 32 == p->second_thread / 32;
    unsigned round = round_ends(p->first, p->second, p->passed_line);
    /* a volatile number by itself is a flag */
    if (p->is_volatile && p->high - p->low <= 8 &&
        shared_memory(p->low, name, sizeof name).bytes <= 8)
        return;
    HazardReport report = pair_report(p, name, sizeof name);
    report.why = why;
    snprintf(block, sizeof block, "in block (%u,%u,%u), ", p->block[0], p->block[1], p->block[2]);
    thread_text(p->first_thread, first, sizeof first);
    thread_text(p->second_thread, second, sizeof second);

    if (p->copying) {
        report.headline = "{2}: {m} is used while an asynchronous copy may still write it";
        snprintf(why, sizeof why,
                 "%sthe copy that was begun at {line1} is not over for %s, which %s at {line2}: it "
                 "has not waited for it",
                 block, second, used[p->second_use]);
        report.fix =
            "wait before {line2}: for the barrier or the pipeline that the copy was given, "
            "or for its group, and then for the other threads";
        hazard_report(&report);
        return;
    }

    report.headline = "{2}: {m} is used by two threads of a block, unordered";
    snprintf(why, sizeof why, "%s%s %s at {line1} and %s %s at {line2}, with no barrier between%s",
             block, first, used[p->first_use], second, used[p->second_use],
             same_warp ? "; lanes of a warp need not run in step" : "");
    report.fix = same_warp  ? "put __syncwarp() or __syncthreads() between the two"
                 : p->roles ? "let the later one wait for a barrier at which the earlier one "
                              "arrives after its access: to arrive orders what comes before, to "
                              "wait what comes after"
                            : "put __syncthreads() between the two";
    if (round) {
        Round of = {block, first, second, used[p->first_use], used[p->second_use], p->passed_line};
        say_round(&of, why, sizeof why, fix, sizeof fix);
        report.fix = fix;
    }
    hazard_report(&report);
}

/* ---- memory that all threads of a kernel share ---- */

static void block_text(uint64_t block, char *text, size_t size)
{
    const TraceDim *grid = &exec_run->launch.grid;
    unsigned x = (unsigned)(block % grid->x), y = (unsigned)(block / grid->x % grid->y),
             z = (unsigned)(block / grid->x / grid->y);
    if (grid->y == 1 && grid->z == 1) snprintf(text, size, "block %u", x);
    else snprintf(text, size, "block (%u,%u,%u)", x, y, z);
}

static void side_text(const RaceSide *side, bool with_block, char *text, size_t size)
{
    char thread[48], block[48];
    thread_text(side->rank, thread, sizeof thread);
    block_text(side->block, block, sizeof block);
    if (with_block) snprintf(text, size, "%s of %s", thread, block);
    else snprintf(text, size, "%s", thread);
}

/* ---- shared memory of other blocks of a cluster ---- */

/* Of a pair of places once in a kernel. */
static struct {
    const void *first, *second;
} told_pairs[PAIRS];
static unsigned n_told;

static bool is_told(const void *first, const void *second)
{
    for (unsigned i = 0; i < n_told; i++)
        if (told_pairs[i].first == first && told_pairs[i].second == second) return true;
    if (n_told == PAIRS) return true;
    told_pairs[n_told].first = first;
    told_pairs[n_told++].second = second;
    return false;
}

static HazardAccess access_of(const RaceSide *side)
{
    const ExecLaunch *launch = &exec_run->launch;
    return (HazardAccess){.verb = used[side->use],
                          .op = launch->op,
                          .stream = launch->stream,
                          .pc = side->pc};
}

void exec_report_cluster_race(uintptr_t own, unsigned bytes, const RaceSide *a, const RaceSide *b)
{
    char why[400], first[100], second[100], name[64];
    if ((uintptr_t)a->pc > (uintptr_t)b->pc) { /* in order of the code */
        const RaceSide *other = a;
        a = b, b = other;
    }
    if (muted || is_told(a->pc, b->pc)) return;
    side_text(a, true, first, sizeof first);
    side_text(b, true, second, sizeof second);
    HazardReport report = {.kind = HAZARD_SHARED_RACE,
                           .address = (const void *)own,
                           .bytes = bytes,
                           .memory = shared_memory(own, name, sizeof name),
                           .first = access_of(a),
                           .second = access_of(b),
                           .why = why};
    report.memory.name = keep_name(name);
    report.headline = "{2}: {m} is used by two blocks of a cluster, unordered";
    report.fix = "put cluster.sync() between the two";
    snprintf(why, sizeof why,
             "%s %s at {line1} and %s %s at {line2}, with no barrier of the cluster between", first,
             used[a->use], second, used[b->use]);
    hazard_report(&report);
}

void exec_report_no_block(const char *file, int line, const char *headline, const char *why,
                          const char *fix)
{
    const ExecLaunch *launch = &exec_run->launch;
    if (muted) return;
    hazard_report(&(HazardReport){.kind = HAZARD_CLUSTER_LIFE,
                                  .headline = headline,
                                  .why = why,
                                  .fix = fix,
                                  .second = {.verb = "asks for it",
                                             .op = launch->op,
                                             .stream = launch->stream,
                                             .site = {file, line > 0 ? (uint32_t)line : 0}}});
}

void exec_report_cluster_life(uintptr_t own, unsigned bytes, const RaceSide *user, uint64_t of,
                              bool ended)
{
    char why[400], who[100], whose[100], name[64];
    if (muted || is_told(user->pc, ended ? (const void *)&muted : NULL)) return;
    side_text(user, true, who, sizeof who);
    block_text(of, whose, sizeof whose);
    HazardReport report = {.kind = HAZARD_CLUSTER_LIFE,
                           .address = (const void *)own,
                           .bytes = bytes,
                           .memory = shared_memory(own, name, sizeof name),
                           .second = access_of(user),
                           .why = why};
    report.memory.name = keep_name(name);
    report.headline = ended ? "{2}: {m} of a block that may have ended is used"
                            : "{2}: {m} of a block that may not have begun is used";
    report.fix =
        ended ? "put cluster.sync() after {line2}, before a block of the cluster ends"
              : "put cluster.sync() before {line2}: then all blocks of the cluster are there";
    snprintf(why, sizeof why, "%s %s shared memory of %s, and no barrier of the cluster is %s", who,
             used[user->use], whose, ended ? "after it" : "before it");
    hazard_report(&report);
}

/* Why nothing orders the pair, and what would: for threads that do not write the same. */
static const char *race_reason(const RacePair *p, bool across, bool same_warp)
{
    if (p->fence)
        return "a flag or counter tells the one of the other, but no fence comes before it: what "
               "was written may be seen later than the flag";
    if (across) return "blocks run in any order, and nothing orders these two";
    return same_warp ? "no barrier is between; lanes of a warp need not run in step"
                     : "no barrier is between";
}

static const char *race_fix(const RacePair *p, bool across, bool same_warp)
{
    if (p->fence) return "put __threadfence() between the write and the operation on the flag";
    if (p->first.use != SHARED_READ && p->second.use != SHARED_READ)
        return "use an atomic operation for what several threads change, or give each a place of "
               "its own";
    if (across)
        return "write to a second buffer, or end the kernel between the two: the next one sees all "
               "that it wrote";
    return same_warp ? "put __syncwarp() or __syncthreads() between the two"
                     : "put __syncthreads() between the two";
}

void exec_report_global_race(const RacePair *p)
{
    char why[400], fix[160], first[100], second[100], headline[160], block[64] = "";
    const ExecLaunch *launch = &exec_run->launch;
    bool across = p->first.block != p->second.block,
         same_warp = !across && p->first.rank / 32 == p->second.rank / 32;
    const char *a = used[p->first.use], *b = used[p->second.use];
    HazardReport report = {.kind = p->differs ? HAZARD_GLOBAL_RACE : HAZARD_SAME_VALUE,
                           .address = (const void *)p->low,
                           .bytes = p->high - p->low,
                           .why = why,
                           .headline = headline,
                           .source = launch->site.file};
    report.first =
        (HazardAccess){.verb = a, .op = launch->op, .stream = launch->stream, .pc = p->first.pc};
    report.second =
        (HazardAccess){.verb = b, .op = launch->op, .stream = launch->stream, .pc = p->second.pc};
    side_text(&p->first, across, first, sizeof first);
    side_text(&p->second, across, second, sizeof second);
    if (!across) {
        char text[48];
        block_text(p->first.block, text, sizeof text);
        snprintf(block, sizeof block, "in %s, ", text);
    }
    const char *who = across ? "threads of different blocks" : "two threads of a block";
    if (!p->differs) {
        snprintf(headline, sizeof headline, "{2}: %s write the same value to {m}, unordered", who);
        snprintf(why, sizeof why,
                 "%s%s %s at {line1} and %s %s at {line2}; C++ calls that a race, but whoever "
                 "comes last, "
                 "the value is the same",
                 block, first, a, second, b);
        report.fix = "let one thread write it, or use an atomic operation";
        hazard_report(&report);
        return;
    }

    snprintf(headline, sizeof headline, "{2}: {m} is used by %s, unordered", who);
    snprintf(why, sizeof why, "%s%s %s at {line1} and %s %s at {line2}; %s", block, first, a,
             second, b, race_reason(p, across, same_warp));
    report.fix = race_fix(p, across, same_warp);
    unsigned round = across || p->fence ? 0 : round_ends(p->first.pc, p->second.pc, p->passed_line);
    if (round) {
        Round of = {block, first, second, a, b, p->passed_line};
        say_round(&of, why, sizeof why, fix, sizeof fix);
        report.fix = fix;
    }
    hazard_report(&report);
}

_Noreturn void exec_report_past_shared(uintptr_t address, size_t bytes, bool write, const void *pc)
{
    char why[300], where[200];
    const ExecLaunch *launch = &exec_run->launch;
    uintptr_t end = shared_ranges[0].at + launch->shared_bytes, bad = address > end ? address : end;
    launched(where, sizeof where, "");
    snprintf(why, sizeof why, "%s; the launch asks for %zu bytes of dynamic shared memory", where,
             launch->shared_bytes);
    HazardReport report = {.kind = HAZARD_OUT_OF_BOUNDS,
                           .address = (const void *)bad,
                           .bytes = address + bytes - bad,
                           .memory = {.address = shared_ranges[0].at,
                                      .bytes = launch->shared_bytes,
                                      .name = keep_name("dynamic shared memory")},
                           .why = why,
                           .fix = "give the launch's third argument the size that the kernel uses",
                           .second = {.verb = write ? "writes" : "reads",
                                      .op = launch->op,
                                      .stream = launch->stream,
                                      .pc = pc}};
    exec_kernel = 0;
    if (!muted) hazard_report(&report);
    exec_fault(EXEC_ILLEGAL_ADDRESS, pc, NULL, 0,
               "illegal %s of %zu byte%s, %s: past the end of the %zu bytes of "
               "dynamic shared memory that the launch asked for",
               write ? "write" : "read", bytes, bytes == 1 ? "" : "s", exec_where(),
               launch->shared_bytes);
}

_Noreturn void exec_report_past_variable(uintptr_t address, size_t bytes, uintptr_t bad, bool write,
                                         const void *pc)
{
    const Variable *v = symbols_before(bad);
    char text[160] = "outside of every variable";
    exec_kernel = 0;
    if (v) report_past_variable(v, true, address, bytes, bad, write, pc);
    exec_report_past_text(bad, text, sizeof text);
    exec_fault(EXEC_ILLEGAL_ADDRESS, pc, NULL, 0,
               "illegal %s of %zu byte%s, %s: %s in shared memory", write ? "write" : "read", bytes,
               bytes == 1 ? "" : "s", exec_where(), text);
}

void exec_report_end(void)
{
    for (unsigned i = 0; i < n_pairs; i++)
        if (!pairs[i].is_volatile || !is_polled(pairs[i].low, pairs[i].high))
            report_pair(&pairs[i]);
    n_pairs = n_polled = n_told = 0;
    char why[300];
    const ExecLaunch *launch = &exec_run->launch;
    for (unsigned i = 0; i < n_fresh; i++) {
        const Fresh *f = &fresh[i];
        snprintf(why, sizeof why,
                 "nothing has been written there since it was allocated; first read by %s",
                 f->where);
        hazard_report(&(HazardReport){.kind = HAZARD_UNINITIALISED,
                                      .address = (const void *)f->first,
                                      .bytes = f->last - f->first + 1,
                                      .touched = f->count,
                                      .why = why,
                                      .fix = "copy data there, or set it, before the launch",
                                      .second = {.verb = "reads",
                                                 .op = launch->op,
                                                 .stream = launch->stream,
                                                 .pc = f->pc}});
    }
    n_fresh = 0;
}

void exec_report_barrier(const char *file, int line, const char *other_file, int other_line,
                         const char *text)
{
    char why[300], headline[400], launch_at[200] = "";
    const ExecLaunch *launch = &exec_run->launch;
    if (muted) return;
    HazardReport report = {.kind = HAZARD_BARRIER,
                           .headline = headline,
                           .why = why,
                           .fix =
                               "let all threads pass the same barrier: move it out of the branch"};
    report.second = (HazardAccess){.verb = "waits",
                                   .op = launch->op,
                                   .stream = launch->stream,
                                   .site = {file, line > 0 ? (uint32_t)line : 0}};
    if (other_file) {
        report.first = report.second;
        report.second.site = (TraceSite){other_file, other_line > 0 ? (uint32_t)other_line : 0};
    }
    if (launch->site.file)
        snprintf(launch_at, sizeof launch_at, "; launched at %s:%u", base_name(launch->site.file),
                 launch->site.line);
    snprintf(headline, sizeof headline, "{2}: %s", text);
    snprintf(why, sizeof why,
             "a barrier waits for all threads of the block, a warp primitive for all lanes of its "
             "mask%s",
             launch_at);
    hazard_report(&report);
}

void exec_report_deadlock(const char *file, int line, const char *text, const char *why,
                          const char *fix)
{
    char headline[600], launch_at[200] = "", more[1400];
    const ExecLaunch *launch = &exec_run->launch;
    if (muted) return;
    if (launch->site.file)
        snprintf(launch_at, sizeof launch_at, "; launched at %s:%u", base_name(launch->site.file),
                 launch->site.line);
    snprintf(headline, sizeof headline, "{2}: %s", text);
    snprintf(more, sizeof more, "%s%s", why, launch_at);
    hazard_report(&(HazardReport){.kind = HAZARD_BARRIER,
                                  .headline = headline,
                                  .why = more,
                                  .fix = fix,
                                  .second = {.verb = "waits",
                                             .op = launch->op,
                                             .stream = launch->stream,
                                             .site = {file, line > 0 ? (uint32_t)line : 0}}});
}

void exec_report_partly_watched(void)
{
    const ExecLaunch *launch = &exec_run->launch;
    hazard_report(&(HazardReport){
        .kind = HAZARD_PARTLY_WATCHED,
        .headline = "{2}: its threads share more memory than can be looked at closely, so that it "
                    "may have other races than are told",
        .why = "of all words that are used by several threads with no barrier between, some were "
               "watched: the first ones of each line, and ever fewer of the rest",
        .fix = "give it less data or fewer blocks for a run, so that all of it is looked at",
        .second =
            {.verb = "runs", .op = launch->op, .stream = launch->stream, .site = launch->site}});
}

void exec_report_early_return(const char *file, uint32_t line)
{
    const Block *b = exec_block;
    const ExecLaunch *launch = &exec_run->launch;
    if (muted || !hazard_wanted(HAZARD_EARLY_RETURN)) return;
    exec_in_order();
    char headline[160], why[400];
    snprintf(headline, sizeof headline,
             "{2}: %u of %u threads of block (%u,%u,%u) had ended when the others met at a barrier",
             b->total - b->n_sync, b->total, b->index[0], b->index[1], b->index[2]);
    snprintf(why, sizeof why,
             "all threads of a block are to reach a __syncthreads(); cards since Volta count those "
             "that have ended as arrived, older ones may wait for ever; launched at %s:%u",
             launch->site.file ? base_name(launch->site.file) : "?", launch->site.line);
    hazard_report(&(HazardReport){
        .kind = HAZARD_EARLY_RETURN,
        .headline = headline,
        .why = why,
        .fix = "let every thread reach the barrier: put the work into an if instead of a return",
        .second =
            {.verb = "waits", .op = launch->op, .stream = launch->stream, .site = {file, line}}});
}
