/* pass_message.c - see pass_message.h. */
#include "grader/commands/pass_message.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/text.h"
#include "grader/commands/command.h"
#include "grader/commands/show.h"
#include "timeline/trace/analysis.h"
#include "common/glyphs.h"
#include "grader/course/diff.h"

static bool same_meta(const Trace *a, const Trace *b, const char *key)
{
    const char *one = trace_meta(a, key), *other = trace_meta(b, key);
    return !one == !other && (!one || !strcmp(one, other));
}

bool pass_message_lengths(const Trace *before, const Trace *after, const char *show,
                          PassLengths *lengths)
{
    *lengths = (PassLengths){0};
    if (!before || !after || !same_meta(before, after, "backend") ||
        !same_meta(before, after, "model") || !same_meta(before, after, "card"))
        return false;

    lengths->range_before = show ? analysis_range(before, show) : 0;
    lengths->range_after = show ? analysis_range(after, show) : 0;
    lengths->before_ns = analysis_window_ns(before, lengths->range_before);
    lengths->after_ns = analysis_window_ns(after, lengths->range_after);

    return !lengths->range_before == !lengths->range_after && lengths->before_ns > 0 &&
           lengths->after_ns > 0;
}

bool pass_message_saved(Text *to, const Trace *before, const Trace *after,
                        const PassLengths *lengths, bool utf8)
{
    char was[100], is[100];
    if (lengths->before_ns <= lengths->after_ns) return false;
    analysis_time(before, lengths->before_ns, was, sizeof was);
    analysis_time(after, lengths->after_ns, is, sizeof is);
    text_printf(to, "%s %s %s", was, utf8 ? "→" : "->", is);
    return true;
}

static void draw(const Terminal *out, const char *which, const Trace *trace, uint32_t range,
                 uint64_t least_ns)
{
    char time[100];
    analysis_time(trace, analysis_window_ns(trace, range), time, sizeof time);
    terminal_printf(out, STYLE_BOLD, "%s: %s\n", which, time);
    show_lanes(out, trace, range, least_ns);
}

/* "12.0 units → 6.0 units: 2 times as fast" */
static void print_saved(const Terminal *out, const Trace *before, const Trace *after,
                        const PassLengths *lengths)
{
    char from[100], to[100];
    Text words = {0};
    if (pass_message_saved(&words, before, after, lengths, out->utf8)) {
        text_printf(&words, ": %s times as fast",
                    analysis_ratio(lengths->before_ns, lengths->after_ns, from, sizeof from));
    } else {
        analysis_time(before, lengths->before_ns, from, sizeof from);
        analysis_time(after, lengths->after_ns, to, sizeof to);
        text_printf(&words, "%s before, %s now: here it is the order that counts", from, to);
    }
    terminal_wrap(out, STYLE_GOOD, 0, 0, text_string(&words));
    text_release(&words);
}

bool pass_message_schedules(const Terminal *out, const Summary *s, const Trace *after)
{
    char error[500];
    Trace *before = s->before && after ? trace_read(s->before, error, sizeof error) : NULL;
    if (!before) return false;

    PassLengths lengths;
    bool alike = pass_message_lengths(before, after, s->show, &lengths);
    if (alike) {
        uint64_t scale =
            lengths.before_ns > lengths.after_ns ? lengths.before_ns : lengths.after_ns;
        char *heading = lengths.range_after ? memory_format("Before and after: `%s`", s->show)
                                            : memory_copy("Before and after");
        terminal_heading(out, heading);
        free(heading);
        draw(out, "Your first run", before, lengths.range_before, scale);
        fputc('\n', out->out);
        draw(out, "This one", after, lengths.range_after, scale);
        fputc('\n', out->out);
        print_saved(out, before, after, &lengths);
    }
    trace_free(before);
    return alike;
}

void pass_message_words(const Terminal *out, const Catalogue *catalogue, const Summary *s)
{
    char typed[200];
    Text words = {0};
    if (s->learned) {
        text_printf(&words, "Learned: %s", s->learned);
        terminal_wrap(out, STYLE_PLAIN, 0, 9, text_string(&words));
        text_clear(&words);
    }
    if (s->question) {
        text_printf(&words, "Asked in interviews: %s (%s has the answer, at its end)", s->question,
                    command_typed(catalogue, s->id, "lesson", typed, sizeof typed));
        terminal_wrap(out, STYLE_PLAIN, 0, 9, text_string(&words));
        text_clear(&words);
    }
    if (s->own) {
        text_printf(&words, "A solution beside yours: %s",
                    command_typed(catalogue, s->id, "solution", typed, sizeof typed));
        terminal_wrap(out, STYLE_PLAIN, 0, 9, text_string(&words));
    }
    if (s->learned || s->question || s->own) fputc('\n', out->out);
    text_release(&words);
}

/* ---- two sources ---- */
typedef struct Beside {
    const Terminal *out;
    int column;
} Beside;

/* Tabs stand for as many blanks as an editor shows. */
static char *untabbed(const char *line)
{
    Text words = {0};
    for (const char *at = line ? line : ""; *at; at++) {
        if (*at != '\t') text_append(&words, at, 1);
        else do
                text_add(&words, " ");
            while (words.length % 4);
    }
    return text_take(&words);
}

/* fill: with blanks up to the other half. */
static void put_half(const Beside *b, Style style, const char *line, bool fill)
{
    char *plain = untabbed(line), *fitted = memory_get((size_t)b->column * 4 + 8, 1);
    int columns = glyphs_fit(plain, b->column, b->out->utf8, fitted, (size_t)b->column * 4 + 8);
    terminal_text(b->out, style, fitted);
    if (fill) fprintf(b->out->out, "%*s", b->column - columns, "");
    free(fitted);
    free(plain);
}

static void put_pair(void *arg, const char *solution, const char *mine, bool equal)
{
    const Beside *b = arg;
    put_half(b, equal ? STYLE_DIM : STYLE_CARE, mine, true);
    terminal_printf(b->out, equal ? STYLE_DIM : STYLE_BOLD, " %c ",
                    equal       ? ' '
                    : !mine     ? '>'
                    : !solution ? '<'
                                : '|');
    put_half(b, equal ? STYLE_DIM : STYLE_GOOD, solution, false);
    fputc('\n', b->out->out);
}

void pass_message_beside(const Terminal *out, const char *mine, const char *solution)
{
    Beside beside = {out, (out->width - 3) / 2};
    put_half(&beside, STYLE_BOLD, "Yours", true);
    terminal_text(out, STYLE_BOLD, "   A solution\n");
    diff_pairs(solution, mine, put_pair, &beside);
}
