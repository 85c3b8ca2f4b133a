/* run.c - `threelane run`: one submission judged, and everything about it printed. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/commands/command.h"
#include "grader/commands/pass_message.h"
#include "grader/commands/show.h"
#include "grader/judge/submission.h"
#include "timeline/trace/analysis.h"

enum { MOST_LINES = 40, MOST_BYTES = 8000, LONGEST_LINE = 400, NARROW = 50 };

/* At most MOST_LINES lines and MOST_BYTES bytes, with a word about the rest. */
static void print_bounded(const Terminal *out, const Text *text, int indent)
{
    const char *at = text_string(text), *end = at + text->length;
    int lines = 0;
    while (at < end && lines < MOST_LINES && at - text_string(text) < MOST_BYTES) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        Text line = {0};
        text_append(&line, at, length < LONGEST_LINE ? length : LONGEST_LINE);
        for (size_t i = 0; i < line.length; i++) {
            if (!line.data[i])
                line.data[i] = 1; /* shown as an escape, like any other control character */
        }
        fprintf(out->out, "%*s", indent, "");
        terminal_text(out, STYLE_PLAIN, text_string(&line));
        if (length > LONGEST_LINE) terminal_text(out, STYLE_DIM, " ...");
        fputc('\n', out->out);
        text_release(&line);
        lines++;
        at = stop ? stop + 1 : end;
    }
    if (at < end) {
        size_t left = 1;
        for (const char *c = at; c < end - 1; c++) left += *c == '\n';
        terminal_printf(out, STYLE_DIM, "%*s... %zu more line%s\n", indent, "", left,
                        left == 1 ? "" : "s");
    }
}

static void print_program(const Terminal *out, const Summary *s)
{
    if (!s->output.length && !s->stopped) return;
    char *heading = memory_format("Program%s%s", s->label[0] ? " " : "", s->label);
    terminal_heading(out, heading);
    free(heading);
    print_bounded(out, &s->output, 0);
    if (s->stopped) terminal_wrap(out, STYLE_BAD, 0, 0, text_string(&s->message));
    fputc('\n', out->out);
}

static void print_schedule(const Terminal *out, const Summary *s, const Trace *trace)
{
    if (!trace) return;
    uint32_t range = s->show ? analysis_range(trace, s->show) : 0;
    if (!pass_message_schedules(out, s, trace)) {
        char *heading =
            range ? memory_format("Schedule of `%s`", s->show) : memory_copy("Schedule");
        terminal_heading(out, heading);
        free(heading);
        show_lanes(out, trace, range, 0);
    }
    if (trace->truncated) {
        terminal_wrap(
            out, STYLE_CARE, 0, 0,
            "The record ends early, because the program did: all of this is true up to there.");
    }
    if (s->trace) {
        Text words = {0};
        text_printf(&words, "Recorded in %s", s->trace);
        terminal_wrap(out, STYLE_DIM, 0, 2, text_string(&words));
        text_release(&words);
    }
    fputc('\n', out->out);
}

/* What was predicted, and what came. */
static void print_expected(const Terminal *out, const Summary *s)
{
    if (!s->expected) return;
    terminal_heading(out, "Expected");
    bool first = true;
    for (const char *at = s->expected; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char *line = memory_format("%.*s", (int)strcspn(at, "\n"), at);
        terminal_wrap(out, first ? STYLE_BOLD : STYLE_PLAIN, 0, 2, line);
        free(line);
        first = false;
    }
    fputc('\n', out->out);
}

static void print_diff(const Terminal *out, const char *detail, int indent)
{
    static const struct {
        char mark;
        const char *words;
        Style style;
    } marks[] = {
        {'-', "expected", STYLE_GOOD}, {'+', "yours", STYLE_BAD}, {'^', "", STYLE_BAD},
        {' ', "", STYLE_PLAIN},        {'.', "", STYLE_DIM},
    };
    int column = out->width < NARROW ? 2 : 9;
    for (const char *at = detail; *at;) {
        const char *end = strchrnul(at, '\n');
        size_t m = 0;
        while (m < 4 && marks[m].mark != *at) m++;
        char *line = memory_format("%.*s", (int)(end - at > 2 ? end - at - 2 : 0),
                                   at + (end - at > 2 ? 2 : end - at));
        fprintf(out->out, "%*s", indent, "");
        if (column == 2)
            terminal_printf(out, marks[m].style, "%c ",
                            marks[m].mark == '.' || marks[m].mark == '^' ? ' ' : marks[m].mark);
        else terminal_printf(out, marks[m].style, "%-*s", column, marks[m].words);
        terminal_text(out, marks[m].style, line);
        fputc('\n', out->out);
        free(line);
        at = *end ? end + 1 : end;
    }
}

