/* time_spent.c - see time_spent.h. Reads /proc: utime, stime and what the children that were waited
 * for had (cutime, cstime), and each thread's state. */
#include "grader/box/time_spent.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    DEEPEST = 32, /* processes that started one another; more are not looked for */
    MOST_PROCESSES = 512,
    MOST_THREADS = 512, /* looked at, at a time */
    LONGEST_LOOKS = 3 /* waiting between two looks counts for at most this many times TIME_SPENT_MS:
                         if we did   not come to look, we do not know how it was */
};

typedef struct Look {
    double computed;
    bool ready; /* something of it computes or wants to */
    unsigned processes, threads;
} Look;

static bool read_file(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, text, size - 1);
    close(fd);
    if (n <= 0) return false;
    text[n] = 0;
    return true;
}

/* What follows the name in a stat file; the name may hold anything. NULL: it has ended. */
static const char *stat_fields(const char *path, char *text, size_t size)
{
    if (!read_file(path, text, size)) return NULL;
    const char *end = strrchr(text, ')');
    return end && end[1] == ' ' ? end + 2 : NULL;
}

/* Running, or in a wait of the kernel's own that is short (for a disk). */
static bool is_ready(char state) { return state == 'R' || state == 'D'; }

static void look_at_threads(Look *look, pid_t pid)
{
    char path[300], text[512];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *folder = opendir(path);
    if (!folder) return;

    struct dirent *entry;
    while (!look->ready && look->threads < MOST_THREADS && (entry = readdir(folder))) {
        if (entry->d_name[0] == '.') continue;
        look->threads++;
        snprintf(path, sizeof path, "/proc/%d/task/%s/stat", (int)pid, entry->d_name);
        const char *fields = stat_fields(path, text, sizeof text);
        look->ready = fields && is_ready(*fields);
    }
    closedir(folder);
}

static void look_at(Look *look, pid_t pid, int depth)
{
    char path[100], text[512];
    if (depth > DEEPEST || look->processes++ >= MOST_PROCESSES) return;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    const char *fields = stat_fields(path, text, sizeof text);
    unsigned long long user, system, children_user, children_system;
    if (!fields) return;

    if (sscanf(fields, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu", &user,
               &system, &children_user, &children_system) == 4)
        look->computed += (double)(user + system + children_user + children_system) /
                          (double)sysconf(_SC_CLK_TCK);
    if (!look->ready) look_at_threads(look, pid);

    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *file = fopen(path, "re");
    int child;
    while (file && fscanf(file, "%d", &child) == 1) look_at(look, child, depth + 1);
    if (file) fclose(file);
}

bool time_spent_more(TimeSpent *spent, pid_t pid, double now, double limit)
{
    double since = spent->looked > 0 ? now - spent->looked : 0;
    if (spent->looked > 0 && since < TIME_SPENT_MS * 1e-3)
        return spent->computed + spent->waited > limit;

    Look look = {0};
    look_at(&look, pid, 0);
    bool idle = !look.ready && look.computed <= spent->computed;
    double longest = LONGEST_LOOKS * TIME_SPENT_MS * 1e-3;
    if (idle) spent->waited += since < longest ? since : longest;
    if (look.computed > spent->computed) spent->computed = look.computed;
    spent->looked = now;
    return spent->computed + spent->waited > limit;
}
