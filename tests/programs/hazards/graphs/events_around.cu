// Streams, events, the default stream and the host order whole graphs as they order kernels. Nothing is to be reported.
#include "../hazards.h"
#include <thread>
int main()
{
    int *d, *h; cudaMalloc(&d, BYTES), cudaMallocHost(&h, BYTES); keep(d), keep_pinned(h);
    cudaStream_t a = stream(cudaStreamDefault), b = stream(cudaStreamDefault), c = stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec[2];
    cudaStreamBeginCapture(c, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, c);
    add<<<4, 256, 0, c>>>(d, N);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, c);
    cudaStreamEndCapture(c, &graph);
    for (int i = 0; i < 2; i++) cudaGraphInstantiate(&exec[i], graph, 0);
    for (int i = 0; i < 40; i++) {
        cudaGraphLaunch(exec[0], a);
        order(a, c);
        cudaGraphLaunch(exec[1], c);
        order(c, b);
        cudaGraphLaunch(exec[0], b);
        if (n_events > 24) {
            cudaDeviceSynchronize();
            while (n_events) cudaEventDestroy(made_events[--n_events]);
        }
        fill<<<4, 256>>>(d, N, i);                               // the default stream: behind a and b, and before them
        cudaGraphLaunch(exec[1], a);
        cudaStreamSynchronize(a);
        h[0]++;
        std::thread([&] { cudaGraphLaunch(exec[0], a); cudaStreamSynchronize(a); }).join();
        h[1]++;
    }
    for (int i = 0; i < 2; i++) cudaGraphExecDestroy(exec[i]);
    cudaGraphDestroy(graph);
    return finish();
}
