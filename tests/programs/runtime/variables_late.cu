// Two GPUs, and variables that the runtime learns of in all ways: constants, a template's, one that a macro makes, a
// large one; a child of fork has its own, and changes nothing here.
// run: THREELANE_MODEL=unit+devices=2
// out: late variables
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

__device__ int counter = 1;
int host = 5; // beside it
template <class T> __device__ T of_template = 7;
#define KEPT(TYPE) __device__ TYPE
KEPT(int) by_macro = 7;
__device__ const int fixed = 3;
__device__ float large[1 << 20];
__global__ void count() { counter += fixed, of_template<int>++, by_macro++, large[5]++; }

static int bad;
#define IS(WANTED, VALUE)                                                                          \
    do {                                                                                           \
        double is_value = (double)(VALUE);                                                         \
        if (is_value != (WANTED)) printf("line %d: %s is %g\n", __LINE__, #VALUE, is_value), bad++; \
    } while (0)

template <class T> static T at(const T *p)
{
    T value;
    IS(0, cudaMemcpy(&value, p, sizeof value, cudaMemcpyDefault));
    return value;
}

int main()
{
    int *own[2], *late[2];
    const int *constant[2];
    float *floats[2];
    IS(0, cudaSetDevice(1));
    count<<<1, 1>>>();
    IS(0, cudaDeviceSynchronize());
    for (int i = 0; i < 2; i++) {
        IS(0, cudaSetDevice(i));
        IS(0, cudaGetSymbolAddress((void **)&own[i], counter));
        IS(0, cudaGetSymbolAddress((void **)&floats[i], large));
        IS(0, cudaGetSymbolAddress((void **)&constant[i], fixed));
    }
    IS(0, cudaSetDevice(0));
    count<<<1, 1>>>();
    IS(0, cudaDeviceSynchronize());
    host = 6;
    count<<<1, 1>>>();
    IS(0, cudaDeviceSynchronize());
    IS(7, at(own[0]));
    IS(4, at(own[1]));
    IS(2, at(floats[0] + 5));
    IS(1, at(floats[1] + 5));
    IS(3, at(constant[0]));
    IS(3, at(constant[1]));
    IS(6, host);

    for (int i = 0; i < 2; i++) {
        IS(0, cudaSetDevice(i));
        IS(0, cudaGetSymbolAddress((void **)&late[i], of_template<int>));
    }
    IS(9, at(late[0]));
    IS(8, at(late[1]));
    for (int i = 0; i < 2; i++) {
        IS(0, cudaSetDevice(i));
        IS(0, cudaGetSymbolAddress((void **)&late[i], by_macro));
    }
    IS(0, late[0] == late[1]);
    int before = at(late[0]);
    count<<<1, 1>>>(); // on 1
    IS(0, cudaDeviceSynchronize());
    IS(before, at(late[0]));
    IS(before + 1, at(late[1]));

    pid_t child = fork();
    if (!child) {
        host = 99;
        _exit(0);
    }
    waitpid(child, NULL, 0);
    IS(6, host);
    IS(7, at(own[0]));
    count<<<1, 1>>>();
    IS(0, cudaDeviceSynchronize());
    IS(10, at(own[1]));
    if (!bad) printf("late variables\n");
    return bad;
}
