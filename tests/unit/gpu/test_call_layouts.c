/* Which calls the tracer records, and how it reads them: a table that both APIs share. */
#include <string.h>
#include "gpu/tracer/call_layouts.h"
#include "tests/unit/cases.h"
#include "timeline/trace/trace.h"

static const CallLayout *find(const char *name)
{
    const CallLayout *found = NULL;
    for (const CallLayout *k = call_layouts; k->name; k++) {
        if (strcmp(k->name, name) != 0) continue;
        ck_assert_msg(!found, "%s is there twice", name);
        found = k;
    }
    ck_assert_msg(found != NULL, "%s is not there", name);
    return found;
}

START_TEST(a_call_is_there_once)
{
    for (const CallLayout *k = call_layouts; k->name; k++) find(k->name);
}
END_TEST

/* A program that uses the one API or the other leaves the same trace. */
START_TEST(calls_of_one_purpose_are_read_alike)
{
    static const struct {
        const char *runtime, *driver;
        Layout of_runtime, of_driver;
        int detail; /* of the driver's */
    } pairs[] = {
        {"cudaMalloc", "cuMemAlloc", ALLOC, ALLOC, TRACE_MEM_DEVICE},
        {"cudaMallocHost", "cuMemAllocHost", ALLOC, ALLOC, TRACE_MEM_PINNED},
        {"cudaHostAlloc", "cuMemHostAlloc", ALLOC, ALLOC, TRACE_MEM_PINNED},
        {"cudaMallocManaged", "cuMemAllocManaged", ALLOC, ALLOC, TRACE_MEM_MANAGED},
        {"cudaMallocAsync", "cuMemAllocAsync", ALLOC_ASYNC, ALLOC_ASYNC, TRACE_MEM_DEVICE},
        {"cudaHostRegister", "cuMemHostRegister", REGISTER, REGISTER, TRACE_MEM_REGISTERED},
        {"cudaFree", "cuMemFree", FREE, FREE, 0},
        {"cudaFreeHost", "cuMemFreeHost", FREE, FREE, 0},
        {"cudaHostUnregister", "cuMemHostUnregister", FREE, FREE, 0},
        {"cudaFreeAsync", "cuMemFreeAsync", FREE_ASYNC, FREE_ASYNC, 0},
        {"cudaMemcpy", "cuMemcpyHtoD", COPY, CU_COPY, TRACE_H2D},
        {"cudaMemcpy", "cuMemcpy", COPY, CU_COPY, TRACE_OP_KINDS},
        {"cudaMemcpyAsync", "cuMemcpyHtoDAsync", COPY_ASYNC, CU_COPY_ASYNC, TRACE_H2D},
        {"cudaMemcpyAsync", "cuMemcpyDtoHAsync", COPY_ASYNC, CU_COPY_ASYNC, TRACE_D2H},
        {"cudaMemcpyAsync", "cuMemcpyDtoDAsync", COPY_ASYNC, CU_COPY_ASYNC, TRACE_D2D},
        {"cudaMemcpyAsync", "cuMemcpyAsync", COPY_ASYNC, CU_COPY_ASYNC, TRACE_OP_KINDS},
        {"cudaMemset", "cuMemsetD8", SET, SET, 1},
        {"cudaMemset", "cuMemsetD16", SET, SET, 2},
        {"cudaMemset", "cuMemsetD32", SET, SET, 4},
        {"cudaMemsetAsync", "cuMemsetD8Async", SET_ASYNC, SET_ASYNC, 1},
        {"cudaMemsetAsync", "cuMemsetD32Async", SET_ASYNC, SET_ASYNC, 4},
        {"cudaLaunchKernel", "cuLaunchKernel", LAUNCH, CU_LAUNCH, 0},
        {"cudaLaunchKernelExC", "cuLaunchKernelEx", LAUNCH_CONFIG, CU_LAUNCH_CONFIG, 0},
        {"cudaLaunchHostFunc", "cuLaunchHostFunc", HOSTFN, HOSTFN, 0},
        {"cudaStreamAddCallback", "cuStreamAddCallback", ADD_CALLBACK, ADD_CALLBACK, 0},
        {"cudaStreamCreateWithFlags", "cuStreamCreate", STREAM_NEW_FLAGS, STREAM_NEW_FLAGS, 0},
        {"cudaStreamCreateWithPriority", "cuStreamCreateWithPriority", STREAM_NEW_PRIORITY,
         STREAM_NEW_PRIORITY, 0},
        {"cudaStreamDestroy", "cuStreamDestroy", STREAM_END, STREAM_END, 0},
        {"cudaStreamWaitEvent", "cuStreamWaitEvent", EVENT_WAIT, EVENT_WAIT, 0},
        {"cudaStreamSynchronize", "cuStreamSynchronize", PLAIN, PLAIN, 0},
        {"cudaEventCreateWithFlags", "cuEventCreate", EVENT_NEW, EVENT_NEW, 0},
        {"cudaEventRecord", "cuEventRecord", EVENT_RECORD, EVENT_RECORD, 0},
        {"cudaEventDestroy", "cuEventDestroy", EVENT_END, EVENT_END, 0},
        {"cudaDeviceSynchronize", "cuCtxSynchronize", PLAIN, PLAIN, 0},
        {"cudaGraphLaunch", "cuGraphLaunch", GRAPH, GRAPH, 0},
        {"cudaStreamBeginCapture", "cuStreamBeginCapture", CAPTURE_BEGIN, CAPTURE_BEGIN, 0},
        {"cudaStreamEndCapture", "cuStreamEndCapture", CAPTURE_END, CAPTURE_END, 0},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const CallLayout *driver = find(pairs[i].driver);
        ck_assert_msg(find(pairs[i].runtime)->layout == pairs[i].of_runtime, "%s",
                      pairs[i].runtime);
        ck_assert_msg(driver->layout == pairs[i].of_driver, "%s", pairs[i].driver);
        ck_assert_msg(driver->detail == pairs[i].detail, "%s", pairs[i].driver);
    }
}
END_TEST

/* The runtime asks for these itself, all the time. */
START_TEST(what_the_runtime_asks_for_itself_is_not_seen)
{
    static const char *const names[] = {"cuInit",
                                        "cuCtxGetCurrent",
                                        "cuDeviceGetAttribute",
                                        "cuCtxSetCurrent",
                                        "cuModuleLoadData",
                                        "cuGetProcAddress"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_msg(find(names[i])->layout == UNSEEN, "%s", names[i]);
}
END_TEST

CASES("call_layouts")
