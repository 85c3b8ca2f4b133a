/* play_fake.c - a fuzz target: a program log is read and played (log_parse.c, play.c,
 * play_memory.c) on a machine that is none (play_machine.h), which looks at everything that reaches
 * it.
 *
 * The machine has memory with holes: what no block holds may not be touched, and the address
 * sanitizer, where there is one, sees to that. Its calls allocate, free, register and copy; the
 * others only look whether each pointer is to memory that was promised. Its harness has functions
 * of every shape that a harness may have, which say what they need and then touch all of it. Its
 * threads are real ones that take turns. What may not happen ends the process (must). */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "common/exit_status.h"
#include "sim/replay/play.h"
#include "sim/replay/play_ends.h"
#include "sim/replay/play_machine.h"
#include "sim/replay/play_memory.h"
#include "sim/replay/replay.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/log_mutate.h"

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN
#endif
#endif
#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#define CLOSE(AT, BYTES) ASAN_POISON_MEMORY_REGION((void *)(AT), BYTES)
#define OPEN(AT, BYTES) ASAN_UNPOISON_MEMORY_REGION((void *)(AT), BYTES)
#else
#define CLOSE(AT, BYTES) ((void)(AT), (void)(BYTES))
#define OPEN(AT, BYTES) ((void)(AT), (void)(BYTES))
#endif

enum {
    HALF = 1 << 21, /* device memory; as much pinned memory comes behind it */
    BLOCKS = 64,
    PAGE = 4096,
    MIRROR_SETS = 64,
    THREADS = 64,
    PENDING = 64,
    MEMORY = 1 << 16,
    SHOWN_THINGS = 4
};
#define SPAN ((uint64_t)2 * HALF)
#define DEADLOCK HOST_STATUS_DEADLOCK

#define must(WHAT) ((WHAT) ? (void)0 : must_not(#WHAT, __LINE__))
static void must_not(const char *what, int line)
{
    fprintf(stderr, "play_fake.c:%d: the log's line %zu got past the checks: not %s\n", line,
            play_line(), what);
    abort();
}

typedef struct Thing {
    float *host, *device;
    int number;
} Thing;
typedef struct Large {
    char much[PLAY_TARGET + 8];
} Large;
typedef struct Two {
    int a, b;
    void *at;
} Two;

static struct {
    char *arena;
    size_t device, pinned; /* given out so far */
    struct {
        uintptr_t at;
        uint64_t bytes;
        bool host, live, arena;
    } blocks[BLOCKS];
    size_t n;
    struct {
        uintptr_t at;
        uint64_t bytes;
    } mirrors[MIRROR_SETS];
    size_t n_mirrors;
    bool launch;
    uint64_t pending[PENDING]; /* host functions that have not run yet */
    size_t n_pending;
    int end;
    char said[1200];
    unsigned trail;
} fake;
static Thing things[SHOWN_THINGS];

static void trail(unsigned what) { fake.trail = (fake.trail * 31 + what) & 0xfffff; }

/* ---- threads: one runs, the others wait for their turn ---- */

typedef struct Thread {
    pthread_t id;
    pthread_cond_t turn;
    bool used, running, done;
    bool (*ready)(void *);
    void *argument;
    void (*run)(void *);
    void *data;
    sigjmp_buf top;
} Thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Thread threads[THREADS];
static size_t n_threads;
static bool over; /* everybody leaves */
static _Thread_local Thread *self;

static bool always(void *nothing)
{
    (void)nothing;
    return true;
}

_Noreturn static void leave(void)
{
    over = true;
    siglongjmp(self->top, 1);
}

static Thread *next_ready(void)
{
    for (size_t i = 0; i < n_threads; i++) {
        Thread *t = &threads[i];
        if (t != self && t->used && !t->done && (over || t->ready(t->argument))) return t;
    }
    return NULL;
}

static void hand_to(Thread *to)
{
    to->running = true;
    pthread_cond_signal(&to->turn);
}

static void wait_for_turn(void)
{
    while (!self->running) pthread_cond_wait(&self->turn, &lock);
}

_Noreturn void player_end(int status, const char *text)
{
    if (!over) snprintf(fake.said, sizeof fake.said, "%s", text);
    must(status >= PLAYER_BROKEN && status <= DEADLOCK);
    if (!over) fake.end = status;
    leave();
}

