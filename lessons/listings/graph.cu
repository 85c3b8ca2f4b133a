// lessons/inside-a-block.md: work of two streams, captured once and launched three times.
#include <cstdio>
#include <cuda_runtime.h>

enum { N = 1024 };

__global__ void add(float *data, float what) { data[blockIdx.x * blockDim.x + threadIdx.x] += what; }

int main()
{
    static float left[N], right[N];
    float *a, *b;
    cudaStream_t stream, beside;
    cudaEvent_t fork, join;
    cudaMalloc(&a, sizeof left);
    cudaMalloc(&b, sizeof right);
    cudaMemset(a, 0, sizeof left);
    cudaMemset(b, 0, sizeof right);
    cudaStreamCreate(&stream);
    cudaStreamCreate(&beside);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);

    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<N / 256, 256, 0, stream>>>(a, 1);     // not run: written down
    cudaEventRecord(fork, stream);
    cudaStreamWaitEvent(beside, fork, 0);       // from here on, the other stream is captured, too
    add<<<N / 256, 256, 0, beside>>>(b, 2);
    cudaEventRecord(join, beside);
    cudaStreamWaitEvent(stream, join, 0);       // and has to come back
    cudaStreamEndCapture(stream, &graph);

    cudaGraphInstantiate(&exec, graph, 0);
    for (int i = 0; i < 3; i++) cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);

    cudaMemcpy(left, a, sizeof left, cudaMemcpyDeviceToHost);
    cudaMemcpy(right, b, sizeof right, cudaMemcpyDeviceToHost);
    bool fine = true;
    for (int i = 0; i < N; i++) fine = fine && left[i] == 3 && right[i] == 6;
    printf("%s\n", fine ? "right" : "wrong");
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(beside);
    cudaFree(a);
    cudaFree(b);
    return fine ? 0 : 1;
}
