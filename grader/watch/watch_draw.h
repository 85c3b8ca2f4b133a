/* watch_draw.h - draws the state of `threelane watch` on a canvas. Pure but for the places it
 * leaves in the state. */
#ifndef THREELANE_WATCH_DRAW_H
#define THREELANE_WATCH_DRAW_H
#include "grader/watch/watch_state.h"
#include "timeline/viewer/view.h"

enum {
    WATCH_COLUMNS = 80,
    WATCH_ROWS = 24
}; /* the least screen; below, a word about it is drawn */

/* view: the timeline of the current exercise, or NULL. now: seconds, on the clock of
 * state->since. */
void watch_draw(WatchState *, Canvas *, View *view, double now);
/* The columns that a lesson may use on a screen of so many. */
int watch_lesson_columns(int columns);
/* The style that control sequences ("1;36") ask for, when it was `style` before. */
CanvasStyle watch_sgr(CanvasStyle style, const char *parameters);
#endif
