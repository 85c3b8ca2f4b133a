// While a 2D copy writes columns of an image, the host may touch the columns between them, and only those.
// hazard: host-race A B
// err: host code writes h[64..
// right: -DRIGHT
#include "../hazards.h"
enum { PITCH = 128, ROWS = 8 };
int main()
{
    char *d; cudaMalloc(&d, PITCH * ROWS); keep(d, PITCH * ROWS);
    char *h; cudaMallocHost(&h, PITCH * ROWS); keep_pinned(h, PITCH * ROWS);
    cudaStream_t a = stream();
    cudaMemcpy2DAsync(h + 64, PITCH, d, PITCH, 64, ROWS, cudaMemcpyDeviceToHost, a);     // A
#ifdef RIGHT
    for (int row = 0; row < ROWS; row++) h[row * PITCH + 63] = 1;
    cudaStreamSynchronize(a);
#else
    for (int row = 0; row < ROWS; row++) h[row * PITCH + 64] = 1;                // B
#endif
    return finish();
}