static void print_check(const Terminal *out, const SummaryCheck *check)
{
    static const struct {
        const char *word;
        Style style, title;
    } states[] = {
        [CHECK_PASS] = {"pass", STYLE_GOOD, STYLE_PLAIN},
        [CHECK_FAIL] = {"FAIL", STYLE_BAD, STYLE_BOLD},
        [CHECK_BLOCKED] = {"blocked", STYLE_CARE, STYLE_DIM},
        [CHECK_BROKEN] = {"broken", STYLE_BAD, STYLE_BOLD},
        [CHECK_OPEN] = {"open", STYLE_DIM, STYLE_DIM},
        [CHECK_OTHER_MODEL] = {"differs", STYLE_CARE, STYLE_PLAIN},
    };
    int indent = out->width < NARROW ? 2 : 15;
    Text words = {0};
    if (indent == 2) text_printf(&words, "%d/%d ", check->points, check->possible);
    terminal_printf(out, states[check->state].style, "%-7s ", states[check->state].word);
    if (indent != 2) terminal_printf(out, STYLE_PLAIN, "%3d/%-3d", check->points, check->possible);
    text_add(&words, check->title);
    if (check->state == CHECK_OPEN) text_add(&words, " (only on the canonical schedule)");
    terminal_wrap(out, states[check->state].title, indent == 2 ? 8 : indent, indent,
                  text_string(&words));
    char *score = summary_score_words(&check->score);
    if (score) {
        fprintf(out->out, "%*s", indent, "");
        terminal_wrap(out, STYLE_DIM, indent, indent, score);
        free(score);
    }
    if (check->cause) {
        fprintf(out->out, "%*s", indent, "");
        terminal_wrap(out, STYLE_PLAIN, indent, indent, check->cause);
        if (check->detail) print_diff(out, check->detail, indent);
    }
    if (check->hints[0]) {
        text_clear(&words);
        text_printf(&words, "Hint: %s", check->hints[0]);
        fprintf(out->out, "%*s", indent, "");
        terminal_wrap(out, STYLE_CARE, indent, indent, text_string(&words));
    }
    text_release(&words);
}

/* Those that could not be judged yet, as one line: they are not what to look at. */
static void print_blocked(const Terminal *out, const Summary *s)
{
    int n = 0, possible = 0, indent = out->width < NARROW ? 2 : 15;
    bool stopped = false;
    for (size_t i = 0; i < s->n_checks; i++) {
        if (s->checks[i].state != CHECK_BLOCKED) continue;
        n++;
        possible += s->checks[i].possible;
        stopped |= !s->checks[i].after;
    }
    if (!n) return;
    Text words = {0};
    if (indent == 2) text_printf(&words, "0/%d ", possible);
    terminal_printf(out, STYLE_CARE, "%-7s ", "blocked");
    if (indent != 2) terminal_printf(out, STYLE_PLAIN, "%3d/%-3d", 0, possible);
    text_printf(&words, "%d %scheck%s", n, n == (int)s->n_checks ? "" : "more ", n == 1 ? "" : "s");
    if (stopped) text_add(&words, ": the program did not end by itself");
    else text_printf(&words, " wait%s for what fails above", n == 1 ? "s" : "");
    terminal_wrap(out, STYLE_DIM, indent == 2 ? 8 : indent, indent, text_string(&words));
    text_release(&words);
}

