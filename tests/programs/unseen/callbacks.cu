// Callbacks and host functions that wake waiting host threads; a consumer thread that synchronizes streams.
// flags: -std=c++11 -UNDEBUG
// out: ok
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>
const int STREAMS = 4, EACH = 1024;
__global__ void kernel(float *a, int from)
{
    int i = from + threadIdx.x + blockIdx.x * blockDim.x;
    a[i] += 1;
}
struct Done {
    std::mutex m;
    std::condition_variable cv;
    int count = 0;
    void signal()
    {
        {
            std::lock_guard<std::mutex> l(m);
            ++count;
        }
        cv.notify_one();
    }
    void wait(int k)
    {
        std::unique_lock<std::mutex> l(m);
        cv.wait(l, [&] { return count >= k; });
    }
};
void CUDART_CB oldCallback(cudaStream_t stream, cudaError_t status, void *data)
{
    (void)stream;
    assert(status == cudaSuccess);
    static_cast<Done *>(data)->signal();
}
void CUDART_CB hostFn(void *data) { static_cast<Done *>(data)->signal(); }
struct Work {
    int id;
    float sum;
    float *p;
    std::atomic<int> *left;
};
static void consume(void *v)
{
    Work *w = (Work *)v;
    for (int i = 0; i < EACH; i++) w->sum += w->p[i];
    w->left->fetch_sub(1);
}
int main()
{
    float *a, *d_a;
    cudaStream_t stream[STREAMS];
    cudaMallocHost((void **)&a, STREAMS * EACH * sizeof(float));
    cudaMalloc((void **)&d_a, STREAMS * EACH * sizeof(float));
    cudaMemset(d_a, 0, STREAMS * EACH * sizeof(float));
    for (int i = 0; i < STREAMS; ++i) cudaStreamCreate(&stream[i]);
    Done done;
    for (int i = 0; i < STREAMS; i++) {
        kernel<<<4, 256, 0, stream[i]>>>(d_a, i * EACH);
        cudaStreamAddCallback(stream[i], oldCallback, &done, 0);
        cudaLaunchHostFunc(stream[i], hostFn, &done);
        cudaStreamAddCallback(
            stream[i], [](cudaStream_t, cudaError_t, void *p) { ((Done *)p)->signal(); }, &done, 0);
    }
    done.wait(3 * STREAMS);
    assert(done.count == 12);
    std::atomic<int> left{STREAMS};
    std::vector<Work> works(STREAMS);
    for (int i = 0; i < STREAMS; i++) {
        works[i] = {i, 0, a + i * EACH, &left};
        cudaMemcpyAsync(a + i * EACH, d_a + i * EACH, EACH * sizeof(float), cudaMemcpyDeviceToHost, stream[i]);
        cudaLaunchHostFunc(stream[i], consume, &works[i]);
    }
    while (left.load() > 0) std::this_thread::yield();
    for (auto &w : works) assert(fabs(w.sum - EACH) < 1);
    std::queue<int> q;
    std::mutex qm;
    std::condition_variable qc;
    bool stop = false;
    int got = 0;
    std::thread consumer([&] {
        for (;;) {
            std::unique_lock<std::mutex> l(qm);
            qc.wait(l, [&] { return stop || !q.empty(); });
            if (q.empty()) return;
            int i = q.front();
            q.pop();
            l.unlock();
            cudaStreamSynchronize(stream[i]);
            ++got;
        }
    });
    for (int i = 0; i < STREAMS; i++) {
        kernel<<<4, 256, 0, stream[i]>>>(d_a, i * EACH);
        {
            std::lock_guard<std::mutex> l(qm);
            q.push(i);
        }
        qc.notify_all();
    }
    {
        std::lock_guard<std::mutex> l(qm);
        stop = true;
    }
    qc.notify_all();
    consumer.join();
    assert(got == 4);
    while (cudaStreamQuery(stream[0]) != cudaSuccess) std::this_thread::sleep_for(std::chrono::microseconds(10));
    for (auto s : stream) cudaStreamDestroy(s);
    cudaFree(d_a);
    cudaFreeHost(a);
    puts("ok");
    return 0;
}