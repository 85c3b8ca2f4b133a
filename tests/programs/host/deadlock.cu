// A host function waits for the main thread, which waits for the stream: the message names both.
// status: 98
// err: deadlock.cu:22: deadlock: nothing can happen any more, and the program waits
// err: thread 1 (main) waits in cudaStreamSynchronize at
// err: thread 2 (runs host functions) waits in pthread_mutex_lock at deadlock.cu:12
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void host_function(void *)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

int main()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    pthread_mutex_lock(&mutex);
    cudaLaunchHostFunc(stream, host_function, nullptr);
    cudaStreamSynchronize(stream);
    pthread_mutex_unlock(&mutex);
    return 0;
}
