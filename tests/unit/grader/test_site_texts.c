/* The pages of a small course, whole: tests/fixtures/site/lessons with the exercise of
 * tests/fixtures/exercises, held against tests/fixtures/site/pages. What a page has from files of
 * its own is not among them. WRITE=1 build/tests/test_site_texts writes them anew: read what has
 * changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lessons/markdown.h"
#include "grader/site/site.h"
#include "tests/unit/held.h"

static char folder[64];

static void do_line(char *line)
{
    ck_assert_int_eq(system(line), 0);
    free(line);
}

static void begin(void)
{
    strcpy(folder, "/tmp/site-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    do_line(memory_format("cp -R tests/fixtures/exercises tests/fixtures/site/lessons %s", folder));
}

static void end(void) { do_line(memory_format("rm -rf '%s'", folder)); }

static void hold(const char *name, const char *as)
{
    char *made = memory_format("%s/pages/%s", folder, name),
         *path = memory_format("site/pages/%s%s", as, name);
    Text got = {0};
    ck_assert_int_eq(text_read_file(&got, made, 1 << 24), 0);
    held(path, &got);
    text_release(&got);
    free(made);
    free(path);
}

START_TEST_WITH(pages, .times = 2)
{
    static const char *const names[] = {"index.html",     "00-start.html", "ex90-square.html",
                                        "ex90.html",      "further.html",  "glossary.html",
                                        "measuring.html", "calls.html",    "search.js"};
    bool more = _i == 1;
    if (!markdown_possible()) {
        puts("skipped: the pages of a course # built without cmark-gfm");
        return;
    }
    char error[300] = "", *exercises = memory_format("%s/exercises", folder),
         *to = memory_format("%s/pages", folder);
    Catalogue catalogue;
    SiteWritten written;
    ck_assert_msg(catalogue_open(&catalogue, exercises, error, sizeof error), "%s", error);
    SiteOptions options = {.folder = to,
                           .figures = more ? "tests/fixtures/site/figures" : NULL,
                           .solutions = more};
    ck_assert_msg(site_write(&catalogue, &options, &written, error, sizeof error), "%s", error);
    ck_assert_uint_eq(written.figures, more ? 1 : 0);
    ck_assert_uint_eq(written.texts, more ? 1 : 2);
    if (more) {
        hold("00-start.html", "more-");
        hold("ex90.html", "more-");
    } else {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) hold(names[i], "");
    }
    catalogue_close(&catalogue);
    free(exercises);
    free(to);
}
END_TEST

CASES("site, whole", .before = begin, .after = end)
