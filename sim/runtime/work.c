/* work.c - operations: submitted to the engine, performed when it says so.
 *
 * A kernel runs at its virtual start and its stores become visible at its virtual end; a copy or a set reads and
 * writes at its end; a host function runs on the driver thread from its start.
 */
#include "sim/runtime/runtime.h"
#include "sim/engine/chance.h"
#include <stdlib.h>
#include <string.h>

/* What operations do, by number, in chunks that go when all of theirs have ended. */
enum { CHUNK = 1024 };
typedef struct Chunk {
    uint32_t live;
    Work works[CHUNK];
} Chunk;
static Chunk **chunks;
static uint32_t n_chunks;
static Chunk *spare;                  /* one that went, for the next: a steady program takes no new memory */

static Kernel **waiting;              /* kernels that poll memory */
static EngineOp *waiting_op;
static int waiting_room;
int work_waiting;
HazardOp *work_allocation;

static void *or_die(void *memory)
{
    if (!memory) host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory for pending operations");
    return memory;
}

static Work *keep(EngineOp op, const Work *work)
{
    uint32_t chunk = op / CHUNK;
    if (chunk >= n_chunks) {
        uint32_t n = chunk + 64 + n_chunks;
        chunks = or_die(realloc(chunks, n * sizeof *chunks));
        memset(chunks + n_chunks, 0, (n - n_chunks) * sizeof *chunks);
        n_chunks = n;
    }
    if (!chunks[chunk]) {
        chunks[chunk] = spare ? spare : or_die(malloc(sizeof **chunks));
        spare = NULL;
        chunks[chunk]->live = 0;
        for (int i = 0; i < CHUNK; i++) chunks[chunk]->works[i].effect = WORK_NONE;
    }
    chunks[chunk]->live++;
    chunks[chunk]->works[op % CHUNK] = *work;
    chunks[chunk]->works[op % CHUNK].op = op;
    return &chunks[chunk]->works[op % CHUNK];
}

static Work *find(EngineOp op)
{
    uint32_t chunk = op / CHUNK;
    if (chunk >= n_chunks || !chunks[chunk] || chunks[chunk]->works[op % CHUNK].effect == WORK_NONE) return NULL;
    return &chunks[chunk]->works[op % CHUNK];
}

static void forget(EngineOp op)
{
    uint32_t chunk = op / CHUNK;
    chunks[chunk]->works[op % CHUNK].effect = WORK_NONE;
    if (--chunks[chunk]->live == 0) {
        free(spare);
        spare = chunks[chunk];
        chunks[chunk] = NULL;
    }
}

/* ---- what operations touch, for the checker ---- */

static void touch_copy(const Work *work)
{
    size_t width = work->copy.width, height = work->copy.height;
    if (!work->copy.source_told)
        hazard_op_touches(work->hazard, false, work->copy.from, work->copy.from_pitch, width, height);
    hazard_op_touches(work->hazard, true, work->copy.to, work->copy.to_pitch, width, height);
}

static void touch_set(const Work *work)
{
    hazard_op_touches(work->hazard, true, work->set.to, work->set.pitch, work->set.width, work->set.height);
}

static void touch_kernel(HazardOp *hazard, const Kernel *kernel)
{
    HazardBytes sets[HAZARD_TOUCHES] = {0};
    exec_touched(kernel->run, sets);
    hazard_op_bytes(hazard, sets);
}

EngineOp work_submit(Call *call, const Stream *stream, EngineSubmit *submit, TraceOp *op, const Work *work)
{
    uint64_t now = host_now();
    submit->stream = stream->id;
    submit->kind = op->kind;
    EngineOp id = engine_submit(runtime.engine, submit, now);
    if (!id) host_fatal(HOST_STATUS_CRASH, call->site, "out of memory for pending operations");
    HazardOp *hazard = NULL;
    call->submitted = true;
    if (hazard_on) {
        bool touches = work && work->effect != WORK_NONE;
        hazard = hazard_submit(id, op->kind, stream->id, op->event, call->site, touches || op->kind == TRACE_ALLOC);
    }
    if (work && work->effect != WORK_NONE) {
        Work *kept = keep(id, work);
        kept->hazard = hazard;
        kept->stream = stream->id;
    } else if (op->kind == TRACE_ALLOC) {
        work_allocation = hazard;
    }
    if (record_on || hazards_labelled) {
        op->call = call->id;
        op->stream = stream->id;
        op->device = (uint32_t)stream->device + 1;
        op->issued_ns = now;
        record_op(id, op);
    }
    return id;
}

/* ---- what is in flight when the program ends ---- */

