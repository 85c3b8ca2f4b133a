/* Who has seen what of shared memory, thread by thread: sim/exec/shared.c alone, over a fake of the
 * executor, so that the address and undefined-behaviour sanitizers can look at it, too (make
 * test-sanitize). */
#include "sim/exec/shared.h"
#include "sim/exec/exec_internal.h"
#include "sim/hazard/symbols.h"
#include "tests/unit/cases.h"

enum { FLAGS = 64 }; /* as many as are known at a time; two addresses may want the same place */

/* ---- the executor, as far as shared.c asks ---- */
static Run run;
Run *exec_run = &run;
__thread ThreelaneSelf threelane_self;
char threelane_dynamic_shared[THREELANE_DYNAMIC_SHARED] __attribute__((aligned(4096)));
static char statics[64] __attribute__((aligned(8)));

bool inside_on;
static unsigned copy_races, races;
static uint32_t last_other;
static SharedUse last_before, last_now;

bool inside_on; /* no check looks inside this kernel */
bool hazard_wanted(HazardKind kind) { return kind == HAZARD_SHARED_RACE; }

void *exec_allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    ck_assert_ptr_nonnull(memory);
    return memset(memory, 0x5a, bytes);
}

void footprint_tls(void **begin, size_t *bytes)
{
    *begin = statics;
    *bytes = sizeof statics;
}

void exec_report_shared_race(uintptr_t address, unsigned bytes, uint32_t other, SharedUse before,
                             const void *place, SharedUse now, const void *pc)
{
    (void)address, (void)bytes, (void)place, (void)pc;
    races++;
    last_other = other;
    last_before = before;
    last_now = now;
}

void exec_report_copy_race(uintptr_t address, uint32_t thread, const void *place, SharedUse now,
                           const void *pc)
{
    (void)address, (void)place, (void)pc;
    copy_races++;
    last_other = thread;
    last_now = now;
}

_Noreturn void exec_report_past_shared(uintptr_t address, size_t bytes, bool write, const void *pc)
{
    (void)address, (void)bytes, (void)write, (void)pc;
    _exit(71);
}

_Noreturn void exec_report_past_variable(uintptr_t address, size_t bytes, uintptr_t bad, bool write,
                                         const void *pc)
{
    (void)address, (void)bytes, (void)bad, (void)write, (void)pc;
    _exit(72);
}

/* No names are known: any byte of static shared memory may be somebody's. */
void symbols_each(uintptr_t begin, uintptr_t end, void (*visit)(const Variable *, void *),
                  void *arg)
{
    (void)begin, (void)end, (void)visit, (void)arg;
}

/* ---- what threads do ---- */
#define WORD(n) ((uintptr_t)threelane_dynamic_shared + 4 * (n))

static void begin(void)
{
    run.launch.block = (TraceDim){1024, 1, 1};
    run.launch.shared_bytes = 4096;
    shared_begin_run();
    ck_assert(shared_on);
}

static void as(uint32_t thread) { threelane_self.thread[0] = thread; }

static void writes(uint32_t thread, uintptr_t at)
{
    as(thread);
    shared_access(at, 4, SHARED_WRITE, "w");
}

static void reads(uint32_t thread, uintptr_t at)
{
    as(thread);
    shared_access(at, 4, SHARED_READ, "r");
}

static void raises(uint32_t thread, uintptr_t flag)
{
    as(thread);
    shared_release_flag(flag);
}

static void sees(uint32_t thread, uintptr_t flag)
{
    as(thread);
    shared_acquire_flag(flag);
}

START_TEST(a_barrier_orders_and_nothing_does_not)
{
    writes(3, WORD(0));
    reads(3, WORD(0));
    ck_assert_uint_eq(races, 0);
    reads(700, WORD(0));
    ck_assert_uint_eq(races, 1);
    ck_assert_uint_eq(last_other, 3);
    ck_assert_int_eq(last_before, SHARED_WRITE);
    ck_assert_int_eq(last_now, SHARED_READ);
    shared_barrier();
    writes(700, WORD(0));
    ck_assert_uint_eq(races, 1);
    writes(1023, WORD(1));
    writes(0, (uintptr_t)statics);
    writes(1, (uintptr_t)statics);
    ck_assert_uint_eq(races, 2);
}
END_TEST

