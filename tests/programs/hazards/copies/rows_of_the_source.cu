// The source of a 2D copy, filled again: a row that is sent, or one that is not.
// hazard: host-race A B
// right: -DRIGHT
#include "../hazards.h"
enum { PITCH = 128, ROWS = 8 };
int main()
{
    char *d; cudaMalloc(&d, PITCH * ROWS); keep(d, PITCH * ROWS);
    char *h; cudaMallocHost(&h, PITCH * ROWS); keep_pinned(h, PITCH * ROWS);
    cudaStream_t a = stream();
    cudaMemcpy2DAsync(d, PITCH, h, 2 * PITCH, 100, ROWS / 2, cudaMemcpyHostToDevice, a); // A
#ifdef RIGHT
    h[PITCH] = h[100] = 1;            // the second row, and past the width of the first
    cudaStreamSynchronize(a);
#else
    h[2 * PITCH] = 1;                                            // B
#endif
    return finish();
}
