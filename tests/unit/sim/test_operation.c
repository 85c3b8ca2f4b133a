/* Operations as values: a list that was kept and is submitted twice does what the calls do when
 * they are made twice, and leaves the same trace. Each program runs in a process of its own, on the
 * textbook model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit/cases.h"
#include "sim/include/cuda_runtime_api.h"
#include "sim/include/threelane/self.h"
#include "sim/api/api_launch.h"
#include "timeline/trace/trace.h"

enum { UNIT = 1000000, N = 1024, BYTES = N * sizeof(int) };

extern uint32_t threelane_block_index[], threelane_block_dim[];
void __tsan_init(void);
void __tsan_read4(void *p);
void __tsan_write4(void *p);

/* What a child leaves behind, besides its trace. */
typedef struct Left {
    int result[2][N]; /* what came back, after either round */
    int small[2], functions, closures, status;
    char stderr_text[4096];
} Left;
static Left *left;

static Trace *run(void (*program)(void))
{
    char path[] = "/tmp/threelane-test-XXXXXX", error[256];
    int fd = mkstemp(path), status, said[2];
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert_int_eq(pipe(said), 0);
    left = mmap(NULL, sizeof *left, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(left != MAP_FAILED);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        setenv("THREELANE_TRACE", path, 1);
        setenv("THREELANE_MODEL", "unit", 1);
        unsetenv("THREELANE_SEED");
        dup2(said[1], STDERR_FILENO);
        close(said[1]);
        program();
        exit(0);
    }
    close(said[1]);
    size_t have = 0;
    for (ssize_t got;
         (got = read(said[0], left->stderr_text + have, sizeof left->stderr_text - 1 - have)) > 0;)
        have += (size_t)got;
    close(said[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    left->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    Trace *trace = trace_read(path, error, sizeof error);
    unlink(path);
    ck_assert_msg(trace != NULL, "%s", error);
    return trace;
}

static void finish(Trace *trace)
{
    trace_free(trace);
    munmap(left, sizeof *left);
}

/* ---- a kernel, as tlcc makes one: p[i] += *add, for each i ---- */

typedef struct Closure {
    int *p, add;
} Closure;

static void run_block(void *at)
{
    const Closure *closure = at;
    for (unsigned x = threelane_self.thread[0]; x < threelane_block_dim[0]; x++) {
        threelane_self.thread[0] = x;
        int *p = &closure->p[threelane_block_index[0] * threelane_block_dim[0] + x];
        __tsan_read4(p);
        __tsan_write4(p);
        *p += closure->add;
    }
}

static void destroy(void *closure)
{
    left->closures--;
    memset(closure, 0xee, sizeof(Closure)); /* who looks at it later finds nonsense */
    threelane_closure_free(closure);
}

static void add_to(cudaStream_t stream, int *p, int add)
{
    if (threelane_push(N / 64, 1, 1, 64, 1, 1, 0, stream, __FILE__, __LINE__)) return;
    Closure *closure = threelane_closure_new(sizeof *closure);
    *closure = (Closure){p, add};
    left->closures++;
    threelane_queue("add_to", run_block, closure, destroy);
}

static void CUDART_CB count(void *at) { ++*(int *)at; }

/* ---- the same calls, made twice, and kept and submitted twice ---- */

static struct {
    int *device, *to, *from, small;
    cudaStream_t stream;
} work;

static void prepare(void)
{
    cudaStreamCreate(&work.stream);
    cudaMalloc((void **)&work.device, BYTES);
    cudaMallocHost((void **)&work.from, BYTES);
    cudaMallocHost((void **)&work.to, BYTES);
}

static void ask(void)
{
    cudaMemcpyAsync(work.device, work.from, BYTES, cudaMemcpyHostToDevice, work.stream);
    cudaMemcpyAsync(work.device + 5, &work.small, sizeof work.small, cudaMemcpyHostToDevice,
                    work.stream);
    add_to(work.stream, work.device, 1000);
    cudaMemsetAsync(work.device + 8, 0, 4 * sizeof(int), work.stream);
    cudaLaunchHostFunc(work.stream, count, &left->functions);
    cudaMemcpyAsync(work.to, work.device, BYTES, cudaMemcpyDeviceToHost, work.stream);
}

static void before(int round)
{
    for (int i = 0; i < N; i++) work.from[i] = 10000 * round + i;
    work.small = 77 + round;
    memset(work.to, 0xff, BYTES);
}

static void after(int round)
{
    cudaStreamSynchronize(work.stream);
    memcpy(left->result[round], work.to, BYTES);
    left->small[round] = work.to[5];
}

static void calls_twice(void)
{
    prepare();
    for (int round = 0; round < 2; round++) {
        before(round);
        ask();
        after(round);
    }
}

/* Operations in the order in which they were asked for. */
typedef struct OperationList {
    StreamKeeper keeper; /* first */
    Operation items[16];
    uint32_t n;
} OperationList;

static cudaError_t keep(StreamKeeper *keeper, Call *call, const Stream *stream,
                        Operation *operation)
{
    OperationList *list = (OperationList *)keeper;
    (void)call, (void)stream;
    if (!operation_keep(&list->items[list->n], operation)) return cudaErrorNotSupported;
    list->n++;
    return cudaSuccess;
}

static void operation_list_free(OperationList *list)
{
    for (uint32_t i = 0; i < list->n; i++) operation_release(&list->items[i]);
}

static Stream *stream(cudaStream_t handle) { return stream_of(&(Call){.name = "test"}, handle); }

static void submit(OperationList *list, uint32_t i, cudaStream_t handle,
                   const EngineOp *after_these, int n)
{
    Call call;
    ck_assert(call_enter(&call, "submit", (ThreelaneSite){NULL, 0}, 0));
    ck_assert_int_eq(operation_submit(&call, stream(handle), &list->items[i], after_these, n),
                     cudaSuccess);
    ck_assert_uint_ne(call.op, 0);
    call_leave(&call);
}

static void kept_twice(void)
{
    OperationList list = {.keeper = {keep}};
    prepare();
    before(7); /* nothing of what is there when they are asked for matters */
    stream(work.stream)->keeper = &list.keeper;
    ask();
    stream(work.stream)->keeper = NULL;
    ck_assert_uint_eq(list.n, 6);
    ck_assert_int_eq(left->closures, 1);
    for (int round = 0; round < 2; round++) {
        before(round);
        for (uint32_t i = 0; i < list.n; i++) submit(&list, i, work.stream, NULL, 0);
        after(round);
    }
    ck_assert_int_eq(left->closures, 1); /* what is kept keeps its arguments */
    operation_list_free(&list);
}

static void same_operation(const Trace *a, const Trace *b, uint32_t id)
{
    const TraceOp *x = &a->ops[id], *y = &b->ops[id];
    ck_assert_int_eq(x->kind, y->kind);
    ck_assert_str_eq(x->name, y->name);
    ck_assert_uint_eq(x->stream, y->stream);
    ck_assert_uint_eq(x->engine, y->engine);
    ck_assert_int_eq(x->from, y->from);
    ck_assert_int_eq(x->to, y->to);
    ck_assert_uint_eq(x->bytes, y->bytes);
    ck_assert_uint_eq(x->issued_ns, y->issued_ns);
    ck_assert_uint_eq(x->start_ns, y->start_ns);
    ck_assert_uint_eq(x->end_ns, y->end_ns);
    ck_assert_mem_eq(&x->grid, &y->grid, sizeof x->grid);
    ck_assert_mem_eq(&x->block, &y->block, sizeof x->block);
    ck_assert_uint_eq(x->n_uses, y->n_uses);
    for (uint32_t i = 0; i < x->n_uses; i++) {
        const TraceUse *u = &a->uses[x->first_use + i], *v = &b->uses[y->first_use + i];
        ck_assert(u->write == v->write && u->alloc == v->alloc && u->offset == v->offset &&
                  u->bytes == v->bytes);
    }
    ck_assert_uint_eq(x->n_causes, y->n_causes);
    for (uint32_t i = 0; i < x->n_causes; i++) {
        const TraceCause *u = &a->causes[x->first_cause + i], *v = &b->causes[y->first_cause + i];
        ck_assert(u->kind == v->kind && u->by_op == v->by_op && u->until_ns == v->until_ns);
    }
}

START_TEST(a_kept_list_is_the_calls_once_more)
{
    Trace *called = run(calls_twice);
    Left by_calls = *left;
    munmap(left, sizeof *left);
    Trace *kept = run(kept_twice);

    ck_assert_msg(by_calls.status == 0 && left->status == 0, "%s%s", by_calls.stderr_text,
                  left->stderr_text);
    ck_assert_int_eq(by_calls.closures, 0);
    ck_assert_int_eq(left->closures, 0);
    ck_assert_int_eq(by_calls.functions, 2);
    ck_assert_int_eq(left->functions, 2);
    ck_assert_int_eq(left->small[1], 78 + 1000);
    ck_assert_int_eq(left->result[1][N - 1], 10000 + N - 1 + 1000);
    ck_assert_int_eq(left->result[1][9], 0);
    ck_assert_mem_eq(by_calls.result, left->result, sizeof left->result);

    ck_assert_uint_eq(called->n_ops, 12);
    ck_assert_uint_eq(kept->n_ops, 12);
    for (uint32_t id = 1; id <= 12; id++) same_operation(called, kept, id);
    trace_free(called);
    finish(kept);
}
END_TEST

/* ---- dependencies that are given, not those of a stream ---- */

static void two_streams(bool with_dependency)
{
    OperationList list = {.keeper = {keep}};
    cudaStream_t other;
    __tsan_init(); /* the checker looks at programs that tell it of their accesses */
    prepare();
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    stream(other)->keeper = &list.keeper;
    cudaMemcpyAsync(work.device, work.from, BYTES, cudaMemcpyHostToDevice, other);
    add_to(other, work.device, 1);
    stream(other)->keeper = NULL;

    Call call;
    ck_assert(call_enter(&call, "submit", (ThreelaneSite){NULL, 0}, 0));
    ck_assert_int_eq(operation_submit(&call, stream(work.stream), &list.items[0], NULL, 0),
                     cudaSuccess);
    EngineOp first = call.op;
    call_leave(&call);
    submit(&list, 1, other, with_dependency ? &first : NULL, with_dependency);
    cudaDeviceSynchronize();
    operation_list_free(&list);
}

static void in_order(void) { two_streams(true); }
static void in_no_order(void) { two_streams(false); }

START_TEST(an_operation_comes_after_what_it_is_given)
{
    Trace *ordered = run(in_order);
    ck_assert_msg(left->status == 0, "%s", left->stderr_text);
    ck_assert_uint_eq(ordered->ops[1].end_ns, UNIT);
    ck_assert_uint_eq(ordered->ops[2].start_ns, UNIT);
    ck_assert_uint_eq(ordered->ops[2].n_causes, 1);
    ck_assert_int_eq(ordered->causes[ordered->ops[2].first_cause].kind, TRACE_BY_EVENT);
    ck_assert_uint_eq(ordered->causes[ordered->ops[2].first_cause].by_op, 1);
    ck_assert_uint_eq(ordered->n_hazards, 0);
    finish(ordered);

    Trace *free = run(in_no_order);
    ck_assert_uint_eq(free->ops[2].start_ns, 0);
    ck_assert_uint_eq(free->n_hazards, 1);
    ck_assert_str_eq(free->hazards[1].kind, "race");
    finish(free);
}
END_TEST

/* ---- what cannot happen twice ---- */

START_TEST(a_free_cannot_be_kept)
{
    Operation copy, frees = {.kind = TRACE_FREE}, waits = {.kind = TRACE_WAIT};
    ck_assert(!operation_keep(&copy, &frees));
    ck_assert(operation_keep(&copy, &waits) && copy.kept && waits.kept);
}
END_TEST

/* ---- handles ---- */

static void pool_for_event(void)
{
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaEventSynchronize((cudaEvent_t)pool);
}

static void event_for_pool(void)
{
    cudaEvent_t event;
    uint64_t used;
    cudaEventCreate(&event);
    left->functions =
        cudaMemPoolGetAttribute((cudaMemPool_t)event, cudaMemPoolAttrUsedMemCurrent, &used);
    cudaMemPool_t pool, again;
    cudaDeviceGetMemPool(&pool, 0);
    cudaDeviceGetDefaultMemPool(&again, 0);
    left->closures = pool == again && cudaMemPoolTrimTo(pool, 0) == cudaSuccess;
    cudaEventDestroy(event);
    cudaEventQuery((cudaEvent_t)((uintptr_t)event + 8));
}

START_TEST(a_handle_of_another_kind_is_named)
{
    Trace *trace = run(pool_for_event);
    ck_assert_int_eq(left->status, HOST_STATUS_MISUSE);
    ck_assert_ptr_nonnull(strstr(left->stderr_text, " is a memory pool, not an event"));
    finish(trace);
    trace = run(event_for_pool);
    ck_assert_int_eq(left->functions, cudaErrorInvalidValue);
    ck_assert_int_eq(left->closures, 1);
    ck_assert_int_eq(left->status, HOST_STATUS_MISUSE);
    ck_assert_ptr_nonnull(strstr(left->stderr_text, " is not an event: was it ever created?"));
    finish(trace);
}
END_TEST

CASES("operation")
