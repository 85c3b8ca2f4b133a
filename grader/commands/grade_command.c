/* grade_command.c - `threelane grade`: a class, or one file. */
#include <errno.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "common/limits.h"
#include "grader/build/build.h"
#include "common/folder.h"
#include "grader/commands/command.h"
#include "grader/classroom/batch.h"
#include "grader/classroom/pages.h"
#include "grader/classroom/similar.h"
#include "grader/classroom/tables.h"
#include "grader/course/hidden.h"
#include "grader/course/source.h"

enum { WORDS = 700 };

/* ---- likenesses ---- */
static void background(SimilarSource **sources, size_t *n, char *path)
{
    Text text = {0};
    if (text_read_file(&text, path, LIMIT_SUBMISSION) == 0) {
        *sources = memory_grow(*sources, *n + 1, sizeof **sources);
        (*sources)[*n] = (SimilarSource){NULL, text.length, true};
        (*sources)[(*n)++].text = text_take(&text);
    }
    text_release(&text);
    free(path);
}

static bool find_likenesses(Gradebook *book, const Exercise *e, char *error, size_t error_size)
{
    SimilarSource *sources = NULL;
    char **names = NULL;
    size_t n = 0, own;
    sqlite3_stmt *row;
    bool fine = true;
    if (sqlite3_prepare_v2(gradebook_sql(book),
                           "SELECT student, source FROM submission WHERE exercise = ? AND NOT gone"
                           " ORDER BY student",
                           -1, &row, NULL) != SQLITE_OK)
        return true;
    sqlite3_bind_text(row, 1, e->id, -1, SQLITE_STATIC);
    while (sqlite3_step(row) == SQLITE_ROW) {
        Text text = {0}, name = {0};
        text_append(&text, sqlite3_column_blob(row, 1), (size_t)sqlite3_column_bytes(row, 1));
        text_append(&name, sqlite3_column_blob(row, 0), (size_t)sqlite3_column_bytes(row, 0));
        sources = memory_grow(sources, n + 1, sizeof *sources);
        names = memory_grow(names, n + 1, sizeof *names);
        size_t length = text.length;
        sources[n] = (SimilarSource){text_take(&text), length, false};
        names[n++] = text_take(&name);
    }
    sqlite3_finalize(row);
    own = n;
    const char *given[] = {"starter.cu", "solution.cu", "harness.cu"};
    for (size_t i = 0; i < 3; i++) background(&sources, &n, exercise_file(e, given[i]));
    size_t n_pairs = 0;
    SimilarPair *pairs = similar_find(sources, n, &n_pairs);
    for (size_t i = 0; i < n_pairs && fine; i++) {
        char *parts =
            memory_format("%s%s", pairs[i].renamed ? "with other names: " : "", pairs[i].parts);
        fine = gradebook_likeness(book, e->id, names[pairs[i].a], names[pairs[i].b],
                                  pairs[i].percent, parts, error, error_size);
        free(parts);
    }
    similar_free(pairs, n_pairs);
    for (size_t i = 0; i < n; i++) free((void *)(uintptr_t)sources[i].text);
    for (size_t i = 0; i < own; i++) free(names[i]);
    free(sources);
    free(names);
    return fine;
}

/* ---- the files of a report ---- */
static bool write_table(const char *folder, const char *name, bool (*write)(FILE *, Gradebook *),
                        Gradebook *book, char *error, size_t error_size)
{
    char *bytes = NULL, *path = memory_format("%s/%s", folder, name);
    size_t size = 0;
    FILE *to = open_memstream(&bytes, &size);
    bool written = to && write(to, book);
    int failed = to && fclose(to) == 0 && written ? text_write_file(path, bytes, size) : EIO;
    if (failed) snprintf(error, error_size, "%.400s: %s", path, strerror(failed));
    free(bytes);
    free(path);
    return !failed;
}

