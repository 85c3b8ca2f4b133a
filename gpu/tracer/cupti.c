/* cupti.c - the program's calls and the device's work, from CUPTI.
 *
 * Calls come from CUPTI's callbacks, before and after each: that gives the thread, the call stack,
 * the result and the arguments (which stream, which event), and costs less than asking for activity
 * records of them as well. A driver call that the runtime makes on the program's behalf is not the
 * program's and is not recorded. Work comes as activity records, joined to the call by CUPTI's
 * correlation number.
 *
 * CUPTI is opened when the program starts, not linked: the same library runs where CUPTI lies
 * elsewhere, and says so where there is none. Arguments are read through the few layouts below
 * instead of CUPTI's generated headers: they are the parameter lists of documented functions, in
 * order, and one layout serves many functions and versions. */
#include <cupti.h>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>
#include "common/env.h"
#include "gpu/cupti_open.h"
#include "gpu/tracer/call_layouts.h"
#include "gpu/tracer/stream_contexts.h"
#include "gpu/tracer/tracer.h"

#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 Kernel;
typedef CUpti_ActivityMemcpy6 Memcpy;
#else
typedef CUpti_ActivityKernel9 Kernel;
typedef CUpti_ActivityMemcpy5 Memcpy;
#endif

/* clang-format off */
#define FUNCTIONS(X)                                                                                                 \
    X(cuptiSubscribe) X(cuptiEnableCallback) X(cuptiGetCallbackName) X(cuptiGetResultString) X(cuptiGetVersion)      \
    X(cuptiActivityEnable) X(cuptiActivityRegisterCallbacks) X(cuptiActivityRegisterTimestampCallback)               \
    X(cuptiActivityGetNextRecord) X(cuptiActivityGetNumDroppedRecords) X(cuptiActivityFlushAll)                      \
    X(cuptiActivitySetAttribute) X(cuptiGetStreamIdEx) X(cuptiGetDeviceId) X(cuptiGetContextId)
/* clang-format on */
#define DECLARE(name) static __typeof__(name) *p_##name;
FUNCTIONS(DECLARE)

enum { BUFFER_BYTES = 1 << 20, MOST_CBIDS = 2048, NAME_BYTES = 96, MOST_CONTEXTS = 64 };
enum { MOST_FRAMES = 40, SETS = 16, WAYS = 8 }; /* of call stacks */

static Recorder *recorder;
static atomic_bool stopped;
static atomic_int capturing; /* streams that capture: what they are given does not run */

/* ---- which function does what: call_layouts.h ---- */

/* The arguments, as the callback hands them over. */
typedef struct Extent {
    unsigned x, y, z;
} Extent;
typedef struct LaunchArguments {
    const void *function;
    Extent grid, block;
    void **arguments;
    size_t shared;
    void *stream;
} LaunchArguments;
typedef struct Config {
    Extent grid, block;
    size_t shared;
    void *stream;
} Config;
typedef struct CuLaunchArguments {
    void *function;
    Extent grid, block;
    unsigned shared;
    void *stream;
} CuLaunchArguments;
typedef struct CuConfig {
    Extent grid, block;
    unsigned shared;
    void *stream;
} CuConfig;
typedef struct ConfigArguments {
    const void *config;
} ConfigArguments;
typedef struct CopyArguments {
    void *to;
    const void *from;
    size_t bytes;
    int kind;
    void *stream;
} CopyArguments;
typedef struct CuCopyArguments {
    uint64_t to, from;
    size_t bytes;
    void *stream;
} CuCopyArguments;
typedef struct PeerArguments {
    uint64_t to, to_device, from, from_device; /* the devices: numbers, or contexts */
    size_t bytes;
    void *stream;
} PeerArguments;
typedef struct SetArguments {
    uint64_t to;
    int value;
    size_t count;
    void *stream;
} SetArguments;
typedef struct StreamNewArguments {
    void **stream;
    unsigned flags;
    int priority;
} StreamNewArguments;
typedef struct EventArguments {
    void *event, *stream;
} EventArguments;
typedef struct WaitArguments {
    void *stream, *event;
} WaitArguments;
typedef struct HostArguments {
    void *stream;
    void *function;
    void *data;
} HostArguments;
typedef struct GraphArguments {
    void *graph, *stream;
} GraphArguments;
typedef struct AllocArguments {
    void **address;
    size_t bytes;
} AllocArguments;
typedef struct AllocAsyncArguments {
    void **address;
    size_t bytes;
    void *stream;
} AllocAsyncArguments;
typedef struct AllocPoolArguments {
    void **address;
    size_t bytes;
    void *pool, *stream;
} AllocPoolArguments;
typedef struct FreeAsyncArguments {
    void *address, *stream;
} FreeAsyncArguments;
typedef struct RegisterArguments {
    void *address;
    size_t bytes;
} RegisterArguments;
typedef struct HandleArguments {
    void *handle;
} HandleArguments;

