// A ; that is missing before a launch is told as that, at its line.
// build: fails
// err: missing_semicolon.cu:10:11: error
// err: expected
// err: tlcc: a ; is missing before the launch
#include <cuda_runtime.h>

__global__ void nothing() {}
static void work() {
    work()
    nothing<<<1, 32>>>();
}
int main() { work(); }
