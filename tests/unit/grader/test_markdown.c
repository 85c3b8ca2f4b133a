/* A page of Markdown on a terminal and as HTML: nothing of it is lost, nothing of it is markup. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/glyphs.h"
#include "grader/lessons/markdown.h"
#include "tests/unit/held.h"

#ifdef WITHOUT_CMARK
START_TEST(is_not_there)
{
    ck_assert(!markdown_possible() && !markdown_read("a", 1));
    puts("skipped: pages of Markdown # built without cmark-gfm");
}
END_TEST
#else
static char *terminal(const char *text, int width, bool colors, bool utf8)
{
    Text to = {0};
    Markdown *page = markdown_read(text, strlen(text));
    markdown_terminal(page, &(MarkdownLook){.width = width, .colors = colors, .utf8 = utf8}, &to);
    markdown_free(page);
    return text_take(&to);
}

static void shows(const char *text, const char *wanted)
{
    char *got = terminal(text, 40, false, true);
    ck_assert_str_eq(got, wanted);
    free(got);
}

START_TEST(blocks)
{
    shows("# The title\n\nWords\nof a *paragraph* with `code` that\nflow.\n",
          "The title\n─────────\n\n  Words of a paragraph with `code` that\n  flow.\n");
    shows("a\n\n## B\nc\n", "  a\n\nB\n\n  c\n");
    shows("- one\n- two words and more words than one\n  line has\n\n1. x\n2. y\n",
          "  • one\n  • two words and more words than one\n    line has\n\n  1. x\n  2. y\n");
    shows("- a\n  - b\n", "  • a\n    • b\n");
    shows("> said\n", "    said\n");
    shows("", "");
}
END_TEST

/* A page with everything in it, at several widths, with colours and without. */
START_TEST(whole_pages)
{
    static const char page[] =
        "# A *title* with `code`\n\nWords, **strong** and *leaning* and `code`, a "
        "[link](https://example.org/a) and [another](ex43.md), ![an image](http://x.org/y.png), "
        "<b>no HTML</b>, a line  \nthat is broken, and one "
        "long_word_that_has_to_be_broken_somewhere_"
        "because_it_is_wider_than_the_page_is_wide.\n\n"
        "- one\n- two, with enough words in it that the line has to be wrapped on a narrow page\n"
        "    1. first\n    2. second\n\n        code in a list\n\n- three\n\n7. seven\n8. eight\n\n"
        "> Somebody said so,\n> > and somebody else.\n\n---\n\n## Code\n\n```cuda\n"
        "__global__ void k(int *p) { p[0] = 1; } // a comment\n```\n\n    indented\n\n"
        "| left | middle | right |\n|:---|:---:|---:|\n| a | `b` | 1 |\n| longer words in a cell "
        "that has to be wrapped | **c** | 1234 |\n\n### Third\n\n<!-- figure: x -->\n"
        "```\nH2D [===]\n```\n\nH\xc3\xa9llo \xe2\x86\x92 \xe2\x80\x9cquotes\xe2\x80\x9d "
        "\xe4\xb8\xad\xe6\x96\x87.\n";
    static const int widths[] = {12, 40, 78};
    Text to = {0};
    if (!markdown_possible()) return;
    for (int i = 0; i < 3; i++)
        for (int look = 0; look < 3; look++) {
            Markdown *read = markdown_read(page, strlen(page));
            text_printf(&to, "==== %d columns%s%s\n", widths[i], look & 1 ? ", colours" : "",
                        look < 2 ? "" : ", ASCII");
            markdown_terminal(read,
                              &(MarkdownLook){.width = widths[i],
                                              .colors = look & 1,
                                              .utf8 = look < 2},
                              &to);
            markdown_free(read);
        }
    held("pages/terminal", &to);
    text_release(&to);
}
END_TEST

START_TEST(tables)
{
    shows("| a | b |\n|---|---|\n| `x` | yyy |\n", "  a    b\n  ────────\n  `x`  yyy\n");
    shows("| | |\n|---|---|\n| 0 | none |\n| 1 | one |\n", "  0  none\n  1  one\n");
    shows("| h | what |\n|---|---|\n| a | more words than there is room for here |\n| b | c |\n",
          "  h  what\n  ──────────────────────────────────────\n"
          "  a  more words than there is room for\n     here\n\n  b  c\n");
}
END_TEST

