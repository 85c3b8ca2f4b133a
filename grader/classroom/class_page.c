/* class_page.c - the pages of a class as a whole: index.html, lecture.html, a page for each
 * student.
 *
 * All is counted over what is in the folder now; who is not there any more has a row and no more.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "common/hash.h"
#include "grader/classroom/pages_internal.h"
#include "grader/classroom/tables.h"

enum {
    MOST_LINKS = 6000, /* cells of the table with a link each: beyond, a row has one */
    MOST_NAMES = 8,    /* of a cause, written out */
    FIRST_ROWS = 200,  /* of the table: the script shows the others when it is asked to */
    TO_TEACH = 3,
    BINS = 10
};

typedef struct Entry {
    unsigned student, exercise;
    int kind, points, possible;
    bool gone, late;
} Entry;

typedef struct Student {
    char *name;
    size_t length, first, n; /* its entries */
    int points;
    bool gone; /* all that it handed in */
} Student;

typedef struct Lesson {
    char *id, *title;
    int possible;
    unsigned n, passed;
    long points;
} Lesson;

/* Who did the same: of one check (a cause), or of all (a mistake). */
typedef struct Group {
    char *words;
    char *example, *title; /* a cause as it was told, and its check's title */
    unsigned exercise;     /* of the example */
    int check;
    unsigned by;   /* the example's student */
    unsigned *who; /* rising */
    size_t n;
    unsigned failures; /* of the example's hand-in */
    Text places;       /* the exercises that it was met in */
    bool aside;        /* nothing to teach: it does not compile, or takes too much */
} Group;

typedef struct Class {
    Gradebook *book;
    Student *students;
    size_t n_students, n_here;
    Entry *entries;
    size_t n_entries;
    Lesson *lessons;
    size_t n_lessons;
    Group *causes; /* by exercise and check; of each the commonest first */
    size_t n_causes;
    Group *mistakes; /* the commonest first, but those that are aside last */
    size_t n_mistakes;
    int possible; /* of all exercises that somebody handed in */
} Class;

/* ---- reading ---- */
static char *column_copy(sqlite3_stmt *row, int column)
{
    const char *bytes = sqlite3_column_blob(row, column);
    return bytes ? memory_format("%.*s", sqlite3_column_bytes(row, column), bytes) : NULL;
}

static void read_lessons(Class *c)
{
    sqlite3_stmt *row =
        gradebook_query(c->book, "SELECT id, title, possible FROM exercise WHERE id IN "
                                 "(SELECT exercise FROM submission) ORDER BY number");
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        c->lessons = memory_grow(c->lessons, c->n_lessons + 1, sizeof *c->lessons);
        c->lessons[c->n_lessons++] = (Lesson){.id = column_copy(row, 0),
                                              .title = column_copy(row, 1),
                                              .possible = sqlite3_column_int(row, 2)};
        c->possible += sqlite3_column_int(row, 2);
    }
    sqlite3_finalize(row);
}

static bool same_name(const Student *s, const void *bytes, size_t length)
{
    return s->length == length && (!length || !memcmp(s->name, bytes, length));
}

static void add_entry(Class *c, const Entry *e)
{
    Student *s = &c->students[e->student];
    Lesson *l = &c->lessons[e->exercise];

    c->entries = memory_grow(c->entries, c->n_entries + 1, sizeof *c->entries);
    c->entries[c->n_entries++] = *e;
    s->n++;
    if (e->gone) return;
    s->gone = false;
    s->points += e->points;
    if (e->kind == VERDICT_GRADER) return;
    l->n++;
    l->passed += e->kind == VERDICT_PASS;
    l->points += e->points;
}

static void read_entries(Class *c)
{
    sqlite3_stmt *row = gradebook_query(
        c->book, "SELECT s.student, (SELECT count(*) FROM exercise o WHERE o.number < e.number AND "
                 "o.id IN (SELECT exercise FROM submission)), s.kind, coalesce(s.given, s.points), "
                 "s.possible, s.gone, s.days_late "
                 "FROM submission s JOIN exercise e ON e.id = s.exercise ORDER BY s.student, "
                 "e.number");
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(row, 0);
        size_t length = (size_t)sqlite3_column_bytes(row, 0), n = c->n_students;
        if (!n || !same_name(&c->students[n - 1], bytes, length)) {
            c->students = memory_grow(c->students, n + 1, sizeof *c->students);
            char *name = memory_get(length + 1, 1);
            if (length) memcpy(name, bytes, length);
            c->students[c->n_students++] =
                (Student){.name = name, .length = length, .first = c->n_entries, .gone = true};
        }
        Entry e = {.student = (unsigned)(c->n_students - 1),
                   .exercise = (unsigned)sqlite3_column_int(row, 1),
                   .kind = sqlite3_column_int(row, 2),
                   .points = sqlite3_column_int(row, 3),
                   .possible = sqlite3_column_int(row, 4),
                   .gone = sqlite3_column_int(row, 5) != 0,
                   .late = sqlite3_column_int(row, 6) > 0};
        if (e.exercise < c->n_lessons) add_entry(c, &e);
    }
    sqlite3_finalize(row);
    for (size_t i = 0; i < c->n_students; i++) c->n_here += !c->students[i].gone;
}

