// Two 2D copies fill the left and the right half of each row: the rows interleave and do not overlap. One byte more, and
// they do, in one byte of each row.
// hazard: race A B
// err: d[128..4992]
// err: 20 of these 4865
// right: -DRIGHT
#include "../hazards.h"
enum { PITCH = 256, ROWS = 20 };
#ifdef RIGHT
enum { WIDTH = 128 };
#else
enum { WIDTH = 129 };
#endif
int main()
{
    char *d; cudaMalloc(&d, PITCH * ROWS); keep(d, PITCH * ROWS);
    char *h; cudaMallocHost(&h, PITCH * ROWS); keep_pinned(h, PITCH * ROWS);
    cudaStream_t a = stream(), b = stream();
    cudaMemcpy2DAsync(d, PITCH, h, PITCH, WIDTH, ROWS, cudaMemcpyHostToDevice, a);               // A
    cudaMemcpy2DAsync(d + 128, PITCH, h + 128, PITCH, 128, ROWS, cudaMemcpyHostToDevice, b);     // B
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    return finish();
}
