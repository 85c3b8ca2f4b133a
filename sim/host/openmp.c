/* openmp.c - OpenMP in virtual time: what g++ -fopenmp calls (GOMP_...), and what programs call
 * (omp_...).
 *
 * libgomp makes the futex system call by itself, so its threads would wait in real time; these
 * functions stand in for it. Threads of a team are ordinary host threads (pthread_create), kept for
 * the next parallel region, the one with the same number for the same number in the team. Only one
 * host thread runs at a time, so the bookkeeping needs no locks. What orders threads by OpenMP's
 * rules (the begin and end of a region, barriers, critical sections, tasks) is told all the same
 * (HostOrder): exactly that, so that races between them are seen.
 *
 * A worksharing construct is known by its number within the region: each thread meets the same ones
 * in the same order. Chunks of a dynamic schedule are handed out with a turn for everybody in
 * between, since host code takes no time. Deferred tasks wait in their team's queue, in order;
 * whoever waits in a barrier, a taskwait or a taskgroup runs them.
 *
 * Where nothing else is asked for there are four threads (OMP_NUM_THREADS, omp_set_num_threads,
 * num_threads), whatever the machine has: a program makes the same run everywhere. What is not here
 * ends the program by name.
 */
#include "common/env.h"
#include "sim/host/host.h"
#include "sim/host/host_internal.h"
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The compiler and <omp.h> declare these; here nobody does. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

const char host_has_openmp;

enum { DEFAULT_THREADS = 4, MOST_THREADS = 4096 };
typedef enum Schedule {
    RUNTIME,
    STATIC,
    DYNAMIC,
    GUIDED
} Schedule; /* from STATIC on as in omp_sched_t */
enum {
    TASK_FINAL = 2,
    TASK_DEPEND = 8,
    TASK_UP = 1 << 8,
    TASK_GRAINSIZE = 1 << 9,
    TASK_IF = 1 << 10,
    TASK_NOGROUP = 1 << 11,
    TASK_REDUCTION = 1 << 12,
    TASK_DETACH = 1 << 13
};

typedef struct Group {
    unsigned left;
    struct Group *outer;
} Group; /* of tasks */

typedef struct Task {
    void (*fn)(void *);
    void *data, *memory;
    struct Task *parent, *next;
    Group *group;
    unsigned children, refs; /* children: not done; refs: them and itself */
    bool final;
} Task;

typedef struct Share { /* a worksharing construct that some have met and not all have left */
    unsigned long number;
    unsigned left; /* how many have left it */
    Schedule schedule;
    bool ordered, unsigned_, up, taken, copied;
    uint64_t next, end, incr, chunk; /* iterations count from 0: see `first` */
    uint64_t first, step, count; /* the loop's own first value and step; how many turns it has */
    uint64_t seq, ordered_done;  /* chunks handed out; chunks whose ordered part is over */
    void *copy;
    struct Share *later;
} Share;

typedef struct Team {
    unsigned n, arrived, round;
    void (*fn)(void *);
    void *data;
    int level, active_level;
    Share *shares;
    Share *prepared; /* GOMP_parallel_loop_...: the loop that is met first */
    Task *queue, **queue_end;
    unsigned tasks;                                        /* deferred and not done */
    char begun, finished, turn, copied, task_done, met[2]; /* what orders its threads: only their
                                                              addresses matter */
    struct Team *outer;
    unsigned outer_rank;
} Team;

/* What a thread knows of itself; kept aside while it is in an inner region. */
typedef struct Me {
    Team *team; /* NULL: outside of all */
    unsigned rank;
    unsigned long works; /* worksharing constructs met in this region */
    Share *share;        /* the one it is in */
    uint64_t trip, seq;  /* static schedules: chunks had; the number of the current chunk */
    bool has_chunk;
    Task *task; /* that it runs; a region's own code is one, too */
    Group *group;
} Me;

typedef struct Worker {
    Team *team; /* NULL: idle */
    unsigned rank;
    struct Worker *next;
    unsigned number;
} Worker;

static __thread Me me;
static Worker *workers; /* by number */
static unsigned n_workers;
static bool read_environment;
static int wanted_threads, max_levels = 1;
static Schedule run_schedule = DYNAMIC;
static uint64_t run_chunk = 1;
static pthread_mutex_t unnamed = PTHREAD_MUTEX_INITIALIZER, atomic_lock = PTHREAD_MUTEX_INITIALIZER;
static const TraceSite nowhere = {NULL, 0};

static _Noreturn void refuse(const char *name)
{
    host_fatal(HOST_STATUS_UNSUPPORTED, nowhere, "OpenMP: %s is not simulated", name);
}

static void *or_die(void *memory)
{
    if (!memory) host_fatal(HOST_STATUS_CRASH, nowhere, "out of memory for OpenMP");
    return memory;
}

/* What a thread did before it lets go of an object is before what a thread does that takes it
 * afterwards. */
static void lets_go(const void *object) { host_releases(object); }
static void takes(const void *object) { host_acquired(object); }

/* The object that the end of a task's children is known by. */
static const void *children_of(const Task *task) { return &task->children; }

