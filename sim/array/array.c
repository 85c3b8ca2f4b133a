#include "sim/array/array.h"
#include "sim/runtime/handle.h"
#include "sim/runtime/place.h"
#include "sim/runtime/pool.h"
#include <stdlib.h>

enum {
    FLAGS = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
            cudaArrayTextureGather | cudaArrayColorAttachment | cudaArraySparse |
            cudaArrayDeferredMapping,
    NOT_SIMULATED = cudaArraySparse | cudaArrayDeferredMapping,
    FACES = 6
};

/* The widest of compute capability 9.0 (CUDA's table of technical specifications). */
enum {
    MOST_1D = 131072,
    MOST_2D_WIDTH = 131072,
    MOST_2D_HEIGHT = 65536,
    MOST_3D = 16384,
    MOST_LAYERED = 32768,
    MOST_LAYERS = 2048
};

bool array_element(const struct cudaChannelFormatDesc *desc, size_t *bytes, int *channels)
{
    const int bits[] = {desc->x, desc->y, desc->z, desc->w};
    bool normalized = desc->f >= cudaChannelFormatKindUnsignedNormalized8X1 &&
                      desc->f <= cudaChannelFormatKindSignedNormalized16X4;
    int n = 0;
    while (n < 4 && bits[n]) n++;
    for (int i = n; i < 4; i++)
        if (bits[i]) return false;
    for (int i = 1; i < n; i++)
        if (bits[i] != bits[0]) return false;
    if (!n || n == 3 || (bits[0] != 8 && bits[0] != 16 && bits[0] != 32)) return false;
    if (desc->f > cudaChannelFormatKindFloat && !normalized) return false;
    if (desc->f == cudaChannelFormatKindFloat && bits[0] == 8) return false;
    if (normalized && bits[0] == 32) return false;
    *bytes = (size_t)bits[0] / 8 * (size_t)n;
    *channels = n;
    return true;
}

/* ---- shapes ---- */

static bool fits(const struct cudaExtent *e, unsigned flags)
{
    bool layered = flags & cudaArrayLayered;
    if (!e->width) return false;
    if (flags & cudaArrayCubemap) {
        if (e->width != e->height || e->width > MOST_LAYERED) return false;
        return layered ? e->depth && e->depth % FACES == 0 && e->depth <= MOST_LAYERS
                       : e->depth == FACES;
    }
    if (layered)
        return e->depth && e->depth <= MOST_LAYERS && e->width <= MOST_LAYERED &&
               e->height <= MOST_LAYERED;
    if (!e->height) return !e->depth && e->width <= MOST_1D;
    if (!e->depth) return e->width <= MOST_2D_WIDTH && e->height <= MOST_2D_HEIGHT;
    return e->width <= MOST_3D && e->height <= MOST_3D && e->depth <= MOST_3D;
}

static cudaError_t check(const Call *call, const struct cudaChannelFormatDesc *desc,
                         const struct cudaExtent *extent, unsigned flags, Array *array)
{
    int channels;
    if (flags & NOT_SIMULATED)
        host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
                   "%s: sparse arrays and those that are mapped later are not simulated by this "
                   "virtual GPU; the program "
                   "ends here",
                   call->name);
    if (!array_element(desc, &array->element, &channels)) {
        if (desc->f >= cudaChannelFormatKindUnsignedBlockCompressed1 ||
            desc->f == cudaChannelFormatKindNV12)
            host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
                       "%s: compressed and planar formats are not simulated by this virtual GPU; "
                       "the program ends here",
                       call->name);
        return cudaErrorInvalidChannelDescriptor;
    }
    if (flags & ~(unsigned)FLAGS || !fits(extent, flags)) return cudaErrorInvalidValue;
    return cudaSuccess;
}

static size_t at_least_one(size_t n) { return n ? n : 1; }

static void lay_out(Array *array)
{
    array->width = array->extent.width;
    array->height = at_least_one(array->extent.height);
    array->depth = at_least_one(array->extent.depth);
    array->pitch = array->width * array->element;
    array->slice = array->pitch * array->height;
}

/* ---- arrays come and go ---- */

static uint32_t n_arrays, n_mipmaps;

static MemoryBlock *block_of(const Array *array)
{
    MemoryBlock *block = memory_find((const void *)array->address);
    return block && block->id == array->alloc ? block : NULL;
}

static cudaError_t allocate(Call *call, Array *array)
{
    static const char *const frees[] = {"cudaFreeArray", "cuArrayDestroy"};
    size_t bytes = array->slice * array->depth;
    MemoryBlock *block = memory_alloc(TRACE_MEM_DEVICE, array->device, bytes, 0, call->site);
    if (!block && pool_spare(array->device))
        block = memory_alloc(TRACE_MEM_DEVICE, array->device, bytes, 0, call->site);
    if (!block) return cudaErrorMemoryAllocation;
    call_allocated(call, block);
    block->freed_by = frees;
    block_made(call, block);
    array->address = block->address;
    array->alloc = block->id;
    return cudaSuccess;
}

