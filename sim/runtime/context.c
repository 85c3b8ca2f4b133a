/* context.c - start-up, and what happens around every call.
 *
 * Nothing is read or made before the program's first call: programs set CUDA_DEVICE_MAX_CONNECTIONS in main. The
 * model, the trace and the host's virtual time start with the first call of any kind (an NVTX range counts), the
 * engine with the first that needs a device.
 */
#include "common/env.h"
#include "sim/runtime/runtime.h"
#include "sim/engine/chance.h"
#include "sim/host/raw.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

Runtime runtime;
static bool started;
static _Thread_local int current_device;
static _Thread_local cudaError_t last_error;

static uint64_t next_ns(void) { return runtime.engine ? engine_next_ns(runtime.engine) : HOST_NEVER; }

static void resume_now(void *moved)
{
    uint64_t now = host_now();
    *(bool *)moved = work_resume(now > runtime.device_ns ? now : runtime.device_ns);
}

/* Nothing else can happen: kernels that poll memory look again. */
static const char *kernel_name(void)
{
    const ExecLaunch *launch = exec_current();
    return launch ? launch->name : NULL;
}

static bool stuck(void)
{
    bool moved = false;
    if (work_waiting) host_on_main(resume_now, &moved);
    return moved;
}

/* Host code touches what it must not. */
static void report_host_misuse(const MemoryBlock *block, bool freed, const void *address, size_t bytes, bool write,
                               const void *pc, TraceMemory *meant)
{
    char why[160];
    uintptr_t at = (uintptr_t)address, bad = at;
    while (bad < at + bytes && memory_find((void *)bad)) bad++;
    if (block && !freed && at - memory_base < memory_device_span) bad = at;
    HazardReport report = {.kind = HAZARD_WRONG_MEMORY, .address = (void *)bad, .bytes = at + bytes - bad, .why = why,
                           .second = {.verb = write ? "writes" : "reads", .thread = host_thread(), .pc = pc}};
    if (bad == at && block && !freed) {
        snprintf(why, sizeof why, "the host cannot reach device memory");
        report.fix = write ? "fill host memory and copy it there" : "copy it to the host first";
    } else {
        report.kind = hazard_outside(bad, &report, why, sizeof why);
    }
    *meant = report.memory.kind;
    hazard_report(&report);
}

static void host_misuse(const void *address, size_t bytes, bool write, const void *pc)
{
    HostPosition at;
    char what[256] = "";
    const MemoryBlock *block = memory_find(address);
    bool freed = false;
    if (!block) {
        block = memory_find_freed(address);
        freed = block != NULL;
    }
    TraceSite site = {NULL, 0};
    if (host_position(pc, &at)) site = (TraceSite){at.file, at.line};
    if (block) {
        const char *by = block->by ? block->by : "cudaHostRegister";
        const char *file = block->made.file ? block->made.file : "an unknown place";
        int n = snprintf(what, sizeof what, " (%zu bytes from %s at %s:%u", block->bytes, by, file, block->made.line);
        if (freed && block->gone.file && n < (int)sizeof what)
            n += snprintf(what + n, sizeof what - (size_t)n, ", freed at %s:%u", block->gone.file, block->gone.line);
        if (n < (int)sizeof what) snprintf(what + n, sizeof what - (size_t)n, ")");
    }
    const char *verb = write ? "writes" : "reads";
    TraceMemory meant;
    report_host_misuse(block, freed, address, bytes, write, pc, &meant);
    bool on_device = (uintptr_t)address - memory_base < memory_device_span;
    if (!on_device || (!block && meant != TRACE_MEM_DEVICE && meant != TRACE_MEM_NONE)) return; /* it happens, or crashes */
    if (freed) host_fatal(HOST_STATUS_MISUSE, site, "host code %s freed memory%s", verb, what);
    if (block)
        host_fatal(HOST_STATUS_MISUSE, site, "host code %s device memory%s: %s", verb, what,
                   write ? "fill host memory and copy it there" : "copy it to the host first");
    host_fatal(HOST_STATUS_MISUSE, site, "host code %s device memory at %p, where nothing is allocated", verb,
               address);
}