/* By name: they are in the order of their bytes, as the gradebook has them. */
static unsigned find_student(const Class *c, const void *bytes, size_t length)
{
    size_t low = 0, high = c->n_students;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const Student *s = &c->students[middle];
        size_t both = s->length < length ? s->length : length;
        int order = both ? memcmp(s->name, bytes, both) : 0;
        if (order < 0 || (!order && s->length < length)) low = middle + 1;
        else high = middle;
    }
    return (unsigned)low;
}

static unsigned find_lesson(const Class *c, const char *id)
{
    unsigned i = 0;
    while (i < c->n_lessons && strcmp(c->lessons[i].id, id) != 0) i++;
    return i;
}

/* What a cause says without numbers, lines and what was drawn, which differ from one hand-in to the
 * next. */
static char *plain_cause(const char *cause)
{
    Text text = {0};
    int inside = 0;
    for (const char *at = cause; *at; at++) {
        bool site = *at == '(' && !inside;
        if (site) inside = 1;
        if (!inside && isdigit((unsigned char)*at)) {
            while (isdigit((unsigned char)at[1]) || (at[1] == '.' && isdigit((unsigned char)at[2])))
                at++;
            text_add(&text, "#");
        } else if (!inside) {
            text_append(&text, at, 1);
        }
        if (*at == ')') inside = 0;
    }
    return text_take(&text);
}

static void add_place(Text *places, const char *id)
{
    size_t length = strlen(id);
    for (const char *at = text_string(places); (at = strstr(at, id)); at += length) {
        if (at[length] == ',' || !at[length]) return;
    }
    text_printf(places, "%s%s", places->length ? ", " : "", id);
}

static void add_who(Group *g, unsigned student)
{
    size_t at = g->n;
    while (at && g->who[at - 1] > student) at--;
    if (at && g->who[at - 1] == student) return;
    g->who = memory_grow(g->who, g->n + 1, sizeof *g->who);
    memmove(g->who + at + 1, g->who + at, (g->n - at) * sizeof *g->who);
    g->who[at] = student;
    g->n++;
}

/* One failure more of those that `words` describes; takes nothing. */
static void count(Group **groups, size_t *n, size_t from, const Group *one)
{
    size_t i = from;
    while (i < *n && strcmp((*groups)[i].words, one->words) != 0) i++;
    if (i == *n) {
        *groups = memory_grow(*groups, ++*n, sizeof **groups);
        (*groups)[i] =
            (Group){.words = memory_copy(one->words), .failures = ~0u, .aside = one->aside};
    }
    Group *g = &(*groups)[i];
    add_who(g, one->by);
    if (one->failures >= g->failures) return;
    free(g->example);
    free(g->title);
    g->example = one->example ? memory_copy(one->example) : NULL;
    g->title = one->title ? memory_copy(one->title) : NULL;
    g->exercise = one->exercise;
    g->check = one->check;
    g->by = one->by;
    g->failures = one->failures;
}

static int by_number(const void *a, const void *b)
{
    const Group *x = a, *y = b;
    if (x->aside != y->aside) return x->aside - y->aside;
    if (x->n != y->n) return x->n < y->n ? 1 : -1;
    return strcmp(x->words, y->words);
}

static void sort_causes(Class *c)
{
    for (size_t i = 0, end; i < c->n_causes; i = end) {
        const Group *first = &c->causes[i];
        for (end = i; end < c->n_causes && c->causes[end].exercise == first->exercise &&
                      c->causes[end].check == first->check;)
            end++;
        qsort(c->causes + i, end - i, sizeof *c->causes, by_number);
    }
}

static void read_failures(Class *c)
{
    sqlite3_stmt *row = gradebook_query(
        c->book,
        "SELECT r.student, r.exercise, r.n, r.title, r.mistake, r.cause, (SELECT count(*) FROM "
        "result o WHERE o.student = r.student AND o.exercise = r.exercise AND o.state = 1) FROM "
        "result r JOIN submission s ON s.student = r.student AND s.exercise = r.exercise JOIN "
        "exercise e ON e.id = r.exercise WHERE r.state = 1 AND NOT s.gone ORDER BY e.number, r.n, "
        "r.student");
    size_t from = 0;
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        char *title = column_copy(row, 3), *mistake = column_copy(row, 4),
             *cause = column_copy(row, 5),
             *plain = mistake ? memory_copy(mistake) : plain_cause(cause ? cause : ""),
             *missed = mistake ? memory_copy(mistake)
                               : memory_format("missed \"%s\"", title ? title : "");
        Group one = {.words = plain,
                     .example = cause,
                     .title = title,
                     .exercise = find_lesson(c, (const char *)sqlite3_column_text(row, 1)),
                     .check = sqlite3_column_int(row, 2),
                     .by = find_student(c, sqlite3_column_blob(row, 0),
                                        (size_t)sqlite3_column_bytes(row, 0)),
                     .failures = (unsigned)sqlite3_column_int(row, 6)};
        bool next = c->n_causes && (c->causes[c->n_causes - 1].exercise != one.exercise ||
                                    c->causes[c->n_causes - 1].check != one.check);
        if (next) from = c->n_causes;
        if (one.exercise < c->n_lessons) {
            count(&c->causes, &c->n_causes, from, &one);
            one.words = missed;
            count(&c->mistakes, &c->n_mistakes, 0, &one);
        }
        free(title);
        free(mistake);
        free(cause);
        free(plain);
        free(missed);
    }
    sqlite3_finalize(row);
    sort_causes(c);
}

