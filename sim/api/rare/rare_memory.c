/* rare_memory.c - copies and prefetches in batches; what managed memory has been told; pools by
 * location. */
#include "sim/array/array_copy.h"
#include "sim/memory/advice.h"
#include "sim/runtime/pool.h"

/* ---- batches ---- */

/* Of lists that say from which element on an entry of another list counts: the first is 0, they
 * rise, and end before the elements do. */
static bool are_begins(const size_t *begins, size_t n, size_t elements)
{
    if (!begins || !n || n > elements || begins[0]) return false;
    for (size_t i = 1; i < n; i++)
        if (begins[i] <= begins[i - 1] || begins[i] >= elements) return false;
    return true;
}

/* The entry that counts for an element, going on from the one before. */
static size_t entry_of(const size_t *begins, size_t n, size_t entry, size_t element)
{
    while (entry + 1 < n && begins[entry + 1] <= element) entry++;
    return entry;
}

static bool is_order(enum cudaMemcpySrcAccessOrder order)
{
    return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

/* Not the legacy default stream: batches are asynchronous to everything. */
static const Stream *stream_of_batch(Call *call, cudaStream_t handle)
{
    const Stream *stream = stream_of(call, handle);
    return stream == stream_legacy(stream->device) ? NULL : stream;
}

API_STREAM(cudaMemcpyBatchAsync, 0,
           (void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
            struct cudaMemcpyAttributes *attrs, size_t *begins, size_t n_attrs,
            cudaStream_t handle),
           (dsts, srcs, sizes, count, attrs, begins, n_attrs, handle))
{
    if (!dsts || !srcs || !sizes || !count || !attrs || !are_begins(begins, n_attrs, count))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < n_attrs; i++)
        if (!is_order(attrs[i].srcAccessOrder)) return cudaErrorInvalidValue;
    const Stream *stream = stream_of_batch(call, handle);
    if (!stream) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0, entry = 0; i < count && !error; i++) {
        entry = entry_of(begins, n_attrs, entry, i);
        error = copy_run(call, &(Copy){.to = dsts[i],
                                       .from = srcs[i],
                                       .width = sizes[i],
                                       .height = 1,
                                       .kind = cudaMemcpyDefault,
                                       .async = true,
                                       .now = attrs[entry].srcAccessOrder ==
                                              cudaMemcpySrcAccessOrderDuringApiCall,
                                       .stream = stream});
    }
    return error;
}

/* The end of a copy of a batch; element: the bytes of an element of the copy, which the arrays in
 * it say. */
static bool end_of(BoxEnd *end, const struct cudaMemcpy3DOperand *operand, size_t element,
                   const struct cudaExtent *extent, const BoxSize *size)
{
    if (operand->type == cudaMemcpyOperandTypeArray) {
        const Array *array = array_of(operand->op.array.array);
        const struct cudaOffset3D *at = &operand->op.array.offset;
        return array && array->element == element && at->x <= array->width &&
               box_in_array(end, array, at->x * element, at->y, at->z, size);
    }
    if (operand->type != cudaMemcpyOperandTypePointer || !operand->op.ptr.ptr) return false;
    size_t row = operand->op.ptr.rowLength ? operand->op.ptr.rowLength : extent->width,
           rows = operand->op.ptr.layerHeight ? operand->op.ptr.layerHeight : extent->height;
    if (row < extent->width || rows < extent->height || row > SIZE_MAX / element ||
        rows > SIZE_MAX / (row * element))
        return false;
    *end = (BoxEnd){false, operand->op.ptr.ptr, row * element, row * element * rows};
    return true;
}

static size_t element_of(const struct cudaMemcpy3DOperand *operand)
{
    const Array *array =
        operand->type == cudaMemcpyOperandTypeArray ? array_of(operand->op.array.array) : NULL;
    return array ? array->element : 0;
}

static cudaError_t copy_one(Call *call, const struct cudaMemcpy3DBatchOp *op, const Stream *stream)
{
    size_t of_source = element_of(&op->src), of_target = element_of(&op->dst);
    size_t element = of_source ? of_source : of_target ? of_target : 1;
    BoxEnd to, from;
    if (!op->extent.width || !op->extent.height || !op->extent.depth ||
        op->extent.width > SIZE_MAX / element)
        return cudaErrorInvalidValue;
    BoxSize size = {op->extent.width * element, op->extent.height, op->extent.depth};
    if (!end_of(&to, &op->dst, element, &op->extent, &size) ||
        !end_of(&from, &op->src, element, &op->extent, &size))
        return cudaErrorInvalidValue;
    return box_copy(call, &to, &from, &size, cudaMemcpyDefault, true, false, stream);
}

