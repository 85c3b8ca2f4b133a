/* api_launch.c - kernel launches.
 *
 * `K<<<grid, block, shared, stream>>>(args)` arrives as two calls: threelane_push with the
 * configuration, then, from inside K, threelane_queue with the closure that is the kernel. Between
 * them the program evaluates the arguments, which may launch too, so configurations are a stack.
 * cudaLaunchKernel has no typed call to make: it calls K with stand-in arguments, and K's prologue
 * fetches the real ones (threelane_launch_args).
 */
#include "sim/api/api_launch.h"
#include "sim/include/threelane/glue.h"
#include "sim/launch/launch_attributes.h"
#include "sim/launch/launch_room.h"
#include "sim/nested/nested.h"
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 16, STAND_IN_BYTES = 32768 };

typedef struct Pending {
    Call call;
    LaunchShape shape;
    LaunchAttributes attributes;
    const Stream *stream;
    const void *func;           /* by which the program named it; NULL: <<<...>>> */
    KernelArguments *arguments; /* of one that is kept */
    bool described;             /* it becomes a node of a graph, and the call is not its own */
} Pending;

static _Thread_local Pending pending[DEPTH];
static _Thread_local int n_pending;
static _Thread_local void **launch_args;
static _Thread_local LaunchProbe *probe;
void (*launch_captured)(const char *name, void (*run_block)(void *), void *closure,
                        void (*destroy)(void *));
static _Thread_local KernelArguments **looked_at; /* only the arguments are wanted */

static _Thread_local TraceDim declared_cluster; /* of the kernel that comes next */

/* What a handle of a kernel stands for. */
typedef struct Function {
    const void *address;
    LaunchProbe kernel;
    int device; /* the handle of the function (not of the kernel) is this one's, as in a context */
} Function;

/* A kernel is the same number as a function and as a kernel. */
static const Function *by_handle(const void *handle)
{
    const Function *function = handle_find(HANDLE_FUNCTION, handle);
    return function ? function : handle_find(HANDLE_KERNEL, handle);
}

/* The harness's kernels, told apart by what they are. */
extern const GlueKernel threelane_kernels[] __attribute__((weak));
static LaunchKernelId *given;
static size_t n_given;

static void find_given(void)
{
    const GlueKernel *kernels = threelane_kernels;
    __asm__("" : "+r"(kernels));
    if (given || !kernels) return;
    while (kernels[n_given].name) n_given++;
    given = calloc(n_given + 1, sizeof *given);
    if (!given) host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory");
    for (size_t i = 0; i < n_given; i++) given[i] = launch_probe(kernels[i].function).kernel;
}

bool launch_is_own(LaunchKernelId kernel)
{
    if (!launch_args) find_given();
    for (size_t i = 0; given && i < n_given; i++)
        if (given[i] == kernel) return false;
    return given != NULL;
}

/* What a kernel's prologue looks at: real arguments, or only that its parameters are wanted. */
static void *only_looked_at[1];

void **threelane_launch_args(void)
{
    if (launch_args || probe) return launch_args;
    bool kept = n_pending && pending[n_pending - 1].stream->keeper;
    return kept || (call_log && call_log->wants_parameters()) ? only_looked_at : NULL;
}

/* Stands for no arguments where a kernel is asked whether it wants some. */
static void *no_args[1];
static size_t n_wanted;

void threelane_launch_parameters(void **args, void *const *at, const size_t *bytes, size_t n)
{
    if (args == no_args) {
        n_wanted = n;
        return;
    }
    if (args != only_looked_at)
        for (size_t i = 0; i < n; i++) memcpy(at[i], args[i], bytes[i]);
    if (looked_at) {
        *looked_at = kernel_arguments(NULL, at, bytes, n);
        return;
    }
    Pending *launch = n_pending ? &pending[n_pending - 1] : NULL;
    if (launch && launch->stream->keeper)
        launch->arguments = kernel_arguments(launch->func, at, bytes, n);
    if (call_log && call_log->wants_parameters()) call_log->parameters(at, bytes, n);
}

