/* The runtime's trace: what programs of a few calls leave behind, on the textbook model. Each
 * program runs in a process of its own, as real ones do; the conformance programs are the proof of
 * the calls' behaviour. */
#include "sim/include/cuda_runtime_api.h"
#include "sim/include/nvtx3/nvToolsExt.h"
#include "sim/host/host.h"
#include "timeline/trace/trace.h"
#include "tests/unit/cases.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { UNIT = 1000000, BYTES = 1 << 20 };

static int status;

/* Runs program in a child with its trace on; returns the trace. */
static Trace *run(void (*program)(void))
{
    char path[] = "/tmp/threelane-test-XXXXXX", error[256];
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        setenv("THREELANE_TRACE", path, 1);
        setenv("THREELANE_MODEL", "unit", 1);
        unsetenv("THREELANE_SEED");
        program();
        exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    Trace *trace = trace_read(path, error, sizeof error);
    unlink(path);
    ck_assert_msg(trace != NULL, "%s", error);
    ck_assert_uint_eq(trace->skipped_lines, 0);
    ck_assert(trace->ended);
    return trace;
}

static const TraceCause *last_cause(const Trace *trace, uint32_t op)
{
    ck_assert_uint_gt(trace->ops[op].n_causes, 0);
    return &trace->causes[trace->ops[op].first_cause + trace->ops[op].n_causes - 1];
}

/* ---- a batch ---- */

static void batch(void)
{
    char *d, *h;
    cudaStream_t s;
    char line[16];
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMalloc((void **)&d, BYTES);
    cudaMallocHost((void **)&h, BYTES);
    nvtxRangePushA("batch");
    snprintf(line, sizeof line, "%d", __LINE__ + 1);
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s);
    cudaMemsetAsync(d + 16, 0, 16, s);
    cudaMemcpyAsync(h, d, BYTES / 2, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    nvtxRangePop();
    nvtxMarkA(line);
    nvtxNameCudaStreamA(s, "mine");
    cudaFree(d);
    cudaFreeHost(h);
    cudaStreamDestroy(s);
}