void player_wait(bool (*ready)(void *), void *argument)
{
    while (!over && !ready(argument)) {
        self->ready = ready;
        self->argument = argument;
        Thread *next = next_ready();
        if (next) {
            self->running = false;
            hand_to(next);
            wait_for_turn();
        } else if (fake.n_pending) {
            uint64_t token = fake.pending[--fake.n_pending];
            play_host_function((void *)(uintptr_t)token);
        } else {
            player_end(DEADLOCK, "every thread waits");
        }
    }
    if (over) leave();
}

static void *thread_main(void *of)
{
    self = of;
    pthread_mutex_lock(&lock);
    wait_for_turn();
    if (!over && sigsetjmp(self->top, 0) == 0) self->run(self->data);
    self->done = true;
    Thread *next = next_ready();
    if (!next) { /* the main thread hears of it */
        if (!over) fake.end = DEADLOCK;
        over = true;
        next = &threads[0];
    }
    hand_to(next);
    pthread_mutex_unlock(&lock);
    return NULL;
}

bool player_start_thread(void (*run)(void *), void *argument)
{
    if (n_threads == THREADS) return false;
    Thread *t = &threads[n_threads];
    *t = (Thread){.used = true, .ready = always, .run = run, .data = argument};
    pthread_cond_init(&t->turn, NULL);
    if (pthread_create(&t->id, NULL, thread_main, t) != 0) return false;
    n_threads++;
    trail(1);
    return true;
}

uint32_t player_thread(void) { return (uint32_t)(self - threads) + 1; }
void player_advance(uint64_t ns) { must(ns <= PLAY_LATEST_NS); }
void player_charge(void) {}
bool player_side(bool student) { return !student; }

/* ---- memory ---- */

uintptr_t player_arena(uint64_t *span)
{
    *span = SPAN;
    return (uintptr_t)fake.arena;
}

static size_t find_block(uintptr_t at)
{
    for (size_t i = 0; i < fake.n; i++)
        if (fake.blocks[i].live && at - fake.blocks[i].at < fake.blocks[i].bytes) return i;
    return BLOCKS;
}

bool player_block(uintptr_t at, PlayerBlock *block)
{
    size_t i = find_block(at);
    if (i == BLOCKS) return false;
    *block = (PlayerBlock){fake.blocks[i].at, fake.blocks[i].bytes, fake.blocks[i].host};
    return true;
}

uintptr_t player_given(void) { return fake.n ? fake.blocks[fake.n - 1].at : 0; }

bool player_is_registered(uintptr_t at) { return find_block(at) != BLOCKS; }

bool player_has_page(uintptr_t at)
{
    unsigned char there;
    return mincore((void *)(at & ~(uintptr_t)(PAGE - 1)), 1, &there) == 0;
}

uintptr_t player_reserve(uint64_t bytes)
{
    if (fake.n_mirrors == MIRROR_SETS) return 0;
    char *at = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return 0;
    uintptr_t begin = ((uintptr_t)at + bytes - 1) / bytes * bytes;
    fake.mirrors[fake.n_mirrors].at = begin;
    fake.mirrors[fake.n_mirrors++].bytes = bytes;
    return begin;
}

uint64_t player_memory(void) { return MEMORY; }

/* Is all of it somewhere that the log may reach? */
static bool reachable(uintptr_t at, uint64_t bytes)
{
    size_t i = find_block(at);
    if (i < BLOCKS && bytes <= fake.blocks[i].bytes - (at - fake.blocks[i].at)) return true;
    if (at - (uintptr_t)things < sizeof things)
        return bytes <= sizeof things - (at - (uintptr_t)things);
    for (size_t k = 0; k < fake.n_mirrors; k++) {
        uint64_t offset = at - fake.mirrors[k].at;
        if (offset < fake.mirrors[k].bytes) return bytes <= fake.mirrors[k].bytes - offset;
    }
    return false;
}

static bool in_arena(uintptr_t at) { return at - (uintptr_t)fake.arena < SPAN; }

