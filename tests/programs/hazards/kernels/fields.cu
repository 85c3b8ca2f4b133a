// One kernel has the positions, one the speeds of the same particles.
// hazard: race A B
// err: 1024 of these
// right: -DRIGHT
#include "../hazards.h"
struct Particle { float x, v, mass, spare; };
__global__ void place(Particle *p) { p[threadIdx.x].x = 1; }
__global__ void push(Particle *p) { p[threadIdx.x].v = 1; }
int main()
{
    Particle *d; cudaMalloc(&d, 256 * sizeof *d); keep((int *)d, 256 * sizeof *d);
    cudaStream_t a = stream(), b = stream();
    place<<<1, 256, 0, a>>>(d);                                  // A
#ifdef RIGHT
    push<<<1, 256, 0, b>>>(d);
    cudaDeviceSynchronize();
#else
    place<<<1, 256, 0, b>>>(d);                                  // B
#endif
    return finish();
}
