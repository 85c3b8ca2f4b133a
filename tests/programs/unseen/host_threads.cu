// Host threads with a default stream each: a pool, futures, promises, semaphores, atomics set by host functions.
// flags: -std=c++14 --default-stream per-thread
// out: ok
#include <thread>
#include <future>
#include <vector>
#include <mutex>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <queue>
#include <pthread.h>
#include <semaphore.h>
#include <cstdio>
__global__ void inc(int *p) { atomicAdd(p, 1); }
void *one_launch(void *p)
{
    inc<<<1, 64>>>((int *)p);
    cudaStreamSynchronize(0);
    return NULL;
}
class Pool
{
    std::vector<std::thread> w;
    std::queue<std::function<void()>> q;
    std::mutex m;
    std::condition_variable c;
    bool stop = false;

public:
    Pool(int n)
    {
        for (int i = 0; i < n; i++)
            w.emplace_back([this] {
                for (;;) {
                    std::function<void()> f;
                    {
                        std::unique_lock<std::mutex> l(m);
                        c.wait(l, [this] { return stop || !q.empty(); });
                        if (stop && q.empty()) return;
                        f = std::move(q.front());
                        q.pop();
                    }
                    f();
                }
            });
    }
    template <class F> std::future<int> submit(F f)
    {
        auto t = std::make_shared<std::packaged_task<int()>>(f);
        auto r = t->get_future();
        {
            std::lock_guard<std::mutex> l(m);
            q.emplace([t] { (*t)(); });
        }
        c.notify_one();
        return r;
    }
    ~Pool()
    {
        {
            std::lock_guard<std::mutex> l(m);
            stop = true;
        }
        c.notify_all();
        for (auto &t : w) t.join();
    }
};
int main()
{
    int *each;
    cudaMallocManaged(&each, 16);
    for (int i = 0; i < 4; i++) each[i] = 0;
    pthread_t th[4];
    for (int i = 0; i < 4; i++)
        if (pthread_create(&th[i], NULL, one_launch, each + i)) return 1;
    for (int i = 0; i < 4; i++) {
        pthread_join(th[i], NULL);
        if (each[i] != 64) return 6;
    }
    int *c;
    cudaMallocManaged(&c, 4);
    *c = 0;
    cudaDeviceSynchronize();
    {
        std::vector<std::thread> t;
        for (int i = 0; i < 3; i++)
            t.emplace_back([c] {
                cudaSetDevice(0);
                for (int k = 0; k < 5; k++) inc<<<2, 32>>>(c);
                cudaStreamSynchronize(cudaStreamPerThread);
            });
        for (auto &x : t) x.join();
    }
    cudaDeviceSynchronize();
    if (*c != 960) return printf("%d\n", *c), 2;
    auto f = std::async(std::launch::async, [] {
        int *d, h = 0;
        cudaMalloc(&d, 4);
        cudaMemset(d, 0, 4);
        inc<<<1, 32>>>(d);
        cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
        cudaFree(d);
        return h;
    });
    if (f.wait_for(std::chrono::seconds(5)) != std::future_status::ready || f.get() != 32) return 3;
    {
        Pool p(3);
        std::vector<std::future<int>> r;
        for (int i = 0; i < 8; i++)
            r.push_back(p.submit([i] {
                int *d, h = i;
                cudaMalloc(&d, 4);
                cudaMemcpyAsync(d, &h, 4, cudaMemcpyHostToDevice);
                inc<<<1, 1>>>(d);
                cudaMemcpyAsync(&h, d, 4, cudaMemcpyDeviceToHost);
                cudaStreamSynchronize(0);
                cudaFree(d);
                return h;
            }));
        for (int i = 0; i < 8; i++)
            if (r[i].get() != i + 1) return 4;
    }
    std::atomic<bool> ready{false};
    std::thread poll([&] {
        while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
    });
    cudaLaunchHostFunc(
        0, [](void *p) { static_cast<std::atomic<bool> *>(p)->store(true); }, &ready);
    poll.join();
    std::promise<int> pr;
    auto fu = pr.get_future();
    cudaLaunchHostFunc(
        0, [](void *p) { ((std::promise<int> *)p)->set_value(5); }, &pr);
    if (fu.get() != 5) return 5;
    sem_t s;
    sem_init(&s, 0, 0);
    cudaLaunchHostFunc(
        0, [](void *p) { sem_post((sem_t *)p); }, &s);
    sem_wait(&s);
    std::once_flag of;
    std::call_once(of, [] { cudaFree(0); });
    thread_local static int tl = 3;
    puts(tl == 3 ? "ok" : "no");
    return 0;
}