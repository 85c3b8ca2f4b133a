/* markdown.c - see markdown.h: reading pages, and what is in them. */
#include "grader/lessons/markdown.h"
#include <stdlib.h>
#include <string.h>

char *markdown_id(const char *heading)
{
    Text id = {0};
    for (const char *at = heading; *at; at++) {
        char c = *at;
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        else if (c == ' ') c = '-';
        bool stays = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        if (stays) text_append(&id, &c, 1);
    }
    return text_take(&id);
}

void markdown_sections_free(MarkdownSection *sections, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(sections[i].id);
        free(sections[i].name);
        free(sections[i].words);
    }
    free(sections);
}

#ifdef WITHOUT_CMARK
bool markdown_possible(void) { return false; }

Markdown *markdown_read(const char *text, size_t length)
{
    (void)text, (void)length;
    return NULL;
}

void markdown_free(Markdown *page) { (void)page; }

void markdown_terminal(const Markdown *page, const MarkdownLook *look, Text *to)
{
    (void)page, (void)look, (void)to;
}

void markdown_html(const Markdown *page, const MarkdownHooks *hooks, bool titled, FILE *to)
{
    (void)page, (void)hooks, (void)titled, (void)to;
}

char *markdown_title(const Markdown *page)
{
    (void)page;
    return memory_copy("");
}

MarkdownSection *markdown_sections(const Markdown *page, size_t *n)
{
    (void)page;
    *n = 0;
    return NULL;
}
#else
#include <cmark-gfm-core-extensions.h>
#include "grader/lessons/markdown_internal.h"

bool markdown_possible(void) { return true; }

Markdown *markdown_read(const char *text, size_t length)
{
    cmark_gfm_core_extensions_ensure_registered();
    cmark_parser *parser = cmark_parser_new(CMARK_OPT_VALIDATE_UTF8);
    cmark_syntax_extension *tables = cmark_find_syntax_extension("table");
    if (tables) cmark_parser_attach_syntax_extension(parser, tables);
    cmark_parser_feed(parser, text, length);

    Markdown *page = memory_get(1, sizeof *page);
    page->root = cmark_parser_finish(parser);
    cmark_parser_free(parser);
    return page;
}

void markdown_free(Markdown *page)
{
    if (page) cmark_node_free(page->root);
    free(page);
}

MarkdownTable markdown_table(cmark_node *node)
{
    static const char *const words[] = {"table", "table_header", "table_row", "table_cell"};
    const char *type = cmark_node_get_type_string(node);
    for (int i = 0; i < 4; i++)
        if (!strcmp(type, words[i])) return (MarkdownTable)(MARKDOWN_TABLE + i);
    return MARKDOWN_NO_TABLE;
}

char *markdown_comment(cmark_node *node)
{
    const char *text =
        cmark_node_get_type(node) == CMARK_NODE_HTML_BLOCK ? cmark_node_get_literal(node) : NULL;
    if (!text) return NULL;
    text += strspn(text, " \n");
    size_t length = strlen(text);
    while (length && strchr(" \n", text[length - 1])) length--;
    bool comment =
        length >= 7 && !strncmp(text, "<!--", 4) && !strncmp(text + length - 3, "-->", 3);
    if (!comment) return NULL;
    text += 4, length -= 7;
    while (length && *text == ' ') text++, length--;
    while (length && text[length - 1] == ' ') length--;
    return memory_format("%.*s", (int)length, text);
}

char *markdown_figure(cmark_node *code)
{
    static const char word[] = "figure: ";
    cmark_node *before = cmark_node_previous(code);
    char *comment = before ? markdown_comment(before) : NULL, *name = NULL;
    if (comment && !strncmp(comment, word, strlen(word)))
        name = memory_copy(comment + strlen(word));
    free(comment);
    return name;
}

void markdown_words(cmark_node *node, Text *to)
{
    cmark_iter *iter = cmark_iter_new(node);
    for (cmark_event_type event; (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE;) {
        cmark_node *at = cmark_iter_get_node(iter);
        const char *literal = cmark_node_get_literal(at);
        cmark_node_type type = cmark_node_get_type(at);
        bool block = type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_HEADING ||
                     type == CMARK_NODE_CODE_BLOCK || markdown_table(at) == MARKDOWN_CELL;
        if (event == CMARK_EVENT_ENTER && type != CMARK_NODE_HTML_BLOCK && literal)
            text_add(to, literal);
        if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK ||
            (block && at != node && (event == CMARK_EVENT_EXIT || literal)))
            text_add(to, " ");
    }
    cmark_iter_free(iter);
}

bool markdown_says(cmark_node *node)
{
    Text words = {0};
    markdown_words(node, &words);
    bool says = text_string(&words)[strspn(text_string(&words), " ")] != 0;
    text_release(&words);
    return says;
}

static bool is_heading(cmark_node *node, int most)
{
    return cmark_node_get_type(node) == CMARK_NODE_HEADING &&
           cmark_node_get_heading_level(node) <= most;
}

char *markdown_title(const Markdown *page)
{
    Text words = {0};
    for (cmark_node *node = cmark_node_first_child(page->root); node;
         node = cmark_node_next(node)) {
        if (!is_heading(node, 1)) continue;
        markdown_words(node, &words);
        break;
    }
    return text_take(&words);
}

MarkdownSection *markdown_sections(const Markdown *page, size_t *n)
{
    MarkdownSection *sections = memory_get(1, sizeof *sections);
    Text words = {0}, name = {0};
    *n = 1;
    sections[0] = (MarkdownSection){.id = memory_copy(""), .name = memory_copy("")};
    for (cmark_node *node = cmark_node_first_child(page->root); node;
         node = cmark_node_next(node)) {
        if (is_heading(node, 2)) {
            sections[*n - 1].words = text_take(&words);
            sections = memory_grow(sections, *n + 1, sizeof *sections);
            markdown_words(node, &name);
            sections[*n] = (MarkdownSection){.level = cmark_node_get_heading_level(node),
                                             .id = markdown_id(text_string(&name)),
                                             .name = text_take(&name)};
            ++*n;
        } else {
            markdown_words(node, &words);
            text_add(&words, " ");
        }
    }
    sections[*n - 1].words = text_take(&words);
    for (size_t i = 0; i < *n; i++)
        for (char *at = sections[i].words; *at; at++)
            if (*at == '\n') *at = ' ';
    return sections;
}
#endif
