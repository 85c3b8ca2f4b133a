#!/bin/sh
# Default streams of programs in several files: each file says for itself what stream 0 is, with nvcc's option or the macro;
# where the macro comes too late it means nothing, as with nvcc. And a thread's default stream is gone when the thread is.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
cd "$work" || exit 1

cat >own.cu <<'END'
__global__ void spin_own(long long ns) { long long begin = clock64(); while (clock64() - begin < ns) { } }
void own_work() { spin_own<<<1, 1>>>(3000000); }
cudaError_t own_query() { return cudaStreamQuery(0); }
cudaError_t own_wait() { return cudaStreamSynchronize(0); }
unsigned long long own_id() { unsigned long long id = 0; cudaStreamGetId(0, &id); return id; }
END
cat >main.cu <<'END'
#include <cstdio>
#include <thread>
__global__ void spin(long long ns) { long long begin = clock64(); while (clock64() - begin < ns) { } }
void own_work();
cudaError_t own_query(), own_wait();
unsigned long long own_id();
int main()
{
    unsigned long long legacy, shared, own;
    cudaStreamGetId(cudaStreamLegacy, &legacy);
    cudaStreamGetId(0, &shared);
    cudaStreamGetId(cudaStreamPerThread, &own);
    printf("here stream 0 is %s, there %s\n", shared == legacy ? "legacy" : shared == own ? "own" : "?",
           own_id() == legacy ? "legacy" : own_id() == own ? "own" : "?");

    own_work();
    int there = own_query();
    cudaDeviceSynchronize();
    own_work();
    int here = cudaStreamQuery(cudaStreamLegacy);
    cudaDeviceSynchronize();
    printf("its work is pending there %d, and for the legacy stream %d\n", there, here);

    spin<<<1, 1, 0, cudaStreamLegacy>>>(3000000);
    printf("work of the legacy stream is not that of this thread: %d\n", (int)cudaStreamQuery(cudaStreamPerThread));
    own_work();
    own_wait();
    printf("but comes before it: %d\n", (int)cudaStreamQuery(cudaStreamLegacy));

    std::thread(own_work).join();
    there = own_query();
    here = cudaStreamQuery(cudaStreamLegacy);
    cudaStreamSynchronize(cudaStreamLegacy);
    printf("what an ended thread left: own %d, legacy %d, waited %d\n", there, here, (int)cudaStreamQuery(cudaStreamLegacy));

    unsigned long long another = 0;
    std::thread([&] { another = own_id(); }).join();
    printf("another thread's stream 0 is %s\n", another == own_id() ? "the same" : "another");
    return 0;
}
END
built() { "$tlcc" "$@" >out 2>&1; }
mixed() {           # mixed NAME HERE THERE EXPECTED: the options of each file
    name=$1 here=$2 there=$3
    # shellcheck disable=SC2086  # words on purpose
    built $there -c own.cu -o own.o && built $here -c main.cu -o main.o && built own.o main.o -o mixed -lpthread
    expect "$name" 0 "$4" env THREELANE_MODEL=unit ./mixed
}
mixed 'one file with its own, the other without' '' '--default-stream per-thread' 'here stream 0 is legacy, there own'
also 'an own stream is a blocking one' 'its work is pending there 600, and for the legacy stream 600'
also 'it is another than the legacy stream' 'is not that of this thread: 0'
also 'which it waits for' 'but comes before it: 0'
also 'work outlives its thread, and the legacy stream covers it' 'what an ended thread left: own 0, legacy 600, waited 0'
also 'each thread has one' "another thread's stream 0 is another"
mixed 'the other way round' --default-stream=per-thread '' 'here stream 0 is own, there legacy'
also 'where stream 0 is the legacy stream, threads share it' "another thread's stream 0 is the same"
mixed 'by the macro' '' -DCUDA_API_PER_THREAD_DEFAULT_STREAM 'here stream 0 is legacy, there own'
mixed 'both' --default-stream=per-thread --default-stream=per-thread 'here stream 0 is own, there own'
mixed 'neither' '' --default-stream=legacy 'here stream 0 is legacy, there legacy'

sed -i '1i #define CUDA_API_PER_THREAD_DEFAULT_STREAM\n#include <cuda_runtime.h>' own.cu
mixed 'in a .cu file the macro comes too late: the header is there before it' '' '' 'here stream 0 is legacy, there legacy'

# host code in C and C++ includes the header itself, so there the macro is in time
for kind in c cpp; do
    cat >plain.$kind <<'END'
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include <cuda_runtime.h>
#include <stdio.h>
int main(void)
{
    unsigned long long zero, own;
    void *p;
    cudaStreamGetId(0, &zero);
    cudaStreamGetId(cudaStreamPerThread, &own);
    cudaMalloc(&p, 4);
    cudaMemsetAsync(p, 0, 4, 0);
    printf("stream 0 is %s; ", zero == own ? "own" : "legacy");
    printf("a set is pending there: %d", (int)cudaStreamQuery(cudaStreamPerThread));
    cudaDeviceSynchronize();
    printf("\n");
    return 0;
}
END
    built plain.$kind -o plain
    expect "in a .$kind file it is in time" 0 'stream 0 is own; a set is pending there: 600' env THREELANE_MODEL=unit ./plain
done

# what the trace has of ranges and launches
cat >named.cu <<'END'
#include <nvtx3/nvToolsExt.h>
__global__ void shaped() {}
int main()
{
    nvtxDomainHandle_t domain = nvtxDomainCreateA("mine");
    nvtxEventAttributes_t attributes = {};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    attributes.message.registered = nvtxDomainRegisterStringA(domain, "registered words");
    nvtxDomainRangePushEx(domain, &attributes);
    shaped<<<dim3(2, 3, 4), dim3(5, 6, 7)>>>();
    nvtxDomainRangePop(domain);
    attributes.messageType = NVTX_MESSAGE_TYPE_UNICODE;
    attributes.message.unicode = L"wide words";
    nvtxRangePushEx(&attributes);
    nvtxRangePop();
    nvtxRangePushEx(NULL);
    nvtxRangePop();
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
built named.cu -o named
THREELANE_TRACE=named.lane ./named >"$work/out" 2>&1
holds 'a range has the name that was registered' grep -q '^range	.*	registered words' named.lane
holds 'or one of wide letters' grep -q '^range	.*	wide words' named.lane
holds 'a launch has the shape of its grid and of its blocks' grep -q '^op	.*	2,3,4	5,6,7	.*shaped' named.lane
finish
