/* watch_command.c - `threelane watch`: the course in one screen. One loop waits for keys, saves,
 * the judge (in a child process) and an editor; nothing in it blocks. What a key means is in
 * watch_state.c, how it looks in watch_draw.c. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "common/env.h"
#include "grader/box/background.h"
#include "grader/box/card.h"
#include "common/limits.h"
#include "grader/whatif/expect.h"
#include "grader/commands/command.h"
#include "grader/watch/file_watch.h"
#include "grader/lessons/lesson.h"
#include "grader/course/reset.h"
#include "grader/judge/submission.h"
#include "grader/commands/view_command.h"
#include "grader/watch/watch_draw.h"
#include "timeline/trace/analysis.h"

enum { TICK_MS = 30, EDITOR_LOOK_MS = 100, RESULT = 0, TRACE = 1 };

typedef struct Watch {
    const Options *options;
    Catalogue catalogue;
    WatchState state;
    FileWatch *follow;
    Background judge, reader; /* one judges, one draws lessons */
    bool again;               /* judge once more when the one that was cancelled has ended */
    bool saved;               /* what was saved last has no verdict yet */
    ViewSession session;      /* the picture: view and trace, or NULL both; its paths are ours */
    ViewSources *sources;
    char *view_title;
    Screen *screen; /* NULL: line by line */
    Canvas canvas;
    pid_t editor;   /* 0: none */
    int editor_end; /* becomes readable when the editor has ended; -1: look from time to time */
    char *editor_name;
    bool looked; /* keys were used in the timeline of this exercise */
    bool dirty, quit;
    int status;
} Watch;

static WatchExercise *current(Watch *w) { return &w->state.exercises[w->state.at]; }

static const CatalogueEntry *entry(Watch *w) { return &w->catalogue.entries[w->state.at]; }

static Exercise *read_exercise(Watch *w)
{
    char error[PATH_MAX + 500];
    Exercise *e = exercise_read(entry(w)->folder, error, sizeof error);
    if (!e) watch_say(&w->state, CANVAS_BAD, "%s", error);
    return e;
}

static WatchExercise describe(const Catalogue *catalogue, const CatalogueEntry *from)
{
    char error[PATH_MAX + 500];
    char *path = memory_format("%s/%s.cu", from->folder, from->id);
    WatchExercise to = {.id = memory_copy(from->id),
                        .number = from->number,
                        .file = catalogue_relative(catalogue, path)};
    Exercise *e = exercise_read(from->folder, error, sizeof error);
    if (e) {
        to.title = memory_copy(e->title);
        to.level = memory_copy(e->level);
        to.model = memory_copy(e->model);
        to.todo = e->todo ? memory_copy(e->todo) : NULL;
        to.show = e->show ? memory_copy(e->show) : NULL;
        to.xp = e->xp;
        to.possible = exercise_points(e);
    } else {
        to.broken = memory_copy(error);
    }
    exercise_free(e);
    free(path);
    return to;
}

static void read_progress(Watch *w)
{
    Progress progress;
    int failed = progress_read(&progress, w->catalogue.state);
    if (failed)
        watch_say(&w->state, CANVAS_CARE, "%s/progress cannot be read: %s", w->catalogue.state,
                  strerror(failed));
    watch_progress(&w->state, &progress);
    progress_release(&progress);
}

/* ---- the judge, in a child process ---- */
typedef struct Ask {
    const Catalogue *catalogue;
    const CatalogueEntry *entry;
    const char *model;
    bool gpu;
    unsigned card;
    double seconds;
} Ask;

static const char no_card[] = "-"; /* as the summary's card: the message says why there is none to
                                      run on */

static void write_all(int to, const Text *text)
{
    for (size_t at = 0; at < text->length;) {
        ssize_t n = write(to, text->data + at, text->length - at);
        if (n < 0 && errno != EINTR) _exit(1);
        if (n > 0) at += (size_t)n;
    }
}

