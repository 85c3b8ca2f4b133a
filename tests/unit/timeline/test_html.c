/* test_html.c - the page of a run: its data is JSON that says what the trace says, and no name
 * leaves its place. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/trace_text.h"
#include "timeline/exports/html.h"
#include "tests/unit/cases.h"

static char *page(const Trace *t, HtmlOptions options)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(html_write(out, t, &options), 0);
    fclose(out);
    ck_assert_uint_eq(strlen(text), size);
    return text;
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (; (text = strstr(text, what)); text += strlen(what)) n++;
    return n;
}

/* The data of the page's only timeline, read by another hand's JSON reader. */
static json_t *data_of(const char *text)
{
    static const char begin[] = "<script type=\"application/json\">";
    const char *from = strstr(text, begin);
    ck_assert_ptr_nonnull(from);
    from += sizeof begin - 1;
    const char *to = strstr(from, "</script>");
    ck_assert_ptr_nonnull(to);
    json_error_t error;
    json_t *data = json_loadb(from, (size_t)(to - from), 0, &error);
    ck_assert_msg(data != NULL, "%s (line %d)", error.text, error.line);
    return data;
}

/* Number i of a column: base64 of groups of seven bits, the sign in bit 0 where there is one. */
static json_int_t packed(const json_t *text, size_t i, bool with_sign)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = json_string_value(text);
    unsigned long long value = 0;
    unsigned shift = 0;
    ck_assert_ptr_nonnull(at);
    ck_assert_uint_eq(strlen(at) % 4, 0);
    for (; *at; at += 4) {
        unsigned long four = 0;
        for (int k = 0; k < 4; k++) {
            const char *digit = strchr(digits, at[k]);
            REQUIRE(digit && *digit);
            four = four << 6 | (unsigned long)(digit - digits);
        }
        for (int k = 16; k >= 0; k -= 8) {
            unsigned byte = four >> k & 255;
            value |= (unsigned long long)(byte & 127) << shift;
            shift += 7;
            if (byte > 127) continue;
            if (i-- == 0 && with_sign)
                return value & 1 ? -(json_int_t)(value >> 1) - 1 : (json_int_t)(value >> 1);
            if (i == (size_t)-1) return (json_int_t)value;
            value = shift = 0;
        }
    }
    ck_abort_msg("the column is too short");
}

static json_int_t number(const json_t *column, size_t i) { return packed(column, i, true); }

#define HOSTILE "</script><img~src=x~onerror=alert(1)>\"'&\\\\\\x1b[2J\\x07"

static Trace *small(void)
{
    return trace_of(
        TRACE_HEAD
        "meta program " HOSTILE "\n"
        "range 1 1 0 " HOSTILE "\n"
        "call 1 1 cudaMemcpyAsync 0 a.cu:7\nop 1 1 h2d 1 2 0 4096 pinned device - - 0 0 -\nret 1 "
        "1000 0\n"
        "call 2 1 cudaLaunchKernel 1000 a.cu:8\nop 2 2 kernel 1 3 1000 0 - - 4,1,1 32,1,1 0 "
        "0 " HOSTILE
        "\nret 2 1000 0\n" RUN("1", "1000000", "1",
                               "2000000") "why 2 host 0 1000\nwhy 2 event 1 "
                                          "2000000\n" RUN("2", "2000000", "2",
                                                          "5000000") "call 3 1 "
                                                                     "cudaMemcpyAsync "
                                                                     "2000 a.cu:9\nop 3 3 "
                                                                     "d2h 1 3 2000 4096 "
                                                                     "device pinned - - 0 "
                                                                     "0 -\nret 3 2000 0\n"
                                                                     "why 3 stream 2 "
                                                                     "5000000\nstart 3 "
                                                                     "5000000 3\n"
                                                                     "rangeend 1 "
                                                                     "6000000\nhazard "
                                                                     "race 1 2 a.cu:7 "
                                                                     "a.cu:8 " HOSTILE "\n");
}