cudaError_t array_new(Call *call, const struct cudaChannelFormatDesc *desc,
                      struct cudaExtent extent, unsigned flags, Array **made)
{
    Array tried = {.number = n_arrays + 1,
                   .desc = *desc,
                   .extent = extent,
                   .flags = flags,
                   .device = call_device()};
    cudaError_t error = check(call, desc, &extent, flags, &tried);
    if (error) return error;
    lay_out(&tried);
    error = allocate(call, &tried);
    if (error) return error;

    Array *array = malloc(sizeof *array);
    if (!array || !handle_add(HANDLE_ARRAY, tried.number, array))
        host_fatal(HOST_STATUS_CRASH, call->site, "out of memory");
    *array = tried;
    n_arrays++;
    *made = array;
    return cudaSuccess;
}

Array *array_of(cudaArray_const_t handle)
{
    Array *array = handle_find(HANDLE_ARRAY, handle);
    return array && block_of(array) ? array : NULL;
}

cudaArray_t array_handle(const Array *array) { return handle_make(HANDLE_ARRAY, array->number); }

static void drop(const Call *call, Array *array)
{
    MemoryBlock *block = block_of(array);
    if (block) block_give_back(call, block);
    handle_close(HANDLE_ARRAY, array->number, call->site);
    free(array);
}

cudaError_t array_free(Call *call, Array *array)
{
    block_about_to_go(call, block_of(array), true);
    cudaError_t error = call_wait_device(call, array->device, CALL_BY_LUCK);
    drop(call, array);
    return error;
}

/* ---- mipmapped arrays ---- */

static size_t halved(size_t n) { return n > 1 ? n / 2 : n; }

static unsigned levels_of(const struct cudaExtent *extent, unsigned flags)
{
    size_t most = extent->width > extent->height ? extent->width : extent->height;
    unsigned n = 1;
    if (!(flags & (cudaArrayLayered | cudaArrayCubemap)) && extent->depth > most)
        most = extent->depth;
    for (; most > 1; most /= 2) n++;
    return n;
}

cudaError_t mipmap_new(Call *call, const struct cudaChannelFormatDesc *desc,
                       struct cudaExtent extent, unsigned levels, unsigned flags, Mipmap **made)
{
    static const char *const frees[] = {"cudaFreeMipmappedArray", "cuMipmappedArrayDestroy"};
    unsigned most = levels_of(&extent, flags);
    Mipmap *mipmap = calloc(1, sizeof *mipmap);
    if (!levels) levels = 1;
    if (levels > most) levels = most;
    if (!mipmap || !(mipmap->levels = calloc(levels, sizeof *mipmap->levels)))
        host_fatal(HOST_STATUS_CRASH, call->site, "out of memory");

    cudaError_t error = cudaSuccess;
    for (; mipmap->n < levels && !error; mipmap->n += !error) {
        error = array_new(call, desc, extent, flags, &mipmap->levels[mipmap->n]);
        if (!error) {
            mipmap->levels[mipmap->n]->of_mipmap = true;
            block_of(mipmap->levels[mipmap->n])->freed_by = frees;
        }
        extent.width = halved(extent.width);
        extent.height = halved(extent.height);
        if (!(flags & (cudaArrayLayered | cudaArrayCubemap))) extent.depth = halved(extent.depth);
    }
    if (error) {
        while (mipmap->n) drop(call, mipmap->levels[--mipmap->n]);
        free(mipmap->levels);
        free(mipmap);
        return error;
    }

    mipmap->number = ++n_mipmaps;
    if (!handle_add(HANDLE_MIPMAP, mipmap->number, mipmap))
        host_fatal(HOST_STATUS_CRASH, call->site, "out of memory");
    *made = mipmap;
    return cudaSuccess;
}

Mipmap *mipmap_of(cudaMipmappedArray_const_t handle)
{
    Mipmap *mipmap = handle_find(HANDLE_MIPMAP, handle);
    return mipmap && block_of(mipmap->levels[0]) ? mipmap : NULL;
}

cudaError_t mipmap_free(Call *call, Mipmap *mipmap)
{
    for (unsigned i = 0; i < mipmap->n; i++)
        block_about_to_go(call, block_of(mipmap->levels[i]), true);
    cudaError_t error = call_wait_device(call, mipmap->levels[0]->device, CALL_BY_LUCK);
    while (mipmap->n) drop(call, mipmap->levels[--mipmap->n]);
    handle_close(HANDLE_MIPMAP, mipmap->number, call->site);
    free(mipmap->levels);
    free(mipmap);
    return error;
}
