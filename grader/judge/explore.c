/* explore.c - see explore.h. A worker process for each processor takes every W-th seed: it has the
 * program itself make a batch of runs (THREELANE_EXPLORE: one start, a fork for each seed) and
 * judges what they left, while the others do the same. What it found stands in memory that all
 * share. */
#include "grader/judge/explore.h"
#include "common/limits.h"
#include "common/env.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "common/folder.h"

enum { BATCH = 16, MOST_WORKERS = 64, WORDS = 2000, SLACK_SECONDS = 5 };

typedef struct Found { /* by one worker */
    unsigned long long seed, ran;
    char what[WORDS], failure[WORDS];
} Found;

typedef struct Shared {
    unsigned long long stop; /* no seed from here on matters */
    Found found[MOST_WORKERS];
} Shared;

typedef struct Search {
    const Workspace *workspace;
    const Exercise *exercise;
    const JudgeOptions *options;
    const Verdict *verdict;
    unsigned long long n, workers;
    double seconds; /* for one schedule */
    char *model;
    Shared *shared;
} Search;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- judging one schedule ---- */

static bool close_enough(float a, float b)
{
    return a == b || (isnan(a) && isnan(b)) ||
           fabs((double)a - (double)b) <= 1e-5 * fabs((double)b);
}

/* True, and in which place, when the results are not those of the canonical schedule. */
static bool results_change(const Dumps *canonical, const Dumps *got, char *what)
{
    for (size_t i = 0; i < canonical->n; i++) {
        const Dump *old = &canonical->items[i], *new = i < got->n ? &got->items[i] : NULL;
        if (!new || strcmp(old->name, new->name) != 0 || old->n != new->n) {
            snprintf(what, WORDS, "The result `%.100s` is not there, or has another length.",
                     old->name);
            return true;
        }
        size_t first = old->n, n = 0;
        for (size_t k = 0; k < old->n; k++) {
            if (close_enough(new->values[k], old->values[k])) continue;
            if (!n++) first = k;
        }
        if (!n) continue;
        snprintf(
            what, WORDS,
            "The results change: %s[%zu] is %g here and %g on the canonical schedule (%zu of %zu "
            "differ). So they depend on an order that nothing guarantees.",
            old->name, first, (double)new->values[first], (double)old->values[first], n, old->n);
        return true;
    }
    return false;
}

/* Why the virtual GPU ended a program, or what it found in it; else the last line that the program
 * printed. */
static void last_words(const char *outcome_path, const char *output, char *words, size_t size)
{
    Outcome outcome;
    Text text = {0};
    words[0] = 0;
    if (outcome_read(&outcome, outcome_path) && (outcome.text || outcome.headline)) {
        const char *before = outcome.text ? outcome.site : outcome.hazard;
        const char *said = outcome.text ? outcome.text : outcome.headline;
        snprintf(words, size, " It said: threelane: %s%s%.*s", before ? before : "",
                 before ? ": " : "", (int)strcspn(said, "\n"), said);
    } else if (text_read_file(&text, output, LIMIT_SCHEDULE_OUTPUT) == 0 && text.length) {
        const char *all = text_string(&text), *at = all + text.length - 1;
        while (at > all && at[-1] != '\n') at--;
        snprintf(words, size, " It said: %.*s", (int)strcspn(at, "\n"), at);
    }
    outcome_release(&outcome);
    text_release(&text);
}