/* Code keeps its lines and columns; a figure is as wide as the screen. */
START_TEST(code)
{
    char figure[200] = "<!-- figure: a -->\n```\n", wanted[100];
    shows("```cuda\nint  x;\n\n    y;\n```\n", "    int  x;\n\n        y;\n");
    shows("    indented\n", "    indented\n");
    shows("```\n0123456789012345678901234567890123456789\n```\n",
          "0123456789012345678901234567890123456789\n");
    shows("```\nf(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,  bbbbbbbbbbbbbbbbbb);\n```\n",
          "    f(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,\n          bbbbbbbbbbbbbbbbbb);\n");
    for (int i = 0; i < 44; i++) strcat(figure, i % 5 ? "=" : " ");
    snprintf(wanted, sizeof wanted, "%s\n", strchr(figure, '`') + 4);
    strcat(figure, "\n```\n");
    shows(figure, wanted);
}
END_TEST

START_TEST(comments_are_for_tools)
{
    shows("a\n\n<!-- figure: x -->\n\nb\n", "  a\n\n  b\n");
    shows("<!-- a -->\n", "");
    shows("a <!-- in a line --> b\n", "  a <!-- in a line --> b\n");
    shows("<!-- a --> and more\n", "    <!-- a --> and more\n");
}
END_TEST

/* Nothing in a page moves the cursor or changes colours but the page's own styles. */
START_TEST(a_terminal_is_safe)
{
    char *got =
        terminal("a \033[2J b\n\n```\n\033]0;x\007\n```\n\n| \033[1m |\n|---|\n", 40, true, true);
    for (const char *at = got; (at = strchr(at, 27)); at++) {
        size_t n = strspn(at + 2, "0123456789;");
        ck_assert(at[1] == '[' && at[2 + n] == 'm' && n <= 4);
    }
    ck_assert_ptr_null(strchr(got, 7));
    free(got);
    got = terminal("caf\xc3\xa9 \xff\n", 40, false, false);
    for (const char *at = got; *at; at++) ck_assert((unsigned char)*at < 0x80);
    free(got);
}
END_TEST

/* Each line is whole: a style ends with it, and goes on in the next. */
START_TEST(styles_end_with_their_line)
{
    char *got =
        terminal("**bold words that are longer than a line of forty columns**\n", 40, true, true);
    ck_assert_str_eq(got, "  \033[1mbold words that are longer than a line\033[0m\n"
                          "  \033[1mof forty columns\033[0m\n");
    free(got);
}
END_TEST

START_TEST(no_line_is_wider_than_asked)
{
    static const char page[] =
        "# A title that is quite long, longer than the screen\n\nw "
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaaaaaaa `b` [link](http://a.b/cccccccccccccccccccccccccccccccccccccccc)\n\n"
        "| some words | other words | `f(aaaaaaaaaaaaaaa)` |\n|---|---|---|\n| x | yyyyyyyyyyyyy | "
        "z |\n";
    for (int width = 30; width < 90; width += 7) {
        char *got = terminal(page, width, false, true), *rest = got, *line;
        while ((line = strsep(&rest, "\n"))) ck_assert_int_le(glyphs_columns(line), width);
        free(got);
    }
}
END_TEST

/* ---- as HTML ---- */
static char *to_page(void *data, const char *url)
{
    (void)data;
    return strcmp(url, "no.md") ? memory_format("to-%s", url) : NULL;
}

static char *to_card(void *data, const char *name)
{
    (void)data;
    return strcmp(name, "cudaFree") ? NULL : memory_copy("calls#cudaFree");
}

static bool to_figure(void *data, const char *name, const char *text, FILE *to)
{
    (void)data;
    if (strcmp(name, "a")) return false;
    fprintf(to, "[%s|%zu]", name, strlen(text));
    return true;
}

static void to_comment(void *data, const char *words, FILE *to)
{
    (void)data;
    fprintf(to, "{%s}", words);
}

static void html(const char *text, const char *wanted)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&bytes, &size);
    Markdown *page = markdown_read(text, strlen(text));
    MarkdownHooks hooks = {.link = to_page,
                           .card = to_card,
                           .figure = to_figure,
                           .comment = to_comment};
    markdown_html(page, &hooks, true, to);
    fclose(to);
    markdown_free(page);
    ck_assert_str_eq(bytes, wanted);
    free(bytes);
}