/* What a flag says is what its thread has seen, and only at its own address: two addresses that
 * share a place in the table of flags are two flags. */
START_TEST_WITH(a_flag_speaks_for_its_own_address, .times = FLAGS)
{
    uintptr_t flag = WORD(512 + (unsigned)_i), other = flag;
    for (unsigned n = 513; n < 1024; n++) /* another one at the same place: shared.c's hash */
        if (WORD(n) != flag &&
            ((WORD(n) >> 2 ^ WORD(n) >> 8) % FLAGS) == ((flag >> 2 ^ flag >> 8) % FLAGS))
            other = WORD(n);
    ck_assert(other != flag);

    writes(0, WORD(0));
    raises(0, flag);
    sees(40, other);
    reads(40, WORD(0));
    ck_assert_uint_eq(races, 1);

    sees(72, flag);
    reads(72, WORD(0));
    ck_assert_uint_eq(races, 1);
    raises(0, other); /* takes the place */
    sees(104, flag);
    reads(104, WORD(0));
    ck_assert_uint_eq(races, 2);
}
END_TEST

START_TEST(a_flag_from_before_a_barrier_says_nothing_of_what_came_after)
{
    raises(0, WORD(600));
    shared_barrier();
    writes(0, WORD(0));
    sees(40, WORD(600));
    reads(40, WORD(0));
    ck_assert_uint_eq(races, 1);
}
END_TEST

/* What lanes of a warp know of each other goes on with the flag, and ends with the warp: nothing is
 * told of the first thread of the next one. */
START_TEST_WITH(a_flag_tells_of_its_own_warp, .times = 32)
{
    uint32_t warp = (uint32_t)_i, base = warp * 32, next = (base + 32) % 1024,
             seer = (base + 64) % 1024;
    writes(next, WORD(0));
    writes(base + 1, WORD(1));
    shared_warp_barrier(warp, 3, false); /* lanes 0 and 1 */
    raises(base, WORD(600));
    sees(seer, WORD(600));
    reads(seer, WORD(1));
    ck_assert_uint_eq(races, 0);
    reads(seer, WORD(0));
    ck_assert_uint_eq(races, 1);
    ck_assert_uint_eq(last_other, next);
}
END_TEST

/* Flags at the end of the block, from every thread, after partial and whole barriers of every warp:
 * nothing is written beside the tables. (The sanitizers look.) */
START_TEST(every_thread_raises_and_sees)
{
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t warp = 0; warp < 32; warp++)
            shared_warp_barrier(warp, round ? 0xffffffffu : 0x80000001u, round == 1);
        for (uint32_t thread = 0; thread < 1024; thread++) {
            raises(thread, WORD(thread));
            sees((thread + 37) % 1024, WORD(thread));
        }
    }
    for (uint32_t n = 0; n < 1024; n++) writes(1023 - n, WORD(n));
    ck_assert_uint_eq(races, 0);
}
END_TEST

/* ---- barriers with phases ---- */

static void arrives(uint32_t thread, SharedMeeting **at)
{
    as(thread);
    shared_arrive(at);
}

static void passes(uint32_t thread, SharedMeeting **at)
{
    as(thread);
    shared_pass(at);
}

START_TEST(an_arrival_speaks_for_what_came_before_it_to_who_passes)
{
    SharedMeeting *full = NULL;
    passes(700, &full); /* nobody has been there */
    writes(5, WORD(0));
    writes(40, WORD(1));
    arrives(5, &full);
    arrives(40, &full);
    writes(5, WORD(2));
    passes(700, &full);
    reads(700, WORD(0)); /* the phase has not ended */
    ck_assert_uint_eq(races, 1);
    shared_phase_ends(&full);
    passes(700, &full);
    reads(700, WORD(0));
    reads(700, WORD(1));
    ck_assert_uint_eq(races, 1);
    reads(700, WORD(2)); /* written after the arrival */
    ck_assert_uint_eq(races, 2);
    ck_assert_uint_eq(last_other, 5);
    reads(701, WORD(1)); /* has not passed */
    ck_assert_uint_eq(races, 3);
    ck_assert_uint_eq(last_other, 40);
    shared_meeting_ends(&full);
    ck_assert_ptr_null(full);
}
END_TEST

