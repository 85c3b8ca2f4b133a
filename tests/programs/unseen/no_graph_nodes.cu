// The parts of a graph, made by hand.
// build: fails
// err: tlcc: graphs are not simulated
int main()
{
    cudaKernelNodeParams kernel = {0};
    cudaMemsetParams set = {0};
    cudaHostNodeParams host = {0};
    return kernel.blockDim.x + set.value + (host.fn != 0);
}
