// What comes later in the stream, in any way, comes after both: a kernel, a copy, an event, the default stream, the host.
// Only what has no part in that races: another stream.
// hazard: race D C
// right: -DRIGHT
#include "dependent.h"
__global__ void A(int *p) { cudaTriggerProgrammaticLaunchCompletion(); p[rank()] = 1; }
__global__ void B(int *other) { other[rank()] = 2; }
int main()
{
    int *p, *to, *other, h[N]; cudaMalloc(&p, BYTES); keep(p); cudaMalloc(&to, BYTES); keep(to);
    cudaMalloc(&other, BYTES); keep(other);
    cudaStream_t s = stream(cudaStreamDefault), t = stream();
    for (int how = 0; how < 5; how++) {
        A<<<4, 256, 0, s>>>(p);                                  // A
        early(s, B, other);
        if (how == 0) move<<<4, 256, 0, s>>>(to, p, N);
        if (how == 1) cudaMemcpyAsync(to, p, BYTES, cudaMemcpyDeviceToDevice, s);
        if (how == 2) order(s, t), move<<<4, 256, 0, t>>>(to, p, N), order(t, s);
        if (how == 3) move<<<4, 256>>>(to, p, N);
        if (how == 4) cudaMemcpyAsync(h, p, BYTES, cudaMemcpyDeviceToHost, s);
        cudaStreamSynchronize(s);
    }
    h[0] += h[1];
#ifndef RIGHT
    move<<<4, 256, 0, t>>>(to, p, N);                            // D
    A<<<4, 256, 0, s>>>(p);                                      // C
#endif
    return finish();
}
