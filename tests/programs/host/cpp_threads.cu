// What C++ offers for threads waits in virtual time: each line ends with the milliseconds it took.
// flags: -std=c++20
// out: condition_variable 20.000
// out: wait_for timeout 300.000
// out: async 3 5.000
// out: future not ready 10.000
// out: promise 4 7.000
// out: atomic wait 9.000
// out: semaphore 3.000
// out: latch 6.000
// out: yield 3.000
// out: once 1 8.000
// out: static 1 8.000
// out: shared_mutex 12.000
// out: recursive timed 2.000
// out: jthread 4.000
// out: thread_local ended at 1.000
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <thread>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
static Clock::time_point begin;

static double passed() { return std::chrono::duration<double, std::milli>(Clock::now() - begin).count(); }
// The sleep makes the reading of the clock that follows free.
static void start()
{
    std::this_thread::sleep_for(1ns);
    begin = Clock::now();
}

static int made;
static int make()
{
    std::this_thread::sleep_for(8ms);
    return ++made;
}
static int the_only() { static int only = make(); return only; }

struct Late {
    ~Late()
    {
        std::this_thread::sleep_for(1ms);
        printf("thread_local ended at %.3f\n", passed());
    }
};

int main()
{
    std::mutex mutex;
    std::condition_variable changed;
    bool go = false;
    start();
    std::thread a([&] {
        std::this_thread::sleep_for(20ms);
        std::lock_guard<std::mutex> lock(mutex);
        go = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return go; });
    }
    printf("condition_variable %.3f\n", passed());
    a.join();
    start();
    {
        std::unique_lock<std::mutex> lock(mutex);
        bool timeout = changed.wait_until(lock, begin + 300ms) == std::cv_status::timeout;
        std::this_thread::sleep_for(0ns);
        printf("wait_for %s %.3f\n", timeout ? "timeout" : "woken", passed());
    }
    start();
    auto task = std::async(std::launch::async, [] { std::this_thread::sleep_for(5ms); return 3; });
    int three = task.get();
    printf("async %d %.3f\n", three, passed());
    start();
    auto slow = std::async(std::launch::async, [] { std::this_thread::sleep_for(50ms); });
    bool ready = slow.wait_until(begin + 10ms) == std::future_status::ready;
    std::this_thread::sleep_for(0ns);
    printf("future %s %.3f\n", ready ? "ready" : "not ready", passed());
    slow.get();
    start();
    std::promise<int> promise;
    std::thread b([&] { std::this_thread::sleep_for(7ms); promise.set_value(4); });
    int four = promise.get_future().get();
    printf("promise %d %.3f\n", four, passed());
    b.join();
    start();
    std::atomic<int> number{0};
    std::thread c([&] { std::this_thread::sleep_for(9ms); number = 1; number.notify_all(); });
    number.wait(0);
    printf("atomic wait %.3f\n", passed());
    c.join();
    start();
    std::counting_semaphore<4> permits(0);
    std::thread d([&] { for (int i = 0; i < 3; i++) { std::this_thread::sleep_for(1ms); permits.release(); } });
    for (int i = 0; i < 3; i++) permits.acquire();
    printf("semaphore %.3f\n", passed());
    d.join();
    start();
    std::latch both(2);
    std::thread e([&] { std::this_thread::sleep_for(4ms); both.count_down(); });
    std::thread f([&] { std::this_thread::sleep_for(6ms); both.count_down(); });
    both.wait();
    printf("latch %.3f\n", passed());
    e.join();
    f.join();
    start();
    std::atomic<bool> flag{false};
    std::thread g([&] { std::this_thread::sleep_for(3ms); flag = true; });
    while (!flag) std::this_thread::yield();
    printf("yield %.3f\n", passed());
    g.join();
    start();
    std::once_flag once;
    int runs = 0;
    auto init = [&] { std::call_once(once, [&] { std::this_thread::sleep_for(8ms); runs++; }); };
    std::thread h(init);
    init();
    printf("once %d %.3f\n", runs, passed());
    h.join();
    try {
        std::call_once(*new std::once_flag, [] { throw std::runtime_error("thrown through"); });
    } catch (const std::runtime_error &) {
    }
    start();
    std::thread i(the_only);
    the_only();
    printf("static %d %.3f\n", made, passed());
    i.join();
    start();
    std::shared_mutex shared;
    auto reads = [&] { std::shared_lock<std::shared_mutex> lock(shared); std::this_thread::sleep_for(5ms); };
    std::thread j(reads), k(reads);
    std::thread l([&] {
        std::this_thread::sleep_for(1ms);
        std::unique_lock<std::shared_mutex> lock(shared);
        std::this_thread::sleep_for(7ms);
    });
    j.join();
    k.join();
    l.join();
    printf("shared_mutex %.3f\n", passed());
    start();
    std::recursive_timed_mutex timed;
    std::thread m([&] {
        timed.lock();
        timed.lock();
        std::this_thread::sleep_for(40ms);
        timed.unlock();
        timed.unlock();
    });
    std::this_thread::sleep_for(1ms);
    if (timed.try_lock_until(begin + 2ms)) printf("should not have it\n");
    std::this_thread::sleep_for(0ns);
    printf("recursive timed %.3f\n", passed());
    m.join();
    start();
    { std::jthread n([] { std::this_thread::sleep_for(4ms); }); }
    printf("jthread %.3f\n", passed());
    start();
    std::thread o([] { static thread_local Late late; (void)&late; });
    o.join();
    return 0;
}
