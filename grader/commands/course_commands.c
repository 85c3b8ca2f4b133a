/* course_commands.c - the commands around an exercise: list, next, hint, lesson, solution,
 * reset. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "common/env.h"
#include "common/glyphs.h"
#include "common/limits.h"
#include "grader/build/build.h"
#include "grader/commands/command.h"
#include "grader/commands/pass_message.h"
#include "grader/judge/judge.h"
#include "grader/lessons/lesson.h"
#include "grader/course/progress.h"
#include "grader/course/reset.h"

enum { LIST_NARROW = 60 };

/* ---- list, next ---- */
static const char *state_word(const ProgressItem *item)
{
    return !item || item->state == PROGRESS_NEW ? "new"
           : item->state == PROGRESS_PASSED     ? "passed"
                                                : "tried";
}

static void list_row(const Terminal *out, const Exercise *e, const ProgressItem *item,
                     int title_width)
{
    const char *state = state_word(item);
    Style style = item && item->state == PROGRESS_PASSED  ? STYLE_GOOD
                  : item && item->state == PROGRESS_TRIED ? STYLE_CARE
                                                          : STYLE_PLAIN;
    if (out->width < LIST_NARROW) {
        terminal_printf(out, STYLE_BOLD, "%s ", e->id);
        terminal_text(out, style, state);
        Text rest = {0};
        text_printf(&rest, "%s, %d XP", e->level, e->xp);
        fprintf(out->out, " ");
        terminal_wrap(out, STYLE_PLAIN, (int)strlen(e->id) + (int)strlen(state) + 2, 2,
                      text_string(&rest));
        fprintf(out->out, "  ");
        terminal_wrap(out, STYLE_PLAIN, 2, 2, e->title);
        text_release(&rest);
        return;
    }
    char *title = memory_copy(e->title);
    /* a title that is too long is cut between characters */
    for (size_t n = strlen(title); glyphs_columns(title) > title_width;) {
        while (n > 0 && ((unsigned char)title[n - 1] & 0xc0) == 0x80) n--;
        title[n ? --n : 0] = 0;
    }
    terminal_printf(out, STYLE_BOLD, "%-6s", e->id);
    terminal_text(out, STYLE_PLAIN, title);
    terminal_printf(out, STYLE_PLAIN, "%*s  %-7s %3d  ", title_width - glyphs_columns(title), "",
                    e->level, e->xp);
    terminal_text(out, style, state);
    if (item && item->state == PROGRESS_TRIED)
        terminal_printf(out, STYLE_DIM, " (%d points)", item->points);
    fputc('\n', out->out);
    free(title);
}

static int read_progress(const Catalogue *catalogue, Progress *progress)
{
    int failed = progress_read(progress, catalogue->state);
    if (failed)
        command_fail(VERDICT_PASS, "warning: %s/progress: %s", catalogue->state, strerror(failed));
    return failed;
}

int command_list(const Options *options)
{
    Catalogue catalogue;
    int status = command_course(options, &catalogue, NULL), reached = 0, total = 0, widest = 5;
    if (status) return status;
    Progress progress;
    read_progress(&catalogue, &progress);
    Exercise **exercises = memory_get(catalogue.n_entries, sizeof *exercises);
    for (size_t i = 0; i < catalogue.n_entries; i++) {
        exercises[i] = command_exercise(&catalogue.entries[i]);
        if (!exercises[i]) status = VERDICT_GRADER;
        else if (glyphs_columns(exercises[i]->title) > widest)
            widest = glyphs_columns(exercises[i]->title);
    }
    if (widest > options->out.width - 40) widest = options->out.width - 40;
    if (options->out.width >= LIST_NARROW)
        terminal_printf(&options->out, STYLE_DIM, "%-6s%-*s  %-7s %3s  %s\n", "", widest, "title",
                        "level", "XP", "state");
    for (size_t i = 0; i < catalogue.n_entries; i++) {
        if (!exercises[i]) continue;
        const ProgressItem *item = progress_find(&progress, exercises[i]->id);
        list_row(&options->out, exercises[i], item, widest);
        total += exercises[i]->xp;
        if (item && item->state == PROGRESS_PASSED) reached += exercises[i]->xp;
        exercise_free(exercises[i]);
    }
    if (!catalogue.n_entries)
        status = command_fail(VERDICT_USAGE, "%s has no exercises", catalogue.exercises);
    else terminal_printf(&options->out, STYLE_BOLD, "%d of %d XP\n", reached, total);
    free(exercises);
    progress_release(&progress);
    catalogue_close(&catalogue);
    return status;
}