static void *allocate(uint64_t bytes, bool host)
{
    size_t *used = host ? &fake.pinned : &fake.device;
    if (!bytes || fake.n == BLOCKS || bytes > HALF - *used) return NULL;
    char *at = fake.arena + (host ? HALF : 0) + *used;
    *used += (bytes + PAGE - 1) / PAGE * PAGE;
    if (*used > HALF) *used = HALF;
    fake.blocks[fake.n].at = (uintptr_t)at;
    fake.blocks[fake.n].bytes = bytes;
    fake.blocks[fake.n].host = host;
    fake.blocks[fake.n].arena = fake.blocks[fake.n].live = true;
    fake.n++;
    OPEN(at, bytes);
    return at;
}

static void release(uintptr_t at)
{
    size_t i = find_block(at);
    if (i == BLOCKS || fake.blocks[i].at != at) return;
    fake.blocks[i].live = false;
    if (!fake.blocks[i].arena) return;
    CLOSE(at, fake.blocks[i].bytes);
    /* what was given out last is given out again */
    size_t *used = fake.blocks[i].host ? &fake.pinned : &fake.device;
    size_t offset = at - (uintptr_t)fake.arena - (fake.blocks[i].host ? HALF : 0);
    if (offset + (fake.blocks[i].bytes + PAGE - 1) / PAGE * PAGE == *used) *used = offset;
}

/* ---- calls ---- */

static void touch(uintptr_t at, uint64_t bytes, bool write)
{
    volatile char *p = (volatile char *)at;
    if (!bytes || bytes > MEMORY || !reachable(at, bytes)) return;
    if (write) memset((void *)at, 7, bytes);
    else (void)p[0], (void)p[bytes - 1];
}

/* Reads all of it, for the sanitizer. */
static void touch_bytes(const void *at, uint64_t bytes)
{
    const volatile char *p = at;
    for (uint64_t i = 0; i < bytes; i++) (void)p[i];
}

/* What nodes of graphs are given: lists are as long as they say, copies and sets stay in memory
 * that may be reached. */
static void look_at_node(const PlayerCall *call, const char *letters, size_t i)
{
    const uint64_t *word = call->list[i];
    if (letters[i] == 'x' && call->node.kernel) {
        must(call->node.kernel->call != NULL);
        for (size_t k = 0; k < call->node.kernel->n; k++)
            touch_bytes(call->node.arguments[k], call->node.kernel->types[k].bytes);
    }
    if (!word) return;
    if (letters[i] == 'n' || letters[i] == 'e') {
        size_t z = i;
        while (letters[z] != 'z') z++;
        touch_bytes(word, call->word[z] * sizeof *word);
    }
    for (size_t end = 0; letters[i] == 'y' && end < 16; end += 8) {
        uint64_t rows = word[end + 7] * word[18] + word[end + 3] * word[end + 7] + word[17];
        bool there = word[16] && word[17] && word[18];
        if (there && word[end + 4] && !in_arena(word[end + 4]))
            must(reachable(word[end + 4], word[16]) && rows);
    }
    if (letters[i] == 't' && word[0] && !in_arena(word[0]) && word[3] && word[4])
        must(reachable(word[0], word[3] * (word[2] >> 32)));
}

