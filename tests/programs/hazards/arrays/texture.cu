// A kernel reads an array through a texture, in another stream than the copy that fills it.
// hazard: race A B
// right: -DRIGHT
#include <cuda_runtime.h>

enum { W = 64, H = 16 };

__global__ void sum(cudaTextureObject_t t, float *out)
{
    int x = threadIdx.x, y = blockIdx.x;
    out[y * W + x] = tex2D<float>(t, x + 0.5f, y + 0.5f) + tex2D<float>(t, x + 1.5f, y + 0.5f);
}

int main()
{
    float *from, *out;
    cudaArray_t array;
    cudaStream_t a, b;
    cudaEvent_t filled;
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMallocHost(&from, W * H * sizeof *from);
    cudaMalloc(&out, W * H * sizeof *out);
    cudaMallocArray(&array, &desc, W, H);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaCreateTextureObject(&t, &resource, &how, NULL);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&filled);
    for (int i = 0; i < W * H; i++) from[i] = 1;

    cudaMemcpy2DToArrayAsync(array, 0, 0, from, W * 4, W * 4, H, cudaMemcpyHostToDevice, a); // A
    cudaEventRecord(filled, a);
#ifdef RIGHT
    cudaStreamWaitEvent(b, filled);
#endif
    sum<<<H, W, 0, b>>>(t, out); // B
    cudaDeviceSynchronize();

    cudaDestroyTextureObject(t);
    cudaEventDestroy(filled);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFreeArray(array);
    cudaFree(out);
    cudaFreeHost(from);
    return 0;
}
