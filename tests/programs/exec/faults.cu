// run: THREELANE_MODEL=unit
// out: 12 faults as expected
// err: divergent __syncthreads(): block (0,0,0): 16 of 32 threads at faults.cu
// err: illegal write of 4 bytes
// err: stack overflow in a kernel
// err: misaligned address
// err: __syncthreads() never completes: block (0,0,0): 31 of 32 threads at faults.cu
// What a kernel must not do ends it with CUDA's error, and a line that says what and where. A fault ends the context,
// so each kernel runs in a process of its own.
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

__global__ void past_end(int *p, int n) { p[threadIdx.x + n] = 1; }
__global__ void null_pointer(int *, int n) { *(volatile int *)(size_t)(n - 100) = 1; }
__global__ void host_memory(int *p, int) { *p = 1; }
__global__ void freed(int *p, int) { *p += 1; }
__global__ void misaligned(int *p, int) { *(int *)((char *)p + 2) = 1; }
__global__ void divergent(int *p, int)
{
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncthreads();
    *p = 1;
}
__global__ void lost_lane(int *p, int)
{
    if (threadIdx.x == 3) p[0] = __shfl_sync(0xffffffffu, 1, 0);
    else __syncthreads();
}
__global__ void not_named(int *p, int) { p[threadIdx.x] = __ballot_sync(0xffu, 1); }
__global__ void trap(int *, int) { __trap(); }
__device__ int down(volatile int *above, int n)
{
    volatile int here[100];
    here[n % 100] = *above;
    return n > 0 ? down(here, n - 1) + here[0] : here[1];
}
__global__ void deep(int *p, int n) { *p = down(p, n * 100000); }
__global__ void string(int *p, int) { p[0] = p[(size_t)1 << 40]; }
__global__ void late(int *p, int n)  // held-back stores of a kernel that fails are never seen; others go on
{
    p[0] = 55;
    if (threadIdx.x == 31) p[n] = 1;
}

struct Case { const char *name; void (*kernel)(int *, int); cudaError_t wanted; };
static const Case cases[] = {
    {"past_end", past_end, cudaErrorIllegalAddress}, {"null_pointer", null_pointer, cudaErrorIllegalAddress},
    {"host_memory", host_memory, cudaErrorIllegalAddress}, {"freed", freed, cudaErrorIllegalAddress},
    {"misaligned", misaligned, cudaErrorMisalignedAddress}, {"divergent", divergent, cudaErrorLaunchFailure},
    {"lost_lane", lost_lane, cudaErrorLaunchFailure}, {"not_named", not_named, cudaErrorLaunchFailure},
    {"trap", trap, cudaErrorLaunchFailure}, {"deep", deep, cudaErrorHardwareStackError},
    {"string", string, cudaErrorIllegalAddress}, {"late", late, cudaErrorIllegalAddress},
};

static int run(const Case &c)
{
    int *p, *pinned;
    cudaMalloc(&p, 400);
    cudaMallocHost(&pinned, 400);
    pinned[0] = 0;
    if (c.kernel == host_memory) p = (int *)malloc(400);
    if (c.kernel == late) p = pinned;
    if (c.kernel == freed) cudaFree(p);
    cudaMemset(pinned, 0, 4);
    c.kernel<<<1, 32>>>(p, 100);
    cudaError_t first = cudaDeviceSynchronize(), again = cudaFree(0);
    return first == c.wanted && again == c.wanted && pinned[0] == 0;
}

int main()
{
    int good = 0, total = (int)(sizeof cases / sizeof *cases);
    for (const Case &c : cases) {
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0) _exit(run(c) ? 0 : 1);
        int status;
        waitpid(pid, &status, 0);
        if (status == 0) good++;
        else printf("%s: status %#x\n", c.name, status);
    }
    printf("%d faults as expected\n", good);
    return good != total;
}
// hazard: out-of-bounds 46
