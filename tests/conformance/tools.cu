// Ranges, marks and names for profilers: they change nothing, and their calls say how deep ranges are nested.
// run: THREELANE_MODEL=h200
// nvcc: -ldl
// out: ok tools
#include "conformance.h"
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>

int main()
{
    cudaStream_t s;
    warm_up();
    OK(cudaStreamCreate(&s));
    OK(cudaProfilerStart());
    nvtxNameCudaStreamA(s, "work");
    nvtxNameOsThreadA(0, "main");
    nvtxMarkA("begin");
    nvtxRangePushA("outer");
    nvtxEventAttributes_t attributes = {};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "inner";
    nvtxRangePushEx(&attributes);
    busy(s, 1);
    nvtxRangePop();
    nvtxRangePop();
    nvtxRangeId_t range = nvtxRangeStartA("across");
    nvtxRangeEnd(range);
    OK(cudaStreamSynchronize(s));
    OK(cudaProfilerStop());
    return finish("tools");
}