/* A kernel with a parameter that is a reference is called: its stand-in cannot be made to refer to
 * something else. */
void threelane_reference(const char *kernel);
void threelane_reference(const char *kernel)
{
    if (!launch_args || probe) return;
    host_fatal(HOST_STATUS_UNSUPPORTED,
               n_pending ? pending[n_pending - 1].call.site : (TraceSite){NULL, 0},
               "cudaLaunchKernel of %s, which has a parameter that is a reference, is not "
               "simulated: launch it with <<<...>>>, "
               "or give it a pointer",
               kernel);
}

bool launch_push(const LaunchAsk *ask)
{
    if (n_pending == DEPTH)
        host_fatal(HOST_STATUS_UNSUPPORTED, (TraceSite){ask->at.file, (uint32_t)ask->at.line},
                   "launches nested more than %d deep in each other's arguments", DEPTH);
    find_given();
    if (call_log)
        call_log->push(ask->at, ask->grid, ask->block, ask->shared, ask->stream, ask->attributes,
                       ask->n_attributes);
    Pending *launch = &pending[n_pending];
    Call *call = &launch->call;
    launch->shape = (LaunchShape){ask->grid, ask->block, ask->shared};
    launch->stream = NULL;
    if (call_enter(call, ask->name, ask->at, ask->flags)) {
        launch->stream = stream_of(call, ask->stream);
        const Model *model = device_model(launch->stream->device);
        call->result = launch_check_shape(model, &launch->shape);
        if (!call->result && ask->device && ask->device != 1 + launch->stream->device)
            call->result = cudaErrorInvalidResourceHandle;
        if (!call->result)
            call->result = launch_attributes_read(call, model, ask->attributes, ask->n_attributes,
                                                  &launch->attributes);
    }
    if (call->result) {
        if (capture_rules && launch->stream) capture_rules->fails(launch->stream);
        call_leave(call);
        return true;
    }
    launch->func = NULL;
    launch->arguments = NULL;
    launch->described = false;
    n_pending++;

    return false;
}

bool threelane_push(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                    size_t shared, cudaStream_t stream, const char *file, int line)
{
    if (exec_in_kernel()) {
        LaunchShape shape = {{gx, gy, gz}, {bx, by, bz}, shared};
        return nested_push(&shape, stream, (ThreelaneSite){file, line});
    }
    return launch_push(&(LaunchAsk){.name = "cudaLaunchKernel",
                                    .grid = {gx, gy, gz},
                                    .block = {bx, by, bz},
                                    .shared = shared,
                                    .stream = stream,
                                    .at = {file, line}});
}

void threelane_cluster(unsigned x, unsigned y, unsigned z)
{
    declared_cluster = (TraceDim){x, y, z};
}

bool launch_is_pending(void) { return n_pending > 0; }

/* What a kernel's first launch costs more, and the program's. */
static uint64_t load(const ModelCosts *costs, LaunchFunction *function)
{
    static bool any;
    uint64_t cost = (any ? 0 : costs->launch_first) + (function->loaded ? 0 : costs->launch_load);
    any = function->loaded = true;
    return cost;
}