static bool write_report(const char *folder, Gradebook *book, const Inbox *inbox, char *error,
                         size_t error_size)
{
    return write_table(folder, "grades.csv", tables_csv, book, error, error_size) &&
           write_table(folder, "results.json", tables_json, book, error, error_size) &&
           write_table(folder, "junit.xml", tables_junit, book, error, error_size) &&
           write_table(folder, "results.tap", tables_tap, book, error, error_size) &&
           pages_write(folder, book, inbox, error, error_size);
}

/* ---- a class ---- */
static unsigned long long new_seed(void)
{
    enum { BITS = 53 }; /* what every reader of JSON keeps */
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        number = (uint64_t)getpid() << 32 ^ (uint64_t)time(NULL);
    return (number >> (64 - BITS)) + 1;
}

/* The seed of a gradebook stays: a batch that goes on has the inputs that it began with. */
static bool settle_seed(Gradebook *book, const Options *options, unsigned long long *seed,
                        char *error, size_t error_size)
{
    char *kept = gradebook_get(book, "seed"), text[32];
    *seed = options->seed             ? options->seed
            : kept && !options->renew ? strtoull(kept, NULL, 10)
                                      : new_seed();
    free(kept);
    snprintf(text, sizeof text, "%llu", *seed);
    return (!options->renew || gradebook_renew(book, error, error_size)) &&
           gradebook_set(book, "seed", text, error, error_size);
}