static bool discards;
static HazardOp *running;             /* the kernel whose code runs at this moment */

/* Only what an operation of the virtual machine can be asked for: the program's own memory may be gone. */
static bool is_ours(const void *address)
{
    return (uintptr_t)address - memory_base < memory_span;
}

const Work *work_of(EngineOp op) { return find(op); }

uint32_t work_unfinished(EngineOp *first)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < n_chunks; c++)
        for (uint32_t i = 0; chunks[c] && i < CHUNK; i++) {
            const Work *work = &chunks[c]->works[i];
            if (work->effect == WORK_NONE || work->effect == WORK_RELEASE) continue;
            if (!n++ && first) *first = work->op;
        }
    return n;
}

void work_discard(void) { discards = true; }

void work_stop_kernel(void)
{
    HazardBytes sets[HAZARD_TOUCHES] = {0};
    ExecRun *run = exec_stop();
    if (!run || !running) return;
    exec_touched(run, sets);
    hazard_op_bytes(running, sets);
}

void work_touch_unfinished(void)
{
    for (uint32_t c = 0; c < n_chunks; c++)
        for (uint32_t i = 0; chunks[c] && i < CHUNK; i++) {
            const Work *work = &chunks[c]->works[i];
            if (work->hazard && work->effect == WORK_COPY) touch_copy(work);
            if (work->hazard && work->effect == WORK_SET) touch_set(work);
            if (work->hazard && work->effect == WORK_KERNEL && work->kernel->run && !work->kernel->published)
                touch_kernel(work->hazard, work->kernel);
        }
}

/* ---- kernels ---- */

static void fault(const Work *work, const ExecRun *run)
{
    if (runtime.fault) return;
    runtime.fault = run->fault_code ? (cudaError_t)run->fault_code : cudaErrorLaunchFailure;
    TraceSite site = run->fault_site.file ? run->fault_site : work->site;
    host_warn_of_kind("kernel-fault", "gpu", site, "kernel %s: %s", work->kernel->launch.name, run->fault_text);
}

static void say_estimate(void)
{
    static bool said;
    if (!said) record_meta("estimates", "kernels");
    said = true;
}

/* The time of one block. In this order: what was recorded, the clock it ran by, the textbook's stage, an estimate. */
static uint64_t canonical_block_ns(const Kernel *kernel)
{
    const Model *model = &runtime.model;
    const ExecRun *run = kernel->run;
    if (kernel->recorded_ns) return kernel->recorded_ns / kernel->waves;
    if (run->clock_driven) return run->block_ns + (model->stage_ns ? 0 : model->kernel_fixed_ns / kernel->waves);
    if (model->stage_ns) return model->stage_ns;
    say_estimate();
    double bytes = (double)(run->bytes_read + run->bytes_written), sms = model->sm_count;
    uint64_t blocks = (uint64_t)kernel->launch.grid.x * kernel->launch.grid.y * kernel->launch.grid.z;
    if ((double)blocks < sms) sms = (double)blocks;
    double memory_ns = model->memory_bytes_per_ns > 0 ? bytes / model->memory_bytes_per_ns : 0;
    bool near = model->ns_per_kiloaccess_l2 > 0 && bytes <= (double)model->l2_bytes;
    double per_kiloaccess = near ? model->ns_per_kiloaccess_l2 : model->ns_per_kiloaccess;
    double instruction_ns = (double)run->accesses / 1000 * per_kiloaccess / sms;
    double ns = (double)model->kernel_fixed_ns + (memory_ns > instruction_ns ? memory_ns : instruction_ns);
    return (uint64_t)(ns / kernel->waves + 0.5);
}

static uint64_t block_ns(EngineOp op, const Kernel *kernel)
{
    return chance_duration(runtime.seed, op, canonical_block_ns(kernel), runtime.model.exact,
                           kernel->run->clock_driven);
}

/* ---- when effects are seen ---- */

/* CUDA promises only that they are there at the operation's end, and that a source is read until then. */
typedef enum EffectTime {
    EFFECT_AT_END,                    /* the canonical schedule */
    EFFECT_AT_START,
    EFFECT_READ_AT_START              /* copies: read at the start, written at the end */
} EffectTime;

static EffectTime effect_of(EngineOp op)
{
    static const EffectTime choices[] = {EFFECT_AT_END, EFFECT_AT_END, EFFECT_AT_START, EFFECT_READ_AT_START};
    return runtime.seed ? choices[chance(runtime.seed, CHANCE_EFFECT, op) & 3] : EFFECT_AT_END;
}

