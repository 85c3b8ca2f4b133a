/* array_texture.c - texture and surface objects: what a program says of them, checked, and as the
 * lookup wants it. */
#include "sim/array/array.h"
#include "sim/runtime/handle.h"
#include "sim/runtime/place.h"
#include <limits.h>
#include <stdlib.h>

enum { ALIGNMENT = 512, PITCH_ALIGNMENT = 32, MOST_LINEAR = 1 << 28, MOST_PITCHED = 131072 };

static uint32_t n_textures, n_surfaces;

static Image image_of(const Array *array)
{
    return (Image){array->address,    array->pitch,       array->slice,
                   (int)array->width, (int)array->height, (int)array->depth};
}

static cudaError_t from_array(Texture *texture, const Array *array)
{
    if (!array) return cudaErrorInvalidResourceHandle;
    texture->desc = array->desc;
    texture->image[0] = image_of(array);
    texture->levels = 1;
    return cudaSuccess;
}

static cudaError_t from_mipmap(Texture *texture, const Mipmap *mipmap)
{
    if (!mipmap) return cudaErrorInvalidResourceHandle;
    texture->desc = mipmap->levels[0]->desc;
    for (unsigned i = 0; i < mipmap->n && i < TEXTURE_LEVELS; i++)
        texture->image[i] = image_of(mipmap->levels[i]);
    texture->levels = (int)mipmap->n;
    return cudaSuccess;
}

/* Memory of the program's own: what the device reaches, aligned. (Allocations of a card begin at
 * multiples of that; ours need not: it counts from where they begin.) */
static bool is_good_memory(const void *address, size_t bytes)
{
    Place place = place_of(address);
    return address && place.offset % ALIGNMENT == 0 && !place.dead &&
           place.kind != TRACE_MEM_PAGEABLE && bytes <= place.room;
}

static cudaError_t from_memory(Texture *texture)
{
    const struct cudaResourceDesc *r = &texture->resource;
    size_t width, height = 1, pitch;
    uintptr_t address;
    if (r->resType == cudaResourceTypeLinear) {
        texture->desc = r->res.linear.desc;
        if (!array_element(&texture->desc, &texture->element, &texture->channels))
            return cudaErrorInvalidValue;
        address = (uintptr_t)r->res.linear.devPtr;
        width = r->res.linear.sizeInBytes / texture->element;
        pitch = r->res.linear.sizeInBytes;
        if (width > MOST_LINEAR) return cudaErrorInvalidValue;
    } else {
        texture->desc = r->res.pitch2D.desc;
        if (!array_element(&texture->desc, &texture->element, &texture->channels))
            return cudaErrorInvalidValue;
        address = (uintptr_t)r->res.pitch2D.devPtr;
        width = r->res.pitch2D.width;
        height = r->res.pitch2D.height;
        pitch = r->res.pitch2D.pitchInBytes;
        if (!height || height > MOST_PITCHED || width > MOST_PITCHED || pitch % PITCH_ALIGNMENT)
            return cudaErrorInvalidValue;
    }
    if (!width ||
        !is_good_memory((const void *)address, pitch * (height - 1) + width * texture->element))
        return cudaErrorInvalidValue;
    texture->image[0] = (Image){address, pitch, pitch * height, (int)width, (int)height, 1};
    texture->levels = 1;
    return cudaSuccess;
}

static cudaError_t look_at_resource(Texture *texture)
{
    const struct cudaResourceDesc *r = &texture->resource;
    switch (r->resType) {
    case cudaResourceTypeArray: return from_array(texture, array_of(r->res.array.array));
    case cudaResourceTypeMipmappedArray:
        return from_mipmap(texture, mipmap_of(r->res.mipmap.mipmap));
    case cudaResourceTypeLinear:
    case cudaResourceTypePitch2D: return from_memory(texture);
    default: return cudaErrorInvalidValue;
    }
}

/* Which elements can be read how: filters mix floats, and what has 32 bits is no fraction. */
static cudaError_t look_at_reading(Texture *texture)
{
    const struct cudaTextureDesc *how = &texture->how;
    bool integers = texture->desc.f == cudaChannelFormatKindSigned ||
                    texture->desc.f == cudaChannelFormatKindUnsigned;
    bool normalizes = how->readMode == cudaReadModeNormalizedFloat;
    if (normalizes && texture->desc.x == 32) return cudaErrorInvalidNormSetting;
    texture->floats = !integers || normalizes;
    bool mixes =
        how->filterMode == cudaFilterModeLinear || how->mipmapFilterMode == cudaFilterModeLinear;
    return texture->floats || !mixes ? cudaSuccess : cudaErrorInvalidFilterSetting;
}

