// Kernels whose blocks run without hooks: what they write is seen at their virtual end, whatever memory it is in, and
// by nobody before; what they have written counts as written; bytes of others beside theirs stay as they are.
// run: THREELANE_ACCESSES=0 THREELANE_MODEL=@/../hazards/devices/two.ini
// out: early 0 0 0, late 0 0 0 0 0 0, beside 0, graph 0, second device 0, error 0
// err: checked in samples
// not: uninitialised
// hazard: host-race A B
// hazard: host-race C D
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { N = 1 << 16, THREADS = 256, BLOCKS = N / THREADS, BIG = 1 << 20 };
__device__ int variable[N / 4];
__device__ int from_device;

__global__ void fill(int *p, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = value + i;
}
__global__ void add(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += 3;
}
__global__ void in_variable()
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 4) variable[i] = 5 * i;
    if (i == 0) from_device = 77;
}
__global__ void count(int *p, int *counter)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    atomicAdd(counter, 1);
}
// The second half of the blocks reads what the first half has written, after a barrier of the grid made by hand.
__global__ void halves(int *p, int *arrived)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, half = gridDim.x / 2 * blockDim.x;
    if (blockIdx.x < gridDim.x / 2) {
        p[i] = i;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(arrived, 1);
        }
    } else {
        if (threadIdx.x == 0)
            while (*(volatile int *)arrived < (int)gridDim.x / 2) { }
        __syncthreads();
        p[i] = p[i - half] + 1;
    }
}
static int wrong(const int *p, int n, int factor, int plus)
{
    int bad = 0;
    for (int i = 0; i < n; i++) bad += p[i] != factor * i + plus;
    return bad;
}

int main()
{
    int *d, *counter, *now, *pinned, *managed, *own, early[3] = {}, late[6] = {}, beside = 0;
    cudaStream_t one, two;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaMalloc(&d, BIG * sizeof *d);
    cudaMalloc(&counter, sizeof *counter);
    cudaMallocHost(&now, BIG * sizeof *now);
    cudaMallocHost(&pinned, N * sizeof *pinned);
    cudaMallocManaged(&managed, N * sizeof *managed);
    own = (int *)malloc(N * sizeof *own);
    for (int i = 0; i < N; i++) own[i] = pinned[i] = -1;
    cudaHostRegister(own, N * sizeof *own, cudaHostRegisterDefault);
    cudaMemset(counter, 0, sizeof *counter);

    // the host looks while the kernel is at work: at memory that both can reach (volatile, so that nothing is reported)
    fill<<<BLOCKS, THREADS, 0, one>>>(pinned, N, 1);       // A
    for (int i = 0; i < N; i += 1000) early[0] += ((volatile int *)pinned)[i] != -1;   // B
    cudaStreamSynchronize(one);
    late[0] = wrong(pinned, N, 1, 1);
    fill<<<BLOCKS, THREADS, 0, one>>>(own, N, 2);          // C
    for (int i = 0; i < N; i += 1000) early[1] += ((volatile int *)own)[i] != -1;      // D
    cudaStreamSynchronize(one);
    late[1] = wrong(own, N, 1, 2);
    fill<<<BLOCKS, THREADS, 0, one>>>(managed, N, 3);
    cudaStreamSynchronize(one);
    late[2] = wrong(managed, N, 1, 3);

    // device memory that nobody has written before, and parts of it that are no whole pieces of anything, at once
    int cut = 40961;
    fill<<<(cut + 255) / 256, THREADS, 0, one>>>(d, cut, 0);
    fill<<<(BIG - cut + 255) / 256, THREADS, 0, two>>>(d + cut, BIG - cut, cut);
    cudaDeviceSynchronize();
    add<<<(cut + 255) / 256, THREADS, 0, one>>>(d, cut);
    add<<<(BIG - cut + 255) / 256, THREADS, 0, two>>>(d + cut, BIG - cut);
    cudaDeviceSynchronize();
    cudaMemcpy(now, d, BIG * sizeof *d, cudaMemcpyDeviceToHost);
    late[3] = wrong(now, BIG, 1, 3);
    fill<<<BLOCKS, THREADS, 0, one>>>(d + 100, N, 0);
    cudaMemsetAsync(d, 0, 400, two);
    cudaMemsetAsync(d + 100 + N, 0, 400, two);
    cudaDeviceSynchronize();
    cudaMemcpy(now, d, BIG * sizeof *d, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 100; i++) beside += now[i] != 0 || now[100 + N + i] != 0;
    beside += wrong(now + 100, N, 1, 0);

    in_variable<<<BLOCKS / 4, THREADS>>>();
    int flag = 0;
    cudaMemcpyFromSymbol(&flag, from_device, sizeof flag);
    cudaMemcpyFromSymbol(now, variable, sizeof variable);
    late[4] = wrong(now, N / 4, 5, 0) + (flag != 77);

    count<<<BLOCKS, THREADS>>>(d, counter);
    cudaMemcpy(&flag, counter, sizeof flag, cudaMemcpyDeviceToHost);
    late[5] = flag != N;
    cudaMemset(counter, 0, sizeof *counter);
    halves<<<BLOCKS, THREADS>>>(d, counter);
    cudaMemcpy(now, d, N * sizeof *d, cudaMemcpyDeviceToHost);
    late[5] += wrong(now, N / 2, 1, 0) + wrong(now + N / 2, N / 2, 1, 1);

    // the same graph again and again
    cudaGraph_t graph;
    cudaGraphExec_t again;
    cudaMemset(d, 0, N * sizeof *d);
    cudaDeviceSynchronize();
    cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
    add<<<BLOCKS, THREADS, 0, one>>>(d, N);
    add<<<BLOCKS, THREADS, 0, one>>>(d, N);
    cudaStreamEndCapture(one, &graph);
    cudaGraphInstantiate(&again, graph, 0);
    for (int i = 0; i < 5; i++) cudaGraphLaunch(again, one);
    cudaStreamSynchronize(one);
    cudaMemcpy(now, d, N * sizeof *d, cudaMemcpyDeviceToHost);
    int in_graph = 0, second = 0, devices = 0;
    for (int i = 0; i < N; i++) in_graph += now[i] != 30;

    cudaGetDeviceCount(&devices);
    if (devices > 1) {
        cudaSetDevice(1);
        in_variable<<<1, THREADS>>>();
        cudaMemcpyFromSymbol(&flag, from_device, sizeof flag);
        cudaMalloc(&d, N * sizeof *d);
        fill<<<BLOCKS, THREADS>>>(d, N, 9);
        cudaMemcpy(now, d, N * sizeof *d, cudaMemcpyDeviceToHost);
        second = wrong(now, N, 1, 9) + (flag != 77);
    }
    printf("early %d %d %d, late %d %d %d %d %d %d, beside %d, graph %d, second device %d, error %d\n", early[0], early[1],
           early[2], late[0], late[1], late[2], late[3], late[4], late[5], beside, in_graph, second, cudaGetLastError());
}