/* ---- settings ---- */

static void start(void)
{
    if (read_environment) return;
    read_environment = true;
    const char *threads = getenv(ENV_OMP_THREADS), *levels = getenv(ENV_OMP_LEVELS),
               *nested = getenv(ENV_OMP_NESTED), *schedule = getenv(ENV_OMP_SCHEDULE);
    long n = threads ? strtol(threads, NULL, 10) : 0;
    wanted_threads = n >= 1 && n <= MOST_THREADS ? (int)n : DEFAULT_THREADS;
    if (threads && *threads && (n < 1 || n > MOST_THREADS))
        host_warn(nowhere, "OMP_NUM_THREADS=%s: 1 to %d is possible", threads, MOST_THREADS);
    if (levels && atoi(levels) >= 0) max_levels = atoi(levels);
    else if (nested && (nested[0] == 't' || nested[0] == 'T' || nested[0] == '1'))
        max_levels = INT_MAX;
    if (schedule) {
        const char *colon = strchr(schedule, ':'), *comma = strchr(schedule, ',');
        const char *word = colon ? colon + 1 : schedule;
        run_schedule = !strncasecmp(word, "static", 6)   ? STATIC
                       : !strncasecmp(word, "guided", 6) ? GUIDED
                                                         : DYNAMIC;
        run_chunk = comma && atol(comma + 1) > 0 ? (uint64_t)atol(comma + 1)
                    : run_schedule == STATIC     ? 0
                                                 : 1;
    }
}

static unsigned team_size(void) { return me.team ? me.team->n : 1; }

/* ---- tasks ---- */

static void task_over(Task *task)
{
    while (task && --task->refs == 0) {
        Task *parent = task->parent;
        free(task->memory);
        free(task);
        task = parent;
    }
}

static void run_task(Task *task)
{
    Task *was = me.task;
    Group *group = me.group;
    Team *team = me.team;
    takes(task);
    me.task = task;
    me.group = task->group;
    task->fn(task->data);
    me.task = was;
    me.group = group;
    lets_go(children_of(task->parent));
    lets_go(&team->task_done);
    if (task->group) lets_go(task->group);
    team->tasks--;
    task->parent->children--;
    if (task->group) task->group->left--;
    task_over(task);
}

/* The first in the queue that is a child of `of` (NULL: any); false when there is none. */
static bool run_one(const Task *of)
{
    Team *team = me.team;
    if (!team) return false;
    for (Task **link = &team->queue; *link; link = &(*link)->next) {
        Task *task = *link;
        if (of && task->parent != of) continue;
        *link = task->next;
        if (team->queue_end == &task->next) team->queue_end = link;
        run_task(task);
        return true;
    }
    return false;
}

typedef struct Wish {
    const Task *of;
    const Group *group;
    const Team *team;
} Wish;

static bool has_task(const Team *team, const Task *of)
{
    for (const Task *task = team->queue; task; task = task->next)
        if (!of || task->parent == of) return true;
    return false;
}

static bool children_done(void *arg)
{
    const Wish *wish = arg;
    return !wish->of->children || has_task(wish->team, wish->of);
}

static bool group_done(void *arg)
{
    const Wish *wish = arg;
    return !wish->group->left || has_task(wish->team, NULL);
}

void GOMP_taskwait(void)
{
    if (!me.team) return;
    Wish wish = {me.task, NULL, me.team};
    while (me.task->children)
        if (!run_one(me.task))
            host_wait(children_done, &wish, HOST_NEVER, "an OpenMP taskwait", nowhere);
    takes(children_of(me.task));
}

void GOMP_taskyield(void) { run_one(me.task); }

void GOMP_taskgroup_start(void)
{
    Group *group = or_die(calloc(1, sizeof *group));
    group->outer = me.group;
    me.group = group;
}

void GOMP_taskgroup_end(void)
{
    Group *group = me.group;
    if (!group) return;
    Wish wish = {NULL, group, me.team};
    while (group->left)
        if (!run_one(NULL))
            host_wait(group_done, &wish, HOST_NEVER, "an OpenMP taskgroup", nowhere);
    takes(group);
    me.group = group->outer;
    free(group);
}

typedef void Copy(void *, void *);

/* Makes a task, or runs it at once where that is asked for or there is nobody else. first, last: of
 * a taskloop. */
static void make_task(void (*fn)(void *), void *data, Copy *copy, long size, long align, bool defer,
                      bool final, const uint64_t *range)
{
    Task *task = or_die(calloc(1, sizeof *task));
    size_t room = (size_t)(size > 0 ? size : 1) + (size_t)(align > 0 ? align : 1);
    task->memory = or_die(malloc(room));
    uintptr_t at = (uintptr_t)task->memory, mask = (uintptr_t)(align > 0 ? align : 1) - 1;
    task->data = (void *)((at + mask) & ~mask);
    if (copy) copy(task->data, data);
    else memcpy(task->data, data, (size_t)size);
    if (range) memcpy(task->data, range, 2 * sizeof *range);
    task->fn = fn;
    task->refs = 1;
    task->final = final || (me.task && me.task->final);
    if (!me.team || team_size() == 1 || !defer || task->final) {
        Task *was = me.task;
        task->parent = was;
        if (was) was->refs++;
        me.task = me.team ? task : was;
        fn(task->data);
        me.task = was;
        task_over(task);
        return;
    }
    task->parent = me.task;
    task->group = me.group;
    me.task->children++;
    me.task->refs++;
    if (task->group) task->group->left++;
    Team *team = me.team;
    team->tasks++;
    if (!team->queue) team->queue_end = &team->queue;
    *team->queue_end = task;
    team->queue_end = &task->next;
    lets_go(task);
    host_spend(0); /* others may wait for one */
}