typedef struct Function {
    Layout layout;
    int detail;
    bool per_thread;
    const char *name;
} Function;
static Function functions[2][MOST_CBIDS]; /* driver, runtime; by callback number */

/* cudaMemcpyAsync_ptsz_v7000 -> cudaMemcpyAsync; cuMemcpyHtoDAsync_v2_ptsz -> cuMemcpyHtoDAsync. */
static bool plain_name(const char *from, char *to, size_t to_size)
{
    bool per_thread = false;
    snprintf(to, to_size, "%s", from);
    for (char *bar; (bar = strrchr(to, '_')); *bar = '\0') {
        bool thread = !strcmp(bar, "_ptsz") || !strcmp(bar, "_ptds");
        if (!thread && !(bar[1] == 'v' && bar[2] >= '0' && bar[2] <= '9')) break;
        per_thread |= thread;
    }
    return per_thread;
}

/* Driver calls that a program makes itself and that belong in a timeline. */
static bool driver_call_counts(const char *name)
{
    static const char *const begins[] = {"cuMemcpy",         "cuMemset",     "cuStream",
                                         "cuEvent",          "cuLaunch",     "cuGraphLaunch",
                                         "cuCtxSynchronize", "cuMemAlloc",   "cuMemFree",
                                         "cuMemHost",        "cuMemPrefetch"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        if (strncmp(name, begins[i], strlen(begins[i])) == 0) return true;
    }
    return false;
}

static void learn_functions(CUpti_CallbackDomain domain)
{
    for (uint32_t id = 1; id < MOST_CBIDS; id++) {
        const char *full = NULL;
        char name[NAME_BYTES];
        if (p_cuptiGetCallbackName(domain, id, &full) != CUPTI_SUCCESS || !full) continue;
        Function *f = &functions[domain == CUPTI_CB_DOMAIN_RUNTIME_API][id];
        f->per_thread = plain_name(full, name, sizeof name);
        f->layout =
            domain == CUPTI_CB_DOMAIN_RUNTIME_API || driver_call_counts(name) ? PLAIN : UNSEEN;
        if (strncmp(name, "cuMemcpy", 8) == 0) f->layout = OTHER_COPY; /* of the driver's many */
        for (size_t i = 0; call_layouts[i].name; i++) {
            if (strcmp(name, call_layouts[i].name) != 0) continue;
            f->layout = call_layouts[i].layout;
            f->detail = call_layouts[i].detail;
        }
        if (f->layout == UNSEEN || strncmp(name, "cu", 2) != 0) {
            f->layout = UNSEEN;
            continue;
        }
        f->name = recorder_text(recorder, name);
    }
}

/* ---- streams ---- */

typedef struct Context {
    uint32_t number, device, legacy;
} Context;
static Context contexts[MOST_CONTEXTS];
static atomic_uint n_contexts;

/* A stream's handle and number, remembered by each thread until any stream ends. */
typedef struct Remembered {
    void *handle;
    uint32_t context, stream, age;
} Remembered;
static __thread Remembered remembered[16];
static atomic_uint age = 1;

static const Context *context_of(CUcontext context, uint32_t number)
{
    uint32_t n = atomic_load_explicit(&n_contexts, memory_order_acquire);
    for (uint32_t i = 0; i < n; i++) {
        if (contexts[i].number == number) return &contexts[i];
    }
    static atomic_flag adding = ATOMIC_FLAG_INIT;
    static const Context unknown = {0, 0, RECORDER_UNKNOWN};
    if (n == MOST_CONTEXTS || atomic_flag_test_and_set(&adding)) return &unknown;
    Context c = {number, 0, RECORDER_UNKNOWN};
    p_cuptiGetDeviceId(context, &c.device);
    p_cuptiGetStreamIdEx(context, NULL, 0, &c.legacy);
    void *driver = dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_LAZY);
    CUresult (*name_of)(char *, int, CUdevice) =
        driver ? (CUresult(*)(char *, int, CUdevice))dlsym(driver, "cuDeviceGetName") : NULL;
    char name[128] = "";
    if (name_of && name_of(name, sizeof name, (CUdevice)c.device) == CUDA_SUCCESS && name[0])
        recorder_device(recorder, c.device, name);
    contexts[n] = c;
    atomic_store_explicit(&n_contexts, n + 1, memory_order_release);
    atomic_flag_clear(&adding);
    return &contexts[n];
}

