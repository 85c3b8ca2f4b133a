/* compiler.h - the host compiler: which one, and the options that it understands. */
#ifndef THREELANE_COMPILER_H
#define THREELANE_COMPILER_H
#include <stdbool.h>
#include "sim/tlcc/options.h"
#include "sim/rewrite/bytes.h"

typedef struct Compiler {
    char *command;
    char *path; /* where that is */
    bool clang;
    int version; /* major */
    char *home;  /* where include/, pch/ and libthreelane.a are */
    bool color;
} Compiler;

/* Finds the host compiler and our own files. False: message says what is missing. */
bool compiler_find(Compiler *, const Options *, Bytes *message);
void compiler_release(Compiler *);

/* Options of both passes: dialect, optimization, instrumentation, the program's own. */
void compiler_add_common(const Compiler *, const Options *, Language, Args *);
/* Options that matter where headers are read: -I, -D and kin, and what is read before all else.
 * precompiled: g++ may take our headers from COMPILER_PCH, where they fit; it then says so in a
 * line of its first pass. */
void compiler_add_preprocessing(const Compiler *, const Options *, Language, bool precompiled,
                                Args *);
/* Below the home: a header that does nothing but include ours, and its .gch is what `tlcc
 * --precompile` made of it. g++ looks whether that was made with the same compiler and options, and
 * reads the header where not. The second is for --plain. */
#define COMPILER_PCH "pch/first.h"
#define COMPILER_PCH_PLAIN "pch/plain.h"
#define COMPILER_PCH_MARK "#pragma GCC pch_preprocess"
/* The whole command that links objects (options->link with "\1N" replaced by object N). fast: by
 * the quicker linker. */
void compiler_add_link(const Compiler *, const Options *, char *const *object, const char *output,
                       bool fast, Args *);
/* Is there a linker, gold, that needs half the time for what these options ask? (Where it fails,
 * or has anything to say, the usual one is to be asked: its words are the known ones.) */
bool compiler_links_fast(const Compiler *, const Options *);
#endif
