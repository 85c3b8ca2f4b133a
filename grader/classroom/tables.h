/* tables.h - a gradebook as files for other programs: grades.csv, scores.csv, results.json,
 * junit.xml, results.tap; and Gradescope's results.json for one submission. Each is made from the
 * gradebook alone, the same bytes for the same gradebook.
 *
 * grades.csv: student, exercise, verdict, points, possible, xp, path, in the folder (yes or no),
 * and what the phase on a card says: card, verdict, points, possible, empty where there was none;
 * RFC 4180, UTF-8. A student's name that a spreadsheet would take for a formula gets an apostrophe
 * in front. scores.csv: of every length that earns points by how short it is, the class in order:
 * exercise, check, rank (equal ones share it), student, length, par, record (empty: none is known),
 * unit, points, possible. results.json: documented in GRADING.md. */
#ifndef THREELANE_TABLES_H
#define THREELANE_TABLES_H
#include <stdio.h>
#include "grader/classroom/gradebook.h"

/* Each returns false when the stream or the gradebook reports an error. */
bool tables_csv(FILE *, Gradebook *);
bool tables_scores(FILE *, Gradebook *);
bool tables_json(FILE *, Gradebook *);
bool tables_junit(FILE *, Gradebook *);
bool tables_tap(FILE *, Gradebook *);

/* One judged submission. (As JSON: summary_json.) */
void tables_gradescope(FILE *, const Summary *, unsigned long long seed);

/* Text for XML and HTML: markup is escaped, what may not be shown becomes \xHH. */
void tables_markup(FILE *, const char *bytes, size_t length);
#endif
