/* budget.c - see budget.h. */
#include "sim/light/budget.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* WORTH: accesses that take longer with hooks than what it costs to protect memory. (With a smaller
 * budget, as tests have it, nobody minds.) */
enum { WORTH = 200000, SAMPLES = 16, LEAST_STEP = 16, KERNELS = 64, TOLD = 3 };

static uint64_t budget = UINT64_MAX, spent;

typedef struct Kernel {
    const char *name;
    uint64_t accesses, skipped;
} Kernel;
static Kernel kernels[KERNELS]; /* the last one: all that have no place of their own */
static unsigned n_kernels;

void budget_set(uint64_t accesses) { budget = accesses; }

bool budget_parse(const char *text)
{
    char *end;
    if (strcmp(text, "all") == 0) {
        budget_set(UINT64_MAX);
        return true;
    }
    if (*text < '0' || *text > '9') return false;
    budget_set(strtoull(text, &end, 10));
    return !*end;
}

bool budget_skips(BudgetLaunch *launch, uint64_t n, uint64_t blocks, uint64_t accesses)
{
    if (launch->never || !n || n + 1 == blocks) return false;
    if (!launch->begun) {
        uint64_t with = accesses - launch->skipped;
        double left = (double)accesses / (double)n * (double)(blocks - n);
        double worth = budget < WORTH ? (double)budget : WORTH;
        if (budget == UINT64_MAX || spent + with < budget || left < worth) return false;
        launch->begun = true;
        launch->first = n;
    }
    if (n < launch->first) return false;
    uint64_t step = blocks / SAMPLES > LEAST_STEP ? blocks / SAMPLES : LEAST_STEP;
    return (n - launch->first) % step != step / 2;
}

static Kernel *kernel_of(const char *name)
{
    unsigned i = 0;
    while (i < n_kernels && kernels[i].name != name) i++;
    if (i == KERNELS) return &kernels[KERNELS - 1];
    if (i == n_kernels) kernels[n_kernels++].name = name;
    return &kernels[i];
}

void budget_ran(const char *kernel, uint64_t accesses, uint64_t skipped)
{
    spent += accesses - skipped;
    if (budget == UINT64_MAX) return;
    Kernel *k = kernel_of(kernel);
    k->accesses += accesses;
    k->skipped += skipped;
}

static int by_skipped(const void *a, const void *b)
{
    const Kernel *x = a, *y = b;
    return x->skipped > y->skipped ? -1 : x->skipped < y->skipped;
}

bool budget_text(char *text, size_t size)
{
    uint64_t accesses = 0, skipped = 0;
    unsigned told = 0, light = 0;
    char names[256] = "";
    qsort(kernels, n_kernels, sizeof *kernels, by_skipped);
    for (unsigned i = 0; i < n_kernels && kernels[i].skipped; i++, light++) {
        accesses += kernels[i].accesses;
        skipped += kernels[i].skipped;
        size_t used = strlen(names);
        if (told < TOLD && used < sizeof names - 80)
            told++, snprintf(names + used, sizeof names - used, "%s%.60s", used ? ", " : "",
                             kernels[i].name);
    }
    if (!skipped) return false;
    if (light > told) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, " and %u more", light - told);
    }
    double part = 100.0 * (double)(accesses - skipped) / (double)accesses;
    snprintf(
        text, size,
        "checked in samples, to be fast: %.*f %% of the %llu memory accesses of %s; " BUDGET_WHOLE
        " checks every one",
        part < 1 ? 2 : 0, part, (unsigned long long)accesses, names);
    return true;
}
