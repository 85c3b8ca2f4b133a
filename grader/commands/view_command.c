/* view_command.c - `threelane view`: a trace on the whole terminal, also while it grows. */
#include "grader/commands/view_command.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
#include "common/env.h"
#include "common/utf8.h"
#include "grader/whatif/ask.h"
#include "grader/commands/command.h"
#include "grader/commands/show.h"
#include "grader/judge/judge.h"
#include "timeline/exports/export.h"
#include "timeline/trace/analysis.h"
#include "timeline/trace/infer.h"
#include "timeline/exports/nsys.h"
#include "timeline/pictures/schedule.h"
#include "timeline/viewer/screen.h"

enum {
    LOOK_MS = 500, /* how often a file is looked at where the kernel does not tell */
    PAUSE_MS = 40, /* between two looks at a growing file, at least */
    TICK_MS = 33,
};

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- opening ---- */

Trace *view_open(const char *path, char *error, size_t error_size)
{
    struct stat status = {0};
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > VIEW_MOST_BYTES) {
        char start[10] = "";
        FILE *file = fopen(path, "re");
        bool trace = nsys_is_database(path) ||
                     (file && fread(start, 1, sizeof start, file) == sizeof start &&
                      !memcmp(start, "threelane\t", sizeof start));
        if (file) fclose(file);
        snprintf(
            error, error_size,
            trace
                ? "%s: %.1f GB are too much to look at; the viewer takes %lld GB. Record a shorter "
                  "part of the run"
                : "%s: not a Threelane trace (%.1f GB of something else)",
            path, (double)status.st_size / 1e9, VIEW_MOST_BYTES >> 30);
        return NULL;
    }
    /* what may still grow gets its reasons at its end */
    bool growing = time(NULL) - status.st_mtime < 3 && !nsys_is_database(path);
    Trace *trace =
        growing ? trace_read(path, error, error_size) : nsys_open(path, error, error_size);
    if (growing && trace && trace->ended)
        infer_causes(trace); /* what is short of memory here only lacks the reasons */
    return trace;
}

/* ---- source lines ---- */

struct ViewSources {
    char *folder, *name;
    Text text;
    bool found;
    Text line;
};

ViewSources *view_sources_new(const char *trace_path)
{
    ViewSources *sources = memory_get(1, sizeof *sources);
    const char *slash = strrchr(trace_path, '/');
    sources->folder =
        slash ? memory_format("%.*s", (int)(slash - trace_path), trace_path) : memory_copy(".");
    return sources;
}

void view_sources_free(ViewSources *sources)
{
    if (!sources) return;
    free(sources->folder);
    free(sources->name);
    text_release(&sources->text);
    text_release(&sources->line);
    free(sources);
}

static void find_source(ViewSources *s, const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    char *paths[] = {memory_copy(file), memory_format("%s/%s", s->folder, file),
                     memory_format("%s/../%s", s->folder, file),
                     memory_format("%s/%s", s->folder, name), memory_copy(name)};
    free(s->name);
    s->name = memory_copy(file);
    s->found = false;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        text_clear(&s->text);
        s->found = s->found || text_read_file(&s->text, paths[i], 1 << 20) == 0;
        if (s->found) break;
    }
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) free(paths[i]);
}

const char *view_source_line(void *context, const char *file, uint32_t line)
{
    ViewSources *s = context;
    if (!file || !line) return NULL;
    if (!s->name || strcmp(s->name, file) != 0) find_source(s, file);
    if (!s->found) return NULL;
    const char *at = text_string(&s->text);
    for (; line > 1; line--) {
        at = strchr(at, '\n');
        if (!at) return NULL;
        at++;
    }
    text_clear(&s->line);
    text_append(&s->line, at, strcspn(at, "\r\n") < 400 ? strcspn(at, "\r\n") : 400);
    for (size_t i = 0; i < s->line.length; i++) {
        if (s->line.data[i] == '\t') s->line.data[i] = ' ';
    }
    return text_string(&s->line);
}

/* ---- commands ---- */

