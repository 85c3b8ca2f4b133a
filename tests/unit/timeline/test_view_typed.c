/* The viewer, key by key: tests/fixtures/typed/ has sessions, each a text of what is typed and what
 * the picture shows then. Whatever a key changes on the screen stands there, line by line, and
 * nothing else may change.
 *
 *   open TRACE COLUMNSxROWS [ascii] [styles] [range=N] [compare=TRACE] [leave=KEYS] [lines=N]
 *   > KEYS          as they are typed; <Tab>, <press X Y> and the like for the others (below)
 *   tick MS         so much time passes        size COLUMNSxROWS      set TRACE    another run
 *   compare TRACE   beside this one; -: none   answered  idea  source        what a caller sets
 *   grow LINES      of a trace that was opened with lines=N: so many more have been written
 *
 * All other lines are the picture: its rows that changed, with their numbers; with `styles` each
 * is followed by a letter for the style of every cell. WRITE=1 build/tests/test_view_typed writes
 * them anew: read what has changed. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/cases.h"
#include "tests/unit/trace_text.h"
#include "timeline/viewer/view.h"

enum { MOST_ROWS = 200, PATH = 300 };

typedef struct Session {
    FILE *said;
    FILE *source, *growing; /* where the rest of a trace is, and what is read of it */
    Trace *trace, *other;
    View *view;
    Canvas canvas;
    CanvasBox box;
    bool styles, open;
    char *before[MOST_ROWS];
    uint64_t now_ms;
} Session;