API_STREAM(cudaMemcpy3DBatchAsync, 0,
           (size_t n, struct cudaMemcpy3DBatchOp *list, unsigned long long flags,
            cudaStream_t handle),
           (n, list, flags, handle))
{
    if (!n || !list || flags) return cudaErrorInvalidValue;
    for (size_t i = 0; i < n; i++)
        if (!is_order(list[i].srcAccessOrder)) return cudaErrorInvalidValue;
    const Stream *stream = stream_of_batch(call, handle);
    if (!stream) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < n && !error; i++) error = copy_one(call, &list[i], stream);
    return error;
}

cudaError_t do_cudaMemPrefetchAsync(Call *, const void *, size_t, struct cudaMemLocation, unsigned,
                                    cudaStream_t);

static cudaError_t prefetch_all(Call *call, void **at, const size_t *sizes, size_t count,
                                const struct cudaMemLocation *places, const size_t *begins,
                                size_t n, unsigned long long flags, cudaStream_t handle)
{
    if (!at || !sizes || !count || !places || flags || !are_begins(begins, n, count))
        return cudaErrorInvalidValue;
    if (!stream_of_batch(call, handle)) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0, entry = 0; i < count && !error; i++) {
        entry = entry_of(begins, n, entry, i);
        error = do_cudaMemPrefetchAsync(call, at[i], sizes[i], places[entry], 0, handle);
    }
    return error;
}

API_STREAM(cudaMemPrefetchBatchAsync, 0,
           (void **dptrs, size_t *sizes, size_t count, struct cudaMemLocation *places,
            size_t *begins, size_t n, unsigned long long flags, cudaStream_t stream),
           (dptrs, sizes, count, places, begins, n, flags, stream))
{
    return prefetch_all(call, dptrs, sizes, count, places, begins, n, flags, stream);
}

