// caught-by: together
// a stream for the short requests and one for the long ones: two streams cannot keep three lanes busy
#include "ex59.h"

static void CUDART_CB arrived(void *data)
{
    answer((int)(intptr_t)data);
}

void serve(Server server)
{
    cudaStream_t stream[2];
    for (int k = 0; k < 2; k++) cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking);

    for (int r; (r = nextRequest()) >= 0;) {
        cudaStream_t mine = stream[pieces(r) > 1];
        for (int p = 0; p < pieces(r); p++) {
            size_t at = ((size_t)r * LONG + p) * PIECE_FLOATS;
            float *scratch;
            cudaMallocAsync((void **)&scratch, PIECE_BYTES, mine);
            cudaMemcpyAsync(scratch, server.in + at, PIECE_BYTES, cudaMemcpyHostToDevice, mine);
            compute<<<BLOCKS, THREADS, 0, mine>>>(scratch, 1);
            cudaMemcpyAsync(server.out + at, scratch, PIECE_BYTES, cudaMemcpyDeviceToHost, mine);
            cudaFreeAsync(scratch, mine);
        }
        cudaLaunchHostFunc(mine, arrived, (void *)(intptr_t)r);
    }

    cudaDeviceSynchronize();
    for (int k = 0; k < 2; k++) cudaStreamDestroy(stream[k]);
}
