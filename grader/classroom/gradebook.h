/* gradebook.h - the record of a class: what was handed in and what came of it, in one SQLite file.
 *
 * The gradebook is the only thing that grading changes; every other file of a report is made from
 * it and can be made again. A submission's rows are written in one transaction when its verdict is
 * known, those of verdicts that come together in one, so a batch that was killed has whole verdicts
 * and goes on with the others.
 * gradebook_finish packs the file: the same class with the same verdicts gives the same bytes,
 * however often it was interrupted. No times are kept, nor anything else of the machine but the
 * sandbox that was used.
 *
 * The source is kept with the verdict: it is what was graded, and tells whether a later run has to
 * grade again. */
#ifndef THREELANE_GRADEBOOK_H
#define THREELANE_GRADEBOOK_H
#include <stdbool.h>
#include <stddef.h>
#include "grader/classroom/inbox.h"
#include "grader/judge/summary.h"

struct sqlite3;
struct sqlite3_stmt;
typedef struct Gradebook Gradebook;

/* Opens, or makes, the file. NULL and one line: not a gradebook, of a newer format, not writable,
 * in use by another batch. */
Gradebook *gradebook_open(const char *path, char *error, size_t error_size);
void gradebook_close(Gradebook *);
/* All of it in memory, for reports that change it first. NULL and one line. */
Gradebook *gradebook_copy(Gradebook *, char *error, size_t error_size);
/* For reading, by those who make reports. Tables: gradebook.c begins with them. */
struct sqlite3 *gradebook_sql(Gradebook *);
/* A statement; NULL where it cannot be, which step and finalize take. */
struct sqlite3_stmt *gradebook_query(Gradebook *, const char *sql);
/* The first value of the first row, as a number; -1 when there is none. */
int gradebook_number(Gradebook *, const char *sql);
/* The card on which a hand-in was judged; NULL: on none. The caller frees. */
char *gradebook_card(Gradebook *, const Handin *);

/* Functions below return false and one line when the file cannot be written (the disk is full). */
bool gradebook_set(Gradebook *, const char *name, const char *value, char *error,
                   size_t error_size);
char *gradebook_get(Gradebook *, const char *name); /* NULL: not set; the caller frees */

/* An exercise as it is now; svg: the schedule of its solution, NULL: unchanged. */
bool gradebook_exercise(Gradebook *, const Exercise *, const char *fingerprint, const char *svg,
                        char *error, size_t error_size);

/* Gives verdicts with this fingerprint the points and hints that the exercise's checks have now:
 * the states of the checks stay. recount_card: what the second phase said. */
bool gradebook_recount(Gradebook *, const Exercise *, const char *fingerprint, char *error,
                       size_t error_size);
bool gradebook_recount_card(Gradebook *, const Exercise *, const char *fingerprint, char *error,
                            size_t error_size);

/* True when this hand-in has a verdict for these bytes and this fingerprint of all else that goes
 * into one. */
bool gradebook_knows(Gradebook *, const Handin *, const char *fingerprint, const Text *source);

/* Which attempt of this student at this exercise these bytes are, from 1: one more than those
 * before when they are others than the last ones. */
unsigned gradebook_attempt(Gradebook *, const Handin *, const Text *source);
/* What this student handed in has no verdict any more for which it need not be judged again. False
 * and one line also where nobody is called so. */
bool gradebook_again(Gradebook *, const char *student, char *error, size_t error_size);
/* From here on everybody's last hand-in is the first attempt. */
bool gradebook_renew(Gradebook *, char *error, size_t error_size);

typedef struct Grade {
    const Handin *handin;
    const Text *source;
    unsigned attempt;
    const char *fingerprint, *sandbox;
    const Summary *summary;
    const char *svg; /* its schedule, or NULL */
} Grade;
/* Whoever asks this gradebook has it; the disk has it with what comes in the next moment, and at
 * the latest when gradebook_keep has returned. */
bool gradebook_put(Gradebook *, const Grade *, char *error, size_t error_size);
/* All that was put is on the disk: before somebody is told of it. */
bool gradebook_keep(Gradebook *, char *error, size_t error_size);
/* The same, if the oldest of it has waited for a fifth of a second. */
bool gradebook_keep_soon(Gradebook *, char *error, size_t error_size);
/* True when nothing waits. */
bool gradebook_kept(Gradebook *);

/* ---- what the second phase, on a real GPU, says (batch.h); a submission that is judged anew loses
 * it ---- */

/* True when this hand-in ran in the first phase (pass or fail); source: what was handed in. */
bool gradebook_ran(Gradebook *, const Handin *, Text *source);
bool gradebook_knows_card(Gradebook *, const Handin *, const char *fingerprint);
/* grade->source is not used: it is the submission's. */
bool gradebook_put_card(Gradebook *, const Grade *, const char *card, char *error,
                        size_t error_size);

/* Marks who is in this batch; those of earlier ones who are not stay, as gone. */
bool gradebook_present(Gradebook *, const Inbox *, char *error, size_t error_size);
bool gradebook_likeness(Gradebook *, const char *exercise, const char *a, const char *b,
                        int percent, const char *parts, char *error, size_t error_size);
bool gradebook_forget_likenesses(Gradebook *, char *error, size_t error_size);
/* Packs the file; close it afterwards. */
bool gradebook_finish(Gradebook *, char *error, size_t error_size);
#endif
