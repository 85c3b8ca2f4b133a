/* model.h - a device model: what a virtual GPU can do and how long it takes, as data.
 *
 * Filled from an ini file (sim/devices/NAME.ini; all of them are built into the runtime library, so
 * a program needs no files to run) by model_load. A model with stage_ns > 0 is a textbook: every
 * copy, set and kernel takes one stage. All times in nanoseconds, sizes in bytes, bandwidths in
 * bytes per nanosecond (= GB/s).
 */
#ifndef THREELANE_MODEL_H
#define THREELANE_MODEL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "timeline/trace/trace.h"

enum { MODEL_TEXT = 128, MODEL_ENGINES = 8 };

typedef enum ModelOrder {
    MODEL_BY_READY,
    MODEL_BY_ISSUE,
    MODEL_BY_STREAM
} ModelOrder; /* how an engine picks the next */

typedef struct ModelEngine {
    TraceEngineClass class_; /* h2d, d2h, copy (both directions) or compute */
    /* issue: in-order, an op that is not ready holds back those behind it; stream: what is ready
     * first, but the next copy of the stream at hand before all others */
    ModelOrder order;
    char name[MODEL_TEXT];
} ModelEngine;

typedef struct ModelCopy { /* one path of copying */
    double bytes_per_ns;
    uint64_t fixed_ns; /* per copy, on the engine */
} ModelCopy;

/* What a call costs the calling host thread, ns. */
typedef struct ModelCosts {
    uint64_t launch, memcpy_async, memcpy_sync, memcpy_d2d, memset, event_record, stream_wait,
        event_query, stream_query, stream_sync, event_sync, device_sync, host_fn, malloc_async,
        stream_create, stream_destroy, event_create, event_destroy, malloc_, free_, malloc_host,
        free_host, malloc_host_per_mib, other, clock_read;
    /* more for each MiB; memory that is there already is registered far quicker than new memory is
     * allocated (host_register 0: as malloc_host) */
    uint64_t free_host_per_mib, host_register, host_register_per_mib, host_unregister_per_mib;
    uint64_t memcpy_peer;                            /* 0: as memcpy_async */
    uint64_t memcpy_peer_target, memcpy_peer_staged; /* ... in a stream of the device that it goes
                                   to; through the host. 0: as memcpy_peer */
    uint64_t set_device;                             /* 0: as other */
    uint64_t thread_create;     /* pthread_create costs its caller; the new thread runs */
    uint64_t thread_start;      /* that long after the call */
    uint64_t thread_join;       /* from a thread's end until one goes on that waited for it */
    uint64_t thread_first_call; /* a thread's first CUDA call costs so much more; not the main
                                   thread's. A per-thread default stream costs stream_create */
    /* cudaGraphLaunch (0: as launch) and more for each node, for one that is no kernel, and for
     * each the first time, unless it was uploaded before; cudaGraphInstantiate; a call that is only
     * captured */
    uint64_t graph_launch, graph_launch_per_node, graph_launch_per_other, graph_upload_per_node,
        graph_instantiate, graph_instantiate_per_node, graph_capture;
    uint64_t pool_first, pool_grow_per_mib; /* cudaMallocAsync, when the pool has to take more of
                                               the device's memory; the first time at all */
    uint64_t call_first; /* the program's first call of each function costs so much more */
    uint64_t launch_first, launch_load; /* code is loaded when it is launched: the program's first
                                           launch costs so much more, the first of each kernel */
} ModelCosts;

