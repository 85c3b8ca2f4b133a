// What a program gets without including anything: the runtime and, with it, memset, fabs, atoi, malloc, exit, clock, max
// and the macros that programs ask for.
// run: THREELANE_MODEL=h200
// out: ok implicit
extern "C" int puts(const char *);

__global__ void biggest(int *p, int n)
{
    int most = 0;
    for (int i = 0; i < n; i++) most = max(most, p[i]);
    *p = min(most, 1000);
}

#ifndef __CUDACC__
#error "__CUDACC__ is defined by the compiler"
#endif
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__)
#error "programs ask whether the headers were included"
#endif
#if CUDART_VERSION < 13000
#error "CUDA 13 is what is asked for"
#endif

__host__ __device__ int where()
{
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__ >= 500 ? 2 : 3;              // a compute capability, times 100
#else
    return 1;
#endif
}
__global__ void there(int *p) { *p = where(); }

int main()
{
    int *h = (int *)malloc(8 * sizeof *h), *d, on_device = 0;
    clock_t begin = clock();
    if (begin == (clock_t)-1) exit(2);
    memset(h, 0, 8 * sizeof *h);
    h[3] = atoi("42");
    if (fabs(-2.5) != 2.5 || max(3, 4) != 4 || min(3, 4) != 3) exit(3);
    cudaMalloc(&d, 8 * sizeof *h);
    cudaMemcpy(d, h, 8 * sizeof *h, cudaMemcpyHostToDevice);
    biggest<<<1, 1>>>(d, 8);
    cudaMemcpy(h, d, sizeof *h, cudaMemcpyDeviceToHost);
    if (h[0] != 42) exit(4);
    there<<<1, 1>>>(d);
    cudaMemcpy(&on_device, d, sizeof on_device, cudaMemcpyDeviceToHost);
    if (where() != 1 || on_device != 2) exit(5);
    free(h);
    puts("ok implicit");
    return 0;
}
