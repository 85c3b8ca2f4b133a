/* watch_state.c - see watch_state.h. */
#include "grader/watch/watch_state.h"
#include "grader/build/messages.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 200, LONGEST_LINE = 400, TAIL_LINES = 2, TAIL_BYTES = 400 };

const WatchModel watch_models[] = {
    {NULL, "the only one that counts"},
    {"unit", "textbook: every stage takes one unit"},
    {"classroom", "6 and 12 GB/s, for easy sums"},
    {"h200", "an NVIDIA H200, as measured"},
    {"one-copy-engine", "copies in and out share one engine"},
};
const size_t watch_n_models = sizeof watch_models / sizeof *watch_models;

/* ---- what is known ---- */
void watch_state_init(WatchState *w, WatchExercise *exercises, size_t n)
{
    *w = (WatchState){.exercises = exercises, .n_exercises = n};
}

static void forget(WatchState *w)
{
    summary_release(&w->summary);
    w->has_summary = w->pictured = w->stale = w->asked_next = false;
    w->hint = w->scroll = 0;
}

void watch_state_release(WatchState *w)
{
    forget(w);
    for (size_t i = 0; i < w->n_exercises; i++) {
        WatchExercise *e = &w->exercises[i];
        char *strings[] = {e->id,   e->title, e->level, e->model,
                           e->todo, e->show,  e->file,  e->broken};
        for (size_t k = 0; k < sizeof strings / sizeof *strings; k++) free(strings[k]);
    }
    free(w->exercises);
    free(w->other_model);
    free(w->said);
    list_free(w->lesson);
    plan_release(&w->plan);
    *w = (WatchState){0};
}

static const WatchExercise *current(const WatchState *w) { return &w->exercises[w->at]; }

const SummaryCheck *watch_failed(const WatchState *w)
{
    return w->has_summary ? summary_failed(&w->summary) : NULL;
}

static int hints_of(const SummaryCheck *check)
{
    int n = 0;
    while (check && n < EXERCISE_HINTS && check->hints[n]) n++;
    return n;
}

void watch_progress(WatchState *w, const Progress *progress)
{
    for (size_t i = 0; i < w->n_exercises; i++) {
        const ProgressItem *item = progress_find(progress, w->exercises[i].id);
        w->exercises[i].state = item ? item->state : PROGRESS_NEW;
        w->exercises[i].points = item ? item->points : 0;
    }
    const SummaryCheck *failed = watch_failed(w);
    int stages = hints_of(failed),
        seen = failed ? progress_hint(progress, current(w)->id, failed->id) : 0;
    /* the first hint comes with the verdict, as `threelane run` prints it */
    w->hint = seen > stages ? stages : seen > 0 ? seen : stages > 0 ? 1 : 0;
}

size_t watch_first_open(const WatchState *w)
{
    for (size_t i = 0; i < w->n_exercises; i++) {
        if (w->exercises[i].state != PROGRESS_PASSED && !w->exercises[i].broken) return i;
    }
    return w->n_exercises - 1;
}

void watch_select(WatchState *w, size_t at)
{
    w->at = at < w->n_exercises ? at : w->n_exercises - 1;
    forget(w);
}

const char *watch_model(const WatchState *w)
{
    return w->model < watch_n_models ? watch_models[w->model].name : w->other_model;
}

void watch_judged(WatchState *w, Summary *summary, bool pictured)
{
    summary_release(&w->summary);
    w->summary = *summary;
    *summary = (Summary){0};
    w->has_summary = true;
    w->judging = false;
    w->asked_next = false;
    w->scroll = 0;
    w->stale = w->pictured && !pictured;
    w->pictured |= pictured;
    w->hint = hints_of(watch_failed(w)) > 0;
}

void watch_show_plan(WatchState *w, Plan *plan)
{
    plan_release(&w->plan);
    w->plan = *plan;
    *plan = (Plan){0};
    w->pane = WATCH_PLAN;
}

