/* lint.c - `threelane lint`: everything that an author promised about an exercise, checked. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "common/limits.h"
#include "grader/commands/command.h"
#include "grader/judge/report.h"
#include "grader/judge/explore.h"
#include "grader/course/hidden.h"
#include "grader/judge/judge.h"
#include "grader/course/source.h"

enum { FEWEST_WRONG = 5, FEWEST_RIGHT = 6 };

typedef struct Lint {
    const Options *options;
    Catalogue *catalogue;
    Workspace *workspace;
    const CatalogueEntry *entry;
    Exercise *exercise;
    size_t violations;
    Text caught; /* --few: by what those are caught that were run, a line each */
    size_t right;
} Lint;

static void violation(Lint *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void violation(Lint *l, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    l->violations++;
    if (length < 0) return;
    terminal_printf(&l->options->out, STYLE_BAD, "%s", l->entry->slug);
    terminal_printf(&l->options->out, STYLE_PLAIN, ": %s\n", text);
    free(text);
}

/* The text of one of the exercise's files; a violation when it cannot be read. */
static bool read_own(Lint *l, const char *name, Text *text)
{
    char *path = exercise_file(l->exercise, name);
    int failed = text_read_file(text, path, LIMIT_LESSON);
    if (failed) violation(l, "%s: %s", *name ? name : l->exercise->id, strerror(failed));
    else if (!text->length) violation(l, "%s is empty", *name ? name : l->exercise->id);
    free(path);
    return !failed && text->length;
}

/* ---- what can be seen without running ---- */
static void check_names(Lint *l)
{
    if (strcmp(l->exercise->id, l->entry->id) != 0)
        violation(l, "exercise.ini says id = %s", l->exercise->id);
    for (size_t i = 0; i < l->catalogue->n_entries; i++) {
        const CatalogueEntry *other = &l->catalogue->entries[i];
        if (other != l->entry && other->number == l->entry->number)
            violation(l, "%s has the same number", other->slug);
    }
}

static void check_hints(Lint *l)
{
    const char *deadlock = l->exercise->hint_deadlock, *stop = l->exercise->hint_stop;
    if (!deadlock || !deadlock[0]) violation(l, "no hint-deadlock: where to look when all wait");
    if (!stop || !stop[0]) violation(l, "no hint-stop: where to look when it crashes");
    if (deadlock && stop && !strcmp(deadlock, stop))
        violation(l, "hint-deadlock and hint-stop are the same");
    for (size_t i = 0; i < l->exercise->n_checks; i++) {
        const ExerciseCheck *check = &l->exercise->checks[i];
        for (int h = 0; h < EXERCISE_HINTS; h++) {
            if (!check->hints[h] || !check->hints[h][0])
                violation(l, "[check %s] has no hint%d", check->id, h + 1);
            for (int g = 0; g < h; g++) {
                if (check->hints[h] && check->hints[g] &&
                    !strcmp(check->hints[h], check->hints[g])) {
                    violation(l, "[check %s]: hint%d and hint%d are the same", check->id, g + 1,
                              h + 1);
                }
            }
        }
    }
}

static void check_texts(Lint *l)
{
    Text text = {0};
    char *lesson = memory_format("%s/%s.md", l->catalogue->lessons, l->entry->slug);
    int failed = text_read_file(&text, lesson, LIMIT_LESSON);
    if (failed || !text.length)
        violation(l, "no lesson: lessons/%s.md: %s", l->entry->slug,
                  failed ? strerror(failed) : "empty");
    free(lesson);
    text_clear(&text);
    if (read_own(l, "starter.cu", &text) && !strstr(text_string(&text), "TODO"))
        violation(l, "starter.cu has no TODO");
    char *own = exercise_file(l->exercise, ""), *starter = exercise_file(l->exercise, "starter.cu");
    if (text.length && !source_same(own, starter))
        violation(l, "%s.cu is not starter.cu (`threelane reset %s`)", l->exercise->id,
                  l->exercise->id);
    free(own);
    free(starter);
    char *header = memory_format("%s.h", l->exercise->id);
    const char *needed[] = {header, "harness.cu", "solution.cu", "report.txt"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        text_clear(&text);
        read_own(l, needed[i], &text);
    }
    free(header);
    text_release(&text);
}

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return n > m && !strcmp(name + n - m, ending);
}

