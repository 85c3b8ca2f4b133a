// What a texture says of an array: points and filters with weights of eight bits, the address modes, both read modes,
// layers, slices, levels, linear memory; and surfaces. Coordinates lie where no rounding of theirs can matter.
// out: ok textures
#include "conformance.h"
#include <string.h>

enum { N = 8, MOST = 16 };

static float *out, got[4 * MOST];

struct Points {
    float x[MOST], y[MOST], z[MOST];
    int n;
};

__global__ void along(cudaTextureObject_t t, Points p, float *to)
{
    for (int i = 0; i < p.n; i++) to[i] = tex1D<float>(t, p.x[i]);
}
__global__ void plane(cudaTextureObject_t t, Points p, float *to)
{
    for (int i = 0; i < p.n; i++) to[i] = tex2D<float>(t, p.x[i], p.y[i]);
}
__global__ void room(cudaTextureObject_t t, Points p, float *to)
{
    for (int i = 0; i < p.n; i++) to[i] = tex3D<float>(t, p.x[i], p.y[i], p.z[i]);
}
__global__ void layers(cudaTextureObject_t t, Points p, float *to)
{
    for (int i = 0; i < p.n; i++) to[i] = tex2DLayered<float>(t, p.x[i], p.y[i], (int)p.z[i]);
}
__global__ void levels(cudaTextureObject_t t, Points p, float *to)
{
    for (int i = 0; i < p.n; i++) to[i] = tex2DLod<float>(t, p.x[i], p.y[i], p.z[i]);
}
__global__ void colours(cudaTextureObject_t t, float x, float y, float *to)
{
    float4 c = tex2D<float4>(t, x, y);
    to[0] = c.x, to[1] = c.y, to[2] = c.z, to[3] = c.w;
}
__global__ void numbers(cudaTextureObject_t t, int *to)
{
    for (int i = 0; i < 4; i++) {
        short2 v;
        tex1Dfetch(&v, t, i);
        to[2 * i] = v.x, to[2 * i + 1] = v.y;
    }
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                                      bool normalized = false, cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaResourceDesc from = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t = 0;
    from.resType = cudaResourceTypeArray;
    from.res.array.array = array;
    for (int i = 0; i < 3; i++) how.addressMode[i] = mode;
    how.filterMode = filter;
    how.readMode = read;
    how.normalizedCoords = normalized;
    how.borderColor[0] = 1000;
    OK(cudaCreateTextureObject(&t, &from, &how, NULL));
    return t;
}

/* What the kernel reads at these places, against what is wanted. */
static void reads(void (*kernel)(cudaTextureObject_t, Points, float *), cudaTextureObject_t t, const Points &p,
                  const float *wanted)
{
    kernel<<<1, 1>>>(t, p, out);
    OK(cudaMemcpy(got, out, sizeof(float) * p.n, cudaMemcpyDeviceToHost));
    for (int i = 0; i < p.n; i++) CHECK(got[i] == wanted[i]);
    OK(cudaDestroyTextureObject(t));
}

static void lines(void)
{
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    float squares[N];
    for (int i = 0; i < N; i++) squares[i] = (float)(i * i);
    OK(cudaMallocArray(&a, &desc, N));
    OK(cudaMemcpy2DToArray(a, 0, 0, squares, sizeof squares, sizeof squares, 1, cudaMemcpyHostToDevice));

    const Points near = {{-3, 0.25f, 1.5f, 6.75f, 9}, {}, {}, 5};
    const float clamp[] = {0, 0, 1, 36, 49}, border[] = {1000, 0, 1, 36, 1000};
    reads(along, texture_of(a, cudaAddressModeClamp, cudaFilterModePoint), near, clamp);
    reads(along, texture_of(a, cudaAddressModeBorder, cudaFilterModePoint), near, border);
    const Points between = {{2.5f, 3, 3.25f, 3.25f + 1 / 256.0f, 0, 8}, {}, {}, 6};
    const float mixed[] = {4, 6.5f, 7.75f, 7.75f + 5 / 256.0f, 0, 49};
    reads(along, texture_of(a, cudaAddressModeClamp, cudaFilterModeLinear), between, mixed);
    const Points parts = {{-0.9375f, 0.0625f, 0.9375f, 1.0625f, 1.9375f, 2.3125f}, {}, {}, 6};
    const float wrap[] = {0, 0, 49, 0, 49, 4}, mirror[] = {49, 0, 49, 49, 0, 4};
    reads(along, texture_of(a, cudaAddressModeWrap, cudaFilterModePoint, true), parts, wrap);
    reads(along, texture_of(a, cudaAddressModeMirror, cudaFilterModePoint, true), parts, mirror);
    const Points edge = {{0, 1, 0.125f}, {}, {}, 3};
    const float round[] = {24.5f, 24.5f, 0.5f};
    reads(along, texture_of(a, cudaAddressModeWrap, cudaFilterModeLinear, true), edge, round);
    OK(cudaFreeArray(a));
}

