// The textbook GPU, on which calls take no time, keeps to the same rules.
// run: THREELANE_MODEL=unit
// out: ok flags
#include "../../conformance/flags.cu"
// hazard: host-race 48 53