/* The kernel whose code runs from here on, for what orders it and for the end of the program. */
static void run_as(HazardOp *hazard)
{
    running = hazard;
    hazard_kernel(hazard);
}

static void wait_for_memory(EngineOp op, Kernel *kernel)
{
    if (work_waiting == waiting_room) {
        waiting_room = waiting_room ? 2 * waiting_room : 16;
        waiting = or_die(realloc(waiting, (size_t)waiting_room * sizeof *waiting));
        waiting_op = or_die(realloc(waiting_op, (size_t)waiting_room * sizeof *waiting_op));
    }
    waiting[work_waiting] = kernel;
    waiting_op[work_waiting++] = op;
    kernel->waiting = true;
}

bool work_resume(uint64_t now_ns)
{
    bool moved = false;
    for (int i = 0; i < work_waiting;) {
        Kernel *kernel = waiting[i];
        EngineOp op = waiting_op[i];
        const Work *work = find(op);
        run_as(work ? work->hazard : NULL);
        if (exec_resume(kernel->run, now_ns)) moved = true;
        run_as(NULL);
        if (kernel->run->state == EXEC_WAITING) {
            i++;
            continue;
        }
        uint64_t end = engine_op_start_ns(runtime.engine, op) + block_ns(op, kernel);
        engine_finish(runtime.engine, op, end > now_ns ? end : now_ns);
        kernel->waiting = false;
        work_waiting--;
        memmove(waiting + i, waiting + i + 1, (size_t)(work_waiting - i) * sizeof *waiting);
        memmove(waiting_op + i, waiting_op + i + 1, (size_t)(work_waiting - i) * sizeof *waiting_op);
    }
    return moved;
}

static void publish(HazardOp *hazard, Kernel *kernel)
{
    if (hazard) touch_kernel(hazard, kernel);
    exec_publish(kernel->run);
    kernel->published = true;
}

static void start_kernel(const Work *work, uint64_t ns)
{
    const Model *model = &runtime.model;
    Kernel *kernel = work->kernel;
    if (runtime.fault) {              /* a device that has failed runs nothing more */
        engine_set_work(runtime.engine, work->op, 0);
        return;
    }
    ExecClock clock = {.start_ns = ns, .sm_clock_ghz = model->sm_clock_ghz, .sm_count = (uint32_t)model->sm_count,
                       .read_ns = model->costs.clock_read ? model->costs.clock_read : 100};
    kernel->launch.op = work->op;
    EngineOp op = work->op;           /* work moves when the kernel's effects submit something */
    if (kernel->estimate) say_estimate();
    HazardOp *hazard = work->hazard;
    uint64_t choice = runtime.seed ? chance(runtime.seed, CHANCE_BLOCKS, op) : 0;
    kernel->launch.order = choice & 1 ? choice : 0;
    run_as(hazard);
    kernel->run = exec_start(&kernel->launch, &clock);
    run_as(NULL);
    if (kernel->run->state == EXEC_WAITING) wait_for_memory(op, kernel);
    else engine_set_work(runtime.engine, op, block_ns(op, kernel));
    /* a kernel that ran by the clock stores when its clock says so, not before */
    if (kernel->run->state == EXEC_DONE && !kernel->run->clock_driven && effect_of(op) == EFFECT_AT_START) publish(hazard, kernel);
}

static void end_kernel(const Work *work)
{
    Kernel *kernel = work->kernel;
    if (kernel->run) {
        if (kernel->run->state == EXEC_FAULT) fault(work, kernel->run);
        if (!kernel->published) publish(work->hazard, kernel);
        exec_free(kernel->run);
    } else {
        kernel->launch.destroy(kernel->launch.closure);
    }
    free(kernel);
}

/* ---- host functions ---- */

typedef struct HostCall {
    HazardOp *hazard;
    EngineOp op;
    cudaHostFn_t fn;
    cudaStreamCallback_t callback;
    void *data;
    cudaStream_t stream;
} HostCall;

static void run_host_function(void *arg)
{
    const HostCall *host = arg;
    if (host->hazard) hazard_host_function(host->hazard);
    if (host->callback) host->callback(host->stream, runtime.fault, host->data);
    else host->fn(host->data);
    if (host->hazard) hazard_host_function_over();
}

static void host_function_done(void *arg, uint64_t end_ns)
{
    HostCall *host = arg;
    engine_finish(runtime.engine, host->op, end_ns);
    free(host);
}