static void print_checks(const Terminal *out, const Summary *s)
{
    for (size_t i = 0; i < s->n_notes; i++)
        terminal_wrap(out, s->notes[i].error ? STYLE_BAD : STYLE_CARE, 0, 2, s->notes[i].text);
    if (s->machine) {
        Text words = {0};
        text_printf(&words,
                    "This run was on %s, another machine than the exercise's own (%s). It is for "
                    "looking: what "
                    "differs there is marked, and none of it counts.",
                    s->machine, s->own_machine);
        terminal_wrap(out, STYLE_CARE, 0, 0, text_string(&words));
        fputc('\n', out->out);
        text_release(&words);
    }
    terminal_heading(out, "Checks");
    for (size_t i = 0; i < s->n_checks; i++)
        if (s->checks[i].state != CHECK_BLOCKED) print_check(out, &s->checks[i]);
    print_blocked(out, s);
    if (s->golden_printed) {
        terminal_wrap(out, STYLE_BAD, 0, 0,
                      "The program printed the expected report itself. That proves nothing: "
                      "the report that counts is drawn from what was recorded on the GPU, and what "
                      "a program prints "
                      "is only shown.");
    }
    Text words = {0};
    text_printf(&words, "%d of %d points", s->points, s->possible);
    if (s->untouched && s->points > 0 && s->points < s->possible)
        text_add(&words, " (the starter has these as it came)");
    if (s->machine) text_printf(&words, " that can be had on %s", s->machine);
    terminal_wrap(out, STYLE_BOLD, 0, 0, text_string(&words));
    text_release(&words);
    fputc('\n', out->out);
}

/* ---- the last line ---- */
static const CatalogueEntry *following(const Catalogue *catalogue, int number)
{
    for (size_t i = 0; i < catalogue->n_entries; i++) {
        if (catalogue->entries[i].number > number) return &catalogue->entries[i];
    }
    return NULL;
}

static bool elsewhere_differs(const Summary *s)
{
    for (size_t i = 0; i < s->n_checks; i++)
        if (s->checks[i].state == CHECK_OTHER_MODEL) return true;
    return false;
}

/* What is typed to run it again. */
static void again_words(const Catalogue *catalogue, const Summary *s, char *again, size_t size)
{
    command_typed(catalogue, s->id, "run", again, size);
    if (s->card) {
        bool make = !strncmp(again, "make", 4);
        size_t length = strlen(again);
        snprintf(again + length, size - length, make ? " GPU=1" : " --gpu");
        length = strlen(again);
        if (s->card_number)
            snprintf(again + length, size - length, make ? " CARD=%d" : " --card %d",
                     s->card_number);
    }
    if (!s->own) snprintf(again, size, "the same command again");
}

static void next_of_pass(const Catalogue *catalogue, const Summary *s, Text *words)
{
    char other[200];
    const CatalogueEntry *after = following(catalogue, s->number);

    if (s->machine && !s->own) {
        text_printf(words,
                    "There is nothing to mend: every check holds %s. What counts is the run on "
                    "that: %s.",
                    elsewhere_differs(s) ? "here, or on the exercise's own machine"
                                         : "here, as on the exercise's own machine",
                    command_typed(catalogue, s->id, "run", other, sizeof other));
        return;
    }
    text_printf(words, "All checks passed%s", s->own ? "" : ".");
    if (s->own) text_printf(words, ": %d XP.", s->xp);
    if (after)
        text_printf(words, " Next: %s",
                    command_typed(catalogue, after->id, "run", other, sizeof other));
    else if (!s->machine) text_add(words, " This was the last exercise.");
}

static void next_of_compile(const Terminal *out, const Summary *s, const char *again, Text *words)
{
    if (s->stop_hint) {
        text_printf(words, "Hint: %s", s->stop_hint);
        terminal_wrap(out, STYLE_CARE, 0, 0, text_string(words));
        text_clear(words);
    }
    if (s->undefined)
        text_printf(words,
                    "Next: `%s` is called and nowhere to be found: give your function exactly "
                    "this name and these parameters, then %s",
                    s->undefined, again);
    else text_printf(words, "Next: mend the first error above, then %s", again);
}

static void next_of_grader(const Summary *s, const char *again, Text *words)
{
    if (s->card) text_add(words, "This is not your program's fault. Next: what is written above.");
    else if (s->because == REASON_DISK_FULL)
        text_printf(words,
                    "This is not your program's fault: the disk is full. Next: make room, then %s",
                    again);
    else
        text_add(words, "This is not your program's fault: the exercise or its tools are "
                        "broken. Next: tell its author what is written above.");
}

