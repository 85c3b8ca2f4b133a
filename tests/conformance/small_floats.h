/* small_floats.h - what the programs about half, bfloat16 and fp8 share: numbers of few bits, worked out in double
 * arithmetic on the host, and tables that a kernel fills. */
#ifndef SMALL_FLOATS_H
#define SMALL_FLOATS_H
#include "conformance.h"
#include <math.h>

enum { NEAREST, ZERO, DOWN, UP };

/* The value of sign, exponent and mantissa; a format with infinities. */
static double decode(unsigned bits, int exponent_bits, int mantissa_bits)
{
    int exponent = (int)(bits >> mantissa_bits) & ((1 << exponent_bits) - 1), bias = (1 << (exponent_bits - 1)) - 1;
    double mantissa = (double)(bits & ((1u << mantissa_bits) - 1));
    double sign = bits >> (exponent_bits + mantissa_bits) & 1 ? -1 : 1;
    if (exponent == (1 << exponent_bits) - 1) return mantissa != 0 ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * ldexp(mantissa, 1 - bias - mantissa_bits);
    return sign * ldexp(mantissa + (double)(1u << mantissa_bits), exponent - bias - mantissa_bits);
}

/* x rounded to a number of the format; nan: what stands for one. */
static unsigned encode(double x, int mode, int exponent_bits, int mantissa_bits, unsigned nan)
{
    int bias = (1 << (exponent_bits - 1)) - 1, exponent;
    unsigned sign = (signbit(x) ? 1u : 0u) << (exponent_bits + mantissa_bits);
    unsigned infinity = ((1u << exponent_bits) - 1) << mantissa_bits;
    if (isnan(x)) return nan;
    if (isinf(x)) return sign | infinity;
    if (x == 0) return sign;
    frexp(x, &exponent);                              /* 0.5 <= |x| / 2^exponent < 1 */
    if (exponent - 1 < 1 - bias) exponent = 2 - bias; /* no smaller steps than those of the subnormal ones */
    int step = exponent - 1 - mantissa_bits;
    double steps = ldexp(x, -step), whole = mode == NEAREST ? nearbyint(steps)
                                            : mode == ZERO  ? trunc(steps)
                                            : mode == DOWN  ? floor(steps)
                                                            : ceil(steps);
    double magnitude = fabs(ldexp(whole, step)), most = ldexp(2 - ldexp(1, -mantissa_bits), bias);
    if (magnitude > most) {
        bool clamp = mode == ZERO || (mode == DOWN && x > 0) || (mode == UP && x < 0);
        return sign | (clamp ? infinity - 1 : infinity);
    }
    if (magnitude == 0) return sign;
    frexp(magnitude, &exponent);
    if (exponent - 1 < 1 - bias) return sign | (unsigned)ldexp(magnitude, bias - 1 + mantissa_bits);
    unsigned mantissa = (unsigned)(ldexp(magnitude, mantissa_bits + 1 - exponent)) - (1u << mantissa_bits);
    return sign | (unsigned)(exponent - 1 + bias) << mantissa_bits | mantissa;
}

/* x * y + z with one bit more than a double has: rounded to odd, so that rounding it again is right. x * y is exact. */
static double fused(double x, double y, double z)
{
    double product = x * y, sum = product + z;
    if (!isfinite(sum)) return sum;
    double back = sum - product, lost = (product - (sum - back)) + (z - back);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (lost == 0 || bits & 1) return sum;
    bits += (lost > 0) == (sum > 0) ? 1 : -1;
    memcpy(&sum, &bits, sizeof bits);
    return sum;
}

/* The integer that the card makes of x, rounded already. bits: 8 to 64 */
static uint64_t to_integer(double x, int bits, bool is_signed)
{
    double end = ldexp(1, is_signed ? bits - 1 : bits), least = is_signed ? -end : 0;
    uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
    if (isnan(x)) return bits == 64 ? 1ull << 63 : 0;
    if (x <= least) return is_signed ? (1ull << (bits - 1)) & mask : 0;
    if (x >= end) return is_signed ? mask >> 1 : mask;
    return (is_signed ? (uint64_t)(int64_t)x : (uint64_t)x) & mask;
}

