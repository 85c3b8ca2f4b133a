// A call that is known and not simulated: named, with its line.
// out: before
// status: 96
// err: unsupported.cu:12: cudaMallocArray is not simulated
#include <cstdio>
int main()
{
    void *array;
    float *d;
    cudaMalloc(&d, 4);
    printf("before\n");
    cudaMallocArray(&array, NULL, 16, 0, 0);
    printf("after\n");
    return 0;
}
