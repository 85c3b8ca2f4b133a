/* inbox.c - see inbox.h. */
#include "grader/classroom/inbox.h"
#include "common/limits.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/folder.h"
#ifndef WITHOUT_ZIP
#include <minizip/unzip.h>
#define HAVE_ZIP 1
#endif

enum { MOST_PARTS = 64 };

static const char too_deep[] = "it lies deeper than folders are entered",
                  is_link[] = "it is a link, not a file";

/* ---- what names say ---- */
static bool ends_with(const char *text, size_t length, const char *ending)
{
    size_t n = strlen(ending);
    return length >= n && !strncasecmp(text + length - n, ending, n);
}

static bool is_source(const char *name)
{
    static const char *const endings[] = {".cu", ".cpp", ".cc", ".cxx"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(name, strlen(name), endings[i])) return true;
    return false;
}

/* What people pack with, but for zip files. */
static bool is_archive(const char *name)
{
    static const char *const endings[] = {".tar", ".tgz", ".tbz", ".txz", ".gz",
                                          ".bz2", ".xz",  ".zst", ".7z",  ".rar"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(name, strlen(name), endings[i])) return true;
    return false;
}

static bool is_zip(const char *name) { return ends_with(name, strlen(name), ".zip"); }

/* Where an exercise's id stands in a name, as a word of its own: "ex43" in "alice_ex43-1.cu", not
 * in "index431". */
static const char *find_id(const char *name, const char *id)
{
    size_t length = strlen(id);
    for (const char *at = name; *at; at++) {
        if (strncasecmp(at, id, length)) continue;
        bool begins = at == name || !isalnum((unsigned char)at[-1]);
        if (begins && !isdigit((unsigned char)at[length])) return at;
    }
    return NULL;
}

/* "ex99.cu" says which exercise it is for, even if that is not asked for. */
static bool names_one(const char *name)
{
    for (const char *at = name; *at; at++) {
        bool begins = at == name || !isalnum((unsigned char)at[-1]);
        if (begins && !strncasecmp(at, "ex", 2) && isdigit((unsigned char)at[2])) return true;
    }
    return false;
}

static const char *which(const char *name, const char *const *exercises, size_t n, const char **at)
{
    for (size_t i = 0; i < n; i++) {
        const char *found = find_id(name, exercises[i]);
        if (!found) continue;
        if (at) *at = found;
        return exercises[i];
    }
    return NULL;
}

/* The course's own files, which a clone of it has beside the student's. */
static bool is_given(const char *const *parts, size_t n)
{
    static const char *const given[] = {"harness.cu", "starter.cu", "solution.cu"};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (!strcmp(parts[n - 1], given[i])) return true;
    for (size_t i = 0; i + 1 < n; i++) {
        /* the first part is the student, who may be called Tests */
        if (i > 0 && (!strcmp(parts[i], "wrong") || !strcmp(parts[i], "fixtures") ||
                      !strcmp(parts[i], "tests")))
            return true;
        if (parts[i][0] == '.' || !strcmp(parts[i], "__MACOSX")) return true;
    }
    return parts[n - 1][0] == '.';
}

static bool number_part(const char **at)
{
    const char *start = *at;
    while (isdigit((unsigned char)**at)) (*at)++;
    return *at > start;
}

/* "name_123_456_" and "name_LATE_123_456_" of Canvas, followed by what the student called the file:
 * how much of it names the student ("name_123" is told as such). The caller frees; NULL when it is
 * not of that form. */
static char *canvas_student(const char *name)
{
    const char *first = strchr(name, '_');
    if (!first || first == name) return NULL;
    const char *at = first + 1;
    if (!strncasecmp(at, "LATE_", 5)) at += 5;
    const char *number = at;
    if (!number_part(&at) || *at != '_') return NULL;
    const char *end = at++;
    if (!number_part(&at) || *at != '_') return NULL;
    return memory_format("%.*s_%.*s", (int)(first - name), name, (int)(end - number), number);
}

/* A folder's name as a student's: what Moodle adds is left out. */
static char *folder_student(const char *name)
{
    const char *mark = strstr(name, "_assignsubmission_");
    if (!mark) return memory_copy(name);
    const char *end = mark;
    while (end > name && isdigit((unsigned char)end[-1])) end--;
    if (end > name && end < mark && end[-1] == '_') end--;
    else end = mark;
    return end > name ? memory_format("%.*s", (int)(end - name), name) : memory_copy(name);
}

