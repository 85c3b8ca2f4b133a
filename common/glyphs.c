#include "common/glyphs.h"

#include <limits.h>
#include <string.h>

typedef struct CodeRange { uint32_t first, last; } CodeRange;

/* Marks that take no column of their own. */
static const CodeRange zero[] = {
    {0x300, 0x36f}, {0x483, 0x489}, {0x591, 0x5bd}, {0x5bf, 0x5bf}, {0x5c1, 0x5c2}, {0x5c4, 0x5c5}, {0x610, 0x61a},
    {0x64b, 0x65f}, {0x670, 0x670}, {0x6d6, 0x6dc}, {0x6df, 0x6e4}, {0x6e7, 0x6e8}, {0x6ea, 0x6ed}, {0x900, 0x902},
    {0x93c, 0x93c}, {0x941, 0x948}, {0x94d, 0x94d}, {0xe31, 0xe31}, {0xe34, 0xe3a}, {0xe47, 0xe4e},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef},
};

/* East Asian wide and full-width characters, and emoji. */
static const CodeRange wide[] = {
    {0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23ec}, {0x23f0, 0x23f0}, {0x23f3, 0x23f3},
    {0x25fd, 0x25fe}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267f, 0x267f}, {0x2693, 0x2693}, {0x26a1, 0x26a1},
    {0x26aa, 0x26ab}, {0x26bd, 0x26be}, {0x26c4, 0x26c5}, {0x26ce, 0x26ce}, {0x26d4, 0x26d4}, {0x26ea, 0x26ea},
    {0x26f2, 0x26f3}, {0x26f5, 0x26f5}, {0x26fa, 0x26fa}, {0x26fd, 0x26fd}, {0x2705, 0x2705}, {0x270a, 0x270b},
    {0x2728, 0x2728}, {0x274c, 0x274c}, {0x274e, 0x274e}, {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797},
    {0x27b0, 0x27b0}, {0x27bf, 0x27bf}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b50}, {0x2b55, 0x2b55}, {0x2e80, 0x303e},
    {0x3041, 0x33ff}, {0x3400, 0x4dbf}, {0x4e00, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3}, {0xf900, 0xfaff},
    {0xfe10, 0xfe19}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x16fe0, 0x18aff}, {0x1b000, 0x1b2ff},
    {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320},
    {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c}, {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3},
    {0x1f3e0, 0x1f3f0}, {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc},
    {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e}, {0x1f550, 0x1f567}, {0x1f57a, 0x1f57a}, {0x1f595, 0x1f596},
    {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2},
    {0x1f6d5, 0x1f6d7}, {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7eb}, {0x1f90c, 0x1f93a},
    {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

/* Characters that act on the terminal or reorder the line instead of showing something. */
static const CodeRange unsafe[] = {
    {0x00, 0x1f}, {0x7f, 0x9f}, {0xad, 0xad}, {0x61c, 0x61c}, {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e},
    {0x2060, 0x206f}, {0xd800, 0xdfff}, {0xe000, 0xf8ff}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xfffe, 0xffff},
    {0xe0000, 0xe00ff}, {0xe01f0, 0x10ffff},
};

static bool among(const CodeRange *ranges, size_t n, uint32_t code)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code > ranges[middle].last) low = middle + 1;
        else high = middle;
    }
    return low < n && code >= ranges[low].first;
}
#define AMONG(ranges, code) among(ranges, sizeof ranges / sizeof *ranges, code)

size_t glyphs_next(const char *text, uint32_t *code, int *columns)
{
    const unsigned char *t = (const unsigned char *)text;
    *columns = 1;
    *code = '?';
    if (t[0] < 0x80) {
        if (t[0] >= 0x20 && t[0] != 0x7f) *code = t[0];
        return 1;
    }
    size_t length = t[0] >= 0xf0 ? 4 : t[0] >= 0xe0 ? 3 : 2;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t value = t[0] & (0xffu >> (length + 1));
    if (t[0] < 0xc2 || t[0] > 0xf4) return 1;
    for (size_t i = 1; i < length; i++) {
        if ((t[i] & 0xc0) != 0x80) return 1;
        value = value << 6 | (t[i] & 0x3f);
    }
    if (value < least[length] || value > 0x10ffff) return 1;
    if (AMONG(unsafe, value)) return length;
    *code = value;
    *columns = AMONG(zero, value) ? 0 : AMONG(wide, value) ? 2 : 1;
    return length;
}

int glyphs_columns(const char *text)
{
    int sum = 0, columns;
    uint32_t code;
    while (*text && sum < INT_MAX - 2) {
        text += glyphs_next(text, &code, &columns);
        sum += columns;
    }
    return sum;
}

int glyphs_fit(const char *text, int columns, bool utf8, char *out, size_t out_size)
{
    const char *mark = utf8 ? "\xe2\x80\xa6" : "~";
    size_t n = 0, cut_n = 0, mark_bytes = strlen(mark);
    int sum = 0, cut_sum = 0;
    /* cut_*: how far the text goes when the mark follows it */
    while (*text) {
        uint32_t code;
        int width;
        size_t bytes = glyphs_next(text, &code, &width);
        bool plain = code < 0x80 || !utf8;
        if (!utf8 && code >= 0x80) {
            code = '?';
            width = width ? 1 : 0;
        }
        size_t need = !plain ? bytes : width ? 1 : 0;
        if (sum + width > columns || n + need >= out_size) break;
        if (plain && need) out[n] = (char)code;
        else memcpy(out + n, text, need);
        n += need;
        sum += width;
        text += bytes;
        if (sum + 1 <= columns && n + mark_bytes < out_size) {
            cut_n = n;
            cut_sum = sum;
        }
    }
    if (*text) {
        n = cut_n;
        sum = cut_sum;
        if (sum + 1 <= columns && n + mark_bytes < out_size) {
            memcpy(out + n, mark, mark_bytes);
            n += mark_bytes;
            sum++;
        }
    }
    if (out_size) out[n] = '\0';
    return sum;
}

char *glyphs_safe(const char *text, char *out, size_t out_size)
{
    glyphs_fit(text, INT_MAX - 8, true, out, out_size);
    return out;
}
