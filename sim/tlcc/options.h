/* options.h - nvcc's command line, as far as it means something without NVIDIA's tools. */
#ifndef THREELANE_OPTIONS_H
#define THREELANE_OPTIONS_H
#include <stdbool.h>
#include <stdio.h>
#include "sim/rewrite/bytes.h"

typedef enum Phase {
    PHASE_LINK,
    PHASE_COMPILE,
    PHASE_PREPROCESS,
    PHASE_DEPENDENCIES,
    PHASE_REWRITE,
    PHASE_ARCHIVE,
    PHASE_DEVICE_LINK,
    PHASE_VERSION,
    PHASE_HELP,
    PHASE_MANUAL,
    PHASE_PRECOMPILE,
    PHASE_NOTHING
} Phase;

typedef enum Language {
    LANGUAGE_BY_NAME,
    LANGUAGE_CUDA,
    LANGUAGE_CXX,
    LANGUAGE_C,
    LANGUAGE_OBJECT
} Language;

typedef struct Input {
    char *path;        /* never starts with a dash */
    Language language; /* never LANGUAGE_BY_NAME */
} Input;

typedef struct Options {
    Phase phase;
    Input *input;
    int inputs;
    char *output, *output_directory;
    char *compiler;  /* -ccbin */
    Args preprocess; /* -I -isystem -D -U -include: for the host compiler, in order */
    Args compile;    /* -std -W... and -Xcompiler */
    Args link;       /* -l -L -Xlinker and objects, in the order given; inputs by "\1" and index */
    Args run;        /* -run-args */
    char *optimize;  /* "-O3"; NULL: not given */
    char *standard;  /* "-std=c++17"; NULL: not given */
    bool debug, device_debug, shared, run_it, quiet, warnings_are_errors, verbose, dry_run, plain;
    bool per_thread_stream;
    bool contract;                                               /* -fmad=true: a*b+c rounds once */
    bool dependencies, dependencies_user_only, dependency_phony; /* -MD, -MMD, -MP */
    char *dependency_file;
    Args dependency_targets;
    int arch;    /* of -arch and kin: 900 for sm_90; 0: not given */
    int threads; /* -t; 0: as many as there are processors */
} Options;

/* Reads the arguments (without argv[0]) into options (zeroed before). True when all is well; else
 * message is one line without a newline. */
bool options_read(Options *, int argc, char **argv, Bytes *message);
void options_release(Options *);

/* What --help and --manual print. */
void options_print_help(FILE *);
void options_print_manual(FILE *);
#endif
