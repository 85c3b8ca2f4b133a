// Copies to arrays, from them and between them, of boxes in memory, and sets of boxes: every byte where it belongs, and
// nothing beside.
// out: ok array_copies
#include "conformance.h"
#include <string.h>

enum { W = 12, H = 7, D = 5 };

static float from[D][H][W], back[D][H][W];

static void fill(void)
{
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) from[z][y][x] = (float)(z * 10000 + y * 100 + x);
    memset(back, 0, sizeof back);
}

static void flat(void)
{
    cudaArray_t a, b;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    OK(cudaMallocArray(&a, &desc, W, H));
    OK(cudaMallocArray(&b, &desc, W, H));
    OK(cudaMemcpy2DToArray(a, 0, 0, from, sizeof from[0][0], W * sizeof(float), H, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DToArray(a, 2 * sizeof(float), 3, from[1][1], sizeof from[0][0], 4 * sizeof(float), 2,
                           cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, W * sizeof(float), H, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy2DFromArray(back, sizeof back[0][0], b, 0, 0, W * sizeof(float), H, cudaMemcpyDeviceToHost));
    bool same = true;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            bool inside = x >= 2 && x < 6 && y >= 3 && y < 5;
            same &= back[0][y][x] == (inside ? from[1][y - 2][x - 2] : from[0][y][x]);
        }
    CHECK(same);

    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaMemcpy2DToArrayAsync(b, 0, 1, from[2], sizeof from[0][0], W * sizeof(float), 2, cudaMemcpyHostToDevice, stream));
    OK(cudaMemcpy2DFromArrayAsync(back[2], sizeof back[0][0], b, 0, 1, W * sizeof(float), 2, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(memcmp(back[2], from[2], 2 * sizeof from[0][0]) == 0);
    OK(cudaStreamDestroy(stream));
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(b));
}

/* A box of 3 x 2 x 2 from the middle of the memory into the middle of an array, and from there. */
static void boxes(void)
{
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    OK(cudaMalloc3DArray(&a, &desc, make_cudaExtent(W, H, D)));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(from, sizeof from[0][0], W, H);
    p.dstArray = a;
    p.extent = make_cudaExtent(W, H, D);
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    p.srcPos = make_cudaPos(1, 2, 3); /* in elements of the array, in memory as well */
    p.dstPos = make_cudaPos(4, 3, 1);
    p.extent = make_cudaExtent(3, 2, 2);
    OK(cudaMemcpy3D(&p));

    cudaMemcpy3DParms q = {};
    q.srcArray = a;
    q.dstPtr = make_cudaPitchedPtr(back, sizeof back[0][0], W, H);
    q.extent = make_cudaExtent(W, H, D);
    q.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3DAsync(&q, 0));
    OK(cudaDeviceSynchronize());
    bool same = true;
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                bool inside = x >= 4 && x < 7 && y >= 3 && y < 5 && z >= 1 && z < 3;
                same &= back[z][y][x] == (inside ? from[z + 2][y - 1][x - 3] : from[z][y][x]);
            }
    CHECK(same);
    OK(cudaFreeArray(a));
}

/* The same in memory with rows and slices; a part of it is set. */
static void memory(void)
{
    cudaPitchedPtr m;
    OK(cudaMalloc3D(&m, make_cudaExtent(W * sizeof(float), H, D)));
    CHECK(m.ptr && m.pitch >= W * sizeof(float) && m.xsize == W * sizeof(float) && m.ysize == H);
    OK(cudaMemset3D(m, 0, make_cudaExtent(W * sizeof(float), H, D)));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(from, sizeof from[0][0], W * sizeof(float), H);
    p.dstPtr = m;
    p.extent = make_cudaExtent(W * sizeof(float), H, D);
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    cudaPitchedPtr part = make_cudaPitchedPtr((char *)m.ptr + m.pitch * (H + 1), m.pitch, m.xsize, H);
    OK(cudaMemset3DAsync(part, 0xff, make_cudaExtent(8, 2, 2), 0));
    p.srcPtr = m;
    p.dstPtr = make_cudaPitchedPtr(back, sizeof back[0][0], W * sizeof(float), H);
    p.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&p));
    bool same = true;
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                int bits;
                memcpy(&bits, &back[z][y][x], sizeof bits);
                bool set = x < 2 && y >= 1 && y < 3 && z >= 1 && z < 3;
                same &= set ? bits == -1 : back[z][y][x] == from[z][y][x];
            }
    CHECK(same);
    OK(cudaFree(m.ptr));
}

static void codes(void)
{
    cudaArray_t a, none;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float4>(), told;
    cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};
    cudaExtent extent;
    unsigned flags;
    IS(cudaErrorInvalidValue, cudaMallocArray(NULL, &desc, 4, 4));
    IS(cudaErrorInvalidValue, cudaMallocArray(&none, NULL, 4, 4));
    CHECK(cudaMallocArray(&none, &three, 4, 4) != cudaSuccess);
    OK(cudaMallocArray(&a, &desc, W));
    OK(cudaArrayGetInfo(&told, &extent, &flags, a));
    CHECK(told.x == 32 && told.w == 32 && told.f == cudaChannelFormatKindFloat);
    CHECK(extent.width == W && extent.height == 0 && extent.depth == 0 && flags == 0);
    OK(cudaGetChannelDesc(&told, a));
    CHECK(told.z == 32);
    IS(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 16, 0, from, 16 * W, 16 * W, 1, cudaMemcpyHostToDevice));
    IS(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 1, from, 16 * W, 16 * W, 1, cudaMemcpyHostToDevice));
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(NULL));
}

int main()
{
    fill();
    flat();
    boxes();
    memory();
    codes();
    return finish("array_copies");
}
