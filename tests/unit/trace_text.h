/* trace_text.h - small traces for tests of timeline/, as text: blanks stand for tabs, '~' for a
 * blank. */
#ifndef TESTS_UNIT_TRACE_TEXT_H
#define TESTS_UNIT_TRACE_TEXT_H
#include "tests/unit/cases.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/trace/trace.h"

/* Engines 1 H2D, 2 compute, 3 D2H, 4 driver thread; streams 1 legacy, 2 and 3 nonblocking, 4
 * blocking; exact units. */
#define TRACE_HEAD                                                                                 \
    "threelane 1\nmeta unit_ns 1000000\nmeta unit_name unit\nmeta exact 1\ndevice 1 GPU\n"         \
    "engine 1 1 h2d H2D\nengine 2 1 compute compute\nengine 3 1 d2h D2H\nengine 4 0 host driver\n" \
    "thread 1 main -\nstream 1 1 legacy 0 0 - -\nstream 2 1 nonblocking 0 0 - -\nstream 3 1 "      \
    "nonblocking 0 0 - -\n"                                                                        \
    "stream 4 1 blocking 0 0 - -\n"

/* Records of an operation that nothing else is known of: kind, stream, name; when and where it
 * ran. */
#define OP(id, kind, stream, name) "op " id " 0 " kind " 1 " stream " 0 1 - - - - 0 0 " name "\n"
#define RUN(id, start, engine, end) "start " id " " start " " engine "\nend " id " " end "\n"

/* check's own assertions are slow (each tells the runner where it is): for loops over every byte or
 * element. */
#define REQUIRE(condition)                                                   \
    do {                                                                     \
        if (!(condition)) ck_abort_msg("line %d: %s", __LINE__, #condition); \
    } while (0)

static inline Trace *trace_of(const char *text)
{
    char error[256] = "", *tabbed = strdup(text);
    ck_assert_ptr_nonnull(tabbed);
    for (char *c = tabbed; *c; c++) *c = *c == ' ' ? '\t' : *c == '~' ? ' ' : *c;
    Trace *t = trace_parse(tabbed, strlen(tabbed), error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    free(tabbed);
    return t;
}
#endif
