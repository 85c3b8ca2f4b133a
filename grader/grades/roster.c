/* roster.c - the tables of a learning platform: what each is, which row is whose, and the same
 * tables filled in.
 *
 * Sources: the column headings are those that Moodle ("Download grading worksheet"), Canvas
 * ("Export entire gradebook") and Gradescope ("Download grades") write; docs/year.md names them. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "grader/grades/grades_internal.h"

enum { MOST_ROSTERS = 64, IDENTITIES = 6 };

typedef struct Platform {
    const char *name;
    const char *marks[3];               /* headings by which it is known */
    const char *number;                 /* the column of the number that names of files have */
    const char *identities[IDENTITIES]; /* columns that say who it is */
    const char *handed, *grade, *most, *feedback; /* NULL: there is none */
    bool of_all; /* a table of all exercises, a column each, possible points in its second row */
} Platform;

static const Platform platforms[] = {
    {.name = "Moodle",
     .marks = {"Identifier", "Full name", NULL},
     .number = "Identifier",
     .identities = {"Username", "ID number", "Email address", "Full name", NULL},
     .handed = "Last modified (submission)",
     .grade = "Grade",
     .most = "Maximum Grade",
     .feedback = "Feedback comments"},
    {.name = "Canvas",
     .marks = {"Student", "ID", "Section"},
     .number = "ID",
     .identities = {"SIS Login ID", "SIS User ID", "Student", NULL},
     .of_all = true},
    {.name = "Gradescope",
     .marks = {"SID", "Email", "Submission Time"},
     .number = "SID",
     .identities = {"SID", "Email", "Name", NULL},
     .handed = "Submission Time",
     .grade = "Total Score",
     .most = "Max Points"},
    {.name = "a table of your own",
     .marks = {"student", "handed", NULL},
     .number = "id",
     .identities = {"student", "email", NULL},
     .handed = "handed",
     .grade = "points",
     .most = "possible",
     .feedback = "comment"},
};

typedef struct Match {
    char *student, *exercise;
    size_t row;
} Match;

typedef struct Roster {
    const Platform *platform;
    char *file, *exercise; /* exercise NULL: it has all */
    CsvTable table;
    Match *matches;
    size_t n_matches;
} Roster;

struct GradesRoster {
    Roster *items;
    size_t n;
    Text unmatched; /* lines */
    size_t n_unmatched;
};

/* ---- reading ---- */
static const Platform *platform_of(const CsvTable *table)
{
    for (size_t i = 0; i < sizeof platforms / sizeof *platforms; i++) {
        bool all = true;
        for (size_t k = 0; k < 3 && platforms[i].marks[k]; k++)
            all = all && csv_table_column(table, platforms[i].marks[k]) >= 0;
        if (all) return &platforms[i];
    }
    return NULL;
}

/* "ex43=FILE" or "FILE". */
static bool read_one(GradesRoster *all, const char *word, char *error, size_t error_size)
{
    Roster roster = {0};
    const char *is = strchr(word, '=');
    if (is) roster.exercise = memory_format("%.*s", (int)(is - word), word);
    roster.file = memory_copy(is ? is + 1 : word);
    bool fine = csv_table_read_file(&roster.table, roster.file, error, error_size);
    roster.platform = fine ? platform_of(&roster.table) : NULL;
    if (fine && !roster.platform)
        snprintf(error, error_size,
                 "%.300s: its first row has neither Moodle's headings (Identifier, Full name), nor "
                 "Canvas's (Student, ID, Section), nor Gradescope's (SID, Email, Submission Time), "
                 "nor \"student\" and \"handed\"",
                 roster.file);
    all->items = memory_grow(all->items, all->n + 1, sizeof *all->items);
    all->items[all->n++] = roster;
    return fine && roster.platform;
}

GradesRoster *roster_read(const char *words, char *error, size_t error_size)
{
    GradesRoster *all = memory_get(1, sizeof *all);
    bool fine = true;
    char **list = list_split(words, ',', NULL);
    for (size_t i = 0; list[i] && fine; i++) {
        if (!*list[i]) continue;
        fine = all->n < MOST_ROSTERS;
        if (!fine) snprintf(error, error_size, "more than %d tables", MOST_ROSTERS);
        else fine = read_one(all, list[i], error, error_size);
    }
    list_free(list);
    if (fine) return all;
    grades_release(all);
    return NULL;
}

