/* array.h - CUDA arrays: memory whose layout a program does not see, and the textures and surfaces
 * that kernels see it through.
 *
 * An array is a block of device memory, row behind row and slice behind slice; copies to it and
 * from it, and what kernels read and write of it, are accesses to those bytes, for the checker as
 * for everybody. What a program holds is a handle (sim/runtime/handle.h). An array whose memory is
 * gone (cudaDeviceReset) is gone, too.
 */
#ifndef THREELANE_ARRAY_H
#define THREELANE_ARRAY_H
#include "sim/include/driver_types.h"
#include "sim/memory/memory.h"
#include "sim/runtime/call.h"

typedef struct Array {
    uint32_t number; /* of its handle */
    uintptr_t address;
    uint32_t alloc; /* of its block, in the trace */
    int device;
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* as asked for: 0 where there is no such direction */
    unsigned flags;
    size_t element, width, height, depth; /* bytes; elements: at least 1. depth: slices, layers,
                                             faces of cubes */
    size_t pitch, slice;                  /* bytes from a row, a slice to the next */
    bool of_mipmap;                       /* a level: it goes with that */
} Array;

/* Several arrays, each half as large as the one before. */
typedef struct Mipmap {
    uint32_t number;
    unsigned n;
    Array **levels; /* n of them, owned */
} Mipmap;

/* The bytes of an element, and how many channels it has; false: there is no such element. */
bool array_element(const struct cudaChannelFormatDesc *, size_t *bytes, int *channels);

/* Makes one on the current device, for a call (which sees the memory made); its handle is there.
 * Everything is checked. */
cudaError_t array_new(Call *, const struct cudaChannelFormatDesc *, struct cudaExtent,
                      unsigned flags, Array **);
cudaError_t mipmap_new(Call *, const struct cudaChannelFormatDesc *, struct cudaExtent,
                       unsigned levels, unsigned flags, Mipmap **);
/* NULL: no array, or one that is gone. */
Array *array_of(cudaArray_const_t);
Mipmap *mipmap_of(cudaMipmappedArray_const_t);
cudaArray_t array_handle(const Array *);
/* Waits for the device, and gives it up. */
cudaError_t array_free(Call *, Array *);
cudaError_t mipmap_free(Call *, Mipmap *);

/* ---- textures and surfaces ---- */

/* Rows of elements, as a texture reads them. */
typedef struct Image {
    uintptr_t address;
    size_t pitch, slice;
    int width, height, depth;
} Image;

enum { TEXTURE_LEVELS = 32 };
typedef struct Texture {
    uint32_t number;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc how;
    struct cudaResourceViewDesc view;
    bool viewed; /* view was given */
    struct cudaChannelFormatDesc desc;
    size_t element;
    int channels, levels;
    bool floats; /* its elements are read as floats */
    Image image[TEXTURE_LEVELS];
} Texture;
typedef struct Surface {
    uint32_t number;
    struct cudaResourceDesc resource;
    size_t element;
    Image image;
} Surface;

cudaError_t texture_new(Call *, const struct cudaResourceDesc *, const struct cudaTextureDesc *,
                        const struct cudaResourceViewDesc *, Texture **);
cudaError_t surface_new(Call *, const struct cudaResourceDesc *, Surface **);
/* NULL: none, or gone. */
Texture *texture_of(cudaTextureObject_t);
Surface *surface_of(cudaSurfaceObject_t);
void texture_free(const Call *, Texture *);
void surface_free(const Call *, Surface *);
#endif
