/* call.h - a call of the CUDA API in progress: what it costs its thread, what it waits for, how it
 * ends.
 *
 * Who waits, and who finds that it need not, knows something afterwards; the functions here tell
 * the observers what. */
#ifndef THREELANE_CALL_H
#define THREELANE_CALL_H
#include "sim/host/host.h"
#include "sim/runtime/observer.h"
#include "sim/runtime/runtime.h"
#include "sim/whatif/whatif.h"
#include "timeline/trace/trace.h"

enum {
    CALL_IN_HOST_FUNCTION = 1, /* permitted there */
    CALL_AFTER_FAULT = 2,      /* tells its own result even when the device has failed */
    CALL_NO_DEVICE = 4,        /* does not need a device */
    CALL_NO_ERROR = 8,         /* its result is never the last error */
    CALL_PER_THREAD = 16,      /* stream 0 is the calling thread's own stream */
    CALL_DRIVER = 32,          /* of the driver API: it takes the context that is current, and
                                  makes none; its results are codes of the driver's, and never the
                                  runtime's last error */
    CALL_NO_CONTEXT = 64,      /* of the driver's: no context has to be current */
    CALL_UNINITIALISED = 128,  /* of the driver's: cuInit need not have been called */
    CALL_UNSAFE = 256,         /* no capture sees it, which may be forbidden while there is one */
    CALL_IN_KERNEL = 512,      /* device code may make it; its body then asks exec_in_kernel() */
    CALL_ALWAYS = CALL_IN_HOST_FUNCTION | CALL_AFTER_FAULT | CALL_NO_DEVICE
};
struct Call {
    const char *name;
    TraceSite site;
    const ModelCosts *costs; /* what calls cost while the thread's current device is current */
    uint32_t id;             /* in the trace; 0 when nobody is told */
    unsigned flags;
    EngineOp op;          /* the operation that it submitted last; 0: none */
    const WhatIf *change; /* how it is made otherwise than the program makes it; NULL: it is not */
    cudaError_t result;
};

/* Starts a call. False: it ends at once with call->result. */
bool call_enter(Call *, const char *name, ThreelaneSite, unsigned flags);
/* Ends it: last error, trace; returns the result. */
cudaError_t call_leave(Call *);
/* The calling thread pays for the memory that its code has touched so far. */
void call_charge(void);
/* The call costs its thread this much; device events up to the new time happen. */
static inline void call_spend(uint64_t ns)
{
    if (ns) host_spend(ns);
}

/* The calling thread's stack reaches down to here: said by each call of the API, of its caller.
 * What a thread said last; 0: nothing. */
extern _Thread_local uintptr_t *call_stack_place; /* NULL before its first call */
void call_stack_begin(void);
static inline void call_stack_at(const void *at)
{
    if (__builtin_expect(!call_stack_place, 0)) call_stack_begin();
    *call_stack_place = (uintptr_t)at;
}
uintptr_t call_stack_of(uint32_t thread);

/* The calling thread's current device; the context of it that is current: a number from 1, 0: none.
 * A device's primary context has the number after the device's; the first call of the runtime that
 * needs a device makes it current, and so does cudaSetDevice. */
int call_device(void);
bool call_device_is_gone(void); /* it was reset after a fault, and nothing brings it back */
uint32_t call_context(void);
void call_set_device(const Call *, int device);
void call_set_context(uint32_t context, int device); /* context 0: none, and the device stays */
static inline uint32_t call_primary(int device) { return (uint32_t)device + 1; }
/* A device has a context that is not its primary one (made says where it was made; file NULL: it
 * has it no more): whoever then asks for the primary one ends the program, for two contexts of a
 * device at a time are not simulated. */
void call_own_context(int device, bool there, TraceSite made);
/* A device's primary context: it lives from the first who asks for it until all who asked have
 * released it; the runtime asks once, and again when it finds it dead. */
typedef struct CallPrimary {
    bool alive, held_by_runtime;
    uint32_t references;
} CallPrimary;
const CallPrimary *call_primary_state(int device);
void call_primary_retain(int device);
/* One reference less, if there are any (false); reset: it dies whatever references there are. */
bool call_primary_release(int device);
void call_primary_reset(int device);
cudaError_t call_last_error(bool clear); /* the calling thread's last error */

/* cuInit was called, or the runtime has done it. */
void call_driver_ready(void);

/* Who knows what the codes of errors are called, and what they mean, for reports of calls that
 * failed. */
typedef const char *CallErrorWords(int code, bool driver);
void call_error_words(CallErrorWords *name, CallErrorWords *meaning);

/* ---- waiting: the thread is blocked; the sticky error is returned, if there is one by then
 * ---- */

/* What does a wait promise? That what was waited for has ended, or does it only happen to be so
 * here? */
typedef enum CallPromise { CALL_PROMISED, CALL_BY_LUCK } CallPromise;

/* For op (0: nothing), by a call that is made to wait for it; *wait says in the name of what.
 * (stream.h has forms of it for streams and events.) */
cudaError_t call_wait(const Call *, Wait *wait, EngineOp op);
/* For all work of a device, by a call that is made for that; by one that has another purpose
 * (device < 0: of all). */
cudaError_t call_synchronize(const Call *, int device);
cudaError_t call_wait_device(const Call *, int device, CallPromise);
/* For the operation that the call has submitted; say afterwards (below) what is known then. busy:
 * the thread works meanwhile, and goes on at once. */
cudaError_t call_wait_own(const Call *, bool busy);
cudaError_t call_wait_start(const Call *); /* until it has started */

/* ---- what the thread knows without having waited ---- */

void call_saw_own(const Call *, CallPromise); /* the operation that the call submitted has ended */
void call_saw_before_own(const Call *);       /* what was in the stream before that one has ended */

/* An argument of the call (from 0) is pageable memory, so many bytes of it. */
void call_pageable(const Call *, const void *address, size_t bytes, int argument);

/* The block is what the call has allocated. */
void call_allocated(const Call *, struct MemoryBlock *);

/* A query found work pending. Where calls are free, a second one of the same event or stream at the
 * same time moves time on all the same: a loop that only asks ends, and one that works between its
 * questions, asks several things in turn, or puts work into streams before it asks again (a few
 * times, that is: such a loop has to end, too), keeps its own time. */
void call_pending(const void *asked_of, uint64_t cost_ns);

/* The thread has put work into a stream. */
void call_issued(void);

/* ---- captures (sim/graph/capture.h) ---- */

/* What calls may not do while streams are being captured: an error, and whatever else it has to
 * have; success where the rule does not apply. Set as long as there is a capture in the process. */
typedef struct CaptureRules {
    cudaError_t (*unsafe)(Call *);               /* a call that no capture can see */
    cudaError_t (*work)(Call *, const Stream *); /* work goes into a stream */
    cudaError_t (*ask)(Call *, const Stream *);  /* a call waits for a stream, or asks how far it is
                                                  */
    cudaError_t (*ask_all)(Call *);              /* for all streams there are */
    void (*fails)(const Stream *); /* a call that puts work into a stream has failed */
    cudaError_t (*peer)(Call *, const Stream *); /* a call that copies from device to device */
} CaptureRules;
extern const CaptureRules *capture_rules; /* NULL: none is being captured */
#define CAPTURE_RULE(RULE, ...) \
    (__builtin_expect(capture_rules != NULL, 0) ? capture_rules->RULE(__VA_ARGS__) : cudaSuccess)
#endif
