/* unfinished.h - the end of a program while the device still works. */
#ifndef THREELANE_UNFINISHED_H
#define THREELANE_UNFINISHED_H
#include <stdbool.h>

typedef struct UnfinishedEnd {
    int status;
    bool crashed;
    bool (*finish)(int status, bool crashed); /* writes the reports, closes the trace: true when it
                                                 said something */
} UnfinishedEnd;
/* Says that the program ended before the device was done, if it was not. */
void unfinished_note(void);
/* Looks at what is in flight in a process of its own and finishes there. False: nothing was
 * written, finish here. */
bool unfinished_look(const UnfinishedEnd *, bool *said);
#endif
