/* arrivals.c - see arrivals.h. */
#include "grader/follow/arrivals.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "common/folder.h"
#include "common/hash.h"
#include "common/limits.h"

/* MOMENT: between two notices that belong together. SETTLE: how long a file has to stay as it is;
 * ALONE: where nobody tells who is writing it. LOOK: between two looks without notices; AGAIN: with
 * them, in case one was lost. PROBLEM: what cannot be graded may be a beginning. OLD: a file of
 * that age is not being written. */
static const double MOMENT_SECONDS = 0.3, SETTLE_SECONDS = 1, ALONE_SECONDS = 3, LOOK_SECONDS = 2,
                    AGAIN_SECONDS = 60, PROBLEM_SECONDS = 15;
#define NONE SIZE_MAX
enum { OLD_SECONDS = 5, SHARE = 10 /* a look may take that part of the time */ };

/* A hand-in as it was last seen. */
typedef struct Seen {
    char *student, *exercise;
    Hash stamp, taken; /* taken: as it was when it was judged; zeros: it was not */
    double since;      /* when the stamp was first seen */
    size_t item;       /* in the inbox; NONE: it is gone, and still being judged */
    bool busy, ready;
} Seen;

struct Arrivals {
    char *root;
    int fd;     /* -1: there are no notices */
    bool alone; /* it looks by itself */
    const Inbox *inbox;
    Seen *seen; /* by student, then exercise, as the inbox has them */
    size_t n, next;
    bool noticed, started;
    double looked, took, noticed_at, began;
    size_t unsettled;
};

static bool equal(Hash a, Hash b) { return a.a == b.a && a.b == b.b; }

/* ---- the kernel's notices ---- */
static bool watch_folder(Arrivals *a, const char *path, int depth)
{
    const uint32_t mask = IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM |
                          IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR |
                          IN_DONT_FOLLOW;
    if (inotify_add_watch(a->fd, path, mask) < 0) return access(path, F_OK) != 0;
    DIR *dir = depth < LIMIT_INBOX_DEPTH ? opendir(path) : NULL;
    bool fine = true;
    for (struct dirent *entry; dir && fine && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') continue;
        char *inside = memory_format("%s/%s", path, entry->d_name);
        struct stat about;
        bool folder =
            entry->d_type == DT_DIR ||
            (entry->d_type == DT_UNKNOWN && lstat(inside, &about) == 0 && S_ISDIR(about.st_mode));
        if (folder) fine = watch_folder(a, inside, depth + 1);
        free(inside);
    }
    if (dir) closedir(dir);
    return fine;
}

/* Watches all folders there are; those that are watched already stay so. */
static void watch_all(Arrivals *a)
{
    if (a->fd < 0) return;
    struct stat about;
    char *above = memory_copy(a->root), *slash = strrchr(above, '/');
    bool fine = true;
    if (stat(a->root, &about) != 0 || !S_ISDIR(about.st_mode)) { /* a zip file */
        if (slash) slash[slash == above ? 1 : 0] = 0;
        fine = inotify_add_watch(a->fd, slash ? above : ".",
                                 IN_CLOSE_WRITE | IN_MOVED_TO | IN_MODIFY | IN_DELETE) >= 0;
    } else {
        fine = watch_folder(a, a->root, 0);
    }
    free(above);
    a->alone = !fine; /* no watches are left */
}

static bool take_notices(Arrivals *a)
{
    char notices[16384] __attribute__((aligned(8)));
    bool any = false;
    while (a->fd >= 0 && read(a->fd, notices, sizeof notices) > 0) any = true;
    return any;
}

Arrivals *arrivals_new(const char *root, bool polling)
{
    Arrivals *a = memory_get(1, sizeof *a);
    a->root = memory_copy(root);
    signal(SIGIO, SIG_IGN); /* of being_written: somebody begins at that moment */
    bool blind = polling || folder_is_remote(root);
    a->fd = blind ? -1 : inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    a->alone = a->fd < 0;
    return a;
}

static void forget(Seen *seen, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(seen[i].student);
        free(seen[i].exercise);
    }
    free(seen);
}

void arrivals_free(Arrivals *a)
{
    if (!a) return;
    if (a->fd >= 0) close(a->fd);
    forget(a->seen, a->n);
    free(a->root);
    free(a);
}

int arrivals_fd(const Arrivals *a) { return a->fd; }

bool arrivals_due(Arrivals *a, double now)
{
    if (take_notices(a)) {
        if (!a->noticed) a->noticed_at = now;
        a->noticed = true;
    }
    if (!a->started) return true;
    double since = now - a->looked;
    if (since < SHARE * a->took) return false;
    if (a->noticed && now - a->noticed_at >= MOMENT_SECONDS && since >= MOMENT_SECONDS) return true;
    if (a->unsettled && since >= SETTLE_SECONDS / 2) return true;
    return since >= (a->alone ? LOOK_SECONDS : AGAIN_SECONDS);
}

void arrivals_prepare(Arrivals *a, double now)
{
    take_notices(a);
    watch_all(a);
    a->noticed = false;
    a->began = now;
}

/* ---- what stat says ---- */

/* True when somebody has it open for writing; false also where that cannot be known. */
static bool being_written(const char *path)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return false;
    /* nobody may promise to be told of writers while there is one */
    bool written = fcntl(fd, F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
    close(fd);
    return written;
}

