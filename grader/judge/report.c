/* report.c - see report.h. */
#include "grader/judge/report.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/judge/check_context.h"
#include "timeline/trace/analysis.h"
#include "timeline/trace/kernel_facts.h"
#include "timeline/trace/labels.h"
#include "timeline/pictures/critical_path.h"
#include "timeline/pictures/schedule.h"

/* More operations than that nobody reads in a line. */
#define PATH_MOST 100

/* How far a number may be from the one it is compared with where times are not exact, unless the
 * field says so. */
#define FROM 0.8
#define TO 1.25

static void add_field_at(Report *report, size_t at, ReportFieldType type, double value)
{
    report->fields = memory_grow(report->fields, report->n_fields + 1, sizeof *report->fields);
    report->fields[report->n_fields++] = (ReportField){.at = at,
                                                       .length = report->text.length - at,
                                                       .type = type,
                                                       .value = value,
                                                       .from = FROM,
                                                       .to = TO};
}

/* An integer when within 1% of one, else two decimals; two decimals for what was measured on a real
 * device. */
static void add_rounded(Text *text, double value, bool measured)
{
    double whole = round(value);
    if (!measured && whole != 0 && fabs(value - whole) <= 0.01 * fabs(whole))
        text_printf(text, "%.0f", whole);
    else text_printf(text, "%.2f", value);
}

static void add_number(Report *report, const Trace *trace, const char *function, double value)
{
    size_t at = report->text.length;
    ReportFieldType type = REPORT_TEXT;
    if (!strcmp(function, "async") || !strcmp(function, "blocks")) {
        text_add(&report->text, value != 0 ? "YES" : "NO");
    } else if (!strcmp(function, "bytes") || !strcmp(function, "count") ||
               !strcmp(function, "barriers")) {
        text_printf(&report->text, "%.0f", value);
    } else if (!strcmp(function, "loads")) {
        text_printf(&report->text, "%.2f", value);
    } else {
        type = REPORT_MEASURED;
        bool length = !strcmp(function, "longest") || !strcmp(function, "median");
        if (length && value == round(value) && !trace_measured(trace))
            text_printf(&report->text, "%.0f", value);
        else if (!strcmp(function, "units") || !strcmp(function, "gbs"))
            add_rounded(&report->text, value, trace_measured(trace));
        else text_printf(&report->text, "%.2f", value);
    }
    add_field_at(report, at, type, value);
}

/* A schedule's rows; the times that the schedule writes behind a tab are asides, below each
 * other. */
static void add_rows(Report *report, const char *rows, size_t length)
{
    size_t widest = 0;
    for (const char *at = rows; at < rows + length; at += strcspn(at, "\n") + 1) {
        size_t n = strcspn(at, "\t\n");
        if (n > widest) widest = n;
    }
    for (const char *at = rows; at < rows + length;) {
        size_t n = strcspn(at, "\t\n"), line = strcspn(at, "\n"), begin = report->text.length;
        text_append(&report->text, at, n);
        add_field_at(report, begin, REPORT_TEXT, 0);
        if (line > n) {
            begin = report->text.length;
            text_printf(&report->text, "%*s   %.*s", (int)(widest - n), "", (int)(line - n - 1),
                        at + n + 1);
            add_field_at(report, begin, REPORT_ASIDE, 0);
        }
        at += line;
        if (at < rows + length) text_append(&report->text, at++, 1);
    }
}

static void add_schedule(Report *report, const Trace *trace, const char *range, ScheduleForm form)
{
    uint32_t id = trace ? analysis_range(trace, range) : 0;
    char *drawn = NULL;
    size_t length = 0;
    FILE *stream = id ? open_memstream(&drawn, &length) : NULL;
    if (stream) {
        ScheduleOptions options = {.range = id, .width = 80, .times = trace_measured(trace)};
        schedule_write(stream, trace, form, &options);
        fclose(stream);
    }
    while (length && drawn[length - 1] == '\n') length--;
    if (length && form == SCHEDULE_CELLS) {
        add_rows(report, drawn, length);
    } else {
        size_t at = report->text.length;
        if (length) text_append(&report->text, drawn, length);
        else text_add(&report->text, "?");
        add_field_at(report, at, REPORT_TEXT, 0);
    }
    free(drawn);
}

