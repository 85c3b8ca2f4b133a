/* inbox.h - what a class has handed in: the folder, or zip file, that an instructor was given, read
 * in the usual shapes.
 *
 *   STUDENT/ex43.cu, STUDENT/any/where/ex43.cu      a folder for each student; a clone of the
 *                                                   course in it as well
 *   STUDENT_ex43.cu                                 files side by side
 *   Name_123_assignsubmission_file_/ex43.cu         Moodle's export; two people of one name are
 *                                                   Name_123 and Name_456
 *   name_123_456_ex43.cu, name_LATE_123_456_ex43-1.cu   Canvas's export: name_123 is the student,
 *                                                       -1 a later attempt
 *   STUDENT.zip, name_123_456_work.zip (Canvas), STUDENT/work.zip, with ex43.cu anywhere in it any
 *   of these inside EXPORT.zip, when that is all there is: else whoever hands in a zip file could
 *   hand in for others
 *
 * Nothing is followed or believed: links, pipes and devices are not opened, folders are entered at
 * most 12 deep, zip members are read in memory with a limit that counts what comes out, not what
 * their header says, and names that climb (../, /etc) are told, not used. What belongs to somebody
 * and cannot be read is a hand-in with a problem: that student is told so instead of being
 * forgotten. So it is with all that a student handed in of which nothing can be read, or not all:
 * too deep, too many, damaged, no zip file, a link, no source in it. Where it is not known for
 * which exercise that was, it counts for each that somebody handed in and this student did not. */
#ifndef THREELANE_INBOX_H
#define THREELANE_INBOX_H
#include <stdbool.h>
#include <stddef.h>
#include "common/text.h"


typedef struct Handin {
    char *student, *exercise; /* "alice", "ex43"; as bytes: not safe to show or to use in a path */
    char *path;               /* below the inbox: "alice/ex43.cu", "class.zip/alice/ex43.cu" */
    char *file, *member; /* what is opened, and the member of the zip file that it is, or NULL */
    char *problem;       /* why it cannot be graded, or NULL */
    int attempt;         /* Canvas counts them */
    int depth;
} Handin;

typedef struct InboxUnread {
    char *student, *path, *reason;
} InboxUnread;

typedef struct Inbox {
    char *root;
    Handin *items;
    size_t n; /* by student, then exercise: one for each pair */
    Handin *others;
    size_t n_others; /* of the same pair, not taken: earlier attempts, copies; problem says why */
    char **ignored;
    size_t n_ignored; /* sources whose exercise could not be told; paths */
    InboxUnread *unread;
    size_t n_unread; /* what of a hand-in could not be read; its student has a row all the same */
    size_t n_untold; /* lines beyond LIMIT_INBOX_LINES of one student */
} Inbox;

/* exercises: the ids there are, n of them; wanted: those to take, n_wanted of them. Where just one
 * is wanted, a source that names none is taken for that one. False and one line when the folder
 * cannot be read. */
bool inbox_open(Inbox *, const char *path, const char *const *exercises, size_t n,
                const char *const *wanted, size_t n_wanted, char *error, size_t error_size);
void inbox_close(Inbox *);

/* The source's bytes. False and one line that a student understands: a link, too large, empty, not
 * a text. */
bool inbox_read(const Inbox *, const Handin *, Text *bytes, char *error, size_t error_size);

/* ---- for tests: what a path says ---- */
/* parts: the components of a path below the inbox; only: what a source without an exercise is taken
 * for, or NULL. True when student and exercise can be told from it; the strings are allocated. */
bool inbox_parse(const char *const *parts, size_t n, const char *const *exercises,
                 size_t n_exercises, const char *only, Handin *);
#endif
