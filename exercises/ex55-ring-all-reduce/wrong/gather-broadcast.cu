// caught-by: links + bytes
// everything through GPU 0, with a stream for each link
#include "ex55.h"

void allReduce(Ring ring)
{
    cudaStream_t stream, out[GPUS];
    cudaEvent_t summed;
    cudaSetDevice(0);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&summed, cudaEventDisableTiming);

    for (int g = 1; g < GPUS; g++) {
        for (int c = 0; c < GPUS; c++) {
            cudaMemcpyPeerAsync(ring.arrives[0], 0, ring.data[g] + c * CHUNK, g, CHUNK * sizeof(float), stream);
            add<<<BLOCKS, THREADS, 0, stream>>>(ring.data[0] + c * CHUNK, ring.arrives[0]);
        }
    }
    cudaEventRecord(summed, stream);
    for (int g = 1; g < GPUS; g++) {
        cudaStreamCreateWithFlags(&out[g], cudaStreamNonBlocking);
        cudaStreamWaitEvent(out[g], summed, 0);
        cudaMemcpyPeerAsync(ring.data[g], g, ring.data[0], 0, GPUS * CHUNK * sizeof(float), out[g]);
    }
    for (int g = 1; g < GPUS; g++) {
        cudaStreamSynchronize(out[g]);
        cudaStreamDestroy(out[g]);
    }
    cudaEventDestroy(summed);
    cudaStreamDestroy(stream);
}
