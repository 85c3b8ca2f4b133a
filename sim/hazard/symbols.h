/* symbols.h - the program's own variables, from its symbol table: what is called how, and where it
 * begins and ends.
 *
 * __device__, __constant__ and __managed__ variables are ordinary variables of the program,
 * __shared__ ones lie in its thread-local segment. tlcc leaves a gap after each, so that the next
 * one does not begin where one ends. Nothing is known of a program that has been stripped. For the
 * main OS thread; the table is read on first use.
 */
#ifndef THREELANE_SYMBOLS_H
#define THREELANE_SYMBOLS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Variable {
    uintptr_t address;
    size_t bytes;
    const char *name;   /* in the source; static storage */
    const char *symbol; /* as the compiler calls it; static storage */
    bool cpp;           /* of C++, and inside a function or static: __shared__ variables are */
    bool guard; /* the compiler's, and says whether the variable of that name has its value yet */
} Variable;

/* The variable that holds the byte; the last one that begins at or before it. NULL: none, or not
 * known. */
const Variable *symbols_at(uintptr_t address);
const Variable *symbols_before(uintptr_t address);
/* Is every byte that is nobody's in [begin, end) known, because it is in .data or .bss and these
 * have symbols? */
bool symbols_know(uintptr_t begin, uintptr_t end);
/* Those that have bytes in [begin, end), in order of address. */
void symbols_each(uintptr_t begin, uintptr_t end, void (*visit)(const Variable *, void *),
                  void *arg);
/* Those that are called `name`, of a template each one that there is, and are in the namespace in
 * which the variable at `beside` is. */
void symbols_like(uintptr_t beside, const char *name, void (*visit)(const Variable *, void *),
                  void *arg);
#endif
