/* whatif.h - a program makes its calls again, some of them otherwise: what would it take?
 *
 * THREELANE_WHATIF names a file that says which (grader/whatif writes it); text, a line each:
 *   threelane-whatif 1
 *   call THREAD RANK NAME WHAT
 * (decimal): the thread's RANKth call in the trace, from 1, which is of NAME; several lines may be
 * about the same one. WHAT:
 *
 *   skip          it is left out, and succeeds
 *   async         a copy whose caller does not wait for it
 *   pinned        its pageable memory is taken for pinned
 *   wait          then its thread waits for all work of its device
 *   times FACTOR  a copy, a set or a kernel lasts so many times as long
 *   stream ID     into the stream that had this number when nothing was changed
 *   apart K       into a stream of its own: the Kth that the question makes
 *
 * A call is known by its thread and rank, since times and the order between threads change with the
 * question. Where the program makes another call there than NAME, it does something else than it
 * did: nothing more of this thread is changed, and a note of the kind `what-if` says so.
 *
 * Everything else (what a call checks, whom it lets wait, what races) is decided by the same code
 * as always. All functions are called with the baton held. */
#ifndef THREELANE_WHATIF_H
#define THREELANE_WHATIF_H
#include <stdbool.h>
#include <stdint.h>

typedef struct WhatIf {
    bool skip, async, pinned, wait;
    uint32_t stream, apart; /* 0: its own */
    double times;           /* 0: as it is */
} WhatIf;

enum { WHATIF_APART = 4096 }; /* streams that a question may make */

extern bool whatif_on;
/* NULL or "": nothing is asked. Ends the program where the file cannot be read or is none. */
void whatif_open(const char *path);
/* The calling thread begins its next call that is in the trace: what is changed about it; NULL:
 * nothing. Valid until the process ends. */
const WhatIf *whatif_call(uint32_t thread, const char *name);

/* A stream that the program made, or that came with the device, has this number here; which number
 * the stream has here that had `id` when nothing was changed. 0: none, so far. */
void whatif_stream_made(uint32_t id);
uint32_t whatif_stream(uint32_t id);
#endif
