// A kernel reads what a copy in another stream writes.
// hazard: race A B
// err: K0 (move) in stream 2 reads d_in[0..4095]
// err: H2D0 in stream 1 writes d_in[0..4095]
// err: d_in: 4096 bytes of device memory, cudaMalloc at write_read.cu:12
// err: why: they are in different streams, and stream 2 waits for no event of stream 1
// err: fix: record an event in stream 1 after line 18 and make stream 2 wait for it before line 22
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d_in; cudaMalloc(&d_in, BYTES); keep(d_in);
    int *d_out; cudaMalloc(&d_out, BYTES); keep(d_out);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(), b = stream();
    cudaEvent_t e = event();
    for (int i = 0; i < N; i++) h[i] = i;
    cudaMemcpyAsync(d_in, h, BYTES, cudaMemcpyHostToDevice, a);  // A
#ifdef RIGHT
    cudaEventRecord(e, a), cudaStreamWaitEvent(b, e, 0);
#endif
    move<<<4, 256, 0, b>>>(d_out, d_in, N);                      // B
    cudaMemcpyAsync(h, d_out, BYTES, cudaMemcpyDeviceToHost, b);
    cudaStreamSynchronize(b);
    (void)e;
    return finish();
}
