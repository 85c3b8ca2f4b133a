/* log_mutate.h - program logs (sim/replay/log.h) that are nearly right: what a forger would write.
 *
 * It knows that a log is lines of words: lines are swapped, doubled, dropped, moved to another
 * thread; numbers become others of the log, or interesting ones; words take each other's places;
 * records of every kind come in. Some bytes are changed without any sense. The same numbers from
 * the same random state, everywhere. */
#ifndef THREELANE_LOG_MUTATE_H
#define THREELANE_LOG_MUTATE_H
#include <stddef.h>
#include <stdint.h>

uint64_t log_random(uint64_t *state); /* state: not 0 */
/* Changes text[n] in place, room for `most`; the new length. */
size_t log_mutate(char *text, size_t n, size_t most, uint64_t *state);
#endif
