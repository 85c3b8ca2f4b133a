// More is copied than the function has on its stack: its caller's variables and the way back would be overwritten.
// hazard: out-of-bounds A
// err: few: at most
// err: bytes of the stack, cudaMemcpy at host_stack.cu:
// out: came back with 0
// right: -DRIGHT
#include "../hazards.h"
#ifdef RIGHT
enum { FEW = N };
#else
enum { FEW = 20 };
#endif
__attribute__((noinline)) static int first(const int *d)
{
    int few[FEW];
    cudaMemcpy(few, d, BYTES, cudaMemcpyDeviceToHost);                           // A
    return few[3];
}
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    printf("came back with %d\n", first(d));
    return finish();
}
