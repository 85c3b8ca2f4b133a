/* What of a text is shown on a terminal, and what only tells of itself. */
#include "common/text.h"
#include "tests/unit/cases.h"

static void shows(const char *bytes, bool ascii, const char *wanted)
{
    Text text = {0};
    text_add_shown(&text, bytes, strlen(bytes), ascii);
    ck_assert_str_eq(text_string(&text), wanted);
    text_release(&text);
}

START_TEST(letters_of_every_language_are_shown_as_they_are)
{
    static const char *const texts[] = {"plain, with\ttabs\nand lines",
                                        "\u00e9t\u00e9 \u00a0 \u00ff",
                                        "\u0416 \u05d0 \u0927",
                                        "\u2192 \u2500 \u65e5\u672c\u8a9e",
                                        "\U0001f600 \U0010fffd",
                                        ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) shows(texts[i], false, texts[i]);
    shows("a \u00e9 \u65e5 \U0001f600 b", true, "a ? ? ? b");
}
END_TEST

START_TEST(what_a_terminal_obeys_is_told)
{
    shows("\x1b[2J \r \b \a \x7f", false, "\\x1b[2J \\x0d \\x08 \\x07 \\x7f");
    shows("\xc2\x80 \xc2\x9b"
          "1m \xc2\x9f",
          false, "\\xc2\\x80 \\xc2\\x9b1m \\xc2\\x9f"); /* C1 controls, CSI among them */
    shows("\u202e \u2066 \u200f", false,
          "\\xe2\\x80\\xae \\xe2\\x81\\xa6 \\xe2\\x80\\x8f"); /* reorder
                                                                 text
                                                               */
    shows("\u202d|\u2069|\u202a|\u202f", false,
          "\\xe2\\x80\\xad|\\xe2\\x81\\xa9|\\xe2\\x80\\xaa|\u202f");
}
END_TEST

START_TEST(what_is_no_utf8_is_told)
{
    shows("\xff \xc3 x", false, "\\xff \\xc3 x");
    shows("\xc0\xaf \xe0\x80\xaf", false, "\\xc0\\xaf \\xe0\\x80\\xaf"); /* too long */
    shows("\xed\xa0\x80", false, "\\xed\\xa0\\x80");                     /* half of a pair */
    shows("\xf4\x90\x80\x80 \xf5", false, "\\xf4\\x90\\x80\\x80 \\xf5"); /* beyond the last */
    shows("cut \xe6\x97", false, "cut \\xe6\\x97");
}
END_TEST

CASES("text")
