/* damaged.h - a text damaged in every line, one after the other, for what reads it: the line left
 * out, twice, its words replaced by others that are empty, no number, too large, negative. What the
 * reader says to each is one line of a text that is held (held.h). */
#ifndef TESTS_UNIT_DAMAGED_H
#define TESTS_UNIT_DAMAGED_H
#include "tests/unit/held.h"

/* Adds what the reader says of that text, without the end of the line. */
typedef void DamagedReader(Text *said, const char *text, size_t length);

static inline void damaged_read(Text *said, DamagedReader *reader, const char *what, size_t line,
                                size_t word, Text *damaged)
{
    text_printf(said, "%zu.%zu %s: ", line, word, what);
    reader(said, text_string(damaged), damaged->length);
    text_add(said, "\n");
    text_clear(damaged);
}

static inline void damaged_words(Text *said, DamagedReader *reader, const char *text,
                                 const char *begin, const char *end, size_t line,
                                 const char *blanks)
{
    static const char *const others[] = {"", "x", "-1", "0", "3", "99999999999999999999"};
    Text damaged = {0};
    size_t word = 0;
    for (const char *at = begin; at < end; word++) {
        size_t length = strcspn(at, blanks);
        if (at + length > end) length = (size_t)(end - at);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            text_printf(&damaged, "%.*s%s%s", (int)(at - text), text, others[i], at + length);
            damaged_read(said, reader, *others[i] ? others[i] : "nothing", line, word, &damaged);
        }
        at += length + 1;
    }
    text_release(&damaged);
}

/* blanks: what words of a line are between ("\t\n"). */
static inline void damaged_each(Text *said, const char *path, const char *blanks,
                                DamagedReader *reader)
{
    Text whole = {0}, damaged = {0};
    ck_assert_int_eq(text_read_file(&whole, path, 1 << 24), 0);
    const char *text = text_string(&whole);
    size_t line = 1;
    for (const char *at = text; *at; line++) {
        const char *end = at + strcspn(at, "\n"), *next = *end ? end + 1 : end;
        if (*at != '#' && end > at) {
            text_printf(&damaged, "%.*s%s", (int)(at - text), text, next);
            damaged_read(said, reader, "left out", line, 0, &damaged);
            text_printf(&damaged, "%.*s%s", (int)(next - text), text, at);
            damaged_read(said, reader, "twice", line, 0, &damaged);
            text_printf(&damaged, "%.*s", (int)(at + (end - at) / 2 - text), text);
            damaged_read(said, reader, "the end", line, 0, &damaged);
            damaged_words(said, reader, text, at, end, line, blanks);
        }
        at = next;
    }
    text_release(&damaged);
    text_release(&whole);
}
#endif
