/* check_command.c - `threelane check`: any CUDA program built and run with the hazard checker on,
 * on the canonical schedule and, if asked, on others. What is found is written by the program
 * itself (sim/hazard/HAZARDS.md); the status is here.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "common/limits.h"
#include "common/env.h"
#include "grader/box/outcome.h"
#include "grader/build/build.h"
#include "grader/commands/command.h"
#include "grader/box/background.h"
#include "grader/box/runner.h"
#include "grader/box/time_spent.h"
#include "common/folder.h"
#include "common/json.h"
#include "common/text.h"
#include "timeline/trace/trace.h"

enum { BATCH = 32, MOST_JOBS = 64 };
#define PATIENCE_SECONDS 20.0 /* for a program that is stopped to write its reports */

typedef struct Examination {
    char **compile; /* words for tlcc */
    size_t n_compile;
    char **arguments; /* of the program */
    const char *model;
    double seconds; /* 0: as long as it takes; schedules: LIMIT_RUN_SECONDS */
    unsigned long long explore, seed;
    bool strict, json;
    char *folder, *program; /* temporary */
} Examination;

/* Reads what there is of a run's report and of what it says of its end; then neither file is there
 * any more. */
static void take_report(const char *json, const char *path, Text *report, Outcome *outcome)
{
    text_clear(report);
    text_read_file(report, json, LIMIT_HAZARDS);
    outcome_read(outcome, path);
    unlink(json);
    unlink(path);
}

/* The report of a program that wrote none: what it says of its end is all there is. */
static void put_empty_report(const Outcome *outcome)
{
    fputs("{\"tool\":\"threelane\",\"format\":1,\"program\":null,\"errors\":0,\"notes\":0,"
          "\"stopped\":",
          stdout);
    if (outcome->stop == STOP_NONE) {
        fputs("null", stdout);
    } else {
        const char *colon = outcome->site ? strrchr(outcome->site, ':') : NULL;
        char *file =
            colon ? memory_format("%.*s", (int)(colon - outcome->site), outcome->site) : NULL;
        fputs("{\"kind\":", stdout);
        json_text(stdout, exit_status_stop[outcome->stop].word);
        fputs(",\"text\":", stdout);
        json_text(stdout, outcome->text);
        fputs(",\"file\":", stdout);
        json_text(stdout, file);
        printf(",\"line\":%lu}", colon ? strtoul(colon + 1, NULL, 10) : 0);
        free(file);
    }
    puts(",\"hazards\":[]}");
}

static int usage(void)
{
    return command_fail(
        CHECKED_NOT_RUN,
        "usage: threelane check PROGRAM.cu [options of tlcc] [--explore N] [--seed N] [--strict] "
        "[--json] [--model M] [--timeout S] [-- ARGUMENTS]");
}

/* Our own options out of the words; all others are tlcc's. */
static bool parse(Examination *x, const Options *options)
{
    Options own = {0};
    x->compile = memory_get(options->n_words + 4, sizeof *x->compile);
    x->compile[x->n_compile++] = NULL; /* tlcc's path */
    bool source = false;
    for (size_t i = 1; i < options->n_words; i++) { /* words[0] is the command's name */
        char *word = options->words[i];
        if (!strcmp(word, "--")) {
            x->arguments = options->words + i + 1;
            break;
        }
        if (!strcmp(word, "-o") || !strcmp(word, "-c") || !strcmp(word, "-E") ||
            !strcmp(word, "-S"))
            return command_fail(
                       CHECKED_NOT_RUN,
                       "%s is not for check: it makes a program, runs it and throws it away", word),
                   false;
        char error[300];
        OptionTaken taken =
            option_take(&own, "check", options->words, options->n_words, &i, error, sizeof error);
        if (taken == OPTION_WRONG) return command_fail(CHECKED_NOT_RUN, "%s", error), false;
        if (taken == OPTION_TAKEN) continue;
        source = source || word[0] != '-';
        x->compile[x->n_compile++] = word;
    }
    x->model = own.model;
    x->seconds = own.seconds;
    x->explore = own.explore;
    x->seed = own.seed;
    x->strict = own.strict;
    x->json = own.json;
    return source || (usage(), false);
}

/* ---- building ---- */