static void check_stray(Lint *l)
{
    char *own = memory_format("%s.cu", l->exercise->id),
         *header = memory_format("%s.h", l->exercise->id);
    const char *known[] = {own,           header,         "harness.cu", "starter.cu",
                           "solution.cu", "exercise.ini", "report.txt", "golden.txt",
                           "hidden.ini",  "wrong",        "right"};
    DIR *dir = opendir(l->exercise->folder);
    for (struct dirent *file; dir && (file = readdir(dir));) {
        bool fine = !strcmp(file->d_name, ".") || !strcmp(file->d_name, "..");
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            fine = fine || !strcmp(known[i], file->d_name);
        for (size_t i = 0; i < l->exercise->n_runs; i++) { /* its own device files */
            const char *model = l->exercise->runs[i].model;
            fine = fine || (model && !strncmp(model, "./", 2) && !strcmp(model + 2, file->d_name));
        }
        if (!fine) violation(l, "stray file: %s", file->d_name);
    }
    if (dir) closedir(dir);
    free(own);
    free(header);
}

/* hidden.ini, where there is one, draws what its exercise can take. */
static void check_hidden(Lint *l)
{
    char error[PATH_MAX + 500];
    Exercise *drawn = exercise_read(l->entry->folder, error, sizeof error);
    if (drawn && !hidden_draw(drawn, &(HiddenDraw){.seed = 1}, error, sizeof error))
        violation(l, "%s", error);
    char *path = drawn ? exercise_file(drawn, "report.txt") : NULL;
    Text template = {0};
    bool read = path && text_read_file(&template, path, LIMIT_TEXT) == 0;
    for (size_t run = 0; read && run < drawn->n_runs; run++)
        if (drawn->runs[run].hidden &&
            report_names_run(text_string(&template), drawn->runs[run].name))
            violation(
                l, "report.txt shows run %s, which hidden.ini draws: what is hidden is not shown",
                drawn->runs[run].name);
    text_release(&template);
    free(path);
    exercise_free(drawn);
}

/* ---- what has to be run ---- */
static bool run_one(Lint *l, const char *name, Verdict *verdict)
{
    char *path = exercise_file(l->exercise, name);
    JudgeOptions options = {.source = path};
    bool done = judge(l->workspace, l->exercise, &options, verdict);
    free(path);
    return done;
}

/* What a message comes down to: the compiler's first error, else the first line. */
static char *first_line(const Text *text)
{
    const char *start = text_string(text), *error = strstr(start, "error:");
    while (error && error > start && error[-1] != '\n') error--;
    if (error) start = error;
    return memory_format("%.*s", (int)strcspn(start, "\n"), start);
}

/* *judged is false when the exercise itself is broken: every other source would say the same. */
static bool run_starter(Lint *l, bool *judged)
{
    Verdict v;
    bool done = run_one(l, "starter.cu", &v);
    char *line = first_line(&v.message);
    *judged = done && v.kind != VERDICT_GRADER;
    if (done && v.kind == VERDICT_PASS) violation(l, "the starter passes");
    if (done && v.kind == VERDICT_COMPILE) violation(l, "the starter does not compile: %s", line);
    if (done && v.kind == VERDICT_GRADER) violation(l, "nothing can be judged: %s", line);
    free(line);
    verdict_release(l->exercise, &v);
    return done;
}

/* What is right must hold on every legal schedule. */
static bool explore_source(Lint *l, const char *name, const char *who, const Verdict *v)
{
    char *path = exercise_file(l->exercise, name);
    JudgeOptions options = {.source = path};
    Exploration x;
    bool done = explore_program(l->workspace, l->exercise, &options, v, l->options->explore, &x);
    if (done && x.seed)
        violation(l, "%s breaks on the schedule of seed %llu: %s", who, x.seed, x.what);
    if (done && x.failure) violation(l, "%s cannot be explored: %s", who, x.failure);
    exploration_release(&x);
    free(path);
    return done;
}

