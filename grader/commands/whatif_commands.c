/* whatif_commands.c - `threelane whatif`: a run's calls made again with a change; `threelane
 * predict`: what is expected, before it runs. */
#include "grader/whatif/ask.h"
#include "grader/whatif/expect.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/commands/command.h"
#include "grader/commands/show.h"
#include "grader/judge/judge.h"
#include "timeline/exports/nsys.h"
#include "timeline/trace/analysis.h"

/* A path as it is typed here. */
static char *shown(const WhatifAsk *ask, const char *path)
{
    char here[PATH_MAX];
    const Catalogue *course = ask->catalogue;
    bool at_root = course && getcwd(here, sizeof here) && !strcmp(here, course->root);
    return at_root && path[0] == '/' ? catalogue_relative(course, path) : memory_copy(path);
}

static void print(const Terminal *out, const Asked *asked, const WhatifAsk *ask)
{
    const Answer *answer = &asked->answer;
    const Trace *before = ask->trace;
    char words[400];
    Text text = {0};
    bool alike = !strcmp(trace_unit_name(before), trace_unit_name(answer->after));
    uint64_t longer = answer->before_ns > answer->after_ns ? answer->before_ns : answer->after_ns,
             scale = alike ? longer : 0;
    text_printf(&text, "What if: %s?",
                asked->question.words.length ? text_string(&asked->question.words)
                                             : "nothing is changed");
    terminal_wrap(out, STYLE_BOLD, 0, 2, text_string(&text));
    fputc('\n', out->out);
    terminal_printf(out, STYLE_BOLD, "Then\n");
    show_lanes(out, answer->after, answer->range, scale);
    fputc('\n', out->out);
    terminal_printf(out, STYLE_BOLD, "As it ran\n");
    show_lanes(out, before, ask->range, scale);
    fputc('\n', out->out);
    terminal_wrap(out,
                  answer->after_ns < answer->before_ns && !answer->unfinished ? STYLE_GOOD
                                                                              : STYLE_PLAIN,
                  0, 2, answer_times(answer, before, out->utf8, words, sizeof words));
    if (answer->trouble.length) terminal_wrap(out, STYLE_BAD, 0, 2, text_string(&answer->trouble));
    text_clear(&text);
    answer_hazards(answer, before, 4, &text);
    for (const char *at = text_string(&text); *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char *line = memory_format("%.*s", (int)strcspn(at, "\n"), at);
        terminal_wrap(out, line[0] == 'N' ? STYLE_BAD : STYLE_GOOD, 0, 5, line);
        free(line);
    }
    text_clear(&text);
    text_add(&text, "The source is as it was, and this is no verdict.");
    if (asked->kept) {
        char *kept = shown(ask, asked->kept), *path = shown(ask, ask->path);
        text_printf(&text, " Both, one above the other: %s view %s --compare %s",
                    access("bin/threelane", X_OK) == 0 ? "bin/threelane" : "threelane", kept, path);
        free(kept);
        free(path);
    }
    terminal_wrap(out, STYLE_DIM, 0, 2, text_string(&text));
    text_release(&text);
}

static int ask_about(const Options *options, const char *path, const char *show,
                     const Catalogue *catalogue)
{
    char error[PATH_MAX + 900];
    Trace *trace = nsys_open(path, error, sizeof error);
    if (!trace) return command_fail(VERDICT_FAIL, "%s", error);
    uint32_t range;
    int status = show_range(options, trace, path, show, &range);
    WhatifAsk ask = {.trace = trace,
                     .path = path,
                     .range = range,
                     .catalogue = catalogue,
                     .words = options->words + 1,
                     .n_words = options->n_words - 1,
                     .argv = options->n_program ? options->program : NULL,
                     .keep = options->output};
    Asked asked;
    if (!status && ask.n_words == 0 && !ask.argv)
        status = command_fail(VERDICT_USAGE,
                              "what is to be changed? whatif %s CHANGE...; for example: apart all, "
                              "stream K1=2, pinned h2d, drop-wait ex43.cu:31, device h200 "
                              "(docs/whatif.md has all)",
                              show ? options->words[0] : path);
    if (!status) {
        if (!whatif_ask(&ask, &asked, error, sizeof error))
            status = error[0] ? command_fail(VERDICT_USAGE, "%s", error) : VERDICT_GRADER;
        else print(&options->out, &asked, &ask);
        whatif_release(&asked);
    }
    trace_free(trace);
    return status;
}