static bool build(Examination *x)
{
    char *tlcc = workspace_find_tlcc(NULL);
    if (!tlcc)
        return command_fail(
                   CHECKED_NOT_RUN,
                   "the compiler tlcc was not found (beside threelane, in PATH, or as " ENV_TLCC
                   "): build it with `make`"),
               false;
    x->compile[0] = tlcc;
    x->compile[x->n_compile] = memory_copy("-o");
    x->compile[x->n_compile + 1] = x->program;
    Job job = {.argv = x->compile,
               .limits = {.seconds = LIMIT_CHECK_COMPILE_SECONDS,
                          .output_bytes = LIMIT_PROGRAM_OUTPUT}};
    bool done = jobs_run(&job, 1, 1), built = done && job.end == JOB_EXITED && job.status == 0;
    fwrite(text_string(&job.output), 1, job.output.length, stderr);
    if (done && job.end == JOB_NOT_STARTED)
        command_fail(CHECKED_NOT_RUN, "%s: %s", tlcc, strerror(job.status));
    else if (done && !built) command_fail(CHECKED_NOT_RUN, "check: the program does not build");
    text_release(&job.output);
    free(x->compile[x->n_compile]);
    free(tlcc);
    x->compile[0] = x->compile[x->n_compile] = NULL;
    return built;
}

/* ---- one run, with the terminal as it is ---- */

/* Waits for the process; false when it had to be killed. */
static bool await(pid_t pid, double seconds, int *status)
{
    bool late = false;
#ifdef SYS_pidfd_open
    int process = seconds > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
    struct pollfd end = {.fd = process, .events = POLLIN};
    TimeSpent spent = {0}, asked = {0};
    double began = background_clock();
    while (process >= 0 && poll(&end, 1, TIME_SPENT_MS) == 0 && !late)
        late = time_spent_more(&spent, pid, background_clock(), seconds) ||
               background_clock() - began > TIME_SPENT_CLOCK_FACTOR * seconds;
    if (late) kill(pid, SIGTERM); /* so that it can say where it is */
    for (began = background_clock(); late && poll(&end, 1, TIME_SPENT_MS) == 0;)
        if (time_spent_more(&asked, pid, background_clock(), spent.computed + PATIENCE_SECONDS) ||
            background_clock() - began > TIME_SPENT_CLOCK_FACTOR * PATIENCE_SECONDS)
            kill(pid, SIGKILL);
    if (process >= 0) close(process);
#endif
    while (waitpid(pid, status, 0) < 0 && errno == EINTR) {}
    return !late;
}

static int run_here(const Examination *x)
{
    char *json = memory_format("%s/hazards.json", x->folder),
         *path = memory_format("%s/outcome", x->folder);
    void (*old)(int) = signal(SIGINT, SIG_IGN);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        char seed[32], **argv = x->arguments ? x->arguments - 1 : (char *[]){NULL, NULL};
        signal(SIGINT, old);
        signal(SIGPIPE, SIG_DFL);
        if (x->json) dup2(STDERR_FILENO, STDOUT_FILENO); /* the output is the report */
        if (x->model) setenv(ENV_MODEL, x->model, 1);
        snprintf(seed, sizeof seed, "%llu", x->seed);
        if (x->seed) setenv(ENV_SEED, seed, 1);
        setenv(ENV_CHECK, "all", 0);
        setenv(ENV_CHECK_JSON, json, 1);
        setenv(ENV_OUTCOME, path, 1);
        argv[0] = x->program;
        execv(x->program, argv);
        _exit(127);
    }
    int status = 0;
    bool in_time = pid > 0 && await(pid, x->seconds, &status);
    signal(SIGINT, old);
    Text report = {0};
    Outcome t;
    take_report(json, path, &report, &t);
    if (x->json && report.length) fwrite(text_string(&report), 1, report.length, stdout);
    if (x->json && !report.length) put_empty_report(&t);
    fflush(stdout);
    int result = t.errors || (x->strict && t.notes) ? CHECKED_ERRORS : CHECKED_CLEAN,
        code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const char *words = t.errors == 1 ? "1 error" : NULL;
    if (pid < 0)
        result = command_fail(CHECKED_NOT_RUN, "check: the program could not be started: %s",
                              strerror(errno));
    else if (!in_time)
        result = command_fail(t.errors ? CHECKED_ERRORS : CHECKED_NOT_RUN,
                              "check: the program was stopped after %g s", x->seconds);
    else if (code == HOST_STATUS_UNSUPPORTED)
        result = command_fail(CHECKED_NOT_RUN, "check: the program could not be run to its end");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) result = CHECKED_NOT_RUN;
    else if (code == HOST_STATUS_MISUSE || code == HOST_STATUS_DEADLOCK ||
             (WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS)))
        result = command_fail(CHECKED_ERRORS, "check: the program was ended by the error above");
    else if (WIFSIGNALED(status))
        result = command_fail(t.errors ? CHECKED_ERRORS : CHECKED_NOT_RUN,
                              "check: the program was ended by signal %d (%s)", WTERMSIG(status),
                              strsignal(WTERMSIG(status)));
    else if (words || t.errors || t.notes)
        command_fail(VERDICT_PASS, "check: %u error%s, %u note%s", t.errors,
                     t.errors == 1 ? "" : "s", t.notes, t.notes == 1 ? "" : "s");
    else command_fail(VERDICT_PASS, "check: nothing found");
    text_release(&report);
    outcome_release(&t);
    free(json);
    free(path);
    return result;
}

