// A copy to freed memory returns an error, as CUDA does, and a warning says where it was freed.
// out: invalid argument
// err: freed_pointer.cu:11: warning: cudaMemcpy: this memory (64 bytes) was freed at
// err: freed_pointer.cu:10
#include <cstdio>
int main()
{
    char *d, h[4] = "abc";
    cudaMalloc(&d, 64);
    cudaFree(d);
    printf("%s\n", cudaGetErrorString(cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice)));
    return 0;
}
// hazard: use-after-free 10 11
