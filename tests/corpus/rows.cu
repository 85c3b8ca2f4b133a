// Rows with a pitch, sets in two dimensions, offsets into one big block, columns, blocks of different kinds of memory.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DTYPE=double -DERRORS=3
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DTYPE=int -DERRORS=2
// variant: -DSTYLE=3
// variant: -DSTYLE=4
// variant: -DSTYLE=5 -DTYPE=int
// variant: -DSTYLE=1 -DTYPE=double -DERRORS=3 -O0
// variant: -DSTYLE=2 -DTYPE=int -DERRORS=2 -std=c++20 -O3
// variant: -DSTYLE=4 -G
// variant: -DSTYLE=1 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = out-of-bounds
// wrong: -DSTYLE=2 -DWRONG=1 = race
// wrong: -DSTYLE=3 -DWRONG=1 = out-of-bounds
// wrong: -DSTYLE=4 -DWRONG=1 = uninitialised
// wrong: -DSTYLE=5 -DTYPE=int -DWRONG=1 = out-of-bounds
// wrong: -DSTYLE=1 -DWRONG=2 = out-of-bounds
// wrong: -DSTYLE=4 -DWRONG=2 = out-of-bounds
#include "helper.h"
enum { W = 37, H = 21 };
__global__ void add_row(T *p, size_t pitch, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h + (WRONG == 1 && STYLE == 1)) return;
    T *row = (T *)((char *)p + y * pitch);
    row[x] += y;
}
int main()
{
    T *d, host[H][W], got[H][W];
    size_t pitch = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) host[y][x] = x;
    bool right = true;
    cudaStream_t s, t;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    dim3 block(16, 4), grid((W + 15) / 16, (H + 3) / 4 + 1);
#if STYLE == 1
    CHECK(cudaMallocPitch((void **)&d, &pitch, W * sizeof(T), H));
    CHECK(cudaMemset2D(d, pitch, 0, W * sizeof(T), H));
    CHECK(cudaMemcpy2D(d, pitch, host, sizeof *host, W * sizeof(T), H, cudaMemcpyHostToDevice));
    add_row<<<grid, block>>>(d, pitch, W, H);
    CHECK_LAUNCH();
    std::vector<T> flat(W * (H - (WRONG == 2)));
    CHECK(cudaMemcpy2D(flat.data(), sizeof *host, d, pitch, W * sizeof(T), H, cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * (H - 1); i++) right = right && flat[i] == i % W + i / W;
#elif STYLE == 2    // even rows in one stream, odd ones in the other
    CHECK(cudaMalloc(&d, sizeof host));
    CHECK(cudaMemset(d, 0, sizeof host));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy2DAsync(d, 2 * sizeof *host, host, 2 * sizeof *host, sizeof *host, (H + 1) / 2, cudaMemcpyHostToDevice, s));
    CHECK(cudaMemcpy2DAsync(d + (WRONG ? W - 1 : W), 2 * sizeof *host, host[1], 2 * sizeof *host, sizeof *host, H / 2,
                            cudaMemcpyHostToDevice, t));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    right = memcmp(got, host, sizeof got) == 0;
#elif STYLE == 3    // one block for three arrays
    char *all;
    CHECK(cudaMalloc(&all, 3 * 4096));
    CHECK(cudaMemset(all, 0, 3 * 4096));
    d = (T *)(all + 4096);
    CHECK(cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice));
    add_row<<<grid, block>>>(d, sizeof *host + (WRONG ? 600 : 0), W, H);
    CHECK(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    d = (T *)all;
    right = got[3][2] == 5;
#elif STYLE == 4    // only one column goes
    CHECK(cudaMallocPitch(&d, &pitch, W * sizeof(T), H));
    if (!WRONG || WRONG == 2) CHECK(cudaMemset2DAsync(d, pitch, 0, W * sizeof(T), H, s));
    CHECK(cudaMemcpy2DAsync(d, pitch, host, sizeof *host, sizeof(T), H, cudaMemcpyHostToDevice, s));
    add_row<<<grid, block, 0, s>>>(d, pitch, W, H);
    CHECK(cudaMemcpy2DAsync(got, sizeof *got, d, pitch, W * sizeof(T), WRONG == 2 ? H + 1 : H, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    right = got[4][0] == 4;
#else               // sets of bytes
    CHECK(cudaMalloc(&d, sizeof host));
    CHECK(cudaMemsetAsync(d, 0xff, sizeof host + WRONG, s));
    CHECK(cudaMemcpyAsync(got, d, sizeof got, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    for (auto &row : got)
        for (T x : row) right = right && x == T(-1);
#endif
    CHECK(cudaFree(d));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
    return verdict(right);
}
