// ex45 fail|crashed: .
// Hands the harness buffers that are none: wild pointers, batches that do not exist, and results computed on the host.
#include <stdlib.h>
#include "ex45.h"
void streamBatches(Buffer buffers[BUFFERS])
{
    for (int i = -3; i < BATCHES + 3; i++) {
        Buffer mine = buffers[0];
        float *made = (float *)malloc(BATCH_BYTES);
        for (int k = 0; k < BATCH_FLOATS; k++) made[k] = (float)k;
        mine.host = i % 2 ? made : (float *)0x4141414141414141ul;
        mine.batch = i * 1000003;
        if (i % 2) fillBatch(&mine, i);
        mine.batch = i;
        if (i % 2) collectBatch(&mine);
        free(made);
    }
}
