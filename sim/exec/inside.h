/* inside.h - what happens within a kernel, as facts: who loads, who computes, who stores, how far
 * ahead of each other they may be, how often memory is read, how many barriers a block passes.
 *
 * When they are wanted (exec_look_inside), a kernel runs twice more before it runs for good, each
 * time on the same memory, which is put back as it was. The first time counts. The second time
 * finds what the kernel's barriers allow: threads that load go on whenever they can, those that
 * compute only when nobody who loads can, those that store only when nobody else can. The greatest
 * distance between what they have done is then how far ahead the one may be of the other, whatever
 * the hardware does; of one schedule it would be an accident.
 *
 * Roles are what the warps do, not what they are called:
 *   load     reads global memory, and none of what others have put into shared memory
 *   store    writes global memory, from shared memory
 *   compute  reads shared memory and touches no global memory worth the name
 * A warp that does several has none of them, and what it does is ahead of nothing.
 */
#ifndef THREELANE_INSIDE_H
#define THREELANE_INSIDE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Run;
struct ExecInside;

/* Every access of the kernel is to be told to inside_access: it is looked at now. */
extern bool inside_on;
/* And threads take their turns by rank (blocks.c). */
extern bool inside_ranked;

bool inside_wanted(const char *kernel);
/* The kernel runs for the first time (to count), or the second. */
void inside_begin(struct Run *, bool ranked);
/* It has ended; fine: to its end. True: a second time has something to tell. Else what is known is
 * the run's. */
bool inside_end(struct Run *, bool fine);
void inside_free(struct ExecInside *);

/* Before a plain access, or one that copies for the thread, is noted in the footprint. */
void inside_access(uintptr_t address, size_t bytes, bool write);
void inside_barrier(void); /* of the running block */
/* How soon a thread of the running block should have its turn: 0 before 1 before 2 ... */
unsigned inside_rank(uint32_t thread);
#endif
