#include "timeline/viewer/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
#undef columns
#undef lines

#include "common/env.h"
#include "common/glyphs.h"
#include "timeline/pictures/palette.h"

enum { PAIRS = 256, ESCAPE_MS = 25, MOUSE_KEY = KEY_MAX + 1 };

/* The mouse is asked for as all terminals of today know it (SGR reports, drags while a button is
 * down) and read here: curses puts a quick press and release together and loses one of them. */
static const char mouse_start[] = "\033[?1000h\033[?1002h\033[?1006h",
                  mouse_end[] = "\033[?1006l\033[?1002l\033[?1000l";

struct Screen {
    SCREEN *curses;
    ScreenOptions options;
    int colors; /* what the terminal is used with: 0, 8, 256 */
    int columns, rows;
    Canvas shown;                                /* what is on the terminal */
    bool all;                                    /* all of it has to be sent */
    short pair_of[CANVAS_STYLES][CANVAS_STYLES]; /* + 1; 0: not made yet */
    struct Pair {
        short front, back;
    } pairs[PAIRS];
    int n_pairs;
    int pipe[2]; /* a byte: the window has another size */
    bool pressed, has_mouse;
};

/* ---- putting the terminal right, from anywhere ---- */

/* What a signal handler needs: it may call neither curses nor stdio. */
static struct Rescue {
    volatile sig_atomic_t armed;
    struct termios before;
    char restore[256];
    size_t length; /* what undoes what curses has sent */
    int wake;      /* the pipe's writing end */
    bool mouse;
} rescue;

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP,  SIGQUIT, SIGSEGV, SIGBUS,
                                     SIGFPE, SIGILL,  SIGABRT, SIGALRM, SIGXCPU};
enum { ENDING = sizeof ending_signals / sizeof *ending_signals };
static struct sigaction before_ending[ENDING], before_resize, before_stop, curses_stop;

static void put_right(void)
{
    if (!rescue.armed) return;
    rescue.armed = 0;
    ssize_t ignored = write(STDOUT_FILENO, rescue.restore, rescue.length);
    (void)ignored;
    tcsetattr(STDIN_FILENO, TCSANOW, &rescue.before);
}

static void on_ending(int signal)
{
    put_right();
    for (int i = 0; i < ENDING; i++) {
        if (ending_signals[i] == signal) sigaction(signal, &before_ending[i], NULL);
    }
    raise(signal);
}

static void on_resize(int signal)
{
    (void)signal;
    int kept = errno;
    ssize_t ignored = write(rescue.wake, "r", 1);
    (void)ignored;
    errno = kept;
}

/* curses gives the terminal back when the program is stopped, and takes it over again; the mouse is
 * ours. */
static void on_stop(int signal)
{
    int kept = errno;
    ssize_t ignored = rescue.mouse ? write(STDOUT_FILENO, mouse_end, sizeof mouse_end - 1) : 0;
    if (curses_stop.sa_handler != SIG_DFL && curses_stop.sa_handler != SIG_IGN)
        curses_stop.sa_handler(signal);
    ignored = write(rescue.wake, "r", 1);
    (void)ignored;
    errno = kept;
}

static void add_capability(const char *name)
{
    char *text = tigetstr(name);
    if (!text || text == (char *)-1) return;
    size_t length = strlen(text);
    if (rescue.length + length >= sizeof rescue.restore) return;
    memcpy(rescue.restore + rescue.length, text, length);
    rescue.length += length;
}

static void arm(bool mouse)
{
    rescue.length = 0;
    rescue.mouse = mouse;
    if (mouse) {
        memcpy(rescue.restore, mouse_end, sizeof mouse_end - 1);
        rescue.length = sizeof mouse_end - 1;
    }
    add_capability("sgr0");
    add_capability("op");
    add_capability("rmkx");
    add_capability("cnorm");
    add_capability("rmcup");
    rescue.armed = 1;
    struct sigaction action;
    sigaction(SIGTSTP, NULL, &action);
    if (action.sa_handler == on_stop || action.sa_handler == SIG_IGN) return;
    curses_stop = action;
    action = (struct sigaction){.sa_handler = on_stop};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTSTP, &action, NULL);
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_ending};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < ENDING; i++) sigaction(ending_signals[i], &action, &before_ending[i]);
    action.sa_handler = on_resize;
    sigaction(SIGWINCH, &action, &before_resize);
    sigaction(SIGTSTP, NULL, &before_stop);
}

