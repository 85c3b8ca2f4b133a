/* api_launch.h - kernels by function pointer. */
#ifndef THREELANE_API_LAUNCH_H
#define THREELANE_API_LAUNCH_H
#include "sim/api/api.h"

typedef void (*LaunchKernelId)(void *); /* a kernel's run_block: one for each kernel and template
                                           instance */
typedef struct LaunchProbe {
    LaunchKernelId kernel;
    const char *name;
} LaunchProbe;

/* Called by what tlcc makes of kernels and launches (sim/include/threelane/kernel.h). */
bool threelane_push(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                    size_t shared, cudaStream_t stream, const char *file, int line);
void threelane_queue(const char *name, void (*run_block)(void *), void *closure,
                     void (*destroy)(void *));
void **threelane_launch_args(void);
void threelane_launch_parameters(void **args, void *const *at, const size_t *bytes, size_t n);

/* A launch by the address of a kernel's function, or a handle of it; name is the call's. */
cudaError_t launch_by_address(const char *name, const void *func, struct dim3 grid,
                              struct dim3 block, void **args, size_t shared, cudaStream_t,
                              ThreelaneSite, unsigned flags);

/* Which kernel a function pointer, or a handle, is; nothing is launched. kernel NULL: none. */
LaunchProbe launch_probe(const void *func);
/* In a program with a seam (threelane/glue.h): is it none of the harness's kernels? Whatever its
 * name is: namespaces, overloads and templates give one name to many. Not between a launch and its
 * kernel. */
bool launch_is_own(LaunchKernelId);
/* A configuration has been pushed, and its kernel has not come yet. */
bool launch_is_pending(void);
/* How much dynamic shared memory a block of it may have. */
size_t launch_allowed_shared(LaunchKernelId);
#endif
