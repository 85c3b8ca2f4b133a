// write and read, past stdio.
// hazard: host-race A C
// hazard: host-race B D
// right: -DRIGHT
#include <unistd.h>
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *out; cudaMallocHost(&out, BYTES); keep_pinned(out);
    int *in; cudaMallocHost(&in, BYTES); keep_pinned(in);
    cudaStream_t a = stream();
    int pipes[2];
    if (pipe(pipes)) return 1;
    cudaMemcpyAsync(out, d, BYTES, cudaMemcpyDeviceToHost, a);   // A
    cudaMemcpyAsync(d, in, BYTES, cudaMemcpyHostToDevice, a);    // B
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    long put = write(pipes[1], out, BYTES);                      // C
    long got = read(pipes[0], in, BYTES);                        // D
    return put == BYTES && got == BYTES ? finish() : 1;
}
