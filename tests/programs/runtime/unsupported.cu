// A call that is known and not simulated: named, with its line.
// out: before
// status: 96
// err: unsupported.cu:12: cudaGraphLaunch is not simulated
#include <cstdio>
int main()
{
    cudaGraphExec_t exec = NULL;
    cudaStream_t s;
    cudaStreamCreate(&s);
    printf("before\n");
    cudaGraphLaunch(exec, s);
    printf("after\n");
    return 0;
}