/* Tasks that depend on others run when everything that their thread made before is done: more than
 * is asked for. */
void GOMP_task(void (*fn)(void *), void *data, Copy *copy, long size, long align, bool if_clause,
               unsigned flags, void **depend, int priority, void *detach)
{
    (void)depend, (void)priority, (void)detach;
    if (flags & TASK_DETACH) refuse("a detached task");
    if (flags & TASK_DEPEND) GOMP_taskwait();
    make_task(fn, data, copy, size, align, if_clause && !(flags & TASK_DEPEND),
              (flags & TASK_FINAL) != 0, NULL);
}

void GOMP_taskwait_depend(void **depend)
{
    (void)depend;
    GOMP_taskwait();
}

/* turns: how many iterations; tasks: how many tasks, or with GRAINSIZE how many iterations each. */
static void taskloop(void (*fn)(void *), void *data, Copy *copy, long size, long align,
                     unsigned flags, uint64_t tasks, uint64_t first, uint64_t turns, uint64_t step)
{
    if (flags & TASK_REDUCTION) refuse("a taskloop with a reduction");
    if (!turns) return;
    if (flags & TASK_GRAINSIZE) tasks = turns / (tasks ? tasks : 1);
    else if (!tasks) tasks = team_size();
    if (!tasks) tasks = 1;
    if (tasks > turns) tasks = turns;
    if (!(flags & TASK_NOGROUP)) GOMP_taskgroup_start();
    uint64_t done = 0;
    for (uint64_t i = 0; i < tasks; i++) {
        uint64_t n = turns / tasks + (i < turns % tasks),
                 range[2] = {first + done * step, first + (done + n) * step};
        make_task(fn, data, copy, size, align, (flags & TASK_IF) != 0, (flags & TASK_FINAL) != 0,
                  range);
        done += n;
    }
    if (!(flags & TASK_NOGROUP)) GOMP_taskgroup_end();
}

void GOMP_taskloop(void (*fn)(void *), void *data, Copy *copy, long size, long align,
                   unsigned flags, unsigned long tasks, int priority, long first, long end,
                   long step)
{
    (void)priority;
    int64_t span = step > 0 ? end - first : first - end, by = step > 0 ? step : -step;
    taskloop(fn, data, copy, size, align, flags, tasks, (uint64_t)first,
             span > 0 ? ((uint64_t)span + (uint64_t)by - 1) / (uint64_t)by : 0, (uint64_t)step);
}

void GOMP_taskloop_ull(void (*fn)(void *), void *data, Copy *copy, long size, long align,
                       unsigned flags, unsigned long tasks, int priority, unsigned long long first,
                       unsigned long long end, unsigned long long step)
{
    (void)priority;
    bool up = flags & TASK_UP;
    uint64_t span = up ? (end > first ? end - first : 0) : (first > end ? first - end : 0),
             by = up ? step : 0 - step;
    taskloop(fn, data, copy, size, align, flags, tasks, first, span / by + (span % by != 0), step);
}

/* ---- barriers ---- */

typedef struct Arrival {
    Team *team;
    unsigned round;
} Arrival;

static bool may_leave(void *arg)
{
    const Arrival *a = arg;
    const Team *team = a->team;
    return team->round != a->round || team->queue || (team->arrived == team->n && !team->tasks);
}

static void barrier(void)
{
    Team *team = me.team;
    if (!team) return;
    Arrival arrival = {team, team->round};
    const void *met = &team->met[team->round % 2];
    lets_go(met);
    team->arrived++;
    for (;;) {
        while (run_one(NULL)) {}
        if (team->round != arrival.round) break;
        if (team->arrived == team->n && !team->tasks) {
            team->arrived = 0;
            team->round++;
            break;
        }
        host_wait(may_leave, &arrival, HOST_NEVER, "an OpenMP barrier", nowhere);
    }
    takes(met);
    takes(&team->task_done);
}

void GOMP_barrier(void) { barrier(); }

bool GOMP_barrier_cancel(void)
{
    barrier();
    return false;
}

/* ---- parallel regions ---- */

static void enter(Team *team, unsigned rank, Task *own)
{
    *own = (Task){.refs = 1};
    me = (Me){.team = team, .rank = rank, .task = own};
}

static bool has_work(void *worker) { return ((Worker *)worker)->team != NULL; }

