/* The live timeline at a million spans: opening, every key, memory, and following a trace while it
 * grows. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "timeline/trace/trace_write.h"
#include "timeline/viewer/view.h"

static double clock_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* The processor's time: nothing that is measured here waits for anything, and the machine may be
 * busy. */
static double now_ms(void) { return clock_ms(CLOCK_PROCESS_CPUTIME_ID); }

static void line(const char *what, double value, const char *unit, const char *target)
{
    printf("%-46s %8.1f %-12s target %s\n", what, value, unit, target);
}

/* Batches of H2D, kernel and D2H over eight streams, each with the call that issued it and the
 * reason of its wait. */
static uint64_t write_ops(TraceWriter *w, uint32_t first, uint32_t n, uint64_t at)
{
    static const TraceOpKind kinds[] = {TRACE_H2D, TRACE_KERNEL, TRACE_D2H};
    for (uint32_t id = first; id < first + n; id++) {
        uint32_t kind = (id - 1) % 3, stream = 2 + (id - 1) / 3 % 8;
        trace_write_call(w, id, 1, kind == 1 ? "cudaLaunchKernel" : "cudaMemcpyAsync", at,
                         (TraceSite){"prog.cu", 10 + kind}, TRACE_SIDE_NONE);
        TraceOp op = {.kind = kinds[kind],
                      .call = id,
                      .device = 1,
                      .stream = stream,
                      .issued_ns = at + 100,
                      .bytes = kind == 1 ? 0 : 1 << 20,
                      .from = kind ? TRACE_MEM_DEVICE : TRACE_MEM_PINNED,
                      .to = kind ? TRACE_MEM_PINNED : TRACE_MEM_DEVICE,
                      .name = kind == 1 ? "square(float*, int)" : ""};
        if (kind == 1)
            op.from = op.to = TRACE_MEM_NONE, op.grid = (TraceDim){256, 1, 1},
            op.block = (TraceDim){128, 1, 1};
        trace_write_op(w, id, &op);
        trace_write_ret(w, id, at + 400, 0);
        uint64_t start = at + 500 + kind * 900;
        if (id > 3) trace_write_why(w, id, TRACE_BY_ENGINE, id - 3, start);
        trace_write_start(w, id, start, 1 + kind);
        trace_write_end(w, id, start + 800);
        at += 400 + (kind == 2 ? id * 7919 % 300 : 0);
    }
    return at;
}

static TraceWriter *begin(const char *path)
{
    TraceWriter *w = trace_write_open(open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600));
    trace_write_meta(w, "backend", "sim");
    trace_write_meta(w, "unit_ns", "1000000");
    trace_write_device(w, 1, "GPU");
    trace_write_engine(w, 1, 1, TRACE_ENGINE_H2D, "H2D");
    trace_write_engine(w, 2, 1, TRACE_ENGINE_COMPUTE, "Kernels");
    trace_write_engine(w, 3, 1, TRACE_ENGINE_D2H, "D2H");
    trace_write_thread(w, 1, TRACE_THREAD_MAIN, "main");
    for (uint32_t s = 1; s <= 9; s++) {
        trace_write_stream(w, s, 1, s == 1 ? TRACE_STREAM_LEGACY : TRACE_STREAM_BLOCKING, 0, 0,
                           (TraceSite){"prog.cu", 5}, "");
    }
    return w;
}

static double status_mib(const char *field)
{
    FILE *file = fopen("/proc/self/status", "r");
    char text[200];
    double value = 0;
    while (file && fgets(text, sizeof text, file)) {
        if (!strncmp(text, field, strlen(field)))
            value = strtod(text + strlen(field) + 1, NULL) / 1024;
    }
    if (file) fclose(file);
    return value;
}

static ScreenKey key_of(char c)
{
    ScreenKey key = {.kind = c == '\t'   ? SCREEN_TAB
                             : c == '\n' ? SCREEN_ENTER
                                         : SCREEN_CHARACTER,
                     .code = (uint32_t)(unsigned char)c};
    return key;
}

