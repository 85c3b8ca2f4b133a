/* work.c - operations: submitted to the engine, performed when it says so.
 *
 * A kernel runs at its virtual start and its stores become visible at its virtual end; a copy or a
 * set reads and writes at its end; a host function runs on the driver thread from its start.
 */
#include "sim/runtime/work.h"
#include "sim/engine/chance.h"
#include "sim/host/host.h"
#include "sim/runtime/runtime.h"
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
static Chunk *spare; /* one that went, for the next: a steady program takes no new memory */

static Kernel **waiting; /* kernels that poll memory */
static EngineOp *waiting_op;
static int waiting_room;
int work_waiting;
void (*work_on_device)(int device);

static void *or_die(void *memory)
{
    if (!memory)
        host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory for pending operations");
    return memory;
}

/* Not in line: once in CHUNK operations. */
static __attribute__((noinline, cold)) void make_chunk(uint32_t chunk)
{
    if (chunk >= n_chunks) {
        uint32_t n = chunk + 64 + n_chunks;
        chunks = or_die(realloc(chunks, n * sizeof *chunks));
        memset(chunks + n_chunks, 0, (n - n_chunks) * sizeof *chunks);
        n_chunks = n;
    }
    if (chunks[chunk]) return;

    chunks[chunk] = spare ? spare : or_die(malloc(sizeof **chunks));
    spare = NULL;
    chunks[chunk]->live = 0;
    for (int i = 0; i < CHUNK; i++) chunks[chunk]->works[i].effect.kind = EFFECT_NONE;
}

static Work *room_for(EngineOp op)
{
    uint32_t chunk = op / CHUNK;
    if (__builtin_expect(chunk >= n_chunks || !chunks[chunk], 0)) make_chunk(chunk);
    chunks[chunk]->live++;
    return &chunks[chunk]->works[op % CHUNK];
}

static Work *find(EngineOp op)
{
    uint32_t chunk = op / CHUNK;
    if (chunk >= n_chunks || !chunks[chunk] ||
        chunks[chunk]->works[op % CHUNK].effect.kind == EFFECT_NONE)
        return NULL;
    return &chunks[chunk]->works[op % CHUNK];
}

static void forget(EngineOp op)
{
    uint32_t chunk = op / CHUNK;
    chunks[chunk]->works[op % CHUNK].effect.kind = EFFECT_NONE;
    if (--chunks[chunk]->live == 0) {
        free(spare);
        spare = chunks[chunk];
        chunks[chunk] = NULL;
    }
}

Work *work_keep(EngineOp op, const Effect *effect, uint32_t stream, TraceSite site)
{
    Work *work = room_for(op);
    work->effect = *effect;
    work->done = work->gone = false;
    work->op = op;
    work->stream = stream;
    work->device = 0;
    work->site = site;
    work->hazard = NULL;
    return work;
}

/* ---- what is in flight when the program ends ---- */

static bool discards;

/* Only what an operation of the virtual machine can be asked for: the program's own memory may be
 * gone. */
static bool is_ours(const void *address) { return (uintptr_t)address - memory_base < memory_span; }

const Work *work_of(EngineOp op) { return find(op); }

void work_each(void (*visit)(Work *))
{
    for (uint32_t c = 0; c < n_chunks; c++)
        for (uint32_t i = 0; chunks[c] && i < CHUNK; i++)
            if (chunks[c]->works[i].effect.kind != EFFECT_NONE) visit(&chunks[c]->works[i]);
}

static struct {
    uint32_t n;
    EngineOp first;
} unfinished;

static void count_unfinished(Work *work)
{
    if (work->effect.kind != EFFECT_RELEASE && work->effect.kind != EFFECT_GRAPH && !unfinished.n++)
        unfinished.first = work->op;
}

uint32_t work_unfinished(EngineOp *first)
{
    unfinished.n = 0;
    work_each(count_unfinished);
    if (first) *first = unfinished.first;
    return unfinished.n;
}

void work_discard(void) { discards = true; }

