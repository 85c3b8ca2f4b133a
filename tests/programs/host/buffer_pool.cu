// Fewer buffers than batches: host functions give them back, main waits for one on a condition variable.
// out: 8 batches, 4 waits, all buffers back
#include <cstdio>
#include <pthread.h>

enum { BATCHES = 8, BUFFERS = 4, N = 256 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given_back = PTHREAD_COND_INITIALIZER;
static float *pool[BUFFERS];
static int available = BUFFERS, waits;

static void give_back(void *buffer)
{
    pthread_mutex_lock(&mutex);
    pool[available++] = (float *)buffer;
    pthread_cond_signal(&given_back);
    pthread_mutex_unlock(&mutex);
}

static float *take()
{
    pthread_mutex_lock(&mutex);
    if (!available) waits++;
    while (!available) pthread_cond_wait(&given_back, &mutex);
    float *buffer = pool[--available];
    pthread_mutex_unlock(&mutex);
    return buffer;
}

int main()
{
    cudaStream_t stream;
    float *memory;
    cudaStreamCreate(&stream);
    cudaMalloc(&memory, N * sizeof *memory);
    for (int i = 0; i < BUFFERS; i++) cudaMallocHost(&pool[i], N * sizeof *memory);
    for (int i = 0; i < BATCHES; i++) {
        float *buffer = take();
        cudaMemcpyAsync(memory, buffer, N * sizeof *memory, cudaMemcpyHostToDevice, stream);
        cudaLaunchHostFunc(stream, give_back, buffer);
    }
    cudaStreamSynchronize(stream);
    printf("%d batches, %d waits, %s\n", BATCHES, waits, available == BUFFERS ? "all buffers back" : "some are lost");
    return 0;
}
