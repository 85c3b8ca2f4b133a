// out: all as expected
// Barriers in all their kinds, shared memory, dynamic shared memory, threads that leave early.
#include <cstdio>
#define N 256

__global__ void reduce(const int *in, int *out)
{
    __shared__ int sum[N];
    unsigned t = threadIdx.x;
    sum[t] = in[blockIdx.x * N + t];
    __syncthreads();
    for (unsigned k = N / 2; k; k /= 2) {
        if (t < k) sum[t] += sum[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sum[0];
}

__global__ void reverse(int *data)
{
    extern __shared__ int copy[];
    copy[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = copy[blockDim.x - 1 - threadIdx.x];
}

__global__ void votes(int *out)
{
    int odd = threadIdx.x & 1;
    int count = __syncthreads_count(odd), all = __syncthreads_and(odd), any = __syncthreads_or(odd);
    if (threadIdx.x == 7) out[0] = count, out[1] = all, out[2] = any;
}

__global__ void early(int *out)      // threads that have left do not count
{
    if (threadIdx.x % 3 == 0) return;
    __syncthreads();
    atomicAdd(out, 1);
}

template <int TILE> __global__ void multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float sa[TILE][TILE], sb[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int k = 0; k < n; k += TILE) {
        sa[y][x] = a[row * n + k + x];
        sb[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int j = 0; j < TILE; j++) sum += sa[y][j] * sb[j][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void shape(int *out)      // blocks of three dimensions, in order x, y, z
{
    __shared__ int order[24];
    int rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    order[rank] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z;
    __syncthreads();
    if (rank == 23) for (int i = 0; i < 24; i++) out[i] = order[i];
}

#define CHECK(X) do { if (!(X)) { printf("line %d: %s\n", __LINE__, #X); bad++; } } while (0)

int main()
{
    int bad = 0, *d, h[4 * N];
    cudaMalloc(&d, sizeof h);
    for (int i = 0; i < 4 * N; i++) h[i] = i;
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    int *out;
    cudaMalloc(&out, 4096);
    reduce<<<4, N>>>(d, out);
    cudaMemcpy(h, out, 16, cudaMemcpyDeviceToHost);
    CHECK(h[0] == 255 * 128 && h[3] == 255 * 128 + 3 * N * N);
    reverse<<<1, 100, 100 * sizeof(int)>>>(d);
    cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost);
    CHECK(h[0] == 99 && h[99] == 0 && h[40] == 59);
    votes<<<1, 65>>>(out);
    cudaMemcpy(h, out, 12, cudaMemcpyDeviceToHost);
    CHECK(h[0] == 32 && h[1] == 0 && h[2] != 0);
    cudaMemset(out, 0, 4);
    early<<<3, 100>>>(out);
    cudaMemcpy(h, out, 4, cudaMemcpyDeviceToHost);
    CHECK(h[0] == 3 * 66);
    shape<<<1, dim3(4, 3, 2)>>>(out);
    cudaMemcpy(h, out, 96, cudaMemcpyDeviceToHost);
    CHECK(h[0] == 0 && h[5] == 11 && h[23] == 123 && h[12] == 100);

    const int n = 64;
    static float a[n * n], b[n * n], c[n * n];
    for (int i = 0; i < n * n; i++) a[i] = (float)(i % 7), b[i] = (float)(i % 5);
    float *m;
    cudaMalloc(&m, 3 * sizeof a);
    cudaMemcpy(m, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(m + n * n, b, sizeof b, cudaMemcpyHostToDevice);
    multiply<16><<<dim3(n / 16, n / 16), dim3(16, 16)>>>(m, m + n * n, m + 2 * n * n, n);
    cudaMemcpy(c, m + 2 * n * n, sizeof c, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            if (sum != c[i * n + j]) bad++;
        }
    CHECK(cudaGetLastError() == cudaSuccess);
    if (!bad) printf("all as expected\n");
    return bad;
}
