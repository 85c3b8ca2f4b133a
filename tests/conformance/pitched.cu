// Copies and sets of rectangles.
// run: THREELANE_MODEL=h200
// out: ok pitched
#include "conformance.h"

enum { W = 100, H = 10 };

int main()
{
    static char in[H][W], out[H][2 * W];
    char *d;
    size_t pitch;
    cudaStream_t s;
    warm_up();
    OK(cudaStreamCreate(&s));
    OK(cudaMallocPitch(&d, &pitch, W, H));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) in[y][x] = (char)(y * W + x);
    OK(cudaMemcpy2D(d, pitch, in, W, W, H, cudaMemcpyHostToDevice));
    OK(cudaMemset2D(d + 10, pitch, 7, 5, 3));
    OK(cudaMemcpy2DAsync(out, 2 * W, d, pitch, W, H, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    bool same = true;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < 2 * W; x++)
            same = same && out[y][x] == (x >= W ? 0 : x >= 10 && x < 15 && y < 3 ? 7 : in[y][x]);
    CHECK(same);
    OK(cudaMemset2DAsync(d, pitch, 1, W, H, s));
    OK(cudaStreamSynchronize(s));
    IS(cudaErrorInvalidPitchValue, cudaMemcpy2D(d, pitch, in, W, W + 1, H, cudaMemcpyHostToDevice));
    IS(cudaSuccess, cudaMemcpy2D(d, pitch, in, W, 0, H, cudaMemcpyHostToDevice));
    return finish("pitched");
}
