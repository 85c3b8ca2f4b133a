/* start.c - see start.h.
 *
 * A file that the student writes (exNN.cu, predict.txt, all of .threelane) is never touched. Any
 * other that differs from the installed one is replaced, and kept under .threelane/replaced-DATE:
 * it may be an older version of ours, or have been changed by hand, and nobody has to know which.
 */
#include "grader/start/start.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "common/folder.h"
#include "common/limits.h"
#include "common/text.h"

#define OURS "# Threelane's course: `make help` lists what there is to type."

typedef struct Copy {
    const char *folder; /* of the student */
    Started *started;
    char *error;
    size_t error_size;
} Copy;

static bool fail(Copy *c, const char *path, int reason)
{
    snprintf(c->error, c->error_size, "%s: %s", path, strerror(reason));
    return false;
}

/* "exercises/ex43-overlap/ex43.cu" */
static bool is_own(const char *path)
{
    const char *name = strrchr(path, '/');
    if (!name || strncmp(path, "exercises/ex", 12) != 0) return false;
    name++;
    size_t digits = 2;
    if (strncmp(name, "ex", 2) != 0) return !strcmp(name, "predict.txt");
    while (isdigit((unsigned char)name[digits])) digits++;
    return digits > 2 && !strcmp(name + digits, ".cu");
}

static char *parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    return memory_format("%.*s", (int)(slash ? slash - path : 0), path);
}

/* Moves what is there out of the way. */
static bool keep(Copy *c, const char *there, const char *path)
{
    if (!c->started->replaced) {
        char date[32];
        time_t now = time(NULL);
        strftime(date, sizeof date, "%Y%m%d-%H%M%S", localtime(&now));
        c->started->replaced = memory_format("%s/.threelane/replaced-%s", c->folder, date);
    }
    char *kept = memory_format("%s/%s", c->started->replaced, path), *folder = parent(kept);
    int failed = folder_make(folder);
    if (!failed && rename(there, kept) != 0) failed = errno;
    if (failed) fail(c, there, failed);
    free(folder);
    free(kept);
    return !failed;
}

static bool bring(Copy *c, const char *path, const Text *text, mode_t mode)
{
    char *there = memory_format("%s/%s", c->folder, path), *folder = parent(there);
    Text old = {0};
    struct stat about;
    bool is_there = lstat(there, &about) == 0, fine = true;

    if (is_there && is_own(path)) {
        c->started->own++;
    } else if (!is_there || text_read_file(&old, there, LIMIT_SOURCE) ||
               old.length != text->length ||
               (old.length && memcmp(old.data, text->data, old.length) != 0)) {
        fine = !is_there || keep(c, there, path);
        int failed = fine ? folder_make(folder) : 0;
        if (fine && !failed) failed = text_write_file(there, text_string(text), text->length);
        if (!failed && fine && (mode & S_IXUSR) && chmod(there, 0755) != 0) failed = errno;
        if (failed) fine = fail(c, there, failed);
        c->started->brought += fine;
    }
    text_release(&old);
    free(folder);
    free(there);
    return fine;
}

/* Everything below from/path. What begins with a dot is the state of another course. */
static bool bring_folder(Copy *c, const char *from, const char *path)
{
    char *folder = memory_format("%s/%s", from, path);
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, folder_by_name);
    bool fine = n >= 0 || fail(c, folder, errno);

    for (int i = 0; i < n; i++) {
        char *inside = memory_format("%s/%s", path, entries[i]->d_name),
             *source = memory_format("%s/%s", from, inside);
        struct stat about;
        if (fine && entries[i]->d_name[0] != '.' && stat(source, &about) == 0) {
            Text text = {0};
            if (S_ISDIR(about.st_mode)) {
                fine = bring_folder(c, from, inside);
            } else {
                int failed = text_read_file(&text, source, LIMIT_SOURCE);
                fine = failed ? fail(c, source, failed) : bring(c, inside, &text, about.st_mode);
            }
            text_release(&text);
        }
        free(source);
        free(inside);
        free(entries[i]);
    }
    if (n >= 0) free(entries);
    free(folder);
    return fine;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* A new or empty folder, or one that was made so. */