static char *trimmed(const char *text, size_t length)
{
    while (length && strchr("_- .", text[length - 1])) length--;
    return length ? memory_format("%.*s", (int)length, text) : NULL;
}

bool inbox_parse(const char *const *parts, size_t n, const char *const *exercises,
                 size_t n_exercises, const char *only, Handin *handin)
{
    const char *name = parts[n - 1], *at = NULL, *id = which(name, exercises, n_exercises, &at);
    *handin = (Handin){.depth = (int)n};
    /* the file's own name decides; a folder's does for a file that has none
     * ("alice/ex43/main.cu") */
    for (size_t i = n - 1; i-- > 0 && !id;) {
        id = which(parts[i], exercises, n_exercises, NULL);
        if (id) handin->depth += 100;
    }
    bool named = names_one(name);
    for (size_t i = 0; i + 1 < n; i++) named = named || names_one(parts[i]);
    if (!id && only && !named) {
        id = only;
        handin->depth += 200;
    }
    if (!id) return false;
    if (n > 1) {
        handin->student = folder_student(parts[0]);
    } else {
        const char *dot = strrchr(name, '.');
        size_t length = at ? (size_t)(at - name) : dot ? (size_t)(dot - name) : strlen(name);
        handin->student = canvas_student(name);
        if (!handin->student) handin->student = trimmed(name, length);
        if (!handin->student) return false; /* "ex43.cu" alone: whose? */
    }
    /* ex43-1.cu, ex43 (2).cu: a later attempt */
    if (at) {
        const char *after = at + strlen(id);
        while (*after && strchr("-_ (", *after)) after++;
        if (isdigit((unsigned char)*after) && strlen(after) < 12) handin->attempt = atoi(after);
    }
    handin->exercise = memory_copy(id);
    return true;
}

/* ---- collecting ---- */
typedef struct Walk {
    Inbox *inbox;
    const char *const *exercises, *const *wanted;
    size_t n_exercises, n_wanted, files;
    const char *only; /* the one exercise that is wanted, or NULL */
    bool lone;        /* the zip file is all there is: it may be the whole class's */
    bool no_zip;      /* there are zip files, and nothing to read them with */
    const char *parts[MOST_PARTS];
    struct { /* of the student whose hand-in is read */
        char *student;
        size_t files, sources, ignored, unread;
        bool sources_told;
    } now;
} Walk;

static void push(Handin **items, size_t *n, Handin handin)
{
    if ((*n & (*n + 1)) == 0) *items = memory_grow(*items, 2 * (*n + 1), sizeof **items);
    (*items)[(*n)++] = handin;
}

static char *joined(const char *const *parts, size_t n)
{
    Text text = {0};
    for (size_t i = 0; i < n; i++) text_printf(&text, i ? "/%s" : "%s", parts[i]);
    return text_take(&text);
}

/* Whoever's hand-in comes next. Takes the name. */
static void begin_student(Walk *walk, char *student)
{
    free(walk->now.student);
    memset(&walk->now, 0, sizeof walk->now);
    walk->now.student = student;
}

/* Of this student's hand-in, this was not read, whole or in part. Takes the path. */
static void unread(Walk *walk, char *path, const char *reason)
{
    Inbox *inbox = walk->inbox;
    if (walk->now.unread++ >= LIMIT_INBOX_LINES) {
        inbox->n_untold++;
        free(path);
        return;
    }
    if ((inbox->n_unread & (inbox->n_unread + 1)) == 0)
        inbox->unread =
            memory_grow(inbox->unread, 2 * (inbox->n_unread + 1), sizeof *inbox->unread);
    const char *student = walk->now.student ? walk->now.student : "";
    inbox->unread[inbox->n_unread++] =
        (InboxUnread){memory_copy(student), path, memory_copy(reason)};
}

static void ignore(Walk *walk, const char *const *parts, size_t n)
{
    Inbox *inbox = walk->inbox;
    if (walk->now.ignored++ >= LIMIT_INBOX_LINES) {
        inbox->n_untold++;
        return;
    }
    if ((inbox->n_ignored & (inbox->n_ignored + 1)) == 0)
        inbox->ignored =
            memory_grow(inbox->ignored, 2 * (inbox->n_ignored + 1), sizeof *inbox->ignored);
    inbox->ignored[inbox->n_ignored++] = joined(parts, n);
}