/* What never came to a check. */
static void read_ends(Class *c)
{
    sqlite3_stmt *row =
        gradebook_query(c->book,
                        "SELECT student, exercise, mistake, message, kind FROM submission WHERE "
                        "mistake NOT NULL AND NOT gone ORDER BY exercise, student");
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        char *words = column_copy(row, 2), *said = column_copy(row, 3);
        if (said) said[strcspn(said, "\n")] = 0;
        bool crashed = sqlite3_column_int(row, 4) == VERDICT_CRASH;
        Group one = {.words = words,
                     .example = crashed ? said : NULL,
                     .exercise = find_lesson(c, (const char *)sqlite3_column_text(row, 1)),
                     .check = -1,
                     .by = find_student(c, sqlite3_column_blob(row, 0),
                                        (size_t)sqlite3_column_bytes(row, 0)),
                     .failures = ~0u - 1,
                     .aside = !crashed};
        if (one.exercise < c->n_lessons) count(&c->mistakes, &c->n_mistakes, 0, &one);
        free(words);
        free(said);
    }
    sqlite3_finalize(row);
}

/* In which exercises each mistake was met, in the order of the course. */
static void read_places(Class *c)
{
    sqlite3_stmt *row = gradebook_query(
        c->book,
        "SELECT DISTINCT e.number, e.id, coalesce(r.mistake, 'missed \"' || r.title || '\"') FROM "
        "result r JOIN submission s ON s.student = r.student AND s.exercise = r.exercise JOIN "
        "exercise e ON e.id = r.exercise WHERE r.state = 1 AND NOT s.gone UNION SELECT DISTINCT "
        "e.number, e.id, s.mistake FROM submission s JOIN exercise e ON e.id = s.exercise WHERE "
        "s.mistake NOT NULL AND NOT s.gone ORDER BY 1");
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        char *words = column_copy(row, 2);
        for (size_t i = 0; i < c->n_mistakes && words; i++) {
            if (!strcmp(c->mistakes[i].words, words))
                add_place(&c->mistakes[i].places, (const char *)sqlite3_column_text(row, 1));
        }
        free(words);
    }
    sqlite3_finalize(row);
}

static void class_read(Class *c, Gradebook *book)
{
    *c = (Class){.book = book};
    read_lessons(c);
    read_entries(c);
    read_failures(c);
    read_ends(c);
    read_places(c);
    if (c->n_mistakes) qsort(c->mistakes, c->n_mistakes, sizeof *c->mistakes, by_number);
}

static void release_groups(Group *groups, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(groups[i].words);
        free(groups[i].example);
        free(groups[i].title);
        free(groups[i].who);
        text_release(&groups[i].places);
    }
    free(groups);
}

static void class_release(Class *c)
{
    for (size_t i = 0; i < c->n_students; i++) free(c->students[i].name);
    for (size_t i = 0; i < c->n_lessons; i++) free(c->lessons[i].id), free(c->lessons[i].title);
    free(c->students);
    free(c->entries);
    free(c->lessons);
    release_groups(c->causes, c->n_causes);
    release_groups(c->mistakes, c->n_mistakes);
}

/* ---- the class at a glance ---- */
static int whole_percent(double part, double all) { return all > 0 ? (int)(part * 100 / all) : 0; }

