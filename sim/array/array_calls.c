/* array_calls.c - making arrays, textures and surfaces, asking what they are, giving them up. */
#include "sim/api/api.h"
#include "sim/array/array.h"
#include "sim/runtime/handle.h"

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

static cudaError_t make(Call *call, cudaArray_t *to, const struct cudaChannelFormatDesc *desc,
                        struct cudaExtent extent, unsigned flags)
{
    Array *array;
    if (!to || !desc) return cudaErrorInvalidValue;
    call_spend(call->costs->malloc_);
    cudaError_t error = array_new(call, desc, extent, flags, &array);
    if (!error) *to = array_handle(array);
    return error;
}

API(cudaMallocArray, CALL_UNSAFE,
    (cudaArray_t * array, const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
     unsigned flags),
    (array, desc, width, height, flags))
{
    if (flags & (cudaArrayLayered | cudaArrayCubemap)) return cudaErrorInvalidValue;
    return make(call, array, desc, (struct cudaExtent){width, height, 0}, flags);
}

API(cudaMalloc3DArray, CALL_UNSAFE,
    (cudaArray_t * array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
     unsigned flags),
    (array, desc, extent, flags))
{
    return make(call, array, desc, extent, flags);
}

API(cudaFreeArray, CALL_UNSAFE, (cudaArray_t array), (array))
{
    if (!array) return cudaSuccess;
    Array *found = array_of(array);
    if (!found) handle_refuse(HANDLE_ARRAY, array, call->name, call->site); /* a card crashes */
    if (found->of_mipmap) return cudaErrorInvalidValue;
    call_spend(call->costs->free_);
    return array_free(call, found);
}

API(cudaMallocMipmappedArray, CALL_UNSAFE,
    (cudaMipmappedArray_t * to, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
     unsigned levels, unsigned flags),
    (to, desc, extent, levels, flags))
{
    Mipmap *mipmap;
    if (!to || !desc) return cudaErrorInvalidValue;
    call_spend(call->costs->malloc_);
    cudaError_t error = mipmap_new(call, desc, extent, levels, flags, &mipmap);
    if (!error) *to = handle_make(HANDLE_MIPMAP, mipmap->number);
    return error;
}

API(cudaFreeMipmappedArray, CALL_UNSAFE, (cudaMipmappedArray_t mipmap), (mipmap))
{
    if (!mipmap) return cudaSuccess;
    Mipmap *found = mipmap_of(mipmap);
    if (!found) return cudaErrorInvalidResourceHandle;
    call_spend(call->costs->free_);
    return mipmap_free(call, found);
}

API(cudaGetMipmappedArrayLevel, 0,
    (cudaArray_t * array, cudaMipmappedArray_const_t mipmap, unsigned level),
    (array, mipmap, level))
{
    const Mipmap *found = mipmap_of(mipmap);
    if (!array || !found) return array ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
    if (level >= found->n) return cudaErrorInvalidValue;
    *array = array_handle(found->levels[level]);
    return cudaSuccess;
}

/* ---- what they are ---- */

API(cudaArrayGetInfo, 0,
    (struct cudaChannelFormatDesc * desc, struct cudaExtent *extent, unsigned *flags,
     cudaArray_t array),
    (desc, extent, flags, array))
{
    const Array *found = array_of(array);
    if (!found) return cudaErrorInvalidResourceHandle;
    if (desc) *desc = found->desc;
    if (extent) *extent = found->extent;
    if (flags) *flags = found->flags;
    return cudaSuccess;
}

API(cudaGetChannelDesc, 0, (struct cudaChannelFormatDesc * desc, cudaArray_const_t array),
    (desc, array))
{
    const Array *found = array_of(array);
    if (!desc) return cudaErrorInvalidValue;
    if (!found) return cudaErrorInvalidResourceHandle;
    *desc = found->desc;
    return cudaSuccess;
}