/* shown: the path as people see it; parts: the same without what only holds the class (a zip file
 * of all). */
static void consider(Walk *walk, const char *const *parts, size_t n, const char *shown,
                     const char *file, const char *member, const char *problem)
{
    Handin handin;
    if (is_given(parts, n)) return;
    if (++walk->now.sources > LIMIT_INBOX_SOURCES) {
        if (!walk->now.sources_told)
            unread(walk, memory_copy(shown),
                   "more source files than anybody hands in: the first "
                   "1000 were looked at");
        walk->now.sources_told = true;
        return;
    }
    if (!inbox_parse(parts, n, walk->exercises, walk->n_exercises, walk->only, &handin)) {
        ignore(walk, &shown, 1);
        return;
    }
    bool wanted = false;
    for (size_t i = 0; i < walk->n_wanted; i++)
        wanted = wanted || !strcmp(walk->wanted[i], handin.exercise);
    if (!wanted) {
        free(handin.student);
        free(handin.exercise);
        return;
    }
    handin.path = memory_copy(shown);
    handin.file = memory_copy(file);
    handin.member = member ? memory_copy(member) : NULL;
    handin.problem = problem ? memory_copy(problem) : NULL;
    push(&walk->inbox->items, &walk->inbox->n, handin);
}

/* ---- zip files ---- */
#ifdef HAVE_ZIP
static unzFile zip_open(const char *path)
{
    /* opened by us first: a link or a pipe in the place of a file is not followed */
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    char own[64];
    if (fd < 0) return NULL;
    snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
    unzFile zip = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) ? unzOpen64(own) : NULL;
    close(fd);
    return zip;
}

static const char *climbs(const char *name)
{
    if (name[0] == '/' || strchr(name, '\\') || (isalpha((unsigned char)name[0]) && name[1] == ':'))
        return "its name in the zip file is not a plain path";
    for (const char *at = name; at; at = strchr(at, '/')) {
        if (*at == '/') at++;
        if (!strncmp(at, "..", 2) && (at[2] == '/' || !at[2]))
            return "its name in the zip file climbs out of it";
    }
    return NULL;
}

/* What is taken of a member: 0, when it is nobody's, or the number of its parts. `problem` is kept,
 * or says why it is not read. */
static size_t member_parts(char *name, const char *first, const char **parts, const char **problem)
{
    size_t n = 0;
    char *save = NULL, *last = NULL;
    if (first) parts[n++] = first;
    for (char *part = strtok_r(name, "/\\", &save); part; part = strtok_r(NULL, "/\\", &save)) {
        if (!strcmp(part, "..") || !strcmp(part, ".")) continue;
        last = part;
        if (n < MOST_PARTS) parts[n++] = part;
        else *problem = too_deep;
    }
    if (last && n) parts[n - 1] = last; /* the file's own name says what it is */
    return last ? n : 0;
}

/* A zip file is one student's, who may put any names into it. One that is all there is may be the
 * class's: it is one student's when sources lie at its root under plain names. */
static bool is_of_one(const Walk *walk, unzFile zip)
{
    int members = 0;
    for (int ok = unzGoToFirstFile(zip); ok == UNZ_OK && members < LIMIT_INBOX_MEMBERS;
         ok = unzGoToNextFile(zip), members++) {
        unz_file_info64 about;
        char name[4096];
        Handin handin = {0};
        if (unzGetCurrentFileInfo64(zip, &about, name, sizeof name - 1, NULL, 0, NULL, 0) !=
                UNZ_OK ||
            about.size_filename >= sizeof name - 1)
            continue;
        const char *alone[] = {name};
        bool plain = is_source(name) && !strchr(name, '/') && !is_given(alone, 1) &&
                     which(name, walk->exercises, walk->n_exercises, NULL);
        bool whose =
            plain && inbox_parse(alone, 1, walk->exercises, walk->n_exercises, NULL, &handin);
        free(handin.student);
        free(handin.exercise);
        if (plain && !whose) return true;
    }
    return false;
}