static void set_stream(RecorderEntry *e, const CUpti_CallbackData *data, void *handle,
                       bool per_thread)
{
    uintptr_t value = (uintptr_t)handle;
    if (value == 2) per_thread = true;
    e->context = data->contextUid;
    if (!data->context) { /* the call is about to make it */
        e->flavour = per_thread ? TRACE_STREAM_PER_THREAD : TRACE_STREAM_LEGACY;
        return;
    }
    StreamContext owner = {data->context, data->contextUid};
    if (value > 2) stream_contexts_find(handle, &owner);
    e->context = owner.number;
    const Context *context = context_of(owner.context, owner.number);
    e->device = context->device;
    if (value <= 2 && !(value == 0 && per_thread) && value != 2) {
        e->flavour = TRACE_STREAM_LEGACY;
        e->stream = context->legacy;
        return;
    }
    if (value <= 2) {
        e->flavour = TRACE_STREAM_PER_THREAD;
        p_cuptiGetStreamIdEx(data->context, NULL, 1, &e->stream);
        return;
    }
    Remembered *r = &remembered[(value >> 4 ^ value >> 10) % 16];
    uint32_t now = atomic_load_explicit(&age, memory_order_relaxed);
    if (r->handle != handle || r->age != now || r->context != e->context) {
        uint32_t stream = RECORDER_UNKNOWN;
        if (p_cuptiGetStreamIdEx(owner.context, handle, 0, &stream) != CUPTI_SUCCESS) return;
        *r = (Remembered){handle, e->context, stream, now};
    }
    e->stream = r->stream;
}

static __thread CUcontext last_context;
static __thread uint32_t last_context_number;

bool tracer_stream_number(void *handle, uint32_t *context, uint32_t *stream)
{
    StreamContext owner = {last_context, last_context_number};
    if (!recorder || !last_context) return false;
    if ((uintptr_t)handle > 2) stream_contexts_find(handle, &owner);
    *context = owner.number;
    uint8_t per_thread = (uintptr_t)handle == 2;
    return p_cuptiGetStreamIdEx(owner.context, (uintptr_t)handle <= 2 ? NULL : handle, per_thread,
                                stream) == CUPTI_SUCCESS;
}

/* ---- call stacks ---- */

typedef struct Range {
    uintptr_t from, to;
} Range;
static Range not_the_program[16];
static int n_not_the_program;

static int find_libraries(struct dl_phdr_info *info, size_t size, void *unused)
{
    static const char *const names[] = {"libcupti", "libcuda.", "libcudart", "libthreelane_trace",
                                        "libnvidia"};
    (void)size;
    (void)unused;
    bool skip = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        skip |= strstr(info->dlpi_name, names[i]) != NULL;
    if (!skip || n_not_the_program == 16) return 0;
    Range *range = &not_the_program[n_not_the_program];
    range->from = UINTPTR_MAX;
    range->to = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
        uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
                  to = from + info->dlpi_phdr[i].p_memsz;
        if (from < range->from) range->from = from;
        if (to > range->to) range->to = to;
    }
    if (range->to > range->from) n_not_the_program++;
    return 0;
}

/* Unwinding a stack takes microseconds, and a program calls from the same few places. So each
 * thread remembers stacks it has seen, with the places in memory where their return addresses lie:
 * a call that comes from as deep in the stack, to the same function, with the same return addresses
 * in these places, comes from the same stack. */
typedef struct Seen {
    const void *depth, *function;
    uint32_t stack;
    int n;
    struct {
        const uintptr_t *slot;
        uintptr_t value;
    } returns[RECORDER_FRAMES];
} Seen;
static __thread Seen seen[SETS][WAYS];
static __thread unsigned next_way;

typedef struct Walk {
    Seen *to;
    void *frames[RECORDER_FRAMES];
    int looked;
    bool certain;
} Walk;

static _Unwind_Reason_Code on_frame(struct _Unwind_Context *context, void *data)
{
    Walk *w = data;
    uintptr_t at = _Unwind_GetIP(context);
    if (!at || ++w->looked > MOST_FRAMES || w->to->n == RECORDER_FRAMES) return _URC_END_OF_STACK;
    for (int k = 0; k < n_not_the_program; k++) {
        if (at >= not_the_program[k].from && at < not_the_program[k].to) return _URC_NO_REASON;
    }
    /* where x86-64 keeps it; elsewhere, and where that is not so, the stack is walked each time */
    const uintptr_t *slot = (const uintptr_t *)(_Unwind_GetCFA(context) - sizeof *slot);
#ifdef __x86_64__
    if (*slot != at) w->certain = false;
#else
    w->certain = false;
#endif
    w->to->returns[w->to->n].slot = slot;
    w->to->returns[w->to->n].value = at;
    w->frames[w->to->n++] = (void *)at;
    return _URC_NO_REASON;
}

static uint32_t here(const void *function)
{
    const void *deep = __builtin_frame_address(0);
    Seen *set = seen[((uintptr_t)deep >> 4 ^ (uintptr_t)function >> 5) % SETS];
    for (int i = 0; i < WAYS; i++) {
        const Seen *s = &set[i];
        if (s->depth != deep || s->function != function) continue;
        int same = 0;
        while (same < s->n && *s->returns[same].slot == s->returns[same].value) same++;
        if (same == s->n) return s->stack;
    }
    Seen *s = &set[next_way++ % WAYS];
    Walk w = {.to = s, .certain = true};
    s->n = 0;
    _Unwind_Backtrace(on_frame, &w);
    s->stack = recorder_stack(recorder, w.frames, s->n);
    s->depth = w.certain && s->n ? deep : NULL;
    s->function = function;
    return s->stack;
}

