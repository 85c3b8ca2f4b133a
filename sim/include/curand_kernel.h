/* curand_kernel.h - random numbers in kernels: Marsaglia's xorwow (curandState) and Philox 4x32-10, with cuRAND's seeding,
 * so that the numbers are cuRAND's. docs/types.md says what is not there. */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_
#include "threelane/device.h"
#include "vector_functions.h"

extern "C" void threelane_xorwow_skip(unsigned v[5], unsigned long long n, int unit);

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

struct curandStatePhilox4_32_10 {
    uint4 ctr;
    uint4 output;
    uint2 key;
    unsigned int STATE;               /* which of output comes next */
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#define THREELANE_RANDOM static inline __attribute__((unused))

/* ---- xorwow: a subsequence is 2^67 numbers long ---- */

THREELANE_RANDOM unsigned int curand(curandStateXORWOW_t *state)
{
    const unsigned t = state->v[0] ^ state->v[0] >> 2;
    state->v[0] = state->v[1];
    state->v[1] = state->v[2];
    state->v[2] = state->v[3];
    state->v[3] = state->v[4];
    state->v[4] = (state->v[4] ^ state->v[4] << 4) ^ (t ^ t << 1);
    state->d += 362437;
    return state->v[4] + state->d;
}
namespace tl {
/* through a copy: the library's accesses are nobody's business */
THREELANE_RANDOM void xorwow_skip(curandStateXORWOW_t *state, unsigned long long n, int unit)
{
    unsigned v[5];
    if (!n) return;
    for (int i = 0; i < 5; i++) v[i] = state->v[i];
    threelane_xorwow_skip(v, n, unit);
    for (int i = 0; i < 5; i++) state->v[i] = v[i];
}
}
THREELANE_RANDOM void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    ::tl::xorwow_skip(state, n, 0);
    state->d += 362437u * (unsigned)n;
}
THREELANE_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    ::tl::xorwow_skip(state, n, 67);
}
THREELANE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                  curandStateXORWOW_t *state)
{
    const unsigned low = ((unsigned)seed ^ 0xaad26b49u) * 1099087573u;
    const unsigned high = ((unsigned)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    state->d = 6615241u + high + low;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}

/* ---- Philox: a counter of 128 bits through ten rounds; four numbers of it, and a subsequence is 2^66 of them ---- */

THREELANE_RANDOM uint4 curand_Philox4x32_10(uint4 c, uint2 k)
{
    for (int round = 0; round < 10; round++) {
        const unsigned long long first = 0xd2511f53ull * c.x, second = 0xcd9e8d57ull * c.z;
        const uint4 next = {(unsigned)(second >> 32) ^ c.y ^ k.x, (unsigned)second,
                            (unsigned)(first >> 32) ^ c.w ^ k.y, (unsigned)first};
        c = next;
        k.x += 0x9e3779b9u;
        k.y += 0xbb67ae85u;
    }
    return c;
}
namespace tl {
THREELANE_RANDOM void philox_add(uint4 *counter, unsigned long long low, unsigned long long high)
{
    const unsigned long long before = (unsigned long long)counter->y << 32 | counter->x, after = before + low;
    high += ((unsigned long long)counter->w << 32 | counter->z) + (after < before);
    *counter = uint4{(unsigned)after, (unsigned)(after >> 32), (unsigned)high, (unsigned)(high >> 32)};
}
THREELANE_RANDOM unsigned part(const uint4 &v, unsigned i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }
}
THREELANE_RANDOM unsigned int curand(curandStatePhilox4_32_10_t *state)
{
    const unsigned result = ::tl::part(state->output, state->STATE);
    if (++state->STATE == 4) {
        ::tl::philox_add(&state->ctr, 1, 0);
        state->output = curand_Philox4x32_10(state->ctr, state->key);
        state->STATE = 0;
    }
    return result;
}
THREELANE_RANDOM uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    const uint4 before = state->output;
    unsigned v[4];
    ::tl::philox_add(&state->ctr, 1, 0);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned at = state->STATE + i;
        v[i] = ::tl::part(at < 4 ? before : state->output, at & 3);
    }
    return uint4{v[0], v[1], v[2], v[3]};
}
THREELANE_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    state->STATE += (unsigned)(n & 3);
    ::tl::philox_add(&state->ctr, n / 4 + (state->STATE > 3), 0);
    state->STATE &= 3;
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
THREELANE_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    ::tl::philox_add(&state->ctr, 0, n);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
THREELANE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                  curandStatePhilox4_32_10_t *state)
{
    state->ctr = uint4{0, 0, 0, 0};
    state->key = uint2{(unsigned)seed, (unsigned)(seed >> 32)};
    state->STATE = 0;
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

/* ---- uniform: above 0, up to 1 ---- */

namespace tl {
THREELANE_RANDOM float uniform(unsigned x) { return (float)x * 2.3283064365386963e-10f + 1.1641532182693481e-10f; }
THREELANE_RANDOM double uniform_of_two(unsigned x, unsigned y)
{
    return (double)(x ^ (unsigned long long)y << 21) * 1.1102230246251565e-16 + 5.551115123125783e-17;
}
/* two normal numbers of two uniform ones (Box and Muller) */
THREELANE_RANDOM float2 normal(unsigned x, unsigned y)
{
    const float turn = 2.3283064365386963e-10f * 6.2831855f, s = sqrtf(-2 * logf(uniform(x)));
    float2 v;
    __sincosf(fmaf((float)y, turn, turn / 2), &v.x, &v.y);
    v.x *= s;
    v.y *= s;
    return v;
}
THREELANE_RANDOM double2 normal(unsigned x0, unsigned x1, unsigned y0, unsigned y1)
{
    const double s = sqrt(-2 * log(uniform_of_two(x0, x1)));
    double2 v;
    sincospi((double)(y0 ^ (unsigned long long)y1 << 21) * 2.220446049250313e-16 + 1.1102230246251565e-16, &v.x, &v.y);
    v.x *= s;
    v.y *= s;
    return v;
}
}
THREELANE_RANDOM float curand_uniform(curandStateXORWOW_t *state) { return ::tl::uniform(curand(state)); }
THREELANE_RANDOM float curand_uniform(curandStatePhilox4_32_10_t *state) { return ::tl::uniform(curand(state)); }
THREELANE_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    return float4{::tl::uniform(x.x), ::tl::uniform(x.y), ::tl::uniform(x.z), ::tl::uniform(x.w)};
}
THREELANE_RANDOM double curand_uniform_double(curandStateXORWOW_t *state)
{
    const unsigned x = curand(state), y = curand(state);
    return ::tl::uniform_of_two(x, y);
}
THREELANE_RANDOM double curand_uniform_double(curandStatePhilox4_32_10_t *state)
{
    return (double)curand(state) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
THREELANE_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    return double2{::tl::uniform_of_two(x.x, x.y), ::tl::uniform_of_two(x.z, x.w)};
}
THREELANE_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state)
{
    const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return double4{a.x, a.y, b.x, b.y};
}