/* The name of who handed in a zip file; before: the parts that lead to it (its own name last). */
static char *zip_student(const Walk *walk, size_t before)
{
    if (before > 1) return folder_student(walk->parts[0]);
    char *stem = memory_format("%.*s", (int)strlen(walk->parts[0]) - 4, walk->parts[0]);
    char *student = canvas_student(stem);
    if (!student) student = trimmed(stem, strlen(stem));
    free(stem);
    return student ? student : memory_copy(walk->parts[0]);
}

/* A member whose name the zip file does not give: too long, or with a zero in it. */
static bool is_named(const char *name, size_t room, const unz_file_info64 *about)
{
    return about->size_filename < room && strlen(name) == about->size_filename;
}

static void walk_zip(Walk *walk, size_t before, const char *path)
{
    unzFile zip = zip_open(path);
    char *shown = joined(walk->parts, before);
    bool one = before > 1 || !walk->lone || !zip || is_of_one(walk, zip);
    if (before == 1) begin_student(walk, one ? zip_student(walk, before) : memory_copy(""));
    if (!zip) {
        unread(walk, shown, "the zip file is damaged, or is none");
        return;
    }

    char *stem = memory_format("%.*s", (int)(strlen(walk->parts[0]) - (before == 1 ? 4 : 0)),
                               walk->parts[0]);
    char *known = before == 1 ? canvas_student(stem) : NULL;
    const char *first = !one ? NULL : known ? known : stem;
    int members = 0, ok = unzGoToFirstFile(zip);
    for (; ok == UNZ_OK && members < LIMIT_INBOX_MEMBERS; ok = unzGoToNextFile(zip), members++) {
        unz_file_info64 about;
        char name[4096];
        if (unzGetCurrentFileInfo64(zip, &about, name, sizeof name - 1, NULL, 0, NULL, 0) != UNZ_OK)
            continue;
        if (!is_named(name, sizeof name - 1, &about)) {
            unread(walk, memory_copy(shown), "a file in it has a name that cannot be read");
            continue;
        }
        char *whole = memory_format("%s/%s", shown, name);
        if (is_zip(name) || is_archive(name)) {
            unread(walk, memory_copy(whole), "an archive in an archive is not opened");
        } else if (is_source(name)) {
            const char *problem = climbs(name), *parts[MOST_PARTS];
            if ((about.external_fa >> 16 & S_IFMT) == S_IFLNK) problem = is_link;
            char *copy = memory_copy(name);
            size_t n = member_parts(copy, first, parts, &problem);
            if (n) consider(walk, parts, n, whole, path, name, problem);
            free(copy);
        }
        free(whole);
    }
    if (ok == UNZ_OK)
        unread(walk, memory_copy(shown),
               "there are more than 100000 files in it, and only so many "
               "were looked at");
    else if (ok != UNZ_END_OF_LIST_OF_FILE)
        unread(walk, memory_copy(shown), "its list of files is damaged");
    free(stem);
    free(known);
    unzClose(zip);
    free(shown);
}

static const char *read_member(const Handin *handin, Text *bytes)
{
    unzFile zip = zip_open(handin->file);
    const char *problem = NULL;
    char piece[65536];
    int n = 0;
    if (!zip) return "the zip file is damaged";
    if (unzLocateFile(zip, handin->member, 1) != UNZ_OK || unzOpenCurrentFile(zip) != UNZ_OK) {
        unzClose(zip);
        return "it cannot be read from the zip file (damaged, or locked with a password)";
    }
    while (!problem && (n = unzReadCurrentFile(zip, piece, sizeof piece)) > 0) {
        if (bytes->length + (size_t)n > LIMIT_SUBMISSION)
            problem = "larger than 4 MiB: this is no source file";
        else text_append(bytes, piece, (size_t)n);
    }
    if (n < 0) problem = "it cannot be read from the zip file (damaged, or locked with a password)";
    if (unzCloseCurrentFile(zip) == UNZ_CRCERROR && !problem)
        problem = "it is damaged in the zip file";
    unzClose(zip);
    return problem;
}
#else
static void walk_zip(Walk *walk, size_t before, const char *path)
{
    (void)before, (void)path;
    walk->no_zip = true;
}

static const char *read_member(const Handin *handin, Text *bytes)
{
    (void)handin, (void)bytes;
    return "Threelane was built without zip support (libminizip-dev)";
}
#endif

