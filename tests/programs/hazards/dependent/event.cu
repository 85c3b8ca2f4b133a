// An event of a launch stands for its blocks' triggers, not for its end: what waits for the event and has to read what the
// kernel writes waits for the kernel as well.
// hazard: race A B
// err: B waits for an event that stands for the trigger of A, not for its end
// right: -DRIGHT
#include "dependent.h"
__global__ void A(int *p) { cudaTriggerProgrammaticLaunchCompletion(); p[rank()] = 1; }
__global__ void B(int *to, const int *p)
{
#ifdef RIGHT
    cudaGridDependencySynchronize();
#endif
    to[rank()] = p[rank()];
}
int main()
{
    int *p, *to; cudaMalloc(&p, BYTES); keep(p); cudaMalloc(&to, BYTES); keep(to);
    cudaStream_t s = stream(), t = stream();
    cudaEvent_t e;
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticEvent;
    attribute.val.programmaticEvent.event = e;
    attribute.val.programmaticEvent.flags = 0;
    attribute.val.programmaticEvent.triggerAtBlockStart = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4);
    config.blockDim = dim3(256);
    config.stream = s;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, A, p);                           // A
    cudaStreamWaitEvent(t, e, 0);
    B<<<4, 256, 0, t>>>(to, p);                                  // B
#ifdef RIGHT
    cudaStreamSynchronize(t);
    cudaStreamSynchronize(s);
#endif
    cudaEventDestroy(e);
    return finish();
}
