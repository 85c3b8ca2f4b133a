// A conversion that is not written out is not the card's where the number does not fit: that is said, once a place.
// err: conversions_implicit.cu:23: warning: kernel implicit: 3e+09 does not fit int: a GPU makes 2147483647 of it, this run had -2147483648; write the conversion, (int)x, and it is the GPU's
// err: conversions_implicit.cu:24: warning: kernel implicit: -1 does not fit unsigned int: a GPU makes 0 of it, this run had 4294967295
// err: conversions_implicit.cu:33: warning: kernel others: 1e+10 does not fit short int: a GPU makes -1 of it, this run had 0;
// err: conversions_implicit.cu:35: warning: kernel others: 1e+19 does not fit long long int: a GPU makes 9223372036854775807 of it, this run had -9223372036854775808;
// err: conversions_implicit.cu:36: warning: kernel others: -1e+19 does not fit long long unsigned int: a GPU makes 0 of it, this run had 9223372036854775808;
// err: conversions_implicit.cu:36: warning: kernel others: 2e+19 does not fit long long unsigned int: a GPU makes 18446744073709551615 of it, this run had 0;
// err: conversions_implicit.cu:37: warning: kernel others: 1e+10 does not fit unsigned int: a GPU makes 4294967295 of it, this run had 1410065408;
// err: conversions_implicit.cu:38: warning: kernel others: nan does not fit int: a GPU makes 0 of it, this run had -2147483648;
// not: conversions_implicit.cu:25
// not: conversions_implicit.cu:26
// not: conversions_implicit.cu:46
// not: conversions_implicit.cu:34
// not: -1e+10 does
// out: 4 0
// out: 0 0 -9223372036854775808 -9223372036854775808 0 1410065408 -2147483648 -2147483648 -2147483648
#include <math.h>
#include <stdio.h>
#include <stdint.h>

__global__ void implicit(float f, float minus, long long *o)
{
    int big = f;
    unsigned below = minus;
    unsigned char narrow = f / 1e8f;
    int written = (int)f;
    o[threadIdx.x] = (big == 1) + (below == 1) + narrow + (written == 1);
}

/* what the message says that this run had is what it had */
__global__ void others(float f, double d, double nan, volatile long long *had)
{
    short s = f;
    signed char c = -f;
    long long l = d;
    unsigned long long below = -d, above = 2 * d;
    unsigned u = (double)f;
    int least = -f, of_nan = (float)nan, of_double_nan = nan;
    had[0] = s, had[1] = c, had[2] = l, had[3] = (long long)below, had[4] = (long long)above;
    had[5] = u, had[6] = least, had[7] = of_nan, had[8] = of_double_nan;
}

int main()
{
    volatile float f = 3e9f;
    int host = f;                     /* the host's own business */
    long long *o;
    cudaMallocManaged(&o, 4 * sizeof *o);
    implicit<<<1, 4>>>(3e9f, -1.f, o);
    cudaDeviceSynchronize();
    printf("%lld %d\n", o[3] - 26, host == 1);
    cudaFree(o);
    cudaMallocManaged(&o, 9 * sizeof *o);
    others<<<1, 1>>>(1e10f, 1e19, NAN, o);
    cudaDeviceSynchronize();
    for (int i = 0; i < 9; i++) printf("%lld%s", o[i], i < 8 ? " " : "\n");
    cudaFree(o);
}
