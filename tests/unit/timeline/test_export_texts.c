/* Every form of export, whole: what is written of a few traces is held against a text in
 * tests/fixtures/exports/. What a page has from files of its own (its script, its style) stands
 * there as a name in brackets, and columns of numbers as numbers. WRITE=1
 * build/tests/test_export_texts writes the texts anew: read what has changed. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/cases.h"
#include "timeline/exports/export.h"
#include "timeline/exports/html.h"
#include "timeline/pictures/schedule.h"
#include "timeline/trace/trace.h"

static const struct {
    const char *trace, *form;
    uint32_t range;
    bool by_stream;
} wanted[] = {
    {"traces/graph", "html", 0, false},      {"traces/hazard", "html", 0, true},
    {"traces/nested", "html", 0, false},     {"traces/race", "html", 0, false},
    {"h200/multi", "html", 0, false},        {"h200/killed", "html", 0, false},
    {"h200/peers", "html", 0, true},         {"traces/pipeline4", "html", 2, false},
    {"traces/hazard", "perfetto", 0, false}, {"traces/nested", "perfetto", 0, false},
    {"h200/multi", "perfetto", 0, false},    {"h200/peers", "perfetto", 0, false},
    {"h200/killed", "perfetto", 0, false},   {"traces/hazard", "dot", 0, false},
    {"traces/nested", "dot", 0, true},       {"h200/multi", "dot", 0, false},
    {"traces/pipeline4", "dot", 2, false},   {"traces/hazard", "csv", 0, false},
    {"h200/multi", "csv", 0, false},         {"h200/killed", "csv", 0, false},
    {"traces/hazard", "svg", 0, true},       {"h200/multi", "svg", 0, false},
    {"h200/killed", "svg", 0, false},        {"h200/peers", "svg", 0, false},
    {"traces/nested", "svg", 0, true},       {"traces/graph", "lanes", 0, true},
    {"traces/hazard", "lanes", 0, false},    {"traces/nested", "lanes", 0, false},
    {"h200/multi", "lanes", 0, false},       {"h200/peers", "lanes", 0, true},
    {"h200/killed", "lanes", 0, false},      {"traces/pipeline4", "lanes", 1, false},
};
enum { WANTED = sizeof wanted / sizeof *wanted };

static Trace *trace_called(const char *name)
{
    char path[200], error[300];
    snprintf(path, sizeof path, "tests/fixtures/%s.lane", name);
    Trace *t = trace_read(path, error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    return t;
}

static char *text_of(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *from = fopen(path, "r"), *to = open_memstream(&text, &size);
    for (int c; from && (c = getc(from)) != EOF;) putc(c, to);
    if (from) fclose(from);
    fclose(to);
    return text;
}

/* ---- what belongs to no trace is left out ---- */

/* The files that are built in, each with what stands for it. */
static struct {
    const char *name;
    char *text;
    size_t length;
} files[] = {{.name = "timeline.css"},
             {.name = "timeline.js"},
             {.name = "part.html"},
             {.name = "figure.html"}};
enum { FILES = sizeof files / sizeof *files };

static void read_files(void)
{
    for (size_t i = 0; i < FILES; i++) {
        char path[100];
        snprintf(path, sizeof path, "timeline/exports/html/%s", files[i].name);
        files[i].text = text_of(path);
        files[i].length = strlen(files[i].text);
        ck_assert_uint_gt(files[i].length, 100);
    }
}

/* The length of the file that the text begins with, whose name is written; else 0. */
static size_t put_file(FILE *to, const char *text)
{
    for (size_t i = 0; i < FILES; i++) {
        if (*text != *files[i].text || strncmp(text, files[i].text, files[i].length) != 0) continue;
        fprintf(to, "(%s)\n", files[i].name);
        return files[i].length;
    }
    return 0;
}

/* The numbers of a packed column (timeline/exports/html.c). */
static const char *put_column(FILE *to, const char *at, bool with_sign)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned long long value = 0;
    unsigned bits = 0, shift = 0, held = 0;
    for (; *at && *at != '"'; at++) {
        held = held << 6 | (unsigned)(strchr(digits, *at) - digits);
        if ((bits += 6) < 8) continue;
        unsigned byte = held >> (bits -= 8) & 255;
        value |= (unsigned long long)(byte & 127) << shift;
        shift += 7;
        if (byte > 127) continue;
        if (!with_sign) fprintf(to, " %llu", value);
        else
            fprintf(to, " %lld",
                    value & 1 ? -(long long)(value >> 1) - 1 : (long long)(value >> 1));
        value = shift = 0;
    }
    return at;
}