void watch_show_lesson(WatchState *w, char *text)
{
    list_free(w->lesson);
    plan_release(&w->plan);
    size_t n = 1, i = 0;
    for (const char *at = text; *at; at++) n += *at == '\n';
    w->lesson = memory_get(n + 1, sizeof *w->lesson);
    for (char *at = text;;) {
        char *end = strchrnul(at, '\n');
        if (*end || end > at) w->lesson[i++] = memory_format("%.*s", (int)(end - at), at);
        if (!*end) break;
        at = end + 1;
    }
    free(text);
    w->lesson_scroll = 0;
    w->pane = WATCH_LESSON;
}

void watch_say(WatchState *w, CanvasStyle style, const char *format, ...)
{
    va_list arguments;
    free(w->said);
    va_start(arguments, format);
    if (vasprintf(&w->said, format, arguments) < 0) w->said = NULL;
    va_end(arguments);
    w->said_style = style;
    w->said_stays = false;
}

void watch_saved(WatchState *w)
{
    if (w->said_stays) return;
    free(w->said);
    w->said = NULL;
}

/* ---- keys ---- */
static const char *const key_lines[] = {
    "e          edit the file in $VISUAL or $EDITOR (or in another window: just save)",
    "r          run again, also an exercise that is passed already",
    "h          the next hint for the check that failed",
    "L          the lesson",
    "y          lay out the schedule that you expect; the run then says how right you were",
    "n, p       the next exercise, the one before",
    "l          the list of all exercises",
    "t          the timeline over the whole screen; q comes back",
    "Tab        the keys go to the timeline where it is; q comes back",
    "d          another device model",
    "g          the real GPU, and back",
    "x          the untouched starter back; your file is kept as a backup",
    "Up, Down   scroll the verdict; Page Up and Page Down by more",
    "?          this page",
    "q          quit; everything you have reached is kept",
};

const char *watch_key_line(size_t i)
{
    return i < sizeof key_lines / sizeof *key_lines ? key_lines[i] : NULL;
}

static WatchAction choose(WatchState *w, size_t at)
{
    w->pane = WATCH_COURSE;
    if (at >= w->n_exercises || at == w->at) return WATCH_DRAW;
    watch_select(w, at);
    return WATCH_SELECT;
}

static WatchAction next(WatchState *w)
{
    bool sure = current(w)->state == PROGRESS_PASSED || w->asked_next || current(w)->broken;
    if (w->at + 1 == w->n_exercises) {
        size_t open = watch_first_open(w);
        if (w->exercises[open].state != PROGRESS_PASSED && open != w->at)
            watch_say(w, CANVAS_PLAIN,
                      "This is the last exercise; %s is not passed yet: l lists them all.",
                      w->exercises[open].id);
        else watch_say(w, CANVAS_PLAIN, "This is the last exercise.");
        return WATCH_DRAW;
    }
    if (sure) return choose(w, w->at + 1);
    w->asked_next = true;
    watch_say(w, CANVAS_CARE, "%s is not passed yet. n again goes on all the same.",
              current(w)->id);
    return WATCH_DRAW;
}

static WatchAction hint(WatchState *w)
{
    const SummaryCheck *failed = watch_failed(w);
    int stages = hints_of(failed);
    w->to_hint = failed != NULL;
    if (!w->has_summary) {
        watch_say(w, CANVAS_PLAIN, "Hints are about a check that failed: r runs the checks.");
    } else if (!failed && w->summary.kind == VERDICT_PASS) {
        watch_say(w, CANVAS_GOOD,
                  "It is passed, and no check has failed since: there is nothing to hint at.");
    } else if (!failed) {
        watch_say(w, CANVAS_PLAIN,
                  "The last run did not come to a check that failed: the verdict says why.");
    } else if (!stages) {
        watch_say(w, CANVAS_PLAIN, "There are no hints for this check: L is the lesson.");
    } else if (w->hint >= stages) {
        watch_say(w, CANVAS_PLAIN, "That was the last hint for this check: L is the lesson.");
    } else {
        w->hint++;
        w->to_hint = true;
        return WATCH_HINT;
    }
    return WATCH_DRAW;
}

