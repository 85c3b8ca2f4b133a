// ex43 fail|crashed: .
// Loads code at run time: from a file that it writes itself, and from memory.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dlfcn.h>
#include <sys/mman.h>
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
    int fd = open("/tmp/evil.so", O_RDWR | O_CREAT, 0700);
    if (fd >= 0) (void)!write(fd, "\177ELF", 4);
    if (dlopen("/tmp/evil.so", RTLD_NOW)) leak("a library");
    void *code = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code != MAP_FAILED) memcpy(code, "\xc3", 1), ((void (*)())code)();
    if (system("/bin/sh -c 'echo a shell'") == 0) leak("a shell");
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