static void release_signals(void)
{
    for (int i = 0; i < ENDING; i++) sigaction(ending_signals[i], &before_ending[i], NULL);
    sigaction(SIGWINCH, &before_resize, NULL);
    sigaction(SIGTSTP, &before_stop, NULL);
}

/* ---- opening and closing ---- */

static void measure(Screen *s)
{
    struct winsize size = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        if (size.ws_row != LINES || size.ws_col != COLS) resizeterm(size.ws_row, size.ws_col);
    }
    s->columns = COLS;
    s->rows = LINES;
}

static void mouse_say(const Screen *s, const char *text)
{
    if (!s->options.mouse) return;
    fputs(text, stdout);
    fflush(stdout);
}

/* Hands the terminal to curses. False: it cannot place a cursor. */
static bool begin_curses(Screen *s)
{
    s->curses = newterm(NULL, stdout, stdin);
    const char *address = s->curses ? tigetstr("cup") : NULL;
    if (address && address != (char *)-1) return true;
    if (s->curses) {
        endwin();
        delscreen(s->curses);
    }
    return false;
}

/* Keys as they are pressed, no echo, no cursor; colours and a mouse where there are any. */
static void set_modes(Screen *s)
{
    /* only a terminal that says it has a mouse is asked for it */
    const char *mouse = tigetstr("kmous");
    s->has_mouse = s->options.mouse && mouse && mouse != (char *)-1;
    s->options.mouse = s->has_mouse;
    arm(s->options.mouse);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    leaveok(stdscr, TRUE);
    curs_set(0);
    set_escdelay(ESCAPE_MS);
    if (s->options.colors && has_colors()) {
        start_color();
        use_default_colors();
        s->colors = s->options.colors >= 256 && COLORS >= 256 ? 256 : COLORS >= 8 ? 8 : 0;
    }
    if (s->options.mouse) define_key("\033[<", MOUSE_KEY);
    mouse_say(s, mouse_start);
}

Screen *screen_open(const ScreenOptions *options, char *error, size_t error_size)
{
    const char *term = getenv(ENV_TERM);
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        snprintf(error, error_size, "not a terminal");
        return NULL;
    }
    if (!term || !*term || !strcmp(term, "dumb")) {
        snprintf(error, error_size, "this terminal (TERM=%s) cannot show a moving picture",
                 term ? term : "");
        return NULL;
    }
    Screen *s = calloc(1, sizeof *s);
    if (!s || pipe2(s->pipe, O_CLOEXEC | O_NONBLOCK) != 0) {
        free(s);
        snprintf(error, error_size, "the terminal cannot be opened: %s", strerror(errno));
        return NULL;
    }
    s->options = *options;
    if (tcgetattr(STDIN_FILENO, &rescue.before) == 0) rescue.wake = s->pipe[1];
    catch_signals();
    if (!begin_curses(s)) {
        release_signals();
        close(s->pipe[0]);
        close(s->pipe[1]);
        free(s);
        snprintf(error, error_size, "this terminal (TERM=%s) cannot show a moving picture", term);
        return NULL;
    }

    set_modes(s);
    measure(s);
    if (!canvas_init(&s->shown, s->columns, s->rows, options->utf8)) {
        screen_close(s);
        snprintf(error, error_size, "not enough memory for the screen");
        return NULL;
    }
    s->all = true;
    return s;
}

void screen_leave(Screen *s)
{
    mouse_say(s, mouse_end);
    endwin();
    rescue.armed = 0;
    release_signals();
}

