// Kernels that launch kernels: what is ordered, what each sees of the others' memory, and when all of it is over.
// out: ok nested_launch
// flags: -rdc=true
// nvcc: -rdc=true
#include "conformance.h"

__device__ int said[4096], n_said;
__device__ void say(int x) { said[atomicAdd(&n_said, 1)] = x; }
__device__ int codes[16];

static int heard[4096], n_heard;
static void listen()
{
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyFromSymbol(&n_heard, n_said, sizeof n_heard));
    OK(cudaMemcpyFromSymbol(heard, said, sizeof heard));
    int none = 0;
    OK(cudaMemcpyToSymbol(n_said, &none, sizeof none));
}
static int place(int x)
{
    for (int i = 0; i < n_heard; i++)
        if (heard[i] == x) return i;
    return -1;
}

/* ---- a child sees its parent's writes; all have ended with the parent, of any depth ---- */

__global__ void add(int *p, int n, int x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += x;
}
__global__ void deeper(int *p, int n, int depth)
{
    int i = threadIdx.x;
    p[i] = 2 * p[i] + 1;
    __syncthreads();
    if (i == 0 && depth > 0) deeper<<<1, n>>>(p, n, depth - 1);
}
__global__ void fill(int *p, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) add<<<(n + 63) / 64, 64>>>(p, n, 1000);
}
static void memory()
{
    enum { N = 1000 };
    int *p, h[N], wrong = 0;
    OK(cudaMalloc(&p, sizeof h));
    fill<<<1, 128>>>(p, N);
    OK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) wrong += h[i] != i + 1000;
    CHECK(wrong == 0);
    /* what comes behind the parent in its stream comes behind its children */
    fill<<<1, 128>>>(p, N);
    add<<<8, 128>>>(p, N, 5);
    OK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    wrong = 0;
    for (int i = 0; i < N; i++) wrong += h[i] != i + 1005;
    CHECK(wrong == 0);
    OK(cudaMemset(p, 0, sizeof h));
    deeper<<<1, 32>>>(p, 32, 9);
    OK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 1023 && h[31] == 1023 && h[32] == 0);
    OK(cudaFree(p));
}

/* ---- the order in a block's own stream; tails come after all others ---- */

__global__ void speak(int x) { if (threadIdx.x == 0) say(x); }
__global__ void speaks_twice(int x)
{
    say(x);
    speak<<<1, 32>>>(x + 1);
}
__global__ void in_order(int first)
{
    for (int i = 0; i < 8; i++) speak<<<1, 32>>>(first + i);
}
__global__ void with_tails(int first)
{
    speak<<<1, 1, 0, cudaStreamTailLaunch>>>(first + 50);
    speak<<<1, 1, 0, cudaStreamTailLaunch>>>(first + 51);
    speak<<<1, 1, 0, cudaStreamFireAndForget>>>(first + 10);
    speaks_twice<<<1, 1>>>(first + 20);
    speaks_twice<<<1, 1>>>(first + 30);
    say(first);
}
static void order()
{
    in_order<<<1, 1>>>(0);
    listen();
    CHECK(n_heard == 8);
    for (int i = 0; i < 8; i++) CHECK(heard[i] == i);
    with_tails<<<1, 1>>>(100);
    listen();
    CHECK(n_heard == 8);
    CHECK(place(150) == 6 && place(151) == 7);
    CHECK(place(120) < place(121) && place(121) < place(130) && place(130) < place(131));
    CHECK(place(110) >= 0 && place(100) >= 0);
}

/* ---- streams and events of device code ---- */

__global__ void with_streams()
{
    cudaStream_t a, b;
    cudaEvent_t e;
    codes[0] = cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    codes[1] = cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    codes[2] = cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    speak<<<1, 1, 0, a>>>(1);
    speak<<<1, 1, 0, b>>>(2);
    codes[3] = cudaEventRecord(e, a);
    codes[4] = cudaStreamWaitEvent(b, e, 0);
    speak<<<1, 1, 0, b>>>(3);
    speak<<<1, 1, 0, a>>>(4);
    codes[5] = cudaEventDestroy(e);
    codes[6] = cudaStreamDestroy(a);
    codes[7] = cudaStreamDestroy(b);
    codes[8] = cudaGetLastError();
}
static void streams()
{
    int h[16];
    with_streams<<<1, 1>>>();
    listen();
    CHECK(n_heard == 4 && place(1) < place(3) && place(2) < place(3) && place(1) < place(4));
    OK(cudaMemcpyFromSymbol(h, codes, sizeof h));
    for (int i = 0; i < 9; i++) IS(cudaSuccess, (cudaError_t)h[i]);
}

