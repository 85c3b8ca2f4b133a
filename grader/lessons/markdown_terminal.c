/* markdown_terminal.c - a page as lines for a terminal.
 *
 * Words flow into lines of a width (Flow); in them, bytes from MARK on change the style, which no
 * text can hold: text_add_shown lets no control character through but tabs and line feeds. */
#ifndef WITHOUT_CMARK
#include <stdlib.h>
#include <string.h>
#include "common/glyphs.h"
#include <cmark-gfm-core-extensions.h>
#include "grader/lessons/markdown_internal.h"

enum { BOLD = 1, ITALIC = 2, CODE = 4, LINK = 8, MARK = 16, MARGIN = 2, LEAST = 12 };
enum { MOST_COLUMNS = 64 }; /* of a table */

typedef struct Line {
    char *text;
    int columns;
} Line;

typedef struct Flow {
    const MarkdownLook *look;
    int width;
    Line *lines;
    size_t n;
    Text line, word; /* being filled */
    int columns, word_columns;
    unsigned style, line_style; /* of what comes next; in force at the end of the line */
    bool gap;                   /* a blank before the next word */
} Flow;

/* What the whole page is written with. */
typedef struct Paper {
    const MarkdownLook *look;
    Text *to;
    int margin;       /* blanks before every line */
    const char *sign; /* instead of the last of them before the next line: a bullet; NULL: none */
    bool blank;       /* the last line is blank, or there is none */
} Paper;

static void take_style(const MarkdownLook *look, Text *to, unsigned *now, unsigned wanted)
{
    if (!look->colors || *now == wanted) return;
    if (*now) text_add(to, "\033[0m");
    if (wanted & BOLD) text_add(to, "\033[1m");
    if (wanted & ITALIC) text_add(to, "\033[3m");
    if (wanted & CODE) text_add(to, "\033[36m");
    if (wanted & LINK) text_add(to, "\033[4m");
    *now = wanted;
}

/* ---- words into lines ---- */
static void end_line(Flow *f)
{
    take_style(f->look, &f->line, &f->line_style, 0);
    f->lines = memory_grow(f->lines, f->n + 1, sizeof *f->lines);
    f->lines[f->n].columns = f->columns;
    f->lines[f->n++].text = text_take(&f->line);
    f->columns = 0;
    f->gap = false;
}

static void end_word(Flow *f)
{
    if (!f->word_columns) {
        text_clear(&f->word);
        return;
    }
    if (f->columns && f->columns + f->gap + f->word_columns > f->width) end_line(f);
    if (f->columns && f->gap) {
        /* a blank is underlined, or not, as what it stands between */
        unsigned both = f->line_style & ((unsigned char)text_string(&f->word)[0] - MARK);
        take_style(f->look, &f->line, &f->line_style, both);
        text_add(&f->line, " ");
        f->columns++;
    }
    for (const char *at = text_string(&f->word); *at;) {
        if ((unsigned char)*at < ' ') {
            take_style(f->look, &f->line, &f->line_style, (unsigned char)*at++ - MARK);
            continue;
        }
        uint32_t code;
        int columns;
        size_t bytes = glyphs_next(at, &code, &columns);
        if (f->columns + columns > f->width && f->columns) {
            unsigned style = f->line_style;
            end_line(f);
            take_style(f->look, &f->line, &f->line_style, style);
        }
        text_append(&f->line, at, bytes);
        f->columns += columns;
        at += bytes;
    }
    text_clear(&f->word);
    f->word_columns = 0;
    f->gap = false;
}

static void add_mark(Flow *f)
{
    char mark = (char)(MARK | f->style);
    text_append(&f->word, &mark, 1);
}

static void add_words(Flow *f, const char *literal)
{
    Text shown = {0};
    text_add_shown(&shown, literal, strlen(literal), !f->look->utf8);
    for (const char *at = text_string(&shown); *at;) {
        if (strchr(" \t\n", *at)) {
            end_word(f);
            f->gap = true;
            at++;
            continue;
        }
        size_t n = strcspn(at, " \t\n");
        char *word = memory_format("%.*s", (int)n, at);
        add_mark(f);
        text_add(&f->word, word);
        f->word_columns += glyphs_columns(word);
        free(word);
        at += n;
    }
    text_release(&shown);
}

