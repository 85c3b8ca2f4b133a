/* api_driver_memory.c - the driver API: memory, copies, sets, pools, what a pointer is. */
#include "sim/api/api_driver.h"
#include "sim/api/api_copy.h"

/* ---- memory ---- */

/* What nobody wants to know is left out. */
DRIVER(cuMemGetInfo, 0, (size_t * free, size_t *total), (free, total))
{
    size_t nowhere;
    return do_cudaMemGetInfo(call, free ? free : &nowhere, total ? total : &nowhere);
}

/* The runtime has nothing to do for no bytes; the driver calls that wrong, of a device's memory. */
DRIVER(cuMemAlloc, CALL_UNSAFE, (CUdeviceptr * to, size_t bytes), (to, bytes))
{
    cudaError_t error = do_cudaMalloc(call, (void **)to, bytes);
    return error || bytes ? error : cudaErrorInvalidValue;
}

DRIVER(cuMemAllocPitch, CALL_UNSAFE,
       (CUdeviceptr * to, size_t *pitch, size_t width, size_t height, unsigned element),
       (to, pitch, width, height, element))
{
    if (!width || !height || (element != 4 && element != 8 && element != 16))
        return cudaErrorInvalidValue;
    return do_cudaMallocPitch(call, (void **)to, pitch, width, height);
}

DRIVER(cuMemAllocManaged, CALL_UNSAFE, (CUdeviceptr * to, size_t bytes, unsigned flags),
       (to, bytes, flags))
{
    return bytes ? do_cudaMallocManaged(call, (void **)to, bytes, flags) : cudaErrorInvalidValue;
}

/* A pointer says of which context it is. */
DRIVER(cuMemFree, CALL_NO_CONTEXT | CALL_UNSAFE, (CUdeviceptr address), (address))
{
    return do_cudaFree(call, driver_pointer(address));
}

DRIVER(cuMemAllocHost, CALL_UNSAFE, (void **to, size_t bytes), (to, bytes))
{
    return do_cudaMallocHost(call, to, bytes);
}

DRIVER(cuMemHostAlloc, CALL_UNSAFE, (void **to, size_t bytes, unsigned flags), (to, bytes, flags))
{
    return do_cudaHostAlloc(call, to, bytes, flags);
}

DRIVER(cuMemFreeHost, CALL_NO_CONTEXT | CALL_UNSAFE, (void *host), (host))
{
    return do_cudaFreeHost(call, host);
}

DRIVER(cuMemHostGetDevicePointer, 0, (CUdeviceptr * to, void *host, unsigned flags),
       (to, host, flags))
{
    return do_cudaHostGetDevicePointer(call, (void **)to, host, flags);
}

DRIVER(cuMemHostGetFlags, 0, (unsigned *flags, void *host), (flags, host))
{
    return do_cudaHostGetFlags(call, flags, host);
}

DRIVER(cuMemHostRegister, CALL_UNSAFE, (void *host, size_t bytes, unsigned flags),
       (host, bytes, flags))
{
    return do_cudaHostRegister(call, host, bytes, flags);
}

DRIVER(cuMemHostUnregister, CALL_UNSAFE, (void *host), (host))
{
    return do_cudaHostUnregister(call, host);
}

/* ---- stream-ordered ---- */

DRIVER_STREAM(cuMemAllocAsync, 0, (CUdeviceptr * to, size_t bytes, CUstream stream),
              (to, bytes, stream))
{
    return do_cudaMallocAsync(call, (void **)to, bytes, stream);
}

DRIVER_STREAM(cuMemFreeAsync, 0, (CUdeviceptr address, CUstream stream), (address, stream))
{
    return do_cudaFreeAsync(call, driver_pointer(address), stream);
}

DRIVER(cuDeviceGetDefaultMemPool, CALL_NO_CONTEXT, (CUmemoryPool * to, CUdevice device),
       (to, device))
{
    return do_cudaDeviceGetDefaultMemPool(call, to, device);
}

DRIVER(cuDeviceGetMemPool, CALL_NO_CONTEXT, (CUmemoryPool * to, CUdevice device), (to, device))
{
    return do_cudaDeviceGetMemPool(call, to, device);
}

