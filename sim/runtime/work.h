/* work.h - what operations do, and what is still to be done for those that the engine has. */
#ifndef THREELANE_WORK_H
#define THREELANE_WORK_H
#include "sim/engine/engine.h"
#include "sim/exec/exec.h"
#include "sim/include/driver_types.h"
#include "sim/memory/memory.h"
#include "sim/runtime/observer.h"

/* The bytes of a launch's arguments, one after the other, and where each begins. */
typedef struct KernelArguments {
    size_t n;
    void **at;        /* n of them, as cudaLaunchKernel takes them */
    size_t *bytes;    /* of each */
    const void *func; /* by which the program knows the kernel; NULL: it did not say */
} KernelArguments;
/* One block of memory, for free(); NULL when memory is short. */
KernelArguments *kernel_arguments(const void *func, void *const *at, const size_t *bytes, size_t n);

/* A launch, and what becomes of it. */
typedef struct KernelClosure KernelClosure;
typedef struct Kernel {
    ExecLaunch launch;
    KernelClosure *shared; /* of a kept launch: its closure, which others use as well; NULL: its own
                            */
    ExecRun *run;
    uint32_t waves;    /* how often its blocks fill the device, alone */
    bool waiting;      /* it polls memory, or waits for what it depends on */
    bool told_trigger; /* the engine knows when its blocks trigger */
    EngineOp *direct;  /* of an early launch (ExecLaunch): the kernels it depends on; owned */
    uint32_t n_direct;
    bool published;       /* an explored schedule: its effects were made visible at its start */
    bool estimate;        /* recorded_ns is one */
    uint64_t recorded_ns; /* how long it lasted in a recorded run; 0: not known */
    double times;         /* it lasts so many times as long (sim/whatif); 0: as long as it does */
    KernelArguments *arguments; /* of one that is kept; NULL: nobody asks. Owned */
} Kernel;
/* Takes over the launch's closure, also when memory is short (NULL). waves: see above. */
Kernel *kernel_new(const ExecLaunch *, uint32_t waves);
/* The same launch once more, without its arguments; the closure is from then on shared by both.
 * NULL when memory is short. */
Kernel *kernel_again(Kernel *);
/* It begins before these kernels have ended (more of them: call it again). False when memory is
 * short. */
bool kernel_depends(Kernel *, const EngineOp *direct, uint32_t n);
/* And for what that kernel waits for. */
bool kernel_depends_as(Kernel *, EngineOp);
void kernel_free(Kernel *);
/* How long a block of a grid that did this takes, in this order: by the clock that it ran by, the
 * textbook's stage, the bytes: an estimate, or a textbook's rule. waves: as above. */
uint64_t work_block_ns(const ExecLaunch *, uint32_t waves, const ExecNestedFacts *);

/* What an operation does when the engine says so. */
typedef enum EffectKind {
    EFFECT_NONE,
    EFFECT_COPY,
    EFFECT_SET,
    EFFECT_KERNEL,
    EFFECT_FUNCTION,
    EFFECT_RELEASE,
    EFFECT_GRAPH
} EffectKind;
typedef struct Effect {
    EffectKind kind;
    union {
        struct {
            char *to;
            const char *from;
            size_t to_pitch, from_pitch, width, height;
            size_t depth, to_slice, from_slice; /* slices of that, and from one to the next; depth
                                                   0: one */
            bool put_aside; /* the source is copied at the call, and the copy is what is read later
                             */
            bool read_by_host; /* the call itself has read the source when it returns: ... */
            bool surely;       /* ... by CUDA's promise (a synchronous call); else as it happens */
            void *aside;       /* while it waits: the source, put aside; owned */
        } copy;
        struct {
            char *to;
            uint32_t value;
            unsigned element; /* bytes of it that are repeated: 1, 2, 4 */
            size_t pitch, width, height;
            size_t depth, slice; /* as of a copy */
        } set;
        struct {
            cudaHostFn_t fn;
            cudaStreamCallback_t callback;
            void *data;
            cudaStream_t stream;
            uint32_t token;
            bool student;
            uint32_t frame_of;
        } function; /* token: in the log of calls (observer.h); 0:
none. frame_of: the thread in whose stack data lies; 0: no stack */
        Kernel *kernel;
        MemoryBlock *release;
        struct {
            void (*begins)(void *of, EngineOp); /* NULL: nothing */
            void (*over)(void *of, EngineOp);
            void *of;
        } graph;               /* TRACE_GRAPH */
        const void *allocated; /* TRACE_ALLOC, which has nothing to do later (EFFECT_NONE) */
    };
} Effect;

/* A copy or a set of boxes, slice by slice: as many as there are, and the same effect of the n-th
 * alone. */
size_t effect_slices(const Effect *);
Effect effect_slice(const Effect *, size_t n);

/* Is told before work of a device does anything: which device's variables are meant. NULL: nobody.
 */
extern void (*work_on_device)(int device);

struct Work {
    Effect effect;
    bool done; /* an explored schedule: its effect came at its start */
    bool gone; /* a copy whose source was not there any more */
    EngineOp op;
    uint32_t stream; /* in the trace */
    int device;      /* whose variables it means */
    TraceSite site;
    HazardOp *hazard; /* what the checker knows it by; NULL where nobody looks */
};

/* Keeps what is to be done for op; ends the program when memory is short. Valid until the effect is
 * there. */
Work *work_keep(EngineOp op, const Effect *, uint32_t stream, TraceSite);
/* The source of a copy, put aside; NULL when memory is short. */
void *work_put_aside(const Effect *copy);

/* Lets the next device event happen. */
void work_step(void);
/* What kernels hold back is not to be seen: the program goes on. */
void work_settle(void);
/* The program may have written what kernels poll: they look again. */
void work_look(void);
/* The same, where nothing else can happen. True if one went on. */
bool work_look_again(void);
extern int work_waiting; /* how many kernels poll */

/* ---- the end of a program, while the device still works ---- */

/* How many copies, sets, kernels and host functions have not ended; *first (may be NULL): the one
 * issued first. */
uint32_t work_unfinished(EngineOp *first);
const Work *work_of(EngineOp);         /* NULL when it has ended, or does nothing */
void work_each(void (*visit)(Work *)); /* all that has not ended */
/* The program has ended, and this process is a copy of it that runs the rest for the checker: from
 * here on host functions end at once, and no memory but the virtual machine's own is touched. */
void work_discard(void);

/* ---- operands.c: the memory of copies and sets ---- */

/* Is the memory of a copy or set still there? Reports when it is not. verb: "reads", "writes". */
bool operands_exist(const Work *, const void *at, size_t pitch, size_t width, size_t height,
                    const char *verb);
/* A copy reads its source now: reports device memory that was never written. */
void operands_read(const Work *);
/* A copy or set has written its target. */
void operands_wrote(const Work *);
#endif
