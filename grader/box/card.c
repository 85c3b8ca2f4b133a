/* card.c - see card.h. */
#include "grader/box/card.h"
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "common/env.h"
#include "common/hash.h"
#include "grader/box/runner.h"
#include "common/text.h"

enum { ANSWER = 3 * PATH_MAX, SECONDS = 60, FIELDS = 4, ALL_FIELDS = 6 };

char *card_command(void)
{
    char own[PATH_MAX] = "";
    const char *home = getenv(ENV_HOME);
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = 0;
    char *slash = strrchr(own, '/');
    if (slash) *slash = 0;
    char *const candidates[] = {memory_format("%s/threelane-gpu", home ? home : "/nowhere"),
                                memory_format("%s/../lib/threelane/threelane-gpu", own),
                                memory_format("%s/../build/lib/threelane/threelane-gpu", own)};
    char *found = NULL;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (!found && access(candidates[i], X_OK) == 0) found = candidates[i];
        else free(candidates[i]);
    }
    return found;
}

/* The usual places, in the order in which people mean them. */
static char *find_nvcc(void)
{
    const char *named = getenv(ENV_NVCC), *home = getenv(ENV_CUDA_HOME);
    if (named && *named) return access(named, X_OK) == 0 ? memory_copy(named) : NULL;
    char *path = memory_format("%s/bin/nvcc", home && *home ? home : "/nowhere");
    if (access(path, X_OK) == 0) return path;
    free(path);
    char **folders = list_split(getenv(ENV_PATH), ':', NULL), *found = NULL;
    for (size_t i = 0; folders[i] && !found; i++) {
        char *here = memory_format("%s/nvcc", folders[i]);
        if (folders[i][0] && access(here, X_OK) == 0) found = here;
        else free(here);
    }
    list_free(folders);
    glob_t others;
    if (!found && glob("/usr/local/cuda*/bin/nvcc", 0, NULL, &others) == 0) {
        if (others.gl_pathc)
            found = memory_copy(others.gl_pathv[0]); /* /usr/local/cuda, where it is there */
        globfree(&others);
    }
    return found;
}

/* CUDA_VISIBLE_DEVICES may leave some cards out already: the card is then one of its list. */
static char *visible_as(unsigned number)
{
    const char *visible = getenv(ENV_CUDA_VISIBLE);
    size_t n = 0;
    char **list = list_split(visible ? visible : "", ',', &n);
    char *as = visible && number < n ? memory_copy(list[number]) : memory_format("%u", number);
    list_free(list);
    return as;
}

static char *folder_of(const char *file)
{
    const char *slash = file && file[0] == '/' ? strrchr(file, '/') : NULL;
    char *folder = slash && slash > file ? memory_format("%.*s", (int)(slash - file), file) : NULL;
    char *full = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return full;
}

/* Asks the gpu room about the card; what it has to say when there is none is the error. */
static bool describe(Card *card, unsigned number, char *error, size_t error_size)
{
    char word[16];
    snprintf(word, sizeof word, "%u", number);
    char *const argv[] = {card->command, (char *)(uintptr_t) "card", word, NULL};
    Job job = {.argv = argv, .limits = {.seconds = SECONDS, .output_bytes = ANSWER}};
    bool done = jobs_run(&job, 1, 1), fine = done && job.end == JOB_EXITED && job.status == 0;
    char *answer = memory_copy(text_string(&job.output)), *at = answer;
    size_t length = strcspn(answer, "\n");
    answer[length] = 0;
    char *fields[ALL_FIELDS] = {NULL};
    for (int i = 0; fine && i < ALL_FIELDS; i++) {
        fields[i] = strsep(&at, "\t");
        fine = i >= FIELDS || (fields[i] && *fields[i]);
    }
    if (fine) {
        card->name = memory_copy(fields[0]);
        card->arch = memory_format("sm_%s", fields[1]);
        card->identity = memory_format("%s %s", fields[2], fields[3]);
        card->driver = folder_of(fields[4]);
        card->cupti = folder_of(fields[5]);
    } else if (job.end == JOB_TIMEOUT) {
        snprintf(error, error_size,
                 "the NVIDIA driver does not answer; `nvidia-smi` and `dmesg` may say why");
    } else if (done) {
        static const char own[] = "threelane: ";
        const char *why = strncmp(answer, own, sizeof own - 1) ? answer : answer + sizeof own - 1;
        snprintf(error, error_size, "%s",
                 *why ? why
                      : "threelane-gpu cannot describe the card; `threelane doctor` says more");
    }
    free(answer);
    text_release(&job.output);
    return fine;
}