/* ---- folders ---- */
static void walk_folder(Walk *walk, int folder, const char *path, size_t n);

static void enter(Walk *walk, int folder, const char *name, const char *full, size_t n)
{
    if (n + 1 >= LIMIT_INBOX_DEPTH) {
        unread(walk, joined(walk->parts, n + 1), too_deep);
        return;
    }
    int inside = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inside < 0) {
        unread(walk, joined(walk->parts, n + 1), strerror(errno));
        return;
    }
    walk_folder(walk, inside, full, n + 1);
    close(inside);
}

/* One entry of a folder; parts[n] is its name. */
static void walk_entry(Walk *walk, int folder, const char *path, size_t n)
{
    const char *name = walk->parts[n];
    char *full = memory_format("%s/%s", path, name), *shown = joined(walk->parts, n + 1);
    struct stat about;
    bool there = fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0,
         regular = there && S_ISREG(about.st_mode);
    if (!there) {
        unread(walk, memory_copy(shown), strerror(errno));
    } else if (S_ISDIR(about.st_mode)) {
        if (name[0] != '.') enter(walk, folder, name, full, n);
    } else if (is_source(name)) {
        consider(walk, walk->parts, n + 1, shown, full, NULL,
                 S_ISLNK(about.st_mode) ? is_link
                 : !regular             ? "it is not a regular file"
                                        : NULL);
    } else if (is_zip(name) && regular) {
        walk_zip(walk, n + 1, full);
    } else if (is_zip(name) || (n == 0 && S_ISLNK(about.st_mode) && name[0] != '.')) {
        unread(walk, memory_copy(shown),
               S_ISLNK(about.st_mode) ? "it is a link, which is not followed"
                                      : "it is not a regular file");
    } else if (is_archive(name)) {
        unread(walk, memory_copy(shown), "of archives only zip files are opened");
    }
    free(full);
    free(shown);
}

/* What lies at the top is somebody's; a file there that is neither source nor archive is nobody's.
 */
static void walk_top(Walk *walk, int folder, const char *path)
{
    const char *name = walk->parts[0];
    struct stat about;
    bool there = fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0,
         is_folder = there && S_ISDIR(about.st_mode);
    size_t dot = strcspn(name, ".");
    bool packed = is_zip(name) || is_archive(name);
    begin_student(walk, is_folder || !packed || !dot ? folder_student(name)
                                                     : memory_format("%.*s", (int)dot, name));
    walk_entry(walk, folder, path, 0);
    bool anything = walk->now.sources || walk->now.ignored || walk->now.unread;
    if ((is_folder || packed) && name[0] != '.' && strcmp(name, "__MACOSX") != 0 && !anything)
        unread(walk, memory_copy(name), "there is no source file in it");
}

static void walk_folder(Walk *walk, int folder, const char *path, size_t n)
{
    struct dirent **entries;
    char own[64];
    /* by name, so that the same folder gives the same list everywhere */
    snprintf(own, sizeof own, "/proc/self/fd/%d", folder);
    int count = scandir(own, &entries, NULL, folder_by_name), shown_entries = 0;
    if (count < 0) unread(walk, n ? joined(walk->parts, n) : memory_copy(path), strerror(errno));
    for (int i = 0; i < count; i++) shown_entries += entries[i]->d_name[0] != '.';
    if (n == 0) walk->lone = shown_entries == 1;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        walk->parts[n] = name;
        bool entry = strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
        if (entry && n == 0) {
            walk_top(walk, folder, path);
        } else if (entry && walk->now.files++ < LIMIT_INBOX_FILES) {
            walk_entry(walk, folder, path, n);
        } else if (entry && walk->now.files == LIMIT_INBOX_FILES + 1) {
            unread(walk, joined(walk->parts, n),
                   "there are more files than are looked at (100000)");
        }
        free(entries[i]);
    }
    if (count >= 0) free(entries);
}

static int compare(const void *a, const void *b)
{
    const Handin *x = a, *y = b;
    int order = strcmp(x->student, y->student);
    if (!order) order = strcmp(x->exercise, y->exercise);
    if (!order) order = (x->problem != NULL) - (y->problem != NULL);
    if (!order) order = y->attempt - x->attempt; /* the last attempt first */
    if (!order) order = x->depth - y->depth;     /* then the one nearest to the top */
    return order ? order : strcmp(x->path, y->path);
}

