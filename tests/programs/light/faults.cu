// Accesses without hooks that lie in no allocation: past the end of a large one, in memory that was freed, nowhere; and
// just past the end of a small one, which only a look at what has changed sees. The kernel fails with 700, and the
// program hears of it. Each in a process of its own: after that nothing goes on.
// run: THREELANE_ACCESSES=0
// out: past 700, freed 700, nowhere 700, beside 700, good 0
// err: 400 bytes past the end of the 4194304-byte block
// err: illegal write
// err: THREELANE_CHECK=all says in which line
#include <cstdio>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS = 64, THREADS = 64, BIG = 1 << 20 };

__global__ void scatter(int *p, long far)       // the 40th block, which has no hooks, writes far away
{
    p[blockIdx.x == 40 && threadIdx.x == 5 ? far : blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

static int of_case(int which)
{
    int *p, *gone, *last, status, to[2], error = -1;
    if (pipe(to) != 0) return -1;
    if (fork() == 0) {
        cudaMalloc(&p, which == 3 ? BLOCKS * THREADS * sizeof *p : BIG * sizeof *p);
        cudaMalloc(&gone, BIG * sizeof *gone);
        cudaMalloc(&last, 100);
        if (which == 1) cudaFree(gone);
        long far[] = {BIG + 100, gone - p, (long)1 << 40, BLOCKS * THREADS + 8, 0};
        scatter<<<BLOCKS, THREADS>>>(p, far[which]);
        error = cudaDeviceSynchronize();
        if (write(to[1], &error, sizeof error) != sizeof error) return -1;
        _exit(0);
    }
    if (read(to[0], &error, sizeof error) != sizeof error) return -1;
    wait(&status);
    return error;
}

int main()
{
    int error[5];
    for (int i = 0; i < 5; i++) error[i] = of_case(i);
    printf("past %d, freed %d, nowhere %d, beside %d, good %d\n", error[0], error[1], error[2], error[3], error[4]);
}