static bool is_known(const struct cudaTextureDesc *how)
{
    for (int i = 0; i < 3; i++)
        if ((unsigned)how->addressMode[i] > cudaAddressModeBorder) return false;
    return (unsigned)how->filterMode <= cudaFilterModeLinear &&
           (unsigned)how->readMode <= cudaReadModeNormalizedFloat &&
           (unsigned)how->mipmapFilterMode <= cudaFilterModeLinear;
}

/* A view of some layers or levels; of other elements of the same size it is not simulated. */
static cudaError_t look_through(const Call *call, Texture *texture,
                                const struct cudaResourceViewDesc *view)
{
    texture->view = *view;
    texture->viewed = true;
    if (view->format != cudaResViewFormatNone)
        host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
                   "%s: a view with a format of its own is not simulated by this virtual GPU: "
                   "describe the elements as "
                   "they are (cudaResViewFormatNone); the program ends here",
                   call->name);
    if (texture->resource.resType > cudaResourceTypeMipmappedArray ||
        view->firstMipmapLevel > view->lastMipmapLevel ||
        (int)view->lastMipmapLevel >= texture->levels || view->firstLayer > view->lastLayer ||
        (int)view->lastLayer >= texture->image[0].depth)
        return cudaErrorInvalidValue;
    texture->levels = (int)(view->lastMipmapLevel - view->firstMipmapLevel) + 1;
    for (int i = 0; i < texture->levels; i++) {
        texture->image[i] = texture->image[i + (int)view->firstMipmapLevel];
        if (!view->lastLayer) continue;
        texture->image[i].address += view->firstLayer * texture->image[i].slice;
        texture->image[i].depth = (int)(view->lastLayer - view->firstLayer) + 1;
    }
    return cudaSuccess;
}

cudaError_t texture_new(Call *call, const struct cudaResourceDesc *resource,
                        const struct cudaTextureDesc *how, const struct cudaResourceViewDesc *view,
                        Texture **made)
{
    Texture *texture = calloc(1, sizeof *texture);
    if (!texture) return cudaErrorMemoryAllocation;
    texture->resource = *resource;
    texture->how = *how;
    cudaError_t error = is_known(how) ? look_at_resource(texture) : cudaErrorInvalidValue;
    if (!error && !array_element(&texture->desc, &texture->element, &texture->channels))
        error = cudaErrorInvalidValue;
    if (!error) error = look_at_reading(texture);
    if (!error && view) error = look_through(call, texture, view);
    texture->number = n_textures + 1;
    if (!error && !handle_add(HANDLE_TEXTURE, texture->number, texture))
        error = cudaErrorMemoryAllocation;
    if (error) {
        free(texture);
        return error;
    }
    n_textures++;
    *made = texture;
    return cudaSuccess;
}

cudaError_t surface_new(Call *call, const struct cudaResourceDesc *resource, Surface **made)
{
    (void)call;
    if (resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
    const Array *array = array_of(resource->res.array.array);
    if (!array) return cudaErrorInvalidResourceHandle;
    Surface *surface = calloc(1, sizeof *surface);
    if (!surface) return cudaErrorMemoryAllocation;
    *surface = (Surface){n_surfaces + 1, *resource, array->element, image_of(array)};
    if (!handle_add(HANDLE_SURFACE, surface->number, surface)) {
        free(surface);
        return cudaErrorMemoryAllocation;
    }
    n_surfaces++;
    *made = surface;
    return cudaSuccess;
}

Texture *texture_of(cudaTextureObject_t object)
{
    return handle_find(HANDLE_TEXTURE, (const void *)(uintptr_t)object);
}
Surface *surface_of(cudaSurfaceObject_t object)
{
    return handle_find(HANDLE_SURFACE, (const void *)(uintptr_t)object);
}

void texture_free(const Call *call, Texture *texture)
{
    handle_close(HANDLE_TEXTURE, texture->number, call->site);
    free(texture);
}

void surface_free(const Call *call, Surface *surface)
{
    handle_close(HANDLE_SURFACE, surface->number, call->site);
    free(surface);
}
