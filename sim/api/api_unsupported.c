/* api_unsupported.c - the end of a program that makes a call which is not simulated (the REFUSED
 * rows of sim/include/threelane/calls.def), and what to do instead. */
#include "sim/api/api.h"
#include <string.h>

/* By how names begin; a later row that fits is the better one. */
static const struct {
    const char *begin, *instead;
} advice[] = {
    {"cudaGraphics",
     "there is no screen here to share memory with: keep the picture in memory from cudaMalloc"},
    {"cuGraphics",
     "there is no screen here to share memory with: keep the picture in memory from cuMemAlloc"},
    {"cudaImportExternal",
     "nothing here comes from another API: use cudaMalloc, and events for waiting"},
    {"cudaExternalMemory",
     "nothing here comes from another API: use cudaMalloc, and events for waiting"},
    {"cudaDestroyExternal",
     "nothing here comes from another API: use cudaMalloc, and events for waiting"},
    {"cudaSignalExternal", "record an event, and let the other stream wait for it"},
    {"cudaWaitExternal", "record an event, and let the other stream wait for it"},
    {"cudaGraphAddExternal", "add nodes that record an event and wait for it"},
    {"cudaGraphExternal", "add nodes that record an event and wait for it"},
    {"cudaGraphExecExternal", "add nodes that record an event and wait for it"},
    {"cuImportExternal",
     "nothing here comes from another API: use cuMemAlloc, and events for waiting"},
    {"cuExternalMemory",
     "nothing here comes from another API: use cuMemAlloc, and events for waiting"},
    {"cuDestroyExternal",
     "nothing here comes from another API: use cuMemAlloc, and events for waiting"},
    {"cuSignalExternal", "record an event, and let the other stream wait for it"},
    {"cuWaitExternal", "record an event, and let the other stream wait for it"},
    {"cudaIpc", "each process has a virtual GPU of its own: use threads of one process"},
    {"cuIpc", "each process has a virtual GPU of its own: use threads of one process"},
    {"cudaMemPoolExport", "each process has a virtual GPU of its own: use threads of one process"},
    {"cudaMemPoolImport", "each process has a virtual GPU of its own: use threads of one process"},
    {"cuMemPoolExport", "each process has a virtual GPU of its own: use threads of one process"},
    {"cuMemPoolImport", "each process has a virtual GPU of its own: use threads of one process"},
    {"cudaLibrary", "kernels in files are not compiled here: compile them with the program, and "
                    "launch them by name"},
    {"cuLibrary", "kernels in files are not compiled here: compile them with the program, and "
                  "launch them by name"},
    {"cuModule", "kernels in files are not compiled here: compile them with the program "
                 "(cudaGetFuncBySymbol gives a "
                 "CUfunction)"},
    {"cuLink", "kernels in files are not compiled here: compile them with the program"},
    {"cudaLaunchCooperativeKernelMultiDevice", "launch a cooperative kernel on each device"},
    {"cuLaunch", "use cuLaunchKernel"},
    {"cuParam", "give the arguments to cuLaunchKernel"},
    {"cuFuncSet", "give block size and shared memory to cuLaunchKernel"},
    {"cuTexRef", "texture references are gone since CUDA 12: use cuTexObjectCreate"},
    {"cuSurfRef", "surface references are gone since CUDA 12: use cuSurfObjectCreate"},
    {"cuModuleGetTexRef", "texture references are gone since CUDA 12: use cuTexObjectCreate"},
    {"cuModuleGetSurfRef", "surface references are gone since CUDA 12: use cuSurfObjectCreate"},
    {"cudaDeviceGetHostAtomic",
     "ask cudaDeviceGetAttribute for cudaDevAttrHostNativeAtomicSupported"},
    {"cudaDeviceGetP2PAtomic",
     "ask cudaDeviceGetP2PAttribute for cudaDevP2PAttrNativeAtomicSupported"},
    {"cudaDeviceFlushGPUDirect", "no other device writes to this one's memory: leave the call out"},
    {"cudaFuncGetParamInfo", "the kernel's declaration says what its parameters are"},
    {"cudaGetExportTable", "its tables are documented nowhere: use the functions of cuda.h"},
    {"cuGetExportTable", "its tables are documented nowhere: use the other functions of cuda.h"},
    {"cuGreenCtx", "all streams here share all multiprocessors: use an ordinary stream"},
    {"cuCtxFromGreenCtx", "all streams here share all multiprocessors: use an ordinary stream"},
    {"cuStreamGetGreenCtx", "all streams here share all multiprocessors: there is none"},
    {"cuDevResource", "all streams here share all multiprocessors: use an ordinary stream"},
    {"cuDevSmResource", "all streams here share all multiprocessors: use an ordinary stream"},
    {"cuMemCreate", "addresses are not given out apart from memory: use cuMemAlloc"},
    {"cuMemAddress", "addresses are not given out apart from memory: use cuMemAlloc"},
    {"cuMemMap", "addresses are not given out apart from memory: use cuMemAlloc"},
    {"cuMemSetAccess", "use cuCtxEnablePeerAccess"},
    {"cuMulticast", "copy to each device: cuMemcpyPeerAsync"},
    {"cuTensorMap", "copy tiles with cuda::memcpy_async"},
    {"cuStreamWaitValue", "record an event, and let the stream wait for it"},
    {"cuStreamWriteValue", "use cuMemsetD32Async"},
    {"cuStreamBatchMemOp", "use events, and cuMemsetD32Async"},
    {"cuGraph", "use the runtime's call of the same name (cudaGraph...)"},
    {"cuUserObject", "use the runtime's call of the same name (cudaUserObject...)"},
    {"cuLogs", "use the runtime's call of the same name (cudaLogs...)"},
};

cudaError_t threelane_unsupported(const char *name, ThreelaneSite site)
{
    const char *instead = NULL;
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
        if (!strncmp(name, advice[i].begin, strlen(advice[i].begin))) instead = advice[i].instead;
    runtime_start();
    host_fatal(HOST_STATUS_UNSUPPORTED, (TraceSite){site.file, (uint32_t)site.line},
               "%s is not simulated by this virtual GPU%s%s; the program ends here", name,
               instead ? ": " : "", instead ? instead : "");
}