START_TEST(a_batch_is_told_whole)
{
    Trace *t = run(batch);
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    ck_assert_str_eq(trace_meta(t, "backend"), "sim");
    ck_assert_str_eq(trace_meta(t, "model"), "unit");
    ck_assert_str_eq(trace_meta(t, "exact"), "1");
    ck_assert_str_eq(trace_meta(t, "seed"), "0");
    ck_assert_uint_eq(trace_unit_ns(t), UNIT);
    ck_assert_uint_eq(t->n_devices, 1);
    ck_assert_uint_eq(t->n_ops, 3);
    const TraceOpKind kinds[] = {TRACE_H2D, TRACE_MEMSET, TRACE_D2H};
    for (uint32_t i = 1; i <= 3; i++) {
        const TraceOp *op = &t->ops[i];
        ck_assert_int_eq(op->kind, kinds[i - 1]);
        ck_assert_uint_eq(op->issued_ns, 0);
        ck_assert_uint_eq(op->start_ns, (i - 1) * UNIT);
        ck_assert_uint_eq(op->end_ns, i * UNIT);
        ck_assert_int_eq(t->streams[op->stream].flavour, TRACE_STREAM_NONBLOCKING);
        ck_assert_uint_eq(op->device, 1);
    }
    ck_assert_int_eq(t->engines[t->ops[1].engine].class_, TRACE_ENGINE_H2D);
    ck_assert_int_eq(t->engines[t->ops[2].engine].class_, TRACE_ENGINE_COMPUTE);
    ck_assert_int_eq(t->engines[t->ops[3].engine].class_, TRACE_ENGINE_D2H);
    ck_assert_int_eq(t->ops[1].from, TRACE_MEM_PINNED);
    ck_assert_int_eq(t->ops[1].to, TRACE_MEM_DEVICE);
    ck_assert_uint_eq(t->ops[3].bytes, BYTES / 2);
    ck_assert_int_eq(last_cause(t, 2)->kind, TRACE_BY_STREAM);
    ck_assert_uint_eq(last_cause(t, 2)->by_op, 1);
    ck_assert_uint_eq(last_cause(t, 2)->until_ns, UNIT);

    const TraceCall *call = &t->calls[t->ops[1].call];
    ck_assert_str_eq(call->name, "cudaMemcpyAsync");
    ck_assert_uint_eq(t->n_marks, 1);
    ck_assert_int_eq((int)call->site.line, atoi(t->marks[1].name));
    ck_assert_ptr_nonnull(strstr(call->site.file, "test_runtime.c"));
    ck_assert_int_eq(call->result, 0);

    ck_assert_uint_eq(t->n_allocs, 2);
    ck_assert_int_eq(t->allocs[1].kind, TRACE_MEM_DEVICE);
    ck_assert_int_eq(t->allocs[2].kind, TRACE_MEM_PINNED);
    ck_assert_uint_eq(t->allocs[1].bytes, BYTES);
    ck_assert_str_eq(t->calls[t->allocs[1].free_call].name, "cudaFree");
    ck_assert_str_eq(t->calls[t->allocs[2].free_call].name, "cudaFreeHost");
    const TraceUse *set = &t->uses[t->ops[2].first_use];
    ck_assert_uint_eq(t->ops[2].n_uses, 1);
    ck_assert(set->write);
    ck_assert_uint_eq(set->alloc, 1);
    ck_assert_uint_eq(set->offset, 16);
    ck_assert_uint_eq(set->bytes, 16);

    ck_assert_uint_eq(t->n_ranges, 1);
    ck_assert_str_eq(t->ranges[1].name, "batch");
    ck_assert_uint_eq(t->ranges[1].start_ns, 0);
    ck_assert_uint_eq(t->ranges[1].end_ns, 3 * UNIT);
    ck_assert_str_eq(t->streams[t->ops[1].stream].name, "mine");
    ck_assert_uint_ne(t->streams[t->ops[1].stream].destroyed_ns, TRACE_OPEN_NS);
    trace_free(t);
}
END_TEST

/* ---- events ---- */

static void two_streams(void)
{
    char *d;
    cudaStream_t s, q;
    cudaEvent_t e;
    cudaMalloc((void **)&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&q);
    cudaEventCreate(&e);
    cudaMemsetAsync(d, 0, 16, s);                                /* 1 */
    cudaEventRecord(e, s);                                       /* 2 */
    cudaStreamWaitEvent(q, e, 0);                                /* 3 */
    cudaMemcpyAsync(d, d + 64, 16, cudaMemcpyDeviceToDevice, q); /* 4 */
    cudaEventSynchronize(e);
    cudaDeviceSynchronize();
    cudaEventDestroy(e);
}

START_TEST(an_event_is_a_cause)
{
    Trace *t = run(two_streams);
    ck_assert_uint_eq(t->n_events, 1);
    ck_assert_str_eq(t->calls[t->events[1].end_call].name, "cudaEventDestroy");
    ck_assert_uint_eq(t->n_ops, 4);
    ck_assert_int_eq(t->ops[2].kind, TRACE_RECORD);
    ck_assert_uint_eq(t->ops[2].event, 1);
    ck_assert_int_eq(t->ops[3].kind, TRACE_WAIT);
    ck_assert_uint_eq(t->ops[3].event, 1);
    ck_assert_uint_eq(t->ops[2].end_ns, UNIT);
    ck_assert_uint_eq(t->ops[4].start_ns, UNIT);
    bool by_event = false;
    for (uint32_t op = 3; op <= 4; op++)
        for (uint32_t i = 0; i < t->ops[op].n_causes; i++)
            by_event = by_event || t->causes[t->ops[op].first_cause + i].kind == TRACE_BY_EVENT;
    ck_assert(by_event);
    trace_free(t);
}
END_TEST

/* ---- host functions ---- */

static void CUDART_CB set_flag(void *flag) { *(int *)flag = 1; }

