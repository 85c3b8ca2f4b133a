// Inline PTX that is a function of its operands, against the C++ that says the same.
// out: ok assembler
#include "conformance.h"
#include <math.h>

#define SAME(GOT, WANT) wrong(GOT == (WANT), __LINE__)

__device__ int bad_line, bad_count;
static __device__ void wrong(bool good, int line)
{
    if (good) return;
    atomicAdd(&bad_count, 1);
    atomicExch(&bad_line, line);
}

static __device__ unsigned field(unsigned a, unsigned p, unsigned n)
{
    return p > 31 ? 0 : a >> p & (n > 31 ? ~0u : (1u << n) - 1);
}

__global__ void integers(unsigned seed)
{
    unsigned a = (threadIdx.x + seed) * 2654435761u, b = a * 40503u ^ a >> 7, c = b * 2246822519u ^ b >> 11, r, n = c & 31, p = b & 31;
    int x = (int)a >> (c & 15), y = (int)b >> (c >> 4 & 15), z = (int)c, s;
    unsigned long long wide, la = (unsigned long long)a << 32 | b, lb = (unsigned long long)b << 32 | c, l;
    long long signed_wide, sl;
    unsigned short h;

    asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    SAME(r, __umulhi(a, b));
    asm("mul.hi.s32 %0, %1, %2;" : "=r"(s) : "r"(x), "r"(y));
    SAME(s, __mulhi(x, y));
    asm("mul.hi.u64 %0, %1, %2;" : "=l"(l) : "l"(la), "l"(lb));
    SAME(l, __umul64hi(la, lb));
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(a), "r"(b));
    SAME(wide, (unsigned long long)a * b);
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(signed_wide) : "r"(x), "r"(y));
    SAME(signed_wide, (long long)x * y);
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(wide) : "r"(a), "r"(b), "l"(la));
    SAME(wide, (unsigned long long)a * b + la);
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(x), "r"(y), "r"(z));
    SAME(s, (int)((unsigned)x * (unsigned)y + (unsigned)z));
    asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    SAME(r, __umulhi(a, b) + c);
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    SAME(r, __usad(a, b, c));
    asm("mul24.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    SAME(r, __umul24(a, b));
    asm("div.s32 %0, %1, %2;" : "=r"(s) : "r"(x), "r"(z | 1));
    SAME(s, x / (z | 1));
    asm("rem.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(c | 1));
    SAME(r, a % (c | 1));
    asm("min.s32 %0, %1, %2;" : "=r"(s) : "r"(x), "r"(y));
    SAME(s, x < y ? x : y);
    asm("max.u64 %0, %1, %2;" : "=l"(l) : "l"(la), "l"(lb));
    SAME(l, la > lb ? la : lb);
    asm("abs.s32 %0, %1;" : "=r"(s) : "r"(x));
    SAME(s, x < 0 ? -x : x);
    asm("neg.s64 %0, %1;" : "=l"(sl) : "l"((long long)la));
    SAME(sl, (long long)(0 - la));
    asm("not.b32 %0, %1;" : "=r"(r) : "r"(a));
    SAME(r, ~a);
    asm("popc.b64 %0, %1;" : "=r"(r) : "l"(la));
    SAME(r, (unsigned)__popcll(la));
    asm("clz.b32 %0, %1;" : "=r"(r) : "r"(a >> n));
    SAME(r, (unsigned)__clz((int)(a >> n)));
    asm("brev.b32 %0, %1;" : "=r"(r) : "r"(a));
    SAME(r, __brev(a));
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(p), "r"(n));
    SAME(r, field(a, p, n));
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(s) : "r"((int)a), "r"(p), "r"(n));
    SAME(s, n == 0 ? 0 : p + n > 31 ? (int)a >> p : (int)(a << (32 - n - p)) >> (32 - n));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(p), "r"(n));
    {
        unsigned mask = (n ? ~0u >> (32 - n) : 0u) << p;
        SAME(r, (b & ~mask) | (a << p & mask));
    }
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c & 0x7777));
    SAME(r, __byte_perm(a, b, c));
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0xba98));
    {
        unsigned want = 0;
        for (int i = 0; i < 4; i++) want |= (a >> (8 * i + 7) & 1 ? 0xffu : 0u) << 8 * i;
        SAME(r, want);
    }
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    SAME(r, (a & b) | (b & c) | (a & c));
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    SAME(r, __funnelshift_l(a, b, c));
    asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c & 63));
    SAME(r, __funnelshift_rc(a, b, c & 63));
    asm("cvt.u16.u32 %0, %1;" : "=h"(h) : "r"(a));
    SAME(h, (unsigned short)a);
    asm("cvt.s64.s32 %0, %1;" : "=l"(sl) : "r"(x));
    SAME(sl, (long long)x);
}

