#include "gpu/cupti_open.h"
#include "common/env.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef THREELANE_CUPTI_LIB /* where the build found it; "" when it did not */
#define THREELANE_CUPTI_LIB ""
#endif

void *cupti_open(char *path, size_t path_size)
{
    static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
    static const char *const folders[] = {"",
                                          "/extras/CUPTI/lib64",
                                          "/lib64",
                                          "/lib",
                                          "/targets/x86_64-linux/lib",
                                          "/targets/sbsa-linux/lib"};
    const char *const roots[] = {getenv(ENV_CUPTI), THREELANE_CUPTI_LIB, getenv(ENV_CUDA_HOME),
                                 "/usr/local/cuda"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof roots / sizeof *roots && !library; i++) {
        for (size_t k = 0;
             roots[i] && roots[i][0] && k < sizeof folders / sizeof *folders && !library; k++) {
            for (size_t n = 0; n < sizeof names / sizeof *names && !library; n++) {
                snprintf(path, path_size, "%s%s/%s", roots[i], folders[k], names[n]);
                library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
            }
        }
    }
    for (size_t n = 0; n < sizeof names / sizeof *names && !library; n++) {
        snprintf(path, path_size, "%s", names[n]);
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (!library && path_size) path[0] = '\0';
    return library;
}
