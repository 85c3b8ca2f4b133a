/* lesson.h - the text of a lesson, as a terminal shows it. */
#ifndef THREELANE_LESSON_H
#define THREELANE_LESSON_H
#include "grader/course/catalogue.h"
#include "common/text.h"

typedef struct LessonLook {
    bool drawn; /* for a terminal (markdown.h), where this was built with what reads Markdown; else
                   as written */
    bool colors, utf8;
    int width;
} LessonLook;

/* Appends the lesson that belongs to an exercise's folder; control sequences are only those of
 * `colors`. 0, or an errno and the path of the lesson in *path, which the caller frees either
 * way. */
int lesson_text(const Catalogue *, const char *folder, const LessonLook *, Text *, char **path);

/* The interview question at the end of that lesson, as one line; NULL when it has none. The caller
 * frees. */
char *lesson_question(const Catalogue *, const char *folder);
#endif
