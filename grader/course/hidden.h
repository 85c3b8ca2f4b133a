/* hidden.h - parameters that nobody knows before grading.
 *
 * An exercise may have a file hidden.ini beside exercise.ini, which a student's copy of the course
 * does not get:
 *
 *     [draw more]                  ; the run of exercise.ini that is made several times
 *     runs = 3
 *     BATCHES = 3..9               ; a whole number from 3 to 9
 *     BATCH_FLOATS = 4096, 16384   ; or one of these
 *     model = bytes,                           ; the model it is made on, one of these as well;
 *      bytes+fixed_ns=250000                   ; a line that begins with a blank goes on
 *
 * Grading makes that run as often as `runs` says, each time with other values, drawn by the batch's
 * seed and by how many times this student has handed in; checks that name the run are about all of
 * them. The same seed and attempt draw the same values on every machine.
 *
 * Such runs are marked (ExerciseRun.hidden): of what happens in them a student hears which check
 * fails, and no more (summary.h). They have random input of their own. */
#ifndef THREELANE_HIDDEN_H
#define THREELANE_HIDDEN_H
#include <stdbool.h>
#include <stddef.h>
#include "grader/course/exercise.h"

/* What the values are drawn by. */
typedef struct HiddenDraw {
    unsigned long long seed;    /* of the batch */
    unsigned long long attempt; /* of this student at this exercise; 0 and 1: the first */
} HiddenDraw;

/* Call before exercise_on_model. No hidden.ini: nothing changes. False and one line. */
bool hidden_draw(Exercise *, const HiddenDraw *, char *error, size_t error_size);
/* The same from memory. */
bool hidden_parse(Exercise *, const char *name, const char *text, const HiddenDraw *, char *error,
                  size_t error_size);

/* The seed of the random input of all other runs, which anybody may know who is graded: their
 * programs can print it. Millions of batch seeds have the same one, so it does not tell which. */
unsigned long long hidden_open_input(unsigned long long seed);
#endif
