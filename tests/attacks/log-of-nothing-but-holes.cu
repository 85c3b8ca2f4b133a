// ex43 over limit|crashed: .
// A log of 60 MiB of nothing, or of as much as it may.
#include <unistd.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int fd = 4; fd < 8; fd++) (void)!ftruncate(fd, 63 << 20);
    for (int fd = 4; fd < 8; fd++) (void)!lseek(fd, 0, SEEK_END);
    (void)h_in, (void)h_out, (void)d_in, (void)d_out;
}
