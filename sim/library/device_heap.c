/* device_heap.c - malloc and new in a kernel: memory of the device's heap, which is not simulated.
 * They end the program by name and line; in host code both are the C and C++ library's.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include "sim/exec/exec.h"
#include "sim/host/host.h"

#define CALLER ((const char *)__builtin_return_address(0) - 1)

static _Noreturn __attribute__((cold, noinline)) void refuse(const char *what, const void *pc)
{
    HostPosition at;
    bool known = host_position(pc, &at);

    host_fatal(HOST_STATUS_UNSUPPORTED,
               known ? (TraceSite){at.file, at.line} : (TraceSite){NULL, 0},
               "the kernel %s calls %s: memory that a kernel allocates is not simulated; allocate "
               "it before the launch, with "
               "cudaMalloc, and give the kernel the pointer",
               exec_current()->name, what);
}

void *threelane_malloc(size_t bytes);
void *threelane_malloc(size_t bytes)
{
    if (__builtin_expect(exec_in_kernel(), 0)) refuse("malloc", CALLER);
    return malloc(bytes);
}

/* operator new(size_t) and operator new[](size_t), before the C++ library's. Weak: a program may
 * have its own. */
typedef void *New(size_t);

static void *host_new(New **next, const char *name, size_t bytes)
{
    if (!*next) *(void **)next = dlsym(RTLD_NEXT, name);
    if (*next) return (*next)(bytes);
    void *memory = malloc(bytes ? bytes : 1); /* the C++ library is linked statically */
    if (!memory) abort();
    return memory;
}

void *_Znwm(size_t bytes);
void *_Znwm(size_t bytes)
{
    static New *next;
    if (__builtin_expect(exec_in_kernel(), 0)) refuse("new", CALLER);
    return host_new(&next, "_Znwm", bytes);
}

void *_Znam(size_t bytes);
void *_Znam(size_t bytes)
{
    static New *next;
    if (__builtin_expect(exec_in_kernel(), 0)) refuse("new", CALLER);
    return host_new(&next, "_Znam", bytes);
}
