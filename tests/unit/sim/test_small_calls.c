/* Calls that run nothing: what they answer, and what they say of what is wrong. In a process of
 * its own each, on the model h200 (whose numbers are measured), without a compiler. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/include/cuda.h"
#include "sim/include/cuda_runtime_api.h"
#include "tests/unit/cases.h"

#define IS(ERROR, CALL) ck_assert_int_eq((int)(CALL), (int)cudaError##ERROR)
#define OK(CALL) ck_assert_int_eq((int)(CALL), 0)

enum { N = 256 };

static void two_devices(void) { setenv("THREELANE_MODEL", "h200+devices=2", 1); }

/* ---- devices ---- */

START_TEST(attributes_of_a_device)
{
    static const struct {
        enum cudaDeviceAttr attribute;
        int value;
    } known[] = {
        {cudaDevAttrMaxThreadsPerBlock, 1024},
        {cudaDevAttrMaxBlockDimX, 1024},
        {cudaDevAttrMaxBlockDimY, 1024},
        {cudaDevAttrMaxBlockDimZ, 64},
        {cudaDevAttrMaxGridDimX, 2147483647},
        {cudaDevAttrMaxGridDimY, 65535},
        {cudaDevAttrMaxGridDimZ, 65535},
        {cudaDevAttrMaxPitch, 2147483647},
        {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 233472},
        {cudaDevAttrReservedSharedMemoryPerBlock, 1024},
        {cudaDevAttrTotalConstantMemory, 65536},
        {cudaDevAttrWarpSize, 32},
        {cudaDevAttrMaxRegistersPerBlock, 65536},
        {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
        {cudaDevAttrClockRate, 1980000},
        {cudaDevAttrMemoryClockRate, 3201000},
        {cudaDevAttrGlobalMemoryBusWidth, 6016},
        {cudaDevAttrL2CacheSize, 62914560},
        {cudaDevAttrMultiProcessorCount, 132},
        {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
        {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
        {cudaDevAttrAsyncEngineCount, 3},
        {cudaDevAttrGpuOverlap, 1},
        {cudaDevAttrComputeCapabilityMajor, 9},
        {cudaDevAttrComputeCapabilityMinor, 0},
        {cudaDevAttrStreamPrioritiesSupported, 1},
        {cudaDevAttrCooperativeLaunch, 1},
        {cudaDevAttrClusterLaunch, 1},
        {cudaDevAttrTextureAlignment, 512},
        {cudaDevAttrSurfaceAlignment, 512},
        {cudaDevAttrTexturePitchAlignment, 32},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
        {cudaDevAttrCanMapHostMemory, 1},
        {cudaDevAttrConcurrentKernels, 1},
        {cudaDevAttrUnifiedAddressing, 1},
        {cudaDevAttrGlobalL1CacheSupported, 1},
        {cudaDevAttrLocalL1CacheSupported, 1},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrConcurrentManagedAccess, 1},
        {cudaDevAttrComputePreemptionSupported, 1},
        {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
        {cudaDevAttrHostRegisterSupported, 1},
        {cudaDevAttrMemoryPoolsSupported, 1},
        {cudaDevAttrHostRegisterReadOnlySupported, 1},
        {cudaDevAttrIntegrated, 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int value = -1;
        OK(cudaDeviceGetAttribute(&value, known[i].attribute, 1));
        ck_assert_msg(value == known[i].value, "attribute %d is %d, not %d",
                      (int)known[i].attribute, value, known[i].value);
    }
    int first, second, value = -1;
    OK(cudaDeviceGetAttribute(&first, cudaDevAttrPciBusId, 0));
    OK(cudaDeviceGetAttribute(&second, cudaDevAttrPciBusId, 1));
    ck_assert_int_eq(second, first + 1);
    IS(InvalidValue, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)0, 0));
    IS(InvalidValue, cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0));
    OK(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)(cudaDevAttrMax - 1), 0));
    IS(InvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 2));
    IS(InvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, -1));
    ck_assert_int_eq(value, 0);
}
END_TEST

