/* fuzz_main.c - stands in for libFuzzer where there is none: a fuzz target with a mutator of ours,
 * COUNT times.
 *
 *     fuzz_X [COUNT [SEED [SECONDS]]]
 *
 * The same COUNT and SEED do the same. A log that led to a new end is kept and mutated further.
 * What crashes is written to crash-X first, and is run alone by naming the file: fuzz_X FILE. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/log_mutate.h"

enum { KEPT = 512, MOST = 16384 };
static struct {
    char *text;
    size_t n;
} kept[KEPT];
static size_t n_kept;
static char last[MOST];
static size_t n_last;

static void keep(const char *text, size_t n, uint64_t *state)
{
    size_t at = n_kept < KEPT ? n_kept++ : fuzz_seeds_n + log_random(state) % (KEPT - fuzz_seeds_n);
    free(kept[at].text);
    kept[at].text = malloc(n + 1);
    if (!kept[at].text) abort();
    memcpy(kept[at].text, text, n);
    kept[at].n = n;
}

/* Called by the sanitizers, and by abort's handler, before the end. */
static void save(void)
{
    int file = open("crash-log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0 && write(file, last, n_last) == (ssize_t)n_last)
        (void)!write(2, "the log is in crash-log\n", 24);
}

static int one_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 2;
    }
    n_last = fread(last, 1, sizeof last, file);
    fclose(file);
    LLVMFuzzerTestOneInput((const uint8_t *)last, n_last);
    printf("%s: %s\n", path, fuzz_words(fuzz_end()));
    return 0;
}

int main(int argc, char **argv)
{
    unsigned long long count = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000, done = 0;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    double seconds = argc > 3 ? strtod(argv[3], NULL) : 0;
    static unsigned long long ends[FUZZ_ENDS];
    static unsigned char seen[1 << 16];
    if (argc > 1 && !count) return one_file(argv[1]);
    fuzz_on_death(save);
    for (size_t i = 0; i < fuzz_seeds_n; i++) keep(fuzz_seeds[i], strlen(fuzz_seeds[i]), &state);
    state = state * 0x9E3779B97F4A7C15u | 1;

    time_t began = time(NULL);
    for (; done < count; done++) {
        if (seconds > 0 && done % 256 == 0 && difftime(time(NULL), began) >= seconds) break;
        size_t from = log_random(&state) % n_kept;
        memcpy(last, kept[from].text, kept[from].n);
        n_last = log_mutate(last, kept[from].n, sizeof last, &state);
        LLVMFuzzerTestOneInput((const uint8_t *)last, n_last);
        ends[fuzz_end()]++;
        unsigned short what = fuzz_trail();
        if (!seen[what]) keep(last, n_last, &state);
        seen[what] = 1;
    }
    printf("%llu logs:", done);
    for (int i = 0; i < FUZZ_ENDS; i++)
        if (ends[i]) printf(" %s %llu", fuzz_words(i), ends[i]);
    printf("\n");
    return 0;
}
