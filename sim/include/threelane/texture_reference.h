/* threelane/texture_reference.h - what CUDA 11 had. tlcc includes it where a program names it. */
#ifndef THREELANE_TEXTURE_REFERENCE_H
#define THREELANE_TEXTURE_REFERENCE_H
#include "threelane/texture.h"

template <class T, int type = cudaTextureType1D, int mode = cudaReadModeElementType> struct texture {
    static_assert(type < 0, "texture references are gone since CUDA 12: make a texture object (cudaCreateTextureObject), "
                            "give it to the kernel, and read tex2D<float>(object, x, y)");
};
#endif