void player_call(int number, const PlayerCall *call)
{
    const ReplayCall *row = &replay_calls[number];
    must(row->way == REPLAY_AGAIN);
    trail((unsigned)number + 10);
    for (size_t i = 0; row->letters[i]; i++) {
        uintptr_t at = call->pointer[i];
        if (row->letters[i] == 'p' && at && !in_arena(at)) must(reachable(at, call->bytes[i]));
        if (row->letters[i] == 'k' && call->kernel[i]) must(call->kernel[i]->call != NULL);
        if (row->letters[i] == 'p' && at) touch(at, call->bytes[i], i == 0);
        look_at_node(call, row->letters, i);
        if (strchr("fj", row->letters[i]) && call->word[i] && fake.n_pending < PENDING)
            fake.pending[fake.n_pending++] = call->word[i];
    }
    if (!strcmp(row->name, "cudaMalloc")) allocate(call->word[1], false);
    else if (!strcmp(row->name, "cudaMallocHost") || !strcmp(row->name, "cudaMallocManaged"))
        allocate(call->word[1], true);
    else if (!strcmp(row->name, "cudaFree") || !strcmp(row->name, "cudaFreeHost"))
        release(call->pointer[0]);
    else if (!strcmp(row->name, "cudaHostUnregister")) {
        size_t i = find_block(call->pointer[0]);
        if (i < BLOCKS && !fake.blocks[i].arena) release(call->pointer[0]);
    } else if (!strcmp(row->name, "cudaHostRegister") && call->pointer[0] && call->word[1] &&
               !in_arena(call->pointer[0]) && fake.n < BLOCKS) {
        fake.blocks[fake.n].at = call->pointer[0];
        fake.blocks[fake.n].bytes = call->word[1];
        fake.blocks[fake.n].host = fake.blocks[fake.n].live = true;
        fake.blocks[fake.n++].arena = false;
    } else if (strstr(row->name, "Synchronize")) {
        while (fake.n_pending) {
            uint64_t token = fake.pending[0];
            memmove(fake.pending, fake.pending + 1, --fake.n_pending * sizeof *fake.pending);
            play_host_function((void *)(uintptr_t)token);
        }
    }
}

void player_push(const PlayerLaunch *launch)
{
    must(launch->line >= 0);
    must(launch->there <= PLAY_ATTRIBUTES && launch->there <= launch->n_attributes);
    must(launch->given || !launch->there);
    fake.launch = true;
}

bool player_launch_is_pending(void) { return fake.launch; }

void player_kernel(const GlueFunction *kernel, void **arguments, const uint32_t cluster[3])
{
    (void)cluster;
    must(fake.launch);
    fake.launch = false;
    trail(2);
    for (size_t i = 0; i < kernel->n; i++) {
        uintptr_t at;
        if (kernel->types[i].kind != GLUE_POINTER) continue;
        memcpy(&at, arguments[i], sizeof at);
        must(!at || in_arena(at) || at >> 48 == 0xdead || find_block(at) < BLOCKS);
    }
}

/* What a function of the harness's is given: nothing, or something that is there. */
bool player_own(const GlueFunction *own, void **arguments, uintptr_t *bad)
{
    trail(3);
    for (size_t i = 0; i < own->n; i++) {
        uintptr_t at;
        bool object = own->types[i].kind == GLUE_OBJECT_POINTER;
        if (!object && own->types[i].kind != GLUE_POINTER) continue;
        memcpy(&at, arguments[i], sizeof at);
        if (at) must(reachable(at, object ? own->types[i].target : 1));
        if (object && !at) {
            *bad = 0;
            return false;
        }
    }
    own->call(arguments);
    return true;
}

void player_nvtx(PlayVerb verb, const char *text, uint64_t id)
{
    (void)id;
    must(verb < PLAY_VERBS && strlen(text) <= 4096);
}

void player_order(bool release_it, uint64_t object) { (void)release_it, (void)object; }
void player_computed(uint64_t bytes, const char *function) { must(bytes + strlen(function) + 1); }

/* ---- the harness ---- */

static void fill(void **arguments)
{
    float *to;
    int n;
    memcpy(&to, arguments[0], sizeof to);
    memcpy(&n, arguments[1], sizeof n);
    size_t bytes = n == 1 ? 1000 : 4096;
    threelane_needs(to, bytes);
    memset(to, 1, bytes);
}

static void fill_thing(void **arguments)
{
    char *at;
    Thing thing; /* a copy: it may lie anywhere, aligned or not */
    memcpy(&at, arguments[0], sizeof at);
    memcpy(&thing, at, sizeof thing);
    memcpy(at + offsetof(Thing, number), arguments[1], sizeof thing.number);
    threelane_needs(thing.host, 512);
    memset(thing.host, 2, 512);
}

static void look_thing(void **arguments)
{
    const char *at;
    char bytes[300];
    Thing thing;
    memcpy(&at, arguments[0], sizeof at);
    memcpy(&thing, at, sizeof thing);
    threelane_needs(thing.host, sizeof bytes);
    memcpy(bytes, thing.host, sizeof bytes);
}

static void by_value(void **arguments)
{
    Two two;
    memcpy(&two, arguments[0], sizeof two);
    threelane_needs(two.at, 8);
    memset(two.at, 3, 8);
}

