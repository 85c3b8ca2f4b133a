/* submission.c - see submission.h. */
#include "grader/judge/submission.h"
#include "grader/judge/other_model.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/limits.h"
#include "grader/lessons/lesson.h"
#include "grader/course/progress.h"
#include "grader/whatif/rerun.h"
#include "grader/whatif/expect.h"
#include "grader/box/sandbox.h"
#include "grader/course/source.h"

static bool same_file(const char *a, const char *b)
{
    char *one = realpath(a, NULL), *other = realpath(b, NULL);
    bool same = one && other && !strcmp(one, other);
    free(one);
    free(other);
    return same;
}

/* What the lengths were before, and what they are now. */
static void record_scores(Progress *progress, Summary *s)
{
    for (size_t i = 0; i < s->n_checks; i++) {
        SummaryCheck *check = &s->checks[i];
        const ProgressScore *before = progress_score(progress, s->id, check->id);
        if (check->score.got && before) {
            check->score.last = (int)before->last;
            check->score.best = (int)before->best;
        }
        if (check->score.got && !s->untouched)
            progress_set_score(progress, s->id, check->id, check->score.got);
    }
}

static void record(Progress *progress, void *data)
{
    Summary *s = data;
    const SummaryCheck *failed = summary_failed(s);
    record_scores(progress, s);
    /* what the starter has as it came is nobody's yet */
    progress_record(progress, s->id, s->kind == VERDICT_PASS, s->untouched ? 0 : s->points,
                    failed ? failed->id : NULL);
}

static void copy_trace(const char *path, int to)
{
    char piece[65536];
    int from = open(path, O_RDONLY | O_CLOEXEC);
    for (ssize_t n; from >= 0 && (n = read(from, piece, sizeof piece)) != 0;) {
        if (n < 0 && errno != EINTR) break;
        for (ssize_t at = 0; at < n;) {
            ssize_t written = write(to, piece + at, (size_t)(n - at));
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) break;
            at += written;
        }
    }
    if (from >= 0) close(from);
}

/* A path of the state folder as the student names it. Takes the path. */
static char *as_named(const Submission *s, char *path)
{
    char here[PATH_MAX];
    bool at_root = getcwd(here, sizeof here) && !strcmp(here, s->catalogue->root);
    if (!at_root) return path;
    char *shown = catalogue_relative(s->catalogue, path);
    free(path);
    return shown;
}

/* The first run that failed is what a pass is shown beside. */
static char *first_trace(const Submission *s)
{
    return memory_format("%s/%s.first.lane", s->catalogue->state, s->exercise->id);
}

static void keep_first(const Submission *s, const char *trace)
{
    char *to = first_trace(s);
    if (trace && link(trace, to) != 0) errno = 0; /* it is there already, or there is none */
    free(to);
}

static char *find_first(const Submission *s)
{
    char *path = first_trace(s);
    if (access(path, R_OK) == 0) return as_named(s, path);
    free(path);
    return NULL;
}

/* What a viewer of the last run stands on first. */
static void keep_point(const Submission *s)
{
    const SummaryCheck *failed = summary_failed(&s->summary);
    char *path = memory_format("%s/%s.point", s->catalogue->state, s->exercise->id),
         *words = memory_format("%d\n", failed ? failed->op : 0);
    if (!failed || !failed->op || text_write_file(path, words, strlen(words)) != 0) unlink(path);
    free(words);
    free(path);
}

/* Where it was kept, as the student names it; NULL when it was not. */
static char *keep_trace(const Submission *s, const Verdict *verdict, const char *source,
                        unsigned long long schedule)
{
    char *to = schedule ? memory_format("%s/%s-seed%llu.lane", s->catalogue->state, s->exercise->id,
                                        schedule)
                        : memory_format("%s/%s.lane", s->catalogue->state, s->exercise->id);
    char *shown = NULL;
    if (rename(verdict->trace_paths[0], to) == 0) {
        if (verdict->again.length && verdict->program)
            rerun_keep(to, verdict->program, s->exercise->id, source, text_string(&verdict->again));
        else rerun_forget(to);
        shown = as_named(s, memory_copy(to));
    }
    free(to);
    /* the viewer can show the solution's run below the student's */
    to = memory_format("%s/%s.solution.lane", s->catalogue->state, s->exercise->id);
    unlink(to);
    if (s->verdict.solution_trace && link(s->verdict.solution_trace, to) != 0 && errno != EEXIST)
        unlink(to);
    free(to);
    return shown;
}

/* What was predicted, beside what happened; or, at the beginning, that it could be. */
static void look_back(Submission *s)
{
    Summary *summary = &s->summary;
    const Trace *trace = s->verdict.evidence ? s->verdict.evidence[0].got.trace : NULL;
    char *own = expect_file(s->exercise);
    const char *file = s->predict ? s->predict : own;
    if (trace && !s->schedule) summary->expected = expect_words(file, trace, s->exercise->show);
    if (s->predict && trace && !summary->expected)
        summary->expected = memory_format("%s: there is no such file\n", s->predict);
    if (!summary->expected && summary->untouched && s->exercise->predict)
        summary->predict = memory_copy(s->exercise->predict);
    free(own);
}

