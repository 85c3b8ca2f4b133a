// ex43 crashed|fail|timed out: .
// Writes over everything of its own process that can be written to.
#include <link.h>
#include <stdio.h>
#include <string.h>
#include "ex43.h"

/* where there is no /proc: what can be written to of everything that is loaded */
static int add_object(dl_phdr_info *object, size_t, void *data)
{
    unsigned long *begin = (unsigned long *)((void **)data)[0], *end = (unsigned long *)((void **)data)[1];
    int *n = (int *)((void **)data)[2];
    for (int i = 0; i < object->dlpi_phnum && *n < 200; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W)) continue;
        begin[*n] = (object->dlpi_addr + part->p_vaddr + 7) & ~7ul;
        end[*n] = begin[*n] + part->p_memsz - 8;
        ++*n;
    }
    return 0;
}

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[500];
    unsigned long begin[200], end[200];
    int n = 0;
    while (maps && n < 200 && fgets(line, sizeof line, maps))
        if (strstr(line, " rw-p ") && !strstr(line, "[stack]") && sscanf(line, "%lx-%lx", &begin[n], &end[n]) == 2 &&
            end[n] - begin[n] < (64ul << 20)) n++;
    void *found[] = {begin, end, &n};
    if (!maps) dl_iterate_phdr(add_object, found);
    for (int i = 0; i < n; i++)
        for (unsigned long at = begin[i]; at < end[i]; at += 8) *(volatile unsigned long *)at = 0x4141414141414141ul;
}
