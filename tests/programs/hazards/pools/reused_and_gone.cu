// The same where the free and the next allocation are over before the kernel runs that still uses the memory: it is held up
// by a host function.
// hazard: use-after-free B K
// err: old[0..
// not: fresh
// not: not reused
// right: -DRIGHT
#include "../hazards.h"
#include <unistd.h>
static void wait_a_moment(void *) { usleep(20000); }
__global__ void set(int *p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 1; } // K
int main()
{
    int *old, *fresh;
    cudaStream_t a = stream(), b = stream();
    cudaMallocAsync(&old, BYTES, a);
    order(a, b);
    cudaLaunchHostFunc(b, wait_a_moment, NULL);
    set<<<1, 32, 0, b>>>(old, 32);
#ifdef RIGHT
    order(b, a);
#endif
    cudaFreeAsync(old, a);                                       // B
    cudaMallocAsync(&fresh, BYTES, a);
    if (fresh != old) printf("not reused\n");
    fill<<<4, 256, 0, a>>>(fresh, N, 2);
    cudaFreeAsync(fresh, a);
#ifdef RIGHT
    cudaStreamSynchronize(b);
    cudaStreamSynchronize(a);
#endif
    return finish();
}
