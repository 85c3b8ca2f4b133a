/* threelane/texture.h - textures and surfaces in device code, and channel descriptions of types. tlcc includes it for
 * programs that name one of these; the others do without its cost.
 *
 * A texel is looked up by the library (sim/array/array_fetch.c), which gives its channels as four words: the bits of floats, or
 * integers. The functions that call it are not put in line, so that where they return to is in the program. */
#ifndef THREELANE_TEXTURE_H
#define THREELANE_TEXTURE_H
#include <stdint.h>
#include "cuda_runtime.h"
#include "threelane/lookup.h"

extern "C" {
void threelane_texture(unsigned long long object, const ThreelaneLookup *, uint32_t texel[4]);
void threelane_surface(unsigned long long object, const ThreelaneSpot *, void *value);
}

#define THREELANE_LOOK static __attribute__((noinline, unused, no_sanitize_thread))

namespace tl {

/* ---- types of elements: what their channels are, and how many ---- */

template <class T> struct Element;
#define THREELANE_ELEMENT(T, C, N, KIND)                                                                              \
    template <> struct Element<T> {                                                                                   \
        typedef C channel;                                                                                            \
        enum { n = N };                                                                                               \
        static cudaChannelFormatKind kind() { return cudaChannelFormatKind##KIND; }                                   \
    };
#define THREELANE_ELEMENTS(C, V, KIND)                                                                                \
    THREELANE_ELEMENT(C, C, 1, KIND)                                                                                  \
    THREELANE_ELEMENT(V##1, C, 1, KIND)                                                                               \
    THREELANE_ELEMENT(V##2, C, 2, KIND)                                                                               \
    THREELANE_ELEMENT(V##4, C, 4, KIND)
THREELANE_ELEMENT(signed char, signed char, 1, Signed)
THREELANE_ELEMENTS(char, char, Signed)
THREELANE_ELEMENTS(unsigned char, uchar, Unsigned)
THREELANE_ELEMENTS(short, short, Signed)
THREELANE_ELEMENTS(unsigned short, ushort, Unsigned)
THREELANE_ELEMENTS(int, int, Signed)
THREELANE_ELEMENTS(unsigned int, uint, Unsigned)
THREELANE_ELEMENTS(float, float, Float)
#undef THREELANE_ELEMENT
#undef THREELANE_ELEMENTS

template <class T> THREELANE_LOOK T look(unsigned long long object, ThreelaneLookup how)
{
    uint32_t words[4];
    typename Element<T>::channel channels[Element<T>::n];
    T value;
    how.caller = (const char *)__builtin_return_address(0) - 1;
    threelane_texture(object, &how, words);
    for (int i = 0; i < Element<T>::n; i++) __builtin_memcpy(&channels[i], &words[i], sizeof channels[i]);
    __builtin_memcpy(&value, channels, sizeof value);
    return value;
}

template <class T> THREELANE_LOOK T surface_read(unsigned long long object, ThreelaneSpot at)
{
    T value;
    at.caller = (const char *)__builtin_return_address(0) - 1;
    at.bytes = sizeof value;
    threelane_surface(object, &at, &value);
    return value;
}
template <class T> THREELANE_LOOK void surface_write(unsigned long long object, ThreelaneSpot at, T value)
{
    at.caller = (const char *)__builtin_return_address(0) - 1;
    at.bytes = sizeof value;
    at.write = 1;
    threelane_surface(object, &at, &value);
}

/* The longest step in texels is what a level of detail is chosen by; how long they are, the texture knows. */
inline ThreelaneLookup lookup(int shape, float x, float y = 0, float z = 0, int layer = 0)
{
    ThreelaneLookup how = {shape, layer, 0, 0, 0, x, y, z, 0, {0, 0, 0}, {0, 0, 0}, 0};
    return how;
}
inline ThreelaneLookup at_level(ThreelaneLookup how, float level)
{
    how.by = THREELANE_BY_LEVEL;
    how.level = level;
    return how;
}
inline ThreelaneLookup by_steps(ThreelaneLookup how, float ax, float ay, float az, float bx, float by, float bz)
{
    how.by = THREELANE_BY_STEPS;
    how.across[0] = ax, how.across[1] = ay, how.across[2] = az;
    how.down[0] = bx, how.down[1] = by, how.down[2] = bz;
    return how;
}
inline ThreelaneSpot spot(int shape, int x, int y, int z, cudaSurfaceBoundaryMode mode)
{
    ThreelaneSpot at = {shape, x, y, z, (int)mode, 0, 0, 0};
    return at;
}

}

/* ---- textures. Each function is there twice: it returns the texel, or writes it where it is told. ---- */

#define THREELANE_TEX(NAME, PARAMETERS, HOW)                                                               \
    template <class T> THREELANE_DEVICE T NAME(cudaTextureObject_t object, THREELANE_OPEN PARAMETERS)                 \
    {                                                                                                                 \
        return ::tl::look<T>(object, HOW);                                                                            \
    }                                                                                                                 \
    template <class T> THREELANE_DEVICE void NAME(T *texel, cudaTextureObject_t object, THREELANE_OPEN PARAMETERS)    \
    {                                                                                                                 \
        *texel = ::tl::look<T>(object, HOW);                                                                          \
    }
#define THREELANE_TEX_KINDS(NAME, SHAPE, PLACE, VALUES, STEP, STEPS)                                                  \
    THREELANE_TEX(NAME, (THREELANE_OPEN PLACE), ::tl::lookup(SHAPE, THREELANE_OPEN VALUES))                           \
    THREELANE_TEX(NAME##Lod, (THREELANE_OPEN PLACE, float level),                                                     \
                  ::tl::at_level(::tl::lookup(SHAPE, THREELANE_OPEN VALUES), level))                                  \
    THREELANE_TEX(NAME##Grad, (THREELANE_OPEN PLACE, STEP dx, STEP dy),                                               \
                  ::tl::by_steps(::tl::lookup(SHAPE, THREELANE_OPEN VALUES), THREELANE_OPEN STEPS))
THREELANE_TEX_KINDS(tex1D, THREELANE_1D, (float x), (x), float, (dx, 0, 0, dy, 0, 0))
THREELANE_TEX_KINDS(tex2D, THREELANE_2D, (float x, float y), (x, y), float2, (dx.x, dx.y, 0, dy.x, dy.y, 0))
THREELANE_TEX_KINDS(tex3D, THREELANE_3D, (float x, float y, float z), (x, y, z), float4,
                    (dx.x, dx.y, dx.z, dy.x, dy.y, dy.z))
THREELANE_TEX_KINDS(tex1DLayered, THREELANE_1D | THREELANE_LAYERED, (float x, int layer), (x, 0, 0, layer), float,
                    (dx, 0, 0, dy, 0, 0))
THREELANE_TEX_KINDS(tex2DLayered, THREELANE_2D | THREELANE_LAYERED, (float x, float y, int layer), (x, y, 0, layer),
                    float2, (dx.x, dx.y, 0, dy.x, dy.y, 0))
THREELANE_TEX_KINDS(texCubemap, THREELANE_CUBE, (float x, float y, float z), (x, y, z), float4,
                    (dx.x, dx.y, dx.z, dy.x, dy.y, dy.z))
THREELANE_TEX_KINDS(texCubemapLayered, THREELANE_CUBE | THREELANE_LAYERED, (float x, float y, float z, int layer),
                    (x, y, z, layer), float4, (dx.x, dx.y, dx.z, dy.x, dy.y, dy.z))
#undef THREELANE_TEX_KINDS
#undef THREELANE_TEX

template <class T> THREELANE_DEVICE T tex1Dfetch(cudaTextureObject_t object, int x)
{
    ThreelaneLookup how = ::tl::lookup(THREELANE_FETCH, 0);
    how.index = x;
    return ::tl::look<T>(object, how);
}
template <class T> THREELANE_DEVICE void tex1Dfetch(T *texel, cudaTextureObject_t object, int x)
{
    *texel = tex1Dfetch<T>(object, x);
}
template <class T> THREELANE_DEVICE T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0)
{
    ThreelaneLookup how = ::tl::lookup(THREELANE_GATHER, x, y);
    how.index = channel;
    return ::tl::look<T>(object, how);
}
template <class T> THREELANE_DEVICE void tex2Dgather(T *texel, cudaTextureObject_t object, float x, float y, int channel = 0)
{
    *texel = tex2Dgather<T>(object, x, y, channel);
}

/* ---- surfaces: x counts bytes ---- */

#define THREELANE_SURF(NAME, SHAPE, PLACE, X, Y, Z)                                                                   \
    template <class T>                                                                                                \
    THREELANE_DEVICE T NAME##read(cudaSurfaceObject_t object, THREELANE_OPEN PLACE,                                   \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                \
    {                                                                                                                 \
        return ::tl::surface_read<T>(object, ::tl::spot(SHAPE, X, Y, Z, mode));                                       \
    }                                                                                                                 \
    template <class T>                                                                                                \
    THREELANE_DEVICE void NAME##read(T *value, cudaSurfaceObject_t object, THREELANE_OPEN PLACE,                      \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                             \
    {                                                                                                                 \
        *value = ::tl::surface_read<T>(object, ::tl::spot(SHAPE, X, Y, Z, mode));                                     \
    }                                                                                                                 \
    template <class T>                                                                                                \
    THREELANE_DEVICE void NAME##write(T value, cudaSurfaceObject_t object, THREELANE_OPEN PLACE,                      \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                            \
    {                                                                                                                 \
        ::tl::surface_write<T>(object, ::tl::spot(SHAPE, X, Y, Z, mode), value);                                      \
    }
THREELANE_SURF(surf1D, THREELANE_1D, (int x), x, 0, 0)
THREELANE_SURF(surf2D, THREELANE_2D, (int x, int y), x, y, 0)
THREELANE_SURF(surf3D, THREELANE_3D, (int x, int y, int z), x, y, z)
THREELANE_SURF(surf1DLayered, THREELANE_1D | THREELANE_LAYERED, (int x, int layer), x, 0, layer)
THREELANE_SURF(surf2DLayered, THREELANE_2D | THREELANE_LAYERED, (int x, int y, int layer), x, y, layer)
THREELANE_SURF(surfCubemap, THREELANE_CUBE, (int x, int y, int face), x, y, face)
THREELANE_SURF(surfCubemapLayered, THREELANE_CUBE | THREELANE_LAYERED, (int x, int y, int layerface), x, y, layerface)
#undef THREELANE_SURF

/* ---- channels ---- */

template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    const int bits = 8 * (int)sizeof(typename ::tl::Element<T>::channel), n = ::tl::Element<T>::n;
    return (cudaCreateChannelDesc)(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 2 ? bits : 0, ::tl::Element<T>::kind());
}
/* Of the normalized kinds, 8 and 16 bits of one, two, four channels each. */
template <cudaChannelFormatKind kind> inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    static_assert(kind >= cudaChannelFormatKindUnsignedNormalized8X1 && kind <= cudaChannelFormatKindSignedNormalized16X4,
                  "this kind of channel is not simulated by this virtual GPU");
    const int order = (kind - cudaChannelFormatKindUnsignedNormalized8X1) % 6, bits = order < 3 ? 8 : 16, n = order % 3;
    return (cudaCreateChannelDesc)(bits, n > 0 ? bits : 0, n > 1 ? bits : 0, n > 1 ? bits : 0, kind);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    return (cudaCreateChannelDesc)(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2()
{
    return (cudaCreateChannelDesc)(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4()
{
    return (cudaCreateChannelDesc)(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
#endif
