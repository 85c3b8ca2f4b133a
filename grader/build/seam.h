/* seam.h - the source file that lies between a harness and a student's functions in graded
 * programs.
 *
 * Pure text: from what nm says about the harness's object and from the exercise's header it finds
 * the functions that the student writes (undefined in the object, declared in the header), the
 * harness's functions that the student may call, and the kernels; sim/include/threelane/glue.h has
 * what the written file refers to. */
#ifndef THREELANE_SEAM_H
#define THREELANE_SEAM_H
#include <stdbool.h>
#include <stddef.h>
#include "common/text.h"

/* apart: the symbols of the kernels that the student writes, a line each. symbols, names: the
 * output of `nm -p` and of `nm -p -C`. source: the file to compile. renames: `OLD NEW` lines for
 * objcopy --redefine-syms. False and one line when the exercise cannot be graded this way. */
bool glue_write(Text *source, Text *renames, Text *apart, const char *header_name,
                const char *header, const char *symbols, const char *names, char *error,
                size_t error_size);
#endif
