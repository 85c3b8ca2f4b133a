// Texture references, which left CUDA with version 12.
// build: fails
// err: texture references are gone since CUDA 12: make a texture object (cudaCreateTextureObject)
#include <cuda_runtime.h>

texture<float, 2, cudaReadModeElementType> image;

__global__ void read(float *out) { *out = tex2D(image, 0.5f, 0.5f); }

int main() { return 0; }
