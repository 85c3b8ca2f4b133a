// Half a unit: 16.5 instead of the 16 of the kernels alone, since the host is soon ahead of the device.
// run: THREELANE_MODEL=launch-cost+launch=500000
// out: 24 launches of cost 0.5 in two streams: 16.5; a copy 1
#include "launch_cost.cu"
