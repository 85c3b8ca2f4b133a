/* command.h - the `threelane` command: its options, and one function per subcommand. Only these
 * print. */
#ifndef THREELANE_COMMAND_H
#define THREELANE_COMMAND_H
#include <stdbool.h>
#include <stddef.h>
#include "grader/build/build.h"
#include "grader/commands/command_options.h"
#include "grader/course/catalogue.h"
#include "grader/judge/summary.h"


/* The whole command; returns the exit status (judge.h: VerdictKind). */
int command_main(int argc, char **argv);

/* Subcommands. Each returns the exit status. */
int command_run(const Options *);
int command_watch(const Options *);
int command_show(const Options *);
int command_view(const Options *);
int command_whatif(const Options *);
int command_predict(const Options *);
int command_list(const Options *);
int command_next(const Options *);
int command_progress(const Options *);
int command_hint(const Options *);
int command_lesson(const Options *);
int command_solution(const Options *);
int command_reset(const Options *);
int command_golden(const Options *);
int command_pack(const Options *);
int command_init(const Options *);
int command_site(const Options *);
int command_lint(const Options *);
int command_grade(const Options *);
/* These hand over to the gpu room's own command, words[0] being their name. */
int command_trace(const Options *);
int command_doctor(const Options *);
/* words are as typed: most are tlcc's. */
int command_check(const Options *);
int command_calibrate(const Options *);
int command_compare(const Options *);

/* A judged submission as `threelane run` tells it; trace may be NULL. */
void command_print(const Terminal *, const Catalogue *, const Summary *, const Trace *);
/* "threelane: ..." on the error output; returns the status. */
int command_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Opens the course and finds the exercise that the first word names; on failure says why and
 * returns the status. entry may be NULL for commands that take none. */
int command_course(const Options *, Catalogue *, const CatalogueEntry **entry);
/* The same for commands that work on the student's own file, which the installed course has not. */
int command_own_course(const Options *, Catalogue *, const CatalogueEntry **entry);
/* Reads an entry's exercise file; NULL after saying why. */
Exercise *command_exercise(const CatalogueEntry *);
/* Opens the card that was asked for, and makes the workspace build and run for it; without --gpu
 * nothing. 0, or the status after saying what is missing. */
int command_card(const Options *, Workspace *, Card *);
/* The path of a program (a pager, an editor) as the shell would find it, or NULL. The caller
 * frees. */
char *command_find_program(const char *name);
/* How a student types a subcommand: "make ex43-hint" inside a course with a Makefile, else
 * "threelane hint ex43". */
const char *command_typed(const Catalogue *, const char *id, const char *subcommand, char *text,
                          size_t text_size);
#endif
