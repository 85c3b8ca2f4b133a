/* checker.h - the hazard checker as an observer of the runtime. */
#ifndef THREELANE_CHECKER_H
#define THREELANE_CHECKER_H
#include <stdbool.h>

/* Reads THREELANE_CHECK; listens, if anything is looked for. Ends the program when the variable
 * makes no sense. */
void checker_start(void);
bool checker_listens(void);
/* It listens no more, and will say nothing. */
void checker_stop(void);
/* What is still open is compared, and what was found is told, also to the trace; once. True when
 * something was told. */
bool checker_finish(bool crashed);

/* The program has ended, and things are in flight. The kernel that is running goes no further: what
 * it has touched so far is what it touched. */
void checker_stop_kernel(void);
/* What has not ended, and will not, counts with what it has touched so far, or was to touch. */
void checker_touch_unfinished(void);
#endif
