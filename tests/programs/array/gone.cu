// A texture object that is destroyed before the kernel runs that reads it.
// err: gone.cu:10: warning: kernel read: a texture is read through an object that was never created, or was destroyed before the kernel ran
// out: cudaErrorLaunchFailure
#include <cstdio>
#include <cuda_runtime.h>

__global__ void wait() { __nanosleep(1000000); }
__global__ void read(cudaTextureObject_t t, float *out)
{
    *out = tex1Dfetch<float>(t, 0);
}

int main()
{
    float *memory;
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    cudaMalloc(&memory, 256);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 128;
    cudaMemset(memory, 0, 256);
    cudaCreateTextureObject(&t, &resource, &how, NULL);
    wait<<<1, 1>>>();
    read<<<1, 1>>>(t, memory + 32);
    cudaDestroyTextureObject(t);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
