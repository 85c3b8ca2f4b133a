/* file_watch.c - see file_watch.h. */
#include "grader/watch/file_watch.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/folder.h"
#include "common/hash.h"
#include "common/text.h"

enum { TARGETS = 2, ABOVE_ROOT = 64 };
static const double LOOK_SECONDS = 0.2, SETTLE_SECONDS = 0.03, DOUBT_SECONDS = 0.5;

typedef struct Target {
    Hash told, seen; /* stamps: as last told; as last seen */
    double since;    /* when `seen` was first seen */
    bool doubtful;   /* the file is empty or gone */
    bool whole;      /* somebody closed a file after writing, or renamed one into place */
} Target;

struct FileWatch {
    bool polling; /* asked for */
    int fd;       /* -1: it looks by itself */
    char *folder, *file, *also;
    Target targets[TARGETS];
    double looked;
};

bool file_watch_source(const char *name)
{
    static const char *const endings[] = {".cu", ".cuh", ".h",   ".hpp", ".c",
                                          ".cc", ".cpp", ".ini", ".txt"};
    const char *dot = strrchr(name, '.');
    if (name[0] == '.' || name[0] == '#' || !dot) return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (!strcmp(dot, endings[i])) return true;
    }
    return false;
}

/* ---- stamps ---- */
static Hash stamp_sources(const char *folder)
{
    Hash sum = hash_start();
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (!file_watch_source(entry->d_name)) continue;
        char *path = memory_format("%s/%s", folder, entry->d_name);
        Hash one = hash_start();
        hash_add_stamp(&one, path);
        sum.a += one.a; /* in whatever order the folder names them */
        sum.b += one.b;
        free(path);
    }
    if (dir) closedir(dir);
    return sum;
}

static bool equal(Hash a, Hash b) { return a.a == b.a && a.b == b.b; }

static Hash stamp(const FileWatch *f, int target)
{
    Hash hash = hash_start();
    if (target == 0) return stamp_sources(f->folder);
    hash_add_stamp(&hash, f->also);
    return hash;
}

/* ---- the kernel's notices ---- */
/* Watches a folder, or as long as it is not there, the nearest one above it. */
static bool arm_folder(FileWatch *f, const char *folder)
{
    const uint32_t mask = IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE |
                          IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    char *path = memory_copy(folder);
    bool fine = false;
    for (int i = 0; i < ABOVE_ROOT && !fine; i++) {
        if (folder_is_remote(path)) break;
        if (access(path, F_OK) == 0) {
            fine = inotify_add_watch(f->fd, path, mask) >= 0;
            break;
        }
        char *slash = strrchr(path, '/');
        if (!slash) break;
        slash[slash == path ? 1 : 0] = 0;
    }
    free(path);
    return fine;
}

static void arm(FileWatch *f)
{
    if (f->fd >= 0) close(f->fd);
    f->fd = f->polling ? -1 : inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (f->fd < 0) return;
    char *of_also = memory_copy(f->also), *slash = strrchr(of_also, '/');
    if (slash) *slash = 0;
    bool fine = arm_folder(f, f->folder) && arm_folder(f, of_also);
    free(of_also);
    if (fine) return;
    close(f->fd);
    f->fd = -1;
}

/* Takes the notices; true when folders came or went, so that others may have to be watched. */
static bool take_notices(FileWatch *f)
{
    union {
        struct inotify_event event;
        char bytes[16384];
    } notices;
    bool moved = false;
    for (ssize_t n; (n = read(f->fd, &notices, sizeof notices)) > 0;) {
        for (ssize_t at = 0; at < n;) {
            struct inotify_event event;
            memcpy(&event, notices.bytes + at, sizeof event);
            const char *name = event.len ? notices.bytes + at + sizeof event : "";
            if (event.mask & (IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_ISDIR | IN_UNMOUNT))
                moved = true;
            if ((event.mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) && file_watch_source(name))
                f->targets[0].whole = true;
            at += (ssize_t)(sizeof event + event.len);
        }
    }
    return moved;
}

/* ---- following ---- */
FileWatch *file_watch_new(bool polling)
{
    FileWatch *f = memory_get(1, sizeof *f);
    f->polling = polling;
    f->fd = -1;
    return f;
}

void file_watch_free(FileWatch *f)
{
    if (!f) return;
    if (f->fd >= 0) close(f->fd);
    free(f->folder);
    free(f->file);
    free(f->also);
    free(f);
}

void file_watch_set(FileWatch *f, const char *folder, const char *file, const char *also)
{
    free(f->folder);
    free(f->file);
    free(f->also);
    f->folder = memory_copy(folder);
    f->file = memory_copy(file);
    f->also = memory_copy(also);
    arm(f);
    for (int i = 0; i < TARGETS; i++) {
        Hash now = stamp(f, i);
        f->targets[i] = (Target){.told = now, .seen = now};
    }
}

int file_watch_fd(const FileWatch *f) { return f->fd; }

bool file_watch_polls(const FileWatch *f) { return f->fd < 0; }

static double patience(const Target *target)
{
    return target->doubtful ? DOUBT_SECONDS : target->whole ? 0 : SETTLE_SECONDS;
}

int file_watch_timeout(const FileWatch *f, double now)
{
    double wait = f->fd < 0 ? f->looked + LOOK_SECONDS - now : 3600;
    for (int i = 0; i < TARGETS; i++) {
        const Target *target = &f->targets[i];
        if (equal(target->seen, target->told)) continue;
        double left = target->since + patience(target) - now;
        if (left < wait) wait = left;
    }
    return wait >= 3600 ? -1 : wait <= 0 ? 0 : (int)(wait * 1000) + 1;
}

unsigned file_watch_check(FileWatch *f, double now)
{
    unsigned changed = 0;
    if (!f->folder) return 0;
    if (f->fd >= 0 && take_notices(f)) arm(f);
    f->looked = now;
    for (int i = 0; i < TARGETS; i++) {
        Target *target = &f->targets[i];
        Hash seen = stamp(f, i);
        if (!equal(seen, target->seen)) {
            struct stat about;
            target->seen = seen;
            target->since = now;
            target->doubtful = i == 0 && (stat(f->file, &about) != 0 || about.st_size == 0);
        }
        if (equal(seen, target->told)) {
            target->whole = false;
        } else if (now - target->since >= patience(target)) {
            target->told = seen;
            target->whole = false;
            changed |= i == 0 ? FILE_WATCH_SOURCES : FILE_WATCH_ALSO;
        }
    }
    return changed;
}
