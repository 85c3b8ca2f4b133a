/* test_nsys.c - Nsight Systems databases: there and back again, several versions' columns, and
 * files that lie. The databases are made here, with the tables and columns that the profiler's
 * documentation describes. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/trace_text.h"
#include "timeline/exports/nsys.h"
#include "tests/unit/cases.h"

static char path[64];

static void fresh(void)
{
    strcpy(path, "/tmp/threelane-test-XXXXXX");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void gone(void) { unlink(path); }

#ifdef WITHOUT_SQLITE
START_TEST(says_what_to_install)
{
    char error[300];
    ck_assert(!nsys_available());
    ck_assert_ptr_null(nsys_read(path, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "libsqlite3-dev"));
}
END_TEST
#else
#include <sqlite3.h>

static void make(const char *sql)
{
    sqlite3 *db;
    char *error = NULL;
    unlink(path);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, sql, NULL, NULL, &error);
    ck_assert_msg(!error, "%s", error);
    sqlite3_close(db);
}

static Trace *read_it(void)
{
    char error[400] = "";
    Trace *t = nsys_read(path, error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    ck_assert_msg(t->damaged_line == 0, "line %d of what was written down is damaged",
                  (int)t->damaged_line);
    ck_assert(!t->truncated);
    return t;
}

static void refuse(const char *why)
{
    char error[400] = "";
    Trace *t = nsys_open(path, error, sizeof error);
    ck_assert_msg(t == NULL, "it was read");
    ck_assert_msg(strstr(error, why) != NULL, "'%s' does not say '%s'", error, why);
    ck_assert_ptr_null(strchr(error, '\n'));
}

static void write_it(const Trace *t)
{
    char error[400] = "";
    FILE *out = fopen(path, "w");
    ck_assert_msg(nsys_write(out, t, error, sizeof error) == 0, "%s", error);
    fclose(out);
}

/* How many ops stand before this one, launches of graphs left out. */
static uint32_t without_launches(const Trace *t, uint32_t end)
{
    uint32_t n = end;
    for (uint32_t id = 1; id < end && id <= t->n_ops; id++) n -= t->ops[id].kind == TRACE_GRAPH;
    return n;
}

/* Everything that there is of an op in such a database is the same on both sides. */
static void compare(const Trace *a, const Trace *b)
{
    uint32_t other = 0;
    for (uint32_t id = 1; id <= a->n_ops; id++) {
        const TraceOp *x = &a->ops[id];
        if (x->kind == TRACE_ALLOC || x->kind == TRACE_FREE || x->kind == TRACE_GRAPH) continue;
        if (trace_op_is_work(x) && x->start_ns == TRACE_OPEN_NS) continue;
        if (!trace_op_is_work(x) && !x->event) continue;
        do REQUIRE(++other <= b->n_ops); /* older traces have no launches of graphs */
        while (b->ops[other].kind == TRACE_GRAPH);
        const TraceOp *y = &b->ops[other];
        REQUIRE(x->kind == y->kind);
        REQUIRE(x->call == y->call);
        REQUIRE(x->stream == y->stream);
        if (x->kind == TRACE_KERNEL) {
            ck_assert_str_eq(x->name, y->name);
            REQUIRE(!memcmp(&x->grid, &y->grid, sizeof x->grid) &&
                    !memcmp(&x->block, &y->block, sizeof x->block));
            REQUIRE(x->shared_bytes == y->shared_bytes);
        }
        if (!trace_op_is_work(x)) {
            REQUIRE(x->event == y->event);
            continue;
        }
        REQUIRE(x->start_ns == y->start_ns);
        REQUIRE((x->end_ns == TRACE_OPEN_NS ? a->last_ns : x->end_ns) == y->end_ns);
        if (x->kind <= TRACE_P2P)
            REQUIRE(x->from == y->from && x->to == y->to && x->bytes == y->bytes);
    }
    REQUIRE(other == b->n_ops);
    REQUIRE(a->n_calls == b->n_calls && a->n_ranges == b->n_ranges);
    for (uint32_t id = 1; id <= a->n_calls; id++) {
        ck_assert_str_eq(a->calls[id].name, b->calls[id].name);
        REQUIRE(a->calls[id].start_ns == b->calls[id].start_ns &&
                a->calls[id].end_ns == b->calls[id].end_ns);
        REQUIRE(a->calls[id].result == b->calls[id].result);
    }
    for (uint32_t id = 1; id <= a->n_ranges; id++) {
        ck_assert_str_eq(a->ranges[id].name, b->ranges[id].name);
        REQUIRE(a->ranges[id].start_ns == b->ranges[id].start_ns &&
                a->ranges[id].end_ns == b->ranges[id].end_ns);
        REQUIRE(without_launches(a, a->ranges[id].end_op) ==
                without_launches(b, b->ranges[id].end_op));
    }
    for (uint32_t id = 1; id <= a->n_streams && id <= b->n_streams; id++) {
        REQUIRE(a->streams[id].flavour == b->streams[id].flavour &&
                a->streams[id].priority == b->streams[id].priority);
        ck_assert_str_eq(a->streams[id].name, b->streams[id].name);
    }
}

