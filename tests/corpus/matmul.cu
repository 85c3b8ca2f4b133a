// Matrix products: a thread an element, tiles, a struct of the programming guide, rows with a pitch.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DTYPE=int -DERRORS=6
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DTYPE=double -DERRORS=3
// variant: -DSTYLE=3
// variant: -DSTYLE=4
// variant: -DSTYLE=4 -DTYPE=int -DERRORS=2
// variant: -DSTYLE=1 -DTYPE=int -DERRORS=6 -O0
// variant: -DSTYLE=2 -DTYPE=double -DERRORS=3 -std=c++20 -O3
// variant: -DSTYLE=4 -G
// variant: -DSTYLE=1 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=2 -DWRONG=1 = shared-race
// wrong: -DSTYLE=2 -DWRONG=2 = shared-race
// wrong: -DSTYLE=1 -DWRONG=3 = out-of-bounds
// wrong: -DSTYLE=3 -DWRONG=4 = uninitialised
// wrong: -DSTYLE=4 -DWRONG=5 = out-of-bounds
#include "helper.h"
enum { N = 48, TILE = 16 };
#if STYLE == 3
typedef struct { int width, height; T *elements; } Matrix;
__global__ void product(const Matrix A, const Matrix B, Matrix C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    T value = 0;
    for (int e = 0; e < A.width; ++e) value += A.elements[row * A.width + e] * B.elements[e * B.width + col];
    C.elements[row * C.width + col] = value;
}
#else
__global__ void product(const T *a, const T *b, T *c, size_t pitch)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    T sum = 0;
#if STYLE == 2
    __shared__ T sa[TILE][TILE], sb[TILE][TILE];
    for (int m = 0; m < N / TILE; m++) {
        sa[threadIdx.y][threadIdx.x] = a[row * N + m * TILE + threadIdx.x];
        sb[threadIdx.y][threadIdx.x] = b[(m * TILE + threadIdx.y) * N + col];
        if (WRONG != 1) __syncthreads();
        for (int k = 0; k < TILE; k++) sum += sa[threadIdx.y][k] * sb[k][threadIdx.x];
        if (WRONG != 2) __syncthreads();
    }
    c[row * N + col] = sum;
#elif STYLE == 4
    for (int k = 0; k < N; k++)
        sum += ((const T *)((const char *)a + row * pitch))[k] * ((const T *)((const char *)b + k * pitch))[col];
    ((T *)((char *)c + row * pitch))[col] = sum;
#else
    if (WRONG != 3 && (row >= N || col >= N)) return;
    for (int k = 0; k < N; k++) sum += a[row * N + k] * b[k * N + col];
    c[row * N + col] = sum;
#endif
}
#endif

int main()
{
    static T a[N][N], b[N][N], c[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] = (i + j) % 4, b[i][j] = (i * j) % 3;
    T *d[3];
    size_t pitch = sizeof *a;
    for (int i = 0; i < 3; i++) {
        if (STYLE == 4) {
            CHECK(cudaMallocPitch((void **)&d[i], &pitch, sizeof *a, N));
        } else {
            CHECK(cudaMalloc((void **)&d[i], sizeof a));
        }
    }
    CHECK(cudaMemcpy2D(d[0], pitch, a, sizeof *a, sizeof *a, WRONG == 5 ? N + 1 : N, cudaMemcpyHostToDevice));
    if (WRONG != 4) CHECK(cudaMemcpy2D(d[1], pitch, b, sizeof *b, sizeof *b, N, cudaMemcpyHostToDevice));
    dim3 threads(TILE, TILE), blocks(N / TILE + (STYLE == 1), N / TILE);
#if STYLE == 3
    Matrix A = {N, N, d[0]}, B = {N, N, d[1]}, C = {N, N, d[2]};
    product<<<blocks, threads>>>(A, B, C);
#else
    product<<<blocks, threads>>>(d[0], d[1], d[2], pitch);
#endif
    CHECK_LAUNCH();
    CHECK(cudaMemcpy2D(c, sizeof *c, d[2], pitch, sizeof *c, N, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            T sum = 0;
            for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
            right = right && c[i][j] == sum;
        }
    for (T *p : d) CHECK(cudaFree(p));
    return verdict(right);
}