static void planes(void)
{
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    float cells[4][4];
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) cells[y][x] = (float)(x + 16 * y * y);
    OK(cudaMallocArray(&a, &desc, 4, 4));
    OK(cudaMemcpy2DToArray(a, 0, 0, cells, sizeof cells[0], sizeof cells[0], 4, cudaMemcpyHostToDevice));
    const Points p = {{1.5f, 2, 1.75f, 9}, {2.5f, 1, 3, -4}, {}, 4};
    const float wanted[] = {65, 9.5f, 105.25f, 3};
    reads(plane, texture_of(a, cudaAddressModeClamp, cudaFilterModeLinear), p, wanted);
    OK(cudaFreeArray(a));

    uchar4 bytes[2] = {{0, 51, 102, 255}, {255, 153, 204, 51}};
    desc = cudaCreateChannelDesc<uchar4>();
    OK(cudaMallocArray(&a, &desc, 2, 1));
    OK(cudaMemcpy2DToArray(a, 0, 0, bytes, sizeof bytes, sizeof bytes, 1, cudaMemcpyHostToDevice));
    cudaTextureObject_t t =
        texture_of(a, cudaAddressModeClamp, cudaFilterModeLinear, false, cudaReadModeNormalizedFloat);
    colours<<<1, 1>>>(t, 0.5f, 0.5f, out);
    OK(cudaMemcpy(got, out, 4 * sizeof(float), cudaMemcpyDeviceToHost));
    const float first[] = {0, 0.2f, 0.4f, 1};
    for (int i = 0; i < 4; i++) CHECK(got[i] > first[i] - 1e-6f && got[i] < first[i] + 1e-6f);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
}

static void stacks(void)
{
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    float cells[3][2][2];
    cudaMemcpy3DParms p = {};
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < 2; x++) cells[z][y][x] = (float)(100 * z + 10 * y + x);
    p.srcPtr = make_cudaPitchedPtr(cells, sizeof cells[0][0], 2, 2);
    p.extent = make_cudaExtent(2, 2, 3);
    p.kind = cudaMemcpyHostToDevice;

    const Points at = {{0.5f, 1, 1.5f}, {0.5f, 1, 1.5f}, {1, 2, 2.5f}, 3};
    const float mixed[] = {50, 155.5f, 211};
    OK(cudaMalloc3DArray(&a, &desc, make_cudaExtent(2, 2, 3)));
    p.dstArray = a;
    OK(cudaMemcpy3D(&p));
    reads(room, texture_of(a, cudaAddressModeClamp, cudaFilterModeLinear), at, mixed);
    OK(cudaFreeArray(a));

    const float whole[] = {100, 205.5f, 211}; /* layers are not mixed */
    OK(cudaMalloc3DArray(&a, &desc, make_cudaExtent(2, 2, 3), cudaArrayLayered));
    p.dstArray = a;
    OK(cudaMemcpy3D(&p));
    reads(layers, texture_of(a, cudaAddressModeClamp, cudaFilterModeLinear), at, whole);
    OK(cudaFreeArray(a));
}

static void pyramid(void)
{
    cudaMipmappedArray_t all;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    OK(cudaMallocMipmappedArray(&all, &desc, make_cudaExtent(4, 4, 0), 3));
    for (int n = 0, size = 4; n < 3; n++, size /= 2) {
        cudaArray_t level;
        cudaExtent extent;
        float cells[16];
        for (int i = 0; i < 16; i++) cells[i] = (float)(n + 1);
        OK(cudaGetMipmappedArrayLevel(&level, all, n));
        OK(cudaArrayGetInfo(NULL, &extent, NULL, level));
        CHECK((int)extent.width == size && (int)extent.height == size);
        OK(cudaMemcpy2DToArray(level, 0, 0, cells, size * 4, size * 4, size, cudaMemcpyHostToDevice));
    }
    cudaResourceDesc from = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    from.resType = cudaResourceTypeMipmappedArray;
    from.res.mipmap.mipmap = all;
    how.normalizedCoords = 1;
    how.mipmapFilterMode = cudaFilterModeLinear;
    how.filterMode = cudaFilterModeLinear;
    how.maxMipmapLevelClamp = 2;
    OK(cudaCreateTextureObject(&t, &from, &how, NULL));
    const Points p = {{0.5f, 0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f, 0.5f}, {0, 1, 1.5f, 7}, 4};
    const float wanted[] = {1, 2, 2.5f, 3};
    reads(levels, t, p, wanted);
    OK(cudaFreeMipmappedArray(all));
}

