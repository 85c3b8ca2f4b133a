/* tools.h - what the gpu room's commands share: messages, finding and running other programs, a
 * folder for a while. */
#ifndef THREELANE_TOOLS_H
#define THREELANE_TOOLS_H
#include <stdbool.h>
#include <stddef.h>

/* "threelane: ..." on the error output. */
void tools_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A program's path: the one that the environment variable names, else on PATH, else (nvcc) in
 * /usr/local/cuda*. */
bool tools_find(const char *name, const char *variable, char *path, size_t path_size);
/* The file beside this command, into path. False when it is not there. */
bool tools_beside(const char *name, char *path, size_t path_size);
/* Whether there is a driver at all. */
bool tools_driver(void);

/* words, then what `more` holds between its blanks. NULL-terminated; the caller frees the array
 * (not the words, which live as long as the process). more may be NULL. Ends the process when
 * memory is short. */
const char **tools_words(const char *const *words, const char *more);

/* Runs a program to its end, what it prints going into a file in the folder. 0; or its exit status
 * (128 + signal, 127 when it could not be started), after saying that `failed` and showing the last
 * lines of what it printed. */
int tools_run(const char *const *words, const char *folder, const char *failed);
/* The same, but what it prints on its output is read into text ("" when it fails). The caller frees
 * it. */
char *tools_read(const char *const *words, const char *folder, const char *failed, int *status);

/* A new folder for files that are wanted only for a while; tools_remove takes it and all in it
 * away. */
bool tools_folder(char *path, size_t path_size);
void tools_remove(const char *path);
#endif