START_TEST(says_what_the_trace_says)
{
    Trace *t = small();
    char *text = page(t, (HtmlOptions){0});
    json_t *data = data_of(text), *spans = json_object_get(data, "spans"),
           *facts = json_object_get(data, "facts");
    ck_assert_int_eq(json_integer_value(json_object_get(spans, "ops")), 3);
    json_t *start = json_object_get(spans, "start"), *length = json_object_get(spans, "length");
    /* starts are differences, from the begin of the window: the range's */
    ck_assert_int_eq(number(start, 0), 1000000);
    ck_assert_int_eq(number(start, 1), 1000000);
    ck_assert_int_eq(number(start, 2), 3000000);
    ck_assert_int_eq(number(length, 0), 1000000);
    ck_assert_int_eq(number(length, 1), 3000000);
    ck_assert_int_eq(number(json_object_get(spans, "by"), 0), 0);
    ck_assert_int_eq(number(json_object_get(spans, "by"), 1), 1);
    ck_assert_int_eq(number(json_object_get(spans, "issued"), 1), 1999000);
    ck_assert_ptr_nonnull(json_object_get(json_object_get(spans, "open"), "2"));
    json_t *fact = json_array_get(facts, (size_t)number(json_object_get(spans, "fact"), 0));
    ck_assert_str_eq(json_string_value(json_object_get(fact, "site")), "a.cu:7");
    ck_assert_int_eq(json_integer_value(json_object_get(fact, "bytes")), 4096);
    ck_assert_str_eq(json_string_value(json_object_get(fact, "from")), "pinned");
    const char *reasons = json_string_value(json_object_get(spans, "reasons"));
    ck_assert_ptr_nonnull(strstr(reasons, "a.cu:8"));
    ck_assert_uint_eq(count(reasons, "\n"), 2);
    ck_assert_int_eq(number(json_object_get(spans, "ready"), 1), 0);
    ck_assert_int_eq(number(json_object_get(spans, "back"), 2), 1);
    /* labels: a stem and a number */
    json_t *labels = json_object_get(spans, "labels"), *stems = json_object_get(spans, "stems");
    ck_assert_str_eq(json_string_value(json_array_get(stems, (size_t)packed(labels, 0, false))),
                     "H2D");
    ck_assert_int_eq(packed(labels, 1, false), 0 + 1);
    /* every op is in one row of each kind, and the rows have so many */
    static const char *const kinds[] = {"engine", "stream"}, *const columns[] = {"engine", "row"};
    for (int k = 0; k < 2; k++) {
        json_t *rows = json_object_get(json_object_get(data, "rows"), kinds[k]);
        size_t held[8] = {0};
        for (size_t i = 0; i < 3; i++) {
            json_int_t row = number(json_object_get(spans, columns[k]), i);
            ck_assert(row >= 1 && row <= (json_int_t)json_array_size(rows));
            held[row - 1]++;
        }
        for (size_t r = 0; r < json_array_size(rows); r++)
            ck_assert_uint_eq(json_integer_value(json_object_get(json_array_get(rows, r), "n")),
                              held[r]);
    }
    ck_assert_int_eq(json_integer_value(json_object_get(data, "n_arrows")), 1);
    ck_assert_int_eq(number(json_object_get(data, "arrows"), 0), 2); /* to span 1, counted from 1 */
    ck_assert_int_eq(number(json_object_get(data, "arrows"), 1), 1); /* from the one before it */
    json_t *hazard = json_array_get(json_object_get(data, "hazards"), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(hazard, "a")), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(hazard, "b")), 1);
    json_decref(data);
    free(text);
    trace_free(t);
}
END_TEST

/* A call that failed says with what. */
START_TEST(results_of_calls)
{
    Trace *t = trace_of(TRACE_HEAD
                        "call 1 1 cudaFree 0 a.cu:3\nret 1 2000000 1\n" OP("1", "kernel", "2", "k")
                            RUN("1", "0", "2", "5"));
    char *text = page(t, (HtmlOptions){0});
    json_t *data = data_of(text), *facts = json_object_get(data, "facts");
    bool found = false;
    for (size_t i = 0; i < json_array_size(facts); i++)
        found =
            found || json_integer_value(json_object_get(json_array_get(facts, i), "result")) == 1;
    ck_assert(found);
    json_decref(data);
    free(text);
    trace_free(t);
}
END_TEST

START_TEST(names_stay_in_their_place)
{
    Trace *t = small();
    char *text = page(t, (HtmlOptions){.title = NULL});
    ck_assert_ptr_null(strstr(text, "<img"));
    for (const char *c = text; *c; c++) REQUIRE((unsigned char)*c >= 0x20 || *c == '\n');
    /* the page's own scripts, the run's data and those to lay out */
    ck_assert_uint_eq(count(text, "</script>"), 4);
    ck_assert_uint_eq(count(text, "<script"), 4);
    /* nothing is loaded from anywhere */
    ck_assert_ptr_null(strstr(text, "http://"));
    ck_assert_ptr_null(strstr(text, "https://"));
    free(text);
    trace_free(t);
}
END_TEST