static void judge_work(void *data, const int results[BACKGROUND_RESULTS])
{
    const Ask *ask = data;
    char error[PATH_MAX + 500] = "";
    VerdictKind status = VERDICT_GRADER;
    Summary failure = {0};
    Text bytes = {0};
    Exercise *e = exercise_read(ask->entry->folder, error, sizeof error);
    if (e && ask->gpu) exercise_on_card(e);
    else if (e) exercise_on_model(e, ask->model);
    Submission s = {.catalogue = ask->catalogue,
                    .exercise = e,
                    .model = ask->gpu ? NULL : ask->model,
                    .gpu = ask->gpu,
                    .card = ask->card,
                    .seconds = ask->seconds,
                    .trace_to = results[TRACE]};
    if (e && submission_judge(&s, &status, error, sizeof error)) {
        summary_save(&bytes, &s.summary);
    } else {
        /* paths inside the course are shown as the student knows them */
        size_t root = strlen(ask->catalogue->root);
        bool inside = !strncmp(error, ask->catalogue->root, root) && error[root] == '/';
        failure = (Summary){.id = memory_copy(ask->entry->id),
                            .number = ask->entry->number,
                            .kind = status,
                            .title = memory_copy(e ? e->title : ask->entry->slug),
                            .label = memory_copy("")};
        text_add(&failure.message, error + (inside ? root + 1 : 0));
        Card card = {0};
        if (ask->gpu && status == VERDICT_USAGE &&
            !card_open(&card, ask->card, error, sizeof error)) {
            failure.card = memory_copy(no_card);
            text_clear(&failure.message);
            text_add(&failure.message, error);
        }
        card_close(&card);
        summary_save(&bytes, &failure);
    }
    write_all(results[RESULT], &bytes);
}

static void start_judge(Watch *w)
{
    if (current(w)->broken) return;
    w->dirty = true;
    w->state.judging = true;
    w->state.since = background_clock();
    if (background_going(&w->judge)) {
        background_cancel(&w->judge);
        w->again = true;
        return;
    }
    Ask ask = {&w->catalogue, entry(w),         watch_model(&w->state),
               w->state.gpu,  w->options->card, w->options->seconds};
    int failed = background_start(&w->judge, judge_work, &ask);
    if (failed) {
        watch_say(&w->state, CANVAS_BAD, "The program cannot be run: %s. r tries again.",
                  strerror(failed));
        w->state.judging = false;
    }
}

/* ---- the picture ---- */
static void forget_picture(Watch *w)
{
    char *path = (char *)w->session.path, *solution = (char *)w->session.solution;
    view_session_release(&w->session);
    view_free(w->session.view);
    trace_free(w->session.trace);
    view_sources_free(w->sources);
    free(path);
    free(solution);
    free(w->view_title);
    w->session = (ViewSession){0};
    w->sources = NULL;
    w->view_title = NULL;
    w->looked = false;
}

/* A file of the current exercise in the state folder, as short as it can be from here. The caller
 * frees. */
static char *state_file(Watch *w, const char *ending)
{
    char here[PATH_MAX],
        *path = memory_format("%s/%s.%s", w->catalogue.state, current(w)->id, ending);
    bool at_root = getcwd(here, sizeof here) && !strcmp(here, w->catalogue.root);
    char *shown = at_root ? catalogue_relative(&w->catalogue, path) : memory_copy(path);
    free(path);
    return shown;
}

/* Shows a trace, which is the picture's from now on. title is taken over. False when there is no
 * memory for it: what was shown before still is, and the trace is gone. */