/* Runs a source that has to pass every check, and leaves its verdict. who: its name in messages. */
static bool run_passing(Lint *l, const char *name, const char *who, Verdict *v)
{
    bool done = run_one(l, name, v);
    if (done && v->kind == VERDICT_PASS && l->options->explore)
        done = explore_source(l, name, who, v);
    if (done && v->kind != VERDICT_PASS && (!v->checks || v->kind >= VERDICT_CRASH)) {
        char *line = first_line(&v->message);
        violation(l, "%s fails: %s", who, line);
        free(line);
    }
    for (size_t i = 0; done && v->checks && i < l->exercise->n_checks; i++) {
        if (v->checks[i].state == CHECK_PASS) continue;
        violation(l, "%s does not pass [check %s]: %s", who, l->exercise->checks[i].id,
                  v->checks[i].cause ? v->checks[i].cause : "blocked");
    }
    return done;
}

static bool run_solution(Lint *l)
{
    Verdict v;
    bool done = run_passing(l, "solution.cu", "the solution", &v);
    if (done && v.checks && v.golden && !l->options->gpu &&
        strcmp(v.golden, text_string(&v.evidence[0].got.report.text)) != 0) {
        violation(l, "golden.txt is not what the solution reports (`threelane golden %s`)",
                  l->exercise->id);
    }
    verdict_release(l->exercise, &v);
    return done;
}

static bool run_right(Lint *l, const char *file)
{
    Text text = {0};
    char *name = memory_format("right/%s", file);
    bool done = true, left_out = l->options->few && l->right++ % 3;
    if (read_own(l, name, &text) && !left_out) {
        Verdict v;
        if (strncmp(text_string(&text), "// ", 3) != 0)
            violation(l, "%s: the first line does not say what is done in another way (`// ...`)",
                      name);
        done = run_passing(l, name, name, &v);
        verdict_release(l->exercise, &v);
    }
    text_release(&text);
    free(name);
    return done;
}

/* True when check i is blocked by `by`, directly or through others; or by the program's early end,
 * which no check stands for. */
static bool blocked_by(const Exercise *e, const CheckResult *results, size_t i, size_t by)
{
    if (i == by || (results[i].state == CHECK_BLOCKED && !results[i].blocked_by)) return true;
    for (size_t n = 0; n < e->checks[i].n_needs; n++) {
        size_t need = e->checks[i].needs[n];
        if (results[need].state != CHECK_PASS && blocked_by(e, results, need, by)) return true;
    }
    return false;
}

/* What has to catch a wrong variant, as its first line says. */
enum { MOST_CATCHERS = 8, CATCH_SEEDS = 100 };
typedef struct Catch {
    size_t checks[MOST_CATCHERS], n; /* these, and no other */
    bool explore;                    /* passes; another legal schedule breaks it */
    bool nothing;                    /* a card cannot tell */
    char *stop;                      /* the program is stopped, and says this */
    char *words;                     /* as they stand there */
} Catch;

/* False, and a violation, when the line is not one. */
static bool read_catch(Lint *l, const char *name, const char *text, Catch *by)
{
    static const char start[] = "// caught-by: ", card[] = ", on a card: ";
    char *line = memory_format("%.*s", (int)strcspn(text, "\n"), text),
         *on_card = strstr(line, card);
    const char *words = strncmp(line, start, sizeof start - 1) ? "" : line + sizeof start - 1;
    bool fine = *words != 0;
    *by = (Catch){0};
    if (!fine) violation(l, "%s: the first line is not `// caught-by: CHECK-ID`", name);
    if (on_card && l->options->gpu) words = on_card + sizeof card - 1;
    else if (on_card) *on_card = 0;
    by->words = memory_copy(words);
    if (!strncmp(words, "stop: ", 6)) by->stop = memory_copy(words + 6);
    else if (!strcmp(words, "explore")) by->explore = true;
    else if (on_card && l->options->gpu && !strcmp(words, "nothing")) by->nothing = true;
    char **ids =
        list_split(fine && !by->stop && !by->explore && !by->nothing ? words : "", '+', NULL);
    for (size_t i = 0; ids[i]; i++) {
        size_t check = exercise_check(l->exercise, ids[i]);
        bool there = check < l->exercise->n_checks && by->n < MOST_CATCHERS;
        if (!there) violation(l, "%s: there is no check '%s'", name, ids[i]);
        else by->checks[by->n++] = check;
        fine = fine && there;
    }
    if (strncmp(strchrnul(text, '\n'), "\n// ", 4) != 0)
        violation(l, "%s: the second line does not say what is wrong (`// ...`)", name);
    list_free(ids);
    free(line);
    return fine;
}

