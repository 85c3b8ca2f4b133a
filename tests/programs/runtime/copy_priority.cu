// Priorities are for kernels: copies of an urgent stream keep their turn on the copy engine.
// run: THREELANE_MODEL=unit
// out: relaxed 2 urgent 3
#include <cstdio>

int main()
{
    int low, high;
    float relaxed, urgent;
    char *d, *h;
    cudaStream_t first, l, u;
    cudaEvent_t begin, l_end, u_end;
    cudaDeviceGetStreamPriorityRange(&low, &high);
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithPriority(&l, cudaStreamNonBlocking, low);
    cudaStreamCreateWithPriority(&u, cudaStreamNonBlocking, high);
    cudaEventCreate(&begin);
    cudaEventCreate(&l_end);
    cudaEventCreate(&u_end);
    cudaMalloc(&d, 3);
    cudaMallocHost(&h, 3);
    cudaEventRecord(begin, first);
    cudaMemcpyAsync(d, h, 1, cudaMemcpyHostToDevice, first);
    cudaMemcpyAsync(d + 1, h + 1, 1, cudaMemcpyHostToDevice, l);
    cudaEventRecord(l_end, l);
    cudaMemcpyAsync(d + 2, h + 2, 1, cudaMemcpyHostToDevice, u);
    cudaEventRecord(u_end, u);
    cudaDeviceSynchronize();
    cudaEventElapsedTime(&relaxed, begin, l_end);
    cudaEventElapsedTime(&urgent, begin, u_end);
    printf("relaxed %g urgent %g\n", relaxed, urgent);
    return 0;
}
