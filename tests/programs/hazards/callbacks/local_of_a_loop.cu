// Each round gives its host function the address of the loop's own variable: the next round has the same place on the
// stack, and writes it before the function has run.
// hazard: host-race A B
// err: job: at most
// err: bytes of the stack, cudaLaunchHostFunc at
// err: fix: give each host function memory of its own
// right: -DRIGHT
#include "../hazards.h"
struct Job { int number; };
static int sum;
static void add_up(void *data) { sum += ((Job *)data)->number; }                 // A
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t s = stream();
#ifdef RIGHT
    Job jobs[4];
#endif
    for (int i = 0; i < 4; i++) {
        add<<<4, 256, 0, s>>>(d, N);
#ifdef RIGHT
        Job &job = jobs[i];
        job.number = i;
#else
        Job job = {i};                                                           // B
#endif
        cudaLaunchHostFunc(s, add_up, &job);
    }
    cudaStreamSynchronize(s);
    if (sum != 6) printf("sum %d\n", sum);
    return finish();
}
