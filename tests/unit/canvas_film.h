/* canvas_film.h - what a canvas shows in the course of a case, whole: after each drawing the rows
 * that have changed, each followed by a letter for the style of every cell. film_begin(NAME), then
 * film_shows(canvas) each time, then film_end(): tests/fixtures/films/NAME.txt is held against it,
 * or written with WRITE=1: read what has changed. */
#ifndef TESTS_UNIT_CANVAS_FILM_H
#define TESTS_UNIT_CANVAS_FILM_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "tests/unit/held.h"
#include "timeline/pictures/canvas.h"

static Text film;
static const char *film_name;
static char *film_before;
static int film_n;

static inline void film_begin(const char *name) { film_name = name; }

/* The line and the one with its styles, `row` of them from the top; NULL where there is none. */
static inline const char *film_row(const char *text, int row)
{
    for (int line = 0; text && line < 2 * row; line++) {
        text = strchr(text, '\n');
        if (text) text++;
    }
    return text && *text ? text : NULL;
}

static inline size_t film_row_length(const char *row)
{
    const char *second = strchr(row, '\n') + 1;
    return (size_t)(strchr(second, '\n') + 1 - row);
}

static inline void film_shows(const Canvas *canvas)
{
    char *text = NULL;
    size_t length;
    if (!film_name) return;
    FILE *to = open_memstream(&text, &length);
    ck_assert_int_eq(canvas_write(to, canvas, true), 0);
    fclose(to);

    text_printf(&film, "picture %d, %dx%d\n", ++film_n, canvas->columns, canvas->rows);
    for (int row = 0; row < canvas->rows; row++) {
        const char *now = film_row(text, row), *was = film_row(film_before, row);
        if (!now || (was && film_row_length(was) == film_row_length(now) &&
                     !memcmp(was, now, film_row_length(now))))
            continue;
        const char *second = strchr(now, '\n') + 1;
        text_printf(&film, "%2d|%.*s\n  |%.*s\n", row, (int)(second - 1 - now), now,
                    (int)strcspn(second, "\n"), second);
    }
    free(film_before);
    film_before = text;
}

static inline void film_end(void)
{
    if (!film_name) return;
    char path[200];
    snprintf(path, sizeof path, "films/%s", film_name);
    held(path, &film);
    text_release(&film);
    free(film_before);
    film_before = NULL;
}
#endif
