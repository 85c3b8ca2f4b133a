// Error checks as people write them: statements, functions, templates, lambdas, exceptions.
// flags: -std=c++14
// out: ok
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sstream>
#include <iostream>
#include <cuda_runtime.h>
#define CK1(call)                                                                                     \
    do {                                                                                              \
        cudaError_t err_ = (call);                                                                    \
        if (err_ != cudaSuccess) {                                                                    \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, cudaGetErrorString(err_), #call); \
            exit(EXIT_FAILURE);                                                                       \
        }                                                                                             \
    } while (0)
#define TRY(ans)                            \
    {                                       \
        stop_if((ans), __FILE__, __LINE__); \
    }
inline void stop_if(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "%s at %s, line %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}
template <typename T> void check(T result, char const *const func, const char *const file, int const line)
{
    if (result) {
        fprintf(stderr, "%s, line %d: error %d (%s) from %s\n", file, line, static_cast<unsigned int>(result),
                cudaGetErrorName(result), func);
        exit(EXIT_FAILURE);
    }
}
#define VERIFY(val) check((val), #val, __FILE__, __LINE__)
#define CK_EXPR(x)                                                                                      \
    ([&] {                                                                                              \
        auto e = (x);                                                                                   \
        if (e != cudaSuccess) throw std::runtime_error(std::string(#x) + ": " + cudaGetErrorString(e)); \
        return e;                                                                                       \
    }())
#define CK_TYPEOF(x)                               \
    ({                                             \
        __typeof__(x) e__ = (x);                   \
        if (e__ != cudaSuccess) {                  \
            std::cerr << "failed " << e__ << '\n'; \
            std::abort();                          \
        }                                          \
        e__;                                       \
    })
#define LAUNCHED(msg) launch_error(msg, __FILE__, __LINE__)
inline void launch_error(const char *m, const char *f, int l)
{
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) {
        fprintf(stderr, "%s(%d): %s: %d %s\n", f, l, m, (int)e, cudaGetErrorString(e));
        exit(-1);
    }
}
class CudaException : public std::runtime_error
{
    cudaError_t code_;

public:
    CudaException(cudaError_t c, const char *file, int line)
        : std::runtime_error([&] {
              std::ostringstream s;
              s << file << ':' << line << ": " << cudaGetErrorName(c);
              return s.str();
          }()),
          code_(c)
    {
    }
    cudaError_t code() const noexcept { return code_; }
};
#define THROW(x)                                                             \
    do {                                                                     \
        if (cudaError_t e = (x)) throw CudaException{e, __FILE__, __LINE__}; \
    } while (false)
#define CHECK_LAUNCH(...)           \
    do {                            \
        __VA_ARGS__;                \
        CK1(cudaPeekAtLastError()); \
        CK1(cudaGetLastError());    \
    } while (0)
#define NOT_NULL(a)                                            \
    {                                                          \
        if (a == NULL) {                                       \
            printf("no memory: %s, %d\n", __FILE__, __LINE__); \
            exit(EXIT_FAILURE);                                \
        }                                                      \
    }
__global__ void add(int a, int b, int *c) { *c = a + b; }
__global__ void fill(int *p, int v, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = v;
}
int main(void)
{
    int c = 0, *dev_c;
    CK1(cudaMalloc((void **)&dev_c, sizeof(int)));
    add<<<1, 1>>>(2, 7, dev_c);
    LAUNCHED("add failed");
    TRY(cudaMemcpy(&c, dev_c, sizeof(int), cudaMemcpyDeviceToHost));
    if (c != 9) return 1;
    VERIFY(cudaFree(dev_c));
    CK_EXPR(cudaMalloc(&dev_c, 1000 * sizeof *dev_c));
    CHECK_LAUNCH(fill<<<4, 64>>>(dev_c, 5, 1000));
    CK_TYPEOF(cudaDeviceSynchronize());
    int *h = (int *)malloc(1000 * sizeof(int));
    NOT_NULL(h);
    CK1(cudaMemcpy(h, dev_c, 1000 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 1000; ++i)
        if (h[i] != 5) return 2;
    free(h);
    bool caught = false;
    try {
        THROW(cudaMemcpy(h, dev_c, 4, (cudaMemcpyKind)9));
    } catch (const CudaException &e) {
        caught = e.code() == cudaErrorInvalidMemcpyDirection;
        std::cout << e.what() << std::endl;
    }
    if (!caught) return 3;
    try {
        CK_EXPR(cudaSetDevice(42));
        return 4;
    } catch (std::exception &e) {
        std::cout << e.what() << "\n";
        if (!strstr(e.what(), "invalid device ordinal")) return 5;
    }
    fill<<<1, 2048>>>(dev_c, 1, 1);
    cudaError_t sync = cudaGetLastError(), async = cudaDeviceSynchronize();
    if (sync == cudaSuccess || async != cudaSuccess) return 6;
    printf("%s / %s\n", cudaGetErrorString(sync), cudaGetErrorName(sync));
    fill<<<0, 32>>>(dev_c, 1, 1);
    if (cudaPeekAtLastError() == cudaSuccess) return 7;
    cudaGetLastError();
    CK1(cudaFree(dev_c));
    CK1(cudaDeviceReset());
    puts("ok");
    return EXIT_SUCCESS;
}