// Threads of a parallel region fill a buffer; the copy of it is after the region's end, or in it.
// flags: -Xcompiler -fopenmp
// hazard: host-race B A
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    #pragma omp parallel num_threads(4)
    {
        #pragma omp for nowait
        for (int i = 0; i < N; i++) h[i] = i;                    // A
#ifdef RIGHT
        #pragma omp barrier
#endif
        #pragma omp master
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, a); // B
    }
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    return finish();
}
