#include "sim/hazard/hazard_internal.h"
#include "common/devices.h"
#include "sim/hazard/graph_chains.h"
#include "sim/memory/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hazard_on;

enum {
    OP_TICKS = 256
}; /* of a stream's time, for each operation: a host function has segments inside */

typedef struct StreamState {
    uint32_t actor; /* + 1; 0: not known */
    int device;
    TraceStreamFlavour flavour;
    bool driver; /* made by the driver API */
    uint64_t time;
    Clock *tail;             /* what everything in it came after, and that */
    Clock *own, *before_own; /* its latest operation: what that came after, with itself, without */
    uint32_t *lanes, n_lanes, room_lanes, n_early; /* actors of dependent launches; how many of
                                                      those nothing has come after */
    HazardOp *first, *last; /* submitted and not done; each knows all that the ones before it know
                             */
    bool dirty;             /* blocking: has work that the legacy stream has not joined */
    uint32_t next_dirty;
    GraphChains chains; /* of the graphs that are launched in it */
} StreamState;
typedef struct EventState {
    Clock *clock;
    bool early; /* it stands for a trigger */
    uint32_t stream;
    uint64_t seq;
    TraceSite site;
} EventState;
typedef struct DeviceState {
    uint32_t legacy, dirty;
} DeviceState;

struct HazardOp {
    Touch touch;             /* first: freed as one */
    Clock *direct;           /* a dependent launch: what it knows when it has waited */
    Clock *begin;            /* host functions, dependent launches: what it came after, itself not
                                included */
    HazardOp *next, *before; /* submitted to the stream and not done */
};

enum { PLACES = 64, CACHE = 64, FEWEST_BUCKETS = 256 };
typedef struct HostPage {
    uintptr_t page;
    struct HostPage *next, *next_hash;
    uint64_t bits[HAZARD_TOUCHES][BYTES_WORDS];
} HostPage;

struct HazardThread {
    uint32_t id, actor;
    uint64_t time;             /* of the segment that is open */
    Clock *clock;              /* what it knows of others */
    Clock *final;              /* ended: what who joins it learns */
    Clock *last, *before_last; /* of the op it submitted last */
    Clock *awaited;            /* what it waits for; waits: there is such a thing */
    bool waits;
    uint64_t seq; /* when the open segment began; 0: nothing in it yet */
    bool ended;
    HazardOp *function; /* the host function it runs */
    struct {
        uint32_t actor;
        uint64_t time;
        Clock *clock;
    } own; /* meanwhile: its own */
    HostPage *pages, *cache[CACHE];
    HostPage **hash; /* of `pages`, by their numbers; at most as many as there are buckets */
    uint32_t buckets, n_pages;
    HostPlace places[PLACES];
    HostPlace *more; /* places that had to make room */
    uint32_t n_more, room_more, n_places;
    HazardThread *next;
};

static StreamState *streams;
static uint32_t n_streams;
static EventState *events;
static uint32_t n_events;
static DeviceState devices[DEVICES_MOST];
static uint32_t n_actors;
static uint64_t seq;

/* What is compared with what comes. Where it lies stands here as well: most is looked at no closer.
 */
typedef struct Live {
    uintptr_t low, high;
    Touch *touch;
} Live;
static Live *live;
static uint32_t n_live, room_live;
static uint32_t clean_at = 64;
static size_t live_memory, clean_at_memory = 1 << 20;
static HazardOp *latest; /* submitted last, if it is not done */
static uint32_t n_pending;
static HazardThread *threads;
static void (*on_order)(bool release, const void *object);
static __thread HazardThread *self_or_null __attribute__((tls_model("initial-exec")));
static HostPage *free_pages;
static HazardOp *running; /* its kernel runs */

Mark *hazard_marks;
uint32_t hazard_n_marks;
static uint32_t room_marks;
enum { MOST_MARKS = 1 << 16, MOST_PAIRS = 2048 };

static Pair *pairs;
static uint32_t n_pairs, room_pairs;

unsigned char hazard_filter[HAZARD_FILTER];

/* Bookkeeping stops, without harm to the program, when memory is short. */
static void give_up(void) { hazard_on = false; }

static bool room_for(void **array, uint32_t *room, uint32_t wanted, size_t item)
{
    if (wanted <= *room) return true;
    uint32_t more = *room ? 2 * *room : 64;
    while (more < wanted) more *= 2;
    char *grown = realloc(*array, more * item);
    if (!grown) {
        give_up();
        return false;
    }
    memset(grown + *room * item, 0, (more - *room) * item);
    *array = grown;
    *room = more;
    return true;
}

static void set_clock(Clock **slot, Clock *clock) /* takes over the reference */
{
    clock_release(*slot);
    *slot = clock;
}

static void learn(Clock **slot, Clock *more) { set_clock(slot, clock_join(*slot, more)); }

/* ---- orders that were found while a kernel or a host function ran ---- */

typedef struct LateJoin {
    ClockPoint point;
    Clock *clock;
} LateJoin;
static LateJoin *late;
static uint32_t n_late, room_late;

/* Whoever comes after point also comes after what clock knows. */
static void join_late(ClockPoint point, Clock *clock)
{
    for (uint32_t i = 0; i < n_late; i++)
        if (late[i].point.actor == point.actor && late[i].point.time == point.time) {
            learn(&late[i].clock, clock);
            return;
        }
    if (!room_for((void **)&late, &room_late, n_late + 1, sizeof *late)) return;
    late[n_late++] = (LateJoin){point, clock_ref(clock)};
}

static bool knows(const Clock *clock, ClockPoint point)
{
    if (clock_knows(clock, point)) return true;
    for (uint32_t i = 0; i < n_late; i++)
        if (clock_knows(clock, late[i].point) && clock_knows(late[i].clock, point)) return true;
    return false;
}

/* least: what everybody who may still do something knows of each actor. */
static void forget_late(const uint64_t *least)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n_late; i++) {
        bool known = least[late[i].point.actor] >= late[i].point.time;
        for (uint32_t k = 0; known && k < late[i].clock->n; k++)
            known = least[k] >= clock_lucky(late[i].clock, k);
        if (known) clock_release(late[i].clock);
        else late[kept++] = late[i];
    }
    n_late = kept;
}

/* ---- pairs ---- */

static const char *const verbs[HAZARD_TOUCHES] = {[HAZARD_READ] = "reads",
                                                  [HAZARD_WRITE] = "writes",
                                                  [HAZARD_ATOMIC_READ] = "atomically reads",
                                                  [HAZARD_ATOMIC_WRITE] = "atomically updates"};

static bool conflict(HazardTouchKind a, HazardTouchKind b)
{
    if (a == HAZARD_WRITE || b == HAZARD_WRITE) return true;
    return (a == HAZARD_READ && b == HAZARD_ATOMIC_WRITE) ||
           (a == HAZARD_ATOMIC_WRITE && b == HAZARD_READ);
}

/* The place of host code that touched the byte: the most exact one. */
static const HostPlace *place_of(const Touch *touch, HazardTouchKind kind, uintptr_t address)
{
    const HostPlace *best = NULL;
    for (uint32_t i = 0; i < touch->n_places; i++) {
        const HostPlace *place = &touch->places[i];
        if (place->kind != kind || address < place->low || address >= place->high) continue;
        if (!best || place->high - place->low < best->high - best->low) best = place;
    }
    return best;
}

static PairSide side(const Touch *touch, HazardTouchKind kind, uintptr_t address)
{
    PairSide s = {.point = touch->point,
                  .clock = clock_ref(touch->clock),
                  .role = touch->role,
                  .early = touch->early,
                  .beside_early = touch->beside_early,
                  .op = touch->op,
                  .stream = touch->stream,
                  .thread = touch->thread,
                  .launch = touch->launch,
                  .kind = touch->kind,
                  .seq = touch->seq,
                  .site = touch->site,
                  .issued = touch->issued,
                  .verb = verbs[kind],
                  .atomic = kind == HAZARD_ATOMIC_READ || kind == HAZARD_ATOMIC_WRITE};
    const char *instead = NULL;
    BytesMeet meet;
    if (bytes_meet_in(&touch->sets[HAZARD_READ], &touch->sets[HAZARD_WRITE], address, address + 1,
                      &meet))
        instead = "reads and writes";
    if (touch->role == TOUCH_FREE || touch->role == TOUCH_HOST_FREE) instead = "frees";
    if (touch->role == TOUCH_ALLOC) instead = "allocates";
    if (instead) {
        s.verb = instead;
        s.atomic = false;
    }

    const HostPlace *place = place_of(touch, kind, address);
    if (place) s.pc = place->pc;
    if (place && touch->role != TOUCH_HOST_FUNCTION)
        s.order = place->order; /* a function is ordered as a whole */
    memcpy(s.early_of, touch->early_of, sizeof s.early_of);
    return s;
}

