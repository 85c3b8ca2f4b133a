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
#include "common/env.h"
#include "common/limits.h"
#include "grader/box/runner.h"
#include "grader/build/build.h"
#include "common/folder.h"
#include "common/hash.h"
#include "grader/commands/command.h"
#include "grader/classroom/batch.h"
#include "grader/classroom/pages.h"
#include "grader/classroom/similar.h"
#include "grader/classroom/tables.h"
#include "grader/cluster/coordinator.h"
#include "grader/cluster/worker.h"
#include "grader/grades/grades.h"
#include "grader/course/hidden.h"
#include "grader/follow/follow_class.h"
#include "grader/course/source.h"

enum { WORDS = 700, CPUS_OF_A_JOB = 2, SUBMISSIONS_OF_A_JOB = 48, TRIES = 3, MOST_EARLIER = 16 };

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

/* What an earlier class handed in for this exercise. */
static void add_earlier(SimilarSource **sources, char ***names, size_t *n, const Inbox *inbox,
                        const char *id)
{
    for (size_t i = 0; i < inbox->n; i++) {
        const Handin *h = &inbox->items[i];
        Text text = {0};
        char problem[WORDS];
        bool fine = !strcmp(h->exercise, id) && inbox_read(inbox, h, &text, problem, WORDS);
        if (fine) {
            *sources = memory_grow(*sources, *n + 1, sizeof **sources);
            *names = memory_grow(*names, *n + 1, sizeof **names);
            size_t length = text.length;
            (*sources)[*n] = (SimilarSource){text_take(&text), length, false};
            (*names)[(*n)++] = memory_format("earlier: %s/%s", inbox->root, h->path);
        }
        text_release(&text);
    }
}