static void submit(Pending *launch, const char *name, void (*run_block)(void *), void *closure,
                   void (*destroy)(void *))
{
    const Model *model = device_model(launch->stream->device);
    Call *call = &launch->call;
    uint64_t blocks = launch_volume(launch->shape.grid);
    TraceDim cluster;
    int per_sm;
    call->result = launch_check(model, launch_function(run_block, launch->stream->device),
                                &launch->shape, &launch->attributes, &cluster, &per_sm);
    if (call->result) {
        if (capture_rules) capture_rules->fails(launch->stream);
        free(launch->arguments);
        destroy(closure);
        return;
    }

    uint64_t at_once = (uint64_t)per_sm * (uint64_t)model->sm_count,
             together = cluster.x ? launch_volume(cluster) : 0;
    if (together) at_once = together * launch_clusters_at_once(model, per_sm, together);
    Operation operation = {.kind = TRACE_KERNEL,
                           .site = call->site,
                           .work_ns = ENGINE_OPEN,
                           .blocks = blocks < UINT32_MAX ? (uint32_t)blocks : UINT32_MAX,
                           .blocks_per_sm = (uint32_t)per_sm,
                           .launch = launch->attributes,
                           .effect = {.kind = EFFECT_KERNEL}};
    operation.launch.cluster = cluster;
    launch_groups(model, blocks, &operation);
    operation.effect.kernel =
        kernel_new(&(ExecLaunch){.name = name,
                                 .grid = launch->shape.grid,
                                 .block = launch->shape.block,
                                 .cluster = cluster,
                                 .cooperative = launch->attributes.cooperative,
                                 .shared_bytes = launch->shape.shared,
                                 .device = launch->stream->device,
                                 .site = call->site,
                                 .run_block = run_block,
                                 .closure = closure,
                                 .destroy = destroy},
                   model->room_limited ? (uint32_t)((blocks + at_once - 1) / at_once) : 1);
    if (!operation.effect.kernel) {
        free(launch->arguments);
        call->result = cudaErrorMemoryAllocation;
        return;
    }
    operation.effect.kernel->arguments = launch->arguments;
    if (!launch->stream->keeper)
        call_spend(call->costs->launch +
                   load(call->costs, launch_function(run_block, launch->stream->device)));
    call->result = operation_submit(call, launch->stream, &operation, NULL, 0);
    if (!runtime.launch_blocking || !call->op) return;
    call->result = call_wait_own(call, false);
    call_saw_own(call, CALL_PROMISED);
}

/* Said where the exercise is worked on; where it is graded, the player says it (player.c). */
static void warn_of_own(const char *name, TraceSite site)
{
    static bool said;
    if (said) return;
    said = true;
    host_warn(site,
              "the kernel %.60s is one of your own: you may try things with it, but the kernels of "
              "this exercise are given, and a program that launches others cannot be graded",
              name);
}

void *_Unwind_FindEnclosingFunction(void *pc); /* of the compiler's own library */

/* A launch that is kept, of <<<...>>>: the kernel is known by the function that has come here. */
static void note_function(void *pc)
{
    Pending *launch = n_pending ? &pending[n_pending - 1] : NULL;
    if (!launch || !launch->stream->keeper) return;
    if (!launch->arguments) launch->arguments = kernel_arguments(launch->func, NULL, NULL, 0);
    if (launch->arguments && !launch->arguments->func)
        launch->arguments->func = _Unwind_FindEnclosingFunction(pc);
}

void threelane_queue(const char *name, void (*run_block)(void *), void *closure,
                     void (*destroy)(void *))
{
    if (launch_captured) {
        launch_captured(name, run_block, closure, destroy);
        return;
    }
    TraceDim declared = declared_cluster;
    declared_cluster = (TraceDim){0, 0, 0};
    int device = n_pending && !probe ? pending[n_pending - 1].stream->device : call_device();
    if (declared.x) launch_function(run_block, device)->declared = declared;
    if (probe) {
        probe->kernel = run_block;
        probe->name = name;
        destroy(closure);
        return;
    }
    if (exec_in_kernel()) {
        if (!nested_is_pending())
            host_fatal(HOST_STATUS_UNSUPPORTED, (TraceSite){NULL, 0},
                       "the kernel %s is called like a function by device code: launch it, "
                       "%s<<<grid, block>>>(...)",
                       name, name);
        nested_queue(name, run_block, closure, destroy);
        return;
    }
    note_function(__builtin_return_address(0));
    bool own = host_student() && launch_is_own(run_block);
    bool noted = n_pending && pending[n_pending - 1].described; /* with its node */
    if (call_log) {
        if (!noted) call_log->kernel(name, own, declared);
    } else if (own)
        warn_of_own(name, n_pending ? pending[n_pending - 1].call.site : (TraceSite){NULL, 0});
    if (!n_pending)
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0},
                   "the kernel %s is called like a function: launch it, "
                   "%s<<<grid, block>>>(...)",
                   name, name);
    Pending launch = pending[--n_pending];
    submit(&launch, name, run_block, closure, destroy);
    if (!launch.described) call_leave(&launch.call);
    if (launch_args) pending[n_pending].call.result = launch.call.result; /* for cudaLaunchKernel */
}