__global__ void floats(unsigned seed)
{
    float a = (float)(int)((threadIdx.x + seed) * 2654435761u) * 1e-3f, b = a * 0.37f + 1, c = b - 7, r;
    double d = a / 3., e = b * 1.7, q;
    int s;
    unsigned u;

    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
    SAME(r, fmaf(a, b, c));
    asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(q) : "d"(d), "d"(e), "d"(d));
    SAME(q, fma(d, e, d));
    asm("div.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    SAME(r, __fdiv_rn(a, b));
    asm("min.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(NAN));
    SAME(r, a);
    asm("max.f64 %0, %1, %2;" : "=d"(q) : "d"(d), "d"(e));
    SAME(q, d > e ? d : e);
    asm("abs.f32 %0, %1;" : "=f"(r) : "f"(a));
    SAME(r, fabsf(a));
    asm("neg.f32 %0, %1;" : "=f"(r) : "f"(a));
    SAME(r, -a);
    asm("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(fabsf(a)));
    SAME(r, __fsqrt_rn(fabsf(a)));
    asm("rcp.rn.f64 %0, %1;" : "=d"(q) : "d"(d + 1e7));
    SAME(q, __drcp_rn(d + 1e7));
    asm("rsqrt.approx.f32.ftz %0, %1;" : "=f"(r) : "f"(fabsf(a) + 1));
    wrong(fabsf(r * sqrtf(fabsf(a) + 1) - 1) < 1e-6f, __LINE__);
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(threadIdx.x - 16.5f));
    wrong(fabsf(r / exp2f(threadIdx.x - 16.5f) - 1) < 1e-6f, __LINE__);
    asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(threadIdx.x + 2.f));
    wrong(fabsf(r - log2f(threadIdx.x + 2.f)) < 1e-6f, __LINE__);
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(3.f));
    wrong(fabsf(r * 3 - 1) < 1e-6f, __LINE__);
    asm("sin.approx.f32 %0, %1;" : "=f"(r) : "f"(threadIdx.x * 0.05f));
    wrong(fabsf(r - sinf(threadIdx.x * 0.05f)) < 1e-6f, __LINE__);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(s) : "f"(a));
    SAME(s, __float2int_rz(a));
    asm("cvt.rni.u32.f64 %0, %1;" : "=r"(u) : "d"(d));
    SAME(u, __double2uint_rn(d));
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(r) : "r"((int)seed * 7919));
    SAME(r, (float)((int)seed * 7919));
    asm("cvt.f64.f32 %0, %1;" : "=d"(q) : "f"(a));
    SAME(q, (double)a);
    asm("cvt.rn.f32.f64 %0, %1;" : "=f"(r) : "d"(d));
    SAME(r, (float)d);
}

__global__ void warps(unsigned *counters, unsigned long long *wide)
{
    __shared__ unsigned local;
    unsigned lane = threadIdx.x, r, old, shared = (unsigned)__cvta_generic_to_shared(&local);
    int s;
    if (lane == 0) local = 0;
    __syncwarp();
    asm volatile("shfl.sync.bfly.b32 %0, %1, 5, 0x1f, 0xffffffff;" : "=r"(r) : "r"(lane * 3));
    SAME(r, (lane ^ 5) * 3);
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, -1;" : "=r"(r) : "r"(lane), "r"(7));
    SAME(r, 7u);
    asm volatile("shfl.sync.down.b32 %0, %1, 1, %2, 0xffffffff;" : "=r"(r) : "r"(lane), "r"((32 - 8) << 8 | 31));
    SAME(r, lane % 8 == 7 ? lane : lane + 1);
    asm volatile("shfl.sync.up.b32 %0, %1, 2, 0, 0xffffffff;" : "=r"(r) : "r"(lane));
    SAME(r, lane < 2 ? lane : lane - 2);
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(s) : "r"((int)lane - 10));
    SAME(s, 496 - 320);
    asm volatile("redux.sync.or.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(lane));
    SAME(r, 31u);
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(lane & 3));
    SAME(r, 0x11111111u << (lane & 3));
    asm volatile("activemask.b32 %0;" : "=r"(r));
    wrong(r >> lane & 1, __LINE__);
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(counters), "r"(lane) : "memory");
    wrong(old <= 496 - lane, __LINE__);
    asm volatile("red.global.max.u32 [%0], %1;" ::"l"(counters + 1), "r"(lane * 2) : "memory");
    asm volatile("atom.shared.add.u32 %0, [%1], 1;" : "=r"(old) : "r"(shared) : "memory");
    wrong(old < 32, __LINE__);
    asm volatile("atom.relaxed.gpu.global.exch.b64 %0, [%1], %2;" : "=l"(*(wide + 1 + lane)) : "l"(wide), "l"(1ull + lane) : "memory");
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(counters + 2), "r"(lane), "r"(lane + 1) : "memory");
    __syncwarp();
    SAME(local, 32u);
}

int main()
{
    unsigned *counters;
    unsigned long long *wide;
    int count, line;
    OK(cudaMallocManaged(&counters, 16));
    OK(cudaMallocManaged(&wide, 64 * sizeof *wide));
    for (unsigned seed = 0; seed < 8; seed++) {
        integers<<<1, 256>>>(seed * 256);
        floats<<<1, 32>>>(seed * 32);
    }
    warps<<<1, 32>>>(counters, wide);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyFromSymbol(&count, bad_count, sizeof count));
    OK(cudaMemcpyFromSymbol(&line, bad_line, sizeof line));
    if (count) printf("%d differ, the last in line %d\n", count, line);
    CHECK(count == 0);
    CHECK(counters[0] == 496 && counters[1] == 62);
    unsigned long long sum = wide[0];
    for (int i = 0; i < 32; i++) sum += wide[1 + i];
    CHECK(sum == 32 * 33 / 2);
    return finish("assembler");
}
