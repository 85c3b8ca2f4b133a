/* From a program's calls and a device's reports to a trace: order, joins, what comes late, what
 * never comes. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/text.h"
#include "gpu/gpu.h"
#include "gpu/plain_name.h"
#include "gpu/tracer/recorder.h"
#include "tests/unit/cases.h"

#define REQUIRE(condition)                                                   \
    do {                                                                     \
        if (!(condition)) ck_abort_msg("line %d: %s", __LINE__, #condition); \
    } while (0)

static uint64_t now_ns;
static uint64_t tick(void) { return now_ns += 10; }

static char path[64];
static Recorder *recorder;
static TraceWriter *writer;
static uint32_t main_thread;

static void begin(void)
{
    now_ns = 1000;
    snprintf(path, sizeof path, "/tmp/threelane-recorder-XXXXXX");
    writer = trace_write_open(mkstemp(path));
    recorder = recorder_new(tick);
    main_thread = recorder_thread(recorder, TRACE_THREAD_MAIN, "main");
    recorder_device(recorder, 0, "Card");
}

static Trace *end(bool ended)
{
    char error[300];
    recorder_write(recorder, writer, 0, NULL);
    if (ended) recorder_exit(recorder, writer, 3);
    ck_assert_int_eq(trace_write_close(writer), 0);
    recorder_free(recorder);
    Trace *t = trace_read(path, error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    ck_assert_uint_eq(t->skipped_lines, 0);
    unlink(path);
    return t;
}

static RecorderEntry *launch(uint32_t correlation, uint32_t stream, const char *symbol)
{
    RecorderEntry *e = recorder_enter(recorder, RECORDER_OPS, main_thread, "cudaLaunchKernel");
    e->op = TRACE_KERNEL;
    e->expects = true;
    e->context = 1;
    e->stream = stream;
    e->device = 0;
    e->symbol = symbol;
    e->shared_bytes = 48 * correlation;
    recorder_expect(recorder, e, correlation);
    recorder_leave(recorder, e, 0);
    return e;
}

static void ran(uint32_t correlation, uint32_t stream, uint64_t start_ns, uint64_t end_ns)
{
    recorder_work(recorder, &(RecorderWork){.correlation = correlation,
                                            .kind = TRACE_KERNEL,
                                            .context = 1,
                                            .stream = stream,
                                            .start_ns = start_ns,
                                            .end_ns = end_ns,
                                            .name = "_Z4workPf",
                                            .grid = {2, 1, 1},
                                            .block = {64, 1, 1}});
}

START_TEST(out_of_order)
{
    begin();
    recorder_nvtx(recorder, RECORDER_RANGE, main_thread, "all", 7);
    launch(11, 5, "_Z4workPf");
    launch(12, 6, "_Z4workPf");
    ran(12, 6, 2000, 3000);
    ran(11, 5, 2100, 3100);
    recorder_nvtx(recorder, RECORDER_RANGE_END, main_thread, NULL, 7);
    Trace *t = end(true);
    ck_assert_uint_eq(t->n_ops, 2);
    ck_assert_uint_eq(t->ops[1].start_ns, 1090); /* the trace begins where the recording did, at
                                                    1010 */
    ck_assert_uint_eq(t->ops[2].end_ns, 1990);
    ck_assert_uint_eq(t->ops[1].stream, 1);
    ck_assert_uint_eq(t->ops[2].stream, 2);
    ck_assert_str_eq(t->ops[1].name, "work");
    ck_assert_uint_eq(t->ops[1].grid.x, 2);
    ck_assert_str_eq(trace_meta(t, "card"), "Card");
    ck_assert_uint_eq(t->n_ranges, 1);
    ck_assert_uint_eq(t->ranges[1].first_op, 1);
    ck_assert_uint_eq(t->ranges[1].end_op, 3);
    ck_assert(t->ended && t->exit_status == 3);
    trace_free(t);
}
END_TEST

/* The nodes of a graph are told of in any order, some of them late: the launch is over all of them,
 * in the stream that it was launched in, whatever stream the device says. */
