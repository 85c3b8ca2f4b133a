/* diagnostics.h - the host compiler's messages, as if it had read the program itself. */
#ifndef THREELANE_DIAGNOSTICS_H
#define THREELANE_DIAGNOSTICS_H
#include <stdbool.h>
#include "sim/rewrite/bytes.h"

/* Adds messages to out without what only the rewriting has put there: "In lambda function" before
 * what is a kernel to its author, the names and the argument that calls of the API have here
 * (threelane/api.h), complaints about line markers in macro arguments; and without warnings that
 * were said already, and notes on where our headers include each other or declare what is not in
 * CUDA 13. rewritten: the messages are about a CUDA file, not about one of C or C++. quotes_input:
 * the compiler shows the line that it read (clang); the line of the author's file takes its place.
 * After them come lines that say what to do about errors with a known reason in CUDA: a header or a
 * name that is not there, a launch written wrongly or in a file that is not CUDA. */
void diagnostics_clean(const Bytes *messages, bool rewritten, bool quotes_input, Bytes *out);
#endif