static int by_points(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The middle one's points, of who is in the folder. */
static int median_points(const Class *c)
{
    int *points = memory_get(c->n_here + 1, sizeof *points), median;
    size_t n = 0;
    for (size_t i = 0; i < c->n_students; i++) {
        if (!c->students[i].gone) points[n++] = c->students[i].points;
    }
    qsort(points, n, sizeof *points, by_points);
    median = n ? points[(n - 1) / 2] : 0;
    free(points);
    return median;
}

static void put_tile(FILE *to, const char *number, const char *words)
{
    fprintf(to, "<div><b>%s</b> %s</div>\n", number, words);
}

static void put_totals(FILE *to, const Class *c)
{
    unsigned long n = 0, passed = 0;
    for (size_t i = 0; i < c->n_lessons; i++) n += c->lessons[i].n, passed += c->lessons[i].passed;
    char number[64], words[128];

    fputs("<div class=\"tiles\">\n", to);
    snprintf(number, sizeof number, "%zu", c->n_here);
    put_tile(to, number, c->n_here == 1 ? "student" : "students");
    snprintf(number, sizeof number, "%lu", n);
    snprintf(words, sizeof words, "judged, of %zu exercise%s", c->n_lessons,
             c->n_lessons == 1 ? "" : "s");
    put_tile(to, number, words);
    snprintf(number, sizeof number, "%d&#8239;%%", whole_percent((double)passed, (double)n));
    snprintf(words, sizeof words, "passed: %lu", passed);
    put_tile(to, number, words);
    snprintf(number, sizeof number, "%d of %d", median_points(c), c->possible);
    put_tile(to, number, "points has the student in the middle");
    fputs("</div>\n", to);
}

static void put_mistake(FILE *to, const Class *c, const Group *g)
{
    fprintf(to, "<b>%zu of %zu</b> ", g->n, c->n_here);
    page_put(to, g->words);
    if (g->places.length) {
        fputs(" <span class=\"dim\">(", to);
        page_put(to, text_string(&g->places));
        fputs(")</span>", to);
    }
}

static void put_to_teach(FILE *to, const Class *c)
{
    if (!c->n_mistakes) return;
    fputs("<h2>To teach again</h2>\n<p class=\"dim\">What most students did, each counted once. "
          "<a href=\"lecture.html\">One page for the lecture</a>, without names.</p>\n<ol "
          "class=\"teach\">\n",
          to);
    for (size_t i = 0; i < c->n_mistakes; i++) {
        if (i == TO_TEACH)
            fputs("</ol>\n<details><summary>All others</summary><ol class=\"teach\" start=\"4\">\n",
                  to);
        fputs("<li>", to);
        put_mistake(to, c, &c->mistakes[i]);
        fprintf(to, " <button hidden data-who=\"m%zu\">Show them</button></li>\n", i);
    }
    fputs(c->n_mistakes > TO_TEACH ? "</ol></details>\n" : "</ol>\n", to);
}

static void put_exercises(FILE *to, const Class *c)
{
    fputs("<h2>Exercises</h2>\n<div class=\"wide\"><table><thead><tr><th>Exercise</th><th "
          "class=\"n\">judged</th><th class=\"n\">passed</th><th></th><th class=\"n\">points, on "
          "average</th></tr></thead><tbody>\n",
          to);
    for (size_t i = 0; i < c->n_lessons; i++) {
        const Lesson *l = &c->lessons[i];
        fprintf(to, "<tr><td><a href=\"#%s\">%s", l->id, l->id);
        fputs("</a> ", to);
        page_put(to, l->title);
        fprintf(to,
                "</td><td class=\"n\">%u</td><td class=\"n\">%u</td><td><span class=\"bar good\" "
                "style=\"width:%dpx\"></span></td><td class=\"n\">",
                l->n, l->passed, l->n ? (int)(l->passed * 160 / l->n) : 0);
        if (l->n) fprintf(to, "%.1f of %d", (double)l->points / l->n, l->possible);
        fputs("</td></tr>\n", to);
    }
    fputs("</tbody></table></div>\n", to);
}

static void put_distribution(FILE *to, const Class *c)
{
    unsigned bins[BINS] = {0}, most = 0;
    for (size_t i = 0; i < c->n_students; i++) {
        const Student *s = &c->students[i];
        if (s->gone) continue;
        int bin = c->possible > 0 ? (int)((long)s->points * BINS / c->possible) : 0;
        if (bin < 0) bin = 0;
        if (bin >= BINS) bin = BINS - 1;
        bins[bin]++;
        if (bins[bin] > most) most = bins[bin];
    }
    if (!most) return;
    fprintf(to,
            "<h2>Points</h2>\n<p class=\"dim\">How many students have which part of the %d "
            "points.</p>\n<table class=\"bins\">\n",
            c->possible);
    for (int i = BINS - 1; i >= 0; i--)
        fprintf(to,
                "<tr><th scope=\"row\">%d&#8211;%d&#8239;%%</th><td class=\"n\">%u</td><td><span "
                "class=\"bar\" style=\"width:%u%%\"></span></td></tr>\n",
                i * 100 / BINS, (i + 1) * 100 / BINS, bins[i], bins[i] * 100 / most);
    fputs("</table>\n", to);
}

/* ---- over the weeks ---- */
static void put_steps(FILE *to, Gradebook *book, const char *title, const char *head,
                      const char *sql)
{
    sqlite3_stmt *row = gradebook_query(book, sql);
    bool any = row && sqlite3_step(row) == SQLITE_ROW;
    if (any)
        fprintf(to,
                "<h2>%s</h2>\n<div class=\"wide\"><table><thead><tr><th>%s</th><th "
                "class=\"n\">handed in</th><th class=\"n\">of these passed</th><th "
                "class=\"n\">passed by then</th><th></th></tr></thead><tbody>\n",
                title, head);
    int all = any ? sqlite3_column_int(row, 4) : 0;
    for (bool more = any; more; more = sqlite3_step(row) == SQLITE_ROW) {
        fputs("<tr><td>", to);
        page_put(to, (const char *)sqlite3_column_text(row, 0));
        fprintf(to,
                "</td><td class=\"n\">%d</td><td class=\"n\">%d</td><td class=\"n\">%d</td><td>"
                "<span class=\"bar good\" style=\"width:%dpx\"></span></td></tr>\n",
                sqlite3_column_int(row, 1), sqlite3_column_int(row, 2), sqlite3_column_int(row, 3),
                all ? sqlite3_column_int(row, 3) * 160 / all : 0);
    }
    if (any) fputs("</tbody></table></div>\n", to);
    sqlite3_finalize(row);
}

static void put_progress(FILE *to, Gradebook *book)
{
    /* a pass counts once: the first of that student at that exercise */
    static const char weeks[] =
        "WITH h AS (SELECT student, exercise, kind, date(handed, 'unixepoch', 'weekday 0', "
        "'-6 days') AS week, handed, min(CASE WHEN kind = 0 THEN handed END) OVER (PARTITION BY "
        "student, exercise) AS first FROM history WHERE handed NOT NULL), w AS (SELECT week, "
        "count(*) AS n, sum(kind = 0 AND handed = first) AS passed FROM h GROUP BY week) SELECT "
        "'week of ' || week, n, passed, sum(passed) OVER (ORDER BY week), (SELECT count(*) FROM "
        "submission WHERE NOT gone) FROM w ORDER BY week";
    static const char attempts[] =
        "WITH h AS (SELECT attempt, kind, min(CASE WHEN kind = 0 THEN attempt END) OVER "
        "(PARTITION BY student, exercise) AS first FROM history), w AS (SELECT min(attempt, 10) AS "
        "step, count(*) AS n, sum(kind = 0 AND attempt = first) AS passed FROM h GROUP BY step) "
        "SELECT CASE step WHEN 10 THEN 'the tenth and later' ELSE 'attempt ' || step END, n, "
        "passed, sum(passed) OVER (ORDER BY step), (SELECT count(*) FROM submission WHERE NOT gone)"
        " FROM w WHERE (SELECT max(attempt) FROM history) > 1 ORDER BY step";
    put_steps(to, book, "Week by week", "Week", weeks);
    put_steps(to, book, "Attempt by attempt", "Attempt", attempts);
}

/* ---- everybody ---- */
static void put_cell(FILE *to, const Class *c, const Entry *e, bool link)
{
    const Student *s = &c->students[e->student];
    fprintf(to, "<td class=\"n %s\">", page_kind_class(e->kind));
    if (link) page_link(to, s->name, s->length, c->lessons[e->exercise].id);
    if (e->kind == VERDICT_PASS || e->kind == VERDICT_FAIL) fprintf(to, "%d", e->points);
    else fputs(exit_status_verdict_word(e->kind), to);
    if (e->late) fputs("<span class=\"dim\"> late</span>", to);
    fputs(link ? "</a></td>" : "</td>", to);
}

static void put_student(FILE *to, const Class *c, const Student *s, bool links)
{
    fputs(s - c->students < FIRST_ROWS ? "<tr><td>" : "<tr hidden><td>", to);
    page_link(to, s->name, s->length, NULL);
    tables_markup(to, s->name, s->length);
    fprintf(to, "</a>%s</td><td class=\"n\">%d</td>",
            s->gone ? " <span class=\"dim\">(no longer in the folder)</span>" : "", s->points);
    size_t at = s->first, end = s->first + s->n;
    for (unsigned i = 0; i < c->n_lessons; i++) {
        if (at < end && c->entries[at].exercise == i) put_cell(to, c, &c->entries[at++], links);
        else fputs("<td></td>", to);
    }
    fputs("</tr>\n", to);
}

/* The controls are for the script, which shows them. */
static void put_filter(FILE *to, const Class *c)
{
    fputs("<form class=\"filter\" hidden>\n<label>Name <input type=\"search\" name=\"name\" "
          "autocomplete=\"off\"></label>\n<label>Exercise <select name=\"exercise\"><option "
          "value=\"\">any",
          to);
    for (size_t i = 0; i < c->n_lessons; i++)
        fprintf(to, "<option value=\"%zu\">%s", i, c->lessons[i].id);
    fputs(
        "</select></label>\n<label>Verdict <select name=\"verdict\"><option value=\"\">any<option "
        "value=\"pass\">passed<option value=\"not\">not passed<option value=\"none\">not handed "
        "in</select></label>\n<label>Failed check <select name=\"check\"><option "
        "value=\"\">any",
        to);
    for (size_t i = 0, n = 0; i < c->n_causes; i++) {
        const Group *g = &c->causes[i];
        if (i && g->exercise == g[-1].exercise && g->check == g[-1].check) continue;
        fprintf(to, "<option value=\"k%zu\">%s: ", n++, c->lessons[g->exercise].id);
        page_put(to, g->title);
    }
    fputs("</select></label>\n<button "
          "type=\"reset\">Everybody</button>\n<output></output>\n</form>\n",
          to);
}

static void put_everybody(FILE *to, const Class *c)
{
    bool links = c->n_entries <= MOST_LINKS;
    fputs("<h2 id=\"everybody\">Everybody</h2>\n"
          "<noscript><style>#who tr{display:table-row}</style></noscript>\n",
          to);
    put_filter(to, c);
    fputs(
        "<div class=\"wide tall\" tabindex=\"0\"><table id=\"who\"><thead><tr><th>Student</th><th "
        "class=\"n\">Points</th>",
        to);
    for (size_t i = 0; i < c->n_lessons; i++)
        fprintf(to, "<th class=\"n\">%s</th>", c->lessons[i].id);
    fputs("</tr></thead><tbody>\n", to);
    for (size_t i = 0; i < c->n_students; i++) put_student(to, c, &c->students[i], links);
    fputs("</tbody></table></div>\n<p><button hidden id=\"more\">Show all</button></p>\n", to);
}

/* ---- what failed, and why ---- */
static void put_names(FILE *to, const Class *c, const Group *g)
{
    for (size_t i = 0; i < g->n && i < MOST_NAMES; i++) {
        const Student *s = &c->students[g->who[i]];
        if (i) fputs(", ", to);
        page_link(to, s->name, s->length, c->lessons[g->exercise].id);
        tables_markup(to, s->name, s->length);
        fputs("</a>", to);
    }
    if (g->n > MOST_NAMES) fprintf(to, " and %zu more", g->n - MOST_NAMES);
}

static void put_cause(FILE *to, const Class *c, const Group *g)
{
    fprintf(to, "<tr><td class=\"n\">%zu</td><td>", g->n);
    page_put(to, g->words);
    fprintf(to, " <button hidden data-who=\"c%zu\">Show them</button>", (size_t)(g - c->causes));
    if (g->example && strcmp(g->example, g->words) != 0) {
        fputs("<p class=\"why dim\">For example: ", to);
        page_put(to, g->example);
        fputs("</p>", to);
    }
    fputs("<p class=\"why\">", to);
    put_names(to, c, g);
    fputs("</p></td></tr>\n", to);
}

/* The causes of one check, from causes[i] on; returns the first of the next. */
static size_t put_causes(FILE *to, const Class *c, size_t i, int check)
{
    size_t end = i;
    while (end < c->n_causes && c->causes[end].exercise == c->causes[i].exercise &&
           c->causes[end].check == check)
        end++;
    if (end == i) return i;
    fputs("<details><summary>why, and who</summary><table>\n", to);
    for (; i < end; i++) put_cause(to, c, &c->causes[i]);
    fputs("</table></details>", to);
    return end;
}

static void put_lesson(FILE *to, const Class *c, sqlite3_stmt *e, size_t *cause)
{
    static const int id[] = {0};
    unsigned lesson = find_lesson(c, (const char *)sqlite3_column_text(e, 0));
    fprintf(to, "<h3 id=\"%s\">%s ", c->lessons[lesson].id, c->lessons[lesson].id);
    page_put(to, c->lessons[lesson].title);
    fputs("</h3>\n", to);
    page_put_cards(to, c->book, e);
    sqlite3_stmt *row = page_query_for(
        c->book,
        "SELECT r.title, sum(r.state = 1), sum(r.state = 2), count(*), r.n FROM result r JOIN "
        "submission s ON s.student = r.student AND s.exercise = r.exercise WHERE r.exercise = ? "
        "AND NOT s.gone GROUP BY r.n, r.title ORDER BY r.n",
        e, 1, id);
    int failed = 0, others = 0;
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        int bad = sqlite3_column_int(row, 1), many = sqlite3_column_int(row, 3);
        bool here = *cause < c->n_causes && c->causes[*cause].exercise == lesson;
        if (!bad) {
            others++;
            continue;
        }
        if (!failed++)
            fputs("<div class=\"wide\"><table><thead><tr><th>Check</th><th "
                  "class=\"n\">failed</th><th></th><th class=\"n\">not judged</th></tr></thead>"
                  "<tbody>\n",
                  to);
        fputs("<tr><td>", to);
        page_put_column(to, row, 0);
        if (here) *cause = put_causes(to, c, *cause, sqlite3_column_int(row, 4));
        fprintf(to,
                "</td><td class=\"n\">%d</td><td><span class=\"bar\" style=\"width:%dpx\"></span>"
                "</td><td class=\"n\">%d</td></tr>\n",
                bad, bad * 160 / many, sqlite3_column_int(row, 2));
    }
    sqlite3_finalize(row);
    if (failed) fputs("</tbody></table></div>\n", to);
    if (others)
        fprintf(to, "<p class=\"dim\">Nobody failed %s%d check%s.</p>\n",
                failed ? "the other " : "any of the ", others, others == 1 ? "" : "s");
    page_put_scores(to, c->book, e);
}

