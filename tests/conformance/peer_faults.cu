// A kernel that fails takes all devices with it, and each of them is gone for good once it is reset: as on two H200s
// (CUDA 13.0).
// run: THREELANE_MODEL=h200+devices=2
// check: off
// err: illegal read of 4 bytes
// out: ok peer_faults
// status: 0
#include "conformance.h"

__global__ void add(int *p, int by) { *p += by; }

int main()
{
    int *d[2], out = 0, count = 0;
    void *more;
    cudaStream_t s[2], another;
    needs_devices(2, "peer_faults");
    for (int i = 1; i >= 0; i--) {
        OK(cudaSetDevice(i));
        OK(cudaMalloc(&d[i], 4));
        OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
    }
    add<<<1, 1, 0, s[0]>>>(d[1], 1); /* without access */
    IS(700, cudaStreamSynchronize(s[0]));
    OK(cudaSetDevice(1));
    OK(cudaGetDeviceCount(&count));
    CHECK(count >= 2);
    IS(700, cudaDeviceSynchronize());
    IS(700, cudaMalloc(&more, 4));
    IS(700, cudaStreamCreate(&another));
    IS(700, cudaStreamQuery(s[1]));
    IS(700, cudaMemcpy(&out, d[1], 4, cudaMemcpyDeviceToHost));

    OK(cudaDeviceReset());
    IS(46, cudaMalloc(&more, 4));
    IS(46, cudaSetDevice(1)); /* it would make the device ready; current it is */
    IS(46, cudaInitDevice(1, 0, 0));
    OK(cudaGetDevice(&count));
    CHECK(count == 1);
    OK(cudaSetDevice(0));
    IS(700, cudaMalloc(&more, 4)); /* nobody has reset that one */
    OK(cudaDeviceReset());
    IS(46, cudaMalloc(&more, 4));
    IS(46, cudaSetDevice(1));
    OK(cudaDeviceReset());
    IS(46, cudaMalloc(&more, 4));
    return finish("peer_faults");
}