START_TEST(properties_of_a_device)
{
    struct cudaDeviceProp p, q;
    memset(&p, 0xff, sizeof p);
    OK(cudaGetDeviceProperties(&p, 0));
    OK(cudaGetDeviceProperties(&q, 1));
    ck_assert_str_eq(p.name, "NVIDIA H200");
    ck_assert_int_eq(memcmp(p.uuid.bytes, "threelane-gpu-00", 16), 0);
    ck_assert_int_eq(memcmp(q.uuid.bytes, "threelane-gpu-01", 16), 0);
    ck_assert_int_eq(q.pciBusID, p.pciBusID + 1);
    ck_assert_uint_eq(p.totalGlobalMem, 150109880320u);
    ck_assert_uint_eq(p.sharedMemPerBlock, 49152);
    ck_assert_int_eq(p.warpSize, 32);
    ck_assert_int_eq(p.maxThreadsDim[0], 1024);
    ck_assert_int_eq(p.maxThreadsDim[1], 1024);
    ck_assert_int_eq(p.maxThreadsDim[2], 64);
    ck_assert_int_eq(p.maxGridSize[0], 2147483647);
    ck_assert_int_eq(p.maxGridSize[1], 65535);
    ck_assert_int_eq(p.maxGridSize[2], 65535);
    ck_assert_uint_eq(p.totalConstMem, 65536);
    ck_assert_uint_eq(p.textureAlignment, 512);
    ck_assert_uint_eq(p.texturePitchAlignment, 32);
    ck_assert_uint_eq(p.surfaceAlignment, 512);
    ck_assert(p.canMapHostMemory == 1 && p.concurrentKernels == 1 && p.unifiedAddressing == 1);
    ck_assert(p.globalL1CacheSupported == 1 && p.localL1CacheSupported == 1);
    ck_assert(p.managedMemory == 1 && p.concurrentManagedAccess == 1);
    ck_assert(p.computePreemptionSupported == 1 && p.streamPrioritiesSupported == 1);
    ck_assert(p.canUseHostPointerForRegisteredMem == 1 && p.hostRegisterSupported == 1);
    ck_assert(p.memoryPoolsSupported == 1 && p.hostRegisterReadOnlySupported == 1);
    ck_assert(p.cooperativeLaunch == 1 && p.clusterLaunch == 1);
    ck_assert_int_eq(p.asyncEngineCount, 3);
    ck_assert_uint_eq(p.sharedMemPerMultiprocessor, 233472);
    ck_assert_uint_eq(p.reservedSharedMemPerBlock, 1024);
    ck_assert(p.major == 9 && p.minor == 0 && p.integrated == 0);
    IS(InvalidValue, cudaGetDeviceProperties(NULL, 0));
    IS(InvalidDevice, cudaGetDeviceProperties(&p, 2));
}
END_TEST

START_TEST(devices_by_their_bus)
{
    char id[20] = "", small[12];
    int device = -1;
    OK(cudaDeviceGetPCIBusId(id, 13, 0));
    ck_assert_str_eq(id, "0000:00:00.0");
    OK(cudaDeviceGetPCIBusId(id, sizeof id, 1));
    ck_assert_str_eq(id, "0000:01:00.0");
    IS(InvalidValue, cudaDeviceGetPCIBusId(small, sizeof small, 0));
    IS(InvalidValue, cudaDeviceGetPCIBusId(NULL, 20, 0));
    IS(InvalidDevice, cudaDeviceGetPCIBusId(id, sizeof id, 2));
    OK(cudaDeviceGetByPCIBusId(&device, "0000:01:00.0"));
    ck_assert_int_eq(device, 1);
    OK(cudaDeviceGetByPCIBusId(&device, "0000:00:00"));
    ck_assert_int_eq(device, 0);
    OK(cudaDeviceGetByPCIBusId(&device, "01:00.0"));
    ck_assert_int_eq(device, 1);
    IS(InvalidDevice, cudaDeviceGetByPCIBusId(&device, "0000:07:00.0"));
    IS(InvalidDevice, cudaDeviceGetByPCIBusId(&device, "0001:01:00.0"));
    IS(InvalidDevice, cudaDeviceGetByPCIBusId(&device, "0000:01:01.0"));
    IS(InvalidDevice, cudaDeviceGetByPCIBusId(&device, "0000:01:00.1"));
    IS(InvalidValue, cudaDeviceGetByPCIBusId(&device, "the first"));
    IS(InvalidValue, cudaDeviceGetByPCIBusId(&device, NULL));
    IS(InvalidValue, cudaDeviceGetByPCIBusId(NULL, "01:00.0"));
    ck_assert_int_eq(device, 1);
}
END_TEST

