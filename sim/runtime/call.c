/* call.c - what happens around every call, and while it waits. */
#include "sim/hazard/failed.h"
#include "sim/runtime/call.h"
#include "sim/engine/chance.h"
#include "sim/runtime/work.h"

const CaptureRules *capture_rules;

static _Thread_local int current_device;
static _Thread_local bool chose_device; /* with cudaSetDevice */
static _Thread_local uint32_t current_context;
static bool driver_ready;
static CallPrimary primaries[DEVICES_MOST];
static bool one_has_died; /* of the primary contexts */
static struct {
    bool there;
    TraceSite made;
} own_context[DEVICES_MOST];
static _Thread_local cudaError_t last_error;

void call_charge(void)
{
    if (runtime.host_bytes_per_ns <= 0) return;
    uint64_t bytes = exec_take_host_bytes();
    if (bytes) host_spend((uint64_t)((double)bytes / runtime.host_bytes_per_ns));
}

enum { STACKS = 1024 };
static uintptr_t stacks[STACKS + 1]; /* by thread; the last one of those that are too many */
_Thread_local uintptr_t *call_stack_place;

void call_stack_begin(void)
{
    uint32_t thread = host_thread();
    call_stack_place = &stacks[thread < STACKS ? thread : STACKS];
}

uintptr_t call_stack_of(uint32_t thread) { return thread < STACKS ? stacks[thread] : 0; }

static _Noreturn __attribute__((noinline)) void called_in_kernel(const Call *call)
{
    const ExecLaunch *kernel = exec_current();
    exec_alone_at_end();
    host_fatal(HOST_STATUS_MISUSE, call->site, "%s is called in the kernel %s: it is for host code",
               call->name, kernel ? kernel->name : "?");
}

/* Whether no call of this name was made before. Names are literals: one address each. */
static bool is_new_name(const char *name)
{
    enum { NAMES = 1024 };
    static const char *seen[NAMES];
    for (unsigned i = 0, at = (unsigned)((uintptr_t)name >> 3); i < NAMES; i++, at++) {
        if (seen[at % NAMES] == name) return false;
        if (seen[at % NAMES]) continue;
        seen[at % NAMES] = name;
        return true;
    }
    return false;
}

/* A thread's first call makes what the driver keeps of a thread. The main thread's makes the
 * process's as well, which is not part of any schedule. */
static void first_call(const Call *call)
{
    static _Thread_local bool called;
    if (call->costs->call_first && is_new_name(call->name)) host_spend(call->costs->call_first);
    if (called) return;
    called = true;
    if (call->costs->thread_first_call && host_thread() != 1 && !host_is_driver())
        host_spend(call->costs->thread_first_call);
}

/* A thread that has not chosen a device, and whose own is gone, looks for another one that is in
 * use; where none is, it is left without (measured on two H200s: with one visible, or a device that
 * it has chosen, it keeps the dead context). False: it is left without. */
static bool finds_device(void)
{
    if (!call_device_is_gone() || runtime.devices < 2 || chose_device) return true;
    for (int i = 0; i < runtime.devices; i++) {
        if (!primaries[i].alive || runtime.gone >> i & 1) continue;
        current_device = i;
        return true;
    }
    return false;
}

/* The calling thread takes the primary context of its device. */
static void take_primary(TraceSite site, const char *name)
{
    if (own_context[current_device].there)
        host_fatal(
            HOST_STATUS_UNSUPPORTED, site,
            "%s takes the primary context of device %d beside the one that was made at %s:%u: "
            "two contexts of a device are not simulated (make the other one current in this "
            "thread: cuCtxSetCurrent)",
            name, current_device,
            own_context[current_device].made.file ? own_context[current_device].made.file : "?",
            own_context[current_device].made.line);
    driver_ready = true;
    CallPrimary *primary = &primaries[current_device];
    if (!runtime.fault) { /* else what died with it stays dead */
        if (!primary->held_by_runtime) primary->references++;
        primary->alive = primary->held_by_runtime = true;
    }
    current_context = finds_device() ? call_primary(current_device) : 0;
}

static bool primary_is_current(void)
{
    return current_context && current_context == call_primary(current_device);
}

/* A kernel's failure is the whole process's; a device that is reset after it is not there any more
 * (measured on two H200s). */
static cudaError_t sticky(void)
{
    if (__builtin_expect(!runtime.fault, 1)) return cudaSuccess;
    return call_device_is_gone() ? cudaErrorDevicesUnavailable : runtime.fault;
}

/* What a driver call ends with at once. */
static cudaError_t driver_state(unsigned flags)
{
    if (!driver_ready && !(flags & CALL_UNINITIALISED)) return cudaErrorInitializationError;
    if (!(flags & CALL_NO_CONTEXT)) {
        if (!current_context) return cudaErrorDeviceUninitialized;
        if (primary_is_current() && !primaries[current_device].alive)
            return cudaErrorContextIsDestroyed;
    }
    return flags & CALL_AFTER_FAULT ? cudaSuccess : sticky();
}

