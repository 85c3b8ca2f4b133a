// A launch with a > too few.
// build: fails
// err: tlcc: a launch is written kernel<<<grid, block>>>(arguments);
__global__ void k(int *p) { p[0] = 1; }
int main() { k<<<1, 32>>(0); return 0; }
