/* progress.h - what a student has reached: state, points, hints seen; one small text file, replaced
 * as a whole.
 *
 * Format: "threelane-progress 1", then lines "exercise ID STATE POINTS FAILED" (STATE tried or
 * passed, FAILED the first check that failed in the last run, or -), "hint ID CHECK STAGE", and
 * "score ID CHECK BEST LAST", of a check that keeps scores, in thousandths of a unit. Lines that
 * are not of these forms are dropped. */
#ifndef THREELANE_PROGRESS_H
#define THREELANE_PROGRESS_H
#include <stdbool.h>
#include <stddef.h>

typedef enum ProgressState { PROGRESS_NEW, PROGRESS_TRIED, PROGRESS_PASSED } ProgressState;

typedef struct ProgressItem {
    char *id;
    ProgressState state;
    int points;
    char *failed;
} ProgressItem;
typedef struct ProgressHint {
    char *id, *check;
    int stage;
} ProgressHint;
/* What a length was, in thousandths of a unit: at its shortest, and last time. */
typedef struct ProgressScore {
    char *id, *check;
    long best, last;
} ProgressScore;
typedef struct Progress {
    ProgressItem *items;
    size_t n_items;
    ProgressScore *scores;
    size_t n_scores;
    ProgressHint *hints;
    size_t n_hints;
} Progress;

void progress_parse(Progress *, const char *text);
/* Reads folder/progress; a file that is not there is empty progress. 0 or an errno. */
int progress_read(Progress *, const char *folder);
/* Under a lock: reads, lets `change` change, writes. 0 or an errno (EROFS, EACCES, ...): nothing
 * was changed then. */
int progress_update(const char *folder, void (*change)(Progress *, void *), void *data);
void progress_release(Progress *);

const ProgressItem *progress_find(const Progress *, const char *id); /* NULL: new */
/* A run's outcome. Passed stays passed and points never fall; `failed` is of this run (NULL:
 * none). */
void progress_record(Progress *, const char *id, bool passed, int points, const char *failed);
int progress_hint(const Progress *, const char *id, const char *check); /* stages seen, 0 to 3 */
const ProgressScore *progress_score(const Progress *, const char *id, const char *check); /* NULL:
                                                                                             none
                                                                                             yet */
void progress_set_score(Progress *, const char *id, const char *check, long got);
void progress_set_hint(Progress *, const char *id, const char *check, int stage);
/* The same in a folder, as progress_update has it. */
int progress_save_hint(const char *folder, const char *id, const char *check, int stage);
#endif
