// Host functions are given local variables that are there when they run, and are told of it in every way there is.
// check: all
// out: all 8
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <cstdio>

__global__ void busy(int *p) { for (int i = 0; i < 200; i++) p[threadIdx.x] += i; }
static int *d;
static cudaStream_t s;
static void after_work(cudaHostFn_t function, void *data)
{
    busy<<<1, 32, 0, s>>>(d);
    cudaLaunchHostFunc(s, function, data);
}

struct Box { int value; std::mutex lock; std::condition_variable filled; bool is_full; };
static int by_condition(int value)
{
    Box box;
    box.value = value;
    box.is_full = false;
    after_work([](void *data) {
        Box *b = (Box *)data;
        std::lock_guard<std::mutex> hold(b->lock);
        b->value++;
        b->is_full = true;
        b->filled.notify_one();
    }, &box);
    std::unique_lock<std::mutex> hold(box.lock);
    box.filled.wait(hold, [&] { return box.is_full; });
    return box.value;
}
static int by_promise(int value)
{
    std::promise<int> promise;
    std::future<int> result = promise.get_future();
    after_work([](void *data) { ((std::promise<int> *)data)->set_value(2); }, &promise);
    int got = result.get();
    cudaStreamSynchronize(s);
    return value - 1 + got;
}
static int by_semaphore(int value)
{
    struct { sem_t done; int value; } both = {{}, value};
    sem_init(&both.done, 0, 0);
    after_work([](void *data) { auto *b = (decltype(both) *)data; b->value++; sem_post(&b->done); }, &both);
    sem_wait(&both.done);
    return both.value;
}
static int by_atomic(int value)
{
    struct { std::atomic<int> done; int value; } both = {{0}, value};
    after_work([](void *data) { auto *b = (decltype(both) *)data; b->value++; b->done.store(1); }, &both);
    while (!both.done.load()) cudaStreamQuery(s);
    return both.value;
}
static int by_event(int value)
{
    cudaEvent_t e;
    cudaEventCreate(&e);
    after_work([](void *data) { ++*(int *)data; }, &value);
    cudaEventRecord(e, s);
    cudaEventSynchronize(e);
    value += 0;
    cudaEventDestroy(e);
    return value;
}
static int by_stream(int value)
{
    int values[4] = {value, 1, 2, 3};
    for (int &v : values) after_work([](void *data) { ++*(int *)data; }, &v);
    cudaStreamSynchronize(s);
    return values[0];
}
static int one_counter(int value)
{
    for (int i = 0; i < 4; i++) after_work([](void *data) { ++*(int *)data; }, &value);
    cudaDeviceSynchronize();
    return value - 3;
}
static int by_query(int value)
{
    after_work([](void *data) { ++*(int *)data; }, &value);
    while (cudaStreamQuery(s) == cudaErrorNotReady) {}
    return value;
}

int main()
{
    cudaStreamCreate(&s);
    cudaMalloc(&d, 128);
    cudaMemsetAsync(d, 0, 128, s);
    int all = by_condition(0) + by_promise(0) + by_semaphore(0) + by_atomic(0) + by_event(0) + by_stream(0) +
              one_counter(0) + by_query(0);
    printf("all %d\n", all);
    cudaFree(d);
    cudaStreamDestroy(s);
    return 0;
}
