/* traces.h - small traces for tests, written by hand: blanks stand for tabs, '~' for a blank. */
#ifndef TESTS_UNIT_TRACES_H
#define TESTS_UNIT_TRACES_H
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/trace.h"

/* Engines 1 H2D, 2 compute, 3 D2H, 4 driver thread; streams 1 legacy, 2 and 3 nonblocking, 4 blocking; exact units. */
#define TRACES_HEAD                                                                                                \
    "threelane 1\nmeta unit_ns 1000000\nmeta unit_name unit\nmeta exact 1\ndevice 1 GPU\n"                        \
    "engine 1 1 h2d H2D\nengine 2 1 compute compute\nengine 3 1 d2h D2H\nengine 4 0 host driver\n"                \
    "thread 1 main -\nstream 1 1 legacy 0 0 - -\nstream 2 1 nonblocking 0 0 - -\nstream 3 1 nonblocking 0 0 - -\n" \
    "stream 4 1 blocking 0 0 - -\n"

static inline char *traces_text(const char *text)
{
    char *copy = strdup(text);
    ck_assert_ptr_nonnull(copy);
    for (char *c = copy; *c; c++) *c = *c == ' ' ? '\t' : *c == '~' ? ' ' : *c;
    return copy;
}

static inline Trace *traces_parse(const char *text)
{
    char error[256] = "", *tabbed = traces_text(text);
    Trace *t = trace_parse(tabbed, strlen(tabbed), error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    free(tabbed);
    return t;
}

/* The whole of a file; the caller frees. Tests run in the repository's root. */
static inline char *traces_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    char *text = malloc(1 << 20);
    ck_assert_ptr_nonnull(text);
    *length = fread(text, 1, (1 << 20) - 1, file);
    text[*length] = '\0';
    fclose(file);
    return text;
}
#endif
