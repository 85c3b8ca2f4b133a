/* api_driver_array.c - the driver API's words for arrays, textures and boxes; and for what it asks
 * of managed memory and of pools. */
#include "sim/api/api_driver.h"
#include "sim/array/array_copy.h"

/* ---- elements ---- */

static bool desc_of(CUarray_format format, unsigned channels, struct cudaChannelFormatDesc *desc)
{
    static const struct {
        CUarray_format format;
        int bits;
        enum cudaChannelFormatKind kind;
    } known[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
                 {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
                 {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
                 {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
                 {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
                 {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
                 {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
                 {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int bits = known[i].bits;
        if (known[i].format != format) continue;
        *desc =
            (struct cudaChannelFormatDesc){bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                                           channels > 3 ? bits : 0, known[i].kind};
        return channels == 1 || channels == 2 || channels == 4;
    }
    return false;
}

static CUarray_format format_of(const struct cudaChannelFormatDesc *desc, unsigned *channels)
{
    CUarray_format size = desc->x == 8    ? CU_AD_FORMAT_UNSIGNED_INT8
                          : desc->x == 16 ? CU_AD_FORMAT_UNSIGNED_INT16
                                          : CU_AD_FORMAT_UNSIGNED_INT32;
    *channels = desc->w ? 4 : desc->y ? 2 : 1;
    if (desc->f == cudaChannelFormatKindFloat)
        return desc->x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    return desc->f == cudaChannelFormatKindSigned
               ? size + (CU_AD_FORMAT_SIGNED_INT8 - CU_AD_FORMAT_UNSIGNED_INT8)
               : size;
}

/* ---- arrays ---- */

static Array *array_by(CUarray handle) { return array_of((cudaArray_t)(void *)handle); }

static cudaError_t make(Call *call, CUarray *to, struct cudaExtent extent, CUarray_format format,
                        unsigned channels, unsigned flags)
{
    struct cudaChannelFormatDesc desc;
    Array *array;
    if (!desc_of(format, channels, &desc)) return cudaErrorInvalidValue;
    call_spend(call->costs->malloc_);
    cudaError_t error = array_new(call, &desc, extent, flags, &array);
    if (!error) *to = (CUarray)(void *)array_handle(array);
    return error;
}

DRIVER(cuArrayCreate, CALL_UNSAFE, (CUarray * to, const CUDA_ARRAY_DESCRIPTOR *desc), (to, desc))
{
    if (!to || !desc) return cudaErrorInvalidValue;
    return make(call, to, (struct cudaExtent){desc->Width, desc->Height, 0}, desc->Format,
                desc->NumChannels, 0);
}

DRIVER(cuArray3DCreate, CALL_UNSAFE, (CUarray * to, const CUDA_ARRAY3D_DESCRIPTOR *desc),
       (to, desc))
{
    if (!to || !desc) return cudaErrorInvalidValue;
    return make(call, to, (struct cudaExtent){desc->Width, desc->Height, desc->Depth}, desc->Format,
                desc->NumChannels, desc->Flags);
}

DRIVER(cuArrayGetDescriptor, 0, (CUDA_ARRAY_DESCRIPTOR * desc, CUarray handle), (desc, handle))
{
    const Array *array = array_by(handle);
    if (!desc) return cudaErrorInvalidValue;
    if (!array) return cudaErrorInvalidResourceHandle;
    desc->Width = array->extent.width;
    desc->Height = array->extent.height;
    desc->Format = format_of(&array->desc, &desc->NumChannels);
    return cudaSuccess;
}

DRIVER(cuArray3DGetDescriptor, 0, (CUDA_ARRAY3D_DESCRIPTOR * desc, CUarray handle), (desc, handle))
{
    const Array *array = array_by(handle);
    if (!desc) return cudaErrorInvalidValue;
    if (!array) return cudaErrorInvalidResourceHandle;
    desc->Width = array->extent.width;
    desc->Height = array->extent.height;
    desc->Depth = array->extent.depth;
    desc->Flags = array->flags;
    desc->Format = format_of(&array->desc, &desc->NumChannels);
    return cudaSuccess;
}

DRIVER(cuArrayDestroy, CALL_UNSAFE, (CUarray handle), (handle))
{
    if (!array_by(handle)) return cudaErrorInvalidResourceHandle;
    return do_cudaFreeArray(call, (cudaArray_t)(void *)handle);
}

DRIVER(cuMipmappedArrayCreate, CALL_UNSAFE,
       (CUmipmappedArray * to, const CUDA_ARRAY3D_DESCRIPTOR *desc, unsigned levels),
       (to, desc, levels))
{
    struct cudaChannelFormatDesc element;
    if (!desc || !desc_of(desc->Format, desc->NumChannels, &element)) return cudaErrorInvalidValue;
    return do_cudaMallocMipmappedArray(call, (cudaMipmappedArray_t *)(void *)to, &element,
                                       (struct cudaExtent){desc->Width, desc->Height, desc->Depth},
                                       levels, desc->Flags);
}

DRIVER(cuMipmappedArrayGetLevel, 0, (CUarray * to, CUmipmappedArray mipmap, unsigned level),
       (to, mipmap, level))
{
    return do_cudaGetMipmappedArrayLevel(call, (cudaArray_t *)(void *)to,
                                         (cudaMipmappedArray_t)(void *)mipmap, level);
}

DRIVER(cuMipmappedArrayDestroy, CALL_UNSAFE, (CUmipmappedArray mipmap), (mipmap))
{
    if (!mipmap_of((cudaMipmappedArray_t)(void *)mipmap)) return cudaErrorInvalidResourceHandle;
    return do_cudaFreeMipmappedArray(call, (cudaMipmappedArray_t)(void *)mipmap);
}

DRIVER(cuDeviceGetTexture1DLinearMaxWidth, CALL_NO_CONTEXT,
       (size_t * width, CUarray_format format, unsigned channels, CUdevice device),
       (width, format, channels, device))
{
    struct cudaChannelFormatDesc desc;
    if (!desc_of(format, channels, &desc)) return cudaErrorInvalidValue;
    return do_cudaDeviceGetTexture1DLinearMaxWidth(call, width, &desc, device);
}

/* ---- boxes ---- */

/* One end of a copy, as it is described; false: wrong. Which context memory is in does not matter.
 */
static bool end_of(BoxEnd *end, CUmemorytype kind, const void *host, CUdeviceptr device,
                   CUarray handle, size_t x, size_t y, size_t z, size_t pitch, size_t height,
                   const CUDA_MEMCPY3D *p)
{
    BoxSize size = {p->WidthInBytes, p->Height, p->Depth};
    if (kind == CU_MEMORYTYPE_ARRAY) {
        const Array *array = array_by(handle);
        return array && box_in_array(end, array, x, y, z, &size);
    }
    if (kind != CU_MEMORYTYPE_HOST && kind != CU_MEMORYTYPE_DEVICE && kind != CU_MEMORYTYPE_UNIFIED)
        return false;
    if (!height) height = y + p->Height; /* may be left out of a single slice */
    if (!pitch) pitch = x + p->WidthInBytes;
    if (x > pitch || p->WidthInBytes > pitch - x || y > height || p->Height > height - y)
        return false;
    const char *base = kind == CU_MEMORYTYPE_HOST ? host : driver_pointer(device);
    if (!base) return false;
    /* a copy of one row has nothing that could be too large to be multiplied */
    if (pitch > SIZE_MAX / height || z > SIZE_MAX / (pitch * height)) return false;
    *end = (BoxEnd){false, (char *)(uintptr_t)base + (z * height + y) * pitch + x, pitch,
                    pitch * height};
    return true;
}

static cudaError_t copy_box(Call *call, const CUDA_MEMCPY3D *p, bool async, bool peer,
                            CUstream handle)
{
    BoxEnd to, from;
    if (!p) return cudaErrorInvalidValue;
    if (!p->WidthInBytes || !p->Height || !p->Depth) return cudaSuccess;
    if (!end_of(&to, p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstXInBytes,
                p->dstY, p->dstZ, p->dstPitch, p->dstHeight, p) ||
        !end_of(&from, p->srcMemoryType, p->srcHost, p->srcDevice, p->srcArray, p->srcXInBytes,
                p->srcY, p->srcZ, p->srcPitch, p->srcHeight, p))
        return cudaErrorInvalidValue;
    if (p->Depth > SIZE_MAX / p->Height) return cudaErrorInvalidValue;
    const Stream *stream = stream_of(call, handle);
    cudaError_t error = async && peer ? CAPTURE_RULE(peer, call, stream) : cudaSuccess;
    if (error) return error;
    BoxSize size = {p->WidthInBytes, p->Height, p->Depth};
    return box_copy(call, &to, &from, &size, cudaMemcpyDefault, async, peer, stream);
}

_Static_assert(sizeof(CUDA_MEMCPY3D) == sizeof(CUDA_MEMCPY3D_PEER),
               "a box, with contexts and without");

DRIVER_STREAM(cuMemcpy3DPeer, 0, (const CUDA_MEMCPY3D_PEER *copy), (copy))
{
    return copy_box(call, (const CUDA_MEMCPY3D *)(const void *)copy, false, true, NULL);
}
DRIVER_STREAM(cuMemcpy3DPeerAsync, 0, (const CUDA_MEMCPY3D_PEER *copy, CUstream stream),
              (copy, stream))
{
    return copy_box(call, (const CUDA_MEMCPY3D *)(const void *)copy, true, true, stream);
}
DRIVER_STREAM(cuMemcpy3D, 0, (const CUDA_MEMCPY3D *copy), (copy))
{
    return copy_box(call, copy, false, false, NULL);
}
DRIVER_STREAM(cuMemcpy3DAsync, 0, (const CUDA_MEMCPY3D *copy, CUstream stream), (copy, stream))
{
    return copy_box(call, copy, true, false, stream);
}

static cudaError_t copy_flat(Call *call, const CUDA_MEMCPY2D *p, bool async, CUstream stream)
{
    if (!p) return cudaErrorInvalidValue;
    CUDA_MEMCPY3D box = {.srcXInBytes = p->srcXInBytes,
                         .srcY = p->srcY,
                         .srcMemoryType = p->srcMemoryType,
                         .srcHost = p->srcHost,
                         .srcDevice = p->srcDevice,
                         .srcArray = p->srcArray,
                         .srcPitch = p->srcPitch,
                         .dstXInBytes = p->dstXInBytes,
                         .dstY = p->dstY,
                         .dstMemoryType = p->dstMemoryType,
                         .dstHost = p->dstHost,
                         .dstDevice = p->dstDevice,
                         .dstArray = p->dstArray,
                         .dstPitch = p->dstPitch,
                         .WidthInBytes = p->WidthInBytes,
                         .Height = p->Height,
                         .Depth = 1};
    return copy_box(call, &box, async, false, stream);
}

DRIVER_STREAM(cuMemcpy2D, 0, (const CUDA_MEMCPY2D *copy), (copy))
{
    return copy_flat(call, copy, false, NULL);
}
DRIVER_STREAM(cuMemcpy2DUnaligned, 0, (const CUDA_MEMCPY2D *copy), (copy))
{
    return copy_flat(call, copy, false, NULL);
}
DRIVER_STREAM(cuMemcpy2DAsync, 0, (const CUDA_MEMCPY2D *copy, CUstream stream), (copy, stream))
{
    return copy_flat(call, copy, true, stream);
}

/* ---- bytes on end, in arrays of one row ---- */

typedef struct Bytes {
    CUarray array; /* NULL: memory */
    size_t offset;
    const void *memory;
} Bytes;

static cudaError_t copy_bytes(Call *call, Bytes to, Bytes from, size_t bytes, bool async,
                              CUstream stream)
{
    const Bytes *asked[2] = {&to, &from};
    BoxEnd ends[2];
    if (!bytes) return cudaSuccess;
    for (int i = 0; i < 2; i++) {
        const Array *array = asked[i]->array ? array_by(asked[i]->array) : NULL;
        if (asked[i]->array &&
            (!array || asked[i]->offset > array->slice || bytes > array->slice - asked[i]->offset))
            return cudaErrorInvalidValue;
        if (!asked[i]->array && !asked[i]->memory) return cudaErrorInvalidValue;
        char *at =
            array ? (char *)array->address + asked[i]->offset : (char *)(uintptr_t)asked[i]->memory;
        ends[i] = (BoxEnd){array != NULL, at, bytes, bytes};
    }
    return box_copy(call, &ends[0], &ends[1], &(BoxSize){bytes, 1, 1}, cudaMemcpyDefault, async,
                    false, stream_of(call, stream));
}

DRIVER_STREAM(cuMemcpyHtoA, 0, (CUarray to, size_t offset, const void *from, size_t bytes),
              (to, offset, from, bytes))
{
    return copy_bytes(call, (Bytes){to, offset, NULL}, (Bytes){NULL, 0, from}, bytes, false, NULL);
}
DRIVER_STREAM(cuMemcpyHtoAAsync, 0,
              (CUarray to, size_t offset, const void *from, size_t bytes, CUstream stream),
              (to, offset, from, bytes, stream))
{
    return copy_bytes(call, (Bytes){to, offset, NULL}, (Bytes){NULL, 0, from}, bytes, true, stream);
}
DRIVER_STREAM(cuMemcpyAtoH, 0, (void *to, CUarray from, size_t offset, size_t bytes),
              (to, from, offset, bytes))
{
    return copy_bytes(call, (Bytes){NULL, 0, to}, (Bytes){from, offset, NULL}, bytes, false, NULL);
}
DRIVER_STREAM(cuMemcpyAtoHAsync, 0,
              (void *to, CUarray from, size_t offset, size_t bytes, CUstream stream),
              (to, from, offset, bytes, stream))
{
    return copy_bytes(call, (Bytes){NULL, 0, to}, (Bytes){from, offset, NULL}, bytes, true, stream);
}
DRIVER_STREAM(cuMemcpyDtoA, 0, (CUarray to, size_t offset, CUdeviceptr from, size_t bytes),
              (to, offset, from, bytes))
{
    return copy_bytes(call, (Bytes){to, offset, NULL}, (Bytes){NULL, 0, driver_pointer(from)},
                      bytes, false, NULL);
}
DRIVER_STREAM(cuMemcpyAtoD, 0, (CUdeviceptr to, CUarray from, size_t offset, size_t bytes),
              (to, from, offset, bytes))
{
    return copy_bytes(call, (Bytes){NULL, 0, driver_pointer(to)}, (Bytes){from, offset, NULL},
                      bytes, false, NULL);
}
DRIVER_STREAM(cuMemcpyAtoA, 0,
              (CUarray to, size_t offset, CUarray from, size_t from_offset, size_t bytes),
              (to, offset, from, from_offset, bytes))
{
    return copy_bytes(call, (Bytes){to, offset, NULL}, (Bytes){from, from_offset, NULL}, bytes,
                      false, NULL);
}

/* ---- textures and surfaces ---- */

static bool resource_of(const CUDA_RESOURCE_DESC *p, struct cudaResourceDesc *r)
{
    *r = (struct cudaResourceDesc){.resType = (enum cudaResourceType)p->resType, .flags = p->flags};
    switch (p->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        r->res.array.array = (cudaArray_t)(void *)p->res.array.hArray;
        return true;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        r->res.mipmap.mipmap = (cudaMipmappedArray_t)(void *)p->res.mipmap.hMipmappedArray;
        return true;
    case CU_RESOURCE_TYPE_LINEAR:
        r->res.linear.devPtr = driver_pointer(p->res.linear.devPtr);
        r->res.linear.sizeInBytes = p->res.linear.sizeInBytes;
        return desc_of(p->res.linear.format, p->res.linear.numChannels, &r->res.linear.desc);
    case CU_RESOURCE_TYPE_PITCH2D:
        r->res.pitch2D.devPtr = driver_pointer(p->res.pitch2D.devPtr);
        r->res.pitch2D.width = p->res.pitch2D.width;
        r->res.pitch2D.height = p->res.pitch2D.height;
        r->res.pitch2D.pitchInBytes = p->res.pitch2D.pitchInBytes;
        return desc_of(p->res.pitch2D.format, p->res.pitch2D.numChannels, &r->res.pitch2D.desc);
    }
    return false;
}

static void resource_from(const struct cudaResourceDesc *r, CUDA_RESOURCE_DESC *p)
{
    *p = (CUDA_RESOURCE_DESC){.resType = (CUresourcetype)r->resType, .flags = r->flags};
    switch (r->resType) {
    case cudaResourceTypeArray: p->res.array.hArray = (CUarray)(void *)r->res.array.array; break;
    case cudaResourceTypeMipmappedArray:
        p->res.mipmap.hMipmappedArray = (CUmipmappedArray)(void *)r->res.mipmap.mipmap;
        break;
    case cudaResourceTypeLinear:
        p->res.linear.devPtr = (CUdeviceptr)(uintptr_t)r->res.linear.devPtr;
        p->res.linear.sizeInBytes = r->res.linear.sizeInBytes;
        p->res.linear.format = format_of(&r->res.linear.desc, &p->res.linear.numChannels);
        break;
    case cudaResourceTypePitch2D:
        p->res.pitch2D.devPtr = (CUdeviceptr)(uintptr_t)r->res.pitch2D.devPtr;
        p->res.pitch2D.width = r->res.pitch2D.width;
        p->res.pitch2D.height = r->res.pitch2D.height;
        p->res.pitch2D.pitchInBytes = r->res.pitch2D.pitchInBytes;
        p->res.pitch2D.format = format_of(&r->res.pitch2D.desc, &p->res.pitch2D.numChannels);
        break;
    }
}

/* The driver reads integers of 8 and 16 bits as fractions, unless it is told not to. */
static struct cudaTextureDesc texture_desc_of(const CUDA_TEXTURE_DESC *p,
                                              const struct cudaChannelFormatDesc *desc)
{
    bool integers = desc && desc->f != cudaChannelFormatKindFloat && desc->x < 32;
    struct cudaTextureDesc how =
        {.filterMode = (enum cudaTextureFilterMode)p->filterMode,
         .readMode = integers && !(p->flags & CU_TRSF_READ_AS_INTEGER) ? cudaReadModeNormalizedFloat
                                                                       : cudaReadModeElementType,
         .sRGB = (p->flags & CU_TRSF_SRGB) != 0,
         .normalizedCoords = (p->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
         .maxAnisotropy = p->maxAnisotropy,
         .mipmapFilterMode = (enum cudaTextureFilterMode)p->mipmapFilterMode,
         .mipmapLevelBias = p->mipmapLevelBias,
         .minMipmapLevelClamp = p->minMipmapLevelClamp,
         .maxMipmapLevelClamp = p->maxMipmapLevelClamp,
         .disableTrilinearOptimization = (p->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0,
         .seamlessCubemap = (p->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0};
    for (int i = 0; i < 3; i++) how.addressMode[i] = (enum cudaTextureAddressMode)p->addressMode[i];
    for (int i = 0; i < 4; i++) how.borderColor[i] = p->borderColor[i];
    return how;
}

static const struct cudaChannelFormatDesc *elements_of(const struct cudaResourceDesc *r)
{
    const Array *array = r->resType == cudaResourceTypeArray ? array_of(r->res.array.array) : NULL;
    const Mipmap *mipmap =
        r->resType == cudaResourceTypeMipmappedArray ? mipmap_of(r->res.mipmap.mipmap) : NULL;
    return array                                   ? &array->desc
           : mipmap                                ? &mipmap->levels[0]->desc
           : r->resType == cudaResourceTypeLinear  ? &r->res.linear.desc
           : r->resType == cudaResourceTypePitch2D ? &r->res.pitch2D.desc
                                                   : NULL;
}

DRIVER(cuTexObjectCreate, 0,
       (CUtexObject * to, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
        const CUDA_RESOURCE_VIEW_DESC *view),
       (to, resource, texture, view))
{
    struct cudaResourceDesc from;
    if (!to || !resource || !texture || !resource_of(resource, &from)) return cudaErrorInvalidValue;
    struct cudaTextureDesc how = texture_desc_of(texture, elements_of(&from));
    return do_cudaCreateTextureObject(call, to, &from, &how, view);
}

DRIVER(cuTexObjectDestroy, 0, (CUtexObject object), (object))
{
    return do_cudaDestroyTextureObject(call, object);
}

DRIVER(cuTexObjectGetResourceDesc, 0, (CUDA_RESOURCE_DESC * to, CUtexObject object), (to, object))
{
    const Texture *texture = texture_of(object);
    if (!to || !texture) return cudaErrorInvalidValue;
    resource_from(&texture->resource, to);
    return cudaSuccess;
}

DRIVER(cuTexObjectGetTextureDesc, 0, (CUDA_TEXTURE_DESC * to, CUtexObject object), (to, object))
{
    const Texture *texture = texture_of(object);
    if (!to || !texture) return cudaErrorInvalidValue;
    const struct cudaTextureDesc *how = &texture->how;
    bool integers =
        texture->desc.f != cudaChannelFormatKindFloat && how->readMode == cudaReadModeElementType;
    *to =
        (CUDA_TEXTURE_DESC){.filterMode = (CUfilter_mode)how->filterMode,
                            .flags = (integers ? CU_TRSF_READ_AS_INTEGER : 0u) |
                                     (how->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
                                     (how->sRGB ? CU_TRSF_SRGB : 0u),
                            .maxAnisotropy = how->maxAnisotropy,
                            .mipmapFilterMode = (CUfilter_mode)how->mipmapFilterMode,
                            .mipmapLevelBias = how->mipmapLevelBias,
                            .minMipmapLevelClamp = how->minMipmapLevelClamp,
                            .maxMipmapLevelClamp = how->maxMipmapLevelClamp};
    for (int i = 0; i < 3; i++) to->addressMode[i] = (CUaddress_mode)how->addressMode[i];
    for (int i = 0; i < 4; i++) to->borderColor[i] = how->borderColor[i];
    return cudaSuccess;
}

DRIVER(cuTexObjectGetResourceViewDesc, 0, (CUDA_RESOURCE_VIEW_DESC * to, CUtexObject object),
       (to, object))
{
    return do_cudaGetTextureObjectResourceViewDesc(call, to, object);
}

DRIVER(cuSurfObjectCreate, 0, (CUsurfObject * to, const CUDA_RESOURCE_DESC *resource),
       (to, resource))
{
    struct cudaResourceDesc from;
    if (!to || !resource || !resource_of(resource, &from)) return cudaErrorInvalidValue;
    return do_cudaCreateSurfaceObject(call, to, &from);
}

DRIVER(cuSurfObjectDestroy, 0, (CUsurfObject object), (object))
{
    return do_cudaDestroySurfaceObject(call, object);
}

DRIVER(cuSurfObjectGetResourceDesc, 0, (CUDA_RESOURCE_DESC * to, CUsurfObject object), (to, object))
{
    const Surface *surface = surface_of(object);
    if (!to || !surface) return cudaErrorInvalidValue;
    resource_from(&surface->resource, to);
    return cudaSuccess;
}

/* ---- managed memory and pools: the runtime's numbers and layouts ---- */

static struct cudaMemLocation location_of(CUmemLocation location)
{
    return (struct cudaMemLocation){(enum cudaMemLocationType)location.type, location.id};
}

DRIVER(cuMemAdvise, 0,
       (CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location),
       (address, bytes, advice, location))
{
    return do_cudaMemAdvise(call, driver_pointer(address), bytes, (enum cudaMemoryAdvise)advice,
                            location_of(location));
}

DRIVER_STREAM(cuMemPrefetchAsync, 0,
              (CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned flags,
               CUstream stream),
              (address, bytes, location, flags, stream))
{
    return do_cudaMemPrefetchAsync(call, driver_pointer(address), bytes, location_of(location),
                                   flags, stream);
}

DRIVER(cuMemRangeGetAttribute, 0,
       (void *data, size_t size, CUmem_range_attribute attribute, CUdeviceptr address,
        size_t bytes),
       (data, size, attribute, address, bytes))
{
    return do_cudaMemRangeGetAttribute(call, data, size, (enum cudaMemRangeAttribute)attribute,
                                       driver_pointer(address), bytes);
}

DRIVER(cuMemRangeGetAttributes, 0,
       (void **data, size_t *sizes, CUmem_range_attribute *attributes, size_t n,
        CUdeviceptr address, size_t bytes),
       (data, sizes, attributes, n, address, bytes))
{
    return do_cudaMemRangeGetAttributes(call, data, sizes,
                                        (enum cudaMemRangeAttribute *)(void *)attributes, n,
                                        driver_pointer(address), bytes);
}

_Static_assert(sizeof(CUmemPoolProps) == sizeof(struct cudaMemPoolProps),
               "what a pool is to be like");

DRIVER(cuMemPoolCreate, CALL_NO_CONTEXT, (CUmemoryPool * pool, const CUmemPoolProps *props),
       (pool, props))
{
    return do_cudaMemPoolCreate(call, pool, (const struct cudaMemPoolProps *)(const void *)props);
}
DRIVER(cuMemPoolDestroy, CALL_NO_CONTEXT, (CUmemoryPool pool), (pool))
{
    return do_cudaMemPoolDestroy(call, pool);
}
DRIVER_STREAM(cuMemAllocFromPoolAsync, 0,
              (CUdeviceptr * to, size_t bytes, CUmemoryPool pool, CUstream stream),
              (to, bytes, pool, stream))
{
    return do_cudaMallocFromPoolAsync(call, (void **)to, bytes, pool, stream);
}

DRIVER(cuMemGetDefaultMemPool, CALL_NO_CONTEXT,
       (CUmemoryPool * pool, CUmemLocation *location, CUmemAllocationType type),
       (pool, location, type))
{
    return do_cudaMemGetDefaultMemPool(call, pool, (struct cudaMemLocation *)(void *)location,
                                       (enum cudaMemAllocationType)type);
}
DRIVER(cuMemGetMemPool, CALL_NO_CONTEXT,
       (CUmemoryPool * pool, CUmemLocation *location, CUmemAllocationType type),
       (pool, location, type))
{
    return do_cudaMemGetMemPool(call, pool, (struct cudaMemLocation *)(void *)location,
                                (enum cudaMemAllocationType)type);
}
DRIVER(cuMemSetMemPool, CALL_NO_CONTEXT,
       (CUmemLocation * location, CUmemAllocationType type, CUmemoryPool pool),
       (location, type, pool))
{
    return do_cudaMemSetMemPool(call, (struct cudaMemLocation *)(void *)location,
                                (enum cudaMemAllocationType)type, pool);
}

/* clang-format off */
ALSO_CALLED(cuArrayCreate, cuArrayCreate_v2)
ALSO_CALLED(cuArrayGetDescriptor, cuArrayGetDescriptor_v2)
ALSO_CALLED(cuArray3DCreate, cuArray3DCreate_v2)
ALSO_CALLED(cuArray3DGetDescriptor, cuArray3DGetDescriptor_v2)
ALSO_CALLED(cuMemcpy3DPeer_ptsz, cuMemcpy3DPeer_ptds)
ALSO_CALLED(cuMemcpy2D, cuMemcpy2D_v2)
ALSO_CALLED(cuMemcpy2D_ptsz, cuMemcpy2D_v2_ptds)
ALSO_CALLED(cuMemcpy2DUnaligned, cuMemcpy2DUnaligned_v2)
ALSO_CALLED(cuMemcpy2DUnaligned_ptsz, cuMemcpy2DUnaligned_v2_ptds)
ALSO_CALLED(cuMemcpy2DAsync, cuMemcpy2DAsync_v2)
ALSO_CALLED(cuMemcpy2DAsync_ptsz, cuMemcpy2DAsync_v2_ptsz)
ALSO_CALLED(cuMemcpy3D, cuMemcpy3D_v2)
ALSO_CALLED(cuMemcpy3D_ptsz, cuMemcpy3D_v2_ptds)
ALSO_CALLED(cuMemcpy3DAsync, cuMemcpy3DAsync_v2)
ALSO_CALLED(cuMemcpy3DAsync_ptsz, cuMemcpy3DAsync_v2_ptsz)
ALSO_CALLED(cuMemcpyHtoA, cuMemcpyHtoA_v2)
ALSO_CALLED(cuMemcpyHtoA_ptsz, cuMemcpyHtoA_v2_ptds)
ALSO_CALLED(cuMemcpyHtoAAsync, cuMemcpyHtoAAsync_v2)
ALSO_CALLED(cuMemcpyHtoAAsync_ptsz, cuMemcpyHtoAAsync_v2_ptsz)
ALSO_CALLED(cuMemcpyAtoH, cuMemcpyAtoH_v2)
ALSO_CALLED(cuMemcpyAtoH_ptsz, cuMemcpyAtoH_v2_ptds)
ALSO_CALLED(cuMemcpyAtoHAsync, cuMemcpyAtoHAsync_v2)
ALSO_CALLED(cuMemcpyAtoHAsync_ptsz, cuMemcpyAtoHAsync_v2_ptsz)
ALSO_CALLED(cuMemcpyDtoA, cuMemcpyDtoA_v2)
ALSO_CALLED(cuMemcpyDtoA_ptsz, cuMemcpyDtoA_v2_ptds)
ALSO_CALLED(cuMemcpyAtoD, cuMemcpyAtoD_v2)
ALSO_CALLED(cuMemcpyAtoD_ptsz, cuMemcpyAtoD_v2_ptds)
ALSO_CALLED(cuMemcpyAtoA, cuMemcpyAtoA_v2)
ALSO_CALLED(cuMemcpyAtoA_ptsz, cuMemcpyAtoA_v2_ptds)
ALSO_CALLED(cuMemAdvise, cuMemAdvise_v2)
ALSO_CALLED(cuMemPrefetchAsync, cuMemPrefetchAsync_v2)
ALSO_CALLED(cuMemPrefetchAsync_ptsz, cuMemPrefetchAsync_v2_ptsz)
/* clang-format on */
