// status: 97
// err: free_pinned.cu:11: free() of memory from cudaMallocHost (
// err: free_pinned.cu:10): use cudaFreeHost
#include <stdlib.h>

int main()
{
    float *memory;

    cudaMallocHost(&memory, 1000 * sizeof *memory);
    free(memory);
    return 0;
}
