// String functions touch what they read and write, up to the end of the string.
// hazard: host-race A C
// hazard: host-race B D
// err: host code reads text[0..9]
// err: host code writes note[0..7]
// right: -DRIGHT
#include <cstring>
#include "../hazards.h"
int main()
{
    char *d; cudaMalloc(&d, 64); keep(d, 64);
    char *text; cudaMallocHost(&text, 64); keep_pinned(text, 64);
    char *note; cudaMallocHost(&note, 64); keep_pinned(note, 64);
    cudaStream_t a = stream();
    strcpy(text, "a message");
    strcpy(note, "another");
    cudaMemcpyAsync(text + 8, d, 8, cudaMemcpyDeviceToHost, a);
    cudaMemcpyAsync(text, d, 64, cudaMemcpyDeviceToHost, a);     // A
    cudaMemcpyAsync(d, note, 64, cudaMemcpyHostToDevice, a);     // B
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    size_t length = strlen(text);                                // C
    strcpy(note, "changed");                                     // D
    return length > 64 ? 1 : finish();
}