void screen_close(Screen *s)
{
    if (!s) return;
    if (rescue.armed) screen_leave(s);
    delscreen(s->curses);
    close(s->pipe[0]);
    close(s->pipe[1]);
    canvas_release(&s->shown);
    free(s);
}

void screen_return(Screen *s)
{
    catch_signals();
    if (curses_stop.sa_handler) sigaction(SIGTSTP, &curses_stop, NULL);
    arm(s->options.mouse);
    refresh();
    curs_set(0);
    mouse_say(s, mouse_start);
    measure(s);
    s->all = true;
}

void screen_mouse(Screen *s, bool on)
{
    if (!on) mouse_say(s, mouse_end);
    s->options.mouse = on && s->has_mouse;
    if (on) mouse_say(s, mouse_start);
}

void screen_size(const Screen *s, int *columns, int *rows)
{
    *columns = s->columns;
    *rows = s->rows;
}

/* ---- showing ---- */

/* What a style of words is on a terminal: a colour of 256 (-1: the default; the others are readable
 * on white and on black), one of 8, and what is left without colours. */
static const struct Look {
    short rich, plain;
    attr_t attributes, colorless;
} looks[CANVAS_STYLES] = {
    [CANVAS_PLAIN] = {-1, -1, 0, 0},
    [CANVAS_DIM] = {243, -1, 0, A_DIM},
    [CANVAS_BOLD] = {-1, -1, A_BOLD, A_BOLD},
    [CANVAS_GOOD] = {29, COLOR_GREEN, 0, 0},
    [CANVAS_BAD] = {161, COLOR_RED, A_BOLD, A_BOLD},
    [CANVAS_CARE] = {130, COLOR_YELLOW, 0, A_BOLD},
    [CANVAS_TITLE] = {-1, -1, A_BOLD, A_BOLD},
    [CANVAS_KEY] = {-1, -1, A_BOLD, A_BOLD},
    [CANVAS_RULER] = {243, -1, 0, 0},
    [CANVAS_LINK] = {-1, -1, 0, 0},
    [CANVAS_MIXED] = {246, COLOR_WHITE, 0, 0},
    [CANVAS_SELECTED] = {-1, -1, A_BOLD, A_BOLD},
    [CANVAS_CURSOR] = {-1, -1, A_BOLD, A_BOLD},
    [CANVAS_PATH] = {-1, -1, A_UNDERLINE, A_UNDERLINE},
    [CANVAS_HAZARD] = {161, COLOR_RED, A_BOLD, A_BOLD},
    [CANVAS_DIFFERS] = {130, COLOR_YELLOW, A_BOLD, A_BOLD},
    [CANVAS_MEASURE] = {-1, -1, A_BOLD, A_BOLD},
};

/* The kind of span that a style shows, or NULL: words. */
static const PaletteColour *kind_of(int style)
{
    return style >= CANVAS_H2D && style <= CANVAS_GRAPH ? &palette[style - CANVAS_H2D] : NULL;
}
_Static_assert(CANVAS_GRAPH - CANVAS_H2D == PALETTE_GRAPH, "a style for each kind, in their order");

static short color_of(const Screen *s, int style)
{
    const PaletteColour *kind = kind_of(style);
    if (s->colors >= 256) return kind ? kind->of_256 : looks[style].rich;
    return kind ? kind->of_8 : looks[style].plain;
}

/* The pair for a style on another; 0 where the terminal has no more. What stands on the selected
 * span's ground is shown reversed: the pair has its colours the other way round. */
