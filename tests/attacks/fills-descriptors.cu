// ex43 fail: default stream
// Opens everything it can, as often as it can.
#include <fcntl.h>
#include <unistd.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int i = 0; i < 100000; i++) if (open("/dev/null", O_RDWR) < 0) break;
    for (int fd = 0; fd < 1000000; fd += 997) dup2(1, fd);
    for (int fd = 4096; fd > 20; fd--) close(fd);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
