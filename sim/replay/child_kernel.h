/* child_kernel.h - kernels of the student's own, run by a player.
 *
 * The player has no byte of the student's code but the bodies of the kernels that the exercise says
 * are the student's (glue.h, GLUE_APART), and it never runs them itself. Each launch of one runs in
 * a child of its own: a copy of the player as it is at that moment, with nothing open but a pipe
 * and nothing allowed but memory, a few signals and that pipe. What the child says that the kernel
 * wrote and touched, the player does again on its own memory, if the program may touch it; so the
 * data are what the kernel made of what was there at that time, and nothing else of the child
 * remains.
 */
#ifndef THREELANE_CHILD_KERNEL_H
#define THREELANE_CHILD_KERNEL_H
#include "sim/include/threelane/glue.h"

/* From here on kernels that have an `apart` run so. */
void child_kernel_begin(const Glue *);
#endif