static bool is_host(TouchRole role) { return role == TOUCH_HOST || role == TOUCH_HOST_FREE; }

/* A copy or set changes what somebody polls: usual, though not promised to work. */
static bool raises_flag(const Touch *writer, HazardTouchKind wrote, HazardTouchKind other)
{
    return wrote == HAZARD_WRITE && other == HAZARD_ATOMIC_READ && writer->role == TOUCH_DEVICE &&
           writer->kind != TRACE_KERNEL;
}

static HazardKind kind_of(const Touch *a, const Touch *b, bool luck)
{
    if (luck || a->waits || b->waits) return HAZARD_NOT_GUARANTEED;
    if (a->role == TOUCH_HOST_FREE || b->role == TOUCH_HOST_FREE) return HAZARD_FREE_IN_FLIGHT;
    if (a->role == TOUCH_FREE || b->role == TOUCH_FREE) return HAZARD_USE_AFTER_FREE;
    if (a->role == TOUCH_ALLOC || b->role == TOUCH_ALLOC) return HAZARD_USE_BEFORE_ALLOC;
    if (is_host(a->role) && is_host(b->role)) return HAZARD_THREAD_RACE;
    if (a->role == TOUCH_DEVICE && b->role == TOUCH_DEVICE) return HAZARD_RACE;
    return HAZARD_HOST_RACE;
}

static bool same_side(const PairSide *a, const PairSide *b)
{
    return a->site.line == b->site.line && a->pc == b->pc && a->verb == b->verb &&
           a->role == b->role && a->kind == b->kind;
}

/* Memory that began a new life: what is on both sides of it is no pair. */
typedef struct Rebirth {
    uint64_t seq; /* first, and rising: later_than */
    uintptr_t low, high;
} Rebirth;
static Rebirth *rebirths;
static uint32_t n_rebirths, room_rebirths;
static uint32_t lives_at = 4096; /* so many rebirths and pasts are too many */

/* The first of n things, in their order, whose seq is later; n if there is none. There is a life
 * for each block of a pool that nobody has waited for, and few of them are between two touches. */
static uint32_t later_than(uint64_t when, const void *first, uint32_t n, size_t item)
{
    uint32_t low = 0;
    while (low < n) {
        uint32_t middle = low + (n - low) / 2;
        uint64_t at;
        memcpy(&at, (const char *)first + middle * item, sizeof at);
        if (at > when) n = middle;
        else low = middle + 1;
    }
    return low;
}

/* Did all of [low, high) begin a new life at once? */
static bool reborn_between(uintptr_t low, uintptr_t high, uint64_t a, uint64_t b)
{
    uint64_t early = a < b ? a : b, late_one = a < b ? b : a;
    uint32_t i = later_than(late_one, rebirths, n_rebirths, sizeof *rebirths);
    while (i-- > 0 && rebirths[i].seq > early)
        if (low >= rebirths[i].low && high <= rebirths[i].high) return true;
    return false;
}

/* What lay in memory of a pool before something else was placed there: the name of what is older
 * than that. */
typedef struct Past {
    uint64_t until; /* the seq of the new life; first, and rising */
    HazardMemory memory;
} Past;
static Past *pasts;
static uint32_t n_pasts, room_pasts;

static void placed_over(const MemoryBlock *block)
{
    if (!hazard_on || !room_for((void **)&pasts, &room_pasts, n_pasts + 1, sizeof *pasts)) return;
    pasts[n_pasts++] = (Past){seq + 1, hazard_memory_of(block)};
}

/* The memory there at the time of `when`. */
static HazardMemory memory_then(uintptr_t address, uint64_t when)
{
    for (uint32_t i = later_than(when, pasts, n_pasts, sizeof *pasts); i < n_pasts; i++)
        if (address - pasts[i].memory.address < pasts[i].memory.bytes) return pasts[i].memory;
    const MemoryBlock *block = memory_newest((const void *)address);
    return block ? hazard_memory_of(block) : hazard_memory_at((const void *)address);
}

static void found(const Touch *a, const Touch *b, bool luck, bool ordered)
{
    uintptr_t low = a->low > b->low ? a->low : b->low, high = a->high < b->high ? a->high : b->high,
              from = low;
    if (reborn_between(low, high, a->seq, b->seq)) return;
    while (from < high) {
        BytesMeet best = {0}, meet;
        HazardTouchKind x = HAZARD_READ, y = HAZARD_READ;
        static const HazardTouchKind order[] = {HAZARD_WRITE, HAZARD_READ, HAZARD_ATOMIC_WRITE,
                                                HAZARD_ATOMIC_READ};
        bool any = false;
        for (int i = 0; i < HAZARD_TOUCHES; i++)
            for (int k = 0; k < HAZARD_TOUCHES; k++) {
                if (!conflict(order[i], order[k]) ||
                    !bytes_meet_in(&a->sets[order[i]], &b->sets[order[k]], from, high, &meet))
                    continue;
                if (!any || meet.first < best.first) best = meet, x = order[i], y = order[k];
                any = true;
            }
        if (!any) return;
        /* one block of memory at a time; the bytes are those of the strongest way in which they
         * meet there */
        HazardMemory memory = memory_then(best.first, a->seq < b->seq ? a->seq : b->seq);
        bool block = memory.bytes && !memory.variable && memory.kind != TRACE_MEM_PAGEABLE;
        uintptr_t end = block ? memory.address + memory.bytes : high;
        if (end <= best.first || end > high) end = high;
        bytes_meet_in(&a->sets[x], &b->sets[y], best.first, end, &meet);
        from = end;
        if (reborn_between(meet.first, meet.first + 1, a->seq, b->seq)) continue;
        bool swap = b->seq < a->seq, raised = raises_flag(a, x, y) || raises_flag(b, y, x);
        Pair pair = {.what = kind_of(a, b, luck || raised),
                     .memory = memory,
                     .address = meet.first,
                     .bytes = meet.last - meet.first + 1,
                     .touched = meet.count,
                     .times = 1,
                     .ordered = ordered};
        if (!hazard_wanted(pair.what) && !hazard_wanted(HAZARD_UNINITIALISED)) continue;
        pair.first = swap ? side(b, y, meet.first) : side(a, x, meet.first);
        pair.second = swap ? side(a, x, meet.first) : side(b, y, meet.first);
        if (n_pairs < MOST_PAIRS &&
            room_for((void **)&pairs, &room_pairs, n_pairs + 1, sizeof *pairs)) {
            pairs[n_pairs++] = pair;
            continue;
        }
        for (uint32_t i = 0; i < n_pairs; i++)
            if (pairs[i].what == pair.what && same_side(&pairs[i].first, &pair.first) &&
                same_side(&pairs[i].second, &pair.second)) {
                pairs[i].times++;
                break;
            }
        clock_release(pair.first.clock);
        clock_release(pair.second.clock);
    }
}

/* ---- sets that are compared with what comes ---- */

static size_t touch_memory(const Touch *touch)
{
    size_t bytes = sizeof *touch + touch->n_places * sizeof *touch->places;
    for (int i = 0; i < HAZARD_TOUCHES; i++) bytes += bytes_memory(&touch->sets[i]);
    return bytes;
}

static void touch_free(Touch *touch)
{
    for (int i = 0; i < HAZARD_TOUCHES; i++) bytes_release(&touch->sets[i]);
    clock_release(touch->clock);
    free(touch->places);
    free(touch);
}

