#include "sim/library/special.h"
#include <math.h>

#define SQRT_PI 1.77245385090551602729816748334114518L
#define SQRT_2 1.41421356237309504880168872420969808L

/* x with erfc(x) = y, for 0 < y <= 1. A rational approximation of the normal distribution's
 * quantile to start with, then steps that use the second derivative as well: two triple the digits
 * twice, the third is for the tail. */
static long double erfc_inverse(long double y)
{
    long double t = sqrtl(-2 * logl(y / 2));
    long double x = (t - (2.30753L + 0.27061L * t) / (1 + (0.99229L + 0.04481L * t) * t)) / SQRT_2;

    for (int i = 0; i < 4; i++) {
        long double slope = -2 / SQRT_PI * expl(-x * x), step = (erfcl(x) - y) / slope;
        x -= step / (1 + x * step);
    }
    return x;
}

/* x with erf(x) = y, for |y| <= 0.5 */
static long double erf_inverse(long double y)
{
    long double x = y * SQRT_PI / 2;

    for (int i = 0; i < 5; i++) {
        long double slope = 2 / SQRT_PI * expl(-x * x), step = (erfl(x) - y) / slope;
        x -= step / (1 + x * step);
    }
    return x;
}

double threelane_erfinv(double y)
{
    if (!(fabs(y) <= 1)) return NAN;
    if (fabs(y) == 1) return y * (double)INFINITY;
    if (y == 0) return y;
    if (fabs(y) <= 0.5) return (double)erf_inverse(y);
    return copysign((double)erfc_inverse(1 - fabsl((long double)y)), y);
}

static long double erfc_inverse_of_any(double y)
{
    if (!(y >= 0 && y <= 2)) return NAN;
    if (y == 0) return INFINITY;
    if (y == 2) return -INFINITY;
    if (y >= 0.5 && y <= 1.5) return -erf_inverse((long double)y - 1);
    return y < 1 ? erfc_inverse(y) : -erfc_inverse(2 - (long double)y);
}

double threelane_erfcinv(double y)
{
    return (double)erfc_inverse_of_any(y) + 0.0; /* no negative zero */
}

double threelane_normcdfinv(double y)
{
    return (double)(-SQRT_2 * erfc_inverse_of_any(2 * y)) + 0.0;
}

double threelane_erfcx(double x)
{
    if (x < 25) {
        long double square = (long double)x * x;
        return (double)(expl(square) * erfcl(x));
    }
    /* 1 - 1/(2x^2) + 3/(2x^2)^2 - 15/(2x^2)^3 ..., of which ten terms are more than enough */
    long double q = 1 / (2 * (long double)x * x), term = 1, sum = 1;
    for (int k = 1; k <= 10; k++) {
        term *= -(2 * k - 1) * q;
        sum += term;
    }
    return (double)(sum / ((long double)x * SQRT_PI));
}

/* The series of positive terms; a term is not above the one before once k is near x / 2. */
double threelane_bessel_i(int order, double x)
{
    long double half = fabsl((long double)x) / 2, square = half * half, term = order ? half : 1,
                sum = term;

    if (isnan(x)) return x;
    if (fabs(x) > 720) return order && x < 0 ? -(double)INFINITY : (double)INFINITY;
    for (int k = 1; k < 2000; k++) {
        term *= square / ((long double)k * (k + order));
        sum += term;
        if (term < sum * 0x1p-70L) break;
    }
    return (double)(order && x < 0 ? -sum : sum);
}
