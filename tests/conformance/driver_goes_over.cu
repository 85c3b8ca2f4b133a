// A thread that has not chosen a device, and whose own was reset after a kernel's failure, goes over to one that is in use.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200+devices=2
// out: ok driver_goes_over
#include "driver.h"

__global__ void touch(int *p) { *p = 1; }

int main()
{
    int *plain = (int *)calloc(1, sizeof *plain);
    CUdeviceptr p;
    CUcontext other, current, dead;
    CUdevice device = 7;
    void *memory;
    needs_devices(2, "driver_goes_over");
    GIVES(0, cuInit(0));
    GIVES(0, cuDevicePrimaryCtxRetain(&other, 1));
    dead = primary();
    touch<<<1, 1>>>(plain);
    GIVES(700, cuCtxSynchronize());
    GIVES(0, cuDevicePrimaryCtxReset(0));
    GIVES(709, cuMemAlloc(&p, 16));
    GIVES(700, cudaMalloc(&memory, 16));
    GIVES(700, cuMemAlloc(&p, 16));
    GIVES(0, cuCtxGetCurrent(&current));
    CHECK(current == other && current != dead);
    GIVES(0, cuCtxGetDevice(&device));
    CHECK(device == 1);
    free(plain);
    return finish("driver_goes_over");
}
// hazard: wrong-memory 8