static void add_text_field(Report *report, const char *text)
{
    size_t at = report->text.length;
    text_add(&report->text, text);
    add_field_at(report, at, REPORT_TEXT, 0);
}

/* How many errors the checker reported of a range's work; nobody can tell on a real GPU. */
static void add_races(Report *report, const Trace *trace, const char *range)
{
    uint32_t id = trace ? analysis_range(trace, range) : 0, n = 0;
    char number[16];
    if (trace && trace_measured(trace)) {
        add_text_field(report, "(not seen here)");
        report->fields[report->n_fields - 1].any = true;
        return;
    }
    for (uint32_t i = 1; id && i <= trace->n_hazards; i++)
        if (!trace->hazards[i].note && analysis_hazard_in(trace, &trace->hazards[i], id)) n++;
    snprintf(number, sizeof number, "%u", n);
    add_text_field(report, id ? number : "?");
}

/* "load compute TILES SELECTOR": in tiles, the least of these kernels. */
static bool add_lead(Report *report, const ExerciseRun *run, const Trace *trace, const char *text,
                     char *error, size_t error_size)
{
    char ahead[16], of[16], tiles[64], number[32] = "?", *end;
    int used = 0;
    if (sscanf(text, "%15s %15s %63s %n", ahead, of, tiles, &used) != 3 || !text[used]) {
        snprintf(error, error_size, "{lead AHEAD OF TILES SELECTOR} is wanted");
        return false;
    }
    const char *parameter = run_param(run, tiles);
    double n = strtod(parameter ? parameter : tiles, &end), least = -1;
    if (*end || !(n > 0)) {
        snprintf(error, error_size, "'%.60s' is not a number of tiles", tiles);
        return false;
    }
    AnalysisSet *set = trace ? analysis_select(trace, text + used, error, error_size) : NULL;
    if (trace && !set) return false;
    for (uint32_t i = 0; set && i < set->n; i++) {
        const TraceInside *lead = set->items[i].what == ANALYSIS_OP
                                      ? kernel_facts_lead(trace, set->items[i].id, ahead, of)
                                      : NULL;
        double found = lead ? kernel_facts_tiles(lead, n) : 0;
        if (least < 0 || found < least) least = found;
    }
    analysis_set_free(set);
    if (least >= 0) snprintf(number, sizeof number, "%.0f", least);
    bool unseen = trace && trace_measured(trace);
    add_text_field(report, unseen ? "(not seen here)" : number);
    if (unseen) report->fields[report->n_fields - 1].any = true;
    return true;
}

/* The labels of the critical path, from the operation of the range that ends last back to what did
 * not wait for another of the range. */
static void add_path(Report *report, const Trace *trace, const char *range)
{
    uint32_t id = trace ? analysis_range(trace, range) : 0, n_ops = 0, n = 0, last = 0;
    uint32_t on[PATH_MOST], call;
    Labels *labels = id ? labels_new(trace, id) : NULL;
    const uint32_t *ops = labels ? labels_order(labels, &n_ops) : NULL;
    bool *inside = memory_get(trace ? trace->n_ops + 1 : 1, sizeof *inside);
    for (uint32_t i = 0; i < n_ops; i++) {
        inside[ops[i]] = true;
        if (!last || critical_path_later(trace, ops[i], last)) last = ops[i];
    }
    for (uint32_t op = last; op && inside[op] && n < PATH_MOST;
         op = critical_path_back(trace, op, &call))
        on[n++] = op;

    size_t at = report->text.length;
    char label[200];
    for (uint32_t i = n; i-- > 0;)
        text_printf(&report->text, "%s%s", labels_op(labels, on[i], label, sizeof label),
                    i ? " " : "");
    if (!n) text_add(&report->text, "?");
    add_field_at(report, at, REPORT_TEXT, 0);
    labels_free(labels);
    free(inside);
}

