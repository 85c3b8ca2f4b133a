/* start.h - a folder to work in, from the course that is installed: `threelane init`. */
#ifndef THREELANE_START_H
#define THREELANE_START_H
#include <stdbool.h>
#include <stddef.h>

typedef struct StartFrom {
    const char *bin; /* the folder of the commands, which the Makefile will call */
    bool solutions;  /* with solutions, wrong variants and hidden parameters */
} StartFrom;

typedef struct Started {
    size_t brought; /* files that were not there, or were other ones */
    size_t own;     /* of the student, left as they are */
    char *replaced; /* the folder in which files that were other ones are kept; NULL: there were
                       none */
} Started;

/* Makes the folder, or brings what is newer or more into one that was made so. False and one line
 * in error; what was brought until then stays, and the same call goes on. Release in any case. */
bool start_course(const char *folder, const StartFrom *, Started *, char *error, size_t error_size);
void started_release(Started *);
#endif
