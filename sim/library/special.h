/* special.h - functions of CUDA's mathematics that the C library lacks; threelane/math.h declares
 * them for programs. Each is worked out in long double and rounded once or twice, so it is off by
 * one unit in the last place of a double at most. Outside of its domain a function gives NaN, at
 * its poles infinity, and no errno. */
#ifndef THREELANE_SPECIAL_H
#define THREELANE_SPECIAL_H

double threelane_erfinv(double y);              /* x with erf(x) = y */
double threelane_erfcinv(double y);             /* x with erfc(x) = y */
double threelane_normcdfinv(double y);          /* x with normcdf(x) = y */
double threelane_erfcx(double x);               /* exp(x * x) * erfc(x) */
double threelane_bessel_i(int order, double x); /* modified Bessel functions, order 0 or 1 */
#endif