START_TEST(choosing_and_starting_a_device)
{
    struct cudaDeviceProp like = {.major = 9};
    int device = 7;
    unsigned flags = 0;
    OK(cudaInitDevice(1, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid));
    OK(cudaGetDeviceFlags(&flags));
    ck_assert_uint_eq(flags, cudaDeviceScheduleYield | cudaDeviceMapHost);
    OK(cudaInitDevice(0, cudaDeviceScheduleSpin, 0)); /* the flags are not looked at */
    OK(cudaGetDeviceFlags(&flags));
    ck_assert_uint_eq(flags, cudaDeviceScheduleYield | cudaDeviceMapHost);
    IS(InvalidDevice, cudaInitDevice(2, 0, 0));
    IS(InvalidValue, cudaInitDevice(0, 0, 2));
    IS(InvalidValue, cudaInitDevice(0, 1u << 20, cudaInitDeviceFlagsAreValid));
    OK(cudaGetDevice(&device));
    ck_assert_int_eq(device, 0);
    device = 7;
    OK(cudaChooseDevice(&device, &like));
    ck_assert_int_eq(device, 0);
    IS(InvalidValue, cudaChooseDevice(NULL, &like));
    IS(InvalidValue, cudaChooseDevice(&device, NULL));
    IS(InvalidValue, cudaSetDeviceFlags(cudaDeviceScheduleYield | cudaDeviceScheduleSpin));
    IS(InvalidValue, cudaGetDeviceFlags(NULL));
}
END_TEST

START_TEST(limits_and_caches)
{
    static const struct {
        enum cudaLimit limit;
        size_t value;
    } first[] = {{cudaLimitStackSize, 1024}, {cudaLimitMallocHeapSize, 8 << 20}};
    size_t value = 0;
    int least = 9, greatest = 9;
    enum cudaFuncCache cache = cudaFuncCachePreferEqual;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        OK(cudaDeviceGetLimit(&value, first[i].limit));
        ck_assert_uint_eq(value, first[i].value);
        OK(cudaDeviceSetLimit(first[i].limit, 2 * value));
        OK(cudaDeviceGetLimit(&value, first[i].limit));
        ck_assert_uint_eq(value, 2 * first[i].value);
    }
    IS(InvalidValue, cudaDeviceGetLimit(NULL, cudaLimitStackSize));
    IS(InvalidValue,
       cudaDeviceGetLimit(&value, (enum cudaLimit)(cudaLimitPersistingL2CacheSize + 1)));
    OK(cudaDeviceGetLimit(&value, cudaLimitPersistingL2CacheSize));
    IS(InvalidValue, cudaDeviceSetLimit((enum cudaLimit)(cudaLimitPersistingL2CacheSize + 1), 1));
    IS(UnsupportedLimit, cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth));
    IS(UnsupportedLimit, cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    ck_assert_int_eq(least, 0);
    ck_assert_int_eq(greatest, -5);
    OK(cudaDeviceGetStreamPriorityRange(NULL, NULL));
    OK(cudaDeviceGetCacheConfig(&cache));
    ck_assert_int_eq(cache, cudaFuncCachePreferNone);
    OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferEqual));
    OK(cudaDeviceGetCacheConfig(&cache));
    ck_assert_int_eq(cache, cudaFuncCachePreferEqual);
    IS(InvalidValue, cudaDeviceSetCacheConfig((enum cudaFuncCache)4));
    IS(InvalidValue, cudaDeviceGetCacheConfig(NULL));
    IS(InvalidValue, cudaRuntimeGetVersion(NULL));
    IS(InvalidValue, cudaDriverGetVersion(NULL));
}
END_TEST

/* ---- contexts: whichever is current says which device is ---- */

static int device_now(void)
{
    int device = -1;
    OK(cudaGetDevice(&device));
    return device;
}

