// Host threads with a stream each, asynchronous tasks, OpenMP, a queue between two of them.
// variant: -DSTYLE=1 -Xcompiler -pthread
// variant: -DSTYLE=1 -DTYPE=int -DERRORS=3 -Xcompiler -pthread
// variant: -DSTYLE=2 -Xcompiler -pthread
// variant: -DSTYLE=2 -DERRORS=2 -Xcompiler -pthread
// variant: -DSTYLE=3 -Xcompiler -fopenmp
// variant: -DSTYLE=3 -DTYPE=double -Xcompiler -fopenmp
// variant: -DSTYLE=4 -Xcompiler -pthread
// variant: -DSTYLE=1 --default-stream per-thread -Xcompiler -pthread
// variant: -DSTYLE=5 -Xcompiler -pthread
// variant: -DSTYLE=1 -DTYPE=int -DERRORS=3 -Xcompiler -pthread -O0
// variant: -DSTYLE=2 -DERRORS=2 -Xcompiler -pthread -std=c++20 -O3
// variant: -DSTYLE=3 -DTYPE=double -Xcompiler -fopenmp -G
// variant: -DSTYLE=1 --default-stream per-thread -Xcompiler -pthread -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 -Xcompiler -pthread = host-race
// wrong: -DSTYLE=1 -DWRONG=2 -Xcompiler -pthread = thread-race,host-race,race
// wrong: -DSTYLE=2 -DWRONG=2 -Xcompiler -pthread = thread-race,host-race,race
// wrong: -DSTYLE=3 -DWRONG=1 -Xcompiler -fopenmp = host-race
// wrong: -DSTYLE=4 -DWRONG=1 -Xcompiler -pthread = thread-race,host-race
// wrong: -DSTYLE=5 -DWRONG=1 -Xcompiler -pthread = thread-race,host-race
#include "helper.h"
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <queue>
#include <thread>
enum { N = 2048, WORKERS = 4 };
__global__ void work(T *p, int who)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = p[i] * 2 + who;
}
static T *h, *d;
static long one(int who)
{
    cudaStream_t s;
    int part = WRONG == 2 ? 0 : who;
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMemcpyAsync(d + part * N, h + part * N, N * sizeof(T), cudaMemcpyHostToDevice, s));
    work<<<N / 256, 256, 0, s>>>(d + part * N, who);
    CHECK(cudaMemcpyAsync(h + part * N, d + part * N, N * sizeof(T), cudaMemcpyDeviceToHost, s));
    if (WRONG != 1) CHECK(cudaStreamSynchronize(s));
    long sum = 0;
    for (int i = 0; i < N; i++) sum += h[part * N + i];
    CHECK(cudaStreamDestroy(s));
    return sum;
}
int main()
{
    CHECK(cudaMallocHost(&h, WORKERS * N * sizeof(T)));
    CHECK(cudaMalloc(&d, WORKERS * N * sizeof(T)));
    long wanted = 0, got = 0;
    for (int i = 0; i < WORKERS * N; i++) h[i] = i % 5, wanted += i % 5 * 2 + i / N;
#if STYLE == 1
    std::vector<std::thread> threads;
    long sums[WORKERS];
    for (int w = 0; w < WORKERS; w++) threads.emplace_back([w, &sums] { sums[w] = one(w); });
    for (std::thread &t : threads) t.join();
    for (long s : sums) got += s;
#elif STYLE == 2
    std::vector<std::future<long>> results;
    for (int w = 0; w < WORKERS; w++) results.push_back(std::async(std::launch::async, one, w));
    for (auto &r : results) got += r.get();
#elif STYLE == 3
#pragma omp parallel for num_threads(WORKERS) reduction(+ : got)
    for (int w = 0; w < WORKERS; w++) got += one(w);
#elif STYLE == 4
    // one thread fills, the other copies and launches
    std::mutex lock;
    std::condition_variable there;
    std::queue<int> ready;
    std::thread filler([&] {
        for (int w = 0; w < WORKERS; w++) {
            for (int i = 0; i < N; i++) h[w * N + i] = (w * N + i) % 5;
            {
                std::lock_guard<std::mutex> hold(lock);
                ready.push(w);
            }
            there.notify_one();
        }
    });
    for (int n = 0; n < WORKERS; n++) {
        int w = n;
        if (WRONG != 1) {
            std::unique_lock<std::mutex> hold(lock);
            there.wait(hold, [&] { return !ready.empty(); });
            w = ready.front();
            ready.pop();
        }
        got += one(w);
    }
    filler.join();
#else
    // issued by one thread, awaited by another
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    std::atomic<bool> issued(false);
    std::thread issuer([&] {
        CHECK(cudaMemcpyAsync(d, h, WORKERS * N * sizeof(T), cudaMemcpyHostToDevice, s));
        for (int w = 0; w < WORKERS; w++) work<<<N / 256, 256, 0, s>>>(d + w * N, w);
        CHECK(cudaMemcpyAsync(h, d, WORKERS * N * sizeof(T), cudaMemcpyDeviceToHost, s));
        issued = true;
    });
    while (WRONG != 1 && !issued) std::this_thread::yield();
    if (WRONG != 1) CHECK(cudaStreamSynchronize(s));
    for (int i = 0; i < WORKERS * N; i++) got += h[i];
    issuer.join();
    CHECK(cudaStreamDestroy(s));
#endif
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return verdict(got == wanted);
}
