/* api_graph_device.c - what kernels say to the graph that they are in. */
#include "sim/api/api.h"
#include "sim/graph/condition.h"
#include "sim/include/threelane/self.h"

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value);
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
{
    const ExecLaunch *kernel = exec_current();
    threelane_in_order();
    if (condition_set(handle, value)) return;
    host_fatal(HOST_STATUS_MISUSE, kernel ? kernel->site : (TraceSite){NULL, 0},
               "cudaGraphSetConditional in the kernel %s: 0x%llx is no handle of "
               "cudaGraphConditionalHandleCreate",
               kernel ? kernel->name : "?", handle);
}