static bool show(Watch *w, Trace *trace, char *title)
{
    const char *range = current(w)->show;
    ViewSession *session = &w->session;
    if (session->view) view_end_question(session);
    bool fine = true, fresh = !session->view, again = session->trace == trace;
    if (fresh) fine = (session->view = view_new(trace, title)) != NULL;
    else if (again) view_set_title(session->view, title);
    else fine = view_set_trace(session->view, trace, title);
    if (fine) {
        /* the part that the exercise is about, as long as the student has not looked elsewhere */
        if (range && !again && !w->looked)
            view_show_range(session->view, analysis_range(trace, range));
        if (fresh) {
            session->canvas = &w->canvas;
            session->path = state_file(w, "lane");
            session->solution = state_file(w, "solution.lane");
            session->catalogue = &w->catalogue;
        }
        if (!again) {
            char *beside = memory_format("%s/.", w->catalogue.root); /* sites name files from there
                                                                      */
            view_sources_free(w->sources);
            w->sources = view_sources_new(beside);
            view_set_source(session->view, view_source_line, w->sources);
            trace_free(session->trace);
            free(beside);
        }
        free(w->view_title);
        session->trace = trace;
        w->view_title = title;
        view_offer(session);
        return true;
    }
    if (!again) trace_free(trace);
    free(title);
    watch_say(&w->state, CANVAS_BAD, "There is not enough memory for the picture.");
    return false;
}

/* What an earlier run left, so that there is something to look at. */
static void show_earlier(Watch *w)
{
    char error[300];
    char *path = memory_format("%s/%s.lane", w->catalogue.state, current(w)->id);
    Trace *trace = access(path, R_OK) == 0 ? view_open(path, error, sizeof error) : NULL;
    free(path);
    if (!trace) return;
    w->state.pictured = show(w, trace, memory_format("%s, an earlier run", current(w)->id));
}

static Trace *read_trace(Watch *w)
{
    char path[64], error[300];
    Trace *trace = view_open(background_path(&w->judge, TRACE, path), error, sizeof error);
    if (!trace || trace->n_ops || trace->n_calls) return trace;
    trace_free(trace); /* it ended before it did anything: the picture before says more */
    return NULL;
}

/* There is no card to run on: everything stays as it was on the virtual GPU. */
static void leave_gpu(Watch *w, const Summary *summary)
{
    w->state.gpu = w->state.judging = false;
    watch_say(&w->state, CANVAS_CARE, "Still on the virtual GPU: %s. `threelane doctor` says more.",
              text_string(&summary->message));
    w->state.said_stays = w->saved;
    if (w->saved) start_judge(w);
}

static void take_verdict(Watch *w)
{
    Text bytes = {0};
    Summary summary = {0};
    w->dirty = true;
    if (background_read(&w->judge, RESULT, &bytes) != 0 ||
        !summary_load(&summary, text_string(&bytes), bytes.length)) {
        summary = (Summary){.kind = VERDICT_GRADER,
                            .id = memory_copy(current(w)->id),
                            .label = memory_copy(""),
                            .title = memory_copy("")};
        text_add(&summary.message, "The judge left no verdict. r tries again.");
    }
    text_release(&bytes);
    if (summary.card && !strcmp(summary.card, no_card)) {
        leave_gpu(w, &summary);
        summary_release(&summary);
        return;
    }
    w->saved = false;
    Trace *trace = read_trace(w);
    if (w->screen) {
        bool shown = trace && show(w, trace, memory_copy(current(w)->id));
        if (!shown && w->session.trace && !w->state.stale)
            show(w, w->session.trace, memory_format("%s, as of the run before", current(w)->id));
        const SummaryCheck *failed = summary_failed(&summary);
        if (shown && failed) view_stand_on(w->session.view, (uint32_t)failed->op);
        watch_judged(&w->state, &summary, shown);
    } else {
        command_print(&w->options->out, &w->catalogue, &summary, trace);
        watch_judged(&w->state, &summary, false);
        trace_free(trace);
    }
    read_progress(w);
}

