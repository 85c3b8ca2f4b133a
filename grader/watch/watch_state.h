/* watch_state.h - `threelane watch` without its screen: what it knows, what a key means, what a
 * verdict changes. Pure: nothing here reads, writes, waits or draws. watch_command.c does what the
 * actions say; watch_draw.h draws the state. */
#ifndef THREELANE_WATCH_STATE_H
#define THREELANE_WATCH_STATE_H
#include <stdbool.h>
#include <stddef.h>
#include "grader/course/progress.h"
#include "grader/judge/summary.h"
#include "grader/watch/plan.h"
#include "timeline/pictures/canvas.h"
#include "timeline/viewer/screen.h"

typedef struct WatchExercise {
    char *id, *title, *level, *model, *todo;
    char *show;               /* the range whose schedule is shown, or NULL */
    char *file;               /* as the student names it */
    int number, xp, possible; /* possible: points */
    char *broken; /* why its exercise file cannot be read, or NULL; the rest is then blank */
    ProgressState state;
    int points;
} WatchExercise;

typedef struct WatchModel {
    const char *name, *about;
} WatchModel;
/* The devices that are built in; the first is the exercise's own (name NULL). */
extern const WatchModel watch_models[];
extern const size_t watch_n_models;

/* What has the keys. */
typedef enum WatchPane {
    WATCH_COURSE,
    WATCH_TIMELINE,
    WATCH_WIDE, /* the timeline in its place; over the whole screen */
    WATCH_LIST,
    WATCH_MODELS,
    WATCH_LESSON,
    WATCH_HELP,
    WATCH_PLAN, /* what is expected is laid out */
    WATCH_QUESTION
} WatchPane;

typedef enum WatchAction {
    WATCH_NOTHING,
    WATCH_DRAW,
    WATCH_QUIT,
    WATCH_SELECT, /* another exercise is the current one */
    WATCH_RUN,    /* judge the current one */
    WATCH_EDIT,
    WATCH_READ, /* its file; its lesson */
    WATCH_HINT, /* the stage of the hint shown is to be remembered */
    WATCH_ASK_RESET,
    WATCH_RESET,
    WATCH_GPU,
    WATCH_PREDICT, /* what is expected is to be laid out; it has been: it is to be kept */
    WATCH_PREDICTED,
    WATCH_FOCUS /* the timeline has the keys now, or no longer has them */
} WatchAction;

typedef struct WatchState {
    WatchExercise *exercises; /* by number, at least one */
    size_t n_exercises, at;   /* at: the current one */
    WatchPane pane;
    size_t cursor;     /* in the list, or in the models */
    size_t model;      /* in watch_models */
    char *other_model; /* asked for on the command line and not built in; then model is
                          watch_n_models */
    bool gpu;          /* run on the real GPU */

    bool has_summary; /* something was judged since this exercise became the current one */
    Summary summary;
    int hint; /* stage shown for the first check that failed, from 1; 0: none */
    bool judging;
    double since;         /* when it began (seconds) */
    bool pictured, stale; /* there is a picture; it is of a run before the last one */

    bool to_hint;  /* drawing scrolls to the hint, once */
    int scroll;    /* rows of the verdict above its window; drawing brings it into bounds */
    char **lesson; /* lines of the lesson, with the colours it was drawn in; ends with NULL */
    int lesson_scroll;
    int help_scroll;
    Plan plan;  /* of WATCH_PLAN */
    char *said; /* one line for the student, until the next key; NULL: none */
    CanvasStyle said_style;
    bool said_stays; /* ... also over the next save */
    bool asked_next; /* `n` was pressed although it is not passed */

    /* set by drawing: where things are, for the mouse and for scrolling by pages */
    struct WatchPlaces {
        CanvasBox exercises, timeline, verdict, text;
        size_t first_exercise;
        int verdict_rows, text_rows;
        bool too_small;
    } places;
} WatchState;

/* Takes the exercises over (an array and what it points to). */
void watch_state_init(WatchState *, WatchExercise *exercises, size_t n);
void watch_state_release(WatchState *);

/* From progress: states, points; and the stage of the hint shown. */
void watch_progress(WatchState *, const Progress *);
/* The first that is not passed, or the last one. */
size_t watch_first_open(const WatchState *);
/* Makes another exercise the current one; what was known about the old one goes. */
void watch_select(WatchState *, size_t at);
/* The model to judge on, or NULL: the exercise's. */
const char *watch_model(const WatchState *);

/* A save was noticed: what was said before it is old. */
void watch_saved(WatchState *);
/* The outcome of a run: the summary is taken over (and zeroed). pictured: it left a trace. */
void watch_judged(WatchState *, Summary *, bool pictured);
/* The first check that failed in the last run, or NULL. */
const SummaryCheck *watch_failed(const WatchState *);
/* Takes the text over as the lesson and shows it. */
void watch_show_lesson(WatchState *, char *text);

/* Takes the plan over, and shows it to be laid out. */
void watch_show_plan(WatchState *, Plan *);

/* One line for the student. */
void watch_say(WatchState *, CanvasStyle, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A key, when the timeline has not used it. */
WatchAction watch_key(WatchState *, ScreenKey);

/* ---- the verdict in words ---- */
typedef struct WatchLine {
    CanvasStyle style;
    int indent;
    bool raw;  /* cut, not wrapped: its columns matter */
    bool hint; /* the hint */
    char *text;
} WatchLine;
typedef struct WatchLines {
    WatchLine *items;
    size_t n;
} WatchLines;

/* What is to be read first: the outcome, the first failure with its cause and hint, or the
 * compiler's words. */
WatchLines watch_verdict(const WatchState *);
/* Every check on a line, and what the program and the report say. */
WatchLines watch_details(const WatchState *);
void watch_lines_release(WatchLines *);

/* All keys of the course's screen, a line each; NULL after the last. */
const char *watch_key_line(size_t i);
#endif
