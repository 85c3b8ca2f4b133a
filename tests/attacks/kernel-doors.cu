// ex43 fail: default stream
// also with Landlock
// Asks the kernel for what no exercise needs: namespaces, mounts, keys, io_uring, bpf, new roots, and the machine's
// clock.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "ex43.h"

/* Something got out: crashing is then not the expected verdict. */
static void leak(const char *what)
{
    puts(what);
    fflush(stdout);
    abort();
}
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    static const struct { long number; const char *name; } doors[] = {
        {SYS_unshare, "unshare"}, {SYS_setns, "setns"}, {SYS_chroot, "chroot"}, {SYS_pivot_root, "pivot_root"},
        {SYS_bpf, "bpf"},
        {SYS_perf_event_open, "perf_event_open"}, {SYS_keyctl, "keyctl"}, {SYS_reboot, "reboot"},
        {SYS_swapoff, "swapoff"},
        {SYS_sethostname, "sethostname"}, {SYS_init_module, "init_module"}, {SYS_userfaultfd, "userfaultfd"}};
    for (auto &door : doors) {
        errno = 0;
        if (syscall(door.number, 0x10000000, 0, 0, 0, 0) >= 0 || (errno != EPERM && errno != ENOSYS))
            leak(door.name);
    }
    if (syscall(425, 8, h_out) >= 0) leak("io_uring");
    if (mount("none", "/tmp", "tmpfs", 0, nullptr) == 0) leak("mount");
    int fd = open("/proc/sys/kernel/core_pattern", O_WRONLY);
    if (fd >= 0) leak("core_pattern");
    fd = open("/proc/sysrq-trigger", O_WRONLY);
    if (fd >= 0) leak("sysrq");
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