/* What Moodle put behind the student's name, in "Ada Lovelace_123_assignsubmission_file_": the 3
 * bytes at "123". NULL when the hand-in is not in such a folder. */
static const char *moodle_number(const Handin *handin, size_t *length)
{
    const char *mark = strstr(handin->path, "_assignsubmission_"), *at = mark;
    size_t name = strlen(handin->student);
    while (at && at > handin->path && isdigit((unsigned char)at[-1])) at--;
    if (!at || at == mark || (size_t)(at - handin->path) < name + 1 || at[-1] != '_') return NULL;
    const char *start = at - 1 - name;
    if (strncmp(start, handin->student, name) || (start > handin->path && start[-1] != '/'))
        return NULL;
    *length = (size_t)(mark - at);
    return at;
}

static bool same_student(const Handin *a, const Handin *b)
{
    return !strcmp(a->student, b->student);
}

/* Two people of one name: Moodle's numbers tell them apart, and become part of their names. (One
 * person has other numbers in other exports, so numbers count only where both hand in the same
 * exercise.) items are sorted; true when they have to be again. */
static bool tell_namesakes_apart(Inbox *inbox)
{
    bool changed = false;
    for (size_t first = 0, end; first < inbox->n; first = end) {
        bool two = false;
        const char *number = NULL;
        size_t length = 0;
        for (end = first; end < inbox->n && same_student(&inbox->items[first], &inbox->items[end]);
             end++) {
            size_t other_length = 0;
            const char *other = moodle_number(&inbox->items[end], &other_length);
            if (end > first && strcmp(inbox->items[end - 1].exercise, inbox->items[end].exercise))
                number = NULL;
            if (!other) continue;
            two = two || (number && (length != other_length || strncmp(number, other, length)));
            if (!number) number = other, length = other_length;
        }
        for (size_t i = first; two && i < end; i++) {
            Handin *handin = &inbox->items[i];
            number = moodle_number(handin, &length);
            if (!number) continue;
            char *name = memory_format("%s_%.*s", handin->student, (int)length, number);
            free(handin->student);
            handin->student = name;
            changed = true;
        }
    }
    return changed;
}

static bool has_any(const Inbox *inbox, size_t n, const char *student, const char *exercise)
{
    for (size_t i = 0; i < n; i++) {
        const Handin *handin = &inbox->items[i];
        if ((!student || !strcmp(handin->student, student)) && !strcmp(handin->exercise, exercise))
            return true;
    }
    return false;
}

/* Rows for those of whose hand-in something was not read: for what others handed in and they did
 * not; where nobody handed in anything, for all that is wanted. */
static void add_unread(Inbox *inbox, const char *const *wanted, size_t n_wanted)
{
    size_t read = inbox->n;
    for (size_t k = 0; k < n_wanted; k++) {
        if (read && !has_any(inbox, read, NULL, wanted[k])) continue;
        for (size_t i = 0; i < inbox->n_unread; i++) {
            const InboxUnread *of = &inbox->unread[i];
            if (!of->student[0] || has_any(inbox, inbox->n, of->student, wanted[k])) continue;
            push(&inbox->items, &inbox->n,
                 (Handin){.student = memory_copy(of->student),
                          .exercise = memory_copy(wanted[k]),
                          .path = memory_copy(of->path),
                          .file = memory_copy(""),
                          .problem = memory_copy(of->reason)});
        }
    }
}

/* Looks through the folder or zip file. False and one line when it is neither, or cannot be read.
 */
static bool walk_root(Walk *walk, const char *path, char *error, size_t error_size)
{
    struct stat about;
    int folder = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool fine = folder >= 0 && fstat(folder, &about) == 0;
    if (!fine) {
        snprintf(error, error_size, "%.500s: %s", path, strerror(errno));
    } else if (S_ISDIR(about.st_mode)) {
        walk_folder(walk, folder, path, 0);
    } else if (S_ISREG(about.st_mode) && is_zip(path)) {
        const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
        walk->parts[0] = base;
        walk->lone = true;
        walk_zip(walk, 1, path);
    } else {
        snprintf(
            error, error_size,
            "%.500s: neither a folder nor a zip file (one file: threelane grade --exercise ex43 "
            "FILE)",
            path);
        fine = false;
    }
    if (folder >= 0) close(folder);
    if (!fine) return false;

    begin_student(walk, NULL);
    if (!walk->no_zip) return true;
    /* whoever handed in a zip file would get no grade, and nobody would hear of it */
    snprintf(error, error_size,
             "%.500s: there are zip files, and Threelane was built without zip support (sudo "
             "apt-get install libminizip-dev zlib1g-dev, then make)",
             path);
    return false;
}

