// A copy from device to device reads what another stream's copy writes: only the half that both have.
// hazard: race A B
// err: D2D0 in stream 2 reads d_in[2048..4095], H2D0 in stream 1 writes it
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d_in; cudaMalloc(&d_in, BYTES); keep(d_in);
    int *d_out; cudaMalloc(&d_out, BYTES); keep(d_out);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(), b = stream();
    cudaMemcpyAsync(d_in + N / 2, h, BYTES / 2, cudaMemcpyHostToDevice, a);      // A
#ifdef RIGHT
    order(a, b);
#endif
    cudaMemcpyAsync(d_out, d_in, BYTES, cudaMemcpyDeviceToDevice, b);            // B
    cudaStreamSynchronize(b);
    return finish();
}