static void put_lessons(FILE *to, const Class *c)
{
    size_t cause = 0;
    fputs("<h2>What failed, and why</h2>\n", to);
    sqlite3_stmt *e = gradebook_query(c->book, "SELECT id, title FROM exercise WHERE id IN (SELECT "
                                               "exercise FROM submission) ORDER BY number");
    while (e && sqlite3_step(e) == SQLITE_ROW) put_lesson(to, c, e, &cause);
    sqlite3_finalize(e);
}

/* ---- for the script: rows of the table by number ---- */
static void put_group(Text *to, const unsigned *who, size_t n)
{
    text_add(to, "[");
    for (size_t i = 0; i < n; i++) text_printf(to, "%s%u", i ? "," : "", who[i]);
    text_add(to, "]");
}

static void add_groups(Text *to, const char *name, const Group *groups, size_t n)
{
    text_printf(to, "\"%s\":[", name);
    for (size_t i = 0; i < n; i++) {
        if (i) text_add(to, ",\n");
        put_group(to, groups[i].who, groups[i].n);
    }
    text_add(to, "]");
}

static void add_checks(Text *to, const Class *c)
{
    text_add(to, "\"k\":[");
    for (size_t i = 0; i < c->n_causes;) {
        Group all = {0};
        size_t end = i;
        for (; end < c->n_causes && c->causes[end].exercise == c->causes[i].exercise &&
               c->causes[end].check == c->causes[i].check;
             end++) {
            for (size_t k = 0; k < c->causes[end].n; k++) add_who(&all, c->causes[end].who[k]);
        }
        if (i) text_add(to, ",\n");
        put_group(to, all.who, all.n);
        free(all.who);
        i = end;
    }
    text_add(to, "]");
}

