/* diff.h - comparing two texts line by line, where runs of blanks are equal and blanks at the end
 * do not count. */
#ifndef THREELANE_DIFF_H
#define THREELANE_DIFF_H
#include <stdbool.h>
#include <stddef.h>
#include "common/text.h"

bool diff_equal(const char *expected, const char *got);
bool diff_line_equal(const char *a, size_t a_length, const char *b, size_t b_length);

typedef struct DiffOptions {
    size_t context;  /* equal lines shown before and after a difference */
    bool first_only; /* the first difference, and how many more lines differ */
} DiffOptions;

/* Appends the difference: lines that begin with "  " (equal), "- " (only expected), "+ " (only
 * got), "^ " (marks the first column that differs in a replaced line) and ". " (words about it).
 * Nothing when they are equal. */
void diff_add(Text *, const char *expected, const char *got, const DiffOptions *);
/* Every line of both, from the first to the last: a pair that is the same, one that replaces the
 * other, or a line that only one has (the other is NULL). Lines are not ended. */
typedef void DiffPair(void *arg, const char *expected, const char *got, bool equal);
void diff_pairs(const char *expected, const char *got, DiffPair *, void *arg);
#endif