/* ---- copies and sets ---- */

__global__ void copies(int *to, const int *from)
{
    cudaMemsetAsync(to, 0, 16 * sizeof *to, 0);
    cudaMemcpyAsync(to + 1, from, 3 * sizeof *to, cudaMemcpyDeviceToDevice, 0);
    add<<<1, 32>>>(to, 4, 7);
    cudaMemcpyAsync(to + 8, to, 4 * sizeof *to, cudaMemcpyDeviceToDevice, 0);
}
static void moved()
{
    int *p, h[32], wanted[12] = {7, 11 + 7, 12 + 7, 13 + 7, 0, 0, 0, 0, 7, 18, 19, 20};
    OK(cudaMalloc(&p, sizeof h));
    for (int i = 0; i < 32; i++) h[i] = i - 16 + 11;
    OK(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
    copies<<<1, 1>>>(p, p + 16);
    OK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(!memcmp(h, wanted, sizeof wanted));
    CHECK(h[12] == 0 && h[15] == 0 && h[16] == 11);
    OK(cudaFree(p));
}

/* ---- what goes wrong ---- */

__global__ void too_large(int threads)
{
    if (threadIdx.x == 1) {
        speak<<<1, threads>>>(7);
        codes[0] = cudaPeekAtLastError();
        codes[1] = cudaGetLastError();
        codes[2] = cudaGetLastError();
    } else {
        codes[3] = cudaGetLastError();
    }
}
static void errors()
{
    int h[16];
    too_large<<<1, 2>>>(2048);
    listen();
    CHECK(n_heard == 0);
    OK(cudaMemcpyFromSymbol(h, codes, sizeof h));
    IS(cudaErrorInvalidConfiguration, (cudaError_t)h[0]);
    IS(cudaErrorInvalidConfiguration, (cudaError_t)h[1]);
    IS(cudaSuccess, (cudaError_t)h[2]);
    IS(cudaSuccess, (cudaError_t)h[3]);
}

/* ---- many: a quicksort, and a launch by each of many blocks ---- */

__global__ void sort_pieces(int *v, int left, int right)
{
    int i = left, j = right, pivot = v[(left + right) / 2];
    while (i <= j) {
        while (v[i] < pivot) i++;
        while (v[j] > pivot) j--;
        if (i > j) break;
        int x = v[i];
        v[i++] = v[j];
        v[j--] = x;
    }
    if (left < j) sort_pieces<<<1, 1, 0, cudaStreamFireAndForget>>>(v, left, j);
    if (i < right) sort_pieces<<<1, 1, 0, cudaStreamFireAndForget>>>(v, i, right);
}
__global__ void each_block(int *p)
{
    if (threadIdx.x == 0) add<<<1, 32>>>(p + 32 * blockIdx.x, 32, (int)blockIdx.x);
}
static void many()
{
    enum { N = 200, BLOCKS = 64 };
    int *p, h[32 * BLOCKS], wrong = 0;
    OK(cudaMalloc(&p, sizeof h));
    for (int i = 0; i < N; i++) h[i] = i * 7919 % N;
    OK(cudaMemcpy(p, h, N * sizeof *h, cudaMemcpyHostToDevice));
    sort_pieces<<<1, 1>>>(p, 0, N - 1);
    OK(cudaMemcpy(h, p, N * sizeof *h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) wrong += h[i] != i;
    CHECK(wrong == 0);
    OK(cudaMemset(p, 0, sizeof h));
    each_block<<<BLOCKS, 32>>>(p);
    OK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    wrong = 0;
    for (int i = 0; i < 32 * BLOCKS; i++) wrong += h[i] != i / 32;
    CHECK(wrong == 0);
    OK(cudaFree(p));
}

int main()
{
    memory();
    order();
    streams();
    moved();
    errors();
    many();
    return finish("nested_launch");
}
