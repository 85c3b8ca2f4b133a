/* grades.h - what a course has besides verdicts: when things were due and handed in, points and
 * comments by hand, extensions, the tables of a learning platform to read and to fill in.
 *
 * All of it is given in tables (docs/year.md) that the instructor keeps, and is known to the
 * gradebook from then on: nothing that is judged again loses it. A verdict and the points that it
 * was judged with stay as they are; what a student gets stands beside them (submission.given). */
#ifndef THREELANE_GRADES_H
#define THREELANE_GRADES_H
#include "grader/classroom/gradebook.h"

typedef struct GradesFiles {
    const char *amend;  /* table of points and comments by hand; NULL: what is known stays */
    const char *due;    /* table of due dates; NULL likewise */
    const char *roster; /* "FILE" or "ex43=FILE,ex44=FILE": tables of a platform; NULL: none */
} GradesFiles;

/* What a file of the platform's was taken for, and which of its rows are whose. */
typedef struct GradesRoster GradesRoster;

/* Reads the tables into the gradebook. Each is taken whole or not at all: what does not make sense
 * is one line, with its row. *rosters: to be released, also when it is false. */
bool grades_take(Gradebook *, const GradesFiles *, GradesRoster **rosters, char *error,
                 size_t error_size);
/* When who of the inbox handed in, by the platform's tables and marks in names (Canvas's LATE). To
 * be called when the verdicts are there. */
bool grades_match(Gradebook *, GradesRoster *, const Inbox *, char *error, size_t error_size);
/* What everybody gets: as judged, changed by hand, less for what was late. */
bool grades_finalize(Gradebook *, char *error, size_t error_size);

/* The platform's tables again, with grades and feedback filled in, in this folder; and
 * unmatched.txt where somebody stands in no row, or in more than one. */
bool grades_write(const char *folder, Gradebook *, const GradesRoster *, char *error,
                  size_t error_size);
/* How many of those who handed in stand in no row (of all tables together). */
size_t grades_unmatched(const GradesRoster *);
void grades_release(GradesRoster *);

/* feedback.zip in this folder: for each student a folder with a page for each exercise, to be given
 * back. Folders are called as those of Moodle's download were, where it was one. No hidden
 * parameters are in them (grader/GRADING.md). False and one line. */
bool grades_feedback(const char *folder, Gradebook *, char *error, size_t error_size);

/* The gradebook without names: a copy in memory in which students are called by codes, which
 * differ from class to class, and sources and what programs printed are left out, since names
 * stand in them. NULL and one line. */
Gradebook *grades_anonymous(Gradebook *, char *error, size_t error_size);

/* Seconds since 1970 of a date as people and platforms write it; without a time zone it is local
 * time, without a time of day its end. False: it is none. */
bool grades_time(const char *text, long long *seconds);
#endif
