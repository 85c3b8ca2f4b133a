// The textbook GPU, on which calls take no time, keeps to the same rules.
// run: THREELANE_MODEL=unit
// out: ok polls
#include "../../conformance/polls.cu"
// hazard: host-race 59 64
