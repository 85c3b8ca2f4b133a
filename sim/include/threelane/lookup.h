/* threelane/lookup.h - what device code tells the library of a texel or of a surface's element that it wants. */
#ifndef THREELANE_LOOKUP_H
#define THREELANE_LOOKUP_H

enum {
    THREELANE_1D = 1,
    THREELANE_2D = 2,
    THREELANE_3D = 3,
    THREELANE_CUBE = 4,
    THREELANE_FETCH = 5,  /* by its number, in linear memory */
    THREELANE_GATHER = 6, /* one channel of the four texels that a filter would mix */
    THREELANE_SHAPES = 7, /* mask */
    THREELANE_LAYERED = 8
};
enum { THREELANE_BY_NOTHING, THREELANE_BY_LEVEL, THREELANE_BY_STEPS }; /* how a mipmap's level is chosen */

typedef struct ThreelaneLookup {
    int shape, layer, index; /* index: the texel of a fetch, the channel of a gather */
    int by, reserved;
    float x, y, z, level;
    float across[3], down[3]; /* from this texel to those beside and below it on a screen */
    const void *caller; /* an address in the call: the line it is on */
} ThreelaneLookup;

typedef struct ThreelaneSpot {
    int shape, x, y, z; /* x in bytes; z: the layer or face of those that have some */
    int boundary;       /* enum cudaSurfaceBoundaryMode */
    int write;
    unsigned bytes;
    const void *caller; /* an address in the call: the line it is on */
} ThreelaneSpot;
#endif