/* Has another one been run that the same (of several, the first) catches? Notes that one has. */
static bool is_caught(Lint *l, const Catch *by)
{
    const char *words = by->n ? l->exercise->checks[by->checks[0]].id : by->words;
    char *line = memory_format("\n%s\n", words);
    bool known = strstr(text_string(&l->caught), line) != NULL;
    text_add(&l->caught, line);
    free(line);
    return known;
}

static void compare_checks(Lint *l, const char *name, const Catch *by, const Verdict *v)
{
    for (size_t i = 0; v->checks && i < l->exercise->n_checks; i++) {
        const CheckResult *r = &v->checks[i];
        const char *check = l->exercise->checks[i].id;
        bool wanted = false, blocked = false;
        for (size_t k = 0; k < by->n; k++) {
            wanted = wanted || i == by->checks[k];
            blocked = blocked || blocked_by(l->exercise, v->checks, i, by->checks[k]);
        }
        if (r->state == CHECK_BROKEN) {
            violation(l, "%s: [check %s] cannot be judged: %s", name, check, r->cause);
        } else if (wanted && r->state != CHECK_FAIL) {
            const char *instead = r->state == CHECK_PASS ? "passes" : "is blocked";
            violation(l, "%s: [check %s] should fail, but it %s", name, check, instead);
        } else if (!wanted && r->state == CHECK_FAIL) {
            violation(l, "%s: [check %s] fails too: %s", name, check, r->cause);
        } else if (by->n && r->blocked_by && !blocked) {
            violation(l, "%s: [check %s] is blocked by '%s', not by '%s'", name, check,
                      r->blocked_by, by->words);
        }
    }
}

/* It passes as it is; some other legal schedule has to break it. */
static bool compare_explored(Lint *l, const char *name, const Verdict *v)
{
    char *path = exercise_file(l->exercise, name);
    JudgeOptions options = {.source = path};
    Exploration x = {0};
    bool done = true;
    if (v->kind != VERDICT_PASS)
        violation(l, "%s: it should pass on the schedule of the course", name);
    else done = explore_program(l->workspace, l->exercise, &options, v, CATCH_SEEDS, &x);
    if (done && v->kind == VERDICT_PASS && !x.seed)
        violation(l, "%s: none of %d schedules breaks it", name, CATCH_SEEDS);
    exploration_release(&x);
    free(path);
    return done;
}

static bool run_wrong(Lint *l, const char *file)
{
    Text text = {0};
    char *name = memory_format("wrong/%s", file);
    Catch by = {0};
    bool done = true,
         fine = read_own(l, name, &text) && read_catch(l, name, text_string(&text), &by);
    if (fine && !by.nothing && !(l->options->few && is_caught(l, &by))) {
        Verdict v = {0};
        done = run_one(l, name, &v);
        bool stopped = v.kind >= VERDICT_CRASH && v.kind < VERDICT_GRADER;
        if (done && !v.checks) {
            char *line = first_line(&v.message);
            violation(l, "%s: %s: %s", name,
                      v.kind == VERDICT_COMPILE ? "does not compile" : "cannot be judged", line);
            free(line);
        }
        if (done) compare_checks(l, name, &by, &v);
        if (done && by.explore) done = compare_explored(l, name, &v);
        if (done && v.checks && by.stop &&
            !(stopped && strstr(text_string(&v.jobs[v.run].output), by.stop)))
            violation(l, "%s: it should be stopped with \"%s\"", name, by.stop);
        verdict_release(l->exercise, &v);
    }
    free(by.stop);
    free(by.words);
    text_release(&text);
    free(name);
    return done;
}

