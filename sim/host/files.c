/* files.c - read and write tell which memory of the program they touch. */
#include "sim/hazard/hazard.h"
#include "sim/host/host.h"
#include "sim/host/host_internal.h"
#include "sim/memory/memory.h"
#include <unistd.h>

const char host_has_files;

ssize_t __read(int, void *, size_t);
ssize_t __write(int, const void *, size_t);
ssize_t __pread64(int, void *, size_t, off_t);
ssize_t __pwrite64(int, const void *, size_t, off_t);

static void touched(const void *memory, ssize_t bytes, HazardTouchKind kind)
{
    uintptr_t at = (uintptr_t)memory;
    if (__builtin_expect(!hazard_on || bytes <= 0, 1)) return;
    if (hazard_tracks(at) || at - memory_base < memory_span)
        host_touched(memory, (size_t)bytes, kind);
}

ssize_t read(int fd, void *to, size_t bytes)
{
    ssize_t got = __read(fd, to, bytes);
    touched(to, got, HAZARD_WRITE);
    return got;
}

ssize_t write(int fd, const void *from, size_t bytes)
{
    ssize_t put = __write(fd, from, bytes);
    touched(from, put, HAZARD_READ);
    return put;
}

ssize_t pread(int fd, void *to, size_t bytes, off_t at)
{
    ssize_t got = __pread64(fd, to, bytes, at);
    touched(to, got, HAZARD_WRITE);
    return got;
}

ssize_t pwrite(int fd, const void *from, size_t bytes, off_t at)
{
    ssize_t put = __pwrite64(fd, from, bytes, at);
    touched(from, put, HAZARD_READ);
    return put;
}