/* ---- host functions ---- */

/* What stands in for a program's host function, to see when it runs. */
typedef struct Stand {
    void (*function)(void *);
    CUstreamCallback callback;
    void *data;
    RecorderEntry *entry;
} Stand;

static bool stand_begins(const Stand *s, uint64_t *start_ns)
{
    if (!atomic_load(&stopped))
        tracer_driver_thread(); /* before anything else can take it for the program's */
    *start_ns = tracer_clock();
    bool expected = false;
    return !atomic_load(&stopped) &&
           atomic_compare_exchange_strong(&s->entry->hosting, &expected, true);
}

static void stand_ends(const Stand *s, bool report, uint64_t start_ns)
{
    if (!report || atomic_load(&stopped)) return;
    recorder_work(recorder, &(RecorderWork){.entry = s->entry,
                                            .kind = TRACE_HOSTFN,
                                            .start_ns = start_ns,
                                            .end_ns = tracer_clock()});
}

static void CUDA_CB run_function(void *data)
{
    Stand s = *(Stand *)data;
    uint64_t start_ns;
    free(data);
    bool report = stand_begins(&s, &start_ns);
    s.function(s.data);
    stand_ends(&s, report, start_ns);
}

static void CUDA_CB run_callback(CUstream stream, CUresult status, void *data)
{
    Stand s = *(Stand *)data;
    uint64_t start_ns;
    free(data);
    bool report = stand_begins(&s, &start_ns);
    s.callback(stream, status, s.data);
    stand_ends(&s, report, start_ns);
}

/* Puts ours in the place of the program's function in the arguments of the call that is about to be
 * made. */
static bool stand_in(RecorderEntry *e, HostArguments *a, Layout layout)
{
    if (!a->function) return false;
    Stand *s = malloc(sizeof *s);
    if (!s) return false;
    *s = (Stand){NULL, NULL, a->data, e};
    if (layout == HOSTFN) {
        memcpy(&s->function, &a->function, sizeof s->function);
        void (*ours)(void *) = run_function;
        memcpy(&a->function, &ours, sizeof ours);
    } else {
        memcpy(&s->callback, &a->function, sizeof s->callback);
        CUstreamCallback ours = run_callback;
        memcpy(&a->function, &ours, sizeof ours);
    }
    a->data = s;
    return true;
}

/* ---- calls ---- */

static TraceDim dim(Extent e) { return (TraceDim){e.x, e.y, e.z}; }

static RecorderWhat what_of(Layout layout)
{
    switch (layout) {
    case LAUNCH:
    case LAUNCH_CONFIG:
    case CU_LAUNCH:
    case CU_LAUNCH_CONFIG:
    case COPY:
    case COPY_ASYNC:
    case CU_COPY:
    case CU_COPY_ASYNC:
    case COPY_PEER:
    case COPY_PEER_ASYNC:
    case OTHER_COPY:
    case SET:
    case SET_ASYNC: return RECORDER_OPS;
    case GRAPH: return RECORDER_GRAPH;
    case HOSTFN:
    case ADD_CALLBACK: return RECORDER_HOSTFN;
    case EVENT_RECORD: return RECORDER_EVENT_RECORD;
    case EVENT_WAIT: return RECORDER_EVENT_WAIT;
    case STREAM_NEW:
    case STREAM_NEW_FLAGS:
    case STREAM_NEW_PRIORITY: return RECORDER_STREAM_NEW;
    case STREAM_END: return RECORDER_STREAM_END;
    case EVENT_NEW: return RECORDER_EVENT_NEW;
    case EVENT_END: return RECORDER_EVENT_END;
    case ALLOC:
    case ALLOC_ASYNC:
    case ALLOC_POOL:
    case REGISTER: return RECORDER_ALLOC;
    case FREE:
    case FREE_ASYNC: return RECORDER_FREE;
    default: return RECORDER_CALL;
    }
}

static void fill_launch(RecorderEntry *e, const CUpti_CallbackData *data, bool per_thread,
                        TraceDim grid, TraceDim block, size_t shared, void *stream)
{
    e->op = TRACE_KERNEL;
    e->expects = true;
    e->grid = grid;
    e->block = block;
    e->shared_bytes = (uint32_t)shared;
    if (data->symbolName) e->symbol = recorder_text(recorder, data->symbolName);
    set_stream(e, data, stream, per_thread);
}

static void fill_copy(RecorderEntry *e, const CUpti_CallbackData *data, bool per_thread, int op,
                      size_t bytes, void *stream)
{
    e->op = (TraceOpKind)op;
    e->expects = bytes > 0;
    e->bytes = bytes;
    set_stream(e, data, stream, per_thread);
}

/* What can be read from the arguments before the call: of launches, of copies and sets, of the
 * rest. */
