// What these programs share: kernels that touch what they are told to, and the tidying up, which orders nothing that a
// corrected program (RIGHT) relies on.
#include <cstdio>
#include <cstdlib>

enum { N = 1024, BYTES = N * (int)sizeof(int) };

__global__ void fill(int *p, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = value;
}
__global__ void add(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += 1;
}
__global__ void move(int *to, const int *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}

static cudaStream_t made_streams[32];
static cudaEvent_t made_events[32];
static void *made_memory[32];
static int n_streams, n_events, n_memory;

static inline cudaStream_t stream(unsigned flags = cudaStreamNonBlocking)
{
    cudaStreamCreateWithFlags(&made_streams[n_streams], flags);
    return made_streams[n_streams++];
}
static inline cudaEvent_t event()
{
    cudaEventCreate(&made_events[n_events]);
    return made_events[n_events++];
}
// What comes later in `after` comes after what is in `before` now.
static inline void order(cudaStream_t before, cudaStream_t after)
{
    cudaEvent_t e = event();
    cudaEventRecord(e, before);
    cudaStreamWaitEvent(after, e, 0);
}
// Is zero, and goes at the end: device memory; managed memory, the set of which waits; pinned memory.
template <typename T> static inline void keep(T *memory, size_t bytes = BYTES)
{
    cudaMemset(memory, 0, bytes);
    cudaDeviceSynchronize();
    made_memory[n_memory++] = (void *)memory;
}
template <typename T> static inline void keep_managed(T *memory, size_t bytes = BYTES)
{
    cudaMemset(memory, 0, bytes);
    made_memory[n_memory++] = (void *)memory;
}
template <typename T> static inline void keep_pinned(T *memory, size_t bytes = BYTES)
{
    for (size_t i = 0; i < bytes / sizeof *memory; i++) memory[i] = 0;
    made_memory[n_memory++] = (void *)memory;
}
static inline int finish()
{
#ifndef RIGHT
    int devices = 0;
    cudaGetDeviceCount(&devices);
    while (devices-- > 0) {
        cudaSetDevice(devices);
        cudaDeviceSynchronize();
    }
#endif
    for (int i = 0; i < n_streams; i++) cudaStreamDestroy(made_streams[i]);
    for (int i = 0; i < n_events; i++) cudaEventDestroy(made_events[i]);
    for (int i = 0; i < n_memory; i++) {
        cudaPointerAttributes at;
        cudaPointerGetAttributes(&at, made_memory[i]);
        if (at.type == cudaMemoryTypeHost) cudaFreeHost(made_memory[i]);
        else cudaFree(made_memory[i]);
    }
    return 0;
}
