/* variables.h - __device__ variables where there are several devices.
 *
 * Kernels know a variable by its name, and there is one place for that in the program. Each device
 * has a variable of its own all the same, at an address of its own: pages in the device's part of
 * the arena. The place in the program is a second view of the pages of one device, and of another
 * one's when its turn comes; what else of the program lies on these pages is moved along. */
#ifndef THREELANE_VARIABLES_H
#define THREELANE_VARIABLES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Gives these variables (rising, apart) such addresses; what is in place now is the first value for
 * all devices, and `device` is the one that is in place. Again, for variables that have come since.
 * False, and nothing has changed, where memory is short, or a variable lies partly on pages that
 * were shared before. */
typedef struct VariableRange {
    uintptr_t begin, end;
} VariableRange;
bool variables_share(const VariableRange *, size_t n, int devices, int device);

/* May the program write to what it has at address? It may not to constants. */
bool variables_change(uintptr_t address);

/* The place in the program is this device's from here on. */
void variables_in_place(int device);

/* A device's own address of what is in place at address; 0: it was never shared. */
uintptr_t variables_address(uintptr_t in_place, int device);
/* The reverse. False: it is no device's own address of a variable. */
bool variables_find(uintptr_t address, uintptr_t *in_place, int *device);
#endif