START_TEST(launch_of_a_graph)
{
    begin();
    for (int i = 0; i < 2; i++) {
        RecorderEntry *e = recorder_enter(recorder, RECORDER_GRAPH, main_thread, "cudaGraphLaunch");
        e->expects = true;
        e->context = 1;
        e->stream = 5;
        e->device = 0;
        recorder_expect(recorder, e, 11 + (uint32_t)i);
        recorder_leave(recorder, e, i ? 1 : 0); /* the second one failed */
    }
    ran(11, 9, 3000, 4000);
    ran(11, 8, 2000, 3000);
    recorder_write(recorder, writer, 1000000, NULL);
    ran(11, 9, 4000, 5500);
    launch(13, 5, "_Z5afterv");
    ran(13, 5, 6000, 7000);
    Trace *t = end(true);
    ck_assert_uint_eq(t->n_ops, 5);
    ck_assert_int_eq(t->ops[1].kind, TRACE_GRAPH);
    ck_assert_uint_eq(t->ops[1].start_ns, 990);
    ck_assert_uint_eq(t->ops[1].end_ns, 4490);
    ck_assert_uint_eq(t->ops[1].launch, 0);
    for (uint32_t id = 2; id <= 4; id++) {
        ck_assert_int_eq(t->ops[id].kind, TRACE_KERNEL);
        ck_assert_uint_eq(t->ops[id].launch, 1);
        ck_assert_uint_eq(t->ops[id].stream, t->ops[1].stream);
    }
    ck_assert_uint_eq(t->ops[5].launch, 0);
    ck_assert_uint_eq(t->n_streams, 1);
    trace_free(t);
}
END_TEST

static RecorderEntry *call(RecorderWhat what, const char *name, uint64_t handle, uint64_t bytes)
{
    RecorderEntry *e = recorder_enter(recorder, what, main_thread, name);
    e->handle = handle;
    e->bytes = bytes;
    return e;
}

/* Which bytes of which allocation a copy reads and writes: of the one that lived then. */
START_TEST(uses)
{
    begin();
    for (int i = 0; i < 2; i++) {
        RecorderEntry *e = call(RECORDER_ALLOC, "cudaMallocHost", 0x1000, 0x100);
        e->memory = TRACE_MEM_PINNED;
        recorder_leave(recorder, e, 0);
        e = call(RECORDER_OPS, "cudaMemcpyAsync", 0, 0x20);
        e->op = TRACE_H2D;
        e->expects = true;
        e->context = 1;
        e->stream = 5;
        e->from = 0x1010;
        e->to = 0x9000;
        recorder_leave(recorder, e, 0);
        recorder_leave(recorder, call(RECORDER_FREE, "cudaFreeHost", 0x1000, 0), 0);
    }
    RecorderEntry *e = call(RECORDER_ALLOC, "cudaMallocAsync", 0x5000, 0x40);
    e->memory = TRACE_MEM_DEVICE;
    e->context = 1;
    e->stream = 5;
    recorder_leave(recorder, e, 0);
    Trace *t = end(true);
    ck_assert_uint_eq(t->n_ops, 3);
    ck_assert_uint_eq(t->n_uses, 4);
    for (uint32_t op = 1; op <= 2; op++) {
        ck_assert_uint_eq(t->ops[op].n_uses, 2);
        const TraceUse *reads = &t->uses[t->ops[op].first_use], *writes = reads + 1;
        ck_assert(!reads->write && writes->write);
        ck_assert_uint_eq(reads->alloc, op);
        ck_assert_uint_eq(reads->offset, 0x10);
        ck_assert_uint_eq(reads->bytes, 0x20);
        ck_assert_uint_eq(writes->alloc, 0); /* nobody saw it being allocated: by address */
        ck_assert_uint_eq(writes->offset, 0x9000);
    }
    ck_assert_int_eq(t->ops[3].kind, TRACE_ALLOC);
    ck_assert_uint_eq(t->ops[3].bytes, 0x40);
    ck_assert_uint_eq(t->ops[3].stream, t->ops[1].stream);
    trace_free(t);
}
END_TEST

