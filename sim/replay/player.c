/* player.c - see player.h. */
#include "sim/replay/player.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/env.h"
#include "sim/include/cuda.h"
#include "sim/include/nvtx3/nvToolsExt.h"
#include "sim/api/api_launch.h"
#include "sim/exec/exec.h"
#include "sim/hazard/hazard.h"
#include "sim/replay/child_kernel.h"
#include "sim/replay/play.h"
#include "sim/replay/play_ends.h"
#include "sim/replay/replay.h"

enum { SCRATCH = 4096, OUTS = 4, ARGUMENT_BYTES = 4096 };

static const char *source; /* the student's file, as sites name it */

_Noreturn void player_end(int status, const char *text)
{
    host_fatal(status, (TraceSite){NULL, 0}, "%s", text);
}

/* ---- memory ---- */

uintptr_t player_arena(uint64_t *span)
{
    *span = memory_span;
    return memory_base;
}

bool player_block(uintptr_t address, PlayerBlock *block)
{
    const MemoryBlock *found = memory_find((const void *)address);
    if (!found) return false;
    *block = (PlayerBlock){found->address, found->bytes, found->kind != TRACE_MEM_DEVICE};
    return true;
}

bool player_is_registered(uintptr_t address) { return memory_find((const void *)address) != NULL; }

bool player_has_page(uintptr_t address)
{
    unsigned char there;
    uintptr_t page = address & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);
    return mincore((void *)page, 1, &there) == 0;
}

uintptr_t player_reserve(uint64_t bytes)
{
    const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *at = mmap(NULL, 3 * bytes, PROT_NONE, how, -1, 0);
    if (at == MAP_FAILED) return 0;
    uintptr_t begin = ((uintptr_t)at + bytes - 1) / bytes * bytes;
    if (mprotect((void *)begin, bytes, PROT_READ | PROT_WRITE) != 0 &&
        mmap((void *)begin, bytes, PROT_READ | PROT_WRITE, how | MAP_FIXED, -1, 0) == MAP_FAILED)
        return 0;
    return begin;
}

uint64_t player_memory(void) { return LIMIT_RUN_MEMORY; }

/* ---- threads and time ---- */

uint32_t player_thread(void) { return host_thread(); }

typedef struct Start {
    void (*run)(void *);
    void *argument;
} Start;

static void *run_thread(void *data)
{
    Start start = *(Start *)data;
    free(data);
    start.run(start.argument);
    return NULL;
}

bool player_start_thread(void (*run)(void *), void *argument)
{
    pthread_t thread;
    Start *start = malloc(sizeof *start);
    if (!start) return false;
    *start = (Start){run, argument};
    if (pthread_create(&thread, NULL, run_thread, start) != 0) {
        free(start);
        return false;
    }
    pthread_detach(thread);

    return true;
}

void player_wait(bool (*ready)(void *), void *argument)
{
    host_wait(ready, argument, HOST_NEVER, "what the program did next", (TraceSite){NULL, 0});
}

void player_advance(uint64_t ns) { host_advance_to(ns); }

void player_charge(void) { call_charge(); }

bool player_side(bool student)
{
    bool before = host_mark != 0;
    host_mark = student;
    return before;
}

/* ---- calls ---- */

static ThreelaneSite site_of(int line)
{
    return line ? (ThreelaneSite){source, line} : (ThreelaneSite){NULL, 0};
}

static void play_callback(cudaStream_t stream, cudaError_t error, void *number_as_pointer)
{
    (void)stream, (void)error;
    play_host_function(number_as_pointer);
}

static void play_driver_callback(CUstream stream, CUresult error, void *number_as_pointer)
{
    (void)stream, (void)error;
    play_host_function(number_as_pointer);
}

/* A kernel of the harness's, as an address: probing it (api_launch.h) calls it and learns which one
 * it is. */
static const GlueFunction *probed;
static void probe_kernel(void)
{
    void *arguments[PLAY_WORDS];
    static _Alignas(16) char values[ARGUMENT_BYTES];
    for (size_t i = 0; i < PLAY_WORDS; i++) arguments[i] = values;
    memset(values, 0, sizeof values);
    probed->call(arguments);
}

static const void *kernel_of(const GlueFunction *kernel)
{
    void (*address)(void) = probe_kernel;
    const void *at;
    if (!kernel) return NULL;
    probed = kernel;
    memcpy(&at, &address, sizeof at);
    return at;
}