static void poll_judge(Watch *w)
{
    BackgroundState state = background_poll(&w->judge);
    if (state == BACKGROUND_NONE || state == BACKGROUND_GOING) return;
    bool again = w->again, cancelled = w->judge.cancelled;
    w->again = false;
    if (state == BACKGROUND_DONE && !again) {
        take_verdict(w);
    } else if (!again && !cancelled) {
        w->state.judging = false;
        watch_say(&w->state, CANVAS_BAD, "The judge was stopped. r runs it again.");
        w->dirty = true;
    }
    background_close(&w->judge);
    if (again) start_judge(w);
}

/* ---- another exercise ---- */
static void settle(Watch *w)
{
    char *file = memory_format("%s/%s.cu", entry(w)->folder, entry(w)->id);
    char *progress = memory_format("%s/progress", w->catalogue.state);
    file_watch_set(w->follow, entry(w)->folder, file, progress);
    free(file);
    free(progress);
    forget_picture(w);
    if (background_going(&w->judge)) background_cancel(&w->judge);
    w->state.judging = w->again = w->saved = false;
    read_progress(w);
    if (w->screen) show_earlier(w);
    w->dirty = true;
    /* what is passed is checked again only when asked */
    if (current(w)->state != PROGRESS_PASSED) start_judge(w);
}

/* ---- the lesson ---- */
typedef struct ReadAsk {
    const Catalogue *catalogue;
    const char *folder;
    LessonLook look;
} ReadAsk;

static void read_work(void *data, const int results[BACKGROUND_RESULTS])
{
    const ReadAsk *ask = data;
    Text text = {0};
    char *path;
    int failed = lesson_text(ask->catalogue, ask->folder, &ask->look, &text, &path);
    if (failed) {
        text_clear(&text);
        text_printf(&text, "There is no lesson: %s: %s", path, strerror(failed));
    }
    write_all(results[RESULT], &text);
}

static void start_reading(Watch *w)
{
    if (background_going(&w->reader)) return;
    ReadAsk ask = {&w->catalogue,
                   entry(w)->folder,
                   {.drawn = true,
                    .colors = true,
                    .utf8 = w->options->out.utf8,
                    .width = watch_lesson_columns(w->canvas.columns)}};
    int failed = background_start(&w->reader, read_work, &ask);
    if (failed) watch_say(&w->state, CANVAS_BAD, "The lesson cannot be read: %s", strerror(failed));
}

static void poll_reader(Watch *w)
{
    BackgroundState state = background_poll(&w->reader);
    if (state == BACKGROUND_NONE || state == BACKGROUND_GOING) return;
    Text text = {0};
    if (state == BACKGROUND_DONE && background_read(&w->reader, RESULT, &text) == 0 &&
        text.length) {
        int scroll = w->state.pane == WATCH_LESSON ? w->state.lesson_scroll : 0;
        watch_show_lesson(&w->state, text_take(&text));
        w->state.lesson_scroll = scroll;
    } else {
        watch_say(&w->state, CANVAS_BAD, "The lesson cannot be read. L tries again.");
    }
    text_release(&text);
    background_close(&w->reader);
    w->dirty = true;
}

/* ---- the editor ---- */
static char *editor_command(void)
{
    static const char *const variables[] = {"VISUAL", "EDITOR"};
    static const char *const usual[] = {"sensible-editor", "nano", "vim", "vi", "emacs", "mg"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && value[strspn(value, " ")]) return memory_copy(value);
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        char *path = command_find_program(usual[i]);
        free(path);
        if (path) return memory_copy(usual[i]);
    }
    return NULL;
}