/* A copy between devices lies on the link of its direction. */
START_TEST(links)
{
    begin();
    for (uint32_t i = 0; i < 3; i++) {
        RecorderEntry *e =
            recorder_enter(recorder, RECORDER_OPS, main_thread, "cudaMemcpyPeerAsync");
        e->op = TRACE_P2P;
        e->expects = true;
        e->context = 1;
        e->stream = 7;
        recorder_expect(recorder, e, i + 1);
        recorder_leave(recorder, e, 0);
        recorder_work(recorder, &(RecorderWork){.correlation = i + 1,
                                                .kind = TRACE_P2P,
                                                .context = 1,
                                                .stream = i ? 7 : 99, /* one of the driver's own */
                                                .device = i == 1,
                                                .linked = true,
                                                .to_device = i != 1,
                                                .start_ns = 2000 + 100 * i,
                                                .end_ns = 2050 + 100 * i,
                                                .bytes = 64});
    }
    Trace *t = end(true);
    ck_assert_uint_eq(t->n_ops, 3);
    for (uint32_t i = 1; i <= 3; i++) {
        const TraceEngine *link = &t->engines[t->ops[i].engine];
        ck_assert_int_eq(link->class_, TRACE_ENGINE_LINK);
        ck_assert_uint_eq(link->device, i == 2 ? 2 : 1);
        ck_assert_uint_eq(link->to, i == 2 ? 1 : 2);
        ck_assert_uint_eq(t->ops[i].stream, t->ops[1].stream);
        ck_assert_uint_eq(t->ops[i].bytes, 64);
    }
    ck_assert_uint_eq(t->ops[1].engine, t->ops[3].engine);
    trace_free(t);
}
END_TEST

static void report_half(uint32_t correlation, TraceOpKind kind, uint32_t device, uint64_t start_ns,
                        uint64_t bytes)
{
    recorder_work(recorder, &(RecorderWork){.correlation = correlation,
                                            .kind = kind,
                                            .context = device + 1,
                                            .stream = kind == TRACE_D2H ? 7 : 99,
                                            .device = device,
                                            .on_copy_engine = true,
                                            .from = TRACE_MEM_DEVICE,
                                            .to = TRACE_MEM_DEVICE,
                                            .start_ns = start_ns,
                                            .end_ns = start_ns + 50,
                                            .bytes = bytes});
}

/* A copy between devices without access is reported as two, and is one; from device 1 to device 0,
 * which the program has not used before. Its halves come together, or one after the other. */
START_TEST(through_the_host)
{
    begin();
    for (uint32_t i = 1; i <= 3; i++) {
        RecorderEntry *e =
            recorder_enter(recorder, RECORDER_OPS, main_thread, "cudaMemcpyPeerAsync");
        e->op = TRACE_P2P;
        e->expects = true;
        e->context = 2;
        e->stream = 7;
        e->device = 1;
        e->bytes = 64;
        recorder_expect(recorder, e, i);
        recorder_leave(recorder, e, 0);
        if (i == 3) recorder_write(recorder, writer, 0, NULL); /* its halves come late */
        report_half(i, TRACE_D2H, 1, 2000 + 200 * i, 64);
        if (i == 2) recorder_write(recorder, writer, 0, NULL);
        report_half(i, TRACE_H2D, 0, 2080 + 200 * i, 64);
    }
    Trace *t = end(true);
    ck_assert_uint_eq(t->n_ops, 3);
    ck_assert_uint_eq(t->n_devices, 2);
    for (uint32_t i = 1; i <= 3; i++) {
        const TraceOp *op = &t->ops[i];
        ck_assert_int_eq(op->kind, TRACE_P2P);
        ck_assert_uint_eq(op->end_ns - op->start_ns, 130);
        ck_assert_uint_eq(op->device, 2);
        ck_assert_int_eq(t->engines[op->engine].class_, TRACE_ENGINE_D2H);
        ck_assert_uint_eq(t->engines[op->engine].device, 2);
    }
    trace_free(t);
}
END_TEST

/* Of a large one only the last piece is reported. It began when it was asked for, or when the one
 * before it in the stream had ended; what is reported of a smaller one stays. */
