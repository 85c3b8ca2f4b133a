/* source.h - the file that a student hands in. */
#ifndef THREELANE_SOURCE_H
#define THREELANE_SOURCE_H
#include <stdbool.h>
#include <stddef.h>

/* The absolute path of a file that can be judged: a regular, readable text of reasonable size whose
 * name ends like a CUDA or C++ source. NULL and one line when it cannot. The caller frees. */
char *source_open(const char *path, char *error, size_t error_size);
/* Both files hold the same bytes. */
bool source_same(const char *path, const char *other);
/* Does the source say of a line of it that it is another one, or another file's (#line, # 12 "x",
 * in whatever spelling)? The first such line. One inside of what is left out (#if 0) counts as
 * well. */
bool source_says_line(const char *text, size_t length, size_t *line);
enum { SOURCE_WORD = 64 };
/* Does the source have code that is not followed (assembly), or say that code is not to be
 * (attributes, pragmas), or make words out of parts (##)? The first such place. */
bool source_is_unseen(const char *text, size_t length, size_t *line, char word[SOURCE_WORD]);
#endif
