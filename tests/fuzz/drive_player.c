/* drive_player.c - plays mutated logs on a real player, thousands of times, and tells how it ends.
 *
 *     drive_player PLAYER LOG COUNT [SEED [JOBS [FOLDER]]]
 *
 * The players have limits as a grader gives them: processor time, memory, files. What a player
 * does that a log may not make it do is a crash (a signal, also one that it says of itself), and
 * then the log is kept as FOLDER/crash-N. One that runs into its time is kept as slow-N, and is no
 * crash. Exit status 1 when there was a crash. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "common/exit_status.h"
#include "common/env.h"
#include "tests/fuzz/log_mutate.h"

enum { MOST = 1 << 20, JOBS = 64, SECONDS = 10, ENDS = 256 };
#define MEMORY_PAGES (1ull << 18)       /* a GiB */
#define MEMORY_BYTES ((rlim_t)64 << 40) /* of addresses: mirrors are large */

static char seed_log[MOST], text[MOST];
static size_t seed_n;
static struct {
    pid_t pid;
    unsigned long long number;
    char path[64];
} running[JOBS];
static unsigned long long ends[ENDS], signals[65], crashes;
static const char *folder;

static void limit(int what, rlim_t most)
{
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)what, &now) == 0 && most < now.rlim_max)
        setrlimit((__rlimit_resource_t)what, &(struct rlimit){most, most});
}

static void start(size_t slot, const char *player, size_t n, unsigned long long number)
{
    snprintf(running[slot].path, sizeof running[slot].path, "/tmp/threelane-fuzz-%d-%zu",
             (int)getpid(), slot);
    int file = open(running[slot].path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, text, n) != (ssize_t)n) {
        perror(running[slot].path);
        exit(2);
    }
    running[slot].number = number;
    fflush(stdout);
    running[slot].pid = fork();
    if (running[slot].pid < 0) {
        perror("fork");
        exit(2);
    }
    if (!running[slot].pid) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 0);
        dup2(nothing, 1);
        dup2(nothing, 2);
        limit(RLIMIT_CPU, SECONDS);
        limit(RLIMIT_CORE, 0);
        limit(RLIMIT_FSIZE, (rlim_t)64 << 20);
        limit(RLIMIT_AS, MEMORY_BYTES);
        alarm(6 * SECONDS);
        setenv(ENV_PLAY, running[slot].path, 1);
        execl(player, player, (char *)NULL);
        _exit(127);
    }
    close(file);
}

static void keep(size_t slot, const char *what)
{
    char to[300];
    snprintf(to, sizeof to, "%s/%s-%llu", folder, what, running[slot].number);
    if (rename(running[slot].path, to) == 0 || errno != EXDEV) {
        printf("%s\n", to);
        return;
    }
    int from = open(running[slot].path, O_RDONLY), file = open(to, O_WRONLY | O_CREAT, 0644);
    static char copy[MOST];
    ssize_t n = read(from, copy, sizeof copy);
    if (n > 0 && write(file, copy, (size_t)n) == n) printf("%s\n", to);
    close(from);
    close(file);
}

/* Memory is watched, as the grader does: addresses cost nothing. */
static void look_at_memory(void)
{
    for (size_t slot = 0; slot < JOBS; slot++) {
        unsigned long long all, resident;
        char path[64];
        if (!running[slot].pid) continue;
        snprintf(path, sizeof path, "/proc/%d/statm", (int)running[slot].pid);
        FILE *file = fopen(path, "re");
        if (file && fscanf(file, "%llu %llu", &all, &resident) == 2 && resident > MEMORY_PAGES)
            kill(running[slot].pid, SIGKILL);
        if (file) fclose(file);
    }
}

static size_t ended(void)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) == 0) {
        look_at_memory();
        usleep(500);
    }
    for (size_t slot = 0; slot < JOBS; slot++) {
        if (running[slot].pid != pid) continue;
        running[slot].pid = 0;
        if (WIFEXITED(status)) {
            ends[WEXITSTATUS(status)]++;
        } else if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ||
                   WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXFSZ) {
            signals[WTERMSIG(status)]++;
            keep(slot, "slow");
        } else {
            signals[WTERMSIG(status)]++;
            crashes++;
            keep(slot, "crash");
        }
        return slot;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: drive_player PLAYER LOG COUNT [SEED [JOBS [FOLDER]]]\n");
        return 2;
    }
    unsigned long long count = strtoull(argv[3], NULL, 10), begun = 0, live = 0;
    uint64_t state = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
    size_t jobs = argc > 5 ? strtoull(argv[5], NULL, 10) : 2;
    folder = argc > 6 ? argv[6] : ".";
    if (!jobs || jobs > JOBS) jobs = 2;
    FILE *file = fopen(argv[2], "rb");
    if (!file) {
        perror(argv[2]);
        return 2;
    }
    seed_n = fread(seed_log, 1, sizeof seed_log, file);
    fclose(file);
    state = state * 0x9E3779B97F4A7C15u | 1;

    while (begun < count || live) {
        size_t slot = 0;
        if (live == jobs || begun == count) {
            slot = ended();
            live--;
        } else {
            while (running[slot].pid) slot++;
        }
        if (begun == count) {
            unlink(running[slot].path);
            continue;
        }
        memcpy(text, seed_log, seed_n);
        size_t n = log_mutate(text, seed_n, sizeof text, &state);
        start(slot, argv[1], n, begun++);
        live++;
    }
    printf("%llu logs:", begun);
    for (int i = 0; i < ENDS; i++) {
        StopKind kind = exit_status_stop_of_status(i);
        if (ends[i] && (!i || kind == STOP_NONE)) printf(" status-%d %llu", i, ends[i]);
        else if (ends[i]) printf(" %s %llu", exit_status_stop[kind].word, ends[i]);
    }
    for (int i = 0; i < 65; i++)
        if (signals[i]) printf(" signal-%d %llu", i, signals[i]);
    printf("\n");
    return crashes != 0;
}