/* ---- other schedules ---- */

typedef struct Baseline {
    char end[64];
    Text output;
    unsigned errors, notes;
    bool timed;
} Baseline;

/* Did the program look at a clock? Then what it prints may well differ. The runtime notes it in the
 * trace. */
static bool looked_at_time(const char *path)
{
    char error[300];
    Trace *trace = trace_read(path, error, sizeof error);
    bool found = trace && trace_meta(trace, "clock_read");
    for (uint32_t i = 1; trace && i <= trace->n_calls && !found; i++)
        found = !strcmp(trace->calls[i].name, "cudaEventElapsedTime") ||
                !strcmp(trace->calls[i].name, "cuEventElapsedTime");
    trace_free(trace);
    return found;
}

/* The first line in which two outputs differ. */
static void say_difference(Text *what, const Text *here, const Text *there)
{
    const char *a = text_string(here), *b = text_string(there);
    size_t line = 1, start = 0, i = 0;
    for (; a[i] && a[i] == b[i]; i++)
        if (a[i] == '\n') line++, start = i + 1;
    text_printf(what,
                "it prints something else: line %zu is \"%.*s\" here and \"%.*s\" on the canonical "
                "schedule",
                line, (int)(strcspn(a + start, "\n") < 80 ? strcspn(a + start, "\n") : 80),
                a + start, (int)(strcspn(b + start, "\n") < 80 ? strcspn(b + start, "\n") : 80),
                b + start);
}

/* Looks at what one schedule left; true when it differs from the canonical one in a way that
 * matters. */
static bool differs(const Examination *x, const char *stem, unsigned long long seed,
                    const char *end, Baseline *base, Text *what)
{
    char *json = memory_format("%s-%llu.json", stem, seed),
         *out = memory_format("%s-%llu.out", stem, seed);
    char *lane = memory_format("%s-%llu.lane", stem, seed),
         *path = memory_format("%s-%llu.outcome", stem, seed);
    Text output = {0}, report = {0};
    Outcome t;
    take_report(json, path, &report, &t);
    text_read_file(&output, out, LIMIT_PROGRAM_OUTPUT);
    bool found = true;
    if (!seed) {
        snprintf(base->end, sizeof base->end, "%s", end);
        text_append(&base->output, text_string(&output), output.length);
        base->errors = t.errors;
        base->notes = t.notes;
        base->timed = looked_at_time(lane);
        found = false;
    } else if (strcmp(end, base->end) != 0) {
        text_printf(what, "it ends with \"%s\", on the canonical schedule with \"%s\"", end,
                    base->end);
        if (t.text)
            text_printf(what, "; it said: threelane: %s%s%.*s", t.site ? t.site : "",
                        t.site ? ": " : "", (int)strcspn(t.text, "\n"), t.text);
    } else if (t.errors > base->errors || (x->strict && t.notes > base->notes)) {
        text_printf(what, "%u error%s, on the canonical schedule %u", t.errors,
                    t.errors == 1 ? "" : "s", base->errors);
        if (t.headline) text_printf(what, "; the first: %s", t.headline);
    } else if (!base->timed && !t.errors &&
               (output.length != base->output.length ||
                memcmp(text_string(&output), text_string(&base->output), output.length) != 0)) {
        say_difference(what, &output, &base->output);
    } else {
        found = false;
    }
    text_release(&output);
    text_release(&report);
    outcome_release(&t);
    char *values = memory_format("%s-%llu.values", stem, seed),
         *results = memory_format("%s-%llu.results", stem, seed);
    char *paths[] = {json, out, lane, values, results, path};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        unlink(paths[i]);
        free(paths[i]);
    }
    return found;
}

static int by_seed(const void *a, const void *b)
{
    unsigned long long one = strtoull(*(char *const *)a, NULL, 10),
                       other = strtoull(*(char *const *)b, NULL, 10);
    return one < other ? -1 : one > other;
}

/* Runs seeds first .. first + count - 1 on all processors; false when nothing more is to be
 * done. */
