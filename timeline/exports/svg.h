/* svg.h - the lanes of a schedule as a self-contained SVG picture. */
#ifndef THREELANE_SVG_H
#define THREELANE_SVG_H
#include <stdio.h>
#include "timeline/trace/trace.h"

typedef struct SvgOptions {
    uint32_t range;    /* only operations issued inside this NVTX range; 0: all */
    int width;         /* pixels, 200..10000; 0: 960 */
    bool by_stream;    /* rows are streams, else engines */
    const char *title; /* above the lanes; NULL: none */
} SvgOptions;

/* Rows, labels in the spans, a ruler in the trace's unit and a legend, on a panel of its own, so
 * that it can be read on light and dark pages. Pointing at a span tells its times and why it
 * waited. What is narrower than a pixel is drawn together. 0, or -1 when the stream reports an
 * error or memory is short. */
int svg_write(FILE *, const Trace *, const SvgOptions *);
#endif
