/* array_copy.c - copies to arrays and from them, copies and sets in three dimensions, and memory
 * for these. */
#include "sim/array/array_copy.h"
#include "sim/api/api_memory.h"

enum { PITCH = 512 };

bool box_in_array(BoxEnd *end, const Array *array, size_t x, size_t y, size_t z,
                  const BoxSize *size)
{
    if (x > array->pitch || size->width > array->pitch - x || y > array->height ||
        size->height > array->height - y || z > array->depth || size->depth > array->depth - z)
        return false;
    char *at = (char *)(array->address + z * array->slice + y * array->pitch + x);
    *end = (BoxEnd){true, at, array->pitch, array->slice};
    return true;
}

/* Arrays are on a device. */
static bool goes(const BoxEnd *to, const BoxEnd *from, enum cudaMemcpyKind kind)
{
    if (kind == cudaMemcpyDefault) return true;
    if (to->in_array && kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice)
        return false;
    return !from->in_array || kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}

cudaError_t box_copy(Call *call, const BoxEnd *to, const BoxEnd *from, const BoxSize *size,
                     enum cudaMemcpyKind kind, bool async, bool peer, const Stream *stream)
{
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!goes(to, from, kind)) return cudaErrorInvalidMemcpyDirection;
    return copy_run(call, &(Copy){.to = to->at,
                                  .from = from->at,
                                  .to_pitch = to->pitch,
                                  .from_pitch = from->pitch,
                                  .width = size->width,
                                  .height = size->height,
                                  .depth = size->depth,
                                  .to_slice = to->slice,
                                  .from_slice = from->slice,
                                  .kind = kind,
                                  .async = async,
                                  .pitched = true,
                                  .peer = peer,
                                  .stream = stream});
}

/* ---- two dimensions: x and width in bytes ---- */

typedef struct Corner {
    cudaArray_const_t array;
    size_t x, y;
} Corner;

static cudaError_t end_at(BoxEnd *end, const Corner *corner, const BoxSize *size)
{
    const Array *array = array_of(corner->array);
    if (!array) return cudaErrorInvalidResourceHandle;
    return box_in_array(end, array, corner->x, corner->y, 0, size) ? cudaSuccess
                                                                   : cudaErrorInvalidValue;
}

static bool is_nothing(size_t width, size_t height) { return !width || !height; }

static cudaError_t to_array(Call *call, Corner to, const void *from, size_t pitch, size_t width,
                            size_t height, enum cudaMemcpyKind kind, bool async,
                            cudaStream_t stream)
{
    BoxEnd end, source = {false, (char *)(uintptr_t)from, pitch, 0};
    BoxSize size = {width, height, 1};
    if (is_nothing(width, height))
        return array_of(to.array) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    cudaError_t error = end_at(&end, &to, &size);
    if (!error && !from) error = cudaErrorInvalidValue;
    return error
               ? error
               : box_copy(call, &end, &source, &size, kind, async, false, stream_of(call, stream));
}

static cudaError_t from_array(Call *call, void *to, size_t pitch, Corner from, size_t width,
                              size_t height, enum cudaMemcpyKind kind, bool async,
                              cudaStream_t stream)
{
    BoxEnd end, target = {false, to, pitch, 0};
    BoxSize size = {width, height, 1};
    if (is_nothing(width, height))
        return array_of(from.array) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    cudaError_t error = end_at(&end, &from, &size);
    if (!error && !to) error = cudaErrorInvalidValue;
    return error
               ? error
               : box_copy(call, &target, &end, &size, kind, async, false, stream_of(call, stream));
}

API_STREAM(cudaMemcpy2DToArray, 0,
           (cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
            size_t height, enum cudaMemcpyKind kind),
           (dst, x, y, src, pitch, width, height, kind))
{
    return to_array(call, (Corner){dst, x, y}, src, pitch, width, height, kind, false, NULL);
}

