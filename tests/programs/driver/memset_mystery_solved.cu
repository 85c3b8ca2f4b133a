// The memset mystery solved: room for a memset, and the next round's results are cleared in a side stream, behind the
// copy of the last round's.
// run: THREELANE_MODEL=room
// flags: -lcuda
// out: 7 units, right
#include "memset_mystery.h"

static void clear_beside(int k)
{
    clear(k, side[k]);
    MUST(cuEventRecord(cleared[k], side[k]));
}

int main()
{
    begin();
    double start = now_units();
    for (int k = 0; k < STREAMS; k++) clear_beside(k);
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < STREAMS; k++) {
            copy_in(k);
            MUST(cuStreamWaitEvent(stream[k], cleared[k], 0));
            launch(k, FULL - 2);
            copy_out(k);
            if (round + 1 < ROUNDS) {
                MUST(cuEventRecord(copied_out[k], stream[k]));
                MUST(cuStreamWaitEvent(side[k], copied_out[k], 0));
                clear_beside(k);
            }
            call_host(k);
        }
    MUST(cuCtxSynchronize());
    return end(now_units() - start);
}
