/* utf8.c - see utf8.h. */
#include "common/utf8.h"
#include <string.h>

size_t utf8_next(const char *text, size_t left, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *t = (const unsigned char *)text;
    *code = t[0];
    if (t[0] < 0x80) return 1;

    *code = UTF8_NONE;
    if (t[0] < 0xc2 || t[0] > 0xf4) return 1;
    size_t length = t[0] >= 0xf0 ? 4 : t[0] >= 0xe0 ? 3 : 2;
    if (length > left) return 1;
    uint32_t value = t[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((t[i] & 0xc0) != 0x80) return 1;
        value = value << 6 | (t[i] & 0x3f);
    }
    if (value < least[length] || value > 0x10ffff) return 1;
    *code = value;
    return length;
}

typedef struct CodeRange {
    uint32_t first, last;
} CodeRange;

/* ranges: in order; the last one ends with UTF8_NONE */
static bool among(const CodeRange *ranges, uint32_t code)
{
    while (code > ranges->last) ranges++;
    return code >= ranges->first;
}

bool utf8_harmless(uint32_t code)
{
    static const CodeRange not_harmless[] = {
        {0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},
        {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069},
        {0xd800, 0xdfff}, {0xfdd0, 0xfdef}, {0x110000, UTF8_NONE},
    };
    return !among(not_harmless, code) && (code & 0xfffe) != 0xfffe; /* no character, in no plane */
}

bool utf8_shown(uint32_t code)
{
    static const CodeRange not_shown[] = {
        {0x00, 0x1f},       {0x7f, 0x9f},         {0xad, 0xad},     {0x61c, 0x61c},
        {0x180e, 0x180e},   {0x200b, 0x200f},     {0x2028, 0x202e}, {0x2060, 0x206f},
        {0xd800, 0xf8ff},   {0xfdd0, 0xfdef},     {0xfeff, 0xfeff}, {0xfff0, 0xfffb},
        {0xe0000, 0xe00ff}, {0xe01f0, UTF8_NONE},
    };
    if (code >= 0x20 && code < 0x7f) return true;
    return !among(not_shown, code) && (code & 0xfffe) != 0xfffe;
}

char *utf8_safe(const char *text, char *out, size_t out_size)
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    const size_t mark = sizeof ellipsis - 1;
    size_t n = 0, cut = 0; /* cut: how far the text goes when the mark follows it */
    while (*text) {
        uint32_t code;
        size_t bytes = utf8_next(text, strnlen(text, 4), &code),
               need = utf8_shown(code) ? bytes : 1;
        if (n + need >= out_size) break;
        memcpy(out + n, utf8_shown(code) ? text : "?", need);
        n += need;
        text += bytes;
        if (n + mark < out_size) cut = n;
    }
    if (*text) {
        n = cut;
        if (n + mark < out_size) {
            memcpy(out + n, ellipsis, mark);
            n += mark;
        }
    }
    if (out_size) out[n] = '\0';
    return out;
}
