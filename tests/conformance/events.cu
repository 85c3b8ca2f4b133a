// Events: what a record captures, what a wait waits for, and what the calls return.
// run: THREELANE_MODEL=h200
// out: ok events
#include "conformance.h"

int main()
{
    float ms = -1;
    cudaStream_t s, t;
    cudaEvent_t e, f, untimed, never;
    warm_up();
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaEventCreate(&e));
    OK(cudaEventCreate(&f));
    OK(cudaEventCreate(&never));
    OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));

    // Never recorded: a wait does nothing, a query succeeds, a synchronize returns.
    busy(s);
    OK(cudaStreamWaitEvent(t, never, 0));
    IS(cudaSuccess, cudaEventQuery(never));
    RETURNS_AT_ONCE(cudaEventSynchronize(never));
    RETURNS_AT_ONCE(cudaStreamSynchronize(t));
    OK(cudaStreamSynchronize(s));

    // A record captures what is in the stream then, not what comes later.
    busy(s);
    OK(cudaEventRecord(e, s));
    busy(s);
    IS(cudaErrorNotReady, cudaEventQuery(e));
    WAITS(cudaEventSynchronize(e));
    IS(cudaSuccess, cudaEventQuery(e));
    IS(cudaErrorNotReady, cudaStreamQuery(s));
    OK(cudaStreamSynchronize(s));

    // A second record replaces the first.
    OK(cudaEventRecord(e, s));
    IS(cudaSuccess, cudaEventSynchronize(e));
    busy(s);
    OK(cudaEventRecord(e, s));
    IS(cudaErrorNotReady, cudaEventQuery(e));
    OK(cudaStreamSynchronize(s));

    // A wait is for the record made last before it; the host does not wait.
    busy(s);
    OK(cudaEventRecord(e, s));
    RETURNS_AT_ONCE(cudaStreamWaitEvent(t, e));
    OK(cudaEventRecord(e, t));                        // a record made after the wait changes nothing
    IS(cudaErrorNotReady, cudaStreamQuery(t));
    WAITS(cudaStreamSynchronize(t));

    // A wait before the record waits for nothing.
    OK(cudaEventDestroy(f));
    OK(cudaEventCreate(&f));
    OK(cudaStreamWaitEvent(t, f, 0));
    busy(s);
    OK(cudaEventRecord(f, s));
    RETURNS_AT_ONCE(cudaStreamSynchronize(t));
    OK(cudaStreamSynchronize(s));

    // Elapsed time.
    OK(cudaEventRecord(e, s));
    busy(s);
    OK(cudaEventRecord(f, s));
    IS(cudaErrorNotReady, cudaEventElapsedTime(&ms, e, f));
    OK(cudaEventSynchronize(f));
    OK(cudaEventElapsedTime(&ms, e, f));
    CHECK(ms > BUSY - 1 && ms < BUSY + 5);
    IS(cudaErrorInvalidValue, cudaEventElapsedTime(NULL, e, f));
    IS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e, never));
    IS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, never, f));
    OK(cudaEventRecord(untimed, s));
    OK(cudaEventSynchronize(untimed));
    IS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e, untimed));
    IS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, untimed, f));

    // NULL events, unknown flags.
    IS(cudaErrorInvalidResourceHandle, cudaEventRecord(NULL, s));
    IS(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(s, NULL, 0));
    IS(cudaErrorInvalidResourceHandle, cudaEventDestroy(NULL));
    IS(cudaErrorInvalidResourceHandle, cudaEventQuery(NULL));
    IS(cudaErrorInvalidResourceHandle, cudaEventSynchronize(NULL));
    IS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, NULL, e));
    IS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e, NULL));
    IS(cudaErrorInvalidValue, cudaStreamWaitEvent(s, e, 0x80));
    IS(cudaErrorInvalidValue, cudaEventCreateWithFlags(&f, 0x80));
    IS(cudaErrorInvalidValue, cudaEventCreateWithFlags(&f, cudaEventInterprocess));
    OK(cudaEventCreateWithFlags(&f, cudaEventInterprocess | cudaEventDisableTiming));
    OK(cudaEventDestroy(f));
    OK(cudaEventCreateWithFlags(&f, cudaEventBlockingSync));
    OK(cudaEventDestroy(f));
    return finish("events");
}
