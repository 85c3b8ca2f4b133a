/* model_condition.h - what a device model is, as an exercise file asks it: [on exact = no], [on
 * async_engine_count < 2].
 *
 * A condition is a list, separated by commas, of KEY = NUMBER, KEY < NUMBER or KEY > NUMBER; all of
 * it has to hold. KEY is a key of a device file (sim/devices/); yes and no are 1 and 0. So it means
 * the same for a model that ships with the course and for one that `threelane calibrate` has just
 * written. */
#ifndef THREELANE_MODEL_CONDITION_H
#define THREELANE_MODEL_CONDITION_H
#include <stdbool.h>
#include <stddef.h>
#include "sim/model/model.h"

/* A condition can be judged; else false and why. */
bool model_condition_valid(const char *condition, char *error, size_t error_size);
/* It holds for this model. False as well when it is none. */
bool model_condition_holds(const Model *, const char *condition);
#endif
