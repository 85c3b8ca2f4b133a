// What is slower the first time, by the program's own clock, on a model of a card: its first launch, each kernel's, each
// function's first call; a copy to memory that nobody has touched. And quicker: the same memory, copied again.
// run: THREELANE_MODEL=h200
// out: all as it should be
#include <cstdio>
#include <ctime>
#include <sys/mman.h>
__global__ void one(int *p) { *p = 1; }
__global__ void two(int *p) { *p = 2; }

static double now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}
template <class Call> static double took(Call call)
{
    double begun = now();
    call();
    double ended = now();
    cudaDeviceSynchronize();
    return ended - begun;
}
static int wrong;
static void holds(const char *what, bool yes, double first, double second)
{
    if (!yes) printf("%s: %.1f us, then %.1f\n", what, first, second), wrong++;
}

int main()
{
    const size_t bytes = 8 << 20;
    int *d;
    cudaStream_t s;
    cudaEvent_t e;
    cudaMalloc(&d, bytes);
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    double a = took([&] { one<<<1, 1>>>(d); }), b = took([&] { one<<<1, 1>>>(d); }), c = took([&] { two<<<1, 1>>>(d); });
    holds("the first launch", a > b + 100 && a < b + 250, a, b);
    holds("a kernel's first launch", c > b + 5 && c < b + 30, c, b);
    a = took([&] { cudaEventRecord(e, s); }), b = took([&] { cudaEventRecord(e, s); });
    holds("the first record", a > b + 3 && a < b + 30, a, b);

    char *memory = (char *)mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 2;
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    cudaMemset(d, 0, bytes);
    cudaDeviceSynchronize();
    a = took([&] { cudaMemcpy(memory, d, bytes, cudaMemcpyDeviceToHost); });
    b = took([&] { cudaMemcpy(memory, d, bytes, cudaMemcpyDeviceToHost); });
    holds("a copy to fresh pages", a > 5 * b, a, b);
    double times[4];
    for (double &t : times) t = took([&] { cudaMemcpyAsync(d, memory, bytes, cudaMemcpyHostToDevice, s); });
    holds("the third copy from the same memory", times[2] < 0.7 * times[1] && times[3] < 0.7 * times[1], times[1], times[2]);
    printf("%s\n", wrong ? "wrong" : "all as it should be");
    return wrong;
}
