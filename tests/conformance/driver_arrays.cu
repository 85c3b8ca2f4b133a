// Arrays, textures and copies of boxes by the driver API, as its header has it; one memory, two APIs.
// nvcc: -lcuda
// flags: -lcuda
// out: ok driver_arrays
#include "driver.h"
#include <string.h>

enum { W = 6, H = 4, D = 3 };

static float from[D][H][W], back[D][H][W];

__global__ void look(cudaTextureObject_t t, float *to)
{
    to[0] = tex2D<float>(t, 1.5f, 2.5f);
    to[1] = tex2D<float>(t, 2.0f, 0.5f);
}
__global__ void bytes(cudaTextureObject_t t, float *to) { to[0] = tex1Dfetch<float>(t, 1); }
__global__ void numbers(cudaTextureObject_t t, float *to) { to[0] = (float)tex1Dfetch<unsigned char>(t, 1); }

static void boxes(void)
{
    CUarray array;
    CUDA_ARRAY3D_DESCRIPTOR desc = {}, told;
    desc.Width = W, desc.Height = H, desc.Depth = D;
    desc.Format = CU_AD_FORMAT_FLOAT;
    desc.NumChannels = 1;
    GIVES(0, cuArray3DCreate(&array, &desc));
    GIVES(0, cuArray3DGetDescriptor(&told, array));
    CHECK(told.Width == W && told.Height == H && told.Depth == D && told.Format == CU_AD_FORMAT_FLOAT);
    CUDA_MEMCPY3D p = {};
    p.srcMemoryType = CU_MEMORYTYPE_HOST;
    p.srcHost = from;
    p.srcPitch = sizeof from[0][0];
    p.srcHeight = H;
    p.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    p.dstArray = array;
    p.WidthInBytes = sizeof from[0][0], p.Height = H, p.Depth = D;
    GIVES(0, cuMemcpy3D(&p));
    CUDA_MEMCPY3D q = {};
    q.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    q.srcArray = array;
    q.srcXInBytes = 2 * sizeof(float), q.srcY = 1, q.srcZ = 1;
    q.dstMemoryType = CU_MEMORYTYPE_HOST;
    q.dstHost = back;
    q.dstPitch = sizeof back[0][0];
    q.dstHeight = H;
    q.WidthInBytes = 3 * sizeof(float), q.Height = 2, q.Depth = 2;
    GIVES(0, cuMemcpy3D(&q));
    bool same = true;
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                bool inside = x < 3 && y < 2 && z < 2;
                same &= back[z][y][x] == (inside ? from[z + 1][y + 1][x + 2] : 0);
            }
    CHECK(same);
    q.WidthInBytes = 5 * sizeof(float); /* past the end of a row */
    GIVES(1, cuMemcpy3D(&q));
    GIVES(0, cuArrayDestroy(array));
}

static void textures(void)
{
    CUarray array;
    CUtexObject t;
    float *out, got[2];
    CUDA_ARRAY_DESCRIPTOR desc = {W, H, CU_AD_FORMAT_FLOAT, 1};
    CUDA_RESOURCE_DESC resource = {};
    CUDA_TEXTURE_DESC how = {}, told;
    OK(cudaMalloc(&out, 256));
    GIVES(0, cuArrayCreate(&array, &desc));
    CUDA_MEMCPY2D p = {};
    p.srcMemoryType = CU_MEMORYTYPE_HOST;
    p.srcHost = from;
    p.srcPitch = sizeof from[0][0];
    p.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    p.dstArray = array;
    p.WidthInBytes = sizeof from[0][0], p.Height = H;
    GIVES(0, cuMemcpy2D(&p));
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    how.filterMode = CU_TR_FILTER_MODE_LINEAR;
    for (int i = 0; i < 3; i++) how.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    GIVES(0, cuTexObjectCreate(&t, &resource, &how, NULL));
    GIVES(0, cuTexObjectGetTextureDesc(&told, t));
    CHECK(told.filterMode == CU_TR_FILTER_MODE_LINEAR && told.addressMode[1] == CU_TR_ADDRESS_MODE_CLAMP);
    look<<<1, 1>>>(t, out);
    OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got[0] == from[0][2][1] && got[1] == (from[0][0][1] + from[0][0][2]) / 2);
    GIVES(0, cuTexObjectDestroy(t));
    GIVES(0, cuArrayDestroy(array));

    /* Bytes are fractions, unless they are asked for as numbers. */
    unsigned char list[4] = {0, 51, 0, 0};
    memset(&resource, 0, sizeof resource);
    memset(&how, 0, sizeof how);
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = (CUdeviceptr)out;
    resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8;
    resource.res.linear.numChannels = 1;
    resource.res.linear.sizeInBytes = 4;
    OK(cudaMemcpy(out, list, sizeof list, cudaMemcpyHostToDevice));
    GIVES(0, cuTexObjectCreate(&t, &resource, &how, NULL));
    bytes<<<1, 1>>>(t, out + 1);
    OK(cudaMemcpy(got, out + 1, sizeof *got, cudaMemcpyDeviceToHost));
    CHECK(got[0] > 0.2f - 1e-6f && got[0] < 0.2f + 1e-6f);
    GIVES(0, cuTexObjectDestroy(t));
    how.flags = CU_TRSF_READ_AS_INTEGER;
    GIVES(0, cuTexObjectCreate(&t, &resource, &how, NULL));
    numbers<<<1, 1>>>(t, out + 1);
    OK(cudaMemcpy(got, out + 1, sizeof *got, cudaMemcpyDeviceToHost));
    CHECK(got[0] == 51);
    GIVES(0, cuTexObjectDestroy(t));
    OK(cudaFree(out));
}

static void memory(void)
{
    CUdeviceptr m;
    int value = -99;
    CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    GIVES(0, cuMemAllocManaged(&m, 1 << 16, CU_MEM_ATTACH_GLOBAL));
    GIVES(0, cuMemAdvise(m, 1 << 16, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    GIVES(0, cuMemRangeGetAttribute(&value, sizeof value, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, 1 << 16));
    CHECK(value == 1);
    GIVES(0, cuMemPrefetchAsync(m, 1 << 16, here, 0, 0));
    GIVES(0, cuMemRangeGetAttribute(&value, sizeof value, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, m, 1 << 16));
    CHECK(value == 0);
    GIVES(0, cuMemFree(m));
}

int main()
{
    for (int i = 0; i < W * H * D; i++) (&from[0][0][0])[i] = (float)(i * i + 1);
    GIVES(0, cuInit(0));
    OK(cudaSetDevice(0));
    boxes();
    textures();
    memory();
    return finish("driver_arrays");
}
