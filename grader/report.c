/* report.c - see report.h. */
#include "grader/report.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "timeline/analysis.h"
#include "timeline/schedule.h"

/* An integer when within 1% of one, else two decimals. */
static void add_rounded(Text *text, double value)
{
    double whole = round(value);
    if (whole != 0 && fabs(value - whole) <= 0.01 * fabs(whole)) text_printf(text, "%.0f", whole);
    else text_printf(text, "%.2f", value);
}

static void add_number(Report *report, const char *function, double value)
{
    size_t at = report->text.length;
    if (!strcmp(function, "async") || !strcmp(function, "blocks")) {
        text_add(&report->text, value != 0 ? "YES" : "NO");
        return;
    }
    if (!strcmp(function, "bytes") || !strcmp(function, "count")) {
        text_printf(&report->text, "%.0f", value);
        return;
    }
    if (!strcmp(function, "units") || !strcmp(function, "gbs")) add_rounded(&report->text, value);
    else text_printf(&report->text, "%.2f", value);
    report->numbers = memory_grow(report->numbers, report->n_numbers + 1, sizeof *report->numbers);
    report->numbers[report->n_numbers++] = (ReportNumber){at, report->text.length - at, value};
}

static void add_schedule(Text *text, const Trace *trace, const char *range, ScheduleForm form)
{
    uint32_t id = trace ? analysis_range(trace, range) : 0;
    char *drawn = NULL;
    size_t length = 0;
    FILE *stream = id ? open_memstream(&drawn, &length) : NULL;
    if (stream) {
        ScheduleOptions options = {.range = id, .width = 80};
        schedule_write(stream, trace, form, &options);
        fclose(stream);
    }
    while (length && drawn[length - 1] == '\n') length--;
    if (length) text_append(text, drawn, length);
    else text_add(text, "?");
    free(drawn);
}

/* One field, without its braces. False and why when there is no such field. */
static bool add_field(Report *report, const char *field, const ExerciseRun *run, const Recording *recording,
                      char *error, size_t error_size)
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
        else text_add(&report->text, value);
        return value != NULL;
    }
    if (!strcmp(word, "value")) {
        const char *value = values_find(&recording->values, rest);
        text_add(&report->text, value ? value : "?");
        return true;
    }
    if (!strcmp(word, "unit")) {
        text_add(&report->text, recording->trace ? trace_unit_name(recording->trace) : "?");
        return true;
    }
    if (!strcmp(word, "line") || !strcmp(word, "cells")) {
        add_schedule(&report->text, recording->trace, rest, word[0] == 'l' ? SCHEDULE_LINE : SCHEDULE_CELLS);
        return true;
    }
    snprintf(function, sizeof function, "%s", word);
    char *arguments = memory_copy(rest);
    char *blank = strchr(arguments, ' ');
    if (!strcmp(word, "speedup") && blank) *blank = ',';      /* {speedup A B} is speedup(A, B) */
    double value = 0;
    MeasureKind kind = measure(recording, function, arguments, &value, error, error_size);
    if (kind == MEASURE_VALUE) add_number(report, function, value);
    else if (kind == MEASURE_MISSING) text_add(&report->text, "?");
    else if (kind == MEASURE_UNKNOWN) snprintf(error, error_size, "unknown field {%.60s}", field);
    free(arguments);
    return kind == MEASURE_VALUE || kind == MEASURE_MISSING;
}

bool report_render(Report *report, const char *template, const ExerciseRun *run, const Recording *recording,
                   char *error, size_t error_size)
{
    int line = 1;
    *report = (Report){0};
    for (const char *at = template; *at; ) {
        if ((at[0] == '{' && at[1] == '{') || (at[0] == '}' && at[1] == '}')) {
            text_append(&report->text, at, 1);
            at += 2;
        } else if (*at == '{') {
            const char *end = at + 1 + strcspn(at + 1, "}\n");
            char why[300] = "a '{' without its '}'";
            bool fine = *end == '}';
            if (fine) {
                char *field = memory_format("%.*s", (int)(end - at - 1), at + 1);
                fine = add_field(report, field, run, recording, why, sizeof why);
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
    return true;
}

char *report_comparable(const Report *got, const Report *expected, double tolerance)
{
    Text text = {0};
    size_t at = 0;
    const char *from = text_string(&got->text);
    for (size_t i = 0; i < got->n_numbers && tolerance > 0 && got->n_numbers == expected->n_numbers; i++) {
        const ReportNumber *ours = &got->numbers[i], *theirs = &expected->numbers[i];
        if (fabs(ours->value - theirs->value) > tolerance * fabs(theirs->value)) continue;
        text_append(&text, from + at, ours->at - at);
        text_append(&text, text_string(&expected->text) + theirs->at, theirs->length);
        at = ours->at + ours->length;
    }
    text_append(&text, from + at, got->text.length - at);
    return text_take(&text);
}