/* Of what one student handed in for one exercise the first counts (they are in order); the rest is
 * kept beside, with the reason. */
static void keep_first_of_each(Inbox *inbox)
{
    size_t kept = 0;
    for (size_t i = 0; i < inbox->n; i++) {
        Handin *handin = &inbox->items[i], *last = kept ? &inbox->items[kept - 1] : NULL;
        if (last && !strcmp(last->student, handin->student) &&
            !strcmp(last->exercise, handin->exercise)) {
            free(handin->problem);
            handin->problem = memory_format("%s was graded instead", last->path);
            push(&inbox->others, &inbox->n_others, *handin);
        } else {
            inbox->items[kept++] = *handin;
        }
    }
    inbox->n = kept;
}

bool inbox_open(Inbox *inbox, const char *path, const char *const *exercises, size_t n,
                const char *const *wanted, size_t n_wanted, char *error, size_t error_size)
{
    *inbox = (Inbox){.root = memory_copy(path)};
    Walk walk = {.inbox = inbox,
                 .exercises = exercises,
                 .n_exercises = n,
                 .wanted = wanted,
                 .n_wanted = n_wanted,
                 .only = n_wanted == 1 ? wanted[0] : NULL};
    if (!walk_root(&walk, path, error, error_size)) {
        inbox_close(inbox);
        return false;
    }

    add_unread(inbox, wanted, n_wanted);
    if (inbox->n) qsort(inbox->items, inbox->n, sizeof *inbox->items, compare);
    if (tell_namesakes_apart(inbox)) qsort(inbox->items, inbox->n, sizeof *inbox->items, compare);
    keep_first_of_each(inbox);
    return true;
}

static void handin_release(Handin *handin)
{
    free(handin->student);
    free(handin->exercise);
    free(handin->path);
    free(handin->file);
    free(handin->member);
    free(handin->problem);
}

void inbox_close(Inbox *inbox)
{
    for (size_t i = 0; i < inbox->n; i++) handin_release(&inbox->items[i]);
    for (size_t i = 0; i < inbox->n_others; i++) handin_release(&inbox->others[i]);
    for (size_t i = 0; i < inbox->n_ignored; i++) free(inbox->ignored[i]);
    for (size_t i = 0; i < inbox->n_unread; i++) {
        free(inbox->unread[i].student);
        free(inbox->unread[i].path);
        free(inbox->unread[i].reason);
    }
    free(inbox->unread);
    free(inbox->items);
    free(inbox->others);
    free(inbox->ignored);
    free(inbox->root);
    *inbox = (Inbox){0};
}

static const char *read_file(const Handin *handin, Text *bytes)
{
    int fd = open(handin->file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    char piece[65536];
    ssize_t n = 0;
    const char *problem = NULL;
    if (fd < 0) return errno == ELOOP ? "it is a link, not a file" : strerror(errno);
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) problem = "it is not a regular file";
    while (!problem && (n = read(fd, piece, sizeof piece)) > 0) {
        if (bytes->length + (size_t)n > LIMIT_SUBMISSION)
            problem = "larger than 4 MiB: this is no source file";
        else text_append(bytes, piece, (size_t)n);
    }
    if (n < 0) problem = strerror(errno);
    close(fd);
    return problem;
}

bool inbox_read(const Inbox *inbox, const Handin *handin, Text *bytes, char *error,
                size_t error_size)
{
    (void)inbox;
    text_clear(bytes);
    const char *problem = handin->problem;
    if (!problem) problem = handin->member ? read_member(handin, bytes) : read_file(handin, bytes);
    if (!problem && !bytes->length) problem = "the file is empty";
    if (!problem && memchr(text_string(bytes), 0, bytes->length)) problem = "it is not a text file";
    if (problem) snprintf(error, error_size, "%s", problem);
    return !problem;
}
