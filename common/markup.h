/* markup.h - text in pages and files of XML and HTML. */
#ifndef THREELANE_MARKUP_H
#define THREELANE_MARKUP_H
#include <stdio.h>

/* Writes text for an element or an attribute in quotes: what has a meaning there is escaped, and
 * what is not harmless (utf8.h) becomes '?'; tabs and line feeds stay. */
void markup_write(FILE *, const char *text);
#endif
