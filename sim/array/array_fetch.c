/* array_fetch.c - what kernels read through textures, and read and write through surfaces.
 *
 * As the CUDA C++ Programming Guide has it (appendix Texture Fetching): a coordinate is a number of
 * texels, or of whole textures if it is normalized; a linear filter mixes the texels around it with
 * weights of eight fractional bits; the address mode says which texel is meant by one outside.
 * Every texel that is read is an access of the running thread, by the line that asked for it.
 */
#include "sim/array/array.h"
#include "sim/exec/exec.h"
#include "sim/include/threelane/lookup.h"
#include <math.h>
#include <string.h>

enum { LAUNCH_FAILURE = 719, ILLEGAL_ADDRESS = 700, MISALIGNED = 716, WEIGHT = 256, WORDS = 4 };

/* The channels of a texel, as words: the bits of floats, or integers. While they are mixed: as
 * floats. */
typedef struct Texel {
    uint32_t word[WORDS];
} Texel;

static float as_float(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}
static uint32_t as_word(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* ---- one texel ---- */

static float half(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float value = exponent == 31 ? (fraction ? NAN : INFINITY)
                  : exponent     ? ldexpf((float)(fraction + 1024), exponent - 25)
                                 : ldexpf((float)fraction, -24);
    return bits & 0x8000 ? -value : value;
}

static float linear_from_srgb(float c)
{
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

static bool is_signed(const Texture *t)
{
    return t->desc.f == cudaChannelFormatKindSigned ||
           (t->desc.f >= cudaChannelFormatKindSignedNormalized8X1 &&
            t->desc.f <= cudaChannelFormatKindSignedNormalized16X4);
}

static uint32_t channel(const Texture *t, const char *at, int n)
{
    int bits = t->desc.x;
    uint32_t raw = 0;
    memcpy(&raw, at + (size_t)n * (size_t)bits / 8, (size_t)bits / 8);
    if (t->desc.f == cudaChannelFormatKindFloat)
        return bits == 16 ? as_word(half((uint16_t)raw)) : raw;
    int32_t value = bits == 8 ? (int8_t)raw : bits == 16 ? (int16_t)raw : (int32_t)raw;
    if (!t->floats) return is_signed(t) ? (uint32_t)value : raw;
    if (is_signed(t)) {
        float unit = (float)value / (bits == 8 ? 127.0f : 32767.0f);
        return as_word(unit < -1 ? -1 : unit);
    }
    float unit = (float)raw / (bits == 8 ? 255.0f : 65535.0f);
    return as_word(t->how.sRGB && bits == 8 && n < 3 ? linear_from_srgb(unit) : unit);
}

static Texel border(const Texture *t)
{
    Texel texel;
    for (int i = 0; i < WORDS; i++) texel.word[i] = as_word(t->how.borderColor[i]);
    return texel;
}

/* Where a texel is that is asked for at i, of n; -1: outside, where the border is. */
static int placed(const Texture *t, int direction, long i, int n)
{
    enum cudaTextureAddressMode mode = t->how.addressMode[direction];
    if (i >= 0 && i < n) return (int)i;
    if (mode == cudaAddressModeBorder) return -1;
    if (mode == cudaAddressModeClamp || !t->how.normalizedCoords) return i < 0 ? 0 : n - 1;
    if (mode == cudaAddressModeWrap) return (int)(i % n < 0 ? i % n + n : i % n);
    long twice = 2 * (long)n, m = i % twice < 0 ? i % twice + twice : i % twice;
    return (int)(m < n ? m : twice - 1 - m);
}

/* layer: of the image's slices, which one; else z is a direction like x and y. */
static Texel read_texel(const Texture *t, const Image *image, long x, long y, long z,
                        const void *pc)
{
    int at[3] = {placed(t, 0, x, image->width), placed(t, 1, y, image->height),
                 placed(t, 2, z, image->depth)};
    if (at[0] < 0 || at[1] < 0 || at[2] < 0) return border(t);
    uintptr_t address = image->address + (size_t)at[2] * image->slice +
                        (size_t)at[1] * image->pitch + (size_t)at[0] * t->element;
    exec_access(address, t->element, false, pc);
    Texel texel = {{0}}; /* channels that are not there: 0, as on a card */
    for (int i = 0; i < t->channels; i++) texel.word[i] = channel(t, (const char *)address, i);
    return texel;
}

/* ---- filters ---- */

/* A coordinate in texels: the one below, and how much of the one above, in 256ths. */
typedef struct Spot {
    long first;
    int weight;
} Spot;

static double bounded(double x) { return x > 1e9 ? 1e9 : x > -1e9 ? x : -1e9; }

static double in_texels(const Texture *t, float x, int n)
{
    return bounded(t->how.normalizedCoords ? (double)(x * (float)n) : x);
}

static Spot nearest(double x) { return (Spot){(long)floor(x), 0}; }

static Spot between(double x)
{
    long fixed = (long)floor((x - 0.5) * WEIGHT + 0.5);
    long first = fixed >= 0 ? fixed / WEIGHT : -((-fixed + WEIGHT - 1) / WEIGHT);
    return (Spot){first, (int)(fixed - first * WEIGHT)};
}

/* A weight, shared out by another one. */
static int part_of(int weight, int of) { return (weight * of + WEIGHT / 2) / WEIGHT; }

/* What each corner of a filter's cell counts, in 256ths: the products of the directions' weights,
 * rounded so that they make 256 together. Like that, to the bit, they are on an H200: x and y, and,
 * by one measured cell, x and z before y. */
static void share_out(const Spot at[3], int share[8])
{
    int other = at[2].weight ? 2 : 1; /* the direction that is shared out with x */
    int a = at[0].weight, b = at[other].weight, both = part_of(a, b);
    int cell[4] = {WEIGHT - a - b + both, a - both, b - both, both};
    int last = other == 2 ? 1 : 2;
    for (int i = 0; i < 4; i++) {
        int corner = (i & 1) | (i >> 1) << other, upper = part_of(cell[i], at[last].weight);
        share[corner] = cell[i] - upper;
        share[corner | 1 << last] = upper;
    }
}

/* The corners of a filter's cell that have a weight, each with its share. */
static Texel mix(const Texture *t, const Image *image, const Spot at[3], const void *pc)
{
    float sum[WORDS] = {0};
    int share[8];
    share_out(at, share);
    for (int corner = 0; corner < 8; corner++) {
        if (!share[corner]) continue;
        Texel texel = read_texel(t, image, at[0].first + (corner & 1),
                                 at[1].first + (corner >> 1 & 1), at[2].first + (corner >> 2), pc);
        for (int i = 0; i < WORDS; i++)
            sum[i] += (float)share[corner] / WEIGHT * as_float(texel.word[i]);
    }
    bool bytes = t->desc.x == 8 && !is_signed(t); /* mixed with 16 bits (as on an H200) */
    Texel texel;
    for (int i = 0; i < WORDS; i++)
        texel.word[i] = as_word(bytes ? rintf(sum[i] * 65535) / 65535 : sum[i]);
    return texel;
}

/* The directions of a lookup, and the slice of those that do not go on from one to the next. */
typedef struct Aim {
    int directions; /* 1, 2, 3 */
    float x, y, z;
    long slice;
} Aim;

static Texel sample(const Texture *t, const Image *image, const Aim *aim, const void *pc)
{
    bool linear = t->how.filterMode == cudaFilterModeLinear && t->floats;
    const float given[] = {aim->x, aim->y, aim->z};
    const int n[] = {image->width, image->height, image->depth};
    Spot at[3] = {{0, 0}, {0, 0}, {aim->slice, 0}};
    for (int i = 0; i < aim->directions; i++) {
        double x = in_texels(t, given[i], n[i]);
        at[i] = linear ? between(x) : nearest(x);
    }
    return linear ? mix(t, image, at, pc)
                  : read_texel(t, image, at[0].first, at[1].first, at[2].first, pc);
}

/* ---- cubes: a direction is a face and a place on it (the guide's table) ---- */

static int face_of(float *x, float *y, float *z)
{
    float ax = fabsf(*x), ay = fabsf(*y), az = fabsf(*z), m, s, v;
    int face;
    if (ax >= ay && ax >= az) {
        face = *x < 0;
        m = ax, s = face ? *z : -*z, v = -*y;
    } else if (ay >= az) {
        face = 2 + (*y < 0);
        m = ay, s = *x, v = face == 2 ? *z : -*z;
    } else {
        face = 4 + (*z < 0);
        m = az, s = face == 4 ? *x : -*x, v = -*y;
    }
    *x = m > 0 ? (s / m + 1) / 2 : 0.5f;
    *y = m > 0 ? (v / m + 1) / 2 : 0.5f;
    return face;
}

/* ---- levels of detail ---- */

static float length_of(const float step[3], const Image *image, bool normalized)
{
    float x = step[0], y = step[1], z = step[2];
    if (normalized) x *= (float)image->width, y *= (float)image->height, z *= (float)image->depth;
    return sqrtf(x * x + y * y + z * z);
}

static float level_of(const Texture *t, const ThreelaneLookup *how)
{
    float level = how->by == THREELANE_BY_LEVEL ? how->level : 0;
    if (how->by == THREELANE_BY_STEPS) {
        float across = length_of(how->across, &t->image[0], t->how.normalizedCoords),
              down = length_of(how->down, &t->image[0], t->how.normalizedCoords),
              longest = across > down ? across : down;
        level = longest > 0 ? log2f(longest) : 0;
    }
    level += t->how.mipmapLevelBias;
    if (t->how.maxMipmapLevelClamp > t->how.minMipmapLevelClamp || t->how.maxMipmapLevelClamp > 0) {
        if (level > t->how.maxMipmapLevelClamp) level = t->how.maxMipmapLevelClamp;
        if (level < t->how.minMipmapLevelClamp) level = t->how.minMipmapLevelClamp;
    }
    return level > 0 ? level : 0;
}

static Texel sample_levels(const Texture *t, const ThreelaneLookup *how, const Aim *aim)
{
    if (t->levels < 2) return sample(t, &t->image[0], aim, how->caller);
    float level = level_of(t, how), last = (float)(t->levels - 1);
    if (level > last) level = last;
    if (t->how.mipmapFilterMode == cudaFilterModePoint)
        return sample(t, &t->image[(int)(level + 0.5f)], aim, how->caller);
    int first = (int)level;
    float part = floorf((level - (float)first) * WEIGHT) / WEIGHT;
    Texel a = sample(t, &t->image[first], aim, how->caller);
    if (part == 0) return a;
    Texel b = sample(t, &t->image[first + 1], aim, how->caller);
    for (int i = 0; i < WORDS; i++)
        a.word[i] = as_word((1 - part) * as_float(a.word[i]) + part * as_float(b.word[i]));
    return a;
}

/* ---- lookups ---- */

static Texel fetch(const Texture *t, const ThreelaneLookup *how)
{
    const Image *image = &t->image[0];
    if (how->index < 0 || how->index >= image->width) return (Texel){{0}};
    return read_texel(t, image, how->index, 0, 0, how->caller);
}

/* From the lower left, against the clock. */
static Texel gather(const Texture *t, const ThreelaneLookup *how)
{
    static const int corners[WORDS][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const Image *image = &t->image[0];
    Spot x = between(in_texels(t, how->x, image->width)),
         y = between(in_texels(t, how->y, image->height));
    Texel all;
    for (int i = 0; i < WORDS; i++)
        all.word[i] =
            read_texel(t, image, x.first + corners[i][0], y.first + corners[i][1], 0, how->caller)
                .word[how->index & 3];
    return all;
}

static long clamped(long n, long most) { return n < 0 ? 0 : n > most ? most : n; }

void threelane_texture(unsigned long long object, const ThreelaneLookup *how,
                       uint32_t texel[WORDS]);
void threelane_texture(unsigned long long object, const ThreelaneLookup *how, uint32_t texel[WORDS])
{
    const Texture *t = texture_of(object);
    if (!exec_in_kernel())
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0}, "only kernels can read textures");
    if (!t)
        exec_end_kernel(LAUNCH_FAILURE, how->caller,
                        "a texture is read through an object that was never created, or was "
                        "destroyed before the kernel "
                        "ran");
    int shape = how->shape & THREELANE_SHAPES;
    Aim aim = {shape, how->x, how->y, how->z, 0};
    bool layered = how->shape & THREELANE_LAYERED;
    Texel result;
    if (shape == THREELANE_CUBE) {
        int face = face_of(&aim.x, &aim.y, &aim.z);
        Texture flat = *t;
        flat.how.normalizedCoords = 1;
        flat.how.addressMode[0] = flat.how.addressMode[1] = cudaAddressModeClamp;
        aim.directions = 2;
        aim.slice = face + (layered ? 6 * clamped(how->layer, t->image[0].depth / 6 - 1) : 0);
        result = sample_levels(&flat, how, &aim);
    } else if (shape == THREELANE_FETCH) {
        result = fetch(t, how);
    } else if (shape == THREELANE_GATHER) {
        result = gather(t, how);
    } else {
        if (layered) aim.slice = clamped(how->layer, t->image[0].depth - 1);
        /* a line is a plane of one row, looked up at its edge: with a border on both sides of it, a
         * filter mixes half of that in (as on an H200) */
        if (shape == THREELANE_1D && t->how.addressMode[1] == cudaAddressModeBorder) {
            aim.directions = 2;
            aim.y = 0;
        }
        result = sample_levels(t, how, &aim);
    }
    memcpy(texel, result.word, sizeof result.word);
}

/* ---- surfaces ---- */

static bool inside(const Surface *s, const ThreelaneSpot *at, long row)
{
    return at->x >= 0 && (long)at->x + (long)at->bytes <= row && at->y >= 0 &&
           at->y < s->image.height && at->z >= 0 && at->z < s->image.depth;
}

void threelane_surface(unsigned long long object, const ThreelaneSpot *at, void *value);
void threelane_surface(unsigned long long object, const ThreelaneSpot *at, void *value)
{
    const Surface *s = surface_of(object);
    if (!exec_in_kernel())
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0}, "only kernels can use surfaces");
    if (!s)
        exec_end_kernel(LAUNCH_FAILURE, at->caller,
                        "a surface is used through an object that was never created, or was "
                        "destroyed before the kernel "
                        "ran");
    long row = (long)s->image.width * (long)s->element, x = at->x, y = at->y, z = at->z;
    if (!inside(s, at, row)) {
        if (at->boundary == cudaBoundaryModeZero) {
            if (!at->write) memset(value, 0, at->bytes);
            return;
        }
        if (at->boundary != cudaBoundaryModeClamp)
            exec_end_kernel(
                ILLEGAL_ADDRESS, at->caller,
                at->write ? "a surface is written outside (cudaBoundaryModeTrap; x counts bytes)"
                          : "a surface is read outside (cudaBoundaryModeTrap; x counts bytes)");
        x = clamped(x, row - (long)at->bytes);
        y = clamped(y, s->image.height - 1);
        z = clamped(z, s->image.depth - 1);
    }
    if (x % (long)at->bytes)
        exec_end_kernel(MISALIGNED, at->caller,
                        "a surface is used at an x that is not a multiple of the element's size (x "
                        "counts bytes)");
    uintptr_t address =
        s->image.address + (size_t)z * s->image.slice + (size_t)y * s->image.pitch + (size_t)x;
    exec_access(address, at->bytes, at->write, at->caller);
    if (at->write) memcpy((void *)address, value, at->bytes);
    else memcpy(value, (const void *)address, at->bytes);
}