/* The codes that the driver has not, as what it has for them; all others have the same number. */
static cudaError_t driver_code(cudaError_t error)
{
    switch ((int)error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidMemcpyDirection: return cudaErrorInvalidValue;
    case cudaErrorInvalidSymbol: return cudaErrorSymbolNotFound;
    case cudaErrorInvalidDeviceFunction: return cudaErrorInvalidResourceHandle;
    default: return error;
    }
}

/* Every device is hidden from the program (CUDA_VISIBLE_DEVICES). */
static __attribute__((noinline, cold)) bool no_device(Call *call)
{
    call->costs = &device_model(0)->costs;
    host_set_site(call->site);
    TELL(call, call);
    call->result = runtime.why_none;
    return false;
}

bool call_enter(Call *call, const char *name, ThreelaneSite at, unsigned flags)
{
    *call = (Call){.name = name, .site = {at.file, (uint32_t)at.line}, .flags = flags};
    if (!device_models[0]) runtime_start();
    if (__builtin_expect(exec_in_kernel(), 0)) {
        if (flags & CALL_IN_KERNEL) return true;
        called_in_kernel(call);
    }
    if (__builtin_expect(!runtime.devices, 0) && !(flags & CALL_NO_DEVICE)) return no_device(call);
    if (!runtime.engine && !(flags & CALL_NO_DEVICE)) runtime_start_device();
    if (__builtin_expect(!current_context || one_has_died, 0) &&
        !(flags & (CALL_NO_DEVICE | CALL_DRIVER)) &&
        (!current_context || (primary_is_current() && !primaries[current_device].alive)))
        take_primary(call->site, name);
    call->costs = &device_model(current_device)->costs;
    host_set_site(call->site);
    call_charge();
    if (work_waiting) work_look(); /* the program may have written what a kernel polls */
    TELL(call, call);
    if (!(flags & CALL_NO_DEVICE)) first_call(call);
    if (__builtin_expect(whatif_on && call->id, 0))
        call->change = whatif_call(host_thread(), call->name);
    if (!(flags & CALL_IN_HOST_FUNCTION) && host_is_driver()) call->result = cudaErrorNotPermitted;
    else if (__builtin_expect(flags & CALL_DRIVER, 0)) call->result = driver_state(flags);
    else if (!(flags & CALL_AFTER_FAULT)) call->result = sticky();
    if (!call->result && flags & CALL_UNSAFE) call->result = CAPTURE_RULE(unsafe, call);
    if (__builtin_expect(call->change && call->change->skip, 0)) return false;
    return !call->result;
}

/* An explored schedule: between two calls a thread may lose the processor. */
static void dally(const Call *call)
{
    static uint64_t n;
    enum { AWHILE = 50000 };
    if (call->flags & CALL_NO_DEVICE || exec_in_kernel()) return;
    uint64_t stage_ns = device_model(current_device)->stage_ns;
    uint64_t ns = chance_delay(runtime.seed, CHANCE_CALL, n++, stage_ns ? stage_ns : AWHILE);
    if (ns) host_spend(ns);
}

/* Not in line: calls that fail, and told ones, are few. */
static __attribute__((noinline, cold)) void note_failure(const Call *call)
{
    if (call->result == cudaErrorNotReady || call->flags & CALL_NO_ERROR) return;
    if (!(call->flags & CALL_DRIVER)) last_error = call->result;
    if (call->result != sticky())
        failed_call(call->name, (int)call->result, call->flags & CALL_DRIVER, call->site);
}

static __attribute__((noinline)) void tell_return(const Call *call) { TELL(ret, call); }

cudaError_t call_leave(Call *call)
{
    if (__builtin_expect(call->flags & CALL_IN_KERNEL && exec_in_kernel(), 0)) return call->result;
    if (call->op) host_spend(0);
    if (__builtin_expect(call->change && call->change->wait, 0) && !call->result)
        call->result = call_synchronize(call, call_device());
    if (__builtin_expect(call->flags & CALL_DRIVER, 0)) call->result = driver_code(call->result);
    if (__builtin_expect(call->result != cudaSuccess, 0)) note_failure(call);
    if (call->id) tell_return(call);
    if (__builtin_expect(runtime.seed != 0, 0)) dally(call);
    return call->result;
}

void call_error_words(CallErrorWords *name, CallErrorWords *meaning)
{
    failed_words(name, meaning);
}

cudaError_t call_last_error(bool clear)
{
    cudaError_t error = last_error;
    if (error) failed_looked_at();
    if (clear) last_error = cudaSuccess;
    return error;
}

void call_driver_ready(void) { driver_ready = true; }

void call_allocated(const Call *call, MemoryBlock *block)
{
    block->by = call->name;
    block->by_driver = (call->flags & CALL_DRIVER) != 0;
}

int call_device(void) { return current_device; }
bool call_device_is_gone(void) { return runtime.gone >> current_device & 1; }
uint32_t call_context(void) { return current_context; }

void call_set_device(const Call *call, int device)
{
    current_device = device;
    chose_device = true;
    take_primary(call->site, call->name);
}

