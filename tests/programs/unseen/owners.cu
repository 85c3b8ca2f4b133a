// Classes that own streams, events and memory; smart pointers with CUDA deleters.
// flags: -std=c++17
// run: THREELANE_MODEL=h200
// out: time ok 1
#include <memory>
#include <vector>
#include <utility>
#include <numeric>
#include <algorithm>
#include <array>
#include <functional>
#include <type_traits>
#include <optional>
#include <string_view>
#include <iostream>
#include <cassert>
struct DeviceDeleter {
    void operator()(void *p) const noexcept { cudaFree(p); }
};
struct HostDeleter {
    template <class T> void operator()(T *p) const { cudaFreeHost(p); }
};
template <class T> using device_ptr = std::unique_ptr<T[], DeviceDeleter>;
template <class T> using pinned_ptr = std::unique_ptr<T[], HostDeleter>;
template <class T> device_ptr<T> make_device(std::size_t n)
{
    T *p = nullptr;
    if (cudaMalloc(&p, n * sizeof(T))) throw std::bad_alloc();
    return device_ptr<T>(p);
}
template <class T> pinned_ptr<T> make_pinned(std::size_t n)
{
    T *p = nullptr;
    if (cudaMallocHost(&p, n * sizeof(T))) throw std::bad_alloc();
    return pinned_ptr<T>(p);
}
class Stream
{
    cudaStream_t s_{};

public:
    explicit Stream(unsigned flags = cudaStreamDefault)
    {
        if (cudaStreamCreateWithFlags(&s_, flags) != cudaSuccess) throw std::runtime_error("stream");
    }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;
    Stream(Stream &&o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
    Stream &operator=(Stream &&o) noexcept
    {
        std::swap(s_, o.s_);
        return *this;
    }
    ~Stream()
    {
        if (s_) cudaStreamDestroy(s_);
    }
    operator cudaStream_t() const { return s_; }
    void sync() const { cudaStreamSynchronize(s_); }
};
class Event
{
    cudaEvent_t e_;

public:
    Event() { cudaEventCreate(&e_); }
    ~Event() { cudaEventDestroy(e_); }
    Event(Event const &) = delete;
    Event &record(cudaStream_t s = 0)
    {
        cudaEventRecord(e_, s);
        return *this;
    }
    void wait_in(cudaStream_t s) { cudaStreamWaitEvent(s, e_); }
    friend float operator-(const Event &b, const Event &a)
    {
        float ms;
        cudaEventSynchronize(b.e_);
        cudaEventElapsedTime(&ms, a.e_, b.e_);
        return ms;
    }
};
using stream_handle = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, decltype(&cudaStreamDestroy)>;
using event_handle = std::shared_ptr<CUevent_st>;
template <class T> class Buffer
{
    T *data_ = nullptr;
    size_t n_ = 0;

public:
    Buffer() = default;
    explicit Buffer(size_t n) : n_(n) { cudaMalloc(&data_, n * sizeof(T)); }
    explicit Buffer(const std::vector<T> &v) : Buffer(v.size())
    {
        cudaMemcpy(data_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice);
    }
    Buffer(Buffer &&o) noexcept
    {
        std::swap(data_, o.data_);
        std::swap(n_, o.n_);
    }
    ~Buffer() { cudaFree(data_); }
    T *data() { return data_; }
    const T *data() const { return data_; }
    size_t size() const { return n_; }
    std::vector<T> host() const
    {
        std::vector<T> v(n_);
        cudaMemcpy(v.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost);
        return v;
    }
};
template <typename T> __global__ void saxpy(T a, const T *__restrict__ x, T *__restrict__ y, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
int main()
{
    constexpr size_t N = 1 << 12;
    constexpr int S = 4;
    std::vector<Stream> streams;
    streams.reserve(2);
    for (int i = 0; i < S; ++i) streams.emplace_back(cudaStreamNonBlocking);
    auto hx = make_pinned<float>(N), hy = make_pinned<float>(N);
    std::iota(hx.get(), hx.get() + N, 0.f);
    std::fill_n(hy.get(), N, 1.f);
    auto dx = make_device<float>(N), dy = make_device<float>(N);
    Event start, stop;
    start.record();
    const size_t chunk = N / S;
    for (auto &s : streams) {
        size_t off = &s - streams.data();
        off *= chunk;
        cudaMemcpyAsync(dx.get() + off, hx.get() + off, chunk * sizeof(float), cudaMemcpyHostToDevice, s);
        cudaMemcpyAsync(dy.get() + off, &hy[off], chunk * sizeof(float), cudaMemcpyHostToDevice, s);
        saxpy<<<(chunk + 255) / 256, 256, 0, s>>>(2.0f, dx.get() + off, dy.get() + off, chunk);
        cudaMemcpyAsync(&hy[off], &dy[off], chunk * sizeof(float), cudaMemcpyDeviceToHost, s);
    }
    std::for_each(streams.begin(), streams.end(), std::mem_fn(&Stream::sync));
    stop.record();
    const float ms = stop - start;
    for (size_t i = 0; i < N; ++i)
        if (hy[i] != 2.f * i + 1.f) {
            std::cout << "bad " << i << '\n';
            return 1;
        }
    cudaStream_t raw;
    cudaStreamCreate(&raw);
    stream_handle handle(raw, &cudaStreamDestroy);
    stream_handle handle2(nullptr, cudaStreamDestroy);
    event_handle ev(
        [] {
            cudaEvent_t e;
            cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
            return e;
        }(),
        cudaEventDestroy);
    cudaEventRecord(ev.get(), handle.get());
    Buffer<double> b(std::vector<double>(100, 3.0)), c(std::vector<double>(100, 1.0));
    saxpy<double><<<1, 128, 0, handle.get()>>>(2, b.data(), c.data(), c.size());
    cudaStreamSynchronize(handle.get());
    Buffer<double> moved = std::move(c);
    auto v = moved.host();
    assert(std::all_of(v.begin(), v.end(), [](double d) { return d == 7; }));
    std::array<cudaStream_t, 3> arr{};
    for (auto &s : arr) cudaStreamCreate(&s);
    std::vector<std::function<void()>> later;
    for (auto s : arr)
        later.push_back([s] {
            cudaStreamSynchronize(s);
            cudaStreamDestroy(s);
        });
    for (auto &f : later) f();
    using Free = cudaError_t (*)(void *);
    Free fr = cudaFree;
    int *q;
    cudaMalloc(&q, 4);
    assert(fr(q) == cudaSuccess);
    std::unique_ptr<int, decltype(&cudaFree)> up(
        [] {
            int *p;
            cudaMalloc(&p, sizeof(int));
            return p;
        }(),
        cudaFree);
    std::unique_ptr<float, cudaError_t (*)(void *)> up2(
        [] {
            float *p;
            cudaMallocHost(&p, 64);
            return p;
        }(),
        &cudaFreeHost);
    std::shared_ptr<int> sp(
        [] {
            int *p;
            cudaMallocManaged(&p, sizeof(int));
            return p;
        }(),
        &cudaFree);
    *sp = 3;
    std::cout << "time ok " << (ms >= 0) << std::endl;
}