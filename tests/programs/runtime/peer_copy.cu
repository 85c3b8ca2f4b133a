// A copy from one device to another is not simulated yet: it is named, with its line.
// run: THREELANE_MODEL=@/../hazards/devices/two.ini
// out: same 0
// status: 96
// err: peer_copy.cu:14: cudaMemcpyPeerAsync between two devices is not simulated
#include <cstdio>
int main()
{
    int *a, *b;
    cudaMalloc(&a, 4);
    cudaMalloc(&b, 4);
    cudaMemset(a, 0, 4);
    printf("same %d\n", (int)cudaMemcpyPeerAsync(b, 0, a, 0, 4));
    cudaMemcpyPeerAsync(b, 1, a, 0, 4);
    puts("never");
}