static void put_readable(FILE *to, const char *text)
{
    static const char *const columns[] = {"start", "length", "fact",  "stream", "issued",
                                          "cause", "by",     "back",  "ready",  "engine",
                                          "row",   "arrows", "labels"};
    while (*text) {
        size_t length = put_file(to, text);
        text += length;
        bool column = false;
        for (size_t i = 0; i < sizeof columns / sizeof *columns && *text == '\n' && !column; i++) {
            char key[20];
            snprintf(key, sizeof key, "\n\"%s\":\"", columns[i]);
            if (strncmp(text, key, strlen(key)) != 0) continue;
            fputs(key, to);
            text = put_column(to, text + strlen(key), strcmp(columns[i], "labels") != 0);
            column = true;
        }
        if (!length && !column) putc(*text++, to);
    }
}

/* What the page has from html_more's files stands between tags of its own, at the end. */
static void cut_more(char *text)
{
    char *more = text;
    for (char *at = text; (at = strstr(at, "</script>\n<style>\n")); at++) more = at;
    if (more != text) strcpy(more, "</script>\n(html_more)\n");
}

/* ---- comparing ---- */

static void hold(const char *name, const char *got)
{
    char path[200];
    snprintf(path, sizeof path, "tests/fixtures/exports/%s.txt", name);
    if (getenv("WRITE")) {
        FILE *to = fopen(path, "w");
        ck_assert(to && fputs(got, to) >= 0 && !fclose(to));
        return;
    }
    char *expected = text_of(path);
    size_t at = 0, line = 0;
    for (; expected[at] && expected[at] == got[at]; at++)
        if (expected[at] == '\n') line = at + 1;
    ck_assert_msg(!expected[at] && !got[at], "%s\n wanted: %.*s\n    got: %.*s", path,
                  (int)strcspn(expected + line, "\n"), expected + line,
                  (int)strcspn(got + line, "\n"), got + line);
    free(expected);
}

static char *exported(const Trace *t, const char *form, const ExportOptions *options)
{
    char *text = NULL, *readable = NULL, error[300];
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!strcmp(form, "lanes")) {
        ScheduleOptions o = {.range = options->range, .by_stream = options->by_stream, .width = 90};
        ck_assert_int_eq(schedule_write(to, t, SCHEDULE_LANES, &o), 0);
        fputs("\n", to);
        ck_assert_int_eq(schedule_write(to, t, SCHEDULE_CELLS, &o), 0);
        fputs("\n", to);
        ck_assert_int_eq(schedule_write(to, t, SCHEDULE_LINE, &o), 0);
        fputs("\n", to);
        ck_assert_int_eq(schedule_write_waits(to, t, &o, 40), 0);
    } else {
        ck_assert_msg(export_to(to, t, form, options, error, sizeof error), "%s", error);
    }
    fclose(to);
    cut_more(text);
    to = open_memstream(&readable, &size);
    put_readable(to, text);
    fclose(to);
    free(text);
    return readable;
}

START_TEST_WITH(whole, .times = WANTED)
{
    char name[100];
    Trace *t = trace_called(wanted[_i].trace);
    ExportOptions options = {.range = wanted[_i].range, .by_stream = wanted[_i].by_stream};
    char *got = exported(t, wanted[_i].form, &options);
    snprintf(name, sizeof name, "%s-%s", strchr(wanted[_i].trace, '/') + 1, wanted[_i].form);
    hold(name, got);
    free(got);
    trace_free(t);
}
END_TEST

/* Questions and their answers stand around what ran; a run that takes longer sets the scale. */
START_TEST(whole_with_answers)
{
    Trace *t = trace_called("traces/graph"), *other = trace_called("h200/killed");
    const HtmlAnswer answers[] = {{"K1 aside", "12 -> 9", "", t, 0},
                                  {"a <card>", "12 -> 12", "New: race\n", other, 0}};
    char *got = exported(t, "html",
                         &(ExportOptions){.by_stream = true,
                                          .path = "some/where/ex43.lane",
                                          .answers = answers,
                                          .n_answers = 2});
    hold("answers-html", got);
    free(got);
    trace_free(t);
    trace_free(other);
}
END_TEST

/* A figure of a lesson is the picture alone. */
START_TEST(whole_figure)
{
    Trace *t = trace_called("traces/graph");
    char *text = NULL, *readable = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    ck_assert_int_eq(html_write_style(to), 0);
    ck_assert_int_eq(html_write_part(to, t, &(HtmlOptions){.figure = true, .least_ns = 99000000}),
                     0);
    ck_assert_int_eq(html_write_prediction(to, t, 0, true), 0);
    ck_assert_int_eq(html_write_script(to), 0);
    fclose(to);
    to = open_memstream(&readable, &size);
    put_readable(to, text);
    fclose(to);
    hold("figure-html", readable);
    free(text);
    free(readable);
    trace_free(t);
}
END_TEST

CASES("export texts", .before = read_files)
