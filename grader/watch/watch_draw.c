/* watch_draw.c - see watch_draw.h. */
#include "grader/watch/watch_draw.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/glyphs.h"

enum { LIST_NARROW = 23, LIST_WIDE = 46, WIDE = 130, WIDER = 150, MARGIN = 2 };

static int between(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static void rule(Canvas *c, int x, int y, int columns)
{
    for (int i = 0; i < columns; i++)
        canvas_put(c, x + i, y, c->utf8 ? "\xe2\x94\x80" : "-", CANVAS_DIM, CANVAS_PLAIN);
}

/* "e edit   r run": the keys stand out. parts: pairs of key and words; what does not fit is left
 * out. */
static void keys(Canvas *c, int y, const char *const *parts)
{
    int x = 1;
    for (size_t i = 0; parts[i]; i += 2) {
        int wide = glyphs_columns(parts[i]) + 1 + glyphs_columns(parts[i + 1]);
        if (x + wide > c->columns) break;
        x += canvas_text(c, x, y, c->columns - x, CANVAS_KEY, parts[i]) + 1;
        x += canvas_text(c, x, y, c->columns - x, CANVAS_DIM, parts[i + 1]) + 2;
    }
}

/* ---- the exercises ---- */
static void reached(const WatchState *w, int *got, int *all)
{
    *got = *all = 0;
    for (size_t i = 0; i < w->n_exercises; i++) {
        *all += w->exercises[i].xp;
        if (w->exercises[i].state == PROGRESS_PASSED) *got += w->exercises[i].xp;
    }
}

static CanvasStyle state_words(const WatchExercise *e, char words[32])
{
    if (e->broken) snprintf(words, 32, "broken");
    else if (e->state == PROGRESS_PASSED) snprintf(words, 32, "passed");
    else if (e->state == PROGRESS_TRIED) snprintf(words, 32, "%d/%d", e->points, e->possible);
    else snprintf(words, 32, "new");
    return e->broken                     ? CANVAS_BAD
           : e->state == PROGRESS_PASSED ? CANVAS_GOOD
           : e->state == PROGRESS_TRIED  ? CANVAS_CARE
                                         : CANVAS_DIM;
}

/* One line of a list: the mark, the id, the title where there is room, the state, the XP. */
static void list_row(Canvas *c, CanvasBox box, int y, const WatchExercise *e, bool marked,
                     bool current)
{
    char state[32];
    CanvasStyle style = state_words(e, state);
    int x = box.x, right = box.x + box.columns, title = box.columns - 26;
    if (marked) canvas_text(c, x, y, 1, CANVAS_SELECTED, c->utf8 ? "\xe2\x96\xb8" : ">");
    x += 2;
    canvas_text(c, x, y, 6, current ? CANVAS_BOLD : CANVAS_PLAIN, e->id);
    x += 6;
    if (title > 8) {
        canvas_text(c, x, y, title, current ? CANVAS_BOLD : CANVAS_PLAIN, e->title ? e->title : "");
        x += title + 2;
    }
    canvas_text(c, x, y, 8, style, state);
    canvas_printf(c, right - 6, y, 6, CANVAS_DIM, "%3d XP", e->xp);
}

/* The first row of a list that keeps `at` in sight. */
static size_t first_row(size_t at, size_t n, int rows)
{
    size_t room = rows > 0 ? (size_t)rows : 1;
    if (n <= room || at < room / 2) return 0;
    return at - room / 2 + room > n ? n - room : at - room / 2;
}

static void exercises(WatchState *w, Canvas *c, CanvasBox box)
{
    w->places.exercises = box;
    w->places.first_exercise = first_row(w->at, w->n_exercises, box.rows);
    for (int i = 0; i < box.rows && w->places.first_exercise + (size_t)i < w->n_exercises; i++) {
        size_t at = w->places.first_exercise + (size_t)i;
        list_row(c, box, box.y + i, &w->exercises[at], at == w->at, at == w->at);
    }
}

/* ---- lines ---- */
/* Draws lines into the box from row `first` of them on; returns the rows that all of them take.
 * *hint_end: the row after the hint, or 0. */
static int lines_draw(Canvas *c, CanvasBox box, const WatchLines *lines, int first, int *hint_end)
{
    int row = 0;
    *hint_end = 0;
    for (size_t i = 0; i < lines->n; i++) {
        const WatchLine *line = &lines->items[i];
        int indent = line->indent < box.columns / 2 ? line->indent : 0,
            skip = first - row > 0 ? first - row : 0;
        int y = row - first > 0 ? row - first : 0, rows = 1;
        CanvasBox part = {box.x + indent, box.y + y, box.columns - indent, box.rows - y};
        if (part.rows < 0) part.rows = 0;
        if (!line->raw) rows = canvas_wrap(c, part, skip, 0, line->style, line->text);
        else if (!skip && part.rows > 0)
            canvas_text(c, part.x, part.y, part.columns, line->style, line->text);
        row += rows > 0 ? rows : 1;
        if (line->hint) *hint_end = row;
    }
    return row;
}

/* What is above and below the window of a text that is longer than it. */
static void more(Canvas *c, CanvasBox box, int first, int rows)
{
    const char *const *arrows = c->utf8 ? (const char *const[]){"\xe2\x96\xb2", "\xe2\x96\xbc"}
                                        : (const char *const[]){"^", "v"};
    int x = box.x + box.columns;
    if (first > 0) canvas_put(c, x, box.y, arrows[0], CANVAS_KEY, CANVAS_PLAIN);
    if (first + box.rows < rows)
        canvas_put(c, x, box.y + box.rows - 1, arrows[1], CANVAS_KEY, CANVAS_PLAIN);
}

static void append(WatchLines *lines, WatchLines *others)
{
    if (others->n) {
        lines->items = memory_grow(lines->items, lines->n + others->n + 1, sizeof *lines->items);
        lines->items[lines->n++] = (WatchLine){.text = memory_copy("")};
        for (size_t i = 0; i < others->n; i++) lines->items[lines->n++] = others->items[i];
    }
    others->n = 0;
    watch_lines_release(others);
}

static void verdict(WatchState *w, Canvas *c, CanvasBox box)
{
    WatchLines lines = watch_verdict(w), details = watch_details(w);
    int left = box.columns >= WIDE && details.n ? box.columns / 2 - 2 : box.columns;
    CanvasBox first = {box.x, box.y, left - 1, box.rows},
              second = {box.x + left + 2, box.y, box.columns - left - 3, box.rows};
    if (left == box.columns) append(&lines, &details);
    w->places.verdict = box;
    int hint, none,
        rows = lines_draw(c, (CanvasBox){first.x, first.y, first.columns, 0}, &lines, 0, &hint),
        other = 0;
    if (details.n)
        other =
            lines_draw(c, (CanvasBox){second.x, second.y, second.columns, 0}, &details, 0, &none);
    w->places.verdict_rows = rows > other ? rows : other;
    if (w->to_hint && hint) w->scroll = hint > box.rows ? hint - box.rows : 0;
    w->to_hint = false;
    w->scroll = between(w->scroll, 0,
                        w->places.verdict_rows > box.rows ? w->places.verdict_rows - box.rows : 0);
    lines_draw(c, first, &lines, w->scroll, &none);
    if (details.n) {
        for (int y = 0; y < box.rows; y++)
            canvas_put(c, box.x + left, box.y + y, c->utf8 ? "\xe2\x94\x82" : "|", CANVAS_DIM,
                       CANVAS_PLAIN);
        lines_draw(c, second, &details, w->scroll, &none);
    }
    more(c, (CanvasBox){box.x, box.y, box.columns - 1, box.rows}, w->scroll,
         w->places.verdict_rows);
    watch_lines_release(&lines);
    watch_lines_release(&details);
}

/* ---- the course ---- */
static void title_bar(const WatchState *w, Canvas *c)
{
    const WatchExercise *e = &w->exercises[w->at];
    int got, all;
    char right[64];
    reached(w, &got, &all);
    snprintf(right, sizeof right, "%d of %d XP", got, all);
    int wide = glyphs_columns(right);
    int x = 1 + canvas_text(c, 1, 0, 10, CANVAS_TITLE, "Threelane");
    x += 2 + canvas_text(c, x + 2, 0, 6, CANVAS_TITLE, e->id);
    x += 1 + canvas_text(c, x + 1, 0, c->columns - x - wide - 18, CANVAS_TITLE,
                         e->title ? e->title : "");
    if (e->level)
        canvas_printf(c, x + 2, 0, c->columns - x - wide - 5, CANVAS_DIM, "%s, %d XP", e->level,
                      e->xp);
    canvas_text(c, c->columns - wide - 1, 0, wide, CANVAS_TITLE, right);
}

static void verdict_rule(const WatchState *w, Canvas *c, int y, double now)
{
    char right[64] = "";
    double seconds = now - w->since;
    rule(c, 0, y, c->columns);
    int x = 2 + canvas_text(c, 2, y, 12, CANVAS_TITLE, " Verdict ");
    const char *model = watch_model(w);
    const char *card = w->has_summary && w->summary.card ? w->summary.card : "the real GPU";
    if (model || w->gpu)
        canvas_printf(c, x + 2, y, 40, CANVAS_CARE, " on %s ", w->gpu ? card : model);
    if (w->judging && seconds >= 1) snprintf(right, sizeof right, " running, %d s ", (int)seconds);
    else if (w->judging) snprintf(right, sizeof right, " running ");
    else if (w->stale) snprintf(right, sizeof right, " the picture is of the run before ");
    int wide = (int)strlen(right);
    canvas_text(c, c->columns - wide - 2, y, wide, w->judging ? CANVAS_SELECTED : CANVAS_CARE,
                right);
}

/* What there is to say to the student, above row y; a long line takes room from what is above
 * it. */
static void say(const WatchState *w, Canvas *c, int y)
{
    CanvasBox box = {1, y, c->columns - 2, 0};
    int rows = between(canvas_wrap(c, box, 0, 0, w->said_style, w->said), 1, 3);
    canvas_fill(c, (CanvasBox){0, y - rows, c->columns, rows}, " ", CANVAS_PLAIN, CANVAS_PLAIN);
    canvas_wrap(c, (CanvasBox){1, y - rows, c->columns - 2, rows}, 0, 0, w->said_style, w->said);
}

static void last_rows(const WatchState *w, Canvas *c)
{
    static const char *const course[] = {"e", "edit", "h", "hint",     "L", "lesson", "n", "next",
                                         "l", "list", "t", "timeline", "r", "run",    "?", "keys",
                                         "q", "quit", NULL};
    static const char *const timeline[] = {"q", "back to the course", "?", "the timeline's keys",
                                           NULL};
    int y = c->rows - 1;
    const WatchExercise *e = &w->exercises[w->at];
    if (w->said) say(w, c, y);
    else if (e->file)
        canvas_printf(c, 1, y - 1, c->columns - 2, CANVAS_DIM,
                      "Watching %s: save it, and this changes.", e->file);
    keys(c, y, w->pane == WATCH_TIMELINE ? timeline : course);
}

static void timeline(WatchState *w, Canvas *c, CanvasBox box, View *view)
{
    w->places.timeline = box;
    if (view) {
        /* the view's last row says which keys it takes: while it takes none, the verdict's rule is
         * drawn over it */
        CanvasBox all = box;
        all.rows += w->pane != WATCH_TIMELINE && w->pane != WATCH_WIDE;
        view_draw(view, c, all);
        canvas_unclip(c);
        return;
    }
    const char *words = w->judging       ? "The timeline comes with the first run ..."
                        : w->has_summary ? "No timeline: the program did not run."
                                         : "No timeline yet: r runs the program.";
    canvas_wrap(c,
                (CanvasBox){box.x + MARGIN, box.y + box.rows / 2, box.columns - 2 * MARGIN,
                            box.rows / 2},
                0, 0, CANVAS_DIM, words);
}

static void course(WatchState *w, Canvas *c, View *view, double now)
{
    int rows = c->rows - 5, below = between(rows * 2 / 5 + 1, 9, 30), above = rows - below;
    int list = c->columns >= WIDER ? LIST_WIDE : LIST_NARROW;
    title_bar(w, c);
    rule(c, 0, 1, c->columns);
    exercises(w, c, (CanvasBox){1, 2, list, above});
    for (int y = 2; y < 2 + above; y++)
        canvas_put(c, list + 1, y, c->utf8 ? "\xe2\x94\x82" : "|",
                   w->pane == WATCH_TIMELINE ? CANVAS_SELECTED : CANVAS_DIM, CANVAS_PLAIN);
    timeline(w, c, (CanvasBox){list + 2, 2, c->columns - list - 2, above}, view);
    verdict_rule(w, c, 2 + above, now);
    verdict(w, c, (CanvasBox){1, 3 + above, c->columns - 2, below});
    last_rows(w, c);
}

static void wide_timeline(WatchState *w, Canvas *c, View *view, double now)
{
    timeline(w, c, (CanvasBox){0, 0, c->columns, c->rows - 3}, view);
    verdict_rule(w, c, c->rows - 3, now);
    WatchLines lines = watch_verdict(w);
    if (lines.n && !w->said)
        canvas_text(c, 1, c->rows - 2, c->columns - 2, lines.items[0].style, lines.items[0].text);
    watch_lines_release(&lines);
    static const char *const parts[] = {"q", "back to the course", "?", "the timeline's keys",
                                        NULL};
    if (w->said) say(w, c, c->rows - 1);
    keys(c, c->rows - 1, parts);
}

/* ---- what takes the whole screen ---- */
static CanvasBox page(Canvas *c, const char *title, const char *const *parts)
{
    canvas_text(c, 1, 0, c->columns - 2, CANVAS_TITLE, title);
    rule(c, 0, 1, c->columns);
    keys(c, c->rows - 1, parts);
    return (CanvasBox){1, 2, c->columns - 3, c->rows - 4};
}

static void list(WatchState *w, Canvas *c)
{
    static const char *const parts[] = {"Up, Down", "choose", "Enter", "go there",
                                        "q",        "back",   NULL};
    CanvasBox box = page(c, "Exercises", parts);
    int got, all;
    reached(w, &got, &all);
    canvas_printf(c, c->columns - 20, 0, 19, CANVAS_TITLE, "%9d of %d XP", got, all);
    if (box.columns > 90) box.columns = 90;
    w->places.text = box;
    w->places.first_exercise = first_row(w->cursor, w->n_exercises, box.rows);
    for (int i = 0; i < box.rows && w->places.first_exercise + (size_t)i < w->n_exercises; i++) {
        size_t at = w->places.first_exercise + (size_t)i;
        CanvasBox row = box;
        row.columns -= 8;
        list_row(c, row, box.y + i, &w->exercises[at], at == w->cursor, at == w->at);
        canvas_text(c, box.x + box.columns - 7, box.y + i, 7, CANVAS_DIM, w->exercises[at].level);
    }
}

static void models(WatchState *w, Canvas *c)
{
    static const char *const parts[] = {"Up, Down", "choose", "Enter", "run on it",
                                        "q",        "back",   NULL};
    CanvasBox box = page(c, "The device to run on", parts);
    w->places.text = box;
    for (size_t i = 0; i < watch_n_models; i++) {
        const char *own = w->exercises[w->at].model;
        int y = box.y + (int)i;
        char name[64];
        snprintf(name, sizeof name, watch_models[i].name ? "%s" : "the exercise's (%s)",
                 watch_models[i].name ? watch_models[i].name
                 : own                ? own
                                      : "?");
        if (i == w->cursor)
            canvas_text(c, box.x, y, 1, CANVAS_SELECTED, c->utf8 ? "\xe2\x96\xb8" : ">");
        canvas_printf(c, box.x + 2, y, 2, CANVAS_KEY, "%zu", i + 1);
        canvas_text(c, box.x + 5, y, 30, i == w->model ? CANVAS_BOLD : CANVAS_PLAIN, name);
        canvas_text(c, box.x + 36, y, box.columns - 36, CANVAS_DIM, watch_models[i].about);
    }
    canvas_wrap(c, (CanvasBox){box.x + 2, box.y + (int)watch_n_models + 1, box.columns - 4, 4}, 0,
                0, CANVAS_PLAIN,
                "A slower bus, one copy engine less: the same program makes another picture. What "
                "is passed on "
                "another device is shown and does not count.");
}

int watch_lesson_columns(int columns) { return between(columns, 40, 100); }

CanvasStyle watch_sgr(CanvasStyle style, const char *parameters)
{
    for (const char *at = parameters;;) {
        int value = atoi(at);
        if (value == 0) style = CANVAS_PLAIN;
        else if (value == 1) style = CANVAS_BOLD;
        else if (value == 3 || value == 4) style = CANVAS_LINK;
        else if (value == 2 || value == 37 || value == 90 || value == 94) style = CANVAS_DIM;
        else if ((value >= 31 && value <= 36) || (value >= 91 && value <= 96))
            style = style == CANVAS_BOLD ? CANVAS_TITLE : CANVAS_KEY;
        at += strspn(at, "0123456789");
        if (*at != ';') return style;
        at++;
    }
}

/* One line with the control sequences of a terminal turned into styles; other sequences are left
 * out. */
static void colored(Canvas *c, int x, int y, int columns, const char *line)
{
    CanvasStyle style = CANVAS_PLAIN;
    int end = x + columns;
    for (const char *at = line; *at && x < end;) {
        if (at[0] == 27 && at[1] == '[') {
            size_t n = strspn(at + 2, "0123456789;");
            char *parameters = memory_format("%.*s", (int)n, at + 2);
            if (at[2 + n] == 'm') style = watch_sgr(style, parameters);
            free(parameters);
            at += 2 + n + (at[2 + n] != 0);
            continue;
        }
        size_t n = strcspn(at, "\033");
        if (!n) n = 1;
        char *piece = memory_format("%.*s", (int)n, at);
        x += canvas_text(c, x, y, end - x, style, piece);
        free(piece);
        at += n;
    }
}

static void lesson(WatchState *w, Canvas *c)
{
    static const char *const parts[] = {"Up, Down, Space", "scroll", "q", "back to the exercise",
                                        NULL};
    char title[300];
    const WatchExercise *e = &w->exercises[w->at];
    snprintf(title, sizeof title, "Lesson %d: %.250s", e->number, e->title ? e->title : "");
    CanvasBox box = page(c, title, parts);
    box.x = 0, box.columns = c->columns; /* figures are as wide as the screen */
    int n = 0;
    while (w->lesson && w->lesson[n]) n++;
    w->places.text = box;
    w->places.text_rows = n;
    w->lesson_scroll = between(w->lesson_scroll, 0, n > box.rows ? n - box.rows : 0);
    for (int i = 0; i < box.rows && w->lesson_scroll + i < n; i++)
        colored(c, box.x, box.y + i, box.columns, w->lesson[w->lesson_scroll + i]);
    if (n <= box.rows) return;
    /* what is above and below, on the rules: the text has all columns */
    const char *up = c->utf8 ? "\xe2\x96\xb2" : "^", *down = c->utf8 ? "\xe2\x96\xbc" : "v";
    if (w->lesson_scroll > 0) canvas_put(c, c->columns - 2, 1, up, CANVAS_KEY, CANVAS_PLAIN);
    if (w->lesson_scroll + box.rows < n)
        canvas_put(c, c->columns - 2, box.y + box.rows, down, CANVAS_KEY, CANVAS_PLAIN);
    canvas_printf(c, c->columns - 6, 0, 5, CANVAS_DIM, "%3d%%",
                  (w->lesson_scroll + box.rows) * 100 / n);
}

static void plan(WatchState *w, Canvas *c)
{
    static const char *const parts[] = {"Arrows", "move",     "Enter", "put the next one here",
                                        "x",      "take out", "q",     "keep",
                                        NULL};
    char title[300];
    const WatchExercise *e = &w->exercises[w->at];
    snprintf(title, sizeof title, "What do you expect? %s%s%.200s", e->id, e->show ? ", " : "",
             e->show ? e->show : "");
    plan_draw(&w->plan, c, page(c, title, parts));
}

static void help(WatchState *w, Canvas *c)
{
    static const char *const parts[] = {"Up, Down", "scroll", "q", "back", NULL};
    CanvasBox box = page(c, "Keys", parts);
    int row = -w->help_scroll, n = 0;
    w->places.text = box;
    for (int part = 0; part < 2; part++) {
        const char *line;
        if (part) row++, n++;
        if (row >= 0 && row < box.rows) {
            canvas_text(c, box.x, box.y + row, box.columns, CANVAS_TITLE,
                        part ? "In the timeline (after t or Tab)" : "In the course");
        }
        row++, n++;
        for (size_t i = 0; (line = part ? view_key_line(i, c->utf8) : watch_key_line(i));
             i++, row++, n++) {
            if (row >= 0 && row < box.rows)
                canvas_text(c, box.x + 2, box.y + row, box.columns - 2, CANVAS_PLAIN, line);
        }
    }
    w->places.text_rows = n;
    more(c, box, w->help_scroll, n);
}

static void too_small(WatchState *w, Canvas *c)
{
    const WatchExercise *e = &w->exercises[w->at];
    char words[400];
    snprintf(
        words, sizeof words,
        "This needs %d columns and %d rows; here are %d and %d. Make the window larger, or quit "
        "(q) and type: make %s",
        WATCH_COLUMNS, WATCH_ROWS, c->columns, c->rows, e->id);
    canvas_wrap(c, (CanvasBox){0, 0, c->columns, c->rows}, 0, 0, CANVAS_CARE, words);
}

void watch_draw(WatchState *w, Canvas *c, View *view, double now)
{
    canvas_unclip(c);
    canvas_clear(c);
    memset(&w->places, 0, sizeof w->places);
    w->places.too_small = c->columns < WATCH_COLUMNS || c->rows < WATCH_ROWS;
    if (w->places.too_small) {
        too_small(w, c);
        return;
    }
    switch (w->pane) {
    case WATCH_COURSE:
    case WATCH_TIMELINE:
    case WATCH_QUESTION: course(w, c, view, now); break;
    case WATCH_WIDE: wide_timeline(w, c, view, now); break;
    case WATCH_LIST: list(w, c); break;
    case WATCH_MODELS: models(w, c); break;
    case WATCH_LESSON: lesson(w, c); break;
    case WATCH_HELP: help(w, c); break;
    case WATCH_PLAN: plan(w, c); break;
    }
}