static void memory(void)
{
    short2 pairs[4] = {{1, -2}, {3, -4}, {5, -6}, {32767, -32768}}, *d;
    int *to, numbered[8];
    OK(cudaMalloc(&d, sizeof pairs));
    OK(cudaMalloc(&to, sizeof numbered));
    OK(cudaMemcpy(d, pairs, sizeof pairs, cudaMemcpyHostToDevice));
    cudaResourceDesc from = {}, told;
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    from.resType = cudaResourceTypeLinear;
    from.res.linear.devPtr = d;
    from.res.linear.desc = cudaCreateChannelDesc<short2>();
    from.res.linear.sizeInBytes = sizeof pairs;
    OK(cudaCreateTextureObject(&t, &from, &how, NULL));
    OK(cudaGetTextureObjectResourceDesc(&told, t));
    CHECK(told.resType == cudaResourceTypeLinear && told.res.linear.devPtr == d);
    numbers<<<1, 1>>>(t, to);
    OK(cudaMemcpy(numbered, to, sizeof numbered, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++) CHECK(numbered[2 * i] == pairs[i].x && numbered[2 * i + 1] == pairs[i].y);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFree(d));
    OK(cudaFree(to));
}

__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int w, int h)
{
    int x = threadIdx.x, y = threadIdx.y;
    uchar4 v;
    if (x >= w || y >= h) return;
    surf2Dread(&v, from, x * (int)sizeof v, y);
    surf2Dwrite(v, to, y * (int)sizeof v, x);
}
__global__ void outside(cudaSurfaceObject_t s, float *to)
{
    to[0] = surf2Dread<uchar4>(s, 100, 0, cudaBoundaryModeZero).x;
    to[1] = surf2Dread<uchar4>(s, 100, 100, cudaBoundaryModeClamp).x;
    surf2Dwrite(make_uchar4(9, 9, 9, 9), s, -4, 0, cudaBoundaryModeZero);
}

static void surfaces(void)
{
    enum { W = 5, H = 3 };
    uchar4 cells[H][W], turned[W][H];
    cudaArray_t a, b;
    cudaSurfaceObject_t s[2];
    cudaResourceDesc from = {};
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
    for (int i = 0; i < W * H; i++) cells[i / W][i % W] = make_uchar4(i, i + 1, i + 2, i + 3);
    OK(cudaMallocArray(&a, &desc, W, H, cudaArraySurfaceLoadStore));
    OK(cudaMallocArray(&b, &desc, H, W, cudaArraySurfaceLoadStore));
    OK(cudaMemcpy2DToArray(a, 0, 0, cells, sizeof cells[0], sizeof cells[0], H, cudaMemcpyHostToDevice));
    from.resType = cudaResourceTypeArray;
    from.res.array.array = a;
    OK(cudaCreateSurfaceObject(&s[0], &from));
    from.res.array.array = b;
    OK(cudaCreateSurfaceObject(&s[1], &from));
    turn<<<1, dim3(8, 8)>>>(s[0], s[1], W, H);
    outside<<<1, 1>>>(s[0], out);
    OK(cudaMemcpy2DFromArray(turned, sizeof turned[0], b, 0, 0, sizeof turned[0], W, cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) CHECK(memcmp(&turned[x][y], &cells[y][x], 4) == 0);
    OK(cudaMemcpy(got, out, 2 * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(got[0] == 0);
    CHECK(got[1] == W * H - 1);
    for (int i = 0; i < 2; i++) OK(cudaDestroySurfaceObject(s[i]));
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(b));
}

int main()
{
    OK(cudaMalloc(&out, sizeof got));
    lines();
    planes();
    stacks();
    pyramid();
    memory();
    surfaces();
    OK(cudaFree(out));
    return finish("textures");
}