static void add_inlines(Flow *f, cmark_node *parent);

static void add_styled(Flow *f, cmark_node *node, unsigned style)
{
    unsigned before = f->style;
    f->style |= style;
    add_inlines(f, node);
    f->style = before;
}

static void add_inline(Flow *f, cmark_node *node)
{
    const char *literal = cmark_node_get_literal(node), *url;
    unsigned before = f->style;
    cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_SOFTBREAK) {
        end_word(f);
        f->gap = true;
    } else if (type == CMARK_NODE_LINEBREAK) {
        end_word(f);
        end_line(f);
    } else if (type == CMARK_NODE_CODE) {
        f->style |= CODE;
        if (!f->look->colors) add_words(f, "`");
        add_words(f, literal);
        if (!f->look->colors) add_words(f, "`");
        f->style = before;
    } else if (type == CMARK_NODE_EMPH) {
        add_styled(f, node, ITALIC);
    } else if (type == CMARK_NODE_STRONG) {
        add_styled(f, node, BOLD);
    } else if (type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE) {
        add_styled(f, node, LINK);
        url = cmark_node_get_url(node);
        if (url && !strncmp(url, "http", 4)) { /* others lead to pages that are not here */
            add_words(f, " (");
            add_words(f, url);
            add_words(f, ")");
        }
    } else if (literal) { /* text; HTML, which is text here */
        add_words(f, literal);
    } else {
        add_inlines(f, node);
    }
}

static void add_inlines(Flow *f, cmark_node *parent)
{
    for (cmark_node *node = cmark_node_first_child(parent); node; node = cmark_node_next(node))
        add_inline(f, node);
}

/* The words in a node as lines of that width; flow_release frees them. */
static Flow flow(const MarkdownLook *look, cmark_node *node, int width, unsigned style)
{
    Flow f = {.look = look, .width = width < 1 ? 1 : width, .style = style};
    add_inlines(&f, node);
    end_word(&f);
    if (f.columns || !f.n) end_line(&f);
    return f;
}

static void flow_release(Flow *f)
{
    for (size_t i = 0; i < f->n; i++) free(f->lines[i].text);
    free(f->lines);
    text_release(&f->line);
    text_release(&f->word);
}

/* ---- lines onto paper ---- */
static void put_blanks(Text *to, int n)
{
    while (n-- > 0) text_add(to, " ");
}

static void put_line(Paper *p, int margin, const char *line)
{
    int sign = p->sign ? glyphs_columns(p->sign) + 1 : 0;
    if (line[0] || sign) {
        put_blanks(p->to, margin - sign);
        if (p->sign) text_printf(p->to, "%s ", p->sign);
    }
    p->sign = NULL;
    text_add(p->to, line);
    text_add(p->to, "\n");
    p->blank = !line[0];
}

/* Between two blocks. */
static void put_gap(Paper *p)
{
    if (!p->blank && !p->sign) put_line(p, 0, "");
}

static int room(const Paper *p)
{
    int left = p->look->width - p->margin;
    return left < LEAST ? LEAST : left;
}

static void put_flow(Paper *p, cmark_node *node, unsigned style)
{
    Flow f = flow(p->look, node, room(p), style);
    for (size_t i = 0; i < f.n; i++) put_line(p, p->margin, f.lines[i].text);
    flow_release(&f);
}

static void put_rule(Paper *p, int columns)
{
    Text line = {0};
    for (int i = 0; i < columns; i++) text_add(&line, p->look->utf8 ? "\xe2\x94\x80" : "-");
    put_line(p, p->margin, text_string(&line));
    text_release(&line);
}

static void put_heading(Paper *p, cmark_node *node)
{
    int level = cmark_node_get_heading_level(node), margin = p->margin;
    const char *on = level < 3 ? "\033[1;36m" : "\033[1m";
    p->margin = 0;
    Flow f = flow(p->look, node, room(p), 0);
    for (size_t i = 0; i < f.n; i++) {
        char *line = p->look->colors ? memory_format("%s%s\033[0m", on, f.lines[i].text)
                                     : memory_copy(f.lines[i].text);
        put_line(p, 0, line);
        free(line);
    }
    if (level == 1) put_rule(p, f.lines[0].columns < p->look->width ? f.lines[0].columns : 1);
    flow_release(&f);
    p->margin = margin;
}

