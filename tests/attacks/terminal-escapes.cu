// ex43 fail: default stream
// Prints what a terminal obeys: titles, colours, a cleared screen, an answer to be typed in.
#include <stdio.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    fputs("\033]0;owned\007\033[2J\033[H\033[32mpass  36/36\033[0m\033[5n\033P+q544e\033\\\r\b\b\x9b" "2J\n", stdout);
    fputs("\xff\xfe\xc0\x80\xed\xa0\x80 \xe2\x80\xae reversed \xe2\x80\xa8", stdout);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
