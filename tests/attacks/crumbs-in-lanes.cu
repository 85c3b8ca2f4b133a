// ex43 fail: H2D, kernel and D2H are busy at once","state":"fail"
// Everything in one copy each way, and copies of four bytes, so that each lane has as many copies as there are batches.
#include "ex43.h"
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    const size_t all = (size_t)BATCHES * BATCH_FLOATS, rest = all - (BATCHES - 1);
    cudaStream_t in, compute, out;
    cudaEvent_t arrived[BATCHES], computed[BATCHES];
    cudaStreamCreateWithFlags(&in, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&out, cudaStreamNonBlocking);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaEventCreateWithFlags(&arrived[i], cudaEventDisableTiming);
        cudaEventCreateWithFlags(&computed[i], cudaEventDisableTiming);
        if (i == 0) cudaMemcpyAsync(d_in, h_in, rest * sizeof(float), cudaMemcpyHostToDevice, in);
        else cudaMemcpyAsync(d_in + rest + i - 1, h_in + rest + i - 1, sizeof(float), cudaMemcpyHostToDevice, in);
        cudaEventRecord(arrived[i], in);
        cudaStreamWaitEvent(compute, arrived[i], 0);
        work<<<BLOCKS, THREADS, 0, compute>>>(d_in + at, d_out + at);
        cudaEventRecord(computed[i], compute);
        cudaStreamWaitEvent(out, computed[i], 0);
        if (i == BATCHES - 1)
            cudaMemcpyAsync(h_out + i, d_out + i, rest * sizeof(float), cudaMemcpyDeviceToHost, out);
        else cudaMemcpyAsync(h_out + i, d_out + i, sizeof(float), cudaMemcpyDeviceToHost, out);
    }
    cudaStreamSynchronize(out);
    for (int i = 0; i < BATCHES; i++) cudaEventDestroy(arrived[i]), cudaEventDestroy(computed[i]);
    cudaStreamDestroy(in);
    cudaStreamDestroy(compute);
    cudaStreamDestroy(out);
}
