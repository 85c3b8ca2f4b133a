/* process.h - running other programs, and leaving nothing behind: temporary files and children end
 * with tlcc. */
#ifndef THREELANE_PROCESS_H
#define THREELANE_PROCESS_H
#include <stdbool.h>
#include <sys/types.h>
#include "sim/rewrite/bytes.h"

/* Runs arguments (found through PATH, no shell). input: what it reads (NULL: nothing). output,
 * errors: where its words go (NULL: to ours). Returns its exit status, 128 + signal, or 127 when it
 * could not be started (message printed). */
int process_run(const Args *arguments, const Bytes *input, Bytes *output, Bytes *errors);

/* Calls work(arg, i) for i in 0..count-1, each in a process of its own, at most parallel at a time.
 * What they say comes out in order. Returns the first status that is not 0, in order. */
int process_each(int count, int parallel, int (*work)(void *arg, int i), void *arg);

/* A private directory for temporary files, made at the first call; NULL: it cannot be made (message
 * printed). It and what is in it go at exit and on signals. */
const char *process_directory(void);
/* Removes it now: at the end of main. */
void process_clean(void);
/* Ends children and removes the directory when a signal ends this program. */
void process_guard(void);
#endif