static bool find_likenesses(Gradebook *book, const Exercise *e, const Inbox *earlier,
                            size_t n_earlier, char *error, size_t error_size)
{
    SimilarSource *sources = NULL;
    char **names = NULL;
    size_t n = 0, own;
    bool fine = true;
    sqlite3_stmt *row =
        gradebook_query(book,
                        "SELECT student, source FROM submission WHERE exercise = ? AND NOT gone"
                        " ORDER BY student");
    if (!row) return true;
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
    for (size_t i = 0; i < n_earlier; i++) add_earlier(&sources, &names, &n, &earlier[i], e->id);
    const size_t named = n;
    const char *given[] = {"starter.cu", "solution.cu", "harness.cu"};
    for (size_t i = 0; i < 3; i++) background(&sources, &n, exercise_file(e, given[i]));
    size_t n_pairs = 0;
    SimilarPair *pairs = similar_find(sources, n, &n_pairs);
    for (size_t i = 0; i < n_pairs && fine; i++) {
        if (pairs[i].a >= own) continue; /* both of an earlier class */
        char *parts =
            memory_format("%s%s", pairs[i].renamed ? "with other names: " : "", pairs[i].parts);
        fine = gradebook_likeness(book, e->id, names[pairs[i].a], names[pairs[i].b],
                                  pairs[i].percent, parts, error, error_size);
        free(parts);
    }
    similar_free(pairs, n_pairs);
    for (size_t i = 0; i < n; i++) free((void *)(uintptr_t)sources[i].text);
    for (size_t i = 0; i < named; i++) free(names[i]);
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
           write_table(folder, "scores.csv", tables_scores, book, error, error_size) &&
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

static const char *card_words(const Card *card, const CoordinatorOptions *cluster)
{
    return cluster ? "Slurm's cards" : card->name;
}

/* The second phase. True also when it could not say anything of some: *status and one line tell
 * so. */
static bool on_card(Batch *batch, const Card *card, const CoordinatorOptions *cluster,
                    const Inbox *inbox, Gradebook *book, int *status)
{
    char error[PATH_MAX + WORDS] = "";
    bool fine = cluster ? coordinator_run_card(batch, inbox, book, cluster, error, sizeof error)
                        : batch_use_card(batch, card, book, error, sizeof error) &&
                              batch_run_card(batch, inbox, book, error, sizeof error);
    if (!fine && !error[0]) {
        fprintf(stderr, "stopped: on %s %zu judged now, %zu before; the same command goes on\n",
                card_words(card, cluster), batch->judged, batch->known);
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

/* A class that is being graded. error: why it stopped; empty when it was stopped, and said so. */
typedef struct Class {
    const Options *options;
    const char *folder;
    Terminal progress;
    BatchOptions with;
    Batch batch;
    Inbox inbox;
    Gradebook *book;
    Card card;
    CoordinatorOptions cluster;
    GradesRoster *rosters;
    Inbox earlier[MOST_EARLIER];
    size_t n_earlier;
    int status, card_status;
    char error[PATH_MAX + WORDS];
} Class;

static bool open_class(Class *c, const Catalogue *catalogue)
{
    const Options *options = c->options;
    char *path = memory_format("%s/gradebook.sqlite", c->folder);
    int failed = folder_make(c->folder);
    if (failed) snprintf(c->error, sizeof c->error, "%s: %s", c->folder, strerror(failed));
    bool fine = !failed && (c->book = gradebook_open(path, c->error, sizeof c->error)) &&
                settle_seed(c->book, options, &c->with.seed, c->error, sizeof c->error) &&
                batch_open(&c->batch, catalogue, (const char *const *)(options->words + 1),
                           options->n_words - 1, &c->with, c->error, sizeof c->error);
    free(path);
    return fine;
}

/* What the instructor gave beside the hand-ins, before anything is judged: a table that makes no
 * sense is not found out an hour later. */
static bool open_class_year(Class *c)
{
    const Options *o = c->options;
    const GradesFiles files = {.amend = o->amend, .due = o->due, .roster = o->roster};
    /* the tables name exercises, which a new gradebook learns here */
    bool tables = o->amend || o->due;
    bool fine = (!tables || batch_settle(&c->batch, c->book, c->error, sizeof c->error)) &&
                grades_take(c->book, &files, &c->rosters, c->error, sizeof c->error);
    char **names = list_split(o->again, ',', NULL);
    for (size_t i = 0; names[i] && fine; i++)
        if (*names[i]) fine = gradebook_again(c->book, names[i], c->error, sizeof c->error);
    list_free(names);
    return fine;
}

/* What was handed in for the batch's exercises. */
static bool look_into(const Class *c, const char *folder, Inbox *inbox, char *error,
                      size_t error_size)
{
    const Batch *batch = &c->batch;
    const Catalogue *catalogue = batch->catalogue;
    const char **known = memory_get(catalogue->n_entries + 1, sizeof *known);
    const char **wanted = memory_get(batch->n_exercises + 1, sizeof *wanted);
    for (size_t i = 0; i < catalogue->n_entries; i++) known[i] = catalogue->entries[i].id;
    for (size_t i = 0; i < batch->n_exercises; i++) wanted[i] = batch->exercises[i].exercise->id;
    bool fine = inbox_open(inbox, folder, known, catalogue->n_entries, wanted, batch->n_exercises,
                           error, error_size);
    free(known);
    free(wanted);
    return fine;
}

static bool open_class_earlier(Class *c)
{
    bool fine = true;
    char **paths = list_split(c->options->earlier, ',', NULL);
    for (size_t i = 0; paths[i] && fine; i++) {
        if (!*paths[i]) continue;
        fine = c->n_earlier < MOST_EARLIER;
        if (!fine)
            snprintf(c->error, sizeof c->error, "--earlier: more than %d folders", MOST_EARLIER);
        else fine = look_into(c, paths[i], &c->earlier[c->n_earlier++], c->error, sizeof c->error);
    }
    list_free(paths);
    return fine;
}

/* There is something, or it is no class. */
static bool open_class_inbox(Class *c)
{
    bool fine = look_into(c, c->options->words[0], &c->inbox, c->error, sizeof c->error);
    if (!fine || c->inbox.n) return fine;

    snprintf(c->error, sizeof c->error,
             "%.500s: no hand-ins there (looked for student/ex43.cu, student_ex43.cu, zip files; "
             "%zu sources without a known exercise or student)",
             c->options->words[0], c->inbox.n_ignored);
    return false;
}

/* Where a class is handed to a cluster's jobs: its own folder in one that all nodes see. */
static bool open_class_cluster(Class *c)
{
    const Options *options = c->options;
    char *report = realpath(c->folder, NULL), *command = realpath("/proc/self/exe", NULL);
    char *shared = options->shared ? realpath(options->shared, NULL) : memory_copy(report);
    bool fine = report && shared && command;
    if (fine) {
        Hash hash = hash_start();
        char name[33];
        hash_add_string(&hash, report);
        hash_name(&hash, name);
        c->cluster =
            (CoordinatorOptions){.folder = options->shared
                                               ? memory_format("%s/threelane-%.8s", shared, name)
                                               : memory_format("%s/cluster", shared),
                                 .command = memory_copy(command),
                                 .partition = options->partition,
                                 .gpu_partition = options->gpu_partition,
                                 .account = options->account,
                                 .time = options->time,
                                 .more = options->sbatch,
                                 .cpus = options->cpus ? (unsigned)options->cpus : CPUS_OF_A_JOB,
                                 .chunk = options->chunk ? options->chunk : SUBMISSIONS_OF_A_JOB,
                                 .tries = options->tries ? (unsigned)options->tries : TRIES,
                                 .parallel = options->parallel};
    } else {
        snprintf(c->error, sizeof c->error, "%.400s: %s",
                 options->shared ? options->shared : c->folder, strerror(errno));
    }
    free(report);
    free(command);
    free(shared);
    return fine;
}

static bool write_anonymous(const Class *c, char *error, size_t error_size)
{
    char *folder = memory_format("%s/anonymous", c->folder);
    Gradebook *book = grades_anonymous(c->book, error, error_size);
    int failed = book ? folder_make(folder) : 0;
    if (failed) snprintf(error, error_size, "%.400s: %s", folder, strerror(failed));
    bool fine = book && !failed && write_report(folder, book, &(Inbox){0}, error, error_size);
    gradebook_close(book);
    free(folder);
    return fine;
}

static bool write_all(const Class *c, const Inbox *inbox, char *error, size_t error_size)
{
    return write_report(c->folder, c->book, inbox, error, error_size) &&
           grades_write(c->folder, c->book, c->rosters, error, error_size) &&
           (!c->options->feedback || grades_feedback(c->folder, c->book, error, error_size)) &&
           (!c->options->anonymous || write_anonymous(c, error, error_size));
}

/* What is made of everybody's verdicts. */
static bool conclude(const Class *c, const Inbox *inbox, char *error, size_t error_size)
{
    bool fine = gradebook_forget_likenesses(c->book, error, error_size);
    for (size_t i = 0; i < c->batch.n_exercises && fine; i++)
        fine = find_likenesses(c->book, c->batch.exercises[i].exercise, c->earlier, c->n_earlier,
                               error, error_size);
    return fine && grades_match(c->book, c->rosters, inbox, error, error_size) &&
           grades_finalize(c->book, error, error_size) && write_all(c, inbox, error, error_size);
}

static bool run_class(Class *c)
{
    return c->options->slurm ? coordinator_run(&c->batch, &c->inbox, c->book, &c->cluster, c->error,
                                               sizeof c->error)
                             : batch_run(&c->batch, &c->inbox, c->book, c->error, sizeof c->error);
}

static bool judge_class(Class *c)
{
    c->status = VERDICT_GRADER;
    if (!run_class(c)) {
        if (c->error[0]) return false;
        fprintf(stderr, "stopped: %zu graded now, %zu before; the same command%s goes on\n",
                c->batch.judged, c->batch.known, c->options->renew ? " without --renew" : "");
        c->status = 1;
        return false;
    }
    return gradebook_present(c->book, &c->inbox, c->error, sizeof c->error) &&
           conclude(c, &c->inbox, c->error, sizeof c->error);
}

static bool judge_class_on_card(Class *c)
{
    bool fine = on_card(&c->batch, &c->card, c->options->slurm ? &c->cluster : NULL, &c->inbox,
                        c->book, &c->card_status);
    if (!fine) c->status = c->card_status;
    /* also when it was stopped */
    return write_all(c, &c->inbox, c->error, sizeof c->error) && fine;
}

/* judged, known: in the first phase. */
static bool say_class(Class *c, size_t judged, size_t known)
{
    int all = gradebook_number(c->book, "SELECT count(*) FROM submission WHERE NOT gone");
    int passed =
        gradebook_number(c->book, "SELECT count(*) FROM submission WHERE NOT gone AND kind = 0");
    int broken =
        gradebook_number(c->book, "SELECT count(*) FROM submission WHERE NOT gone AND kind = 7");
    int there =
        gradebook_number(c->book, "SELECT count(*) FROM card JOIN submission s USING(student, "
                                  "exercise) WHERE NOT s.gone");
    int held =
        gradebook_number(c->book, "SELECT count(*) FROM card c JOIN submission s USING(student, "
                                  "exercise) WHERE NOT s.gone AND"
                                  " c.kind = 0");
    bool fine = gradebook_finish(c->book, c->error, sizeof c->error);
    printf("%d submissions: %d passed, %d not", all, passed, all - passed - broken);
    if (broken)
        printf(", %d GRADER ERRORS (see %s/index.html; the same command tries them again)", broken,
               c->folder);
    printf("\n%zu graded now, %zu known before; seed %llu\n", judged, known, c->with.seed);
    if (c->options->gpu)
        printf("on %s: %d of %d passed; %zu judged now, %zu known before%s\n",
               card_words(&c->card, c->options->slurm ? &c->cluster : NULL), held, there,
               c->batch.judged, c->batch.known,
               c->batch.broken ? "; GRADER ERRORS, which the same command tries again" : "");
    if (c->inbox.n_ignored)
        printf("%zu sources were not graded: whose, or which exercise, cannot be told "
               "(%s/index.html lists them)\n",
               c->inbox.n_ignored, c->folder);
    if (c->inbox.n_unread)
        printf("%zu things that were handed in could not be read (%s/index.html says why)\n",
               c->inbox.n_unread, c->folder);
    if (grades_unmatched(c->rosters))
        printf("%zu hand-in%s in no row of the tables that were given, or in several "
               "(%s/unmatched.txt)\n",
               grades_unmatched(c->rosters),
               grades_unmatched(c->rosters) == 1 ? " stands" : "s stand", c->folder);
    printf("%s/index.html  grades.csv  scores.csv  results.json  junit.xml  results.tap  "
           "gradebook.sqlite\n",
           c->folder);
    c->status = broken ? VERDICT_GRADER : c->card_status;
    return fine;
}

/* ---- a folder that is watched ---- */
static bool follow_open(void *data, Inbox *inbox, char *error, size_t error_size)
{
    const Class *c = data;
    return look_into(c, c->options->words[0], inbox, error, error_size);
}

static bool follow_report(void *data, const Inbox *inbox, char *error, size_t error_size)
{
    return conclude(data, inbox, error, error_size);
}

/* Until a signal ends it, which is how it ends well. */
static bool follow_class(Class *c)
{
    const FollowClassOptions follow = {.root = c->options->words[0],
                                       .polling = getenv(ENV_POLL) != NULL,
                                       .json = c->options->json,
                                       .to = stdout,
                                       .talk = stderr,
                                       .open = follow_open,
                                       .report = follow_report,
                                       .data = c};
    c->with.progress = NULL;
    c->batch.options.progress = NULL;
    bool fine = follow_class_run(&c->batch, c->book, &follow, c->error, sizeof c->error);
    c->status = fine ? VERDICT_PASS : VERDICT_GRADER;
    if (fine) jobs_resume();
    fine = fine && gradebook_finish(c->book, c->error, sizeof c->error);
    if (fine)
        fprintf(stderr,
                "ended: %zu graded now, %zu known before; the same command goes on, and %s "
                "is up to date\n",
                c->batch.judged, c->batch.known, c->folder);
    return fine;
}

static int grade_class(const Options *options, const Catalogue *catalogue)
{
    Class *c = memory_get(1, sizeof *c);
    c->options = options;
    c->folder = options->output ? options->output : "report";
    c->progress = terminal_open(stderr, options->color, options->width, options->ascii);
    c->with = (BatchOptions){.parallel = options->parallel,
                             .seconds = options->seconds,
                             .model = options->model,
                             .unsafe = options->unsafe,
                             .same_draw = options->same_draw,
                             .progress = &c->progress};
    c->status = VERDICT_USAGE;

    bool fine = !options->gpu || options->slurm ||
                card_open(&c->card, options->card, c->error, sizeof c->error);
    fine = fine && open_class(c, catalogue) && open_class_earlier(c) && open_class_year(c);
    if (fine && options->follow) {
        fine = follow_class(c);
    } else {
        fine = fine && open_class_inbox(c) && (!options->slurm || open_class_cluster(c)) &&
               judge_class(c);
        size_t judged = c->batch.judged, known = c->batch.known;
        if (fine && options->gpu) fine = judge_class_on_card(c);
        if (fine) fine = say_class(c, judged, known);
    }
    if (!fine && c->error[0]) command_fail(c->status, "%s", c->error);

    grades_release(c->rosters);
    gradebook_close(c->book);
    inbox_close(&c->inbox);
    for (size_t i = 0; i < c->n_earlier; i++) inbox_close(&c->earlier[i]);
    batch_close(&c->batch);
    card_close(&c->card);
    free((void *)(uintptr_t)c->cluster.folder);
    free((void *)(uintptr_t)c->cluster.command);
    int status = c->status;
    free(c);
    return status;
}

/* ---- one file ---- */
static void print_one(const Summary *s, bool teacher)
{
    printf("%s: %s", s->id, exit_status_verdict_word((int)s->kind));
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

/* One of those that only mean something to Slurm, or NULL. */
static const char *slurm_option(const Options *o)
{
    return o->shared          ? "--shared"
           : o->partition     ? "--partition"
           : o->gpu_partition ? "--gpu-partition"
           : o->account       ? "--account"
           : o->time          ? "--time"
           : o->sbatch        ? "--sbatch"
           : o->cpus          ? "--cpus"
           : o->chunk         ? "--chunk"
           : o->tries         ? "--tries"
                              : NULL;
}

int command_grade(const Options *options)
{
    Catalogue catalogue;
    int status = command_course(options, &catalogue, NULL);
    if (status) return status;
    const char *slurm = slurm_option(options);
    if (options->job) status = worker_run(&catalogue, options->job, options->words[0]);
    else if (slurm && !options->slurm)
        status = command_fail(VERDICT_USAGE, "%s is for --slurm", slurm);
    else if (options->exercise && options->slurm)
        status = command_fail(VERDICT_USAGE, "--slurm is for a folder");
    else if (options->exercise && options->n_words != 1)
        status = command_fail(VERDICT_USAGE, "usage: threelane grade --exercise ex43 FILE");
    else if (options->follow && options->exercise)
        status = command_fail(VERDICT_USAGE, "--follow is for a folder");
    else if (options->follow && (options->slurm || options->gpu))
        status = command_fail(
            VERDICT_USAGE,
            "--follow judges on this machine and its virtual GPU. For %s, type the same command "
            "without --follow, from time to time: only what is new is judged",
            options->slurm ? "the jobs of a cluster" : "a card");
    else if (!options->exercise && ((options->json && !options->follow) || options->gradescope))
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
    else if (options->exercise &&
             (options->amend || options->due || options->roster || options->again ||
              options->anonymous || options->feedback || options->earlier))
        status = command_fail(VERDICT_USAGE,
                              "--amend, --due, --roster, --again, --feedback, --earlier and "
                              "--anonymous are "
                              "for a folder");
    else if (options->renew && options->seed)
        status = command_fail(VERDICT_USAGE, "--renew draws a seed and --seed names one");
    else if (options->exercise) status = grade_file(options, &catalogue);
    else status = grade_class(options, &catalogue);
    catalogue_close(&catalogue);
    return status;
}
