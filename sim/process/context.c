/* context.c - how the runtime starts, and how it ends with the program.
 *
 * Nothing is read or made before the program's first call: programs set CUDA_DEVICE_MAX_CONNECTIONS
 * in main. The model, the trace and the host's virtual time start with the first call of any kind
 * (an NVTX range counts), the engine with the first that needs a device.
 */
#include "sim/runtime/place.h"
#include "sim/runtime/runtime.h"
#include "common/env.h"
#include "sim/host/host.h"
#include "sim/process/checker.h"
#include "sim/process/record.h"
#include "sim/process/unfinished.h"
#include "sim/runtime/durations.h"
#include "sim/runtime/misuse.h"
#include "sim/runtime/observer.h"
#include "sim/runtime/stream.h"
#include "sim/runtime/work.h"
#include "sim/whatif/whatif.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Runtime runtime;
const Model *device_models[DEVICES_MOST];
static bool started;

static uint64_t next_ns(void)
{
    return runtime.engine ? engine_next_ns(runtime.engine) : HOST_NEVER;
}

static const char *kernel_name(void)
{
    const ExecLaunch *launch = exec_current();
    return launch ? launch->name : NULL;
}

static uint64_t number_from(const char *name, const char *text, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || end == text || *end || text[0] == '-' || value > most)
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0},
                   "%s=%s: a whole number from 0 to %llu is wanted", name, text,
                   (unsigned long long)most);
    return value;
}

/* What is still open is compared, what was found is told, and the trace is closed. True when
 * something was told. */
static bool finish(int status, bool crashed)
{
    bool told = checker_finish(crashed);
    record_close(status, crashed);
    return told;
}

/* The program ends. Nothing of ours is trusted after a crash: the reports are then made in a child,
 * and without it only the trace is closed. */
static bool close_all(int status, bool crashed)
{
    bool said = false;
    if (call_log) call_log->flush();
    if (!crashed && checker_listens() && !status) misuse_report_leaks();
    if (checker_listens() && (crashed || work_unfinished(NULL))) {
        UnfinishedEnd end = {status, crashed, finish};
        if (!status && !crashed) unfinished_note();
        if (unfinished_look(&end, &said)) return said;
        if (crashed) checker_stop();
    }
    return finish(status, crashed);
}

static void note(const TraceNote *text) { TELL(note, text); }

/* A list of numbers, each at most once: the program sees these, in this order, and none from the
 * first word on that is no number of a device. Numbers end where their digits do, and nothing but a
 * comma leads to another one (measured on two H200s: "1x" is 1, "0;1" is 0). */
static void see_devices(int there, const char *visible)
{
    bool seen[DEVICES_MOST] = {false};
    runtime.devices = 0;
    runtime.why_none = cudaErrorNoDevice;
    for (int i = 0; i < there && !visible; i++) runtime.numbers[runtime.devices++] = i;
    while (visible) {
        char *end;
        int number = (int)strtol(visible, &end, 10);
        if (end == visible || number < 0 || number >= there) return;
        if (seen[number]) { /* twice: the driver sees none at all */
            runtime.devices = 0;
            runtime.why_none = cudaErrorInvalidDevice;
            return;
        }
        seen[number] = true;
        runtime.numbers[runtime.devices++] = number;
        visible = *end == ',' ? end + 1 : NULL;
    }
}

/* The machine that THREELANE_MODEL names: as many devices as the model says, each with a model of
 * its own. */
static void load_models(void)
{
    static Model models[DEVICES_MOST];
    const char *name = getenv(ENV_MODEL), *costs_of = getenv(ENV_COSTS);
    char error[512];
    if (!name || !*name) name = "unit";
    if (model_load(&models[0], name, error, sizeof error))
        host_stop(STOP_MODEL, (TraceSite){NULL, 0}, ENV_MODEL ": ", "%s", error);
    if (costs_of && !strcmp(costs_of, "traced")) models[0].costs = models[0].traced;
    else if (costs_of && *costs_of)
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0},
                   ENV_COSTS "=%s: only \"traced\" is possible", costs_of);
    see_devices(models[0].devices, getenv(ENV_CUDA_VISIBLE));
    for (int i = 0; i < models[0].devices; i++) {
        if (i) models[i] = models[0];
        device_models[i] = &models[i];
    }
}

