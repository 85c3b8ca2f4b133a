// Variables in device memory, by name.
// run: THREELANE_MODEL=h200
// out: ok symbols
#include "conformance.h"

__device__ int numbers[16];
__constant__ float factor;

__global__ void scale(float *to) { *to = factor * (float)numbers[3]; }

int main()
{
    int in[16], out[16];
    float f = 2.5f, *d, result;
    void *address;
    size_t bytes;
    cudaStream_t s;
    warm_up();
    OK(cudaStreamCreate(&s));
    OK(cudaMalloc(&d, sizeof *d));
    for (int i = 0; i < 16; i++) in[i] = i;
    OK(cudaMemcpyToSymbol(numbers, in, sizeof in));
    OK(cudaMemcpyToSymbol(numbers, in + 7, sizeof(int), 3 * sizeof(int)));
    OK(cudaMemcpyToSymbolAsync(factor, &f, sizeof f, 0, cudaMemcpyHostToDevice, s));
    OK(cudaStreamSynchronize(s));
    scale<<<1, 1>>>(d);
    OK(cudaMemcpy(&result, d, sizeof result, cudaMemcpyDeviceToHost));
    CHECK(result == 17.5f);
    OK(cudaMemcpyFromSymbol(out, numbers, sizeof out));
    CHECK(out[2] == 2 && out[3] == 7 && out[4] == 4);
    OK(cudaMemcpyFromSymbolAsync(out, numbers, sizeof(int), 4 * sizeof(int), cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    CHECK(out[0] == 4);

    OK(cudaGetSymbolAddress(&address, numbers));
    OK(cudaGetSymbolSize(&bytes, numbers));
    CHECK(bytes == sizeof numbers);
    OK(cudaMemset(address, 0, bytes));
    OK(cudaMemcpy(out, (int *)address + 1, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(out[0] == 0);
    IS(cudaErrorInvalidValue, cudaMemcpyToSymbol(numbers, in, sizeof in, 4));
    return finish("symbols");
}
