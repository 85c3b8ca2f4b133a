// Matrices that a warp multiplies together: layouts, shapes, types, and what is done to all elements of a fragment. The
// numbers are small, so that every sum is exact in whatever order.
// out: ok wmma
#include "conformance.h"
#include <mma.h>
using namespace nvcuda;

/* c = 2 * (a * b) + c, by tiles: rows x columns of tiles, a warp each */
template <int M, int N, int K, class T, class C, class LayoutA, class LayoutB>
__global__ void multiply(const T *a, const T *b, C *c, int inner, int lda, int ldb, int ldc, bool rows_a, bool rows_b)
{
    wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, C> sum, before;
    int row = blockIdx.y * M, column = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * N;
    wmma::fill_fragment(sum, (C)0);
    for (int k = 0; k < inner; k += K) {
        wmma::load_matrix_sync(fa, rows_a ? a + row * lda + k : a + k * lda + row, lda);
        wmma::load_matrix_sync(fb, rows_b ? b + k * ldb + column : b + column * ldb + k, ldb);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::load_matrix_sync(before, c + row * ldc + column, ldc, wmma::mem_row_major);
    for (int i = 0; i < sum.num_elements; i++) sum.x[i] = sum.x[i] * (C)2 + before.x[i];
    wmma::store_matrix_sync(c + row * ldc + column, sum, ldc, wmma::mem_row_major);
}

template <class T> static T small(int x) { return (T)x; }
template <> __half small<__half>(int x) { return __float2half((float)x); }
template <> __nv_bfloat16 small<__nv_bfloat16>(int x) { return __float2bfloat16((float)x); }
static double plain(float x) { return x; }
static double plain(int x) { return x; }
static double plain(__half x) { return __half2float(x); }

template <int M, int N, int K, class T, class C, class LayoutA, class LayoutB> static void check(bool rows_a, bool rows_b)
{
    enum { rows = 2 * M, columns = 4 * N, inner = 3 * K };
    T *a, *b;
    C *c;
    OK(cudaMallocManaged(&a, rows * inner * sizeof *a));
    OK(cudaMallocManaged(&b, inner * columns * sizeof *b));
    OK(cudaMallocManaged(&c, rows * columns * sizeof *c));
    int lda = rows_a ? inner : rows, ldb = rows_b ? columns : inner;
#define A(I, K) ((I * 5 + K * 3) % 4)
#define B(K, J) ((K * 2 + J * 7) % 3)
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++) a[rows_a ? i * lda + k : k * lda + i] = small<T>(A(i, k));
    for (int k = 0; k < inner; k++)
        for (int j = 0; j < columns; j++) b[rows_b ? k * ldb + j : j * ldb + k] = small<T>(B(k, j));
    for (int i = 0; i < rows * columns; i++) c[i] = small<C>(i % 5);
    multiply<M, N, K, T, C, LayoutA, LayoutB><<<dim3(2, 2), 64>>>(a, b, c, inner, lda, ldb, columns, rows_a, rows_b);
    OK(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            int want = 0;
            for (int k = 0; k < inner; k++) want += A(i, k) * B(k, j);
            wrong += plain(c[i * columns + j]) != 2 * want + (i * columns + j) % 5;
        }
    }
    CHECK(wrong == 0);
    OK(cudaFree(a));
    OK(cudaFree(b));
    OK(cudaFree(c));
}

__global__ void transposed(const __half *a, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.5f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, a, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_col_major);
}

int main()
{
    typedef wmma::row_major R;
    typedef wmma::col_major L;
    check<16, 16, 16, __half, float, R, R>(true, true);
    check<16, 16, 16, __half, float, R, L>(true, false);
    check<16, 16, 16, __half, float, L, R>(false, true);
    check<16, 16, 16, __half, __half, R, L>(true, false);
    check<32, 8, 16, __half, float, R, R>(true, true);
    check<8, 32, 16, __nv_bfloat16, float, R, L>(true, false);
    check<16, 16, 16, signed char, int, R, L>(true, false);
    __half *a;
    float *c;
    int wrong = 0;
    OK(cudaMallocManaged(&a, 256 * sizeof *a));
    OK(cudaMallocManaged(&c, 256 * sizeof *c));
    for (int i = 0; i < 256; i++) a[i] = __float2half((float)(i * 7 % 5));
    transposed<<<1, 32>>>(a, c);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 16; i++) {
        for (int j = 0; j < 16; j++) {
            float want = 0.5f;
            for (int k = 0; k < 16; k++) want += (float)((i * 16 + k) * 7 % 5) * (float)((k * 16 + j) * 7 % 5);
            wrong += c[j * 16 + i] != want;
        }
    }
    CHECK(wrong == 0);
    return finish("wmma");
}
