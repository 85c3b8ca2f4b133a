// A kernel is given memory from malloc().
#include <stdlib.h>
__global__ void twice(float *a) { a[threadIdx.x] *= 2; }

int main()
{
    float *h = (float *)calloc(32, sizeof *h);
    twice<<<1, 32>>>(h);
    cudaDeviceSynchronize();
    free(h);
    return 0;
}
// hazard: wrong-memory 3
// err: host memory that is neither pinned nor managed