START_TEST(contexts_and_devices)
{
    CUcontext first, second, found;
    CUdevice of = -1;
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuDevicePrimaryCtxRetain(&first, 0), 0);
    ck_assert_int_eq(cuDevicePrimaryCtxRetain(&second, 1), 0);
    ck_assert_ptr_ne(first, second);
    ck_assert_int_eq(cuCtxSetCurrent(second), 0);
    ck_assert_int_eq(device_now(), 1);
    ck_assert_int_eq(cuCtxGetDevice(&of), 0);
    ck_assert_int_eq(of, 1);
    ck_assert_int_eq(cuCtxPushCurrent(first), 0);
    ck_assert_int_eq(device_now(), 0);
    ck_assert_int_eq(cuCtxPopCurrent(&found), 0);
    ck_assert_ptr_eq(found, first);
    ck_assert_int_eq(device_now(), 1);
    ck_assert_int_eq(cuCtxGetCurrent(&found), 0);
    ck_assert_ptr_eq(found, second);
    OK(cudaSetDevice(0));
    ck_assert_int_eq(cuCtxGetCurrent(&found), 0);
    ck_assert_ptr_eq(found, first);
    ck_assert_int_eq(cuCtxGetDevice(&of), 0);
    ck_assert_int_eq(of, 0);
    ck_assert_int_eq(cuCtxSetCurrent(NULL), 0);
    ck_assert_int_eq(cuCtxGetCurrent(&found), 0);
    ck_assert_ptr_null(found);
}
END_TEST

/* ---- graphs ---- */

static cudaGraph_t graph;
static char *on_device, *on_host;
static cudaEvent_t event, other_event;
static int calls;

static void count(void *by) { calls += *(int *)by; }

static void graph_begins(void)
{
    setenv("THREELANE_MODEL", "unit", 1);
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaMalloc((void **)&on_device, 8 * N));
    OK(cudaMallocHost((void **)&on_host, 8 * N));
    OK(cudaEventCreate(&event));
    OK(cudaEventCreate(&other_event));
    memset(on_host, 1, 4 * N);
    memset(on_host + 4 * N, 9, 4 * N);
}

/* A copy of so many bytes, by the three-dimensional form. */
static struct cudaMemcpy3DParms flat(void *to, void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return (struct cudaMemcpy3DParms){.dstPtr = {to, bytes, bytes, 1},
                                      .srcPtr = {from, bytes, bytes, 1},
                                      .extent = {bytes, 1, 1},
                                      .kind = kind};
}

static char *text_of(const char *path)
{
    static char text[4000];
    FILE *from = fopen(path, "r");
    ck_assert_ptr_nonnull(from);
    text[fread(text, 1, sizeof text - 1, from)] = '\0';
    fclose(from);
    return text;
}

START_TEST(a_graph_as_a_drawing)
{
    static int by = 1;
    graph_begins();
    cudaGraphNode_t node[6], inside;
    cudaGraph_t child;
    struct cudaMemsetParams clear = {.dst = on_device,
                                     .value = 7,
                                     .elementSize = 1,
                                     .width = 64,
                                     .height = 1};
    struct cudaHostNodeParams function = {count, &by};
    OK(cudaGraphCreate(&child, 0));
    OK(cudaGraphAddEmptyNode(&inside, child, NULL, 0));
    OK(cudaGraphAddMemsetNode(&node[0], graph, NULL, 0, &clear));
    OK(cudaGraphAddMemcpyNode1D(&node[1], graph, node, 1, on_host, on_device, 96,
                                cudaMemcpyDeviceToHost));
    OK(cudaGraphAddHostNode(&node[2], graph, node, 2, &function));
    OK(cudaGraphAddChildGraphNode(&node[3], graph, NULL, 0, child));
    OK(cudaGraphAddEventRecordNode(&node[4], graph, &node[3], 1, event));
    OK(cudaGraphAddEventWaitNode(&node[5], graph, &node[3], 1, event));

    char path[] = "/tmp/threelane-test-XXXXXX";
    close(mkstemp(path));
    OK(cudaGraphDebugDotPrint(graph, path, 0));
    ck_assert_str_eq(text_of(path), "digraph dot {\n"
                                    "subgraph cluster_1 {\nlabel=\"graph_1\"\n"
                                    "\"node_2\" [shape=\"rectangle\" label=\"2: MEMSET\"];\n"
                                    "\"node_3\" [shape=\"rectangle\" label=\"3: MEMCPY\"];\n"
                                    "\"node_4\" [shape=\"rectangle\" label=\"4: HOST\"];\n"
                                    "\"node_5\" [shape=\"rectangle\" label=\"5: GRAPH\"];\n"
                                    "subgraph cluster_3 {\nlabel=\"graph_3\"\n"
                                    "\"node_6\" [shape=\"rectangle\" label=\"6: EMPTY\"];\n"
                                    "}\n"
                                    "\"node_7\" [shape=\"rectangle\" label=\"7: EVENT RECORD\"];\n"
                                    "\"node_8\" [shape=\"rectangle\" label=\"8: WAIT EVENT\"];\n"
                                    "\"node_2\" -> \"node_3\";\n"
                                    "\"node_2\" -> \"node_4\";\n"
                                    "\"node_3\" -> \"node_4\";\n"
                                    "\"node_5\" -> \"node_7\";\n"
                                    "\"node_5\" -> \"node_8\";\n"
                                    "}\n}\n");
    static const char set[] = "label=\"2: MEMSET\\n64 x 1 of 7\"",
                      copy[] = "label=\"3: MEMCPY\\n96 x 1 x 1 bytes\"";
    OK(cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsVerbose));
    ck_assert(strstr(text_of(path), set) && strstr(text_of(path), copy));
    OK(cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsMemsetNodeParams));
    ck_assert(strstr(text_of(path), set) && !strstr(text_of(path), copy));
    OK(cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsMemcpyNodeParams));
    ck_assert(!strstr(text_of(path), set) && strstr(text_of(path), copy));
    unlink(path);
    IS(OperatingSystem, cudaGraphDebugDotPrint(graph, "/nowhere/at/all", 0));
    IS(InvalidValue, cudaGraphDebugDotPrint(graph, NULL, 0));
    IS(InvalidValue, cudaGraphDebugDotPrint(NULL, path, 0));
}
END_TEST