static void large(void **arguments) { (void)arguments; }

static void again(void **arguments)
{
    int n;
    memcpy(&n, arguments[0], sizeof n);
    GlueValue value = {{GLUE_NUMBER, sizeof n, 0}, &n};
    threelane_play("inner", &value, 1, (GlueType){GLUE_NOTHING, 0, 0}, NULL);
}

static void kernel(void **arguments) { (void)arguments; }

static const GlueType number_type = {GLUE_NUMBER, 4, 0}, pointer_type = {GLUE_POINTER, 8, 0};
static const GlueType fill_types[] = {{GLUE_POINTER, 8, 0}, {GLUE_NUMBER, 4, 0}};
static const GlueType thing_types[] = {{GLUE_OBJECT_POINTER, 8, sizeof(Thing)},
                                       {GLUE_NUMBER, 4, 0}};
static const GlueType two_types[] = {{GLUE_OBJECT, sizeof(Two), 0}};
static const GlueType large_types[] = {{GLUE_OBJECT_POINTER, 8, sizeof(Large)}};
static const GlueType again_types[] = {{GLUE_NUMBER, 4, 0}};
static const GlueType kernel_types[] = {{GLUE_POINTER, 8, 0},
                                        {GLUE_POINTER, 8, 0},
                                        {GLUE_NUMBER, 4, 0}};
static const GlueFunction functions[] = {{"fill", fill, fill_types, 2, NULL},
                                         {"fillThing", fill_thing, thing_types, 2, NULL},
                                         {"lookThing", look_thing, thing_types, 1, NULL},
                                         {"byValue", by_value, two_types, 1, NULL},
                                         {"large", large, large_types, 1, NULL},
                                         {"again", again, again_types, 1, NULL}};
static const GlueFunction kernels[] = {{"work", kernel, kernel_types, 3, NULL}};
static const Glue glue = {functions,
                          kernels,
                          sizeof functions / sizeof *functions,
                          sizeof kernels / sizeof *kernels,
                          NULL,
                          NULL,
                          NULL,
                          NULL};

static void harness(void)
{
    threelane_shown(things, sizeof things);
    float *in = allocate(4096, true), *to = allocate(4096, true), *device = allocate(8192, false);
    Thing *given = things;
    int n = 3;
    double result = 0;
    for (size_t i = 0; i < SHOWN_THINGS; i++) things[i] = (Thing){in, device, (int)i};
    GlueValue values[] = {{pointer_type, &in},
                          {pointer_type, &to},
                          {pointer_type, &device},
                          {{GLUE_OBJECT_POINTER, 8, sizeof(Thing)}, &given},
                          {number_type, &n}};
    threelane_play("pipeline", values, 5, (GlueType){GLUE_NUMBER, sizeof result, 0}, &result);
    GlueValue value = {number_type, &n};
    threelane_play("finish", &value, 1, (GlueType){GLUE_NOTHING, 0, 0}, NULL);
    /* the program may have freed what is the harness's: a real one faults here, and is caught */
    if (!reachable((uintptr_t)in, 4096) || !reachable((uintptr_t)to, 4096))
        player_end(PLAYER_DAMAGED, "memory of the harness's is gone");
    memset(in, 0, 4096);
    memset(to, 0, 4096);
}

/* ---- one log ---- */

