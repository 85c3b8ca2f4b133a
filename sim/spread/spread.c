/* spread.c - see spread.h. */
#include "sim/spread/spread.h"
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/env.h"
#include "sim/host/host.h"
#include "sim/host/raw.h"

typedef struct Worker {
    uint64_t at, end;       /* the rest of its chunk */
    _Atomic uint64_t begin; /* of its chunk; NONE: it has none */
    bool turn;              /* all lower items than this chunk's have ended */
    _Atomic bool busy;
} __attribute__((aligned(64))) Worker;

#define NONE UINT64_MAX
enum { LOOKS = 200, YIELDS = 50 }; /* at what others do, before they are waited for asleep */

bool spread_on;

static Worker workers[SPREAD_MOST]; /* the first is the caller's */
static unsigned helpers;            /* that have been made */
static long owner;                  /* the process that they are in */
static _Thread_local Worker *me;

static SpreadJob job;
static void *acting; /* whom the caller is */
static unsigned width;
static uint64_t next_item;
static _Atomic bool stopped;

/* ---- one lock, and something to wait at ---- */

static _Atomic uint32_t lock;    /* 0 free, 1 held, 2 held and somebody waits */
static _Atomic uint32_t changes; /* counts what may let somebody go on */
static _Atomic uint32_t waiting;
static _Atomic uint32_t jobs; /* counts them */

static void sleep_while(_Atomic uint32_t *word, uint32_t value)
{
    raw_syscall(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, (long)value, 0, 0, 0);
}

static void wake(_Atomic uint32_t *word, int many)
{
    raw_syscall(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, many, 0, 0, 0);
}

static void take_lock(void)
{
    uint32_t free = 0;
    if (atomic_compare_exchange_strong(&lock, &free, 1)) return;
    while (atomic_exchange(&lock, 2)) sleep_while(&lock, 2);
}

static void give_lock(void)
{
    if (atomic_exchange(&lock, 0) == 2) wake(&lock, 1);
}

/* With the lock held: it is given back. */
static void tell(void)
{
    atomic_fetch_add(&changes, 1);
    bool any = atomic_load(&waiting) != 0;
    give_lock();
    if (any) wake(&changes, SPREAD_MOST);
}

/* With the lock held, which is given back and taken again: something changes. */
static void await(void)
{
    uint32_t now = atomic_load(&changes);
    atomic_fetch_add(&waiting, 1);
    give_lock();
    sleep_while(&changes, now);
    atomic_fetch_sub(&waiting, 1);
    take_lock();
}

/* ---- threads ---- */

static unsigned processors(void)
{
    static unsigned char set[8192]; /* a bit for each that there might be */
    long bytes = raw_syscall(SYS_sched_getaffinity, 0, sizeof set, (long)set, 0, 0, 0);
    unsigned n = 0;
    for (long i = 0; i < bytes; i++) n += (unsigned)__builtin_popcount(set[i]);
    return n ? n : 1;
}

static unsigned known_width;
static bool always;

unsigned spread_width(void)
{
    if (known_width) return known_width;
    const char *cores = getenv(ENV_CORES);
    char *end = NULL;
    unsigned long n = cores && *cores ? strtoul(cores, &end, 10) : processors();
    always = end && strcmp(end, ":always") == 0;
    if (end && (!n || *cores == '-' || (*end && !always)))
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0},
                   ENV_CORES "=%s: a number of processors is wanted, 1 at least", cores);
    known_width = n < SPREAD_MOST ? (unsigned)n : SPREAD_MOST;
    return known_width;
}

bool spread_always(void) { return spread_width() > 1 && always; }

static void *helper(void *arg)
{
    me = arg;
    for (uint32_t seen = 0;;) {
        uint32_t now;
        while ((now = atomic_load(&jobs)) == seen) sleep_while(&jobs, seen);
        seen = now;
        if (!me->busy) continue; /* more helpers than this job wants */
        host_act_for(acting);
        job.work();
        take_lock();
        me->begin = NONE;
        me->busy = false;
        tell();
    }
    return NULL;
}

/* In a child that the program has forked there are none. */
static void make_helpers(void)
{
    long process = raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
    if (process != owner) {
        owner = process;
        helpers = 0;
        atomic_store(&lock, 0);
        atomic_store(&waiting, 0);
        atomic_store(&jobs, 0);
    }
    while (helpers + 1 < width && host_helper(helper, &workers[helpers + 1])) helpers++;
    if (width > helpers + 1) width = helpers + 1;
}

/* ---- items ---- */

bool spread_begin(const SpreadJob *given)
{
    width = spread_width();
    if (width > 1) make_helpers();
    if (width < 2) return false;
    job = *given;
    acting = host_acting();
    next_item = job.first;
    stopped = false;
    for (unsigned i = 0; i < SPREAD_MOST; i++) {
        Worker *w = &workers[i];
        w->at = w->end = 0;
        w->begin = NONE;
        w->turn = false;
        if (i < width) atomic_store(&w->busy, true);
    }
    me = &workers[0];
    spread_on = true;
    atomic_fetch_add(&jobs, 1);
    wake(&jobs, SPREAD_MOST);
    return true;
}

bool spread_next(uint64_t *item)
{
    if (me->at < me->end && !atomic_load_explicit(&stopped, memory_order_relaxed)) {
        *item = me->at++;
        return true;
    }
    take_lock();
    me->turn = false;
    bool any = !stopped && next_item < job.end;
    if (any) {
        uint64_t left = job.end - next_item;
        me->begin = next_item;
        next_item += job.chunk < left ? job.chunk : left;
        me->at = me->begin;
        me->end = next_item;
        *item = me->at++;
    } else {
        me->begin = NONE;
        me->at = me->end = 0;
    }
    tell();
    return any;
}

/* Chunks are given away in ascending order: no lower one can come any more. */
static bool is_lowest(void)
{
    uint64_t mine = atomic_load_explicit(&me->begin, memory_order_relaxed);
    for (unsigned i = 0; i < width; i++)
        if (atomic_load_explicit(&workers[i].begin, memory_order_acquire) < mine) return false;
    return true;
}

/* It is mostly a short while. */
static bool is_soon_lowest(void)
{
    for (int i = 0; i < LOOKS + YIELDS; i++) {
        if (is_lowest()) return true;
        if (atomic_load_explicit(&stopped, memory_order_relaxed)) return false;
        if (i >= LOOKS) raw_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
#if defined(__x86_64__)
        else __builtin_ia32_pause();
#else
        else __asm__ volatile("yield");
#endif
    }
    return false;
}

void spread_turn(void)
{
    if (!spread_on || me->turn) return;
    if (!is_soon_lowest()) {
        take_lock();
        while (!stopped && !is_lowest()) await();
        give_lock();
    }
    if (stopped) job.leave();
    me->turn = true;
}

void spread_stop(void)
{
    if (!spread_on) return;
    take_lock();
    stopped = true;
    atomic_fetch_add(&changes, 1);
    if (atomic_load(&waiting)) wake(&changes, SPREAD_MOST);
    for (unsigned i = 0; i < width; i++)
        while (workers[i].busy && &workers[i] != me) await();
    give_lock();
}

void spread_end(void)
{
    if (!spread_on) return;
    take_lock();
    me->begin = NONE;
    me->busy = false;
    tell();
    take_lock();
    for (unsigned i = 0; i < width; i++)
        while (workers[i].busy) await();
    give_lock();
    spread_on = false;
    me = NULL;
}
