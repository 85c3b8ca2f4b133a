/* file_watch.h - notices that a student has saved: files that change in a folder, however the
 * editor writes them.
 *
 * What counts is what stat says of the folder's sources (a new file renamed into place, a file
 * written again, a folder that goes and comes back); the kernel's notices (inotify) only say when
 * to look. Where they are blind (network and shared folders) or used up, it looks by itself several
 * times a second. Nothing here waits or prints. */
#ifndef THREELANE_FILE_WATCH_H
#define THREELANE_FILE_WATCH_H
#include <stdbool.h>

typedef struct FileWatch FileWatch;

/* polling: look by itself even where the kernel would tell. */
FileWatch *file_watch_new(bool polling);
void file_watch_free(FileWatch *);

/* What to follow from now on: the sources in a folder (`file` is the most important one), and one
 * more file. What is there now is what later changes are told from. Paths that do not exist yet are
 * waited for. */
void file_watch_set(FileWatch *, const char *folder, const char *file, const char *also);

/* Wait for this descriptor to become readable (-1: there is none), at most file_watch_timeout ms
 * (-1: without end), then call file_watch_check. now: seconds of any clock that does not go back.
 */
int file_watch_fd(const FileWatch *);
int file_watch_timeout(const FileWatch *, double now);

enum { FILE_WATCH_SOURCES = 1, FILE_WATCH_ALSO = 2 };
/* What has changed since it was last told: a sum of the above. A save in several steps is told
 * once, when it is done; a file that is empty or gone may be a save half done, and is told after
 * half a second. */
unsigned file_watch_check(FileWatch *, double now);

/* True when it looks by itself. */
bool file_watch_polls(const FileWatch *);
/* A file of that name is something a compiler or the grader reads: no editor's backup or swap file.
 * Pure. */
bool file_watch_source(const char *name);
#endif