int command_next(const Options *options)
{
    Catalogue catalogue;
    int status = command_own_course(options, &catalogue, NULL);
    if (status) return status;
    Progress progress;
    read_progress(&catalogue, &progress);
    const CatalogueEntry *entry = NULL;
    for (size_t i = 0; i < catalogue.n_entries && !entry; i++) {
        const ProgressItem *item = progress_find(&progress, catalogue.entries[i].id);
        if (!item || item->state != PROGRESS_PASSED) entry = &catalogue.entries[i];
    }
    Exercise *e = entry ? command_exercise(entry) : NULL;
    if (e) {
        char run[200], lesson[200];
        char *file = exercise_file(e, ""), *shown = catalogue_relative(&catalogue, file);
        Text words = {0};
        text_printf(&words, "Exercise %d: %s (%s, %d XP)", e->number, e->title, e->level, e->xp);
        terminal_wrap(&options->out, STYLE_BOLD, 0, 2, text_string(&words));
        text_clear(&words);
        text_printf(&words, "Read: %s\nEdit: %s\n(%s)\nTry: %s",
                    command_typed(&catalogue, e->id, "lesson", lesson, sizeof lesson), shown,
                    e->todo, command_typed(&catalogue, e->id, "run", run, sizeof run));
        char **lines = list_split(text_string(&words), '\n', NULL);
        for (size_t i = 0; lines[i]; i++) terminal_wrap(&options->out, STYLE_PLAIN, 0, 6, lines[i]);
        list_free(lines);
        text_release(&words);
        free(file);
        free(shown);
    } else if (entry) {
        status = VERDICT_GRADER;
    } else {
        terminal_wrap(&options->out, STYLE_GOOD, 0, 0,
                      catalogue.n_entries ? "Every exercise is passed."
                                          : "There are no exercises here.");
    }
    exercise_free(e);
    progress_release(&progress);
    catalogue_close(&catalogue);
    return status;
}

/* ---- hint ---- */
static int hint(const Options *options, const Catalogue *catalogue, const Exercise *e)
{
    Progress progress;
    char run[200], lesson[200];
    read_progress(catalogue, &progress);
    const ProgressItem *item = progress_find(&progress, e->id);
    size_t check = item && item->failed ? exercise_check(e, item->failed) : e->n_checks;
    int status = 0;
    command_typed(catalogue, e->id, "run", run, sizeof run);
    if (!item || (item->failed && check == e->n_checks)) {
        status =
            command_fail(VERDICT_FAIL, "hints are about a check that failed: try `%s` first", run);
    } else if (!item->failed && item->state == PROGRESS_PASSED) {
        terminal_wrap(&options->out, STYLE_GOOD, 0, 0,
                      "It is passed, and no check has failed since: there is nothing to hint at.");
    } else if (!item->failed) {
        status =
            command_fail(VERDICT_FAIL,
                         "the last run did not come to a check that failed; `%s` says why", run);
    } else {
        const ExerciseCheck *of = &e->checks[check];
        int stages = 0;
        while (stages < EXERCISE_HINTS && of->hints[stages]) stages++;
        int stage = progress_hint(&progress, e->id, of->id);
        bool last = stage >= stages;
        if (!last) stage++;
        terminal_wrap(&options->out, STYLE_BOLD, 0, 2, of->title);
        Text words = {0};
        if (stages) text_printf(&words, "Hint %d of %d: %s", stage, stages, of->hints[stage - 1]);
        else text_add(&words, "There are no hints for this check.");
        terminal_wrap(&options->out, STYLE_PLAIN, 0, 2, text_string(&words));
        if (last && stages) {
            text_clear(&words);
            text_printf(&words, "That was the last one. Read about it: %s",
                        command_typed(catalogue, e->id, "lesson", lesson, sizeof lesson));
            terminal_wrap(&options->out, STYLE_DIM, 0, 0, text_string(&words));
        }
        text_release(&words);
        int failed = stages ? progress_save_hint(catalogue->state, e->id, of->id, stage) : 0;
        if (failed)
            command_fail(VERDICT_PASS, "warning: progress is not saved: %s: %s", catalogue->state,
                         strerror(failed));
    }
    progress_release(&progress);
    return status;
}