static Trace *trace_of_file(const char *name)
{
    char path[PATH], error[300];
    snprintf(path, sizeof path, "tests/fixtures/%s", name);
    Trace *t = trace_read(path, error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    return t;
}

/* The next lines of a trace that is being written. */
static void write_lines(Session *s, int lines)
{
    for (int c; lines > 0 && (c = getc(s->source)) != EOF; lines -= c == '\n') putc(c, s->growing);
    ck_assert_int_eq(fflush(s->growing), 0);
}

static Trace *first_lines(Session *s, const char *name, int lines)
{
    char path[PATH], made[] = "/tmp/threelane-test-XXXXXX", error[300];
    snprintf(path, sizeof path, "tests/fixtures/%s", name);
    s->source = fopen(path, "r");
    s->growing = fdopen(mkstemp(made), "w");
    ck_assert(s->source && s->growing);
    write_lines(s, lines);
    Trace *t = trace_read(made, error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    unlink(made);
    return t;
}

static const char *source_line(void *context, const char *file, uint32_t line)
{
    static char text[100];
    (void)context;
    snprintf(text, sizeof text, "the text of %s:%u;", file, line);
    return text;
}

static void forget_picture(Session *s)
{
    for (int i = 0; i < MOST_ROWS; i++) {
        free(s->before[i]);
        s->before[i] = NULL;
    }
}

static void session_close(Session *s)
{
    if (!s->open) return;
    view_free(s->view);
    trace_free(s->trace);
    trace_free(s->other);
    canvas_release(&s->canvas);
    forget_picture(s);
    if (s->source) fclose(s->source);
    if (s->growing) fclose(s->growing);
    s->source = s->growing = NULL;
    s->view = NULL;
    s->trace = s->other = NULL;
    s->open = s->styles = false;
}

static void session_size(Session *s, const char *size)
{
    int columns = 80, rows = 24;
    ck_assert_int_eq(sscanf(size, "%dx%d", &columns, &rows), 2);
    ck_assert(canvas_resize(&s->canvas, columns, rows));
    s->box = (CanvasBox){0, 0, columns, rows};
    forget_picture(s);
}

static void session_compare(Session *s, const char *name)
{
    Trace *old = s->other;
    s->other = strcmp(name, "-") ? trace_of_file(name) : NULL;
    ck_assert(view_compare(s->view, s->other, s->other ? name : NULL));
    trace_free(old);
}

static void session_open(Session *s, char *words)
{
    session_close(s);
    *s = (Session){.said = s->said, .open = true};
    const char *lines = strstr(words, " lines=");
    int n_lines = lines ? atoi(lines + 7) : 0;
    const char *name = strtok(words, " "), *size = strtok(NULL, " ");
    ck_assert(canvas_init(&s->canvas, 80, 24, true));
    s->trace = n_lines ? first_lines(s, name, n_lines) : trace_of_file(name);
    s->view = view_new(s->trace, name);
    ck_assert_ptr_nonnull(s->view);
    session_size(s, size);
    for (char *word; (word = strtok(NULL, " "));) {
        if (!strcmp(word, "ascii")) s->canvas.utf8 = false;
        else if (!strcmp(word, "styles")) s->styles = true;
        else if (!strncmp(word, "range=", 6)) view_show_range(s->view, (uint32_t)atoi(word + 6));
        else if (!strncmp(word, "compare=", 8)) session_compare(s, word + 8);
        else if (!strncmp(word, "leave=", 6)) view_leave_keys(s->view, word + 6);
        else if (!strncmp(word, "lines=", 6)) continue;
        else ck_abort_msg("open: what is '%s'?", word);
    }
}

/* The key that begins at *at, which moves behind it. */
static ScreenKey next_key(const char **at)
{
    static const struct {
        const char *name;
        ScreenKeyKind kind;
        uint32_t code;
    } names[] = {
        {"Up", SCREEN_UP, 0},
        {"Down", SCREEN_DOWN, 0},
        {"Left", SCREEN_LEFT, 0},
        {"Right", SCREEN_RIGHT, 0},
        {"Home", SCREEN_HOME, 0},
        {"End", SCREEN_END, 0},
        {"PgUp", SCREEN_PAGE_UP, 0},
        {"PgDn", SCREEN_PAGE_DOWN, 0},
        {"ShiftLeft", SCREEN_SHIFT_LEFT, 0},
        {"ShiftRight", SCREEN_SHIFT_RIGHT, 0},
        {"Backspace", SCREEN_BACKSPACE, 0},
        {"Enter", SCREEN_ENTER, 0},
        {"Tab", SCREEN_TAB, 0},
        {"BackTab", SCREEN_BACK_TAB, 0},
        {"Escape", SCREEN_ESCAPE, 0},
        {"press", SCREEN_PRESS, 0},
        {"drag", SCREEN_DRAG, 0},
        {"release", SCREEN_RELEASE, 0},
        {"wheelup", SCREEN_WHEEL_UP, 0},
        {"wheeldown", SCREEN_WHEEL_DOWN, 0},
        {"shiftwheelup", SCREEN_WHEEL_UP, 1},
        {"shiftwheeldown", SCREEN_WHEEL_DOWN, 1},
        {"resize", SCREEN_RESIZE, 0},
        {"closed", SCREEN_CLOSED, 0},
        {"none", SCREEN_NO_KEY, 0},
        {"ControlB", SCREEN_CHARACTER, 2},
        {"ControlD", SCREEN_CHARACTER, 4},
        {"ControlF", SCREEN_CHARACTER, 6},
        {"ControlU", SCREEN_CHARACTER, 21},
        {"Space", SCREEN_CHARACTER, ' '},
        {"less", SCREEN_CHARACTER, '<'},
        {"delete", SCREEN_CHARACTER, 127},
        {"ue", SCREEN_CHARACTER, 0xfc},
        {"euro", SCREEN_CHARACTER, 0x20ac},
        {"clef", SCREEN_CHARACTER, 0x1d11e},
    };
    if (**at != '<') return (ScreenKey){.kind = SCREEN_CHARACTER, .code = (unsigned char)*(*at)++};

    char name[20];
    int x = 0, y = 0, length = 0;
    ck_assert_int_ge(sscanf(*at, "<%19[A-Za-z] %d %d", name, &x, &y), 1);
    while ((*at)[length] && (*at)[length] != '>') length++;
    *at += length + ((*at)[length] == '>');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i].name, name) != 0) continue;
        bool character = names[i].kind == SCREEN_CHARACTER;
        return (ScreenKey){.kind = names[i].kind,
                           .code = character ? names[i].code : 0,
                           .shift = !character && names[i].code,
                           .x = x,
                           .y = y};
    }
    ck_abort_msg("no such key: %s", name);
}

static void session_type(Session *s, const char *keys)
{
    while (*keys) {
        ScreenKey key = next_key(&keys);
        ViewAnswer answer = view_key(s->view, key);
        if (answer == VIEW_NOTHING) {
            fprintf(s->said, "= means nothing\n");
            view_say_unknown(s->view, key);
        } else if (answer == VIEW_QUIT) {
            fprintf(s->said, "= leaves\n");
        } else if (answer == VIEW_COMMAND) {
            fprintf(s->said, "= %s\n", view_command(s->view));
        }
        /* a search goes on while nobody types */
        for (int i = 0; i < 50 && view_moving(s->view) && !*keys; i++)
            if (!view_tick(s->view, s->now_ms)) break;
    }
}

