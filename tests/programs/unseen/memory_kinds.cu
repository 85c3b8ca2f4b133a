// Pitched, managed, mapped, registered, pool and pinned memory; both forms of the managed calls.
// run: THREELANE_MODEL=h200
// out: ok
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>
#define CK(x)                                                            \
    do {                                                                 \
        cudaError_t e = x;                                               \
        if (e) {                                                         \
            printf("%d: %s: %s\n", __LINE__, #x, cudaGetErrorString(e)); \
            exit(1);                                                     \
        }                                                                \
    } while (0)
#define NEED(x)                                   \
    do {                                          \
        if (!(x)) {                               \
            printf("%d: not %s\n", __LINE__, #x); \
            exit(1);                              \
        }                                         \
    } while (0)
__global__ void rows(float *p, size_t pitch, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        float *row = (float *)((char *)p + y * pitch);
        row[x] = row[x] * 2 + y;
    }
}
__global__ void inc(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i]++;
}
int main()
{
    int w = 70, h = 30;
    float *d;
    size_t pitch;
    std::vector<float> a(w * h), b(w * h);
    for (size_t i = 0; i < a.size(); i++) a[i] = i;
    CK(cudaMallocPitch(&d, &pitch, w * sizeof(float), h));
    NEED(pitch >= w * sizeof(float) && pitch % 32 == 0);
    CK(cudaMemset2D(d, pitch, 0, w * sizeof(float), h));
    CK(cudaMemcpy2D(d, pitch, a.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
    dim3 block(16, 16), grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
    rows<<<grid, block>>>(d, pitch, w, h);
    CK(cudaMemcpy2D(b.data(), w * sizeof(float), d, pitch, w * sizeof(float), h, cudaMemcpyDeviceToHost));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) NEED(b[y * w + x] == a[y * w + x] * 2 + y);
    cudaStream_t s;
    CK(cudaStreamCreate(&s));
    float *pin;
    CK(cudaHostAlloc((void **)&pin, w * h * 4, cudaHostAllocDefault));
    CK(cudaMemcpy2DAsync(pin, w * 4, d, pitch, w * 4, h, cudaMemcpyDeviceToHost, s));
    CK(cudaStreamSynchronize(s));
    NEED(!memcmp(pin, b.data(), w * h * 4));
    int dev;
    CK(cudaGetDevice(&dev));
    int *m;
    const int n = 5000;
    CK(cudaMallocManaged(&m, n * sizeof(int)));
    for (int i = 0; i < n; i++) m[i] = i;
#if CUDART_VERSION >= 13000
    cudaMemLocation loc;
    loc.type = cudaMemLocationTypeDevice;
    loc.id = dev;
    CK(cudaMemAdvise(m, n * sizeof(int), cudaMemAdviseSetPreferredLocation, loc));
    CK(cudaMemPrefetchAsync(m, n * sizeof(int), loc, 0));
#else
    CK(cudaMemAdvise(m, n * sizeof(int), cudaMemAdviseSetReadMostly, dev));
    CK(cudaMemPrefetchAsync(m, n * sizeof(int), dev, s));
#endif
    inc<<<(n + 255) / 256, 256, 0, s>>>(m, n);
#if CUDART_VERSION >= 13000
    cudaMemLocation host{};
    host.type = cudaMemLocationTypeHost;
    CK(cudaMemPrefetchAsync(m, n * sizeof(int), host, 0, s));
#endif
    CK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) NEED(m[i] == i + 1);
    cudaPointerAttributes at;
    CK(cudaPointerGetAttributes(&at, m));
    NEED(at.type == cudaMemoryTypeManaged);
    CK(cudaPointerGetAttributes(&at, pin));
    NEED(at.type == cudaMemoryTypeHost);
    CK(cudaPointerGetAttributes(&at, d));
    NEED(at.type == cudaMemoryTypeDevice && at.device == dev);
    CK(cudaPointerGetAttributes(&at, &a));
    NEED(at.type == cudaMemoryTypeUnregistered);
    int *z, *dz;
    CK(cudaSetDeviceFlags(cudaDeviceMapHost));
    CK(cudaHostAlloc(&z, n * 4, cudaHostAllocMapped | cudaHostAllocWriteCombined));
    for (int i = 0; i < n; i++) z[i] = i;
    CK(cudaHostGetDevicePointer(&dz, z, 0));
    inc<<<20, 256>>>(dz, n);
    CK(cudaDeviceSynchronize());
    NEED(z[n - 1] == n);
    int *reg = (int *)aligned_alloc(4096, 8192);
    memset(reg, 0, 8192);
    CK(cudaHostRegister(reg, 8192, cudaHostRegisterMapped));
    int *dr;
    CK(cudaHostGetDevicePointer((void **)&dr, (void *)reg, 0));
    inc<<<8, 256>>>(dr, 2048);
    CK(cudaDeviceSynchronize());
    NEED(reg[2047] == 1);
    unsigned fl;
    CK(cudaHostGetFlags(&fl, reg));
    NEED(fl & cudaHostRegisterMapped);
    CK(cudaHostUnregister(reg));
    free(reg);
    CK(cudaFreeHost(z));
    CK(cudaFreeHost(pin));
    int *x, *y;
    CK(cudaMalloc(&x, 400));
    CK(cudaMalloc(&y, 400));
    CK(cudaMemset(x, 0x01, 400));
    CK(cudaMemcpy(y, x, 400, cudaMemcpyDefault));
    CK(cudaMemcpyAsync(x, y, 400, cudaMemcpyDeviceToDevice));
    int one;
    CK(cudaMemcpyAsync(&one, x + 3, 4, cudaMemcpyDefault));
    CK(cudaStreamSynchronize(0));
    NEED(one == 0x01010101);
    size_t fr, tot;
    CK(cudaMemGetInfo(&fr, &tot));
    NEED(fr <= tot && fr > 0);
    int *as;
    CK(cudaMallocAsync(&as, 4096, s));
    CK(cudaMemsetAsync(as, 0, 4096, s));
    inc<<<4, 256, 0, s>>>(as, 1024);
    CK(cudaMemcpyAsync(&one, as + 9, 4, cudaMemcpyDeviceToHost, s));
    CK(cudaFreeAsync(as, s));
    CK(cudaStreamSynchronize(s));
    NEED(one == 1);
    CK(cudaFree(x));
    CK(cudaFree(y));
    CK(cudaFree(d));
    CK(cudaFree(m));
    CK(cudaStreamDestroy(s));
    puts("ok");
}