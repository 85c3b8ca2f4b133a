// Host functions: results handed over, a pool of buffers, a condition variable, counters, both kinds of call.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DERRORS=3
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DERRORS=2
// variant: -DSTYLE=3
// variant: -DSTYLE=4
// variant: -DSTYLE=5
// variant: -DSTYLE=1 -DERRORS=3 -O0
// variant: -DSTYLE=2 -DERRORS=2 -std=c++20 -O3
// variant: -DSTYLE=4 -G
// variant: -DSTYLE=1 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = host-race
// wrong: -DSTYLE=1 -DWRONG=2 = host-race
// wrong: -DSTYLE=2 -DWRONG=1 = host-race
// wrong: -DSTYLE=3 -DWRONG=1 = race,host-race
// wrong: -DSTYLE=4 -DWRONG=1 = host-race
// wrong: -DSTYLE=4 -DWRONG=2 = use-after-free
// wrong: -DSTYLE=5 -DWRONG=1 = failed-call
// wrong: -DSTYLE=5 -DWRONG=2 = failed-launch
#include "helper.h"
#include <atomic>
#include <condition_variable>
#include <mutex>
enum { N = 1024, JOBS = 6 };
__global__ void square(int *p) { int i = blockIdx.x * blockDim.x + threadIdx.x; p[i] *= p[i]; }
struct Job { int *data; long sum; int number; };
static void CUDART_CB add_up(void *data)
{
    Job *job = (Job *)data;
    for (int i = 0; i < N; i++) job->sum += job->data[i];
}
static void CUDART_CB add_up_with_status(cudaStream_t, cudaError_t status, void *data)
{
    if (status == cudaSuccess) add_up(data);
}
#if STYLE == 3
struct Pool {
    int *buffer[2];
    bool free[2];
    std::mutex lock;
    std::condition_variable back;
    int take()
    {
        std::unique_lock<std::mutex> hold(lock);
        back.wait(hold, [this] { return free[0] || free[1]; });
        int b = free[0] ? 0 : 1;
        if (WRONG != 1) free[b] = false;
        return b;
    }
    void give(int b)
    {
        std::lock_guard<std::mutex> hold(lock);
        free[b] = true;
        back.notify_one();
    }
} pool;
static int which[JOBS];
static void give_back(void *data) { pool.give(*(int *)data); }
#endif
static std::atomic<long> total(0);
static int *shared_buffer;
static void count(void *)
{
    long sum = 0;
    for (int i = 0; i < N; i++) sum += shared_buffer[i];
    total += sum;
}
__attribute__((noinline)) static void issue(cudaStream_t s, int *data)
{
    Job job = {data, 0, 0}, *late = new Job(job);
    cudaLaunchHostFunc(s, add_up, WRONG == 2 ? &job : late);
    if (WRONG != 2) CHECK(cudaStreamSynchronize(s));
    delete late;
}
static int *d_inside;
static void calls_inside(void *)
{
    if (WRONG == 1) cudaMemset(d_inside, 0, 4);
    if (WRONG == 2) square<<<1, 32>>>(d_inside);
}

int main()
{
    cudaStream_t s, t;
    int *h, *d;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreate(&t));
    CHECK(cudaMallocHost(&h, JOBS * N * sizeof *h));
    CHECK(cudaMalloc(&d, JOBS * N * sizeof *d));
    for (int i = 0; i < JOBS * N; i++) h[i] = i % 7;
    long wanted = 0, got = 0;
    for (int i = 0; i < JOBS * N; i++) wanted += h[i] * h[i];
    (void)add_up_with_status, (void)count, (void)calls_inside;
#if STYLE == 1 || STYLE == 2
    std::vector<Job> jobs(JOBS);
    for (int j = 0; j < JOBS; j++) {
        jobs[j] = {h + j * N, 0, j};
        cudaStream_t q = j % 2 ? t : s;
        CHECK(cudaMemcpyAsync(d + j * N, h + j * N, N * sizeof *d, cudaMemcpyHostToDevice, q));
        square<<<N / 256, 256, 0, q>>>(d + j * N);
        CHECK(cudaMemcpyAsync(h + j * N, d + j * N, N * sizeof *d, cudaMemcpyDeviceToHost, q));
        if (STYLE == 1) CHECK(cudaLaunchHostFunc(WRONG == 2 ? (j % 2 ? s : t) : q, add_up, &jobs[j]));
        if (STYLE == 2) CHECK(cudaStreamAddCallback(q, add_up_with_status, &jobs[j], 0));
        if (WRONG == 1) h[j * N] = 1;
    }
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamSynchronize(t));
    for (const Job &job : jobs) got += job.sum;
#elif STYLE == 3
    for (int b = 0; b < 2; b++) {
        CHECK(cudaMallocHost(&pool.buffer[b], N * sizeof *h));
        pool.free[b] = true;
    }
    for (int j = 0; j < JOBS; j++) {
        int b = which[j] = pool.take();
        memcpy(pool.buffer[b], h + j * N, N * sizeof *h);
        CHECK(cudaMemcpyAsync(d + j * N, pool.buffer[b], N * sizeof *h, cudaMemcpyHostToDevice, s));
        CHECK(cudaLaunchHostFunc(s, give_back, &which[j]));
        square<<<N / 256, 256, 0, s>>>(d + j * N);
    }
    CHECK(cudaMemcpyAsync(h, d, JOBS * N * sizeof *h, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    for (int i = 0; i < JOBS * N; i++) got += h[i];
    for (int b = 0; b < 2; b++) CHECK(cudaFreeHost(pool.buffer[b]));
#elif STYLE == 4
    shared_buffer = h;
    for (int j = 0; j < JOBS; j++) {
        CHECK(cudaMemcpyAsync(d, h + j * N, N * sizeof *d, cudaMemcpyHostToDevice, s));
        square<<<N / 256, 256, 0, s>>>(d);
        CHECK(cudaMemcpyAsync(h, d, N * sizeof *d, cudaMemcpyDeviceToHost, s));
        CHECK(cudaLaunchHostFunc(WRONG == 1 ? t : s, count, NULL));
    }
    issue(s, h);
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamSynchronize(t));
    got = total;
#else
    d_inside = d;
    CHECK(cudaMemcpyAsync(d, h, JOBS * N * sizeof *d, cudaMemcpyHostToDevice, s));
    CHECK(cudaLaunchHostFunc(s, calls_inside, NULL));
    square<<<JOBS * N / 256, 256, 0, s>>>(d);
    CHECK(cudaMemcpyAsync(h, d, JOBS * N * sizeof *d, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    for (int i = 0; i < JOBS * N; i++) got += h[i];
#endif
    CHECK(cudaFreeHost(h));
    CHECK(cudaFree(d));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
    return verdict(got == wanted);
}
