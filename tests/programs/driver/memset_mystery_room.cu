// The memset mystery with a grid that leaves room: the memset runs beside the other stream's kernel.
// run: THREELANE_MODEL=room
// flags: -lcuda
// out: 9 units, right
#define BLOCKS (FULL - 2)
#include "memset_mystery.cu"
