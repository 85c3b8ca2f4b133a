/* folder.h - folders with all that belongs to them: made with their parents, removed with their
 * contents. */
#ifndef THREELANE_FOLDER_H
#define THREELANE_FOLDER_H
#include <dirent.h>
#include <stdbool.h>

/* Creates a folder and its parents; 0 or an errno. */
int folder_make(const char *path);
/* Removes a folder with all that is in it; errors are ignored. */
void folder_remove(const char *path);
/* For scandir: by the bytes of the names, whatever the locale. */
int folder_by_name(const struct dirent **, const struct dirent **);
/* True where others may change files without this kernel's knowing: its notices (inotify) say
 * nothing of that. */
bool folder_is_remote(const char *path);
#endif
