/* hazard.h - who touched which bytes, what orders them, and which pairs nothing orders
 * (HAZARDS.md).
 *
 * The rooms above tell what happens, as it happens; this room keeps a vector clock for each host
 * thread and stream by CUDA's rules alone, and for each operation and each stretch of host code (a
 * segment: what a thread does between two points at which its order changes) one set of bytes for
 * each way of touching them. A set is entered when its owner is done, in virtual time, which is
 * never before anything that it is ordered after; it is then compared with the sets it is not
 * ordered after. Sets that everything later comes after are given up.
 *
 * Streams, events and operations are known by their numbers in the trace. All functions are called
 * with the baton held (host.h) and do nothing while hazard_on is false. Sites' files must live as
 * long as the program.
 */
#ifndef THREELANE_HAZARD_H
#define THREELANE_HAZARD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/hazard/byteset.h"
#include "timeline/trace/trace.h"

extern bool hazard_on;
/* Starts the bookkeeping: kinds about order are looked for (hazard_report.h). */
void hazard_start(void);
/* Everything still open is compared, and what was found is reported. */
void hazard_end(void);

/* Each device has variables of its own, in one place of the program: the bytes of device 1's and
 * later ones' are told apart by an address that nothing has. Reports have the place. */
enum { HAZARD_DEVICE_SHIFT = 52 };
static inline uintptr_t hazard_own_copy(uintptr_t address, int device)
{
    return address | (uintptr_t)device << HAZARD_DEVICE_SHIFT;
}
/* The place. */
static inline uintptr_t hazard_in_place(uintptr_t address)
{
    return address & (((uintptr_t)1 << HAZARD_DEVICE_SHIFT) - 1);
}

typedef enum HazardTouchKind {
    HAZARD_READ,
    HAZARD_WRITE,
    HAZARD_ATOMIC_READ,
    HAZARD_ATOMIC_WRITE,
    HAZARD_TOUCHES
} HazardTouchKind;

/* ---- streams and operations ---- */

/* driver: made by a call of the driver API, whose words messages about it then have. */
void hazard_stream(uint32_t stream, int device, TraceStreamFlavour, bool driver);

typedef struct HazardOp HazardOp;
/* An operation is put into a stream by the calling thread. A record: event now stands for what the
 * stream holds. A wait: for what event stands for. touches: it will be given bytes, and
 * hazard_op_done is called; otherwise NULL. */
HazardOp *hazard_submit(uint32_t op, TraceOpKind, uint32_t stream, uint32_t event, TraceSite,
                        bool touches);
/* The same for a node of a graph: it comes after the beginning of `launch` (the operation of kind
 * TRACE_GRAPH whose node it is, submitted before) and after the operations in `after`, nodes of the
 * same launch; nothing else orders it, and what follows in the stream comes after it. opens: it is
 * a graph itself, and what will be its nodes is decided only when it runs. */
HazardOp *hazard_submit_node(uint32_t op, TraceOpKind, uint32_t stream, uint32_t event, TraceSite,
                             bool touches, uint32_t launch, const uint32_t *after, int n_after,
                             bool opens);
/* The same for a kernel that need not wait for the end of the kernel right before it in the stream
 * (a dependent launch): it comes after what that one comes after. What comes later in the stream
 * comes after both. */
HazardOp *hazard_submit_early(uint32_t op, uint32_t stream, TraceSite);
/* An event stands for a trigger of the kernel just put into the stream: for what that comes after.
 */
void hazard_record_early(uint32_t stream, uint32_t event, TraceSite);
/* A node just submitted begins before a node that it depends on has ended. */
void hazard_op_begins_early(HazardOp *);
/* A kernel just submitted does not come after another one elsewhere whose trigger it waited for;
 * what it touches once it has waited for that one (hazard_op_early) does. */
void hazard_op_direct(HazardOp *, uint32_t op);
/* What is put into the stream from now on also comes after that operation, wherever it is. */
void hazard_stream_after(uint32_t stream, uint32_t op);
/* A wait that waits for nothing, since the event was never recorded. */
void hazard_wait_nothing(uint32_t stream, uint32_t event, TraceSite);
void hazard_op_touches(HazardOp *, bool write, const void *address, size_t pitch, size_t width,
                       size_t height);
/* The sets of a kernel, in HAZARD_TOUCHES order; taken over. */
void hazard_op_bytes(HazardOp *, HazardBytes *sets);
/* Those that it touched before it waited for the kernel right before it (which has ended); not
 * called if it never did. Before hazard_op_bytes, whose sets may have the same bytes again. */