static void *work(void *arg)
{
    Worker *worker = arg;
    for (;;) {
        host_self()->idle = true;
        host_wait(has_work, worker, HOST_NEVER, "OpenMP work", nowhere);
        host_self()->idle = false;
        Team *team = worker->team;
        Task own;
        enter(team, worker->rank, &own);
        takes(&team->begun);
        team->fn(team->data);
        barrier();
        worker->team = NULL;
        me = (Me){0};
        lets_go(&team->finished);
        team->arrived++; /* the team may go when all have come by here */
    }
    return NULL;
}

static bool all_left(void *arg)
{
    const Team *team = arg;
    return team->arrived == team->n - 1;
}

static Worker *find_worker(void)
{
    Worker **link = &workers;
    for (; *link; link = &(*link)->next)
        if (!(*link)->team) return *link;
    pthread_t pthread;
    Worker *worker = or_die(calloc(1, sizeof *worker));
    worker->number = ++n_workers;
    *link = worker;
    if (pthread_create(&pthread, NULL, work, worker) != 0)
        host_fatal(HOST_STATUS_UNSUPPORTED, nowhere,
                   "no more threads can be made for OpenMP (%u are there)", n_workers);
    pthread_detach(pthread);
    return worker;
}

static void parallel(void (*fn)(void *), void *data, unsigned asked, const Share *loop)
{
    start();
    Me was = me;
    int level = was.team ? was.team->level : 0, active = was.team ? was.team->active_level : 0;
    unsigned n = asked ? asked : (unsigned)wanted_threads;
    if (n > MOST_THREADS) n = MOST_THREADS;
    if (active >= max_levels) n = 1;
    Team team = {.n = n,
                 .fn = fn,
                 .data = data,
                 .level = level + 1,
                 .active_level = active + (n > 1),
                 .outer = was.team,
                 .outer_rank = was.rank};
    if (loop) {
        team.shares = or_die(malloc(sizeof *team.shares));
        *team.shares = *loop;
        team.shares->number = 1;
    }
    lets_go(&team.begun);
    for (unsigned rank = 1; rank < n; rank++) {
        Worker *worker = find_worker();
        worker->rank = rank;
        worker->team = &team;
    }
    Task own;
    enter(&team, 0, &own);
    if (n > 1) host_spend(0); /* they can begin */
    fn(data);
    barrier();
    if (n > 1)
        host_wait(all_left, &team, HOST_NEVER, "the end of an OpenMP parallel region", nowhere);
    takes(&team.finished);
    while (team.shares) {
        Share *share = team.shares;
        team.shares = share->later;
        free(share);
    }
    me = was;
}

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
    (void)flags;
    parallel(fn, data, threads, NULL);
}

/* ---- worksharing ---- */

/* The calling thread meets its next construct; the first to come makes it (true). */
static bool meet(Share **share)
{
    static __thread Share alone;
    me.has_chunk = false;
    me.trip = 0;
    if (!me.team) { /* outside of all: nobody to share with */
        alone = (Share){.number = 0};
        me.share = *share = &alone;
        return true;
    }
    Share **link = &me.team->shares;
    me.works++;
    while (*link && (*link)->number != me.works) link = &(*link)->later;
    bool first = !*link;
    if (first) {
        *link = or_die(calloc(1, sizeof **link));
        (*link)->number = me.works;
    }
    me.share = *share = *link;
    return first;
}

static void depart(void)
{
    Share *share = me.share;
    me.share = NULL;
    if (!me.team || !share || ++share->left < me.team->n) return;
    Share **link = &me.team->shares;
    while (*link != share) link = &(*link)->later;
    *link = share->later;
    free(share);
}

static void set_loop(Share *share, Schedule schedule, uint64_t chunk, uint64_t first,
                     uint64_t count, uint64_t step, bool ordered)
{
    start();
    if (schedule == RUNTIME) {
        schedule = run_schedule;
        chunk = run_chunk;
    }
    if (schedule != STATIC && !chunk) chunk = 1;
    share->schedule = schedule;
    share->chunk = chunk;
    share->first = first;
    share->count = count;
    share->step = step;
    share->ordered = ordered;
}

static uint64_t turns(long first, long end, long step)
{
    if (step > 0 ? first >= end : first <= end) return 0;
    uint64_t span = step > 0 ? (uint64_t)end - (uint64_t)first : (uint64_t)first - (uint64_t)end;
    uint64_t by = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    return span / by + (span % by != 0);
}

static uint64_t turns_ull(bool up, uint64_t first, uint64_t end, uint64_t step)
{
    if (up ? first >= end : first <= end) return 0;
    uint64_t span = up ? end - first : first - end, by = up ? step : 0 - step;
    return span / by + (span % by != 0);
}

typedef struct Place {
    const Share *share;
    uint64_t seq;
} Place;

static bool is_turn(void *arg)
{
    const Place *place = arg;
    return place->share->ordered_done == place->seq;
}

static void wait_turn(void)
{
    Place place = {me.share, me.seq};
    if (!is_turn(&place))
        host_wait(is_turn, &place, HOST_NEVER, "an OpenMP ordered region", nowhere);
    if (me.team) takes(&me.team->turn);
}

