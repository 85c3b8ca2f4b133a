/* markdown.h - pages of Markdown (CommonMark, and tables as GitHub has them), for a terminal and as
 * HTML.
 *
 * It is read by cmark-gfm; built without it, there is no page. HTML in a page is text like any
 * other and reaches no browser as markup, except for comments, which nobody is shown: they tell
 * tools what stands below them (`<!-- figure: NAME -->`). Names of headings are GitHub's. */
#ifndef THREELANE_MARKDOWN_H
#define THREELANE_MARKDOWN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "common/text.h"

typedef struct Markdown Markdown;

/* Whether this was built with what reads pages, and what to install when it was not. */
bool markdown_possible(void);
#define MARKDOWN_MISSING "libcmark-gfm-dev libcmark-gfm-extensions-dev"

/* NULL without the library. */
Markdown *markdown_read(const char *text, size_t length);
void markdown_free(Markdown *);

/* ---- for a terminal ---- */
typedef struct MarkdownLook {
    int width;   /* text is wrapped to that many columns; what is set as code is never cut: if it is
                    wider than what is left beside its margin, it gives that up */
    bool colors; /* styles as control sequences; else code stands in backquotes */
    bool utf8;
} MarkdownLook;

/* Appends the page, a line feed after every line. Whatever the page holds, control sequences are
 * only those of `colors`, and each line ends without any in force. */
void markdown_terminal(const Markdown *, const MarkdownLook *, Text *);

/* ---- as HTML ---- */
typedef struct MarkdownHooks {
    void *data;
    /* Where a link leads from the page that is written; NULL: its words are only text. The caller
     * of markdown_html frees nothing: the result is freed here. */
    char *(*link)(void *data, const char *url);
    /* Where the card of a call is that stands as code; NULL: there is none. Freed here. */
    char *(*card)(void *data, const char *code);
    /* Writes the figure of that name, whose text (of the block below the comment) is the fallback;
     * false: it is code like any other. */
    bool (*figure)(void *data, const char *name, const char *text, FILE *);
    /* Writes what a comment asks for that stands alone ("predict: NAME"); most ask for nothing. */
    void (*comment)(void *data, const char *words, FILE *);
} MarkdownHooks;

/* Writes what belongs into a page's <main>. The first heading of level 1 is left out if `titled`:
 * the page has its own. A hook may be NULL. */
void markdown_html(const Markdown *, const MarkdownHooks *, bool titled, FILE *);

/* ---- what is in it ---- */
/* The words of the first heading of level 1; "" when there is none. The caller frees. */
char *markdown_title(const Markdown *);

typedef struct MarkdownSection {
    int level;       /* of its heading, from 1; 0: before the first one */
    char *id, *name; /* as the page has it; "" of what stands before the first heading */
    char *words;     /* all that stands there, code too, as one line */
} MarkdownSection;

/* By heading of level 1 and 2; *n of them. */
MarkdownSection *markdown_sections(const Markdown *, size_t *n);
void markdown_sections_free(MarkdownSection *, size_t n);

/* The name of a heading as GitHub makes it: "The calls, and their traps" is
 * "the-calls-and-their-traps". The caller frees. */
char *markdown_id(const char *heading);
#endif
