/* device_heap.h - the heap that malloc, new, free and delete in kernels use: one for each device,
 * made when a kernel asks for the first time, of a size that stays from then on. */
#ifndef THREELANE_DEVICE_HEAP_H
#define THREELANE_DEVICE_HEAP_H
#include <stdbool.h>
#include <stddef.h>

extern size_t device_heap_bytes; /* of heaps that are made from now on; 8 MiB unless changed */
bool device_heap_used(void);     /* has a kernel asked for memory? */
/* What malloc in the running kernel gives; pc: where it is asked for. NULL: there is no more. */
void *device_heap_take(size_t bytes, const void *pc);
bool device_heap_give(void *memory); /* ... as free does; false: it is none of that */
#endif
