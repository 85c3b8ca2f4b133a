// One event for all rounds is enough, if the wait is called before the next record. Here the record comes first.
// hazard: race A B
// err: (2 times)
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, 4 * BYTES); keep(d, 4 * BYTES);
    cudaStream_t a = stream(), b = stream();
    cudaEvent_t e = event();
#ifdef RIGHT
    for (int i = 0; i < 4; i++) {
        fill<<<4, 256, 0, a>>>(d + i * N, N, i);
        cudaEventRecord(e, a);
        cudaStreamWaitEvent(b, e, 0);
        add<<<4, 256, 0, b>>>(d + i * N, N);
    }
    cudaStreamSynchronize(b);
#else
    for (int i = 0; i < 4; i += 2) {
        fill<<<4, 256, 0, a>>>(d + i * N, N, i);
        cudaEventRecord(e, a);
        fill<<<4, 256, 0, a>>>(d + (i + 1) * N, N, i);           // A
        cudaStreamWaitEvent(b, e, 0);
        add<<<8, 256, 0, b>>>(d + i * N, 2 * N);                 // B
    }
#endif
    return finish();
}
