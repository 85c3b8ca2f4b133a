// A set of managed memory by cudaMemsetAsync does not wait, one by cudaMemset does.
// hazard: host-race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *m; cudaMallocManaged(&m, BYTES); keep_managed(m);
    cudaStream_t a = stream();
#ifdef RIGHT
    cudaMemset(m, 1, BYTES);
    (void)a;
#else
    cudaMemsetAsync(m, 1, BYTES, a);                             // A
#endif
    int seen = m[7];                                             // B
    return seen == 0x01010101 || !seen ? finish() : 1;
}