/* It failed, or was stopped: prints why it was, and a hint for that. */
static void next_of_failure(const Terminal *out, const Catalogue *catalogue, const Summary *s,
                            const char *again, Text *words)
{
    char hint[200];
    const SummaryCheck *first = summary_failed(s);
    const char *what = !s->n_checks                  ? "keeps the compiler so busy"
                       : s->kind == VERDICT_TIMEOUT  ? "does not end"
                       : s->kind == VERDICT_LIMIT    ? "takes so much"
                       : s->kind == VERDICT_REFUSED  ? "needs what is refused"
                       : s->because == REASON_SIGNAL ? "crashes"
                                                     : "stops before its end";
    if (s->reason) {
        text_printf(words, "It stopped: %s", s->reason);
        print_bounded(out, words, 0);
        text_clear(words);
    } else if (s->kind == VERDICT_CRASH) { /* it ended itself: what was found until then tells most
                                            */
        const char *said = text_string(&s->message);
        text_printf(words, "It stopped: %.*s", (int)strcspn(said, "\n"), said);
        if (first && first->cause) text_printf(words, " Before that: %s", first->cause);
        terminal_wrap(out, STYLE_PLAIN, 0, 0, text_string(words));
        text_clear(words);
    }
    if (s->stop_hint) {
        text_printf(words, "Hint: %s", s->stop_hint);
        terminal_wrap(out, STYLE_CARE, 0, 0, text_string(words));
        text_clear(words);
    }
    if (s->stopped) {
        text_printf(words, "Next: find out why the program %s, then %s", what, again);
    } else if (first) {
        if (first->cause) {
            text_printf(words, "Why: %s", first->cause);
            terminal_wrap(out, STYLE_PLAIN, 0, 5, text_string(words));
            text_clear(words);
        }
        text_printf(words, "Next: \"%s\" in %s, then %s", first->title, s->file, again);
        if (s->own)
            text_printf(words, " (a further hint: %s)",
                        command_typed(catalogue, s->id, "hint", hint, sizeof hint));
    }
}

static void print_next(const Terminal *out, const Catalogue *catalogue, const Summary *s)
{
    char again[200], typed[200];
    Text words = {0};
    if (s->kind == VERDICT_USAGE) return; /* what was asked for is wrong: that is said */
    again_words(catalogue, s, again, sizeof again);

    Style style = s->kind == VERDICT_PASS     ? STYLE_GOOD
                  : s->kind == VERDICT_GRADER ? STYLE_BAD
                                              : STYLE_BOLD;
    if (s->predict) {
        text_printf(&words, "Before you edit, predict: %s (%s gives you the empty rows)",
                    s->predict, command_typed(catalogue, s->id, "predict", typed, sizeof typed));
        terminal_wrap(out, STYLE_CARE, 0, 2, text_string(&words));
        text_clear(&words);
    }
    if (s->untouched && s->kind != VERDICT_PASS && s->kind != VERDICT_GRADER) {
        terminal_wrap(
            out, STYLE_BOLD, 0, 0,
            "This is the starter as it came: that it fails is expected. The first step is yours.");
        text_printf(&words, "Next: edit %s (%s), then %s", s->file, s->todo, again);
    } else if (s->kind == VERDICT_PASS) {
        next_of_pass(catalogue, s, &words);
    } else if (s->kind == VERDICT_COMPILE) {
        next_of_compile(out, s, again, &words);
    } else if (s->kind == VERDICT_GRADER) {
        next_of_grader(s, again, &words);
    } else {
        next_of_failure(out, catalogue, s, again, &words);
    }
    terminal_wrap(out, style, 0, 0, text_string(&words));
    text_release(&words);
}

void command_print(const Terminal *out, const Catalogue *catalogue, const Summary *s,
                   const Trace *trace)
{
    Text title = {0};
    text_printf(&title, "Exercise %d: %s", s->number, s->title);
    if (s->card) text_printf(&title, " (on %s)", s->card);
    terminal_wrap(out, STYLE_BOLD, 0, 2, text_string(&title));
    text_release(&title);
    fputc('\n', out->out);
    if (s->judged) {
        print_program(out, s);
        terminal_heading(out, "Report");
        print_bounded(out, &s->report, 0);
        fputc('\n', out->out);
        print_schedule(out, s, trace);
        print_expected(out, s);
        print_checks(out, s);
    } else {
        if (s->label[0]) terminal_printf(out, STYLE_CARE, "(%s)\n", s->label);
        print_bounded(out, &s->message, 0);
        fputc('\n', out->out);
    }
    if (s->unsaved) {
        fflush(out->out);
        fprintf(stderr, "threelane: warning: %s\n", s->unsaved);
    }
    if (s->kind == VERDICT_PASS) pass_message_words(out, catalogue, s);
    print_next(out, catalogue, s);
}

