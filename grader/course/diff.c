/* diff.c - see diff.h. The longest common sequence of lines, by the table: reports are short. */
#include "grader/course/diff.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "common/glyphs.h"

enum { MOST_CELLS = 4 << 20 };

typedef struct Line {
    const char *at;
    size_t length;
} Line;
typedef struct Lines {
    Line *items;
    size_t n;
} Lines;

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* How far both agree, up to runs of blanks; *b_at is where in b that is. */
static size_t agree(const char *a, size_t a_length, const char *b, size_t b_length, size_t *b_at)
{
    size_t i = 0, j = 0;
    while (true) {
        size_t next_i = i, next_j = j;
        while (next_i < a_length && blank(a[next_i])) next_i++;
        while (next_j < b_length && blank(b[next_j])) next_j++;
        bool a_ends = next_i == a_length, b_ends = next_j == b_length;
        if (a_ends && b_ends) {
            i = a_length, j = b_length;
            break;
        }
        if (a_ends || b_ends || (next_i > i) != (next_j > j) || a[next_i] != b[next_j]) {
            if ((next_i > i) == (next_j > j)) i = next_i, j = next_j;
            break;
        }
        i = next_i + 1;
        j = next_j + 1;
    }
    *b_at = j;
    return i;
}

bool diff_line_equal(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t j, i = agree(a, a_length, b, b_length, &j);
    return i == a_length && j == b_length;
}

static bool same(const Line *a, const Line *b)
{
    return diff_line_equal(a->at, a->length, b->at, b->length);
}

static Lines split(const char *text)
{
    Lines lines = {0};
    size_t room = 0, last = 0;
    for (const char *at = text; *at;) {
        const char *end = strchrnul(at, '\n');
        if (lines.n == room) {
            room = room ? room * 2 : 64;
            lines.items = memory_grow(lines.items, room, sizeof *lines.items);
        }
        lines.items[lines.n++] = (Line){at, (size_t)(end - at)};
        for (const char *c = at; c < end; c++) {
            if (!blank(*c)) last = lines.n;
        }
        at = *end ? end + 1 : end;
    }
    lines.n = last; /* empty lines at the end do not count */
    return lines;
}

bool diff_equal(const char *expected, const char *got)
{
    Lines a = split(expected), b = split(got);
    bool equal = a.n == b.n;
    for (size_t i = 0; i < a.n && equal; i++) equal = same(&a.items[i], &b.items[i]);
    free(a.items);
    free(b.items);
    return equal;
}

/* Marks the lines that have a partner. */
static void match(const Lines *a, const Lines *b, bool *in_a, bool *in_b)
{
    size_t head = 0, tail = 0;
    while (head < a->n && head < b->n && same(&a->items[head], &b->items[head]))
        in_a[head] = in_b[head] = true, head++;
    while (tail < a->n - head && tail < b->n - head &&
           same(&a->items[a->n - 1 - tail], &b->items[b->n - 1 - tail])) {
        in_a[a->n - 1 - tail] = in_b[b->n - 1 - tail] = true;
        tail++;
    }
    size_t n = a->n - head - tail, m = b->n - head - tail;
    if (!n || !m || n * m / m != n || (n + 1) * (m + 1) > MOST_CELLS) return;
    unsigned *longest = memory_get((n + 1) * (m + 1), sizeof *longest);
#define AT(i, j) longest[(i) * (m + 1) + (j)]
    for (size_t i = n; i-- > 0;) {
        for (size_t j = m; j-- > 0;) {
            if (same(&a->items[head + i], &b->items[head + j])) AT(i, j) = AT(i + 1, j + 1) + 1;
            else AT(i, j) = AT(i + 1, j) > AT(i, j + 1) ? AT(i + 1, j) : AT(i, j + 1);
        }
    }
    for (size_t i = 0, j = 0; i < n && j < m;) {
        if (same(&a->items[head + i], &b->items[head + j]))
            in_a[head + i++] = in_b[head + j++] = true;
        else if (AT(i + 1, j) >= AT(i, j + 1)) i++;
        else j++;
    }
#undef AT
    free(longest);
}

