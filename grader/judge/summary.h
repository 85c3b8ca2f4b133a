/* summary.h - what there is to tell about a judged submission, as data: the one description that
 * every way of telling it (lines on a terminal, the screen of `threelane watch`, files for a class)
 * is made from.
 *
 * What happened in a hidden run (grader/course/hidden.h) is in the fields `hidden` and nowhere
 * else: neither numbers nor names of it, nor what the program or a compiler said there. All other
 * fields may be shown to the student.
 *
 * A Summary owns all it points to and knows neither the exercise nor the trace it came from. Texts
 * are as they came: who shows them makes them safe (text_add_shown). Strings may be NULL where it
 * is said. */
#ifndef THREELANE_SUMMARY_H
#define THREELANE_SUMMARY_H
#include <stdio.h>
#include "grader/judge/judge.h"

/* A length that earns points by how short it is, in thousandths of `unit`. */
typedef struct SummaryScore {
    int got, par;   /* got 0: there is none */
    int record;     /* 0: none is known */
    int share;      /* not at par: the part of the points that it earns, in thousandths */
    int last, best; /* of the student's earlier runs, the caller's to set; 0: there were none */
    char *unit;     /* "units", or NULL */
} SummaryScore;

typedef struct SummaryCheck {
    char *id, *title;
    CheckState state;
    int points, possible; /* points: what it earned */
    SummaryScore score;
    char *cause;   /* failed or broken: why, and in which run; else NULL */
    char *mistake; /* failed: what its author did, for counting (checks.h); NULL: not known, or it
                      happened in a hidden run */
    char *hidden;  /* of a hidden run: the cause itself, for who teaches; else NULL */
    char *detail;  /* lines of diff.h, or NULL */
    char *hints[EXERCISE_HINTS]; /* failed: its hints, each saying more than the one before; NULL
                                    where there is none */
    int op; /* failed in the run that is drawn: the operation that the cause is about; else 0 */
    char *after; /* blocked: the title of what has to pass first; NULL: the program has to end first
                  */
} SummaryCheck;

/* What was said of the run that the program itself has not printed. kind: trace.h; "" for none. */
typedef struct SummaryNote {
    bool error;
    char *kind, *text;
} SummaryNote;

typedef struct Summary {
    char *id, *title, *todo; /* of the exercise; todo: the first step */
    char *show;              /* the range whose schedule is shown, or NULL: the whole run */
    int number, xp;
    char *card; /* the GPU it ran on, or NULL: the virtual one */
    int card_number;
    char *machine, *own_machine; /* the device model it ran on, and the exercise's; or both NULL: it
                                    ran on its own */
    char *file;                  /* what was judged, as the student names it */
    bool own;                    /* the exercise's own file on its own model: it counts */
    bool untouched;              /* the starter as it came */
    VerdictKind kind;
    VerdictReason because;       /* why, where it is not the checks that decided */
    char *undefined;             /* REASON_UNDEFINED: the function that is nowhere to be found */
    StopKind stop;               /* why the virtual GPU ended the program, if it did */
    char *stop_site, *stop_text; /* where ("ex43.cu:21") and in words; NULL: not known */
    bool stopped; /* the program did not come to its end, or the exercise is broken: message says so
                   */
    bool judged;  /* the program could be run: checks, report and output are there */
    char *reason, *stop_hint; /* stopped: the last word of the virtual GPU on why, and the
                                 exercise's hint; of a source that does not compile what helps
                                 against its first error; or NULL */
    char *label;              /* the run that message and output are of: "with BATCHES=7", or "" */
    Text message, output, report;
    Text hidden; /* message and output are of a hidden run: themselves, for who teaches */
    SummaryNote *notes;
    size_t n_notes;
    SummaryCheck *checks;
    size_t n_checks;
    int points, possible;
    bool golden_printed; /* the program printed the golden text itself */
    char *trace;         /* where the trace was kept, as the student names it, or NULL */
    char *before;   /* passed, and it counts: where the trace of the first run that failed is kept;
                       or NULL */
    char *learned;  /* passed: what one has learned by that, in a sentence, or NULL */
    char *question; /* passed, and it counts: the lesson's interview question, or NULL */
    char *mistake;  /* it could not be judged: what its author did, in words that follow "who" and
                       are the same for all who did it; NULL: the checks say more */
    char *expected; /* what was predicted, held against what happened: lines; NULL: nothing was */
    char *predict;  /* what the exercise asks to predict first, where nothing was; or NULL */
    char *unsaved;  /* why progress or the trace could not be kept, or NULL */
} Summary;

/* Describes a verdict; file, own, untouched, machine, trace, before, question, expected, predict
 * and unsaved are the caller's to set. lasting: for a record that is the same each time; how far a
 * program came that was stopped by a limit is not. */
void summary_make(Summary *, const Exercise *, const Verdict *, bool lasting);
void summary_release(Summary *);

/* "19.5 units: par 20, record 19. Last time 23, best 19.5 (now)." NULL when there is no score. The
 * caller frees. */
char *summary_score_words(const SummaryScore *);
/* "19.5": thousandths without what is zero. */
void summary_score_number(Text *, int thousandths);

/* The first check that failed; NULL when none did. */
const SummaryCheck *summary_failed(const Summary *);

/* As JSON (grader/VERDICT.md): one object, for `run --json` and `grade --exercise --json` alike.
 * NULL and 0: null. */
typedef struct SummaryJson {
    const char *student, *path, *sandbox;
    unsigned long long seed; /* of the random input */
    bool teacher;            /* with what happened in hidden runs */
    const struct Exploration *explored;
} SummaryJson;
void summary_json(FILE *, const Summary *, const SummaryJson *);

/* As bytes, from one process to another of the same build. False when the bytes are not a whole
 * summary (it is empty then). */
void summary_save(Text *, const Summary *);
bool summary_load(Summary *, const char *bytes, size_t length);
#endif
