/* sandbox_filter.h - the seccomp filter of a box: the system calls that nothing in it may make. */
#ifndef THREELANE_SANDBOX_FILTER_H
#define THREELANE_SANDBOX_FILTER_H
#include <stdbool.h>
#include <stddef.h>

typedef struct Filter {
    int fd;      /* a memory file with the program in it */
    void *bytes; /* the same: struct sock_filter[instructions] */
    size_t instructions;
} Filter;

typedef struct FilterOptions {
    bool alone;  /* the box has no process namespace: the filter keeps it from signalling others */
    bool scoped; /* the kernel does so, too (Landlock, Linux 6.12): a program may then signal itself
                  */
    bool gpu;    /* what NVIDIA's driver does is allowed (sandbox_filter.c says what that is) */
    bool counted; /* a control group bounds its memory; else memory that is shared is refused, or,
                     with gpu, box_memory counts it */
} FilterOptions;

/* False when libseccomp was not there when Threelane was built (filter_known is then false too) or
 * does not do it. */
bool filter_make(const FilterOptions *, Filter *);
void filter_release(Filter *);
bool filter_known(void);
#endif
