/* highlight.h - CUDA C++ as HTML: comments, words of the language, text, numbers, CUDA's own names.
 */
#ifndef THREELANE_HIGHLIGHT_H
#define THREELANE_HIGHLIGHT_H
#include <stdio.h>

/* Writes the source with <span class="..."> around what stands out: c (a comment), k (a word of the
 * language), s (text), n (a number), p (a line of the preprocessor), f (a name of CUDA's), x (<<<
 * and >>>). All of it is escaped. card: where the card of a call is, or NULL when it has none (then
 * freed here); a name that has one becomes a link. card may be NULL. */
void highlight_cuda(FILE *, const char *source, char *(*card)(void *data, const char *name),
                    void *data);
#endif
