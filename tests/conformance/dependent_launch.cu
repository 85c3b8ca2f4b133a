// Programmatic dependent launch: when the second kernel may begin, what it may read, and what waits for both.
// run: THREELANE_MODEL=h200
// out: ok dependent_launch
#include "conformance.h"

enum { MS = 1000000, BLOCKS = 2, LENGTH = 200, WIDTH = 256 };

// Written with volatile or atomic accesses, so that others see it at once: when the blocks of each kernel began and ended.
typedef struct Stamps {
    unsigned long long begin, end, past; // the first begin, the last end; when the wait was over
} Stamps;
enum How { NO_TRIGGER, FIRST_THING, ONE_THREAD, ONE_BLOCK };

__device__ static void pass(long long ns)
{
    unsigned long long begin = timer_ns();
    while ((long long)(timer_ns() - begin) < ns) {
    }
}
__global__ void clear(Stamps *s, int *done, int n)
{
    for (int i = 0; i < n; i++) {
        s[i].begin = ~0ull;
        s[i].end = s[i].past = 0;
        done[i] = 0;
    }
}
__global__ void primary(Stamps *s, int *done, How how, int ms)
{
    atomicMin(&s->begin, timer_ns());
    if (how == FIRST_THING || (how == ONE_THREAD && threadIdx.x == 5) || (how == ONE_BLOCK && blockIdx.x == 0))
        cudaTriggerProgrammaticLaunchCompletion();
    pass((long long)ms * MS);
    if (blockIdx.x == 0 && threadIdx.x == 0) *done = 1;
    atomicMax(&s->end, timer_ns());
}
__global__ void secondary(Stamps *s, const int *done, int *seen, bool waits)
{
    atomicMin(&s->begin, timer_ns());
    if (waits) {
        cudaGridDependencySynchronize();
        *seen = *done;
        atomicMax(&s->past, timer_ns());
    }
    atomicMax(&s->end, timer_ns());
}
__global__ void look(const int *done, int *seen) { *seen = *done; }
__global__ void step(const int *from, int *to)
{
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
    to[threadIdx.x] = from[(threadIdx.x + 1) % WIDTH] + 1;
}

static cudaStream_t s, t;
static Stamps *stamps, at[2];
static int *done, *seen;

template <class... P, class... A> static void early(cudaStream_t to, int blocks, int threads, void (*kernel)(P...), A... a)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.stream = to;
    config.attrs = &attribute;
    config.numAttrs = 1;
    OK(cudaLaunchKernelEx(&config, kernel, P(a)...));
}

static int value(const int *of)
{
    int now;
    OK(cudaMemcpy(&now, of, sizeof now, cudaMemcpyDeviceToHost));
    return now;
}

// A primary of 5 ms and a secondary behind it; when they ran.
static void both(How how, bool waits)
{
    clear<<<1, 1, 0, s>>>(stamps, done, 2);
    OK(cudaMemsetAsync(seen, 0, sizeof(int), s));
    OK(cudaStreamSynchronize(s));
    primary<<<BLOCKS, 32, 0, s>>>(stamps, done, how, 5);
    early(s, 1, 1, secondary, stamps + 1, done, seen, waits);
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(at, stamps, sizeof at, cudaMemcpyDeviceToHost));
}
static bool overlapped() { return at[1].begin + MS < at[0].end; }