/* The next chunk for the calling thread, as turns from `*from` to before `*to`. */
static bool next_chunk(uint64_t *from, uint64_t *to)
{
    Share *share = me.share;
    unsigned n = team_size();
    if (me.has_chunk && share->ordered) { /* the one it had is over */
        wait_turn();
        if (me.team) lets_go(&me.team->turn);
        share->ordered_done = me.seq + 1;
    }
    me.has_chunk = false;
    if (share->schedule == STATIC) {
        uint64_t trip = me.trip++, size = share->chunk;
        if (!size) { /* one piece each, as equal as can be */
            if (trip) return false;
            uint64_t each = share->count / n, more = share->count % n;
            *from = me.rank * each + (me.rank < more ? me.rank : more);
            *to = *from + each + (me.rank < more);
            me.seq = me.rank;
            if (*from == *to) return false;
        } else {
            me.seq = trip * n + me.rank;
            if (me.seq > share->count / size) return false;
            *from = me.seq * size;
            if (*from >= share->count) return false;
            *to = share->count - *from < size ? share->count : *from + size;
        }
        me.has_chunk = true;
        return true;
    }
    if (n > 1) host_yield();
    uint64_t left = share->count - share->next, size = share->chunk;
    if (!left) return false;
    if (share->schedule == GUIDED && (left + n - 1) / n > size) size = (left + n - 1) / n;
    if (size > left) size = left;
    *from = share->next;
    *to = share->next += size;
    me.seq = share->seq++;
    me.has_chunk = true;
    return true;
}

static bool next_long(long *from, long *to)
{
    uint64_t a, b;
    if (!next_chunk(&a, &b)) return false;
    *from = (long)(me.share->first + a * me.share->step);
    *to = (long)(me.share->first + b * me.share->step);
    return true;
}

static bool next_ull(unsigned long long *from, unsigned long long *to)
{
    uint64_t a, b;
    if (!next_chunk(&a, &b)) return false;
    *from = me.share->first + a * me.share->step;
    *to = me.share->first + b * me.share->step;
    return true;
}

static bool loop_start(Schedule schedule, bool ordered, long first, long end, long step, long chunk,
                       long *from, long *to)
{
    Share *share;
    if (meet(&share))
        set_loop(share, schedule, (uint64_t)chunk, (uint64_t)first, turns(first, end, step),
                 (uint64_t)step, ordered);
    return next_long(from, to);
}

static bool loop_start_ull(Schedule schedule, bool ordered, bool up, uint64_t first, uint64_t end,
                           uint64_t step, uint64_t chunk, unsigned long long *from,
                           unsigned long long *to)
{
    Share *share;
    if (meet(&share))
        set_loop(share, schedule, chunk, first, turns_ull(up, first, end, step), step, ordered);
    return next_ull(from, to);
}

/* A loop that begins with its region: the team has it before anybody meets it. */
static void parallel_loop(Schedule schedule, void (*fn)(void *), void *data, unsigned threads,
                          long first, long end, long step, long chunk)
{
    Share loop = {0};
    set_loop(&loop, schedule, (uint64_t)chunk, (uint64_t)first, turns(first, end, step),
             (uint64_t)step, false);
    parallel(fn, data, threads, &loop);
}

/* In a region made by GOMP_parallel_loop_..., the loop's first chunk is asked for with ..._next: it
 * is met then. */
static bool loop_next(long *from, long *to)
{
    Share *share;
    if (!me.share) meet(&share);
    return next_long(from, to);
}

static bool loop_next_ull(unsigned long long *from, unsigned long long *to)
{
    Share *share;
    if (!me.share) meet(&share);
    return next_ull(from, to);
}

typedef unsigned long long Ull;

#define LOOPS(NAME, SCHEDULE)                                                                      \
    void GOMP_parallel_loop_##NAME(void (*fn)(void *), void *data, unsigned threads, long first,   \
                                   long end, long step, long chunk, unsigned flags)                \
    {                                                                                              \
        (void)flags;                                                                               \
        parallel_loop(SCHEDULE, fn, data, threads, first, end, step, chunk);                       \
    }                                                                                              \
    bool GOMP_loop_##NAME##_start(long first, long end, long step, long chunk, long *from,         \
                                  long *to)                                                        \
    {                                                                                              \
        return loop_start(SCHEDULE, false, first, end, step, chunk, from, to);                     \
    }                                                                                              \
    bool GOMP_loop_ull_##NAME##_start(bool up, Ull first, Ull end, Ull step, Ull chunk, Ull *from, \
                                      Ull *to)                                                     \
    {                                                                                              \
        return loop_start_ull(SCHEDULE, false, up, first, end, step, chunk, from, to);             \
    }                                                                                              \
    LOOP_NEXT(NAME)
#define LOOP_NEXT(NAME)                                                                \
    bool GOMP_loop_##NAME##_next(long *from, long *to) { return loop_next(from, to); } \
    bool GOMP_loop_ull_##NAME##_next(Ull *from, Ull *to) { return loop_next_ull(from, to); }
