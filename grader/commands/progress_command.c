/* progress_command.c - `threelane progress`: what a student has reached, as a screen and as a page.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/markup.h"
#include "grader/commands/command.h"
#include "grader/commands/pass_message.h"
#include "grader/course/progress.h"
#include "timeline/exports/html.h"
#include "timeline/trace/analysis.h"

enum { BAR = 24 };

/* One exercise as it stands. */
typedef struct Reached {
    Exercise *exercise;
    bool passed, tried;
    int points, possible;
    const Progress *progress;
    Trace *before, *after; /* of the first run that failed and of the last run; NULL: not kept */
} Reached;

static Trace *kept(const Catalogue *catalogue, const char *id, const char *which)
{
    char error[500], *path = memory_format("%s/%s%s.lane", catalogue->state, id, which);
    Trace *trace = access(path, R_OK) == 0 ? trace_read(path, error, sizeof error) : NULL;
    free(path);
    return trace;
}

static uint32_t range_of(const Exercise *e, const Trace *trace)
{
    return e->show ? analysis_range(trace, e->show) : 0;
}

static void reached_read(Reached *r, const Catalogue *catalogue, const Progress *progress)
{
    const ProgressItem *item = progress_find(progress, r->exercise->id);
    r->progress = progress;
    r->possible = exercise_points(r->exercise);
    r->passed = item && item->state == PROGRESS_PASSED;
    r->tried = item != NULL;
    r->points = item ? item->points : 0;
    if (!r->passed) return;
    r->before = kept(catalogue, r->exercise->id, ".first");
    r->after = kept(catalogue, r->exercise->id, "");
}

/* "12.0 units → 6.0 units", or "" where nothing was kept or saved. The caller frees. */
static char *saved_words(const Reached *r, bool utf8)
{
    Text words = {0};
    PassLengths lengths;
    if (pass_message_lengths(r->before, r->after, r->exercise->show, &lengths))
        pass_message_saved(&words, r->before, r->after, &lengths, utf8);
    return text_take(&words);
}

static void print_bar(const Terminal *out, int reached, int total)
{
    int full = total > 0 ? (int)((long)reached * BAR / total) : 0;
    for (int i = 0; i < BAR; i++)
        terminal_text(out, i < full ? STYLE_GOOD : STYLE_DIM,
                      out->utf8  ? i < full ? "█" : "░"
                      : i < full ? "#"
                                 : ".");
}

static void print_row(const Terminal *out, const Reached *r)
{
    char *saved = saved_words(r, out->utf8);
    terminal_printf(out, STYLE_BOLD, "%-6s", r->exercise->id);
    print_bar(out, r->passed ? r->possible : r->points, r->possible);
    terminal_printf(out,
                    r->passed  ? STYLE_GOOD
                    : r->tried ? STYLE_CARE
                               : STYLE_DIM,
                    " %-7s",
                    r->passed  ? "passed"
                    : r->tried ? "tried"
                               : "new");
    if (!r->passed && r->tried)
        terminal_printf(out, STYLE_PLAIN, "%d of %d points", r->points, r->possible);
    terminal_printf(out, STYLE_PLAIN, "%s", saved);
    fputc('\n', out->out);
    free(saved);
}

/* The lengths that the exercise keeps, as they were at best. */
static void add_scores(Text *words, const Reached *r)
{
    for (size_t i = 0; i < r->exercise->n_checks; i++) {
        const ExerciseCheck *check = &r->exercise->checks[i];
        const ProgressScore *score = progress_score(r->progress, r->exercise->id, check->id);
        if (!score) continue;
        text_printf(words, "%s%s ", words->length ? ", " : "", check->id);
        summary_score_number(words, (int)score->best);
    }
}

static void print_scores(const Terminal *out, const Reached *r)
{
    Text words = {0}, line = {0};
    add_scores(&words, r);
    if (words.length) {
        text_printf(&line, "best: %s", text_string(&words));
        fprintf(out->out, "%6s", "");
        terminal_wrap(out, STYLE_DIM, 6, 6, text_string(&line));
    }
    text_release(&words);
    text_release(&line);
}