/* The least that everybody who may still do something knows of an actor. */
static uint64_t known_to_all(uint32_t actor)
{
    uint64_t least = UINT64_MAX;
    for (const HazardThread *t = threads; t; t = t->next) {
        if (t->ended) continue;
        uint64_t time =
            t->actor == actor && !t->function ? UINT64_MAX : clock_sure(t->clock, actor);
        if (t->function) {
            uint64_t own = t->own.actor == actor ? UINT64_MAX : clock_sure(t->own.clock, actor);
            time = own < time ? own : time;
        }
        if (time < least) least = time;
    }
    for (uint32_t i = 0; i < n_streams; i++) {
        /* the first knows least, but for nodes of a graph and dependent launches, of which none
         * need know the others */
        for (const HazardOp *op = streams[i].first; op; op = op->next) {
            uint64_t time = clock_sure(op->touch.clock, actor);
            if (time < least) least = time;
            if (!op->touch.launch && !streams[i].n_lanes) break;
        }
    }
    return least;
}

static bool covers(const Touch *whole, const Touch *part)
{
    static const HazardTouchKind by[HAZARD_TOUCHES] = {[HAZARD_READ] = HAZARD_READ,
                                                       [HAZARD_WRITE] = HAZARD_WRITE,
                                                       [HAZARD_ATOMIC_READ] = HAZARD_ATOMIC_READ,
                                                       [HAZARD_ATOMIC_WRITE] = HAZARD_ATOMIC_WRITE};
    for (int i = 0; i < HAZARD_TOUCHES; i++) {
        if (bytes_empty(&part->sets[i])) continue;
        if (!bytes_covers(&whole->sets[by[i]], &part->sets[i]) &&
            !bytes_covers(&whole->sets[HAZARD_WRITE], &part->sets[i]))
            return false;
    }
    return true;
}

static void clean(void)
{
    uint64_t *least = malloc((n_actors + 1) * sizeof *least);
    if (!least) return;
    for (uint32_t i = 0; i < n_actors; i++) least[i] = known_to_all(i);
    uint32_t kept = 0;
    uint64_t oldest = UINT64_MAX;
    live_memory = 0;
    for (uint32_t i = 0; i < n_live; i++) {
        Touch *touch = live[i].touch;
        if (least[touch->point.actor] >= touch->point.time) touch_free(touch);
        else live[kept++] = live[i];
    }
    n_live = kept;
    /* What a later one of the same actor touches as well says enough. */
    if (n_live >= clean_at / 2) {
        for (uint32_t i = 0; i < n_live; i++)
            for (uint32_t k = i + 1; k < n_live && k < i + 64; k++)
                if (live[k].low <= live[i].low && live[k].high >= live[i].high &&
                    live[k].touch->point.actor == live[i].touch->point.actor &&
                    live[k].touch->role == live[i].touch->role &&
                    covers(live[k].touch, live[i].touch)) {
                    touch_free(live[i].touch);
                    live[i].touch = NULL;
                    break;
                }
        kept = 0;
        for (uint32_t i = 0; i < n_live; i++)
            if (live[i].touch) live[kept++] = live[i];
        n_live = kept;
    }
    for (uint32_t i = 0; i < n_live; i++) {
        live_memory += touch_memory(live[i].touch);
        if (live[i].touch->seq < oldest) oldest = live[i].touch->seq;
    }
    for (uint32_t i = 0; i < n_streams; i++)
        if (streams[i].first && streams[i].first->touch.seq < oldest)
            oldest = streams[i].first->touch.seq;
    kept = 0;
    for (uint32_t i = 0; i < n_rebirths; i++)
        if (rebirths[i].seq > oldest) rebirths[kept++] = rebirths[i];
    n_rebirths = kept;
    kept = 0;
    for (uint32_t i = 0; i < n_pasts; i++)
        if (pasts[i].until > oldest) pasts[kept++] = pasts[i];
    n_pasts = kept;
    forget_late(least);
    clean_at = n_live < 32 ? 64 : 2 * n_live;
    clean_at_memory = live_memory < 1 << 19 ? 1 << 20 : 2 * live_memory;
    free(least);
}

/* The touch is over: it is compared with all it is not ordered after, and stays for those to
 * come. */
static void enter(Touch *touch)
{
    uintptr_t low, high;
    touch->low = UINTPTR_MAX;
    touch->high = 0;
    for (int i = 0; i < HAZARD_TOUCHES; i++) {
        if (bytes_empty(&touch->sets[i])) continue;
        bytes_span(&touch->sets[i], &low, &high);
        if (low < touch->low) touch->low = low;
        if (high > touch->high) touch->high = high;
        bytes_trim(&touch->sets[i]);
    }
    if (touch->low >= touch->high || !hazard_on) {
        touch_free(touch);
        return;
    }
    for (uint32_t i = n_live; i-- > 0;) {
        if (live[i].high <= touch->low || live[i].low >= touch->high) continue;
        Touch *other = live[i].touch;
        bool same = other->point.actor == touch->point.actor,
             after = same || knows(touch->clock, other->point);
        if (after && other->role == TOUCH_FREE && touch->role == TOUCH_DEVICE)
            found(other, touch, false, true);
        if (after || knows(other->clock, touch->point)) continue;
        bool luck = clock_knows_by_luck(touch->clock, other->point) ||
                    clock_knows_by_luck(other->clock, touch->point) ||
                    (other->lucky.time && clock_knows_by_luck(touch->clock, other->lucky)) ||
                    (touch->lucky.time && clock_knows_by_luck(other->clock, touch->lucky));
        found(other, touch, luck, false);
    }
    if (!room_for((void **)&live, &room_live, n_live + 1, sizeof *live)) {
        touch_free(touch);
        return;
    }
    live[n_live++] = (Live){touch->low, touch->high, touch};
    live_memory += touch_memory(touch);
    if (n_live > clean_at || live_memory > clean_at_memory) clean();
}

/* ---- host threads ---- */

HazardThread *hazard_thread_new(uint32_t id, bool program);

static HazardThread *self(void)
{
    if (!self_or_null) {
        self_or_null = hazard_thread_new(0, false);
        if (self_or_null) self_or_null->id = threads->next ? 0 : 1;
    }
    return self_or_null;
}

static ClockPoint done_so_far(const HazardThread *me)
{
    return (ClockPoint){me->actor, me->time - 1};
}

static int by_page(const void *a, const void *b)
{
    uintptr_t x = (*(HostPage *const *)a)->page, y = (*(HostPage *const *)b)->page;
    return x < y ? -1 : x > y;
}

static void take_places(HazardThread *me, Touch *touch)
{
    uint32_t n = me->n_more;
    for (int i = 0; i < PLACES; i++) n += me->places[i].pc != NULL;
    touch->places = malloc((n ? n : 1) * sizeof *touch->places);
    if (touch->places) {
        if (me->n_more) memcpy(touch->places, me->more, me->n_more * sizeof *me->more);
        touch->n_places = me->n_more;
        for (int i = 0; i < PLACES; i++)
            if (me->places[i].pc) touch->places[touch->n_places++] = me->places[i];
    }
    memset(me->places, 0, sizeof me->places);
    me->n_more = me->n_places = 0;
}

static Touch *host_touch(const HazardThread *me)
{
    Touch *touch = calloc(1, sizeof *touch);
    if (!touch) {
        give_up();
        return NULL;
    }
    touch->point = (ClockPoint){me->actor, me->time};
    touch->clock = clock_make(me->clock, NULL, touch->point, touch->point);
    touch->role = me->function ? TOUCH_HOST_FUNCTION : TOUCH_HOST;
    touch->thread = me->id;
    if (me->function) {
        touch->op = me->function->touch.op;
        touch->stream = me->function->touch.stream;
        touch->kind = TRACE_HOSTFN;
        touch->issued = me->function->touch.site;
    }
    touch->seq = me->function ? me->function->touch.seq : ++seq;
    return touch;
}

static void next_segment(HazardThread *me)
{
    if (!me->function || (me->time + 1) % OP_TICKS != 0) me->time++;
}

