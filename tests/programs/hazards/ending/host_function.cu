// A host function that the program's end overtakes is not run: what it uses may be gone.
// hazard: race A B
// hazard: unfinished F
// not: called
#include <cstdio>

__global__ void a(int *p) { p[0] = 1; }
__global__ void b(int *p) { p[0] = 2; }

int main()
{
    int *d = nullptr;
    cudaStream_t s, t;
    cudaMalloc(&d, 128);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    a<<<1, 1, 0, s>>>(d);             // F
    cudaLaunchHostFunc(s, [](void *) { printf("called\n"); }, nullptr);
    a<<<1, 1, 0, s>>>(d + 1);         // A
    b<<<1, 1, 0, t>>>(d + 1);         // B
    return 0;
}