void call_set_context(uint32_t context, int device)
{
    current_context = context;
    if (context) current_device = device;
}

void call_own_context(int device, bool there, TraceSite made)
{
    own_context[device].there = there;
    own_context[device].made = made;
}

const CallPrimary *call_primary_state(int device) { return &primaries[device]; }

void call_primary_retain(int device)
{
    primaries[device].references++;
    primaries[device].alive = true;
}

bool call_primary_release(int device)
{
    CallPrimary *primary = &primaries[device];
    if (!primary->references) return false;
    if (--primary->references == 0) call_primary_reset(device);
    return true;
}

void call_primary_reset(int device)
{
    primaries[device].alive = primaries[device].held_by_runtime = false;
    one_has_died = true;
}

/* ---- waiting ---- */

static bool has_ended(void *op) { return engine_op_ended(runtime.engine, *(EngineOp *)op); }
static bool has_started(void *op)
{
    return engine_op_start_ns(runtime.engine, *(EngineOp *)op) != ENGINE_NEVER;
}
static bool is_idle(void *device)
{
    return *(int *)device < 0 ? engine_idle(runtime.engine)
                              : engine_device_idle(runtime.engine, *(int *)device);
}

/* Waits; a thread that had to wait needs a moment to go on. */
static void wait_for(const Call *call, bool (*ready)(void *), void *arg)
{
    bool ended = ready(arg);
    host_wait(ready, arg, HOST_NEVER, call->name, call->site);
    if (!ended) call_spend(device_model(current_device)->gap_return);
}

static void wait_for_op(const Call *call, EngineOp op)
{
    if (op) wait_for(call, has_ended, &op);
    TELL(waited_long);
}

cudaError_t call_wait(const Call *call, Wait *wait, EngineOp op)
{
    uint64_t begin = host_now();
    wait->call = call->name;
    wait->site = call->site;
    TELL(waits, wait);
    wait_for_op(call, op);
    wait->ns = host_now() - begin;
    TELL(waited, wait);
    return sticky();
}

static void wait_for_device(const Call *call, Wait *wait)
{
    uint64_t begin = host_now();
    TELL(waits, wait);
    wait_for(call, is_idle, &wait->device);
    TELL(waited_long);
    wait->ns = host_now() - begin;
    TELL(waited, wait);
}

cudaError_t call_synchronize(const Call *call, int device)
{
    wait_for_device(call, &(Wait){.kind = WAIT_DEVICE,
                                  .device = device,
                                  .call = call->name,
                                  .site = call->site});
    return sticky();
}

cudaError_t call_wait_device(const Call *call, int device, CallPromise promise)
{
    wait_for_device(call, &(Wait){.kind = WAIT_DEVICE,
                                  .device = device,
                                  .by_luck = promise == CALL_BY_LUCK,
                                  .site = call->site});
    return sticky();
}

cudaError_t call_wait_own(const Call *call, bool busy)
{
    EngineOp op = call->op;
    if (busy) host_wait(has_ended, &op, HOST_NEVER, call->name, call->site);
    else if (op) wait_for(call, has_ended, &op);
    TELL(waited_long);
    return sticky();
}

cudaError_t call_wait_start(const Call *call)
{
    EngineOp op = call->op;
    host_wait(has_started, &op, HOST_NEVER, call->name, call->site);
    return sticky();
}

/* ---- knowing without waiting ---- */

void call_saw_own(const Call *call, CallPromise promise)
{
    TELL(waited, &(Wait){.kind = WAIT_OWN, .by_luck = promise == CALL_BY_LUCK, .site = call->site});
}

void call_saw_before_own(const Call *call)
{
    TELL(waited, &(Wait){.kind = WAIT_BEFORE_OWN, .site = call->site});
}

void call_pageable(const Call *call, const void *address, size_t bytes, int argument)
{
    TELL(pageable, call, address, bytes, argument);
}

static _Thread_local uint64_t issued; /* how much work this thread has put into streams */

void call_issued(void) { issued++; }

void call_pending(const void *asked_of, uint64_t cost_ns)
{
    enum { MOST = 16 };  /* who asks for more things than these in turn is polling */
    enum { AGAIN = 16 }; /* and who asks so often again, whatever is issued in between */
    static _Thread_local struct {
        const void *of;
        uint64_t issued;
    } asked[MOST]; /* what this thread found pending at asked_ns */
    static _Thread_local unsigned n, again;
    static _Thread_local uint64_t asked_ns = UINT64_MAX;
    if (asked_ns != host_now()) n = again = 0;
    unsigned i = 0;
    while (i < n && asked[i].of != asked_of) i++;
    bool polls = i < n ? asked[i].issued == issued || ++again > AGAIN : n == MOST;
    if (!cost_ns && polls) {
        host_poll();
        i = n = again = 0;
    }
    if (i < MOST) {
        asked[i].of = asked_of;
        asked[i].issued = issued;
        if (i == n) n++;
    }
    asked_ns = host_now();
    TELL(waited_long);
}
