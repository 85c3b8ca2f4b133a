/* All that is made of a gradebook, whole: the pages of a class and the tables, of one small class
 * in which everything occurs once, held against the texts of tests/fixtures/class/. What a page has
 * from files of its own stands there as a name in brackets. WRITE=1
 * build/tests/test_class_texts writes the texts anew: read what has changed. */
#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/classroom/pages_internal.h"
#include "grader/classroom/tables.h"
#include "tests/unit/cases.h"

static char folder[64];
static Gradebook *book;
static char error[300];

/* Two exercises, of which the second earns points by length; ann failed it late, with a comment by
 * hand; bob passed both, one on his second attempt; cat's first could not be compiled, <d&d>'s
 * name means something in every form, and her hand-in was stopped; eve is gone; of flo nothing can
 * be read; of gus the grader had a problem. */
static const char class_of_seven[] =
    "INSERT INTO exercise VALUES('ex90', 90, 'Copies & <kernels>', 'Easy', 10, 4, 'f', "
    "'<svg><text>as it should</text></svg>');"
    "INSERT INTO exercise VALUES('ex91', 91, 'Short', 'Hard', 30, 6, 'f', NULL);"
    "INSERT INTO submission(student, exercise, path, source, sandbox, kind, points, possible, "
    "stopped, judged, golden_printed, label, message, output, report, svg, gone, attempt, hidden, "
    "mistake, given, days_late, comment) VALUES"
    "(x'616e6e', 'ex90', x'616e6e2f657839302e6375', 'int main() { return 0; }', 'namespaces', 1, "
    "2, "
    "4, 0, 1, 0, '', NULL, 'all I print', NULL, '<svg><text>as it was</text></svg>', 0, 1, NULL, "
    "'used one stream', NULL, NULL, NULL),"
    "(x'616e6e', 'ex91', x'616e6e2f657839312e6375', 'b', 'namespaces', 1, 3, 6, 0, 1, 1, '', NULL, "
    "NULL, 'the report', NULL, 0, 2, 'of hidden runs', 'used one stream', 1, 2, 'come & see me'),"
    "(x'626f62', 'ex90', x'626f622e6375', 'c', 'landlock', 0, 4, 4, 0, 1, 1, '', NULL, 'fine', "
    "'a report', NULL, 0, 2, NULL, NULL, NULL, NULL, NULL),"
    "(x'626f62', 'ex91', x'626f622d6578', 'd', 'landlock', 0, 6, 6, 0, 1, 0, '', NULL, NULL, NULL, "
    "NULL, 0, 1, NULL, NULL, NULL, 0, NULL),"
    "(x'636174', 'ex90', x'636174', 'e', 'landlock', 3, 0, 4, 0, 0, 0, 'compile', 'line 3: "
    "<what>', "
    "NULL, NULL, NULL, 0, 1, NULL, NULL, NULL, NULL, NULL),"
    "(x'3c642664', 'ex90', x'3c64', 'f', 'none', 1, 0, 4, 1, 1, 0, 'run', 'it did not end', 'so "
    "far', NULL, NULL, 0, 1, NULL, 'waits for ever', NULL, NULL, NULL),"
    "(x'657665', 'ex90', x'657665', 'g', 'none', 1, 0, 4, 0, 1, 0, '', NULL, NULL, NULL, NULL, 1, "
    "1, NULL, NULL, NULL, NULL, NULL),"
    "(x'677573', 'ex90', x'677573', 'h', 'none', 7, 0, 4, 0, 0, 0, '', 'the disk is full', NULL, "
    "NULL, NULL, 0, 1, NULL, NULL, NULL, NULL, NULL);"
    "INSERT INTO result VALUES"
    "(x'616e6e', 'ex90', 0, 'a', 'Over & above', 1, 0, 1, 'H2D1 waited 2.0 units (ex90.cu:9).', "
    "'more of it', 'Look there.', 'And there.', 'So.', NULL, NULL, 'used one stream'),"
    "(x'616e6e', 'ex90', 1, 'b', 'Length', 0, 2, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
    "NULL),"
    "(x'616e6e', 'ex90', 2, 'c', 'Later', 2, 0, 1, NULL, NULL, NULL, NULL, NULL, 'a', NULL, NULL),"
    "(x'616e6e', 'ex91', 0, 'a', 'All', 1, 0, 3, 'K3 came at 7 (ex91.cu:12).', NULL, 'One hint.', "
    "NULL, NULL, NULL, 'hidden cause', 'used one stream'),"
    "(x'616e6e', 'ex91', 1, 'b', 'How short', 0, 3, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
    "NULL),"
    "(x'626f62', 'ex90', 0, 'a', 'Over & above', 0, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, "
    "NULL, "
    "NULL),"
    "(x'626f62', 'ex91', 1, 'b', 'How short', 0, 3, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
    "NULL),"
    "(x'3c642664', 'ex90', 0, 'a', 'Over & above', 1, 0, 1, 'H2D0 waited 3.0 units (ex90.cu:7).', "
    "NULL, NULL, NULL, NULL, NULL, NULL, 'waits for ever');"
    "INSERT INTO note VALUES(x'616e6e', 'ex90', 0, 0, 'a note'), (x'616e6e', 'ex90', 1, 1, 'race: "
    "two <copies>');"
    "INSERT INTO likeness VALUES('ex90', x'616e6e', x'626f62', 97, "
    "'1-4 2-5\n6-6 9-9\n'), ('ex90', x'626f62', x'636174', 80, ''), ('ex90', "
    "x'3c642664', x'677573', 70, '3-3 4-4'), ('ex90', x'657665', x'677573', 61, ''), ('ex91', "
    "x'616e6e', x'626f62', 65, '');"
    "INSERT INTO card VALUES(x'616e6e', 'ex90', 'NVIDIA H200', 'f', 'namespaces', 0, 4, 4, '', "
    "NULL, '<svg><text>on the card</text></svg>'), (x'626f62', 'ex90', 'NVIDIA H200', 'f', "
    "'landlock', 1, 3, 4, 'run', 'slow', NULL), (x'626f62', 'ex91', 'NVIDIA H200', 'f', "
    "'landlock', "
    "7, 0, 6, '', 'nvcc is not there', NULL);"
    "INSERT INTO card_result VALUES(x'626f62', 'ex90', 0, 'a', 'Over & above', 1, 0, 1, 'it took 9 "
    "ms'), (x'626f62', 'ex90', 1, 'b', 'Length', 0, 2, 2, NULL);"
    "INSERT INTO score VALUES(x'616e6e', 'ex91', 1, 'b', 12500, 10000, 9000, 40, 'units'), "
    "(x'626f62', 'ex91', 1, 'b', 9000, 10000, 9000, 100, 'units');"
    "INSERT INTO history VALUES(x'626f62', 'ex90', 1, 1, 2, 4, 1757000000), (x'626f62', 'ex90', 2, "
    "0, 4, 4, 1757600000), (x'616e6e', 'ex91', 1, 1, 0, 6, NULL), (x'616e6e', 'ex91', 2, 1, 3, 6, "
    "1757600000);"
    "INSERT INTO amendment VALUES(x'616e6e', 'ex91', 'a', 1, 'half right'), (x'626f62', 'ex90', "
    "'', "
    "3, 'copied');"
    "INSERT INTO due VALUES('ex91', '', 1757500000, 10, 7), ('ex91', x'626f62', 1758500000, 10, "
    "7);"
    "INSERT INTO handed VALUES(x'616e6e', 'ex91', 1757600000, 0), (x'626f62', 'ex90', NULL, 1);";

