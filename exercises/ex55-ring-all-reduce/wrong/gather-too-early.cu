// caught-by: hazards, on a card: results
// in the second half nobody waits for what he is to send on
#include "ex55.h"

void allReduce(Ring ring)
{
    cudaStream_t compute[GPUS], link[GPUS];            /* link[g]: what g sends to the next one */
    cudaEvent_t added[GPUS], arrived[GPUS];            /* arrived[g]: what g has sent is there */

    for (int g = 0; g < GPUS; g++) {
        cudaSetDevice(g);                              /* streams and events of g are made here */
        cudaStreamCreateWithFlags(&compute[g], cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&link[g], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&added[g], cudaEventDisableTiming);
        cudaEventCreateWithFlags(&arrived[g], cudaEventDisableTiming);
    }

    for (int s = 0; s < GPUS - 1; s++) {               /* reduce-scatter */
        for (int g = 0; g < GPUS; g++) {
            int next = (g + 1) % GPUS, c = (g - s + GPUS) % GPUS;
            if (s > 0) {
                cudaStreamWaitEvent(link[g], added[g], 0);       /* the chunk that g has added last */
                cudaStreamWaitEvent(link[g], added[next], 0);    /* the next one has read what arrived before */
            }
            cudaMemcpyPeerAsync(ring.arrives[next], next, ring.data[g] + c * CHUNK, g, CHUNK * sizeof(float), link[g]);
            cudaEventRecord(arrived[g], link[g]);
        }
        for (int g = 0; g < GPUS; g++) {
            int before = (g + GPUS - 1) % GPUS, c = (before - s + GPUS) % GPUS;
            cudaSetDevice(g);
            cudaStreamWaitEvent(compute[g], arrived[before], 0);
            add<<<BLOCKS, THREADS, 0, compute[g]>>>(ring.data[g] + c * CHUNK, ring.arrives[g]);
            cudaEventRecord(added[g], compute[g]);
        }
    }
    for (int g = 0; g < GPUS; g++) cudaStreamWaitEvent(link[g], added[g], 0);

    for (int s = 0; s < GPUS - 1; s++) {               /* all-gather: every chunk is whole somewhere, and goes round */
        for (int g = 0; g < GPUS; g++) {
            int next = (g + 1) % GPUS, c = (g + 1 - s + GPUS) % GPUS;
            cudaMemcpyPeerAsync(ring.data[next] + c * CHUNK, next, ring.data[g] + c * CHUNK, g,
                                CHUNK * sizeof(float), link[g]);
            cudaEventRecord(arrived[g], link[g]);
        }
    }

    for (int g = 0; g < GPUS; g++) {
        cudaStreamSynchronize(link[g]);
        cudaEventDestroy(added[g]);
        cudaEventDestroy(arrived[g]);
        cudaStreamDestroy(compute[g]);
        cudaStreamDestroy(link[g]);
    }
}
