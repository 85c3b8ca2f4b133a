// Launches with attributes: what is taken, what is refused, and that the kernel gets its arguments.
// run: THREELANE_MODEL=h200
// out: ok launch_attributes
#include "conformance.h"

__global__ void add(int *to, int a, float b, char c) { *to = a + (int)b + c; }
template <class T> __global__ void store(T *to, T value) { to[threadIdx.x] = value; }
__global__ void nothing() {}

static cudaLaunchAttribute attributes[40];

static cudaError_t launch(int n, cudaLaunchAttribute *list = attributes, cudaStream_t s = 0)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(8);
    config.blockDim = dim3(32);
    config.stream = s;
    config.attrs = list;
    config.numAttrs = (unsigned)n;
    cudaError_t error = cudaLaunchKernelExC(&config, (const void *)nothing, NULL);
    cudaGetLastError();
    return error;
}

static cudaLaunchAttribute *one(cudaLaunchAttributeID id)
{
    memset(attributes, 0, sizeof attributes);
    attributes[0].id = id;
    return attributes;
}

static cudaError_t cluster(unsigned x, unsigned y, unsigned z)
{
    one(cudaLaunchAttributeClusterDimension)->val.clusterDim.x = x;
    attributes[0].val.clusterDim.y = y;
    attributes[0].val.clusterDim.z = z;
    return launch(1);
}

int main()
{
    cudaStream_t s, t;
    cudaEvent_t timed, event;
    int *d, h[32], least, greatest;
    warm_up();
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&t));
    OK(cudaEventCreate(&timed));
    OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    OK(cudaMalloc(&d, sizeof h));

    // The arguments become the parameters' types, as in a call.
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(1);
    config.stream = s;
    OK(cudaLaunchKernelEx(&config, add, d, 4.9, 3, 'a'));
    OK(cudaMemcpyAsync(h, d, sizeof *h, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    CHECK(h[0] == 4 + 3 + 'a');
    config.blockDim = dim3(32);
    OK(cudaLaunchKernelEx(&config, store<int>, d, 7));
    int nine = 9;
    void *arguments[] = {&d, &nine};
    OK(cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, s));
    OK(cudaLaunchKernelExC(&config, (const void *)store<int>, arguments));
    OK(cudaStreamSynchronize(s));
    CHECK(h[0] == 7 && h[31] == 7);
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 9 && h[31] == 9);

    // No attributes, attributes that say nothing, and those that are hints.
    IS(cudaSuccess, launch(0));
    IS(cudaSuccess, launch(0, NULL));
    one(cudaLaunchAttributeIgnore);
    IS(cudaSuccess, launch(1));
    IS(cudaSuccess, launch(2));
    one(cudaLaunchAttributeMemSyncDomain)->val.memSyncDomain = cudaLaunchMemSyncDomainRemote;
    IS(cudaSuccess, launch(1));
    one(cudaLaunchAttributePreferredSharedMemoryCarveout)->val.sharedMemCarveout = 50;
    IS(cudaSuccess, launch(1));
    one(cudaLaunchAttributeClusterSchedulingPolicyPreference)->val.clusterSchedulingPolicyPreference
        = cudaClusterSchedulingPolicySpread;
    IS(cudaSuccess, launch(1));
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    one(cudaLaunchAttributePriority)->val.priority = greatest;
    IS(cudaSuccess, launch(1));
    one(cudaLaunchAttributeProgrammaticStreamSerialization)
        ->val.programmaticStreamSerializationAllowed = 1;
    IS(cudaSuccess, launch(1));
    one(cudaLaunchAttributeCooperative)->val.cooperative = 1;
    IS(cudaSuccess, launch(1));

    // Clusters: sizes that divide the grid, up to 8 blocks.
    IS(cudaSuccess, cluster(1, 1, 1));
    IS(cudaSuccess, cluster(2, 1, 1));
    IS(cudaSuccess, cluster(8, 1, 1));
    IS(cudaErrorInvalidClusterSize, cluster(3, 1, 1));
    IS(cudaErrorInvalidClusterSize, cluster(2, 2, 1));
    IS(cudaErrorInvalidClusterSize, cluster(16, 1, 1));

    // Events of a launch have no timing.
    one(cudaLaunchAttributeProgrammaticEvent)->val.programmaticEvent.event = event;
    IS(cudaSuccess, launch(1));
    attributes[0].val.programmaticEvent.event = timed;
    IS(cudaErrorNotSupported, launch(1));
    one(cudaLaunchAttributeLaunchCompletionEvent)->val.launchCompletionEvent.event = event;
    IS(cudaSuccess, launch(1));
    attributes[0].val.launchCompletionEvent.event = timed;
    IS(cudaErrorNotSupported, launch(1));
    OK(cudaDeviceSynchronize());

    // Attributes of streams.
    cudaStreamAttrValue value;
    memset(&value, 0, sizeof value);
    value.syncPolicy = cudaSyncPolicyYield;
    OK(cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &value));
    value.priority = greatest;
    OK(cudaStreamSetAttribute(s, cudaStreamAttributePriority, &value));
    memset(&value, 0, sizeof value);
    OK(cudaStreamGetAttribute(s, cudaStreamAttributePriority, &value));
    CHECK(value.priority == greatest);
    OK(cudaStreamCopyAttributes(t, s));
    memset(&value, 0, sizeof value);
    OK(cudaStreamGetAttribute(t, cudaStreamAttributeSynchronizationPolicy, &value));
    CHECK(value.syncPolicy == cudaSyncPolicyYield);
    IS(cudaErrorInvalidValue, cudaStreamSetAttribute(s, cudaLaunchAttributeCooperative, &value));
    IS(cudaErrorInvalidValue, cudaStreamGetAttribute(s, cudaLaunchAttributeCooperative, &value));

    return finish("launch_attributes");
}
