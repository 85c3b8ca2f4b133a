/* launch_function.h - what is known of a kernel as a function: what it was declared with, and what
 * cudaFuncSetAttribute allowed it. Kept for as long as the program runs. */
#ifndef THREELANE_LAUNCH_FUNCTION_H
#define THREELANE_LAUNCH_FUNCTION_H
#include <stdbool.h>
#include <stdint.h>
#include "sim/include/driver_types.h"
#include "sim/model/model.h"
#include "timeline/trace/trace.h"

/* A kernel's run_block: one for each kernel and template instance. */
typedef void (*LaunchKernelId)(void *);

typedef struct LaunchFunction {
    LaunchKernelId kernel;
    int device;
    uint64_t shared; /* dynamic shared memory that a block may have; 0 with shared_given false:
                        the device's limit for kernels that ask for nothing */
    bool shared_given;
    TraceDim declared; /* __cluster_dims__; x 0: none */
    TraceDim required; /* set at run time; zeros: none */
    bool non_portable; /* more than LAUNCH_PORTABLE_CLUSTER blocks in a cluster */
    int carveout, policy;
    bool loaded; /* it has been launched on this device, which loads its code */
} LaunchFunction;

enum { LAUNCH_PORTABLE_CLUSTER = 8, LAUNCH_LARGEST_CLUSTER = 16 };

/* What is known of it on a device, {.kernel, .device} when nothing is: each device has a function
 * of its own, and what one was allowed the others were not. Never NULL; the program ends where
 * memory does. */
LaunchFunction *launch_function(LaunchKernelId, int device);

/* cudaFuncSetAttribute. */
cudaError_t launch_function_set(LaunchFunction *, const Model *, enum cudaFuncAttribute, int value);
uint64_t launch_function_shared(const LaunchFunction *, const Model *);

/* The clusters that a launch of it with this attribute (x 0: none) is made of: x 0 for a launch
 * without clusters. False: the two contradict each other. */
bool launch_function_cluster(const LaunchFunction *, TraceDim attribute, TraceDim *cluster);
#endif