static void start_editor(Watch *w)
{
    char *command = editor_command();
    if (!command) {
        watch_say(&w->state, CANVAS_CARE,
                  "No editor was found: set EDITOR, or edit %s in another window and save.",
                  current(w)->file);
        return;
    }
    char *path = memory_format("%s/%s.cu", entry(w)->folder, entry(w)->id);
    char *script = memory_format("%s \"$@\"", command);
    screen_leave(w->screen);
    /* ^C and ^\ typed in the editor are the editor's */
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGINT, &ignore, NULL);
    sigaction(SIGQUIT, &ignore, NULL);
    w->editor = fork();
    if (w->editor == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        signal(SIGPIPE, SIG_DFL);
        execl("/bin/sh", "sh", "-c", script, command, path, (char *)NULL);
        _exit(127);
    }
    if (w->editor < 0) {
        w->editor = 0;
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        screen_return(w->screen);
        watch_say(&w->state, CANVAS_BAD, "%s could not be started: %s", command, strerror(errno));
    } else {
#ifdef SYS_pidfd_open
        w->editor_end = (int)syscall(SYS_pidfd_open, w->editor, 0);
#else
        w->editor_end = -1;
#endif
        free(w->editor_name);
        w->editor_name = memory_copy(command);
    }
    free(path);
    free(script);
    free(command);
}

static void resized(Watch *w)
{
    int columns, rows, before = w->canvas.columns;
    screen_size(w->screen, &columns, &rows);
    if (columns != w->canvas.columns || rows != w->canvas.rows)
        canvas_resize(&w->canvas, columns, rows);
    if (w->state.pane == WATCH_LESSON &&
        watch_lesson_columns(columns) != watch_lesson_columns(before))
        start_reading(w);
    w->dirty = true;
}

static void poll_editor(Watch *w)
{
    int status;
    if (!w->editor) return;
    pid_t who = waitpid(w->editor, &status, WNOHANG);
    if (who == 0 || (who < 0 && errno == EINTR)) return;
    w->editor = 0;
    if (w->editor_end >= 0) close(w->editor_end);
    w->editor_end = -1;
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    screen_return(w->screen);
    resized(w);
    if (who > 0 && WIFEXITED(status) && (WEXITSTATUS(status) == 127 || WEXITSTATUS(status) == 126))
        watch_say(&w->state, CANVAS_CARE,
                  "The editor '%s' could not be started: set EDITOR to one that can.",
                  w->editor_name);
}

/* ---- what keys ask for ---- */
static void remember_hint(Watch *w)
{
    const SummaryCheck *failed = watch_failed(&w->state);
    int error = progress_save_hint(w->catalogue.state, current(w)->id, failed->id, w->state.hint);
    if (error)
        watch_say(&w->state, CANVAS_CARE, "Progress is not saved: %s: %s", w->catalogue.state,
                  strerror(error));
}

static void ask_reset(Watch *w)
{
    char error[PATH_MAX + 300];
    Exercise *e = read_exercise(w);
    if (!e) return;
    switch (reset_check(e, error, sizeof error)) {
    case RESET_SAME:
        watch_say(&w->state, CANVAS_PLAIN, "%s.cu is the untouched starter already.",
                  current(w)->id);
        break;
    case RESET_DONE:
        w->state.pane = WATCH_QUESTION;
        watch_say(&w->state, CANVAS_SELECTED,
                  "Replace %s.cu by the untouched starter? Yours is kept. [y/N]", current(w)->id);
        break;
    default: watch_say(&w->state, CANVAS_BAD, "%s", error);
    }
    exercise_free(e);
}

static void reset(Watch *w)
{
    char error[PATH_MAX + 300], *backup = NULL;
    Exercise *e = read_exercise(w);
    if (!e) return;
    ResetState state = reset_do(&w->catalogue, e, &backup, error, sizeof error);
    if (state == RESET_FAILED || state == RESET_BROKEN) {
        watch_say(&w->state, CANVAS_BAD, "%s", error);
    } else {
        char *kept = backup ? catalogue_relative(&w->catalogue, backup) : NULL;
        watch_say(&w->state, CANVAS_GOOD,
                  kept ? "The starter is back. Yours: %s" : "The starter is back.%s",
                  kept ? kept : "");
        w->state.said_stays = true;
        free(kept);
    }
    free(backup);
    exercise_free(e);
}

