/* vector_types.h - CUDA's small vectors (char1 .. double4) and dim3, for C and C++. */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

/* One vector of each length. Alignment is what device code relies on: two and four elements are loaded at once. */
#define THREELANE_VECTORS(T, NAME, A2, A4)                                                        \
    struct NAME##1 { T x; };                                                                      \
    struct __attribute__((aligned(A2))) NAME##2 { T x, y; };                                      \
    struct NAME##3 { T x, y, z; };                                                                \
    struct __attribute__((aligned(A4))) NAME##4 { T x, y, z, w; };                                \
    typedef struct NAME##1 NAME##1;                                                               \
    typedef struct NAME##2 NAME##2;                                                               \
    typedef struct NAME##3 NAME##3;                                                               \
    typedef struct NAME##4 NAME##4;

THREELANE_VECTORS(signed char, char, 2, 4)
THREELANE_VECTORS(unsigned char, uchar, 2, 4)
THREELANE_VECTORS(short, short, 4, 8)
THREELANE_VECTORS(unsigned short, ushort, 4, 8)
THREELANE_VECTORS(int, int, 8, 16)
THREELANE_VECTORS(unsigned int, uint, 8, 16)
THREELANE_VECTORS(long, long, 16, 16)
THREELANE_VECTORS(unsigned long, ulong, 16, 16)
THREELANE_VECTORS(long long, longlong, 16, 16)
THREELANE_VECTORS(unsigned long long, ulonglong, 16, 16)
THREELANE_VECTORS(float, float, 8, 16)
THREELANE_VECTORS(double, double, 16, 16)
#undef THREELANE_VECTORS

/* The four-element vectors of eight-byte numbers, with their alignment in the name (CUDA 13). */
#define THREELANE_ALIGNED(T, NAME)                                                                \
    struct __attribute__((aligned(16))) NAME##_16a { T x, y, z, w; };                             \
    struct __attribute__((aligned(32))) NAME##_32a { T x, y, z, w; };                             \
    typedef struct NAME##_16a NAME##_16a;                                                         \
    typedef struct NAME##_32a NAME##_32a;

THREELANE_ALIGNED(long, long4)
THREELANE_ALIGNED(unsigned long, ulong4)
THREELANE_ALIGNED(long long, longlong4)
THREELANE_ALIGNED(unsigned long long, ulonglong4)
THREELANE_ALIGNED(double, double4)
#undef THREELANE_ALIGNED

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
#endif
