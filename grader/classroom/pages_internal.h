/* pages_internal.h - what the pages of a class share: a page in memory, a gradebook's rows as text.
 * The pages: pages.c (a submission's, and the order of all), class_page.c (index.html,
 * lecture.html, a student's). */
#ifndef THREELANE_PAGES_INTERNAL_H
#define THREELANE_PAGES_INTERNAL_H
#include <sqlite3.h>
#include <stdio.h>
#include "grader/classroom/pages.h"

/* Through memory and a rename: a page is the old one or the new one. */
typedef struct Page {
    FILE *to;
    char *bytes;
    size_t size;
} Page;

/* nonce: of the scripts that may run; NULL: none may. NULL when there is no memory. */
FILE *page_start(Page *, const char *title, size_t length, const char *nonce);
bool page_finish(Page *, const char *path, char *error, size_t error_size);

/* Escaped. */
void page_put(FILE *, const char *string);
void page_put_column(FILE *, sqlite3_stmt *row, int column);
/* The class of CSS that a verdict is shown in: "pass", "fail", "other". */
const char *page_kind_class(int kind);
/* With its first n parameters from columns of another row. */
sqlite3_stmt *page_query_for(Gradebook *, const char *sql, sqlite3_stmt *of, int n,
                             const int *columns);
/* `<a href="students/NAME-ex43.html">`; exercise NULL: the student's own page. */
void page_link(FILE *, const char *student, size_t length, const char *exercise);

/* What stands on index.html for an exercise beside the table of all, and below that of the class.
 */
void page_put_cards(FILE *, Gradebook *, sqlite3_stmt *exercise);
void page_put_scores(FILE *, Gradebook *, sqlite3_stmt *exercise);
void page_put_likenesses(FILE *, Gradebook *);
void page_put_inbox(FILE *, const Inbox *);

/* index.html, lecture.html and students/NAME.html. */
bool class_pages_write(const char *folder, Gradebook *, const Inbox *, char *error,
                       size_t error_size);

/* Built in (class_files.S). */
extern const char class_css[], class_js[];
#endif