void hazard_op_early(HazardOp *, HazardBytes *sets);
/* It frees the memory, or brings it into being, in stream order. */
void hazard_op_frees(HazardOp *, const void *address, size_t bytes);
void hazard_op_allocates(HazardOp *, const void *address, size_t bytes);
/* Does a pending operation come after another one, whose bytes were known, by CUDA's rules? */
bool hazard_op_comes_after(uint32_t op, uint32_t stream, uint32_t other);
/* It has ended, or never will: it is compared and goes. NULL is allowed. */
void hazard_op_done(HazardOp *);
/* The op whose kernel runs (NULL: none): for flags that it polls or raises. */
void hazard_kernel(HazardOp *);

/* The source of the copy just submitted has been read when the call returns: promised (a
 * synchronous call), or not. */
void hazard_source_read(uint32_t op, const void *address, size_t pitch, size_t width, size_t height,
                        TraceSite, bool promised);
/* The memory is about to be freed or unregistered by the calling thread. waits: cudaFree, which
 * happens to wait for what uses it. */
void hazard_frees(const void *address, size_t bytes, TraceSite, bool waits);
/* Memory at this address begins a new life: what touched it before does not matter any more. */
void hazard_new_memory(const void *address, size_t bytes);

/* ---- the calling thread has waited, or has seen that it need not ---- */

/* Before a wait: it is for what is there now, whatever other threads add in the meantime. */
void hazard_before_stream(uint32_t stream);
void hazard_before_event(uint32_t event);
void hazard_before_device(int device);
typedef enum HazardPromise { HAZARD_PROMISED, HAZARD_BY_LUCK } HazardPromise;
/* waited_ns: how long; call: for messages ("cudaStreamSynchronize"); NULL: not a wait that could be
 * redundant. */
void hazard_after_stream(uint32_t stream, const char *call, TraceSite, uint64_t waited_ns);
void hazard_after_event(uint32_t event, const char *call, TraceSite, uint64_t waited_ns);
/* device < 0: all. */
void hazard_after_device(int device, const char *call, TraceSite, uint64_t waited_ns,
                         HazardPromise);
/* After the op that the thread submitted last; after what was in its stream before. */
void hazard_after_last(HazardPromise);
void hazard_after_before_last(void);

/* Is it the student's code that runs on the calling thread? Set by who knows; NULL: nobody does. */
extern bool (*hazard_student)(void);

/* ---- host functions ---- */
void hazard_host_function(HazardOp *); /* begins on the calling thread */
void hazard_host_function_over(void);

/* ---- host threads and what orders them ---- */

typedef struct HazardThread HazardThread;
/* Made by the calling thread; program: by the program itself, not by what runs its host
 * functions. */
HazardThread *hazard_thread_new(uint32_t id, bool program);
void hazard_thread_begin(HazardThread *); /* on it */
void hazard_thread_end(void);
void hazard_thread_joined(HazardThread *); /* by the calling thread */
void hazard_thread_forget(HazardThread *);
/* What the calling thread did so far comes before what a thread does after it acquires the same
 * object. */
void hazard_release(const void *object);
void hazard_acquire(const void *object);
/* Is told of every release, and of every acquire from which the calling thread learned something.
 * The beginnings and ends of threads count: what a thread leaves to the one that joins it is an
 * object, too. */
void hazard_on_order(void (*told)(bool release, const void *object));
/* The same for flags in memory, by a kernel that runs (hazard_kernel). */
void hazard_kernel_release(uintptr_t address);
void hazard_kernel_acquire(uintptr_t address);
/* A flag is raised without a fence before it: it orders nothing, which is worth saying. */
void hazard_kernel_unfenced(uintptr_t address);

/* ---- host code's accesses ---- */

/* Pageable memory whose accesses matter from now on. */
void hazard_track(const void *address, size_t bytes);
/* By page number: may an access there matter? (Pinned and managed memory always does.) */
enum { HAZARD_FILTER = 1 << 16 };
extern unsigned char hazard_filter[HAZARD_FILTER];
static inline bool hazard_tracks(uintptr_t address)
{
    return hazard_filter[(address / BYTES_PAGE) % HAZARD_FILTER] != 0;
}
void hazard_host_access(uintptr_t address, size_t bytes, HazardTouchKind, const void *pc);
/* free() of memory that is tracked. */
void hazard_host_frees(const void *address, size_t bytes, const void *pc);

/* What the sets and clocks take at this moment. */
size_t hazard_memory(void);
#endif