/* Every form in which a node's parameters can be changed: what is launched then does the new. */
START_TEST(parameters_of_nodes)
{
    static int one = 1, ten = 10;
    graph_begins();
    cudaStream_t s;
    cudaGraphExec_t exec;
    cudaGraphNode_t set, copy, call, record, wait;
    struct cudaMemsetParams clear = {.dst = on_device,
                                     .value = 3,
                                     .elementSize = 1,
                                     .width = N,
                                     .height = 1},
                            of_set;
    struct cudaHostNodeParams function = {count, &one}, of_call;
    struct cudaMemcpy3DParms back = flat(on_host, on_device, N, cudaMemcpyDeviceToHost), of_copy;
    cudaEvent_t found;
    OK(cudaStreamCreate(&s));
    OK(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &clear));
    OK(cudaGraphAddMemcpyNode(&copy, graph, &set, 1, &back));
    OK(cudaGraphAddHostNode(&call, graph, &copy, 1, &function));
    OK(cudaGraphAddEventRecordNode(&record, graph, &call, 1, event));
    OK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    IS(InvalidValue, cudaGraphAddMemcpyNode(&copy, graph, &set, 1, NULL));

    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    ck_assert_int_eq(on_host[0], 3);
    ck_assert_int_eq(on_host[N - 1], 3);
    ck_assert_int_eq(on_host[N], 1);
    ck_assert_int_eq(calls, 1);

    /* of the graph: what is made of it from now on */
    clear.value = 5;
    clear.width = 2 * N;
    back = flat(on_host + 1, on_device, 2 * N, cudaMemcpyDeviceToHost);
    function.userData = &ten;
    OK(cudaGraphMemsetNodeSetParams(set, &clear));
    OK(cudaGraphMemcpyNodeSetParams(copy, &back));
    OK(cudaGraphHostNodeSetParams(call, &function));
    OK(cudaGraphEventRecordNodeSetEvent(record, other_event));
    OK(cudaGraphEventWaitNodeSetEvent(wait, other_event));
    OK(cudaGraphMemsetNodeGetParams(set, &of_set));
    ck_assert_uint_eq(of_set.value, 5);
    ck_assert_uint_eq(of_set.width, 2 * N);
    OK(cudaGraphMemcpyNodeGetParams(copy, &of_copy));
    ck_assert_ptr_eq(of_copy.dstPtr.ptr, on_host + 1);
    OK(cudaGraphHostNodeGetParams(call, &of_call));
    ck_assert_ptr_eq(of_call.userData, &ten);
    OK(cudaGraphEventRecordNodeGetEvent(record, &found));
    ck_assert_ptr_eq(found, other_event);
    OK(cudaGraphEventWaitNodeGetEvent(wait, &found));
    ck_assert_ptr_eq(found, other_event);
    OK(cudaGraphLaunch(exec, s)); /* made before */
    OK(cudaStreamSynchronize(s));
    ck_assert_int_eq(calls, 2);
    ck_assert_int_eq(on_host[N], 1);

    /* of what was made */
    OK(cudaGraphExecMemsetNodeSetParams(exec, set, &clear));
    OK(cudaGraphExecMemcpyNodeSetParams(exec, copy, &back));
    OK(cudaGraphExecHostNodeSetParams(exec, call, &function));
    OK(cudaGraphExecEventRecordNodeSetEvent(exec, record, other_event));
    OK(cudaGraphExecEventWaitNodeSetEvent(exec, wait, other_event));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    ck_assert_int_eq(calls, 12);
    ck_assert_int_eq(on_host[0], 3);
    ck_assert_int_eq(on_host[1], 5);
    ck_assert_int_eq(on_host[2 * N], 5);
    ck_assert_int_eq(on_host[2 * N + 1], 1);
    OK(cudaGraphMemcpyNodeSetParams1D(copy, on_host, on_device, N, cudaMemcpyDeviceToHost));
    OK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, on_host + 4 * N, on_device, 2,
                                          cudaMemcpyDeviceToHost));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    ck_assert_int_eq(on_host[4 * N + 1], 5);
    ck_assert_int_eq(on_host[4 * N + 2], 9);

    /* the form for all kinds */
    struct cudaGraphNodeParams any =
        {.type = cudaGraphNodeTypeMemset,
         .memset = {.dst = on_device, .value = 8, .elementSize = 1, .width = 4, .height = 1}};
    OK(cudaGraphNodeSetParams(set, &any));
    OK(cudaGraphMemsetNodeGetParams(set, &of_set));
    ck_assert_uint_eq(of_set.value, 8);
    OK(cudaGraphExecNodeSetParams(exec, set, &any));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    ck_assert_int_eq(on_host[4 * N], 8);
    any.type = cudaGraphNodeTypeEmpty;
    IS(InvalidValue, cudaGraphNodeSetParams(set, &any));
    IS(InvalidValue, cudaGraphExecNodeSetParams(exec, set, &any));
    IS(InvalidValue, cudaGraphNodeSetParams(set, NULL));
    IS(InvalidValue, cudaGraphExecNodeSetParams(exec, set, NULL));

    /* a node of another kind, and nothing */
    IS(InvalidValue, cudaGraphMemsetNodeSetParams(copy, &clear));
    IS(InvalidValue, cudaGraphMemsetNodeSetParams(set, NULL));
    IS(InvalidValue, cudaGraphMemcpyNodeSetParams(copy, NULL));
    IS(InvalidValue, cudaGraphHostNodeSetParams(call, NULL));
    IS(InvalidValue, cudaGraphExecMemsetNodeSetParams(exec, set, NULL));
    IS(InvalidValue, cudaGraphExecMemcpyNodeSetParams(exec, copy, NULL));
    IS(InvalidValue, cudaGraphExecHostNodeSetParams(exec, call, NULL));
    IS(InvalidValue, cudaGraphExecMemsetNodeSetParams(exec, copy, &clear));
    IS(InvalidValue, cudaGraphMemsetNodeGetParams(copy, &of_set));
    IS(InvalidValue, cudaGraphMemsetNodeGetParams(set, NULL));
    IS(InvalidValue, cudaGraphEventRecordNodeGetEvent(wait, &found));
}
END_TEST