START_TEST(html_of_blocks)
{
    html("# Title\n\na *b* **c** `d`\ne\n",
         "<p>a <em>b</em> <strong>c</strong> <code>d</code>\ne</p>\n");
    html("## A b\n", "<h2 id=\"a-b\">A b <a class=\"here\" href=\"#a-b\" aria-label=\"Link to this "
                     "section\">#</a></h2>\n");
    html("- a\n- b\n", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n");
    html("1. a\n\n2. b\n", "<ol>\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n</ol>\n");
    html("| a | b |\n|---|---|\n| c | d |\n",
         "<div class=\"wide\" tabindex=\"0\"><table>\n<tr><th>a</th><th>b</th></tr>\n"
         "<tr><td>c</td><td>d</td></tr>\n</table></div>\n");
}
END_TEST

START_TEST(html_of_links_cards_and_figures)
{
    html("[a](b.md#c) [d](no.md)\n", "<p><a href=\"to-b.md#c\">a</a> d</p>\n");
    html("`cudaFree(p)` `cudaFreeze`\n",
         "<p><a class=\"call\" href=\"calls#cudaFree\"><code>cudaFree(p)</code></a> "
         "<code>cudaFreeze</code></p>\n");
    html("[`cudaFree`](x)\n", "<p><a href=\"to-x\"><code>cudaFree</code></a></p>\n");
    html("<!-- figure: a -->\n```\nxyz\n```\n", "{figure: a}[a|4]");
    html("<!-- figure: b -->\n```\nx\n```\n",
         "{figure: b}<pre class=\"lanes\" tabindex=\"0\"><code>x\n</code></pre>\n");
    html("<!-- other -->\n\n```\nx\n```\n",
         "{other}<pre class=\"code\" tabindex=\"0\"><code>x\n</code></pre>\n");
}
END_TEST

START_TEST(html_in_a_page_is_text)
{
    html("<b>x</b> & \"y\"\n", "<p>&lt;b&gt;x&lt;/b&gt; &amp; &quot;y&quot;</p>\n");
    html("<script>\nx\n</script>\n", "<pre class=\"code\" tabindex=\"0\"><code>&lt;script&gt;\nx\n"
                                     "&lt;/script&gt;\n</code></pre>\n");
    html("```cuda\n\"</pre>\" // <i>\n```\n",
         "<pre class=\"code\" tabindex=\"0\"><code><span "
         "class=\"s\">&quot;&lt;/pre&gt;&quot;</span> "
         "<span class=\"c\">// &lt;i&gt;</span>\n</code></pre>\n");
}
END_TEST

START_TEST(colours_of_a_source)
{
    html("```cuda\nk<<<1, n>>>(p); cudaFree(p);\n```\n",
         "<pre class=\"code\" tabindex=\"0\"><code>k<span class=\"x\">&lt;&lt;&lt;</span><span "
         "class=\"n\">1</span>, n<span class=\"x\">&gt;&gt;&gt;</span>(p); <a class=\"f\" "
         "href=\"calls#cudaFree\">cudaFree</a>(p);\n</code></pre>\n");
    html("```cuda\n#include <a>\nint x = 'a'; /* b\nc */ float1 y;\n```\n",
         "<pre class=\"code\" tabindex=\"0\"><code><span class=\"p\">#include</span> "
         "&lt;a&gt;\n<span "
         "class=\"k\">int</span> x = <span class=\"s\">&#39;a&#39;</span>; <span class=\"c\">/* "
         "b\nc "
         "*/</span> float1 y;\n</code></pre>\n");
    html("```cuda\n\"no end\n/* none\n```\n",
         "<pre class=\"code\" tabindex=\"0\"><code><span class=\"s\">&quot;no end</span>\n<span "
         "class=\"c\">/* none\n</span></code></pre>\n");
}
END_TEST

START_TEST(sections)
{
    static const char page[] =
        "before\n\n# T `x`\n\nw\n\n## A\n\none `two`\n\n- three\n\n### B\n\nfour\n";
    size_t n;
    Markdown *read = markdown_read(page, strlen(page));
    MarkdownSection *all = markdown_sections(read, &n);
    char *title = markdown_title(read);
    ck_assert_str_eq(title, "T x");
    ck_assert_uint_eq(n, 3);
    ck_assert_str_eq(all[1].name, "T x");
    ck_assert_str_eq(all[2].id, "a");
    ck_assert_ptr_nonnull(strstr(all[2].words, "one two"));
    ck_assert_ptr_nonnull(strstr(all[2].words, "three"));
    ck_assert_ptr_nonnull(strstr(all[2].words, "four"));
    ck_assert_ptr_null(strstr(all[1].words, "one"));
    free(title);
    markdown_sections_free(all, n);
    markdown_free(read);
}
END_TEST

START_TEST(names_of_headings)
{
    char *id = markdown_id("The calls, and their traps: `a_b` 2");
    ck_assert_str_eq(id, "the-calls-and-their-traps-a_b-2");
    free(id);
}
END_TEST

#endif

CASES("markdown")