/* Arguments number i: all values for one of them, for two and three the special ones with each other, and others. */
static inline __host__ __device__ unsigned argument(unsigned i, int which, int arguments)
{
    const unsigned specials[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x0401, 0x3bff, 0x3c00, 0x3c01,
                                 0xbc00, 0x3f80, 0xbf80, 0x3f7f, 0x3f81, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00,
                                 0x7c01, 0xffff, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7f81, 0xffc0, 0x007f, 0x0080,
                                 0x5800, 0x3555};
    if (arguments == 1) return i;
    if (arguments == 2 && i < 1024) return specials[which == 0 ? i / 32 : i % 32];
    if (arguments == 3 && i < 32768) return specials[which == 0 ? i / 1024 : which == 1 ? i / 32 % 32 : i % 32];
    unsigned mixed = i * 2654435761u + (unsigned)which * 0x9e3779b9u;
    mixed = (mixed ^ mixed >> 15) * 0x2c1b3c6du;
    mixed = (mixed ^ mixed >> 12) * 0x297a2d39u;
    mixed ^= mixed >> 15;
    /* every other time near enough to each other that all bits count */
    return i & 1 ? mixed & 0xffff : (mixed & 0x8fff) | (mixed >> 20 & 0x0800) | 0x3000;
}

#ifndef TABLE
#define TABLE 65536      /* of so many arguments, or combinations of them */
#endif

typedef uint64_t (*Function)(unsigned, unsigned, unsigned);
typedef struct Row {
    const char *name;
    int arguments;
    Function want;
} Row;

__global__ void fill(uint64_t *out, Function *here, int row, int arguments)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = here[row](argument(i, 0, arguments), argument(i, 1, arguments), argument(i, 2, arguments));
}

/* The table of each function against what is wanted. here: the functions as the card does them, in its memory. */
static void compare(const Row *rows, int n, Function *here)
{
    uint64_t *table;
    OK(cudaMallocManaged(&table, TABLE * sizeof *table));
    for (int row = 0; row < n; row++) {
        int wrong = 0, arguments = rows[row].arguments;
        fill<<<TABLE / 256, 256>>>(table, here, row, arguments);
        OK(cudaDeviceSynchronize());
        for (unsigned i = 0; i < TABLE; i++) {
            unsigned a = argument(i, 0, arguments), b = argument(i, 1, arguments), c = argument(i, 2, arguments);
            uint64_t want = rows[row].want(a, b, c);
            if (table[i] != want && !wrong++)
                printf("FAIL %s(%#x, %#x, %#x): %#llx, not %#llx\n", rows[row].name, a, b, c,
                       (unsigned long long)table[i], (unsigned long long)want);
        }
        if (wrong) printf("  and %d more\n", wrong - 1);
        failures += wrong != 0;
    }
    OK(cudaFree(table));
}

/* A row: a function of 1 to 3 arguments, on the card (of a, b, c) and as it should be (of x, y, z, in bits u, v, w). */
#define ROW(NAME, N, HERE, WANT)                                                                                       \
    enum { arguments_##NAME = N };                                                                                     \
    static __device__ uint64_t here_##NAME(unsigned u, unsigned v, unsigned w)                                         \
    {                                                                                                                  \
        SMALL a = from_bits(u), b = from_bits(v), c = from_bits(w);                                                    \
        (void)a, (void)b, (void)c;                                                                                     \
        return HERE;                                                                                                   \
    }                                                                                                                  \
    static uint64_t want_##NAME(unsigned u, unsigned v, unsigned w)                                                    \
    {                                                                                                                  \
        double x = value(u), y = value(v), z = value(w);                                                               \
        (void)x, (void)y, (void)z;                                                                                     \
        return WANT;                                                                                                   \
    }
/* Compares all rows that the list ROWS(C) names. */
#define HERE_OF(NAME) here_##NAME,
#define ROW_OF(NAME) {#NAME, arguments_##NAME, want_##NAME},
#define COMPARE_ROWS                                                                                                   \
    static __device__ Function here[] = {ROWS(HERE_OF)};                                                               \
    static void compare_all(void)                                                                                      \
    {                                                                                                                  \
        static const Row rows[] = {ROWS(ROW_OF)};                                                                      \
        void *functions;                                                                                               \
        OK(cudaGetSymbolAddress(&functions, here));                                                                    \
        compare(rows, (int)(sizeof rows / sizeof *rows), (Function *)functions);                                       \
    }
#endif
