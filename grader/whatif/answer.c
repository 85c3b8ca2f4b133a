/* answer.c - see answer.h. */
#include "grader/whatif/answer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/limits.h"
#include "grader/box/outcome.h"
#include "grader/build/build.h"
#include "timeline/trace/analysis.h"

/* ---- programs with other parameters ---- */

Exercise *ask_exercise(const Rerun *again, const Catalogue *catalogue, const char **batches)
{
    char error[500];
    *batches = NULL;
    const CatalogueEntry *entry =
        again->exercise && catalogue ? catalogue_find(catalogue, again->exercise) : NULL;
    Exercise *exercise = entry ? exercise_read(entry->folder, error, sizeof error) : NULL;
    if (exercise) *batches = exercise->batches;
    return exercise;
}

/* The run of the exercise with the question's parameters. False and one line. */
static bool set_params(ExerciseRun *run, const Question *question, char *error, size_t error_size)
{
    for (size_t i = 0; i < question->n_params; i++) {
        size_t k = 0;
        while (k < run->n_params && strcmp(run->params[k].name, question->params[i].name) != 0) k++;
        const char *value = question->params[i].value;
        if (k < run->n_params && *value && strlen(value) < 12 &&
            strspn(value, "0123456789") == strlen(value)) {
            free(run->params[k].value);
            run->params[k].value = memory_copy(value);
            continue;
        }
        Text known = {0};
        for (k = 0; k < run->n_params; k++)
            text_printf(&known, "%s%s", k ? ", " : "", run->params[k].name);
        snprintf(error, error_size,
                 "%s=%s: the exercise has these parameters, each a whole number: %s",
                 question->params[i].name, value, known.length ? text_string(&known) : "none");
        text_release(&known);
        return false;
    }
    return true;
}

/* What builds programs for questions: opened when the first one needs it. */
typedef struct Makers {
    Workspace workspace;
    bool open;
    Exercise **exercises; /* one per question that needs it */
    Build *builds;
    size_t n;
} Makers;

static bool make_one(Makers *m, const Rerun *again, const Catalogue *catalogue,
                     const Question *question, const char **program, char *error, size_t error_size)
{
    const char *batches;
    Exercise *exercise = ask_exercise(again, catalogue, &batches);
    if (!exercise) {
        snprintf(error, error_size,
                 "%s=%s: only the course's exercises have parameters; give this program another "
                 "argument after --, or change its source",
                 question->params[0].name, question->params[0].value);
        return false;
    }
    m->exercises[m->n] = exercise;
    if (!set_params(&exercise->runs[0], question, error, error_size)) {
        m->n++;
        return false;
    }
    if (!m->open && !(m->open = workspace_open(&m->workspace, catalogue, error, error_size)))
        return m->n++, false;
    Build *build = &m->builds[m->n++];
    *build = (Build){.exercise = exercise,
                     .run = &exercise->runs[0],
                     .source = again->source,
                     .seamed = true};
    if (!builds_make(&m->workspace, build, 1)) {
        error[0] = '\0'; /* a signal */
        return false;
    }
    if (build->state != BUILD_OK)
        snprintf(error, error_size, "with %s=%s the source, as it is now, does not compile: %.300s",
                 question->params[0].name, question->params[0].value, text_string(&build->output));
    *program = build->program;
    return build->state == BUILD_OK;
}

static void makers_close(Makers *m)
{
    for (size_t i = 0; i < m->n; i++) {
        build_release(&m->builds[i]);
        exercise_free(m->exercises[i]);
    }
    if (m->open) workspace_close(&m->workspace);
    free(m->builds);
    free(m->exercises);
}

/* ---- what came of it ---- */

/* The range of the same name, the as-manyth of them. */
static uint32_t same_range(const Trace *before, uint32_t range, const Trace *after)
{
    uint32_t nth = 0;
    if (!range) return 0;
    for (uint32_t i = 1; i < range; i++)
        nth += !strcmp(before->ranges[i].name, before->ranges[range].name);
    for (uint32_t i = 1; i <= after->n_ranges; i++)
        if (!strcmp(after->ranges[i].name, before->ranges[range].name) && nth-- == 0) return i;
    return 0;
}