/* True when the schedule breaks something, with a sentence about it. end: as sim wrote it. */
static bool breaks(const Search *s, const char *stem, unsigned long long seed, const char *end,
                   char *what)
{
    char error[500], words[600];
    int number = 0;
    char *trace = memory_format("%s-%llu.lane", stem, seed),
         *results = memory_format("%s-%llu.results", stem, seed),
         *values = memory_format("%s-%llu.values", stem, seed),
         *out = memory_format("%s-%llu.out", stem, seed),
         *outcome = memory_format("%s-%llu.outcome", stem, seed);
    bool broken = strcmp(end, "exit 0") != 0;
    if (broken) {
        last_words(outcome, out, words, sizeof words);
        if (sscanf(end, "exit %d", &number) == 1)
            snprintf(what, WORDS, "The program ends with status %d.%s", number, words);
        else if (sscanf(end, "signal %d", &number) == 1)
            snprintf(what, WORDS, "The program is ended by signal %d (%s).%s", number,
                     strsignal(number), words);
        else
            snprintf(what, WORDS, "The program does not end within %g seconds.%s", s->seconds,
                     words);
    } else {
        Evidence evidence = s->verdict->evidence[0];
        Text text = {0};
        evidence.got = (Recording){.trace = trace_read(trace, error, sizeof error)};
        evidence.complete = true;
        evidence.explored = true;
        if (text_read_file(&text, results, LIMIT_RUN_FILE) == 0)
            dumps_parse(&evidence.got.dumps, text_string(&text), text.length);
        text_clear(&text);
        if (text_read_file(&text, values, LIMIT_TEXT) == 0)
            values_parse(&evidence.got.values, text_string(&text));
        text_release(&text);
        broken = results_change(&s->verdict->evidence[0].got.dumps, &evidence.got.dumps, what);
        CheckResult result = {0};
        size_t check = s->exercise->n_checks;
        if (!broken) check = checks_explored(s->exercise, &evidence, s->verdict->checks, &result);
        if (check < s->exercise->n_checks) {
            broken = true;
            snprintf(what, WORDS, "\"%s\" no longer holds. %s", s->exercise->checks[check].title,
                     result.cause ? result.cause : "");
        }
        free(result.cause);
        free(result.detail);
        free(result.mistake);
        recording_release(&evidence.got);
    }
    char *paths[] = {trace, results, values, out, outcome};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        unlink(paths[i]);
        free(paths[i]);
    }
    return broken;
}

/* ---- a worker ---- */

static void variable(char **env, char *text)
{
    size_t i = 0;
    while (env[i]) i++;
    env[i] = text;
}

/* One batch: seeds first, first + workers, ... False when nothing more is to be done. */
static bool run_batch(const Search *s, Found *found, const char *folder, unsigned long long first,
                      unsigned long long count)
{
    static const char *const passed_on[] = {ENV_PATH, ENV_USER_HOME, ENV_TMPDIR, ENV_HOME,
                                            ENV_CHECK};
    char *env[13] = {0}, *argv[2] = {s->verdict->program, NULL};
    char *stem = memory_format("%s/s", folder), *ends = memory_format("%s.ends", stem);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) {
        const char *value = getenv(passed_on[i]);
        if (value) variable(env, memory_format("%s=%s", passed_on[i], value));
    }
    const char *look_for = s->exercise->runs[0].look_for;
    if (look_for) variable(env, memory_format(ENV_CHECK "=%s", look_for));
    variable(env, memory_format(ENV_ACCESSES "=all"));
    variable(env, memory_format(ENV_MODEL "=%s", s->model));
    variable(env, memory_format(ENV_INPUT "=%llu", s->options->seed ? s->options->seed : 1));
    variable(env, memory_format(ENV_EXPLORE "=%llu:%llu:%llu:%g:%s", first, count, s->workers,
                                s->seconds, stem));
    Job job = {.argv = argv,
               .env = env,
               .folder = folder,
               .limits = {.seconds = s->seconds * (double)count + SLACK_SECONDS,
                          .output_bytes = LIMIT_SCHEDULE_OUTPUT,
                          .file_bytes = LIMIT_RUN_FILE}};
    unlink(ends);
    bool going = jobs_run(&job, 1, 1);
    Text text = {0};
    if (going && (job.end != JOB_EXITED || job.status != 0)) {
        snprintf(found->failure, WORDS, "the schedules could not be run%s%.1500s",
                 job.output.length ? ": " : "", text_string(&job.output));
        going = false;
    } else if (going && text_read_file(&text, ends, LIMIT_TEXT) != 0) {
        snprintf(found->failure, WORDS, "%.1500s is not there", ends);
        going = false;
    }
    for (const char *line = text_string(&text); going && *line;
         line = strchrnul(line, '\n'), line += *line == '\n') {
        char end[64];
        unsigned long long seed;
        if (sscanf(line, "%llu %63[^\n]", &seed, end) != 2) break;
        found->ran++;
        if (!breaks(s, stem, seed, end, found->what)) continue;
        found->seed = seed;
        going = false;
    }
    text_release(&text);
    text_release(&job.output);
    for (size_t i = 0; env[i]; i++) free(env[i]);
    free(stem);
    free(ends);
    return going;
}

