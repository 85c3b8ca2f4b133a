/* Which parameters a source can see: what must count, and what may be left out. */
#include <string.h>
#include "grader/build/visible.h"
#include "tests/unit/cases.h"

static bool is_harness(const char *name, void *of)
{
    (void)of;
    return !strcmp(name, "harness.h") || !strcmp(name, "harness.cu");
}

static bool sees(const char *source, const char *header, const char *parameter)
{
    Visible visible;
    visible_start(&visible, source, header, "ex99.h", is_harness, NULL);
    bool is = visible_is(&visible, parameter);
    visible_release(&visible);
    return is;
}

START_TEST(a_source_sees_what_it_names)
{
    static const struct {
        bool sees;
        const char *text;
    } rows[] = {
        {true, "int n = FAULT;\n"},
        {true, "#if FAULT > 1\n#endif\n"},
        {true, "#ifdef FAULT\n#endif\n"},
        {true, "#define FAULT 3\n"},
        {true, "FAULT"},
        {true, "int n = FAU\\\nLT;\n"},
        {true, "int n = FA\\\r\nU\\ \t\nLT;\n"},
        {true, "// FAULT\n"},           /* whether that is a comment is hard to say: */
        {true, "char c = '/*'; FAULT"}, /* here it is none */
        {true, "t = R\"(\")\"; FAULT"},
        {true, "_Pragma(\"push_macro(\\\"FAULT\\\")\")"},
        {true, "x = 1'FAULT"},
        /* anything could be made of these, or be in there */
        {true, "#define JOIN(a, b) a ## b\n"},
        {true, "#define JOIN(a, b) a %:%: b\n"},
        {true, "%:define X\n"},
        {true, "?\?=include \"a.h\"\n"},
        {true, "#include \"harness.cu\"\n"},
        {true, "#include <harness.h>\n"},
        {true, "#include \"mine.h\"\n"},
        {true, "#include \"../ex99.h\"\n"},
        {true, "#include MINE\n"},
        {true, "#include/**/\"ex99.h\"\n"},
        {true, "#/**/include \"mine.h\"\n"},
        {true, "#inc\\\nlude \"mine.h\"\n"},
        {true, "#include_next <stdio.h>\n"},
        {true, "#import \"mine.h\"\n"},
        {true, "#embed \"mine.h\"\n"},
        {true, "#include <\n"},
        {true, "#"},
        /* and these are plain */
        {false, ""},
        {false, "int n = FAULTY + DEFAULT + FAULT_ + _FAULT + fault;\n"},
        {false, "#include \"ex99.h\"\n#include <cstdio>\n # include <ex99.h>\n"},
        {false, "#define N 3\n#if N\n#pragma unroll\n#endif\n"},
        {false, "#define TEXT(x) #x\n"},
        {false, "int a; /* never closed\n"},
        {false, "\\"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(sees(rows[i].text, "", "FAULT") == rows[i].sees, "row %zu", i);
}
END_TEST

START_TEST(a_default_in_the_header_is_not_seen)
{
    static const struct {
        bool sees;
        const char *text;
    } rows[] = {
        {false, "#ifndef FAULT\n#define FAULT 0 // which FAULT\n#endif\n/* FAULT\n FAULT */\n"},
        {false, "# ifndef FAULT\n# define FAULT 0\n"},
        {true, "#ifndef FAULT\n#define FAULT 0\n#endif\nint faults[FAULT];\n"},
        {true, "#ifndef OTHER\n#define OTHER (FAULT + 1)\n#endif\n"},
        {true, "#if FAULT\n#endif\n"},
        {true, "#undef FAULT\n"},
        {true, "#define\nFAULT\n"},
        {true, "int a; // b\nint c = FAULT;\n"},
        {true, "/**/FAULT"},
        {true, "#include \"other.h\"\n"},
        {false, "/* the #1 of all, and a ## b */\n"},
        {true, "#define JOIN(a, b) a ## b\n"},
        {false, "/* never closed FAULT"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(sees("", rows[i].text, "FAULT") == rows[i].sees, "row %zu", i);
}
END_TEST

static bool sees_all(const char *source, const char *header)
{
    Visible visible;
    visible_start(&visible, source, header, "ex99.h", is_harness, NULL);
    bool all = visible_is_all(&visible);
    visible_release(&visible);
    return all;
}

START_TEST(what_asks_for_more_than_its_text_is_told)
{
    static const struct {
        bool all;
        const char *text;
    } rows[] = {
        {true, ""},
        {true, "#include \"ex99.h\"\n#include <stdio.h>\n#include <sys/stat.h>\n"},
        {true, "#pragma unroll\n#if N\n#endif\nint time_ = __LINE__; char f[] = __FILE__;\n"},
        {true, "int assembly, TIME, __TIME, DATE__;\n"},
        {false, "char t[] = __TIME__;\n"},
        {false, "char t[] = __DA\\\nTE__;\n"},
        {false, "char t[] = __TIMESTAMP__;\n"},
        {false, "asm(\".incbin \\\"other\\\"\");\n"},
        {false, "__asm__ volatile(\"\");\n"},
        {false, "__asm(\"\");\n"},
        {false, "#if __has_include(\"mine.h\")\n#endif\n"},
        {false, "#if __has_include_next(<mine.h>)\n#endif\n"},
        {false, "#if __has_embed(\"mine\")\n#endif\n"},
        {false, "#pragma GCC dependency \"mine.h\"\n"},
        {false, "_Pragma(\"GCC pch_preprocess \\\"mine.gch\\\"\")\n"},
        {false, "#define JOIN(a, b) a ## b\n"},
        {false, "#include \"mine.h\"\n"},
        {false, "#include </tmp/mine.h>\n"},
        {false, "#include <../mine.h>\n"},
        {false, "#include <sys/../../../tmp/mine.h>\n"},
        {false, "#include <harness.h>\n"},
        {false, "#include MINE\n"},
        {false, "#import <stdio.h>\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_msg(sees_all(rows[i].text, "") == rows[i].all, "row %zu", i);
        /* the exercise's header is one of the files that a source may name; it may not itself */
        if (i != 1) ck_assert_msg(sees_all("", rows[i].text) == rows[i].all, "row %zu, header", i);
    }
}
END_TEST

CASES("visible")
