/* markup.c - see markup.h. */
#include "common/markup.h"
#include <string.h>
#include "common/utf8.h"

void markup_write(FILE *out, const char *text)
{
    while (*text) {
        uint32_t code;
        size_t bytes = utf8_next(text, strnlen(text, 4), &code);
        switch (code) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\'': fputs("&#39;", out); break;
        case '\n':
        case '\t': fputc((int)code, out); break;
        default:
            if (utf8_harmless(code)) fwrite(text, 1, bytes, out);
            else fputc('?', out);
        }
        text += bytes;
    }
}