bool card_open(Card *card, unsigned number, char *error, size_t error_size)
{
    *card = (Card){.command = card_command()};
    if (!card->command) {
        snprintf(error, error_size,
                 "threelane-gpu was not found: `make tools` builds it, or install the package "
                 "threelane-gpu");
        return false;
    }
    if (!describe(card, number, error, error_size)) return false;
    card->nvcc = find_nvcc();
    if (!card->nvcc) {
        const char *named = getenv(ENV_NVCC);
        if (named && *named)
            snprintf(error, error_size, "NVCC is %s, which is no program that can be run", named);
        else
            snprintf(error, error_size,
                     "nvcc was not found (CUDA_HOME, PATH, /usr/local/cuda*/bin): install the CUDA "
                     "Toolkit, or name it: make ... NVCC=/path/to/nvcc");
        return false;
    }
    card->visible = visible_as(number);
    return true;
}

bool card_take_more(Card *card, unsigned number, int gpus, const char *id, char *error,
                    size_t error_size)
{
    for (int n = 1; n < gpus; n++) {
        Card other = {.command = card->command};
        char why[ANSWER], *visible = visible_as(number + (unsigned)n);
        bool there = describe(&other, number + (unsigned)n, why, sizeof why);
        char *all = memory_format("%s,%s", card->visible, visible);
        free(card->visible);
        card->visible = all;
        free(visible);
        if (there) {
            card->more = memory_grow(card->more, (size_t)n + 1, sizeof *card->more);
            card->more[n - 1] = memory_copy(other.identity);
            card->more[n] = NULL;
        }
        other.command = NULL;
        card_close(&other);
        if (there) continue;

        char which[32] = "";
        if (number) snprintf(which, sizeof which, " from card %u on", number);
        snprintf(
            error, error_size,
            "%s needs %d GPUs, and this machine has %d%s: `make %s` runs it on %d virtual ones", id,
            gpus, n, which, id, gpus);
        return false;
    }
    return true;
}

void card_close(Card *card)
{
    free(card->command);
    free(card->nvcc);
    free(card->name);
    free(card->arch);
    free(card->identity);
    list_free(card->more);
    free(card->driver);
    free(card->cupti);
    free(card->visible);
    *card = (Card){0};
}

static char *lock_path(const char *identity, const char *folder)
{
    Hash hash = hash_start();
    char name[33];
    hash_add_string(&hash, identity);
    hash_name(&hash, name);
    return memory_format("%s/card-%.8s.lock", folder, name);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int *card_lock(const Card *card, const char *folder)
{
    size_t n = 1;
    while (card->more && card->more[n - 1]) n++;
    char **paths = memory_get(n, sizeof *paths);
    int *locks = memory_get(n + 1, sizeof *locks), taken = 0;
    for (size_t i = 0; i < n; i++)
        paths[i] = lock_path(i ? card->more[i - 1] : card->identity, folder);
    qsort(paths, n, sizeof *paths, by_text);

    for (size_t i = 0; i < n; i++) {
        if (i && !strcmp(paths[i], paths[i - 1])) continue; /* twice would wait for itself */
        int fd = open(paths[i], O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0) continue;
        while (flock(fd, LOCK_EX) != 0 && errno == EINTR && !jobs_interrupted()) {}
        locks[taken++] = fd;
    }
    locks[taken] = -1;
    for (size_t i = 0; i < n; i++) free(paths[i]);
    free(paths);
    return locks;
}

void card_unlock(int *locks)
{
    for (int *lock = locks; lock && *lock >= 0; lock++) close(*lock);
    free(locks);
}