static short pair_for(Screen *s, int style, int on)
{
    short *known = &s->pair_of[style][on];
    if (*known) return (short)(*known - 1);
    const PaletteColour *kind = kind_of(on);
    short front = color_of(s, style), back = on ? color_of(s, on) : -1;
    if (kind && style <= CANVAS_BOLD) front = s->colors >= 256 ? kind->ink_256 : kind->ink_8;
    else if (on == CANVAS_MIXED && style <= CANVAS_BOLD)
        front = s->colors >= 256 ? 16 : COLOR_BLACK;
    if (on == CANVAS_SELECTED) {
        back = kind_of(style) ? front : -1;
        front = -1;
    }
    int most = COLOR_PAIRS < PAIRS ? COLOR_PAIRS : PAIRS;
    *known = 1;
    if (front < 0 && back < 0) return 0;
    for (int i = 1; i <= s->n_pairs; i++) {
        if (s->pairs[i].front == front && s->pairs[i].back == back) {
            *known = (short)(i + 1);
            return (short)i;
        }
    }
    if (s->n_pairs + 1 >= most) return 0;
    s->n_pairs++;
    s->pairs[s->n_pairs] = (struct Pair){front, back};
    init_pair((short)s->n_pairs, front, back);
    *known = (short)(s->n_pairs + 1);
    return (short)s->n_pairs;
}

static void send(Screen *s, int x, int y, const CanvasCell *cell)
{
    wchar_t text[CCHARW_MAX + 1] = {0};
    int n = 0, width = 0;
    for (const char *at = cell->text; *at && n < CCHARW_MAX;) {
        uint32_t code;
        int columns;
        at += glyphs_next(at, &code, &columns);
        /* the C library and this table must agree on how wide a character is, or the line would
         * shift */
        if (code >= 0x80 && wcwidth((wchar_t)code) != columns) {
            if (columns == 0) continue;
            text[n++] = L'?';
            width++;
            break;
        }
        text[n++] = (wchar_t)code;
        width += columns;
    }
    attr_t attributes = s->colors ? looks[cell->style].attributes : looks[cell->style].colorless;
    short pair = 0;
    if (s->colors) pair = pair_for(s, cell->style, cell->on);
    if (cell->on == CANVAS_SELECTED || (cell->on && !s->colors)) attributes |= A_REVERSE;
    /* (bold black is grey there) */
    if (cell->on && s->colors && s->colors < 256) attributes &= ~A_BOLD;
    if (cell->marks & CANVAS_UNDERLINED) attributes |= A_UNDERLINE;
    cchar_t out;
    if (n && setcchar(&out, text, attributes, pair, NULL) == OK) mvadd_wch(y, x, &out);
    if (cell->text[0] && width == 1 && n == 1 && text[0] == L'?' && x + 1 < s->columns) {
        const CanvasCell *right = cell + 1; /* the other half of a wide one that could not be shown
                                             */
        if (!right->text[0] && setcchar(&out, L" ", attributes, pair, NULL) == OK)
            mvadd_wch(y, x + 1, &out);
    }
}

void screen_show(Screen *s, const Canvas *c)
{
    if (s->shown.columns != c->columns || s->shown.rows != c->rows) {
        if (!canvas_resize(&s->shown, c->columns, c->rows)) return;
        s->all = true;
    }
    if (s->all) clear();
    for (int y = 0; y < c->rows && y < s->rows; y++) {
        for (int x = 0; x < c->columns && x < s->columns; x++) {
            size_t i = (size_t)y * (size_t)c->columns + (size_t)x;
            const CanvasCell *cell = &c->cells[i];
            if (!s->all && !memcmp(cell, &s->shown.cells[i], sizeof *cell)) continue;
            if (!cell->text[0] && x > 0) cell--, x--; /* a wide one is sent whole */
            send(s, x, y, cell);
            if (x + 1 < c->columns && !cell[1].text[0]) x++;
        }
    }
    memcpy(s->shown.cells, c->cells, (size_t)c->columns * (size_t)c->rows * sizeof *c->cells);
    s->all = false;
    refresh();
}

void screen_redraw(Screen *s) { s->all = true; }

/* ---- keys ---- */