/* A line of code that is wider than the screen goes on below, further in. */
static void put_code_line(Paper *p, int margin, const char *line)
{
    enum { DEEPER = 6 };
    int width = p->look->width - margin, deeper = 0;
    while (*line || !deeper) {
        size_t n = 0, blank = 0;
        for (int columns = 0, more; line[n]; columns += more) {
            uint32_t code;
            size_t bytes = glyphs_next(line + n, &code, &more);
            if (columns + more > width - deeper) break;
            n += bytes;
            if (line[n] == ' ') blank = n;
        }
        if (line[n] && blank) n = blank;
        if (line[n] && !n) n = strlen(line); /* a screen too narrow for anything */
        while (n && line[n] && line[n - 1] == ' ') n--;
        bool color = p->look->colors && n;
        char *part = memory_format("%s%.*s%s", color ? "\033[36m" : "", (int)n, line,
                                   color ? "\033[0m" : "");
        put_line(p, margin + deeper, part);
        free(part);
        if (!line[n]) break;
        line += n + strspn(line + n, " ");
        deeper = DEEPER;
    }
}

/* Code keeps its columns: it stands two to the right, or as far as there is room. A figure is never
 * broken into other lines. */
static void put_code(Paper *p, const char *literal, bool figure)
{
    Text shown = {0};
    int widest = 0;
    text_add_shown(&shown, literal, strlen(literal), !p->look->utf8);
    size_t n = shown.length;
    while (n && text_string(&shown)[n - 1] == '\n') shown.data[--n] = 0;
    char **lines = memory_get(n + 2, sizeof *lines), *rest = shown.data;
    size_t count = 0;
    while (rest) {
        lines[count] = strsep(&rest, "\n");
        int columns = glyphs_columns(lines[count++]);
        if (columns > widest) widest = columns;
    }
    int left = p->look->width - widest, margin = p->margin + 2;
    if (margin > left && (figure || left >= 0)) margin = left > 0 ? left : 0;
    for (size_t i = 0; i < count; i++) {
        if (figure) put_line(p, margin, lines[i]);
        else put_code_line(p, margin, lines[i]);
    }
    free(lines);
    text_release(&shown);
}

static void put_code_block(Paper *p, cmark_node *node)
{
    char *figure = markdown_figure(node);
    put_code(p, cmark_node_get_literal(node), figure);
    free(figure);
}

/* ---- tables ---- */
typedef struct Table {
    int columns, widths[MOST_COLUMNS];
    bool narrowed; /* some cells take several lines */
} Table;

static int table_total(const Table *t)
{
    int sum = 2 * (t->columns - 1);
    for (int i = 0; i < t->columns; i++) sum += t->widths[i];
    return sum;
}

/* As wide as what is in them; if that is too much, the widest give way. */
static Table table_measure(const Paper *p, cmark_node *table)
{
    Table t = {.columns = cmark_gfm_extensions_get_table_columns(table)};
    if (t.columns > MOST_COLUMNS) t.columns = MOST_COLUMNS;
    for (cmark_node *row = cmark_node_first_child(table); row; row = cmark_node_next(row)) {
        cmark_node *cell = cmark_node_first_child(row);
        for (int i = 0; i < t.columns && cell; i++, cell = cmark_node_next(cell)) {
            Flow f = flow(p->look, cell, 10000, 0);
            if (f.lines[0].columns > t.widths[i]) t.widths[i] = f.lines[0].columns;
            flow_release(&f);
        }
    }
    while (table_total(&t) > room(p)) {
        int widest = 0;
        for (int i = 1; i < t.columns; i++)
            if (t.widths[i] > t.widths[widest]) widest = i;
        if (t.widths[widest] <= 6) break;
        t.widths[widest]--;
        t.narrowed = true;
    }
    return t;
}