static uint64_t number_from(const char *name, const char *text, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || end == text || *end || text[0] == '-' || value > most)
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0}, "%s=%s: a whole number from 0 to %llu is wanted", name,
                   text, (unsigned long long)most);
    return value;
}

/* ---- hazards ---- */

static void *thread_made(uint32_t id, bool program) { return hazard_thread_new(id, program); }
static void thread_began(void *thread) { hazard_thread_begin(thread); }
static void thread_joined(void *thread) { hazard_thread_joined(thread); }
static void thread_forgotten(void *thread) { hazard_thread_forget(thread); }

static void start_hazards(void)
{
    static const HostOrder order = {.acquired = hazard_acquire, .releases = hazard_release, .made = thread_made,
                                    .began = thread_began, .ends = hazard_thread_end, .joined = thread_joined,
                                    .forgotten = thread_forgotten};
    char error[128];
    if (!hazard_configure(getenv(ENV_CHECK), exec_hooked(), error, sizeof error))
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0}, "%s", error);
    bool any = false;
    for (int kind = 0; kind < HAZARD_KINDS; kind++) any |= hazard_wanted((HazardKind)kind);
    hazards_labelled = any;
    memory_watch_written = hazard_wanted(HAZARD_UNINITIALISED);
    if (!hazard_wants_clocks()) return;
    hazard_start();
    host_set_order(&order);
}

static void report_leak(const MemoryBlock *block, void *unused)
{
    static const char *const give_back[TRACE_MEMORIES] = {
        [TRACE_MEM_DEVICE] = "cudaFree", [TRACE_MEM_MANAGED] = "cudaFree", [TRACE_MEM_PINNED] = "cudaFreeHost",
        [TRACE_MEM_REGISTERED] = "cudaHostUnregister"};
    char fix[80];
    (void)unused;
    if (block->leaving.file) return;
    snprintf(fix, sizeof fix, "call %s when it is not needed any more",
             block->pool ? "cudaFreeAsync" : give_back[block->kind]);
    hazard_report(&(HazardReport){
        .kind = HAZARD_LEAK, .second = {.verb = "allocates", .site = block->made, .thread = 1},
        .address = (const void *)block->address, .bytes = block->bytes, .fix = fix,
        .headline = block->kind == TRACE_MEM_REGISTERED ? "{m} is never unregistered" : "{m} is never freed"});
}

/* What is still there at a good end. */
static void report_leaks(void)
{
    if (!hazard_wanted(HAZARD_LEAK) || runtime.fault) return;
    memory_each(report_leak, NULL);
    if (runtime.engine) streams_report_leaks(), events_report_leaks();
}

static bool find_site(const void *pc, char *file, size_t file_size, uint32_t *line)
{
    HostPosition at;
    if (!host_position(pc, &at)) return false;
    snprintf(file, file_size, "%s", at.file);
    *line = at.line;
    return true;
}

/* What is still open is compared, what was found is told, and the trace is closed. True when something was told. */
static bool finish(int status, bool crashed)
{
    bool told = false;
    if (hazards_labelled) {
        hazards_labelled = false;
        hazard_end();
        fflush(crashed ? stderr : stdout);    /* after a crash stdout may be what is broken */
        HazardTally tally = hazard_finish(record_hazard, find_site, program_invocation_short_name);
        told = tally.errors + tally.notes > 0;
        host_outcome_count("errors", tally.errors);
        host_outcome_count("notes", tally.notes);
        if (told) {
            host_outcome("hazard", tally.kind);
            host_outcome("headline", tally.headline);
        }
    }
    record_close(status, crashed);
    return told;
}

/* The program ends. Nothing of ours is trusted after a crash: the reports are then made in a child, and without it
 * only the trace is closed. */
static bool close_all(int status, bool crashed)
{
    bool said = false;
    if (!crashed && hazards_labelled && !status) report_leaks();
    if (hazards_labelled && (crashed || work_unfinished(NULL))) {
        UnfinishedEnd end = {status, crashed, finish};
        if (!status && !crashed) unfinished_note();
        if (unfinished_look(&end, &said)) return said;
        hazards_labelled = hazards_labelled && !crashed;
    }
    return finish(status, crashed);
}