static void fill_launches(RecorderEntry *e, const CUpti_CallbackData *data, const Function *f)
{
    const void *p = data->functionParams;
    bool own = f->per_thread;
    switch (f->layout) {
    case LAUNCH: {
        const LaunchArguments *a = p;
        fill_launch(e, data, own, dim(a->grid), dim(a->block), a->shared, a->stream);
        break;
    }
    case LAUNCH_CONFIG: {
        const Config *c = ((const ConfigArguments *)p)->config;
        if (c) fill_launch(e, data, own, dim(c->grid), dim(c->block), c->shared, c->stream);
        break;
    }
    case CU_LAUNCH: {
        const CuLaunchArguments *a = p;
        fill_launch(e, data, own, dim(a->grid), dim(a->block), a->shared, a->stream);
        break;
    }
    case CU_LAUNCH_CONFIG: {
        const CuConfig *c = ((const ConfigArguments *)p)->config;
        if (c) fill_launch(e, data, own, dim(c->grid), dim(c->block), c->shared, c->stream);
        break;
    }
    default: break;
    }
}

static void fill_copies(RecorderEntry *e, const CUpti_CallbackData *data, const Function *f)
{
    static const TraceOpKind copy_kinds[] = {TRACE_H2H, TRACE_H2D, TRACE_D2H, TRACE_D2D,
                                             TRACE_OP_KINDS};
    const void *p = data->functionParams;
    bool own = f->per_thread;
    switch (f->layout) {
    case COPY:
    case COPY_ASYNC: {
        const CopyArguments *a = p;
        int op = a->kind >= 0 && a->kind <= 4 ? (int)copy_kinds[a->kind] : TRACE_OP_KINDS;
        fill_copy(e, data, own, op, a->bytes, f->layout == COPY ? NULL : a->stream);
        e->from = (uintptr_t)a->from;
        e->to = (uintptr_t)a->to;
        if (op == TRACE_H2H) e->expects = false; /* the host does it */
        break;
    }
    case CU_COPY:
    case CU_COPY_ASYNC: {
        const CuCopyArguments *a = p;
        fill_copy(e, data, own, f->detail, a->bytes, f->layout == CU_COPY ? NULL : a->stream);
        e->from = a->from;
        e->to = a->to;
        break;
    }
    case COPY_PEER:
    case COPY_PEER_ASYNC: {
        const PeerArguments *a = p;
        fill_copy(e, data, own, TRACE_P2P, a->bytes, f->layout == COPY_PEER ? NULL : a->stream);
        e->from = a->from;
        e->to = a->to;
        break;
    }
    case OTHER_COPY:
        e->op = TRACE_OP_KINDS;
        e->expects = true;
        break;
    case SET:
    case SET_ASYNC: {
        const SetArguments *a = p;
        size_t bytes = a->count * (size_t)f->detail;
        fill_copy(e, data, own, TRACE_MEMSET, bytes, f->layout == SET ? NULL : a->stream);
        e->to = a->to;
        break;
    }
    default: break;
    }
}

static void fill_others(RecorderEntry *e, const CUpti_CallbackData *data, const Function *f)
{
    const void *p = data->functionParams;
    bool own = f->per_thread;
    switch (f->layout) {
    case GRAPH:
        e->expects = true;
        set_stream(e, data, ((const GraphArguments *)p)->stream, own);
        break;
    case HOSTFN:
    case ADD_CALLBACK:
        e->op = TRACE_HOSTFN;
        set_stream(e, data, ((const HostArguments *)p)->stream, own);
        break;
    case EVENT_RECORD:
        e->handle = (uintptr_t)((const EventArguments *)p)->event;
        set_stream(e, data, ((const EventArguments *)p)->stream, own);
        break;
    case EVENT_WAIT:
        e->handle = (uintptr_t)((const WaitArguments *)p)->event;
        set_stream(e, data, ((const WaitArguments *)p)->stream, own);
        break;
    case STREAM_NEW_PRIORITY:
        e->priority = ((const StreamNewArguments *)p)->priority;
        /* fall through */
    case STREAM_NEW_FLAGS:
        if (((const StreamNewArguments *)p)->flags & 1) e->flavour = TRACE_STREAM_NONBLOCKING;
        break;
    case STREAM_END: set_stream(e, data, ((const HandleArguments *)p)->handle, own); break;
    case EVENT_END:
    case FREE: e->handle = (uintptr_t)((const HandleArguments *)p)->handle; break;
    case FREE_ASYNC:
        e->handle = (uintptr_t)((const FreeAsyncArguments *)p)->address;
        set_stream(e, data, ((const FreeAsyncArguments *)p)->stream, own);
        break;
    case ALLOC_ASYNC:
    case ALLOC_POOL:
        set_stream(e, data,
                   f->layout == ALLOC_POOL ? ((const AllocPoolArguments *)p)->stream
                                           : ((const AllocAsyncArguments *)p)->stream,
                   own);
        /* fall through */
    case ALLOC:
    case REGISTER:
        e->memory = (TraceMemory)f->detail;
        e->bytes = ((const AllocArguments *)p)->bytes;
        break;
    default: break;
    }
}

