/* held.h - a text that has to be what tests/fixtures/PATH.txt has, to the letter. With WRITE=1 it
 * is written there: read what has changed. */
#ifndef TESTS_UNIT_HELD_H
#define TESTS_UNIT_HELD_H
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "tests/unit/cases.h"

static inline void held(const char *path, Text *is)
{
    char file[300];
    Text wanted = {0};
    snprintf(file, sizeof file, "tests/fixtures/%s.txt", path);
    if (getenv("WRITE")) {
        ck_assert_int_eq(text_write_file(file, is->data, is->length), 0);
        return;
    }
    ck_assert_msg(text_read_file(&wanted, file, 1 << 24) == 0, "%s cannot be read", file);
    const char *want = text_string(&wanted), *got = text_string(is);
    size_t at = 0, line = 0;
    for (; want[at] && want[at] == got[at]; at++)
        if (want[at] == '\n') line = at + 1;
    ck_assert_msg(!want[at] && !got[at], "%s\n wanted: %.*s\n    got: %.*s", file,
                  (int)strcspn(want + line, "\n"), want + line, (int)strcspn(got + line, "\n"),
                  got + line);
    text_release(&wanted);
}
#endif
