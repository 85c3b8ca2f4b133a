// Host code reads pinned memory after cudaFreeHost: the program crashes, and is told why.
#include <stdio.h>
int main()
{
    int *h;
    cudaMallocHost(&h, sizeof *h);
    *h = 1;
    cudaFreeHost(h);
    printf("%d\n", *h);
    return 0;
}
// status: 139
// hazard: use-after-free 8 9