/* Scrolling a text of `rows` rows in a window of `page`; false when the key is not about that. */
static bool scrolled(int *scroll, ScreenKey key, int rows, int page)
{
    int most = rows > page ? rows - page : 0, to = *scroll;
    if (page < 2) page = 2;
    uint32_t c = key.kind == SCREEN_CHARACTER ? key.code : 0;
    if (key.kind == SCREEN_UP || c == 'k') to--;
    else if (key.kind == SCREEN_DOWN || key.kind == SCREEN_ENTER || c == 'j' || c == '\r' ||
             c == '\n')
        to++;
    else if (key.kind == SCREEN_PAGE_UP || c == 'b') to -= page - 1;
    else if (key.kind == SCREEN_PAGE_DOWN || c == ' ') to += page - 1;
    else if (key.kind == SCREEN_HOME || c == '<') to = 0;
    else if (key.kind == SCREEN_END || c == '>') to = most;
    else if (key.kind == SCREEN_WHEEL_UP) to -= 3;
    else if (key.kind == SCREEN_WHEEL_DOWN) to += 3;
    else return false;
    *scroll = to < 0 ? 0 : to > most ? most : to;
    return true;
}

static bool moved(size_t *cursor, ScreenKey key, size_t n)
{
    uint32_t c = key.kind == SCREEN_CHARACTER ? key.code : 0;
    if (key.kind == SCREEN_UP || key.kind == SCREEN_WHEEL_UP || c == 'k') *cursor -= *cursor > 0;
    else if (key.kind == SCREEN_DOWN || key.kind == SCREEN_WHEEL_DOWN || c == 'j')
        *cursor += *cursor + 1 < n;
    else if (key.kind == SCREEN_HOME) *cursor = 0;
    else if (key.kind == SCREEN_END) *cursor = n - 1;
    else if (key.kind == SCREEN_PAGE_UP) *cursor -= *cursor < 10 ? *cursor : 10;
    else if (key.kind == SCREEN_PAGE_DOWN) *cursor = *cursor + 10 < n ? *cursor + 10 : n - 1;
    else return false;
    return true;
}

static bool is_enter(ScreenKey key)
{
    return key.kind == SCREEN_ENTER ||
           (key.kind == SCREEN_CHARACTER && (key.code == '\r' || key.code == '\n'));
}

static bool inside(CanvasBox box, ScreenKey key)
{
    return key.x >= box.x && key.x < box.x + box.columns && key.y >= box.y &&
           key.y < box.y + box.rows;
}

static WatchAction set_pane(WatchState *w, WatchPane pane)
{
    bool had = w->pane == WATCH_TIMELINE || w->pane == WATCH_WIDE,
         has = pane == WATCH_TIMELINE || pane == WATCH_WIDE;
    w->pane = pane;
    if (pane == WATCH_LIST) w->cursor = w->at;
    if (pane == WATCH_MODELS) w->cursor = w->model < watch_n_models ? w->model : 0;
    if (pane == WATCH_HELP) w->help_scroll = 0;
    return had || has ? WATCH_FOCUS : WATCH_DRAW;
}

static WatchAction course_mouse(WatchState *w, ScreenKey key)
{
    if (key.kind == SCREEN_WHEEL_UP || key.kind == SCREEN_WHEEL_DOWN) {
        scrolled(&w->scroll, key, w->places.verdict_rows, w->places.verdict.rows);
        return WATCH_DRAW;
    }
    if (key.kind != SCREEN_PRESS) return WATCH_NOTHING;
    if (inside(w->places.timeline, key) && w->pictured) return set_pane(w, WATCH_TIMELINE);
    if (!inside(w->places.exercises, key)) return WATCH_NOTHING;
    return choose(w, w->places.first_exercise + (size_t)(key.y - w->places.exercises.y));
}

