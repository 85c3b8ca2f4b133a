// Host functions of two streams are not ordered, although they run on one thread.
// hazard: host-race A A
// err: fix: record an event in stream 1 after two_streams.cu:22 and make stream 2 wait for it before two_streams.cu:23
// right: -DRIGHT
#include <pthread.h>
#include "../hazards.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void CUDART_CB count(cudaStream_t, cudaError_t, void *data)
{
#ifdef RIGHT
    pthread_mutex_lock(&mutex);
#endif
    ++*(int *)data;                                              // A
#ifdef RIGHT
    pthread_mutex_unlock(&mutex);
#endif
}
int main()
{
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(), b = stream();
    cudaStreamAddCallback(a, count, h, 0);
    cudaStreamAddCallback(b, count, h, 0);
#ifdef RIGHT
    cudaStreamSynchronize(a);
    cudaStreamSynchronize(b);
#endif
    (void)mutex;
    return finish();
}