/* From the virtual GPU to this machine's, and back. */
static void gpu(Watch *w)
{
    w->state.gpu = !w->state.gpu;
    watch_say(&w->state, CANVAS_PLAIN,
              w->state.gpu ? "On this machine's GPU: built with nvcc, which takes a while. g goes "
                             "back to the virtual one."
                           : "On the virtual GPU again.");
    start_judge(w);
}

/* ---- what is expected ---- */

/* The plan of the current exercise: its operations, and what was put so far. */
static void predict(Watch *w)
{
    char error[300] = "";
    Exercise *e = read_exercise(w);
    char *file = e ? expect_file(e) : NULL;
    Prediction operations = {0};
    Text text = {0};
    Plan plan = {0};
    bool known = e && (expect_operations(&operations, w->session.trace, e) ||
                       (prediction_release(&operations), expect_operations(&operations, NULL, e)));
    int failed = known ? text_read_file(&text, file, LIMIT_TEXT) : 0;
    if (e && !known)
        watch_say(&w->state, CANVAS_CARE, "%s",
                  "It is not known yet which operations there will be: r runs it.");
    else if (failed && failed != ENOENT)
        watch_say(&w->state, CANVAS_BAD, "predict.txt: %s", strerror(failed));
    else if (known && !failed && strlen(text_string(&text)) < text.length)
        watch_say(&w->state, CANVAS_BAD, "predict.txt: this is no text");
    else if (known && !plan_start(&plan, &operations, failed ? NULL : text_string(&text), error,
                                  sizeof error))
        watch_say(&w->state, CANVAS_BAD, "predict.txt: %s", error);
    else if (known) watch_show_plan(&w->state, &plan);
    plan_release(&plan);
    prediction_release(&operations);
    text_release(&text);
    free(file);
    exercise_free(e);
    w->dirty = true;
}

static void keep_prediction(Watch *w)
{
    Exercise *e = read_exercise(w);
    char *file = e ? expect_file(e) : NULL, *text = plan_text(&w->state.plan);
    int failed = e ? text_write_file(file, text, strlen(text)) : 0;
    if (failed) watch_say(&w->state, CANVAS_BAD, "%s: %s", file, strerror(failed));
    else if (e) start_judge(w);
    free(text);
    free(file);
    exercise_free(e);
    w->dirty = true;
}

static void act(Watch *w, WatchAction action)
{
    switch (action) {
    case WATCH_NOTHING: return;
    case WATCH_DRAW:
    case WATCH_FOCUS: break;
    case WATCH_QUIT: w->quit = true; break;
    case WATCH_SELECT: settle(w); break;
    case WATCH_RUN: start_judge(w); break;
    case WATCH_EDIT: start_editor(w); break;
    case WATCH_READ: start_reading(w); break;
    case WATCH_HINT: remember_hint(w); break;
    case WATCH_ASK_RESET: ask_reset(w); break;
    case WATCH_RESET: reset(w); break;
    case WATCH_GPU: gpu(w); break;
    case WATCH_PREDICT: predict(w); break;
    case WATCH_PREDICTED: keep_prediction(w); break;
    }
    w->dirty = true;
}

static bool is_mouse(ScreenKey key)
{
    return key.kind >= SCREEN_PRESS && key.kind <= SCREEN_WHEEL_DOWN;
}