/* ---- launches, and who shares a closure ---- */

/* A closure that several launches use: a kept one, and those of its runs that have not ended. */
struct KernelClosure {
    uint32_t users;
    void *closure;
    void (*destroy)(void *closure);
};

KernelArguments *kernel_arguments(const void *func, void *const *at, const size_t *bytes, size_t n)
{
    enum { ALIGNED = 64 }; /* as kernel.h demands of parameters at most */
    size_t lists = (sizeof(KernelArguments) + n * (sizeof(void *) + sizeof(size_t)) + ALIGNED - 1) /
                   ALIGNED * ALIGNED,
           whole = lists;
    for (size_t i = 0; i < n; i++) whole += (bytes[i] + ALIGNED - 1) / ALIGNED * ALIGNED;
    KernelArguments *a = aligned_alloc(ALIGNED, whole);
    if (!a) return NULL;

    *a = (KernelArguments){.n = n, .at = (void **)(a + 1), .func = func};
    a->bytes = (size_t *)(a->at + n);
    char *to = (char *)a + lists;
    for (size_t i = 0; i < n; i++) {
        a->at[i] = memcpy(to, at[i], bytes[i]);
        a->bytes[i] = bytes[i];
        to += (bytes[i] + ALIGNED - 1) / ALIGNED * ALIGNED;
    }

    return a;
}

Kernel *kernel_new(const ExecLaunch *launch, uint32_t waves)
{
    Kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel) {
        launch->destroy(launch->closure);
        return NULL;
    }
    kernel->launch = *launch;
    kernel->waves = waves;
    return kernel;
}

bool kernel_depends(Kernel *kernel, const EngineOp *direct, uint32_t n)
{
    EngineOp *more = realloc(kernel->direct, (kernel->n_direct + n + 1) * sizeof *more);
    if (!more) return false;
    for (uint32_t i = 0; i < n; i++) more[kernel->n_direct + i] = direct[i];
    kernel->direct = more;
    kernel->n_direct += n;
    kernel->launch.early = true;
    return true;
}

bool kernel_depends_as(Kernel *kernel, EngineOp before)
{
    const Work *work = work_of(before);
    const Kernel *other = work && work->effect.kind == EFFECT_KERNEL ? work->effect.kernel : NULL;
    return !other || !other->n_direct || kernel_depends(kernel, other->direct, other->n_direct);
}

void kernel_free(Kernel *kernel)
{
    if (!kernel) return;
    free(kernel->arguments);
    free(kernel->direct);
    if (kernel->run) exec_free(kernel->run);
    else if (kernel->launch.destroy) kernel->launch.destroy(kernel->launch.closure);
    KernelClosure *shared = kernel->shared;
    if (shared && --shared->users == 0) {
        shared->destroy(shared->closure);
        free(shared);
    }
    free(kernel);
}

/* From here on the closure is not the launch's own. False when memory is short. */
static bool share_closure(Kernel *kernel)
{
    if (kernel->shared) return true;
    KernelClosure *shared = malloc(sizeof *shared);
    if (!shared) return false;
    *shared = (KernelClosure){1, kernel->launch.closure, kernel->launch.destroy};
    kernel->launch.destroy = NULL;
    kernel->shared = shared;
    return true;
}

Kernel *kernel_again(Kernel *kernel)
{
    Kernel *again = share_closure(kernel) ? malloc(sizeof *again) : NULL;
    if (!again) return NULL;
    *again = *kernel;
    again->arguments = NULL;
    again->shared->users++;
    return again;
}

/* ---- kernels ---- */

static void fault(const Work *work, const ExecRun *run)
{
    if (runtime.fault) return;
    runtime.fault = run->fault_code ? (cudaError_t)run->fault_code : cudaErrorLaunchFailure;
    TraceSite site = run->fault_site.file ? run->fault_site : work->site;
    host_warn_of_kind("kernel-fault", "gpu", site, "kernel %s: %s",
                      work->effect.kernel->launch.name, run->fault_text);
}

