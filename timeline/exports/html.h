/* html.h - the timeline of a run as one HTML page that needs no network and no other file: lanes by
 * engine or stream that zoom, a span's facts and why it waited, event arrows, hazards, the critical
 * path, and the same schedule as text for whoever has no use for a picture.
 *
 * The page is data and the three files of timeline/html/, which are built in. Its size is about 30
 * bytes a span (more up to 50,000 operations, where every reason is a sentence); what it draws at a
 * time is bounded by the screen. */
#ifndef THREELANE_HTML_H
#define THREELANE_HTML_H
#include <stdio.h>
#include "timeline/exports/html_more.h"
#include "timeline/trace/trace.h"

typedef struct HtmlOptions {
    uint32_t range;    /* only operations issued inside this NVTX range; 0: all */
    bool by_stream;    /* lanes are streams at first, else engines; a button changes that */
    const char *title; /* NULL: the program's name */
    bool figure; /* a part of a page of text, which says what it is and has it as text, too: without
                    title, facts, search and text */
    uint64_t least_ns;         /* the picture is at least so long: two are drawn to one scale */
    const HtmlAnswer *answers; /* of html_write: to questions about the run */
    size_t n_answers;
} HtmlOptions;

/* A whole page. 0, or -1 when the stream reports an error or memory is short. */
int html_write(FILE *, const Trace *, const HtmlOptions *);

/* What several timelines in one page share, to be written once, in this order: html_write_style
 * anywhere before the first timeline, html_write_part for each (a <section>), html_write_script
 * after the last. */
int html_write_style(FILE *);
int html_write_part(FILE *, const Trace *, const HtmlOptions *);
int html_write_script(FILE *);

/* The same two for who keeps them as files beside several pages. */
int html_write_css(FILE *);
int html_write_js(FILE *);
#endif
