// Names that CUDA 13 has no more: what to use.
// build: fails
// err: tlcc: cudaThreadSynchronize is not in CUDA 13: use cudaDeviceSynchronize
// err: tlcc: __shfl_down is not in CUDA 13: use __shfl_down_sync
__global__ void k(int *p) { p[0] = __shfl_down(p[0], 1); }
int main() { k<<<1, 32>>>(0); cudaThreadSynchronize(); return 0; }