static struct cudaMemLocation location_of(uint64_t word)
{
    return (struct cudaMemLocation){.type = (enum cudaMemLocationType)(word >> 32),
                                    .id = (int)(uint32_t)word};
}

static _Thread_local _Alignas(16) char scratch[OUTS][SCRATCH];

uintptr_t player_given(void)
{
    uintptr_t here;
    memcpy(&here, scratch[0], sizeof here);
    return here;
}

_Static_assert(sizeof(struct cudaMemPoolProps) == PLAYER_OBJECT_BYTES, "the letter m");
_Static_assert(sizeof(cudaLaunchAttributeValue) == PLAY_ATTRIBUTE_BYTES &&
                   (int)PLAY_ATTRIBUTE_BYTES <= (int)PLAYER_OBJECT_BYTES,
               "the letter u");
enum { MOST_DESCS = PLAYER_OBJECT_BYTES / sizeof(struct cudaMemAccessDesc) };

_Static_assert(sizeof(struct cudaMemcpy3DParms) == 160 && sizeof(struct cudaMemsetParams) == 40 &&
                   sizeof(cudaGraphEdgeData) == sizeof(cudaGraphNode_t),
               "the letters y, t, e and n");

/* A number that the call reads and writes. */
static void *in_place(const unsigned char *object)
{
    memcpy(scratch[0], object, sizeof(int));
    return scratch[0];
}

static const struct cudaKernelNodeParams *node_of(const PlayerCall *call)
{
    static struct cudaKernelNodeParams params;
    const PlayerNode *node = &call->node;
    const uint32_t *sides = node->sides;
    params = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)kernel_of(node->kernel),
                                           .gridDim = {sides[0], sides[1], sides[2]},
                                           .blockDim = {sides[3], sides[4], sides[5]},
                                           .sharedMemBytes = sides[6],
                                           .kernelParams = (void **)(uintptr_t)node->arguments};
    return node->kernel ? &params : NULL;
}

static const struct cudaHostNodeParams *host_node_of(uint64_t token)
{
    static struct cudaHostNodeParams params;
    params =
        (struct cudaHostNodeParams){token ? play_host_function : NULL, (void *)(uintptr_t)token};
    return &params;
}

/* calls.def's words for the arguments. A result goes where nobody looks; the student's code saw its
 * own. */
#define I(i) ((int)(uint32_t)call->word[i])
#define Z(i) ((size_t)call->word[i])
#define E(pitch, width, height) 0
#define H(i) ((void *)(uintptr_t)call->word[i])
#define P(i, bytes) ((void *)call->pointer[i])
#define O(i) ((void *)(call->word[i] ? scratch[i] : NULL))
#define K(i) kernel_of(call->kernel[i])
#define V(i) (call->given[i] ? (void *)(uintptr_t)&call->word[i] : NULL)
#define L(i) location_of(call->word[i])
#define M(i) (call->given[i] ? (const void *)call->object : NULL)
#define U(i) (call->given[i] ? (const void *)call->object : NULL)
#define W(i) (call->given[i] ? (void *)in_place(call->object) : NULL)
#define N(i) ((cudaGraphNode_t *)call->list[i])
#define EDGES(i) ((const cudaGraphEdgeData *)call->list[i])
#define NODE(i) node_of(call)
#define BOX(i) ((const struct cudaMemcpy3DParms *)call->list[i])
#define SET(i) ((const struct cudaMemsetParams *)call->list[i])
#define HOSTNODE(i) host_node_of(call->word[i])
#define ACCESS(i) M(i)
#define DESCS(i) (call->word[i] <= MOST_DESCS ? (size_t)call->word[i] : 0)
#define HOSTFN (call->word[1] ? play_host_function : NULL)
#define CALLBACK (call->word[1] ? play_callback : NULL)
#define D ((void *)(uintptr_t)call->word[1])
#define A(i, bytes) ((CUdeviceptr)call->pointer[i])
#define DRIVER_CALLBACK (call->word[1] ? play_driver_callback : NULL)

