// The name of a kernel, by its address.
// run: THREELANE_MODEL=h200
// out: ok function_name
#include "conformance.h"

extern "C" __global__ void plain(int *p) { *p = 1; }
namespace inner { __global__ void scaled(float *p, float by) { *p *= by; } }

int main()
{
    const char *name = NULL;
    warm_up();
    OK(cudaFuncGetName(&name, plain));
    CHECK(name && !strcmp(name, "plain"));
    name = NULL;
    OK(cudaFuncGetName(&name, (const void *)plain));
    CHECK(name && !strcmp(name, "plain"));
    OK(cudaFuncGetName(&name, inner::scaled));      /* mangled, or not: the header leaves it open */
    CHECK(name && strstr(name, "scaled"));
    IS(cudaErrorInvalidValue, cudaFuncGetName(NULL, plain));
    IS(cudaErrorInvalidValue, cudaGetLastError());
    return finish("function_name");
}