START_TEST(through_the_host_in_pieces)
{
    static const uint64_t large = 1 << 20;
    uint64_t asked[4];
    begin();
    for (uint32_t i = 1; i <= 3; i++) {
        RecorderEntry *e =
            recorder_enter(recorder, RECORDER_OPS, main_thread, "cudaMemcpyPeerAsync");
        e->op = TRACE_P2P;
        e->expects = true;
        e->context = 2;
        e->stream = 7;
        e->device = 1;
        e->bytes = i == 3 ? 64 : large;
        asked[i] = e->start_ns;
        recorder_expect(recorder, e, i);
        recorder_leave(recorder, e, 0);
        report_half(i, TRACE_D2H, 1, 100000 * i, e->bytes);
        report_half(i, TRACE_H2D, 0, 100000 * i + 50, e->bytes);
    }
    Trace *t = end(true);
    ck_assert_uint_eq(t->n_ops, 3);
    ck_assert_uint_eq(t->ops[1].start_ns, t->ops[1].issued_ns);
    ck_assert_uint_eq(t->ops[2].start_ns, t->ops[1].end_ns);
    ck_assert_uint_eq(t->ops[3].end_ns - t->ops[3].start_ns, 100);
    ck_assert_uint_le(asked[1], asked[2]);
    trace_free(t);
}
END_TEST

START_TEST(late_and_never)
{
    begin();
    launch(11, 5, "_Z4workPf");
    launch(12, 5, "_Z4workPf");
    RecorderEntry *failed = recorder_enter(recorder, RECORDER_OPS, main_thread, "cudaLaunchKernel");
    failed->expects = true;
    failed->op = TRACE_KERNEL;
    recorder_expect(recorder, failed, 13);
    recorder_leave(recorder, failed, 9);
    /* nothing reported yet: held back while young, then written without times */
    recorder_write(recorder, writer, 1000000, NULL);
    char error[300];
    Trace *t = trace_read(path, error, sizeof error);
    ck_assert_uint_eq(t->n_calls, 0);
    trace_free(t);
    now_ns += 2000000;
    recorder_write(recorder, writer, 1000000, NULL);
    t = trace_read(path, error, sizeof error);
    ck_assert_uint_eq(t->n_calls, 3);
    ck_assert_uint_eq(t->n_ops, 2); /* what failed asked for nothing */
    ck_assert_uint_eq(t->calls[3].result, 9);
    ck_assert_uint_eq(t->ops[1].start_ns, TRACE_OPEN_NS);
    ck_assert_uint_eq(t->ops[1].shared_bytes, 48 * 11); /* as the call asked */
    trace_free(t);
    ran(11, 5, 5000, 6000); /* late: its times are appended */
    ran(99, 5, 5000, 6000); /* belongs to no call that is call_layouts */
    t = end(false);
    ck_assert_uint_eq(t->n_ops, 3);
    ck_assert_uint_eq(t->ops[1].end_ns, 4990);
    ck_assert_uint_eq(t->ops[2].end_ns, TRACE_OPEN_NS);
    ck_assert_uint_eq(t->ops[3].call, 0);
    ck_assert(t->truncated);
    trace_free(t);
}
END_TEST

