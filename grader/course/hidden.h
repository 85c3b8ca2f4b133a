/* hidden.h - parameters that nobody knows before grading.
 *
 * An exercise may have a file hidden.ini beside exercise.ini, which a student's copy of the course
 * does not get:
 *
 *     [draw more]                  ; the run of exercise.ini that is made several times
 *     runs = 3
 *     BATCHES = 3..9               ; a whole number from 3 to 9
 *     BATCH_FLOATS = 4096, 16384   ; or one of these
 *     model = bytes, bytes+fixed_ns=250000     ; the model it is made on, one of these as well
 *
 * Grading makes that run as often as `runs` says, each time with other values, drawn by the batch's
 * seed; checks that name the run are about all of them. The same seed draws the same values on
 * every machine. */
#ifndef THREELANE_HIDDEN_H
#define THREELANE_HIDDEN_H
#include <stdbool.h>
#include <stddef.h>
#include "grader/course/exercise.h"

/* Call before exercise_on_model. No hidden.ini: nothing changes. False and one line. */
bool hidden_draw(Exercise *, unsigned long long seed, char *error, size_t error_size);
/* The same from memory. */
bool hidden_parse(Exercise *, const char *name, const char *text, unsigned long long seed,
                  char *error, size_t error_size);
#endif