/* What is left to do once it is judged. own, starter: paths. */
static void describe(Submission *s, const char *source, const char *own, const char *starter,
                     const char *warning)
{
    Summary *summary = &s->summary;
    summary_make(summary, s->exercise, &s->verdict, false);
    summary->file = s->src ? memory_copy(s->src) : catalogue_relative(s->catalogue, source);
    bool other = !s->gpu && exercise_elsewhere(s->exercise, s->model);
    summary->own = !s->schedule && same_file(source, own) && !other;
    if (other) {
        summary->machine = memory_copy(s->model);
        summary->own_machine = memory_copy(s->exercise->model);
    }
    summary->untouched = source_same(source, starter);
    bool traced = s->verdict.trace_paths && s->verdict.trace_paths[0];
    if (traced && s->trace_to >= 0) copy_trace(s->verdict.trace_paths[0], s->trace_to);
    if (warning) summary->unsaved = memory_copy(warning);
    else if (traced) summary->trace = keep_trace(s, &s->verdict, source, s->schedule);
    if (summary->trace && !s->schedule) keep_point(s);
    look_back(s);
    if (!summary->own || summary->kind == VERDICT_GRADER) return;
    if (summary->kind == VERDICT_FAIL) {
        keep_first(s, summary->trace);
    } else if (summary->kind == VERDICT_PASS) {
        summary->before = find_first(s);
        summary->question = lesson_question(s->catalogue, s->exercise->folder);
    }
    int failed = progress_update(s->catalogue->state, record, summary);
    if (failed && !summary->unsaved)
        summary->unsaved =
            memory_format("progress is not saved: %s: %s", s->catalogue->state, strerror(failed));
}

/* Other schedules; the one that breaks something is run once more, for its trace. False when a
 * signal stopped it. */
static bool explore(Submission *s, Workspace *workspace, const JudgeOptions *judging,
                    VerdictKind *status)
{
    if (!s->explore || !s->verdict.checks || s->verdict.kind >= VERDICT_CRASH) return true;
    if (!explore_program(workspace, s->exercise, judging, &s->verdict, s->explore, &s->exploration))
        return false;
    if (!s->exploration.seed) return true;
    JudgeOptions again = *judging;
    Verdict verdict;
    again.schedule = s->exploration.seed;
    bool done = judge(workspace, s->exercise, &again, &verdict);
    if (done && verdict.trace_paths && verdict.trace_paths[0] && !workspace->warning)
        s->explored_trace = keep_trace(s, &verdict, judging->source, again.schedule);
    verdict_release(s->exercise, &verdict);
    if (*status == VERDICT_PASS) *status = VERDICT_FAIL;
    return done;
}

bool submission_judge(Submission *s, VerdictKind *status, char *error, size_t error_size)
{
    char *own = exercise_file(s->exercise, ""), *starter = exercise_file(s->exercise, "starter.cu");
    char *source = source_open(s->src ? s->src : own, error, error_size);
    Workspace workspace = {0};
    Card card = {0};
    bool judged = false;
    *status = VERDICT_USAGE;
    if (source) {
        *status = VERDICT_GRADER;
        bool ready = workspace_open(&workspace, s->catalogue, error, error_size);
        if (ready && s->gpu) {
            *status = VERDICT_USAGE;
            ready = card_open(&card, s->card, error, error_size);
            if (ready && s->exercise->gpus > 1)
                ready = card_take_more(&card, s->card, s->exercise->gpus, s->exercise->id, error,
                                       error_size);
            if (ready) workspace_use(&workspace, &card);
        }
        SandboxOptions boxing = {.least = SANDBOX_LANDLOCK,
                                 .most = SANDBOX_NAMESPACES,
                                 .memory_bytes = LIMIT_BOX_MEMORY,
                                 .processes = LIMIT_BOX_PROCESSES,
                                 .boxes = jobs_processors()};
        Sandbox sandbox;
        bool boxed = ready && s->trusted && !s->unsafe;
        if (boxed) {
            *status = VERDICT_USAGE;
            ready = boxed = sandbox_open(&sandbox, &boxing, error, error_size);
        }
        if (ready) {
            JudgeOptions judging = {.source = source,
                                    .trusted = s->trusted,
                                    .model = s->model,
                                    .seed = s->seed,
                                    .schedule = s->schedule,
                                    .seconds = s->seconds,
                                    .sandbox = boxed ? &sandbox : NULL};
            *status = VERDICT_FAIL;
            if (error_size) error[0] = 0;
            judged =
                judge(&workspace, s->exercise, &judging, &s->verdict) &&
                (s->gpu || other_model_compare(&workspace, s->exercise, &judging, &s->verdict));
            if (judged) describe(s, source, own, starter, workspace.warning);
            if (judged && s->gpu) s->summary.card = memory_copy(card.name);
            s->summary.card_number = (int)s->card;
            if (judged) *status = s->verdict.kind;
            if (judged) judged = explore(s, &workspace, &judging, status);
        }
        if (boxed) sandbox_close(&sandbox);
    }
    workspace_close(&workspace);
    card_close(&card);
    free(source);
    free(own);
    free(starter);
    return judged;
}

void submission_release(Submission *s)
{
    summary_release(&s->summary);
    exploration_release(&s->exploration);
    free(s->explored_trace);
    verdict_release(s->exercise, &s->verdict);
}
