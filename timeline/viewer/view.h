/* view.h - the live timeline: what is shown of a trace, what keys do to it, and how it is drawn on
 * a canvas.
 *
 * A View knows no terminal, no file and no clock: keys, time and source lines come from outside. It
 * is used by `threelane view`, which gives it the whole screen, and by `threelane watch`, which
 * gives it a part.
 *
 *     view_key / view_tick / view_update  change the state; they say whether it must be drawn again
 *     view_draw                           draws it into a box; the cost is bounded by the box, not
 *                                         by the trace
 */
#ifndef THREELANE_VIEW_H
#define THREELANE_VIEW_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "timeline/pictures/canvas.h"
#include "timeline/viewer/screen.h"
#include "timeline/trace/ideas.h"
#include "timeline/trace/trace.h"

typedef struct View View;

typedef enum ViewAnswer {
    VIEW_NOTHING, /* the key means nothing here: the caller may use it */
    VIEW_DRAW,    /* something changed */
    VIEW_QUIT,
    VIEW_COMMAND /* a command was typed (after ':'): view_command has it; the caller does it */
} ViewAnswer;

enum {
    VIEW_COLUMNS = 40,
    VIEW_ROWS = 8
}; /* the least box in which anything but a request for room is drawn */

/* The trace stays the caller's and must outlive the view (or view_set_trace). title: what the
 * picture is of, shown above. NULL when out of memory. */
View *view_new(const Trace *, const char *title);
void view_free(View *);

/* Another run takes the old one's place: rows, filter, detail and range stay; the window stays when
 * it still holds something. False when out of memory: the view then still shows the old trace. */
bool view_set_trace(View *, const Trace *, const char *title);
void view_set_title(View *, const char *title);
/* After trace_read_more on the same trace. True when the picture changes. */
bool view_update(View *);

/* Compare: another run below this one, NULL ends it. It stays the caller's. False when out of
 * memory. */
bool view_compare(View *, const Trace *, const char *title);

/* Only what was issued inside this range at first (0: everything). */
void view_show_range(View *, uint32_t range);

/* Selects an operation and brings it in sight, as a jump to it does. False when no row shows it. */
bool view_stand_on(View *, uint32_t op);

/* What is shown: the range (0: everything), and whether rows are streams. */
uint32_t view_range(const View *);
const char *view_title(const View *);
bool view_by_stream(const View *);

/* Where source lines come from while playing and for the selected span: the text of a line, or
 * NULL. */
typedef const char *ViewSource(void *context, const char *file, uint32_t line);
void view_set_source(View *, ViewSource *, void *context);

/* What if (view_whatif.c): W opens a menu of questions about what is selected; what is chosen is
 * the command `whatif CHANGE`, or `whatif off`, like one that was typed. ideas: more questions,
 * about the whole run, which only the caller knows (other devices ...); they are copied. */
void view_set_ideas(View *, const Idea *ideas, uint32_t n);
/* The operation that is selected in the upper trace; 0: none. */
uint32_t view_selected(const View *);
/* The trace is the answer to a question, and compared with is what ran; or it is not so any more.
 */
void view_set_answered(View *, bool answered);

/* Keys that do not belong to the view in a part of a screen: those in `taken` (as characters) are
 * left to the caller. */
void view_leave_keys(View *, const char *taken);

ViewAnswer view_key(View *, ScreenKey);
/* What was typed after ':' last; "" when the view has done it itself. */
const char *view_command(const View *);
/* One line for the bottom of the view: what came of a command. care: it went wrong. */
void view_say(View *, bool care, const char *text);

/* True while the picture moves by itself (playing, or work left over): call view_tick about every
 * 30 ms. now_ms: any clock that does not go back. view_tick says whether the picture has
 * changed. */
bool view_moving(const View *);
bool view_tick(View *, uint64_t now_ms);

/* The line that says how much runs at once in the window, once nothing moves. Returns text. */
const char *view_busy(View *, char *text, size_t size);

/* Draws into the box of the canvas. Keeps where things are for the mouse. */
void view_draw(View *, Canvas *, CanvasBox);

/* For a key that was VIEW_NOTHING and means nothing to the caller either: says so. */
void view_say_unknown(View *, ScreenKey);

/* All keys, what the mouse does and what the signs mean, for `threelane help` and the like: a line
 * each ("Left h a      the cursor to the left"); a heading ends in ':'. NULL after the last. */
const char *view_key_line(size_t i, bool utf8);
#endif