DRIVER(cuDeviceSetMemPool, CALL_NO_CONTEXT, (CUdevice device, CUmemoryPool pool), (device, pool))
{
    return do_cudaDeviceSetMemPool(call, device, pool);
}

/* The attributes have the runtime's numbers. */
DRIVER(cuMemPoolGetAttribute, CALL_NO_CONTEXT,
       (CUmemoryPool pool, CUmemPool_attribute attribute, void *value), (pool, attribute, value))
{
    return do_cudaMemPoolGetAttribute(call, pool, (enum cudaMemPoolAttr)attribute, value);
}

DRIVER(cuMemPoolSetAttribute, CALL_NO_CONTEXT,
       (CUmemoryPool pool, CUmemPool_attribute attribute, void *value), (pool, attribute, value))
{
    return do_cudaMemPoolSetAttribute(call, pool, (enum cudaMemPoolAttr)attribute, value);
}

DRIVER(cuMemPoolTrimTo, CALL_NO_CONTEXT, (CUmemoryPool pool, size_t keep), (pool, keep))
{
    return do_cudaMemPoolTrimTo(call, pool, keep);
}

/* ---- copies ---- */

DRIVER_STREAM(cuMemcpy, 0, (CUdeviceptr to, CUdeviceptr from, size_t bytes), (to, from, bytes))
{
    return do_cudaMemcpy(call, driver_pointer(to), driver_pointer(from), bytes, cudaMemcpyDefault);
}

DRIVER_STREAM(cuMemcpyAsync, 0, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
              (to, from, bytes, stream))
{
    return do_cudaMemcpyAsync(call, driver_pointer(to), driver_pointer(from), bytes,
                              cudaMemcpyDefault, stream);
}

DRIVER_STREAM(cuMemcpyHtoD, 0, (CUdeviceptr to, const void *from, size_t bytes), (to, from, bytes))
{
    return do_cudaMemcpy(call, driver_pointer(to), from, bytes, cudaMemcpyHostToDevice);
}

DRIVER_STREAM(cuMemcpyHtoDAsync, 0,
              (CUdeviceptr to, const void *from, size_t bytes, CUstream stream),
              (to, from, bytes, stream))
{
    return do_cudaMemcpyAsync(call, driver_pointer(to), from, bytes, cudaMemcpyHostToDevice,
                              stream);
}

DRIVER_STREAM(cuMemcpyDtoH, 0, (void *to, CUdeviceptr from, size_t bytes), (to, from, bytes))
{
    return do_cudaMemcpy(call, to, driver_pointer(from), bytes, cudaMemcpyDeviceToHost);
}

DRIVER_STREAM(cuMemcpyDtoHAsync, 0, (void *to, CUdeviceptr from, size_t bytes, CUstream stream),
              (to, from, bytes, stream))
{
    return do_cudaMemcpyAsync(call, to, driver_pointer(from), bytes, cudaMemcpyDeviceToHost,
                              stream);
}

DRIVER_STREAM(cuMemcpyDtoD, 0, (CUdeviceptr to, CUdeviceptr from, size_t bytes), (to, from, bytes))
{
    return do_cudaMemcpy(call, driver_pointer(to), driver_pointer(from), bytes,
                         cudaMemcpyDeviceToDevice);
}