static void fill(RecorderEntry *e, const CUpti_CallbackData *data, const Function *f)
{
    fill_launches(e, data, f);
    fill_copies(e, data, f);
    fill_others(e, data, f);

    /* what a capture is given becomes a graph and does not run now */
    if (atomic_load_explicit(&capturing, memory_order_relaxed) > 0) {
        e->expects = false;
        if (e->what == RECORDER_EVENT_RECORD || e->what == RECORDER_EVENT_WAIT)
            e->what = RECORDER_CALL;
        if (e->what == RECORDER_ALLOC || e->what == RECORDER_FREE) e->stream = RECORDER_UNKNOWN;
    }
}

/* What the call has returned through its arguments. */
static void fill_results(RecorderEntry *e, const CUpti_CallbackData *data, const Function *f,
                         int32_t result)
{
    const void *p = data->functionParams;
    switch (f->layout) {
    case STREAM_NEW:
    case STREAM_NEW_FLAGS:
    case STREAM_NEW_PRIORITY:
    case EVENT_NEW:
    case ALLOC:
    case ALLOC_ASYNC:
    case ALLOC_POOL: {
        void *const *made = ((const HandleArguments *)p)->handle;
        if (result != 0 || !made) break;
        e->handle = (uintptr_t)*made;
        if (e->what != RECORDER_STREAM_NEW) break;
        TraceStreamFlavour flavour = e->flavour;
        stream_contexts_add(*made, (StreamContext){data->context, data->contextUid});
        set_stream(e, data, *made, false);
        e->flavour = flavour;
        break;
    }
    case REGISTER: e->handle = (uintptr_t)((const RegisterArguments *)p)->address; break;
    case STREAM_END:
        if (result == 0) stream_contexts_drop(((const HandleArguments *)p)->handle);
        atomic_fetch_add(&age, 1);
        break;
    case CAPTURE_BEGIN:
        if (result == 0) atomic_fetch_add(&capturing, 1);
        break;
    case CAPTURE_END: {
        int n = atomic_load(&capturing);
        while (n > 0 && !atomic_compare_exchange_weak(&capturing, &n, n - 1)) {}
        break;
    }
    default: break;
    }
}

static __thread int depth; /* of calls that this thread is inside */
static __thread RecorderEntry *current;

static void CUPTIAPI on_call(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                             const void *cbdata)
{
    (void)unused;
    if (atomic_load_explicit(&stopped, memory_order_relaxed)) return;
    if ((domain != CUPTI_CB_DOMAIN_RUNTIME_API && domain != CUPTI_CB_DOMAIN_DRIVER_API) ||
        id >= MOST_CBIDS)
        return;
    const CUpti_CallbackData *data = cbdata;
    const Function *f = &functions[domain == CUPTI_CB_DOMAIN_RUNTIME_API][id];
    if (f->layout == UNSEEN) return;
    if (data->callbackSite == CUPTI_API_ENTER) {
        bool outermost = depth++ == 0;
        if (outermost) {
            uint32_t stack = here(f);
            current = recorder_enter(recorder, what_of(f->layout), tracer_thread(), f->name);
            if (!current) return;
            current->stack = stack;
            fill(current, data, f);
            if (current->expects) recorder_expect(recorder, current, data->correlationId);
        }
        /* the driver takes its arguments from where the callback sees them, the runtime does not */
        bool hosts = domain == CUPTI_CB_DOMAIN_DRIVER_API &&
                     (f->layout == HOSTFN || f->layout == ADD_CALLBACK);
        if (hosts && current && current->what == RECORDER_HOSTFN && atomic_load(&capturing) == 0)
            current->expects =
                stand_in(current, (HostArguments *)(uintptr_t)data->functionParams, f->layout);
        return;
    }
    if (depth == 0 || --depth > 0 || !current) return;
    RecorderEntry *e = current;
    current = NULL;
    int32_t result = data->functionReturnValue ? *(const int32_t *)data->functionReturnValue : 0;
    if (data->context) {
        last_context = data->context;
        last_context_number = data->contextUid;
        context_of(data->context, data->contextUid);
    }
    fill_results(e, data, f, result);
    recorder_leave(recorder, e, result);
}

/* ---- work ---- */

static TraceMemory memory_of(unsigned kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE: return TRACE_MEM_PAGEABLE;
    case CUPTI_ACTIVITY_MEMORY_KIND_PINNED: return TRACE_MEM_PINNED;
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
    case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY:
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC: return TRACE_MEM_DEVICE;
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC: return TRACE_MEM_MANAGED;
    default: return TRACE_MEM_NONE;
    }
}

static TraceOpKind copy_of(unsigned kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA: return TRACE_H2D;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH: return TRACE_D2H;
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH: return TRACE_H2H;
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP: return TRACE_P2P;
    default: return TRACE_D2D;
    }
}

