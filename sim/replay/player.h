/* player.h - the trusted side of grading: makes again what a program log says that the student's
 * code did.
 *
 * The program is the harness, compiled from the grader's own copy, with stubs for the student's
 * functions (glue.h). main, the input, the kernels, the checks and the dumps are real; a stub makes
 * the recorded calls on this process's own virtual GPU. No byte that the student's code computed
 * gets into memory: data come from the harness, from kernels and from copies. Numbers and pointers
 * do get in, as arguments. Pointers are accepted into the arena, into memory that the harness has
 * shown (threelane_shown), and into a mirror: memory of this process that stands for the pages of
 * the box that only the student knows. grader/TRUST.md has the rules.
 *
 * A program that ends before its time ends this process with a status of its own (PLAYER_...,
 * common/ends.h), a line on stderr and a trace that is true as far as it goes. */
#ifndef THREELANE_PLAYER_H
#define THREELANE_PLAYER_H
#include "common/ends.h"
#endif
