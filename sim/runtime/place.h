/* place.h - memory as a call sees it: what lies at an address; blocks as they come and go. */
#ifndef THREELANE_PLACE_H
#define THREELANE_PLACE_H
#include "sim/memory/memory.h"
#include "sim/runtime/call.h"

typedef struct Place {
    TraceMemory kind; /* pageable: the runtime does not know it */
    uint32_t alloc;   /* its id in the trace, 0 for pageable memory */
    uint64_t offset;  /* in the allocation; for pageable memory the address */
    size_t room;      /* bytes from here to the allocation's end; SIZE_MAX when unknown */
    bool dead;      /* in the arena, and not, or no longer, allocated, or given back in stream order
                     */
    bool as_pinned; /* it is pageable, and a question takes it for pinned (sim/whatif) */
    int device;
} Place;
Place place_of(const void *address);
/* Does work on the device reach what lies there? (Of what nobody knows: it does.) */
bool place_is_reached(int device, const void *address);

/* Variables in device memory. False when address is not in a known one. */
bool symbol_find(const void *address, Place *);
/* The program has one there; perhaps it has (what is on the stack or the heap is no variable). */
void symbol_know(const void *address, size_t bytes, bool managed);
void symbol_guess(const void *address, size_t bytes);
/* It has those of a template of that name, in the namespace in which the one at `beside` is. */
void symbols_know_like(const void *beside, const char *name, bool managed);
/* The known one at address is called so (static storage); the one that is; NULL: none. */
void symbol_name(const void *address, const char *name);
const void *symbol_named(const char *name);
/* Each device has variables of its own. There is one place for them in the program: from here on it
 * holds this device's (not managed ones, of which there is one for all). */
void symbols_of(int device);
bool symbols_own(uintptr_t address, size_t bytes); /* are there such ones, and no managed one? */
/* The address of the device's own, as a program gets it: with one device, the place in the program.
 * False when memory is short. */
bool symbol_address(const void *symbol, int device, void **address);
/* The reverse: the place in the program, and whose it is; any other address stays what it is. */
const void *symbol_of_device(const void *address, int *device);
/* Those that are managed memory: host code may touch them, too. */
void symbols_managed(void (*visit)(const void *address, size_t bytes));
/* All. */
void symbols_all(void (*visit)(const void *address, size_t bytes));

/* A block has been made for the call; the call has given it up (in stream order: it still is
 * there); the calling thread is about to free it, and waits for the device first. */
void block_made(const Call *, const MemoryBlock *);
void block_gone(const Call *, const MemoryBlock *);
void block_about_to_go(const Call *, const MemoryBlock *, bool waits);
/* Gives it up and frees it. */
void block_give_back(const Call *, MemoryBlock *);
/* Frees what a device (and, with device 0, the host side) holds: cudaDeviceReset. */
void places_reset(const Call *, int device);
#endif
