// The memset mystery as it is asked: a memset runs on the multiprocessors, so beside a kernel that fills them it waits.
// run: THREELANE_MODEL=room
// flags: -lcuda
// out: 10 units, right
#include "memset_mystery.h"
#ifndef BLOCKS
#define BLOCKS FULL
#endif

int main()
{
    begin();
    double start = now_units();
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < STREAMS; k++) {
            copy_in(k);
            clear(k, stream[k]);
            launch(k, BLOCKS);
            copy_out(k);
            call_host(k);
        }
    MUST(cuCtxSynchronize());
    return end(now_units() - start);
}
