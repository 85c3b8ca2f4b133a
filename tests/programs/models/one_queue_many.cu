// And with a queue for each stream the order does not matter.
// run: THREELANE_MODEL=unit
// out: 3 chains: chain by chain 2, in turn 2; 6 chains: chain by chain 2, in turn 2
#include "one_queue.cu"
