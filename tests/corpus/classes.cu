// C++: owners of memory and streams, unique_ptr with deleters, templates, functors, structs by value, unified objects.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DTYPE=double -DERRORS=4
// variant: -DSTYLE=2
// variant: -DSTYLE=3 -DTYPE=int
// variant: -DSTYLE=4
// variant: -DSTYLE=4 -DTYPE=int -DERRORS=3
// variant: -DSTYLE=5
// variant: -DSTYLE=6
// variant: -DSTYLE=1 -DTYPE=double -DERRORS=4 -O0
// variant: -DSTYLE=3 -DTYPE=int -std=c++20 -O3
// variant: -DSTYLE=4 -DTYPE=int -DERRORS=3 -G
// variant: -DSTYLE=6 -std=c++17 -O1
// wrong: -DSTYLE=1 -DWRONG=1 = use-after-free
// wrong: -DSTYLE=1 -DWRONG=2 = host-race
// wrong: -DSTYLE=1 -DWRONG=3 = wrong-memory
// wrong: -DSTYLE=5 -DWRONG=1 = host-race
// wrong: -DSTYLE=3 -DTYPE=int -DWRONG=1 = out-of-bounds
// wrong: -DSTYLE=2 -DWRONG=1 = use-after-free
// wrong: -DSTYLE=6 -DWRONG=1 = wrong-memory
#include "helper.h"
#include <memory>
#include <utility>
enum { N = 1500 };
template <typename U> class DeviceBuffer {
    U *data_ = nullptr;
    size_t n_ = 0;

  public:
    explicit DeviceBuffer(size_t n) : n_(n) { CHECK(cudaMalloc(&data_, n * sizeof(U))); }
    DeviceBuffer(DeviceBuffer &&other) noexcept : data_(std::exchange(other.data_, nullptr)), n_(other.n_) {}
#if WRONG
    DeviceBuffer(const DeviceBuffer &) = default;
#else
    DeviceBuffer(const DeviceBuffer &) = delete;
#endif
    ~DeviceBuffer() { cudaFree(data_); }
    U *get() const { return data_; }
    void upload(const std::vector<U> &from, cudaStream_t s = 0)
    {
        CHECK(cudaMemcpyAsync(data_, from.data(), n_ * sizeof(U), cudaMemcpyHostToDevice, s));
    }
    void download(U *to, cudaStream_t s) const
    {
        CHECK(cudaMemcpyAsync(to, data_, n_ * sizeof(U), cudaMemcpyDeviceToHost, s));
    }
};
struct Stream {
    cudaStream_t handle;
    Stream() { CHECK(cudaStreamCreate(&handle)); }
    ~Stream() { cudaStreamDestroy(handle); }
    operator cudaStream_t() const { return handle; }
};
template <typename U> struct Twice { __device__ U operator()(U x) const { return 2 * x; } };
template <typename U> struct AddTo {
    U value;
    __host__ __device__ U operator()(U x) const { return x + value; }
};
template <typename U, typename F, int PER = 1> __global__ void map(U *p, int n, F f)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * PER;
#pragma unroll
    for (int k = 0; k < PER; k++)
        if (first + k < n) p[first + k] = f(p[first + k]);
}
struct Managed {
    void *operator new(size_t bytes)
    {
        void *p;
        CHECK(cudaMallocManaged(&p, bytes));
        CHECK(cudaDeviceSynchronize());
        return p;
    }
    void operator delete(void *p)
    {
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaFree(p));
    }
};
struct Element : Managed { T value = 1; int count = 0; Element *next = nullptr; };
__global__ void walk(Element *e)
{
    for (; e; e = e->next) e->value *= 3, e->count++;
}
struct Particle {
    float x, y;
    __device__ void step(float t) { x += t * y; }
};
__global__ void advance(Particle *p, int n, Particle push)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n + WRONG) return;
    p[i].step(2);
    p[i].y += push.y;
}
int main()
{
    bool right = true;
    std::vector<T> h(N);
    for (int i = 0; i < N; i++) h[i] = i % 4;
#if STYLE == 1
    Stream s;
    T *pinned;
    CHECK(cudaMallocHost(&pinned, N * sizeof(T)));
    {
        DeviceBuffer<T> buffer(N);
        buffer.upload(h, s);
#if WRONG == 1
        {
            DeviceBuffer<T> copy = buffer;      // both destructors free it
        }
#endif
        map<<<(N + 127) / 128, 128, 0, s>>>(buffer.get(), N, Twice<T>());
        DeviceBuffer<T> moved(std::move(buffer));
        moved.download(pinned, s);
        if (WRONG != 2) CHECK(cudaStreamSynchronize(s));
        for (int i = 0; i < N; i++) right = right && pinned[i] == 2 * h[i];
    }
    CHECK(cudaStreamSynchronize(s));
    if (WRONG == 3) CHECK(cudaFree(pinned));
    CHECK(cudaFreeHost(pinned));
#elif STYLE == 2
    auto release = [](T *p) { cudaFree(p); };
    T *raw;
    CHECK(cudaMalloc(&raw, N * sizeof(T)));
    std::unique_ptr<T, decltype(release)> owner(raw, release);
    std::shared_ptr<T> shared(owner.release(), cudaFree);
    CHECK(cudaMemcpy(shared.get(), h.data(), N * sizeof(T), cudaMemcpyHostToDevice));
    if (WRONG) shared.reset();
    map<T, AddTo<T>, 4><<<4, 128>>>(raw, N, AddTo<T>{5});
    CHECK_LAUNCH();
    std::vector<T> got(N);
    CHECK(cudaMemcpy(got.data(), raw, N * sizeof(T), cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) right = right && got[i] == h[i] + 5;
#elif STYLE == 3
    // an array of structs with members
    std::vector<Particle> particles(100, Particle{1, 2});
    Particle *d;
    CHECK(cudaMalloc(&d, particles.size() * sizeof *d));
    CHECK(cudaMemcpy(d, particles.data(), particles.size() * sizeof *d, cudaMemcpyHostToDevice));
    advance<<<1, 128>>>(d, 100, Particle{0, 1});
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(particles.data(), d, particles.size() * sizeof *d, cudaMemcpyDeviceToHost));
    for (const Particle &p : particles) right = right && p.x == 5 && p.y == 3;
    CHECK(cudaFree(d));
#elif STYLE == 4
    DeviceBuffer<T> a(N), b(N);
    a.upload(h), b.upload(h);
    AddTo<T> three{3};
    map<<<12, 128>>>(a.get(), N, three);
    map<<<12, 128>>>(b.get(), N, Twice<T>());
    std::vector<T> ga(N), gb(N);
    a.download(ga.data(), 0), b.download(gb.data(), 0);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) right = right && ga[i] == three(h[i]) && gb[i] == 2 * h[i];
#elif STYLE == 5
    Element *first = new Element, *second = new Element;
    first->next = second;
    walk<<<1, 1>>>(first);
    CHECK_LAUNCH();
    if (!WRONG) CHECK(cudaDeviceSynchronize());
    right = second->value == 3 && first->count == 1;
    delete second;
    delete first;
#else
    // a struct of pointers, itself copied to the device
    struct Arrays { T *a, *b; } host, *device;
    CHECK(cudaMalloc(&host.a, N * sizeof(T)));
    CHECK(cudaMalloc(&host.b, N * sizeof(T)));
    CHECK(cudaMalloc(&device, sizeof host));
    CHECK(cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(WRONG ? device->a : host.a, h.data(), N * sizeof(T), cudaMemcpyHostToDevice));
    map<<<12, 128>>>(host.a, N, Twice<T>());
    std::vector<T> got(N);
    CHECK(cudaMemcpy(got.data(), host.a, N * sizeof(T), cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) right = right && got[i] == 2 * h[i];
    cudaFree(host.a), cudaFree(host.b), cudaFree(device);
#endif
    return verdict(right);
}
