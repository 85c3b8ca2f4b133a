/* workspace.c - see workspace.h. */
#include "grader/build/workspace.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "common/env.h"
#include "common/folder.h"
#include "common/text.h"
#include "grader/box/runner.h"

char *workspace_find(const char *name)
{
    char **folders = list_split(getenv(ENV_PATH), ':', NULL), *found = NULL;
    for (size_t i = 0; folders[i] && !found; i++) {
        char *path = memory_format("%s/%s", folders[i], name);
        if (folders[i][0] && access(path, X_OK) == 0) found = realpath(path, NULL);
        free(path);
    }
    list_free(folders);
    return found;
}

char *workspace_find_tlcc(const Catalogue *catalogue)
{
    const char *named = getenv(ENV_TLCC);
    if (named && *named) return access(named, X_OK) == 0 ? realpath(named, NULL) : NULL;
    char own[4096];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    while (length > 0 && own[length - 1] != '/') length--;
    char *beside = catalogue ? memory_format("%s/tlcc", catalogue->bin)
                             : memory_format("%.*stlcc", (int)(length > 0 ? length : 0), own);
    if (access(beside, X_OK) == 0) return beside;
    free(beside);
    return workspace_find("tlcc");
}

static void stamp_folder(Hash *hash, const char *path, int depth)
{
    struct dirent **entries;
    int n = depth < 8 ? scandir(path, &entries, NULL, folder_by_name) : -1;
    for (int i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.') {
            char *inside = memory_format("%s/%s", path, entries[i]->d_name);
            hash_add_stamp(hash, inside);
            if (entries[i]->d_type == DT_DIR || entries[i]->d_type == DT_LNK ||
                entries[i]->d_type == DT_UNKNOWN) {
                stamp_folder(hash, inside, depth + 1);
            }
            free(inside);
        }
        free(entries[i]);
    }
    if (n >= 0) free(entries);
}

static void stamp_tools(Workspace *workspace)
{
    workspace->tools = hash_start();
    hash_add_stamp(&workspace->tools, workspace->tlcc);
    const char *variables[] = {ENV_USER_CXX,           ENV_USER_CC, ENV_CPATH,
                               ENV_CPLUS_INCLUDE_PATH, ENV_CXX,     ENV_HOME};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        hash_add_string(&workspace->tools, value ? value : "");
    }
    const char *named = getenv(ENV_CXX);
    const char *const compilers[] = {named && *named ? named : "g++", "clang++", "c++"};
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        char *path = workspace_find(compilers[i]);
        if (path) hash_add_stamp(&workspace->tools, path);
        free(path);
    }
    const char *home = getenv(ENV_HOME);
    char *bin = memory_copy(workspace->tlcc), *slash = strrchr(bin, '/');
    if (slash) *slash = 0;
    char *homes[] = {memory_copy(home && *home ? home : "/nonexistent"),
                     memory_format("%s/../lib/threelane", bin),
                     memory_format("%s/../build/lib/threelane", bin)};
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        stamp_folder(&workspace->tools, homes[i], 0);
        free(homes[i]);
    }
    free(bin);
}

/* Files of the cache that nobody has used for a month are removed: each change of a header leaves
 * some behind. */
static void prune(const char *cache)
{
    enum { DAY_SECONDS = 24 * 3600, KEEP_SECONDS = 30 * DAY_SECONDS };
    time_t now = time(NULL);
    struct stat last;
    char *mark = memory_format("%s/.pruned", cache);
    /* a class leaves thousands there, and each of its submissions comes by here */
    bool due = stat(mark, &last) != 0 || now - last.st_mtime > DAY_SECONDS || last.st_mtime > now;
    if (due) text_write_file(mark, "", 0);
    free(mark);
    if (!due) return;

    DIR *dir = opendir(cache);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char *path = memory_format("%s/%s", cache, entry->d_name);
        struct stat about;
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
            now - about.st_atime > KEEP_SECONDS && now - about.st_mtime > KEEP_SECONDS)
            unlink(path);
        free(path);
    }
    if (dir) closedir(dir);
}

static int lock_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

/* Folders of compiles that were killed before they could clean up. (A moment's age: one may have
 * been made just now, and not be locked yet.) */
static void prune_work(const char *state)
{
    enum { MOMENT_SECONDS = 2 };
    DIR *dir = opendir(state);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char *path = memory_format("%s/%s", state, entry->d_name);
        struct stat about;
        bool work = !strncmp(entry->d_name, "work-", 5) && lstat(path, &about) == 0 &&
                    S_ISDIR(about.st_mode);
        int lock = work && time(NULL) - about.st_mtime > MOMENT_SECONDS ? lock_folder(path) : -1;
        if (lock >= 0) {
            folder_remove(path);
            close(lock);
        }
        free(path);
    }
    if (dir) closedir(dir);
}

bool workspace_open(Workspace *workspace, const Catalogue *catalogue, char *error,
                    size_t error_size)
{
    *workspace = (Workspace){.catalogue = catalogue, .lock = -1, .parallel = jobs_processors()};
    workspace->tlcc = workspace_find_tlcc(catalogue);
    if (!workspace->tlcc) {
        snprintf(error, error_size,
                 "the compiler tlcc was not found (beside threelane, in PATH, or as " ENV_TLCC "): "
                 "build it with `make`");
        return false;
    }
    char *cache = memory_format("%s/cache", catalogue->state);
    int failed = folder_make(cache);
    if (!failed && access(cache, W_OK | X_OK) != 0) failed = errno;
    const char *temporary = getenv(ENV_TMPDIR);
    workspace->work =
        failed ? memory_format("%s/threelane-XXXXXX", temporary && *temporary ? temporary : "/tmp")
               : memory_format("%s/work-XXXXXX", catalogue->state);
    if (!mkdtemp(workspace->work)) {
        snprintf(error, error_size, "%s: %s: a folder to work in is needed; set TMPDIR to one",
                 workspace->work, strerror(errno));
        free(cache);
        free(workspace->work);
        workspace->work = NULL;
        return false;
    }
    workspace->lock = lock_folder(workspace->work);
    if (failed) {
        workspace->warning =
            memory_format("%s cannot be written (%s): nothing is kept between runs",
                          catalogue->state, strerror(failed));
        free(cache);
        cache = memory_format("%s/cache", workspace->work);
        folder_make(cache);
    }
    workspace->cache = cache;
    if (!failed) {
        prune(cache);
        prune_work(catalogue->state);
    }
    stamp_tools(workspace);
    return true;
}

void workspace_use(Workspace *workspace, const Card *card)
{
    workspace->card = card;
    workspace->tools = hash_start();
    hash_add_stamp(&workspace->tools, card->nvcc);
    hash_add_string(&workspace->tools, card->arch);
    const char *variables[] = {ENV_NVCC_PREPEND, ENV_NVCC_APPEND, ENV_NVCC_CCBIN, ENV_CPATH,
                               ENV_CPLUS_INCLUDE_PATH};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        hash_add_string(&workspace->tools, value ? value : "");
    }
}

void workspace_close(Workspace *workspace)
{
    if (workspace->work) folder_remove(workspace->work);
    if (workspace->work && workspace->lock >= 0) close(workspace->lock);
    free(workspace->work);
    free(workspace->cache);
    free(workspace->tlcc);
    free(workspace->warning);
    *workspace = (Workspace){0};
}
