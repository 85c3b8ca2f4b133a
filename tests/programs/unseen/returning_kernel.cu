// A kernel with a result.
// build: fails
// err: tlcc: a __global__ function returns nothing
__global__ int k(int *p) { p[0] = 1; return 1; }
int main() { k<<<1, 32>>>(0); return 0; }
