// Kernels that poll what the host, a copy or another kernel sets; __CUDA_ARCH__; atomics made of atomicCAS.
// flags: -std=c++11
// out: ok
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <chrono>
#include <atomic>
#include <unistd.h>
#if defined(__CUDACC__)
#define HD __host__ __device__
#else
#define HD
#endif
struct Mailbox {
    volatile int go;
    volatile int value;
    volatile int ack;
    int pad[13];
};
__global__ void server(Mailbox *m, int *out)
{
    while (!m->go) {}
    __threadfence_system();
    *out = m->value * 2;
    __threadfence_system();
    m->ack = 1;
}
__global__ void progress(volatile int *p, int n)
{
    for (int i = 1; i <= n; i++) {
        *p = i;
        __threadfence_system();
        long long t = clock64();
        while (clock64() - t < 1000)
            ;
    }
}
__global__ void waiter(volatile int *flag)
{
    while (*flag == 0) __nanosleep(100);
}
__global__ void setter(int *flag) { atomicExch(flag, 1); }
HD int where()
{
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}
HD inline float fast_rsqrt(float x)
{
#if __CUDA_ARCH__ >= 200
    return rsqrtf(x);
#else
    return 1.0f / sqrtf(x);
#endif
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *address, double val)
{
    unsigned long long int *a = (unsigned long long int *)address, old = *a, assumed;
    do {
        assumed = old;
        old = atomicCAS(a, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
#endif
__device__ double myAtomicAdd(double *address, double val)
{
    unsigned long long int *a = (unsigned long long int *)address;
    unsigned long long int old = *a, assumed;
    do {
        assumed = old;
        old = atomicCAS(a, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__device__ float atomicMaxF(float *addr, float value)
{
    int *ia = (int *)addr;
    int old = *ia, assumed;
    while (__int_as_float(old) < value) {
        assumed = old;
        old = atomicCAS(ia, assumed, __float_as_int(value));
        if (old == assumed) break;
    }
    return __int_as_float(old);
}
__global__ void k(int *w, double *d, float *m)
{
    *w = where();
    myAtomicAdd(d, 0.5);
    atomicAdd(d + 1, .25);
    atomicMaxF(m, threadIdx.x * fast_rsqrt(4.f));
    if (threadIdx.x == 0 && blockIdx.x == 0)
        printf("Hello from block %d, thread %u, %s %5.2f %lld\n", blockIdx.x, threadIdx.x, "str", 1.5, 1LL << 40);
}
int main()
{
    Mailbox *m, *dm;
    int *out;
    cudaHostAlloc((void **)&m, sizeof *m, cudaHostAllocMapped);
    cudaHostGetDevicePointer((void **)&dm, m, 0);
    m->go = m->ack = 0;
    cudaMallocManaged(&out, 4);
    server<<<1, 1>>>(dm, out);
    m->value = 21;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    m->go = 1;
    while (!m->ack)
        ;
    cudaDeviceSynchronize();
    if (*out != 42) return 1;
    volatile int *p;
    cudaMallocHost((void **)&p, 4);
    *p = 0;
    progress<<<1, 1>>>(p, 50);
    int last = 0, seen = 0;
    while (last < 50) {
        int v = *p;
        if (v != last) {
            seen++;
            last = v;
        }
    }
    cudaDeviceSynchronize();
    printf("seen %d\n", seen);
    int *flag;
    cudaMalloc(&flag, 4);
    cudaMemset(flag, 0, 4);
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    waiter<<<1, 1, 0, a>>>(flag);
    if (cudaStreamQuery(a) != cudaErrorNotReady) return 2;
    setter<<<1, 1, 0, b>>>(flag);
    if (cudaStreamSynchronize(a)) return 3;
    cudaMemset(flag, 0, 4);
    cudaDeviceSynchronize();
    waiter<<<1, 32, 0, a>>>(flag);
    int one = 1;
    cudaMemcpyAsync(flag, &one, 4, cudaMemcpyHostToDevice, b);
    cudaStreamSynchronize(a);
    int *w;
    double *d;
    float *mx;
    cudaMallocManaged(&w, 4);
    cudaMallocManaged(&d, 16);
    cudaMallocManaged(&mx, 4);
    d[0] = d[1] = 0;
    *mx = 0;
    k<<<4, 64>>>(w, d, mx);
    cudaDeviceSynchronize();
    if (*w != 1 || where() != 2) {
        printf("where %d %d\n", *w, where());
        return 4;
    }
    if (d[0] != 128 || d[1] != 64 || *mx != 31.5f) return printf("%f %f %f\n", d[0], d[1], *mx), 5;
    usleep(100);
    sleep(1);
    fflush(stdout);
    puts("ok");
}
// hazard: race 141 143
