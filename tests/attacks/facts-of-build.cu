// ex43 fail: default stream
// never: \.threelane|work-|/tlcc-|TOLD [^ ]*THREELANE_SEED=|TOLD /[^|]*/|@COURSE@|@REPOSITORY@
// Prints what the compiler, the loader and the kernel say of where and when the program was made.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/auxv.h>
#include "ex43.h"

__attribute__((constructor)) static void tells(void)
{
    printf("TOLD %s|%s|%s\n", __FILE__, __BASE_FILE__, __INCLUDE_LEVEL__ ? "included" : "itself");
    printf("TOLD %s|%s|%s\n", (const char *)getauxval(AT_EXECFN), program_invocation_name, getenv("PWD") ? getenv("PWD") : "");
    for (char **at = environ; at && *at; at++) printf("TOLD %s\n", *at);
}


void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    /* TODO: This is right, but only one of the three lanes is ever busy. Reach this instead: while batch i computes,
     * batch i+1 arrives and batch i-1 goes back, so that BATCHES batches take BATCHES + 2 units and not
     * 3 * BATCHES. Give each batch a stream of its own, and return only when everything has arrived. */
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