START_TEST(objects)
{
    begin();
    RecorderEntry *e =
        recorder_enter(recorder, RECORDER_STREAM_NEW, main_thread, "cudaStreamCreateWithFlags");
    e->context = 1;
    e->stream = 9;
    e->flavour = TRACE_STREAM_NONBLOCKING;
    recorder_leave(recorder, e, 0);
    recorder_name_stream(recorder, 1, 9, "feed");
    e = recorder_enter(recorder, RECORDER_EVENT_NEW, main_thread, "cudaEventCreate");
    e->handle = 0xe0;
    recorder_leave(recorder, e, 0);
    e = recorder_enter(recorder, RECORDER_EVENT_RECORD, main_thread, "cudaEventRecord");
    e->handle = 0xe0;
    e->context = 1;
    e->stream = 9;
    recorder_leave(recorder, e, 0);
    e = recorder_enter(recorder, RECORDER_EVENT_WAIT, main_thread, "cudaStreamWaitEvent");
    e->handle = 0xee; /* made out of sight */
    e->context = 1;
    e->stream = 9;
    recorder_leave(recorder, e, 0);
    e = recorder_enter(recorder, RECORDER_ALLOC, main_thread, "cudaMalloc");
    e->handle = 0xa000;
    e->bytes = 64;
    e->memory = TRACE_MEM_DEVICE;
    recorder_leave(recorder, e, 0);
    e = recorder_enter(recorder, RECORDER_FREE, main_thread, "cudaFree");
    e->handle = 0xa000;
    recorder_leave(recorder, e, 0);
    e = recorder_enter(recorder, RECORDER_STREAM_END, main_thread, "cudaStreamDestroy");
    e->context = 1;
    e->stream = 9;
    recorder_leave(recorder, e, 0);
    recorder_note(recorder, TRACE_WARNING, "something");
    Trace *t = end(true);
    ck_assert_uint_eq(t->n_streams, 1);
    ck_assert_int_eq(t->streams[1].flavour, TRACE_STREAM_NONBLOCKING);
    ck_assert_str_eq(t->streams[1].name, "feed");
    ck_assert_uint_ne(t->streams[1].destroyed_ns, TRACE_OPEN_NS);
    ck_assert_uint_eq(t->n_events, 2);
    ck_assert_int_eq(t->ops[1].kind, TRACE_RECORD);
    ck_assert_uint_eq(t->ops[1].event, 1);
    ck_assert_uint_eq(t->ops[2].event, 2);
    ck_assert_uint_eq(t->allocs[1].address, 0xa000);
    ck_assert_uint_eq(t->allocs[1].free_call, 6);
    ck_assert_str_eq(t->notes[1].text, "something");
    trace_free(t);
}
END_TEST

/* What is given back leaves the others known, in whatever order they were made. */
START_TEST(objects_that_go)
{
    static const uint64_t handles[] = {0xe1, 0xe2, 0xe3}, places[] = {0xa1000, 0xa2000, 0xa3000};
    begin();
    for (int i = 0; i < 3; i++) {
        RecorderEntry *e =
            recorder_enter(recorder, RECORDER_EVENT_NEW, main_thread, "cudaEventCreate");
        e->handle = handles[i];
        recorder_leave(recorder, e, 0);
        e = recorder_enter(recorder, RECORDER_ALLOC, main_thread, "cudaMalloc");
        e->handle = places[i];
        e->bytes = 64;
        e->memory = TRACE_MEM_DEVICE;
        recorder_leave(recorder, e, 0);
    }
    /* the first goes, then the last, then the one between */
    static const int order[] = {0, 2, 1};
    for (int i = 0; i < 3; i++) {
        RecorderEntry *e =
            recorder_enter(recorder, RECORDER_EVENT_END, main_thread, "cudaEventDestroy");
        e->handle = handles[order[i]];
        recorder_leave(recorder, e, 0);
        e = recorder_enter(recorder, RECORDER_FREE, main_thread, "cudaFree");
        e->handle = places[order[i]];
        recorder_leave(recorder, e, 0);
    }
    Trace *t = end(true);
    ck_assert_uint_eq(t->n_events, 3);
    ck_assert_uint_eq(t->n_allocs, 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(t->allocs[i + 1].address, places[i]);
        ck_assert_uint_eq(t->allocs[order[i] + 1].free_call, 8 + 2 * i);
    }
    trace_free(t);
}
END_TEST

/* More than fit into one chunk, written in turns, so that chunks are given back while others
 * fill. */
START_TEST(many)
{
    begin();
    for (uint32_t i = 1; i <= 5000; i++) {
        launch(i, 5, "_Z4workPf");
        if (i % 3) ran(i, 5, now_ns, now_ns + 5);
        if (i % 700 == 0) recorder_write(recorder, writer, 20000, NULL);
    }
    for (uint32_t i = 3; i <= 5000; i += 3) ran(i, 5, now_ns, now_ns + 5);
    Trace *t = end(true);
    ck_assert_uint_eq(t->n_ops, 5000);
    ck_assert_uint_eq(t->n_calls, 5000);
    for (uint32_t i = 1; i <= 5000; i++)
        REQUIRE(t->ops[i].end_ns != TRACE_OPEN_NS && t->ops[i].call == i);
    trace_free(t);
}
END_TEST

