/* exit_status.h - how commands and programs of ours end: every exit status once, with its word and
 * its meaning.
 *
 * The tables are all there is to change; `threelane help status` prints them. The words stand in
 * JSON, in gradebooks and in traces, so they are for good. */
#ifndef THREELANE_EXIT_STATUS_H
#define THREELANE_EXIT_STATUS_H

/* ---- threelane run, grade and all others of ours, but check: name, status, word, meaning ---- */
#define EXIT_STATUS_OF_COMMANDS(END)                                                             \
    END(VERDICT_PASS, 0, "pass", "passed; done")                                                 \
    END(VERDICT_FAIL, 1, "fail", "failed: a check does not hold")                                \
    END(VERDICT_USAGE, 2, "usage", "what was asked for makes no sense")                          \
    END(VERDICT_COMPILE, 3, "compile error", "does not compile")                                 \
    END(VERDICT_CRASH, 4, "crashed", "the program ended by itself, badly")                       \
    END(VERDICT_TIMEOUT, 5, "timed out", "the program, or the compiler, did not end in time")    \
    END(VERDICT_LIMIT, 6, "over limit", "too much memory, output, files or processes")           \
    END(VERDICT_GRADER, 7, "grader error", "the exercise, the machine or Threelane is at fault") \
    END(VERDICT_REFUSED, 8, "refused", "not run: a link, not a text, too large, cannot be judged")

/* ---- threelane check ---- */
#define EXIT_STATUS_OF_CHECK(END)                                                                \
    END(CHECKED_CLEAN, 0, "clean", "nothing was found")                                          \
    END(CHECKED_ERRORS, 1, "errors", "an error was found (with --strict, a note counts as one)") \
    END(CHECKED_NOT_RUN, 2, "not run", "could not be built, or not be run to its end")

/* ---- programs that the virtual GPU ended; else their status is their own. The kind says more than
 * the status: it is a word in the trace's `exit` record and in an outcome (outcome.h). Of kinds
 * with one status the first is what host_fatal means by that status. ---- */
enum {
    PLAYER_BROKEN = 91,
    PLAYER_LIMIT = 92,
    PLAYER_REFUSED = 93,
    PLAYER_ENDED = 94,
    PLAYER_DAMAGED = 95,
    HOST_STATUS_UNSUPPORTED = 96,
    HOST_STATUS_MISUSE = 97,
    HOST_STATUS_DEADLOCK = 98,
    HOST_STATUS_CRASH = 99,
    EXIT_STATUS_SIGNAL = 128 /* and the signal's number */
};

#define EXIT_STATUS_OF_PROGRAMS(END)                                                            \
    END(STOP_BROKEN, PLAYER_BROKEN, "broken", "its log could not be read")                      \
    END(STOP_LIMIT, PLAYER_LIMIT, "limit", "its log asks for too much")                         \
    END(STOP_REFUSED, PLAYER_REFUSED, "refused", "it needs what cannot be graded")              \
    END(STOP_ENDED, PLAYER_ENDED, "ended", "its log ends before the harness does")              \
    END(STOP_DAMAGED, PLAYER_DAMAGED, "damaged", "no program writes such a log")                \
    END(STOP_UNSUPPORTED, HOST_STATUS_UNSUPPORTED, "unsupported", "the virtual GPU has it not") \
    END(STOP_MISUSE, HOST_STATUS_MISUSE, "misuse", "undefined in CUDA; a senseless variable")   \
    END(STOP_MODEL, HOST_STATUS_MISUSE, "model", "the device model asked for is none")          \
    END(STOP_DEADLOCK, HOST_STATUS_DEADLOCK, "deadlock", "every thread waits for another")      \
    END(STOP_MACHINE, HOST_STATUS_CRASH, "machine", "no memory, processes or files left")       \
    END(STOP_CRASH, EXIT_STATUS_SIGNAL, "crash", "a signal: 128 and its number")

#define EXIT_ROW_STATUS(NAME, STATUS, WORD, MEANING) NAME = STATUS,
#define EXIT_ROW_NAME(NAME, STATUS, WORD, MEANING) NAME,

typedef enum VerdictKind { EXIT_STATUS_OF_COMMANDS(EXIT_ROW_STATUS) } VerdictKind;
typedef enum CheckedKind { EXIT_STATUS_OF_CHECK(EXIT_ROW_STATUS) } CheckedKind;
typedef enum StopKind { STOP_NONE, EXIT_STATUS_OF_PROGRAMS(EXIT_ROW_NAME) STOP_KINDS } StopKind;

typedef struct ExitStatusRow {
    int status;
    const char *word, *meaning;
} ExitStatusRow;
extern const ExitStatusRow exit_status_stop[STOP_KINDS]; /* by StopKind; the row of STOP_NONE is
                                                            empty */

/* The word of a verdict; that of VERDICT_GRADER for what is none. */
const char *exit_status_verdict_word(int kind);
/* The first kind with that status; STOP_NONE when a program that ends so ends by itself. */
StopKind exit_status_stop_of_status(int status);
/* STOP_NONE when it is the word of none. */
StopKind exit_status_stop_of_word(const char *word);

/* All of it as text, a line at a time; NULL when there are no more. */
const char *exit_status_help_line(unsigned n);
#endif
