/* lesson.h - the text of a lesson, drawn for a terminal when lowdown is installed. */
#ifndef THREELANE_LESSON_H
#define THREELANE_LESSON_H
#include "grader/course/catalogue.h"
#include "common/text.h"

typedef struct LessonLook {
    bool drawn; /* with lowdown, for a terminal; else, or without it, as written */
    bool colors, utf8;
    int width;
} LessonLook;

/* Appends the lesson that belongs to an exercise's folder; control sequences are only those of
 * `colors`. 0, or an errno and the path of the lesson in *path, which the caller frees either way.
 * Runs programs: not for a process that has other children (runner.h). */
int lesson_text(const Catalogue *, const char *folder, const LessonLook *, Text *, char **path);

/* The interview question at the end of that lesson, as one line; NULL when it has none. The caller
 * frees. */
char *lesson_question(const Catalogue *, const char *folder);

/* The path of a program as the shell would find it, or NULL. The caller frees. */
char *program_find(const char *name);
#endif