static void add_line(Text *text, const char *mark, const Line *line)
{
    text_add(text, mark);
    text_append(text, line->at, line->length);
    text_add(text, "\n");
}

static void add_caret(Text *text, const Line *expected, const Line *got)
{
    size_t at;
    agree(expected->at, expected->length, got->at, got->length, &at);
    char *before = memory_format("%.*s", (int)at, got->at);
    int columns = glyphs_columns(before);
    text_add(text, "^ ");
    for (int i = 0; i < columns; i++) text_add(text, " ");
    text_add(text, "^\n");
    free(before);
}

void diff_add(Text *text, const char *expected, const char *got, const DiffOptions *options)
{
    Lines a = split(expected), b = split(got);
    bool *in_a = memory_get(a.n, sizeof *in_a), *in_b = memory_get(b.n, sizeof *in_b);
    match(&a, &b, in_a, in_b);
    size_t i = 0, j = 0, shown = 0, left = 0; /* shown: lines of a already written */
    bool first = true;
    while (i < a.n || j < b.n) {
        if (i < a.n && j < b.n && in_a[i] && in_b[j]) {
            i++, j++;
            continue;
        }
        size_t from = i, to = i, got_from = j, got_to = j;
        while (to < a.n && !in_a[to]) to++;
        while (got_to < b.n && !in_b[got_to]) got_to++;
        if (!first && options->first_only) {
            left += to - from > got_to - got_from ? to - from : got_to - got_from;
        } else {
            size_t before = from > options->context ? from - options->context : 0;
            if (before < shown) before = shown;
            else if (before > shown && !first) text_add(text, ". ...\n");
            for (size_t k = before; k < from; k++) add_line(text, "  ", &a.items[k]);
            for (size_t k = from; k < to; k++) add_line(text, "- ", &a.items[k]);
            for (size_t k = got_from; k < got_to; k++) {
                add_line(text, "+ ", &b.items[k]);
                if (k == got_from && to > from) add_caret(text, &a.items[from], &b.items[k]);
            }
            for (shown = to; shown < a.n && shown < to + options->context && in_a[shown]; shown++) {
                add_line(text, "  ", &a.items[shown]);
            }
        }
        first = false;
        i = to;
        j = got_to;
    }
    if (left)
        text_printf(text, ". %zu more line%s differ%s.\n", left, left == 1 ? "" : "s",
                    left == 1 ? "s" : "");
    free(in_a);
    free(in_b);
    free(a.items);
    free(b.items);
}

/* ---- side by side ---- */
static void tell(DiffPair *pair, void *arg, const Line *a, const Line *b, bool equal)
{
    char *one = a ? memory_format("%.*s", (int)a->length, a->at) : NULL,
         *other = b ? memory_format("%.*s", (int)b->length, b->at) : NULL;
    pair(arg, one, other, equal);
    free(one);
    free(other);
}

void diff_pairs(const char *expected, const char *got, DiffPair *pair, void *arg)
{
    Lines a = split(expected), b = split(got);
    bool *in_a = memory_get(a.n + 1, sizeof *in_a), *in_b = memory_get(b.n + 1, sizeof *in_b);
    match(&a, &b, in_a, in_b);
    for (size_t i = 0, j = 0; i < a.n || j < b.n;) {
        bool a_alone = i < a.n && !in_a[i], b_alone = j < b.n && !in_b[j];
        if (a_alone || b_alone) {
            tell(pair, arg, a_alone ? &a.items[i] : NULL, b_alone ? &b.items[j] : NULL, false);
            i += a_alone;
            j += b_alone;
        } else {
            tell(pair, arg, &a.items[i++], &b.items[j++], true);
        }
    }
    free(in_a);
    free(in_b);
    free(a.items);
    free(b.items);
}
