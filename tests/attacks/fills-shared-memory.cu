// ex43 over limit|crashed|fail|timed out: .
// Fills memory where it is not counted as a process's own: shared pages that are given back at once, memory files,
// pipes.
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    enum { PIECE = 32 << 20 };
    for (int i = 0; i < 200; i++) {
        char *at = (char *)mmap(nullptr, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (at != MAP_FAILED) memset(at, 1, PIECE), madvise(at, PIECE, MADV_DONTNEED);
        int file = (int)syscall(SYS_memfd_create, "fill", 0);
        static char bytes[1 << 20];
        for (int k = 0; file >= 0 && k < 32; k++) if (write(file, bytes, sizeof bytes) < 0) break;
    }
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