static WatchAction course_key(WatchState *w, ScreenKey key)
{
    if (scrolled(&w->scroll, key, w->places.verdict_rows, w->places.verdict.rows))
        return WATCH_DRAW;
    if (key.kind == SCREEN_TAB || (key.kind == SCREEN_CHARACTER && key.code == '\t')) {
        if (w->pictured) return set_pane(w, WATCH_TIMELINE);
        watch_say(w, CANVAS_PLAIN, "There is no timeline yet: the program has to run first.");
        return WATCH_DRAW;
    }
    if (key.kind == SCREEN_LEFT || key.kind == SCREEN_RIGHT) return WATCH_NOTHING;
    if (key.kind != SCREEN_CHARACTER) return WATCH_NOTHING;
    switch (key.code) {
    case 'q': return WATCH_QUIT;
    case 'e': return WATCH_EDIT;
    case 'r': return WATCH_RUN;
    case 'n': return next(w);
    case 'p':
        if (w->at) return choose(w, w->at - 1);
        watch_say(w, CANVAS_PLAIN, "This is the first exercise.");
        return WATCH_DRAW;
    case 'h': return hint(w);
    case 'l': return set_pane(w, WATCH_LIST);
    case 'L': return WATCH_READ;
    case 'd': return set_pane(w, WATCH_MODELS);
    case 'g': return WATCH_GPU;
    case 'x': return WATCH_ASK_RESET;
    case 'y': return WATCH_PREDICT;
    case 't':
        if (w->pictured) return set_pane(w, WATCH_WIDE);
        watch_say(w, CANVAS_PLAIN, "There is no timeline yet: the program has to run first.");
        return WATCH_DRAW;
    case '?': return set_pane(w, WATCH_HELP);
    default: return WATCH_NOTHING;
    }
}

static bool leaves(ScreenKey key)
{
    return key.kind == SCREEN_ESCAPE ||
           (key.kind == SCREEN_CHARACTER && (key.code == 'q' || key.code == 27));
}

static bool is_mouse(ScreenKey key)
{
    return key.kind >= SCREEN_PRESS && key.kind <= SCREEN_WHEEL_DOWN;
}

/* Leaves a pane that a letter opens: by that letter as well. */
static bool leaves_by(ScreenKey key, char letter)
{
    return leaves(key) || (key.kind == SCREEN_CHARACTER && key.code == (unsigned char)letter);
}

static WatchAction timeline_key(WatchState *w, ScreenKey key)
{
    if (leaves(key)) return set_pane(w, WATCH_COURSE);
    if (!is_mouse(key) || inside(w->places.timeline, key)) return WATCH_NOTHING;
    set_pane(w, WATCH_COURSE);
    WatchAction action = course_mouse(w, key);
    return action == WATCH_NOTHING ? WATCH_FOCUS : action;
}

static WatchAction list_key(WatchState *w, ScreenKey key)
{
    if (moved(&w->cursor, key, w->n_exercises)) return WATCH_DRAW;
    if (is_enter(key)) return choose(w, w->cursor);
    if (key.kind == SCREEN_PRESS && inside(w->places.text, key))
        return choose(w, w->places.first_exercise + (size_t)(key.y - w->places.text.y));
    return leaves_by(key, 'l') ? set_pane(w, WATCH_COURSE) : WATCH_NOTHING;
}

static WatchAction models_key(WatchState *w, ScreenKey key)
{
    size_t pressed = watch_n_models;
    if (key.kind == SCREEN_PRESS && inside(w->places.text, key))
        pressed = (size_t)(key.y - w->places.text.y);
    if (key.kind == SCREEN_CHARACTER && key.code >= '1' && key.code <= '9')
        pressed = key.code - '1';
    if (moved(&w->cursor, key, watch_n_models)) return WATCH_DRAW;
    if (is_enter(key) || pressed < watch_n_models) {
        w->model = is_enter(key) ? w->cursor : pressed;
        w->gpu = false;
        w->pane = WATCH_COURSE;
        return WATCH_RUN;
    }
    return leaves_by(key, 'd') ? set_pane(w, WATCH_COURSE) : WATCH_NOTHING;
}

