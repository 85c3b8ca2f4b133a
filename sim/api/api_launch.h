/* api_launch.h - kernels by function pointer. */
#ifndef THREELANE_API_LAUNCH_H
#define THREELANE_API_LAUNCH_H
#include "sim/api/api.h"
#include "sim/launch/launch_function.h"

typedef struct LaunchProbe {
    LaunchKernelId kernel;
    const char *name;
} LaunchProbe;

/* What a launch is asked for with: the call's name, the shape, the attributes (their list is not
 * kept). */
typedef struct LaunchAsk {
    const char *name;
    TraceDim grid, block;
    size_t shared;
    cudaStream_t stream;
    const cudaLaunchAttribute *attributes; /* NULL is an error where n_attributes is not 0 */
    unsigned n_attributes;
    ThreelaneSite at;
    unsigned flags; /* CALL_... */
    int device;     /* from 1: only into a stream of this one; 0: of any */
} LaunchAsk;

/* Called by what tlcc makes of kernels and launches (sim/include/threelane/kernel.h). */
bool threelane_push(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                    size_t shared, cudaStream_t stream, const char *file, int line);
/* The clusters that the kernel that comes next was declared with. */
void threelane_cluster(unsigned x, unsigned y, unsigned z);
void threelane_queue(const char *name, void (*run_block)(void *), void *closure,
                     void (*destroy)(void *));
void **threelane_launch_args(void);
void threelane_launch_parameters(void **args, void *const *at, const size_t *bytes, size_t n);

/* A launch by the address of a kernel's function, or a handle of it. */
cudaError_t launch_by_address(const LaunchAsk *, const void *func, void **args);
/* Its first half: what is asked for. True: it is refused, and no kernel is to be called. */
bool launch_push(const LaunchAsk *);

/* A launch that becomes a node of a graph: of a stream that has a keeper, which gets it. */
cudaError_t launch_describe(const Call *, const Stream *, const void *func, struct dim3 grid,
                            struct dim3 block, void **args, size_t shared);

/* Which kernel a function pointer, or a handle, is; nothing is launched. kernel NULL: none. */
LaunchProbe launch_probe(const void *func);
/* The same, and the arguments that a launch would take from there (NULL: no arguments, or no
 * memory); free() them. */
LaunchProbe launch_look(const void *func, void **args, KernelArguments **);
/* In a program with a seam (threelane/glue.h): is it none of the harness's kernels? Whatever its
 * name is: namespaces, overloads and templates give one name to many. Not between a launch and its
 * kernel. */
bool launch_is_own(LaunchKernelId);
/* Who is given the body of a kernel whose function is called, in place of a launch; NULL: nobody.
 */
extern void (*launch_captured)(const char *name, void (*run_block)(void *), void *closure,
                               void (*destroy)(void *));
/* A configuration has been pushed, and its kernel has not come yet. */
bool launch_is_pending(void);
#endif
