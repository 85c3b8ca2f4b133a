// Threads that copy, launch, lock and sleep; tests/cli/host-determinism.sh runs it fifty times.
// out: 8 threads, 96 steps, sum 4656
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

__global__ void increment(int *value, int by) { *value += by; }

int main()
{
    std::mutex mutex;
    std::vector<std::thread> threads;
    int order = 0, steps = 0, *sum;
    cudaMallocManaged(&sum, sizeof *sum);
    *sum = 0;
    for (int t = 0; t < 8; t++)
        threads.emplace_back([&, t] {
            cudaStream_t stream;
            cudaStreamCreate(&stream);
            for (int i = 0; i < 12; i++) {
                std::this_thread::sleep_for(std::chrono::microseconds(100 * ((t * 7 + i * 3) % 5)));
                std::lock_guard<std::mutex> lock(mutex);
                increment<<<1, 1, 0, stream>>>(sum, ++order);
                cudaStreamSynchronize(stream);
                printf("%d.%d at %lld\n", t, i, (long long)std::chrono::duration_cast<std::chrono::nanoseconds>(
                       std::chrono::steady_clock::now().time_since_epoch()).count());
                steps++;
            }
            cudaStreamDestroy(stream);
        });
    for (std::thread &thread : threads) thread.join();
    printf("8 threads, %d steps, sum %d\n", steps, *sum);
    return 0;
}
