/* Floating-point numbers that do not fit: (T)x in device code is what PTX's cvt makes of it, in host code what x86 does. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define CUT(x) (unsigned char)(x)
enum Letter { A = 3 };
struct Counts {
    int few : 4;
    static const int five = 5;        /* no definition: a reference to it would not link */
    __host__ __device__ operator int() { return 7; }
};
template <class T> __device__ T twice(T x) { return (int)x + (int)x; }
struct Functor { __device__ int operator()(float x) const { return static_cast<int>(x); } };

__global__ void convert(float f, float minus, double d, float n, double dn, long long *o)
{
    int i = 0;
    /* 32 bits */
    o[i++] = (int)f;                  /* 0 */
    o[i++] = (int)-f;
    o[i++] = (int)n;
    o[i++] = (int)d;
    o[i++] = (int)dn;
    o[i++] = (unsigned)minus;         /* 5 */
    o[i++] = (unsigned)(f + 6e9f);
    o[i++] = (unsigned)n;
    o[i++] = static_cast<unsigned int>(f);
    o[i++] = 1 + int(f) - 1;
    /* 64 bits */
    o[i++] = (long long)(f * 1e20f);  /* 10 */
    o[i++] = (long long)n;
    o[i++] = (long long)((unsigned long long)minus);
    o[i++] = (unsigned long long)(f * 4e9f) == 12000000000000000000ull || (unsigned long long)(f * 4e9f) > 11000000000000000000ull;
    o[i++] = (unsigned long long)d == ~0ull;
    /* narrower: through 32 bits */
    o[i++] = (unsigned char)300.f;    /* 15 */
    o[i++] = (unsigned char)minus;
    o[i++] = (signed char)f;
    o[i++] = (unsigned short)(minus * 70000);
    o[i++] = CUT(f);
    /* through templates, functions, one another */
    o[i++] = twice(3.9f);             /* 20 */
    o[i++] = Functor()(f);
    o[i++] = (int)(float)(int)f;
    o[i++] = (uint32_t)minus;
    /* no conversion, or none of a floating-point number */
    Counts c;
    c.few = 3;
    float arr[(int)2.5f] = {1.f};
    o[i++] = (int)c.few + (int)c + (int)Counts::five + (int)A + (int)'a';     /* 24 */
    o[i++] = sizeof(int) + sizeof (int) + sizeof arr;
    o[i++] = (long)&o[0] == (long)o && (size_t)arr == (size_t)&arr[0];
    o[i++] = (int)-2.5f - (int)+2.5f * (int)2.5f;
    o[i++] = (unsigned char)200.9f;
}

/* for both: in host code they do what host code does */
__host__ __device__ static long long to_long(double x) { return (long long)x; }
__host__ __device__ static unsigned long long to_unsigned_long(double x) { return (unsigned long long)x; }
__host__ __device__ static int to_int(double x) { return (int)x; }
__host__ __device__ static unsigned to_unsigned(double x) { return (unsigned)x; }

int main()
{
    static const long long want[] = {
        2147483647, -2147483647 - 1ll, 0, 2147483647, -2147483647 - 1ll, 0, 4294967295, 0, 3000000000, 2147483647,
        9223372036854775807, -9223372036854775807 - 1, 0, 1, 1, 44, 0, -1, 0, 0,
        6, 2147483647, 2147483647, 0, 115, 16, 1, -6, 200};
    enum { N = sizeof want / sizeof *want };
    long long *o;
    int bad = 0;
    cudaMallocManaged(&o, N * sizeof *o);
    convert<<<1, 1>>>(3e9f, -1.f, 1e300, NAN, NAN, o);
    cudaError_t error = cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        if (o[i] == want[i]) continue;
        printf("%d: %lld, not %lld\n", i, o[i], want[i]);
        bad++;
    }
    volatile float f = 3e9f;
    volatile double n = NAN;
#if defined(__x86_64__)
    if ((int)f != -2147483647 - 1 || (int)n != -2147483647 - 1) printf("host: %d %d\n", (int)f, (int)n), bad++;
    /* what fits is converted, up to the last one; x86 has one number for all that does not */
    const long long none = -9223372036854775807 - 1;
    static const struct { double x; long long as_long; unsigned long long as_unsigned_long; int as_int; unsigned as_unsigned; } host[] = {
        {5e18, 5000000000000000000, 5000000000000000000, -2147483647 - 1, 1156841472u},
        {-5e18, -5000000000000000000, 13446744073709551616ull, -2147483647 - 1, 3138125824u},
        {9.2e18, 9200000000000000000, 9200000000000000000, -2147483647 - 1, 0},
        {1e19, none, 10000000000000000000ull, -2147483647 - 1, 0},
        {-9.3e18, none, 9223372036854775808ull, -2147483647 - 1, 0},
        {4e9, 4000000000, 4000000000, -2147483647 - 1, 4000000000u},
        {2147483647.5, 2147483647, 2147483647, 2147483647, 2147483647},
        {2147483648., 2147483648, 2147483648, -2147483647 - 1, 2147483648u},
        {-2147483648.5, -2147483648, 18446744071562067968ull, -2147483647 - 1, 2147483648u},
        {-1.5, -1, ~0ull, -1, ~0u},
    };
    for (auto &h : host) {
        volatile double x = h.x;
        long long l = to_long(x);
        unsigned long long ul = to_unsigned_long(x);
        int i = to_int(x);
        unsigned u = to_unsigned(x);
        if (l == h.as_long && ul == h.as_unsigned_long && i == h.as_int && (u == h.as_unsigned || !h.as_unsigned)) continue;
        printf("host: %g is %lld, %llu, %d, %u\n", h.x, l, ul, i, u);
        bad++;
    }
#endif
    printf("%s, %d of %d are not the card's\n", cudaGetErrorString(error), bad, N);
    cudaFree(o);
    return bad != 0;
}