/* Every source in one of the exercise's folders. */
static bool run_all(Lint *l, const char *folder_name, bool (*run)(Lint *, const char *), int fewest)
{
    char *folder = exercise_file(l->exercise, folder_name);
    struct dirent **files;
    int n = scandir(folder, &files, NULL, alphasort), found = 0;
    bool done = true;
    for (int i = 0; i < n; i++) {
        const char *name = files[i]->d_name;
        if (!ends_with(name, ".cu")) {
            if (strcmp(name, ".") && strcmp(name, ".."))
                violation(l, "stray file: %s/%s", folder_name, name);
        } else if (done) {
            found++;
            done = run(l, name);
        }
        free(files[i]);
    }
    if (n >= 0) free(files);
    if (done && found < fewest)
        violation(l, "%d %s variants; at least %d are needed", found, folder_name, fewest);
    free(folder);
    return done;
}

/* False when interrupted. */
static bool lint_entry(Lint *l)
{
    char error[PATH_MAX + 500];
    l->exercise = exercise_read(l->entry->folder, error, sizeof error);
    if (!l->exercise) {
        violation(l, "%s", error);
        return true;
    }
    if (l->options->gpu) exercise_on_card(l->exercise);
    else exercise_on_model(l->exercise, NULL);
    size_t before = l->violations;
    text_clear(&l->caught);
    l->right = 0;
    check_names(l);
    check_hints(l);
    check_texts(l);
    check_stray(l);
    check_hidden(l);
    bool judged, done = run_starter(l, &judged);
    if (done && judged) done = run_solution(l) && run_all(l, "wrong", run_wrong, FEWEST_WRONG);
    /* a card is somebody's time, and what it says of one right program it says of all */
    if (done && judged && !l->options->gpu) done = run_all(l, "right", run_right, FEWEST_RIGHT);
    if (done && l->violations == before)
        terminal_printf(&l->options->out, STYLE_GOOD, "%s: fine\n", l->entry->slug);
    fflush(l->options->out.out);
    exercise_free(l->exercise);
    l->exercise = NULL;
    return done;
}

int command_lint(const Options *options)
{
    Catalogue catalogue;
    char error[PATH_MAX + 500];
    int status = command_course(options, &catalogue, NULL);
    if (status) return status;
    Workspace workspace = {0};
    Lint l = {.options = options, .catalogue = &catalogue, .workspace = &workspace};
    for (size_t w = 0; w < options->n_words && !status; w++) {
        if (!catalogue_find(&catalogue, options->words[w]))
            status = command_fail(VERDICT_USAGE, "there is no exercise '%s'", options->words[w]);
    }
    if (!status && !catalogue.n_entries)
        status = command_fail(VERDICT_USAGE, "%s has no exercises", catalogue.exercises);
    if (!status && !workspace_open(&workspace, &catalogue, error, sizeof error))
        status = command_fail(VERDICT_GRADER, "%s", error);
    Card card = {0};
    if (!status) status = command_card(options, &workspace, &card);
    bool done = !status;
    size_t n = 0;
    for (size_t i = 0; i < catalogue.n_entries && done; i++) {
        bool asked = !options->n_words;
        for (size_t w = 0; w < options->n_words && !asked; w++)
            asked = catalogue_find(&catalogue, options->words[w]) == &catalogue.entries[i];
        l.entry = &catalogue.entries[i];
        if (asked) done = lint_entry(&l), n++;
    }
    if (!status) {
        terminal_printf(&options->out, STYLE_BOLD, "%zu exercise%s, %zu violation%s\n", n,
                        n == 1 ? "" : "s", l.violations, l.violations == 1 ? "" : "s");
        status = l.violations || !done ? VERDICT_FAIL : 0;
    }
    text_release(&l.caught);
    workspace_close(&workspace);
    card_close(&card);
    catalogue_close(&catalogue);
    return status;
}