/* A page of text that is read, the lesson or the help. */
static WatchAction page_key(WatchState *w, ScreenKey key, char letter, int *scroll)
{
    if (leaves_by(key, letter)) return set_pane(w, WATCH_COURSE);
    return scrolled(scroll, key, w->places.text_rows, w->places.text.rows) ? WATCH_DRAW
                                                                           : WATCH_NOTHING;
}

static WatchAction plan_pane_key(WatchState *w, ScreenKey key)
{
    PlanAnswer answer = plan_key(&w->plan, key);
    if (answer != PLAN_DONE) return answer == PLAN_DRAW ? WATCH_DRAW : WATCH_NOTHING;
    w->pane = WATCH_COURSE;
    return w->plan.changed ? WATCH_PREDICTED : WATCH_DRAW;
}

/* The question whether the starter is to come back. */
static WatchAction question_key(WatchState *w, ScreenKey key)
{
    if (key.kind == SCREEN_CHARACTER && (key.code == 'y' || key.code == 'Y')) {
        w->pane = WATCH_COURSE;
        return WATCH_RESET;
    }
    if (is_mouse(key) || key.kind == SCREEN_RESIZE || key.kind == SCREEN_NO_KEY)
        return WATCH_NOTHING;
    w->pane = WATCH_COURSE;
    watch_say(w, CANVAS_PLAIN, "Nothing was changed.");
    return WATCH_DRAW;
}

static WatchAction pane_key(WatchState *w, ScreenKey key)
{
    switch (w->pane) {
    case WATCH_COURSE: return is_mouse(key) ? course_mouse(w, key) : course_key(w, key);
    case WATCH_TIMELINE: return timeline_key(w, key);
    case WATCH_WIDE: return leaves(key) ? set_pane(w, WATCH_COURSE) : WATCH_NOTHING;
    case WATCH_LIST: return list_key(w, key);
    case WATCH_MODELS: return models_key(w, key);
    case WATCH_LESSON: return page_key(w, key, 'L', &w->lesson_scroll);
    case WATCH_HELP: return page_key(w, key, '?', &w->help_scroll);
    case WATCH_PLAN: return plan_pane_key(w, key);
    case WATCH_QUESTION: return question_key(w, key);
    }
    return WATCH_NOTHING;
}

WatchAction watch_key(WatchState *w, ScreenKey key)
{
    bool said = w->said != NULL;
    bool next_again = key.kind == SCREEN_CHARACTER && key.code == 'n' && w->pane == WATCH_COURSE;
    if (key.kind == SCREEN_RELEASE || key.kind == SCREEN_DRAG) return WATCH_NOTHING;
    if (!next_again) w->asked_next = false;
    free(w->said);
    w->said = NULL;

    WatchAction action = pane_key(w, key);
    return action == WATCH_NOTHING && said ? WATCH_DRAW : action;
}

/* ---- the verdict in words ---- */
static void add(WatchLines *lines, CanvasStyle style, int indent, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void add(WatchLines *lines, CanvasStyle style, int indent, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) text = memory_copy("");
    va_end(arguments);
    lines->items = memory_grow(lines->items, lines->n + 1, sizeof *lines->items);
    lines->items[lines->n++] = (WatchLine){.style = style, .indent = indent, .text = text};
}

/* Lines whose columns matter, as they are. */
static void add_raw(WatchLines *lines, CanvasStyle style, int indent, const char *bytes,
                    size_t length)
{
    const char *at = bytes, *end = bytes + length;
    for (int n = 0; at < end; n++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t one = (size_t)((stop ? stop : end) - at);
        if (n == MOST_LINES) {
            add(lines, CANVAS_DIM, indent, "... and more");
            return;
        }
        Text safe = {0};
        text_add_shown(&safe, at, one < LONGEST_LINE ? one : LONGEST_LINE, false);
        add(lines, style, indent, "%s%s", text_string(&safe), one > LONGEST_LINE ? " ..." : "");
        lines->items[lines->n - 1].raw = true;
        text_release(&safe);
        at = stop ? stop + 1 : end;
    }
}

