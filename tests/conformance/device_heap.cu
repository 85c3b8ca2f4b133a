// malloc, new, free and delete in kernels: a heap of the device, whose memory outlives the kernel, and is limited.
// out: ok device_heap
#include "conformance.h"
#include <vector>

struct Node {
    int value;
    Node *next;
    __device__ Node(int v, Node *n) : value(v), next(n) {}
    __device__ ~Node() { value = -1; }
};
__device__ Node *lists[64];
__device__ int *rows[64];

__global__ void build(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    lists[i] = NULL;
    for (int k = 0; k < n; k++) lists[i] = new Node(i * k, lists[i]);
    rows[i] = (int *)malloc((size_t)(i + 1) * sizeof(int));
    for (int k = 0; k <= i; k++) rows[i][k] = k;
}
/* other threads than those that made it, in another kernel */
__global__ void add_up(int *sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = gridDim.x * blockDim.x - 1 - i, sum = 0;
    for (Node *node = lists[j]; node; node = node->next) sum += node->value;
    for (int k = 0; k <= j; k++) sum += rows[j][k];
    sums[j] = sum;
}
__global__ void tear_down()
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (lists[i]) {
        Node *next = lists[i]->next;
        delete lists[i];
        lists[i] = next;
    }
    free(rows[i]);
    free(NULL);
    delete (int *)NULL;
}
/* as much as there is, again and again: what was freed is there again */
__global__ void fill(int *blocks, size_t bytes)
{
    void *kept[64];
    int n = 0;
    while (n < 64 && (kept[n] = malloc(bytes)) != NULL) n++;
    *blocks = n;
    while (n > 0) free(kept[--n]);
}
__global__ void aligned(int *bad)
{
    for (int i = 1; i < 40; i++) {
        char *p = new char[i];
        if ((size_t)p % 16) ++*bad;
        p[i - 1] = 1;
        delete[] p;
    }
    *bad += malloc((size_t)1 << 40) != NULL;
}

int main()
{
    size_t limit;
    int *out;
    OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    OK(cudaMallocManaged(&out, 64 * sizeof *out));
    std::vector<int> v;               /* new and malloc in host code stay what they are */
    for (int i = 0; i < 9; i++) v.push_back(i);
    int *one = new int(0), *more = (int *)malloc(9 * sizeof *more);
    for (int i = 0; i < 9; i++) *one += more[i] = v[(size_t)i];
    CHECK(*one == 36);
    delete one;
    free(more);

    for (int round = 0; round < 3; round++) {
        build<<<2, 32>>>(5);
        add_up<<<2, 32>>>(out);
        tear_down<<<2, 32>>>();
        OK(cudaDeviceSynchronize());
        for (int i = 0; i < 64; i++) CHECK(out[i] == 10 * i + i * (i + 1) / 2);
    }
    OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    CHECK(limit >= 16 << 20);
    for (int round = 0; round < 3; round++) {
        fill<<<1, 1>>>(out, 1 << 20);
        OK(cudaDeviceSynchronize());
        CHECK(out[0] >= 8 && out[0] <= 16);
    }
    out[0] = 0;
    aligned<<<1, 1>>>(out);
    OK(cudaDeviceSynchronize());
    CHECK(out[0] == 0);
    OK(cudaFree(out));
    return finish("device_heap");
}