static void say_estimate(void)
{
    static bool said;
    if (!said) TELL(meta, "estimates", "kernels");
    said = true;
}

typedef struct OnBus {
    uint64_t read, written;
} OnBus;
static void add_on_bus(void *arg, uintptr_t first, uint64_t read, uint64_t written)
{
    OnBus *bus = arg;
    const MemoryBlock *block = memory_find((const void *)first);
    if (!block || block->kind != TRACE_MEM_PINNED) return;
    bus->read += read;
    bus->written += written;
}

/* An estimate of a kernel by what it reads and writes: over the bus what is pinned memory, at once
 * with the rest, which is the device's. */
static double estimate_ns(const Model *model, const ExecLaunch *launch,
                          const ExecNestedFacts *facts)
{
    double bytes = (double)facts->bytes, sms = model->sm_count;
    uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;

    if ((double)blocks < sms) sms = (double)blocks;
    double memory_ns =
        model->memory_bytes_per_ns > 0
            ? (bytes - (double)(facts->bus_read + facts->bus_written)) / model->memory_bytes_per_ns
            : 0;
    bool near = model->ns_per_kiloaccess_l2 > 0 && bytes <= (double)model->l2_bytes;
    double per_kiloaccess = near ? model->ns_per_kiloaccess_l2 : model->ns_per_kiloaccess;
    double instruction_ns = (double)facts->accesses / 1000 * per_kiloaccess / sms;
    double longest = memory_ns > instruction_ns ? memory_ns : instruction_ns;

    uint64_t per_block = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
    double threads = (double)per_block * (double)blocks,
           most = (double)model->max_threads_per_sm * model->sm_count;
    double bus_ns = (double)model_host_access_ns(model, facts->bus_read, facts->bus_written,
                                                 threads < most ? threads : most);
    return (double)model->kernel_fixed_ns + (bus_ns > longest ? bus_ns : longest);
}

uint64_t work_block_ns(const ExecLaunch *launch, uint32_t waves, const ExecNestedFacts *facts)
{
    const Model *model = device_model(launch->device);
    if (facts->clock_driven)
        return facts->block_ns + (model->stage_ns ? 0 : model->kernel_fixed_ns / waves);
    if (model->stage_ns) return model->stage_ns;
    /* that a kernel takes as long as its bytes is what some textbooks define */
    if (!model->exact || model->ns_per_kiloaccess > 0) say_estimate();
    return (uint64_t)(estimate_ns(model, launch, facts) / waves + 0.5);
}

/* The time of one block: what was recorded, or what the kernel did. */
static uint64_t canonical_block_ns(const Kernel *kernel)
{
    const ExecRun *run = kernel->run;
    if (kernel->recorded_ns) return kernel->recorded_ns / kernel->waves;
    if (run->nested_ns) return run->nested_ns / kernel->waves;
    OnBus bus = {0};
    if (device_model(kernel->launch.device)->host_read_bytes_per_ns > 0)
        exec_elsewhere(run, add_on_bus, &bus);
    const ExecNestedFacts facts = {.accesses = run->accesses,
                                   .bytes = run->bytes_read + run->bytes_written,
                                   .bus_read = bus.read,
                                   .bus_written = bus.written,
                                   .block_ns = run->block_ns,
                                   .clock_driven = run->clock_driven};
    return work_block_ns(&kernel->launch, kernel->waves, &facts);
}

static uint64_t block_ns(EngineOp op, const Kernel *kernel)
{
    uint64_t ns = canonical_block_ns(kernel);
    if (kernel->times > 0) ns = (uint64_t)((double)ns * kernel->times + 0.5);
    return chance_duration(runtime.seed, op, ns, device_model(kernel->launch.device)->exact,
                           kernel->run->clock_driven);
}

/* ---- when effects are seen ---- */

/* CUDA promises only that they are there at the operation's end, and that a source is read until
 * then. */
typedef enum SeenTime {
    SEEN_AT_END, /* the canonical schedule */
    SEEN_AT_START,
    SEEN_READ_AT_START /* copies: read at the start, written at the end */
} SeenTime;

