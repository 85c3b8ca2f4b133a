/* runtime.h - the state of the CUDA runtime: its devices, its engine, and what is true of the whole
 * run.
 *
 * The runtime turns operations into work of the engine, performs their effects when the engine says
 * so, and tells observers what happens. It is driven from two sides: a host thread calls an API
 * function (call.h), and the host room lets device events happen (work_step). Both happen with the
 * baton held, so nothing here locks.
 *
 *   call.h       a call in progress: what it costs, what it waits for
 *   handle.h     what the program holds of streams, events and pools
 *   stream.h     streams and events
 *   place.h      memory as a call sees it; pool.h  what cudaMallocAsync takes from
 *   operation.h  what goes into a stream, as a value
 *   work.h       what operations do, and when
 *   observer.h   who is told what happens: the trace, the checker, the log of calls
 *   misuse.h     what is reported of wrong pointers and of what is never given back
 */
#ifndef THREELANE_RUNTIME_H
#define THREELANE_RUNTIME_H
#include <stdbool.h>
#include <stdint.h>
#include "common/devices.h"
#include "sim/engine/engine.h"
#include "sim/include/driver_types.h"
#include "sim/model/model.h"

typedef struct Runtime {
    Engine *engine;            /* NULL until the first call that needs a device */
    uint64_t device_ns;        /* when the latest device event happened */
    int devices;               /* that the program sees */
    int numbers[DEVICES_MOST]; /* of each: which of the machine's it is */
    cudaError_t why_none;      /* what calls return if it sees none */
    uint64_t seed;
    bool exact;               /* a textbook: its times are exact */
    double host_bytes_per_ns; /* host code pays for memory it touches at this rate; 0: free */
    bool launch_blocking;
    cudaError_t fault; /* sticky: what every call returns once a kernel has failed ... */
    uint32_t gone;     /* ... except for devices, a bit each, that were reset after that */
} Runtime;
extern Runtime runtime;

/* What a device can do and how long it takes; devices count from 0. There from runtime_start on. */
extern const Model *device_models[DEVICES_MOST];
static inline const Model *device_model(int device) { return device_models[device]; }
static inline bool device_exists(int device) { return device >= 0 && device < runtime.devices; }

/* sim/process/context.c */
void runtime_start(void);        /* models, trace, host; on the first call of any kind */
void runtime_start_device(void); /* engine; on the first call that needs a device */
#endif
