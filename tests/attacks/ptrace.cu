// ex43 fail: default stream
// also with Landlock
// Attaches to its parents as a debugger and writes into their memory.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
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
    for (int pid = 0; pid < 300; pid++) {
        int target = pid ? pid : getppid();
        char path[64], zero[64] = "";
        iovec here = {zero, sizeof zero}, there = {(void *)0x400000, sizeof zero};
        if (target == getpid()) continue;
        if (ptrace(PTRACE_ATTACH, target, 0, 0) == 0) leak("a debugger");
        if (syscall(SYS_process_vm_writev, target, &here, 1, &there, 1, 0) > 0) leak("another's memory");
        snprintf(path, sizeof path, "/proc/%d/mem", target);
        int fd = open(path, O_RDWR);
        if (fd >= 0 && target > 2) leak("another's memory file");
        if (fd >= 0) close(fd);
    }
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
