/* export.h - a trace as a file for another tool, by the name of its form. One table of what there is. */
#ifndef THREELANE_GRADER_EXPORT_H
#define THREELANE_GRADER_EXPORT_H
#include <stdbool.h>
#include <stddef.h>
#include "timeline/trace.h"

/* What a file of that form is called after its dot; NULL when there is no such form. */
const char *export_ending(const char *form);
/* "svg, perfetto, ...". Returns text. */
const char *export_forms(char *text, size_t text_size);
/* Writes the file, through another one beside it: what was there stays until all is written. False and one line in
 * error. */
bool export_write(const Trace *, const char *form, const char *path, char *error, size_t error_size);
#endif