static void sayf(View *view, bool care, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void sayf(View *view, bool care, const char *format, ...)
{
    char text[PATH_MAX + 300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    view_say(view, care, text);
}

/* Where to write: the name given, or the trace's with another ending. What exists is only written
 * over with '!'. NULL after saying why. */
static char *target(const ViewSession *session, const char *given, const char *ending, bool force,
                    const char *command)
{
    char *path;
    if (*given) {
        path = memory_copy(given);
    } else {
        const char *slash = strrchr(session->path, '/'), *name = slash ? slash + 1 : session->path,
                   *dot = strrchr(name, '.');
        path = memory_format("%.*s.%s", dot && dot > name ? (int)(dot - name) : (int)strlen(name),
                             name, ending);
    }
    if (force || access(path, F_OK) != 0) return path;
    sayf(session->view, true, "%s exists: %s! writes over it", path, command);
    free(path);
    return NULL;
}

static void save_display(const ViewSession *session, const char *given, bool force)
{
    char *path = target(session, given, "screen.txt", force, "save-display");
    if (!path) return;
    FILE *file = fopen(path, "we");
    bool failed = !file || canvas_write(file, session->canvas, false) != 0;
    if (file && fclose(file) != 0) failed = true;
    if (failed) sayf(session->view, true, "%s: %s", path, strerror(errno));
    else sayf(session->view, false, "Written to %s", path);
    free(path);
}

static void export_as(const ViewSession *session, char *words, bool force)
{
    char *form = words + strspn(words, " "), *after = form + strcspn(form, " ");
    if (*after) *after++ = '\0';
    after += strspn(after, " ");
    const char *ending = export_ending(form);
    if (!ending) {
        char forms[200];
        sayf(session->view, true, "export FORM [FILE]: FORM is %s",
             export_forms(forms, sizeof forms));
        return;
    }
    char *path = target(session, after, ending, force, "export");
    if (!path) return;
    char error[PATH_MAX + 300];
    ExportOptions options = {.range = view_range(session->view),
                             .by_stream = view_by_stream(session->view),
                             .path = session->path};
    if (export_write(path, session->trace, form, &options, error, sizeof error))
        sayf(session->view, false, "Written to %s", path);
    else view_say(session->view, true, error);
    free(path);
}

void view_do_compare(ViewSession *session, const char *path)
{
    char error[PATH_MAX + 300];
    view_end_question(session);
    if (!strcmp(path, "solution") && access(path, F_OK) != 0) {
        if (!session->solution || access(session->solution, R_OK) != 0) {
            view_say(session->view, true,
                     "There is no run of the solution to compare with: run the exercise first");
            return;
        }
        path = session->solution;
    }
    Trace *other = view_open(path, error, sizeof error);
    if (!other) {
        view_say(session->view, true, error);
        return;
    }
    bool solution = session->solution && !strcmp(path, session->solution);
    if (!view_compare(session->view, other, solution ? "the solution" : path)) {
        view_say(session->view, true, "Not enough memory to compare");
        trace_free(other);
        other = NULL;
    } else {
        sayf(session->view, false, "Below: %s. D: the next difference, :compare off ends it",
             solution ? "the solution" : path);
    }
    trace_free(session->compared);
    session->compared = other;
}

/* ---- what if ---- */

/* Operations are mostly numbered in the other run as in this one. */
static void stand_again(const ViewSession *session, const Trace *was, uint32_t op, const Trace *is)
{
    if (op && op <= was->n_ops && op <= is->n_ops && was->ops[op].kind == is->ops[op].kind)
        view_stand_on(session->view, op);
}

void view_end_question(ViewSession *session)
{
    if (!session->answer) return;
    view_compare(session->view, NULL, NULL);
    uint32_t op = view_selected(session->view);
    if (!view_set_trace(session->view, session->trace, session->title)) return; /* it is shown on */
    view_show_range(session->view, view_range(session->view)); /* all of it is in sight again */
    stand_again(session, session->answer, op, session->trace);
    view_set_answered(session->view, false);
    trace_free(session->answer);
    free(session->title);
    session->answer = NULL;
    session->title = NULL;
}

/* The answer above, what ran below, as when two runs are compared. */
static void show_answer(ViewSession *session, Asked *asked)
{
    char times[400], *title;
    Text hazards = {0};
    Answer *answer = &asked->answer;
    answer_times(answer, session->trace, true, times, sizeof times);
    answer_hazards(answer, session->trace, 1, &hazards);
    title = memory_format("What if: %s", text_string(&asked->question.words));
    char *before = memory_copy(view_title(session->view));
    uint32_t range = answer->range, op = view_selected(session->view);
    bool shown = view_set_trace(session->view, answer->after, title);
    if (shown) {
        session->answer = answer->after;
        session->title = before;
        answer->after = NULL;
        if (range) view_show_range(session->view, range);
        shown = view_compare(session->view, session->trace, "what ran");
        stand_again(session, session->trace, op, session->answer);
        view_set_answered(session->view, true);
    } else {
        free(before);
    }
    const char *trouble = text_string(&answer->trouble), *more = text_string(&hazards);
    if (!shown) view_say(session->view, true, "Not enough memory for the answer");
    else if (*trouble) sayf(session->view, true, "%s. %s", times, trouble);
    else if (*more)
        sayf(session->view, answer->n_new > 0, "%s. %.*s", times, (int)strcspn(more, "\n"), more);
    else sayf(session->view, false, "%s. W asks more, :whatif off ends it", times);
    text_release(&hazards);
    free(title);
}

static void whatif(ViewSession *session, const char *changes)
{
    char error[PATH_MAX + 900];
    size_t n;
    char **words = list_split(changes, ' ', &n);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (*words[i]) words[kept++] = words[i];
        else free(words[i]);
    words[kept] = NULL;
    if (!kept || !strcmp(changes, "off")) {
        view_end_question(session);
        if (!kept)
            view_say(session->view, true,
                     "whatif CHANGE: for example stream K1=2, pinned h2d, drop-wait ex43.cu:31");
    } else {
        Asked asked;
        view_end_question(session); /* the next one is about what ran, too */
        const WhatifAsk ask = {.trace = session->trace,
                               .path = session->path,
                               .range = view_range(session->view),
                               .catalogue = session->catalogue,
                               .words = words,
                               .n_words = kept,
                               .argv = session->program};
        if (session->compared) view_compare(session->view, NULL, NULL);
        trace_free(session->compared);
        session->compared = NULL;
        if (!whatif_ask(&ask, &asked, error, sizeof error)) view_say(session->view, true, error);
        else show_answer(session, &asked);
        whatif_release(&asked);
    }
    list_free(words);
}

void view_offer(ViewSession *session)
{
    Idea ideas[IDEAS];
    uint32_t n = ask_ideas(session->trace, session->path, session->catalogue, ideas);
    view_set_ideas(session->view, ideas, n);
}

void view_do(ViewSession *session)
{
    char *command = memory_copy(view_command(session->view)),
         *word = command + strcspn(command, " ");
    if (*word) *word++ = '\0';
    word += strspn(word, " ");
    for (size_t n = strlen(word); n > 0 && word[n - 1] == ' ';) word[--n] = '\0';
    size_t length = strlen(command);
    bool force = length > 1 && command[length - 1] == '!';
    if (force) command[length - 1] = '\0';
    if (!strcmp(command, "save-display")) {
        save_display(session, word, force);
    } else if (!strcmp(command, "export")) {
        export_as(session, word, force);
    } else if (!strcmp(command, "whatif")) {
        whatif(session, word);
    } else if (!strcmp(command, "compare") && (!*word || !strcmp(word, "off"))) {
        view_end_question(session);
        view_compare(session->view, NULL, NULL);
        trace_free(session->compared);
        session->compared = NULL;
        if (!*word) view_say(session->view, true, "compare FILE, compare solution, or compare off");
    } else if (!strcmp(command, "compare")) {
        view_do_compare(session, word);
    } else if (!strcmp(command, "mouse") && session->screen &&
               (!strcmp(word, "off") || !strcmp(word, "on"))) {
        screen_mouse(session->screen, word[1] == 'n');
        view_say(session->view, false,
                 word[1] == 'n' ? "The mouse works in the picture"
                                : "The mouse is the terminal's: it selects text; :mouse on");
    } else {
        sayf(session->view, true,
             "There is no command '%s'; there are goto, compare, whatif, save-display, export, "
             "mouse, q",
             command);
    }
    free(command);
}

void view_session_release(ViewSession *session)
{
    if (session->view && (session->compared || session->answer)) view_end_question(session);
    if (session->view && session->compared) view_compare(session->view, NULL, NULL);
    trace_free(session->compared);
    session->compared = NULL;
}

/* ---- following the file ---- */

typedef struct Watch {
    const char *path;
    int fd;     /* inotify, or -1 */
    bool blind; /* the kernel does not tell: look now and then */
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
    char end[64];
    size_t n_end; /* the last bytes of those: other ones there mean another run in the same file */
    bool stale;   /* what is there now could not be read: the picture is of what was there before */
    uint64_t next_ms, look_ms; /* not before; at the latest, where blind */
    bool waiting;              /* something has changed that was not looked at yet */
} Watch;

static bool is_remote(const char *path)
{
    struct statfs fs;
    if (statfs(path, &fs) != 0) return false;
    static const unsigned long blind[] = {0x6969,     0xff534d42, 0xfe534d42, 0x517b,
                                          0x65735546, 0x01021997, 0x73757245};
    for (size_t i = 0; i < sizeof blind / sizeof *blind; i++) {
        if ((unsigned long)fs.f_type == blind[i]) return true; /* nfs, smb, fuse, 9p, coda */
    }
    return false;
}

/* The bytes before a place in the file. */
static size_t read_end(const Watch *w, off_t size, char *bytes, size_t room)
{
    size_t want = size < (off_t)room ? (size_t)size : room;
    int fd = open(w->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = fd >= 0 ? pread(fd, bytes, want, size - (off_t)want) : -1;
    if (fd >= 0) close(fd);
    return got < 0 ? 0 : (size_t)got;
}

static void remember(Watch *w)
{
    struct stat status;
    if (stat(w->path, &status) != 0) return;
    w->device = status.st_dev;
    w->inode = status.st_ino;
    w->size = status.st_size;
    w->changed = status.st_mtim;
    w->n_end = read_end(w, w->size, w->end, sizeof w->end);
}

/* Another file, or this one with other contents than what was added to it. */
static bool is_another(const Watch *w, const struct stat *status, bool ended)
{
    if (status->st_dev != w->device || status->st_ino != w->inode || status->st_size < w->size)
        return true;
    bool touched = status->st_size != w->size || status->st_mtim.tv_sec != w->changed.tv_sec ||
                   status->st_mtim.tv_nsec != w->changed.tv_nsec;
    if (ended || w->stale || !touched) return touched;
    char end[sizeof w->end];
    size_t n = read_end(w, w->size, end, sizeof end);
    return n != w->n_end || memcmp(end, w->end, n) != 0;
}

static void watch_start(Watch *w, const char *path)
{
    *w = (Watch){.path = path, .fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
    const char *slash = strrchr(path, '/');
    char *folder = slash == path ? memory_copy("/")
                   : slash       ? memory_format("%.*s", (int)(slash - path), path)
                                 : memory_copy(".");
    /* the folder tells of all its files: of one that is written to, and of one that takes its
     * place */
    bool told =
        w->fd >= 0 &&
        inotify_add_watch(w->fd, folder, IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE) >= 0;
    w->blind = !told || is_remote(folder);
    free(folder);
    remember(w);
    w->waiting = true; /* it may have changed since it was read */
}

/* Takes the kernel's notices; true when one is about this file. */
static bool watch_notices(Watch *w)
{
    char buffer[8192] __attribute__((aligned(__alignof__(struct inotify_event))));
    const char *slash = strrchr(w->path, '/'), *name = slash ? slash + 1 : w->path;
    bool any = false;
    ssize_t got;
    while (w->fd >= 0 && (got = read(w->fd, buffer, sizeof buffer)) > 0) {
        for (char *at = buffer; at < buffer + got;) {
            const struct inotify_event *event = (const struct inotify_event *)at;
            if ((event->mask & (IN_Q_OVERFLOW | IN_IGNORED)) ||
                (event->len && !strcmp(event->name, name)))
                any = true;
            if (event->mask & IN_IGNORED) w->blind = true; /* the folder is gone */
            at += sizeof *event + event->len;
        }
    }
    return any;
}

typedef struct Viewer {
    const Options *options;
    Screen *screen;
    Canvas canvas;
    ViewSession session;
    Watch watch;
    char *title;
} Viewer;

/* Another file has taken its place, or it begins anew. The old picture stays until there is a new
 * one. */
static void reload(Viewer *v)
{
    char error[PATH_MAX + 300];
    Trace *fresh = view_open(v->watch.path, error, sizeof error);
    v->watch.stale = !fresh;
    if (fresh) view_end_question(&v->session);
    if (!fresh) {
        sayf(v->session.view, true, "The file has changed, this is still its old state: %s", error);
        return;
    }
    if (!view_set_trace(v->session.view, fresh, v->title)) {
        trace_free(fresh);
        view_say(v->session.view, true, "Not enough memory for the new trace: this is the old one");
        return;
    }
    trace_free(v->session.trace);
    v->session.trace = fresh;
    view_say(v->session.view, false, "The file was written anew: this is the new run");
}

/* Looks at the file; true when the picture changes. */
static bool look(Viewer *v)
{
    Watch *w = &v->watch;
    struct stat status;
    uint64_t begin = now_ms();
    bool changed = false;
    w->waiting = false;
    if (stat(w->path, &status) != 0)
        return false; /* between two files; or gone: what is shown stays */
    if (is_another(w, &status, v->session.trace->ended)) {
        remember(w);
        reload(v);
        changed = true;
    } else if (!v->session.trace->ended && !v->session.answer &&
               trace_read_more(v->session.trace)) {
        if (v->session.trace->ended) infer_causes(v->session.trace);
        changed = view_update(v->session.view);
        if (v->session.trace->ended) view_say(v->session.view, false, "The program has ended");
        changed |= v->session.trace->ended;
        remember(w);
    }
    /* looking never takes more than a fifth of the time */
    uint64_t end = now_ms();
    w->next_ms = end + (4 * (end - begin) > PAUSE_MS ? 4 * (end - begin) : PAUSE_MS);
    w->look_ms = end + LOOK_MS;
    return changed;
}

/* ---- the loop ---- */

static void draw(Viewer *v)
{
    int columns, rows;
    screen_size(v->screen, &columns, &rows);
    if (v->canvas.columns != columns || v->canvas.rows != rows) {
        if (!canvas_resize(&v->canvas, columns, rows)) return;
    }
    canvas_unclip(&v->canvas);
    view_draw(v->session.view, &v->canvas, (CanvasBox){0, 0, v->canvas.columns, v->canvas.rows});
    screen_show(v->screen, &v->canvas);
}

static void loop(Viewer *v)
{
    bool redraw = true;
    uint64_t next_tick = 0;
    for (;;) {
        ScreenKey key;
        while ((key = screen_key(v->screen)).kind != SCREEN_NO_KEY) {
            if (key.kind == SCREEN_CHARACTER && key.code == 12) { /* control-l */
                screen_redraw(v->screen);
                redraw = true;
                continue;
            }
            ViewAnswer answer = view_key(v->session.view, key);
            if (answer == VIEW_QUIT) return;
            if (answer == VIEW_COMMAND) view_do(&v->session);
            if (answer == VIEW_NOTHING && key.kind == SCREEN_CHARACTER) {
                view_say_unknown(v->session.view, key);
                redraw = true;
            }
            redraw |= answer != VIEW_NOTHING || key.kind == SCREEN_RESIZE;
        }
        uint64_t now = now_ms();
        if (watch_notices(&v->watch)) v->watch.waiting = true;
        if (v->watch.blind && now >= v->watch.look_ms) v->watch.waiting = true;
        if (v->watch.waiting && now >= v->watch.next_ms) redraw |= look(v);
        if (redraw) draw(v);
        redraw = false;
        if (view_moving(v->session.view) && now >= next_tick) {
            if (view_tick(v->session.view, now_ms())) draw(v);
            next_tick = now + TICK_MS;
        }
        now = now_ms();
        uint64_t until = UINT64_MAX;
        if (view_moving(v->session.view)) until = next_tick;
        if (v->watch.blind && v->watch.look_ms < until) until = v->watch.look_ms;
        if (v->watch.waiting && v->watch.next_ms < until) until = v->watch.next_ms;
        struct pollfd fds[SCREEN_FDS + 1];
        screen_fds(v->screen, fds);
        fds[SCREEN_FDS] = (struct pollfd){.fd = v->watch.fd, .events = POLLIN};
        int wait = until == UINT64_MAX ? -1 : until > now ? (int)(until - now) : 0;
        poll(fds, SCREEN_FDS + 1, wait);
    }
}

/* How much of the time several things run at once, and how busy the engines are. */
static void write_busy(const Trace *trace, uint32_t range)
{
    View *view = view_new(trace, "");
    if (!view) return;
    if (range) view_show_range(view, range);
    while (view_moving(view)) view_tick(view, 0);
    char text[400];
    puts(view_busy(view, text, sizeof text));
    view_free(view);
}

/* What a terminal that shows no pictures gets: what it is, the order of things, then each with its
 * time, stream and reason. Bounded: a long run has other forms. */
static int write_text(const Options *options, const Trace *trace, const char *title, uint32_t range)
{
    enum { MOST = 2000, MOST_LINE = 60 };
    const char *model = trace_meta(trace, "model"), *card = trace_meta(trace, "card");
    char length[80], name[200];
    uint64_t from, to;
    ScheduleOptions schedule = {.range = range,
                                .width = options->out.width,
                                .utf8 = options->out.utf8,
                                .most = MOST_LINE,
                                .streams = true};
    if (!analysis_window(trace, range, &from, &to)) from = to = 0;
    printf("%s%s%s: ", title, range ? ", range " : "",
           range ? utf8_safe(trace->ranges[range].name, name, sizeof name) : "");
    if (card && *card) model = card;
    if (model) printf("on %s, ", utf8_safe(model, name, sizeof name));
    printf("%s in all; times are in %s%s\n", analysis_time(trace, to - from, length, sizeof length),
           trace_unit_name(trace), strcmp(trace_unit_name(trace), "unit") == 0 ? "s" : "");
    if (!trace->ended) puts("The program had not ended.");
    if (trace->n_hazards) printf("Hazards: %u\n", trace->n_hazards);
    write_busy(trace, range);
    putchar('\n');
    if (schedule_write(stdout, trace, SCHEDULE_LINE, &schedule) != 0) return -1;
    putchar('\n');
    if (schedule_write_waits(stdout, trace, &schedule, MOST) != 0) return -1;
    for (uint32_t i = 1; i <= trace->n_hazards && i <= 50; i++)
        printf("%s%s\n", i == 1 ? "\nHazards\n" : "",
               utf8_safe(trace->hazards[i].text, name, sizeof name));
    return ferror(stdout) ? -1 : 0;
}

/* As text, what is compared comes after it. A verdict's status. */
static int run_text(const Options *options, const Trace *trace, const char *title, uint32_t range,
                    const char *solution)
{
    const char *path = options->compare;
    char error[PATH_MAX + 300];
    Trace *other = NULL;
    if (path && solution && !strcmp(path, "solution") && access(path, F_OK) != 0) path = solution;
    if (path && !(other = view_open(path, error, sizeof error)))
        return command_fail(VERDICT_FAIL, "%s", error);
    bool failed = write_text(options, trace, title, range) != 0;
    if (!failed && other) {
        putchar('\n');
        failed = write_text(options, other, path,
                            range ? analysis_range(other, trace->ranges[range].name) : 0) != 0;
    }
    trace_free(other);
    return failed && errno != EPIPE
               ? command_fail(VERDICT_USAGE, "the output cannot be written: %s", strerror(errno))
               : 0;
}

/* What the last verdict on this run was about, an operation: "ex43.point" beside ex43.lane says so;
 * 0: nothing does. */
static uint32_t last_point(const char *trace)
{
    const char *dot = strrchr(trace, '.');
    char *path = memory_format("%.*s.point", dot ? (int)(dot - trace) : (int)strlen(trace), trace);
    Text text = {0};
    int failed = text_read_file(&text, path, 100);
    long op = failed ? 0 : strtol(text_string(&text), NULL, 10);
    text_release(&text);
    free(path);
    return op > 0 && op < UINT32_MAX ? (uint32_t)op : 0;
}

/* The screen to view on; NULL where it has to be text: because that was asked for, there is no
 * terminal, or it cannot be opened, which is told. */
static Screen *screen_to_view_on(const Options *options)
{
    char error[300];
    const char *term = getenv(ENV_TERM);
    if (options->text || !options->out.is_terminal || !isatty(STDIN_FILENO) || !term || !*term ||
        !strcmp(term, "dumb"))
        return NULL;
    Screen *screen = screen_open(&(ScreenOptions){options->out.colors, options->out.utf8, true},
                                 error, sizeof error);
    if (!screen) command_fail(VERDICT_PASS, "%s; here it is as text", error);
    return screen;
}

/* The view as it is shown first: the rows that were asked for, the range, the operation to stand
 * on, the other trace; and a word about a damaged file. */
static void first_sight(const Options *options, ViewSession *session, uint32_t range,
                        uint32_t point)
{
    const Trace *trace = session->trace;
    bool streams = options->by && !strcmp(options->by, "stream");
    for (int mode = 0; streams && mode < 3 && !view_by_stream(session->view); mode++)
        view_key(session->view, (ScreenKey){.kind = SCREEN_CHARACTER, .code = 't'});
    view_show_range(session->view, range);
    view_stand_on(session->view, point);
    view_offer(session);
    if (options->compare) view_do_compare(session, options->compare); /* a path, or "solution" */
    else if (trace->damaged_line)
        sayf(session->view, true, "Line %llu of the file is damaged and was skipped (%llu in all)",
             (unsigned long long)trace->damaged_line, (unsigned long long)trace->skipped_lines);
}

/* point: the operation to stand on first; 0: the first one. */
static int run(const Options *options, const char *path, const char *title, const char *show,
               uint32_t point, const char *solution, const Catalogue *catalogue)
{
    char error[PATH_MAX + 300];
    uint32_t range;
    Trace *trace = view_open(path, error, sizeof error);
    if (!trace) return command_fail(VERDICT_FAIL, "%s", error);
    int status = show_range(options, trace, path, show, &range);
    Screen *screen = status ? NULL : screen_to_view_on(options);
    if (!screen) {
        if (!status) status = run_text(options, trace, title, range, solution);
        trace_free(trace);
        return status;
    }

    Viewer v = {.options = options,
                .screen = screen,
                .session = {.trace = trace,
                            .path = path,
                            .solution = solution,
                            .catalogue = catalogue,
                            .program = options->n_program ? options->program : NULL,
                            .screen = screen}};
    v.title = memory_copy(title);
    ViewSources *sources = view_sources_new(path);
    v.session.view = view_new(trace, title);
    bool ready = v.session.view && canvas_init(&v.canvas, 80, 24, options->out.utf8);
    if (ready) {
        v.session.canvas = &v.canvas;
        view_set_source(v.session.view, view_source_line, sources);
        first_sight(options, &v.session, range, point);
        watch_start(&v.watch, path);
        loop(&v);
        if (v.watch.fd >= 0) close(v.watch.fd);
    }
    screen_close(screen);
    view_session_release(&v.session);
    view_free(v.session.view);
    trace_free(v.session.trace);
    view_sources_free(sources);
    canvas_release(&v.canvas);
    free(v.title);
    return ready ? 0 : command_fail(VERDICT_FAIL, "%s: not enough memory to show it", path);
}

int command_view(const Options *options)
{
    const char *word = options->words[0];
    if (options->by && strcmp(options->by, "engine") != 0 && strcmp(options->by, "stream") != 0)
        return command_fail(VERDICT_USAGE, "--by is engine or stream, not '%s'", options->by);
    /* an exercise: its last run */
    if (access(word, F_OK) != 0 && !strncmp(word, "ex", 2) && !strchr(word, '/') &&
        !strchr(word, '.')) {
        Catalogue catalogue = {0};
        const CatalogueEntry *entry;
        int status = command_course(options, &catalogue, &entry);
        if (status) return status;
        char typed[200], *path = memory_format("%s/%s.lane", catalogue.state, entry->id);
        char *solution = memory_format("%s/%s.solution.lane", catalogue.state, entry->id);
        Exercise *exercise = command_exercise(entry);
        if (!exercise) status = VERDICT_GRADER;
        else if (access(path, R_OK) != 0)
            status = command_fail(VERDICT_USAGE, "there is no run of %s to show yet: %s makes one",
                                  entry->id,
                                  command_typed(&catalogue, entry->id, "run", typed, sizeof typed));
        else
            status = run(options, path, entry->id, exercise->show, last_point(path), solution,
                         &catalogue);
        exercise_free(exercise);
        free(path);
        free(solution);
        catalogue_close(&catalogue);
        return status;
    }
    const char *slash = strrchr(word, '/');
    Catalogue catalogue = {0};
    char error[PATH_MAX + 300];
    bool course = catalogue_open(&catalogue, options->exercises, error, sizeof error);
    int status = run(options, word, slash && slash[1] ? slash + 1 : word, NULL, last_point(word),
                     NULL, course ? &catalogue : NULL);
    catalogue_close(&catalogue);
    return status;
}
