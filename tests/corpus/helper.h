// What these programs share: the macros around calls that people write, one of them chosen by ERRORS.
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>
#ifndef ERRORS
#define ERRORS 1
#endif
#if ERRORS == 1     // of NVIDIA's forum and countless repositories
#define CHECK(call)                                                                                 \
    do {                                                                                            \
        cudaError_t err_ = (call);                                                                  \
        if (err_ != cudaSuccess) {                                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_));           \
            exit(EXIT_FAILURE);                                                                     \
        }                                                                                           \
    } while (0)
#elif ERRORS == 2   // the answer on Stack Overflow
#define CHECK(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}
#elif ERRORS == 3   // of the CUDA samples
template <typename Result> void check(Result result, char const *const func, const char *const file, int const line)
{
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, static_cast<unsigned int>(result),
                cudaGetErrorName(result), func);
        exit(EXIT_FAILURE);
    }
}
#define CHECK(val) check((val), #val, __FILE__, __LINE__)
#elif ERRORS == 4   // of frameworks
#define CHECK(expression)                                                                           \
    do {                                                                                            \
        const cudaError_t status = expression;                                                      \
        if (status != cudaSuccess) throw std::runtime_error(std::string(#expression) + ": " + cudaGetErrorString(status)); \
    } while (false)
#elif ERRORS == 5   // of a well-known book
static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define CHECK(err) (HandleError(err, __FILE__, __LINE__))
#elif ERRORS == 6   // nobody looks
#define CHECK(call) call
#else               // assert
#define CHECK(call) do { cudaError_t result_ = (call); assert(result_ == cudaSuccess); (void)result_; } while (0)
#endif
#define CHECK_LAUNCH() CHECK(cudaGetLastError())

#ifndef TYPE
#define TYPE float
#endif
typedef TYPE T;
#ifndef WRONG
#define WRONG 0
#endif
static inline int verdict(bool right)
{
    puts(right ? "PASSED" : "FAILED");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