typedef int Open(const Options *, Catalogue *, const CatalogueEntry **);

static int with_exercise(const Options *options, Open *open_course,
                         int (*act)(const Options *, const Catalogue *, const Exercise *))
{
    Catalogue catalogue;
    const CatalogueEntry *entry;
    int status = open_course(options, &catalogue, &entry);
    if (status) return status;
    Exercise *e = command_exercise(entry);
    status = e ? act(options, &catalogue, e) : VERDICT_GRADER;
    exercise_free(e);
    catalogue_close(&catalogue);
    return status;
}

int command_hint(const Options *options) { return with_exercise(options, command_course, hint); }

/* ---- lesson, solution: long texts, through a pager on a terminal ---- */
/* Shows text in $PAGER (less by default); false when there is none or the output is no terminal. */
static bool paged(const Options *options, const Text *text)
{
    const char *pager = getenv(ENV_PAGER);
    if (!options->out.is_terminal) return false;
    char **words = list_split(pager && *pager ? pager : "less", ' ', NULL);
    char *program = words[0] ? command_find_program(words[0]) : NULL;
    int fds[2];
    bool shown = false;
    if (program && pipe2(fds, O_CLOEXEC) == 0) {
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0) {
            dup2(fds[0], 0);
            signal(SIGPIPE, SIG_DFL);
            setenv(ENV_LESS, "FRX", 0);
            execv(program, words);
            _exit(127);
        }
        close(fds[0]);
        for (size_t at = 0; pid > 0 && at < text->length;) {
            ssize_t n = write(fds[1], text->data + at, text->length - at);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) break;
            at += (size_t)n;
        }
        close(fds[1]);
        int ended = 0;
        while (pid > 0 && waitpid(pid, &ended, 0) < 0 && errno == EINTR) {}
        shown = pid > 0 && !(WIFEXITED(ended) && WEXITSTATUS(ended) == 127);
    }
    free(program);
    list_free(words);
    return shown;
}

static int lesson(const Options *options, const Catalogue *catalogue, const Exercise *e)
{
    const Terminal *out = &options->out;
    LessonLook look = {.drawn = out->is_terminal || options->color == COLOR_ALWAYS,
                       .colors = out->colors > 0,
                       .utf8 = out->utf8,
                       .width = out->width};
    char *path;
    Text text = {0};
    int status = 0, failed = lesson_text(catalogue, e->folder, &look, &text, &path);
    if (failed) status = command_fail(VERDICT_GRADER, "%s: %s", path, strerror(failed));
    else if (!paged(options, &text)) fwrite(text_string(&text), 1, text.length, out->out);
    text_release(&text);
    free(path);
    return status;
}

int command_lesson(const Options *options)
{
    return with_exercise(options, command_course, lesson);
}

/* The solution beside the student's own file; false, and nothing is added, where there is none to
 * put beside it. */