void runtime_start(void)
{
    if (started) return;
    started = true;
    const char *name = getenv(ENV_MODEL), *trace = getenv(ENV_TRACE);
    const char *seed = getenv(ENV_SEED);
    char error[512];
    if (!name || !*name) name = "unit";
    if (model_load(&runtime.model, name, error, sizeof error))
        host_stop(STOP_MODEL, (TraceSite){NULL, 0}, ENV_MODEL ": ", "%s", error);
    const char *costs_of = getenv(ENV_COSTS);
    if (costs_of && !strcmp(costs_of, "traced")) runtime.model.costs = runtime.model.traced;
    else if (costs_of && *costs_of)
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0}, ENV_COSTS "=%s: only \"traced\" is possible",
                   costs_of);
    const Model *model = &runtime.model;
    runtime.devices = model->devices;
    runtime.seed = seed && *seed ? number_from(ENV_SEED, seed, UINT64_MAX) : 0;
    if (memory_init(runtime.devices, model->memory_bytes))
        host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "no address space for the memory of %d GPU%s (%llu bytes "
                   "each): is there a limit (ulimit -v)?", runtime.devices, runtime.devices == 1 ? "" : "s",
                   (unsigned long long)model->memory_bytes);

    static const HostDevice device = {.next_ns = next_ns, .step = work_step, .kernel = kernel_name, .stuck = stuck};
    static HostCosts costs;
    costs.clock_read_ns = model->costs.clock_read;
    costs.sleep_late_ns = model->sleep_late_ns;
    costs.touched_ns_per_byte = model->host_bytes_per_ns > 0 ? 1 / model->host_bytes_per_ns : 0;
    costs.take_touched = exec_take_host_bytes;
    if (trace && *trace) record_open(trace);
    host_set_exit_hook(close_all, record_note);
    durations_open(getenv(ENV_KERNELS));
    host_on_thread(record_thread);
    host_init(&device, &costs);
    host_explore(runtime.seed);
    exec_count_host_bytes(costs.touched_ns_per_byte > 0);
    exec_on_host_misuse(host_misuse);
    exec_on_host_poll(host_poll);

    start_hazards();
    record_meta("backend", "sim");
    record_meta("program", program_invocation_short_name);
    record_meta("model", model->name);
    record_meta("card", model->card);
    record_meta_u64("unit_ns", model->unit_ns);
    record_meta("unit_name", model->unit_name);
    record_meta_u64("exact", model->exact);
    record_meta_u64("seed", runtime.seed);
    record_meta("tool", "threelane");
    record_know_thread(1);
}

void runtime_start_device(void)
{
    if (runtime.engine) return;
    const char *queues = getenv(ENV_CUDA_QUEUES), *blocking = getenv(ENV_CUDA_BLOCKING);
    EngineConfig config = {.hardware_queues = 0, .seed = runtime.seed};
    if (queues && *queues) {
        int n = atoi(queues);         /* the driver takes what it can of a bad value as well */
        config.hardware_queues = n < 1 ? 0 : n > 32 ? 32 : n;
        if (n < 1 || n > 32)
            host_warn((TraceSite){NULL, 0}, "CUDA_DEVICE_MAX_CONNECTIONS=%s: 1 to 32 is possible", queues);
    }
    runtime.launch_blocking = blocking && atoi(blocking) != 0;
    runtime.engine = engine_new(&runtime.model, &config);
    if (!runtime.engine) host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory at start-up");
    record_device_table();
    streams_start();
}

/* ---- around a call ---- */

void call_charge(void)
{
    if (runtime.model.host_bytes_per_ns <= 0) return;
    uint64_t bytes = exec_take_host_bytes();
    if (bytes) host_spend((uint64_t)((double)bytes / runtime.model.host_bytes_per_ns));
}