DRIVER_STREAM(cuMemcpyDtoDAsync, 0,
              (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
              (to, from, bytes, stream))
{
    return do_cudaMemcpyAsync(call, driver_pointer(to), driver_pointer(from), bytes,
                              cudaMemcpyDeviceToDevice, stream);
}

/* ---- sets: of n values, of 1, 2 or 4 bytes ---- */

static cudaError_t set(Call *call, CUdeviceptr to, size_t pitch, uint32_t value, unsigned element,
                       size_t n, size_t height, bool async, CUstream stream)
{
    /* 2^62 values of 4 bytes are no bytes, as on a card */
    return set_run(call, &(Set){.to = driver_pointer(to),
                                .value = value,
                                .element = element,
                                .pitch = pitch,
                                .width = n * element,
                                .height = height,
                                .async = async,
                                .handle = stream});
}

#define SETS(NAME, NAME_2D, TYPE, ELEMENT)                                                 \
    DRIVER_STREAM(NAME, 0, (CUdeviceptr to, TYPE value, size_t n), (to, value, n))         \
    {                                                                                      \
        return set(call, to, 0, value, ELEMENT, n, 1, false, NULL);                        \
    }                                                                                      \
    DRIVER_STREAM(NAME##Async, 0, (CUdeviceptr to, TYPE value, size_t n, CUstream stream), \
                  (to, value, n, stream))                                                  \
    {                                                                                      \
        return set(call, to, 0, value, ELEMENT, n, 1, true, stream);                       \
    }                                                                                      \
    DRIVER_STREAM(NAME_2D, 0,                                                              \
                  (CUdeviceptr to, size_t pitch, TYPE value, size_t width, size_t height), \
                  (to, pitch, value, width, height))                                       \
    {                                                                                      \
        return set(call, to, pitch, value, ELEMENT, width, height, false, NULL);           \
    }                                                                                      \
    DRIVER_STREAM(NAME_2D##Async, 0,                                                       \
                  (CUdeviceptr to, size_t pitch, TYPE value, size_t width, size_t height,  \
                   CUstream stream),                                                       \
                  (to, pitch, value, width, height, stream))                               \
    {                                                                                      \
        return set(call, to, pitch, value, ELEMENT, width, height, true, stream);          \
    }
SETS(cuMemsetD8, cuMemsetD2D8, unsigned char, 1)
SETS(cuMemsetD16, cuMemsetD2D16, unsigned short, 2)
SETS(cuMemsetD32, cuMemsetD2D32, unsigned, 4)

/* ---- what a pointer is ---- */

DRIVER(cuMemGetAddressRange, 0, (CUdeviceptr * base, size_t *bytes, CUdeviceptr address),
       (base, bytes, address))
{
    Place place = place_of(driver_pointer(address));
    if (place.dead || place.kind == TRACE_MEM_PAGEABLE) return cudaErrorSymbolNotFound;
    if (base) *base = address - place.offset;
    if (bytes) *bytes = place.offset + place.room;
    return cudaSuccess;
}

static bool is_pooled(CUdeviceptr address)
{
    const MemoryBlock *block = memory_find(driver_pointer(address));
    return block && block->pool;
}

/* One thing about a pointer, into *value; what is not known of it is none. */
static cudaError_t tell(Call *call, void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
    struct cudaPointerAttributes about;
    Place place = place_of(driver_pointer(address));
    cudaError_t error = do_cudaPointerGetAttributes(call, &about, driver_pointer(address));
    if (error) return error;
    bool known = about.type != cudaMemoryTypeUnregistered;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(bool *)value = about.type == cudaMemoryTypeManaged;
        break;
    case CU_POINTER_ATTRIBUTE_MAPPED: *(bool *)value = known; return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)value = about.device; break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value =
            about.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        break;
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)value = known && !is_pooled(address) ? driver_context_of(about.device) : NULL;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)value = address; break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *(void **)value = about.hostPointer;
        known &= about.hostPointer != NULL;
        break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: *(unsigned long long *)value = place.alloc; break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *(CUdeviceptr *)value = address - place.offset;
        break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)value = place.offset + place.room; break;
    default:
        if (attribute < CU_POINTER_ATTRIBUTE_CONTEXT ||
            attribute > CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID)
            return cudaErrorInvalidValue;
        host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
                   "%s of attribute %d is not simulated by this virtual GPU; the program ends here",
                   call->name, (int)attribute);
    }
    return known ? cudaSuccess : cudaErrorInvalidValue;
}

DRIVER(cuPointerGetAttribute, CALL_NO_CONTEXT | CALL_AFTER_FAULT,
       (void *value, CUpointer_attribute attribute, CUdeviceptr address),
       (value, attribute, address))
{
    char room[sizeof(unsigned long long)];
    if (!value) return cudaErrorInvalidValue;
    cudaError_t error = tell(call, room, attribute, address);
    return error ? error : tell(call, value, attribute, address);
}

