// run: THREELANE_MODEL=h200
// out: all as expected
// Kernels that wait for memory: for the host, for another kernel, for a later block, for another thread of the block.
#include <cstdio>
#include <unistd.h>

#define CHECK(X) do { if (!(X)) { printf("line %d: %s\n", __LINE__, #X); bad++; } } while (0)

__global__ void wait_flag(volatile int *flag, int *out)
{
    __shared__ int mine;             // must survive the wait
    mine = 5;
    while (*flag == 0) {}
    out[0] = *flag + mine;
}
__global__ void wait_atomic(int *flag, int *out)
{
    while (atomicAdd(flag, 0) == 0) {}
    out[1] = 2;
}
__global__ void raise(volatile int *flag) { *flag = 9; }
__global__ void other(int *out) { __shared__ int mine; mine = 100; out[2] = mine; }
__global__ void chain(volatile int *turn, int *order)      // block i waits for block i + 1
{
    __shared__ int me;
    if (threadIdx.x == 0) {
        me = (int)blockIdx.x;
        while (*turn != me + 1) {}
        order[me] = *turn;
        __threadfence();
        *turn = me;
    }
    __syncthreads();
    if (threadIdx.x == 33 && me != (int)blockIdx.x) order[0] = -1;
}
__global__ void partners(int *out)   // thread 0 waits for the last thread of its block
{
    volatile __shared__ int ready;
    if (threadIdx.x == 0) {
        while (!ready) {}
        out[0] = ready;
    }
    if (threadIdx.x == blockDim.x - 1) ready = 4;
    __syncthreads();
    ready = 0;
}
__global__ void bounded(volatile int *flag, int *out)      // looks often, and gives up
{
    int n = 0;
    while (n < 100000 && !*flag) n++;
    *out = n;
}

int main()
{
    int bad = 0;
    int *flag, *out, *turn, *order;
    cudaStream_t a, b;
    cudaMallocHost(&flag, 4);
    cudaMallocHost(&out, 64);
    cudaMallocHost(&order, 64);
    cudaMalloc(&turn, 4);
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    *flag = 0;
    out[0] = out[1] = 0;

    wait_flag<<<1, 1, 0, a>>>(flag, out);
    other<<<1, 1, 0, b>>>(out);
    cudaStreamSynchronize(b);
    usleep(1000);
    CHECK(cudaStreamQuery(a) == cudaErrorNotReady && out[0] == 0 && out[2] == 100);
    *(volatile int *)flag = 3;
    cudaStreamSynchronize(a);
    CHECK(out[0] == 8);

    int *device_flag;
    cudaMalloc(&device_flag, 4);
    cudaMemset(device_flag, 0, 4);
    cudaDeviceSynchronize();
    wait_atomic<<<1, 1, 0, a>>>(device_flag, out);
    raise<<<1, 1, 0, b>>>(device_flag);
    cudaDeviceSynchronize();
    CHECK(out[1] == 2);

    const int blocks = 6;
    cudaMemcpy(turn, &blocks, 4, cudaMemcpyHostToDevice);
    chain<<<blocks, 64>>>(turn, order);
    cudaDeviceSynchronize();
    for (int i = 0; i < blocks; i++) CHECK(order[i] == i + 1);

    partners<<<2, 128>>>(out);
    cudaDeviceSynchronize();
    CHECK(out[0] == 4);

    *flag = 0;
    bounded<<<1, 1>>>(flag, out);
    cudaDeviceSynchronize();
    CHECK(out[0] == 100000);
    CHECK(cudaGetLastError() == cudaSuccess);
    if (!bad) printf("all as expected\n");
    return bad;
}
