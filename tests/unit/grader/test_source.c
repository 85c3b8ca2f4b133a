/* Lines of a source that say they are other lines, in every spelling, and what only looks so. */
#include <string.h>
#include "grader/course/source.h"
#include "tests/unit/cases.h"

START_TEST(line_directives)
{
    static const struct {
        size_t line; /* 0: there is none */
        const char *text;
    } rows[] = {
        {1, "#line 0\n"},
        {2, "int a;\n  #  line 12 \"harness.cu\"\n"},
        {1, "# 1 \"x\"\n"},
        {1, "#33"},
        {1, "%:line 0\n"},
        {1, "?"
            "?=line 0\n"},
        {1, "/* a */ # /* b */ line 0\n"},
        {3, "/*\n*/\n#line 0\n"},
        {1, "#\\\nli\\\nne 0\n"},
        {1, "#\\ \t\nline 0\n"},
        {2, "// a \\\\ b\n#line 0\n"},
        {1, "\xef\xbb\xbf#line 0\n"},
        {2, "const char *t = \"/*\";\n#line 0\n"},
        {2, "char c = '\"';\n#line 0\n"},
        {2, "char c = '/*';\n#line 0 // '*/\n"},
        {2, "int n = 1'000;\n#line 0\n"},
        {2, "int n = 1'000'/*'\n#line 0\n*/;\n"},
        {2, "x'0/*'\n#line 0 */\n"},
        {2, "auto t = R\"x(/* )x\";\n#line 0\n\"*/\";\n"},
        {2, "auto t = R\"x( ) /* )x\";\n#line 0\n*/\n"},
        {3, "auto t = u8R\"(\n\")\";\n#line 0\n"},
        {3, "#if 0\nR\"(\n#line 0\n#endif\n)\"\n"},
        {2, "#define A \"\\\"\"\n#line 0\n"},
        {2, "#error don't\n#line 0\n"},
        {1, "#line\n"},
        {2, "\r\n#line 0\r\n"},
        {0, ""},
        {0, "#"},
        {0, "#lines 0\n#liner\n#li ne\n#include <line>\n#pragma line 0\n"},
        {0, "// #line 0\n/*\n#line 0\n*/\n"},
        {0, "// a \\\n#line 0\n"},
        {0, "const char *t = \"\\\n#line 0\\\n\";\n"},
        {0, "int a; #line 0\n"},
        {0, "#define STRING(x) #x\nint line = __LINE__;\n"},
        {0, "/* never closed\n#line 0\n"},
        {0, "auto t = R\"x( )x\";\n/*\n#line 0\n*/\n"},
        {0, "auto t = R\"(never closed"},
        {0, "auto t = R\"a long delimiter that is none(\n"},
        {0, "\\"},
        {0, "'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t line = 0;
        bool says = source_says_line(rows[i].text, strlen(rows[i].text), &line);
        ck_assert_msg(says == (rows[i].line > 0), "row %zu: %d", i, says);
        ck_assert_msg(!says || line == rows[i].line, "row %zu: line %zu", i, line);
    }
}
END_TEST

START_TEST(what_no_one_sees)
{
    static const struct {
        size_t line;
        const char *word, *text;
    } rows[] = {
        {2, "asm", "void f()\n{ asm(\"\"); }\n"},
        {1, "__asm__", "__asm__ volatile (\"\");"},
        {2, "asm", "/* asm */ // asm\n as\\\nm(\"\");"},
        {1, "__attribute__", "__attribute__((no_sanitize(\"thread\"))) void f();"},
        {1, "gnu", "[[gnu::no_sanitize_thread]] void f();"},
        {3, "GCC", "#pragma unroll\n#pragma once\n#pragma GCC optimize(\"O3\")\n"},
        {1, "_Pragma", "_Pragma(\"GCC optimize\")"},
        {1, "__builtin_memset", "__builtin_memset(p, 0, 4);"},
        {1, "emmintrin", "#include <emmintrin.h>\n"},
        {1, "##", "#define A(x, y) x##y\n"},
        {1, "##", "#define A(x, y) x %:%: y\n"},
        {2, "asm", "auto t = R\"(\"\nasm)\";\n"},
        {0, "",
         "int asmodeus, my_asm; const char *t = \"asm __attribute__\"; // ##\n#pragma unroll 4\n"},
        {0, "", "#pragma\nint a;\n"},
        {0, "", "'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t line = 0;
        char word[SOURCE_WORD] = "";
        bool is = source_is_unseen(rows[i].text, strlen(rows[i].text), &line, word);
        ck_assert_msg(is == (rows[i].line > 0), "row %zu: %d %s", i, is, word);
        ck_assert_msg(!is || (line == rows[i].line && !strcmp(word, rows[i].word)),
                      "row %zu: line %zu, %s", i, line, word);
    }
}
END_TEST

CASES("source")
