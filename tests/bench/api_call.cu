// What an API call costs in real time: the clocks of a program are virtual, its processor time is not.
// flags: -O2 --plain
#include <cstdio>

enum { CALLS = 1000000, OPERATIONS = 1000000 };

// Nanoseconds this thread has spent on a processor, from the kernel: no clock function tells real time here.
static double cpu_ns()
{
    double ns = 0;
    if (FILE *file = fopen("/proc/thread-self/schedstat", "r")) {
        if (fscanf(file, "%lf", &ns) != 1) ns = 0;
        fclose(file);
    }
    return ns;
}
static void say(const char *what, double value, const char *unit, const char *target)
{
    printf("%-46s %8.1f %-12s target %s\n", what, value, unit, target);
}
// The best of five rounds, in ns per call; the device is drained between rounds, outside the measurement.
template <class Call> static double per_call(Call call)
{
    double best = 1e18;
    for (int round = 0; round < 5; round++) {
        double begin = cpu_ns();
        for (int i = 0; i < CALLS; i++) call();
        double ns = (cpu_ns() - begin) / CALLS;
        if (ns < best) best = ns;
        cudaDeviceSynchronize();
    }
    return best;
}

int main(int argc, char **)
{
    cudaStream_t s[4];
    cudaEvent_t e;
    char *d, *h;
    for (cudaStream_t &stream : s) cudaStreamCreate(&stream);
    cudaEventCreate(&e);
    cudaMalloc(&d, 4096);
    cudaMallocHost(&h, 4096);
    if (argc > 1) {                   // the whole program's time, with or without a trace
        double begin = cpu_ns();
        for (int i = 0; i < OPERATIONS / 4; i++)
            for (cudaStream_t stream : s) cudaMemcpyAsync(d, h, 16, cudaMemcpyHostToDevice, stream);
        cudaDeviceSynchronize();
        say("a program of 1,000,000 operations, traced", (cpu_ns() - begin) / 1e9, "s", "<= 2");
        return 0;
    }
    say("API call: cudaStreamQuery", per_call([&] { cudaStreamQuery(s[0]); }), "ns", "<= 200");
    say("API call: cudaEventRecord", per_call([&] { cudaEventRecord(e, s[0]); }), "ns", "<= 200");
    say("API call: cudaMemcpyAsync, 16 bytes",
        per_call([&] { cudaMemcpyAsync(d, h, 16, cudaMemcpyHostToDevice, s[0]); }), "ns", "<= 200");
    return 0;
}