/* Calls a kernel's function without knowing its parameters: every register and stack slot that
 * could hold one holds a pointer to memory that may be read and written (a structure may be passed
 * by address). */
#define SLOTS_8 long, long, long, long, long, long, long, long
#define SLOTS_64 SLOTS_8, SLOTS_8, SLOTS_8, SLOTS_8, SLOTS_8, SLOTS_8, SLOTS_8, SLOTS_8
#define SLOTS_512 SLOTS_64, SLOTS_64, SLOTS_64, SLOTS_64, SLOTS_64, SLOTS_64, SLOTS_64, SLOTS_64
#define A_8 a, a, a, a, a, a, a, a
#define A_64 A_8, A_8, A_8, A_8, A_8, A_8, A_8, A_8
#define A_512 A_64, A_64, A_64, A_64, A_64, A_64, A_64, A_64
typedef void AnyKernel(SLOTS_8, double, double, double, double, double, double, double, double,
                       SLOTS_512);

static __attribute__((noinline)) void call_any(const void *func)
{
    static _Thread_local char stand_in[STAND_IN_BYTES];
    memset(stand_in, 0, sizeof stand_in);
    long a = (long)(uintptr_t)stand_in;
    AnyKernel *kernel;
    memcpy(&kernel, &func, sizeof kernel);
    kernel(A_8, 0, 0, 0, 0, 0, 0, 0, 0, A_512);
}

LaunchProbe launch_look(const void *func, void **args, KernelArguments **arguments)
{
    void **outer = launch_args;
    *arguments = NULL;
    launch_args = args;
    looked_at = args ? arguments : NULL;
    LaunchProbe found = launch_probe(func);
    looked_at = NULL;
    launch_args = outer;
    return found;
}

LaunchProbe launch_probe(const void *func)
{
    LaunchProbe found = {NULL, NULL};
    const Function *function = by_handle(func);
    if (function) return function->kernel;
    if (!func) return found;
    probe = &found;
    call_any(func);
    probe = NULL;
    return found;
}

cudaError_t launch_by_address(const LaunchAsk *ask, const void *func, void **args)
{
    static void *none[1];
    const Function *function = by_handle(func);
    LaunchAsk of_a_device = *ask;
    if (handle_find(HANDLE_FUNCTION, func)) {
        of_a_device.device = 1 + function->device;
        ask = &of_a_device;
    }
    if (function) func = function->address;
    if (!func) {
        Call call;
        if (call_enter(&call, ask->name, ask->at, ask->flags))
            call.result = cudaErrorInvalidDeviceFunction;
        return call_leave(&call);
    }
    if (launch_push(ask)) return pending[n_pending].call.result;
    pending[n_pending - 1].func = func;
    launch_args = args ? args : none;
    call_any(func);
    launch_args = NULL;

    return pending[n_pending].call.result;
}

static bool is_code(const void *func)
{
    return _Unwind_FindEnclosingFunction((char *)(uintptr_t)func + 1) != NULL;
}

static bool wants_arguments(const void *func)
{
    void **outer = launch_args;
    n_wanted = 0;
    launch_args = no_args;
    launch_probe(func);
    launch_args = outer;
    return n_wanted != 0;
}

