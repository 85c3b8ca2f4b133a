// What device code makes of numbers that do not fit an integer, of the fast forms where they are far from the exact
// ones, and of parameters that are references or have copy constructors.
// out: ok numbers
#include "conformance.h"
#include <math.h>

__managed__ int destroyed;
struct Counted {
    int *p;
    __host__ __device__ Counted(int *p) : p(p) {}
    __host__ __device__ Counted(const Counted &o) : p(o.p) {}
    __host__ __device__ ~Counted() { destroyed++; }
};

__global__ void from_float(float over, float minus, float n, long long *o)
{
    o[0] = (int)over;
    o[1] = (int)-over;
    o[2] = (int)n;
    o[3] = (unsigned)minus;
    o[4] = (unsigned)(over * 2);
    o[5] = (unsigned)n;
    o[6] = (long long)(over * 1e20f);
    o[7] = (long long)n;
    o[8] = (unsigned long long)minus;
    o[9] = (unsigned char)(over / 1e7f);
    o[10] = (unsigned char)minus;
    o[11] = (signed char)over;
    o[12] = (short)over;
    o[13] = (unsigned short)(minus * 70000);
}

__global__ void from_double(double over, double minus, double n, long long *o)
{
    o[0] = (int)over;
    o[1] = (int)-over;
    o[2] = (int)n;
    o[3] = (unsigned)minus;
    o[4] = (unsigned)n;
    o[5] = (long long)(over * 1e20);
    o[6] = (long long)n;
    o[7] = __double2int_rz(n);
    o[8] = __double2int_rz(over);
}

__global__ void fast(float far, float huge, int *o)
{
    o[0] = __sinf(far) != sinf(far);
    o[1] = __fdividef(huge, huge) == 0;
    o[2] = huge / huge == 1;
}

__global__ void by_value(Counted c) { c.p[threadIdx.x] = 1; }
__global__ void by_reference(int &x, const int &y) { x = y + 1; }

int main()
{
    static const long long floats[] = {2147483647, -2147483647 - 1ll, 0, 0, 4294967295, 0, 9223372036854775807,
                                       -9223372036854775807 - 1, 0, 44, 0, -1, -1, 0};
    static const long long doubles[] = {2147483647, -2147483647 - 1ll, -2147483647 - 1ll, 0, 2147483648,
                                        9223372036854775807, -9223372036854775807 - 1, -2147483647 - 1ll, 2147483647};
    long long *o;
    int *d;
    OK(cudaMallocManaged(&o, 16 * sizeof *o));
    OK(cudaMallocManaged(&d, 32 * sizeof *d));

    from_float<<<1, 1>>>(3e9f, -1.f, NAN, o);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < (int)(sizeof floats / sizeof *floats); i++) {
        if (o[i] != floats[i]) printf("float %d: %lld, not %lld\n", i, o[i], floats[i]);
        CHECK(o[i] == floats[i]);
    }
    from_double<<<1, 1>>>(3e9, -1, NAN, o);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < (int)(sizeof doubles / sizeof *doubles); i++) {
        if (o[i] != doubles[i]) printf("double %d: %lld, not %lld\n", i, o[i], doubles[i]);
        CHECK(o[i] == doubles[i]);
    }
    fast<<<1, 1>>>(1e6f, 2e38f, d);
    OK(cudaDeviceSynchronize());
    CHECK(d[0] == 1);
    CHECK(d[1] == 1);
    CHECK(d[2] == 1);

    {
        Counted c(d);
        destroyed = 0;
        by_value<<<1, 32>>>(c);
        OK(cudaDeviceSynchronize());
        CHECK(d[0] == 1 && d[31] == 1);
        CHECK(destroyed < 32);                              /* the host's copies, not the threads' */
    }
    d[0] = 5;
    by_reference<<<1, 1>>>(d[1], d[0]);
    OK(cudaDeviceSynchronize());
    CHECK(d[1] == 6);
    OK(cudaFree(o));
    OK(cudaFree(d));
    return finish("numbers");
}
