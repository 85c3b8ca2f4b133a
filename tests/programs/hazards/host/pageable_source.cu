// The pageable source of an asynchronous copy, changed after the call: it had been put aside, by chance.
// check: hazards
// hazard: not-guaranteed A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int h[N];
    for (int i = 0; i < N; i++) h[i] = i;
    cudaStream_t a = stream();
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, a);     // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    h[3] = 0;                                                    // B
    return finish();
}
