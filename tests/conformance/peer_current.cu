// What has to be current, and what has not: a record is for event and stream of one device; launches, copies, waits and
// questions follow the stream, whichever device is current (the codes of two H200s).
// run: THREELANE_MODEL=h200+devices=2
// out: ok peer_current
#include "conformance.h"

__device__ int counted;
extern __shared__ char room[];
__global__ void store(int *p, int value) { *p = value; }
__global__ void count() { counted++; }
__global__ void large(int *p)
{
    room[99999] = 9;
    *p = room[99999];
}

int main()
{
    static int out[4];
    int *d[2], *pinned, device = -1, value = -1;
    float ms;
    cudaStream_t s[2];
    cudaEvent_t e[2];
    cudaPointerAttributes attributes;
    needs_devices(2, "peer_current");
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        OK(cudaMalloc(&d[i], 4096));
        OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
        OK(cudaEventCreate(&e[i]));
        store<<<1, 1, 0, s[i]>>>(d[i], 3 + i);
        OK(cudaDeviceSynchronize());
    }
    OK(cudaMallocHost(&pinned, 4096));
    for (int i = 0; i < 2; i++) {
        OK(cudaPointerGetAttributes(&attributes, d[i]));
        CHECK(attributes.device == i);
        OK(cudaStreamGetDevice(s[i], &device));
        CHECK(device == i);
    }

    OK(cudaSetDevice(0));
    /* a launch runs on its stream's device, with its variables and what it was allowed there (CUDA 13.0; the guide
     * says that it fails) */
    store<<<1, 1, 0, s[1]>>>(d[1], 9);
    OK(cudaGetLastError());
    count<<<1, 1, 0, s[1]>>>();
    OK(cudaGetLastError());
    OK(cudaStreamSynchronize(s[1]));
    OK(cudaMemcpyFromSymbol(&value, counted, sizeof value));
    CHECK(value == 0);
    OK(cudaSetDevice(1));
    OK(cudaMemcpyFromSymbol(&value, counted, sizeof value));
    CHECK(value == 1);
    OK(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    OK(cudaSetDevice(0));
    large<<<1, 1, 100000, s[1]>>>(d[1]);
    OK(cudaGetLastError());
    large<<<1, 1, 100000, s[0]>>>(d[0]);
    IS(cudaErrorInvalidValue, cudaGetLastError());
    OK(cudaStreamSynchronize(s[1]));
    IS(cudaErrorInvalidResourceHandle, cudaEventRecord(e[0], s[1]));
    IS(cudaErrorInvalidResourceHandle, cudaEventRecord(e[1], s[0]));
    IS(cudaErrorInvalidResourceHandle, cudaEventRecord(e[1], 0)); /* the current device's default stream */
    OK(cudaEventRecord(e[1], s[1])); /* event and stream of one device, whichever is current */
    OK(cudaEventRecord(e[0], s[0]));
    OK(cudaStreamWaitEvent(s[0], e[1], 0));
    OK(cudaEventSynchronize(e[1]));
    OK(cudaEventQuery(e[1]));
    OK(cudaStreamSynchronize(s[1]));
    OK(cudaStreamQuery(s[1]));
    OK(cudaStreamSynchronize(s[0]));
    IS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e[0], e[1])); /* two devices' clocks */
    cudaGetLastError();

    /* copies and sets go into any stream */
    OK(cudaMemcpyAsync(pinned, d[1], 4, cudaMemcpyDeviceToHost, s[1]));
    OK(cudaStreamSynchronize(s[1]));
    CHECK(pinned[0] == 9);
    OK(cudaMemsetAsync(d[1], 0, 4, s[1]));
    OK(cudaMemcpyAsync(pinned, d[1], 4, cudaMemcpyDeviceToHost, s[1]));
    OK(cudaStreamSynchronize(s[1]));
    CHECK(pinned[0] == 0);
    OK(cudaMemcpy(out, d[1], 4, cudaMemcpyDefault)); /* the pointer says where it is */
    CHECK(out[0] == 0);

    /* cudaDeviceSynchronize waits for the current device, and for no other */
    OK(cudaSetDevice(1));
    busy(s[1]);
    OK(cudaSetDevice(0));
    RETURNS_AT_ONCE(cudaDeviceSynchronize());
    IS(cudaErrorNotReady, cudaStreamQuery(s[1]));
    OK(cudaSetDevice(1));
    WAITS(cudaDeviceSynchronize());

    /* an event orders work of two devices */
    busy(s[1]);
    store<<<1, 1, 0, s[1]>>>(d[1], 7);
    OK(cudaEventRecord(e[1], s[1]));
    OK(cudaStreamWaitEvent(s[0], e[1], 0));
    OK(cudaMemcpyAsync(pinned, d[1], 4, cudaMemcpyDeviceToHost, s[0]));
    WAITS(cudaStreamSynchronize(s[0]));
    CHECK(pinned[0] == 7);

    /* what was made on one device is taken away from the other */
    OK(cudaSetDevice(0));
    OK(cudaEventDestroy(e[1]));
    OK(cudaStreamDestroy(s[1]));
    OK(cudaFree(d[1]));
    IS(cudaErrorInvalidDevice, cudaSetDevice(99));
    OK(cudaGetDevice(&device));
    CHECK(device == 0);
    return finish("peer_current");
}