/* They are looked for anew each time, in a folder that is watched. */
static void forget_matches(GradesRoster *all)
{
    for (size_t i = 0; all && i < all->n; i++) {
        Roster *r = &all->items[i];
        for (size_t k = 0; k < r->n_matches; k++)
            free(r->matches[k].student), free(r->matches[k].exercise);
        free(r->matches);
        r->matches = NULL;
        r->n_matches = 0;
    }
    if (!all) return;
    text_clear(&all->unmatched);
    all->n_unmatched = 0;
}

void grades_release(GradesRoster *all)
{
    forget_matches(all);
    for (size_t i = 0; all && i < all->n; i++) {
        Roster *r = &all->items[i];
        free(r->file);
        free(r->exercise);
        csv_table_release(&r->table);
    }
    if (!all) return;
    free(all->items);
    text_release(&all->unmatched);
    free(all);
}

size_t grades_unmatched(const GradesRoster *all) { return all ? all->n_unmatched : 0; }

/* ---- who is who ---- */
/* Letters and digits alone, small: "Lovelace, Ada" is "lovelaceada", as Canvas names files. */
static char *plain(const char *name, size_t length)
{
    Text text = {0};
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        if (isalnum(c) || c >= 0x80) text_append(&text, &(char){(char)tolower(c)}, 1);
    }
    return text_take(&text);
}

/* The number of the person in the name of what was handed in: Canvas's user, Moodle's participant;
 * "" where there is none. */
static void number_of(const Handin *h, char number[32])
{
    const char *mark = strstr(h->path, "_assignsubmission_"), *end = NULL, *begin = NULL;
    number[0] = 0;
    if (mark) {
        for (begin = end = mark; begin > h->path && isdigit((unsigned char)begin[-1]);) begin--;
    } else {
        end = begin = h->student + strlen(h->student);
        while (begin > h->student && isdigit((unsigned char)begin[-1])) begin--;
        if (begin == h->student || begin[-1] != '_') return;
    }
    if (end > begin && end - begin < 31) snprintf(number, 32, "%.*s", (int)(end - begin), begin);
}

/* Is that the number that the cell ends with: "Participant 123", "123"? */
static bool is_number(const char *cell, const char *number)
{
    size_t length = strlen(cell), digits = strlen(number);
    if (!digits || length < digits || strcmp(cell + length - digits, number) != 0) return false;
    return length == digits || !isalnum((unsigned char)cell[length - digits - 1]);
}

/* How well the row fits: 0 not at all, 1 by name, 2 as it is written, 3 by number. */
static int fits(const Roster *r, size_t row, const Handin *h, const char *number, const char *name)
{
    const CsvTable *t = &r->table;
    int best = 0, column = csv_table_column(t, r->platform->number);
    if (is_number(csv_table_cell(t, row, column), number)) return 3;
    for (size_t i = 0; i < IDENTITIES && r->platform->identities[i]; i++) {
        const char *cell = csv_table_cell(t, row, csv_table_column(t, r->platform->identities[i]));
        size_t local = strcspn(cell, "@");
        if (!*cell) continue;
        if (!strcasecmp(cell, h->student)) best = 2;
        if (cell[local] && !strncasecmp(cell, h->student, local) && !h->student[local] && best < 2)
            best = 2;
        char *letters = plain(cell, strlen(cell));
        if (best < 1 && *letters && !strcmp(letters, name)) best = 1;
        free(letters);
    }
    int first = csv_table_column(t, "First Name"), last = csv_table_column(t, "Last Name");
    if (!best && first >= 0 && last >= 0) {
        char *both =
                 memory_format("%s%s", csv_table_cell(t, row, first), csv_table_cell(t, row, last)),
             *letters = plain(both, strlen(both));
        if (*letters && !strcmp(letters, name)) best = 1;
        free(both);
        free(letters);
    }
    return best;
}

/* The one row that fits best; 0: none does (the first row names the columns), or *several. */
static size_t find_row(const Roster *r, const Handin *h, bool *several)
{
    char number[32];
    number_of(h, number);
    size_t length = strlen(h->student), cut = strlen(number);
    if (cut && length > cut + 1 && !strcmp(h->student + length - cut, number)) length -= cut + 1;
    char *name = plain(h->student, length);
    size_t row = 0;
    int best = 0;
    *several = false;
    for (size_t i = 1; i < r->table.n; i++) {
        int how = fits(r, i, h, number, name);
        if (!how || how < best) continue;
        *several = how == best;
        best = how;
        row = i;
    }
    free(name);
    return *several ? 0 : row;
}

