// The textbook GPU, on which calls take no time, keeps to the same rules.
// run: THREELANE_MODEL=unit
// out: ok forgotten_sync
#include "../../conformance/forgotten_sync.cu"
// hazard: host-race 40 13
// hazard: race 45 47
// hazard: race 55 56