static bool may_be(const char *folder, char *error, size_t error_size)
{
    char *makefile = memory_format("%s/Makefile", folder);
    Text text = {0};
    DIR *dir = opendir(folder);
    bool empty = true, fine = true;

    if (!dir && errno != ENOENT) {
        snprintf(error, error_size, "%s: %s", folder, strerror(errno));
        fine = false;
    }
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) empty = false;
    if (dir) closedir(dir);
    if (fine && !empty &&
        (text_read_file(&text, makefile, LIMIT_SOURCE) ||
         strncmp(text_string(&text), OURS, strlen(OURS)) != 0)) {
        snprintf(error, error_size,
                 "%s is not empty, and no course that init made: name a new folder", folder);
        fine = false;
    }
    text_release(&text);
    free(makefile);
    return fine;
}

/* With a quote, a dollar or a blank in it, make could not use it. */
static bool make_takes(const char *path) { return !path[strcspn(path, " \t$#:;%*?[]'\"\\~")]; }

static bool bring_makefile(Copy *c, const char *bin)
{
    Text text = {0};
    text_printf(
        &text,
        OURS
        "\n"
        "# (threelane init wrote this, and writes it again.)\n"
        "BIN := %s\n"
        "COURSE := $(BIN)/../lib/threelane/course.mk\n"
        "ifeq ($(wildcard $(COURSE)),)\n"
        "$(error Threelane is no longer in $(BIN): install it again, or, where it is elsewhere "
        "now, type: threelane init .)\n"
        "endif\n"
        "include $(COURSE)\n",
        bin);
    bool fine = bring(c, "Makefile", &text, 0);
    text_release(&text);
    return fine;
}

/* Where editors with clangd find the headers; the repository's .clangd says why it is so. */
static bool bring_clangd(Copy *c, const char *bin)
{
    Text text = {0};
    char *include = memory_format("%s/../lib/threelane/include", bin),
         *real = realpath(include, NULL);
    text_printf(&text,
                "# For editors with clangd. (threelane init wrote this, and writes it again.)\n"
                "CompileFlags:\n"
                "  Compiler: clang++\n"
                "  Add: [-xcuda, --cuda-host-only, -nocudainc, -nocudalib, -std=c++17, "
                "-D__CUDACC__=1, -Wno-unknown-cuda-version,\n"
                "        -include, threelane/editor.h, -isystem, '%s', -I.., -I../..]\n"
                "Diagnostics:\n"
                "  Suppress: [kern_call_not_global_function]\n",
                real ? real : include);
    bool fine = bring(c, ".clangd", &text, 0);
    text_release(&text);
    free(include);
    free(real);
    return fine;
}

bool start_course(const char *folder, const StartFrom *from, Started *started, char *error,
                  size_t error_size)
{
    *started = (Started){0};
    Copy c = {.folder = folder, .started = started, .error = error, .error_size = error_size};
    char *course = memory_format("%s/../lib/threelane/course", from->bin),
         *full = memory_format("%s/../share/threelane", from->bin),
         *exercises = memory_format("%s/exercises", from->solutions ? full : course);
    bool fine = false;

    if (!is_folder(course)) {
        snprintf(error, error_size,
                 "there is no installed course beside %s/threelane: init copies "
                 "what `make install` or a package has installed",
                 from->bin);
    } else if (!is_folder(exercises)) {
        snprintf(error, error_size,
                 "the solutions are not installed: install the package "
                 "threelane-solutions, or `make install SOLUTIONS=1`");
    } else if (!make_takes(from->bin)) {
        snprintf(error, error_size,
                 "%s: make cannot work with this path; install Threelane under "
                 "one without blanks and quotes",
                 from->bin);
    } else if (may_be(folder, error, error_size)) {
        int failed = folder_make(folder);
        /* the Makefile first: it says that the folder is ours, should we be stopped */
        fine = failed ? fail(&c, folder, failed)
                      : bring_makefile(&c, from->bin) && bring_clangd(&c, from->bin);
        fine = fine && bring_folder(&c, from->solutions ? full : course, "exercises") &&
               bring_folder(&c, course, "lessons");
    }
    free(course);
    free(full);
    free(exercises);
    return fine;
}

void started_release(Started *started)
{
    free(started->replaced);
    *started = (Started){0};
}
