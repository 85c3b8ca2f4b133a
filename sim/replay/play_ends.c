/* play_ends.c - see play_ends.h. */
#include "sim/replay/play_ends.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "common/exit_status.h"
#include "sim/replay/play_machine.h"

static volatile size_t at;

void play_set_line(size_t line) { at = line; }
size_t play_line(void) { return at; }

#define END_WITH(NAME, STATUS, BEFORE)                      \
    void NAME(const char *format, ...)                      \
    {                                                       \
        char text[1024] = BEFORE;                           \
        size_t n = strlen(text);                            \
        va_list list;                                       \
        va_start(list, format);                             \
        vsnprintf(text + n, sizeof text - n, format, list); \
        va_end(list);                                       \
        player_end(STATUS, text);                           \
    }
END_WITH(play_limit, PLAYER_LIMIT, "over the limit: ")
END_WITH(play_refuse, PLAYER_REFUSED, "")
END_WITH(play_ended, PLAYER_ENDED, "")

void play_damaged(const char *format, ...)
{
    char what[800], text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    snprintf(text, sizeof text, "the log's line %zu is not one that a program writes: %s",
             play_line(), what);
    player_end(PLAYER_DAMAGED, text);
}
