// A pipeline in n pieces where an operation takes a fixed cost f and its bytes' time: (n + 2)(f + T/n), least where n is
// the root of 2T/f (exercise 49, C).
// run: THREELANE_MODEL=bytes
// out: 27 20 18 20 27; 3 pieces of 2.67: 18.33; by the clock 2 + 1; set 1 + 2
#include "exact.h"

enum { FLOATS = 8 * 16384 };        // T: 8 units
static float *h, *in, *out;
static cudaStream_t s[16];

__global__ void square(const float *from, float *to, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = from[i] * from[i];
}
__global__ void spin(long long cycles)
{
    long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

static void pipeline(int n)
{
    for (int i = 0; i < n; i++) {
        int begin = (int)((long long)FLOATS * i / n), end = (int)((long long)FLOATS * (i + 1) / n);
        size_t bytes = (size_t)(end - begin) * sizeof(float);
        MUST(cudaMemcpyAsync(in + begin, h + begin, bytes, cudaMemcpyHostToDevice, s[i]));
        square<<<16, 256, 0, s[i]>>>(in + begin, out + begin, end - begin);
        MUST(cudaMemcpyAsync(h + begin, out + begin, bytes, cudaMemcpyDeviceToHost, s[i]));
    }
}

int main()
{
    MUST(cudaMallocHost(&h, FLOATS * sizeof(float)));
    MUST(cudaMalloc(&in, FLOATS * sizeof(float)));
    MUST(cudaMalloc(&out, FLOATS * sizeof(float)));
    for (int i = 0; i < FLOATS; i++) h[i] = 1;
    for (auto &stream : s) MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int n = 1; n <= 16; n *= 2) printf("%.8g%s", units([&] { pipeline(n); }), n < 16 ? " " : "; ");
    printf("3 pieces of 2.67: %.4g; ", units([] { pipeline(3); }));
    printf("by the clock 2 + %g; ", units([] { spin<<<1, 1>>>(2000000); }) - 2);
    printf("set 1 + %g\n", units([] { MUST(cudaMemsetAsync(in, 0, 2 * 65536, s[0])); }) - 1);
    return 0;
}
