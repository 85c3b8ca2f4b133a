/* real_libc.h - the real functions behind the stand-ins. Private to sim/host. */
#ifndef THREELANE_REAL_LIBC_H
#define THREELANE_REAL_LIBC_H
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* LIBC(f) is the f that would have been called without us. Looked up once. */
#define LIBC(f)                                                                       \
    ({                                                                                \
        static _Atomic(__typeof__(&f)) found;                                         \
        __typeof__(&f) function = atomic_load_explicit(&found, memory_order_acquire); \
        if (__builtin_expect(!function, 0)) {                                         \
            function = (__typeof__(&f))(uintptr_t)dlsym(RTLD_NEXT, #f);               \
            if (!function) abort();                                                   \
            atomic_store_explicit(&found, function, memory_order_release);            \
        }                                                                             \
        function;                                                                     \
    })

/* Times given to timed waits, in virtual time. False: not a valid time. */
bool host_timespec_ns(const struct timespec *, uint64_t *ns);
bool host_deadline(clockid_t, const struct timespec *at, uint64_t *ns);
#endif
