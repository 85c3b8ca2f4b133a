// run: THREELANE_MODEL=unit
// out: all as expected
// A kernel's plain stores are seen when it ends and not before; volatile, atomic and fenced ones at once; a copy that
// ends while a kernel holds back stores to the same bytes goes beneath them.
#include <cstdio>
#include <unistd.h>

#define CHECK(X) do { if (!(X)) { printf("line %d: %s\n", __LINE__, #X); bad++; } } while (0)

__device__ int variable;

__global__ void stores(int *p)
{
    p[0] = 1;
    *(volatile int *)&p[1] = 1;
    atomicAdd(&p[2], 1);
    p[3] = 1;                        // before the fence, as p[0]
    __threadfence_system();
    p[4] = 1;
    p[5] = 1;
    atomicAdd(&p[5], 1);             // what an atomic touches has landed
    variable = 5;
    ((char *)p)[4 * 6 + 1] = 1;      // one byte of four
}

__global__ void write(int *p, int v) { *p = v; }
__global__ void read(const int *p, int *to) { *to = *p; }

int main()
{
    int bad = 0, *p, *d, v;
    cudaStream_t a, b;
    cudaMallocHost(&p, 64);
    cudaMalloc(&d, 64);
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    for (int i = 0; i < 16; i++) p[i] = 0;

    stores<<<1, 1, 0, a>>>(p);
    usleep(100);                     // it has started and lasts a unit
    volatile int *now = p;
    CHECK(now[0] == 1 && now[1] == 1 && now[2] == 1 && now[3] == 1 && now[4] == 0 && now[5] == 2 && now[6] == 0);
    cudaMemcpyFromSymbolAsync(&p[8], variable, 4, 0, cudaMemcpyDeviceToHost, a);
    cudaStreamSynchronize(a);
    CHECK(now[0] == 1 && now[4] == 1 && now[5] == 2 && now[6] == 0x100 && now[8] == 5);

    // the kernel runs from 0 to 1, the memset beside it; whoever ends last is seen
    cudaMemset(d, 0, 64);
    cudaDeviceSynchronize();
    write<<<1, 1, 0, a>>>(d, 7);
    read<<<1, 1, 0, b>>>(d, d + 1);  // at the same time: reads what was there
    cudaDeviceSynchronize();
    cudaMemcpy(&v, d + 1, 4, cudaMemcpyDeviceToHost);
    CHECK(v == 0);
    cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost);
    CHECK(v == 7);
    if (!bad) printf("all as expected\n");
    return bad;
}
// hazard: host-race 39 42
// hazard: race 50 51