static bool run_batch(const Examination *x, unsigned long long first, unsigned long long count,
                      Baseline *base, unsigned long long *ran, unsigned long long *bad, Text *what)
{
    size_t n = jobs_processors() < MOST_JOBS ? jobs_processors() : MOST_JOBS, n_lines = 0;
    if (n > count) n = (size_t)count;
    Job jobs[MOST_JOBS];
    char *stem = memory_format("%s/s", x->folder), *asked[MOST_JOBS],
         *ends = memory_format("%s.ends", stem);
    double seconds = x->seconds > 0 ? x->seconds : LIMIT_RUN_SECONDS;
    char *none[] = {x->program, NULL}, **argv = x->arguments ? x->arguments - 1 : none;
    argv[0] = x->program;
    unlink(ends);
    for (size_t j = 0; j < n; j++) {
        asked[j] = memory_format("%llu:%llu:%zu:%g:%s", first + j, (count - 1 - j) / n + 1, n,
                                 seconds, stem);
        size_t variables = 0;
        while (environ[variables]) variables++;
        char **env = memory_get(variables + 2, sizeof *env);
        memcpy(env, environ, variables * sizeof *env);
        env[variables] = memory_format(ENV_EXPLORE "=%s", asked[j]);
        jobs[j] = (Job){.argv = argv,
                        .env = env,
                        .limits = {.seconds = seconds * (double)count + 10,
                                   .output_bytes = LIMIT_PROGRAM_OUTPUT}};
    }
    bool going = jobs_run(jobs, n, n);
    for (size_t j = 0; j < n; j++) {
        if (going && (jobs[j].end != JOB_EXITED || jobs[j].status != 0) && !what->length) {
            text_printf(what, "the schedules could not be run: %s", text_string(&jobs[j].output));
            *bad = ULLONG_MAX;
        }
        char **env = (char **)(uintptr_t)jobs[j].env;
        size_t variables = 0;
        while (env[variables]) variables++;
        free(env[variables - 1]);
        free(env);
        free(asked[j]);
        text_release(&jobs[j].output);
    }
    Text text = {0};
    going = going && *bad == 0 && text_read_file(&text, ends, LIMIT_PROGRAM_OUTPUT) == 0;
    char **lines = list_split(text_string(&text), '\n', &n_lines);
    qsort(lines, n_lines, sizeof *lines, by_seed);
    for (size_t i = 0; i < n_lines; i++) {
        unsigned long long seed;
        char end[64];
        if (sscanf(lines[i], "%llu %63[^\n]", &seed, end) != 2 || *bad) continue;
        if (seed) ++*ran;
        if (differs(x, stem, seed, end, base, what)) *bad = seed;
    }
    list_free(lines);
    text_release(&text);
    free(stem);
    free(ends);
    return going && !*bad;
}

static int explore(const Examination *x)
{
    Baseline base = {.end = ""};
    Text what = {0};
    unsigned long long ran = 0, bad = 0, next = 0;
    if (x->model) setenv(ENV_MODEL, x->model, 1);
    setenv(ENV_CHECK, "all", 0);
    setenv(ENV_CHECK_JSON, "-", 1); /* each run gets a path of its own */
    while (next <= x->explore) {
        unsigned long long count = next ? x->explore - next + 1 : 1;
        unsigned long long most = BATCH * jobs_processors();
        if (count > most) count = most;
        if (!run_batch(x, next, count, &base, &ran, &bad, &what)) break;
        next += count;
    }
    int result = CHECKED_CLEAN;
    if (bad == ULLONG_MAX || jobs_interrupted()) {
        result = jobs_interrupted()
                     ? CHECKED_NOT_RUN
                     : command_fail(CHECKED_NOT_RUN, "check: %s", text_string(&what));
    } else if (bad) {
        result = command_fail(CHECKED_ERRORS,
                              "check: the schedule of seed %llu breaks it: %s (" ENV_SEED
                              "=%llu, or check "
                              "--seed %llu, shows it)",
                              bad, text_string(&what), bad, bad);
    } else {
        command_fail(VERDICT_PASS, "check: %llu other legal schedules: nothing else found%s", ran,
                     base.timed ? " (what it prints is not compared: it measures time)" : "");
    }
    text_release(&what);
    text_release(&base.output);
    return result;
}

int command_check(const Options *options)
{
    Examination x = {0};
    int result = CHECKED_NOT_RUN;
    const char *temporary = getenv(ENV_TMPDIR), *check = getenv(ENV_CHECK);
    if (options->n_words < 2) return usage();
    if (check && !strcmp(check, "off"))
        return command_fail(CHECKED_NOT_RUN, ENV_CHECK "=off: there is nothing to check for");
    if (parse(&x, options)) {
        x.folder =
            memory_format("%s/threelane-XXXXXX", temporary && *temporary ? temporary : "/tmp");
        if (!mkdtemp(x.folder)) {
            command_fail(CHECKED_NOT_RUN,
                         "%s: %s: a folder to work in is needed; set TMPDIR to one", x.folder,
                         strerror(errno));
        } else {
            x.program = memory_format("%s/program", x.folder);
            if (build(&x)) {
                result = run_here(&x);
                if (result != CHECKED_NOT_RUN && x.explore) {
                    int others = explore(&x);
                    if (others > result) result = others;
                }
            }
            folder_remove(x.folder);
        }
    }
    free(x.compile);
    free(x.folder);
    free(x.program);
    return result;
}