START_TEST(names)
{
    static const char *const pairs[][2] = {{"_Z5scalePfi", "scale"},
                                           {"_ZN2ns4gainIfEEvPT_", "gain"},
                                           {"_ZL4tunePKf", "tune"},
                                           {"_ZN12_GLOBAL__N_13fooEPf", "foo"},
                                           {"plain_c", "plain_c"},
                                           {"_Z", "_Z"},
                                           {"_Z999x", "_Z999x"},
                                           {"_ZNK2ns1a4workEv", "work"},
                                           {"gain<float>(float*)", "gain"},
                                           {"ns::inner::gain<ns::half>", "gain"},
                                           {"main", "main"},
                                           {"", ""}};
    char text[64];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_str_eq(plain_name(pairs[i][0], text, sizeof text), pairs[i][1]);
    for (size_t size = 0; size < 8; size++) plain_name("_Z5scalePfi", text, size);
}
END_TEST

static bool this_program(void *address, const char **file, uint64_t *offset)
{
    static char self[4096];
    if (!self[0] && readlink("/proc/self/exe", self, sizeof self - 1) <= 0) return false;
    *file = self;
    *offset = (uint64_t)(uintptr_t)address;
    return true;
}

START_TEST(stacks)
{
    void *first[] = {(void *)0x10, (void *)0x20}, *second[] = {(void *)0x10, (void *)0x30};
    char error[200];
    begin();
    ck_assert_uint_eq(recorder_stack(recorder, first, 2), 1);
    ck_assert_uint_eq(recorder_stack(recorder, second, 2), 2);
    ck_assert_uint_eq(recorder_stack(recorder, first, 2), 1);
    ck_assert_uint_eq(recorder_stack(recorder, first, 0), 0);
    RecorderEntry *e =
        recorder_enter(recorder, RECORDER_CALL, main_thread, "cudaDeviceSynchronize");
    e->stack = 2;
    recorder_leave(recorder, e, 0);
    e = recorder_enter(recorder, RECORDER_CALL, main_thread, "cudaDeviceSynchronize");
    e->stack = 2; /* where it was before: written once */
    recorder_leave(recorder, e, 0);
    recorder_write(recorder, writer, 0, this_program);
    Text written = {0};
    ck_assert_int_eq(text_read_file(&written, path, 1 << 20), 0);
    const char *frame = strstr(text_string(&written), "frame\t2\t");
    ck_assert_ptr_nonnull(frame);
    frame = strstr(frame + 1, "frame\t2\t"); /* of two frames */
    ck_assert(frame && !strstr(frame + 1, "frame\t2\t"));
    text_release(&written);
    Trace *t = trace_read(path, error, sizeof error);
    ck_assert_str_eq(t->calls[1].site.file, "stack#2");
    trace_free(t);
    /* the same through a descriptor, wherever it stands in the file */
    char name[300], copy[400], command[900];
    snprintf(copy, sizeof copy, "%s.copy", path);
    snprintf(command, sizeof command, "cp '%s' '%s'", path, copy);
    ck_assert_int_eq(system(command), 0);
    int fd = open(copy, O_RDWR);
    ck_assert_int_ge(fd, 0);
    lseek(fd, 0, SEEK_END);
    snprintf(name, sizeof name, "fd:%d", fd);
    ck_assert_msg(sites_resolve(name, error, sizeof error), "%s", error);
    close(fd);
    t = trace_read(copy, error, sizeof error);
    ck_assert_msg(t && t->n_calls == 2, "%s", error);
    ck_assert_ptr_null(t->calls[1].site.file);
    trace_free(t);
    unlink(copy);
    ck_assert(!sites_resolve("fd:999", error, sizeof error));
    /* no code is at these addresses: the call keeps its name, and loses the stack */
    ck_assert(sites_resolve(path, error, sizeof error));
    t = end(false);
    ck_assert_ptr_null(t->calls[1].site.file);
    trace_free(t);
    ck_assert(!sites_resolve("/nowhere/at.all", error, sizeof error));
}
END_TEST

CASES("recorder")
