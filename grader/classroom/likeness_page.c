/* likeness_page.c - who handed in nearly the same: pairs, and groups of those that are alike one
 * with the next. */
#include <stdlib.h>
#include <string.h>
#include "grader/classroom/pages_internal.h"
#include "grader/classroom/tables.h"

typedef struct Name {
    char *bytes;
    size_t length;
    bool here; /* it has a page: a hand-in of an earlier class has none */
} Name;

typedef struct Pair {
    char *exercise, *parts;
    size_t a, b; /* of the names */
    int percent;
} Pair;

typedef struct Likenesses {
    Name *names;
    size_t n_names;
    Pair *pairs;
    size_t n_pairs;
} Likenesses;

/* ---- reading: names are told apart by exercise, where groups are ---- */
static size_t add_name(Likenesses *all, size_t from, sqlite3_stmt *row, int column, int here)
{
    const char *bytes = sqlite3_column_blob(row, column);
    size_t length = (size_t)sqlite3_column_bytes(row, column);
    for (size_t i = from; i < all->n_names; i++) {
        const Name *n = &all->names[i];
        if (n->length == length && (!length || !memcmp(n->bytes, bytes, length))) return i;
    }
    all->names = memory_grow(all->names, all->n_names + 1, sizeof *all->names);
    Name *name = &all->names[all->n_names];
    *name = (Name){memory_get(length + 1, 1), length, sqlite3_column_int(row, here) != 0};
    if (length) memcpy(name->bytes, bytes, length);
    return all->n_names++;
}

static void read_pairs(Likenesses *all, Gradebook *book)
{
    static const char pairs[] =
        "SELECT l.exercise, l.a, l.b, l.percent, l.parts, EXISTS (SELECT 1 FROM submission s WHERE "
        "s.student = l.a AND s.exercise = l.exercise), EXISTS (SELECT 1 FROM submission s WHERE "
        "s.student = l.b AND s.exercise = l.exercise) FROM likeness l ORDER BY l.exercise, "
        "l.percent DESC, l.a, l.b";
    sqlite3_stmt *row = gradebook_query(book, pairs);
    size_t from = 0;
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        const char *id = (const char *)sqlite3_column_text(row, 0);
        if (all->n_pairs && strcmp(all->pairs[all->n_pairs - 1].exercise, id) != 0)
            from = all->n_names;
        all->pairs = memory_grow(all->pairs, all->n_pairs + 1, sizeof *all->pairs);
        Pair *pair = &all->pairs[all->n_pairs++];
        *pair = (Pair){.exercise = memory_copy(id), .percent = sqlite3_column_int(row, 3)};
        pair->parts = memory_format("%.*s", sqlite3_column_bytes(row, 4),
                                    (const char *)sqlite3_column_blob(row, 4));
        pair->a = add_name(all, from, row, 1, 5);
        pair->b = add_name(all, from, row, 2, 6);
    }
    sqlite3_finalize(row);
}

static void release(Likenesses *all)
{
    for (size_t i = 0; i < all->n_names; i++) free(all->names[i].bytes);
    for (size_t i = 0; i < all->n_pairs; i++)
        free(all->pairs[i].exercise), free(all->pairs[i].parts);
    free(all->names);
    free(all->pairs);
}

/* ---- writing ---- */
static void put_name(FILE *to, const Name *name, const char *exercise)
{
    if (name->here) page_link(to, name->bytes, name->length, exercise);
    tables_markup(to, name->bytes, name->length);
    if (name->here) fputs("</a>", to);
}

static size_t root_of(size_t *roots, size_t i)
{
    while (roots[i] != i) i = roots[i] = roots[roots[i]];
    return i;
}

static void put_group(FILE *to, const Likenesses *all, const size_t *roots, size_t root,
                      const char *exercise, size_t n)
{
    fprintf(to, "<li>%s, %zu: ", exercise, n);
    for (size_t i = root, put = 0; i < all->n_names; i++) {
        if (roots[i] != root) continue;
        if (put++) fputs(", ", to);
        put_name(to, &all->names[i], exercise);
    }
    fputs("</li>\n", to);
}

/* Three or more that hang together: one who gave it to many, or all who took it from one place. */
static void put_groups(FILE *to, const Likenesses *all)
{
    size_t *roots = memory_get(all->n_names + 1, sizeof *roots),
           *sizes = memory_get(all->n_names + 1, sizeof *sizes), groups = 0;
    for (size_t i = 0; i < all->n_names; i++) roots[i] = i;
    for (size_t i = 0; i < all->n_pairs; i++) {
        size_t a = root_of(roots, all->pairs[i].a), b = root_of(roots, all->pairs[i].b);
        if (a < b) roots[b] = a;
        else roots[a] = b;
    }
    for (size_t i = 0; i < all->n_names; i++) sizes[roots[i] = root_of(roots, i)]++;
    for (size_t i = 0; i < all->n_pairs; i++) {
        size_t root = roots[all->pairs[i].a];
        if (sizes[root] < 3) continue;
        if (!groups++) fputs("<h3>Groups</h3>\n<ul>\n", to);
        put_group(to, all, roots, root, all->pairs[i].exercise, sizes[root]);
        sizes[root] = 0;
    }
    if (groups) fputs("</ul>\n", to);
    free(roots);
    free(sizes);
}

void page_put_likenesses(FILE *to, Gradebook *book)
{
    Likenesses all = {0};
    read_pairs(&all, book);
    if (all.n_pairs)
        fputs("<h2>Nearly the same</h2>\n<p>For you to look at: short exercises have short "
              "answers, and honest ones are alike. Lines that the starter, the solution or many "
              "of the class have are left out.</p>\n",
              to);
    put_groups(to, &all);
    for (size_t i = 0; i < all.n_pairs; i++) {
        const Pair *p = &all.pairs[i];
        if (!i)
            fputs("<div class=\"wide\"><table><tr><th></th><th>and</th><th></th><th "
                  "class=\"n\">of the rare lines</th><th>where</th></tr>\n",
                  to);
        fputs("<tr><td>", to);
        put_name(to, &all.names[p->a], p->exercise);
        fputs("</td><td>", to);
        put_name(to, &all.names[p->b], p->exercise);
        fprintf(to, "</td><td>%s</td><td class=\"n\">%d%%</td><td>", p->exercise, p->percent);
        page_put(to, p->parts);
        fputs("</td></tr>\n", to);
    }
    if (all.n_pairs) fputs("</table></div>\n", to);
    release(&all);
}
