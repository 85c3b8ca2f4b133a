// A header that is not there: why.
// build: fails
// err: tlcc: numbers of 4 and 6 bits are not simulated
#include <cuda_fp4.h>
__global__ void k(__nv_fp4_e2m1 *p) { p[0] = __nv_fp4_e2m1(1.f); }
int main() { return 0; }
