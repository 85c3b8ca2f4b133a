// The memset mystery with the results cleared before they have been copied out: the driver's calls are watched as the
// runtime's are.
// run: THREELANE_MODEL=room
// flags: -lcuda
// hazard: race A B
#include "memset_mystery.h"

int main()
{
    begin();
    copy_in(0);
    clear(0, stream[0]);
    launch(0, FULL);
    MUST(cuMemcpyDtoHAsync(h_counts[0], counts[0], BINS * sizeof(unsigned), stream[0])); // A
    MUST(cuMemsetD8Async(counts[0], 0, BINS * sizeof(unsigned), side[0])); // B
    MUST(cuCtxSynchronize());
    return 0;
}
