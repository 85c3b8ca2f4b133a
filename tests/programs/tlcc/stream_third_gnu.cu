// The stream as third launch argument.
// not: push
// build: fails
// compiler: g++
// err: stream_third_gnu.cu:10:22: error:
// err: tlcc: the third launch argument is the bytes of shared memory; the stream is the fourth: kernel<<<grid, block, 0, stream>>>
__global__ void k(int *p) { *p = 1; }
int main() { cudaStream_t stream; cudaStreamCreate(&stream);
    int *p; cudaMalloc(&p, 4);
    k<<<dim3(1), 32, stream>>>(p);
}
