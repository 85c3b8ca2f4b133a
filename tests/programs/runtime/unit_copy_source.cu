// The textbook GPU, on which calls take no time, keeps to the same rules.
// run: THREELANE_MODEL=unit
// out: ok copy_source
#include "../../conformance/copy_source.cu"
// hazard: host-race 24 25