/* The column of an exercise in a table of all: the id is a word of its heading. */
static int exercise_column(const CsvTable *t, const char *id)
{
    size_t length = strlen(id);
    for (size_t i = 0; t->n && i < t->widths[0]; i++) {
        for (const char *at = t->rows[0][i]; (at = strcasestr(at, id)); at += length) {
            bool begins = at == t->rows[0][i] || !isalnum((unsigned char)at[-1]);
            if (begins && !isalnum((unsigned char)at[length])) return (int)i;
        }
    }
    return -1;
}

static bool set_handed(Gradebook *book, const Handin *h, const Roster *r, size_t row, char *error,
                       size_t error_size)
{
    const char *cell =
        csv_table_cell(&r->table, row, csv_table_column(&r->table, r->platform->handed));
    long long at;
    if (!*cell || !strcmp(cell, "-")) return true;
    if (!grades_time(cell, &at))
        return grades_wrong(error, error_size, r->file, row, "no time that can be read", cell);
    return grades_put(book, "INSERT OR REPLACE INTO handed VALUES(?1, CAST(?2 AS TEXT), ?3, 0)",
                      "BBi", h->student, h->exercise, at) ||
           grades_wrong(error, error_size, r->file, row, "it could not be kept", NULL);
}

static bool match_one(Gradebook *book, GradesRoster *all, Roster *r, const Handin *h, char *error,
                      size_t error_size)
{
    bool several;
    size_t row = find_row(r, h, &several);
    if (!row) {
        all->n_unmatched++;
        text_printf(&all->unmatched, "%s, %s: %s in %s (%s)\n", h->student, h->exercise,
                    several ? "more than one row fits" : "no row fits", r->file, r->platform->name);
        return true;
    }
    r->matches = memory_grow(r->matches, r->n_matches + 1, sizeof *r->matches);
    r->matches[r->n_matches++] = (Match){memory_copy(h->student), memory_copy(h->exercise), row};
    return !r->platform->handed || set_handed(book, h, r, row, error, error_size);
}

/* A table of one assignment is of the exercise that it was given for, or of the only one. */
static bool settle_exercise(Roster *r, const Inbox *inbox, char *error, size_t error_size)
{
    if (r->platform->of_all || r->exercise || !inbox->n) return true;
    for (size_t i = 1; i < inbox->n; i++) {
        if (!strcmp(inbox->items[i].exercise, inbox->items[0].exercise)) continue;
        snprintf(error, error_size,
                 "%.300s (%s) is of one assignment, and there are several exercises: say which, as "
                 "in ex43=%.300s",
                 r->file, r->platform->name, r->file);
        return false;
    }
    r->exercise = memory_copy(inbox->items[0].exercise);
    return true;
}

static bool match_all(Gradebook *book, GradesRoster *all, const Inbox *inbox, char *error,
                      size_t error_size)
{
    bool fine = true;
    forget_matches(all);
    for (size_t i = 0; all && i < all->n && fine; i++) {
        Roster *r = &all->items[i];
        fine = settle_exercise(r, inbox, error, error_size);
        for (size_t k = 0; k < inbox->n && fine; k++) {
            const Handin *h = &inbox->items[k];
            bool ours = r->exercise ? !strcmp(r->exercise, h->exercise)
                                    : exercise_column(&r->table, h->exercise) >= 0;
            if (ours) fine = match_one(book, all, r, h, error, error_size);
        }
    }
    return fine;
}

bool grades_match(Gradebook *book, GradesRoster *all, const Inbox *inbox, char *error,
                  size_t error_size)
{
    char ignored[300];
    bool fine = grades_run(book, "BEGIN IMMEDIATE; DELETE FROM handed WHERE at IS NULL", error,
                           error_size) &&
                match_all(book, all, inbox, error, error_size);
    for (size_t i = 0; i < inbox->n && fine; i++) {
        const Handin *h = &inbox->items[i];
        if (!strstr(h->path, "_LATE_")) continue;
        fine =
            grades_put(book, "INSERT OR IGNORE INTO handed VALUES(?1, CAST(?2 AS TEXT), NULL, 1)",
                       "BB", h->student, h->exercise);
        if (!fine) snprintf(error, error_size, "the gradebook cannot be written");
    }
    fine =
        fine && grades_run(book,
                           "UPDATE history SET handed = (SELECT at FROM handed h WHERE h.student "
                           "= history.student AND h.exercise = history.exercise) WHERE handed IS "
                           "NULL AND EXISTS (SELECT 1 FROM submission s WHERE s.student = "
                           "history.student AND s.exercise = history.exercise AND s.attempt = "
                           "history.attempt); COMMIT",
                           error, error_size);
    if (!fine) grades_run(book, "ROLLBACK", ignored, sizeof ignored);
    return fine;
}

