// A call that is not simulated ends the program with its name, its line, and what to do instead.
// status: 96
// err: instead.cu:12: cudaIpcGetMemHandle is not simulated by this virtual GPU: each process has a virtual GPU of its own: use threads of one process; the program ends here
#include <cuda_runtime.h>

int main()
{
    float *memory;
    cudaIpcMemHandle_t handle;
    cudaMalloc(&memory, 64);
    cudaMemset(memory, 0, 64);
    cudaIpcGetMemHandle(&handle, memory);
    cudaFree(memory);
    return 0;
}
