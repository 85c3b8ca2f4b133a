// Pictures in bytes: convolutions with tiles, blur by rows and columns, grey from colours, thresholds, uchar4.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DERRORS=3
// variant: -DSTYLE=2
// variant: -DSTYLE=3
// variant: -DSTYLE=3 -DERRORS=2
// variant: -DSTYLE=4
// variant: -DSTYLE=5
// variant: -DSTYLE=1 -DERRORS=3 -O0
// variant: -DSTYLE=3 -std=c++20 -O3
// variant: -DSTYLE=4 -G
// variant: -DSTYLE=1 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = shared-race
// wrong: -DSTYLE=1 -DWRONG=2 = out-of-bounds
// wrong: -DSTYLE=2 -DWRONG=1 = race
// wrong: -DSTYLE=3 -DWRONG=1 = misaligned
// wrong: -DSTYLE=4 -DWRONG=1 = global-race
// wrong: -DSTYLE=5 -DWRONG=1 = global-race
#include "helper.h"
enum { W = 80, H = 50, TILE = 16, R = 2 };
typedef unsigned char Byte;

__global__ void blur_tile(const Byte *in, Byte *out)
{
    __shared__ Byte tile[TILE + 2 * R][TILE + 2 * R];
    int x0 = blockIdx.x * TILE - R, y0 = blockIdx.y * TILE - R;
    for (int y = threadIdx.y; y < TILE + 2 * R; y += TILE)
        for (int x = threadIdx.x; x < TILE + 2 * R; x += TILE) {
            int gx = min(max(x0 + x, 0), W - 1), gy = min(max(y0 + y, 0), H - 1 + (WRONG == 2));
            tile[y][x] = in[gy * W + gx];
        }
    if (WRONG != 1) __syncthreads();
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= W || y >= H) return;
    int sum = 0;
    for (int dy = 0; dy <= 2 * R; dy++)
        for (int dx = 0; dx <= 2 * R; dx++) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * W + x] = (Byte)(sum / 25);
}
__global__ void rows(const Byte *in, Byte *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < W) out[y * W + x] = (in[y * W + max(x - 1, 0)] + in[y * W + x] + in[y * W + min(x + 1, W - 1)]) / 3;
}
__global__ void columns(const Byte *in, Byte *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < W) out[y * W + x] = (in[max(y - 1, 0) * W + x] + in[y * W + x] + in[min(y + 1, H - 1) * W + x]) / 3;
}
__global__ void grey(const Byte *in, Byte *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= W * H / 4) return;
    uchar4 c = ((const uchar4 *)(in + (WRONG ? 2 : 0)))[WRONG ? i / 2 : i];
    out[i] = (Byte)(0.299f * c.x + 0.587f * c.y + 0.114f * c.z);
}
__global__ void threshold(const Byte *in, Byte *out, unsigned *above)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= W * H) return;
    out[i] = in[i] > 100 ? 255 : 0;
    if (in[i] > 100) {
        if (WRONG) *above += 1;
        else atomicAdd(above, 1u);
    }
}
__global__ void dilate(Byte *in, Byte *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 || i >= W * H - 1) return;
    out[i] = max(in[i], max(in[i - 1], in[i + 1]));
}
int main()
{
    const size_t bytes = W * H;
    Byte *h = (Byte *)malloc(bytes), *got = (Byte *)malloc(bytes), *in, *out, *middle;
    unsigned *above, n = 0, wanted = 0;
    for (int i = 0; i < W * H; i++) h[i] = i * 31 % 251;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMalloc(&middle, bytes));
    CHECK(cudaMalloc(&above, sizeof *above));
    CHECK(cudaMemset(above, 0, sizeof *above));
    CHECK(cudaMemset(out, 0, bytes));
    CHECK(cudaMemcpy(in, h, bytes, cudaMemcpyHostToDevice));
    bool right = true;
    dim3 tiles((W + TILE - 1) / TILE, (H + TILE - 1) / TILE), tile(TILE, TILE);
#if STYLE == 1
    blur_tile<<<tiles, tile>>>(in, out);
#elif STYLE == 2
    cudaStream_t a, b;
    cudaEvent_t e;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaEventCreate(&e));
    rows<<<dim3(1, H), 128, 0, a>>>(in, middle);
    CHECK(cudaEventRecord(e, a));
    if (!WRONG) CHECK(cudaStreamWaitEvent(b, e));
    columns<<<dim3(1, H), 128, 0, b>>>(middle, out);
    CHECK(cudaStreamSynchronize(b));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
    CHECK(cudaEventDestroy(e));
#elif STYLE == 3
    grey<<<(W * H / 4 + 63) / 64, 64>>>(in, out);
#elif STYLE == 4
    threshold<<<(W * H + 255) / 256, 256>>>(in, out, above);
    CHECK(cudaMemcpy(&n, above, sizeof n, cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * H; i++) wanted += h[i] > 100;
    right = n == wanted;
#else
    dilate<<<(W * H + 255) / 256, 256>>>(in, WRONG ? in : out);
#endif
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(got, out, bytes, cudaMemcpyDeviceToHost));
    for (int i = 1; i < W * H - 1 && STYLE == 5; i++) {
        Byte most = h[i] > h[i - 1] ? h[i] : h[i - 1];
        right = right && got[i] == (most > h[i + 1] ? most : h[i + 1]);
    }
    (void)n, (void)wanted;
    cudaFree(in), cudaFree(out), cudaFree(middle), cudaFree(above);
    free(h), free(got);
    return verdict(right);
}
