// A host function is given a local variable of a function that has returned when it runs.
// err: is given a local variable of a function that has returned before
// err: fix: give it memory that lives until it has run
#include <cstdio>
struct Job { int number; };
static int done;
void add(void *data) { done += ((Job *)data)->number ? 1 : 2; }
__attribute__((noinline)) void issue(cudaStream_t s, int number)
{
#ifdef RIGHT
    static Job job;
#else
    Job job;
#endif
    job.number = number;
    cudaLaunchHostFunc(s, add, &job);
}
__global__ void busy(int *p) { for (int i = 0; i < 1000; i++) p[threadIdx.x] += i; }
__attribute__((noinline)) void in_time(cudaStream_t s)
{
    Job job = {3};
    cudaLaunchHostFunc(s, add, &job);
    cudaStreamSynchronize(s);
}
int main()
{
    int *d;
    cudaStream_t s;
    Job own = {2};
    cudaStreamCreate(&s);
    cudaMalloc(&d, 128);
    cudaMemsetAsync(d, 0, 128, s);
    busy<<<1, 32, 0, s>>>(d);
    issue(s, 1);
    cudaLaunchHostFunc(s, add, &own);
    cudaStreamSynchronize(s);
    in_time(s);
    cudaFree(d);
    cudaStreamDestroy(s);
    return done == 77;
}
// hazard: use-after-free 16
// right: -DRIGHT
