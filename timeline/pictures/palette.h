/* palette.h - the one table of colours: what a kind of span looks like in every picture.
 *
 * Terminal, report, SVG, page and what other tools show take their colours from here, so that an
 * operation looks the same everywhere. The colours are those of the 256-colour terminal, also where
 * any colour could be had. tests/unit/timeline/test_palette.c measures them and must keep passing:
 *
 *   kinds      differ by CIELAB 20 or more, also for eyes without red, green or blue (Machado's
 *              matrices, full severity)
 *   contrast   3 : 1 or more against white, black and the page's dark paper, so that one table
 *              serves light and dark; what is written on a colour has 4.5 : 1 (WCAG AA)
 *   greys      what the host does: ranges and calls. They stand in rows of their own
 *
 * No meaning rests on colour alone: every span has a letter, a label or a row that says the same.
 */
#ifndef THREELANE_PALETTE_H
#define THREELANE_PALETTE_H
#include <stdint.h>
#include <stdio.h>
#include "timeline/pictures/layout.h"
#include "timeline/trace/trace.h"

typedef enum PaletteKind {
    PALETTE_H2D,
    PALETTE_KERNEL,
    PALETTE_D2H,
    PALETTE_MEMSET,
    PALETTE_COPY,
    PALETTE_HOSTFN, /* up to here: kinds of work */
    PALETTE_RANGE,
    PALETTE_CALL,
    PALETTE_GRAPH,
    PALETTE_KINDS
} PaletteKind;

typedef struct PaletteColour {
    const char *id;     /* "h2d": names of CSS variables and classes */
    const char *words;  /* of a legend */
    const char *brief;  /* of a legend with little room */
    const char *letter; /* where a span has room for one character */
    uint32_t rgb, ink;  /* 0xrrggbb; ink: what is written on it */
    uint8_t of_256, ink_256;
    uint8_t of_8, ink_8;  /* where a terminal has 8 or 16 colours */
    const char *perfetto; /* the nearest of the reserved names of trace events */
} PaletteColour;

extern const PaletteColour palette[PALETTE_KINDS];

PaletteKind palette_of_op(const TraceOp *);
PaletteKind palette_of_item(const Trace *, const LayoutItem *);

/* "--h2d:#5f87ff;--h2d-ink:#000000;..." for a rule of CSS. */
void palette_write_css(FILE *);
#endif
