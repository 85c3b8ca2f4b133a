/* nested.h - dynamic parallelism: grids that the threads of a kernel launch, and what else of the
 * runtime device code may call.
 *
 * When: a grid that was launched begins when the one that launched it has run all its blocks, and
 * never before, which CUDA allows. Those of one stream come one after the other (NULL is a stream
 * of each block's own), others beside each other; those of the tail-launch stream when all others
 * have ended, with what they launched in turn. A kernel has ended when all of that has.
 *
 * Memory: a grid sees all that its parent has written. The parent, which has ended by then, sees
 * nothing of it, nor does anybody else before the kernel's end.
 *
 * Errors of a launch are the launching thread's own, for cudaGetLastError() in device code.
 */
#ifndef THREELANE_NESTED_H
#define THREELANE_NESTED_H
#include "sim/exec/exec.h"
#include "sim/include/driver_types.h"
#include "sim/include/threelane/api.h"
#include "sim/launch/launch_room.h"

/* Two halves of <<<...>>> in a kernel, as in api_launch.c: true when the launch was refused; then
 * the kernel's function is not called. The second takes over the closure. */
bool nested_push(const LaunchShape *, cudaStream_t, ThreelaneSite);
void nested_queue(const char *name, void (*run_block)(void *), void *closure,
                  void (*destroy)(void *));
/* Has the running thread begun a launch that it has not ended? */
bool nested_is_pending(void);

/* A grid that a kernel's threads have launched: numbers are what `tell` has returned (of the
 * kernel: what nested_each was given), times those since the kernel's begin. */
typedef struct NestedGrid {
    const ExecLaunch *launch;
    uint32_t parent, after; /* after: what it had to wait for last */
    uint64_t begin_ns, end_ns;
} NestedGrid;
/* Of a kernel all of whose grids have run: each of those, in the order in which they ran. */
void nested_each(const ExecRun *, uint32_t number, uint32_t (*tell)(void *arg, const NestedGrid *),
                 void *arg);

/* Calls in device code; each is what the call returns. nested_failed: the running thread's last
 * error is this one, which it returns. */
cudaError_t nested_failed(cudaError_t);
/* What a call gives the running thread, where that wants it: a store as one of its own. */
void nested_give(void *to, const void *value, size_t bytes, const void *pc);
cudaError_t nested_last_error(bool clear);
cudaError_t nested_copy(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t height, cudaStream_t, ThreelaneSite);
cudaError_t nested_set(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t,
                       ThreelaneSite);
cudaError_t nested_stream_create(cudaStream_t *, unsigned flags);
cudaError_t nested_stream_destroy(cudaStream_t);
cudaError_t nested_event_create(cudaEvent_t *, unsigned flags);
cudaError_t nested_event_destroy(cudaEvent_t);
cudaError_t nested_event_record(cudaEvent_t, cudaStream_t);
cudaError_t nested_stream_wait(cudaStream_t, cudaEvent_t);
#endif
