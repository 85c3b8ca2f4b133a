/* A lesson as it is shown where nothing draws it: what is only for tools is left out. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/lessons/lesson.h"
#include "tests/unit/cases.h"

static char folder[64];

static void set_up(void)
{
    strcpy(folder, "/tmp/threelane-lesson-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void tidy(void) { rmdir(folder); }

/* The lesson of exercise ex90-x, when its file says this. */
static char *shown(const char *written)
{
    Catalogue catalogue = {.lessons = folder};
    Text text = {0};
    char *path = memory_format("%s/ex90-x.md", folder), *place;
    ck_assert_int_eq(text_write_file(path, written, strlen(written)), 0);
    ck_assert_int_eq(lesson_text(&catalogue, "exercises/ex90-x",
                                 &(LessonLook){.utf8 = true, .width = 80}, &text, &place),
                     0);
    ck_assert_str_eq(place, path);
    unlink(path);
    free(path);
    free(place);
    return text_take(&text);
}

static void shows(const char *written, const char *wanted)
{
    char *text = shown(written);
    ck_assert_str_eq(text ? text : "", wanted);
    free(text);
}

START_TEST(comments_are_for_tools)
{
    shows("# T\n<!-- figure: a -->\n\nb\n", "# T\nb\n");
    shows("a\n\n<!-- figure: a -->\nb\n", "a\n\nb\n");
    shows("a\n   <!-- indented -->\nb\n", "a\nb\n");
    shows("<!-- a -->\n<!-- b -->\n\n\nc\n", "\nc\n"); /* one blank line after them */
    shows("<!-- the last line", "<!-- the last line");
    shows("a <!-- within --> b\n", "a <!-- within --> b\n");
}
END_TEST

/* Code is indented; blanks alone are a line; a line may end where the file does. */
START_TEST(blanks_in_front_stay)
{
    shows("    code\n  \n\n   ", "    code\n  \n\n   ");
    shows("", "");
}
END_TEST

START_TEST(no_lesson)
{
    Catalogue catalogue = {.lessons = (char[]){"/nowhere"}};
    Text text = {0};
    char *path;
    ck_assert_int_eq(lesson_text(&catalogue, "exercises/ex90-x", &(LessonLook){.utf8 = true}, &text,
                                 &path),
                     ENOENT);
    ck_assert_str_eq(path, "/nowhere/ex90-x.md");
    free(path);
    text_release(&text);
}
END_TEST

CASES("lesson", .before = set_up, .after = tidy)
