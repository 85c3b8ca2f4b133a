// Failures of a kernel, each with its code; every code stays with the process. So each has a process of its own.
// run: THREELANE_MODEL=h200
// out: ok sticky_codes
#include "conformance.h"
#include <cassert>
#include <sys/wait.h>
#include <unistd.h>

__global__ void illegal(int *p) { p[1ll << 40] = 1; }
__global__ void misaligned(int *p) { *(volatile int *)((char *)p + 2) = 1; }
__global__ void trapped(int *) { __trap(); }
__global__ void asserts(int *p) { assert(p == NULL); }

static void fails(void (*kernel)(int *), cudaError_t code)
{
    int *d;
    cudaStream_t s;
    warm_up();
    OK(cudaMalloc(&d, 64));
    OK(cudaStreamCreate(&s));
    kernel<<<1, 1, 0, s>>>(d);
    IS(cudaSuccess, cudaGetLastError());
    IS(code, cudaDeviceSynchronize());
    IS(code, cudaGetLastError());
    IS(cudaSuccess, cudaGetLastError());
    IS(code, cudaStreamQuery(s));
    IS(code, cudaStreamSynchronize(s));
    IS(code, cudaMalloc(&d, 64));
    IS(code, cudaMemcpy(d, d, 4, cudaMemcpyDeviceToDevice));
    spin<<<1, 1, 0, s>>>(1000, NULL);
    IS(code, cudaGetLastError());
}

int main()
{
    static const struct { void (*kernel)(int *); cudaError_t code; } cases[] = {
        {illegal, cudaErrorIllegalAddress}, {misaligned, cudaErrorMisalignedAddress},
        {trapped, cudaErrorLaunchFailure}, {asserts, cudaErrorAssert},
    };
    for (auto &c : cases) {
        int status = -1;
        fflush(stdout);
        pid_t child = fork();                         // before the first CUDA call
        if (child == 0) {
            failures = 0;
            fails(c.kernel, c.code);
            fflush(stdout);
            _exit(failures != 0);
        }
        CHECK(waitpid(child, &status, 0) == child);
        if (status) printf("code %d: the process ended with %#x\n", (int)c.code, status);
        CHECK(status == 0);
    }
    return finish("sticky_codes");
}
