// fwrite reads its buffer, fread writes it.
// hazard: host-race A C
// hazard: host-race B D
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *out; cudaMallocHost(&out, BYTES); keep_pinned(out);
    int *in; cudaMallocHost(&in, BYTES); keep_pinned(in);
    cudaStream_t a = stream();
    FILE *file = tmpfile();
    cudaMemcpyAsync(out, d, BYTES, cudaMemcpyDeviceToHost, a);   // A
    cudaMemcpyAsync(d, in, BYTES, cudaMemcpyHostToDevice, a);    // B
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    fwrite(out, 4, N, file);                                     // C
    rewind(file);
    size_t n = fread(in, 4, N, file);                            // D
    fclose(file);
    return n == N ? finish() : 1;
}
