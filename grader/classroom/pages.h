/* pages.h - a gradebook as web pages: index.html for the class, lecture.html without names for the
 * next hour, one page for each student and for each submission. Made from the gradebook alone;
 * nothing from elsewhere; readable on a phone, in the dark, on paper and without scripts, which
 * only sort and filter the class.
 *
 * Files: FOLDER/index.html, FOLDER/lecture.html, FOLDER/students/NAME.html and
 * FOLDER/students/NAME-ex43.html, where NAME holds only letters, digits and dashes. */
#ifndef THREELANE_PAGES_H
#define THREELANE_PAGES_H
#include "grader/classroom/gradebook.h"

/* False and one line when a file cannot be written. others and ignored of the inbox are listed on
 * the index. */
bool pages_write(const char *folder, Gradebook *, const Inbox *, char *error, size_t error_size);

/* The page of each submission that is in the folder now, as it can be given to its student: without
 * a way to the class. path: what was handed in; name: the student's, as a file's. False as soon as
 * `take` is, or when there is no memory. */
typedef bool PagesFeedback(void *data, const char *path, const char *name, const char *exercise,
                           const char *bytes, size_t length);
bool pages_feedback(Gradebook *, PagesFeedback *take, void *data);

/* The name of a student's page without ".html", of one exercise or (NULL) of all; the caller
 * frees. */
char *pages_name(const char *student, size_t length, const char *exercise);
#endif