/* The open segment ends: what it touched is entered. */
static void close_segment(HazardThread *me)
{
    if (!me->pages) return;
    uint32_t n = 0;
    for (HostPage *page = me->pages; page; page = page->next) n++;
    Touch *touch = host_touch(me);
    HostPage **sorted = malloc(n * sizeof *sorted);
    if (touch && me->seq && !me->function) touch->seq = me->seq;
    n = 0;
    for (HostPage *page = me->pages, *next; page; page = next) {
        next = page->next;
        me->hash[page->page % me->buckets] = NULL;
        me->cache[page->page % CACHE] = NULL;
        if (sorted) sorted[n++] = page;
    }
    me->pages = NULL;
    me->n_pages = 0;
    me->seq = 0;
    if (sorted && touch) {
        qsort(sorted, n, sizeof *sorted, by_page);
        for (uint32_t i = 0; i < n; i++) {
            for (int k = 0; k < HAZARD_TOUCHES; k++)
                bytes_add_page(&touch->sets[k], sorted[i]->page, sorted[i]->bits[k]);
            sorted[i]->next = free_pages;
            free_pages = sorted[i];
        }
        take_places(me, touch);
        enter(touch);
    }
    free(sorted);
    next_segment(me);
}

/* Twice as many buckets (without memory for them the chains become longer). False: there are none.
 */
static bool more_buckets(HazardThread *me)
{
    uint32_t buckets = me->buckets ? 2 * me->buckets : FEWEST_BUCKETS;
    HostPage **hash = calloc(buckets, sizeof *hash);
    if (!hash) return me->hash != NULL;

    for (HostPage *page = me->pages; page; page = page->next) {
        page->next_hash = hash[page->page % buckets];
        hash[page->page % buckets] = page;
    }
    free(me->hash);
    me->hash = hash;
    me->buckets = buckets;
    return true;
}

static HostPage *new_page(HazardThread *me, uintptr_t number)
{
    bool fits = me->n_pages < me->buckets || more_buckets(me);
    HostPage *page = free_pages;
    if (page) free_pages = page->next;
    else page = malloc(sizeof *page);
    if (!page || !fits) {
        free(page);
        give_up();
        return NULL;
    }
    memset(page, 0, sizeof *page);
    page->page = number;
    if (!me->pages) me->seq = ++seq;
    page->next = me->pages;
    me->pages = page;
    me->n_pages++;
    page->next_hash = me->hash[number % me->buckets];
    me->hash[number % me->buckets] = page;
    return page;
}

static HostPage *page_for(HazardThread *me, uintptr_t number)
{
    HostPage *page = me->buckets ? me->hash[number % me->buckets] : NULL;
    while (page && page->page != number) page = page->next_hash;
    if (!page) page = new_page(me, number);
    if (page) me->cache[number % CACHE] = page;
    return page;
}

static void note_place(HazardThread *me, uintptr_t low, uintptr_t high, HazardTouchKind kind,
                       const void *pc)
{
    HostPlace *place = &me->places[((uintptr_t)pc >> 1) % PLACES];
    if (__builtin_expect(place->pc == pc && place->kind == kind, 1)) {
        if (low < place->low) place->low = low;
        if (high > place->high) place->high = high;
        return;
    }
    if (place->pc) {
        for (uint32_t i = me->n_more; i-- > 0 && i + 256 > me->n_more;)
            if (me->more[i].pc == pc && me->more[i].kind == (uint32_t)kind) {
                HostPlace known = me->more[i];
                me->more[i] = *place;
                *place = known;
                if (low < place->low) place->low = low;
                if (high > place->high) place->high = high;
                return;
            }
        if (me->n_more < 4096 &&
            room_for((void **)&me->more, &me->room_more, me->n_more + 1, sizeof *me->more))
            me->more[me->n_more++] = *place;
    }
    *place = (HostPlace){pc, low, high, kind, ++me->n_places};
}

void hazard_host_access(uintptr_t address, size_t bytes, HazardTouchKind kind, const void *pc)
{
    HazardThread *me = self_or_null;
    if (__builtin_expect(!hazard_on || !bytes, 0)) return;
    if (__builtin_expect(!me, 0) && !(me = self())) return;
    uintptr_t number = address / BYTES_PAGE;
    unsigned offset = address % BYTES_PAGE;
    if (__builtin_expect(bytes <= 16 && offset % 64 + bytes <= 64, 1)) {
        HostPage *page = me->cache[number % CACHE];
        if (__builtin_expect(!page || page->page != number, 0) && !(page = page_for(me, number)))
            return;
        page->bits[kind][offset / 64] |= ((1ull << bytes) - 1) << (offset % 64);
        note_place(me, address, address + bytes, kind, pc);
        return;
    }
    note_place(me, address, address + bytes, kind, pc);
    while (bytes) {
        HostPage *page = me->cache[number % CACHE];
        if ((!page || page->page != number) && !(page = page_for(me, number))) return;
        size_t here = BYTES_PAGE - offset < bytes ? BYTES_PAGE - offset : bytes;
        for (unsigned at = offset, end = offset + (unsigned)here; at < end;) {
            unsigned n = 64 - at % 64 < end - at ? 64 - at % 64 : end - at;
            page->bits[kind][at / 64] |= (n == 64 ? ~0ull : (1ull << n) - 1) << (at % 64);
            at += n;
        }
        bytes -= here;
        offset = 0;
        number++;
    }
}

void hazard_on_order(void (*told)(bool release, const void *object)) { on_order = told; }

static void tell_order(bool release, const void *object)
{
    if (on_order) on_order(release, object);
}

HazardThread *hazard_thread_new(uint32_t id, bool program)
{
    if (!hazard_on) return NULL;
    HazardThread *thread = calloc(1, sizeof *thread), **end = &threads;
    if (!thread) {
        give_up();
        return NULL;
    }
    thread->id = id;
    thread->actor = n_actors++;
    thread->time = 1;
    HazardThread *maker = self_or_null;
    if (maker) {
        close_segment(maker);
        thread->clock = clock_make(maker->clock, NULL, done_so_far(maker), done_so_far(maker));
    }
    while (*end) end = &(*end)->next;
    *end = thread;
    if (maker && program) tell_order(true, thread);
    return thread;
}

void hazard_thread_begin(HazardThread *thread)
{
    self_or_null = thread;
    if (thread) tell_order(false, thread);
}

/* The object that stands for a thread's end. */
static const void *end_of(const HazardThread *thread) { return &thread->final; }

void hazard_thread_end(void)
{
    HazardThread *me = self_or_null;
    if (!me) return;
    close_segment(me);
    me->final = clock_make(me->clock, NULL, done_so_far(me), done_so_far(me));
    me->ended = true;
    tell_order(true, end_of(me));
    self_or_null = NULL;
}

void hazard_thread_joined(HazardThread *thread)
{
    HazardThread *me = hazard_on && thread ? self() : NULL;
    if (!me || !thread->final) return;
    close_segment(me);
    learn(&me->clock, thread->final);
    tell_order(false, end_of(thread));
}

void hazard_thread_forget(HazardThread *thread)
{
    HazardThread **link = &threads;
    if (!thread || !thread->ended) return;
    while (*link && *link != thread) link = &(*link)->next;
    if (!*link) return;
    *link = thread->next;
    clock_release(thread->clock);
    clock_release(thread->final);
    clock_release(thread->last);
    clock_release(thread->before_last);
    clock_release(thread->awaited);
    free(thread->more);
    free(thread->hash);
    free(thread);
}

/* ---- locks, flags ---- */

enum { OBJECTS = 1024 };
typedef struct Object {
    uintptr_t address;
    Clock *clock;
    struct Object *next;
} Object;
static Object *objects[OBJECTS];
static uint32_t n_objects;

static Object *object_at(uintptr_t address, bool make)
{
    Object **list = &objects[(address * 0x9E3779B97F4A7C15ull) >> 54];
    for (Object *object = *list; object; object = object->next)
        if (object->address == address) return object;
    if (!make) return NULL;
    Object *object = calloc(1, sizeof *object);
    if (!object) {
        give_up();
        return NULL;
    }
    object->address = address;
    object->next = *list;
    *list = object;
    n_objects++;
    return object;
}

void hazard_release(const void *at)
{
    HazardThread *me = hazard_on ? self() : NULL;
    if (!me || (!threads->next && !n_pending))
        return; /* nobody to tell: whoever comes learns it from its maker */
    Object *object = object_at((uintptr_t)at, true);
    if (!object) return;
    close_segment(me);
    Clock *now = clock_make(me->clock, NULL, done_so_far(me), done_so_far(me));
    learn(&object->clock, now);
    clock_release(now);
    tell_order(true, at);
}

