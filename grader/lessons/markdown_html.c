/* markdown_html.c - a page as HTML. Whatever stands in it is escaped: no markup of its own reaches
 * a browser. */
#ifndef WITHOUT_CMARK
#include <cmark-gfm-core-extensions.h>
#include <stdlib.h>
#include <string.h>
#include "common/markup.h"
#include "grader/lessons/highlight.h"
#include "grader/lessons/markdown_internal.h"

typedef struct Html {
    FILE *to;
    const MarkdownHooks *hooks;
    bool titled;  /* the first title is left out */
    bool in_link; /* no link within a link */
    bool tight;   /* paragraphs of a list without air: no <p> */
} Html;

static void put_text(const Html *h, const char *text) { markup_write(h->to, text); }

static void put_children(Html *h, cmark_node *parent);

static void put_in(Html *h, const char *tag, cmark_node *node)
{
    fprintf(h->to, "<%s>", tag);
    put_children(h, node);
    fprintf(h->to, "</%s>", tag);
}

/* ---- in a line ---- */
static void put_link(Html *h, cmark_node *node)
{
    const char *url = cmark_node_get_url(node);
    char *to = h->hooks->link && !h->in_link ? h->hooks->link(h->hooks->data, url) : NULL;
    if (to) {
        fputs("<a href=\"", h->to);
        put_text(h, to);
        fputs(strstr(to, "://") ? "\" rel=\"noopener\">" : "\">", h->to);
        h->in_link = true;
    }
    put_children(h, node);
    if (to) {
        h->in_link = false;
        fputs("</a>", h->to);
    }
    free(to);
}

/* A call that is named, with or without its arguments, leads to its card. */
static void put_code(Html *h, const char *literal)
{
    char *name = memory_format("%.*s", (int)strcspn(literal, "( "), literal), *card = NULL;
    if (h->hooks->card && !h->in_link) card = h->hooks->card(h->hooks->data, name);
    if (card) {
        fputs("<a class=\"call\" href=\"", h->to);
        put_text(h, card);
        fputs("\">", h->to);
    }
    fputs("<code>", h->to);
    put_text(h, literal);
    fputs(card ? "</code></a>" : "</code>", h->to);
    free(card);
    free(name);
}

/* ---- blocks ---- */
static void put_heading(Html *h, cmark_node *node)
{
    int level = cmark_node_get_heading_level(node);
    if (level == 1 && h->titled) {
        h->titled = false;
        return;
    }
    Text words = {0};
    markdown_words(node, &words);
    char *id = markdown_id(text_string(&words));
    fprintf(h->to, "<h%d id=\"%s\">", level, id);
    put_children(h, node);
    fprintf(h->to,
            " <a class=\"here\" href=\"#%s\" aria-label=\"Link to this section\">#</a></h%d>\n", id,
            level);
    free(id);
    text_release(&words);
}

static void put_code_block(Html *h, cmark_node *node)
{
    const char *literal = cmark_node_get_literal(node), *info = cmark_node_get_fence_info(node);
    char *figure = markdown_figure(node);
    bool drawn =
        figure && h->hooks->figure && h->hooks->figure(h->hooks->data, figure, literal, h->to);
    if (!drawn) {
        bool cuda = info && (!strcmp(info, "cuda") || !strcmp(info, "c"));
        fprintf(h->to, "<pre class=\"%s\" tabindex=\"0\"><code>", figure ? "lanes" : "code");
        if (cuda) highlight_cuda(h->to, literal, h->hooks->card, h->hooks->data);
        else put_text(h, literal);
        fputs("</code></pre>\n", h->to);
    }
    free(figure);
}

static void put_list(Html *h, cmark_node *node)
{
    bool numbered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST, before = h->tight;
    h->tight = cmark_node_get_list_tight(node);
    fputs(numbered ? "<ol>\n" : "<ul>\n", h->to);
    for (cmark_node *item = cmark_node_first_child(node); item; item = cmark_node_next(item)) {
        put_in(h, "li", item);
        fputc('\n', h->to);
    }
    fputs(numbered ? "</ol>\n" : "</ul>\n", h->to);
    h->tight = before;
}

static void put_row(Html *h, cmark_node *row, const char *tag)
{
    fputs("<tr>", h->to);
    for (cmark_node *cell = cmark_node_first_child(row); cell; cell = cmark_node_next(cell))
        put_in(h, tag, cell);
    fputs("</tr>\n", h->to);
}

static void put_table(Html *h, cmark_node *table)
{
    fputs("<div class=\"wide\" tabindex=\"0\"><table>\n", h->to);
    for (cmark_node *row = cmark_node_first_child(table); row; row = cmark_node_next(row)) {
        bool head = markdown_table(row) == MARKDOWN_HEADER;
        if (!head || markdown_says(row)) put_row(h, row, head ? "th" : "td");
    }
    fputs("</table></div>\n", h->to);
}

static void put_paragraph(Html *h, cmark_node *node)
{
    if (h->tight) {
        put_children(h, node);
        return;
    }
    put_in(h, "p", node);
    fputc('\n', h->to);
}

static void put_html(Html *h, cmark_node *node)
{
    char *comment = markdown_comment(node);
    if (!comment) {
        fputs("<pre class=\"code\" tabindex=\"0\"><code>", h->to);
        put_text(h, cmark_node_get_literal(node));
        fputs("</code></pre>\n", h->to);
    } else if (h->hooks->comment) {
        h->hooks->comment(h->hooks->data, comment, h->to);
    }
    free(comment);
}

static void put_node(Html *h, cmark_node *node)
{
    const char *literal = cmark_node_get_literal(node);
    cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_HEADING) put_heading(h, node);
    else if (type == CMARK_NODE_PARAGRAPH) put_paragraph(h, node);
    else if (type == CMARK_NODE_CODE_BLOCK) put_code_block(h, node);
    else if (type == CMARK_NODE_HTML_BLOCK) put_html(h, node);
    else if (type == CMARK_NODE_LIST) put_list(h, node);
    else if (type == CMARK_NODE_BLOCK_QUOTE) put_in(h, "blockquote", node);
    else if (type == CMARK_NODE_THEMATIC_BREAK) fputs("<hr>\n", h->to);
    else if (type == CMARK_NODE_CODE) put_code(h, literal);
    else if (type == CMARK_NODE_EMPH) put_in(h, "em", node);
    else if (type == CMARK_NODE_STRONG) put_in(h, "strong", node);
    else if (type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE) put_link(h, node);
    else if (type == CMARK_NODE_SOFTBREAK) fputc('\n', h->to);
    else if (type == CMARK_NODE_LINEBREAK) fputs("<br>\n", h->to);
    else if (markdown_table(node) == MARKDOWN_TABLE) put_table(h, node);
    else if (literal) put_text(h, literal); /* text; HTML, which is text here */
    else put_children(h, node);
}

static void put_children(Html *h, cmark_node *parent)
{
    for (cmark_node *node = cmark_node_first_child(parent); node; node = cmark_node_next(node))
        put_node(h, node);
}

void markdown_html(const Markdown *page, const MarkdownHooks *hooks, bool titled, FILE *to)
{
    static const MarkdownHooks none;
    Html html = {.to = to, .hooks = hooks ? hooks : &none, .titled = titled};
    put_children(&html, page->root);
}
#else
typedef int MarkdownNothing;
#endif