bool call_enter(Call *call, const char *name, ThreelaneSite at, unsigned flags)
{
    *call = (Call){.name = name, .site = {at.file, (uint32_t)at.line}, .flags = flags};
    if (!started) runtime_start();
    if (exec_in_kernel()) {
        const ExecLaunch *kernel = exec_current();
        host_fatal(HOST_STATUS_MISUSE, call->site, "%s is called in the kernel %s: the CUDA runtime is for host code",
                   name, kernel ? kernel->name : "?");
    }
    if (!runtime.engine && !(flags & CALL_NO_DEVICE)) runtime_start_device();
    host_set_site(call->site);
    call_charge();
    if (work_waiting) stuck();        /* the program may have written what a kernel polls */
    if (record_on) call->id = record_call(name, call->site);
    if (!(flags & CALL_IN_HOST_FUNCTION) && host_is_driver()) call->result = cudaErrorNotPermitted;
    else if (!(flags & CALL_AFTER_FAULT)) call->result = runtime.fault;
    return !call->result;
}

/* An explored schedule: between two calls a thread may lose the processor. */
static void dally(const Call *call)
{
    static uint64_t n;
    enum { AWHILE = 50000 };
    if (call->flags & CALL_NO_DEVICE || exec_in_kernel()) return;
    uint64_t most = runtime.model.stage_ns ? runtime.model.stage_ns : AWHILE;
    uint64_t ns = chance_delay(runtime.seed, CHANCE_CALL, n++, most);
    if (ns) host_spend(ns);
}

cudaError_t call_leave(Call *call)
{
    if (call->submitted) host_spend(0);
    if (call->result && call->result != cudaErrorNotReady && !(call->flags & CALL_NO_ERROR)) last_error = call->result;
    if (call->id) record_ret(call->id, call->result);
    if (__builtin_expect(runtime.seed != 0, 0)) dally(call);
    return call->result;
}

cudaError_t call_last_error(bool clear)
{
    cudaError_t error = last_error;
    if (clear) last_error = cudaSuccess;
    return error;
}

static bool has_ended(void *op) { return engine_op_ended(runtime.engine, *(EngineOp *)op); }
static bool has_started(void *op) { return engine_op_start_ns(runtime.engine, *(EngineOp *)op) != ENGINE_NEVER; }
static bool is_idle(void *device)
{
    return *(int *)device < 0 ? engine_idle(runtime.engine) : engine_device_idle(runtime.engine, *(int *)device);
}

/* Waits; a thread that had to wait needs a moment to go on. */
static void wait_for(const Call *call, bool (*ready)(void *), void *arg)
{
    bool ended = ready(arg);
    host_wait(ready, arg, HOST_NEVER, call->name, call->site);
    if (!ended) call_spend(runtime.model.gap_return);
}

cudaError_t call_wait(const Call *call, EngineOp op)
{
    if (op) wait_for(call, has_ended, &op);
    record_old();
    return runtime.fault;
}

cudaError_t call_wait_busy(const Call *call, EngineOp op)
{
    host_wait(has_ended, &op, HOST_NEVER, call->name, call->site);
    record_old();
    return runtime.fault;
}

cudaError_t call_wait_start(const Call *call, EngineOp op)
{
    host_wait(has_started, &op, HOST_NEVER, call->name, call->site);
    return runtime.fault;
}

cudaError_t call_wait_device(const Call *call, int device)
{
    wait_for(call, is_idle, &device);
    record_old();
    return runtime.fault;
}

void call_pending(const void *asked_of, uint64_t cost_ns)
{
    enum { MOST = 16 };               /* who asks for more things than these in turn is polling */
    static _Thread_local const void *asked[MOST];             /* what this thread found pending at asked_ns */
    static _Thread_local unsigned n;
    static _Thread_local uint64_t asked_ns = UINT64_MAX;
    if (asked_ns != host_now()) n = 0;
    unsigned i = 0;
    while (i < n && asked[i] != asked_of) i++;
    if (!cost_ns && (i < n || n == MOST)) {
        host_poll();
        n = 0;
    }
    if (i >= n && n < MOST) asked[n++] = asked_of;
    asked_ns = host_now();
    record_old();
}

int call_device(void) { return current_device; }
void call_set_device(int device) { current_device = device; }