static void host_function(void)
{
    static int flag;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaLaunchHostFunc(s, set_flag, &flag);
    cudaStreamSynchronize(s);
    exit(flag ? 0 : 4);
}

START_TEST(a_host_function_runs_on_the_drivers_thread)
{
    Trace *t = run(host_function);
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    ck_assert_uint_eq(t->n_ops, 1);
    ck_assert_int_eq(t->ops[1].kind, TRACE_HOSTFN);
    ck_assert_int_eq(t->engines[t->ops[1].engine].class_, TRACE_ENGINE_HOST);
    bool driver = false;
    for (uint32_t i = 1; i <= t->n_threads; i++)
        driver = driver || t->threads[i].role == TRACE_THREAD_DRIVER;
    ck_assert(driver);
    trace_free(t);
}
END_TEST

/* ---- what goes wrong ---- */

static void error_results(void)
{
    char *d;
    cudaStream_t s;
    cudaMalloc((void **)&d, 16);
    cudaStreamCreate(&s);
    cudaMemsetAsync(d, 0, 17, s);
    cudaMemsetAsync(d, 0, 16, s);
    cudaStreamQuery(s);
}

START_TEST(results_of_calls_are_kept)
{
    Trace *t = run(error_results);
    ck_assert_uint_eq(t->n_ops, 1);
    ck_assert_int_eq(t->calls[3].result, cudaErrorInvalidValue);
    ck_assert_int_eq(t->calls[4].result, cudaSuccess);
    ck_assert_int_eq(t->calls[5].result, cudaErrorNotReady);
    trace_free(t);
}
END_TEST

static void misuse(void)
{
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaStreamDestroy(s);
    cudaStreamSynchronize(s);
}

START_TEST(misuse_ends_the_program_and_is_noted)
{
    Trace *t = run(misuse);
    ck_assert_int_eq(WEXITSTATUS(status), HOST_STATUS_MISUSE);
    ck_assert_int_eq(t->exit_status, HOST_STATUS_MISUSE);
    ck_assert_uint_eq(t->n_notes, 1);
    ck_assert_int_eq(t->notes[1].severity, TRACE_ERROR);
    ck_assert_ptr_nonnull(strstr(t->notes[1].text, "the stream was destroyed at"));
    trace_free(t);
}
END_TEST

/* ---- determinism: the program's own memory lies elsewhere in every run ---- */

static void pageable(void)
{
    char *d, *p = malloc(BYTES), *q = malloc(BYTES);
    cudaMalloc((void **)&d, BYTES);
    cudaMemcpy(d, p + 100, 16, cudaMemcpyHostToDevice);
    cudaMemcpy(d, q, BYTES, cudaMemcpyHostToDevice);
    cudaMemcpy(q + 8, d, 16, cudaMemcpyDeviceToHost);
}

START_TEST(pageable_addresses_are_numbers_of_ours)
{
    Trace *t = run(pageable);
    uint64_t at[3];
    for (uint32_t op = 1; op <= 3; op++) {
        const TraceUse *use = &t->uses[t->ops[op].first_use + (op == 3)];
        ck_assert_uint_eq(use->alloc, 0);
        at[op - 1] = use->offset;
    }
    ck_assert_uint_eq(at[0], (uint64_t)1 << 40);
    ck_assert_uint_eq(at[1], (uint64_t)2 << 40);
    ck_assert_uint_eq(at[2], at[1] + 8);
    trace_free(t);
}
END_TEST

/* ---- an end while the device works: the checker follows it in another process, which closes the
 * trace ---- */

void __tsan_init(void);

/* ---- what profilers are told, in every form ---- */

