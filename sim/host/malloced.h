/* malloced.h - blocks of the C library's heap: where each begins, and how many bytes the program
 * asked for. CUDA calls are given addresses in the midst of a block as well as its beginning.
 *
 * A byte for every 16 of address space says what begins there: nothing, or a block and how much
 * more it has than was asked for. Only pages that are used cost memory. May be called from any
 * thread; allocates nothing of the heap itself.
 */
#ifndef THREELANE_MALLOCED_H
#define THREELANE_MALLOCED_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MallocedBlock {
    uintptr_t address;
    size_t bytes; /* as asked for */
} MallocedBlock;

/* malloc and its kin have made a block; it is about to be given back. NULL: nothing happens. */
void malloced_made(void *block, size_t bytes);
void malloced_gone(const void *block);
/* Who keeps addresses of the program's blocks hears when one is given back: another may soon lie at
 * the same address, or not, as the C library and the kernel please. NULL: nobody does. Called with
 * the block still there. */
extern void (*malloced_forget)(uintptr_t block, size_t bytes);

/* Asked about memory of the virtual machine that free and delete are given: true when it was some
 * of a kernel's heap, and now is free. NULL: there is none. */
extern bool (*malloced_elsewhere)(void *memory);

/* free() for what the virtual machine itself has allocated: nobody is asked. (The Makefile says
 * where it stands for free().) */
void malloced_free(void *block);

/* The live block that holds the address. False: there is none, or it is not known. */
bool malloced_find(const void *address, MallocedBlock *);
/* Bytes from an address on the calling thread's stack to the end of the frame that it lies in: no
 * variable there has more. SIZE_MAX: not known. Takes microseconds. */
size_t malloced_frame_room(const void *address);
#endif
