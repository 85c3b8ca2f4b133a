/* tools.c - see tools.h. */
#include "gpu/tools.h"
#include "common/env.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINES_SHOWN = 12, LARGEST_TEXT = 1 << 20 };

void tools_say(const char *format, ...)
{
    va_list list;
    fflush(stdout);
    fputs("threelane: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
}

bool tools_find(const char *name, const char *variable, char *path, size_t path_size)
{
    const char *named = getenv(variable), *at = getenv(ENV_PATH);
    glob_t found;
    if (named && *named)
        return snprintf(path, path_size, "%s", named) > 0 && access(path, X_OK) == 0;
    while (at && *at) {
        size_t length = strcspn(at, ":");
        snprintf(path, path_size, "%.*s/%s", (int)length, at, name);
        if (length && access(path, X_OK) == 0) return true;
        at += length + (at[length] == ':');
    }
    char pattern[200];
    snprintf(pattern, sizeof pattern, "/usr/local/cuda*/bin/%s", name);
    if (glob(pattern, 0, NULL, &found) != 0) return false;
    bool there = found.gl_pathc > 0 && snprintf(path, path_size, "%s", found.gl_pathv[0]) > 0;
    globfree(&found);
    return there;
}

bool tools_beside(const char *name, char *path, size_t path_size)
{
    ssize_t length = readlink("/proc/self/exe", path, path_size - 1);
    if (length <= 0) return false;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    size_t at = slash ? (size_t)(slash + 1 - path) : 0;
    return snprintf(path + at, path_size - at, "%s", name) < (int)(path_size - at) &&
           access(path, R_OK) == 0;
}

bool tools_driver(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (driver) dlclose(driver);
    return driver != NULL;
}

const char **tools_words(const char *const *words, const char *more)
{
    size_t n = 0;
    while (words[n]) n++;
    const char **all = calloc(n + (more ? strlen(more) : 0) + 2, sizeof *all);
    char *copy = more ? strdup(more) : NULL;
    if (!all || (more && !copy)) {
        tools_say("out of memory");
        exit(1);
    }
    memcpy(all, words, n * sizeof *all);
    for (char *word = copy ? strtok(copy, " \t") : NULL; word; word = strtok(NULL, " \t"))
        all[n++] = word;
    return all;
}

static void show_end(const char *path)
{
    char lines[LINES_SHOWN][400];
    int n = 0;
    FILE *file = fopen(path, "re");
    while (file && fgets(lines[n % LINES_SHOWN], sizeof lines[0], file)) n++;
    for (int i = n > LINES_SHOWN ? n - LINES_SHOWN : 0; i < n; i++) {
        lines[i % LINES_SHOWN][strcspn(lines[i % LINES_SHOWN], "\n")] = '\0';
        fprintf(stderr, "    %s\n", lines[i % LINES_SHOWN]);
    }
    if (file) fclose(file);
}

/* Output goes to `output`, errors to `errors` (which may be the same). */
static int run(const char *const *words, const char *output, const char *errors)
{
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) return 127;
    if (pid == 0) {
        int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        int err = !strcmp(output, errors) ? out : open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        int in = open("/dev/null", O_RDONLY);
        if (out < 0 || err < 0 || in < 0) _exit(127);
        dup2(in, 0);
        dup2(out, 1);
        dup2(err, 2);
        execvp(words[0], (char *const *)words);
        dprintf(2, "%s: %s\n", words[0], strerror(errno));
        _exit(127);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int judged(int status, const char *failed, const char *log)
{
    if (!status || !failed) return status;
    if (status > 128)
        tools_say("%s: it was ended by a signal (%s)", failed, strsignal(status - 128));
    else tools_say("%s (status %d):", failed, status);
    show_end(log);
    return status;
}

int tools_run(const char *const *words, const char *folder, const char *failed)
{
    char log[PATH_MAX];
    snprintf(log, sizeof log, "%s/log", folder);
    return judged(run(words, log, log), failed, log);
}

char *tools_read(const char *const *words, const char *folder, const char *failed, int *status)
{
    char out[PATH_MAX], log[PATH_MAX], *text = calloc(1, LARGEST_TEXT + 1);
    snprintf(out, sizeof out, "%s/output", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    *status = text ? judged(run(words, out, log), failed, log) : 127;
    FILE *file = *status || !text ? NULL : fopen(out, "re");
    if (file) {
        text[fread(text, 1, LARGEST_TEXT, file)] = '\0';
        fclose(file);
    }
    return text;
}

bool tools_folder(char *path, size_t path_size)
{
    const char *parent = getenv(ENV_TMPDIR);
    snprintf(path, path_size, "%s/threelane.XXXXXX", parent && *parent ? parent : "/tmp");
    if (mkdtemp(path)) return true;
    tools_say("no folder for temporary files: %s: %s", path, strerror(errno));
    return false;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about, (void)type, (void)where;
    remove(path);
    return 0;
}

void tools_remove(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }
