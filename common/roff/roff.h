/* roff.h - a manual page, as man reads it.
 *
 * Text is plain: paragraphs stand between empty lines, a line that begins with four blanks is an
 * example and stays as it is, and a word between backquotes is a command or a file. */
#ifndef THREELANE_ROFF_H
#define THREELANE_ROFF_H
#include <stdio.h>

/* The page's head and its first section: "threelane-run - compile, run and judge". The date and
 * the version are those of version.h. */
void roff_begin(FILE *, const char *page, const char *about);
void roff_section(FILE *, const char *heading);
void roff_text(FILE *, const char *text);
/* A line of a synopsis: the command, and what follows it. */
void roff_usage(FILE *, const char *command, const char *words);
/* A term and what it means: "--src", "FILE" (NULL: none), a sentence. */
void roff_term(FILE *, const char *name, const char *value, const char *meaning);
/* "threelane(1), tlcc(1)": pages of section 1 after each other; NULL ends them. */
void roff_see(FILE *, const char *const *pages);
#endif
