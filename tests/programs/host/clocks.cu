// Clocks and sleeps live in virtual time, in a program that makes no CUDA call.
// flags: -std=c++17
// out: sleep_for 1500000000
// out: spin 1000000
// out: usleep 10000
// out: nanosleep 123
// out: sleep_until 2000000000
// out: wall 1735689604 clock 4502010 us
// out: gettimeofday 1735689604.502010
// out: poll 25000000
// out: select 1500000
// out: raw 1000000
// out: timespec_get 1 0, 1735689604
#include <chrono>
#include <cstdio>
#include <ctime>
#include <poll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

using Clock = std::chrono::steady_clock;
static Clock::time_point last;

// The first read after time has moved is free.
static void lap(const char *what)
{
    Clock::time_point now = Clock::now();
    printf("%s %lld\n", what, (long long)std::chrono::nanoseconds(now - last).count());
    last = now;
}

int main()
{
    last = Clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    lap("sleep_for");
    Clock::time_point now;
    do now = Clock::now();
    while (now - last < std::chrono::milliseconds(1));
    printf("spin %lld\n", (long long)std::chrono::nanoseconds(now - last).count());
    last = now;
    usleep(10);
    lap("usleep");
    timespec length = {0, 123};
    nanosleep(&length, nullptr);
    lap("nanosleep");
    std::this_thread::sleep_until(last + std::chrono::seconds(2));
    lap("sleep_until");
    length.tv_nsec = 999877;
    length.tv_sec = 1;
    nanosleep(&length, nullptr);
    length = {0, 0};
    time_t wall = time(nullptr);
    printf("wall %ld ", (long)wall);
    nanosleep(&length, nullptr);
    printf("clock %ld us\n", (long)clock());
    timeval day;
    nanosleep(&length, nullptr);
    gettimeofday(&day, nullptr);
    printf("gettimeofday %ld.%06ld\n", (long)day.tv_sec, (long)day.tv_usec);
    usleep(1);
    last = Clock::now();
    poll(nullptr, 0, 25);
    lap("poll");
    timeval most = {0, 1500};
    select(0, nullptr, nullptr, nullptr, &most);
    lap("select");
    timespec raw;
    usleep(1000);
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &raw);
    printf("raw %lld\n", raw.tv_sec * 1000000000LL + raw.tv_nsec
           - (long long)std::chrono::nanoseconds(last.time_since_epoch()).count());
    timespec day_of = {};
    int known = timespec_get(&day_of, TIME_UTC), unknown = timespec_get(&raw, TIME_UTC + 1);
    printf("timespec_get %d %d, %ld\n", known == TIME_UTC, unknown, (long)day_of.tv_sec);
    return 0;
}
