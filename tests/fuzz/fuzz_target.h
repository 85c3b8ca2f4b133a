/* fuzz_target.h - what a fuzz target and whoever drives it know of each other: libFuzzer's name,
 * and a little more for fuzz_main.c. */
#ifndef THREELANE_FUZZ_TARGET_H
#define THREELANE_FUZZ_TARGET_H
#include <stddef.h>
#include <stdint.h>

enum { FUZZ_ENDS = 128 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n); /* 0, as libFuzzer wants it */
int fuzz_one(const uint8_t *data, size_t n);               /* fuzz_end() */
extern const char *const fuzz_seeds[];
extern const size_t fuzz_seeds_n;
int fuzz_end(void); /* how the last one ended: 0, or a PLAYER_ status */
const char *fuzz_words(int end);
const char *fuzz_said(void);     /* and what was said about it */
unsigned short fuzz_trail(void); /* what it did, as a number: others do other things */
/* Called before the process dies of what it found. */
void fuzz_on_death(void (*save)(void));
#endif
