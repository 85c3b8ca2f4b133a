// A host function launches a kernel, and makes a call whose result nobody looks at: CUDA permits neither.
// check: all
// hazard: failed-launch A
// hazard: failed-call B
// err: why: host functions must not call CUDA: neither launch, nor ask for errors
// err: fix: make the call where the host function's stream is waited for
// not: call cudaGetLastError()
// right: -DRIGHT
#include "../hazards.h"
static int *d;
static void more(void *)
{
#ifndef RIGHT
    fill<<<4, 256>>>(d, N, 1);                                   // A
    cudaMemset(d, 0, BYTES);                                     // B
#endif
}
int main()
{
    cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t s = stream();
    cudaLaunchHostFunc(s, more, NULL);
    fill<<<4, 256, 0, s>>>(d, N, 1);
    cudaStreamSynchronize(s);
    for (int i = 0; i < n_streams; i++) cudaStreamDestroy(made_streams[i]);
    cudaFree(d);
    return 0;
}
