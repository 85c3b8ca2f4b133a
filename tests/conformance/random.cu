// Random numbers of kernels: xorwow and Philox as cuRAND seeds them, in sequence, skipped ahead, and in subsequences.
// The sums are those of the toolkit's own header on a host.
// out: ok random
#include "conformance.h"
#include <curand_kernel.h>
#include <math.h>

static __device__ void add(unsigned long long *sum, unsigned long long x)
{
    *sum = (*sum ^ x) * 1099511628211ull;
}
template <class T> static __device__ unsigned long long bits(T x)
{
    unsigned long long b = 0;
    memcpy(&b, &x, sizeof x);
    return b;
}

template <class State> static __device__ void draw(unsigned long long seed, unsigned long long sequence, unsigned long long offset, unsigned long long *sum)
{
    State s;
    curand_init(seed, sequence, offset, &s);
    for (int i = 0; i < 5; i++) add(sum, curand(&s));
    for (int i = 0; i < 3; i++) add(sum, bits(curand_uniform(&s)));
    for (int i = 0; i < 3; i++) add(sum, bits(curand_uniform_double(&s)));
    for (int i = 0; i < 3; i++) curand_normal(&s);
    curand_log_normal(&s, 0.f, 1.f);
    curand_normal_double(&s);
    add(sum, curand(&s));
    skipahead(sequence + 7, &s);
    add(sum, curand(&s));
    skipahead_sequence(offset + 3, &s);
    add(sum, curand(&s));
}
static __device__ void draw_fours(unsigned long long seed, unsigned long long sequence, unsigned long long offset, unsigned long long *sum)
{
    curandStatePhilox4_32_10_t s;
    curand_init(seed, sequence, offset, &s);
    for (int i = 0; i < 5; i++) {
        uint4 x = curand4(&s);
        float4 u = curand_uniform4(&s);
        double2 d = curand_uniform2_double(&s);
        add(sum, x.x), add(sum, x.y), add(sum, x.z), add(sum, x.w);
        add(sum, bits(u.x)), add(sum, bits(u.w)), add(sum, bits(d.x)), add(sum, bits(d.y));
        add(sum, curand(&s));
    }
}
static __device__ void draw_all(unsigned long long *sum)
{
    const unsigned long long seeds[] = {0, 1234, 0xdeadbeefcafeull, ~0ull}, sequences[] = {0, 1, 77, 1ull << 40, ~0ull}, offsets[] = {0, 1, 5, 1ull << 33};
    for (int i = 0; i < 3; i++) sum[i] = 14695981039346656037ull;
    for (int i = 0; i < 80; i++) {
        unsigned long long seed = seeds[i % 4], sequence = sequences[i / 4 % 5], offset = offsets[i / 20];
        draw<curandStateXORWOW_t>(seed, sequence, offset, sum);
        draw<curandStatePhilox4_32_10_t>(seed, sequence, offset, sum + 1);
        draw_fours(seed, sequence, offset, sum + 2);
    }
}
#ifndef ON_A_HOST
__global__ void sums(unsigned long long *sum) { draw_all(sum); }

/* two normal numbers are those of two uniform ones; the log-normal one is its exponential */
__global__ void normals(double *worst)
{
    curandState s, t;
    double most = 0;
    curand_init(42, threadIdx.x, 0, &s);
    t = s;
    for (int i = 0; i < 16; i++) {
        double u = curand_uniform(&s), v = curand_uniform(&s), r = sqrt(-2 * log(u)), turn = 6.283185307179586 * v;
        double x = curand_normal(&t), y = curand_normal(&t);
        most = fmax(most, fmax(fabs(x - r * sin(turn)), fabs(y - r * cos(turn))));
    }
    float2 pair = curand_normal2(&s);
    most = fmax(most, (double)fabsf(logf(curand_log_normal(&t, 1, 2)) - (1 + 2 * pair.x)));
    double u = curand_uniform_double(&s), v = curand_uniform_double(&s), x = curand_normal_double(&t);
    most = fmax(most, fabs(x - sqrt(-2 * log(u)) * sin(6.283185307179586 * v)));
    worst[threadIdx.x] = most;
}

int main()
{
    static const unsigned long long wanted[3] = {0x435161e3f7ee01fbull, 0xfe88f2806fe09af9ull, 0xfc7eca913957afd2ull};
    unsigned long long *sum;
    double *worst;
    OK(cudaMallocManaged(&sum, 3 * sizeof *sum));
    OK(cudaMallocManaged(&worst, 64 * sizeof *worst));
    sums<<<1, 1>>>(sum);
    normals<<<1, 64>>>(worst);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 3; i++) {
        if (sum[i] != wanted[i]) printf("sum %d: %016llx\n", i, sum[i]);
        CHECK(sum[i] == wanted[i]);
    }
    for (int i = 0; i < 64; i++) CHECK(worst[i] < 2e-5);
    return finish("random");
}
#endif
