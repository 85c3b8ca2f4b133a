/* play_ends.h - how a program ends that its log is to blame for: by which status, and with the line
 * of the log. */
#ifndef THREELANE_PLAY_ENDS_H
#define THREELANE_PLAY_ENDS_H
#include <stddef.h>

/* The line that is being made again; 0: none yet. play_line is safe in a signal handler. */
void play_set_line(size_t line);
size_t play_line(void);

#define PLAY_ENDS _Noreturn __attribute__((format(printf, 1, 2)))
PLAY_ENDS void play_limit(const char *format, ...);   /* it asks for too much */
PLAY_ENDS void play_refuse(const char *format, ...);  /* it needs what cannot be graded */
PLAY_ENDS void play_ended(const char *format, ...);   /* it ends before the harness does */
PLAY_ENDS void play_damaged(const char *format, ...); /* no program writes such a line */
#endif
