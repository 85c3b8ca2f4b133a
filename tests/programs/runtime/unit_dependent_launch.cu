// The rules of dependent launches on a textbook model, where 128 kernels of a chain are there at once, and not all of
// their threads have a stack to wait on.
// run: THREELANE_MODEL=unit
// out: ok dependent_launch
#include "../../conformance/dependent_launch.cu"