/* The rows of the picture that are not as they were. */
static void session_show(Session *s)
{
    char *text = NULL;
    size_t size = 0;
    view_draw(s->view, &s->canvas, s->box);
    FILE *to = open_memstream(&text, &size);
    ck_assert_int_eq(canvas_write(to, &s->canvas, s->styles), 0);
    fclose(to);

    int row = 0;
    for (char *line = text; *line && row < MOST_ROWS; row++) {
        char *end = line;
        for (int lines = 0; lines < (s->styles ? 2 : 1); lines++) end = strchr(end, '\n') + 1;
        char *now = strndup(line, (size_t)(end - line)), *second = strchr(now, '\n') + 1;
        if (!s->before[row] || strcmp(s->before[row], now) != 0) {
            fprintf(s->said, "%2d|%.*s\n", row, (int)(second - 1 - now), now);
            if (s->styles) fprintf(s->said, "  |%s", second);
        }
        free(s->before[row]);
        s->before[row] = now;
        line = end;
    }
    free(text);
}

static void session_do(Session *s, char *line)
{
    fprintf(s->said, "%s\n", line);
    if (!strncmp(line, "open ", 5)) session_open(s, line + 5);
    else if (!strncmp(line, "> ", 2)) session_type(s, line + 2);
    else if (!strncmp(line, "size ", 5)) session_size(s, line + 5);
    else if (!strncmp(line, "compare ", 8)) session_compare(s, line + 8);
    else if (!strcmp(line, "answered")) view_set_answered(s->view, true);
    else if (!strcmp(line, "source")) view_set_source(s->view, source_line, NULL);
    else if (!strcmp(line, "idea"))
        view_set_ideas(s->view, &(Idea){"device h200", "on the device h200"}, 1);
    else if (!strncmp(line, "grow ", 5)) {
        write_lines(s, atoi(line + 5));
        trace_read_more(s->trace);
        if (!view_update(s->view)) fprintf(s->said, "= nothing new\n");
    } else if (!strncmp(line, "tick ", 5))
        view_tick(s->view, s->now_ms += strtoull(line + 5, NULL, 10));
    else if (!strncmp(line, "set ", 4)) {
        Trace *old = s->trace;
        s->trace = trace_of_file(line + 4);
        ck_assert(view_set_trace(s->view, s->trace, line + 4));
        trace_free(old);
    }
    session_show(s);
}

static bool is_typed(const char *line)
{
    static const char *const begins[] = {"open ",    "> ",       "tick ",  "size ", "set ",
                                         "compare ", "answered", "source", "idea",  "grow "};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (!strncmp(line, begins[i], strlen(begins[i]))) return true;
    return false;
}

static char *file_text(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *from = fopen(path, "r"), *to = open_memstream(&text, &size);
    ck_assert_msg(from != NULL, "%s cannot be read", path);
    for (int c; (c = getc(from)) != EOF;) putc(c, to);
    fclose(from);
    fclose(to);
    return text;
}

/* Plays what is typed in the file; what the file should be, then. */
static char *played(const char *text)
{
    char *said = NULL, *copy = strdup(text), *rest = copy;
    size_t size = 0;
    Session s = {.said = open_memstream(&said, &size)};
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (*line == '#' || (!*line && rest)) fprintf(s.said, "%s\n", line);
        else if (is_typed(line)) session_do(&s, line);
    }
    session_close(&s);
    fclose(s.said);
    free(copy);
    return said;
}

static void play_file(const char *path)
{
    char *wanted = file_text(path), *got = played(wanted);
    if (getenv("WRITE")) {
        FILE *to = fopen(path, "w");
        ck_assert(to && fputs(got, to) >= 0 && !fclose(to));
    } else if (strcmp(wanted, got) != 0) {
        /* the line that differs first, and what was typed before it */
        size_t at = 0, line = 0, typed = 0;
        for (; wanted[at] && wanted[at] == got[at]; at++)
            if (wanted[at] == '\n') line = at + 1;
        for (size_t i = 0; i < line; i++)
            if ((!i || wanted[i - 1] == '\n') && is_typed(wanted + i)) typed = i;
        ck_abort_msg("%s: after '%.*s'\n wanted: %.*s\n    got: %.*s", path,
                     (int)strcspn(wanted + typed, "\n"), wanted + typed,
                     (int)strcspn(wanted + line, "\n"), wanted + line,
                     (int)strcspn(got + line, "\n"), got + line);
    }
    free(wanted);
    free(got);
}

static const char *const sessions[] = {"moving",  "zooming", "rows",    "finding", "why",
                                       "playing", "asking",  "mouse",   "words",   "hardware",
                                       "looking", "folded",  "growing", "instants"};
enum { SESSIONS = sizeof sessions / sizeof *sessions };

START_TEST_WITH(what_is_typed, .times = SESSIONS)
{
    char path[PATH];
    snprintf(path, sizeof path, "tests/fixtures/typed/%s.txt", sessions[_i]);
    play_file(path);
}
END_TEST

CASES("view, typed")