static void told_in_all_forms(void)
{
    cudaStream_t s;
    cudaEvent_t e;
    nvtxEventAttributes_t ascii = {.messageType = NVTX_MESSAGE_TYPE_ASCII,
                                   .message = {.ascii = "ascii"}},
                          wide = {.messageType = NVTX_MESSAGE_TYPE_UNICODE,
                                  .message = {.unicode = L"gr\u00fcn"}},
                          none = {.messageType = 0};
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    nvtxDomainHandle_t domain = nvtxDomainCreateA("mine");
    nvtxEventAttributes_t registered = {.messageType = NVTX_MESSAGE_TYPE_REGISTERED,
                                        .message = {.registered =
                                                        nvtxDomainRegisterStringA(domain, "kept")}};
    nvtxInitialize(NULL);
    nvtxNameCategoryA(1, "category");
    nvtxDomainNameCategoryA(domain, 1, "category");
    nvtxNameOsThreadA(0, "the thread");
    nvtxNameCudaDeviceA(0, "the device");
    nvtxNameCudaDeviceA(9, "no device");
    nvtxNameCudaStreamA(s, "the stream");
    nvtxNameCudaEventA(e, "the event");

    status = nvtxRangePushA("a") == 0 && nvtxRangePushW(L"\u20ac\U0001d11e") == 1 &&
             nvtxRangePushEx(&ascii) == 2 && nvtxDomainRangePushEx(domain, &wide) == 3 &&
             nvtxRangePushEx(&registered) == 4 && nvtxRangePushEx(&none) == 5 &&
             nvtxRangePushEx(NULL) == 6 && nvtxRangePushA(NULL) == 7;
    for (int depth = 7; depth >= 0; depth--)
        status = status && (depth % 2 ? nvtxRangePop() : nvtxDomainRangePop(domain)) == depth;
    status = status && nvtxRangePop() == -2;
    nvtxRangeId_t one = nvtxRangeStartA("b"), two = nvtxRangeStartW(L"c"),
                  three = nvtxRangeStartEx(&ascii),
                  four = nvtxDomainRangeStartEx(domain, &registered);
    nvtxRangeEnd(two);
    nvtxDomainRangeEnd(domain, one);
    nvtxRangeEnd(four);
    (void)three; /* never ends */
    nvtxMarkA("d");
    nvtxMarkW(L"\u00e4");
    nvtxMarkEx(&ascii);
    nvtxDomainMarkEx(domain, &registered);
    nvtxDomainDestroy(domain);
    exit(status ? 0 : 3);
}

START_TEST(profilers_are_told_in_all_forms)
{
    static const char *const ranges[] = {"a",     "\u20ac\U0001d11e",
                                         "ascii", "gr\u00fcn",
                                         "kept",  "",
                                         "",      "",
                                         "b",     "c",
                                         "ascii", "kept"},
                             *const marks[] = {"d", "\u00e4", "ascii", "kept"};
    Trace *t = run(told_in_all_forms);
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    ck_assert_uint_eq(t->n_ranges, sizeof ranges / sizeof *ranges);
    for (uint32_t i = 0; i < t->n_ranges; i++) {
        ck_assert_str_eq(t->ranges[i + 1].name, ranges[i]);
        ck_assert_int_eq(t->ranges[i + 1].end_ns == TRACE_OPEN_NS, i == 10);
    }
    ck_assert_uint_eq(t->n_marks, sizeof marks / sizeof *marks);
    for (uint32_t i = 0; i < t->n_marks; i++) ck_assert_str_eq(t->marks[i + 1].name, marks[i]);
    ck_assert_str_eq(t->threads[1].name, "the thread");
    ck_assert_str_eq(t->devices[1].name, "the device");
    ck_assert_str_eq(t->streams[t->n_streams].name, "the stream");
    trace_free(t);
}
END_TEST

static void no_wait(void)
{
    char *d;
    __tsan_init(); /* the program is one that the checker looks at */
    cudaMalloc((void **)&d, BYTES);
    cudaMemsetAsync(d, 0, BYTES, NULL);
}

START_TEST(a_program_that_does_not_wait_leaves_a_whole_trace)
{
    Trace *t = run(no_wait);
    ck_assert_int_eq(t->exit_status, 0);
    ck_assert_uint_eq(t->n_ops, 1);
    ck_assert_uint_eq(t->ops[1].start_ns, 0);
    ck_assert_uint_eq(t->ops[1].end_ns, TRACE_OPEN_NS);
    trace_free(t);
}
END_TEST

CASES("runtime")
