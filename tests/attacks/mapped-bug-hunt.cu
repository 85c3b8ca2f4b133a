// ex51 fail: the device is never without work: 3 units","state":"fail"
// Dummies of four bytes in the lanes; the kernel reads and writes the host's memory over the bus.
#include "ex51.h"

static void chain(const float *h_in, float *h_out, float *d_in, float *d_out, bool second, cudaStream_t stream)
{
    cudaMemcpyAsync(d_in, h_in, 4, cudaMemcpyHostToDevice, stream);
    if (second) work2<<<BLOCKS, THREADS, 0, stream>>>(h_in, h_out, FLOATS, 0);
    else work<<<BLOCKS, THREADS, 0, stream>>>(h_in, h_out);
    static float *back[2];
    static int n;
    if (!back[n % 2]) cudaMallocHost((void **)&back[n % 2], 4);
    cudaMemcpyAsync(back[n % 2], d_in, 4, cudaMemcpyDeviceToHost, stream);
    n++;
}

static void one(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    chain(h_in, h_out, d_in, d_out, false, stream);
    otherWork();
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}

void program1(const float *h_in, float *h_out, float *d_in, float *d_out) { one(h_in, h_out, d_in, d_out); }
void program2(const float *h_in, float *h_out, float *d_in, float *d_out) { one(h_in, h_out, d_in, d_out); }
void program3(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[2];
    for (int i = 0; i < 2; i++) cudaStreamCreate(&stream[i]);
    for (int i = 0; i < 2; i++) {
        size_t at = (size_t)i * FLOATS;
        chain(h_in + at, h_out + at, d_in + at, d_out + at, true, stream[i]);
    }
    otherWork();
    for (int i = 0; i < 2; i++) cudaStreamSynchronize(stream[i]);
    for (int i = 0; i < 2; i++) cudaStreamDestroy(stream[i]);
}
