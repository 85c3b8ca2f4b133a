// What an H200 answers about arrays and textures where the documents leave it open (driver 580, CUDA 13.0): weights to the
// bit, channels that are not there, a line's border, and what is refused with which code.
// check: off
// out: ok texture_values
#include "conformance.h"

static float *out, got[16];

__global__ void line(cudaTextureObject_t t, float *to)
{
    for (int i = 0; i < 4; i++) to[i] = tex1D<float>(t, -0.25f + 0.25f * i);
}
__global__ void plane(cudaTextureObject_t t, float *to)
{
    to[0] = tex2D<float>(t, 3.3f, 1.7f);
    to[1] = tex2D<float>(t, 5.123f, 2.987f);
}
__global__ void colours(cudaTextureObject_t t, float x, float y, float *to)
{
    float4 c = tex2D<float4>(t, x, y);
    to[0] = c.x, to[1] = c.y, to[2] = c.z, to[3] = c.w;
}
__global__ void room(cudaTextureObject_t t, float *to) { to[0] = tex3D<float>(t, 1.3f, 2.6f, 1.9f); }

static cudaError_t make(cudaTextureObject_t *t, cudaArray_t array, cudaTextureAddressMode mode,
                        cudaTextureFilterMode filter, cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaResourceDesc from = {};
    cudaTextureDesc how = {};
    from.resType = cudaResourceTypeArray;
    from.res.array.array = array;
    for (int i = 0; i < 3; i++) how.addressMode[i] = mode;
    for (int i = 0; i < 4; i++) how.borderColor[i] = 100;
    how.filterMode = filter;
    how.readMode = read;
    return cudaCreateTextureObject(t, &from, &how, NULL);
}

static void are(int n, const float *wanted)
{
    OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) CHECK(got[i] == wanted[i]);
}

static void values(const float *squares)
{
    cudaArray_t flat, row, cube, bytes;
    cudaTextureObject_t t;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(), u8 = cudaCreateChannelDesc<uchar4>();
    OK(cudaMallocArray(&flat, &f, 8, 4));
    OK(cudaMallocArray(&row, &f, 8));
    OK(cudaMallocArray(&bytes, &u8, 4, 4));
    OK(cudaMalloc3DArray(&cube, &f, make_cudaExtent(4, 4, 4)));
    OK(cudaMemcpy2DToArray(flat, 0, 0, squares, 32, 32, 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DToArray(row, 0, 0, squares, 32, 32, 1, cudaMemcpyHostToDevice));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr((void *)squares, 16, 4, 4);
    p.dstArray = cube;
    p.extent = make_cudaExtent(4, 4, 4);
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    unsigned char list[64];
    for (int i = 0; i < 64; i++) list[i] = (unsigned char)(i * 37);
    OK(cudaMemcpy2DToArray(bytes, 0, 0, list, 16, 16, 4, cudaMemcpyHostToDevice));

    const float edge[] = {87.5f, 75, 62.5f, 50}, mixed[] = {164.00390625f, 617.83984375f}, one[] = {121, 0, 0, 0},
                deep[] = {1059.42578125f};
    const int fractions[] = {34860, 26122, 23809, 33318};
    OK(make(&t, row, cudaAddressModeBorder, cudaFilterModeLinear));
    line<<<1, 1>>>(t, out);
    are(4, edge);
    OK(make(&t, flat, cudaAddressModeClamp, cudaFilterModeLinear));
    plane<<<1, 1>>>(t, out);
    are(2, mixed);
    OK(make(&t, flat, cudaAddressModeClamp, cudaFilterModePoint));
    colours<<<1, 1>>>(t, 3.5f, 1.5f, out);
    are(4, one);
    OK(make(&t, cube, cudaAddressModeClamp, cudaFilterModeLinear));
    room<<<1, 1>>>(t, out);
    are(1, deep);
    OK(make(&t, bytes, cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeNormalizedFloat));
    colours<<<1, 1>>>(t, 1.8f, 2.1f, out);
    OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++) CHECK(got[i] == fractions[i] / 65535.0f);

    IS(cudaErrorInvalidNormSetting,
       make(&t, flat, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeNormalizedFloat));
    IS(cudaErrorInvalidFilterSetting, make(&t, bytes, cudaAddressModeClamp, cudaFilterModeLinear));
    OK(cudaMemcpy2DToArray(flat, 2, 0, squares, 32, 8, 1, cudaMemcpyHostToDevice)); /* half an element on */
}

int main()
{
    float squares[64];
    cudaArray_t none;
    cudaTextureObject_t t;
    cudaResourceDesc from = {};
    const cudaChannelFormatDesc wrong[] = {{32, 32, 32, 0, cudaChannelFormatKindFloat},
                                           {7, 0, 0, 0, cudaChannelFormatKindSigned},
                                           {0, 0, 0, 0, cudaChannelFormatKindNone},
                                           {8, 16, 0, 0, cudaChannelFormatKindSigned}};
    for (int i = 0; i < 64; i++) squares[i] = (float)(i * i);
    OK(cudaMalloc(&out, sizeof got));
    values(squares);
    for (int i = 0; i < 4; i++) IS(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&none, &wrong[i], 4, 4));
    IS(cudaErrorInvalidResourceHandle, cudaArrayGetInfo(NULL, NULL, NULL, NULL));
    IS(cudaErrorInvalidResourceHandle, cudaCreateTextureObject(&t, &from, NULL, NULL));
    OK(cudaDestroyTextureObject(0));
    return finish("texture_values");
}