static void begin(void)
{
    fake.n = fake.device = fake.pinned = fake.n_pending = 0;
    fake.launch = false;
    fake.end = 0;
    *fake.said = 0;
    fake.trail = 0;
    over = false;
    if (!fake.arena) {
        fake.arena = mmap(NULL, SPAN, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (fake.arena == MAP_FAILED) abort();
    }
    CLOSE(fake.arena, SPAN);
    n_threads = 1;
    threads[0] = (Thread){.used = true, .running = true};
    pthread_cond_init(&threads[0].turn, NULL);
    self = &threads[0];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    ParsedLog log;
    size_t line;
    char *bytes = malloc(n + 1);
    if (!bytes) return 0;
    if (n) memcpy(bytes, data, n);
    begin();
    pthread_mutex_lock(&lock);
    PlayState state = log_parse(&log, bytes, n, &line);
    if (state != PLAY_FINE) {
        fake.end = state == PLAY_EMPTY ? PLAYER_ENDED : PLAYER_DAMAGED;
        trail((unsigned)state);
        log_parse_release(&log);
    } else {
        if (sigsetjmp(threads[0].top, 0) == 0) {
            play_start(&glue, &log);
            play_before_main();
            harness();
            play_after_main();
        }
        trail((unsigned)fake.end);
        over = true;
        for (size_t i = 1; i < n_threads; i++) {
            if (!threads[i].done) {
                hand_to(&threads[i]);
                threads[0].running = false;
                wait_for_turn();
            }
        }
        pthread_mutex_unlock(&lock);
        for (size_t i = 1; i < n_threads; i++) {
            pthread_join(threads[i].id, NULL);
            pthread_cond_destroy(&threads[i].turn);
        }
        pthread_mutex_lock(&lock);
        play_release();
    }
    pthread_mutex_unlock(&lock);
    free(bytes);
    return 0;
}

int fuzz_end(void) { return fake.end; }
const char *fuzz_said(void) { return fake.said; }

int fuzz_one(const uint8_t *data, size_t n)
{
    LLVMFuzzerTestOneInput(data, n);
    return fake.end;
}

unsigned short fuzz_trail(void) { return (unsigned short)(fake.trail ^ fake.trail >> 8); }

const char *fuzz_words(int end)
{
    StopKind kind = exit_status_stop_of_status(end);
    return end ? exit_status_stop[kind].word : "whole";
}

/* ---- what the fuzzer begins with: logs that are right, addresses as `begin` gives them ---- */

#define BASE "200000000000"
#define HEAD "threelane-log 1 " BASE "\n"
#define IN                                                                    \
    "1 0 main\n1 5 in pipeline p:200000200000 p:200000201000 p:200000000000 " \
    "o:7f0000001000:0000200000200000000000000020000000000000000000 n:03000000\n"
#define OUT "1 90 out n:0000000000000000\n1 91 in finish n:03000000\n1 92 out v\n"
#define THING(HOST)             \
    ":" HOST "0000000000200000" \
    "0700000000000000"
const char *const fuzz_seeds[] = {
    HEAD IN OUT,
    HEAD IN "1 6 call cudaStreamCreate 7 1\n"
            "1 7 call cudaMemcpyAsync 8 200000000000 200000200000 1000 1 51ea00000000020\n"
            "1 8 push 9 40 1 1 100 1 1 0 51ea00000000020\n"
            "1 9 kernel work b:0000000000200000 b:0000000000200000 b:03000000\n"
            "1 10 call cudaMemcpyAsync 8 200000201000 200000000000 1000 2 51ea00000000020\n"
            "1 11 call cudaStreamSynchronize 9 51ea00000000020\n"
            "1 12 call cudaStreamDestroy 9 51ea00000000020\n" OUT,
    HEAD IN
    "1 6 call cudaMallocHost 5 1 2000\n1 7 own fill p:200000202000 n:01000000\n"
    "1 8 own fillThing o:200000202000" THING(
        "0030200000200000") " n:01000000\n"
                            "1 8 own fillThing o:7f0000001018" THING(
                                "0020200000200000") " n:02000000\n"
                                                    "1 9 own lookThing o:7ffff7001000" THING(
                                                        "0020200000200000") "\n"
                                                                            "1 9 own byValue "
                                                                            "b:"
                                                                            "0100000002000000002020"
                                                                            "0000200000\n"
                                                                            "1 9 call cudaFreeHost "
                                                                            "6 200000202000\n" OUT,
    HEAD IN "1 6 call cudaMalloc 5 1 4000\n1 6 call cudaHostRegister 5 7f1000000000 2000 0\n"
            "1 7 call cudaMemcpy 6 200000002000 7f1000000000 1000 1\n"
            "1 7 call cudaMemcpy2D 6 7f1000000000 80 200000002000 100 40 8 2\n"
            "1 7 copy 200000201000 7f1000000000 800\n1 7 copy 200000201400 7f1000000100 80\n"
            "1 7 set 7f1000000000 0 200\n1 7 wrote 200000201010 10\n"
            "1 8 call cudaHostUnregister 6 7f1000000000\n1 9 call cudaFree 6 200000002000\n" OUT,
    HEAD IN "1 6 call cudaLaunchHostFunc 5 51ea00000000020 1 0\n2 7 fn 1\n"
            "2 7 own fill p:200000201000 n:01000000\n2 8 end\n"
            "1 9 call cudaDeviceSynchronize 5\n1 9 range 6162\n1 9 pop\n1 9 mark 61\n" OUT,
    HEAD IN "2 6 thread\n2 7 acquire 7f0000005000\n2 8 own fill p:200000201000 n:01000000\n"
            "2 9 release 7f0000005000\n3 9 thread\n3 9 call cudaMalloc 4 1 100\n"
            "1 10 acquire 7f0000005000\n" OUT,
    HEAD IN "1 6 call cudaMallocHost 5 1 2000\n1 7 copy 200000202000 200000200000 1000\n"
            "1 7 copy 200000202f00 200000200000 1000\n1 8 call cudaFreeHost 6 200000202000\n"
            "1 9 call cudaMallocHost 5 1 800\n1 9 copy 200000202030 200000200000 200\n"
            "1 9 set 200000202100 7 40\n" OUT,
    HEAD IN "1 6 call cudaStreamBeginCapture 7 51ea00000000020 0\n"
            "1 7 call cudaLaunchHostFunc 5 51ea00000000020 1 0\n"
            "1 7 call cudaStreamEndCapture 8 51ea00000000020 1\n"
            "1 8 call cudaGraphAddHostNode 9 1 64a700000000010 1000000000de2000 1 2\n"
            "1 8 call cudaGraphAddKernelNode 9 1 64a700000000010 "
            "10000000e00d0200200000000000de20 2 "
            "work/1,1,1,20,1,1,0/0000000000200000/0000000000200000/03000000\n"
            "1 8 call cudaGraphAddDependencies 9 64a700000000010 10000000e00d0200 "
            "200000000000de20 0000000000000000 1\n"
            "1 8 call cudaGraphAddMemcpyNode 9 1 64a700000000010 - 0 "
            "0000000000000000000000000000000000000000000000000000000000000000"
            "0000200000200000001000000000000000100000000000000100000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000"
            "0000000000200000001000000000000000100000000000000100000000000000"
            "0010000000000000010000000000000001000000000000000100000000000000\n"
            "1 8 call cudaGraphAddMemsetNode 9 1 64a700000000010 - 0 "
            "0000000000200000000000000000000000000000040000000001000000000000"
            "0100000000000000\n"
            "1 8 call cudaThreadExchangeStreamCaptureMode 9 01000000\n"
            "1 9 call cudaDeviceSynchronize 5\n2 9 fn 1\n2 9 end\n2 9 fn 2\n2 9 end\n" OUT,
    HEAD IN "1 6 own again n:05000000\n1 7 in inner n:05000000\n1 8 own fill p:200000201000 "
            "n:01000000\n1 9 out v\n" OUT "1 95 begin 61\n1 95 finish 1\n",
};
const size_t fuzz_seeds_n = sizeof fuzz_seeds / sizeof *fuzz_seeds;

/* With libFuzzer: nonsense by its own means one time in four, else what a forger writes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t most) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t most, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t most, unsigned seed)
{
    uint64_t state = seed * 0x9E3779B97F4A7C15u | 1;
    uint64_t choice = log_random(&state) % 16;
    if (n < 16 || !choice) {
        const char *one = fuzz_seeds[log_random(&state) % fuzz_seeds_n];
        n = strlen(one) < most ? strlen(one) : most;
        memcpy(data, one, n);
    } else if (choice < 4 && LLVMFuzzerMutate) {
        return LLVMFuzzerMutate(data, n, most);
    }
    return log_mutate((char *)data, n, most, &state);
}

/* ---- the end of the fuzzer ---- */

void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));
static void (*save_log)(void);

static void on_signal(int number)
{
    signal(number, SIG_DFL);
    save_log();
    raise(number);
}

void fuzz_on_death(void (*save)(void))
{
    save_log = save;
    signal(SIGABRT, on_signal);
    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(save);
        return;
    }
    signal(SIGSEGV, on_signal);
    signal(SIGBUS, on_signal);
}
