// Managed memory: the host adds up what the kernel may still be writing.
// hazard: host-race A B
// err: m: 4096 bytes of managed memory, cudaMallocManaged at managed.cu:8
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *m; cudaMallocManaged(&m, BYTES); keep_managed(m);
    for (int i = 0; i < N; i++) m[i] = i;
    add<<<4, 256>>>(m, N);                                       // A
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    long sum = 0;
    for (int i = 0; i < N; i++) sum += m[i];                     // B
    return sum < 0 ? 1 : finish();
}
