// out: shuffles right
// out: vectors right
// out: pieces right
// out: votes right
// out: ends right
// out: shifts right
// Inline PTX with registers of its own: predicates that a shuffle sets, vectors, pieces of a value, votes, a thread's end.
#include <stdio.h>
#include <string.h>

__global__ void shuffles(const int *in, int *out, const float *fin, float *fout)
{
    int lane = threadIdx.x, sum = in[lane];
    for (int by = 1; by < 16; by *= 2) { // prefix sums of halves of the warp
        int before = sum, segments = (lane & 16) | 16 << 8;
        asm volatile("{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, %2, %3, %5; @p add.s32 r0, r0, %4; mov.s32 %0, r0; }"
                     : "=r"(sum) : "r"(before), "r"(by), "r"(segments), "r"(before), "r"(0xffffffff));
    }
    out[lane] = sum;

    float most = fin[lane];
    for (int by = 1; by < 32; by *= 2) // of this lane and all behind it
        asm volatile("{\n .reg .f32 r0;\n .reg .pred p;\n shfl.sync.down.b32 r0|p, %1, %2, 31, -1;\n @p max.f32 %0, %1, r0;\n}"
                     : "+f"(most) : "f"(most), "r"(by));
    fout[lane] = most;
}

__global__ void vectors(const unsigned *in, unsigned *out, unsigned long long *wide)
{
    unsigned a, b, c, d;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4 + 16];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(in));
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" : : "l"(out), "r"(d), "r"(c), "r"(b), "r"(a) : "memory");
    asm volatile("st.release.gpu.v2.u64 [%0], {%1, %2};" : : "l"(wide), "l"(7ull), "l"(8ull) : "memory");
    unsigned long long x, y;
    asm volatile("ld.acquire.gpu.v2.u64 {%0, %1}, [%2];" : "=l"(x), "=l"(y) : "l"(wide) : "memory");
    wide[2] = x * 10 + y;
}

__global__ void pieces(unsigned long long *out, double value)
{
    unsigned low, high;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "d"(value));
    asm("{ .reg .b32 t; mov.b32 t, %1; mov.b64 %0, {%2, t}; }" : "=l"(*out) : "r"(low), "r"(high));
}

__global__ void votes(unsigned *out)
{
    unsigned odd = threadIdx.x & 1, mask;
    asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.ballot.sync.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }" : "=r"(mask) : "r"(odd));
    out[threadIdx.x] = mask;
}

__device__ void leave() { asm volatile("exit;"); }
__global__ void ends(int *out)
{
    if (threadIdx.x % 3 == 0) leave();
    out[threadIdx.x] = 1;
}

__global__ void shifts(unsigned *out)
{
    asm("shl.b32 %0, %1, %2;" : "=r"(out[0]) : "r"(1), "r"(threadIdx.x + 32));
    asm("shr.s32 %0, %1, %2;" : "=r"(out[1]) : "r"(-8), "r"(threadIdx.x + 40));
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(out[2]) : "r"(threadIdx.x + 4), "r"(8));
}

static void say(const char *what, bool right) { printf("%s %s\n", what, right ? "right" : "WRONG"); }

int main()
{
    int *m, want = 0;
    float *f;
    unsigned long long *w;
    bool right = true;
    cudaMallocManaged(&m, 1024);
    cudaMallocManaged(&f, 1024);
    cudaMallocManaged(&w, 1024);
    for (int i = 0; i < 32; i++) m[i] = i, f[i] = (float)(i * 7 % 32);
    shuffles<<<1, 32>>>(m, m + 32, f, f + 32);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++) {
        float most = 0;
        want = i % 16 ? want + i : i;
        for (int k = i; k < 32; k++) most = f[k] > most ? f[k] : most;
        right = right && m[32 + i] == want && f[32 + i] == most;
    }
    say("shuffles", right);

    vectors<<<1, 1>>>((unsigned *)m, (unsigned *)m + 64, w);
    cudaDeviceSynchronize();
    say("vectors", m[64] == 7 && m[65] == 6 && m[66] == 5 && m[67] == 4 && w[0] == 7 && w[1] == 8 && w[2] == 78);

    double value = -1.5;
    unsigned long long bits;
    memcpy(&bits, &value, sizeof bits);
    pieces<<<1, 1>>>(w, value);
    cudaDeviceSynchronize();
    say("pieces", w[0] == (bits << 32 | bits >> 32));

    votes<<<1, 32>>>((unsigned *)m);
    cudaDeviceSynchronize();
    say("votes", (unsigned)m[0] == 0x55555555 && (unsigned)m[1] == 0xaaaaaaaa);

    cudaMemset(m, 0, 1024);
    ends<<<1, 64>>>(m);
    cudaDeviceSynchronize();
    right = true;
    for (int i = 0; i < 64; i++) right = right && m[i] == (i % 3 != 0);
    say("ends", right);

    shifts<<<1, 1>>>((unsigned *)m);
    cudaDeviceSynchronize();
    say("shifts", m[0] == 0 && m[1] == -1 && m[2] == 0xff0);
    return 0;
}
