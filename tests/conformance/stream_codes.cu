// What calls about streams and events return, and what they leave as the last error: as an H200 answers.
// run: THREELANE_MODEL=h200
// out: ok stream_codes
#include "conformance.h"
#include <pthread.h>

/* The call returns this, and the last error is the same; NotReady leaves none. */
static void code_at(int wanted, cudaError_t got, int line, const char *what)
{
    cudaError_t left = cudaGetLastError();
    is_at((cudaError_t)wanted, got, line, what);
    if (left != (wanted == cudaErrorNotReady ? cudaSuccess : (cudaError_t)wanted)) {
        printf("FAIL %d: %s leaves %d\n", line, what, (int)left);
        failures++;
    }
}
#define CODE(WANTED, ...) code_at(WANTED, (__VA_ARGS__), __LINE__, #__VA_ARGS__)

static void creating(void)
{
    cudaStream_t s = NULL;
    int low, high, priority;
    unsigned flags;
    CODE(0, cudaDeviceGetStreamPriorityRange(&low, &high));
    CHECK(low == 0 && high == -5);
    CODE(0, cudaDeviceGetStreamPriorityRange(NULL, &high));
    CODE(0, cudaDeviceGetStreamPriorityRange(&low, NULL));
    CODE(0, cudaDeviceGetStreamPriorityRange(NULL, NULL));
    CODE(1, cudaStreamCreate(NULL));
    CODE(1, cudaStreamCreateWithFlags(NULL, 0));
    CODE(1, cudaStreamCreateWithFlags(NULL, 99));
    CODE(1, cudaStreamCreateWithPriority(NULL, 0, 0));
    for (unsigned unknown = 2; unknown <= 99; unknown = unknown < 4 ? unknown + 1 : unknown + 95)
        CODE(1, cudaStreamCreateWithFlags(&s, unknown));
    CODE(1, cudaStreamCreateWithPriority(&s, 2, 0));
    CODE(1, cudaStreamCreateWithPriority(&s, 99, 0));
    for (int asked = -12; asked <= 3; asked++) {
        CODE(0, cudaStreamCreateWithPriority(&s, asked & 1, asked));
        CODE(0, cudaStreamGetPriority(s, &priority));
        CHECK(priority == (asked < -5 ? -5 : asked > 0 ? 0 : asked));
        CODE(0, cudaStreamGetFlags(s, &flags));
        CHECK(flags == (unsigned)(asked & 1));
        CODE(1, cudaStreamGetFlags(s, NULL));
        CODE(1, cudaStreamGetPriority(s, NULL));
        CODE(0, cudaStreamDestroy(s));
    }
}

/* Documented: memory is a single stream's, or everybody's; the NULL stream is none of its own. */
static void attaching(void)
{
    cudaStream_t s;
    char *managed;
    OK(cudaStreamCreate(&s));
    OK(cudaMallocManaged(&managed, 1 << 20));
    CODE(0, cudaStreamAttachMemAsync(s, managed, 0, cudaMemAttachSingle));
    CODE(0, cudaStreamAttachMemAsync(cudaStreamPerThread, managed, 0, cudaMemAttachSingle));
    CODE(0, cudaStreamAttachMemAsync(0, managed, 0, cudaMemAttachGlobal));
    CODE(1, cudaStreamAttachMemAsync(0, managed, 0, cudaMemAttachSingle));
    CODE(0, cudaStreamAttachMemAsync(cudaStreamLegacy, managed, 0, cudaMemAttachSingle));
    cudaGetLastError();
    OK(cudaDeviceSynchronize());
    OK(cudaFree(managed));
    OK(cudaStreamDestroy(s));
}

/* A per-thread default stream's work outlives its thread; the legacy stream covers it, other threads' own do not. */
static void *leave_work(void *event)
{
    busy(cudaStreamPerThread);
    if (event) OK(cudaEventRecord((cudaEvent_t)event, cudaStreamPerThread));
    return NULL;
}
static void ended_thread(void)
{
    pthread_t thread;
    cudaEvent_t e;
    OK(cudaEventCreate(&e));
    CHECK(pthread_create(&thread, NULL, leave_work, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CODE(0, cudaStreamQuery(cudaStreamPerThread));
    CODE(600, cudaStreamQuery(cudaStreamLegacy));
    OK(cudaStreamSynchronize(cudaStreamLegacy));
    CODE(0, cudaStreamQuery(cudaStreamLegacy));

    CHECK(pthread_create(&thread, NULL, leave_work, (void *)e) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CODE(600, cudaEventQuery(e));
    CODE(0, cudaStreamWaitEvent(cudaStreamPerThread, e, 0));
    CODE(600, cudaStreamQuery(cudaStreamPerThread));
    OK(cudaStreamSynchronize(cudaStreamPerThread));
    CODE(0, cudaEventQuery(e));
    OK(cudaEventDestroy(e));
}

int main()
{
    warm_up();
    creating();
    attaching();
    ended_thread();
    return finish("stream_codes");
}
