/* catalogue.c - see catalogue.h. */
#include "grader/course/catalogue.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/env.h"
#include "common/text.h"

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* "ex43-overlap": the length of "ex43", or 0. */
static size_t id_length(const char *name)
{
    if (strncmp(name, "ex", 2) != 0) return 0;
    size_t n = 2;
    while (isdigit((unsigned char)name[n])) n++;
    return n > 2 && n < 8 && name[n] == '-' && name[n + 1] ? n : 0;
}

/* In a folder that is not called `exercises`, what is only called like one (~/ex43-notes) is none.
 */
static bool holds_exercises(const char *folder)
{
    const char *name = strrchr(folder, '/');
    const char *needed = name && !strcmp(name, "/exercises") ? "." : "exercise.ini";
    DIR *dir = opendir(folder);
    bool found = false;
    for (struct dirent *entry; dir && !found && (entry = readdir(dir));) {
        if (!id_length(entry->d_name)) continue;
        char *file = memory_format("%s/%s/%s", folder, entry->d_name, needed);
        found = access(file, F_OK) == 0;
        free(file);
    }
    if (dir) closedir(dir);
    return found;
}

static int by_number(const void *a, const void *b)
{
    const CatalogueEntry *left = a, *right = b;
    return left->number != right->number
               ? (left->number > right->number) - (left->number < right->number)
               : strcmp(left->slug, right->slug);
}

static bool read_entries(Catalogue *catalogue)
{
    DIR *dir = opendir(catalogue->exercises);
    if (!dir) return false;
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t n = id_length(entry->d_name);
        char *folder = memory_format("%s/%s", catalogue->exercises, entry->d_name);
        if (!n || !is_folder(folder)) {
            free(folder);
            continue;
        }
        catalogue->entries =
            memory_grow(catalogue->entries, catalogue->n_entries + 1, sizeof *catalogue->entries);
        catalogue->entries[catalogue->n_entries++] = (CatalogueEntry){
            .id = memory_format("%.*s", (int)n, entry->d_name),
            .slug = memory_copy(entry->d_name),
            .folder = folder,
            .number = atoi(entry->d_name + 2),
        };
    }
    closedir(dir);
    if (catalogue->n_entries)
        qsort(catalogue->entries, catalogue->n_entries, sizeof *catalogue->entries, by_number);
    return true;
}

static char *own_folder(void)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0) return memory_copy(".");
    path[n] = 0;
    char *slash = strrchr(path, '/');
    if (slash) *slash = 0;
    return memory_copy(path);
}

static char *absolute(const char *path)
{
    char *full = realpath(path, NULL);
    return full;
}

/* The nearest folder upwards that has exercises/ with an exercise in it. */
static char *upwards(void)
{
    char folder[PATH_MAX];
    if (!getcwd(folder, sizeof folder)) return NULL;
    while (true) {
        char *exercises = memory_format("%s/exercises", folder);
        if (holds_exercises(exercises)) return exercises;
        free(exercises);
        if (holds_exercises(folder)) return memory_copy(folder);
        char *slash = strrchr(folder, '/');
        if (!slash || !slash[1]) return NULL;
        slash[slash == folder ? 1 : 0] = 0;
    }
}

static char *state_folder(const Catalogue *catalogue)
{
    const char *state = getenv(ENV_USER_STATE), *home = getenv(ENV_USER_HOME);
    if (catalogue->installed && state && *state == '/') return memory_format("%s/threelane", state);
    if (catalogue->installed && home && *home == '/')
        return memory_format("%s/.local/state/threelane", home);
    return memory_format("%s/.threelane", catalogue->root);
}

bool catalogue_open(Catalogue *catalogue, const char *exercises, char *error, size_t error_size)
{
    *catalogue = (Catalogue){.bin = own_folder()};
    const char *from = "--exercises";
    if (!exercises || !*exercises) exercises = getenv(ENV_EXERCISES), from = ENV_EXERCISES;
    if (exercises && *exercises) {
        catalogue->exercises = absolute(exercises);
        if (!catalogue->exercises || !is_folder(catalogue->exercises)) {
            snprintf(error, error_size, "%s: %s: %s", from, exercises,
                     catalogue->exercises ? "not a folder" : strerror(errno));
            return false;
        }
    } else {
        char *beside[] = {upwards(), memory_format("%s/../exercises", catalogue->bin),
                          memory_format("%s/../share/threelane/exercises", catalogue->bin),
                          memory_format("%s/../lib/threelane/course/exercises", catalogue->bin)};
        enum { INSTALLED = 2 };
        for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
            if (!catalogue->exercises && beside[i] && holds_exercises(beside[i])) {
                catalogue->exercises = absolute(beside[i]);
                catalogue->installed = i >= INSTALLED;
            }
            free(beside[i]);
        }
        if (!catalogue->exercises) {
            snprintf(error, error_size,
                     "no course found: go to the course's folder, or name its exercises with "
                     "--exercises DIR or " ENV_EXERCISES);
            return false;
        }
    }
    char *slash = strrchr(catalogue->exercises, '/');
    catalogue->root =
        slash == catalogue->exercises
            ? memory_copy("/")
            : memory_format("%.*s", (int)(slash - catalogue->exercises), catalogue->exercises);
    catalogue->lessons = memory_format("%s/lessons", catalogue->root);
    catalogue->state = state_folder(catalogue);
    if (!read_entries(catalogue)) {
        snprintf(error, error_size, "%s: %s", catalogue->exercises, strerror(errno));
        return false;
    }
    return true;
}

void catalogue_close(Catalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->n_entries; i++) {
        free(catalogue->entries[i].id);
        free(catalogue->entries[i].slug);
        free(catalogue->entries[i].folder);
    }
    free(catalogue->entries);
    free(catalogue->root);
    free(catalogue->exercises);
    free(catalogue->lessons);
    free(catalogue->state);
    free(catalogue->bin);
    *catalogue = (Catalogue){0};
}

const CatalogueEntry *catalogue_find(const Catalogue *catalogue, const char *name)
{
    for (size_t i = 0; i < catalogue->n_entries; i++) {
        const CatalogueEntry *entry = &catalogue->entries[i];
        if (!strcmp(entry->id, name) || !strcmp(entry->slug, name) || !strcmp(entry->id + 2, name))
            return entry;
    }
    return NULL;
}

char *catalogue_relative(const Catalogue *catalogue, const char *path)
{
    size_t n = strlen(catalogue->root);
    if (n > 1 && !strncmp(path, catalogue->root, n) && path[n] == '/' && path[n + 1] != '-')
        return memory_copy(path + n + 1);
    return memory_copy(path);
}