int command_whatif(const Options *options)
{
    const char *word = options->words[0];
    Catalogue catalogue = {0};
    if (access(word, F_OK) == 0 || strchr(word, '/') || strchr(word, '.')) {
        char error[PATH_MAX + 300];
        bool course = catalogue_open(&catalogue, options->exercises, error, sizeof error);
        int status = ask_about(options, word, NULL, course ? &catalogue : NULL);
        catalogue_close(&catalogue);
        return status;
    }
    const CatalogueEntry *entry;
    int status = command_course(options, &catalogue, &entry);
    if (status) return status;
    char typed[200], *path = memory_format("%s/%s.lane", catalogue.state, entry->id);
    Exercise *exercise = command_exercise(entry);
    if (!exercise) status = VERDICT_GRADER;
    else if (access(path, R_OK) != 0)
        status = command_fail(VERDICT_USAGE, "there is no run of %s to ask about yet: %s makes one",
                              entry->id,
                              command_typed(&catalogue, entry->id, "run", typed, sizeof typed));
    else status = ask_about(options, path, exercise->show, &catalogue);
    exercise_free(exercise);
    free(path);
    catalogue_close(&catalogue);
    return status;
}

/* ---- predict ---- */

/* The first time, empty rows; then, how right they were. */
static int predict(const Options *options, const Catalogue *catalogue, const Exercise *exercise,
                   const char *file)
{
    char error[PATH_MAX + 300], run[200];
    char *path = memory_format("%s/%s.lane", catalogue->state, exercise->id),
         *shown = catalogue_relative(catalogue, file);
    Trace *trace = access(path, R_OK) == 0 ? trace_read(path, error, sizeof error) : NULL;
    Prediction operations = {0};
    int status = 0;
    command_typed(catalogue, exercise->id, "run", run, sizeof run);
    if (access(file, F_OK) == 0) {
        char *words = trace ? expect_words(file, trace, exercise->show) : NULL;
        if (words) terminal_text(&options->out, STYLE_PLAIN, words);
        else printf("%s is there: %s says how right it is.\n", shown, run);
        free(words);
    } else if (!expect_operations(&operations, trace, exercise) &&
               (prediction_release(&operations), !expect_operations(&operations, NULL, exercise))) {
        status =
            command_fail(VERDICT_USAGE,
                         "it is not known which operations there will be: %s, then once more", run);
    } else {
        int failed = expect_begin(file, &operations, exercise);
        if (failed) status = command_fail(VERDICT_USAGE, "%s: %s", shown, strerror(failed));
        else {
            if (exercise->predict)
                terminal_wrap(&options->out, STYLE_BOLD, 0, 0, exercise->predict);
            printf("Empty rows are in %s: fill them, then %s.\n", shown, run);
        }
    }
    prediction_release(&operations);
    trace_free(trace);
    free(shown);
    free(path);
    return status;
}

int command_predict(const Options *options)
{
    Catalogue catalogue = {0};
    const CatalogueEntry *entry;
    int status = command_own_course(options, &catalogue, &entry);
    if (status) return status;
    Exercise *exercise = command_exercise(entry);
    char *file = exercise ? expect_file(exercise) : NULL;
    status = exercise ? predict(options, &catalogue, exercise, file) : VERDICT_GRADER;
    free(file);
    exercise_free(exercise);
    catalogue_close(&catalogue);
    return status;
}
