/* command_options.h - the options of the `threelane` command, and one table of all that there are:
 * their names, which commands take them, what `threelane help` says of them, and the variable of
 * make that they are. */
#ifndef THREELANE_OPTIONS_H
#define THREELANE_OPTIONS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "common/terminal.h"
#include "grader/manual/manual.h"

typedef struct Options {
    char **words; /* what stands after the command, options left out */
    size_t n_words;
    char **program; /* whatif: what stands after --, NULL-terminated */
    size_t n_program;
    const char *src, *model, *as, *range, *by, *output, *exercises, *exercise, *compare, *figures,
        *predict;
    unsigned long long seed, input, explore; /* run: of the schedule and of the random input */
    unsigned long long attempt;
    double seconds;
    bool trusted;
    int width;
    ColorChoice color;
    size_t parallel;
    bool ascii, force, yes, write, json, gradescope, unsafe, gpu, text, strict, renew, same_draw,
        teacher, solutions, few, follow;
    unsigned card;
    const char *amend, *due, *roster, *again; /* grade */
    const char *earlier;
    bool anonymous, feedback;
    /* grade --slurm */
    bool slurm;
    const char *shared, *partition, *gpu_partition, *account, *time, *sbatch, *job;
    size_t cpus, chunk, tries;
    Terminal out;
} Options;

typedef enum OptionTaken { OPTION_NONE, OPTION_TAKEN, OPTION_WRONG } OptionTaken;

/* Takes the option at words[*at] (and its value, which may be the next word: *at moves on), if that
 * command has it. OPTION_NONE: it has none of that name. OPTION_WRONG: error says what is wrong
 * with it. */
OptionTaken option_take(Options *, const char *command, char **words, size_t n_words, size_t *at,
                        char *error, size_t error_size);

/* What there is, by command. */
void options_help(FILE *);
/* Those that one command takes, with or without those that all have. */
void options_help_of(FILE *, const char *command, bool common);
/* The same as data, for the manual, with or without those that all have; how many there are. The
 * caller frees each `about`. */
enum { OPTIONS_MOST = 60 };
size_t options_shown(const char *command, bool common, ManualOption *, size_t most);
#endif