START_TEST(children_of_what_was_made)
{
    static int one = 1, ten = 10;
    graph_begins();
    cudaGraph_t small, other, bigger, found;
    cudaGraphNode_t a, b, child;
    cudaGraphExec_t exec;
    struct cudaHostNodeParams function = {count, &one};
    OK(cudaGraphCreate(&small, 0));
    OK(cudaGraphCreate(&other, 0));
    OK(cudaGraphCreate(&bigger, 0));
    OK(cudaGraphAddHostNode(&a, small, NULL, 0, &function));
    function.userData = &ten;
    OK(cudaGraphAddHostNode(&b, other, NULL, 0, &function));
    OK(cudaGraphAddHostNode(&a, bigger, NULL, 0, &function));
    OK(cudaGraphAddHostNode(&b, bigger, &a, 1, &function));
    OK(cudaGraphAddChildGraphNode(&child, graph, NULL, 0, small));
    OK(cudaGraphChildGraphNodeGetGraph(child, &found));
    ck_assert_ptr_ne(found, small); /* the node's own */
    OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaDeviceSynchronize());
    ck_assert_int_eq(calls, 1);
    OK(cudaGraphExecChildGraphNodeSetParams(exec, child, other));
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaDeviceSynchronize());
    ck_assert_int_eq(calls, 11);
    struct cudaGraphNodeParams any = {.type = cudaGraphNodeTypeGraph, .graph = {small}};
    OK(cudaGraphExecNodeSetParams(exec, child, &any));
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaDeviceSynchronize());
    ck_assert_int_eq(calls, 12);
    IS(InvalidValue, cudaGraphNodeSetParams(child, &any));
    IS(InvalidValue, cudaGraphExecChildGraphNodeSetParams(exec, child, bigger));
    IS(InvalidValue, cudaGraphExecChildGraphNodeSetParams(exec, child, NULL));
    IS(InvalidValue, cudaGraphExecChildGraphNodeSetParams(exec, a, other));
}
END_TEST

