/* messages.c - see messages.h. gcc, clang, nvcc and the linkers of binutils and LLVM. */
#include "grader/build/messages.h"

#include <errno.h>
#include <string.h>

#include "common/text.h"

char *messages_undefined(const char *messages)
{
    static const struct {
        const char *before, *end;
    } forms[] = {
        {"undefined reference to `", "'\n"}, /* ld: `scale(float*, int)' */
        {"undefined symbol: ", ">\n"},       /* lld */
    };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *at = strstr(messages, forms[i].before);
        if (!at) continue;
        at += strlen(forms[i].before);
        return memory_format("%.*s", (int)strcspn(at, forms[i].end), at);
    }
    return NULL;
}

bool messages_disk_full(const char *messages)
{
    return strstr(messages, strerror(ENOSPC)) || strstr(messages, "No space left on device");
}

bool messages_is_error(const char *line) { return strstr(line, "error:") != NULL; }