/* Many threads that know the same, one that knows more, and what is passed on by way of a second
 * barrier; rounds of it, in which the earlier ones stay known. */
START_TEST(what_is_learned_is_passed_on)
{
    SharedMeeting *full = NULL, *empty = NULL, *aside = NULL;
    writes(900, WORD(500));
    arrives(900, &aside);
    shared_phase_ends(&aside);
    passes(33, &aside); /* one of the readers */
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t t = 0; t < 32; t++) writes(t, WORD(round * 32 + t));
        for (uint32_t t = 0; t < 32; t++) arrives(t, &full);
        shared_phase_ends(&full);
        for (uint32_t t = 32; t < 64; t++) passes(t, &full);
        for (uint32_t t = 32; t < 64; t++) reads(t, WORD(round * 32 + 63 - t));
        reads(33, WORD(500));
        for (uint32_t t = 32; t < 64; t++) arrives(t, &empty);
        shared_phase_ends(&empty);
        for (uint32_t t = 0; t < 32; t++) passes(t, &empty);
    }
    for (uint32_t t = 0; t < 32; t++) writes(t, WORD(t)); /* all has been read */
    reads(7, WORD(500));                                  /* by way of 33 */
    ck_assert_uint_eq(races, 0);
    reads(70, WORD(500)); /* was never there */
    ck_assert_uint_eq(races, 1);
    shared_meeting_ends(&full), shared_meeting_ends(&empty), shared_meeting_ends(&aside);
}
END_TEST

START_TEST(what_was_known_ends_with_the_run)
{
    SharedMeeting *full = NULL;
    arrives(5, &full);
    shared_phase_ends(&full);
    shared_end_run();
    begin();
    writes(5, WORD(0));
    passes(700, &full);
    reads(700, WORD(0));
    ck_assert_uint_eq(races, 1);
    shared_meeting_ends(&full);
}
END_TEST

/* ---- copies ---- */

static void small_block(void)
{
    run.launch.block = (TraceDim){40, 1, 1};
    shared_begin_run();
}

START_TEST(a_copy_races_until_it_has_landed_and_then_for_who_has_not_passed)
{
    SharedMeeting *full = NULL;
    small_block();
    uint32_t nobody = shared_nobody(3);
    ck_assert_uint_ge(nobody, 64); /* no lane of a warp that is there */
    as(3);
    shared_copy_begins(WORD(4), 16, "c");
    reads(3, WORD(4)); /* its own thread has not waited, either */
    ck_assert_uint_eq(copy_races, 1);
    ck_assert_uint_eq(last_other, 3);
    writes(10, WORD(7));
    ck_assert_uint_eq(copy_races, 2);
    reads(10, WORD(8)); /* beside it */
    ck_assert_uint_eq(copy_races, 2);

    shared_copy_lands(WORD(4), 16, nobody, "c");
    shared_nobody_arrives(&full, nobody);
    shared_phase_ends(&full);
    shared_barrier(); /* tells nobody of it, since nobody knows */
    reads(11, WORD(4));
    ck_assert_uint_eq(copy_races, 3);
    passes(10, &full);
    reads(10, WORD(5));
    ck_assert_uint_eq(copy_races, 3);
    shared_barrier(); /* 10 knows */
    reads(11, WORD(6));
    ck_assert_uint_eq(copy_races, 3);
    ck_assert_uint_eq(races, 0);
    shared_meeting_ends(&full);
}
END_TEST

START_TEST(a_copy_that_a_thread_has_waited_for_is_its_own_write)
{
    small_block();
    as(3);
    shared_copy_begins(WORD(4), 8, "c");
    shared_copy_lands_here(WORD(4), 8, "c");
    reads(3, WORD(4));
    ck_assert_uint_eq(copy_races + races, 0);
    reads(4, WORD(5));
    ck_assert_uint_eq(races, 1);
    ck_assert_uint_eq(last_other, 3);

    as(3);
    shared_copy_begins(WORD(10), 4, "c");
    shared_copies_gone();
    reads(5, WORD(10));
    ck_assert_uint_eq(copy_races, 0);
    ck_assert_uint_eq(races, 1);
}
END_TEST

CASES("shared", .before = begin)