/* What is discarded may hold anything afterwards: here, what it held. */
static cudaError_t discard(Call *call, void **at, const size_t *sizes, size_t count,
                           unsigned long long flags, cudaStream_t handle)
{
    if (!at || !sizes || !count || flags || !stream_of_batch(call, handle))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        Place place = place_of(at[i]);
        if (place.kind != TRACE_MEM_MANAGED || place.dead || !sizes[i] || sizes[i] > place.room)
            return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

API_STREAM(cudaMemDiscardBatchAsync, 0,
           (void **dptrs, size_t *sizes, size_t count, unsigned long long flags,
            cudaStream_t stream),
           (dptrs, sizes, count, flags, stream))
{
    return discard(call, dptrs, sizes, count, flags, stream);
}

API_STREAM(cudaMemDiscardAndPrefetchBatchAsync, 0,
           (void **dptrs, size_t *sizes, size_t count, struct cudaMemLocation *places,
            size_t *begins, size_t n, unsigned long long flags, cudaStream_t stream),
           (dptrs, sizes, count, places, begins, n, flags, stream))
{
    cudaError_t error = discard(call, dptrs, sizes, count, flags, stream);
    return error ? error
                 : prefetch_all(call, dptrs, sizes, count, places, begins, n, flags, stream);
}

/* ---- what managed memory has been told ---- */

/* What all parts of a range have in common. */
typedef struct Common {
    bool any, read_mostly;
    int preferred, prefetched;
    uint64_t used_by;
    bool used_by_host;
} Common;

static void have_in_common(const Advice *advice, void *arg)
{
    Common *all = arg;
    if (!all->any) {
        *all = (Common){true,
                        advice->read_mostly,
                        advice->preferred,
                        advice->prefetched,
                        advice->used_by,
                        advice->used_by_host};
        return;
    }
    all->read_mostly &= advice->read_mostly;
    if (all->preferred != advice->preferred) all->preferred = ADVICE_NOWHERE;
    if (all->prefetched != advice->prefetched) all->prefetched = ADVICE_NOWHERE;
    all->used_by &= advice->used_by;
    all->used_by_host &= advice->used_by_host;
}

static int type_of(int place)
{
    return place == ADVICE_NOWHERE ? cudaMemLocationTypeInvalid
           : place == ADVICE_HOST  ? cudaMemLocationTypeHost
                                   : cudaMemLocationTypeDevice;
}

static void list_users(const Common *all, int *to, size_t n)
{
    size_t k = 0;
    for (int device = 0; device < 64 && k < n; device++)
        if (all->used_by >> device & 1) to[k++] = device;
    if (all->used_by_host && k < n) to[k++] = cudaCpuDeviceId;
    while (k < n) to[k++] = cudaInvalidDeviceId;
}

static cudaError_t tell(int *to, size_t bytes, enum cudaMemRangeAttribute attribute,
                        const Common *all)
{
    if (!to || !bytes || bytes % sizeof *to ||
        (attribute != cudaMemRangeAttributeAccessedBy && bytes != sizeof *to))
        return cudaErrorInvalidValue;
    switch (attribute) {
    case cudaMemRangeAttributeReadMostly: *to = all->read_mostly; break;
    case cudaMemRangeAttributePreferredLocation:
    case cudaMemRangeAttributePreferredLocationId: *to = all->preferred; break;
    case cudaMemRangeAttributeAccessedBy: list_users(all, to, bytes / sizeof *to); break;
    case cudaMemRangeAttributeLastPrefetchLocation:
    case cudaMemRangeAttributeLastPrefetchLocationId: *to = all->prefetched; break;
    case cudaMemRangeAttributePreferredLocationType: *to = type_of(all->preferred); break;
    case cudaMemRangeAttributeLastPrefetchLocationType: *to = type_of(all->prefetched); break;
    default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

static cudaError_t ask(Common *all, const void *address, size_t bytes)
{
    Place place = place_of(address);
    if (place.kind != TRACE_MEM_MANAGED || place.dead || !bytes || bytes > place.room)
        return cudaErrorInvalidValue;
    *all = (Common){.any = false};
    advice_each(place.alloc, (uintptr_t)address, bytes, have_in_common, all);
    return cudaSuccess;
}

_Static_assert(ADVICE_HOST == cudaCpuDeviceId && ADVICE_NOWHERE == cudaInvalidDeviceId, "places");

API(cudaMemRangeGetAttribute, 0,
    (void *data, size_t bytes, enum cudaMemRangeAttribute attribute, const void *devPtr,
     size_t count),
    (data, bytes, attribute, devPtr, count))
{
    Common all;
    cudaError_t error = ask(&all, devPtr, count);
    return error ? error : tell(data, bytes, attribute, &all);
}

API(cudaMemRangeGetAttributes, 0,
    (void **data, size_t *bytes, enum cudaMemRangeAttribute *attributes, size_t n,
     const void *devPtr, size_t count),
    (data, bytes, attributes, n, devPtr, count))
{
    Common all;
    if (!data || !bytes || !attributes || !n) return cudaErrorInvalidValue;
    cudaError_t error = ask(&all, devPtr, count);
    for (size_t i = 0; i < n && !error; i++) error = tell(data[i], bytes[i], attributes[i], &all);
    return error;
}

/* ---- pools by location: those of devices, of ordinary memory ---- */

static cudaError_t check_location(const Call *call, const struct cudaMemLocation *location,
                                  enum cudaMemAllocationType type)
{
    if (!location || (type != cudaMemAllocationTypePinned && type != cudaMemAllocationTypeManaged))
        return cudaErrorInvalidValue;
    if (type == cudaMemAllocationTypeManaged || location->type == cudaMemLocationTypeHost ||
        location->type == cudaMemLocationTypeHostNuma)
        host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
                   "%s: pools of host memory and of managed memory are not simulated by this "
                   "virtual GPU: take the memory "
                   "from cudaMallocHost or cudaMallocManaged; the program ends here",
                   call->name);
    if (location->type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
    return device_exists(location->id) ? cudaSuccess : cudaErrorInvalidValue;
}

API(cudaMemGetDefaultMemPool, 0,
    (cudaMemPool_t * pool, struct cudaMemLocation *location, enum cudaMemAllocationType type),
    (pool, location, type))
{
    cudaError_t error = pool ? check_location(call, location, type) : cudaErrorInvalidValue;
    if (!error) *pool = pool_handle(pool_default(location->id));
    return error;
}

API(cudaMemGetMemPool, 0,
    (cudaMemPool_t * pool, struct cudaMemLocation *location, enum cudaMemAllocationType type),
    (pool, location, type))
{
    cudaError_t error = pool ? check_location(call, location, type) : cudaErrorInvalidValue;
    if (!error) *pool = pool_handle(pool_current(location->id));
    return error;
}

API(cudaMemSetMemPool, 0,
    (struct cudaMemLocation * location, enum cudaMemAllocationType type, cudaMemPool_t pool),
    (location, type, pool))
{
    cudaError_t error = check_location(call, location, type);
    Pool *found = pool_find(pool);
    if (error || !found || found->device != location->id)
        return error ? error : cudaErrorInvalidValue;
    pool_make_current(found);
    return cudaSuccess;
}