/* What is known of a hand-in's files. */
typedef struct Look {
    Hash stamp;
    bool old;     /* none has been touched for a while */
    bool written; /* one is being written; only found out if `ask` */
    bool ask;
} Look;

static void look_at_file(Look *look, const char *path)
{
    struct stat about;
    hash_add_string(&look->stamp, path);
    if (lstat(path, &about) != 0) return;
    hash_add(&look->stamp, &about.st_size, sizeof about.st_size);
    hash_add(&look->stamp, &about.st_mtim, sizeof about.st_mtim);
    hash_add(&look->stamp, &about.st_ino, sizeof about.st_ino);
    if (about.st_ctime > time(NULL) - OLD_SECONDS) look->old = false;
    if (look->ask && S_ISREG(about.st_mode)) look->written |= being_written(path);
}

/* What was handed in and could not be read is where its path says, or is in an archive there. */
static void look_at_unread(Look *look, const char *root, const char *path)
{
    char *full = memory_format("%s/%s", root, path);
    struct stat about;
    while (lstat(full, &about) != 0 && strlen(full) > strlen(root)) *strrchr(full, '/') = 0;
    look_at_file(look, full);
    hash_add_string(&look->stamp, path);
    free(full);
}

static Look look_at(const Inbox *inbox, const Handin *handin, bool ask)
{
    Look look = {.stamp = hash_start(), .old = true, .ask = ask};
    hash_add_string(&look.stamp, handin->path);
    hash_add_string(&look.stamp, handin->problem ? handin->problem : "");
    if (*handin->file) look_at_file(&look, handin->file);
    for (size_t i = 0; i < inbox->n_unread && handin->problem; i++)
        if (!strcmp(inbox->unread[i].student, handin->student))
            look_at_unread(&look, inbox->root, inbox->unread[i].path);
    return look;
}

static int compare(const Seen *seen, const Handin *handin)
{
    int order = strcmp(seen->student, handin->student);
    return order ? order : strcmp(seen->exercise, handin->exercise);
}

/* ---- looking ---- */
static void look_again(const Inbox *inbox, Seen *to, bool known, double settle, double now)
{
    const Handin *handin = &inbox->items[to->item];
    Look is = look_at(inbox, handin, false);
    if (!known || !equal(is.stamp, to->stamp)) {
        to->stamp = is.stamp;
        to->since = is.old ? now - PROBLEM_SECONDS : now;
    }
    if (handin->problem) settle = PROBLEM_SECONDS;
    bool settled = !equal(to->stamp, to->taken) && now - to->since >= settle;
    to->ready = settled && !look_at(inbox, handin, true).written;
}

/* One that is gone stays as long as it is being judged. True when it went just now. */
static bool keep_gone(Seen *of, Seen *seen, size_t *n)
{
    bool now = of->item != NONE;
    if (of->busy) {
        seen[*n] = *of;
        seen[*n].item = NONE;
        seen[(*n)++].ready = false;
        *of = (Seen){0};
    }
    return now;
}

bool arrivals_look(Arrivals *a, const Inbox *inbox, double now)
{
    Seen *seen = memory_get(inbox->n + a->n + 1, sizeof *seen);
    double settle = a->alone ? ALONE_SECONDS : SETTLE_SECONDS;
    bool changed = false;
    size_t k = 0, n = 0;
    a->unsettled = 0;
    for (size_t i = 0; i < inbox->n; i++) {
        const Handin *handin = &inbox->items[i];
        for (; k < a->n && compare(&a->seen[k], handin) < 0; k++)
            changed |= keep_gone(&a->seen[k], seen, &n);
        bool known = k < a->n && compare(&a->seen[k], handin) == 0;
        Seen *to = &seen[n++];
        if (known) {
            changed |= a->seen[k].item == NONE;
            *to = a->seen[k];
            a->seen[k++] = (Seen){0};
        } else {
            changed = true;
            *to = (Seen){.student = memory_copy(handin->student),
                         .exercise = memory_copy(handin->exercise)};
        }
        to->item = i;
        look_again(inbox, to, known, settle, now);
        a->unsettled += !to->ready && !equal(to->stamp, to->taken);
    }
    for (; k < a->n; k++) changed |= keep_gone(&a->seen[k], seen, &n);
    forget(a->seen, a->n);
    a->seen = seen;
    a->n = n;
    a->inbox = inbox;
    a->next = 0;
    a->looked = now;
    a->took = now - a->began;
    a->started = true;
    return changed;
}

const Handin *arrivals_next(Arrivals *a)
{
    for (; a->next < a->n; a->next++) {
        Seen *seen = &a->seen[a->next];
        if (!seen->ready || seen->busy) continue;
        seen->ready = false;
        seen->busy = true;
        seen->taken = seen->stamp;
        a->next++;
        return &a->inbox->items[seen->item];
    }
    return NULL;
}

void arrivals_done(Arrivals *a, const char *student, const char *exercise)
{
    const Handin of = {.student = (char *)(uintptr_t)student,
                       .exercise = (char *)(uintptr_t)exercise};
    size_t low = 0, high = a->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&a->seen[middle], &of) < 0) low = middle + 1;
        else high = middle;
    }
    if (low == a->n || compare(&a->seen[low], &of) != 0) return;
    a->seen[low].busy = false;
    if (a->seen[low].ready && low < a->next) a->next = low;
}

size_t arrivals_waiting(const Arrivals *a)
{
    size_t n = a->unsettled;
    for (size_t i = 0; i < a->n; i++) n += a->seen[i].ready;
    return n;
}