static void work(const Search *s, unsigned long long worker)
{
    Found *found = &s->shared->found[worker];
    char *folder = memory_format("%s/explore-%llu", s->workspace->work, worker);
    if (folder_make(folder) != 0) {
        snprintf(found->failure, WORDS, "%.1500s: %s", folder, strerror(errno));
        free(folder);
        return;
    }
    unsigned long long first = 1 + worker;
    while (first <= s->n && first < __atomic_load_n(&s->shared->stop, __ATOMIC_RELAXED)) {
        unsigned long long left = (s->n - first) / s->workers + 1,
                           count = left < BATCH ? left : BATCH;
        if (!run_batch(s, found, folder, first, count)) break;
        first += count * s->workers;
    }
    unsigned long long stop = __atomic_load_n(&s->shared->stop, __ATOMIC_RELAXED);
    while (found->seed && found->seed < stop &&
           !__atomic_compare_exchange_n(&s->shared->stop, &stop, found->seed, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    folder_remove(folder);
    free(folder);
}

/* ---- all of them ---- */

static bool run_workers(const Search *s)
{
    pid_t workers[MOST_WORKERS], parent = getpid();
    bool done = true;
    fflush(NULL);
    for (unsigned long long w = 0; w < s->workers; w++) {
        workers[w] = fork();
        if (workers[w] == 0) {
            prctl(PR_SET_PDEATHSIG, SIGTERM);
            if (getppid() == parent) work(s, w);
            int signal = jobs_interrupted();
            _exit(signal ? 128 + signal : 0);
        }
        if (workers[w] < 0)
            snprintf(s->shared->found[w].failure, WORDS, "no process can be made: %s",
                     strerror(errno));
    }
    for (unsigned long long w = 0; w < s->workers; w++) {
        int status = 0;
        if (workers[w] < 0) continue;
        while (waitpid(workers[w], &status, 0) < 0 && errno == EINTR) {}
        done = done && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return done;
}

bool explore_program(Workspace *workspace, const Exercise *exercise, const JudgeOptions *options,
                     const Verdict *verdict, unsigned long long n, Exploration *exploration)
{
    *exploration = (Exploration){.asked = n};
    Search s = {.workspace = workspace,
                .exercise = exercise,
                .options = options,
                .verdict = verdict,
                .n = n,
                .workers = jobs_processors(),
                .seconds = options->seconds > 0 ? options->seconds : LIMIT_RUN_SECONDS,
                .model = exercise_model(exercise, &exercise->runs[0], options->model)};
    if (s.workers > MOST_WORKERS) s.workers = MOST_WORKERS;
    if (s.workers > n) s.workers = n;
    double began = now();
    s.shared =
        mmap(NULL, sizeof *s.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool done = s.shared != MAP_FAILED;
    if (!done) exploration->failure = memory_copy("out of memory");
    else {
        s.shared->stop = n + 1;
        done = run_workers(&s);
        const Found *first = NULL;
        for (unsigned long long w = 0; w < s.workers; w++) {
            const Found *found = &s.shared->found[w];
            exploration->ran += found->ran;
            if (found->seed && (!first || found->seed < first->seed)) first = found;
            if (found->failure[0] && !exploration->failure)
                exploration->failure = memory_copy(found->failure);
        }
        if (first) {
            exploration->seed = first->seed;
            exploration->what = memory_copy(first->what);
        }
        munmap(s.shared, sizeof *s.shared);
    }
    exploration->seconds = now() - began;
    free(s.model);
    return done;
}

void exploration_release(Exploration *exploration)
{
    free(exploration->what);
    free(exploration->failure);
    *exploration = (Exploration){0};
}
