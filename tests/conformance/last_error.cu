// The last error: kept until it is asked for, one for each host thread; NotReady is no error.
// run: THREELANE_MODEL=h200
// out: ok last_error
#include "conformance.h"
#include <pthread.h>

static void *other_thread(void *)
{
    IS(cudaSuccess, cudaGetLastError());
    IS(cudaErrorInvalidDevice, cudaSetDevice(99));
    return NULL;
}

int main()
{
    pthread_t thread;
    cudaStream_t s;
    cudaEvent_t e;
    warm_up();
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreate(&e));

    IS(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&s, 99));
    IS(cudaSuccess, cudaStreamSynchronize(0));        // a success does not clear it
    IS(cudaErrorInvalidValue, cudaPeekAtLastError());
    IS(cudaErrorInvalidValue, cudaPeekAtLastError());
    CHECK(pthread_create(&thread, NULL, other_thread, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    IS(cudaErrorInvalidValue, cudaGetLastError());
    IS(cudaSuccess, cudaGetLastError());

    OK(cudaStreamCreate(&s));
    busy(s);
    OK(cudaEventRecord(e, s));
    IS(cudaErrorNotReady, cudaStreamQuery(s));
    IS(cudaErrorNotReady, cudaEventQuery(e));
    IS(cudaSuccess, cudaPeekAtLastError());
    OK(cudaDeviceSynchronize());

    CHECK(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
    CHECK(strcmp(cudaGetErrorName((cudaError_t)12345), "unrecognized error code") == 0);
    return finish("last_error");
}