#define WAY_AGAIN(LETTERS, ...) AGAIN
#define WAY_AGAIN0 AGAIN
#define WAY_KERNEL NOTHING
#define WAY_HARMLESS NOTHING
#define WAY_NEVER(REASON) NOTHING
#define ARGUMENTS_AGAIN(LETTERS, ...) (__VA_ARGS__, site_of(call->line))
#define ARGUMENTS_AGAIN0 (site_of(call->line))
#define ARGUMENTS_KERNEL ()
#define ARGUMENTS_HARMLESS ()
#define ARGUMENTS_NEVER(REASON) ()

#define AGAIN(NAME, ARGUMENTS) \
    static void make_##NAME(const PlayerCall *call) { threelane_##NAME ARGUMENTS; }
#define NOTHING(NAME, ARGUMENTS)
#define TL_CALL0(NAME, REPLAY, TRACER) WAY_##REPLAY(NAME, ARGUMENTS_##REPLAY)
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER) WAY_##REPLAY(NAME, ARGUMENTS_##REPLAY)
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER) \
    WAY_##REPLAY(NAME, ARGUMENTS_##REPLAY) WAY_##REPLAY(NAME##_ptsz, ARGUMENTS_##REPLAY)
#include "sim/include/threelane/calls.def"
#undef AGAIN
#undef NOTHING

static void (*const make[])(const PlayerCall *) = {
/* beside replay_calls */
#define AGAIN(NAME, ARGUMENTS) make_##NAME,
#define NOTHING(NAME, ARGUMENTS) NULL,
#define TL_CALL0(NAME, REPLAY, TRACER) WAY_##REPLAY(NAME, )
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER) WAY_##REPLAY(NAME, )
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER) WAY_##REPLAY(NAME, ) WAY_##REPLAY(NAME##_ptsz, )
#include "sim/include/threelane/calls.def"
};

void player_call(int number, const PlayerCall *call) { make[number](call); }

void player_push(const PlayerLaunch *launch)
{
    cudaLaunchAttribute attributes[PLAY_ATTRIBUTES];
    const uint32_t *sides = launch->sides;
    for (uint32_t i = 0; i < launch->there; i++) {
        attributes[i].id = (cudaLaunchAttributeID)launch->attributes[i].id;
        memcpy(&attributes[i].val, launch->attributes[i].value, sizeof attributes[i].val);
    }
    launch_push(
        &(LaunchAsk){.name = launch->n_attributes ? "cudaLaunchKernelExC" : "cudaLaunchKernel",
                     .grid = {sides[0], sides[1], sides[2]},
                     .block = {sides[3], sides[4], sides[5]},
                     .shared = launch->shared,
                     .stream = (cudaStream_t)(uintptr_t)launch->stream,
                     .attributes = launch->given ? attributes : NULL,
                     .n_attributes = launch->n_attributes,
                     .at = site_of(launch->line)});
}

bool player_launch_is_pending(void) { return launch_is_pending(); }

/* What a kernel of the harness's was declared with, its own code says. */
void player_kernel(const GlueFunction *kernel, void **arguments, const uint32_t cluster[3])
{
    if (cluster[0] && kernel->apart) threelane_cluster(cluster[0], cluster[1], cluster[2]);
    kernel->call(arguments);
}

void player_nvtx(PlayVerb verb, const char *text, uint64_t id)
{
    switch (verb) {
    case PLAY_RANGE: nvtxRangePushA(text); break;
    case PLAY_POP: nvtxRangePop(); break;
    case PLAY_BEGIN: nvtxRangeStartA(text); break;
    case PLAY_FINISH: nvtxRangeEnd((nvtxRangeId_t)id); break;
    default: nvtxMarkA(text);
    }
}

void player_order(bool release, uint64_t object)
{
    (release ? hazard_release : hazard_acquire)((const void *)(uintptr_t)object);
}

void player_computed(uint64_t bytes, const char *function)
{
    static bool said;
    if (said) return;
    said = true;
    host_warn_of_kind("host-computed", "player", (TraceSite){source, 0},
                      "%llu bytes of memory that the exercise gave out were computed by the host "
                      "(%s): no copy brought them, and they do not count",
                      (unsigned long long)bytes, function);
}

/* ---- faults ---- */

/* A function of the harness's follows what a log gave it. What it needs has been looked at, if it
 * said so (threelane_needs); one that did not say so may still meet what is no memory, and that is
 * the log's doing. So it is when the harness finds its own CUDA memory gone: the program freed it.
 * Anywhere else a fault is the player's own, and whoever started it is told where in the log.
 * (A kernel's faults do not come here: exec.c, which looks at them first, is installed later.) */