static void take_key(Watch *w, ScreenKey key)
{
    WatchState *s = &w->state;
    if (key.kind == SCREEN_RESIZE) {
        resized(w);
        return;
    }
    if (key.kind == SCREEN_CLOSED) {
        w->quit = true;
        return;
    }
    if (s->places.too_small && !(key.kind == SCREEN_CHARACTER && key.code == 'q')) return;
    const CanvasBox *box = &s->places.timeline;
    bool has = (s->pane == WATCH_TIMELINE || s->pane == WATCH_WIDE) && w->session.view;
    bool elsewhere = is_mouse(key) && (key.x < box->x || key.x >= box->x + box->columns ||
                                       key.y < box->y || key.y >= box->y + box->rows);
    bool first =
        s->pane == WATCH_COURSE && key.kind == SCREEN_PRESS && !elsewhere && w->session.view;
    if (first)
        act(w, watch_key(s, key)); /* a press on the timeline gives it the keys, and is also its own
                                    */
    if ((has && !elsewhere) || first) {
        ViewAnswer answer = view_key(w->session.view, key);
        if (answer == VIEW_DRAW) {
            w->dirty = w->looked = true;
            return;
        }
        if (answer == VIEW_COMMAND) {
            view_do(&w->session);
            w->dirty = true;
            return;
        }
        if (answer == VIEW_QUIT) key = (ScreenKey){.kind = SCREEN_ESCAPE};
        if (first) return;
    }
    WatchAction action = watch_key(s, key);
    if (action == WATCH_NOTHING && has && key.kind == SCREEN_CHARACTER) {
        view_say_unknown(w->session.view, key);
        w->dirty = true;
    }
    act(w, action);
}

/* ---- the loop ---- */
static int sooner(int a, int b) { return a < 0 ? b : b < 0 ? a : a < b ? a : b; }

static void wait_for_something(Watch *w)
{
    struct pollfd fds[SCREEN_FDS + 4];
    nfds_t n = 0;
    double now = background_clock();
    int timeout = file_watch_timeout(w->follow, now);
    timeout = sooner(timeout, background_timeout(&w->judge));
    timeout = sooner(timeout, background_timeout(&w->reader));
    if (w->screen && !w->editor) {
        screen_fds(w->screen, fds);
        n = SCREEN_FDS;
        if (w->session.view && view_moving(w->session.view)) timeout = sooner(timeout, TICK_MS);
        if (w->state.judging) {
            double past = now - w->state.since; /* the seconds are shown: wake when they change */
            timeout = sooner(timeout, (int)(((double)(long)past + 1 - past) * 1000) + 1);
        }
    }
    if (w->editor && w->editor_end < 0) timeout = sooner(timeout, EDITOR_LOOK_MS);
    if (file_watch_fd(w->follow) >= 0)
        fds[n++] = (struct pollfd){.fd = file_watch_fd(w->follow), .events = POLLIN};
    if (background_going(&w->judge))
        fds[n++] = (struct pollfd){.fd = w->judge.end, .events = POLLIN};
    if (background_going(&w->reader))
        fds[n++] = (struct pollfd){.fd = w->reader.end, .events = POLLIN};
    if (w->editor && w->editor_end >= 0)
        fds[n++] = (struct pollfd){.fd = w->editor_end, .events = POLLIN};
    poll(fds, n, timeout);
}

static void check_files(Watch *w)
{
    unsigned changed = file_watch_check(w->follow, background_clock());
    if (changed & FILE_WATCH_ALSO) {
        read_progress(w);
        w->dirty = true;
    }
    if (!(changed & FILE_WATCH_SOURCES)) return;
    watch_saved(&w->state);
    w->saved = true;
    start_judge(w);
}

static void loop_screen(Watch *w)
{
    long second = -1;
    while (!w->quit) {
        if (!w->editor) {
            for (ScreenKey key;
                 !w->quit && !w->editor && (key = screen_key(w->screen)).kind != SCREEN_NO_KEY;)
                take_key(w, key);
        }
        poll_editor(w);
        check_files(w);
        poll_judge(w);
        poll_reader(w);
        double now = background_clock();
        if (!w->editor && w->session.view && view_moving(w->session.view) &&
            view_tick(w->session.view, (uint64_t)(now * 1000)))
            w->dirty = true;
        long passed = w->state.judging ? (long)(now - w->state.since) : -1;
        if (passed != second) w->dirty = true;
        second = passed;
        if (w->dirty && !w->editor && !w->quit) {
            watch_draw(&w->state, &w->canvas, w->session.view, now);
            screen_show(w->screen, &w->canvas);
            w->dirty = false;
        }
        if (!w->quit) wait_for_something(w);
    }
}

