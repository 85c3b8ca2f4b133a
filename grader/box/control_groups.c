/* control_groups.c - see control_groups.h. */
#include "grader/box/control_groups.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/text.h"

bool control_group_write(const char *folder, const char *file, const char *word)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path) return false;
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    bool fine = write(fd, word, strlen(word)) == (ssize_t)strlen(word);
    return close(fd) == 0 && fine;
}

static bool read_word(const char *folder, const char *file, char *text, size_t size)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path) return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0) close(fd);
    if (n >= 0) text[n] = 0;
    return n >= 0;
}

/* The folder of our own group under a controller ("" for version 2), where it is mounted. NULL:
 * none. The caller frees. */
static char *own_group(const char *controller)
{
    char line[4096], *mount = NULL, *path = NULL;
    FILE *mounts = fopen("/proc/self/mounts", "re"), *groups = fopen("/proc/self/cgroup", "re");
    while (mounts && !mount && fgets(line, sizeof line, mounts)) {
        char where[2048], type[64], options[1024];
        if (sscanf(line, "%*s %2047s %63s %1023s", where, type, options) != 3) continue;
        if (*controller ? strcmp(type, "cgroup") : strcmp(type, "cgroup2")) continue;
        bool named = !*controller;
        for (char *save = NULL, *word = strtok_r(options, ",", &save); word && !named;
             word = strtok_r(NULL, ",", &save))
            named = !strcmp(word, controller);
        if (named) mount = memory_copy(where);
    }
    while (groups && mount && !path && fgets(line, sizeof line, groups)) {
        char *controllers = strchr(line, ':'),
             *at = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!at) continue;
        *at++ = 0;
        at[strcspn(at, "\n")] = 0;
        bool named = !*controller && !controllers[1];
        for (char *save = NULL, *word = strtok_r(controllers + 1, ",", &save); word && !named;
             word = strtok_r(NULL, ",", &save))
            named = *controller && !strcmp(word, controller);
        if (named) path = memory_format("%s%s", mount, strcmp(at, "/") ? at : "");
    }
    if (mounts) fclose(mounts);
    if (groups) fclose(groups);
    free(mount);
    return path;
}

/* A folder of groups is in use for as long as somebody holds a lock on it, which ends with who made
 * it however that ends. A process number would not do: a command in a container, which has numbers
 * of its own, may see the same groups. */
static bool folder_lock(const char *path, int *fd, int how)
{
    *fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd >= 0 && flock(*fd, LOCK_EX | how) == 0) return true;

    if (*fd >= 0) close(*fd);
    *fd = -1;
    return false;
}

/* A new folder of groups, and the lock on it. NULL where there can be none. The caller frees. */
static char *folder_new(const char *own, int *fd)
{
    enum { ATTEMPTS = 20 };
    for (int i = 0; i < ATTEMPTS; i++) {
        char *path = memory_format("%s/threelane-%d-XXXXXX", own, (int)getpid());
        struct stat named, held;
        *fd = -1;
        if (!mkdtemp(path)) {
            free(path);
            return NULL;
        }

        /* before it was ours, somebody may have taken it away for one that is left */
        if (folder_lock(path, fd, 0) && fstat(*fd, &held) == 0 && stat(path, &named) == 0 &&
            named.st_ino == held.st_ino)
            return path;
        if (*fd >= 0) close(*fd);
        rmdir(path);
        free(path);
    }
    return NULL;
}

static char *group_new(const char *root, size_t index)
{
    char *path = memory_format("%s/box%zu", root, index);
    if (mkdir(path, 0755) == 0 || errno == EEXIST) return path;
    free(path);
    return NULL;
}

/* What can be taken away of a command's groups: those in which processes are still dying stay for
 * the next time. */
static void group_remove(const char *path)
{
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strncmp(entry->d_name, "box", 3)) continue;
        char *box = memory_format("%s/%s", path, entry->d_name);
        rmdir(box);
        free(box);
    }
    if (dir) closedir(dir);
    rmdir(path);
}

void control_groups_release(ControlGroups *groups)
{
    for (size_t i = 0; i < groups->n; i++) {
        ControlGroup *group = &groups->all[i];
        if (group->pids != group->memory) free(group->pids);
        free(group->memory);
    }
    free(groups->all);
    for (int i = 0; i < 2; i++) {
        if (!groups->root[i]) continue;
        group_remove(groups->root[i]);
        close(groups->lock[i]);
        free(groups->root[i]);
    }
    *groups = (ControlGroups){0};
}

static bool group_limit(const ControlGroup *group, uint64_t memory_bytes, bool unified)
{
    char bytes[32], many[32];
    snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)memory_bytes);
    snprintf(many, sizeof many, "%u", group->processes);
    bool fine = control_group_write(group->memory, unified ? "memory.max" : "memory.limit_in_bytes",
                                    bytes) &&
                control_group_write(group->pids, "pids.max", many);
    control_group_write(group->memory, unified ? "memory.swap.max" : "memory.memsw.limit_in_bytes",
                        unified ? "0" : bytes);
    if (unified) control_group_write(group->memory, "memory.oom.group", "1");
    return fine;
}

/* Groups of commands that were killed before they could take them away. */
static void groups_prune(const char *own)
{
    DIR *dir = opendir(own);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        int pid, fd;
        char unique[8], rest;
        if (sscanf(entry->d_name, "threelane-%d-%6[A-Za-z0-9]%c", &pid, unique, &rest) != 2)
            continue;

        char *path = memory_format("%s/%s", own, entry->d_name);
        if (folder_lock(path, &fd, LOCK_NB)) {
            group_remove(path);
            close(fd);
        }
        free(path);
    }
    if (dir) closedir(dir);
}

bool control_groups_make(ControlGroups *groups, size_t n, bool unified, uint64_t memory_bytes,
                         unsigned processes)
{
    char *owns[2] = {own_group(unified ? "" : "memory"), unified ? NULL : own_group("pids")};
    bool fine = owns[0] && (unified || owns[1]);
    for (int i = 0; i < (unified ? 1 : 2) && fine; i++) {
        groups_prune(owns[i]);
        groups->root[i] = folder_new(owns[i], &groups->lock[i]);
        fine = groups->root[i];
    }
    if (fine && unified)
        fine = control_group_write(groups->root[0], "cgroup.subtree_control", "+memory +pids");
    groups->all = memory_get(n, sizeof *groups->all);
    for (size_t i = 0; i < n && fine; i++) {
        ControlGroup *group = &groups->all[groups->n++];
        group->memory = group_new(groups->root[0], i);
        group->pids = unified ? group->memory : group_new(groups->root[1], i);
        group->processes = processes;
        fine = group->memory && group->pids && group_limit(group, memory_bytes, unified);
    }
    free(owns[0]);
    free(owns[1]);
    if (!fine) control_groups_release(groups);
    return fine;
}

uint64_t control_group_killed(const ControlGroup *group)
{
    char text[1024];
    unsigned long long n = 0;
    const char *at;
    if (!read_word(group->memory, "memory.events", text, sizeof text) &&
        !read_word(group->memory, "memory.oom_control", text, sizeof text))
        return 0;
    if ((at = strstr(text, "oom_kill "))) sscanf(at, "oom_kill %llu", &n);
    return n;
}