typedef struct Model {
    char name[4 * MODEL_TEXT], card[MODEL_TEXT], note[4 * MODEL_TEXT];
    bool exact; /* a textbook: measured report fields are exact */
    uint64_t unit_ns;
    char unit_name[16];   /* the unit of reports */
    uint64_t stage_ns;    /* > 0: the duration of every copy, set and (not clock-driven) kernel */
    int devices;          /* GPUs in the machine, all alike */
    int devices_measured; /* how many there were when their links were measured; 0: nobody says */

    ModelEngine engines[MODEL_ENGINES];
    int n_engines;
    int hardware_queues; /* default of CUDA_DEVICE_MAX_CONNECTIONS */
    int resident_grids;
    double duplex_factor;     /* an H2D copy's rate while a D2H copy runs: 1 = unaffected */
    double duplex_factor_d2h; /* a D2H copy's rate while an H2D copy runs */
    uint64_t duplex_fixed_h2d, duplex_fixed_d2h; /* ns more for a copy of this direction that runs
                                    beside one of the other */

    ModelCopy h2d, d2h;                   /* pinned memory, DMA */
    ModelCopy h2d_pageable, d2h_pageable; /* through the staging buffer: the host fills (H2D) or
                                             empties (D2H) it */
    ModelCopy h2h, d2d, memset_;
    ModelCopy p2p;            /* over the link between two devices, with peer access */
    bool p2p_ports;           /* a device has one way out for all its links, and one way in */
    double p2p_staged_factor; /* the rate without, while others go through the host, too */
    ModelCopy p2p_staged;  /* without: through the host; all 0: out of the one, then into the other
                            */
    uint64_t staged_bytes; /* pageable H2D up to this is copied aside and returns at once */
    double staging_bytes_per_ns; /* that copy aside, on the host; 0: free */
    uint64_t staging_fixed_ns;   /* and what it costs whatever its size */
    /* memory that was copied to the device twice before, and since then no more than again_bytes of
     * other memory: the host's caches hold it. 0: no different */
    double h2d_pageable_again_bytes_per_ns, staging_again_bytes_per_ns;
    uint64_t again_bytes;
    /* pageable memory that nobody has touched: more for each of its pages of 4 KiB that a copy
     * reads, and writes */
    uint64_t page_read_ns, page_write_ns;
    uint64_t staging_chunk_bytes; /* a larger copy goes through staging buffers of this size: the
                                     engine begins when the host has filled one (H2D), the host
                                     empties the last two when the engine has ended (D2H). 0: all of
                                     it is the engine's */

    /* latency from the end of earlier work to the start of what waited for it */
    uint64_t gap_kernel_kernel, gap_kernel_copy, gap_copy_kernel, gap_copy_copy, gap_event,
        gap_host_fn, gap_after_host_fn, issue_latency; /* issue_latency: from the call to the
                                                          earliest start */
    uint64_t gap_host_fn_host_fn; /* between two host functions of one stream */
    uint64_t gap_copy_turn;       /* from a copy to one of the other direction in one stream */
    uint64_t gap_copy_stream; /* on one engine, from a copy to one in another stream (gap_copy_copy:
                                 its own) */
    uint64_t gap_copy_beside_h2d, gap_copy_beside_d2h; /* in one stream, to a copy of this direction
                                     while one of the other runs; to another stream: more by
                                     copy_stream less copy_copy */
    /* inside a graph, from a kernel to one behind it; from a graph to its next launch in the stream
     * (0: both as kernel_kernel) */
    uint64_t gap_graph_node, gap_graph_graph;
    /* of a conditional node: until it has decided, and until it has decided again, of a loop; from
     * the end of what it ran to what comes behind it, besides graph_node */
    uint64_t gap_graph_condition, gap_graph_again, gap_graph_after;
    uint64_t gap_trigger; /* from a kernel's trigger, or its end if none came, to the start of a
                             kernel that waited for it */
    uint64_t gap_depend;  /* from a kernel's end to the return of cudaGridDependencySynchronize in
                             the kernel that waited for it */
    uint64_t gap_event_peer; /* as gap_event, between devices; less than that: no more */
    uint64_t gap_p2p_target; /* before and after a copy over a link in a stream of the device that
                                it goes to; less than another gap: no more */
    uint64_t gap_p2p_target_next; /* ... between two of these */
    uint64_t gap_return; /* from the end of work to the return of the call that waited for it */

    ModelCosts costs;
    ModelCosts traced; /* the same while a tracer records the program; costs where the model says
                          none */
    uint64_t sleep_late_ns;       /* how much later than asked for a sleeping thread runs again */
    double host_bytes_per_ns;     /* host code pays for memory it touches at this rate; 0: free */
    double host_set_bytes_per_ns; /* ... with memset and its like, no more than 16 MiB at once;
                                     0: no different */

    /* kernels */
    uint64_t kernel_fixed_ns;
    double memory_bytes_per_ns; /* device memory, read + write */
    double ns_per_kiloaccess;   /* calibrated instruction cost of 1000 accesses on one SM's worth of
                                   threads */
    /* a barrier of all blocks of a grid, and of a cluster, in kernels whose length the clock says
     */
    uint64_t grid_barrier_ns, cluster_barrier_ns;
    /* pinned memory that a kernel itself reads and writes, over the bus; 0: as the device's own. Of
     * reading and writing at once the shorter one adds this share of it; what one thread asks for
     * takes host_latency_ns, so that few threads are slower */
    double host_read_bytes_per_ns, host_write_bytes_per_ns, host_both_share;
    uint64_t host_latency_ns;
    double ns_per_kiloaccess_l2; /* the same where all that the kernel touches fits the second-level
                                    cache; 0: no different */
    double sm_clock_ghz;
    /* limits and properties (cudaDeviceProp) */
    int sm_count, warp_size, major, minor, max_threads_per_block, max_threads_per_sm,
        max_blocks_per_sm, registers_per_sm, memory_bus_bits, memory_clock_khz, l2_bytes,
        async_engine_count, pci_bus, priority_low, priority_high; /* e.g. 0 and -5 */
    char gpc_sms[MODEL_TEXT]; /* the parts of the chip that clusters lie in: the multiprocessors of
                                 each, sm_count in all, with blanks between; "" not measured */
    bool room_limited; /* kernels compete for SM room; false (textbook): only resident_grids limits
                        */
    uint64_t shared_per_block, shared_per_block_optin, shared_per_sm, constant_bytes, memory_bytes;
    int invalid_configuration_code; /* what a bad launch configuration returns: 1 on h200, 9
                                       documented */
} Model;