static void put_row(Paper *p, const Table *t, cmark_node *row)
{
    Flow cells[MOST_COLUMNS];
    size_t most = 0;
    int n = 0;
    bool head = markdown_table(row) == MARKDOWN_HEADER;
    for (cmark_node *cell = cmark_node_first_child(row); cell && n < t->columns;
         cell = cmark_node_next(cell), n++) {
        cells[n] = flow(p->look, cell, t->widths[n], head ? BOLD : 0);
        if (cells[n].n > most) most = cells[n].n;
    }
    for (size_t k = 0; k < most; k++) {
        Text line = {0};
        int gap = 0;
        for (int i = 0; i < n; i++) {
            const Line *part = k < cells[i].n ? &cells[i].lines[k] : NULL;
            int columns = part ? part->columns : 0;
            if (columns) {
                put_blanks(&line, gap);
                text_add(&line, part->text);
                gap = 0;
            }
            gap += t->widths[i] - columns + 2;
        }
        put_line(p, p->margin, text_string(&line));
        text_release(&line);
    }
    for (int i = 0; i < n; i++) flow_release(&cells[i]);
}

static void put_table(Paper *p, cmark_node *table)
{
    Table t = table_measure(p, table);
    for (cmark_node *row = cmark_node_first_child(table); row; row = cmark_node_next(row)) {
        bool head = markdown_table(row) == MARKDOWN_HEADER;
        bool says = markdown_says(row);
        if (says) put_row(p, &t, row); /* a head without words is only there for Markdown */
        if (head && says) put_rule(p, table_total(&t));
        else if (!head && t.narrowed && cmark_node_next(row)) put_gap(p);
    }
}

/* ---- blocks ---- */
static void put_blocks(Paper *p, cmark_node *parent, bool tight);

static void put_list(Paper *p, cmark_node *list)
{
    bool numbered = cmark_node_get_list_type(list) == CMARK_ORDERED_LIST,
         tight = cmark_node_get_list_tight(list);
    int number = cmark_node_get_list_start(list), margin = p->margin;
    for (cmark_node *item = cmark_node_first_child(list); item; item = cmark_node_next(item)) {
        char *sign = numbered ? memory_format("%d.", number++)
                              : memory_copy(p->look->utf8 ? "\xe2\x80\xa2" : "-");
        if (!tight) put_gap(p);
        p->margin = margin + glyphs_columns(sign) + 1;
        p->sign = sign;
        put_blocks(p, item, tight);
        if (p->sign) put_line(p, p->margin, ""); /* an item without words */
        p->margin = margin;
        free(sign);
    }
}

static void put_block(Paper *p, cmark_node *node)
{
    int margin = p->margin;
    cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_HEADING) {
        put_heading(p, node);
    } else if (type == CMARK_NODE_PARAGRAPH) {
        put_flow(p, node, 0);
    } else if (type == CMARK_NODE_CODE_BLOCK) {
        put_code_block(p, node);
    } else if (type == CMARK_NODE_HTML_BLOCK) {
        put_code(p, cmark_node_get_literal(node), false);
    } else if (type == CMARK_NODE_LIST) {
        put_list(p, node);
    } else if (type == CMARK_NODE_BLOCK_QUOTE) {
        p->margin += 2;
        put_blocks(p, node, false);
        p->margin = margin;
    } else if (type == CMARK_NODE_THEMATIC_BREAK) {
        put_rule(p, room(p));
    } else if (markdown_table(node) == MARKDOWN_TABLE) {
        put_table(p, node);
    } else {
        put_blocks(p, node, false);
    }
}

static void put_blocks(Paper *p, cmark_node *parent, bool tight)
{
    for (cmark_node *node = cmark_node_first_child(parent); node; node = cmark_node_next(node)) {
        char *comment = markdown_comment(node);
        free(comment);
        if (comment) continue;
        if (!tight) put_gap(p);
        put_block(p, node);
    }
}

void markdown_terminal(const Markdown *page, const MarkdownLook *look, Text *to)
{
    Paper paper = {.look = look, .to = to, .margin = MARGIN, .blank = true};
    put_blocks(&paper, page->root, false);
}
#else
typedef int MarkdownNothing;
#endif
