/* budget.h - how many of a program's memory accesses have hooks, and which blocks of a kernel.
 *
 * All of them, until the program has made so many. After that the first block of a launch, some of
 * the others (evenly over the grid, the same ones in each run), and the last one. A launch that
 * makes few accesses always has hooks. Pure.
 */
#ifndef THREELANE_BUDGET_H
#define THREELANE_BUDGET_H
#include "common/env.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What somebody sets who wants all of them looked at. */
#define BUDGET_WHOLE ENV_CHECK "=all"

typedef struct BudgetLaunch {
    bool never; /* for another reason */
    bool begun; /* its blocks from `first` on may be without */
    uint64_t first;
    uint64_t skipped; /* accesses without hooks so far */
} BudgetLaunch;

/* UINT64_MAX: all. */
void budget_set(uint64_t accesses);
/* A number, or "all". False: neither. */
bool budget_parse(const char *text);
/* Is the next block, that begins as the n-th of a launch, whose accesses so far are so many,
 * without hooks? */
bool budget_skips(BudgetLaunch *, uint64_t n, uint64_t blocks, uint64_t accesses);
/* A launch of that kernel (static storage) has stopped; accesses: since the last stop. */
void budget_ran(const char *kernel, uint64_t accesses, uint64_t skipped);
/* What is to be said of it when the program ends: false, nothing. */
bool budget_text(char *text, size_t size);
#endif
