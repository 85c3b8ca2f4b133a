// Structs are copied with the gaps between their members, which nobody looks at.
#include <stdio.h>
struct Item { char tag; double value; int count; };
__global__ void make(Item *items)
{
    Item &item = items[threadIdx.x];
    item.tag = 'x';
    item.value = threadIdx.x;
    item.count = 1;
}
__global__ void pass_on(const Item *in, Item *out) { out[threadIdx.x] = in[threadIdx.x]; }

int main()
{
    Item h[16], other, *a, *b;
    double sum = 0;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    make<<<1, 16>>>(a);
    pass_on<<<1, 16>>>(a, b);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    for (const Item &item : h) sum += item.value + item.count;
    other = h[3];
    printf("%g %g\n", sum, other.value);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
// check: all
// out: 136 3
