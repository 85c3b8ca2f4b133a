// With a copy engine for each direction both orders of issue overlap.
// run: THREELANE_MODEL=unit
// out: depth first 6 units, breadth first 6 units, 2 engines
#include "one_copy_engine.cu"
