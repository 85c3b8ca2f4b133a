/* toolkit.h - the libraries that a CUDA toolkit brings as headers: Thrust, CUB, libcu++ (together:
 * CCCL).
 *
 * None of them is ours, and none is needed: only a program that includes what our own headers do
 * not have is compiled with them, where they are installed. Such a source is read as a whole: its
 * first pass replaces all macros, so that kernels, launches and inline PTX of the libraries stand
 * in the text like the program's own and are rewritten like them; CUDA's words (threelane/words.h)
 * are left for the second pass. What the libraries ask of a compiler that has two passes, of which
 * one is for the device, is answered by include/toolkit/, which is found before them. */
#ifndef THREELANE_TOOLKIT_H
#define THREELANE_TOOLKIT_H
#include <stdbool.h>
#include "sim/rewrite/bytes.h"
#include "sim/tlcc/compiler.h"
#include "sim/tlcc/options.h"

/* Do these messages of a first pass say that one of the libraries' headers is not there? */
bool toolkit_is_missed(const Bytes *errors);
/* The folder that has thrust/, cub/ and cuda/: a -I of the program's; else in the toolkit that
 * CUDA_HOME or CUDA_PATH names; where neither names one, in the usual places. To be freed; NULL:
 * there is none. */
char *toolkit_find(const Options *);
/* Options with which the libraries in that folder are found, before those of any other; of a first
 * pass, all that they ask for. */
void toolkit_add_folder(const char *folder, Args *);
void toolkit_add_preprocessing(const Compiler *, const char *folder, int arch, Args *);
/* Options of the second pass. */
void toolkit_add_compile(Args *);
/* Makes the text of such a first pass, rewritten, one for the second pass. False: our words cannot
 * be read. */
bool toolkit_finish(const Compiler *, Bytes *text);
#endif
