/* screen.h - the terminal: shows a canvas, and turns what is typed, clicked and resized into keys.
 *
 * There is one Screen at a time. The terminal is as it was before when screen_close returns, and
 * after every signal that ends the program (INT, TERM, HUP, QUIT and crashes: the terminal is put
 * right, then the signal does what it would have done) and while the program is stopped (^Z). Only
 * screen.c knows curses.
 */
#ifndef THREELANE_SCREEN_H
#define THREELANE_SCREEN_H
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "timeline/pictures/canvas.h"

typedef enum ScreenKeyKind {
    SCREEN_NO_KEY,    /* nothing is waiting */
    SCREEN_CHARACTER, /* code: what was typed, as a Unicode character; control characters included
                       */
    SCREEN_UP,
    SCREEN_DOWN,
    SCREEN_LEFT,
    SCREEN_RIGHT,
    SCREEN_HOME,
    SCREEN_END,
    SCREEN_PAGE_UP,
    SCREEN_PAGE_DOWN,
    SCREEN_SHIFT_LEFT,
    SCREEN_SHIFT_RIGHT,
    SCREEN_DELETE,
    SCREEN_BACKSPACE,
    SCREEN_ENTER,
    SCREEN_TAB,
    SCREEN_BACK_TAB,
    SCREEN_ESCAPE,
    SCREEN_PRESS,
    SCREEN_DRAG,
    SCREEN_RELEASE,
    SCREEN_WHEEL_UP,
    SCREEN_WHEEL_DOWN, /* the mouse, at x, y */
    SCREEN_RESIZE,     /* the terminal has another size: screen_size */
    SCREEN_CLOSED      /* the terminal is gone: leave */
} ScreenKeyKind;

typedef struct ScreenKey {
    ScreenKeyKind kind;
    uint32_t code;
    int x, y;
    bool shift, control; /* held with the mouse */
} ScreenKey;

typedef struct Screen Screen;

typedef struct ScreenOptions {
    int colors; /* 0, 8 or 256: what may be used; the terminal may have fewer */
    bool utf8;  /* what the terminal shows */
    bool mouse;
} ScreenOptions;

/* Takes the terminal over (standard input and output). NULL and one line in error when there is
 * none that can show anything (no terminal, TERM unknown or dumb). Call setlocale before. */
Screen *screen_open(const ScreenOptions *, char *error, size_t error_size);
void screen_close(Screen *);

/* The size now, in columns and rows. */
void screen_size(const Screen *, int *columns, int *rows);

/* Shows the canvas; only what changed since the last time is sent. */
void screen_show(Screen *, const Canvas *);
/* Everything is sent again the next time: something else has written on the terminal. */
void screen_redraw(Screen *);

/* The next key, without waiting. A lone Escape is told from the start of a sequence by what follows
 * within 25 ms. */
ScreenKey screen_key(Screen *);
/* What poll() waits on before screen_key has something to say. */
enum { SCREEN_FDS = 2 };
void screen_fds(const Screen *, struct pollfd fds[SCREEN_FDS]);

/* Takes the mouse, or leaves it to the terminal. */
void screen_mouse(Screen *, bool on);

/* Gives the terminal back while another program (an editor) uses it, and takes it over again. */
void screen_leave(Screen *);
void screen_return(Screen *);
#endif
