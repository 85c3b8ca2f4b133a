/* play_memory.h - what an address in a program log stands for here.
 *
 * Pointers are accepted into the arena, into memory that the harness has shown (threelane_shown),
 * and into a mirror: memory of this process that stands for the pages of the box that only the
 * student knows. Nothing that comes out of here points anywhere else: a number that would is
 * damaged(), in a structure it is taken away. What is touched is checked against the block.
 *
 * Bytes that host code copied are copied here, too; all else that it wrote is not here. */
#ifndef THREELANE_PLAY_MEMORY_H
#define THREELANE_PLAY_MEMORY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum PlayWhere { PLAY_NULL, PLAY_ARENA, PLAY_SHOWN, PLAY_MIRROR, PLAY_NOWHERE } PlayWhere;

/* base: where the box had its arena. release: everything is forgotten (mirrors stay). */
void play_memory_start(uint64_t base);
void play_memory_release(void);

void play_memory_show(uintptr_t memory, uint64_t bytes);
/* The box had `there` where this process has `here`, both given by the harness. */
void play_memory_pair(uintptr_t here, uint64_t there);

/* A pool gave a block of so many bytes that the box had at `there` and this process has at `here`:
 * elsewhere than the rest of the arena says, when another free was over when it was asked for. */
void play_memory_given(uintptr_t here, uint64_t there, uint64_t bytes);

/* What an address of the box is here. bytes: how much will be touched, checked outside the arena.
 * make: a mirror is made where there is none. */
PlayWhere play_memory_find(uint64_t there, uint64_t bytes, bool make, uintptr_t *here);
/* The same for a call of the API, which checks addresses in the arena itself; ends where it is no
 * memory. */
uintptr_t play_memory_pointer(uint64_t there, uint64_t bytes);
/* Memory that code of the host is about to touch: all of it lies in one place that it may touch.
 * Ends where it does not. */
uintptr_t play_memory_of_host(uint64_t there, uint64_t bytes, PlayWhere *);
/* The same of an address of this process's that a function of the harness was given or found. */
bool play_memory_holds(uintptr_t here, uint64_t bytes);
/* A struct came from the log and goes to `at`. An address in it is translated; one that is none, or
 * that would hit this process, is taken away; everything else is a number. Where it lies in memory
 * does not matter, aligned or not: its pointers are at multiples of their size from its start. */
void play_memory_store(void *at, const void *bytes, size_t n);

/* Host code copied bytes (from 0: filled them with value), or wrote what was no copy: true when
 * somebody has to be told of that. */
void play_memory_copy(uint64_t to, uint64_t from, int value, uint64_t bytes, bool fill);
bool play_memory_wrote(uint64_t to, uint64_t bytes);
#endif
