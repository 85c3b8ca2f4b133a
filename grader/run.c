/* run.c - `threelane run`: one submission judged, and everything about it printed. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/command.h"
#include "grader/judge.h"
#include "grader/progress.h"
#include "grader/show.h"
#include "grader/source.h"
#include "timeline/analysis.h"

enum { MOST_LINES = 40, MOST_BYTES = 8000, LONGEST_LINE = 400, NARROW = 50 };

typedef struct Session {
    const Options *options;
    const Terminal *out;
    const Catalogue *catalogue;
    const Exercise *exercise;
    Verdict verdict;
    char *source;               /* absolute */
    char *shown;                /* as the student would name it */
    bool own;                   /* the exercise's own file, on its own model: counts as progress */
    bool untouched;
    char *unsaved;              /* why progress could not be written, or NULL */
    char *trace;                /* where the trace was kept, or NULL */
} Session;

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
            if (!line.data[i]) line.data[i] = 1;        /* shown as an escape, like any other control character */
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
        terminal_printf(out, STYLE_DIM, "%*s... %zu more line%s\n", indent, "", left, left == 1 ? "" : "s");
    }
}

static void print_program(Session *s)
{
    const Verdict *v = &s->verdict;
    const Job *job = &v->jobs[v->run];
    bool stopped = v->kind >= VERDICT_CRASH;
    if (!job->output.length && !stopped) return;
    char *heading =
        memory_format("Program%s%s", s->exercise->runs[v->run].label[0] ? " " : "", s->exercise->runs[v->run].label);
    terminal_heading(s->out, heading);
    free(heading);
    print_bounded(s->out, &job->output, 0);
    if (stopped) terminal_wrap(s->out, STYLE_BAD, 0, 0, text_string(&v->message));
    fputc('\n', s->out->out);
}

static void print_schedule(Session *s)
{
    const Trace *trace = s->verdict.evidence[0].got.trace;
    if (!trace) return;
    uint32_t range = s->exercise->show ? analysis_range(trace, s->exercise->show) : 0;
    char *heading = range ? memory_format("Schedule of `%s`", s->exercise->show) : memory_copy("Schedule");
    terminal_heading(s->out, heading);
    free(heading);
    show_lanes(s->out, trace, range);
    if (trace->truncated) {
        terminal_wrap(s->out, STYLE_CARE, 0, 0,
                      "The record ends early, because the program did: all of this is true up to there.");
    }
    if (s->trace) {
        Text words = {0};
        text_printf(&words, "Recorded in %s", s->trace);
        terminal_wrap(s->out, STYLE_DIM, 0, 2, text_string(&words));
        text_release(&words);
    }
    fputc('\n', s->out->out);
}

/* What the virtual GPU had to say, unless the program's output has it already. */
static void print_notes(Session *s)
{
    const Evidence *evidence = &s->verdict.evidence[s->verdict.run];
    const Trace *trace = evidence->got.trace;
    for (uint32_t i = 1, shown = 0; trace && i <= trace->n_notes && shown < 5; i++) {
        const TraceNote *note = &trace->notes[i];
        char site[300];
        Text words = {0};
        if (note->severity == TRACE_INFO || strstr(evidence->output, note->text)) continue;
        analysis_site(note->site, site, sizeof site);
        text_printf(&words, "%s%s%s", site, site[0] ? ": " : "", note->text);
        terminal_wrap(s->out, note->severity == TRACE_ERROR ? STYLE_BAD : STYLE_CARE, 0, 2, text_string(&words));
        text_release(&words);
        shown++;
    }
}

