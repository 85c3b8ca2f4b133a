/* export.h - a trace as a file for another tool, by the name of its form ("svg"). One table of what
 * there is, for `threelane show --as` and the viewer's :export. */
#ifndef THREELANE_EXPORT_H
#define THREELANE_EXPORT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "timeline/exports/html_more.h"
#include "timeline/trace/trace.h"

/* What a file of that form is called after its dot; NULL when there is no such form. */
const char *export_ending(const char *form);
/* A form that is no text, and nothing for a terminal. */
bool export_is_binary(const char *form);
/* "svg, html, ... or nsys-sqlite". Returns text. */
const char *export_forms(char *text, size_t text_size);

/* What a picture shows at first; forms for other tools hold everything. */
typedef struct ExportOptions {
    uint32_t range;   /* what was issued inside this NVTX range; 0: everything */
    bool by_stream;   /* rows are streams, else engines */
    const char *path; /* of the trace; a program that is only known by a number is called after it
                       */
    const HtmlAnswer *answers; /* html: to questions about the run */
    size_t n_answers;
} ExportOptions;

/* What writes a form. 0, or -1 with the reason in errno or, when there is more to say, in error. */
typedef int ExportWrite(FILE *, const Trace *, const ExportOptions *, char *error,
                        size_t error_size);

/* Writes to a stream: false and the reason in error ("No space left on device"). */
bool export_to(FILE *, const Trace *, const char *form, const ExportOptions *, char *error,
               size_t error_size);
/* Writes the file, through another one beside it: what was there stays until all is written. False
 * and one line in error. */
bool export_write(const char *path, const Trace *, const char *form, const ExportOptions *,
                  char *error, size_t error_size);
#endif