/* A range's makespan with its unit: "6 time units", "0.46 ms". Only the number is measured. */
static bool add_time(Report *report, const Trace *trace, const char *range)
{
    uint32_t id = trace ? analysis_range(trace, range) : 0;
    double ns = id ? (double)analysis_makespan_ns(trace, id) : 0;
    if (ns <= 0) {
        add_text_field(report, "?");
        text_add(&report->text, " time units");
        return true;
    }
    size_t at = report->text.length;
    double value = ns / (double)trace_unit_ns(trace);
    bool textbook = !strcmp(trace_unit_name(trace), "unit");
    if (!textbook) text_printf(&report->text, "%.3f", value);
    else add_rounded(&report->text, value, trace_measured(trace));
    add_field_at(report, at, REPORT_MEASURED, value);
    const char *number = text_string(&report->text) + at;
    bool one = !strcmp(number, "1") || !strcmp(number, "1.00");
    if (textbook) text_add(&report->text, one ? " time unit" : " time units");
    else text_printf(&report->text, " %s", trace_unit_name(trace));
    return true;
}

/* "solution 0.5 .. 2": which numbers the last field may be, where times are not exact. */
static bool set_range(Report *report, const char *words, char *error, size_t error_size)
{
    static const char of_solution[] = "solution ";
    ReportField *field = &report->fields[report->n_fields - 1];
    int used = 0;
    while (*words == ' ') words++;
    if (!strcmp(words, "any")) return field->any = true;
    field->of_solution = !strncmp(words, of_solution, sizeof of_solution - 1);
    if (field->of_solution) words += sizeof of_solution - 1;
    if (sscanf(words, " %lf .. %lf %n", &field->from, &field->to, &used) == 2 && !words[used] &&
        field->from <= field->to)
        return true;
    snprintf(error, error_size,
             "'|%.60s' is not a range like | 0.8 .. 1.25 or | solution 0.5 .. 2, nor | any", words);
    return false;
}

/* One field, without its braces and its range. False and why when there is no such field. */
static bool add_field(Report *report, const char *field, const ExerciseRun *run,
                      const Recording *recording, char *error, size_t error_size)
{
    char word[32], function[32];
    const char *rest = field;
    size_t n = strcspn(field, " ");
    snprintf(word, sizeof word, "%.*s", (int)n, field);
    rest += n;
    while (*rest == ' ') rest++;
    if (!strcmp(word, "param")) {
        const char *value = run_param(run, rest);
        if (!value) snprintf(error, error_size, "there is no parameter '%.60s'", rest);
        else add_text_field(report, value);
        return value != NULL;
    }
    if (!strcmp(word, "value")) {
        const char *value = values_find(&recording->values, rest);
        add_text_field(report, value ? value : "?");
        return true;
    }
    if (!strcmp(word, "unit")) {
        add_text_field(report, recording->trace ? trace_unit_name(recording->trace) : "?");
        return true;
    }
    if (!strcmp(word, "line") || !strcmp(word, "cells")) {
        add_schedule(report, recording->trace, rest,
                     word[0] == 'l' ? SCHEDULE_LINE : SCHEDULE_CELLS);
        return true;
    }
    if (!strcmp(word, "path")) {
        add_path(report, recording->trace, rest);
        return true;
    }
    if (!strcmp(word, "races")) {
        add_races(report, recording->trace, rest);
        return true;
    }
    if (!strcmp(word, "lead"))
        return add_lead(report, run, recording->trace, rest, error, error_size);
    if (!strcmp(word, "time")) return add_time(report, recording->trace, rest);
    snprintf(function, sizeof function, "%s", word);
    char *arguments = memory_copy(rest);
    char *blank = strchr(arguments, ' ');
    if ((!strcmp(word, "speedup") || !strcmp(word, "faster")) && blank)
        *blank = ','; /* {speedup A B} is speedup(A, B) */
    double value = 0;
    MeasureKind kind = measure(recording, function, arguments, &value, error, error_size);
    if ((!strcmp(word, "loads") || !strcmp(word, "barriers")) && recording->trace &&
        trace_measured(recording->trace)) {
        add_text_field(report, "(not seen here)");
        report->fields[report->n_fields - 1].any = true;
        kind = MEASURE_VALUE;
    } else if (kind == MEASURE_VALUE) add_number(report, recording->trace, function, value);
    else if (kind == MEASURE_MISSING) add_text_field(report, "?");
    else if (kind == MEASURE_UNKNOWN) snprintf(error, error_size, "unknown field {%.60s}", field);
    free(arguments);
    return kind == MEASURE_VALUE || kind == MEASURE_MISSING;
}

