/* compiler.h - the host compiler: which one, and the options that it understands. */
#ifndef THREELANE_TLCC_COMPILER_H
#define THREELANE_TLCC_COMPILER_H
#include <stdbool.h>
#include "sim/tlcc/options.h"
#include "sim/tlcc/bytes.h"

typedef struct Compiler {
    char *command;
    bool clang;
    int version;                      /* major */
    char *home;                       /* where include/ and libthreelane.a are */
    bool color;
} Compiler;

/* Finds the host compiler and our own files. False: message says what is missing. */
bool compiler_find(Compiler *, const Options *, Bytes *message);
void compiler_release(Compiler *);

/* Options of both passes: dialect, optimization, instrumentation, the program's own. */
void compiler_add_common(const Compiler *, const Options *, Language, Args *);
/* Options that matter where headers are read: -I, -D and kin. */
void compiler_add_preprocessing(const Compiler *, const Options *, Language, Args *);
/* The whole command that links objects (options->link with "\1N" replaced by object N). */
void compiler_add_link(const Compiler *, const Options *, char *const *object, const char *output, Args *);
#endif
