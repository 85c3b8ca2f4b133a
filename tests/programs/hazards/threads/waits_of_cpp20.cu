// std::atomic::wait, std::latch, std::barrier and std::counting_semaphore order threads.
// compiler: g++-11
// flags: -std=c++20
// hazard: thread-race B A
// right: -DRIGHT
#include <atomic>
#include <barrier>
#include <latch>
#include <semaphore>
#include <thread>
#include "../hazards.h"
int main()
{
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    std::latch begun(1), filled(1);
    std::barrier<> turn(2);
    std::atomic<int> step(0);
    std::counting_semaphore<> counted(0);
    std::thread other([&] {
        begun.wait();
        h[0] = 1;                                                // A
#ifdef RIGHT
        filled.count_down();
#endif
        turn.arrive_and_wait();
        h[1] = 2;
        step.store(1);
        step.notify_all();
        h[2] = 3;
        counted.release();
    });
    begun.count_down();
#ifdef RIGHT
    filled.wait();
#endif
    int sum = h[0];                                              // B
    turn.arrive_and_wait();
    step.wait(0);
    sum += h[1];
    counted.acquire();
    sum += h[2];
    other.join();
    return sum > 6 ? 1 : finish();
}
