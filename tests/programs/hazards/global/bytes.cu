// Neighbouring bytes belong to different threads, which is fine; the same byte does not.
// hazard: global-race A B
// err: text[64..64]
// right: -DRIGHT
#include "../hazards.h"
__global__ void fill_text(char *text)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    text[i] = (char)('a' + i % 26);                              // A
#ifndef RIGHT
    if (i == 63) text[64] = 0;                                   // B
#endif
}
int main()
{
    char *text; cudaMalloc(&text, BYTES); keep(text);
    fill_text<<<N / 64, 64>>>(text);
    cudaDeviceSynchronize();
    return finish();
}
