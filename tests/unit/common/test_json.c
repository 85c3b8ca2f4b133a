/* What is written as JSON, read back by a JSON reader. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "common/json.h"
#include "tests/unit/cases.h"

/* The value of {"text": ...} as a reader sees it; the caller frees. */
static char *read_back(const char *bytes, size_t length)
{
    char *written = NULL;
    size_t size;
    FILE *to = open_memstream(&written, &size);
    Json json = {.to = to};
    json_open(&json, NULL, '{');
    json_put_bytes(&json, "text", bytes, length);
    json_close(&json, '}');
    fclose(to);
    json_error_t error;
    json_t *root = json_loadb(written, size, JSON_ALLOW_NUL, &error);
    ck_assert_msg(root != NULL, "%s: %s", error.text, written);
    json_t *value = json_object_get(root, "text");
    char *copy = strndup(json_string_value(value), json_string_length(value));
    json_decref(root);
    free(written);
    return copy;
}

static void expect(const char *text, const char *wanted)
{
    char *got = read_back(text, strlen(text));
    ck_assert_str_eq(got, wanted);
    free(got);
}

START_TEST(texts_come_back)
{
    expect("", "");
    expect("a \"b\" \\ c/d", "a \"b\" \\ c/d");
    expect("one\n\ttwo\r\x01\x7f", "one\n\ttwo\r\x01\x7f");
    expect("scale<float> & more", "scale<float> & more");
    expect("gr\xc3\xb6\xc3\x9f"
           "e \xe6\xbc\xa2 \xf0\x9f\x98\x80 ?",
           "gr\xc3\xb6\xc3\x9f"
           "e \xe6\xbc\xa2 \xf0\x9f\x98\x80 ?");
}
END_TEST

START_TEST(what_is_no_text_is_marked)
{
    static const char mark[] = "\xef\xbf\xbd";
    char wanted[40];
    snprintf(wanted, sizeof wanted, "a%sb", mark);
    expect("a\xff"
           "b",
           wanted);
    snprintf(wanted, sizeof wanted, "a%s", mark);
    expect("a\xc3", wanted);                      /* cut off */
    expect("a\xe2\x80\xae", wanted);              /* turns a line around */
    char *got = read_back("\xc3\xb6\xc3\xb6", 3); /* cut off by its length: nothing beyond it is
                                                     read */
    snprintf(wanted, sizeof wanted, "\xc3\xb6%s", mark);
    ck_assert_str_eq(got, wanted);
    free(got);
}
END_TEST

START_TEST(a_zero_byte_is_one)
{
    char *written = NULL;
    size_t size;
    FILE *to = open_memstream(&written, &size);
    json_bytes(to, "a\0b", 3);
    fclose(to);
    ck_assert_str_eq(written, "\"a\\u0000b\"");
    free(written);
}
END_TEST

START_TEST(nothing_ends_a_script)
{
    char *written = NULL;
    size_t size;
    FILE *to = open_memstream(&written, &size);
    json_inside_page(to, "</script>&\"");
    fclose(to);
    ck_assert_str_eq(written, "\\u003c/script\\u003e\\u0026\\\"");
    free(written);
}
END_TEST

START_TEST(commas_and_lines)
{
    char *written = NULL;
    size_t size;
    FILE *to = open_memstream(&written, &size);
    Json json = {.to = to};
    json_open(&json, NULL, '{');
    json_put_number(&json, "a", -3);
    json_put_flag(&json, "b", true);
    json_open(&json, "c", '[');
    json_close(&json, ']');
    json_open(&json, "d", '[');
    for (int i = 0; i < 2; i++) {
        json_line(&json);
        json_open(&json, NULL, '{');
        json_put_text(&json, "e", i ? "x" : NULL);
        json_put_count(&json, "f", 18446744073709551615ull);
        json_close(&json, '}');
    }
    json_line(&json);
    json_close(&json, ']');
    json_close(&json, '}');
    fclose(to);
    ck_assert_str_eq(
        written, "{\"a\":-3,\"b\":true,\"c\":[],\"d\":[\n{\"e\":null,\"f\":18446744073709551615},"
                 "\n{\"e\":\"x\",\"f\":18446744073709551615}\n]}");
    free(written);
}
END_TEST

CASES("json")