API_STREAM(cudaMemcpy2DToArrayAsync, 0,
           (cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
            size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
           (dst, x, y, src, pitch, width, height, kind, stream))
{
    return to_array(call, (Corner){dst, x, y}, src, pitch, width, height, kind, true, stream);
}

API_STREAM(cudaMemcpy2DFromArray, 0,
           (void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
            size_t height, enum cudaMemcpyKind kind),
           (dst, pitch, src, x, y, width, height, kind))
{
    return from_array(call, dst, pitch, (Corner){src, x, y}, width, height, kind, false, NULL);
}

API_STREAM(cudaMemcpy2DFromArrayAsync, 0,
           (void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
            size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
           (dst, pitch, src, x, y, width, height, kind, stream))
{
    return from_array(call, dst, pitch, (Corner){src, x, y}, width, height, kind, true, stream);
}

API_STREAM(cudaMemcpy2DArrayToArray, 0,
           (cudaArray_t dst, size_t x, size_t y, cudaArray_const_t src, size_t from_x,
            size_t from_y, size_t width, size_t height, enum cudaMemcpyKind kind),
           (dst, x, y, src, from_x, from_y, width, height, kind))
{
    BoxEnd to, from;
    BoxSize size = {width, height, 1};
    cudaError_t error = end_at(&to, &(Corner){dst, x, y}, &size);
    if (!error) error = end_at(&from, &(Corner){src, from_x, from_y}, &size);
    return error ? error
                 : box_copy(call, &to, &from, &size, kind, false, false, stream_of(call, NULL));
}

/* ---- the forms that CUDA advises against: bytes on end, from row to row ---- */

static cudaError_t bytes_at(BoxEnd *end, const Corner *corner, size_t bytes)
{
    const Array *array = array_of(corner->array);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (corner->x >= array->pitch || corner->y >= array->height) return cudaErrorInvalidValue;
    size_t begin = corner->y * array->pitch + corner->x;
    if (bytes > array->slice - begin) return cudaErrorInvalidValue;
    *end = (BoxEnd){true, (char *)array->address + begin, bytes, bytes};
    return cudaSuccess;
}

static cudaError_t copy_bytes(Call *call, const Corner *to, void *target, const Corner *from,
                              const void *source, size_t bytes, enum cudaMemcpyKind kind,
                              bool async, cudaStream_t stream)
{
    BoxEnd ends[2] = {{false, target, bytes, bytes},
                      {false, (char *)(uintptr_t)source, bytes, bytes}};
    cudaError_t error = to ? bytes_at(&ends[0], to, bytes) : cudaSuccess;
    if (!error && from) error = bytes_at(&ends[1], from, bytes);
    if (error) return error;
    return box_copy(call, &ends[0], &ends[1], &(BoxSize){bytes, 1, 1}, kind, async, false,
                    stream_of(call, stream));
}

API_STREAM(cudaMemcpyToArray, 0,
           (cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
            enum cudaMemcpyKind kind),
           (dst, x, y, src, count, kind))
{
    return copy_bytes(call, &(Corner){dst, x, y}, NULL, NULL, src, count, kind, false, NULL);
}

API_STREAM(cudaMemcpyToArrayAsync, 0,
           (cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
            enum cudaMemcpyKind kind, cudaStream_t stream),
           (dst, x, y, src, count, kind, stream))
{
    return copy_bytes(call, &(Corner){dst, x, y}, NULL, NULL, src, count, kind, true, stream);
}

API_STREAM(cudaMemcpyFromArray, 0,
           (void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
            enum cudaMemcpyKind kind),
           (dst, src, x, y, count, kind))
{
    return copy_bytes(call, NULL, dst, &(Corner){src, x, y}, NULL, count, kind, false, NULL);
}

API_STREAM(cudaMemcpyFromArrayAsync, 0,
           (void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
            enum cudaMemcpyKind kind, cudaStream_t stream),
           (dst, src, x, y, count, kind, stream))
{
    return copy_bytes(call, NULL, dst, &(Corner){src, x, y}, NULL, count, kind, true, stream);
}

API_STREAM(cudaMemcpyArrayToArray, 0,
           (cudaArray_t dst, size_t x, size_t y, cudaArray_const_t src, size_t from_x,
            size_t from_y, size_t count, enum cudaMemcpyKind kind),
           (dst, x, y, src, from_x, from_y, count, kind))
{
    return copy_bytes(call, &(Corner){dst, x, y}, NULL, &(Corner){src, from_x, from_y}, NULL, count,
                      kind, false, NULL);
}

/* ---- three dimensions ---- */

typedef struct Box3D {
    cudaArray_t array;
    struct cudaPos at;
    struct cudaPitchedPtr memory;
} Box3D;

/* An array at either end makes extent and places count in its elements, in memory as well (an H200
 * contradicts the header, by which places in memory count bytes). */
static cudaError_t end_of_box(BoxEnd *end, const Box3D *box, const BoxSize *size, size_t element)
{
    const struct cudaPitchedPtr *m = &box->memory;
    if (box->array) {
        const Array *array = array_of(box->array);
        if (!array) return cudaErrorInvalidResourceHandle;
        if (box->at.x > array->width) return cudaErrorInvalidValue;
        return box_in_array(end, array, box->at.x * array->element, box->at.y, box->at.z, size)
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    }
    if (size->width > m->pitch) return cudaErrorInvalidPitchValue;
    *end = (BoxEnd){false,
                    (char *)m->ptr + (box->at.z * m->ysize + box->at.y) * m->pitch +
                        box->at.x * element,
                    m->pitch, m->pitch * m->ysize};
    return cudaSuccess;
}

/* The size of what is copied, in bytes, or why it has none. */
static cudaError_t size_of(BoxSize *size, const Box3D *to, const Box3D *from,
                           const struct cudaExtent *extent, size_t *element)
{
    const Array *a = array_of(to->array), *b = array_of(from->array);
    *element = a ? a->element : b ? b->element : 1;
    if ((to->array && to->memory.ptr) || (from->array && from->memory.ptr))
        return cudaErrorInvalidValue;
    if (!(to->array || to->memory.ptr) || !(from->array || from->memory.ptr))
        return cudaErrorInvalidValue;
    if ((to->array && !a) || (from->array && !b)) return cudaErrorInvalidResourceHandle;
    if (a && b && a->element != b->element) return cudaErrorInvalidValue;
    if (extent->width > SIZE_MAX / *element) return cudaErrorInvalidValue;
    *size = (BoxSize){extent->width * *element, extent->height, extent->depth};
    return cudaSuccess;
}

static cudaError_t copy_3d(Call *call, const Box3D *to, const Box3D *from,
                           const struct cudaExtent *extent, enum cudaMemcpyKind kind, bool async,
                           bool peer, const Stream *stream)
{
    BoxSize size;
    BoxEnd ends[2];
    size_t element;
    if (!extent->width || !extent->height || !extent->depth) return cudaSuccess;
    cudaError_t error = size_of(&size, to, from, extent, &element);
    if (!error) error = end_of_box(&ends[0], to, &size, element);
    if (!error) error = end_of_box(&ends[1], from, &size, element);
    return error ? error : box_copy(call, &ends[0], &ends[1], &size, kind, async, peer, stream);
}

static cudaError_t copy_box(Call *call, const struct cudaMemcpy3DParms *p, bool async,
                            cudaStream_t stream)
{
    if (!p) return cudaErrorInvalidValue;
    return copy_3d(call, &(Box3D){p->dstArray, p->dstPos, p->dstPtr},
                   &(Box3D){p->srcArray, p->srcPos, p->srcPtr}, &p->extent, p->kind, async, false,
                   stream_of(call, stream));
}

API_STREAM(cudaMemcpy3D, 0, (const struct cudaMemcpy3DParms *p), (p))
{
    return copy_box(call, p, false, NULL);
}

API_STREAM(cudaMemcpy3DAsync, 0, (const struct cudaMemcpy3DParms *p, cudaStream_t stream),
           (p, stream))
{
    return copy_box(call, p, true, stream);
}

static cudaError_t copy_peer_box(Call *call, const struct cudaMemcpy3DPeerParms *p, bool async,
                                 cudaStream_t stream)
{
    if (!p) return cudaErrorInvalidValue;
    if (!device_exists(p->dstDevice) || !device_exists(p->srcDevice)) return cudaErrorInvalidDevice;
    const Stream *into = stream_of(call, stream);
    cudaError_t error = async ? CAPTURE_RULE(peer, call, into) : cudaSuccess;
    if (error) return error;
    return copy_3d(call, &(Box3D){p->dstArray, p->dstPos, p->dstPtr},
                   &(Box3D){p->srcArray, p->srcPos, p->srcPtr}, &p->extent,
                   cudaMemcpyDeviceToDevice, async, true, into);
}

API_STREAM(cudaMemcpy3DPeer, 0, (const struct cudaMemcpy3DPeerParms *p), (p))
{
    return copy_peer_box(call, p, false, NULL);
}

API_STREAM(cudaMemcpy3DPeerAsync, 0, (const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream),
           (p, stream))
{
    return copy_peer_box(call, p, true, stream);
}

/* ---- memory in three dimensions ---- */

API(cudaMalloc3D, CALL_UNSAFE, (struct cudaPitchedPtr * to, struct cudaExtent extent), (to, extent))
{
    if (!to) return cudaErrorInvalidValue;
    *to = (struct cudaPitchedPtr){NULL, 0, extent.width, extent.height};
    if (!extent.width || !extent.height || !extent.depth) return cudaSuccess;
    if (extent.height > SIZE_MAX / extent.depth) return cudaErrorInvalidValue;
    return do_cudaMallocPitch(call, &to->ptr, &to->pitch, extent.width,
                              extent.height * extent.depth);
}

static cudaError_t set_box(Call *call, const struct cudaPitchedPtr *to, int value,
                           const struct cudaExtent *extent, bool async, cudaStream_t stream)
{
    return set_run(call, &(Set){.to = to->ptr,
                                .value = (unsigned char)value,
                                .element = 1,
                                .pitch = to->pitch,
                                .width = extent->width,
                                .height = extent->height,
                                .depth = extent->depth,
                                .slice = to->pitch * to->ysize,
                                .async = async,
                                .handle = stream});
}

API_STREAM(cudaMemset3D, 0, (struct cudaPitchedPtr to, int value, struct cudaExtent extent),
           (to, value, extent))
{
    return extent.depth ? set_box(call, &to, value, &extent, false, NULL) : cudaSuccess;
}

API_STREAM(cudaMemset3DAsync, 0,
           (struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream),
           (to, value, extent, stream))
{
    return extent.depth ? set_box(call, &to, value, &extent, true, stream) : cudaSuccess;
}
