/* past_free.h - the runtime's free() (sim/host/malloced.h), for a unit test that is linked with a
 * few files of the rooms below the CUDA API and not with all of them. */
#ifndef THREELANE_TESTS_PAST_FREE_H
#define THREELANE_TESTS_PAST_FREE_H
#include <stdlib.h>
#include "sim/host/malloced.h"

void malloced_free(void *block) { free(block); }
#endif
