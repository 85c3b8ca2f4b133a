/* objects.h - what object files ask of the linker. */
#ifndef THREELANE_OBJECTS_H
#define THREELANE_OBJECTS_H
#include <stdbool.h>
#include <stddef.h>

/* Do programs of these files need the C++ library? Its thousands of names are a third of the time
 * that linking a small program takes. False only when all are object files that can be read to the
 * end, and what they ask of others is no C++ name; true for all else: archives, libraries,
 * link-time optimization, damaged files. */
bool objects_need_cpp(char *const *path, size_t n);
/* Leaves a gap after each variable of an object file compiled with -fdata-sections, so that what is
 * written past the end of one does not hit the next. Its sections are then called .data and .bss
 * again. False: it could not be written. */
bool objects_add_gaps(const char *path);
#endif