static void print_diff(const Terminal *out, const char *detail, int indent)
{
    static const struct { char mark; const char *words; Style style; } marks[] = {
        {'-', "expected", STYLE_GOOD}, {'+', "yours", STYLE_BAD}, {'^', "", STYLE_BAD}, {' ', "", STYLE_PLAIN},
        {'.', "", STYLE_DIM},
    };
    int column = out->width < NARROW ? 2 : 9;
    for (const char *at = detail; *at; ) {
        const char *end = strchrnul(at, '\n');
        size_t m = 0;
        while (m < 4 && marks[m].mark != *at) m++;
        char *line = memory_format("%.*s", (int)(end - at > 2 ? end - at - 2 : 0), at + (end - at > 2 ? 2 : end - at));
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

static void print_check(Session *s, size_t i)
{
    static const struct { const char *word; Style style, title; } states[] = {
        [CHECK_PASS] = {"pass", STYLE_GOOD, STYLE_PLAIN}, [CHECK_FAIL] = {"FAIL", STYLE_BAD, STYLE_BOLD},
        [CHECK_BLOCKED] = {"blocked", STYLE_CARE, STYLE_DIM}, [CHECK_BROKEN] = {"broken", STYLE_BAD, STYLE_BOLD},
    };
    const ExerciseCheck *check = &s->exercise->checks[i];
    const CheckResult *result = &s->verdict.checks[i];
    const Terminal *out = s->out;
    int indent = out->width < NARROW ? 2 : 15;
    Text words = {0};
    int points = result->state == CHECK_PASS ? check->points : 0;
    if (indent == 2) text_printf(&words, "%d/%d ", points, check->points);
    terminal_printf(out, states[result->state].style, "%-7s ", states[result->state].word);
    if (indent != 2) terminal_printf(out, STYLE_PLAIN, "%3d/%-3d", points, check->points);
    text_add(&words, check->title);
    if (result->state == CHECK_BLOCKED) {
        if (result->blocked_by)
            text_printf(&words, " (after: %s)",
                        s->exercise->checks[exercise_check(s->exercise, result->blocked_by)].title);
        else text_add(&words, " (the program did not end by itself)");
    }
    terminal_wrap(out, states[result->state].title,
                  indent == 2 ? 8 : indent, indent, text_string(&words));
    text_clear(&words);
    if (result->state == CHECK_FAIL || result->state == CHECK_BROKEN) {
        const char *label = s->exercise->runs[result->run].label;
        text_add(&words, result->cause);
        if (label[0]) text_printf(&words, " (%s)", label);
        fprintf(out->out, "%*s", indent, "");
        terminal_wrap(out, STYLE_PLAIN, indent, indent, text_string(&words));
        if (result->detail) print_diff(out, result->detail, indent);
        if (result->state == CHECK_FAIL && check->hints[0]) {
            text_clear(&words);
            text_printf(&words, "Hint: %s", check->hints[0]);
            fprintf(out->out, "%*s", indent, "");
            terminal_wrap(out, STYLE_CARE, indent, indent, text_string(&words));
        }
    }
    text_release(&words);
}

static void print_checks(Session *s)
{
    terminal_heading(s->out, "Checks");
    for (size_t i = 0; i < s->exercise->n_checks; i++) print_check(s, i);
    if (s->verdict.golden_printed) {
        terminal_wrap(s->out, STYLE_BAD, 0, 0, "The program printed the expected report itself. That proves nothing: "
                      "the report that counts is drawn from what the virtual GPU recorded, and what a program prints "
                      "is only shown.");
    }
    Text words = {0};
    text_printf(&words, "%d of %d points", s->verdict.points, s->verdict.points_possible);
    terminal_wrap(s->out, STYLE_BOLD, 0, 0, text_string(&words));
    text_release(&words);
    fputc('\n', s->out->out);
}

/* ---- the last line ---- */
static const CatalogueEntry *following(const Catalogue *catalogue, const Exercise *exercise)
{
    for (size_t i = 0; i < catalogue->n_entries; i++) {
        if (catalogue->entries[i].number > exercise->number) return &catalogue->entries[i];
    }
    return NULL;
}

static void print_next(Session *s)
{
    const Verdict *v = &s->verdict;
    const Exercise *e = s->exercise;
    char again[200], hint[200], other[200];
    Text words = {0};
    Style style = STYLE_BOLD;
    command_typed(s->catalogue, e->id, "run", again, sizeof again);
    command_typed(s->catalogue, e->id, "hint", hint, sizeof hint);
    if (!s->own) snprintf(again, sizeof again, "the same command again");
    if (s->untouched && v->kind != VERDICT_PASS && v->kind != VERDICT_GRADER) {
        terminal_wrap(s->out, STYLE_BOLD, 0, 0,
                      "This is the starter as it came: that it fails is expected. The first step is yours.");
        text_printf(&words, "Next: edit %s (%s), then %s", s->shown, e->todo, again);
    } else if (v->kind == VERDICT_PASS) {
        const CatalogueEntry *after = following(s->catalogue, e);
        style = STYLE_GOOD;
        text_printf(&words, "All checks passed%s", s->own ? "" : ".");
        if (s->own) text_printf(&words, ": %d XP.", e->xp);
        if (after) text_printf(&words, " Next: %s", command_typed(s->catalogue, after->id, "run", other, sizeof other));
        else text_add(&words, " This was the last exercise.");
    } else if (v->kind == VERDICT_COMPILE) {
        text_printf(&words, "Next: mend the first error above, then %s", again);
    } else if (v->kind == VERDICT_GRADER) {
        style = STYLE_BAD;
        text_add(&words, "This is not your program's fault: the exercise or its tools are broken. Next: tell its "
                 "author what is written above.");
    } else {
        size_t first = 0;
        while (v->checks && first < e->n_checks && v->checks[first].state != CHECK_FAIL) first++;
        const char *what = v->kind == VERDICT_TIMEOUT ? "does not end"
                           : v->kind == VERDICT_LIMIT ? "takes so much" : "crashes";
        if (v->kind >= VERDICT_CRASH) text_printf(&words, "Next: find out why the program %s, then %s", what, again);

        else if (v->checks && first < e->n_checks) {
            text_printf(&words, "Next: \"%s\" in %s, then %s", e->checks[first].title, s->shown, again);
            if (s->own) text_printf(&words, " (a further hint: %s)", hint);
        }
    }
    terminal_wrap(s->out, style, 0, 0, text_string(&words));
    text_release(&words);
}

/* ---- progress and traces ---- */
static void record(Progress *progress, void *data)
{
    Session *s = data;
    const char *failed = NULL;
    for (size_t i = 0; s->verdict.checks && i < s->exercise->n_checks && !failed; i++) {
        if (s->verdict.checks[i].state == CHECK_FAIL) failed = s->exercise->checks[i].id;
    }
    progress_record(progress, s->exercise->id, s->verdict.kind == VERDICT_PASS, s->verdict.points, failed);
}

static void keep_trace(Session *s)
{
    if (!s->verdict.trace_paths || !s->verdict.trace_paths[0]) return;
    char *to = memory_format("%s/%s.lane", s->catalogue->state, s->exercise->id);
    if (rename(s->verdict.trace_paths[0], to) == 0) {
        s->trace = catalogue_relative(s->catalogue, to);
        char here[PATH_MAX];
        if (!getcwd(here, sizeof here) || strcmp(here, s->catalogue->root) != 0) {
            free(s->trace);
            s->trace = memory_copy(to);
        }
    }
    free(to);
}

static void print_verdict(Session *s)
{
    const Verdict *v = &s->verdict;
    Text title = {0};
    text_printf(&title, "Exercise %d: %s", s->exercise->number, s->exercise->title);
    terminal_wrap(s->out, STYLE_BOLD, 0, 2, text_string(&title));
    text_release(&title);
    fputc('\n', s->out->out);
    if (v->checks) {
        print_program(s);
        terminal_heading(s->out, "Report");
        Text report = {0};
        text_add(&report, text_string(&v->evidence[0].got.report.text));
        print_bounded(s->out, &report, 0);
        text_release(&report);
        fputc('\n', s->out->out);
        print_schedule(s);
        print_notes(s);
        print_checks(s);
    } else {
        const char *label = s->exercise->runs[v->run].label;
        if (label[0]) terminal_printf(s->out, STYLE_CARE, "(%s)\n", label);
        print_bounded(s->out, &v->message, 0);
        fputc('\n', s->out->out);
    }
    if (s->unsaved) {
        fflush(s->out->out);
        fprintf(stderr, "threelane: warning: %s\n", s->unsaved);
    }
    print_next(s);
}

static bool same_file(const char *a, const char *b)
{
    char *one = realpath(a, NULL), *other = realpath(b, NULL);
    bool same = one && other && !strcmp(one, other);
    free(one);
    free(other);
    return same;
}

static int run_exercise(const Options *options, Catalogue *catalogue, const Exercise *exercise)
{
    char error[PATH_MAX + 500];
    Session s = {.options = options, .out = &options->out, .catalogue = catalogue, .exercise = exercise};
    char *own = exercise_file(exercise, ""), *starter = exercise_file(exercise, "starter.cu");
    s.source = source_open(options->src ? options->src : own, error, sizeof error);
    int status = VERDICT_USAGE;
    Workshop workshop = {0};
    if (!s.source) {
        command_fail(status, "%s", error);
    } else if (!workshop_open(&workshop, catalogue, error, sizeof error)) {
        status = command_fail(VERDICT_GRADER, "%s", error);
    } else {
        JudgeOptions judging = {
            .source = s.source, .model = options->model, .seed = options->seed, .seconds = options->seconds};
        s.shown = options->src ? memory_copy(options->src) : catalogue_relative(catalogue, s.source);
        s.own = same_file(s.source, own) && (!options->model || !strcmp(options->model, exercise->model));
        s.untouched = source_same(s.source, starter);
        status = VERDICT_FAIL;
        if (judge(&workshop, exercise, &judging, &s.verdict)) {
            status = s.verdict.kind;
            if (workshop.warning) s.unsaved = memory_copy(workshop.warning);
            else keep_trace(&s);
            if (s.own && status != VERDICT_GRADER) {
                int failed = progress_update(catalogue->state, record, &s);
                if (failed && !s.unsaved)
                    s.unsaved = memory_format("progress is not saved: %s: %s", catalogue->state, strerror(failed));
            }
            print_verdict(&s);
        }
        verdict_release(exercise, &s.verdict);
    }
    workshop_close(&workshop);
    free(s.source);
    free(s.shown);
    free(s.unsaved);
    free(s.trace);
    free(own);
    free(starter);
    return status;
}

int command_run(const Options *options)
{
    Catalogue catalogue;
    const CatalogueEntry *entry;
    int status = command_course(options, &catalogue, &entry);
    if (status) return status;
    Exercise *exercise = command_exercise(entry);
    if (exercise) exercise_on_model(exercise, options->model);
    status = exercise ? run_exercise(options, &catalogue, exercise) : VERDICT_GRADER;
    exercise_free(exercise);
    catalogue_close(&catalogue);
    return status;
}
