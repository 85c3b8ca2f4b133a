// A kernel that touches pageable host memory: 700 at the next synchronize, and from then on from every call.
// run: THREELANE_MODEL=h200
// out: ok sticky
#include "conformance.h"

__global__ void touch(int *p) { *p = 1; }

static void CUDART_CB count(void *data) { ++*(int *)data; }
static void CUDART_CB told(cudaStream_t, cudaError_t status, void *data) { *(volatile cudaError_t *)data = status; }

int main()
{
    static int calls;
    int *plain = (int *)calloc(1, sizeof *plain);
    static volatile cudaError_t status = cudaSuccess;
    void *d;
    cudaStream_t s;
    warm_up();
    OK(cudaStreamCreate(&s));
    busy(s, 1);
    touch<<<1, 1, 0, s>>>(plain);
    IS(cudaSuccess, cudaGetLastError());              // the launch itself was fine
    OK(cudaLaunchHostFunc(s, count, &calls));
    OK(cudaStreamAddCallback(s, told, (void *)&status, 0));
    IS(cudaErrorIllegalAddress, cudaStreamSynchronize(s));
    IS(cudaErrorIllegalAddress, cudaGetLastError());  // kept for once, as any error is
    IS(cudaSuccess, cudaGetLastError());
    IS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    IS(cudaErrorIllegalAddress, cudaMalloc(&d, 4));
    IS(cudaErrorIllegalAddress, cudaStreamCreate(&s));
    IS(cudaErrorIllegalAddress, cudaMemset(d, 0, 4));
    touch<<<1, 1>>>(NULL);
    IS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    CHECK(*plain == 0);
    // What needs no device still answers.
    int count;
    IS(cudaSuccess, cudaGetDeviceCount(&count));
    IS(cudaSuccess, cudaSetDevice(0));
    double begin = now_ms();
    while (status == cudaSuccess && now_ms() - begin < 500) {
    }
    CHECK(calls == 0);                                // a host function does not run after an error
    CHECK(status == cudaErrorIllegalAddress);         // a callback does, and is told
    return finish("sticky");
}
// hazard: wrong-memory 6