/* Answers stand above, hidden, questions below; what a question says cannot leave its place. */
START_TEST(questions_and_answers)
{
    Trace *t = small();
    const HtmlAnswer answers[] = {{"K1 <b>aside</b>", "12 -> 9", "", t, 0},
                                  {"pinned", "12 -> 12", "New: race: </pre><img>\n", t, 0}};
    char *text = page(t, (HtmlOptions){.answers = answers, .n_answers = 2});
    ck_assert_uint_eq(count(text, "<canvas "), 3);
    ck_assert_uint_eq(count(text, "class=\"answer\" data-answer=\"1\" hidden>"), 1);
    ck_assert_uint_eq(count(text, "<button type=\"button\" data-question=\"1\""), 1);
    ck_assert_ptr_nonnull(strstr(text, "K1 &lt;b&gt;aside"));
    ck_assert_ptr_null(strstr(text, "<img"));
    ck_assert(strstr(text, "data-answer=\"0\"") < strstr(text, "data-question=\"0\""));
    /* what can be laid out: each operation, its lane, when it started, why */
    const char *predict = strstr(text, "<section class=\"predict\"");
    ck_assert_ptr_nonnull(predict);
    json_error_t failure;
    const char *from = strstr(predict, "{\"ops\":"), *to = strstr(predict, "</script>");
    json_t *ops = json_loadb(from, (size_t)(to - from), 0, &failure);
    ck_assert_msg(ops != NULL, "%s", failure.text);
    json_t *first = json_array_get(json_object_get(ops, "ops"), 0);
    ck_assert_str_eq(json_string_value(json_array_get(first, 0)), "H2D0");
    ck_assert_str_eq(json_string_value(json_array_get(first, 1)), "H2D");
    ck_assert_int_eq(json_integer_value(json_array_get(first, 2)), 0);
    json_decref(ops);
    free(text);
    trace_free(t);
}
END_TEST

/* A column per unit: a schedule that takes long is not laid out by hand. */
START_TEST(too_long_to_lay_out)
{
    static const struct {
        const char *copy;
        bool there;
    } ends[] = {{RUN("1", "0", "1", "299000000"), true},
                {RUN("1", "300000000", "1", "300001000"), false},
                {RUN("1", "999999000000", "1", "999999500000"), false}};
    for (size_t i = 0; i < 3; i++) {
        char lines[1000];
        snprintf(
            lines, sizeof lines,
            TRACE_HEAD
            "call 1 1 cudaMemcpyAsync 0 a.cu:7\nop 1 1 h2d 1 2 0 4096 pinned device - - 0 0 -\n"
            "op 2 1 h2d 1 2 0 4096 pinned device - - 0 0 -\nret 1 0 0\n"
            "%s" RUN("2", "0", "1", "0"),
            ends[i].copy);
        Trace *t = trace_of(lines);
        char *text = page(t, (HtmlOptions){0});
        ck_assert_uint_eq(count(text, "<section class=\"predict\""), ends[i].there);
        free(text);
        trace_free(t);
    }
}
END_TEST

START_TEST(parts_of_one_page)
{
    Trace *t = small();
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(html_write_style(out), 0);
    ck_assert_int_eq(html_write_part(out, t, &(HtmlOptions){.title = "one"}), 0);
    ck_assert_int_eq(html_write_part(out, t, &(HtmlOptions){.title = "two", .by_stream = true}), 0);
    ck_assert_int_eq(html_write_script(out), 0);
    fclose(out);
    ck_assert_uint_eq(count(text, "<section class=\"threelane\">\n"), 2);
    ck_assert_uint_eq(count(text, "</section>"), 2);
    ck_assert_uint_eq(count(text, "<style"), 1);
    ck_assert_ptr_null(strstr(text, "<html"));
    free(text);
    trace_free(t);
}
END_TEST

START_TEST(nothing_and_much)
{
    Trace *t = trace_of(TRACE_HEAD);
    char *text = page(t, (HtmlOptions){0});
    json_t *data = data_of(text);
    ck_assert_str_eq(json_string_value(json_object_get(json_object_get(data, "spans"), "start")),
                     "");
    json_decref(data);
    free(text);
    trace_free(t);
    /* many operations: reasons are left to the page, and what is alike is written once */
    enum { MANY = 60000 };
    char *lines = NULL, one[200];
    size_t size;
    FILE *out = open_memstream(&lines, &size);
    fputs(TRACE_HEAD, out);
    for (int i = 1; i <= MANY; i++) {
        snprintf(one, sizeof one,
                 "op %d 0 kernel 1 %d 0 1 - - 1,1,1 1,1,1 0 0 k\nstart %d %d 2\nend %d %d\n", i,
                 2 + i % 2, i, 10 * i, i, 10 * i + 9);
        fputs(one, out);
    }
    fclose(out);
    t = trace_of(lines);
    text = page(t, (HtmlOptions){0});
    data = data_of(text);
    json_t *spans = json_object_get(data, "spans");
    ck_assert_int_eq(json_integer_value(json_object_get(spans, "all")), MANY);
    ck_assert_int_eq(number(json_object_get(spans, "start"), MANY - 1), 10);
    ck_assert_str_eq(json_string_value(json_object_get(spans, "reasons")), "");
    ck_assert_uint_eq(json_array_size(json_object_get(data, "facts")), 1);
    ck_assert_uint_lt(strlen(text), 26 * (size_t)MANY + 220000);
    json_decref(data);
    free(text);
    free(lines);
    trace_free(t);
}
END_TEST

START_TEST(full_disk)
{
    Trace *t = small();
    FILE *out = fopen("/dev/full", "w");
    if (out) {
        setvbuf(out, NULL, _IONBF, 0);
        ck_assert_int_eq(html_write(out, t, &(HtmlOptions){0}), -1);
        fclose(out);
    }
    trace_free(t);
}
END_TEST

CASES("html")
