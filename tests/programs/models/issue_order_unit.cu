// With a copy engine for each direction every order overlaps.
// run: THREELANE_MODEL=unit
// out: depth first 6, breadth first 6, one ahead 6
#include "issue_order.cu"
