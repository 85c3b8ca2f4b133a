// Kernel parameters: a class is copied as bytes, and no thread constructs or destroys one; a reference is an address.
// out: launched with 1 destroyed
// out: 0 1 2 3
// out: 7 9, cudaSuccess
// out: host memory: cudaErrorIllegalAddress, 1
// not: in the kernel
// hazard: wrong-memory D
#include <stdio.h>

static int copied, destroyed;
struct Array {
    int *p;
    int n;
    Array *self;
    Array(int n) : n(n), self(this) { cudaMallocManaged(&p, n * sizeof *p); }
    Array(const Array &o) : p(o.p), n(o.n), self(this) { copied++; }
    ~Array() { destroyed++; }
    __device__ void set(int i, int v) { p[i] = v; }
};

__global__ void fill(Array a) { a.set(threadIdx.x, threadIdx.x); }
template <class... T> __global__ void change(int &x, const Array &a, T &&...more)
{
    x = 7; // D
    a.p[0] = 9;
}

int main()
{
    Array a(4);
    fill<<<1, 4>>>(a);
    int launched = destroyed;
    cudaDeviceSynchronize();
    printf("launched with %d destroyed\n", launched == copied && destroyed == launched ? 1 : -1);
    printf("%d %d %d %d\n", a.p[0], a.p[1], a.p[2], a.p[3]);

    int *x;
    Array *b;
    cudaMallocManaged(&x, sizeof *x);
    cudaMallocManaged(&b, sizeof *b);
    *x = 1;
    b->p = a.p;
    change<<<1, 1>>>(*x, *b);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%d %d, %s\n", *x, a.p[0], cudaGetErrorName(error));
    cudaFree(x);
    cudaFree(b);
    cudaFree(a.p);

    int here = 1;
    change<<<1, 1>>>(here, a);
    error = cudaDeviceSynchronize();
    printf("host memory: %s, %d\n", cudaGetErrorName(error), here);
}
