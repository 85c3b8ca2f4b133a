/* The canvas: whatever is drawn on it, its cells are safe, whole and in their places. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/canvas_cells.h"
#include "timeline/pictures/canvas.h"
#include "common/glyphs.h"
#include "tests/unit/cases.h"

static char *text_of(const Canvas *c)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(canvas_write(out, c, false), 0);
    fclose(out);
    return text;
}

static void check_text(const Canvas *c, const char *expected)
{
    char *got = text_of(c);
    ck_assert_str_eq(got, expected);
    free(got);
}

START_TEST(text)
{
    Canvas c;
    ck_assert(canvas_init(&c, 12, 2, true));
    ck_assert_int_eq(canvas_text(&c, 1, 0, 20, CANVAS_BOLD, "abc"), 3);
    ck_assert_int_eq(canvas_text(&c, 0, 1, 6, CANVAS_PLAIN, "abcdefghij"), 6);
    check_text(&c, " abc\nabcde…\n");
    canvas_text(&c, 0, 0, 12, CANVAS_PLAIN, "\033[2J\a\tx\x80y");
    check_cells(&c);
    ck_assert_ptr_null(strchr(canvas_at(&c, 0, 0).text, '\033'));
    canvas_text(&c, -2, 1, 12, CANVAS_PLAIN, "0123456789"); /* cut at the left edge */
    check_text(&c, "?[2J??x?y\n23456789\n");
    canvas_text(&c, 500, 1, 5, CANVAS_PLAIN, "x");
    canvas_put(&c, 3, 99, "x", CANVAS_PLAIN, CANVAS_PLAIN);
    check_cells(&c);
    canvas_release(&c);
}
END_TEST

START_TEST(wide)
{
    Canvas c;
    ck_assert(canvas_init(&c, 6, 1, true));
    canvas_text(&c, 0, 0, 6, CANVAS_PLAIN, "漢字テ");
    check_cells(&c);
    canvas_put(&c, 1, 0, "x", CANVAS_PLAIN, CANVAS_PLAIN); /* over a right half */
    check_text(&c, " x字テ\n");
    canvas_put(&c, 2, 0, "y", CANVAS_PLAIN, CANVAS_PLAIN); /* over a left half */
    check_text(&c, " xy テ\n");
    canvas_put(&c, 5, 0, "漢", CANVAS_PLAIN, CANVAS_PLAIN); /* no room for its right half */
    check_cells(&c);
    canvas_text(&c, 0, 0, 6, CANVAS_PLAIN, "e\u0301\u0301x"); /* marks join their letter */
    ck_assert_str_eq(canvas_at(&c, 0, 0).text, "e\u0301\u0301");
    ck_assert_str_eq(canvas_at(&c, 1, 0).text, "x");
    char zalgo[200] = "z";
    for (int i = 0; i < 60; i++) strcat(zalgo, "\u0301");
    canvas_text(&c, 0, 0, 6, CANVAS_PLAIN, zalgo);
    check_cells(&c);
    canvas_release(&c);
}
END_TEST

START_TEST(ascii)
{
    Canvas c;
    ck_assert(canvas_init(&c, 10, 4, false));
    canvas_frame(&c, (CanvasBox){0, 0, 10, 4}, CANVAS_DIM, "漢é");
    canvas_text(&c, 1, 1, 8, CANVAS_PLAIN, "naïve…");
    canvas_put(&c, 1, 2, "█", CANVAS_H2D, CANVAS_PLAIN);
    check_cells(&c);
    canvas_release(&c);
}
END_TEST

START_TEST(clipping)
{
    Canvas c;
    ck_assert(canvas_init(&c, 8, 3, true));
    canvas_clip(&c, (CanvasBox){2, 1, 3, 1});
    canvas_fill(&c, (CanvasBox){-50, -50, 500, 500}, "#", CANVAS_PLAIN, CANVAS_PLAIN);
    check_text(&c, "\n  ###\n\n");
    canvas_text(&c, 0, 1, 8, CANVAS_PLAIN, "a漢b漢c漢");
    check_cells(&c);
    canvas_clip(&c, (CanvasBox){7, 2, 900, 900});
    canvas_fill(&c, (CanvasBox){0, 0, 8, 3}, "x", CANVAS_PLAIN, CANVAS_PLAIN);
    ck_assert_str_eq(canvas_at(&c, 7, 2).text, "x");
    canvas_unclip(&c);
    ck_assert(canvas_resize(&c, 0, -4));
    ck_assert(c.columns == 1 && c.rows == 1);
    canvas_release(&c);
}
END_TEST

START_TEST(wrapping)
{
    Canvas c;
    ck_assert(canvas_init(&c, 10, 6, true));
    ck_assert_int_eq(canvas_wrap(&c, (CanvasBox){0, 0, 10, 6}, 0, 2, CANVAS_PLAIN,
                                 "one two three averyveryverylongword x"),
                     5);
    check_text(&c, "one two\n  three\n  averyver\n  yverylon\n  gword x\n\n");
    canvas_clear(&c);
    ck_assert_int_eq(canvas_wrap(&c, (CanvasBox){0, 0, 10, 2}, 1, 2, CANVAS_PLAIN,
                                 "one two three four"),
                     3);
    check_text(&c, "  three\n  four\n\n\n\n\n");
    for (int columns = -1; columns < 12; columns++) {
        canvas_wrap(&c, (CanvasBox){0, 0, columns, 6}, 0, 3, CANVAS_PLAIN,
                    "漢字 漢字漢字漢字 abc\n\ndef  ");
        check_cells(&c);
    }
    canvas_release(&c);
}
END_TEST

/* Anything, anywhere. */
START_TEST(anything)
{
    Canvas c;
    ck_assert(canvas_init(&c, 23, 9, true));
    uint32_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        seed = seed * 1664525 + 1013904223;
        char bytes[24];
        uint32_t mix = seed;
        for (size_t i = 0; i < sizeof bytes - 1; i++) {
            mix = mix * 1664525 + 1013904223;
            bytes[i] = (char)(mix >> 24);
            if (i % 5 == 0 && mix % 3 == 0 && i + 4 < sizeof bytes)
                memcpy(bytes + i, "漢", 3), i += 2;
        }
        bytes[sizeof bytes - 1] = '\0';
        int x = (int)(seed >> 8) % 30 - 4, y = (int)(seed >> 16) % 12 - 1;
        if (round % 3 == 0)
            canvas_clip(&c, (CanvasBox){(int)(mix % 20), (int)(mix >> 8) % 7, (int)(mix >> 12) % 25,
                                        4});
        else canvas_unclip(&c);
        if (round % 2) canvas_text(&c, x, y, (int)(mix % 30), CANVAS_PLAIN, bytes);
        else canvas_put(&c, x, y, bytes, CANVAS_H2D, CANVAS_PLAIN);
        if (round % 100 == 0) check_cells(&c);
    }
    check_cells(&c);
    canvas_release(&c);
}
END_TEST

CASES("canvas")