static SeenTime seen_at(EngineOp op)
{
    static const SeenTime choices[] = {SEEN_AT_END, SEEN_AT_END, SEEN_AT_START, SEEN_READ_AT_START};
    return runtime.seed ? choices[chance(runtime.seed, CHANCE_EFFECT, op) & 3] : SEEN_AT_END;
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

/* ---- kernels that began before those they depend on had ended ---- */

/* What it depends on has ended. (Of an ordinary launch: before it began.) */
static bool may_read(const Kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->n_direct; i++)
        if (!engine_op_ended(runtime.engine, kernel->direct[i])) return false;
    return true;
}

/* All of its blocks have triggered, if only by having ended: the engine is told when. Without a
 * clock to say it, by how much of its work was done then; of a textbook's kernel, whose work has no
 * parts, it comes with the end. */
static void tell_trigger(EngineOp op, Kernel *kernel)
{
    const ExecRun *run = kernel->run;
    uint64_t ns = run->triggered_ns;
    if (!run->triggers || !run->all_triggered || kernel->told_trigger) return;
    if (!run->clock_driven && run->state != EXEC_WAITING) {
        if (device_model(kernel->launch.device)->exact) return;
        ns = (uint64_t)((double)block_ns(op, kernel) * run->triggered_part);
    }
    engine_trigger(runtime.engine, op, ns);
    kernel->told_trigger = true;
}

/* How long it lasts, now that it has run to its end: its first blocks have waited for what it
 * depends on. */
static void set_works(EngineOp op, const Kernel *kernel)
{
    const ExecRun *run = kernel->run;
    uint64_t whole = block_ns(op, kernel), first = whole;
    if (run->clock_driven) {
        whole = whole > run->held_ns ? whole - run->held_ns : 0;
    } else {
        double part = device_model(kernel->launch.device)->exact ? 0 : run->depended_part;
        first = run->depended_ns + (uint64_t)((double)whole * (1 - part));
    }
    engine_set_works(runtime.engine, op, first, whole);
}

/* A run that waits has another look. False: it waits on. */
static bool look(Work *work, uint64_t now_ns, bool *moved)
{
    Kernel *kernel = work->effect.kernel;
    const Model *model = device_model(kernel->launch.device);
    if (kernel->launch.early && may_read(kernel))
        exec_depend(kernel->run, now_ns + model->gap_depend);
    else if (kernel->run->held) return false;

    TELL(kernel_runs, work);
    if (work_on_device) work_on_device(kernel->launch.device);
    memory_view(work->op);
    if (exec_resume(kernel->run, now_ns)) *moved = true;
    memory_view(0);
    TELL(kernel_runs, NULL);
    tell_trigger(work->op, kernel);
    return kernel->run->state != EXEC_WAITING;
}

/* Gives kernels that poll memory, or wait for what they depend on, another look; true if one went
 * on. */
static bool resume(uint64_t now_ns)
{
    bool moved = false;
    for (int i = 0; i < work_waiting;) {
        Kernel *kernel = waiting[i];
        EngineOp op = waiting_op[i];
        if (!look(find(op), now_ns, &moved)) {
            i++;
            continue;
        }
        uint64_t end = engine_op_start_ns(runtime.engine, op) + block_ns(op, kernel);
        if (kernel->run->depended_ns != UINT64_MAX) set_works(op, kernel);
        else engine_finish(runtime.engine, op, end > now_ns ? end : now_ns);
        kernel->waiting = false;
        work_waiting--;
        memmove(waiting + i, waiting + i + 1, (size_t)(work_waiting - i) * sizeof *waiting);
        memmove(waiting_op + i, waiting_op + i + 1,
                (size_t)(work_waiting - i) * sizeof *waiting_op);
    }
    return moved;
}

static void resume_now(void *moved)
{
    uint64_t now = host_now();
    *(bool *)moved = resume(now > runtime.device_ns ? now : runtime.device_ns);
}

