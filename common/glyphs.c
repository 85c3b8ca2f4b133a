#include "common/glyphs.h"

#include <limits.h>
#include <string.h>
#include <utf8proc.h>

#include "common/utf8.h"

size_t glyphs_next(const char *text, uint32_t *code, int *columns)
{
    size_t length = utf8_next(text, strnlen(text, 4), code);
    if (!utf8_shown(*code)) *code = '?';
    *columns = *code < 0x80 ? 1 : utf8proc_charwidth((utf8proc_int32_t)*code);
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
