// A copy that has to wait for a kernel that fails answers with that kernel's error, whatever kind of copy it is. A fault
// ends the context, so each copy has a process of its own.
// run: THREELANE_MODEL=unit
// run: THREELANE_MODEL=h200
// out: 6 copies tell
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

__global__ void fails(int *) { __trap(); }

enum { SMALL = 64, LARGE = 1 << 20 };

static cudaError_t copy(int which)
{
    char *d, *e, *pinned, *pageable = (char *)calloc(1, LARGE);
    if (cudaMalloc(&d, LARGE) || cudaMalloc(&e, LARGE) || cudaMallocHost(&pinned, LARGE)) return cudaErrorUnknown;
    fails<<<1, 1>>>((int *)d);
    if (cudaGetLastError()) return cudaErrorUnknown;
    switch (which) {
    case 0: return cudaMemcpy(d, pageable, SMALL, cudaMemcpyHostToDevice);
    case 1: return cudaMemcpy(d, pageable, LARGE, cudaMemcpyHostToDevice);
    case 2: return cudaMemcpy(d, pinned, LARGE, cudaMemcpyHostToDevice);
    case 3: return cudaMemcpy(pageable, d, SMALL, cudaMemcpyDeviceToHost);
    case 4: return cudaMemcpy(pinned, d, LARGE, cudaMemcpyDeviceToHost);
    default: cudaMemcpy(d, e, LARGE, cudaMemcpyDeviceToDevice); return cudaDeviceSynchronize();
    }
}

int main()
{
    int told = 0;
    for (int which = 0; which < 6; which++) {
        int status;
        pid_t child = fork();
        if (child == 0) _exit(copy(which) == cudaErrorLaunchFailure);
        if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1) told++;
        else printf("copy %d does not tell\n", which);
    }
    printf("%d copies tell\n", told);
    return 0;
}
