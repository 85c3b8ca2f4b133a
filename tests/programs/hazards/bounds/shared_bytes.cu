// Rows of five characters: the end is not where a word ends.
// hazard: out-of-bounds A
// err: reads text[15..15]
// right: -DRIGHT
#include "../hazards.h"
__global__ void rows(char *out, int last)
{
    __shared__ char text[3][5];
    int t = threadIdx.x;
    if (t < 15) text[t / 5][t % 5] = (char)t;
    __syncthreads();
    if (t < last) out[t] = (&text[0][0])[t];                     // A
}
int main()
{
    char *d; cudaMalloc(&d, BYTES); keep(d);
#ifdef RIGHT
    rows<<<1, 32>>>(d, 15);
#else
    rows<<<1, 32>>>(d, 16);
#endif
    cudaDeviceSynchronize();
    return finish();
}
