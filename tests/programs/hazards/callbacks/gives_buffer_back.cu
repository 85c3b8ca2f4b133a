// A host function tells main that a buffer is free: with a semaphore, after the copy that used it; or too early.
// hazard: host-race A B
// right: -DRIGHT
#include <semaphore.h>
#include "../hazards.h"
static sem_t idle;
static void CUDART_CB give_back(void *) { sem_post(&idle); }
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    sem_init(&idle, 0, 0);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++) h[i] = round;                // B
#ifndef RIGHT
        cudaLaunchHostFunc(a, give_back, NULL);
#endif
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, a); // A
#ifdef RIGHT
        cudaLaunchHostFunc(a, give_back, NULL);
#endif
        sem_wait(&idle);
    }
    return finish();
}
