// Each device has a __device__ variable of its own: two devices that write it do not meet. One device's two streams do.
// run: THREELANE_MODEL=unit+devices=2
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
__device__ int counter[32];
__global__ void count() { counter[threadIdx.x]++; }
int main()
{
    cudaStream_t a = stream();
#ifdef RIGHT
    cudaSetDevice(1);
    cudaStream_t b = stream();
    cudaSetDevice(0);
#else
    cudaSetDevice(1);
    a = stream();
    cudaStream_t b = stream();
#endif
    count<<<1, 32, 0, a>>>();                                    // A
#ifdef RIGHT
    cudaSetDevice(1);
#endif
    count<<<1, 32, 0, b>>>();                                    // B
    cudaStreamSynchronize(a);
    cudaStreamSynchronize(b);
    return finish();
}
