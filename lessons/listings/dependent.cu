// lessons/inside-a-block.md: a kernel that begins before the one before it has ended, and waits before it reads.
#include <cstdio>
#include <cuda_runtime.h>

enum { N = 1024 };

__global__ void first(float *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = i;
    cudaTriggerProgrammaticLaunchCompletion();  // the next one may begin; it may not read yet
}

__global__ void second(const float *data, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float factor = 1 + i % 2;                   // what needs nothing of the first one's
    cudaGridDependencySynchronize();            // until it has ended, and its stores can be seen
    out[i] = data[i] * factor;
}

int main()
{
    static float result[N];
    float *data, *out;
    cudaStream_t stream;
    cudaMalloc(&data, sizeof result);
    cudaMalloc(&out, sizeof result);
    cudaStreamCreate(&stream);

    first<<<N / 256, 256, 0, stream>>>(data);
    cudaLaunchConfig_t config = {};
    config.gridDim = N / 256;
    config.blockDim = 256;
    config.stream = stream;
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, second, (const float *)data, out);

    cudaStreamSynchronize(stream);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    bool right = true;
    for (int i = 0; i < N; i++) right = right && result[i] == (float)i * (1 + i % 2);
    printf("%s\n", right ? "right" : "wrong");
    cudaStreamDestroy(stream);
    cudaFree(data);
    cudaFree(out);
    return right ? 0 : 1;
}
