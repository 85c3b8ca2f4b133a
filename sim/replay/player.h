/* player.h - the trusted side of grading: makes again what a program log says that the student's code did.
 *
 * The program is the harness, compiled from the grader's own copy, with stubs for the student's functions (glue.h).
 * main, the input, the kernels, the checks and the dumps are real; a stub makes the recorded calls on this process's
 * own virtual GPU. No byte that the student's code computed gets into memory: data come from the harness, from kernels
 * and from copies. Numbers and pointers do get in, as arguments. Pointers are accepted into the arena, into memory
 * that the harness has shown (threelane_shown), and into a mirror: memory of this process that stands for the pages
 * of the box that only the student knows. grader/TRUST.md has the rules.
 *
 * A program that ends before its time ends this process with one of these statuses (besides host.h's), a line on
 * stderr and a trace that is true as far as it goes. */
#ifndef THREELANE_PLAYER_H
#define THREELANE_PLAYER_H

enum {
    PLAYER_LIMIT = 92,                /* the log asks for too much */
    PLAYER_REFUSED = 93,              /* it needs what cannot be played: the student's own kernel, an unknown call */
    PLAYER_ENDED = 94,                /* the log ends before the harness does */
    PLAYER_DAMAGED = 95,              /* no program writes such a log */
    PLAYER_BROKEN = 91                /* the log could not be read: not the student's doing */
};
#endif
