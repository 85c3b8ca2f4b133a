// dependent KERNELS PLAN - a chain of kernels, each with a preamble of its own, a part that needs the one before it, and
// a tail. early: launched to begin early; late: the same kernels as plain launches; replayed: early ones, from a graph.
#include "compare.h"

__device__ static void pass(long long ns)
{
    unsigned long long begun, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begun));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while ((long long)(now - begun) < ns);
}
__global__ void step(const int *from, int *to, long long preamble, long long main, long long tail)
{
    pass(preamble);
    cudaGridDependencySynchronize();
    pass(main);
    to[blockIdx.x * blockDim.x + threadIdx.x] = from[blockIdx.x * blockDim.x + threadIdx.x] + 1;
    cudaTriggerProgrammaticLaunchCompletion();
    pass(tail);
}

int main(int argc, char **argv)
{
    int kernels = argc > 1 ? atoi(argv[1]) : 8;
    const char *plan = argc > 2 ? argv[2] : "early";
    bool early = strcmp(plan, "late");
    int *rows;
    cudaStream_t s;
    CHECK(cudaMalloc(&rows, (kernels + 1) * 4096 * sizeof *rows));
    CHECK(cudaMemset(rows, 0, (kernels + 1) * 4096 * sizeof *rows));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    auto chain = [&] {
        for (int i = 0; i < kernels; i++) {
            cudaLaunchAttribute attribute;
            attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            attribute.val.programmaticStreamSerializationAllowed = 1;
            cudaLaunchConfig_t config = {};
            config.gridDim = dim3(16);
            config.blockDim = dim3(256);
            config.stream = s;
            config.attrs = &attribute;
            config.numAttrs = early && i ? 1 : 0;
            CHECK(cudaLaunchKernelEx(&config, step, (const int *)(rows + i * 4096), rows + (i + 1) * 4096, 10000LL, 20000LL,
                                     10000LL));
        }
    };
    cudaGraphExec_t exec = NULL;
    if (!strcmp(plan, "replayed")) {
        cudaGraph_t graph;
        CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        chain();
        CHECK(cudaStreamEndCapture(s, &graph));
        CHECK(cudaGraphInstantiate(&exec, graph, 0));
    }
    measure([&] {
        for (int i = 0; i < 4; i++) {
            if (exec) CHECK(cudaGraphLaunch(exec, s));
            else chain();
        }
    });
    return 0;
}
