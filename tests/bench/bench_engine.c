/* How many starts and ends a second the engine decides and reports, causes recorded: a million
 * operations over 64 streams, H2D, kernel, D2H in turn, every fifth behind an event of another
 * stream. */
#include "sim/engine/engine.h"
#include "tests/bench/reference.h"
#include <stdio.h>
#include <stdlib.h>

enum { OPS = 1000000, STREAMS = 64, AHEAD = 1024, TARGET = 20 };

/* Of the processor: the machine may be busy. */
static double seconds(void) { return reference_cpu_ns() * 1e-9; }

int main(void)
{
    static const TraceOpKind kinds[] = {TRACE_H2D, TRACE_KERNEL, TRACE_D2H};
    double best = 0;
    uint64_t causes = 0;
    char error[256];
    Model model;

    if (model_load(&model, "unit", error, sizeof error) != 0)
        return fprintf(stderr, "%s\n", error), 1;
    for (int repeat = 0; repeat < 3; repeat++) {
        EngineConfig config = {.hardware_queues = 32};
        Engine *e = engine_new(&model, &config);
        EngineStream streams[STREAMS];
        EngineStep step;
        uint64_t steps = 0;
        uint32_t submitted = 0, ended = 0;
        double begin, rate;

        if (!e) return fprintf(stderr, "out of memory\n"), 1;
        for (int i = 0; i < STREAMS; i++)
            streams[i] = engine_stream_new(e, 0, TRACE_STREAM_NONBLOCKING, 0);
        begin = seconds();
        while (ended < OPS) {
            uint64_t issue = (uint64_t)submitted * 200;
            if (submitted < OPS && submitted - ended < AHEAD && issue <= engine_next_ns(e)) {
                EngineOp after = submitted > 64 ? submitted - 7 : 0;
                EngineSubmit op = {.kind = kinds[submitted % 3],
                                   .stream = streams[submitted / 3 % STREAMS],
                                   .work_ns = 1000 + (submitted * 2654435761u >> 24),
                                   .after = &after,
                                   .n_after = submitted % 5 == 0};
                if (!engine_submit(e, &op, issue)) return fprintf(stderr, "out of memory\n"), 1;
                submitted++;
            } else if (engine_step(e, &step)) {
                steps++;
                ended += step.what == ENGINE_ENDED;
            }
        }
        rate = (double)steps / (seconds() - begin) / 1e6;
        if (rate > best) best = rate;
        causes = 0;
        for (EngineOp op = 1; op <= OPS; op++) {
            const EngineCause *list;
            causes += engine_causes(e, op, &list);
        }
        engine_free(e);
    }
    printf("%-46s %8.1f %-12s target >= %d (%.1f causes an operation; reference %.0f M/s)\n",
           "engine", best, "M events/s", TARGET, (double)causes / OPS, reference_rate());
    return 0;
}