START_TEST(there_and_back)
{
    static const char *const files[] = {"tests/fixtures/h200/ex43.lane",
                                        "tests/fixtures/h200/multi.lane",
                                        "tests/fixtures/h200/peers.lane"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char error[300];
        Trace *t = trace_read(files[i], error, sizeof error);
        ck_assert_msg(t != NULL, "%s", error);
        write_it(t);
        Trace *back = read_it();
        compare(t, back);
        ck_assert_str_eq(trace_meta(back, "card"), "NVIDIA H200");
        ck_assert_str_eq(trace_meta(back, "backend"), "cuda");
        trace_free(back);
        /* and any file that can be shown gets its reasons */
        back = nsys_open(path, error, sizeof error);
        ck_assert_ptr_nonnull(back);
        ck_assert(back->inferred && back->n_causes > 0);
        trace_free(back);
        trace_free(t);
    }
}
END_TEST

/* The work of a call that launches a graph is that graph's nodes; a graph that was recorded as one
 * piece has none. */
START_TEST(graphs)
{
    char error[400];
    Trace *t = trace_read("tests/fixtures/traces/graph.lane", error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    fresh();
    FILE *out = fopen(path, "wb");
    ck_assert_int_eq(nsys_write(out, t, error, sizeof error), 0);
    fclose(out);
    trace_free(t);
    t = read_it();
    ck_assert_uint_eq(t->n_ops, 11);
    ck_assert_int_eq(t->ops[1].kind, TRACE_GRAPH);
    ck_assert_uint_eq(t->ops[1].start_ns, 0);
    ck_assert_uint_eq(t->ops[1].end_ns, 4000000);
    for (uint32_t id = 2; id <= 7; id++) ck_assert_uint_eq(t->ops[id].launch, 1);
    ck_assert_int_eq(t->ops[8].kind, TRACE_GRAPH);
    ck_assert(t->ops[9].launch == 8 && t->ops[10].launch == 8 && t->ops[11].launch == 0);
    trace_free(t);

    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_exec(
            db,
            "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY;"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, "
            "deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, "
            "globalPid INTEGER);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE SELECT 5,9,0,1,2,correlationId,"
            "globalTid FROM CUPTI_ACTIVITY_KIND_RUNTIME LIMIT 1;",
            NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    t = read_it();
    ck_assert_uint_eq(t->n_ops, 1);
    ck_assert_int_eq(t->ops[1].kind, TRACE_KERNEL);
    trace_free(t);
    gone();
}
END_TEST

START_TEST(every_kind)
{
    Trace *t = trace_of(
        TRACE_HEAD
        "name stream 3 feed\nthread 2 driver driver\nthread 3 host worker\n"
        "call 1 1 cudaA 0 -\nret 1 10 0\nevent 1 1\nevent 2 1\nrange 1 1 5 all\n"
        "call 2 1 cudaB 10 -\nop 1 2 h2d 1 2 10 100 pageable device - - 0 0 -\n" RUN(
            "1", "20", "1",
            "30") "ret 2 30 0\n"
                  "call 3 3 cudaC 11 -\nop 2 3 kernel 1 3 11 0 - - 2,3,4 5,6,7 99 0 "
                  "k<int>(float*)\n" RUN(
                      "2", "20", "2",
                      "31") "ret 3 12 0\ncall 4 1 cudaD 40 -\nop 3 4 record 1 2 40 0 - - - - 0 1 "
                            "-\nret 4 41 0\n"
                            "call 5 1 cudaE 42 -\nop 4 5 wait 1 3 42 0 - - - - 0 1 -\nret 5 43 1\n"
                            "call 6 1 cudaF 44 -\nop 5 6 d2h 1 3 44 7 device registered - - 0 0 "
                            "-\n" RUN(
                                "5", "50", "3",
                                "60") "ret 6 45 0\n"
                                      "call 7 1 cudaG 46 -\nop 6 7 hostfn 1 4 46 0 - - - - 0 0 "
                                      "-\n" RUN(
                                          "6", "60", "4",
                                          "70") "ret 7 47 0\n"
                                                "call 8 1 cudaH 48 -\nop 7 8 memset 1 1 48 5 - "
                                                "device - - 0 0 -\n" RUN(
                                                    "7", "70", "2",
                                                    "75") "ret 8 49 0\n"
                                                          "call 9 1 cudaI 50 -\nop 8 9 d2d 1 2 50 "
                                                          "6 device managed - - 0 0 -\n" RUN(
                                                              "8", "80", "2",
                                                              "85") "ret 9 51 0\n"
                                                                    "call 10 1 cudaJ 52 -\nop 9 10 "
                                                                    "p2p 1 2 52 6 device device - "
                                                                    "- 0 0 -\n" RUN(
                                                                        "9", "90", "2",
                                                                        "95") "ret 10 53 0\n"
                                                                              "call 11 1 cudaK 54 "
                                                                              "-\nop 10 11 h2h 1 2 "
                                                                              "54 6 pinned "
                                                                              "pageable - - 0 0 "
                                                                              "-\n" RUN(
                                                                                  "10", "95", "2",
                                                                                  "99") "ret 11 55 "
                                                                                        "0\nrangeen"
                                                                                        "d 1 "
                                                                                        "60\nrange "
                                                                                        "2 3 70 "
                                                                                        "here~and~"
                                                                                        "\\x22there"
                                                                                        "\\x22\nmar"
                                                                                        "k 1 77 "
                                                                                        "now\nrange"
                                                                                        "end 2 "
                                                                                        "71\nexit "
                                                                                        "100 0\n");
    /* a registered buffer comes back as what the profiler calls it: pinned */
    t->ops[5].to = TRACE_MEM_PINNED;
    write_it(t);
    Trace *back = read_it();
    compare(t, back);
    ck_assert_uint_eq(back->n_marks, 1);
    ck_assert_str_eq(back->marks[1].name, "now");
    ck_assert_str_eq(trace_unit_name(back), "unit");
    trace_free(back);
    /* names that no file may hold as they are */
    trace_free(t);
    t = trace_of(TRACE_HEAD OP("1", "kernel", "2", "'~;DROP~TABLE~StringIds;--\\x1b[2J\xff")
                     RUN("1", "1", "2", "5"));
    write_it(t);
    back = read_it();
    ck_assert_str_eq(back->ops[1].name, "' ;DROP TABLE StringIds;--?[2J?");
    trace_free(back);
    trace_free(t);
}
END_TEST

/* clang-format off */
#define GLOBAL(thread) "((4711 << 24) | (1 << 56) | " thread ")"

/* A recent version: text ids everywhere, context info, typed streams, and the host's function
 * table. */
START_TEST(recent_columns)
{
    make("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
         "INSERT INTO StringIds VALUES (1,'cudaLaunchKernel_v7000'),(2,'work'),(3,'work(float *)'),(4,'pipe'),"
         "(5,'cudaMemcpyAsync_ptsz_v7000'),(6,'cudaStreamWaitEvent_v3020'),(7,'feeder'),(8,'cudaEventRecord_v3020');"
         "CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);"
         "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_NAME','NVIDIA Nsight Systems'),"
         "('EXPORT_SCHEMA_VERSION','3.24.14');"
         "CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT, cuDevice INTEGER);"
         "INSERT INTO TARGET_INFO_GPU VALUES (0,0,'Other',1),(0,3,'NVIDIA L4',0);"
         "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL);"
         "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (3,0,4711);"
         "CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);"
         "INSERT INTO PROCESSES VALUES (" GLOBAL("0") ",4711,'/home/x/pipe');"
         "CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);"
         "INSERT INTO ThreadNames VALUES (7,20," GLOBAL("4720") ");"
         "CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (nullStreamId INTEGER NOT NULL, hwId INTEGER, vmId INTEGER,"
         " processId INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL);"
         "INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO VALUES (7,0,0,4711,0,1);"
         "CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER NOT NULL, hwId INTEGER, vmId INTEGER,"
         " processId INTEGER NOT NULL, contextId INTEGER NOT NULL, priority INTEGER NOT NULL, flag INTEGER NOT NULL);"
         "INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (7,0,0,4711,1,0,3),(13,0,0,4711,1,-5,2),(14,0,0,4711,1,0,1);"
         "CREATE TABLE TARGET_INFO_NVTX_CUDA_STREAM (name TEXT, hwId INTEGER, vmId INTEGER, processId INTEGER,"
         " deviceId INTEGER, contextId INTEGER, streamId INTEGER);"
         "INSERT INTO TARGET_INFO_NVTX_CUDA_STREAM VALUES ('copies',0,0,4711,0,1,13);"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER,"
         " globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL,"
         " callchainId INTEGER);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES "
         "(5000000300,5000000310,0," GLOBAL("4711") ",12,6,0,NULL),"
         "(5000000100,5000000110,0," GLOBAL("4711") ",10,5,0,NULL),"
         "(5000000400,5000000410,0," GLOBAL("4720") ",13,1,0,NULL),"
         "(5000000200,5000000210,0," GLOBAL("4711") ",11,8,0,NULL);"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER,"
         " contextId INTEGER, greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,"
         " demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, gridX INTEGER,"
         " gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER,"
         " dynamicSharedMemory INTEGER, tensorSizeMinusOneElements TEXT NOT NULL);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5000002000,5000003000,0,1,NULL,14,13," GLOBAL("0")
         ",3,2,3,64,1,1,256,1,1,100,28,'');"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER,"
         " contextId INTEGER, greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,"
         " bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (5000001000,5000002000,0,1,NULL,13,10," GLOBAL("0")
         ",4096,1,1,2);"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (timestamp INTEGER, deviceId INTEGER, contextId INTEGER,"
         " streamId INTEGER, correlationId INTEGER, globalPid INTEGER, eventId INTEGER NOT NULL, eventSyncId INTEGER);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (0,0,1,13,11," GLOBAL("0") ",42,1);"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL, end INTEGER NOT NULL,"
         " deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,"
         " deprecatedSyncType INTEGER, syncType INTEGER NOT NULL, eventId INTEGER NOT NULL);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (5000000301,5000000305,0,1,14,12," GLOBAL("0")
         ",NULL,2,42);"
         "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT,"
         " globalTid INTEGER, textId INTEGER, domainId INTEGER);"
         "INSERT INTO NVTX_EVENTS VALUES (5000000050,5000003500,59,NULL," GLOBAL("4711") ",4,0),"
         "(5000000060,NULL,75,'a domain'," GLOBAL("4711") ",NULL,1),(5000000070,NULL,34,'tick'," GLOBAL("4711")
         ",NULL,0);");
    Trace *t = read_it();
    ck_assert_str_eq(trace_meta(t, "program"), "pipe");
    ck_assert_str_eq(trace_meta(t, "card"), "NVIDIA L4");
    ck_assert_uint_eq(t->n_calls, 4);
    ck_assert_str_eq(t->calls[1].name, "cudaMemcpyAsync");
    ck_assert_str_eq(t->calls[4].name, "cudaLaunchKernel");
    ck_assert_uint_eq(t->n_threads, 2);
    ck_assert_int_eq(t->threads[t->calls[1].thread].role, TRACE_THREAD_MAIN);
    ck_assert_str_eq(t->threads[t->calls[4].thread].name, "feeder");
    ck_assert_uint_eq(t->n_ops, 4);
    const TraceOp *copy = &t->ops[1], *record = &t->ops[2], *wait = &t->ops[3], *kernel = &t->ops[4];
    ck_assert_int_eq(copy->kind, TRACE_H2D);
    ck_assert_int_eq(copy->from, TRACE_MEM_PINNED);
    ck_assert_uint_eq(copy->start_ns, 950);       /* the clock starts where the first range does */
    ck_assert_uint_eq(copy->issued_ns, 50);
    ck_assert_uint_eq(copy->bytes, 4096);
    ck_assert_int_eq(record->kind, TRACE_RECORD);
    ck_assert_int_eq(wait->kind, TRACE_WAIT);
    ck_assert(wait->event && wait->event == record->event);
    ck_assert_int_eq(kernel->kind, TRACE_KERNEL);
    ck_assert_str_eq(kernel->name, "work");
    ck_assert_uint_eq(kernel->grid.x, 64);
    ck_assert_uint_eq(kernel->shared_bytes, 128);
    ck_assert_int_eq(t->streams[copy->stream].flavour, TRACE_STREAM_NONBLOCKING);
    ck_assert_int_eq(t->streams[copy->stream].priority, -5);
    ck_assert_str_eq(t->streams[copy->stream].name, "copies");
    ck_assert_int_eq(t->streams[kernel->stream].flavour, TRACE_STREAM_BLOCKING);
    ck_assert_int_eq(t->streams[1].flavour, TRACE_STREAM_LEGACY);
    ck_assert_uint_eq(t->n_ranges, 1);
    ck_assert_str_eq(t->ranges[1].name, "pipe");
    ck_assert_uint_eq(t->n_marks, 1);
    trace_free(t);
    char error[300];
    t = nsys_open(path, error, sizeof error);
    ck_assert_ptr_nonnull(t);
    const TraceOp *op = &t->ops[4];
    ck_assert_uint_gt(op->n_causes, 0);
    ck_assert_int_eq(t->causes[op->first_cause + op->n_causes - 1].kind, TRACE_BY_EVENT);
    trace_free(t);
}
/* clang-format on */
END_TEST

/* An early version: no globalPid, no memory kinds, NVTX as text, a table of null streams, no
 * events. */
START_TEST(early_columns)
{
    make("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
         "INSERT INTO StringIds VALUES (1,'cudaMemcpy'),(2,'saxpy');"
         "CREATE TABLE TARGET_INFO_CUDA_NULL_STREAM (streamId INT NOT NULL, hwId INT, vmId INT, "
         "processId INT NOT NULL,"
         " contextId INT NOT NULL);"
         "INSERT INTO TARGET_INFO_CUDA_NULL_STREAM VALUES (9,0,0,88,1);"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT NOT NULL, end INT NOT NULL, "
         "globalTid INT NOT NULL,"
         " correlationId INT NOT NULL, nameId INT NOT NULL, returnValue INT NOT NULL);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100,400,(88 << 24) | 88,1,1,0);"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT NOT NULL, end INT NOT NULL, deviceId "
         "INT NOT NULL,"
         " contextId INT NOT NULL, streamId INT NOT NULL, correlationId INT NOT NULL, bytes INT "
         "NOT NULL,"
         " copyKind INT NOT NULL);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (200,300,0,1,9,1,64,2);"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT NOT NULL, end INT NOT NULL, deviceId "
         "INT NOT NULL,"
         " contextId INT NOT NULL, streamId INT NOT NULL, correlationId INT NOT NULL, "
         "demangledName INT NOT NULL);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (500,600,0,1,12,77,2);"
         "CREATE TABLE NVTX_EVENTS (start INT NOT NULL, end INT, text TEXT, globalTid INT);"
         "INSERT INTO NVTX_EVENTS VALUES (90,700,'main loop',(88 << 24) | 88);");
    Trace *t = read_it();
    ck_assert_uint_eq(t->n_ops, 2);
    ck_assert_int_eq(t->ops[1].kind, TRACE_D2H);
    ck_assert_uint_eq(t->ops[1].call, 1);
    ck_assert_int_eq(t->streams[t->ops[1].stream].flavour, TRACE_STREAM_LEGACY);
    ck_assert_str_eq(t->ops[2].name, "saxpy");
    ck_assert_uint_eq(t->ops[2].call, 0); /* its call was not recorded */
    ck_assert_uint_eq(t->ops[2].issued_ns, 410);
    ck_assert_str_eq(t->ranges[1].name, "main loop");
    ck_assert_uint_eq(t->ranges[1].end_op, 3);
    trace_free(t);
    make("CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, text TEXT); INSERT INTO "
         "NVTX_EVENTS VALUES (1,9,'x');");
    t = read_it();
    ck_assert_uint_eq(t->n_ranges, 1);
    trace_free(t);
}
END_TEST

START_TEST(files_that_lie)
{
    char error[300];
    make("CREATE TABLE somebody_elses (x)");
    refuse("no CUDA work");
    /* a view, even one without end, is no table */
    make("CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE c(start) AS (SELECT 1 UNION ALL "
         "SELECT start+1 FROM c)"
         " SELECT start, start AS end FROM c");
    refuse("no CUDA work");
    /* columns that are no numbers, times that no clock shows, ends before starts, ids of nothing */
    make("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
         "correlationId, globalPid,"
         " shortName, gridX, blockX);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
         "('x','y',0,0,0,0,0,0,0,0),(9223372036854775807,1,0,0,0,0,0,0,0,0),"
         "(-9223372036854775808,-9223372036854775807,0,0,0,0,0,0,0,0),(200,100,-1,x'00ff',"
         "99999999999,-5,-1,777,-3,1e300),"
         "(-500,-400,0,1,2,3,NULL,NULL,5000000000,1);");
    Trace *t = read_it();
    ck_assert_uint_eq(t->n_ops, 2);
    ck_assert_uint_eq(t->ops[1].start_ns, 0);
    ck_assert_uint_eq(t->ops[1].end_ns, 100);
    ck_assert_uint_eq(t->ops[2].start_ns, 700);
    ck_assert_uint_eq(t->ops[2].end_ns, 700);
    trace_free(t);
    /* every truncation and a byte turned at many places: a line, or a trace; never anything else */
    t = trace_read("tests/fixtures/h200/multi.lane", error, sizeof error);
    ck_assert_ptr_nonnull(t);
    write_it(t);
    trace_free(t);
    static char bytes[1 << 20];
    FILE *file = fopen(path, "r");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    ck_assert(size > 4096 && size < sizeof bytes);
    for (size_t round = 0; round < 120; round++) {
        size_t at = round * 7919 % size, length = round % 3 == 0 ? at : size;
        char kept = bytes[at];
        bytes[at] = (char)(bytes[at] ^ (1 << round % 8) ^ 0x81);
        file = fopen(path, "w");
        REQUIRE(fwrite(bytes, 1, length, file) == length);
        fclose(file);
        bytes[at] = kept;
        error[0] = '\0';
        t = nsys_open(path, error, sizeof error);
        REQUIRE(t || (error[0] && !strchr(error, '\n')));
        trace_free(t);
    }
    /* not a database */
    file = fopen(path, "w");
    fputs("SQLite format 3", file);
    fputc('\0', file);
    for (int i = 0; i < 5000; i++) fputc(i * 7 % 251, file);
    fclose(file);
    refuse(path);
    file = fopen(path, "w");
    fputs("threelane\t1\nexit\t5\t0\n", file);
    fclose(file);
    t = nsys_open(path, error, sizeof error);
    ck_assert_ptr_nonnull(t);
    trace_free(t);
    unlink(path);
    refuse("no such file");
}
END_TEST

START_TEST(full_disk)
{
    Trace *t = trace_of(TRACE_HEAD OP("1", "kernel", "2", "k") RUN("1", "1", "2", "5"));
    char error[300] = "";
    FILE *out = fopen("/dev/full", "w");
    if (out) {
        ck_assert_int_eq(nsys_write(out, t, error, sizeof error), -1);
        ck_assert_ptr_nonnull(strstr(error, "space"));
        fclose(out);
    }
    setenv("TMPDIR", "/nowhere", 1);
    out = fopen(path, "w");
    ck_assert_int_eq(nsys_write(out, t, error, sizeof error), -1);
    ck_assert_ptr_nonnull(strstr(error, "TMPDIR"));
    unsetenv("TMPDIR");
    fclose(out);
    trace_free(t);
}
END_TEST
#endif

CASES("nsys", .before = fresh, .after = gone)
