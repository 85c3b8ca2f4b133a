/* show.c - `threelane show`: a trace as text or as another tool's file. */
#include "grader/commands/show.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/whatif/ask.h"
#include "grader/commands/command.h"
#include "timeline/exports/export.h"
#include "grader/judge/judge.h"
#include "timeline/trace/analysis.h"
#include "timeline/trace/labels.h"
#include "timeline/exports/nsys.h"
#include "timeline/pictures/schedule.h"

static ScheduleOptions schedule_options(const Terminal *terminal, uint32_t range)
{
    return (ScheduleOptions){.range = range,
                             .width = terminal->width,
                             .colors = terminal->colors,
                             .utf8 = terminal->utf8};
}

void show_lanes(const Terminal *terminal, const Trace *trace, uint32_t range, uint64_t least_ns)
{
    ScheduleOptions options = schedule_options(terminal, range);
    options.least_ns = least_ns;
    schedule_write(terminal->out, trace, SCHEDULE_LANES, &options);
}

/* Every operation with the reason for its start. */
static void show_waits(FILE *to, const Terminal *terminal, const Trace *trace, uint32_t range)
{
    Labels *labels = labels_new(trace, range);
    uint32_t n = 0;
    const uint32_t *order = labels ? labels_order(labels, &n) : NULL;
    Terminal out = *terminal;
    out.out = to;
    if (!terminal->is_terminal || to != terminal->out) out.width = 1000;
    for (uint32_t i = 0; i < n; i++) {
        char text[600], time[100] = "not started";
        if (trace->ops[order[i]].start_ns != TRACE_OPEN_NS)
            analysis_time(trace, trace->ops[order[i]].start_ns, time, sizeof time);
        terminal_printf(&out, STYLE_DIM, "%12s  ", time);
        terminal_wrap(&out, STYLE_PLAIN, 14, 14,
                      analysis_explain_with(trace, labels, order[i], text, sizeof text));
    }
    labels_free(labels);
}

/* What a page has besides its trace. */
typedef struct Page {
    AskedMany *many;
    HtmlAnswer answers[HTML_ANSWERS];
    char *texts[2 * HTML_ANSWERS];
    size_t n;
} Page;

/* Sensible questions about a run of the course, asked now: the page has nobody whom it could ask.
 */
static void page_ask(Page *page, const Options *options, const Trace *trace, uint32_t range)
{
    char error[PATH_MAX + 300];
    Catalogue catalogue = {0};
    if (catalogue_open(&catalogue, options->exercises, error, sizeof error)) {
        page->many = memory_get(1, sizeof *page->many);
        ask_many(trace, options->words[0], range, &catalogue, HTML_ANSWERS, page->many);
    }
    for (size_t i = 0; page->many && i < page->many->n; i++) {
        const Answer *answer = &page->many->answers[i];
        char times[400];
        Text more = {0};
        if (!answer->after) continue;
        answer_hazards(answer, trace, 2, &more);
        if (answer->trouble.length) text_printf(&more, "%s\n", text_string(&answer->trouble));
        page->texts[2 * page->n] =
            memory_copy(answer_times(answer, trace, true, times, sizeof times));
        page->texts[2 * page->n + 1] = text_take(&more);
        page->answers[page->n] = (HtmlAnswer){.words = page->many->ideas[i].words,
                                              .times = page->texts[2 * page->n],
                                              .more = page->texts[2 * page->n + 1],
                                              .trace = answer->after,
                                              .range = answer->range};
        page->n++;
    }
    catalogue_close(&catalogue);
}

static void page_release(Page *page)
{
    if (page->many) ask_many_release(page->many);
    free(page->many);
    for (size_t i = 0; i < 2 * page->n; i++) free(page->texts[i]);
}

static int write_form(FILE *to, const Options *options, const Trace *trace, uint32_t range,
                      const Page *page, char *error, size_t error_size)
{
    const char *as = options->as ? options->as : "lanes";
    ScheduleOptions schedule = schedule_options(&options->out, range);
    schedule.by_stream = options->by && !strcmp(options->by, "stream");
    if (to != options->out.out) {
        schedule.colors = options->color == COLOR_ALWAYS ? options->out.colors : 0;
        if (!options->width) schedule.width = 80;
    }
    if (export_ending(as))
        return export_to(to, trace, as,
                         &(ExportOptions){range, schedule.by_stream, options->words[0],
                                          page->answers, page->n},
                         error, error_size)
                   ? 0
                   : -1;
    if (!strcmp(as, "waits")) {
        show_waits(to, &options->out, trace, range);
        return 0;
    }
    ScheduleForm form = !strcmp(as, "cells")  ? SCHEDULE_CELLS
                        : !strcmp(as, "line") ? SCHEDULE_LINE
                                              : SCHEDULE_LANES;
    return schedule_write(to, trace, form, &schedule);
}