void work_look(void)
{
    bool moved = false;
    if (work_waiting) host_on_main(resume_now, &moved);
}

bool work_look_again(void)
{
    bool moved = false;
    if (!work_waiting) return false;
    exec_alone = true;
    for (int i = 0; i < 2 && !moved; i++)
        host_on_main(resume_now, &moved); /* the second time with more patience */
    exec_alone = false;
    return moved;
}

static void publish(Work *work)
{
    TELL(kernel_stores, work);
    exec_publish(work->effect.kernel->run);
    work->effect.kernel->published = true;
}

enum {
    GRID = 20
}; /* parts of an exact model's unit that a kernel can last by its clock, exactly */

static void start_kernel(Work *work, uint64_t ns)
{
    Kernel *kernel = work->effect.kernel;
    const Model *model = device_model(kernel->launch.device);
    EngineOp op = work->op;
    if (runtime.fault) { /* a device that has failed runs nothing more */
        engine_set_work(runtime.engine, op, 0);
        return;
    }
    ExecClock clock = {.start_ns = ns,
                       .sm_clock_ghz = model->sm_clock_ghz,
                       .sm_count = (uint32_t)model->sm_count,
                       .grid_barrier_ns = model->grid_barrier_ns,
                       .cluster_barrier_ns = model->cluster_barrier_ns,
                       .read_ns = model->costs.clock_read ? model->costs.clock_read : 100,
                       .grid_ns = model->exact ? model->unit_ns / GRID : 0};
    uint64_t choice = runtime.seed ? chance(runtime.seed, CHANCE_BLOCKS, op) : 0;
    kernel->launch.op = op;
    kernel->launch.order = choice & 1 ? choice : 0;
    if (kernel->estimate) say_estimate();

    TELL(kernel_runs, work);
    kernel->run = exec_start(&kernel->launch, &clock);
    TELL(kernel_runs, NULL);
    tell_trigger(op, kernel);
    if (kernel->run->state == EXEC_WAITING)
        wait_for_memory(op, kernel); /* looked at in this step */
    else engine_set_work(runtime.engine, op, block_ns(op, kernel));
    /* a kernel that ran by the clock stores when its clock says so, not before */
    if (kernel->run->state == EXEC_DONE && !kernel->run->clock_driven &&
        seen_at(op) == SEEN_AT_START)
        publish(work);
}

/* What is known of its inside. */
static void tell_moments(const Work *work)
{
    const Kernel *kernel = work->effect.kernel;
    uint64_t start = engine_op_start_ns(runtime.engine, work->op),
             triggered = engine_op_trigger_ns(runtime.engine, work->op);
    if (triggered != ENGINE_NEVER) TELL(moment, work->op, TRACE_MOMENT_TRIGGER, triggered);
    if (kernel->run->depended_ns != UINT64_MAX)
        TELL(moment, work->op, TRACE_MOMENT_DEPENDENCY, start + kernel->run->depended_ns);
}

static void end_kernel(Work *work)
{
    Kernel *kernel = work->effect.kernel;
    if (kernel->run) {
        tell_moments(work);
        if (kernel->run->nested_ns) TELL(nested, work);
        if (kernel->run->state == EXEC_FAULT) fault(work, kernel->run);
        if (!kernel->published) publish(work);
    }
    kernel_free(kernel);
    work->effect.kernel = NULL;
}

/* ---- host functions ---- */

/* On the driver's thread; the work is there until the engine has heard of the end. */
static void run_host_function(void *arg)
{
    Work *work = arg;
    uint32_t token = work->effect.function.token;
    int mark = host_mark;
    host_mark = work->effect.function.student;
    TELL(function_begins, work);
    if (token) call_log->host_function(token);
    if (work->effect.function.callback)
        work->effect.function.callback(work->effect.function.stream, runtime.fault,
                                       work->effect.function.data);
    else work->effect.function.fn(work->effect.function.data);
    if (token) call_log->host_function_end();
    TELL(function_over, work);
    host_mark = mark;
}

