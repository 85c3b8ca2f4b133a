// An event behind a copy in a stream of the GPU that it goes to comes when that GPU is told that it has ended.
// run: THREELANE_MODEL=h200+devices=2
// out: of its source's 6 us, of its target's 15 us
#include <cuda_runtime.h>
#include <stdio.h>

int main()
{
    float us[2];
    char *memory[2];
    for (int i = 1; i >= 0; i--) {
        cudaSetDevice(i);
        cudaDeviceEnablePeerAccess(1 - i, 0);
        cudaMalloc(&memory[i], 4096);
        cudaMemset(memory[i], 0, 4096);
        cudaDeviceSynchronize();
    }
    for (int round = 0; round < 4; round++) { // the first two: a function's first call takes longer
        int i = round % 2;
        cudaStream_t stream;
        cudaEvent_t before, behind;
        cudaSetDevice(i);
        cudaStreamCreate(&stream);
        cudaEventCreate(&before);
        cudaEventCreate(&behind);
        cudaEventRecord(before, stream);
        cudaMemcpyPeerAsync(memory[1], 1, memory[0], 0, 4096, stream);
        cudaEventRecord(behind, stream);
        cudaStreamSynchronize(stream);
        cudaEventElapsedTime(&us[i], before, behind);
        us[i] *= 1e3f;
    }
    printf("of its source's %.0f us, of its target's %.0f us\n", us[0], us[1]);
    return 0;
}