static void make_data(Text *data, const Class *c)
{
    text_add(data, "{");
    add_groups(data, "m", c->mistakes, c->n_mistakes);
    text_add(data, ",\n");
    add_groups(data, "c", c->causes, c->n_causes);
    text_add(data, ",\n");
    add_checks(data, c);
    text_add(data, "}");
}

/* Nobody who hands something in knows the class's seed, so nobody writes a script that runs. */
static void make_nonce(Class *c, const Text *data, char nonce[33])
{
    Hash hash = hash_start();
    char *seed = gradebook_get(c->book, "seed");
    if (seed) hash_add(&hash, seed, strlen(seed));
    hash_add(&hash, text_string(data), data->length);
    hash_name(&hash, nonce);
    free(seed);
}

static bool write_index(const char *folder, Class *c, const Inbox *inbox, char *error,
                        size_t error_size)
{
    Page page;
    Text data = {0};
    char nonce[33], *path = memory_format("%s/index.html", folder);
    make_data(&data, c);
    make_nonce(c, &data, nonce);
    FILE *to = page_start(&page, "Grades", 6, nonce);
    if (to) {
        fputs("<h1>Grades</h1>\n<p class=\"dim\">Also as <a href=\"grades.csv\">grades.csv</a>, <a "
              "href=\"scores.csv\">scores.csv</a>, <a href=\"results.json\">results.json</a>, <a "
              "href=\"junit.xml\">junit.xml</a> and <a href=\"results.tap\">results.tap</a>; the "
              "record is gradebook.sqlite.</p>\n",
              to);
        put_totals(to, c);
        put_to_teach(to, c);
        put_exercises(to, c);
        put_distribution(to, c);
        put_progress(to, c->book);
        put_everybody(to, c);
        put_lessons(to, c);
        page_put_likenesses(to, c->book);
        page_put_inbox(to, inbox);
        fprintf(to, "<script type=\"application/json\" id=\"data\" nonce=\"%s\">%s</script>\n",
                nonce, text_string(&data));
        fprintf(to, "<script nonce=\"%s\">\n%s</script>\n", nonce, class_js);
    }
    bool fine = page_finish(&page, path, error, error_size);
    text_release(&data);
    free(path);
    return fine;
}