/* A program at work: 10,000 operations a second for some seconds, in pieces of 10 ms. */
static int grow(const char *path, double seconds)
{
    enum { PIECE = 100, PIECE_MS = 10 };
    TraceWriter *w = begin(path);
    double start = clock_ms(CLOCK_MONOTONIC);
    uint64_t last = 0;
    uint32_t n = (uint32_t)(seconds * 1000 / PIECE_MS);
    for (uint32_t i = 0; i < n; i++) {
        last = write_ops(w, 1 + i * PIECE, PIECE, last);
        trace_write_flush(w);
        double wait = start + (i + 1) * PIECE_MS - clock_ms(CLOCK_MONOTONIC);
        if (wait > 0) usleep((useconds_t)(wait * 1000));
    }
    trace_write_exit(w, last + 5000, 0);
    return trace_write_close(w);
}

int main(int argc, char **argv)
{
    enum { SPANS = 1000000 };
    if (argc == 4 && !strcmp(argv[1], "grow"))
        return grow(argv[2], strtod(argv[3], NULL)); /* tests/bench/view */
    char path[] = "/tmp/threelane-bench-XXXXXX", error[300];
    close(mkstemp(path));
    TraceWriter *w = begin(path);
    uint64_t last = write_ops(w, 1, SPANS, 0);
    trace_write_exit(w, last + 5000, 0);
    trace_write_close(w);
    double best = 1e9;
    Canvas canvas;
    Trace *trace = NULL;
    View *view = NULL;
    canvas_init(&canvas, 200, 60, true);
    CanvasBox box = {0, 0, 200, 60};
    for (int round = 0; round < 3; round++) {
        view_free(view);
        trace_free(trace);
        double start = now_ms();
        trace = trace_read(path, error, sizeof error);
        view = trace ? view_new(trace, "bench") : NULL;
        if (!view) return puts(error), 1;
        view_draw(view, &canvas, box);
        double took = now_ms() - start;
        if (took < best) best = took;
    }
    line("viewer, 1,000,000 operations, opens", best, "ms", "<= 1000");
    line("  its memory, at most", status_mib("VmHWM:"), "MiB", "<= 300");
    /* every key, in several zooms and both kinds of rows; a search that finds nothing; the tick
     * between two keys */
    static const char keys[] = "lljjkkhhLH\t\t]][[ii\t\tiiiiii\t\tl\t\tlooootlljj++"
                               "\t\tt0uu0zfFvvCnNcccbbmlm0m....,,,/zzz\n0t0jjC/K77\n/kernel\n!G0g";
    double worst = 0, tick = 0;
    char worst_key = 0;
    for (const char *k = keys; *k; k++) {
        double least = 1e9;
        ScreenKey key = key_of(*k);
        double start = now_ms();
        view_key(view, key);
        double pressed = now_ms() - start;
        for (int round = 0; round < 3; round++) { /* the machine may be busy: the drawing's best of
                                                     three */
            start = now_ms();
            view_draw(view, &canvas, box);
            if (now_ms() - start < least) least = now_ms() - start;
        }
        if (pressed + least > worst) worst = pressed + least, worst_key = *k;
        for (int i = 0; i < 40 && view_moving(view); i++) {
            start = now_ms();
            view_tick(view, (uint64_t)clock_ms(CLOCK_MONOTONIC));
            if (now_ms() - start > tick) tick = now_ms() - start;
        }
    }
    line("  a key and the new picture, the slowest", worst, "ms", "<= 16");
    line("  a step of what goes on between keys", tick, "ms", "<= 16");
    if (worst > 16) printf("  (the slowest was '%c')\n", worst_key);
    view_free(view);
    trace_free(trace);
    /* following: what is written in a tenth of a second, taken in and drawn */
    enum { BATCH = 1000, BATCHES = 300 };
    w = begin(path);
    last = write_ops(w, 1, BATCH, 0);
    trace_write_flush(w);
    trace = trace_read(path, error, sizeof error);
    view = view_new(trace, "bench");
    double spent = 0, slowest = 0;
    for (uint32_t i = 1; i < BATCHES; i++) {
        last = write_ops(w, 1 + i * BATCH, BATCH, last);
        trace_write_flush(w);
        double start = now_ms();
        trace_read_more(trace);
        view_update(view);
        view_draw(view, &canvas, box);
        double took = now_ms() - start;
        spent += took;
        if (took > slowest) slowest = took;
    }
    line("  follows a growing trace", (double)BATCH * (BATCHES - 1) / spent, "spans/ms", ">= 10");
    line("  the slowest picture while following", slowest, "ms", "<= 100");
    trace_write_close(w);
    view_free(view);
    trace_free(trace);
    canvas_release(&canvas);
    unlink(path);
    return 0;
}