static bool one_of(const char *word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(word, words[i])) return true;
    }
    return false;
}

int show_range(const Options *options, const Trace *trace, const char *path, const char *usual,
               uint32_t *range)
{
    if (!options->range) {
        *range = usual ? analysis_range(trace, usual) : 0;
        return 0;
    }
    *range = analysis_range_to_show(trace, options->range);
    if (*range) return 0;

    Text known = {0};
    for (uint32_t i = 1; i <= trace->n_ranges && i <= 20; i++) {
        if (analysis_range_to_show(trace, trace->ranges[i].name) == i)
            text_printf(&known, "%s%s", known.length ? ", " : "", trace->ranges[i].name);
    }
    int status = command_fail(VERDICT_USAGE, "there is no range '%s' in %s; there are: %s",
                              options->range, path, known.length ? text_string(&known) : "none");
    text_release(&known);
    return status;
}

/* What was asked for can be written, and is something to read where it would be read; else a
 * status. */
static int refuse(const Options *options)
{
    static const char *const forms[] = {"lanes", "cells", "line", "waits"};
    static const char *const rows[] = {"engine", "stream"};
    char error[300], files[200];
    if (options->as && !one_of(options->as, forms, sizeof forms / sizeof *forms) &&
        !export_ending(options->as)) {
        return command_fail(VERDICT_USAGE, "--as is lanes, cells, line, waits, %s, not '%s'",
                            export_forms(files, sizeof files), options->as);
    }
    if (options->by && !one_of(options->by, rows, 2)) {
        return command_fail(VERDICT_USAGE, "--by is engine or stream, not '%s'", options->by);
    }
    bool binary = options->as && export_is_binary(options->as);
    if (binary && !options->output && isatty(STDOUT_FILENO))
        return command_fail(VERDICT_USAGE, "--as %s is nothing to read: say where with -o FILE.%s",
                            options->as, export_ending(options->as));
    if (binary && !nsys_available()) { /* before anything is opened for writing */
        nsys_write(NULL, NULL, error, sizeof error);
        return command_fail(VERDICT_USAGE, "%s", error);
    }
    return 0;
}

/* What is missing from the file is told before what is there is drawn. */
static void warn_of_damage(const Trace *trace, const char *path)
{
    if (trace->damaged_line) {
        command_fail(VERDICT_PASS,
                     "warning: %s: line %llu is damaged and was skipped (%llu in all)", path,
                     (unsigned long long)trace->damaged_line,
                     (unsigned long long)trace->skipped_lines);
    }
    if (trace->truncated)
        command_fail(VERDICT_PASS, "warning: %s ends early: what is drawn is true up to there",
                     path);
}

static int show_trace(const Options *options, const Trace *trace, uint32_t range)
{
    char error[PATH_MAX + 300] = "";
    FILE *to = stdout;
    if (options->output && !(to = fopen(options->output, "we")))
        return command_fail(VERDICT_USAGE, "%s: %s", options->output, strerror(errno));
    Page page = {0};
    if (options->as && !strcmp(options->as, "html")) page_ask(&page, options, trace, range);

    bool failed = write_form(to, options, trace, range, &page, error, sizeof error) != 0;
    page_release(&page);
    if (to != stdout && fclose(to) != 0) failed = true;
    if (!failed || (to == stdout && errno == EPIPE)) return 0;
    return command_fail(VERDICT_USAGE, "%s cannot be written: %s",
                        options->output ? options->output : "the output",
                        error[0] ? error : strerror(errno));
}

int command_show(const Options *options)
{
    char error[PATH_MAX + 300];
    uint32_t range;
    int status = refuse(options);
    if (status) return status;
    Trace *trace = nsys_open(options->words[0], error, sizeof error);
    if (!trace) return command_fail(VERDICT_FAIL, "%s", error);

    status = show_range(options, trace, options->words[0], NULL, &range);
    if (!status) {
        warn_of_damage(trace, options->words[0]);
        status = show_trace(options, trace, range);
    }
    trace_free(trace);
    return status;
}