/* ---- flags that are raised without a fence ---- */

typedef struct Unfenced {
    uintptr_t address;
    uint32_t op;
} Unfenced;
typedef struct SeenFlag {
    uint32_t writer, reader;
} SeenFlag;
enum { UNFENCED = 256, SEEN_FLAGS = 64 };
static Unfenced unfenced[UNFENCED];
static SeenFlag seen_flags[SEEN_FLAGS];
static unsigned n_unfenced, n_seen_flags;

static Unfenced *unfenced_at(uintptr_t address)
{
    return &unfenced[(address >> 2 ^ address >> 10) % UNFENCED];
}

void hazard_kernel_unfenced(uintptr_t address)
{
    if (!hazard_on || !running) return;
    *unfenced_at(address) = (Unfenced){address, running->touch.op};
    n_unfenced++;
}

bool hazard_unfenced_flag(uint32_t writer, uint32_t reader)
{
    for (unsigned i = 0; i < n_seen_flags; i++)
        if (seen_flags[i].writer == writer && seen_flags[i].reader == reader) return true;
    return false;
}

static void sees_flag(uintptr_t address, uint32_t reader)
{
    const Unfenced *flag = unfenced_at(address);
    if (flag->address != address || flag->op == reader || n_seen_flags == SEEN_FLAGS ||
        hazard_unfenced_flag(flag->op, reader))
        return;
    seen_flags[n_seen_flags++] = (SeenFlag){flag->op, reader};
}

void hazard_acquire(const void *at)
{
    if (!hazard_on) return;
    if (n_unfenced) sees_flag((uintptr_t)at, 0);
    if (!n_objects) return;
    HazardThread *me = self();
    Object *object = me ? object_at((uintptr_t)at, false) : NULL;
    if (!object || clock_covers(me->clock, object->clock)) return;
    close_segment(me);
    learn(&me->clock, object->clock);
    tell_order(false, at);
}

void hazard_kernel(HazardOp *op) { running = op; }

void hazard_kernel_release(uintptr_t address)
{
    if (!hazard_on || !running) return;
    Object *object = object_at(address, true);
    if (object && !clock_covers_surely(object->clock, running->touch.clock))
        learn(&object->clock, running->touch.clock);
}

void hazard_kernel_acquire(uintptr_t address)
{
    if (!hazard_on || !running) return;
    if (n_unfenced) sees_flag(address, running->touch.op);
    if (!n_objects) return;
    Object *object = object_at(address, false);
    if (!object || clock_covers(running->touch.clock, object->clock)) return;
    learn(&running->touch.clock, object->clock);
    join_late(running->touch.point, object->clock);
}

/* ---- streams and operations ---- */

void hazard_stream(uint32_t stream, int device, TraceStreamFlavour flavour, bool driver)
{
    if (!hazard_on) return;
    if (!room_for((void **)&streams, &n_streams, stream + 1, sizeof *streams)) return;
    streams[stream] =
        (StreamState){.actor = ++n_actors, .device = device, .flavour = flavour, .driver = driver};
    if (flavour == TRACE_STREAM_LEGACY && device >= 0 && device < DEVICES_MOST)
        devices[device].legacy = stream;
}

TraceStreamFlavour hazard_flavour(uint32_t stream)
{
    return stream < n_streams ? streams[stream].flavour : TRACE_STREAM_NONBLOCKING;
}

bool hazard_by_driver(uint32_t stream) { return stream < n_streams && streams[stream].driver; }

static StreamState *stream_at(uint32_t stream)
{
    return hazard_on && stream < n_streams && streams[stream].actor ? &streams[stream] : NULL;
}

static bool is_blocking(const StreamState *s)
{
    return s->flavour == TRACE_STREAM_BLOCKING || s->flavour == TRACE_STREAM_PER_THREAD;
}

/* And what a stream waits for by its flavour. Takes clock over; a new reference. */
static Clock *with_others(StreamState *s, Clock *clock)
{
    if (s->device < 0 || s->device >= DEVICES_MOST) return clock;
    DeviceState *device = &devices[s->device];
    if (s->flavour == TRACE_STREAM_LEGACY) {
        for (uint32_t i = device->dirty; i; i = streams[i].next_dirty)
            learn(&clock, streams[i].tail);
    } else if (is_blocking(s) && device->legacy) {
        learn(&clock, streams[device->legacy].tail);
    }
    return clock;
}

/* What everything in the stream so far comes to; for the legacy stream with all blocking ones. A
 * new reference. */
static Clock *stream_clock(StreamState *s) { return with_others(s, clock_ref(s->tail)); }

/* What who waits for the stream learns: a blocking stream is not waiting for the legacy stream's
 * work while it has none of its own behind that. */
static Clock *held_clock(StreamState *s)
{
    return s->flavour == TRACE_STREAM_LEGACY ? stream_clock(s) : clock_ref(s->tail);
}

static void mark(MarkKind kind, uint32_t stream, uint32_t event, TraceSite site)
{
    if (hazard_n_marks == MOST_MARKS) {
        memmove(hazard_marks, hazard_marks + MOST_MARKS / 2, MOST_MARKS / 2 * sizeof *hazard_marks);
        hazard_n_marks = MOST_MARKS / 2;
    }
    if (!room_for((void **)&hazard_marks, &room_marks, hazard_n_marks + 1, sizeof *hazard_marks))
        return;
    const EventState *e = event && event < n_events ? &events[event] : NULL;
    hazard_marks[hazard_n_marks++] = (Mark){.kind = kind,
                                            .stream = stream,
                                            .event = event,
                                            .thread = self_or_null ? self_or_null->id : 0,
                                            .seq = ++seq,
                                            .record_seq = e ? e->seq : 0,
                                            .record_stream = e ? e->stream : 0,
                                            .site = site};
}

static void waited(const char *call, TraceSite site, bool useful, uint64_t ns);

static void pend(StreamState *s, HazardOp *op)
{
    op->before = s->last;
    if (s->last) s->last->next = op;
    else s->first = op;
    s->last = latest = op;
    n_pending++;
}

/* A dependent launch is not ordered with the one before it in its stream: it has an actor of its
 * own. Of more dependent launches in a row than these, the first and the last are taken for
 * ordered. */
enum { MOST_LANES = 256 };
static uint32_t next_lane(StreamState *s)
{
    uint32_t at = s->n_early++ % MOST_LANES;
    if (at < s->n_lanes) return s->lanes[at];
    if (!room_for((void **)&s->lanes, &s->room_lanes, at + 1, sizeof *s->lanes))
        return s->actor - 1;
    s->lanes[at] = n_actors++;
    s->n_lanes = at + 1;
    return s->lanes[at];
}

/* The legacy stream waits for the blocking streams that were used since it was. */
static void used_since_legacy(StreamState *s, uint32_t stream)
{
    if (s->device < 0 || s->device >= DEVICES_MOST) return;
    DeviceState *device = &devices[s->device];
    if (is_blocking(s) && !s->dirty) {
        s->dirty = true;
        s->next_dirty = device->dirty;
        device->dirty = stream;
    }
    if (s->flavour == TRACE_STREAM_LEGACY)
        for (; device->dirty; device->dirty = streams[device->dirty].next_dirty)
            streams[device->dirty].dirty = false;
}

static void recorded(uint32_t event, uint32_t stream, Clock *clock, TraceSite site)
{
    mark(MARK_RECORD, stream, event, site);
    set_clock(&events[event].clock, clock_ref(clock));
    events[event].stream = stream;
    events[event].seq = seq;
    events[event].site = site;
    events[event].early = false;
}

/* A stream waits for an event: what it comes after learns what the event knows. */
static void waits_for(uint32_t event, Clock **before, const HazardThread *me, ClockPoint host,
                      TraceSite site)
{
    Clock *now = clock_make(*before, me->clock, host, host);
    waited("cudaStreamWaitEvent", site,
           events[event].early || !clock_covers_surely(now, events[event].clock), 0);
    clock_release(now);
    learn(before, events[event].clock);
}

/* The stream goes on behind what has just been submitted: `before` is what that came after, clock
 * itself included. */