#define ORDERED_LOOPS(NAME, SCHEDULE)                                                              \
    bool GOMP_loop_ordered_##NAME##_start(long first, long end, long step, long chunk, long *from, \
                                          long *to)                                                \
    {                                                                                              \
        return loop_start(SCHEDULE, true, first, end, step, chunk, from, to);                      \
    }                                                                                              \
    bool GOMP_loop_ull_ordered_##NAME##_start(bool up, Ull first, Ull end, Ull step, Ull chunk,    \
                                              Ull *from, Ull *to)                                  \
    {                                                                                              \
        return loop_start_ull(SCHEDULE, true, up, first, end, step, chunk, from, to);              \
    }                                                                                              \
    LOOP_NEXT(ordered_##NAME)
/* The forms for a schedule that is named at run time have no chunk. */
#define RUNTIME_LOOPS(NAME)                                                                      \
    void GOMP_parallel_loop_##NAME(void (*fn)(void *), void *data, unsigned threads, long first, \
                                   long end, long step, unsigned flags)                          \
    {                                                                                            \
        (void)flags;                                                                             \
        parallel_loop(RUNTIME, fn, data, threads, first, end, step, 0);                          \
    }                                                                                            \
    RUNTIME_STARTS(NAME, false)
#define RUNTIME_STARTS(NAME, ORDERED)                                                            \
    bool GOMP_loop_##NAME##_start(long first, long end, long step, long *from, long *to)         \
    {                                                                                            \
        return loop_start(RUNTIME, ORDERED, first, end, step, 0, from, to);                      \
    }                                                                                            \
    bool GOMP_loop_ull_##NAME##_start(bool up, Ull first, Ull end, Ull step, Ull *from, Ull *to) \
    {                                                                                            \
        return loop_start_ull(RUNTIME, ORDERED, up, first, end, step, 0, from, to);              \
    }                                                                                            \
    LOOP_NEXT(NAME)
LOOPS(static, STATIC)
LOOPS(dynamic, DYNAMIC)
LOOPS(guided, GUIDED)
LOOPS(nonmonotonic_dynamic, DYNAMIC)
LOOPS(nonmonotonic_guided, GUIDED)
RUNTIME_LOOPS(runtime)
RUNTIME_LOOPS(nonmonotonic_runtime)
RUNTIME_LOOPS(maybe_nonmonotonic_runtime)
ORDERED_LOOPS(static, STATIC)
ORDERED_LOOPS(dynamic, DYNAMIC)
ORDERED_LOOPS(guided, GUIDED)
RUNTIME_STARTS(ordered_runtime, true)

void GOMP_loop_end(void)
{
    depart();
    barrier();
}

void GOMP_loop_end_nowait(void) { depart(); }

bool GOMP_loop_end_cancel(void)
{
    GOMP_loop_end();
    return false;
}

void GOMP_ordered_start(void)
{
    if (me.share && me.has_chunk) wait_turn();
}

void GOMP_ordered_end(void)
{
    if (me.team) lets_go(&me.team->turn);
}

/* ---- sections: a dynamic loop over 1 .. n ---- */

unsigned GOMP_sections_next(void)
{
    long from, to;
    return loop_next(&from, &to) ? (unsigned)from : 0;
}

unsigned GOMP_sections_start(unsigned count)
{
    long from, to;
    return loop_start(DYNAMIC, false, 1, (long)count + 1, 1, 1, &from, &to) ? (unsigned)from : 0;
}

void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned threads, unsigned count,
                            unsigned flags)
{
    (void)flags;
    parallel_loop(DYNAMIC, fn, data, threads, 1, (long)count + 1, 1, 1);
}

void GOMP_sections_end(void) { GOMP_loop_end(); }
void GOMP_sections_end_nowait(void) { GOMP_loop_end_nowait(); }
bool GOMP_sections_end_cancel(void) { return GOMP_loop_end_cancel(); }

/* ---- single ---- */

bool GOMP_single_start(void)
{
    Share *share;
    meet(&share);
    bool mine = !share->taken;
    share->taken = true;
    depart();
    return mine;
}

typedef struct Copied {
    const Share *share;
} Copied;
static bool is_copied(void *arg) { return ((Copied *)arg)->share->copied; }

void *GOMP_single_copy_start(void)
{
    Share *share;
    meet(&share);
    if (!share->taken) {
        share->taken = true;
        return NULL;
    }
    Copied copied = {share};
    host_wait(is_copied, &copied, HOST_NEVER, "an OpenMP single with copyprivate", nowhere);
    if (me.team) takes(&me.team->copied);
    void *copy = share->copy;
    depart();
    return copy;
}

void GOMP_single_copy_end(void *data)
{
    me.share->copy = data;
    me.share->copied = true;
    if (me.team) lets_go(&me.team->copied);
    depart();
}

/* ---- critical, atomic ---- */

void GOMP_critical_start(void) { pthread_mutex_lock(&unnamed); }
void GOMP_critical_end(void) { pthread_mutex_unlock(&unnamed); }

