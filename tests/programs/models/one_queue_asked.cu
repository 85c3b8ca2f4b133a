// The same, on a card that is asked for one queue.
// run: THREELANE_MODEL=unit CUDA_DEVICE_MAX_CONNECTIONS=1
// out: 3 chains: chain by chain 4, in turn 2; 6 chains: chain by chain 7, in turn 2
#include "one_queue.cu"