/* Only of formats with planes, and of those that are mapped later or are sparse: there are none. */
API(cudaArrayGetPlane, 0, (cudaArray_t * plane, cudaArray_t array, unsigned index),
    (plane, array, index))
{
    (void)index;
    if (!plane) return cudaErrorInvalidValue;
    return array_of(array) ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
}
API(cudaArrayGetMemoryRequirements, 0,
    (struct cudaArrayMemoryRequirements * requirements, cudaArray_t array, int device),
    (requirements, array, device))
{
    if (!requirements || device < 0 || device >= runtime.devices) return cudaErrorInvalidValue;
    return array_of(array) ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
}
API(cudaMipmappedArrayGetMemoryRequirements, 0,
    (struct cudaArrayMemoryRequirements * requirements, cudaMipmappedArray_t mipmap, int device),
    (requirements, mipmap, device))
{
    if (!requirements || device < 0 || device >= runtime.devices) return cudaErrorInvalidValue;
    return mipmap_of(mipmap) ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
}
API(cudaArrayGetSparseProperties, 0,
    (struct cudaArraySparseProperties * properties, cudaArray_t array), (properties, array))
{
    if (!properties) return cudaErrorInvalidValue;
    return array_of(array) ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
}
API(cudaMipmappedArrayGetSparseProperties, 0,
    (struct cudaArraySparseProperties * properties, cudaMipmappedArray_t mipmap),
    (properties, mipmap))
{
    if (!properties) return cudaErrorInvalidValue;
    return mipmap_of(mipmap) ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
}

API(cudaDeviceGetTexture1DLinearMaxWidth, 0,
    (size_t * width, const struct cudaChannelFormatDesc *desc, int device), (width, desc, device))
{
    size_t element;
    int channels;
    if (device < 0 || device >= runtime.devices) return cudaErrorInvalidDevice;
    if (!width || !desc || !array_element(desc, &element, &channels)) return cudaErrorInvalidValue;
    *width = ((size_t)1 << 32) / element;
    return cudaSuccess;
}

/* ---- textures and surfaces ---- */

API(cudaCreateTextureObject, 0,
    (cudaTextureObject_t * object, const struct cudaResourceDesc *resource,
     const struct cudaTextureDesc *how, const struct cudaResourceViewDesc *view),
    (object, resource, how, view))
{
    Texture *texture;
    if (!object || !resource) return cudaErrorInvalidValue;
    if (!how) return cudaErrorInvalidResourceHandle;
    cudaError_t error = texture_new(call, resource, how, view, &texture);
    if (!error)
        *object = (cudaTextureObject_t)(uintptr_t)handle_make(HANDLE_TEXTURE, texture->number);
    return error;
}

API(cudaDestroyTextureObject, 0, (cudaTextureObject_t object), (object))
{
    Texture *texture = texture_of(object);
    if (texture) texture_free(call, texture); /* else nothing, as on an H200 */
    return cudaSuccess;
}

API(cudaGetTextureObjectResourceDesc, 0,
    (struct cudaResourceDesc * resource, cudaTextureObject_t object), (resource, object))
{
    const Texture *texture = texture_of(object);
    if (!resource || !texture) return cudaErrorInvalidValue;
    *resource = texture->resource;
    return cudaSuccess;
}

API(cudaGetTextureObjectTextureDesc, 0, (struct cudaTextureDesc * how, cudaTextureObject_t object),
    (how, object))
{
    const Texture *texture = texture_of(object);
    if (!how || !texture) return cudaErrorInvalidValue;
    *how = texture->how;
    return cudaSuccess;
}

API(cudaGetTextureObjectResourceViewDesc, 0,
    (struct cudaResourceViewDesc * view, cudaTextureObject_t object), (view, object))
{
    const Texture *texture = texture_of(object);
    if (!view || !texture || !texture->viewed) return cudaErrorInvalidValue;
    *view = texture->view;
    return cudaSuccess;
}

API(cudaCreateSurfaceObject, 0,
    (cudaSurfaceObject_t * object, const struct cudaResourceDesc *resource), (object, resource))
{
    Surface *surface;
    if (!object || !resource) return cudaErrorInvalidValue;
    cudaError_t error = surface_new(call, resource, &surface);
    if (!error)
        *object = (cudaSurfaceObject_t)(uintptr_t)handle_make(HANDLE_SURFACE, surface->number);
    return error;
}

API(cudaDestroySurfaceObject, 0, (cudaSurfaceObject_t object), (object))
{
    Surface *surface = surface_of(object);
    if (surface) surface_free(call, surface);
    return cudaSuccess;
}

API(cudaGetSurfaceObjectResourceDesc, 0,
    (struct cudaResourceDesc * resource, cudaSurfaceObject_t object), (resource, object))
{
    const Surface *surface = surface_of(object);
    if (!resource || !surface) return cudaErrorInvalidValue;
    *resource = surface->resource;
    return cudaSuccess;
}