static int count(Gradebook *book, const char *sql)
{
    sqlite3_stmt *row;
    int n = 0;
    if (sqlite3_prepare_v2(gradebook_sql(book), sql, -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW)
        n = sqlite3_column_int(row, 0);
    sqlite3_finalize(row);
    return n;
}

/* The second phase. True also when it could not say anything of some: *status and one line tell
 * so. */
static bool on_card(Batch *batch, const Card *card, const Inbox *inbox, Gradebook *book,
                    int *status)
{
    char error[PATH_MAX + WORDS] = "";
    bool fine = batch_use_card(batch, card, book, error, sizeof error) &&
                batch_run_card(batch, inbox, book, error, sizeof error);
    if (!fine && !error[0]) {
        fprintf(stderr, "stopped: on %s %zu judged now, %zu before; the same command goes on\n",
                card->name, batch->judged, batch->known);
        *status = 1;
        return false;
    }
    if (!fine)
        *status =
            command_fail(VERDICT_GRADER,
                         "%s (the grades are complete; the same command tries this again)", error);
    else if (batch->broken) *status = VERDICT_GRADER;
    return true;
}

static int grade_class(const Options *options, const Catalogue *catalogue)
{
    char error[PATH_MAX + WORDS] = "";
    const char *folder = options->output ? options->output : "report";
    const char *const *ids = (const char *const *)(options->words + 1);
    size_t n_ids = options->n_words - 1;
    Terminal progress = terminal_open(stderr, options->color, options->width, options->ascii);
    BatchOptions with = {.parallel = options->parallel,
                         .seconds = options->seconds,
                         .model = options->model,
                         .unsafe = options->unsafe,
                         .same_draw = options->same_draw,
                         .progress = &progress};
    Batch batch = {0};
    Inbox inbox = {0};
    Gradebook *book = NULL;
    Card card = {0};
    if (options->gpu && !card_open(&card, options->card, error, sizeof error)) {
        card_close(&card);
        return command_fail(VERDICT_USAGE, "%s", error);
    }
    char *path = memory_format("%s/gradebook.sqlite", folder);
    int failed = folder_make(folder), status = VERDICT_USAGE, card_status = 0;
    if (failed) snprintf(error, sizeof error, "%s: %s", folder, strerror(failed));
    bool fine = !failed && (book = gradebook_open(path, error, sizeof error)) &&
                settle_seed(book, options, &with.seed, error, sizeof error) &&
                batch_open(&batch, catalogue, ids, n_ids, &with, error, sizeof error);
    if (fine) {
        const char **known = memory_get(catalogue->n_entries + 1, sizeof *known);
        const char **wanted = memory_get(batch.n_exercises + 1, sizeof *wanted);
        for (size_t i = 0; i < catalogue->n_entries; i++) known[i] = catalogue->entries[i].id;
        for (size_t i = 0; i < batch.n_exercises; i++) wanted[i] = batch.exercises[i].exercise->id;
        fine = inbox_open(&inbox, options->words[0], known, catalogue->n_entries, wanted,
                          batch.n_exercises, error, sizeof error);
        free(known);
        free(wanted);
    }
    if (fine && !inbox.n) {
        snprintf(
            error, sizeof error,
            "%.500s: no hand-ins there (looked for student/ex43.cu, student_ex43.cu, zip files; "
            "%zu sources without a known exercise or student)",
            options->words[0], inbox.n_ignored);
        fine = false;
    }
    if (fine) {
        status = VERDICT_GRADER;
        fine = batch_run(&batch, &inbox, book, error, sizeof error);
        if (!fine && !error[0]) {
            fprintf(stderr, "stopped: %zu graded now, %zu before; the same command%s goes on\n",
                    batch.judged, batch.known, options->renew ? " without --renew" : "");
            status = 1;
        }
    }
    if (fine)
        fine = gradebook_present(book, &inbox, error, sizeof error) &&
               gradebook_forget_likenesses(book, error, sizeof error);
    for (size_t i = 0; i < batch.n_exercises && fine; i++)
        fine = find_likenesses(book, batch.exercises[i].exercise, error, sizeof error);
    if (fine) fine = write_report(folder, book, &inbox, error, sizeof error);
    size_t judged = batch.judged, known = batch.known;
    if (fine && options->gpu) {
        fine = on_card(&batch, &card, &inbox, book, &card_status);
        if (!fine) status = card_status;
        fine = write_report(folder, book, &inbox, error, sizeof error) && fine; /* also when it was
                                                                                   stopped */
    }
    if (fine) {
        int all = count(book, "SELECT count(*) FROM submission WHERE NOT gone");
        int passed = count(book, "SELECT count(*) FROM submission WHERE NOT gone AND kind = 0");
        int broken = count(book, "SELECT count(*) FROM submission WHERE NOT gone AND kind = 7");
        int there = count(book, "SELECT count(*) FROM card JOIN submission s USING(student, "
                                "exercise) WHERE NOT s.gone");
        int held = count(book, "SELECT count(*) FROM card c JOIN submission s USING(student, "
                               "exercise) WHERE NOT s.gone AND"
                               " c.kind = 0");
        fine = gradebook_finish(book, error, sizeof error);
        printf("%d submissions: %d passed, %d not", all, passed, all - passed - broken);
        if (broken)
            printf(", %d GRADER ERRORS (see %s/index.html; the same command tries them again)",
                   broken, folder);
        printf("\n%zu graded now, %zu known before; seed %llu\n", judged, known, with.seed);
        if (options->gpu)
            printf("on %s: %d of %d passed; %zu judged now, %zu known before%s\n", card.name, held,
                   there, batch.judged, batch.known,
                   batch.broken ? "; GRADER ERRORS, which the same command tries "
                                  "again"
                                : "");
        if (inbox.n_ignored)
            printf("%zu sources were not graded: whose, or which exercise, cannot be told "
                   "(%s/index.html lists them)\n",
                   inbox.n_ignored, folder);
        if (inbox.n_unread)
            printf("%zu things that were handed in could not be read (%s/index.html says why)\n",
                   inbox.n_unread, folder);
        printf(
            "%s/index.html  grades.csv  results.json  junit.xml  results.tap  gradebook.sqlite\n",
            folder);
        status = broken ? VERDICT_GRADER : card_status;
    }
    if (!fine && error[0]) command_fail(status, "%s", error);
    gradebook_close(book);
    inbox_close(&inbox);
    batch_close(&batch);
    card_close(&card);
    free(path);
    return status;
}

/* ---- one file ---- */
static void print_one(const Summary *s, bool teacher)
{
    printf("%s: %s", s->id, ends_verdict_word((int)s->kind));
    if (s->kind != VERDICT_GRADER) printf(", %d of %d points", s->points, s->possible);
    putchar('\n');
    if (s->message.length) printf("%s\n", text_string(&s->message));
    if (teacher && s->hidden.length) printf("%s\n", text_string(&s->hidden));
    for (size_t i = 0; i < s->n_checks; i++) {
        const SummaryCheck *c = &s->checks[i];
        printf("%-8s %d/%d  %s\n",
               c->state == CHECK_FAIL ? "FAIL" : check_state_word((int)c->state), c->points,
               c->possible, c->title);
        if (c->cause) printf("               %s\n", c->cause);
        if (teacher && c->hidden) printf("               %s\n", c->hidden);
    }
}

static int grade_file(const Options *options, const Catalogue *catalogue)
{
    char error[PATH_MAX + WORDS] = "";
    const char *ids[] = {options->exercise};
    BatchOptions with = {.seed = options->seed ? options->seed : 1,
                         .attempt = options->attempt,
                         .seconds = options->seconds,
                         .model = options->model,
                         .unsafe = options->unsafe};
    Batch batch;
    Text source = {0};
    Summary summary = {0};
    char *sandbox = NULL;
    if (!batch_open(&batch, catalogue, ids, 1, &with, error, sizeof error))
        return command_fail(VERDICT_USAGE, "%s", error);
    char *path = source_open(options->words[0], error, sizeof error);
    if (!path) {
        batch_close(&batch);
        return command_fail(VERDICT_USAGE, "%s", error);
    }
    text_read_file(&source, path, LIMIT_SUBMISSION);
    int status = VERDICT_GRADER;
    if (batch_judge_one(&batch, &batch.exercises[0], &source, &summary, NULL, &sandbox)) {
        status = (int)summary.kind;
        if (options->gradescope) tables_gradescope(stdout, &summary, hidden_open_input(with.seed));
        else if (options->json)
            summary_json(stdout, &summary,
                         &(SummaryJson){.path = options->words[0],
                                        .sandbox = sandbox,
                                        .seed = hidden_open_input(with.seed),
                                        .teacher = options->teacher});
        else print_one(&summary, options->teacher);
    }
    summary_release(&summary);
    text_release(&source);
    free(sandbox);
    free(path);
    batch_close(&batch);
    return status;
}

int command_grade(const Options *options)
{
    Catalogue catalogue;
    int status = command_course(options, &catalogue, NULL);
    if (status) return status;
    if (options->exercise && options->n_words != 1)
        status = command_fail(VERDICT_USAGE, "usage: threelane grade --exercise ex43 FILE");
    else if (!options->exercise && (options->json || options->gradescope))
        status = command_fail(
            VERDICT_USAGE,
            "--json and --gradescope are for one file (--exercise ex43 FILE); a folder's "
            "report has results.json");
    else if (options->exercise && options->gpu)
        status = command_fail(
            VERDICT_USAGE,
            "--gpu is for a folder; one file on a card: threelane run %s --gpu --src FILE",
            options->exercise);
    else if (!options->exercise && (options->attempt || options->teacher))
        status = command_fail(VERDICT_USAGE,
                              "--attempt and --teacher are for one file (--exercise ex43 FILE); a "
                              "folder's gradebook counts attempts, and its results.json tells all");
    else if (options->exercise && (options->renew || options->same_draw))
        status = command_fail(VERDICT_USAGE, "--renew and --same-draw are for a folder; one file "
                                             "has --seed and --attempt");
    else if (options->renew && options->seed)
        status = command_fail(VERDICT_USAGE, "--renew draws a seed and --seed names one");
    else if (options->exercise) status = grade_file(options, &catalogue);
    else status = grade_class(options, &catalogue);
    catalogue_close(&catalogue);
    return status;
}