static void host_function_done(void *arg, uint64_t end_ns)
{
    const Work *work = arg;
    engine_finish(runtime.engine, work->op, end_ns);
}

static void start_host_function(Work *work, uint64_t ns)
{
    if (discards || (runtime.fault && !work->effect.function.callback)) { /* only callbacks are told
                                                                             of errors */
        engine_finish(runtime.engine, work->op, ns);
        return;
    }
    host_driver_run(run_host_function, work, ns, host_function_done, work);
}

/* ---- effects ---- */

size_t effect_slices(const Effect *effect)
{
    size_t depth = effect->kind == EFFECT_COPY  ? effect->copy.depth
                   : effect->kind == EFFECT_SET ? effect->set.depth
                                                : 0;
    return depth ? depth : 1;
}

Effect effect_slice(const Effect *effect, size_t n)
{
    Effect slice = *effect;
    if (effect->kind == EFFECT_SET) {
        slice.set.to += n * effect->set.slice;
        slice.set.depth = 1;
        return slice;
    }
    slice.copy.to += n * effect->copy.to_slice;
    slice.copy.from += n * effect->copy.from_slice;
    if (slice.copy.aside)
        slice.copy.aside =
            (char *)effect->copy.aside + n * effect->copy.width * effect->copy.height;
    slice.copy.depth = 1;
    return slice;
}

void *work_put_aside(const Effect *effect)
{
    size_t slices = effect_slices(effect), bytes = effect->copy.width * effect->copy.height;
    char *aside = malloc(bytes * slices);
    for (size_t n = 0; aside && n < slices; n++) {
        const char *from = effect->copy.from + n * effect->copy.from_slice;
        for (size_t row = 0; row < effect->copy.height; row++)
            memcpy(aside + n * bytes + row * effect->copy.width,
                   from + row * effect->copy.from_pitch, effect->copy.width);
    }
    return aside;
}

/* Does that with a piece of work for each slice of what it copies or sets; true if all say so. */
static bool each_slice(const Work *work, bool (*done)(const Work *slice))
{
    size_t slices = effect_slices(&work->effect);
    bool all = true;
    if (slices == 1) return done(work);
    for (size_t n = 0; n < slices; n++) {
        Work slice = *work;
        slice.effect = effect_slice(&work->effect, n);
        all &= done(&slice);
    }
    return all;
}

static bool reach_source(const Work *work)
{
    const Effect *effect = &work->effect;
    if (!operands_exist(work, effect->copy.from, effect->copy.from_pitch, effect->copy.width,
                        effect->copy.height, "reads"))
        return false;
    operands_read(work);
    return true;
}

static void put_aside(Work *work)
{
    if (!each_slice(work, reach_source)) {
        work->gone = true;
        return;
    }
    work->effect.copy.aside = or_die(work_put_aside(&work->effect));
}

static bool reach_both(const Work *work)
{
    const Effect *effect = &work->effect;
    size_t width = effect->copy.width, height = effect->copy.height;
    return (effect->copy.aside || operands_exist(work, effect->copy.from, effect->copy.from_pitch,
                                                 width, height, "reads")) &&
           operands_exist(work, effect->copy.to, effect->copy.to_pitch, width, height, "writes");
}

static bool move_slice(const Work *work)
{
    const Effect *effect = &work->effect;
    const char *from = effect->copy.aside ? effect->copy.aside : effect->copy.from;
    size_t from_pitch = effect->copy.aside ? effect->copy.width : effect->copy.from_pitch;
    if (!reach_both(work)) return false;
    if (!effect->copy.aside) operands_read(work);
    if (effect->copy.height == 1) exec_copy(effect->copy.to, from, effect->copy.width);
    else
        for (size_t row = 0; row < effect->copy.height; row++)
            exec_copy(effect->copy.to + row * effect->copy.to_pitch, from + row * from_pitch,
                      effect->copy.width);
    operands_wrote(work);
    return true;
}

