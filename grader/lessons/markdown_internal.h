/* markdown_internal.h - what the files of this room share of a page. */
#ifndef THREELANE_MARKDOWN_INTERNAL_H
#define THREELANE_MARKDOWN_INTERNAL_H
#include <cmark-gfm.h>
#include "grader/lessons/markdown.h"

struct Markdown {
    cmark_node *root;
};

/* cmark-gfm has no name for the nodes of its extensions but the words. */
typedef enum MarkdownTable {
    MARKDOWN_NO_TABLE,
    MARKDOWN_TABLE,
    MARKDOWN_HEADER,
    MARKDOWN_ROW,
    MARKDOWN_CELL
} MarkdownTable;
MarkdownTable markdown_table(cmark_node *);

/* What a page only tells tools: an HTML block that is one comment. Its words without blanks around
 * them, or NULL; the caller frees. */
char *markdown_comment(cmark_node *);
/* The name in a comment "figure: NAME" before this block of code; NULL: none. The caller frees. */
char *markdown_figure(cmark_node *code);
/* Appends the words in a node, marks left out. */
void markdown_words(cmark_node *, Text *);
/* Whether there are any. A table's head without them is only there for Markdown. */
bool markdown_says(cmark_node *);
#endif
