// Read while it is there.
#include <stdio.h>
int main()
{
    int *h;
    cudaMallocHost(&h, sizeof *h);
    *h = 1;
    printf("%d\n", *h);
    cudaFreeHost(h);
    return 0;
}
// check: all