static void start_host_function(const Work *work, uint64_t ns)
{
    if (discards || (runtime.fault && !work->host.callback)) {    /* only callbacks are told of errors */
        engine_finish(runtime.engine, work->op, ns);
        return;
    }
    HostCall *host = or_die(malloc(sizeof *host));
    *host = (HostCall){work->hazard, work->op, work->host.fn, work->host.callback, work->host.data,
                       work->host.stream};
    host_driver_run(run_host_function, host, ns, host_function_done, host);
}

/* ---- effects ---- */

static void put_aside(Work *work)
{
    if (!reach_exists(work, work->copy.from, work->copy.from_pitch, work->copy.width, work->copy.height, "reads")) {
        work->gone = true;
        return;
    }
    reach_read(work);
    char *aside = or_die(malloc(work->copy.width * work->copy.height));
    for (size_t row = 0; row < work->copy.height; row++)
        memcpy(aside + row * work->copy.width, work->copy.from + row * work->copy.from_pitch, work->copy.width);
    work->copy.staged = aside;
}

static bool reach_both(const Work *work)
{
    size_t width = work->copy.width, height = work->copy.height;
    return (work->copy.staged || reach_exists(work, work->copy.from, work->copy.from_pitch, width, height, "reads")) &&
           reach_exists(work, work->copy.to, work->copy.to_pitch, width, height, "writes");
}

static void move_copy(const Work *work)
{
    const char *from = work->copy.staged ? work->copy.staged : work->copy.from;
    size_t from_pitch = work->copy.staged ? work->copy.width : work->copy.from_pitch;
    if (discards && !(is_ours(work->copy.to) && (work->copy.staged || is_ours(work->copy.from)))) return;
    if (!runtime.fault && !work->gone && reach_both(work)) {
        if (!work->copy.staged) reach_read(work);
        if (work->copy.height == 1) exec_copy(work->copy.to, from, work->copy.width);
        else
            for (size_t row = 0; row < work->copy.height; row++)
                exec_copy(work->copy.to + row * work->copy.to_pitch, from + row * from_pitch, work->copy.width);
        reach_wrote(work);
    }
}

static void end_copy(const Work *work)
{
    if (!work->done) move_copy(work);
    if (work->hazard) touch_copy(work);
    free(work->copy.staged);
}

static void fill_set(const Work *work)
{
    if (runtime.fault || (discards && !is_ours(work->set.to)) ||
        !reach_exists(work, work->set.to, work->set.pitch, work->set.width, work->set.height, "writes"))
        return;
    for (size_t row = 0; row < work->set.height; row++)
        exec_set(work->set.to + row * work->set.pitch, work->set.value, work->set.width);
    reach_wrote(work);
}

static void end_set(const Work *work)
{
    touch_set(work);
    if (!work->done) fill_set(work);
}

/* An explored schedule: what a copy or set does at its start already. */
static void start_effect(Work *work)
{
    EffectTime when = effect_of(work->op);
    if (runtime.fault || when == EFFECT_AT_END) return;
    if (work->effect == WORK_COPY && when == EFFECT_READ_AT_START && !work->copy.staged) {
        put_aside(work);
    } else if (when == EFFECT_AT_START && work->effect == WORK_COPY) {
        move_copy(work);
        work->done = true;
    } else if (when == EFFECT_AT_START && work->effect == WORK_SET) {
        fill_set(work);
        work->done = true;
    }
}

void work_step(void)
{
    EngineStep step;
    if (!engine_step(runtime.engine, &step)) return;
    runtime.device_ns = step.ns;
    Work *work = find(step.op);
    bool memory_changed = false;
    if (step.what == ENGINE_STARTED) {
        record_started(step.op, step.ns, step.engine);
        if (!work) return;
        if (work->effect == WORK_KERNEL) {
            start_kernel(work, step.ns);
            memory_changed = true;    /* atomics and volatile stores have landed */
        } else if (work->effect == WORK_HOSTFN) {
            start_host_function(work, step.ns);
        } else if (runtime.seed) {
            start_effect(work);
            memory_changed = work->done;
        }
    } else {
        record_ended(step.op, step.ns);
        if (!work) return;
        switch (work->effect) {
        case WORK_COPY: end_copy(work); break;
        case WORK_SET: end_set(work); break;
        case WORK_KERNEL: end_kernel(work); break;
        case WORK_RELEASE:
            hazard_op_frees(work->hazard, (const void *)work->release->address, work->release->bytes);
            if (work->release->pool) pool_gives(work->release->device, work->release->bytes);
            memory_release(work->release, work->site);
            break;
        case WORK_HOSTFN: case WORK_NONE: break;
        }
        hazard_op_done(work->hazard);
        forget(step.op);
        memory_changed = true;
    }
    if (memory_changed && work_waiting) work_resume(step.ns);
}
