// A 2D set beside a 2D copy back: the set fills the padding, or one column of what is copied.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
enum { ROWS = 16 };
int main()
{
    char *d; size_t pitch;
    cudaMallocPitch(&d, &pitch, 100, ROWS); keep(d, pitch * ROWS);
    char *h; cudaMallocHost(&h, 100 * ROWS); keep_pinned(h, 100 * ROWS);
    cudaStream_t a = stream(), b = stream();
#ifdef RIGHT
    char *column = d + 100;
#else
    char *column = d + 99;
#endif
    cudaMemset2DAsync(column, pitch, 1, 1, ROWS, a);                             // A
    cudaMemcpy2DAsync(h, 100, d, pitch, 100, ROWS, cudaMemcpyDeviceToHost, b);   // B
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    return finish();
}