/* A compiler's messages: words are wrapped, the source lines and marks below them (which are
 * indented) are not. */
static void add_messages(WatchLines *lines, int indent, const char *bytes, size_t length)
{
    size_t first = lines->n;
    add_raw(lines, CANVAS_PLAIN, indent, bytes, length);
    for (size_t i = first; i < lines->n; i++) {
        WatchLine *line = &lines->items[i];
        line->raw = line->text[0] == ' ';
        if (messages_is_error(line->text)) line->style = CANVAS_BOLD;
    }
}

static void add_difference(WatchLines *lines, const char *detail, int indent)
{
    static const struct {
        char mark;
        const char *words;
        CanvasStyle style;
    } marks[] = {
        {'-', "expected ", CANVAS_GOOD},  {'+', "yours    ", CANVAS_BAD},
        {'^', "         ", CANVAS_BAD},   {'.', "         ", CANVAS_DIM},
        {' ', "         ", CANVAS_PLAIN},
    };
    for (const char *at = detail; *at;) {
        const char *end = strchrnul(at, '\n');
        size_t m = 0;
        while (m < 4 && marks[m].mark != *at) m++;
        Text line = {0};
        text_add(&line, marks[m].words);
        if (end - at > 2) text_append(&line, at + 2, (size_t)(end - at - 2));
        add_raw(lines, marks[m].style, indent, text_string(&line), line.length);
        text_release(&line);
        at = *end ? end + 1 : end;
    }
}

static void add_hint(WatchLines *lines, const WatchState *w, const SummaryCheck *failed)
{
    int stages = hints_of(failed);
    if (!stages || w->hint < 1) return;
    add(lines, CANVAS_CARE, 2, "Hint %d of %d: %s", w->hint, stages, failed->hints[w->hint - 1]);
    lines->items[lines->n - 1].hint = true;
}

static void add_score(WatchLines *lines, int indent, const SummaryCheck *check)
{
    char *words = summary_score_words(&check->score);
    if (words) add(lines, CANVAS_DIM, indent, "%s", words);
    free(words);
}

static void add_failure(WatchLines *lines, const SummaryCheck *check)
{
    add(lines, CANVAS_BOLD, 2, "%s (%d of %d points)", check->title, check->points,
        check->possible);
    if (check->cause) add(lines, CANVAS_PLAIN, 2, "%s", check->cause);
    add_score(lines, 2, check);
}

/* What a program said last, before it was stopped: often where and why. */
static void add_tail(WatchLines *lines, int indent, const Text *output)
{
    const char *text = text_string(output), *end = text + output->length, *at = end;
    while (end > text && (end[-1] == '\n' || end[-1] == ' ')) end--;
    at = end;
    for (int n = 0; at > text && n < TAIL_LINES; at--) {
        if (at[-1] == '\n' && ++n == TAIL_LINES) break;
    }
    if (end - at > TAIL_BYTES) at = end - TAIL_BYTES;
    Text safe = {0};
    text_add_shown(&safe, at, (size_t)(end - at), false);
    if (safe.length) add(lines, CANVAS_CARE, indent, "%s", text_string(&safe));
    text_release(&safe);
}

