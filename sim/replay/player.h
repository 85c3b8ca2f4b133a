/* player.h - the trusted side of grading: the program that makes again what a program log says.
 *
 * It is the harness, compiled from the grader's own copy, with stubs for the student's functions
 * (glue.h). main, the input, the kernels, the checks and the dumps are real; a stub plays the
 * recorded calls (play.h) on this process's own virtual GPU (play_machine.h). No byte that the
 * student's code computed gets into memory: data come from the harness, from kernels and from
 * copies. grader/TRUST.md has the rules. It runs in a box of its own (grader/box/confine.h).
 *
 * A program that ends before its time ends this process with a status of its own (PLAYER_...,
 * common/exit_status.h), a line on stderr and a trace that is true as far as it goes. */
#ifndef THREELANE_PLAYER_H
#define THREELANE_PLAYER_H
#include "common/exit_status.h"
#include "sim/replay/play_machine.h"
#endif
