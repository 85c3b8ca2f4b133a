// printf reads its strings, snprintf writes its target.
// hazard: host-race A C
// hazard: host-race B D
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    char *d; cudaMalloc(&d, 64); keep(d, 64);
    char *text; cudaMallocHost(&text, 64); keep_pinned(text, 64);
    char *note; cudaMallocHost(&note, 64); keep_pinned(note, 64);
    cudaStream_t a = stream();
    cudaMemcpyAsync(text, d, 64, cudaMemcpyDeviceToHost, a);     // A
    cudaMemcpyAsync(d, note, 64, cudaMemcpyHostToDevice, a);     // B
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    printf("%s\n", text);                                        // C
    snprintf(note, 64, "%d", 12345);                             // D
    return finish();
}