static bool same_site(TraceSite a, TraceSite b)
{
    return a.line == b.line && !a.file == !b.file && (!a.file || !strcmp(a.file, b.file));
}

static bool has_hazard(const Trace *trace, const TraceHazard *hazard)
{
    for (uint32_t i = 1; i <= trace->n_hazards; i++) {
        const TraceHazard *other = &trace->hazards[i];
        if (!strcmp(other->kind, hazard->kind) && same_site(other->site_a, hazard->site_a) &&
            same_site(other->site_b, hazard->site_b))
            return true;
    }
    return false;
}

static uint32_t only_in(const Trace *one, const Trace *other, uint32_t ids[ANSWER_HAZARDS])
{
    uint32_t n = 0;
    for (uint32_t i = 1; i <= one->n_hazards; i++) {
        if (one->hazards[i].note || has_hazard(other, &one->hazards[i])) continue;
        if (n < ANSWER_HAZARDS) ids[n] = i;
        n++;
    }
    return n;
}

static uint32_t unfinished(const Trace *trace, uint32_t range)
{
    uint32_t n = 0;
    for (uint32_t i = range ? trace->ranges[range].first_op : 1; i && i <= trace->n_ops; i++)
        n += trace_in_range(trace, range, i) && trace_op_is_work(&trace->ops[i]) &&
             trace->ops[i].end_ns == TRACE_OPEN_NS;
    return n;
}

/* Why it did not come to its end, if it did not. */
static void say_end(Answer *answer, const RerunJob *run)
{
    Outcome outcome;
    const Job *job = &run->job;
    outcome_read(&outcome, run->outcome);
    Text *to = &answer->trouble;
    if (job->end == JOB_EXITED && job->status == 0) {
        for (uint32_t i = 1; answer->after && i <= answer->after->n_notes; i++)
            if (!strcmp(answer->after->notes[i].kind, "what-if"))
                text_printf(to, "%s.", answer->after->notes[i].text);
    } else if (outcome.text && outcome.stop == STOP_MODEL) {
        text_printf(to, "%.*s", (int)strcspn(outcome.text, "\n"), outcome.text);
    } else if (outcome.text) {
        text_printf(to, "The program does not come to its end then: %s%s%.*s.",
                    outcome.site ? outcome.site : "", outcome.site ? ": " : "",
                    (int)strcspn(outcome.text, "\n"), outcome.text);
    } else if (job->end == JOB_EXITED) {
        text_printf(to, "The program ends with status %d then.", job->status);
    } else if (job->end == JOB_SIGNALED) {
        text_printf(to, "The program crashes then: signal %d (%s).", job->status,
                    strsignal(job->status));
    } else if (job->end == JOB_NOT_STARTED) {
        text_printf(to, "The program could not be started: %s.", strerror(job->status));
    } else {
        text_printf(to, "The program was stopped: it took too much %s.",
                    job->end == JOB_TIMEOUT ? "time" : "room");
    }
    outcome_release(&outcome);
}

static void read_answer(Answer *answer, RerunJob *run, const Trace *before, uint32_t range,
                        const char *keep)
{
    char error[500];
    answer->before_ns = analysis_window_ns(before, range);
    if (access(run->trace, R_OK) == 0) answer->after = trace_read(run->trace, error, sizeof error);
    say_end(answer, run);
    if (!answer->after) {
        if (!answer->trouble.length)
            text_add(&answer->trouble, "the program recorded nothing: did tlcc build it?");
        if (keep) unlink(keep);
        return;
    }
    answer->range = same_range(before, range, answer->after);
    answer->after_ns = analysis_window_ns(answer->after, answer->range);
    uint32_t left = unfinished(answer->after, answer->range), was = unfinished(before, range);
    answer->unfinished = left > was ? left : 0;
    answer->n_new = only_in(answer->after, before, answer->new);
    answer->n_gone = only_in(before, answer->after, answer->gone);
    if (keep && rename(run->trace, keep) != 0) unlink(keep); /* what was there is another answer */
}

