// ex43 over limit: .
// Writes into the log until the disk is full.
#include <string.h>
#include <unistd.h>
#include "ex43.h"

__attribute__((constructor)) static void fill()
{
    static char bytes[1 << 20];
    memset(bytes, '1', sizeof bytes);
    for (;;) (void)!write(4, bytes, sizeof bytes);
}
void asyncPipeline(const float *, float *, float *, float *) {}
