/* api_launch.h - kernels by function pointer. */
#ifndef THREELANE_API_LAUNCH_H
#define THREELANE_API_LAUNCH_H
#include "sim/runtime/runtime.h"

typedef void (*LaunchKernelId)(void *);       /* a kernel's run_block: one for each kernel and template instance */
typedef struct LaunchProbe { LaunchKernelId kernel; const char *name; } LaunchProbe;

/* Which kernel a function pointer is; nothing is launched. kernel NULL: none. */
LaunchProbe launch_probe(const void *func);
/* A configuration has been pushed, and its kernel has not come yet. */
bool launch_is_pending(void);
/* How much dynamic shared memory a block of it may have. */
size_t launch_allowed_shared(LaunchKernelId);
#endif
