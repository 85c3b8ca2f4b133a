// run: THREELANE_MODEL=unit
// out: all as expected
// Every atomic with every type CUDA has; two concurrent kernels that count with atomics both count; a lock.
#include <cstdio>
#include <cstring>

#define CHECK(X) do { if (!(X)) { printf("line %d: %s\n", __LINE__, #X); bad++; } } while (0)

struct Cells {
    int add, sub, exch, low, high, both, any, one_of, cas;
    unsigned uadd, inc, dec, ulow, uhigh;
    unsigned long long ladd, lhigh, lcas, lor;
    float fadd;
    double dadd;
    int old;
};

__global__ void all(Cells *c)
{
    int t = (int)threadIdx.x;
    atomicAdd(&c->add, t);
    atomicSub(&c->sub, t);
    atomicMin(&c->low, 50 - t);
    atomicMax(&c->high, t - 50);
    atomicAnd(&c->both, ~(1 << t % 8));
    atomicOr(&c->any, 1 << t % 8);
    atomicXor(&c->one_of, t);
    atomicAdd(&c->uadd, (unsigned)t);
    atomicInc(&c->inc, 9u);
    atomicDec(&c->dec, 9u);
    atomicMin(&c->ulow, 4000000000u - t);
    atomicMax(&c->uhigh, 4000000000u + t);
    atomicAdd(&c->ladd, 1ull << 33);
    atomicMax(&c->lhigh, (unsigned long long)t << 40);
    atomicOr(&c->lor, 1ull << t % 64);
    atomicAdd(&c->fadd, 0.5f);
    atomicAdd_block(&c->dadd, 0.25);
    atomicCAS(&c->cas, t, t + 1);
    if (t == 3) c->old = atomicExch(&c->exch, 77);
    unsigned long long seen = c->lcas, old;
    do {
        old = seen;
        seen = atomicCAS_system(&c->lcas, old, old + 2);
    } while (seen != old);
}

__global__ void count(int *counter) { atomicAdd(counter, 1); }

__device__ int lock, inside, most;
__global__ void locked()
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {}
        inside++;
        if (inside > most) most = inside;
        __threadfence();
        inside--;
        __threadfence();
        atomicExch(&lock, 0);
    }
}

int main()
{
    int bad = 0;
    Cells h = {}, *d;
    h.both = 0xff, h.low = 1000, h.high = -1000, h.ulow = 4100000000u;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
    all<<<1, 100>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    CHECK(h.add == 4950 && h.sub == -4950 && h.low == -49 && h.high == 49 && h.both == 0 && h.any == 0xff);
    CHECK(h.one_of == 0 && h.uadd == 4950 && h.inc == 0 && h.dec == 0 && h.ulow == 3999999901u);
    CHECK(h.uhigh == 4000000099u && h.ladd == 100ull << 33 && h.lhigh == 99ull << 40 && h.lor == ~0ull);
    CHECK(h.fadd == 50 && h.dadd == 25 && h.cas == 100 && h.exch == 77 && h.old == 0 && h.lcas == 200);

    int *counter, n;
    cudaStream_t s[2];
    cudaMalloc(&counter, 4);
    cudaMemset(counter, 0, 4);
    for (cudaStream_t &stream : s) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    for (cudaStream_t stream : s) count<<<4, 64, 0, stream>>>(counter);     // at the same time
    cudaDeviceSynchronize();
    cudaMemcpy(&n, counter, 4, cudaMemcpyDeviceToHost);
    CHECK(n == 512);

    locked<<<8, 32>>>();
    cudaMemcpyFromSymbol(&n, most, 4);
    CHECK(n == 1);
    CHECK(cudaGetLastError() == cudaSuccess);
    if (!bad) printf("all as expected\n");
    return bad;
}
