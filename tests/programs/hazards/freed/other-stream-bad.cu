// The memory is freed in another stream than the one that still reads it: what is missing is an edge between the two.
// err: the memory is freed in stream 1 by the call at line 21, and
// err: and dup is in stream 2: nothing orders these two
// err: fix: record an event in stream 2 after
// not: host code frees
__global__ void fill(int *p) { p[threadIdx.x] = 1; }
__global__ void dup(const int *p, int *q) { q[threadIdx.x] = p[threadIdx.x]; }
int main()
{
    int *a, *q;
    cudaStream_t s, t;
    cudaEvent_t filled, read;
    cudaStreamCreate(&s), cudaStreamCreate(&t);
    cudaEventCreate(&filled), cudaEventCreate(&read);
    cudaMalloc(&q, 4096);
    cudaMallocAsync(&a, 4096, s);
    fill<<<1, 32, 0, s>>>(a);
    cudaEventRecord(filled, s);
    cudaStreamWaitEvent(t, filled, 0);
#ifndef RIGHT
    cudaFreeAsync(a, s);
#endif
    dup<<<1, 32, 0, t>>>(a, q);
#ifdef RIGHT
    cudaEventRecord(read, t);
    cudaStreamWaitEvent(s, read, 0);
    cudaFreeAsync(a, s);
#endif
    cudaStreamSynchronize(t), cudaStreamSynchronize(s);
    cudaFree(q);
    cudaEventDestroy(filled), cudaEventDestroy(read);
    cudaStreamDestroy(s), cudaStreamDestroy(t);
    return 0;
}
// hazard: use-after-free 21 7
// right: -DRIGHT
