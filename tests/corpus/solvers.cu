// Grids and rounds: Jacobi with two arrays, red and black, heat in three dimensions, Life, bodies, a residual.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DTYPE=double -DERRORS=3
// variant: -DSTYLE=2
// variant: -DSTYLE=3
// variant: -DSTYLE=4 -DTYPE=int
// variant: -DSTYLE=5
// variant: -DSTYLE=5 -DERRORS=2 -DTYPE=double
// variant: -DSTYLE=6
// variant: -DSTYLE=1 -DTYPE=double -DERRORS=3 -O0
// variant: -DSTYLE=3 -std=c++20 -O3
// variant: -DSTYLE=5 -G
// variant: -DSTYLE=6 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = global-race
// wrong: -DSTYLE=2 -DWRONG=1 = global-race
// wrong: -DSTYLE=3 -DWRONG=1 = out-of-bounds
// wrong: -DSTYLE=4 -DTYPE=int -DWRONG=1 = global-race
// wrong: -DSTYLE=5 -DWRONG=1 = shared-race
// wrong: -DSTYLE=5 -DWRONG=2 = shared-race
// wrong: -DSTYLE=6 -DWRONG=1 = host-race
#include "helper.h"
enum { W = 34, ROUNDS = 6 };
__global__ void jacobi(const T *in, T *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= W - 1 || y >= W - 1) return;
    out[y * W + x] = (in[y * W + x - 1] + in[y * W + x + 1] + in[(y - 1) * W + x] + in[(y + 1) * W + x]) / 4;
}
__global__ void one_colour(T *p, int colour)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= W - 1 || y >= W - 1 || ((x + y) % 2 != colour && WRONG == 0)) return;
    p[y * W + x] = (p[y * W + x - 1] + p[y * W + x + 1] + p[(y - 1) * W + x] + p[(y + 1) * W + x]) / 4;
}
__global__ void heat(const T *in, T *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, layer = nx * ny;
    if (x >= nx - 1 || y >= ny - 1 || x < 1 || y < 1) return;
    for (int z = 1; z < nz - 1 + 2 * WRONG; z++) {
        const T *c = in + z * layer + y * nx + x;
        out[z * layer + y * nx + x] = (c[0] + c[1] + c[-1] + c[nx] + c[-nx] + c[layer] + c[-layer]) / 7;
    }
}
__global__ void life(const T *in, T *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, n = 0;
    if (x >= W || y >= W) return;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) n += (int)in[(y + dy + W) % W * W + (x + dx + W) % W];
    out[y * W + x] = n == 3 || (n == 2 && in[y * W + x]);
}
__global__ void bodies(const T *position, T *force, int n)
{
    __shared__ T tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T mine = i < n ? position[i] : 0, sum = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = t + threadIdx.x < n ? position[t + threadIdx.x] : mine;
        if (WRONG != 1) __syncthreads();
        for (int k = 0; k < 64; k++) sum += tile[k] - mine;
        if (WRONG != 2) __syncthreads();
    }
    if (i < n) force[i] = sum;
}
__global__ void residual(const T *a, const T *b, unsigned long long *changed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mask = __ballot_sync(~0u, i < W * W && a[i] != b[i]);
    if (threadIdx.x % 32 == 0) atomicAdd(changed, (unsigned long long)__popc(mask));
}
int main()
{
    const size_t bytes = W * W * W * sizeof(T);
    std::vector<T> h(W * W * W), got(W * W * W);
    for (size_t i = 0; i < h.size(); i++) h[i] = i * 7 % 13 > 8;
    T *a, *b;
    unsigned long long *changed;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMemcpy(a, h.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaMallocHost(&changed, sizeof *changed));
    dim3 block(16, 8), grid((W + 15) / 16, (W + 7) / 8);
    unsigned long long last = 1;
    for (int round = 0; round < ROUNDS && last; round++) {
#if STYLE == 1
        jacobi<<<grid, block>>>(a, WRONG ? a : b);
#elif STYLE == 2
        one_colour<<<grid, block>>>(a, 0);
        one_colour<<<grid, block>>>(a, 1);
#elif STYLE == 3
        heat<<<grid, block>>>(a, b, W, W, W);
#elif STYLE == 4
        life<<<grid, block>>>(a, WRONG ? a : b);
#elif STYLE == 5
        bodies<<<3, 64>>>(a, b, 150);
#else
        jacobi<<<grid, block>>>(a, b);
        *changed = 0;
        residual<<<(W * W + 127) / 128, 128>>>(a, b, changed);
        if (!WRONG) CHECK(cudaDeviceSynchronize());
        last = *changed;
        if (WRONG) last = 1;
#endif
        CHECK_LAUNCH();
        std::swap(a, b);
    }
    CHECK(cudaMemcpy(got.data(), a, bytes, cudaMemcpyDeviceToHost));
    bool right = true;
    for (T x : got) right = right && x == x;
    CHECK(cudaDeviceSynchronize());
    cudaFree(a), cudaFree(b), cudaFreeHost(changed);
    return verdict(right);
}
