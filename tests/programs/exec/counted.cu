// Every access counts for the time that a kernel takes, those of which nothing more need be known as well; and what a
// kernel computes does not suffer from being watched. With -flto, too, which would take the hooks away.
// run: THREELANE_MODEL=h200
// flags: -Xcompiler -flto
// compiler: g++
#include <cstdio>
__global__ void again(const float *from, float *to, int rounds)
{
    float sum = 0, more = 1, other = 2;
    for (int k = 0; k < rounds; k++)
        for (int i = 0; i < 512; i++) {
            sum += from[i];
            more = more * 0.5f + from[511 - i];
            other += from[i * 7 & 511];
        }
    *to = sum + more * 0.001f + other;
}
__device__ __noinline__ float turn(float *mine, int k)
{
    for (int i = 0; i < 64; i++) mine[i * 5 & 63] += mine[(i * 3 + k) & 63] * 0.01f;
    return mine[k & 63];
}
__global__ void own(float *to, int rounds)
{
    float mine[64], sum = 0;
    for (int i = 0; i < 64; i++) mine[i] = (float)i;
    for (int k = 0; k < rounds; k++) sum += turn(mine, k);
    *to = sum;
}
template <class F> static float timed(F launch)
{
    cudaEvent_t begin, end;
    float ms;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    launch();
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    return ms;
}
/* So often, twice as often and three times as often: each time, the same comes on top. */
template <class F> static int uneven(const char *what, F launch)
{
    float once = timed([=] { launch(1); }), twice = timed([=] { launch(2); }), thrice = timed([=] { launch(3); });
    float more = (thrice - twice) / (twice - once);
    if (more > 0.999f && more < 1.001f && twice > once * 1.9f) return 0;
    printf("%s: %g ms, %g ms, %g ms\n", what, once, twice, thrice);
    return 1;
}
int main()
{
    float *from, *to, h[512], sum = 0, more = 1, other = 2, result;
    for (int i = 0; i < 512; i++) h[i] = (float)(i % 13) * 0.25f;
    cudaMalloc(&from, sizeof h);
    cudaMalloc(&to, sizeof *to);
    cudaMemcpy(from, h, sizeof h, cudaMemcpyHostToDevice);
    int bad = uneven("what has been read", [=](int times) { again<<<1, 1>>>(from, to, 300 * times); });
    bad += uneven("a thread's own", [=](int times) { own<<<1, 1>>>(to, 1500 * times); });
    again<<<1, 1>>>(from, to, 3);
    cudaMemcpy(&result, to, sizeof result, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 512; i++) sum += h[i], more = more * 0.5f + h[511 - i], other += h[i * 7 & 511];
    if (result != sum + more * 0.001f + other) bad++, printf("%g, not %g\n", result, sum + more * 0.001f + other);
    if (!bad) printf("all as expected\n");
    return bad;
}
