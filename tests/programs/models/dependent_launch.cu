// Kernels that begin when the one before them has triggered, exactly: a chain of four with a prologue of 1, a main part
// of 2 and an epilogue of 2 units (exercise 57). What is behind them in the stream waits for all of them.
// run: THREELANE_MODEL=classroom
// out: one after the other 20, early 17, at once 17, by no thread 20, without a wait 14, by one block 20, by one thread 17
// out: prologue 3: 22, epilogue 1: 13; a set behind 6, a kernel of another stream 3
#include "exact.h"

enum How { LATE, AT_ONCE, NEVER, LATE_NO_WAIT, ONE_BLOCK, ONE_THREAD };
static cudaStream_t s, t;
static int *p, *q;

__device__ void spin(int units)
{
    long long begin = clock64();
    while (clock64() - begin < units * 1000000ll) {
    }
}
__global__ void step(How how, int prologue, int main, int epilogue)
{
    if (how == AT_ONCE) cudaTriggerProgrammaticLaunchCompletion();
    spin(prologue);
    if (how != LATE_NO_WAIT) cudaGridDependencySynchronize();
    spin(main);
    if (how == LATE || how == LATE_NO_WAIT || (how == ONE_BLOCK && blockIdx.x == 0) ||
        (how == ONE_THREAD && threadIdx.x == 0))
        cudaTriggerProgrammaticLaunchCompletion();
    spin(epilogue);
}
__global__ void wait_first(int main)
{
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    spin(main);
}
__global__ void nothing() {}

template <class... P, class... A> static void launch(cudaStream_t to, bool early, void (*kernel)(P...), A... a)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = early;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(3);
    config.blockDim = dim3(40);
    config.stream = to;
    config.attrs = &attribute;
    config.numAttrs = 1;
    MUST(cudaLaunchKernelEx(&config, kernel, P(a)...));
}
static double chain(bool early, How how, int prologue = 1, int main = 2, int epilogue = 2)
{
    return units([&] { for (int i = 0; i < 4; i++) launch(s, early && i, step, how, prologue, main, epilogue); });
}

int main()
{
    MUST(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    MUST(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    MUST(cudaMalloc(&p, 4));
    MUST(cudaMallocHost(&q, 4));
    printf("one after the other %g, early %g, at once %g, by no thread %g, ", chain(false, LATE), chain(true, LATE),
           chain(true, AT_ONCE), chain(true, NEVER));
    printf("without a wait %g, by one block %g, by one thread %g\n", chain(true, LATE_NO_WAIT), chain(true, ONE_BLOCK),
           chain(true, ONE_THREAD));
    printf("prologue 3: %g, epilogue 1: %g; ", chain(true, LATE, 3), chain(true, LATE, 1, 2, 1));
    printf("a set behind %g, ", units([] {
               launch(s, false, step, AT_ONCE, 1, 2, 2);
               launch(s, true, wait_first, 1);
               MUST(cudaMemsetAsync(p, 0, 4, s));
           }));
    printf("a kernel of another stream %g\n", units([] {
               launch(s, false, step, AT_ONCE, 1, 1, 0);
               launch(s, true, nothing);
               launch(t, true, step, LATE, 1, 1, 1);
           }));
    return 0;
}