/* No terminal: every verdict as `threelane run` prints it. */
static void loop_lines(Watch *w)
{
    const Terminal *out = &w->options->out;
    bool told = false;
    if (!w->state.judging)
        terminal_printf(out, STYLE_GOOD,
                        "%s is passed already: it is checked again when it is saved.\n",
                        current(w)->id);
    while (!w->quit) {
        poll_judge(w);
        check_files(w);
        if (w->state.said) {
            terminal_wrap(out, STYLE_CARE, 0, 0, w->state.said);
            free(w->state.said);
            w->state.said = NULL;
        }
        if (w->state.judging) {
            told = false;
        } else if (!told) {
            terminal_printf(out, STYLE_DIM, "\nWatching %s: save it to run it again, ^C ends.\n\n",
                            current(w)->file);
            told = true;
        }
        if (fflush(out->out) != 0) w->quit = true;
        else wait_for_something(w);
    }
}

static void choose_model(Watch *w)
{
    const char *asked = w->options->model;
    size_t i = 1;
    if (!asked) return;
    while (i < watch_n_models && strcmp(watch_models[i].name, asked) != 0) i++;
    w->state.model = i;
    if (i == watch_n_models) w->state.other_model = memory_copy(asked);
}

static void open_course(Watch *w, const CatalogueEntry *asked)
{
    size_t n = w->catalogue.n_entries;
    WatchExercise *exercises = memory_get(n, sizeof *exercises);
    for (size_t i = 0; i < n; i++) exercises[i] = describe(&w->catalogue, &w->catalogue.entries[i]);
    watch_state_init(&w->state, exercises, n);
    choose_model(w);
    read_progress(w);
    watch_select(&w->state,
                 asked ? (size_t)(asked - w->catalogue.entries) : watch_first_open(&w->state));
}

int command_watch(const Options *options)
{
    Watch w = {.options = options, .editor_end = -1};
    const CatalogueEntry *asked = NULL;
    char error[300] = "";
    int status = command_own_course(options, &w.catalogue, options->n_words ? &asked : NULL);
    if (status) return status;
    if (!w.catalogue.n_entries) {
        status = command_fail(VERDICT_USAGE, "%s has no exercises", w.catalogue.exercises);
        catalogue_close(&w.catalogue);
        return status;
    }
    Card card = {0};
    if (options->gpu && !card_open(&card, options->card, error, sizeof error))
        status = command_fail(VERDICT_USAGE, "%s", error);
    card_close(&card);
    if (status) {
        catalogue_close(&w.catalogue);
        return status;
    }
    const char *polling = getenv(ENV_POLL);
    open_course(&w, asked);
    w.state.gpu = options->gpu;
    w.follow = file_watch_new(polling && *polling && strcmp(polling, "0") != 0);
    ScreenOptions screen = {.colors = options->out.colors,
                            .utf8 = options->out.utf8,
                            .mouse = true};
    w.screen = screen_open(&screen, error, sizeof error);
    if (w.screen) {
        int columns, rows;
        screen_size(w.screen, &columns, &rows);
        if (!canvas_init(&w.canvas, columns, rows, options->out.utf8)) {
            screen_close(w.screen);
            status = command_fail(VERDICT_GRADER, "there is not enough memory for the screen");
        } else {
            settle(&w);
            loop_screen(&w);
        }
    } else {
        settle(&w);
        loop_lines(&w);
    }
    background_close(&w.judge);
    background_close(&w.reader);
    if (w.screen && !status) screen_close(w.screen);
    canvas_release(&w.canvas);
    forget_picture(&w);
    file_watch_free(w.follow);
    watch_state_release(&w.state);
    free(w.editor_name);
    catalogue_close(&w.catalogue);
    return status;
}