static void move_copy(const Work *work)
{
    const Effect *effect = &work->effect;
    if (discards &&
        !(is_ours(effect->copy.to) && (effect->copy.aside || is_ours(effect->copy.from))))
        return;
    if (!runtime.fault && !work->gone) each_slice(work, move_slice);
}

static bool fill_slice(const Work *work)
{
    const Effect *effect = &work->effect;
    if (!operands_exist(work, effect->set.to, effect->set.pitch, effect->set.width,
                        effect->set.height, "writes"))
        return false;
    for (size_t row = 0; row < effect->set.height; row++)
        exec_set(effect->set.to + row * effect->set.pitch, effect->set.value, effect->set.element,
                 effect->set.width);
    operands_wrote(work);
    return true;
}

static void fill_set(const Work *work)
{
    if (!runtime.fault && !(discards && !is_ours(work->effect.set.to)))
        each_slice(work, fill_slice);
}

/* What a graph frees keeps its address for the next launch. */
static void release(const Work *work)
{
    if (!work->effect.release->graph) memory_release(work->effect.release, work->site);
}

/* An explored schedule: what a copy or set does at its start already. */
static void start_effect(Work *work)
{
    SeenTime when = seen_at(work->op);
    if (runtime.fault || when == SEEN_AT_END) return;
    if (work->effect.kind == EFFECT_COPY && when == SEEN_READ_AT_START &&
        !work->effect.copy.aside) {
        put_aside(work);
    } else if (when == SEEN_AT_START && work->effect.kind == EFFECT_COPY) {
        move_copy(work);
        work->done = true;
    } else if (when == SEEN_AT_START && work->effect.kind == EFFECT_SET) {
        fill_set(work);
        work->done = true;
    }
}

static void end_effect(Work *work)
{
    switch (work->effect.kind) {
    case EFFECT_COPY:
        if (!work->done) move_copy(work);
        break;
    case EFFECT_SET:
        if (!work->done) fill_set(work);
        break;
    case EFFECT_KERNEL: end_kernel(work); break;
    case EFFECT_RELEASE: release(work); break;
    case EFFECT_GRAPH:
        if (work->effect.graph.over) work->effect.graph.over(work->effect.graph.of, work->op);
        break;
    case EFFECT_FUNCTION:
    case EFFECT_NONE: break;
    }
    TELL(performed, work);
    if (work->effect.kind == EFFECT_COPY) free(work->effect.copy.aside);
}

void work_settle(void) { exec_settle_for_host(); }

/* Whose end it is, if it is a kernel's that has run. */
static const ExecRun *ending_run(const EngineStep *step, const Work *work)
{
    bool ends = step->what != ENGINE_STARTED && work && work->effect.kind == EFFECT_KERNEL;
    return ends ? work->effect.kernel->run : NULL;
}

void work_step(void)
{
    EngineStep step;
    if (!engine_step(runtime.engine, &step)) return;
    runtime.device_ns = step.ns;
    Work *work = find(step.op);
    bool memory_changed = false;
    exec_settle(ending_run(&step, work));
    if (step.what == ENGINE_STARTED) {
        TELL(started, step.op, step.ns, step.engine);
        if (!work) return;
        if (work_on_device) work_on_device(work->device);
        memory_view(step.op);
        if (work->effect.kind == EFFECT_KERNEL) {
            start_kernel(work, step.ns);
            memory_changed = true; /* atomics and volatile stores have landed */
        } else if (work->effect.kind == EFFECT_FUNCTION) {
            start_host_function(work, step.ns);
        } else if (work->effect.kind == EFFECT_GRAPH) {
            if (work->effect.graph.begins)
                work->effect.graph.begins(work->effect.graph.of, step.op);
        } else if (runtime.seed) {
            start_effect(work);
            memory_changed = work->done;
        }
        memory_view(0);
    } else {
        TELL(ended, step.op, step.ns);
        if (!work) return;
        if (work_on_device) work_on_device(work->device);
        memory_view(step.op);
        end_effect(work);
        memory_view(0);
        forget(step.op);
        memory_changed = true;
    }
    if (memory_changed && work_waiting) resume(step.ns);
}
