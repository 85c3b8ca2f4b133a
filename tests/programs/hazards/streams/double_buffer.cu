// Two buffers take turns; nobody waits until the kernel of two rounds ago has read its buffer. Once for the lines.
// hazard: race B A
// err: (4 times)
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d[2]; cudaMalloc(&d[0], BYTES); keep(d[0]);
    cudaMalloc(&d[1], BYTES); keep(d[1]);
    int *h; cudaMallocHost(&h, 6 * BYTES); keep_pinned(h, 6 * BYTES);
    cudaStream_t in = stream(), work = stream();
    cudaEvent_t arrived[2] = {event(), event()}, used[2] = {event(), event()};
    for (int i = 0; i < 6; i++) {
#ifdef RIGHT
        if (i >= 2) cudaStreamWaitEvent(in, used[i % 2], 0);
#endif
        cudaMemcpyAsync(d[i % 2], h + i * N, BYTES, cudaMemcpyHostToDevice, in); // A
        cudaEventRecord(arrived[i % 2], in);
        cudaStreamWaitEvent(work, arrived[i % 2], 0);
        add<<<4, 256, 0, work>>>(d[i % 2], N);                   // B
        cudaEventRecord(used[i % 2], work);
    }
    cudaStreamSynchronize(work);
    return finish();
}