/* What is not known of a pointer is 0, and no error. */
DRIVER(cuPointerGetAttributes, CALL_NO_CONTEXT | CALL_AFTER_FAULT,
       (unsigned n, CUpointer_attribute *attributes, void **values, CUdeviceptr address),
       (n, attributes, values, address))
{
    if (!n || !attributes || !values) return cudaErrorInvalidValue;
    for (unsigned i = 0; i < n; i++) {
        char room[sizeof(unsigned long long)];
        if (!values[i]) return cudaErrorInvalidValue;
        if (!tell(call, room, attributes[i], address))
            tell(call, values[i], attributes[i], address);
        else if (attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER &&
                 place_of(driver_pointer(address)).kind == TRACE_MEM_PAGEABLE)
            *(void **)values[i] = driver_pointer(address);
        else if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
            *(int *)values[i] = cudaInvalidDeviceId;
        else if (attributes[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE) *(unsigned *)values[i] = 0;
        else *(void **)values[i] = NULL;
    }
    return cudaSuccess;
}

/* ---- names in the driver's library ---- */

/* clang-format off */
ALSO_CALLED(cuMemGetInfo, cuMemGetInfo_v2)
ALSO_CALLED(cuMemAlloc, cuMemAlloc_v2)
ALSO_CALLED(cuMemAllocPitch, cuMemAllocPitch_v2)
ALSO_CALLED(cuMemFree, cuMemFree_v2)
ALSO_CALLED(cuMemAllocHost, cuMemAllocHost_v2)
ALSO_CALLED(cuMemHostGetDevicePointer, cuMemHostGetDevicePointer_v2)
ALSO_CALLED(cuMemHostRegister, cuMemHostRegister_v2)
ALSO_CALLED(cuMemcpy_ptsz, cuMemcpy_ptds)
ALSO_CALLED(cuMemcpyHtoD, cuMemcpyHtoD_v2)
ALSO_CALLED(cuMemcpyHtoD_ptsz, cuMemcpyHtoD_v2_ptds)
ALSO_CALLED(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2)
ALSO_CALLED(cuMemcpyHtoDAsync_ptsz, cuMemcpyHtoDAsync_v2_ptsz)
ALSO_CALLED(cuMemcpyDtoH, cuMemcpyDtoH_v2)
ALSO_CALLED(cuMemcpyDtoH_ptsz, cuMemcpyDtoH_v2_ptds)
ALSO_CALLED(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2)
ALSO_CALLED(cuMemcpyDtoHAsync_ptsz, cuMemcpyDtoHAsync_v2_ptsz)
ALSO_CALLED(cuMemcpyDtoD, cuMemcpyDtoD_v2)
ALSO_CALLED(cuMemcpyDtoD_ptsz, cuMemcpyDtoD_v2_ptds)
ALSO_CALLED(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2)
ALSO_CALLED(cuMemcpyDtoDAsync_ptsz, cuMemcpyDtoDAsync_v2_ptsz)
ALSO_CALLED(cuMemGetAddressRange, cuMemGetAddressRange_v2)
ALSO_CALLED(cuMemsetD8, cuMemsetD8_v2)
ALSO_CALLED(cuMemsetD8_ptsz, cuMemsetD8_v2_ptds)
ALSO_CALLED(cuMemsetD2D8, cuMemsetD2D8_v2)
ALSO_CALLED(cuMemsetD2D8_ptsz, cuMemsetD2D8_v2_ptds)
ALSO_CALLED(cuMemsetD16, cuMemsetD16_v2)
ALSO_CALLED(cuMemsetD16_ptsz, cuMemsetD16_v2_ptds)
ALSO_CALLED(cuMemsetD2D16, cuMemsetD2D16_v2)
ALSO_CALLED(cuMemsetD2D16_ptsz, cuMemsetD2D16_v2_ptds)
ALSO_CALLED(cuMemsetD32, cuMemsetD32_v2)
ALSO_CALLED(cuMemsetD32_ptsz, cuMemsetD32_v2_ptds)
ALSO_CALLED(cuMemsetD2D32, cuMemsetD2D32_v2)
ALSO_CALLED(cuMemsetD2D32_ptsz, cuMemsetD2D32_v2_ptds)
/* clang-format on */