static void verdict_fail(WatchLines *lines, const WatchState *w)
{
    const Summary *s = &w->summary;
    const SummaryCheck *failed = summary_failed(s);
    static const char *const what[] = {[VERDICT_CRASH] = "It crashed.",
                                       [VERDICT_TIMEOUT] = "It does not end.",
                                       [VERDICT_LIMIT] = "It takes too much."};
    if (s->stopped) {
        add(lines, CANVAS_BAD, 0, "%s %d of %d points.", what[s->kind], s->points, s->possible);
        add(lines, CANVAS_PLAIN, 2, "%s%s%s%s", text_string(&s->message), s->label[0] ? " (" : "",
            s->label, s->label[0] ? ")" : "");
        add_tail(lines, 2, &s->output);
        if (s->stop_hint) add(lines, CANVAS_CARE, 2, "Hint: %s", s->stop_hint);
    } else {
        add(lines, CANVAS_BAD, 0, "Not yet: %d of %d points.", s->points, s->possible);
    }
    if (s->untouched) {
        add(lines, CANVAS_PLAIN, 2,
            "This is the starter as it came: that it fails is expected. L is the lesson. The first "
            "step: %s.",
            s->todo ? s->todo : "read it");
    }
    for (size_t i = 0; i < s->n_notes; i++)
        add(lines, s->notes[i].error ? CANVAS_BAD : CANVAS_CARE, 2, "%s", s->notes[i].text);
    if (!failed) return;
    add_failure(lines, failed);
    add_hint(lines, w, failed);
    if (s->predict)
        add(lines, CANVAS_CARE, 2, "Before you edit, predict: %s y lays it out.", s->predict);
    if (failed->detail) add_difference(lines, failed->detail, 4);
}

static void verdict_of_run(WatchLines *lines, const WatchState *w)
{
    const Summary *s = &w->summary;
    const WatchExercise *e = current(w);
    bool last = w->at + 1 == w->n_exercises,
         all = w->exercises[watch_first_open(w)].state == PROGRESS_PASSED;
    switch (s->kind) {
    case VERDICT_PASS:
        add(lines, CANVAS_GOOD, 0, "Passed: %d of %d points%s.", s->points, s->possible,
            s->own ? "" : ", but this does not count");
        if (!s->own)
            add(lines, CANVAS_PLAIN, 2,
                "What counts is the exercise's own device (%s): d changes it.", e->model);
        else if (!s->unsaved)
            add(lines, CANVAS_GOOD, 2, "%d XP are yours.%s", e->xp,
                last ? "" : " n is the next exercise.");
        else if (!last) add(lines, CANVAS_PLAIN, 2, "n is the next exercise.");
        if (s->own && all) add(lines, CANVAS_GOOD, 2, "Every exercise is passed.");
        for (size_t i = 0; i < s->n_notes; i++)
            add(lines, s->notes[i].error ? CANVAS_BAD : CANVAS_CARE, 2, "%s", s->notes[i].text);
        break;
    case VERDICT_COMPILE:
        add(lines, CANVAS_BAD, 0, "It does not compile. Mend the first error:");
        if (s->label[0]) add(lines, CANVAS_CARE, 2, "(%s)", s->label);
        if (s->stop_hint) add(lines, CANVAS_CARE, 2, "Hint: %s", s->stop_hint);
        add_messages(lines, 2, text_string(&s->message), s->message.length);
        break;
    case VERDICT_GRADER:
        add(lines, CANVAS_BAD, 0,
            "The exercise or its tools are broken: this is not your program's fault.");
        add_messages(lines, 2, text_string(&s->message), s->message.length);
        break;
    case VERDICT_USAGE:
        add(lines, CANVAS_BAD, 0, "There is nothing to run:");
        add(lines, CANVAS_PLAIN, 2, "%s", text_string(&s->message));
        add(lines, CANVAS_PLAIN, 2, "It is tried again when the file changes. %s",
            s->because == REASON_MODEL ? "d chooses another device."
                                       : "x brings the starter back.");
        break;
    default: verdict_fail(lines, w);
    }
    if (s->golden_printed) {
        add(lines, CANVAS_BAD, 2,
            "The program printed the expected report itself. That proves nothing: the report that "
            "counts is drawn from what the virtual GPU recorded, and what a program prints is only "
            "shown.");
    }
    if (s->unsaved) add(lines, CANVAS_CARE, 2, "Not kept: %s", s->unsaved);
}

