// A generator that is not there: which there are.
// build: fails
// err: tlcc: of cuRAND's generators there are curandState (xorwow) and curandStatePhilox4_32_10_t
#include <curand_kernel.h>
__global__ void k(curandStateSobol32_t *s, unsigned *o) { *o = curand(s); }
int main() { return 0; }