/* What CUPTI and the driver did on the program's time: reported in sums when the program ends. */
typedef struct Overhead {
    uint32_t kind;
    const char *words;
    atomic_ullong times, ns;
} Overhead;
static Overhead overheads[] = {
    {CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH, "tracing: handing over records", 0, 0},
    {CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION, "tracing: preparing code and copies", 0, 0},
    {CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE, "tracing: making room for records", 0, 0},
    {7u << 16, "tracing: asking for buffers", 0, 0},
    {CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER, "the driver compiled code for this card", 0, 0},
    {4u << 16, "the driver loaded modules", 0, 0},
    {5u << 16, "the driver loaded functions on their first use", 0, 0},
    {6u << 16, "the driver's command buffer was full, and the host waited", 0, 0},
};

static void on_overhead(const CUpti_ActivityOverhead *o)
{
    for (size_t i = 0; i < sizeof overheads / sizeof *overheads; i++) {
        if (overheads[i].kind != (uint32_t)o->overheadKind) continue;
        atomic_fetch_add(&overheads[i].times, 1);
        if (o->end > o->start) atomic_fetch_add(&overheads[i].ns, o->end - o->start);
    }
}

void tracer_sums(void)
{
    for (size_t i = 0; recorder && i < sizeof overheads / sizeof *overheads; i++) {
        unsigned long long times = atomic_load(&overheads[i].times);
        char text[200];
        if (!times) continue;
        snprintf(text, sizeof text, "%s: %llu time%s, %.2f ms in all", overheads[i].words, times,
                 times == 1 ? "" : "s", (double)atomic_load(&overheads[i].ns) / 1e6);
        recorder_note(recorder, TRACE_INFO, text);
    }
}

static RecorderWork kernel_work(const Kernel *k)
{
    return (RecorderWork){.kind = TRACE_KERNEL,
                          .correlation = k->correlationId,
                          .device = k->deviceId,
                          .context = k->contextId,
                          .stream = k->streamId,
                          .start_ns = k->start,
                          .end_ns = k->end,
                          .grid = {(uint32_t)k->gridX, (uint32_t)k->gridY, (uint32_t)k->gridZ},
                          .block = {(uint32_t)k->blockX, (uint32_t)k->blockY, (uint32_t)k->blockZ},
                          .shared_bytes =
                              (uint32_t)(k->staticSharedMemory + k->dynamicSharedMemory),
                          .name = recorder_text(recorder, k->name)};
}

static RecorderWork copy_work(const Memcpy *m)
{
    return (RecorderWork){.kind = copy_of(m->copyKind),
                          .correlation = m->correlationId,
                          .device = m->deviceId,
                          .context = m->contextId,
                          .stream = m->streamId,
                          .start_ns = m->start,
                          .end_ns = m->end,
                          .bytes = m->bytes,
                          .from = memory_of(m->srcKind),
                          .to = memory_of(m->dstKind),
                          .on_copy_engine = m->channelType == CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY};
}

static RecorderWork peer_work(const CUpti_ActivityMemcpyPtoP4 *m)
{
    return (RecorderWork){.kind = TRACE_P2P,
                          .correlation = m->correlationId,
                          .device = m->srcDeviceId,
                          .linked = true,
                          .to_device = m->dstDeviceId,
                          .context = m->contextId,
                          .stream = m->streamId,
                          .start_ns = m->start,
                          .end_ns = m->end,
                          .bytes = m->bytes,
                          .from = memory_of(m->srcKind),
                          .to = memory_of(m->dstKind)};
}

static RecorderWork set_work(const CUpti_ActivityMemset4 *m)
{
    return (RecorderWork){.kind = TRACE_MEMSET,
                          .correlation = m->correlationId,
                          .device = m->deviceId,
                          .context = m->contextId,
                          .stream = m->streamId,
                          .start_ns = m->start,
                          .end_ns = m->end,
                          .bytes = m->bytes,
                          .to = memory_of(m->memoryKind),
                          .on_copy_engine = m->channelType == CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY};
}

static void on_record(const CUpti_Activity *any)
{
    RecorderWork w;
    switch (any->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: w = kernel_work((const void *)any); break;
    case CUPTI_ACTIVITY_KIND_MEMCPY: w = copy_work((const void *)any); break;
    case CUPTI_ACTIVITY_KIND_MEMCPY2: w = peer_work((const void *)any); break;
    case CUPTI_ACTIVITY_KIND_MEMSET: w = set_work((const void *)any); break;
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
        on_overhead((const void *)any); /* what later versions add to the record comes behind what
                                           is read */
        return;
    default: return;
    }
    recorder_work(recorder, &w);
}

static void CUPTIAPI on_buffer_wanted(uint8_t **buffer, size_t *size, size_t *most_records)
{
    *buffer = calloc(1, BUFFER_BYTES); /* zeroed by the system, not in the program's thread */
    *size = *buffer ? BUFFER_BYTES : 0;
    *most_records = 0;
}

