/* xorwow.h - going ahead in the sequence of Marsaglia's xorwow generator, for curand_kernel.h.
 *
 * A step changes its 160 bits linearly, so a jump is a product with a matrix of bits; those of 1,
 * 2, 4, ... 2^130 steps are made when they are first asked for, in a few milliseconds. */
#ifndef THREELANE_XORWOW_H
#define THREELANE_XORWOW_H

/* One step; the generator's output is v[4] and a counter. */
static inline void xorwow_step(unsigned v[5])
{
    unsigned t = v[0] ^ v[0] >> 2;

    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
}

/* n * 2^unit steps. unit: at most 67. May be called from any thread. */
void threelane_xorwow_skip(unsigned v[5], unsigned long long n, int unit);
#endif
