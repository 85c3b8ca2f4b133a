// An exception that nobody catches.
// status: 134
// hazard: race A B
// err: aborted in fail()
#include <stdexcept>

__global__ void a(int *p) { p[threadIdx.x] = 1; }
__global__ void b(int *p) { p[threadIdx.x] = 2; }

__attribute__((noinline)) static void fail() { throw std::runtime_error("no"); }

int main()
{
    int *d = nullptr;
    cudaStream_t s, t;
    cudaMalloc(&d, 128);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    a<<<1, 32, 0, s>>>(d);            // A
    b<<<1, 32, 0, t>>>(d);            // B
    fail();
    return 0;
}
