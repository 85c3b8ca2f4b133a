// Transposes: naive, through a tile, through a padded tile, with several rows a thread, of a rectangle.
// variant: -DSTYLE=1
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DTYPE=int -DWIDTH=100 -DHEIGHT=70
// variant: -DSTYLE=3
// variant: -DSTYLE=3 -DTYPE=double -DWIDTH=33 -DHEIGHT=129 -DERRORS=3
// variant: -DSTYLE=4 -DERRORS=5
// variant: -DSTYLE=4 -DWIDTH=65 -DHEIGHT=64
// variant: -DSTYLE=2 -O0
// variant: -DSTYLE=3 -std=c++20 -O3
// variant: -DSTYLE=4 -DERRORS=5 -G
// variant: -DSTYLE=1 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=2 -DWRONG=1 = shared-race
// wrong: -DSTYLE=4 -DWRONG=1 = shared-race
// wrong: -DSTYLE=1 -DWIDTH=100 -DHEIGHT=70 -DWRONG=2 = out-of-bounds
// wrong: -DSTYLE=3 -DWRONG=3 = shared-race
#include "helper.h"
#ifndef WIDTH
#define WIDTH 64
#define HEIGHT 96
#endif
enum { TILE = 32, ROWS = 8 };

__global__ void transpose(T *out, const T *in, int width, int height)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
#if STYLE == 1
    for (int j = 0; j < TILE; j += ROWS)
        if (WRONG == 2 || (x < width && y + j < height)) out[x * height + y + j] = in[(y + j) * width + x];
#else
    __shared__ T tile[TILE][TILE + (STYLE == 3)];
    for (int j = 0; j < TILE; j += ROWS)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    if (WRONG == 3) __syncwarp();
    else if (WRONG != 1) __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
#if STYLE == 4
#pragma unroll
#endif
    for (int j = 0; j < TILE; j += ROWS)
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
#endif
}

int main()
{
    const size_t bytes = sizeof(T) * WIDTH * HEIGHT;
    T *h_in = (T *)malloc(bytes), *h_out = (T *)malloc(bytes), *in = NULL, *out = NULL;
    for (int i = 0; i < WIDTH * HEIGHT; i++) h_in[i] = (T)i;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemcpy(in, h_in, bytes, cudaMemcpyHostToDevice));
    dim3 block(TILE, ROWS, 1), grid((WIDTH + TILE - 1) / TILE, (HEIGHT + TILE - 1) / TILE);
    transpose<<<grid, block>>>(out, in, WIDTH, HEIGHT);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(h_out, out, bytes, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) right = right && h_out[x * HEIGHT + y] == h_in[y * WIDTH + x];
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    free(h_in);
    free(h_out);
    return verdict(right);
}
