/* names.h - the names of __shared__ variables, from the program's own symbol table. */
#ifndef THREELANE_NAMES_H
#define THREELANE_NAMES_H
#include <stdbool.h>
#include <stddef.h>

/* The variable that lies offset bytes into the program's thread-local segment: its name in the source, where it begins
 * and its size. False when it is not known. */
bool names_shared(size_t offset, char *name, size_t size, size_t *begin, size_t *bytes);
#endif
