/* canvas_cells.h - what holds of every canvas, whatever was drawn on it. */
#ifndef TESTS_UNIT_CANVAS_CELLS_H
#define TESTS_UNIT_CANVAS_CELLS_H
#include <string.h>
#include "tests/unit/trace_text.h"
#include "timeline/pictures/canvas.h"
#include "common/glyphs.h"

/* Every cell holds one safe character, and every wide one has its second half. */
static inline void check_cells(const Canvas *c)
{
    for (int y = 0; y < c->rows; y++) {
        for (int x = 0; x < c->columns; x++) {
            CanvasCell cell = canvas_at(c, x, y);
            REQUIRE(memchr(cell.text, '\0', sizeof cell.text));
            uint32_t code;
            int columns = 0;
            if (!cell.text[0]) {
                CanvasCell left = canvas_at(c, x - 1, y);
                REQUIRE(x > 0 && left.text[0]);
                glyphs_next(left.text, &code, &columns);
                REQUIRE(columns == 2);
                continue;
            }
            for (const char *at = cell.text; *at;) {
                int width;
                at += glyphs_next(at, &code, &width);
                REQUIRE(code >= 0x20 && code != 0x7f && !(code >= 0x80 && code < 0xa0));
                if (!c->utf8) REQUIRE(code < 0x80);
                columns += width;
            }
            REQUIRE(columns >= 1);
            if (columns == 2) REQUIRE(x + 1 < c->columns && !canvas_at(c, x + 1, y).text[0]);
        }
    }
}
#endif