/* ---- normal, two at a time: the second one is kept ---- */

/* FLAG: what is kept, 1 a normal number, 2 a log-normal one; what is kept of the other kind is lost */
#define THREELANE_KEPT(STATE, T, NAME, SUFFIX, FLAG, PARAMETERS, RESULT)                           \
    THREELANE_RANDOM T NAME PARAMETERS                                                             \
    {                                                                                              \
        if (state->boxmuller_flag##SUFFIX == FLAG) {                                               \
            state->boxmuller_flag##SUFFIX = 0;                                                     \
            return state->boxmuller_extra##SUFFIX;                                                 \
        }                                                                                          \
        const T##2 v = ::tl::normal_pair##SUFFIX(state);                                           \
        state->boxmuller_flag##SUFFIX = FLAG;                                                      \
        T x = v.y;                                                                                 \
        state->boxmuller_extra##SUFFIX = RESULT;                                                   \
        x = v.x;                                                                                   \
        return RESULT;                                                                             \
    }
#define THREELANE_NORMAL(STATE)                                                                    \
    namespace tl {                                                                                 \
    THREELANE_RANDOM float2 normal_pair(STATE *state)                                              \
    {                                                                                              \
        const unsigned x = curand(state), y = curand(state);                                       \
        return normal(x, y);                                                                       \
    }                                                                                              \
    THREELANE_RANDOM double2 normal_pair_double(STATE *state)                                      \
    {                                                                                              \
        const unsigned a = curand(state), b = curand(state), c = curand(state), d = curand(state); \
        return normal(a, b, c, d);                                                                 \
    }                                                                                              \
    }                                                                                              \
    THREELANE_RANDOM float2 curand_normal2(STATE *state) { return ::tl::normal_pair(state); }      \
    THREELANE_RANDOM float2 curand_log_normal2(STATE *state, float mean, float stddev)             \
    {                                                                                              \
        const float2 v = curand_normal2(state);                                                    \
        return float2{expf(mean + stddev * v.x), expf(mean + stddev * v.y)};                       \
    }                                                                                              \
    THREELANE_KEPT(STATE, float, curand_normal, , 1, (STATE *state), x)                            \
    THREELANE_KEPT(STATE, double, curand_normal_double, _double, 1, (STATE *state), x)             \
    THREELANE_KEPT(STATE, float, curand_log_normal, , 2, (STATE *state, float mean, float stddev), \
                   expf(mean + stddev * x))                                                        \
    THREELANE_KEPT(STATE, double, curand_log_normal_double, _double, 2,                            \
                   (STATE *state, double mean, double stddev), exp(mean + stddev * x))
THREELANE_NORMAL(curandStateXORWOW_t)
THREELANE_NORMAL(curandStatePhilox4_32_10_t)
#undef THREELANE_NORMAL
#undef THREELANE_KEPT
THREELANE_RANDOM double2 curand_normal2_double(curandStateXORWOW_t *state) { return ::tl::normal_pair_double(state); }
THREELANE_RANDOM double2 curand_normal2_double(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    return ::tl::normal(x.x, x.y, x.z, x.w);
}
THREELANE_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    const float2 a = ::tl::normal(x.x, x.y), b = ::tl::normal(x.z, x.w);
    return float4{a.x, a.y, b.x, b.y};
}
#endif