/* ---- one page for the lecture ---- */
static void put_pictures(FILE *to, const Class *c, const Group *g)
{
    const Student *s = &c->students[g->by];
    sqlite3_stmt *row =
        gradebook_query(c->book, "SELECT s.svg, e.svg FROM submission s JOIN exercise e ON e.id = "
                                 "s.exercise WHERE s.student = ? AND s.exercise = ?");
    if (row) {
        sqlite3_bind_blob(row, 1, s->name, (int)s->length, SQLITE_STATIC);
        sqlite3_bind_text(row, 2, c->lessons[g->exercise].id, -1, SQLITE_STATIC);
    }
    bool any = row && sqlite3_step(row) == SQLITE_ROW;
    for (int i = 0; any && i < 2; i++) {
        if (sqlite3_column_type(row, i) == SQLITE_NULL) continue;
        fprintf(to, "<figure><figcaption>%s</figcaption>%s</figure>\n",
                i ? "A solution" : "What comes of it", (const char *)sqlite3_column_text(row, i));
    }
    sqlite3_finalize(row);
}

static void put_hint(FILE *to, const Class *c, const Group *g)
{
    const Student *s = &c->students[g->by];
    sqlite3_stmt *row = gradebook_query(c->book, "SELECT hint1 FROM result WHERE student = ? AND "
                                                 "exercise = ? AND n = ? AND hint1 NOT NULL");
    if (row) {
        sqlite3_bind_blob(row, 1, s->name, (int)s->length, SQLITE_STATIC);
        sqlite3_bind_text(row, 2, c->lessons[g->exercise].id, -1, SQLITE_STATIC);
        sqlite3_bind_int(row, 3, g->check);
    }
    if (row && sqlite3_step(row) == SQLITE_ROW) {
        fputs("<p class=\"hint\">", to);
        page_put_column(to, row, 0);
        fputs("</p>\n", to);
    }
    sqlite3_finalize(row);
}