static void print_screen(const Terminal *out, const Reached *all, size_t n)
{
    int xp = 0, total = 0, passed = 0;
    for (size_t i = 0; i < n; i++) {
        print_row(out, &all[i]);
        print_scores(out, &all[i]);
        total += all[i].exercise->xp;
        if (!all[i].passed) continue;
        xp += all[i].exercise->xp;
        passed++;
    }
    fputc('\n', out->out);
    print_bar(out, xp, total);
    terminal_printf(out, STYLE_BOLD, " %d of %d XP, %d of %zu exercises passed\n", xp, total,
                    passed, n);
    if (n && passed == (int)n) {
        terminal_wrap(out, STYLE_GOOD, 0, 0,
                      "That is the whole course. What you can do now: read a timeline, say why an "
                      "operation waited, and move the wait. Take a program of your own: "
                      "`threelane check FILE.cu` looks for its races, `threelane trace` records it "
                      "on a real GPU.");
    }
}

/* ---- the page ---- */
static void write_exercise(FILE *to, const Reached *r)
{
    char *saved = saved_words(r, true);
    fprintf(to, "<h2>%d: ", r->exercise->number);
    markup_write(to, r->exercise->title);
    fprintf(to, "</h2>\n<p>%s, %d XP", r->exercise->level, r->exercise->xp);
    if (!r->passed)
        fprintf(to, r->tried ? ", tried: %d of %d points</p>\n" : ", new</p>\n", r->points,
                r->possible);
    else fprintf(to, ", passed. %s</p>\n", saved);
    free(saved);
    Text scores = {0};
    add_scores(&scores, r);
    if (scores.length) {
        fputs("<p><strong>Best lengths:</strong> ", to);
        markup_write(to, text_string(&scores));
        fputs("</p>\n", to);
    }
    text_release(&scores);
    if (r->passed && r->exercise->learned) {
        fputs("<p><strong>Learned:</strong> ", to);
        markup_write(to, r->exercise->learned);
        fputs("</p>\n", to);
    }
    const struct {
        Trace *trace;
        const char *title;
    } parts[] = {{r->before, "The first run"}, {r->after, "The last run"}};
    for (size_t i = 0; i < 2; i++) {
        if (!parts[i].trace) continue;
        html_write_part(to, parts[i].trace,
                        &(HtmlOptions){.range = range_of(r->exercise, parts[i].trace),
                                       .title = parts[i].title});
    }
}

static bool write_page(FILE *to, const Reached *all, size_t n)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<title>Threelane: what was reached</title>\n",
          to);
    html_write_style(to);
    fputs("</head><body>\n<h1>What was reached</h1>\n", to);
    for (size_t i = 0; i < n; i++) write_exercise(to, &all[i]);
    html_write_script(to);
    fputs("</body></html>\n", to);
    return !ferror(to);
}

static int save_page(const char *path, const Reached *all, size_t n)
{
    FILE *to = fopen(path, "we");
    bool fine = to && write_page(to, all, n);
    if (to && fclose(to) != 0) fine = false;
    return fine ? 0 : command_fail(VERDICT_USAGE, "%s: %s", path, strerror(errno));
}

int command_progress(const Options *options)
{
    Catalogue catalogue;
    int status = command_course(options, &catalogue, NULL);
    if (status) return status;
    Progress progress;
    int failed = progress_read(&progress, catalogue.state);
    if (failed)
        command_fail(VERDICT_PASS, "warning: %s/progress: %s", catalogue.state, strerror(failed));

    size_t n = 0;
    Reached *all = memory_get(catalogue.n_entries + 1, sizeof *all);
    for (size_t i = 0; i < catalogue.n_entries; i++) {
        all[n].exercise = command_exercise(&catalogue.entries[i]);
        if (all[n].exercise) reached_read(&all[n++], &catalogue, &progress);
        else status = VERDICT_GRADER;
    }
    if (!options->output) {
        print_screen(&options->out, all, n);
    } else {
        int saved = save_page(options->output, all, n);
        if (saved) status = saved;
        else terminal_printf(&options->out, STYLE_PLAIN, "%s\n", options->output);
    }

    for (size_t i = 0; i < n; i++) {
        exercise_free(all[i].exercise);
        trace_free(all[i].before);
        trace_free(all[i].after);
    }
    free(all);
    progress_release(&progress);
    catalogue_close(&catalogue);
    return status;
}