WatchLines watch_verdict(const WatchState *w)
{
    WatchLines lines = {0};
    const WatchExercise *e = current(w);
    if (e->broken) {
        add(&lines, CANVAS_BAD, 0, "This exercise cannot be read:");
        add(&lines, CANVAS_PLAIN, 2, "%s", e->broken);
    } else if (w->has_summary) {
        verdict_of_run(&lines, w);
    } else if (w->judging) {
        add(&lines, CANVAS_PLAIN, 0, "Compiling and running %s ...", e->file);
    } else if (e->state == PROGRESS_PASSED) {
        add(&lines, CANVAS_GOOD, 0, "Passed before: %d XP.", e->xp);
        add(&lines, CANVAS_PLAIN, 2, "It is checked again when you ask (r) or save %s.%s", e->file,
            w->at + 1 == w->n_exercises ? "" : " n is the next exercise.");
    } else {
        add(&lines, CANVAS_PLAIN, 0, "r runs %s; so does saving it.", e->file);
    }
    return lines;
}

/* What was predicted, and what came. */
static void add_expected(WatchLines *lines, const Summary *s)
{
    if (!s->expected) return;
    add(lines, CANVAS_TITLE, 0, "%s", "What you expected");
    for (const char *at = s->expected; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        Text safe = {0};
        text_add_shown(&safe, at, strcspn(at, "\n"), false);
        add(lines, CANVAS_PLAIN, 2, "%s", text_string(&safe));
        text_release(&safe);
    }
    add(lines, CANVAS_PLAIN, 0, "%s", "");
}

WatchLines watch_details(const WatchState *w)
{
    static const struct {
        const char *word;
        CanvasStyle style;
    } states[] = {
        [CHECK_PASS] = {"pass", CANVAS_GOOD},    [CHECK_FAIL] = {"FAIL", CANVAS_BAD},
        [CHECK_BLOCKED] = {"after", CANVAS_DIM}, [CHECK_BROKEN] = {"broken", CANVAS_BAD},
        [CHECK_OPEN] = {"open", CANVAS_DIM},     [CHECK_OTHER_MODEL] = {"other", CANVAS_CARE},
    };
    WatchLines lines = {0};
    if (!w->has_summary) return lines;
    const Summary *s = &w->summary;
    const SummaryCheck *first = summary_failed(s);
    add_expected(&lines, s);
    for (size_t i = 0; i < s->n_checks; i++) {
        const SummaryCheck *check = &s->checks[i];
        Text words = {0};
        text_printf(&words, "%-6s %2d/%-2d  %s", states[check->state].word, check->points,
                    check->possible, check->title);
        if (check->state == CHECK_BLOCKED && !check->after)
            text_add(&words, " (the program has to end first)");
        add(&lines, states[check->state].style, 0, "%s", text_string(&words));
        lines.items[lines.n - 1].raw = true;
        if (check != first) add_score(&lines, 14, check);
        if (check != first && check->cause) {
            add(&lines, CANVAS_PLAIN, 14, "%s", check->cause);
            if (check->detail) add_difference(&lines, check->detail, 14);
        }
        text_release(&words);
    }
    struct {
        const char *heading;
        const Text *text;
    } parts[] = {{"The program printed", &s->output}, {"The report", &s->report}};
    for (size_t i = 0; i < 2 && s->judged; i++) {
        if (!parts[i].text->length) continue;
        add(&lines, CANVAS_PLAIN, 0, "%s", "");
        if (i == 0 && s->label[0])
            add(&lines, CANVAS_TITLE, 0, "%s %s", parts[i].heading, s->label);
        else add(&lines, CANVAS_TITLE, 0, "%s", parts[i].heading);
        add_raw(&lines, CANVAS_PLAIN, 2, text_string(parts[i].text), parts[i].text->length);
    }
    return lines;
}

void watch_lines_release(WatchLines *lines)
{
    for (size_t i = 0; i < lines->n; i++) free(lines->items[i].text);
    free(lines->items);
    *lines = (WatchLines){0};
}
