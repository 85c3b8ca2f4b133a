// run: THREELANE_MODEL=h200
// out: all as expected
// Clocks are virtual: a kernel that spins lasts as long as it spun, whatever its size, exact to half a percent.
#include <cstdio>

#define CHECK(X) do { if (!(X)) { printf("line %d: %s (%f)\n", __LINE__, #X, (double)ms); bad++; } } while (0)

__global__ void spin(unsigned long long ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)); while (now - begin < ns);
}
__global__ void ticks(long long n) { for (long long t = clock64(); clock64() - t < n;) {} }
__global__ void naps(int n) { for (int i = 0; i < n; i++) __nanosleep(1000); }
__global__ void uneven()             // the third thread takes longest
{
    long long t = clock64();
    while (clock64() - t < 100000ll * (threadIdx.x == 2 ? 30 : threadIdx.x % 5 + 1)) {}
}
__global__ void together(long long *out)      // a barrier is left by all when the last one comes
{
    long long t = clock64();
    if (threadIdx.x == 5) while (clock64() - t < 1000000) {}
    __syncthreads();
    out[threadIdx.x] = clock64() - t;
}
__global__ void places(unsigned *out)
{
    unsigned lane, warp, sm;
    asm("mov.u32 %0, %laneid;" : "=r"(lane));
    asm("mov.u32 %0, %warpid;" : "=r"(warp));
    asm("mov.u32 %0, %smid;" : "=r"(sm));
    if (threadIdx.x == 70) out[0] = lane, out[1] = warp, out[2] = sm;
}

template <class F> float timed(F launch)
{
    cudaEvent_t begin, end;
    float ms;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    launch();                        // once before, as on a real device
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    return ms;
}

int main()
{
    int bad = 0;
    float ms;
    ms = timed([] { spin<<<1, 1>>>(1000000); });
    CHECK(ms > 0.995 && ms < 1.02);
    ms = timed([] { spin<<<132, 1024>>>(2000000); });
    CHECK(ms > 1.99 && ms < 2.02);
    ms = timed([] { spin<<<132, 64>>>(20000000); });
    CHECK(ms > 19.9 && ms < 20.1);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    int khz;
    cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
    ms = timed([&] { ticks<<<8, 256>>>(5ll * khz); });
    CHECK(ms > 4.95 && ms < 5.1);
    ms = timed([] { naps<<<4, 32>>>(3000); });
    CHECK(ms > 2.9 && ms < 3.1);
    ms = timed([&] { uneven<<<16, 64>>>(); });
    CHECK(ms > 0.99 * 3000000 / khz && ms < 1.02 * 3000000 / khz + 0.01);
    long long *out, h[64];
    cudaMalloc(&out, sizeof h);
    together<<<1, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    ms = (float)h[60];
    CHECK(h[0] >= 1000000 && h[60] >= 1000000 && h[60] < 1010000);
    unsigned u[3], *d;
    cudaMalloc(&d, sizeof u);
    places<<<1, 96>>>(d);
    cudaMemcpy(u, d, sizeof u, cudaMemcpyDeviceToHost);
    CHECK(u[0] == 6 && u[1] == 2 && u[2] == 0);
    if (!bad) printf("all as expected\n");
    return bad;
}
