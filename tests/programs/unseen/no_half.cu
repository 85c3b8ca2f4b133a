// A header that is not there: why.
// build: fails
// err: tlcc: half precision is not simulated
#include <cuda_fp16.h>
__global__ void k(__half *p) { p[0] = __float2half(1); }
int main() { return 0; }