static bool beside(const Options *options, const Exercise *e, const char *solution, Text *text)
{
    char *file = exercise_file(e, ""), *bytes = NULL;
    size_t size = 0;
    Text mine = {0};
    bool there = !text_read_file(&mine, file, LIMIT_SUBMISSION);
    Terminal out = options->out;
    out.out = there ? open_memstream(&bytes, &size) : NULL;
    if (out.out) {
        pass_message_beside(&out, text_string(&mine), solution);
        there = fclose(out.out) == 0;
    }
    if (out.out && there) text_append(text, bytes, size);
    else there = false;
    free(bytes);
    free(file);
    text_release(&mine);
    return there;
}

static int solution(const Options *options, const Catalogue *catalogue, const Exercise *e)
{
    Progress progress;
    char run[200];
    read_progress(catalogue, &progress);
    const ProgressItem *item = progress_find(&progress, e->id);
    bool passed = item && item->state == PROGRESS_PASSED;
    progress_release(&progress);
    if (!passed && !options->force) {
        return command_fail(VERDICT_FAIL,
                            "the solution is for after you have passed: `%s`; to see it now, "
                            "--force (FORCE=1 with make)",
                            command_typed(catalogue, e->id, "run", run, sizeof run));
    }
    char *path = exercise_file(e, "solution.cu");
    Text raw = {0}, text = {0};
    int status = 0, failed = text_read_file(&raw, path, LIMIT_LESSON);
    if (failed == ENOENT) {
        status =
            command_fail(VERDICT_USAGE,
                         "this copy of the course has no solutions; ask whoever gave it to you");
    } else if (failed) {
        status = command_fail(VERDICT_GRADER, "%s: %s", path, strerror(failed));
    } else {
        bool wide = options->out.width >= PASS_MESSAGE_BESIDE &&
                    (options->out.is_terminal || options->width);
        if (!(wide && beside(options, e, text_string(&raw), &text)))
            text_add_shown(&text, text_string(&raw), raw.length, !options->out.utf8);
        if (!paged(options, &text)) fwrite(text_string(&text), 1, text.length, options->out.out);
    }
    text_release(&raw);
    text_release(&text);
    free(path);
    return status;
}

int command_solution(const Options *options)
{
    return with_exercise(options, command_course, solution);
}

/* ---- reset ---- */
static bool agreed(const Options *options, const char *file)
{
    if (options->yes) return true;
    terminal_printf(&options->out, STYLE_PLAIN,
                    "Replace %s by the untouched starter? Yours is kept as a backup. [y/N] ", file);
    fflush(options->out.out);
    char answer[100];
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

static int reset(const Options *options, const Catalogue *catalogue, const Exercise *e)
{
    const Terminal *out = &options->out;
    char *file = exercise_file(e, ""), *shown = catalogue_relative(catalogue, file), *backup = NULL;
    char error[PATH_MAX + 300];
    ResetState state = reset_check(e, error, sizeof error);
    bool asked = state == RESET_DONE, yes = asked && agreed(options, shown);
    if (yes) state = reset_do(catalogue, e, &backup, error, sizeof error);
    int status = 0;
    if (state == RESET_BROKEN) {
        status = command_fail(VERDICT_GRADER, "%s", error);
    } else if (state == RESET_FAILED) {
        status = command_fail(VERDICT_USAGE, "%s", error);
    } else if (asked && !yes) {
        terminal_text(out, STYLE_PLAIN, "Nothing was changed.\n");
        status = VERDICT_FAIL;
    } else {
        char *kept = backup ? catalogue_relative(catalogue, backup) : NULL;
        terminal_printf(out, STYLE_PLAIN, "%s is the untouched starter %s.\n", shown,
                        asked ? "again" : "already");
        if (kept) terminal_printf(out, STYLE_PLAIN, "Yours is kept as %s\n", kept);
        free(kept);
    }
    free(file);
    free(shown);
    free(backup);
    return status;
}

int command_reset(const Options *options)
{
    return with_exercise(options, command_own_course, reset);
}
