/* background.h - work done in a child process, so that a screen stays alive: its result is bytes.
 *
 * The child is this program, forked, without a terminal: input and output are /dev/null. It ends
 * when its parent does. At most one work at a time per Background, which starts as {0}. */
#ifndef THREELANE_BACKGROUND_H
#define THREELANE_BACKGROUND_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "common/text.h"

enum { BACKGROUND_RESULTS = 2 };

/* What the child does: leaves results in descriptors that the parent reads as files when it has
 * ended. It should stop soon when jobs_interrupted. */
typedef void BackgroundWork(void *data, const int results[BACKGROUND_RESULTS]);

typedef struct Background {
    pid_t pid; /* 0: nothing is going on */
    int end;   /* becomes readable when the child has ended; poll it */
    int results[BACKGROUND_RESULTS];
    bool cancelled;
    double started, asked; /* seconds of the monotonic clock; asked: when it was cancelled */
} Background;

/* 0 or an errno. */
int background_start(Background *, BackgroundWork *, void *data);
static inline bool background_going(const Background *b) { return b->pid != 0; }
/* Asks it to stop, and later, from background_poll, makes it. */
void background_cancel(Background *);
/* Milliseconds after which background_poll has something to do even if `end` is not readable; -1:
 * never. */
int background_timeout(const Background *);

typedef enum BackgroundState {
    BACKGROUND_NONE,
    BACKGROUND_GOING,
    BACKGROUND_DONE,
    BACKGROUND_STOPPED
} BackgroundState;
/* Never waits. Done: the results may be read (background_path, background_read) until
 * background_close. Stopped: it was cancelled, or crashed; the results count for nothing. Close it
 * then as well. */
BackgroundState background_poll(Background *);
/* A name under which a result can be opened by this process. Returns path. */
const char *background_path(const Background *, int result, char path[64]);
/* The whole result; 0 or an errno. */
int background_read(const Background *, int result, Text *);
/* Ends what is going on, waiting for it, and closes everything. */
void background_close(Background *);

/* Seconds of the monotonic clock. */
double background_clock(void);
#endif