/* The next number of gpc_sms, from `at`, which moves behind it; 0: there is none. */
int model_next_gpc(const char **at);

/* What these calls cost for a graph of so many nodes, `others` of which are no kernels. */
static inline uint64_t model_graph_launch_ns(const ModelCosts *costs, uint64_t nodes,
                                             uint64_t others)
{
    return (costs->graph_launch ? costs->graph_launch : costs->launch) +
           nodes * costs->graph_launch_per_node + others * costs->graph_launch_per_other;
}
static inline uint64_t model_graph_instantiate_ns(const ModelCosts *costs, uint64_t nodes)
{
    return costs->graph_instantiate + nodes * costs->graph_instantiate_per_node;
}

/* Reads a model from ini text. Unknown keys, missing required keys, values out of range and text
 * that is not ini are errors: -1 and one line in error ("h200.ini:14: ..."). name is for
 * messages. */
int model_parse(Model *, const char *name, const char *text, size_t length, char *error,
                size_t error_size);

/* Finds a model: a path (contains '/' or its name ends in ".ini"), else NAME.ini in
 * $THREELANE_DEVICES when set, else one of the built-in models. A name may be followed by numbers
 * that differ from the file's: "unit+launch=500000+hardware_queues=1" (keys as in the file; one
 * that several sections have is the first's, unless its section is named: gaps.host_fn), and the
 * model is called so; so may a path. "h200+devices=2" is a machine with two of them. -1 and one
 * line in error (which lists the known names) when there is none. */
int model_load(Model *, const char *name_or_path, char *error, size_t error_size);

/* The built-in names, NULL-terminated. */
const char *const *model_names(void);

/* Writes the model as ini text that model_parse takes. remark(user, section, key): what to say in a
 * comment above the key (or, key NULL, above the section), NULL for nothing; lines are broken at
 * '\n'. -1 when the file has an error. */
int model_write(FILE *, const Model *,
                const char *(*remark)(void *user, const char *section, const char *key),
                void *user);
/* The keys that differ between two models, one call each; values as in the file. */
void model_differences(const Model *before, const Model *after,
                       void (*differs)(void *user, const char *section, const char *key,
                                       const char *before, const char *after),
                       void *user);

/* The number that a file has under this key, in whichever section it is (of [costs] and [traced]:
 * in [costs]); yes is 1, no is 0. False where there is no such key, or where its value is a
 * text. */
bool model_number(const Model *, const char *key, double *value);

/* One model of several that were measured on one card, number by number: the median (of an even
 * count: what lies between the two in the middle); where the host decides it, the fastest, since
 * what else runs on a machine makes processes slower and none faster. Texts and engines are the
 * first's; more than 64 are not looked at. */
void model_combine(Model *combined, const Model *models, int n);

/* How long an uncontended copy or set of this kind takes on the engine. pageable: the engine's part
 * of a copy of pageable memory. A copy between devices: over their link. */
uint64_t model_copy_ns(const Model *, TraceOpKind, bool pageable, uint64_t bytes);

/* A copy between devices that have no access to each other. */
uint64_t model_staged_peer_ns(const Model *, uint64_t bytes);

/* A copy from (H2D) or to (D2H) pageable memory: what the host does before the engine can begin,
 * the engine's part (the host works beside it), and what the host does after. */
typedef struct ModelParts {
    uint64_t before_ns, engine_ns, after_ns;
} ModelParts;
/* What is known of that memory: how many of its pages nobody has touched, and whether the host's
 * caches hold it (again_bytes). Zeros: all touched, not in the caches. */
typedef struct ModelPages {
    uint64_t fresh;
    bool again;
} ModelPages;
ModelParts model_pageable(const Model *, TraceOpKind, uint64_t bytes, ModelPages pages);

/* How long a kernel of so many threads that are there at once takes for what it reads and writes of
 * pinned memory. */
uint64_t model_host_access_ns(const Model *, uint64_t read, uint64_t written, double threads);

/* How many blocks of this shape one SM holds; 0 when not even one fits. */
int model_blocks_per_sm(const Model *, uint32_t threads_per_block, uint64_t shared_per_block);
#endif