cudaError_t launch_describe(const Call *call, const Stream *stream, const void *func,
                            struct dim3 grid, struct dim3 block, void **args, size_t shared)
{
    static void *none[1];
    const Function *function = by_handle(func);
    if (function) func = function->address;
    if (!func) return cudaErrorInvalidDeviceFunction;
    if (!is_code(func)) return cudaErrorInvalidResourceHandle;
    if (!args && wants_arguments(func)) return cudaErrorInvalidValue;
    LaunchShape shape = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared};
    cudaError_t error = launch_check_shape(device_model(stream->device), &shape);
    if (error) return error;
    find_given();
    pending[n_pending++] =
        (Pending){.call = *call, .shape = shape, .stream = stream, .func = func, .described = true};
    pending[n_pending - 1].call.result = cudaSuccess;
    void **outer = launch_args;
    launch_args = args ? args : none;
    call_any(func);
    launch_args = outer;
    return pending[n_pending].call.result;
}

/* LAUNCHES(name, (parameters), (arguments), how): a call in all its forms, by a function of its
 * own, how(ask, arguments); ask has the name, the place and the flags. */
#define LAUNCHES_ENTRY(NAME, SUFFIX, FLAGS, PARAMETERS, ARGUMENTS, HOW)                   \
    cudaError_t threelane_##NAME##SUFFIX(OPEN PARAMETERS, ThreelaneSite at)               \
    {                                                                                     \
        return HOW((LaunchAsk){.name = #NAME, .at = at, .flags = FLAGS}, OPEN ARGUMENTS); \
    }                                                                                     \
    cudaError_t(NAME##SUFFIX)(OPEN PARAMETERS)                                            \
    {                                                                                     \
        return threelane_##NAME##SUFFIX(OPEN ARGUMENTS, (ThreelaneSite){NULL, 0});        \
    }
#define LAUNCHES(NAME, PARAMETERS, ARGUMENTS, HOW)        \
    LAUNCHES_ENTRY(NAME, , 0, PARAMETERS, ARGUMENTS, HOW) \
    LAUNCHES_ENTRY(NAME, _ptsz, CALL_PER_THREAD, PARAMETERS, ARGUMENTS, HOW)

static cudaError_t launch_plain(LaunchAsk ask, const void *func, struct dim3 grid,
                                struct dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    ask.grid = (TraceDim){grid.x, grid.y, grid.z};
    ask.block = (TraceDim){block.x, block.y, block.z};
    ask.shared = shared;
    ask.stream = stream;
    return launch_by_address(&ask, func, args);
}

LAUNCHES(cudaLaunchKernel,
         (const void *func, struct dim3 gridDim, struct dim3 blockDim, void **args,
          size_t sharedMem, cudaStream_t stream),
         (func, gridDim, blockDim, args, sharedMem, stream), launch_plain)

static cudaError_t launch_cooperative(LaunchAsk ask, const void *func, struct dim3 grid,
                                      struct dim3 block, void **args, size_t shared,
                                      cudaStream_t stream)
{
    const cudaLaunchAttribute cooperative = {.id = cudaLaunchAttributeCooperative,
                                             .val.cooperative = 1};
    ask.attributes = &cooperative;
    ask.n_attributes = 1;
    return launch_plain(ask, func, grid, block, args, shared, stream);
}

LAUNCHES(cudaLaunchCooperativeKernel,
         (const void *func, struct dim3 gridDim, struct dim3 blockDim, void **args,
          size_t sharedMem, cudaStream_t stream),
         (func, gridDim, blockDim, args, sharedMem, stream), launch_cooperative)

static cudaError_t launch_configured(LaunchAsk ask, const cudaLaunchConfig_t *config,
                                     const void *func, void **args)
{
    if (!config) {
        Call call;
        if (call_enter(&call, ask.name, ask.at, ask.flags)) call.result = cudaErrorInvalidValue;
        return call_leave(&call);
    }
    ask.attributes = config->attrs;
    ask.n_attributes = config->numAttrs;
    return launch_plain(ask, func, config->gridDim, config->blockDim, args,
                        config->dynamicSmemBytes, config->stream);
}

LAUNCHES(cudaLaunchKernelExC, (const cudaLaunchConfig_t *config, const void *func, void **args),
         (config, func, args), launch_configured)

/* ---- kernels by a handle ---- */

/* A kernel has one of each kind on each device, made when one is first asked for. */
static cudaError_t give_handle(void **to, HandleKind kind, const void *func)
{
    LaunchProbe kernel = launch_probe(func);
    if (!kernel.kernel) return cudaErrorInvalidDeviceFunction;
    uint32_t number = 1;
    for (; number < handle_end(HANDLE_FUNCTION); number++) {
        const Function *function = handle_at(HANDLE_FUNCTION, number);
        if (function->kernel.kernel == kernel.kernel && function->device == call_device()) break;
    }
    if (number >= handle_end(HANDLE_FUNCTION)) {
        Function *function = malloc(sizeof *function);
        if (!function || !handle_add(HANDLE_FUNCTION, number, function) ||
            !handle_add(HANDLE_KERNEL, number, function)) {
            free(function);
            return cudaErrorMemoryAllocation;
        }
        *function = (Function){func, kernel, call_device()}; /* func is no handle: that has been
                                                                asked for */
    }
    if (to) *to = handle_make(kind, number); /* a NULL is no error there, as on a card */
    return cudaSuccess;
}

API(cudaGetFuncBySymbol, 0, (cudaFunction_t * functionPtr, const void *symbolPtr),
    (functionPtr, symbolPtr))
{
    return give_handle((void **)functionPtr, HANDLE_FUNCTION, symbolPtr);
}

API(cudaGetKernel, 0, (cudaKernel_t * kernelPtr, const void *entryFuncAddr),
    (kernelPtr, entryFuncAddr))
{
    return give_handle((void **)kernelPtr, HANDLE_KERNEL, entryFuncAddr);
}

/* ---- what a kernel may use ---- */

API(cudaFuncGetAttributes, 0, (struct cudaFuncAttributes * attr, const void *func), (attr, func))
{
    if (!attr) return cudaErrorInvalidValue;
    LaunchProbe kernel = launch_probe(func);
    if (!kernel.kernel) return cudaErrorInvalidDeviceFunction;
    const Model *model = device_model(call_device());
    memset(attr, 0, sizeof *attr);
    attr->maxThreadsPerBlock = model->max_threads_per_block;
    attr->numRegs = model->registers_per_sm / model->max_threads_per_sm; /* as many as leave
                                                                            occupancy whole */
    attr->ptxVersion = attr->binaryVersion = 10 * model->major + model->minor;
    const LaunchFunction *function = launch_function(kernel.kernel, call_device());
    TraceDim cluster = function->declared.x ? function->declared : function->required;
    attr->maxDynamicSharedSizeBytes = (int)launch_function_shared(function, model);
    attr->preferredShmemCarveout = function->carveout;
    attr->clusterDimMustBeSet = cluster.x != 0;
    attr->requiredClusterWidth = (int)cluster.x;
    attr->requiredClusterHeight = (int)cluster.y;
    attr->requiredClusterDepth = (int)cluster.z;
    attr->clusterSchedulingPolicyPreference = function->policy;
    attr->nonPortableClusterSizeAllowed = function->non_portable;
    return cudaSuccess;
}

API(cudaFuncGetName, 0, (const char **name, const void *func), (name, func))
{
    if (!name) return cudaErrorInvalidValue;
    LaunchProbe kernel = launch_probe(func);
    if (!kernel.kernel) return cudaErrorInvalidDeviceFunction;
    *name = kernel.name;
    return cudaSuccess;
}

API(cudaFuncSetAttribute, 0, (const void *func, enum cudaFuncAttribute attr, int value),
    (func, attr, value))
{
    LaunchProbe kernel = launch_probe(func);
    if (!kernel.kernel) return cudaErrorInvalidDeviceFunction;
    return launch_function_set(launch_function(kernel.kernel, call_device()),
                               device_model(call_device()), attr, value);
}

API(cudaFuncSetCacheConfig, 0, (const void *func, enum cudaFuncCache cacheConfig),
    (func, cacheConfig))
{
    if (!launch_probe(func).kernel) return cudaErrorInvalidDeviceFunction;
    return (unsigned)cacheConfig > cudaFuncCachePreferEqual ? cudaErrorInvalidValue : cudaSuccess;
}