static void stream_goes_on(StreamState *s, Clock *before, Clock *clock, const HazardThread *me,
                           ClockPoint host, bool early)
{
    if (early) learn(&s->tail, clock);
    else set_clock(&s->tail, clock_ref(clock));
    set_clock(&s->own, clock_ref(clock));
    set_clock(&s->before_own, clock_make(before, me->clock, host, host));
}

/* An operation that will be told what it touches. */
static HazardOp *new_touch(Touch touch)
{
    HazardOp *op = calloc(1, sizeof *op);
    if (!op) {
        give_up();
        return NULL;
    }
    op->touch = touch;
    op->touch.clock = clock_ref(touch.clock);
    op->touch.role = TOUCH_DEVICE;
    op->touch.seq = ++seq;
    return op;
}

static HazardOp *submit(uint32_t op, TraceOpKind kind, uint32_t stream, uint32_t event,
                        TraceSite site, bool touches, bool early)
{
    StreamState *s = stream_at(stream);
    HazardThread *me = s ? self() : NULL;
    if (!me) return NULL;
    bool works = kind != TRACE_RECORD && kind != TRACE_WAIT;
    if (event && !works && !room_for((void **)&events, &n_events, event + 1, sizeof *events))
        return NULL;

    close_segment(me);
    Clock *before = early ? with_others(s, clock_ref(s->before_own)) : stream_clock(s);
    ClockPoint host = done_so_far(me), point = {s->actor - 1, s->time};
    if (early) point.actor = next_lane(s);
    else s->n_early = 0;
    if (kind == TRACE_WAIT && event) waits_for(event, &before, me, host, site);
    if (works) point.time = s->time += OP_TICKS;
    Clock *clock = clock_make(before, me->clock, host, point);
    if (!clock) {
        clock_release(before);
        give_up();
        return NULL;
    }

    Clock *direct = early ? clock_ref(s->own) : NULL;
    stream_goes_on(s, before, clock, me, host, early);
    used_since_legacy(s, stream);
    if (kind == TRACE_GRAPH) graph_chains_launch(&s->chains, op, clock, site);
    if (works) {
        set_clock(&me->last, clock_ref(clock));
        set_clock(&me->before_last, clock_ref(before));
    }

    HazardOp *result = NULL;
    if (kind == TRACE_RECORD && event) {
        recorded(event, stream, clock, site);
    } else if (kind == TRACE_WAIT) {
        mark(MARK_WAIT, stream, event, site);
    } else if (touches) {
        result = new_touch((Touch){.point = point,
                                   .clock = clock,
                                   .early = early ? EARLY_NEVER_WAITS : EARLY_NOT,
                                   .kind = kind,
                                   .op = op,
                                   .stream = stream,
                                   .site = site});
    }
    if (result) {
        result->direct = clock_ref(direct);
        if (kind == TRACE_HOSTFN || early)
            result->begin = clock_make(before, me->clock, host, host);
        pend(s, result);
    }

    clock_release(direct);
    clock_release(before);
    clock_release(clock);
    return result;
}

HazardOp *hazard_submit(uint32_t op, TraceOpKind kind, uint32_t stream, uint32_t event,
                        TraceSite site, bool touches)
{
    return submit(op, kind, stream, event, site, touches, false);
}

HazardOp *hazard_submit_early(uint32_t op, uint32_t stream, TraceSite site)
{
    return submit(op, TRACE_KERNEL, stream, 0, site, true, true);
}

HazardOp *hazard_submit_node(uint32_t op, TraceOpKind kind, uint32_t stream, uint32_t event,
                             TraceSite site, bool touches, uint32_t launch, const uint32_t *after,
                             int n_after, bool opens)
{
    StreamState *s = stream_at(stream);
    if (event && !room_for((void **)&events, &n_events, event + 1, sizeof *events)) return NULL;
    GraphChainNode node;
    Clock *awaited = s && kind == TRACE_WAIT && event ? events[event].clock : NULL;
    if (!s || !graph_chains_node(&s->chains, op, launch, after, n_after, awaited, knows, &n_actors,
                                 &node))
        return NULL;

    HazardOp *result = NULL;
    learn(&s->tail, node.clock);
    if (node.late) graph_chains_gates(launch, join_late, node.clock);
    if (kind == TRACE_GRAPH) {
        graph_chains_inner(&s->chains, op, &node, opens);
        if (opens) learn(&s->tail, graph_chains_end(op));
        if (opens && node.late) graph_chains_gates(launch, join_late, graph_chains_end(op));
    } else if (kind == TRACE_RECORD && event) {
        mark(MARK_RECORD, stream, event, site);
        set_clock(&events[event].clock, clock_ref(node.clock));
        events[event].stream = stream;
        events[event].seq = seq;
        events[event].site = site;
    } else if (touches) {
        result = calloc(1, sizeof *result);
        if (!result) give_up();
    }
    if (result) {
        result->touch = (Touch){.point = node.point,
                                .clock = clock_ref(node.clock),
                                .role = TOUCH_DEVICE,
                                .kind = kind,
                                .op = op,
                                .stream = stream,
                                .launch = node.launch,
                                .beside_early = graph_chains_early(node.launch),
                                .seq = ++seq,
                                .site = site,
                                .issued = node.launched};
        if (kind == TRACE_HOSTFN || kind == TRACE_KERNEL) result->begin = clock_ref(node.before);
        pend(s, result);
    }
    clock_release(node.before);
    clock_release(node.clock);
    return result;
}

/* What an operation came after, and that: of one that is not done, or that somebody may still be
 * unordered with (who has been given up comes before everything anyway). */
static Clock *clock_of(uint32_t op)
{
    if (graph_chains_end(op)) return graph_chains_end(op);
    for (uint32_t i = 0; i < n_streams; i++)
        for (const HazardOp *pending = streams[i].first; pending; pending = pending->next)
            if (pending->touch.op == op) return pending->touch.clock;
    for (uint32_t i = n_live; i-- > 0;)
        if (live[i].touch->op == op && live[i].touch->role != TOUCH_HOST)
            return live[i].touch->clock;
    return NULL;
}

void hazard_record_early(uint32_t stream, uint32_t event, TraceSite site)
{
    StreamState *s = stream_at(stream);
    if (!s || !room_for((void **)&events, &n_events, event + 1, sizeof *events)) return;
    mark(MARK_RECORD, stream, event, site);
    set_clock(&events[event].clock, clock_ref(s->before_own));
    events[event].stream = stream;
    events[event].seq = seq;
    events[event].site = site;
    events[event].early = true;
}

void hazard_op_begins_early(HazardOp *op)
{
    if (!op || !op->touch.launch) return;
    graph_chains_begins_early(op->touch.launch);
    op->touch.beside_early = true;
}

void hazard_op_direct(HazardOp *op, uint32_t other)
{
    Clock *clock = op ? clock_of(other) : NULL;
    if (!op) return;
    if (op->touch.early == EARLY_NOT) op->direct = clock_ref(op->touch.clock);
    op->touch.early = EARLY_NEVER_WAITS;
    for (int i = EARLY_MOST - 1; i > 0; i--) op->touch.early_of[i] = op->touch.early_of[i - 1];
    op->touch.early_of[0] = other;
    if (!op->begin) op->begin = clock_ref(streams[op->touch.stream].before_own);
    if (clock) learn(&op->direct, clock);
}

void hazard_stream_after(uint32_t stream, uint32_t op)
{
    StreamState *s = stream_at(stream);
    Clock *clock = s ? clock_of(op) : NULL;
    if (clock) learn(&s->tail, clock);
}

void hazard_wait_nothing(uint32_t stream, uint32_t event, TraceSite site)
{
    if (!stream_at(stream)) return;
    waited("cudaStreamWaitEvent", site, false, 0);
    mark(MARK_WAIT, stream, event, site);
}

void hazard_op_touches(HazardOp *op, bool write, const void *address, size_t pitch, size_t width,
                       size_t height)
{
    if (op)
        bytes_add_rows(&op->touch.sets[write ? HAZARD_WRITE : HAZARD_READ], (uintptr_t)address,
                       pitch, width, height);
}

