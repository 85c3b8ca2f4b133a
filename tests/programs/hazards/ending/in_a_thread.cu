// exit() in another thread, while that of main waits.
// status: 3
// flags: -lpthread
// hazard: race A B
#include <cstdlib>
#include <thread>

__global__ void a(int *p) { p[0] = 1; }
__global__ void b(int *p) { p[0] = 2; }

int main()
{
    std::thread([] {
        int *d = nullptr;
        cudaStream_t s, t;
        cudaMalloc(&d, 128);
        cudaStreamCreate(&s);
        cudaStreamCreate(&t);
        a<<<1, 1, 0, s>>>(d);         // A
        b<<<1, 1, 0, t>>>(d);         // B
        cudaStreamSynchronize(s);
        cudaStreamSynchronize(t);
        exit(3);
    }).join();
    return 0;
}