static void CUPTIAPI on_buffer_full(CUcontext context, uint32_t stream, uint8_t *buffer,
                                    size_t size, size_t valid)
{
    (void)size;
    for (CUpti_Activity *any = NULL;
         valid && p_cuptiActivityGetNextRecord(buffer, valid, &any) == CUPTI_SUCCESS;)
        on_record(any);
    size_t dropped = 0;
    if (p_cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS &&
        dropped) {
        char text[160];
        snprintf(text, sizeof text,
                 "CUPTI dropped %zu records: operations are missing from this trace", dropped);
        recorder_note(recorder, TRACE_WARNING, text);
    }
    free(buffer);
}

void tracer_flush(bool all)
{
    if (recorder && p_cuptiActivityFlushAll)
        p_cuptiActivityFlushAll(all ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
}

void tracer_stop(void) { atomic_store(&stopped, true); }

/* ---- the beginning ---- */

static bool failed(const char *what, CUptiResult result)
{
    const char *why = NULL;
    char text[600];
    if (result == CUPTI_SUCCESS) return false;
    if (!p_cuptiGetResultString || p_cuptiGetResultString(result, &why) != CUPTI_SUCCESS || !why)
        why = "unknown error";
    const char *help = "";
    if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES || (int)result == 40)
        help = ": this user may not profile (ERR_NVGPUCTRPERM); run as root, or have the "
               "administrator load the "
               "driver with NVreg_RestrictProfilingToAdminUsers=0";
    else if ((int)result == 39)
        help = ": another profiler is attached to this program (Nsight, a debugger, a framework's "
               "own tracer)";
    else if (result == CUPTI_ERROR_NOT_COMPATIBLE || result == CUPTI_ERROR_OUT_OF_MEMORY)
        help = ": the driver and this CUPTI do not go together; `threelane doctor` shows both "
               "versions";
    snprintf(text, sizeof text, "%s failed: %s%s", what, why, help);
    recorder_note(recorder, TRACE_ERROR, text);
    fprintf(stderr, "threelane: %s\n", text);
    return true;
}

static bool enable(void)
{
    CUpti_SubscriberHandle subscriber;
    static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                               CUPTI_ACTIVITY_KIND_MEMCPY,
                                               CUPTI_ACTIVITY_KIND_MEMCPY2,
                                               CUPTI_ACTIVITY_KIND_MEMSET};
    if (failed("cuptiSubscribe", p_cuptiSubscribe(&subscriber, on_call, NULL))) return false;
    uint8_t zeroed = 1;
    size_t size = sizeof zeroed;
    p_cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed);
    if (failed("cuptiActivityRegisterTimestampCallback",
               p_cuptiActivityRegisterTimestampCallback(tracer_clock)) ||
        failed("cuptiActivityRegisterCallbacks",
               p_cuptiActivityRegisterCallbacks(on_buffer_wanted, on_buffer_full)))
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (failed("cuptiActivityEnable", p_cuptiActivityEnable(kinds[i]))) return false;
    }
    p_cuptiActivityEnable(CUPTI_ACTIVITY_KIND_OVERHEAD); /* nothing is missing without */
    static const CUpti_CallbackDomain domains[] = {CUPTI_CB_DOMAIN_DRIVER_API,
                                                   CUPTI_CB_DOMAIN_RUNTIME_API};
    for (int d = 0; d < 2; d++) {
        learn_functions(domains[d]);
        for (uint32_t id = 1; id < MOST_CBIDS; id++) {
            if (functions[d][id].layout != UNSEEN)
                p_cuptiEnableCallback(1, subscriber, domains[d], id);
        }
    }
    return true;
}

__attribute__((visibility("default"))) int InitializeInjection(void);
int InitializeInjection(void)
{
    Recorder *r = tracer_recorder();
    if (!r) return 1; /* the program runs on, untraced */
    char path[4096];
    void *library = cupti_open(path, sizeof path);
    if (!library) {
        recorder_note(r, TRACE_ERROR,
                      "CUPTI (libcupti.so) was not found: calls and work could not be traced");
        fputs("threelane: libcupti.so was not found; name its folder in " ENV_CUPTI "\n", stderr);
        return 1;
    }
    const char *missing = NULL;
#define FIND(name) \
    if (!(p_##name = (__typeof__(p_##name))dlsym(library, #name))) missing = #name;
    FUNCTIONS(FIND)
    if (missing) {
        char text[200];
        snprintf(text, sizeof text,
                 "this CUPTI is too old: it has no %s (CUDA 11.6 and later have it)", missing);
        recorder_note(r, TRACE_ERROR, text);
        fprintf(stderr, "threelane: %s\n", text);
        return 1;
    }
    recorder = r;
    dl_iterate_phdr(find_libraries, NULL);
    if (!enable()) {
        tracer_stop();
        return 1;
    }
    uint32_t version = 0;
    char text[100];
    p_cuptiGetVersion(&version);
    snprintf(text, sizeof text, "recorded with CUPTI %u, built for %u", version,
             (unsigned)CUPTI_API_VERSION);
    recorder_note(r, TRACE_INFO, text);
    return 1;
}
