/* plain_name.c - see plain_name.h. */
#include "gpu/plain_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last part of a symbol: a part is its length and its letters, a name in a namespace has
 * several. */
static size_t of_symbol(const char **name)
{
    const char *at = *name + 2; /* _Z */
    size_t length = strlen(*name);
    bool nested = *at == 'N';
    if (nested)
        for (at++; *at == 'K' || *at == 'V' || *at == 'r'; at++) {}
    if (*at == 'L') at++;
    while (*at >= '0' && *at <= '9') {
        char *end;
        unsigned long n = strtoul(at, &end, 10);
        if (n == 0 || n > strlen(end)) break;
        *name = end;
        length = n;
        at = end + n;
        if (!nested) break;
        if (*at == 'L') at++;
    }
    return length;
}

/* The same where a tool has made words of the symbol. */
static size_t of_words(const char **name)
{
    size_t length = strcspn(*name, "<(");
    for (const char *colons; (colons = memmem(*name, length, "::", 2));) {
        length -= (size_t)(colons + 2 - *name);
        *name = colons + 2;
    }
    return length;
}

const char *plain_name(const char *function, char *text, size_t text_size)
{
    const char *name = function;
    size_t length = strncmp(name, "_Z", 2) ? of_words(&name) : of_symbol(&name);
    if (text_size) snprintf(text, text_size, "%.*s", (int)(length < 1000 ? length : 1000), name);
    return text;
}