typedef struct Guard {
    sigjmp_buf back;
    bool arena_only;
    uintptr_t bad;
} Guard;
static _Thread_local Guard *guard;
static struct sigaction before_ours[NSIG];

static void on_fault(int number, siginfo_t *info, void *context)
{
    const struct sigaction *before = &before_ours[number];
    char digits[24], *at = digits + sizeof digits - 1;
    bool access = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0;
    uintptr_t address = (uintptr_t)info->si_addr;
    if (access && guard && (!guard->arena_only || address - memory_base < memory_span)) {
        Guard *to = guard;
        guard = NULL;
        to->bad = address;
        siglongjmp(to->back, 1);
    }
    size_t line = play_line();
    *at = 0;
    do *--at = (char)('0' + line % 10);
    while (line /= 10);
    host_outcome("line", at);
    if (before->sa_flags & SA_SIGINFO) {
        before->sa_sigaction(number, info, context);
    } else {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void catch_faults(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction ours = {.sa_sigaction = on_fault,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sigaction(numbers[i], NULL, &before_ours[numbers[i]]);
        sigaction(numbers[i], &ours, NULL);
    }
}

bool player_own(const GlueFunction *own, void **arguments, uintptr_t *bad)
{
    Guard mine = {.arena_only = false}, *outer = guard;
    bool fine = sigsetjmp(mine.back, 0) == 0;
    if (fine) {
        guard = &mine;
        own->call(arguments);
    } else {
        *bad = mine.bad;
    }
    guard = outer;

    return fine;
}

static int run_harness(int (*harness_main)(int, char **), int argc, char **argv)
{
    static Guard mine = {.arena_only = true};
    char what[500];
    if (sigsetjmp(mine.back, 0) != 0) {
        host_describe_address((const void *)mine.bad, what, sizeof what);
        play_damaged("after it, the exercise's own code needs memory that is gone: %s", what);
    }
    guard = &mine;
    int status = harness_main(argc, argv);
    guard = NULL;

    return status;
}

/* ---- the program ---- */

static ParsedLog read_log(const char *path)
{
    struct stat about;
    int file = strncmp(path, "fd:", 3) == 0
                   ? fcntl(atoi(path + 3), F_DUPFD_CLOEXEC, 3)
                   : open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0 || fstat(file, &about) != 0 || !S_ISREG(about.st_mode))
        play_ended("the program took its log away");
    uint64_t size = (uint64_t)about.st_size;
    if (size > PLAY_MOST_BYTES) play_limit("a log of %llu MiB", (unsigned long long)size >> 20);
    char *bytes = malloc(size + 1);
    size_t have = 0, line;
    if (!bytes) play_limit("memory");
    while (have < size) {
        ssize_t got = pread(file, bytes + have, size - have, (off_t)have);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        have += (size_t)got;
    }
    close(file);

    ParsedLog log;
    char words[100];
    switch (log_parse(&log, bytes, have, &line)) {
    case PLAY_FINE: break;
    case PLAY_EMPTY: play_ended("the program ended before its main function began");
    case PLAY_DAMAGED:
        snprintf(words, sizeof words, "the log's line %zu is not one that a program writes", line);
        player_end(PLAYER_DAMAGED, words);
    case PLAY_TOO_MANY_THREADS: play_limit("more than %d threads", PLAY_THREADS);
    case PLAY_TOO_LONG: play_limit("more than %zu calls", PLAY_MOST_RECORDS);
    case PLAY_NO_MEMORY: play_limit("memory");
    }
    return log;
}

int threelane_play_main(const Glue *with, int (*harness_main)(int, char **), int argc, char **argv)
{
    const char *path = getenv(ENV_PLAY);
    const char *named = getenv(ENV_PLAY_SOURCE);
    source = named ? named : "student.cu";
    runtime_start();
    if (!path) player_end(PLAYER_BROKEN, ENV_PLAY " names no log");
    exec_only_variables(with->data, with->data_end, with->bss, with->bss_end);
    ParsedLog log = read_log(path);
    catch_faults();
    child_kernel_begin(with);
    play_start(with, &log);
    play_before_main();
    host_main_begins();
    int status = run_harness(harness_main, argc, argv);
    play_after_main();

    return status;
}