START_TEST(memory_of_graphs)
{
    graph_begins();
    enum { BYTES = 3 << 20 };
    struct cudaMemAllocNodeParams room = {.bytesize = BYTES}, got;
    struct cudaMemPoolProps *about = &room.poolProps;
    cudaGraphNode_t take, give;
    cudaGraphExec_t exec;
    uint64_t now = 1, high = 1, zero = 0, one = 1;
    void *given = NULL;
    about->allocType = cudaMemAllocationTypePinned;
    about->location = (struct cudaMemLocation){.type = cudaMemLocationTypeDevice, .id = 0};
    OK(cudaGraphAddMemAllocNode(&take, graph, NULL, 0, &room));
    ck_assert_ptr_nonnull(room.dptr);
    OK(cudaGraphAddMemFreeNode(&give, graph, &take, 1, room.dptr));
    OK(cudaGraphMemAllocNodeGetParams(take, &got));
    ck_assert_ptr_eq(got.dptr, room.dptr);
    ck_assert_uint_eq(got.bytesize, BYTES);
    OK(cudaGraphMemFreeNodeGetParams(give, &given));
    ck_assert_ptr_eq(given, room.dptr);
    IS(InvalidValue, cudaGraphMemFreeNodeGetParams(take, &given));
    IS(InvalidValue, cudaGraphMemFreeNodeGetParams(give, NULL));
    IS(InvalidValue, cudaGraphAddMemAllocNode(&take, graph, NULL, 0, NULL));

    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaDeviceSynchronize());
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &now));
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &high));
    ck_assert_uint_eq(now, 32 << 20); /* the graph that was made keeps its room */
    ck_assert_uint_eq(high, now);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaDeviceGraphMemTrim(0));
    for (int kind = 0; kind < 4; kind += 2) { /* used, reserved: what there is, then the most */
        enum cudaGraphMemAttributeType is = (enum cudaGraphMemAttributeType)kind,
                                       was = (enum cudaGraphMemAttributeType)(kind + 1);
        OK(cudaDeviceGetGraphMemAttribute(0, is, &now));
        OK(cudaDeviceGetGraphMemAttribute(0, was, &high));
        ck_assert_uint_eq(now, 0);
        ck_assert_uint_eq(high, 32 << 20);
        OK(cudaDeviceSetGraphMemAttribute(0, was, &zero));
        OK(cudaDeviceGetGraphMemAttribute(0, was, &high));
        ck_assert_uint_eq(high, now);
    }
    IS(InvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one));
    IS(InvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero));
    IS(InvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, NULL));
    IS(InvalidValue, cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, NULL));
    IS(InvalidValue, cudaDeviceGetGraphMemAttribute(0, (enum cudaGraphMemAttributeType)4, &now));
    IS(InvalidDevice, cudaDeviceGetGraphMemAttribute(1, cudaGraphMemAttrUsedMemHigh, &now));
    IS(InvalidDevice, cudaDeviceSetGraphMemAttribute(1, cudaGraphMemAttrUsedMemHigh, &zero));
    IS(InvalidDevice, cudaDeviceGraphMemTrim(1));
}
END_TEST

CASES("small calls", .before = two_devices)