int main()
{
    warm_up();
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaMalloc(&stamps, 2 * sizeof *stamps));
    OK(cudaMalloc(&done, 2 * sizeof *done));
    OK(cudaMalloc(&seen, sizeof *seen));
    both(FIRST_THING, true); // a first launch never overlaps

    // It begins when every block has triggered (one thread of each is enough), or has ended.
    both(FIRST_THING, true);
    CHECK(overlapped());
    both(ONE_THREAD, true);
    CHECK(overlapped());
    both(NO_TRIGGER, true);
    CHECK(at[1].begin >= at[0].end);
    both(ONE_BLOCK, true);
    CHECK(at[1].begin >= at[0].end);

    // Its wait is for the end of the primary, and for what that has written.
    both(FIRST_THING, true);
    CHECK(at[1].past >= at[0].end && value(seen) == 1);
    both(FIRST_THING, false);
    CHECK(overlapped() && at[1].end < at[0].end);

    // What comes behind both waits for both: a kernel, an event, another stream that waits for it, a copy, a query.
    cudaEvent_t event;
    OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    for (int how = 0; how < 4; how++) {
        OK(cudaMemset(done, 0, sizeof *done));
        OK(cudaMemset(seen, 0, sizeof *seen));
        OK(cudaDeviceSynchronize());
        primary<<<BLOCKS, 32, 0, s>>>(stamps, done, FIRST_THING, 5);
        early(s, 1, 1, secondary, stamps + 1, done, seen, false);
        IS(cudaErrorNotReady, cudaStreamQuery(s));
        if (how == 0) look<<<1, 1, 0, s>>>(done, seen);
        if (how == 1) {
            OK(cudaEventRecord(event, s));
            OK(cudaEventSynchronize(event));
            CHECK(value(done) == 1);
        }
        if (how == 2) {
            OK(cudaEventRecord(event, s));
            OK(cudaStreamWaitEvent(t, event, 0));
            look<<<1, 1, 0, t>>>(done, seen);
        }
        if (how == 3) OK(cudaMemcpyAsync(seen, done, sizeof *seen, cudaMemcpyDeviceToDevice, s));
        OK(cudaDeviceSynchronize());
        if (how != 1) CHECK(value(seen) == 1);
    }

    // A record in between leaves the two together, unless it takes the time.
    cudaEvent_t timed;
    OK(cudaEventCreate(&timed));
    for (int how = 0; how < 2; how++) {
        clear<<<1, 1, 0, s>>>(stamps, done, 2);
        OK(cudaStreamSynchronize(s));
        primary<<<BLOCKS, 32, 0, s>>>(stamps, done, FIRST_THING, 5);
        OK(cudaEventRecord(how == 0 ? event : timed, s));
        early(s, 1, 1, secondary, stamps + 1, done, seen, true);
        OK(cudaStreamSynchronize(s));
        OK(cudaMemcpy(at, stamps, sizeof at, cudaMemcpyDeviceToHost));
        CHECK(how == 0 ? overlapped() : at[1].begin >= at[0].end);
        CHECK(at[1].past >= at[0].end && value(seen) == 1);
    }
    OK(cudaEventDestroy(timed));

    // Without the attribute the wait has nothing to wait for; without a kernel before it, neither.
    secondary<<<1, 1, 0, s>>>(stamps + 1, done, seen, true);
    OK(cudaStreamSynchronize(s));
    early(t, 1, 1, secondary, stamps + 1, done, seen, true);
    OK(cudaStreamSynchronize(t));

    // A long chain, each of which waits: every result is there.
    int *rows, last[WIDTH];
    OK(cudaMalloc(&rows, (LENGTH + 1) * WIDTH * sizeof *rows));
    OK(cudaMemset(rows, 0, (LENGTH + 1) * WIDTH * sizeof *rows));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < LENGTH; i++) early(s, 1, WIDTH, step, rows + i * WIDTH, rows + (i + 1) * WIDTH);
    OK(cudaMemcpyAsync(last, rows + LENGTH * WIDTH, sizeof last, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    int wrong = 0;
    for (int i = 0; i < WIDTH; i++) wrong += last[i] != LENGTH;
    CHECK(wrong == 0);

    // An event of a launch: a kernel behind it that waits for the kernel reads what that has written.
    clear<<<1, 1, 0, s>>>(stamps, done, 2);
    OK(cudaStreamSynchronize(s));
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticEvent;
    attribute.val.programmaticEvent.event = event;
    attribute.val.programmaticEvent.flags = 0;
    attribute.val.programmaticEvent.triggerAtBlockStart = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(BLOCKS);
    config.blockDim = dim3(32);
    config.stream = s;
    config.attrs = &attribute;
    config.numAttrs = 1;
    OK(cudaLaunchKernelEx(&config, primary, stamps, done, NO_TRIGGER, 5));
    OK(cudaStreamWaitEvent(t, event, 0));
    early(t, 1, 1, secondary, stamps + 1, done, seen, true);
    OK(cudaDeviceSynchronize());
    CHECK(value(seen) == 1);

    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
    OK(cudaFree(stamps));
    OK(cudaFree(done));
    OK(cudaFree(seen));
    OK(cudaFree(rows));
    return finish("dependent_launch");
}
