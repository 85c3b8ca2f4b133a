// An assertion that fails because nobody waited: the race is reported, and the line of the assertion comes last.
// status: 134
// hazard: host-race K R
// err: assertion.cu:16: aborted in main()
#include <cassert>
#include <cstdio>

__global__ void fill(int *p) { p[threadIdx.x] = 7; }

int main()
{
    int *m = nullptr;
    cudaMallocManaged(&m, 128);
    m[0] = 0;
    fill<<<1, 32>>>(m);               // K
    assert(m[0] == 7);                // R
    return 0;
}
