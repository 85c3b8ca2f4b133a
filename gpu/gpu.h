/* gpu.h - the command behind `threelane trace`, `doctor`, `calibrate` and `compare`. It needs
 * nothing from NVIDIA to be built. */
#ifndef THREELANE_GPU_H
#define THREELANE_GPU_H
#include <stdbool.h>
#include <stddef.h>

/* Runs a program under the tracer; -q leaves all the talking to the program and ends by the signal
 * that ended it. The exit status is the program's (128 + signal where one ended it), 2 for a wrong
 * use, 7 when there is nothing to trace with. With -q and fd:N as the file, an open descriptor, it
 * becomes the program and the trace is left as it was recorded: for a caller that keeps the program
 * in a box, and looks for the source lines elsewhere (gpu_sites). */
int gpu_trace(int argc, char **argv);
/* Finds the source lines of a trace that was left as recorded. 0; 1 and one line when it cannot be
 * read or written. */
int gpu_sites(int argc, char **argv);
/* One line about a card that can be measured on: name, compute capability (90), the driver's CUDA
 * version (13000), what tells the card apart, and the files of driver and CUPTI, between tabs. 7,
 * and one line on the error output, when nothing can be recorded on it. */
int gpu_card(int argc, char **argv);
/* Says what is there for a real GPU and what is missing; 0 when programs can be traced. */
int gpu_doctor(int argc, char **argv);

/* Measures this machine's card and writes its device model; a file that is there is read first, and
 * what moved is said. 0; 2 wrong use, 7 nothing to measure with, 4 a measurement failed. */
int gpu_calibrate(int argc, char **argv);
/* A program on the virtual GPU beside the same on the card, or beside a recorded run. 0; 1 when an
 * order was seen that CUDA forbids; 2 wrong use, 3 does not compile, 4 the program failed, 7 the
 * runs do not match or a tool is missing. */
int gpu_compare(int argc, char **argv);

/* Replaces the call stacks in a recorded trace by the source lines they come from (FORMAT.md,
 * `frame`); path: a file, or fd:N for an open descriptor that is read and written. False, and one
 * line in error, when the file cannot be read or written; a program without debug information is no
 * error. */
bool sites_resolve(const char *path, char *error, size_t error_size);
#endif
