/* follow.h - notices that a student has saved: files that change in a folder, however the editor
 * writes them.
 *
 * What counts is what stat says of the folder's sources (a new file renamed into place, a file
 * written again, a folder that goes and comes back); the kernel's notices (inotify) only say when
 * to look. Where they are blind (network and shared folders) or used up, it looks by itself several
 * times a second. Nothing here waits or prints. */
#ifndef THREELANE_FOLLOW_H
#define THREELANE_FOLLOW_H
#include <stdbool.h>

typedef struct Follow Follow;

/* polling: look by itself even where the kernel would tell. */
Follow *follow_new(bool polling);
void follow_free(Follow *);

/* What to follow from now on: the sources in a folder (`file` is the most important one), and one
 * more file. What is there now is what later changes are told from. Paths that do not exist yet are
 * waited for. */
void follow_set(Follow *, const char *folder, const char *file, const char *also);

/* Wait for this descriptor to become readable (-1: there is none), at most follow_timeout ms (-1:
 * without end), then call follow_check. now: seconds of any clock that does not go back. */
int follow_fd(const Follow *);
int follow_timeout(const Follow *, double now);

enum { FOLLOW_SOURCES = 1, FOLLOW_ALSO = 2 };
/* What has changed since it was last told: a sum of the above. A save in several steps is told
 * once, when it is done; a file that is empty or gone may be a save half done, and is told after
 * half a second. */
unsigned follow_check(Follow *, double now);

/* True when it looks by itself. */
bool follow_polls(const Follow *);
/* A file of that name is something a compiler or the grader reads: no editor's backup or swap file.
 * Pure. */
bool follow_source(const char *name);
#endif
