/* Characters read one by one, what may be shown where, text in markup, and numbers made of
 * bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "common/markup.h"
#include "common/text.h"
#include "common/utf8.h"
#include "tests/unit/cases.h"

static uint32_t code_of(const char *text, size_t left, size_t taken)
{
    uint32_t code = 0;
    ck_assert_uint_eq(utf8_next(text, left, &code), taken);
    return code;
}

START_TEST(a_character_is_one_to_four_bytes)
{
    ck_assert_uint_eq(code_of("a", 1, 1), 'a');
    ck_assert_uint_eq(code_of("\xc3\xa9", 2, 2), 0xe9);
    ck_assert_uint_eq(code_of("\xe6\xbc\xa2", 3, 3), 0x6f22);
    ck_assert_uint_eq(code_of("\xf0\x9f\x98\x80", 4, 4), 0x1f600);
    ck_assert_uint_eq(code_of("\xf4\x8f\xbf\xbf", 4, 4), 0x10ffff);
    /* the first and the last of each length */
    ck_assert_uint_eq(code_of("\xc2\x80", 2, 2), 0x80);
    ck_assert_uint_eq(code_of("\xdf\xbf", 2, 2), 0x7ff);
    ck_assert_uint_eq(code_of("\xe0\xa0\x80", 3, 3), 0x800);
    ck_assert_uint_eq(code_of("\xef\xbf\xbf", 3, 3), 0xffff);
    ck_assert_uint_eq(code_of("\xf0\x90\x80\x80", 4, 4), 0x10000);
}
END_TEST

START_TEST(of_what_is_no_character_one_byte_is_taken)
{
    static const char *const none[] = {"\x80",
                                       "\xbf",
                                       "\xc0\xaf",
                                       "\xc1\xbf",
                                       "\xe0\x9f\xbf",
                                       "\xf0\x8f\xbf\xbf",
                                       "\xf4\x90\x80\x80",
                                       "\xf5\x80\x80\x80",
                                       "\xff",
                                       "\xc3(",
                                       "\xe6\xbc(",
                                       "\xe6\xbc"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_uint_eq(code_of(none[i], strlen(none[i]), 1), UTF8_NONE);
    ck_assert_uint_eq(code_of("\xe6\xbc\xa2", 2, 1), UTF8_NONE); /* the rest is not ours to read */
}
END_TEST

START_TEST(what_may_be_shown)
{
    static const uint32_t both[] = {' ', '~', 0xa0, 0xe9, 0x301, 0x6f22, 0xfffd, 0x1f600},
                          harmless[] = {0xad, 0x200c, 0x200d, 0xe000, 0x10fffd},
                          neither[] = {0,      0x1b,    0x7f,    0x80,     0x9f,     0x200e,
                                       0x61c,  0x2028,  0x2029,  0x202a,   0x202e,   0x2066,
                                       0x2069, 0xd800,  0xdfff,  0xfdd0,   0xfdef,   0xfffe,
                                       0xffff, 0x1fffe, 0x2ffff, 0x10ffff, 0x110000, UTF8_NONE};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        ck_assert_msg(utf8_harmless(both[i]) && utf8_shown(both[i]), "%x", both[i]);
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        ck_assert_msg(utf8_harmless(harmless[i]) && !utf8_shown(harmless[i]), "%x", harmless[i]);
    for (size_t i = 0; i < sizeof neither / sizeof *neither; i++)
        ck_assert_msg(!utf8_harmless(neither[i]) && !utf8_shown(neither[i]), "%x", neither[i]);
}
END_TEST

START_TEST(safe_text_is_cut_between_characters)
{
    char out[16];
    ck_assert_str_eq(utf8_safe("a\xc3\xa9\x1b\xff", out, sizeof out), "a\xc3\xa9??");
    ck_assert_str_eq(utf8_safe("abcdefghijklmno", out, 16), "abcdefghijklmno");
    ck_assert_str_eq(utf8_safe("abcdefghijklmnop", out, 16), "abcdefghijkl\xe2\x80\xa6");
    ck_assert_str_eq(utf8_safe("\xc3\xa9\xc3\xa9\xc3\xa9", out, 6), "\xc3\xa9\xe2\x80\xa6");
    ck_assert_str_eq(utf8_safe("\xc3\xa9\xc3\xa9", out, 3), ""); /* no room even for the mark */
}
END_TEST

START_TEST(shown_text_keeps_what_is_harmless)
{
    Text text = {0};
    static const char bytes[] =
        "caf\xc3\xa9\t\x1b[1m \xe2\x80\xae \xff \xed\xa0\x80\n\xf0\x9f\x91\xa9\xe2\x80\x8d";
    text_add_shown(&text, bytes, sizeof bytes - 1, false);
    ck_assert_str_eq(text_string(&text),
                     "caf\xc3\xa9\t\\x1b[1m \\xe2\\x80\\xae \\xff \\xed\\xa0\\x80\n"
                     "\xf0\x9f\x91\xa9\xe2\x80\x8d");
    text_clear(&text);
    text_add_shown(&text, "caf\xc3\xa9\x7f", 6, true);
    ck_assert_str_eq(text_string(&text), "caf?\\x7f");
    text_release(&text);
}
END_TEST

START_TEST(markup)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    markup_write(out, "<a href=\"x\" b='&'>\n\t\xc3\xa9\x1b\xff\xe2\x80\xae");
    fclose(out);
    ck_assert_str_eq(text, "&lt;a href=&quot;x&quot; b=&#39;&amp;&#39;&gt;\n\t\xc3\xa9???");
    free(text);
}
END_TEST

START_TEST(numbers_of_bytes)
{
    char bytes[64], name[33], again[33];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)('a' + i % 7);
    /* equal bytes, wherever they stand, give equal numbers; one bit or one byte more another */
    char shifted[sizeof bytes + 1];
    memcpy(shifted + 1, bytes, sizeof bytes);
    for (size_t n = 0; n < sizeof bytes; n++) {
        uint64_t hash = hash_bytes(bytes, n);
        ck_assert_uint_eq(hash, hash_bytes(shifted + 1, n));
        ck_assert_uint_ne(hash, hash_bytes(bytes, n + 1));
        bytes[n] ^= 1;
        ck_assert_uint_ne(hash, hash_bytes(bytes, n + 1));
        if (n) ck_assert_uint_eq(hash_bytes(shifted + 1, n), hash);
        bytes[n] ^= 1;
    }
    ck_assert_uint_ne(hash_mix(hash_mix(HASH_START, 1), 2), hash_mix(hash_mix(HASH_START, 2), 1));
    /* names of files in caches: the same today as in the last version */
    Hash hash = hash_start();
    hash_add_string(&hash, "ex43");
    hash_add(&hash, "abc", 3);
    hash_name(&hash, name);
    ck_assert_str_eq(name, "69817f987eb72cd101a9e69cbcd4ee14");
    Hash other = hash_start();
    hash_add_string(&other, "ex4");
    hash_add_string(&other, "3abc");
    hash_name(&other, again);
    ck_assert_str_ne(name, again);
}
END_TEST

CASES("utf8")
