// Variables in device and managed memory, by address: what CUDA's C functions take.
// run: THREELANE_MODEL=h200
// nvcc: -rdc=true
// out: ok variables
#include "conformance.h"

namespace { __device__ int hidden = 5; }
__device__ int first, numbers[4] = {1, 2, 3, 4}, last;
static __constant__ float factor;
extern __device__ double shared_name;
__device__ double shared_name;
__managed__ int counts[4] = {1, 2, 3, 4};
__device__ __managed__ float one;

__global__ void look(int *to)
{
    to[0] = first + numbers[2] + last + hidden + (int)factor + (int)shared_name + counts[1] + (int)one;
    counts[3]++;
}

int main()
{
    void *address = NULL;
    size_t bytes = 0;
    int in[4] = {5, 6, 7, 8}, out[4] = {0}, *d;
    float f = 3.0f;
    double dd = 100.0;
    cudaStream_t s;
    warm_up();

    /* no form with a type has named any of them */
    OK(cudaGetSymbolAddress(&address, (const void *)&last));
    CHECK(address != NULL);
    OK(cudaMemset(address, 0, sizeof last));
    OK(cudaGetSymbolSize(&bytes, (const void *)numbers));
    CHECK(bytes == sizeof numbers);
    OK(cudaMemcpyToSymbol((const void *)numbers, in, sizeof in, 0, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromSymbol(out, (const void *)numbers, sizeof(int), 2 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(out[0] == 7);
    IS(cudaErrorInvalidValue, cudaMemcpyToSymbol((const void *)numbers, in, sizeof in, 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpyToSymbol((const void *)&factor, &f, sizeof f, 0, cudaMemcpyHostToDevice));
    OK(cudaMemcpyToSymbol((const void *)&shared_name, &dd, sizeof dd, 0, cudaMemcpyHostToDevice));
    OK(cudaGetSymbolSize(&bytes, (const void *)&hidden));
    CHECK(bytes == sizeof hidden);
    IS(cudaErrorInvalidSymbol, cudaGetSymbolSize(&bytes, (const void *)&in));

    /* a __managed__ variable is managed memory */
    cudaPointerAttributes about = {};
    cudaMemLocation device = {};
    device.type = cudaMemLocationTypeDevice;
    OK(cudaStreamCreate(&s));
    OK(cudaPointerGetAttributes(&about, counts));
    CHECK(about.type == cudaMemoryTypeManaged);
    CHECK(about.devicePointer == counts && about.hostPointer == counts);
    OK(cudaMemAdvise(counts, sizeof counts, cudaMemAdviseSetReadMostly, device));
    OK(cudaMemPrefetchAsync(counts, sizeof counts, device, 0, s));
    OK(cudaStreamAttachMemAsync(s, counts, 0, cudaMemAttachGlobal));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemset(counts, 0, sizeof counts));
    OK(cudaDeviceSynchronize());
    CHECK(counts[1] == 0);
    OK(cudaMemcpy(counts, in, sizeof in, cudaMemcpyDefault));
    OK(cudaDeviceSynchronize());
    one = 2.0f;
    OK(cudaMalloc(&d, sizeof *d));
    look<<<1, 1>>>(d);
    OK(cudaMemcpy(out, d, sizeof *d, cudaMemcpyDeviceToHost));
    CHECK(out[0] == 0 + 7 + 0 + 5 + 3 + 100 + 6 + 2);
    CHECK(counts[3] == 9);
    return finish("variables");
}