static void print_exploration(const Terminal *out, const Catalogue *catalogue, const Submission *s)
{
    const Exploration *e = &s->exploration;
    Text words = {0};
    if (!s->explore) return;
    fputc('\n', out->out);
    terminal_heading(out, "Explored");
    if (!e->asked) {
        terminal_wrap(out, STYLE_CARE, 0, 0,
                      "No other schedule was tried: the program does not come to its end on this "
                      "one.");
        return;
    }
    char again[200];
    command_typed(catalogue, s->exercise->id, "run", again, sizeof again);
    bool make = !strncmp(again, "make ", 5);
    text_printf(&words, "%llu of %llu other legal schedules in %.1f s (%.0f a second)", e->ran,
                e->asked, e->seconds, e->seconds > 0 ? (double)e->ran / e->seconds : 0);
    if (!e->seed && !e->failure)
        text_add(&words, ": every one gives the same results and holds what must hold.");
    else text_add(&words, ".");
    terminal_wrap(out, e->seed || e->failure ? STYLE_PLAIN : STYLE_GOOD, 0, 0, text_string(&words));
    text_clear(&words);
    if (e->failure) {
        text_printf(&words, "Stopped: %s", e->failure);
        terminal_wrap(out, STYLE_BAD, 0, 2, text_string(&words));
        text_clear(&words);
    }
    if (e->seed) {
        text_printf(&words, "Seed %llu breaks it. %s", e->seed, e->what);
        terminal_wrap(out, STYLE_BAD, 0, 2, text_string(&words));
        text_clear(&words);
        text_printf(&words, "Next: %s%s%s%s%llu shows this schedule", again,
                    s->src ? make ? " SRC=" : " --src " : "", s->src ? s->src : "",
                    make ? " SEED=" : " --seed ", e->seed);
        if (s->explored_trace) text_printf(&words, "; its trace is %s", s->explored_trace);
        terminal_wrap(out, STYLE_BOLD, 0, 0, text_string(&words));
    }
    text_release(&words);
}

static int run_exercise(const Options *options, const Catalogue *catalogue,
                        const Exercise *exercise)
{
    char error[PATH_MAX + 500];
    VerdictKind status;
    Submission s = {.catalogue = catalogue,
                    .exercise = exercise,
                    .src = options->src,
                    .model = options->model,
                    .predict = options->predict,
                    .seed = options->input,
                    .schedule = options->seed,
                    .explore = options->explore,
                    .seconds = options->seconds,
                    .trusted = options->trusted,
                    .unsafe = options->unsafe,
                    .gpu = options->gpu,
                    .card = options->card,
                    .trace_to = -1};
    if (submission_judge(&s, &status, error, sizeof error)) {
        if (options->json) {
            summary_json(stdout, &s.summary,
                         &(SummaryJson){.path = s.summary.file,
                                        .seed = s.seed ? s.seed : 1,
                                        .explored = &s.exploration});
        } else {
            command_print(&options->out, catalogue, &s.summary, s.verdict.evidence[0].got.trace);
            print_exploration(&options->out, catalogue, &s);
        }
    } else if (error[0]) {
        char reset[200], *own = exercise_file(exercise, "");
        bool spoilt = !options->src && !strncmp(error, own, strlen(own));
        command_typed(catalogue, exercise->id, "reset", reset, sizeof reset);
        command_fail(status, spoilt ? "%s (`%s` brings the starter back)" : "%s", error, reset);
        free(own);
    }
    submission_release(&s);
    return status;
}

int command_run(const Options *options)
{
    Catalogue catalogue;
    const CatalogueEntry *entry;
    const char *other = options->explore   ? "explore"
                        : options->seed    ? "seed"
                        : options->trusted ? "trusted"
                                           : NULL;
    if (options->gpu && other)
        return command_fail(VERDICT_USAGE,
                            "--%s is for the virtual GPU; a real one (--gpu, GPU=1) is as it is",
                            other);
    if (options->trusted && (options->seed || options->explore))
        return command_fail(VERDICT_USAGE,
                            "--trusted judges the schedule of the course; leave out --%s", other);
    int status = options->src ? command_course(options, &catalogue, &entry)
                              : command_own_course(options, &catalogue, &entry);
    if (status) return status;
    Exercise *exercise = command_exercise(entry);
    if (exercise && options->gpu) exercise_on_card(exercise);
    else if (exercise) exercise_on_model(exercise, options->model);
    status = exercise ? run_exercise(options, &catalogue, exercise) : VERDICT_GRADER;
    exercise_free(exercise);
    catalogue_close(&catalogue);
    return status;
}