bool answers_make(const Rerun *again, const Trace *before, uint32_t range,
                  const Catalogue *catalogue, const Question *questions, size_t n, const char *keep,
                  Answer *answers, char *error, size_t error_size)
{
    RerunJob *runs = memory_get(n, sizeof *runs);
    Job *jobs = memory_get(n, sizeof *jobs);
    Makers makers = {.exercises = memory_get(n, sizeof *makers.exercises),
                     .builds = memory_get(n, sizeof *makers.builds)};
    const char *slash = keep ? strrchr(keep, '/') : NULL;
    char *where = !keep    ? NULL
                  : !slash ? memory_copy(".")
                           : memory_format("%.*s", (int)(slash > keep ? slash - keep : 1), keep);
    bool fine = true;
    for (size_t i = 0; i < n && fine; i++) {
        runs[i] = (RerunJob){.calls = text_string(&questions[i].calls),
                             .model = questions[i].model,
                             .where = where};
        if (questions[i].n_params)
            fine = make_one(&makers, again, catalogue, &questions[i], &runs[i].program, error,
                            error_size);
        if (fine) fine = rerun_start(again, &runs[i], error, error_size);
        jobs[i] = runs[i].job;
    }
    if (fine && !(fine = jobs_run(jobs, n, jobs_processors()))) error[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        if (runs[i].folder) runs[i].job = jobs[i];
        if (fine) read_answer(&answers[i], &runs[i], before, range, i == 0 ? keep : NULL);
        rerun_over(&runs[i]);
    }
    makers_close(&makers);
    free(where);
    free(jobs);
    free(runs);
    return fine;
}

void answer_release(Answer *answer)
{
    trace_free(answer->after);
    text_release(&answer->trouble);
    *answer = (Answer){0};
}

/* ---- words ---- */

const char *answer_times(const Answer *a, const Trace *before, bool utf8, char *text, size_t size)
{
    char was[100], is[100];
    if (!a->after) {
        snprintf(text, size, "%s", text_string(&a->trouble));
        return text;
    }
    analysis_time(before, a->before_ns, was, sizeof was);
    if (a->unfinished) {
        snprintf(text, size, "%s %s not known: the program ends before %u %s over", was,
                 utf8 ? "→" : "->", a->unfinished,
                 a->unfinished == 1 ? "operation is" : "operations are");
        return text;
    }
    analysis_time(a->after, a->after_ns, is, sizeof is);
    int n = snprintf(text, size, "%s %s %s", was, utf8 ? "→" : "->", is);
    if (n < 0 || (size_t)n >= size || !a->before_ns || !a->after_ns) return text;
    if (strcmp(trace_unit_name(before), trace_unit_name(a->after)) != 0) {
        snprintf(text + n, size - (size_t)n, ": another machine, whose times are its own");
        return text;
    }
    double ratio = (double)a->before_ns / (double)a->after_ns;
    if (a->before_ns == a->after_ns) snprintf(text + n, size - (size_t)n, ": as long as before");
    else if (ratio > 0.995 && ratio < 1.005)
        snprintf(text + n, size - (size_t)n, ": nearly as long as before");
    else if (ratio > 1)
        snprintf(text + n, size - (size_t)n, ": %s times as fast",
                 analysis_ratio(a->before_ns, a->after_ns, was, sizeof was));
    else
        snprintf(text + n, size - (size_t)n, ": %s times as long",
                 analysis_ratio(a->after_ns, a->before_ns, was, sizeof was));
    return text;
}

static void list(Text *text, const Trace *trace, const uint32_t *ids, uint32_t n, uint32_t most,
                 const char *word)
{
    for (uint32_t i = 0; i < n && i < most && i < ANSWER_HAZARDS; i++) {
        const TraceHazard *h = &trace->hazards[ids[i]];
        const char *said = h->headline[0] ? h->headline : h->text;
        text_printf(text, "%s: %s: %.*s%s%s\n", word, h->kind, (int)strcspn(said, "\n"), said,
                    h->why[0] ? ". Why: " : "", h->why);
    }
    if (n > most) text_printf(text, "%s: %u more\n", word, n - most);
}

void answer_hazards(const Answer *a, const Trace *before, uint32_t most, Text *text)
{
    if (a->after) list(text, a->after, a->new, a->n_new, most, "New");
    list(text, before, a->gone, a->n_gone, most, "Gone");
}