void hazard_op_bytes(HazardOp *op, HazardBytes *sets)
{
    for (int i = 0; i < HAZARD_TOUCHES; i++) {
        if (op) op->touch.sets[i] = sets[i];
        else bytes_release(&sets[i]);
    }
}

static Touch *copy_of_point(const Touch *of)
{
    Touch *touch = calloc(1, sizeof *touch);
    if (!touch) return NULL;
    *touch = (Touch){.point = of->point,
                     .clock = clock_ref(of->clock),
                     .role = TOUCH_DEVICE,
                     .beside_early = of->beside_early,
                     .kind = of->kind,
                     .op = of->op,
                     .stream = of->stream,
                     .launch = of->launch,
                     .seq = of->seq,
                     .site = of->site,
                     .issued = of->issued};
    memcpy(touch->early_of, of->early_of, sizeof touch->early_of);
    return touch;
}

void hazard_op_early(HazardOp *op, HazardBytes *sets)
{
    Touch *touch = op ? copy_of_point(&op->touch) : NULL;
    if (!touch) {
        for (int i = 0; i < HAZARD_TOUCHES; i++) bytes_release(&sets[i]);
        return;
    }
    touch->point.time--;
    set_clock(&touch->clock, clock_make(op->begin, NULL, touch->point, touch->point));
    touch->early = EARLY_BEFORE_WAIT;
    for (int i = 0; i < HAZARD_TOUCHES; i++) touch->sets[i] = sets[i];
    /* from here on it knows what it has waited for, and so does who waits for it */
    for (uint32_t i = 0; i < n_late; i++)
        if (clock_knows(op->direct, late[i].point)) learn(&op->direct, late[i].clock);
    learn(&op->touch.clock, op->direct);
    op->touch.early = EARLY_AFTER_WAIT;
    join_late(op->touch.point, op->touch.clock);
    enter(touch);
}

void hazard_op_frees(HazardOp *op, const void *address, size_t bytes)
{
    if (!op) return;
    op->touch.role = TOUCH_FREE;
    bytes_add_range(&op->touch.sets[HAZARD_WRITE], (uintptr_t)address, bytes);
}

void hazard_op_allocates(HazardOp *op, const void *address, size_t bytes)
{
    if (!op) return;
    hazard_new_memory(address, bytes);
    op->touch.role = TOUCH_ALLOC;
    op->touch.seq = ++seq;
    bytes_add_range(&op->touch.sets[HAZARD_WRITE], (uintptr_t)address, bytes);
}

bool hazard_op_comes_after(uint32_t op, uint32_t stream, uint32_t other)
{
    const HazardOp *later = stream < n_streams ? streams[stream].first : NULL;
    while (later && later->touch.op != op) later = later->next;
    for (uint32_t i = 0; later && i < n_live; i++)
        if (live[i].touch->op == other)
            return clock_knows(later->touch.clock, live[i].touch->point);
    return true; /* what is compared with nobody any more comes before everything */
}

void hazard_op_done(HazardOp *op)
{
    if (!op) return;
    StreamState *s = &streams[op->touch.stream];
    if (op->before) op->before->next = op->next;
    else s->first = op->next;
    if (op->next) op->next->before = op->before;
    else s->last = op->before;
    if (latest == op) latest = NULL;
    n_pending--;
    clock_release(op->begin);
    clock_release(op->direct);
    enter(&op->touch);
}

void hazard_source_read(uint32_t op, const void *address, size_t pitch, size_t width, size_t height,
                        TraceSite site, bool promised)
{
    HazardThread *me = hazard_on && latest && latest->touch.op == op ? self() : NULL;
    if (!me) return;
    Touch *touch = copy_of_point(&latest->touch);
    if (!touch) return;
    touch->site = site;
    if (promised) {
        close_segment(me);
        clock_release(touch->clock);
        touch->point = (ClockPoint){me->actor, me->time};
        touch->clock = clock_make(me->clock, NULL, touch->point, touch->point);
    } else {
        close_segment(me);
        touch->lucky = (ClockPoint){me->actor, me->time};
    }
    next_segment(me);
    bytes_add_rows(&touch->sets[HAZARD_READ], (uintptr_t)address, pitch, width, height);
    enter(touch);
}

void hazard_frees(const void *address, size_t bytes, TraceSite site, bool waits)
{
    HazardThread *me = hazard_on ? self() : NULL;
    if (!me) return;
    close_segment(me);
    Touch *touch = host_touch(me);
    if (!touch) return;
    touch->role = TOUCH_HOST_FREE;
    touch->waits = waits;
    touch->site = site;
    bytes_add_range(&touch->sets[HAZARD_WRITE], (uintptr_t)address, bytes);
    enter(touch);
    next_segment(me);
}

void hazard_host_frees(const void *address, size_t bytes, const void *pc)
{
    HazardThread *me = hazard_on ? self() : NULL;
    if (!me) return;
    close_segment(me);
    Touch *touch = host_touch(me);
    if (!touch) return;
    touch->role = TOUCH_HOST_FREE;
    touch->places = malloc(sizeof *touch->places);
    if (touch->places) {
        touch->places[0] =
            (HostPlace){pc, (uintptr_t)address, (uintptr_t)address + bytes, HAZARD_WRITE, 0};
        touch->n_places = 1;
    }
    bytes_add_range(&touch->sets[HAZARD_WRITE], (uintptr_t)address, bytes);
    enter(touch);
    next_segment(me);
    hazard_new_memory(address, bytes);
}

void hazard_new_memory(const void *address, size_t bytes)
{
    if (!hazard_on ||
        !room_for((void **)&rebirths, &room_rebirths, n_rebirths + 1, sizeof *rebirths))
        return;
    rebirths[n_rebirths++] = (Rebirth){++seq, (uintptr_t)address, (uintptr_t)address + bytes};
    if (n_rebirths + n_pasts < lives_at) return;
    clean();
    lives_at = 2 * (n_rebirths + n_pasts) + 4096;
}

void hazard_track(const void *address, size_t bytes)
{
    if (!hazard_on || !bytes) return;
    uintptr_t first = (uintptr_t)address / BYTES_PAGE,
              last = ((uintptr_t)address + bytes - 1) / BYTES_PAGE;
    if (last - first >= HAZARD_FILTER) memset(hazard_filter, 1, sizeof hazard_filter);
    else
        for (uintptr_t page = first; page <= last; page++) hazard_filter[page % HAZARD_FILTER] = 1;
}

/* ---- the host waits ---- */

static void after(HazardThread *me, Clock *clock, HazardPromise promise)
{
    if (promise == HAZARD_PROMISED) {
        if (clock_covers(me->clock, clock)) return;
        close_segment(me);
        learn(&me->clock, clock);
    } else {
        Clock *more = clock_join_by_luck(me->clock, clock);
        if (more != me->clock) close_segment(me);
        set_clock(&me->clock, more);
    }
}

/* Does the thread not know that yet? What it did itself it knows. */
static bool is_news(const HazardThread *me, const Clock *clock)
{
    Clock *now = clock_make(me->clock, NULL, done_so_far(me), done_so_far(me));
    bool news = !clock_covers_surely(now, clock);
    clock_release(now);
    return news;
}

static Clock *device_clock(int device)
{
    Clock *clock = NULL;
    for (uint32_t i = 0; i < n_streams; i++)
        if (streams[i].actor && (device < 0 || streams[i].device == device))
            learn(&clock, streams[i].tail);
    return clock;
}

static void will_wait(Clock *clock)
{
    HazardThread *me = self();
    if (!me) {
        clock_release(clock);
        return;
    }
    set_clock(&me->awaited, clock);
    me->waits = true;
}

void hazard_before_stream(uint32_t stream)
{
    StreamState *s = stream_at(stream);
    if (s) will_wait(held_clock(s));
}

void hazard_before_event(uint32_t event)
{
    if (hazard_on) will_wait(event < n_events ? clock_ref(events[event].clock) : NULL);
}

void hazard_before_device(int device)
{
    if (hazard_on) will_wait(device_clock(device));
}

/* What the thread has waited for, or what is there now. Takes over now. */
static Clock *waited_for(HazardThread *me, Clock *now)
{
    if (!me->waits) return now;
    Clock *clock = me->awaited;
    clock_release(now);
    me->awaited = NULL;
    me->waits = false;
    return clock;
}