void GOMP_critical_name_start(void **name)
{
    if (!*name) {
        pthread_mutex_t *mutex = or_die(malloc(sizeof *mutex));
        pthread_mutex_init(mutex, NULL);
        *name = mutex;
    }
    pthread_mutex_lock(*name);
}

void GOMP_critical_name_end(void **name) { pthread_mutex_unlock(*name); }
void GOMP_atomic_start(void) { pthread_mutex_lock(&atomic_lock); }
void GOMP_atomic_end(void) { pthread_mutex_unlock(&atomic_lock); }

/* Cancelling is off, as it is unless OMP_CANCELLATION says otherwise. */
bool GOMP_cancel(int which, bool do_cancel)
{
    (void)which, (void)do_cancel;
    return false;
}
bool GOMP_cancellation_point(int which)
{
    (void)which;
    return false;
}

/* ---- what is not here ---- */

/* clang-format off */
#define REFUSED(NAME) void NAME(void); void NAME(void) { refuse(#NAME); }
REFUSED(GOMP_target) REFUSED(GOMP_target_ext) REFUSED(GOMP_target_data) REFUSED(GOMP_target_data_ext)
REFUSED(GOMP_target_end_data) REFUSED(GOMP_target_update) REFUSED(GOMP_target_update_ext)
REFUSED(GOMP_target_enter_exit_data) REFUSED(GOMP_teams) REFUSED(GOMP_teams4) REFUSED(GOMP_teams_reg)
REFUSED(GOMP_loop_doacross_static_start) REFUSED(GOMP_loop_doacross_dynamic_start)
REFUSED(GOMP_loop_doacross_guided_start) REFUSED(GOMP_loop_doacross_runtime_start) REFUSED(GOMP_loop_doacross_start)
REFUSED(GOMP_loop_ull_doacross_static_start) REFUSED(GOMP_loop_ull_doacross_dynamic_start)
REFUSED(GOMP_loop_ull_doacross_guided_start) REFUSED(GOMP_loop_ull_doacross_runtime_start)
REFUSED(GOMP_loop_ull_doacross_start) REFUSED(GOMP_doacross_post) REFUSED(GOMP_doacross_wait)
REFUSED(GOMP_doacross_ull_post) REFUSED(GOMP_doacross_ull_wait) REFUSED(GOMP_loop_start) REFUSED(GOMP_loop_ull_start)
REFUSED(GOMP_loop_ordered_start) REFUSED(GOMP_loop_ull_ordered_start) REFUSED(GOMP_sections2_start)
REFUSED(GOMP_parallel_reductions) REFUSED(GOMP_taskgroup_reduction_register)
REFUSED(GOMP_taskgroup_reduction_unregister) REFUSED(GOMP_task_reduction_remap)
REFUSED(GOMP_workshare_task_reduction_unregister) REFUSED(GOMP_scope_start) REFUSED(GOMP_alloc) REFUSED(GOMP_free)
REFUSED(omp_fulfill_event) REFUSED(omp_set_affinity_format) REFUSED(omp_display_env) REFUSED(omp_target_alloc)
/* clang-format on */
/* of clang's library */
#define OF_CLANG(NAME)                                                                   \
    void NAME(void);                                                                     \
    void NAME(void)                                                                      \
    {                                                                                    \
        host_fatal(HOST_STATUS_UNSUPPORTED, nowhere,                                     \
                   "OpenMP as clang compiles it (" #NAME ") is not simulated: use g++"); \
    }
                                                OF_CLANG(__kmpc_fork_call) OF_CLANG(
                                                    __kmpc_fork_teams)
                                                    OF_CLANG(__kmpc_omp_task_alloc) OF_CLANG(
                                                        __kmpc_single)
                                                        OF_CLANG(__kmpc_for_static_init_4) OF_CLANG(
                                                            __kmpc_for_static_init_8)
                                                            OF_CLANG(__kmpc_dispatch_init_4)
                                                                OF_CLANG(__kmpc_critical)
                                                                    OF_CLANG(__kmpc_barrier)
                                                                        OF_CLANG(
                                                                            __kmpc_push_num_threads)

    /* ---- what programs ask ---- */

    int omp_get_thread_num(void)
{
    return (int)me.rank;
}
int omp_get_num_threads(void) { return (int)team_size(); }
int omp_get_num_procs(void) { return DEFAULT_THREADS; }
int omp_in_parallel(void) { return me.team && me.team->active_level > 0; }
int omp_get_level(void) { return me.team ? me.team->level : 0; }
int omp_get_active_level(void) { return me.team ? me.team->active_level : 0; }
int omp_get_thread_limit(void) { return MOST_THREADS; }
int omp_in_final(void) { return me.task && me.task->final; }
int omp_get_dynamic(void) { return 0; }
void omp_set_dynamic(int on) { (void)on; }
int omp_get_cancellation(void) { return 0; }
int omp_is_initial_device(void) { return 1; }
int omp_get_num_devices(void) { return 0; }
int omp_get_default_device(void) { return 0; }
int omp_get_initial_device(void) { return 0; }
void omp_set_default_device(int device) { (void)device; }
int omp_get_num_teams(void) { return 1; }
int omp_get_team_num(void) { return 0; }
int omp_get_proc_bind(void) { return 0; }
int omp_get_num_places(void) { return 0; }
int omp_get_supported_active_levels(void) { return INT_MAX; }
int omp_get_max_task_priority(void) { return 0; }

int omp_get_max_threads(void)
{
    start();
    return wanted_threads;
}

void omp_set_num_threads(int n)
{
    start();
    wanted_threads = n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : n;
}

int omp_get_max_active_levels(void)
{
    start();
    return max_levels;
}

void omp_set_max_active_levels(int levels)
{
    start();
    if (levels >= 0) max_levels = levels;
}

int omp_get_nested(void) { return omp_get_max_active_levels() > 1; }
void omp_set_nested(int on) { omp_set_max_active_levels(on ? INT_MAX : 1); }

/* The team at a level, seen from here; its thread that leads here. */
static const Team *team_at(int level, unsigned *rank)
{
    const Team *team = me.team;
    *rank = me.rank;
    while (team && team->level > level) {
        *rank = team->outer_rank;
        team = team->outer;
    }
    return team;
}

int omp_get_ancestor_thread_num(int level)
{
    unsigned rank;
    if (level < 0 || level > omp_get_level()) return -1;
    team_at(level, &rank);
    return level ? (int)rank : 0;
}

int omp_get_team_size(int level)
{
    unsigned rank;
    if (level < 0 || level > omp_get_level()) return -1;
    const Team *team = team_at(level, &rank);
    return team && level ? (int)team->n : 1;
}

void omp_set_schedule(unsigned kind, int chunk)
{
    start();
    unsigned known = kind & 0x7fffffffu; /* the top bit says monotonic */
    run_schedule = known >= STATIC && known <= GUIDED ? (Schedule)known : STATIC;
    run_chunk = chunk > 0 ? (uint64_t)chunk : run_schedule == STATIC ? 0 : 1;
}

void omp_get_schedule(unsigned *kind, int *chunk)
{
    start();
    *kind = run_schedule;
    *chunk = (int)run_chunk;
}

double omp_get_wtime(void) { return (double)(HOST_MONOTONIC_NS + host_read_clock()) / 1e9; }
double omp_get_wtick(void) { return 1e-9; }

/* A lock is a number, of a mutex that grows with them: the object itself has room for no more. */
typedef struct Lock {
    pthread_mutex_t mutex;
    const HostThread *owner;
    int depth;
} Lock;
static Lock **locks;
static unsigned n_locks;

static void lock_init(unsigned *number)
{
    if ((n_locks & (n_locks - 1)) == 0)
        locks = or_die(realloc(locks, (n_locks ? 2 * n_locks : 1) * sizeof *locks));
    locks[n_locks] = or_die(calloc(1, sizeof **locks));
    pthread_mutex_init(&locks[n_locks]->mutex, NULL);
    *number = ++n_locks;
}

static Lock *lock_of(const unsigned *number)
{
    if (!*number || *number > n_locks || !locks[*number - 1])
        host_fatal(HOST_STATUS_MISUSE, nowhere,
                   "OpenMP: a lock is used that omp_init_lock was not called for");
    return locks[*number - 1];
}

static void lock_destroy(unsigned *number)
{
    Lock *lock = lock_of(number);
    locks[*number - 1] = NULL;
    free(lock);
    *number = 0;
}

void omp_init_lock(unsigned *lock) { lock_init(lock); }
void omp_init_lock_with_hint(unsigned *lock, unsigned hint)
{
    (void)hint;
    lock_init(lock);
}
void omp_destroy_lock(unsigned *lock) { lock_destroy(lock); }
void omp_set_lock(unsigned *lock) { pthread_mutex_lock(&lock_of(lock)->mutex); }
void omp_unset_lock(unsigned *lock) { pthread_mutex_unlock(&lock_of(lock)->mutex); }
int omp_test_lock(unsigned *lock) { return pthread_mutex_trylock(&lock_of(lock)->mutex) == 0; }

void omp_init_nest_lock(unsigned *lock) { lock_init(lock); }
void omp_init_nest_lock_with_hint(unsigned *lock, unsigned hint)
{
    (void)hint;
    lock_init(lock);
}
void omp_destroy_nest_lock(unsigned *lock) { lock_destroy(lock); }

int omp_test_nest_lock(unsigned *number)
{
    Lock *lock = lock_of(number);
    if (lock->owner != host_self() && pthread_mutex_trylock(&lock->mutex) != 0) return 0;
    lock->owner = host_self();
    return ++lock->depth;
}

void omp_set_nest_lock(unsigned *number)
{
    Lock *lock = lock_of(number);
    if (lock->owner != host_self()) pthread_mutex_lock(&lock->mutex);
    lock->owner = host_self();
    lock->depth++;
}

void omp_unset_nest_lock(unsigned *number)
{
    Lock *lock = lock_of(number);
    if (lock->owner != host_self() || --lock->depth) return;
    lock->owner = NULL;
    pthread_mutex_unlock(&lock->mutex);
}
