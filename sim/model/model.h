/* model.h - a device model: what a virtual GPU can do and how long it takes, as data.
 *
 * Filled from an ini file (sim/devices/NAME.ini; all of them are built into the runtime library, so a program
 * needs no files to run) by model_load. A model with stage_ns > 0 is a textbook: every copy, set and kernel takes
 * one stage. All times in nanoseconds, sizes in bytes, bandwidths in bytes per nanosecond (= GB/s).
 */
#ifndef THREELANE_MODEL_H
#define THREELANE_MODEL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "timeline/trace.h"

enum { MODEL_TEXT = 128, MODEL_ENGINES = 8 };

typedef enum ModelOrder { MODEL_BY_READY, MODEL_BY_ISSUE } ModelOrder;   /* how an engine picks what is next */

typedef struct ModelEngine {
    TraceEngineClass class_;          /* h2d, d2h, copy (both directions) or compute */
    ModelOrder order;                 /* issue: in-order, an op that is not ready holds back those behind it */
    char name[MODEL_TEXT];
} ModelEngine;

typedef struct ModelCopy {            /* one path of copying */
    double bytes_per_ns;
    uint64_t fixed_ns;                /* per copy, on the engine */
} ModelCopy;

/* What a call costs the calling host thread, ns. */
typedef struct ModelCosts {
    uint64_t launch, memcpy_async, memcpy_sync, memset, event_record, stream_wait, event_query, stream_query,
             stream_sync, event_sync, device_sync, host_fn, malloc_async, stream_create, stream_destroy, event_create,
             event_destroy, malloc_, free_, malloc_host, free_host, malloc_host_per_mib, other, clock_read;
} ModelCosts;

typedef struct Model {
    char name[MODEL_TEXT], card[MODEL_TEXT], note[4 * MODEL_TEXT];
    bool exact;                       /* a textbook: measured report fields are exact */
    uint64_t unit_ns; char unit_name[16];     /* the unit of reports */
    uint64_t stage_ns;                /* > 0: the duration of every copy, set and (not clock-driven) kernel */
    int devices;                      /* GPUs in the machine, all alike */

    ModelEngine engines[MODEL_ENGINES]; int n_engines;
    int hardware_queues;              /* default of CUDA_DEVICE_MAX_CONNECTIONS */
    int resident_grids;
    double duplex_factor;             /* an H2D copy's rate while a D2H copy runs: 1 = unaffected */
    double duplex_factor_d2h;         /* a D2H copy's rate while an H2D copy runs */

    ModelCopy h2d, d2h;               /* pinned memory, DMA */
    ModelCopy h2d_pageable, d2h_pageable;     /* through the staging buffer */
    ModelCopy h2h, d2d, p2p, memset_;
    uint64_t staged_bytes;            /* pageable H2D up to this is copied aside and returns at once */
    double staging_bytes_per_ns;      /* that copy aside, on the host; 0: free */

    /* latency from the end of earlier work to the start of what waited for it */
    uint64_t gap_kernel_kernel, gap_kernel_copy, gap_copy_kernel, gap_copy_copy, gap_event, gap_host_fn,
             gap_after_host_fn, issue_latency;        /* issue_latency: from the call to the earliest start */
    uint64_t gap_host_fn_host_fn;     /* between two host functions of one stream */

    ModelCosts costs;
    double host_bytes_per_ns;         /* host code pays for memory it touches at this rate; 0: free */

    /* kernels */
    uint64_t kernel_fixed_ns;
    double memory_bytes_per_ns;       /* device memory, read + write */
    double ns_per_kiloaccess;         /* calibrated instruction cost of 1000 accesses on one SM's worth of threads */
    double sm_clock_ghz;
    /* limits and properties (cudaDeviceProp) */
    int sm_count, warp_size, major, minor, max_threads_per_block, max_threads_per_sm, max_blocks_per_sm,
        registers_per_sm, memory_bus_bits, memory_clock_khz, l2_bytes, async_engine_count, pci_bus, priority_low,
        priority_high;                /* e.g. 0 and -5 */
    bool room_limited;                /* kernels compete for SM room; false (textbook): only resident_grids limits */
    uint64_t shared_per_block, shared_per_block_optin, shared_per_sm, constant_bytes, memory_bytes;
    int invalid_configuration_code;   /* what a bad launch configuration returns: 1 on h200, 9 documented */
} Model;

/* Reads a model from ini text. Unknown keys, missing required keys, values out of range and text that is not ini
 * are errors: -1 and one line in error ("h200.ini:14: ..."). name is for messages. */
int model_parse(Model *, const char *name, const char *text, size_t length, char *error, size_t error_size);

/* Finds a model: a path (contains '/' or ends in ".ini"), else NAME.ini in $THREELANE_DEVICES when set, else one of
 * the built-in models. -1 and one line in error (which lists the known names) when there is none. */
int model_load(Model *, const char *name_or_path, char *error, size_t error_size);

/* The built-in names, NULL-terminated. */
const char *const *model_names(void);

/* How long an uncontended copy or set of this kind takes on the engine. pageable: through staging. */
uint64_t model_copy_ns(const Model *, TraceOpKind, bool pageable, uint64_t bytes);

/* How many blocks of this shape one SM holds; 0 when not even one fits. */
int model_blocks_per_sm(const Model *, uint32_t threads_per_block, uint64_t shared_per_block);
#endif
