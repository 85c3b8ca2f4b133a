// The API's functions are values of their documented types.
// run: THREELANE_MODEL=h200
// out: ok functions
#include <functional>
#include <memory>
#include <thread>
#include <type_traits>
#include "conformance.h"

static_assert(std::is_same<decltype(&cudaMemcpyAsync), cudaError_t (*)(void *, const void *, size_t, cudaMemcpyKind,
                                                                      cudaStream_t)>::value, "");
static_assert(std::is_same<decltype(&cudaDeviceSynchronize), cudaError_t (*)()>::value, "");

struct Api {
    cudaError_t (*allocate)(void **, size_t);
    cudaError_t (*release)(void *);
    cudaError_t (*wait)();
};

static cudaError_t call(cudaError_t (*function)(cudaStream_t), cudaStream_t stream) { return function(stream); }

int main()
{
    using namespace std::placeholders;
    const Api api = {cudaMalloc, cudaFree, cudaDeviceSynchronize};
    cudaError_t (*set)(void *, int, size_t, cudaStream_t) = cudaMemsetAsync;
    void *memory;
    unsigned char host[16] = {0};
    cudaStream_t s;
    warm_up();
    OK(cudaStreamCreate(&s));
    OK(api.allocate(&memory, sizeof host));
    OK(set(memory, 7, sizeof host, s));
    OK(call(cudaStreamSynchronize, s));

    auto copy = std::bind(cudaMemcpyAsync, _1, _2, _3, _4, s);
    OK(copy(host, memory, sizeof host, cudaMemcpyDeviceToHost));
    std::thread waits(cudaStreamSynchronize, s);
    waits.join();
    CHECK(host[0] == 7 && host[15] == 7);
    OK(api.wait());

    std::function<cudaError_t(int *)> count = cudaGetDeviceCount;
    int devices = 0;
    OK(count(&devices));
    CHECK(devices >= 1);
    {
        std::unique_ptr<void, decltype(&cudaFree)> owner(memory, cudaFree);
    }
    IS(cudaErrorInvalidValue, api.allocate(nullptr, 4));
    IS(cudaErrorInvalidValue, cudaGetLastError());

    float *typed;                            /* the typed forms have the same names */
    OK(cudaMalloc<float>(&typed, sizeof *typed));
    OK((cudaMemset)(typed, 0, sizeof *typed));
    OK(::cudaFree(typed));
    OK(cudaStreamDestroy(s));
    return finish("functions");
}