/* Of "RUN: FIELD" the length of RUN, and in *field where FIELD begins; 0: no run is named. */
static size_t named_run(const char **field)
{
    size_t length = strspn(*field, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789_-");
    if (!length || (*field)[length] != ':' || (*field)[length + 1] != ' ') return 0;
    *field += length + 1;
    *field += strspn(*field, " ");
    return length;
}

bool report_names_run(const char *template, const char *run)
{
    for (const char *at = template; (at = strchr(at, '{')); at++) {
        const char *name = at + 1, *field = name;
        if (at[1] == '{') at++;
        else if (named_run(&field) == strlen(run) && !strncmp(name, run, strlen(run))) return true;
    }
    return false;
}

static bool add_field_in_range(Report *, char *field, const ExerciseRun *, const Recording *,
                               char *error, size_t error_size);

/* A field that may be another run's: RUN: FIELD. */
static bool add_field_of_run(Report *report, char *text, const ExerciseRun *run,
                             const Recording *recording, const ReportRuns *runs, char *error,
                             size_t error_size)
{
    const char *field = text;
    size_t length = named_run(&field), other = 0;
    if (length && runs) other = exercise_run(runs->exercise, text, length);
    if (!length) return add_field_in_range(report, text, run, recording, error, error_size);
    if (runs && other < runs->exercise->n_runs && runs->recordings[other])
        return add_field_in_range(report, text + (field - text), &runs->exercise->runs[other],
                                  runs->recordings[other], error, error_size);
    if (recording->trace && trace_measured(recording->trace)) {
        add_text_field(report, "(not measured here)");
        report->fields[report->n_fields - 1].any = true;
        return true;
    }
    snprintf(error, error_size, "there is no run '%.*s'", (int)length, text);
    return false;
}

/* A field with its range, if it has one: FIELD or FIELD | RANGE. */
static bool add_field_in_range(Report *report, char *field, const ExerciseRun *run,
                               const Recording *recording, char *error, size_t error_size)
{
    char *bar = strchr(field, '|'), *end = bar ? bar : field + strlen(field);
    size_t before = report->n_fields;
    if (bar) *bar = 0;
    while (end > field && end[-1] == ' ') *--end = 0;
    if (!add_field(report, field, run, recording, error, error_size)) return false;
    if (!bar) return true;
    if (report->n_fields > before && !strcmp(bar + 1 + strspn(bar + 1, " "), "any")) {
        size_t at = report->fields[before].at; /* all rows of a schedule as one */
        report->n_fields = before;
        add_field_at(report, at, REPORT_TEXT, 0);
    }
    if (report->n_fields != before + 1) {
        snprintf(error, error_size, "{%.60s} has no range", field);
        return false;
    }
    ReportField *last = &report->fields[before];
    if (!strncmp(field, "value ", 6)) { /* a value with a range is a number that the program
                                           measured */
        char *number_end;
        const char *text = text_string(&report->text) + last->at;
        last->value = strtod(text, &number_end);
        if (number_end != text) last->type = REPORT_MEASURED;
    }
    return set_range(report, bar + 1, error, error_size);
}

/* What a real device's report says below: what the unit is, and which batch got which number. */
static void add_footnotes(Report *report, const char *template, const Trace *trace)
{
    size_t begin = report->text.length;
    char time[100];
    if (begin && text_string(&report->text)[begin - 1] != '\n') text_add(&report->text, "\n");
    const char *card = trace_meta(trace, "card");
    text_printf(&report->text, "\nMeasured on %s.", card ? card : "a real GPU");
    if (trace->unit_ns) {
        uint64_t ns = trace->unit_ns;
        snprintf(time, sizeof time, "%.3f ms", (double)ns / 1e6);
        text_printf(&report->text, " A time unit is %s: as long as the first stage took, alone.",
                    time);
    }
    if (strstr(template, "{cells"))
        text_add(
            &report->text,
            "\nt counts steps, each after what it had to wait for; beside it stands when it ran.");
    for (const char *at = template; (at = strstr(at, "{cells ")); at++) {
        char *name = memory_format("%.*s", (int)strcspn(at + 7, "}| "), at + 7);
        uint32_t range = analysis_range(trace, name);
        Labels *labels = range ? labels_new(trace, range) : NULL;
        Text numbers = {0};
        uint32_t next = 0;
        bool in_order = true;
        for (uint32_t op = 1; labels && op <= trace->n_ops; op++) {
            uint32_t number =
                trace->ops[op].kind == TRACE_H2D ? labels_number(labels, op) : LABELS_NONE;
            if (number == LABELS_NONE) continue;
            in_order = in_order && number == next;
            next++;
            if (next <= 32) text_printf(&numbers, " %u", number);
        }
        if (!in_order) {
            text_printf(
                &report->text,
                "\nBatches of `%s` are numbered as their H2D copies began; in the order in which "
                "they were asked for:%s.",
                name, text_string(&numbers));
        }
        text_release(&numbers);
        labels_free(labels);
        free(name);
    }
    text_add(&report->text, "\n");
    add_field_at(report, begin, REPORT_ASIDE, 0);
}

bool report_render(Report *report, const char *template, const ExerciseRun *run,
                   const Recording *recording, const ReportRuns *runs, char *error,
                   size_t error_size)
{
    int line = 1;
    *report = (Report){0};
    for (const char *at = template; *at;) {
        if ((at[0] == '{' && at[1] == '{') || (at[0] == '}' && at[1] == '}')) {
            text_append(&report->text, at, 1);
            at += 2;
        } else if (*at == '{') {
            const char *end = at + 1 + strcspn(at + 1, "}\n");
            char why[300] = "a '{' without its '}'";
            bool fine = *end == '}';
            if (fine) {
                char *field = memory_format("%.*s", (int)(end - at - 1), at + 1);
                fine = add_field_of_run(report, field, run, recording, runs, why, sizeof why);
                free(field);
            }
            if (!fine) {
                snprintf(error, error_size, "report.txt:%d: %s", line, why);
                report_release(report);
                return false;
            }
            at = end + 1;
        } else {
            if (*at == '\n') line++;
            text_append(&report->text, at, 1);
            at++;
        }
    }
    if (recording->trace && trace_measured(recording->trace))
        add_footnotes(report, template, recording->trace);
    return true;
}

/* The text without asides, and its fields where they then stand. */
static Report without_asides(const Report *report)
{
    Report plain = {0};
    const char *from = text_string(&report->text);
    size_t at = 0;
    plain.fields = memory_get(report->n_fields, sizeof *plain.fields);
    for (size_t i = 0; i < report->n_fields; i++) {
        ReportField field = report->fields[i];
        text_append(&plain.text, from + at, field.at - at);
        at = field.at + field.length;
        if (field.type == REPORT_ASIDE) continue;
        size_t begin = plain.text.length;
        text_append(&plain.text, from + field.at, field.length);
        field.at = begin;
        plain.fields[plain.n_fields++] = field;
    }
    text_append(&plain.text, from + at, report->text.length - at);
    return plain;
}

/* What stands in another text where a report has its fields. */
typedef struct Pieces {
    const Report *report;
    const char **at;
    size_t *length;
} Pieces;

/* What the report has between field i - 1 and field i, or the text's ends. */
static const char *between(const Report *report, size_t i, size_t *length)
{
    const ReportField *before = i ? &report->fields[i - 1] : NULL;
    size_t from = before ? before->at + before->length : 0;
    *length = (i < report->n_fields ? report->fields[i].at : report->text.length) - from;
    return text_string(&report->text) + from;
}

/* Where field i ends in a text that begins with it; NULL when what follows it is not there, or not
 * in its line. */
static const char *piece_end(const Report *report, size_t i, const char *at)
{
    const ReportField *field = &report->fields[i];
    const char *own = text_string(&report->text) + field->at;
    size_t next;
    const char *follows = between(report, i + 1, &next);
    char *stop = memory_format("%.*s", (int)next, follows);
    const char *end = *stop ? strstr(at, stop) : at + strlen(at);
    free(stop);
    bool one_line = !memchr(own, '\n', field->length);
    return end && one_line && memchr(at, '\n', (size_t)(end - at)) ? NULL : end;
}

/* Finds the fields from i on, up to the next that may be anything, in a text that begins with what
 * stands before field i. Returns where that one begins, or the end, and NULL when they are not
 * there. */
static const char *find_fixed(Pieces *pieces, size_t *i, const char *at)
{
    const Report *report = pieces->report;
    for (;; ++*i) {
        size_t literal;
        const char *before = between(report, *i, &literal);
        if (strncmp(at, before, literal) != 0) return NULL;
        at += literal;
        if (*i == report->n_fields || report->fields[*i].any) return at;
        const char *end = piece_end(report, *i, at);
        if (!end) return NULL;
        pieces->at[*i] = at;
        pieces->length[*i] = (size_t)(end - at);
        at = end;
    }
}

/* False when what is between the fields is not the same. What may be anything, several lines of it,
 * ends at the first place from which on the rest is there. */
static bool find_pieces(Pieces *pieces, const char *other)
{
    const Report *report = pieces->report;
    size_t i = 0;
    const char *at = find_fixed(pieces, &i, other);
    while (at && i < report->n_fields) {
        const char *end = at, *rest = NULL;
        size_t next;
        do {
            next = i + 1;
            rest = find_fixed(pieces, &next, end);
            if (rest && next == report->n_fields && *rest) rest = NULL;
        } while (!rest && *end++);
        pieces->at[i] = at;
        pieces->length[i] = rest ? (size_t)(end - at) : 0;
        at = rest;
        i = next;
    }
    return at != NULL;
}

char *report_comparable(const Report *got, const Report *expected, const char *golden, bool exact)
{
    Report ours = without_asides(got), theirs = without_asides(expected);
    const char *wanted = golden ? golden : text_string(&theirs.text),
               *from = text_string(&ours.text);
    Pieces pieces = {&ours, memory_get(ours.n_fields, sizeof *pieces.at),
                     memory_get(ours.n_fields, sizeof *pieces.length)};
    size_t at = 0;
    Text text = {0};
    bool any = false;
    for (size_t i = 0; i < ours.n_fields; i++) any = any || ours.fields[i].any;
    bool same = (any || !exact) && find_pieces(&pieces, wanted);
    for (size_t i = 0; i < ours.n_fields && same; i++) {
        const ReportField *field = &ours.fields[i];
        bool known = !field->of_solution ||
                     (ours.n_fields == theirs.n_fields && theirs.fields[i].type == REPORT_MEASURED);
        if (field->any) {
            text_append(&text, from + at, field->at - at);
            text_append(&text, pieces.at[i], pieces.length[i]);
            at = field->at + field->length;
        }
        if (field->any || exact || field->type != REPORT_MEASURED || !known) continue;
        char *number = memory_format("%.*s", (int)pieces.length[i], pieces.at[i]), *end;
        double value = strtod(number, &end);
        bool is_number = end != number && !*end;
        free(number);
        if (field->of_solution) value = theirs.fields[i].value;
        if (!is_number || field->value < field->from * value || field->value > field->to * value)
            continue;
        text_append(&text, from + at, field->at - at);
        text_append(&text, pieces.at[i], pieces.length[i]);
        at = field->at + field->length;
    }
    text_append(&text, from + at, ours.text.length - at);
    report_release(&ours);
    report_release(&theirs);
    free(pieces.at);
    free(pieces.length);
    return text_take(&text);
}