static void begin(void)
{
    char *path, *why = NULL;
    strcpy(folder, "/tmp/class-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    path = memory_format("%s/book", folder);
    book = gradebook_open(path, error, sizeof error);
    ck_assert_msg(book != NULL, "%s", error);
    free(path);
    ck_assert(gradebook_set(book, "seed", "7", error, sizeof error));
    if (sqlite3_exec(gradebook_sql(book), class_of_seven, NULL, NULL, &why) != SQLITE_OK)
        ck_abort_msg("%s", why);
}

static void end(void)
{
    char *line = memory_format("rm -rf '%s'", folder);
    gradebook_close(book);
    ck_assert_int_eq(system(line), 0);
    free(line);
}

/* What is built in is not compared here. */
static char *without_files(const char *text)
{
    const char *const files[] = {class_css, class_js};
    static const char *const names[] = {"(class.css)\n", "(class.js)\n"};
    Text shown = {0};
    while (*text) {
        size_t i = 0;
        while (i < 2 && strncmp(text, files[i], strlen(files[i])) != 0) i++;
        const char *next = text + 1;
        if (i < 2) {
            text_add(&shown, names[i]);
            text += strlen(files[i]);
            continue;
        }
        while (*next && *next != class_css[0] && *next != class_js[0]) next++;
        text_append(&shown, text, (size_t)(next - text));
        text = next;
    }
    char *whole = memory_copy(text_string(&shown));
    text_release(&shown);
    return whole;
}

static void hold(const char *name, const char *made)
{
    char *got = without_files(made), *path = memory_format("tests/fixtures/class/%s.txt", name);
    Text expected = {0};
    if (getenv("WRITE")) {
        ck_assert_int_eq(text_write_file(path, got, strlen(got)), 0);
    } else {
        ck_assert_int_eq(text_read_file(&expected, path, 1 << 24), 0);
        const char *wanted = text_string(&expected);
        size_t at = 0, line = 0;
        for (; wanted[at] && wanted[at] == got[at]; at++)
            if (wanted[at] == '\n') line = at + 1;
        ck_assert_msg(!wanted[at] && !got[at], "%s\n wanted: %.*s\n    got: %.*s", path,
                      (int)strcspn(wanted + line, "\n"), wanted + line,
                      (int)strcspn(got + line, "\n"), got + line);
    }
    text_release(&expected);
    free(got);
    free(path);
}

static void hold_file(const char *name, const char *file)
{
    char *path = memory_format("%s/%s", folder, file);
    Text text = {0};
    ck_assert_int_eq(text_read_file(&text, path, 1 << 24), 0);
    hold(name, text_string(&text));
    text_release(&text);
    free(path);
}

START_TEST(pages)
{
    static Handin others[] = {{.student = (char *)"ann",
                               .exercise = (char *)"ex90",
                               .path = (char *)"ann/old.cu",
                               .problem = (char *)"an earlier <attempt>"},
                              {.student = (char *)"bob",
                               .exercise = (char *)"ex90",
                               .path = (char *)"bob/copy.cu",
                               .problem = (char *)"the same again"}};
    static char *ignored[] = {(char *)"notes.txt", (char *)"<odd>.cu"};
    static InboxUnread unread[] = {{(char *)"flo", (char *)"flo.zip", (char *)"no zip & no text"}};
    Inbox inbox = {.others = others,
                   .n_others = 2,
                   .ignored = ignored,
                   .n_ignored = 2,
                   .unread = unread,
                   .n_unread = 1,
                   .n_untold = 3};
    ck_assert_msg(pages_write(folder, book, &inbox, error, sizeof error), "%s", error);
    hold_file("index", "index.html");
    hold_file("lecture", "lecture.html");
    static const char *const students[] = {"ann", "bob", "cat", "<d&d", "gus"};
    for (size_t i = 0; i < sizeof students / sizeof *students; i++) {
        static const char *const exercises[] = {NULL, "ex90", "ex91"};
        for (int k = 0; k < (i < 2 ? 3 : 2); k++) {
            char *page = pages_name(students[i], strlen(students[i]), exercises[k]),
                 *file = memory_format("students/%s.html", page),
                 *name = memory_format("%s%s%s", i == 3 ? "dd" : students[i], k ? "-" : "",
                                       k ? exercises[k] : "");
            hold_file(name, file);
            free(page);
            free(file);
            free(name);
        }
    }
}
END_TEST

static bool keep(void *data, const char *path, const char *name, const char *exercise,
                 const char *bytes, size_t length)
{
    Text *all = data;
    text_printf(all, "---- %s %s %s\n", path, name, exercise);
    if (!strcmp(path, "bob.cu")) text_append(all, bytes, length);
    return true;
}

START_TEST(feedback)
{
    Text all = {0};
    ck_assert(pages_feedback(book, keep, &all));
    hold("feedback", text_string(&all));
    text_release(&all);
}
END_TEST

START_TEST_WITH(tables, .times = 5)
{
    static const struct {
        const char *name;
        bool (*write)(FILE *, Gradebook *);
    } all[] = {{"grades-csv", tables_csv},
               {"scores-csv", tables_scores},
               {"results-json", tables_json},
               {"junit-xml", tables_junit},
               {"results-tap", tables_tap}};
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    ck_assert(all[_i].write(to, book));
    fclose(to);
    hold(all[_i].name, text);
    free(text);
}
END_TEST

CASES("class, whole", .before = begin, .after = end)
