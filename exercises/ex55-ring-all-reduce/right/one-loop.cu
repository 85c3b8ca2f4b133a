// both halves in one loop of 2 * (GPUS - 1) steps
#include "ex55.h"

void allReduce(Ring ring)
{
    const int half = GPUS - 1;
    const size_t bytes = CHUNK * sizeof(float);
    cudaStream_t compute[GPUS], link[GPUS];
    cudaEvent_t added[GPUS], arrived[GPUS];

    for (int g = 0; g < GPUS; g++) {
        cudaSetDevice(g);
        cudaStreamCreateWithFlags(&compute[g], cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&link[g], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&added[g], cudaEventDisableTiming);
        cudaEventCreateWithFlags(&arrived[g], cudaEventDisableTiming);
    }
    for (int s = 0; s < 2 * half; s++) {
        for (int g = 0; g < GPUS; g++) {
            int next = (g + 1) % GPUS, c = (g - s + 2 * GPUS) % GPUS;
            float *from = ring.data[g] + c * CHUNK, *to = s < half ? ring.arrives[next] : ring.data[next] + c * CHUNK;
            if (s > 0 && s <= half) cudaStreamWaitEvent(link[g], added[g], 0);
            if (s > 0 && s < half) cudaStreamWaitEvent(link[g], added[next], 0);
            cudaMemcpyPeerAsync(to, next, from, g, bytes, link[g]);
            cudaEventRecord(arrived[g], link[g]);
        }
        for (int g = 0; g < GPUS; g++) {
            int before = (g + half) % GPUS, c = (before - s + 2 * GPUS) % GPUS;
            cudaStreamWaitEvent(s < half ? compute[g] : link[g], arrived[before], 0);
            if (s >= half) continue;
            cudaSetDevice(g);
            add<<<BLOCKS, THREADS, 0, compute[g]>>>(ring.data[g] + c * CHUNK, ring.arrives[g]);
            cudaEventRecord(added[g], compute[g]);
        }
    }
    for (int g = 0; g < GPUS; g++) {
        cudaStreamSynchronize(link[g]);
        cudaStreamDestroy(link[g]);
        cudaStreamDestroy(compute[g]);
        cudaEventDestroy(added[g]);
        cudaEventDestroy(arrived[g]);
    }
}