/* ---- filling in ---- */
/* Points as the platform counts them: out of `most`, if that is a number and another. */
static char *scaled(int points, int possible, const char *most)
{
    char *end;
    double of = strtod(most, &end);
    bool number = end != most && of > 0 && possible > 0 && of != possible;
    if (!number) return memory_format("%d", points);
    return memory_format("%.2f", points * of / possible);
}

static void fill(Roster *r, const Match *m, sqlite3_stmt *row)
{
    CsvTable *t = &r->table;
    const Platform *p = r->platform;
    int kind = sqlite3_column_int(row, 0), points = sqlite3_column_int(row, 1),
        possible = sqlite3_column_int(row, 2);
    if (kind == VERDICT_GRADER) return; /* nobody's zero */
    int column = p->of_all ? exercise_column(t, m->exercise) : csv_table_column(t, p->grade);
    const char *most = p->of_all ? csv_table_cell(t, 1, column)
                                 : csv_table_cell(t, m->row, csv_table_column(t, p->most));
    char *grade = scaled(points, possible, most);
    if (column >= 0) csv_table_put(t, m->row, column, grade);
    free(grade);
    column = p->feedback ? csv_table_column(t, p->feedback) : -1;
    if (column < 0) return;
    Text words = {0};
    const char *title = (const char *)sqlite3_column_text(row, 3),
               *cause = (const char *)sqlite3_column_text(row, 4),
               *comment = (const char *)sqlite3_column_text(row, 5);
    text_printf(&words, "%s, %d of %d points", exit_status_verdict_word(kind), points, possible);
    if (title) text_printf(&words, ". \"%s\": ", title);
    if (cause) text_add_shown(&words, cause, strlen(cause), false);
    if (comment) {
        text_add(&words, "\n");
        text_add_shown(&words, comment, strlen(comment), true);
    }
    csv_table_put(t, m->row, column, text_string(&words));
    text_release(&words);
}

static void fill_all(Roster *r, Gradebook *book)
{
    sqlite3_stmt *row = gradebook_query(
        book, "SELECT s.kind, coalesce(s.given, s.points), s.possible, r.title, CAST(r.cause AS "
              "TEXT), CAST(s.comment AS TEXT) FROM submission s LEFT JOIN result r ON r.student = "
              "s.student AND r.exercise = s.exercise AND r.state = 1 WHERE s.student = ? AND "
              "s.exercise = ? ORDER BY r.n LIMIT 1");
    for (size_t i = 0; row && i < r->n_matches; i++) {
        const Match *m = &r->matches[i];
        sqlite3_bind_blob(row, 1, m->student, (int)strlen(m->student), SQLITE_STATIC);
        sqlite3_bind_text(row, 2, m->exercise, -1, SQLITE_STATIC);
        if (sqlite3_step(row) == SQLITE_ROW) fill(r, m, row);
        sqlite3_reset(row);
    }
    sqlite3_finalize(row);
}

static bool write_table(const char *folder, const Roster *r, char *error, size_t error_size)
{
    const char *slash = strrchr(r->file, '/'), *name = slash ? slash + 1 : r->file;
    char *path = memory_format("%s/filled-%s%s%s", folder, r->exercise ? r->exercise : "",
                               r->exercise ? "-" : "", name),
         *bytes = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&bytes, &size);
    if (to) csv_table_write(to, &r->table);
    int failed = to && fclose(to) == 0 ? text_write_file(path, bytes, size) : ENOMEM;
    if (failed) snprintf(error, error_size, "%.400s: %s", path, strerror(failed));
    free(bytes);
    free(path);
    return !failed;
}

bool grades_write(const char *folder, Gradebook *book, const GradesRoster *all, char *error,
                  size_t error_size)
{
    bool fine = true;
    for (size_t i = 0; all && i < all->n && fine; i++) {
        fill_all(&all->items[i], book);
        fine = write_table(folder, &all->items[i], error, error_size);
    }
    if (!all || !fine) return fine;
    char *path = memory_format("%s/unmatched.txt", folder);
    int failed = text_write_file(path, text_string(&all->unmatched), all->unmatched.length);
    if (failed) snprintf(error, error_size, "%.400s: %s", path, strerror(failed));
    free(path);
    return !failed;
}
