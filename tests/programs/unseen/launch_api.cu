// Occupancy, launches by pointer, priorities, the special streams, NVTX with colours.
// run: THREELANE_MODEL=h200
// out: ok
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <thread>
#include <vector>
#include <string>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <cuda_runtime.h>
static const uint32_t palette[] = {0xff2060c0, 0xffc06020};
#define RANGE_BEGIN(text, which)                  \
    do {                                          \
        nvtxEventAttributes_t a_ = {};            \
        a_.version = NVTX_VERSION;                \
        a_.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;  \
        a_.colorType = NVTX_COLOR_ARGB;           \
        a_.color = palette[(which) % 2];          \
        a_.messageType = NVTX_MESSAGE_TYPE_ASCII; \
        a_.message.ascii = text;                  \
        nvtxRangePushEx(&a_);                     \
    } while (0)
struct Range {
    explicit Range(const std::string &s) { nvtxRangePushA(s.c_str()); }
    ~Range() { nvtxRangePop(); }
};
#define NEED(x)                                                                 \
    do {                                                                        \
        cudaError_t last_ = cudaGetLastError();                                 \
        if (!(x) || last_) {                                                    \
            printf("%d: not %s (%s)\n", __LINE__, #x, cudaGetErrorName(last_)); \
            exit(1);                                                            \
        }                                                                       \
    } while (0)
__global__ void squares(int *p, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) p[i] *= p[i];
}
__global__ void big(float *p, double k, char c, float4 v)
{
    extern __shared__ float s[];
    s[threadIdx.x] = p[threadIdx.x] + k + c + v.w;
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
template <class T> __global__ void tmpl(T *p, T v) { p[threadIdx.x] = v; }
struct smem {
    int operator()(int bs) const { return bs * 4; }
};
__global__ void addOne(int *p, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) p[i]++;
}
int main()
{
    nvtxNameOsThreadA(1, "main");
    RANGE_BEGIN("init", 0);
    const int N = 10000;
    int *a;
    cudaMallocManaged(&a, N * sizeof(int));
    for (int i = 0; i < N; i++) a[i] = i;
    nvtxRangePop();
    int blockSize, minGridSize, gridSize;
    cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, (void *)squares, 0, N);
    gridSize = (N + blockSize - 1) / blockSize;
    squares<<<gridSize, blockSize>>>(a, N);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) NEED(a[i] == i * i);
    int numBlocks;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, squares, blockSize, 0);
    cudaDeviceProp prop;
    int device;
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&prop, device);
    NEED(numBlocks >= 1 && numBlocks * blockSize <= prop.maxThreadsPerMultiProcessor);
    cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, squares);
    cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, tmpl<float>, 0, 0);
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&minGridSize, &blockSize, big, smem());
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&minGridSize, &blockSize, big,
                                                   [](int b) { return b * sizeof(float); });
    NEED(blockSize % 32 == 0);
    cudaFuncAttributes attr;
    cudaFuncGetAttributes(&attr, big);
    NEED(attr.maxThreadsPerBlock == 1024);
    printf("%d regs %zu shared %d binary\n", attr.numRegs, attr.sharedSizeBytes, attr.binaryVersion);
    cudaFuncGetAttributes(&attr, (const void *)squares);
    cudaFuncSetCacheConfig(big, cudaFuncCachePreferShared);
    cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024);
    NEED(1);
    float *f;
    cudaMallocManaged(&f, 4096);
    for (int i = 0; i < 256; i++) f[i] = i;
    double k = .5;
    char c = 2;
    float4 v = make_float4(0, 0, 0, 1);
    void *args[] = {&f, &k, &c, &v};
    cudaStream_t st;
    cudaStreamCreateWithFlags(&st, cudaStreamNonBlocking);
    NEED(cudaLaunchKernel((const void *)big, dim3(1), dim3(256), args, 256 * sizeof(float), st) == cudaSuccess);
    cudaStreamSynchronize(st);
    NEED(f[0] == 255 + 3.5f);
    float val = 9;
    void *targs[] = {(void *)&f, (void *)&val};
    NEED(cudaLaunchKernel(tmpl<float>, 1, 64, targs) == cudaSuccess);
    cudaDeviceSynchronize();
    NEED(f[63] == 9);
    NEED(cudaLaunchKernel((void *)&tmpl<float>, dim3(1, 1, 1), dim3(64, 1, 1), targs, 0, NULL) == cudaSuccess);
    cudaDeviceSynchronize();
    big<<<1, 1024, 90 * 1024>>>(f, k, c, v);
    NEED(cudaDeviceSynchronize() == cudaSuccess);
    int lo, hi;
    cudaDeviceGetStreamPriorityRange(&lo, &hi);
    NEED(lo >= hi);
    cudaStream_t sl, sh;
    cudaStreamCreateWithPriority(&sl, cudaStreamNonBlocking, lo);
    cudaStreamCreateWithPriority(&sh, cudaStreamNonBlocking, hi);
    int pr;
    cudaStreamGetPriority(sh, &pr);
    NEED(pr == hi);
    unsigned fl;
    cudaStreamGetFlags(sl, &fl);
    NEED(fl == cudaStreamNonBlocking);
    nvtxNameCudaStreamA(sh, "high");
    addOne<<<1, 32, 0, cudaStreamLegacy>>>(a, 5);
    addOne<<<1, 32, 0, cudaStreamPerThread>>>(a, 5);
    cudaStreamSynchronize(cudaStreamPerThread);
    cudaStreamSynchronize(cudaStreamLegacy);
    NEED(a[0] == 2);
    cudaEvent_t e;
    cudaEventCreateWithFlags(&e, cudaEventBlockingSync | cudaEventDisableTiming);
    addOne<<<1, 32, 0, sl>>>(a, 5);
    cudaEventRecord(e, sl);
    cudaStreamWaitEvent(sh, e, 0);
    addOne<<<1, 32, 0, sh>>>(a, 5);
    cudaStreamSynchronize(sh);
    NEED(a[0] == 4);
    std::vector<std::thread> th;
    std::vector<int> res(4);
    for (int t = 0; t < 4; t++)
        th.emplace_back([t, &res] {
            Range r("thread " + std::to_string(t));
            int *d, h[4] = {t, t, t, t};
            cudaMalloc(&d, 16);
            cudaMemcpyAsync(d, h, 16, cudaMemcpyHostToDevice, cudaStreamPerThread);
            addOne<<<1, 4, 0, cudaStreamPerThread>>>(d, 4);
            cudaMemcpyAsync(h, d, 16, cudaMemcpyDeviceToHost, cudaStreamPerThread);
            cudaStreamSynchronize(cudaStreamPerThread);
            res[t] = h[3];
            cudaFree(d);
        });
    for (auto &t : th) t.join();
    for (int t = 0; t < 4; t++) NEED(res[t] == t + 1);
    nvtxRangeId_t id = nvtxRangeStartA("async");
    nvtxMarkA("mark");
    nvtxMark("m2");
    nvtxRangeEnd(id);
    nvtxDomainHandle_t dom = nvtxDomainCreateA("lib");
    (void)dom;
    nvtxRangePush("x");
    nvtxRangePop();
    cudaStreamDestroy(st);
    puts("ok");
}