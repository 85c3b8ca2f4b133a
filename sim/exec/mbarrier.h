/* mbarrier.h - barriers that lie in shared memory, and copies that go on while their threads do.
 *
 * A barrier is eight bytes. It counts the arrivals of a phase (init() says how many), and the bytes
 * of bulk copies that it was told to expect; when both have come, the phase is complete and the
 * next one begins. Arriving never waits; waiting is for a phase, known by its parity. What threads
 * did before they arrived comes before what is done by who has seen the phase complete, and by
 * nobody else. A block's barriers are known by address; memory that was never initialised, or that
 * something else has been written to since, is told so.
 *
 * Copies to shared memory are held back as long as CUDA allows it: those of a thread's groups until
 * it waits for them, those that a barrier stands for until its phase has nothing else to wait for.
 * Who looks earlier sees the old bytes, and is reported. Bulk copies out of shared memory read and
 * write when their thread waits for them.
 *
 * Other blocks cannot arrive here: a block whose threads all wait at such barriers, or for one
 * another, will do so for ever. The report says who stands where, and what each barrier lacks.
 */
#ifndef THREELANE_MBARRIER_H
#define THREELANE_MBARRIER_H
#include <stdbool.h>
#include "sim/exec/exec_internal.h"

/* The block has ended: its barriers and copies do. It is set aside while others run; it is back. */
void mbarrier_block_ends(Block *);
void mbarrier_set_aside(Block *);
void mbarrier_taken_back(Block *);
/* Every thread of the running block that has not ended waits, and some do at a barrier. */
_Noreturn void mbarrier_deadlock(void);
#endif
