// Scratch memory for six requests: with cudaMalloc and cudaFree the host waits for each, in stream order it does not; and
// a cache that grows in its stream (exercise 47).
// run: THREELANE_MODEL=unit
// out: exact
#include "exact.h"

enum { REQUESTS = 6, N = 4096 };
static int *h;
static cudaStream_t s[3];

__global__ void work(int *p) { p[threadIdx.x] += 1; }
__global__ void attend(int *p) { p[threadIdx.x] = 1; }
__global__ void grow(int *to, const int *from, int n) { if ((int)threadIdx.x < n) to[threadIdx.x] = from[threadIdx.x]; }

static void request(int i, int *scratch, cudaStream_t stream)
{
    MUST(cudaMemcpyAsync(scratch, h + i * N, N * sizeof(int), cudaMemcpyHostToDevice, stream));
    work<<<1, 256, 0, stream>>>(scratch);
    MUST(cudaMemcpyAsync(h + i * N, scratch, N * sizeof(int), cudaMemcpyDeviceToHost, stream));
}
static void waiting()
{
    for (int i = 0; i < REQUESTS; i++) {
        int *scratch;
        MUST(cudaMalloc(&scratch, N * sizeof(int)));
        request(i, scratch, s[i % 3]);
        MUST(cudaFree(scratch));
    }
}
static void ordered(int streams)
{
    for (int i = 0; i < REQUESTS; i++) {
        int *scratch;
        MUST(cudaMallocAsync(&scratch, N * sizeof(int), s[i % streams]));
        request(i, scratch, s[i % streams]);
        MUST(cudaFreeAsync(scratch, s[i % streams]));
    }
}
// attend, grow, attend, grow ...: the old block is freed when the copy out of it, and who else reads it, are through
static void cache(cudaStream_t stream)
{
    int *old, *larger;
    MUST(cudaMallocAsync(&old, 256 * sizeof(int), stream));
    for (int i = 0; i < 4; i++) {
        attend<<<1, 64 << (i > 2 ? 2 : i), 0, stream>>>(old);
        if (i == 3) break;
        MUST(cudaMallocAsync(&larger, (256 << i) * sizeof(int), stream));
        grow<<<1, 256, 0, stream>>>(larger, old, 64 << i);
        MUST(cudaFreeAsync(old, stream));
        old = larger;
    }
    MUST(cudaFreeAsync(old, stream));
}

int main()
{
    MUST(cudaMallocHost(&h, REQUESTS * N * sizeof(int)));
    for (int i = 0; i < REQUESTS * N; i++) h[i] = 0;
    for (auto &stream : s) MUST(cudaStreamCreate(&stream));
    LASTS(3 * REQUESTS, waiting);
    LASTS(REQUESTS + 2, [] { ordered(3); });
    LASTS(10, [] { ordered(2); });
    LASTS(7, [] { cache(s[0]); });
    if (!bad) printf("exact\n");
    return bad;
}
