// Of textures: the faces of a cube, the four corners of a place, halves, signed bytes, colours of a screen; what objects
// say of themselves; arrays of the driver API by their descriptors.
// check: off
// flags: -lcuda
// out: cube 0 1 2 3 4 5 / 10 21
// out: corners 9 10 2 1
// out: half 1.5 -2 0.00012207
// out: signed 1 -1 0.496063
// out: screen 0.2159 0
// out: told 3 7 1 1 1 1 1 1
// out: driver 8 4 0 1 5 8 4 0 33 700 400 201 201
#include <cstdio>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

static float *out, got[16];

__global__ void faces(cudaTextureObject_t t, float *to)
{
    const float way[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < 6; i++) to[i] = floorf(texCubemap<float>(t, way[i][0], way[i][1], way[i][2]) / 10);
    to[6] = texCubemap<float>(t, -1, 0.9f, -0.9f);
    to[7] = texCubemap<float>(t, -0.9f, 1, -0.9f) + 1;
}
__global__ void corners(cudaTextureObject_t t, float *to)
{
    float4 c = tex2Dgather<float4>(t, 2.0f, 1.0f, 0);
    to[0] = c.x, to[1] = c.y, to[2] = c.z, to[3] = c.w;
}
__global__ void row(cudaTextureObject_t t, float *to)
{
    for (int i = 0; i < 4; i++) to[i] = tex2D<float>(t, i + 0.5f, 0.5f);
}

static float *back()
{
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    return got;
}

static cudaTextureObject_t texture(cudaArray_t array, cudaTextureReadMode read, int srgb = 0)
{
    cudaTextureObject_t t = 0;
    cudaResourceDesc from = {};
    cudaTextureDesc how = {};
    from.resType = cudaResourceTypeArray;
    from.res.array.array = array;
    how.readMode = read;
    how.sRGB = srgb;
    if (cudaCreateTextureObject(&t, &from, &how, NULL) != cudaSuccess) printf("no texture\n");
    return t;
}

static cudaArray_t filled(cudaChannelFormatDesc of, const void *bytes, size_t each, unsigned flags = 0)
{
    cudaArray_t array;
    cudaMallocArray(&array, &of, 4, 2, flags);
    cudaMemcpy2DToArray(array, 0, 0, bytes, 4 * each, 4 * each, 2, cudaMemcpyHostToDevice);
    return array;
}

static void cube()
{
    float texels[6][2][2];
    for (int i = 0; i < 24; i++) texels[i / 4][i / 2 % 2][i % 2] = i / 4 * 10 + i % 4;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMalloc3DArray(&array, &f, make_cudaExtent(2, 2, 6), cudaArrayCubemap);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(texels, 8, 2, 2);
    p.dstArray = array;
    p.extent = make_cudaExtent(2, 2, 6);
    p.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&p);
    faces<<<1, 1>>>(texture(array, cudaReadModeElementType), out);
    const float *g = back();
    printf("cube %g %g %g %g %g %g / %g %g\n", g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7]);
}

static void formats()
{
    float plane[8];
    for (int i = 0; i < 8; i++) plane[i] = i < 4 ? i : i + 4;
    cudaTextureObject_t t =
        texture(filled(cudaCreateChannelDesc<float>(), plane, 4, cudaArrayTextureGather), cudaReadModeElementType);
    corners<<<1, 1>>>(t, out);
    const float *g = back();
    printf("corners %g %g %g %g\n", g[0], g[1], g[2], g[3]);

    __half halves[8] = {__float2half(1.5f), __float2half(-2.f), __float2half(0.00012207f)};
    row<<<1, 1>>>(texture(filled(cudaCreateChannelDescHalf(), halves, 2), cudaReadModeElementType), out);
    g = back();
    printf("half %g %g %g\n", g[0], g[1], g[2]);

    signed char small[8] = {127, -128, 63};
    row<<<1, 1>>>(texture(filled(cudaCreateChannelDesc<signed char>(), small, 1), cudaReadModeNormalizedFloat), out);
    g = back();
    printf("signed %g %g %g\n", g[0], g[1], g[2]);

    unsigned char grey[8] = {128, 0};
    row<<<1, 1>>>(texture(filled(cudaCreateChannelDesc<unsigned char>(), grey, 1), cudaReadModeNormalizedFloat, 1), out);
    g = back();
    printf("screen %.4f %g\n", g[0], g[1]);

    cudaResourceDesc from;
    cudaTextureDesc how;
    cudaResourceViewDesc view;
    cudaArrayMemoryRequirements wants;
    cudaArraySparseProperties sparse;
    cudaArray_t array = filled(cudaCreateChannelDesc<float>(), plane, 4), other;
    size_t width = 0;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    t = texture(array, cudaReadModeElementType, 1);
    printf("told %d", (cudaGetTextureObjectResourceDesc(&from, t) == cudaSuccess) + 2 * (from.res.array.array == array));
    printf(" %d", (cudaGetTextureObjectTextureDesc(&how, t) == cudaSuccess) + 2 * (how.sRGB == 1) +
                      4 * (how.filterMode == cudaFilterModePoint));
    printf(" %d %d %d", cudaGetTextureObjectResourceViewDesc(&view, t), cudaArrayGetPlane(&other, array, 0),
           cudaArrayGetMemoryRequirements(&wants, array, 0));
    printf(" %d %d %d\n", cudaArrayGetSparseProperties(&sparse, array),
           cudaDeviceGetTexture1DLinearMaxWidth(&width, &f, 0) == cudaSuccess && width > 0,
           cudaDeviceGetTexture1DLinearMaxWidth(NULL, &f, 0));
}

static void driver()
{
    CUarray array, level;
    CUmipmappedArray levels;
    CUDA_ARRAY_DESCRIPTOR flat = {8, 4, CU_AD_FORMAT_UNSIGNED_INT8, 1}, seen = {};
    CUDA_ARRAY3D_DESCRIPTOR deep = {8, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0}, seen3 = {};
    cuArrayCreate(&array, &flat);
    cuArrayGetDescriptor(&seen, array);
    cuArray3DGetDescriptor(&seen3, array);
    printf("driver %zu %zu %zu %d", seen.Width, seen.Height, seen3.Depth, (int)seen.Format);
    cuArrayDestroy(array);
    cuMipmappedArrayCreate(&levels, &deep, 2);
    cuMipmappedArrayGetLevel(&level, levels, 0);
    cuArray3DGetDescriptor(&seen3, level);
    printf(" 5 %zu %zu %zu %d", seen3.Width, seen3.Height, seen3.Depth, (int)seen3.Format + (int)seen3.NumChannels);
    cuMipmappedArrayGetLevel(&level, levels, 1);
    cuArray3DGetDescriptor(&seen3, level);
    printf(" %zu00 %zu00", seen3.Width + 3, seen3.Height + 2);
    printf(" %d %d\n", 200 + cuArrayCreate(NULL, &flat), 200 + cuMipmappedArrayCreate(&levels, NULL, 2));
}

int main()
{
    cudaMalloc(&out, sizeof got);
    cudaMemset(out, 0, sizeof got);
    cube();
    formats();
    driver();
    return 0;
}
