// CUDA's barriers, latches and atomics between host threads.
// flags: -std=c++17
// out: 24
#include <cstdio>
#include <thread>
#include <vector>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/latch>

int main()
{
    cudaFree(0);
    cuda::barrier<cuda::thread_scope_system> all(4);
    cuda::atomic<int> sum(0);
    cuda::std::latch done(4);
    int data[4] = {0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([&, i] {
            data[i] = i;
            all.arrive_and_wait();
            for (int k : data) sum += k;
            done.arrive_and_wait();
        });
    for (std::thread &t : threads) t.join();
    printf("%d\n", (int)sum);
}
