// Managed memory: one pointer for both sides; prefetches are queued like copies.
// run: THREELANE_MODEL=h200
// out: ok managed
#include "conformance.h"

__global__ void add(int *p, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) p[i] += 1;
}

int main()
{
    const int n = 1 << 18;
    int *m;
    cudaStream_t s;
    cudaMemLocation device = {}, host = {};
    device.type = cudaMemLocationTypeDevice;
    host.type = cudaMemLocationTypeHost;
    warm_up();
    OK(cudaStreamCreate(&s));
    OK(cudaMallocManaged(&m, n * sizeof *m));
    for (int i = 0; i < n; i++) m[i] = i;
    OK(cudaMemAdvise(m, n * sizeof *m, cudaMemAdviseSetPreferredLocation, device));
    OK(cudaMemPrefetchAsync(m, n * sizeof *m, device, 0, s));
    add<<<(n + 255) / 256, 256, 0, s>>>(m, n);
    OK(cudaMemPrefetchAsync(m, n * sizeof *m, host, 0, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaStreamAttachMemAsync(s, m));
    OK(cudaStreamSynchronize(s));
    OK(cudaStreamAttachMemAsync(s, m, 0, cudaMemAttachGlobal));
    OK(cudaStreamSynchronize(s));
    IS(cudaErrorInvalidValue, cudaStreamAttachMemAsync(s, m, 0, 7));
    bool good = true;
    for (int i = 0; i < n; i++) good = good && m[i] == i + 1;
    CHECK(good);
    OK(cudaFree(m));
    IS(cudaSuccess, cudaMallocManaged(&m, 0));
    IS(cudaErrorInvalidValue, cudaMallocManaged(&m, 4, 7));
    return finish("managed");
}