static void write_head(const Model *first)
{
    char number[24];
    TELL(meta, "backend", "sim");
    TELL(meta, "program", program_invocation_short_name);
    TELL(meta, "model", first->name);
    TELL(meta, "card", first->card);
    snprintf(number, sizeof number, "%" PRIu64, first->unit_ns);
    TELL(meta, "unit_ns", number);
    TELL(meta, "unit_name", first->unit_name);
    TELL(meta, "exact", first->exact ? "1" : "0");
    snprintf(number, sizeof number, "%" PRIu64, runtime.seed);
    TELL(meta, "seed", number);
    TELL(meta, "tool", "threelane");
}

void runtime_start(void)
{
    if (started) return;
    started = true;
    const char *trace = getenv(ENV_TRACE), *seed = getenv(ENV_SEED);
    load_models();
    const Model *first = device_model(0); /* what is true of the whole machine, it says */
    runtime.exact = first->exact;
    runtime.host_bytes_per_ns = first->host_bytes_per_ns;
    exec_look_inside(getenv(ENV_INSIDE));
    runtime.seed = seed && *seed ? number_from(ENV_SEED, seed, UINT64_MAX) : 0;
    if (memory_init(first->devices, first->memory_bytes))
        host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0},
                   "no address space for the memory of %d GPU%s (%llu bytes "
                   "each): is there a limit (ulimit -v)?",
                   runtime.devices, runtime.devices == 1 ? "" : "s",
                   (unsigned long long)first->memory_bytes);

    static const HostDevice device = {.next_ns = next_ns,
                                      .step = work_step,
                                      .settle = work_settle,
                                      .kernel = kernel_name,
                                      .stuck = work_look_again};
    exec_settles_later = true; /* the host room says when */
    static HostCosts costs;
    costs.clock_read_ns = first->costs.clock_read;
    costs.sleep_late_ns = first->sleep_late_ns;
    costs.thread_create_ns = first->costs.thread_create;
    costs.thread_start_ns = first->costs.thread_start;
    costs.thread_join_ns = first->costs.thread_join;
    costs.touched_ns_per_byte = first->host_bytes_per_ns > 0 ? 1 / first->host_bytes_per_ns : 0;
    costs.take_touched = exec_take_host_bytes;
    if (trace && *trace) record_open(trace);
    host_set_exit_hook(close_all, note);
    durations_open(getenv(ENV_KERNELS));
    whatif_open(getenv(ENV_WHATIF));
    host_on_thread(record_thread);
    host_init(&device, &costs);
    host_explore(runtime.seed);
    exec_count_host_bytes(costs.touched_ns_per_byte > 0,
                          first->host_set_bytes_per_ns > 0
                              ? first->host_bytes_per_ns / first->host_set_bytes_per_ns
                              : 1);
    exec_on_host_misuse(misuse_by_host);
    exec_on_host_poll(host_poll);
    if (!runtime.devices)
        host_warn((TraceSite){NULL, 0}, ENV_CUDA_VISIBLE "=%s leaves none of the %d virtual GPU%s",
                  getenv(ENV_CUDA_VISIBLE), first->devices, first->devices == 1 ? "" : "s");

    checker_start();
    write_head(first);
    record_thread(1, TRACE_THREAD_MAIN, "main");
}

void runtime_start_device(void)
{
    if (runtime.engine) return;
    const char *queues = getenv(ENV_CUDA_QUEUES), *blocking = getenv(ENV_CUDA_BLOCKING);
    EngineConfig config = {.hardware_queues = 0, .seed = runtime.seed};
    if (queues && *queues) {
        int n = atoi(queues); /* the driver takes what it can of a bad value as well */
        config.hardware_queues = n < 1 ? 0 : n > 32 ? 32 : n;
        if (n < 1 || n > 32)
            host_warn((TraceSite){NULL, 0}, "CUDA_DEVICE_MAX_CONNECTIONS=%s: 1 to 32 is possible",
                      queues);
    }
    runtime.launch_blocking = blocking && atoi(blocking) != 0;
    Model machine = *device_model(0);
    machine.devices = runtime.devices;
    runtime.engine = engine_new(&machine, &config);
    if (!runtime.engine)
        host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory at start-up");
    if (runtime.devices > 1) work_on_device = symbols_of;
    TELL(engines);
    streams_start();
}