void hazard_after_stream(uint32_t stream, const char *call, TraceSite site, uint64_t waited_ns)
{
    StreamState *s = stream_at(stream);
    HazardThread *me = s ? self() : NULL;
    if (!me) return;
    Clock *clock = waited_for(me, held_clock(s));
    waited(call, site, call && is_news(me, clock), waited_ns);
    if (call) mark(MARK_SYNC_STREAM, stream, 0, site);
    after(me, clock, HAZARD_PROMISED);
    clock_release(clock);
}

void hazard_after_event(uint32_t event, const char *call, TraceSite site, uint64_t waited_ns)
{
    HazardThread *me = hazard_on ? self() : NULL;
    if (!me) return;
    Clock *clock = waited_for(me, event < n_events ? clock_ref(events[event].clock) : NULL);
    waited(call, site, call && is_news(me, clock), waited_ns);
    if (call) mark(MARK_SYNC_EVENT, 0, event, site);
    after(me, clock, HAZARD_PROMISED);
    clock_release(clock);
}

void hazard_after_device(int device, const char *call, TraceSite site, uint64_t waited_ns,
                         HazardPromise promise)
{
    HazardThread *me = hazard_on ? self() : NULL;
    if (!me) return;
    Clock *clock = waited_for(me, device_clock(device));
    waited(call, site, call && is_news(me, clock), waited_ns);
    if (call) mark(MARK_SYNC_DEVICE, 0, 0, site);
    after(me, clock, promise);
    clock_release(clock);
}

void hazard_after_last(HazardPromise promise)
{
    HazardThread *me = hazard_on ? self() : NULL;
    if (me && me->last) after(me, me->last, promise);
}

void hazard_after_before_last(void)
{
    HazardThread *me = hazard_on ? self() : NULL;
    if (me && me->before_last) after(me, me->before_last, HAZARD_PROMISED);
}

/* ---- host functions ---- */

void hazard_host_function(HazardOp *op)
{
    HazardThread *me = hazard_on && op ? self() : NULL;
    if (!me) return;
    close_segment(me);
    me->own.actor = me->actor;
    me->own.time = me->time;
    me->own.clock = me->clock;
    me->actor = op->touch.point.actor;
    me->time = op->touch.point.time - OP_TICKS + 1;
    me->clock = clock_ref(op->begin);
    me->function = op;
}

void hazard_host_function_over(void)
{
    HazardThread *me = hazard_on ? self() : NULL;
    if (!me || !me->function) return;
    HazardOp *op = me->function;
    close_segment(me);
    if (!clock_covers(op->touch.clock, me->clock)) join_late(op->touch.point, me->clock);
    clock_release(me->clock);
    me->function = NULL;
    me->actor = me->own.actor;
    me->time = me->own.time;
    me->clock = me->own.clock;
}

/* ---- waits that order nothing ---- */

bool (*hazard_student)(void);

typedef struct WaitSite {
    const char *call;
    TraceSite site;
    uint64_t useful, idle, ns;
} WaitSite;
static WaitSite *wait_sites;
static uint32_t n_wait_sites, room_wait_sites;

static bool is_wait_site(const WaitSite *at, const char *call, TraceSite site)
{
    if (at->call != call || !at->site.file != !site.file) return false;
    return !site.file || (at->site.line == site.line && strcmp(at->site.file, site.file) == 0);
}

/* A loop may wait for nothing the first time: what one place has waited for counts together. Of
 * calls whose place is not known (made through a pointer, past the macros that note it) each counts
 * for itself, where a student's code made them. */
static void waited(const char *call, TraceSite site, bool useful, uint64_t ns)
{
    if (!call || !hazard_wanted(HAZARD_REDUNDANT)) return;
    if (!site.file && (useful || !(hazard_student && hazard_student()))) return;
    WaitSite *at = NULL;
    for (uint32_t i = 0; i < n_wait_sites && !at; i++)
        if (is_wait_site(&wait_sites[i], call, site)) at = &wait_sites[i];
    if (!at) {
        if (!room_for((void **)&wait_sites, &room_wait_sites, n_wait_sites + 1, sizeof *wait_sites))
            return;
        at = &wait_sites[n_wait_sites++];
        *at = (WaitSite){.call = call, .site = site};
    }
    if (useful) at->useful++;
    else at->idle++, at->ns += ns;
}

static void report_idle_waits(void)
{
    char text[256];
    for (uint32_t i = 0; i < n_wait_sites; i++) {
        const WaitSite *at = &wait_sites[i];
        if (at->useful) continue;
        snprintf(text, sizeof text,
                 "%s orders nothing that was not ordered before; it took %.3f ms", at->call,
                 (double)at->ns / 1e6);
        hazard_report(
            &(HazardReport){.kind = HAZARD_REDUNDANT,
                            .headline = text,
                            .second = {.verb = "waits for nothing new", .site = at->site},
                            .fix = "leave it out, if it was not meant to wait for something else"});
    }
}

/* ---- the end ---- */

static int by_issue(const void *a, const void *b)
{
    const Pair *x = a, *y = b;
    if (x->second.seq != y->second.seq) return x->second.seq < y->second.seq ? -1 : 1;
    if (x->first.seq != y->first.seq) return x->first.seq < y->first.seq ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

static bool at_or_before(const PairSide *a, const PairSide *b)
{
    if (a->point.actor == b->point.actor && a->point.time == b->point.time)
        return a->order <= b->order;
    return knows(b->clock, a->point);
}

static bool same_point(const PairSide *a, const PairSide *b)
{
    return a->point.actor == b->point.actor && a->point.time == b->point.time;
}

/* The edge that orders other would order pair, too. */
static bool implied(const Pair *pair, const Pair *other)
{
    if (pair == other ||
        (other->what == HAZARD_NOT_GUARANTEED && pair->what != HAZARD_NOT_GUARANTEED))
        return false;
    if (same_point(&pair->first, &other->first) && same_point(&pair->second, &other->second))
        return false;
    return at_or_before(&pair->first, &other->first) && at_or_before(&other->second, &pair->second);
}

static HazardAccess access_of(const PairSide *s)
{
    return (HazardAccess){.verb = s->verb,
                          .op = s->op,
                          .stream = s->stream,
                          .thread = s->thread,
                          .site = s->site,
                          .pc = s->pc};
}

void hazard_start(void)
{
    if (hazard_on) return;
    hazard_on = true;
    memory_overlaid = placed_over;
    self();
}

void hazard_end(void)
{
    if (!hazard_on) return;
    for (HazardThread *thread = threads; thread; thread = thread->next)
        if (!thread->ended) close_segment(thread);
    for (uint32_t i = 0; i < n_streams; i++)
        while (streams[i].first) hazard_op_done(streams[i].first);
    if (n_pairs) qsort(pairs, n_pairs, sizeof *pairs, by_issue);
    for (uint32_t i = 0; i < n_pairs; i++)
        for (uint32_t k = 0; k < n_pairs && !pairs[i].hidden; k++)
            pairs[i].hidden = implied(&pairs[i], &pairs[k]);
    for (uint32_t i = 0; i < n_pairs; i++) {
        char why[512], fix[512];
        Pair *pair = &pairs[i];
        hazard_explains(pair->first.op, pair->address, pair->bytes);
        hazard_explains(pair->second.op, pair->address, pair->bytes);
        if (pair->hidden) continue;
        explain_pair(pair, why, sizeof why, fix, sizeof fix);
        HazardReport report = {.kind = pair->what,
                               .first = access_of(&pair->first),
                               .second = access_of(&pair->second),
                               .address = (const void *)pair->address,
                               .bytes = pair->bytes,
                               .touched = pair->touched,
                               .why = why[0] ? why : NULL,
                               .fix = fix[0] ? fix : NULL,
                               .times = pair->times,
                               .memory = pair->memory};
        hazard_report(&report);
    }
    report_idle_waits();
    hazard_on = false;
}

size_t hazard_memory(void)
{
    size_t bytes = live_memory;
    for (uint32_t i = 0; i < n_streams; i++)
        for (const HazardOp *op = streams[i].first; op; op = op->next)
            bytes += touch_memory(&op->touch);
    return bytes;
}