static bool write_lecture(const char *folder, const Class *c, char *error, size_t error_size)
{
    Page page;
    char *path = memory_format("%s/lecture.html", folder);
    FILE *to = page_start(&page, "To teach again", 14, NULL);
    if (to) fputs("<h1>To teach again</h1>\n", to);
    if (to && (!c->n_mistakes || c->mistakes[0].aside)) fputs("<p>Nothing failed.</p>\n", to);
    for (size_t i = 0; to && i < c->n_mistakes && i < TO_TEACH; i++) {
        const Group *g = &c->mistakes[i];
        if (g->aside) break;
        fputs("<section class=\"slide\">\n<h2>", to);
        put_mistake(to, c, g);
        fputs("</h2>\n", to);
        if (g->title) {
            fprintf(to, "<p>For example in %s, where \"", c->lessons[g->exercise].id);
            page_put(to, g->title);
            fputs("\" fails:</p>\n<p class=\"why\">", to);
            page_put(to, g->example);
            fputs("</p>\n", to);
            put_hint(to, c, g);
        } else if (g->example) {
            fprintf(to, "<p>For example in %s:</p>\n<p class=\"why\">", c->lessons[g->exercise].id);
            page_put(to, g->example);
            fputs("</p>\n", to);
        }
        fputs("<div class=\"pictures\">\n", to);
        put_pictures(to, c, g);
        fputs("</div>\n</section>\n", to);
    }
    bool fine = page_finish(&page, path, error, error_size);
    free(path);
    return fine;
}

/* ---- a student's own page ---- */
static void put_own_row(FILE *to, const Class *c, const Student *s, const Entry *e)
{
    const Lesson *l = &c->lessons[e->exercise];
    char *name = pages_name(s->name, s->length, l->id);
    fprintf(to, "<tr><td><a href=\"%s.html\">%s</a> ", name, l->id);
    page_put(to, l->title);
    fprintf(to, "%s</td><td class=\"%s\">%s</td><td class=\"n\">",
            e->gone ? " <span class=\"dim\">(no longer in the folder)</span>" : "",
            page_kind_class(e->kind), exit_status_verdict_word(e->kind));
    if (e->kind != VERDICT_GRADER) fprintf(to, "%d of %d", e->points, e->possible);
    fputs("</td></tr>\n", to);
    free(name);
}

static bool write_student(const char *folder, const Class *c, const Student *s, char *error,
                          size_t error_size)
{
    Page page;
    char *name = pages_name(s->name, s->length, NULL),
         *path = memory_format("%s/students/%s.html", folder, name);
    FILE *to = page_start(&page, s->name, s->length, NULL);
    if (to) {
        fputs("<p><a href=\"../index.html\">All submissions</a></p>\n<h1>", to);
        tables_markup(to, s->name, s->length);
        fprintf(to,
                "</h1>\n<p>%d points</p>\n<div class=\"wide\"><table><thead><tr><th>Exercise"
                "</th><th>Verdict</th><th class=\"n\">Points</th></tr></thead><tbody>\n",
                s->points);
        for (size_t i = s->first; i < s->first + s->n; i++) put_own_row(to, c, s, &c->entries[i]);
        fputs("</tbody></table></div>\n", to);
    }
    bool fine = page_finish(&page, path, error, error_size);
    free(name);
    free(path);
    return fine;
}

bool class_pages_write(const char *folder, Gradebook *book, const Inbox *inbox, char *error,
                       size_t error_size)
{
    Class c;
    class_read(&c, book);
    bool fine = write_index(folder, &c, inbox, error, error_size) &&
                write_lecture(folder, &c, error, error_size);
    for (size_t i = 0; i < c.n_students && fine; i++)
        fine = write_student(folder, &c, &c.students[i], error, error_size);
    class_release(&c);
    return fine;
}