void screen_fds(const Screen *s, struct pollfd fds[SCREEN_FDS])
{
    fds[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    fds[1] = (struct pollfd){.fd = s->pipe[0], .events = POLLIN};
}

/* What follows "\033[<": BUTTON;COLUMN;ROW and M (down) or m (up). */
static ScreenKey mouse_key(Screen *s)
{
    ScreenKey key = {.kind = SCREEN_NO_KEY};
    int number[3] = {0}, at = 0;
    wint_t code = 0;
    for (int guard = 0; guard < 32; guard++) {
        if (get_wch(&code) != OK) return key;
        if (code >= '0' && code <= '9' && number[at] < 100000)
            number[at] = number[at] * 10 + (int)(code - '0');
        else if (code == ';' && at < 2) at++;
        else break;
    }
    if (at != 2 || (code != 'M' && code != 'm')) return key;
    key.x = number[1] - 1;
    key.y = number[2] - 1;
    key.shift = number[0] & 4;
    key.control = number[0] & 16;
    int button = number[0] & ~(4 | 8 | 16);
    if (button == 64) key.kind = SCREEN_WHEEL_UP;
    else if (button == 65) key.kind = SCREEN_WHEEL_DOWN;
    else if (button == 0) key.kind = code == 'M' ? SCREEN_PRESS : SCREEN_RELEASE;
    else if (button == 32 && s->pressed) key.kind = SCREEN_DRAG;
    if (key.kind == SCREEN_PRESS) s->pressed = true;
    if (key.kind == SCREEN_RELEASE) s->pressed = false;
    return key;
}

static const struct {
    int curses;
    ScreenKeyKind kind;
} special[] = {
    {KEY_UP, SCREEN_UP},
    {KEY_DOWN, SCREEN_DOWN},
    {KEY_LEFT, SCREEN_LEFT},
    {KEY_RIGHT, SCREEN_RIGHT},
    {KEY_HOME, SCREEN_HOME},
    {KEY_END, SCREEN_END},
    {KEY_PPAGE, SCREEN_PAGE_UP},
    {KEY_NPAGE, SCREEN_PAGE_DOWN},
    {KEY_SLEFT, SCREEN_SHIFT_LEFT},
    {KEY_SRIGHT, SCREEN_SHIFT_RIGHT},
    {KEY_DC, SCREEN_DELETE},
    {KEY_BACKSPACE, SCREEN_BACKSPACE},
    {KEY_ENTER, SCREEN_ENTER},
    {KEY_BTAB, SCREEN_BACK_TAB},
};

/* True when the terminal has been closed at the other end. */
static bool closed(void)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&in, 1, 0) > 0 && (in.revents & (POLLHUP | POLLERR | POLLNVAL));
}

/* One key; *again: it meant nothing here, and there may be more. */
static ScreenKey next_key(Screen *s, bool *again)
{
    ScreenKey key = {.kind = SCREEN_NO_KEY};
    char waiting[64];
    *again = false;
    bool resized = false;
    while (read(s->pipe[0], waiting, sizeof waiting) > 0) resized = true;
    if (resized) {
        mouse_say(s, mouse_start);
        measure(s);
        s->all = true;
        key.kind = SCREEN_RESIZE;
        return key;
    }
    wint_t code;
    int got = get_wch(&code);
    if (got == ERR) {
        if (closed()) key.kind = SCREEN_CLOSED;
        return key;
    }
    if (got == KEY_CODE_YES) {
        if (code == MOUSE_KEY) key = mouse_key(s);
        if (code == KEY_RESIZE) {
            measure(s);
            s->all = true;
            key.kind = SCREEN_RESIZE;
            return key;
        }
        for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
            if ((int)code == special[i].curses) key.kind = special[i].kind;
        }
        *again = key.kind == SCREEN_NO_KEY;
        return key;
    }
    key.kind = SCREEN_CHARACTER;
    key.code = (uint32_t)code;
    if (code == '\r' || code == '\n') key.kind = SCREEN_ENTER;
    else if (code == '\t') key.kind = SCREEN_TAB;
    else if (code == 27) key.kind = SCREEN_ESCAPE;
    else if (code == 127 || code == '\b') key.kind = SCREEN_BACKSPACE;
    return key;
}

ScreenKey screen_key(Screen *s)
{
    ScreenKey key;
    bool again;
    do key = next_key(s, &again);
    while (again);
    return key;
}
