/* judge.c - see judge.h. */
#include "grader/judge/judge.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include "common/folder.h"
#include "common/env.h"
#include "common/hash.h"
#include "common/limits.h"
#include "grader/box/confine.h"
#include "grader/build/messages.h"
#include "grader/judge/report.h"
#include "timeline/trace/analysis.h"
#include "timeline/trace/infer.h"

enum { VARIABLES = 24, ARGUMENTS = 8, WORDS = 500 };

/* One program to run, and where it leaves what. */
typedef struct Execution {
    char *folder, *trace, *results, *values, *outcome, *log;
    char *env[VARIABLES];
    size_t of_run; /* where in env those begin that the exercise's run asks for */
    char *argv[ARGUMENTS];
} Execution;

static void variable(Execution *execution, char *text)
{
    size_t i = 0;
    while (execution->env[i]) i++;
    memory_room(i, VARIABLES - 1); /* the last one stays NULL */
    execution->env[i] = text;
}

/* What a program is run for: its own evidence; the log that a player can play; playing it. */
typedef enum Purpose { PURPOSE_EVIDENCE, PURPOSE_LOG, PURPOSE_PLAY } Purpose;

/* stem: path that the files' names begin with. */
static void execution_start(Execution *execution, const Workspace *workspace, Purpose purpose,
                            const char *program, const char *stem, const ExerciseRun *run,
                            const char *model, unsigned long long seed)
{
    *execution = (Execution){.folder = memory_format("%s/here-XXXXXX", workspace->work),
                             .trace = memory_format("%s.lane", stem),
                             .results = memory_format("%s.results", stem),
                             .values = memory_format("%s.values", stem),
                             .outcome = memory_format("%s.outcome", stem)};
    if (!mkdtemp(execution->folder))
        snprintf(execution->folder, strlen(workspace->work) + 1, "%s", workspace->work);
    unlink(execution->trace);
    unlink(execution->results);
    unlink(execution->values);
    unlink(execution->outcome);
    static const char *const passed_on[] = {ENV_PATH, ENV_USER_HOME, ENV_TMPDIR, ENV_HOME,
                                            /* from here on for a card only */
                                            ENV_LIBRARY_PATH, ENV_CUDA_HOME, ENV_CUDA_ORDER,
                                            ENV_CUPTI, ENV_TRACER};
    const Card *card = workspace->card;
    char *const words[] = {memory_copy(card ? card->command : program),
                           memory_copy("trace"),
                           memory_copy("-q"),
                           memory_copy("-o"),
                           memory_copy(execution->trace),
                           memory_copy("--"),
                           memory_copy(program)};
    _Static_assert(sizeof words / sizeof *words < ARGUMENTS, "and NULL");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (i == 0 || card) execution->argv[i] = words[i];
        else free(words[i]);
    }
    for (size_t i = 0; i < (card ? sizeof passed_on / sizeof *passed_on : 4); i++) {
        const char *value = getenv(passed_on[i]);
        if (value) variable(execution, memory_format("%s=%s", passed_on[i], value));
    }
    if (card) variable(execution, memory_format(ENV_CUDA_VISIBLE "=%s", card->visible));
    if (purpose == PURPOSE_LOG) { /* in the only folder that it must be able to write */
        execution->log = memory_format("%s/.threelane-log", execution->folder);
        variable(execution, memory_format(ENV_LOG "=%s", execution->log));
    } else {
        variable(execution, memory_format(ENV_TRACE "=%s", execution->trace));
        variable(execution, memory_format(ENV_RESULTS "=%s", execution->results));
        variable(execution, memory_format(ENV_VALUES "=%s", execution->values));
        variable(execution, memory_format(ENV_OUTCOME "=%s", execution->outcome));
    }
    char here[4096];
    if (getcwd(here, sizeof here)) variable(execution, memory_format(ENV_SOURCES "=%s", here));
    variable(execution, memory_format(ENV_MODEL "=%s", model));
    variable(execution, memory_format(ENV_INPUT "=%llu", seed));
    variable(execution, memory_format(ENV_ACCESSES "=all"));
    while (execution->env[execution->of_run]) execution->of_run++;
    if (run->look_for) variable(execution, memory_format(ENV_CHECK "=%s", run->look_for));
    if (run->inside) variable(execution, memory_format(ENV_INSIDE "=%s", run->inside));
    for (size_t i = 0; i < run->n_env; i++)
        variable(execution, memory_format("%s=%s", run->env[i].name, run->env[i].value));
}

static Job execution_job(const Execution *execution, const Card *card, double seconds)
{
    uint64_t memory = card ? LIMIT_RUN_CARD_MEMORY : LIMIT_RUN_MEMORY;
    struct sysinfo info;
    if (sysinfo(&info) == 0 && (uint64_t)info.totalram * info.mem_unit / 2 < memory)
        memory = (uint64_t)info.totalram * info.mem_unit / 2;
    return (Job){.argv = execution->argv,
                 .env = execution->env,
                 .folder = execution->folder,
                 .limits = {.seconds = seconds,
                            .memory_bytes = memory,
                            .output_bytes = LIMIT_RUN_OUTPUT,
                            .file_bytes = LIMIT_RUN_FILE,
                            .processes = LIMIT_RUN_PROCESSES,
                            .grace_seconds = card ? LIMIT_CARD_GRACE_SECONDS : 0}};
}

static void execution_release(Execution *execution)
{
    for (size_t i = 0; execution->env[i]; i++) free(execution->env[i]);
    if (execution->folder) folder_remove(execution->folder);
    for (size_t i = 0; i < ARGUMENTS; i++) free(execution->argv[i]);
    free(execution->folder);
    free(execution->trace);
    free(execution->results);
    free(execution->values);
    free(execution->outcome);
    free(execution->log);
    *execution = (Execution){0};
}

/* A trace of a real device has no reasons and no unit of its own. What the harness did as `stage`,
 * by itself and once, is the unit that all of an exercise's numbers are in; where it marks none,
 * the unit is the millisecond. */
static void make_ready(Trace *trace)
{
    if (!trace_measured(trace)) return;
    infer_causes(trace); /* what is short of memory here only lacks the reasons */
    uint32_t stage = analysis_range(trace, "stage");
    uint64_t ns = stage ? analysis_makespan_ns(trace, stage) : 0;
    if (ns) trace_set_unit(trace, ns, "unit");
}

/* Reads what an execution left; missing files are empty. */
static void recording_read(Recording *recording, const Execution *execution)
{
    Text text = {0};
    char error[WORDS];
    *recording = (Recording){0};
    if (access(execution->trace, R_OK) == 0)
        recording->trace = trace_read(execution->trace, error, sizeof error);
    if (recording->trace) make_ready(recording->trace);
    if (text_read_file(&text, execution->results, LIMIT_RUN_FILE) == 0)
        dumps_parse(&recording->dumps, text_string(&text), text.length);
    text_clear(&text);
    if (text_read_file(&text, execution->values, LIMIT_TEXT) == 0)
        values_parse(&recording->values, text_string(&text));
    text_release(&text);
}

static void hash_model(Hash *hash, const char *model)
{
    Text text = {0};
    hash_add_string(hash, model);
    if (strchr(model, '/') && text_read_file(&text, model, LIMIT_TEXT) == 0)
        hash_add(hash, text_string(&text), text.length);
    text_release(&text);
}

static void say_end(Text *text, const Job *job, const Exercise *exercise, const char *whose)
{
    switch (job->end) {
    case JOB_NOT_STARTED:
        text_printf(text, "%s could not be started: %s.", whose, strerror(job->status));
        break;
    case JOB_EXITED: text_printf(text, "%s ended with status %d.", whose, job->status); break;
    case JOB_SIGNALED:
        text_printf(text, "%s crashed: signal %d (%s)%s.", whose, job->status,
                    strsignal(job->status),
                    job->status == SIGSEGV || job->status == SIGBUS
                        ? "; it used memory that is not its own"
                        : "");
        break;
    case JOB_TIMEOUT:
        text_printf(text,
                    "%s did not end within %g s and was stopped. A longer limit: `threelane run %s "
                    "--timeout %g` "
                    "(or TIMEOUT=%g with make).",
                    whose, job->limits.seconds, exercise->id, job->limits.seconds * 6,
                    job->limits.seconds * 6);
        break;
    case JOB_OUTPUT:
        text_printf(text, "%s printed more than %llu KiB and was stopped: does a loop never end?",
                    whose, LIMIT_RUN_OUTPUT >> 10);
        break;
    case JOB_MEMORY:
        text_printf(text, "%s used more than %llu MiB of memory and was stopped.", whose,
                    (unsigned long long)(job->limits.memory_bytes >> 20));
        break;
    case JOB_PROCESSES:
        text_printf(text, "%s started too many processes and was stopped.", whose);
        break;
    case JOB_FILE:
        text_printf(text, "%s wrote a file of more than %llu MiB and was stopped.", whose,
                    (unsigned long long)(job->limits.file_bytes >> 20));
        break;
    }
}

static VerdictKind end_kind(const Job *job)
{
    switch (job->end) {
    case JOB_TIMEOUT: return VERDICT_TIMEOUT;
    case JOB_OUTPUT:
    case JOB_MEMORY:
    case JOB_FILE:
    case JOB_PROCESSES: return VERDICT_LIMIT;
    case JOB_NOT_STARTED: return VERDICT_GRADER;
    case JOB_EXITED: return job->status ? VERDICT_CRASH : VERDICT_PASS;
    default: return VERDICT_CRASH;
    }
}

static VerdictReason end_reason(const Job *job)
{
    switch (job->end) {
    case JOB_NOT_STARTED: return job->status == ENOSPC ? REASON_DISK_FULL : REASON_COURSE;
    case JOB_EXITED:
        return !job->status                              ? REASON_NONE
               : exit_status_stop_of_status(job->status) ? REASON_STOPPED
                                                         : REASON_STATUS;
    case JOB_SIGNALED: return REASON_SIGNAL;
    case JOB_TIMEOUT: return REASON_TIME;
    case JOB_OUTPUT: return REASON_OUTPUT;
    case JOB_MEMORY: return REASON_MEMORY;
    case JOB_PROCESSES: return REASON_PROCESSES;
    case JOB_FILE: return REASON_FILE;
    }
    return REASON_NONE;
}

#define REASON_WORD(NAME, WORD) [NAME] = WORD,
const char *const verdict_reason_word[REASON_KINDS] = {VERDICT_REASONS(REASON_WORD)};

static void fail(Verdict *verdict, VerdictKind kind, VerdictReason reason, size_t run,
                 const char *words)
{
    verdict->kind = kind;
    verdict->reason = reason;
    verdict->run = run;
    text_clear(&verdict->message);
    text_add(&verdict->message, words);
}

/* ---- the steps ---- */
typedef struct Case {
    Workspace *workspace;
    const Exercise *exercise;
    const JudgeOptions *options;
    Verdict *verdict;
    size_t n; /* runs; arrays below have twice as many: the student's, then the solution's */
    Confined *confined; /* 2 n, with a sandbox: the programs', then the players' */
    Execution *plays;   /* n, when the program is not trusted: the player's */
    Job *played;
    Build *builds;
    Execution *executions;
    Job *jobs;
    char **models;    /* n */
    char **solutions; /* n */
    char *template;
} Case;

/* A course packed for students has its solutions as objects, for the parameters of the exercise and
 * of its models. */
static bool find_solution(Case *c, size_t run, char *words, size_t size)
{
    const char *path = c->solutions[run] = build_solution(c->exercise, &c->exercise->runs[run]);
    bool source = !strcmp(path + strlen(path) - 3, ".cu");
    if (!source && c->workspace->card)
        snprintf(
            words, size,
            "This copy of the course has no solutions, and results on a real GPU are compared with "
            "one's: judge on the virtual GPU, or use the whole course.");
    else if (access(path, R_OK) == 0) return true;
    else if (source) snprintf(words, size, "%.300s: %s", path, strerror(errno));
    else
        snprintf(words, size,
                 "This copy of the course has no solutions, and cannot judge with other parameters "
                 "than the "
                 "exercise's own (%s/exercise.ini).",
                 c->exercise->folder);
    return false;
}

static bool read_texts(Case *c)
{
    struct {
        const char *name;
        char **to;
    } files[] = {{"report.txt", &c->template}, {"golden.txt", &c->verdict->golden}};
    char words[WORDS];
    for (size_t i = 0; i < 2; i++) {
        Text text = {0};
        char *path = exercise_file(c->exercise, files[i].name);
        int error = text_read_file(&text, path, LIMIT_TEXT);
        *files[i].to = text_take(&text);
        snprintf(words, sizeof words, "%.300s: %s", path, strerror(error));
        free(path);
        if (error) {
            fail(c->verdict, VERDICT_GRADER, error == ENOSPC ? REASON_DISK_FULL : REASON_COURSE, 0,
                 words);
            return false;
        }
    }
    char *harness = exercise_file(c->exercise, "harness.cu");
    bool there = access(harness, R_OK) == 0;
    if (!there) snprintf(words, sizeof words, "%.300s: %s", harness, strerror(errno));
    for (size_t run = 0; run < c->n && there; run++)
        there = find_solution(c, run, words, sizeof words);
    if (!there) fail(c->verdict, VERDICT_GRADER, REASON_COURSE, 0, words);
    free(harness);
    return there;
}

/* Of the course's own sources it is known what they include: their programs may be kept. */
static bool is_of_course(const Exercise *e, const char *source)
{
    static const char *const own[] = {"solution.cu", "starter.cu", "right/", "wrong/"};
    bool found = false;
    for (size_t i = 0; i < sizeof own / sizeof *own && !found; i++) {
        char *path = exercise_file(e, own[i]);
        found = !strncmp(source, path, strlen(path));
        free(path);
    }
    return found;
}

static bool build_all(Case *c)
{
    bool known = !c->options->trusted && is_of_course(c->exercise, c->options->source);
    for (size_t i = 0; i < 2 * c->n; i++) {
        bool student = i < c->n;
        c->builds[i] = (Build){.exercise = c->exercise,
                               .run = &c->exercise->runs[i % c->n],
                               .source = student ? c->options->source : c->solutions[i - c->n],
                               .keep = !student || known,
                               .seamed = student && !c->workspace->card,
                               .boxed = student && c->options->trusted,
                               .sandbox = student ? c->options->sandbox : NULL,
                               .seconds = LIMIT_COMPILE_SHARE * c->options->seconds};
    }
    return builds_make(c->workspace, c->builds, 2 * c->n);
}

/* What a compiler said: of a great deal, the first and the last lines. */
static void add_messages(Text *to, const Text *messages)
{
    enum { MOST = 48 << 10, LAST = 2 << 10 };
    const char *all = text_string(messages);
    if (messages->length <= MOST) {
        text_append(to, all, messages->length);
        return;
    }
    size_t first = MOST - LAST, last = messages->length - LAST;
    while (first > MOST / 2 && all[first - 1] != '\n') first--;
    while (last + 1 < messages->length && all[last - 1] != '\n') last++;
    text_append(to, all, first);
    text_printf(to, "... (%zu KiB of messages are left out)\n", (last - first) >> 10);
    text_append(to, all + last, messages->length - last);
}

static VerdictKind build_kind(const Build *build)
{
    switch (build->state) {
    case BUILD_OK: return VERDICT_PASS;
    case BUILD_STUDENT_ERROR: return VERDICT_COMPILE;
    case BUILD_TIMEOUT: return VERDICT_TIMEOUT;
    case BUILD_LIMIT: return VERDICT_LIMIT;
    default: return VERDICT_GRADER;
    }
}

/* The runs in the order in which they decide: what can be told comes before what cannot. The Nth,
 * from 0. */
static size_t deciding(const Case *c, size_t nth)
{
    for (int hidden = 0; hidden < 2; hidden++) {
        for (size_t run = 0; run < c->n; run++)
            if (c->exercise->runs[run].hidden == hidden && nth-- == 0) return run;
    }
    return 0;
}

/* The first build that failed decides; the solution's only when the student's are fine. */
static bool builds_fine(Case *c)
{
    for (size_t i = 0; i < 2 * c->n; i++) {
        size_t run = deciding(c, i % c->n);
        const Build *build = &c->builds[i < c->n ? run : c->n + run];
        if (build->state == BUILD_OK) continue;
        VerdictKind kind = build_kind(build);
        bool own = i < c->n && kind != VERDICT_GRADER;
        const char *said = text_string(&build->output);
        char *undefined = kind == VERDICT_COMPILE ? messages_undefined(said) : NULL;
        VerdictReason reason = !own ? messages_disk_full(said) ? REASON_DISK_FULL : REASON_COURSE
                               : kind == VERDICT_TIMEOUT ? REASON_TIME
                               : kind == VERDICT_LIMIT   ? REASON_MEMORY
                               : undefined               ? REASON_UNDEFINED
                                                         : REASON_SOURCE;
        fail(c->verdict, own ? kind : VERDICT_GRADER, reason, run, "");
        c->verdict->undefined = undefined;
        if (!own) {
            text_printf(&c->verdict->message, "%s does not compile:\n",
                        build->state == BUILD_HARNESS_ERROR ? "The harness of this exercise"
                        : build->state == BUILD_TOOL_ERROR  ? "The compiler failed; the file"
                                                            : "The solution of this exercise");
        }
        add_messages(&c->verdict->message, &build->output);
        return false;
    }
    return true;
}

/* The seed of a run's random input. */
static unsigned long long input_seed(const Case *c, size_t run)
{
    const ExerciseRun *of = &c->exercise->runs[run];
    if (of->hidden) return of->input;
    return c->options->seed ? c->options->seed : 1;
}

/* Names what a solution's run leaves in the cache. */
static char *solution_stem(Case *c, size_t run)
{
    char name[33];
    Hash hash = c->workspace->tools;
    unsigned long long seed = input_seed(c, run);
    hash_add_string(&hash, c->builds[c->n + run].key);
    if (c->workspace->card) hash_add_string(&hash, c->workspace->card->identity);
    hash_model(&hash, c->models[run]);
    const ExerciseRun *own = &c->exercise->runs[run];
    if (own->look_for) hash_add_string(&hash, own->look_for);
    if (own->inside) hash_add_string(&hash, own->inside);
    for (size_t i = 0; i < own->n_env; i++) {
        hash_add_string(&hash, own->env[i].name);
        hash_add_string(&hash, own->env[i].value);
    }
    hash_add(&hash, &seed, sizeof seed);
    hash_name(&hash, name);
    return memory_format("%s/%s", c->workspace->cache, name);
}

static bool confine_play(Case *c, size_t run)
{
    const Execution *play = &c->plays[run];
    char *harness = exercise_file(c->exercise, "harness.cu");
    const ConfineOptions options = {.sandbox = c->options->sandbox,
                                    .program = c->builds[run].player,
                                    .folder = play->folder,
                                    .model = c->models[run],
                                    .env = play->env + play->of_run,
                                    .seed = input_seed(c, run),
                                    .log = c->executions[run].log,
                                    .trace = play->trace,
                                    .results = play->results,
                                    .values = play->values,
                                    .outcome = play->outcome,
                                    .source = c->options->source,
                                    .named = c->verdict->source,
                                    .harness = harness};
    bool fine = confine_player(&c->confined[c->n + run], &c->played[run], &options);
    int error = errno;
    free(harness);
    errno = error;
    return fine;
}

/* Makes again what the logs of the first n programs say; the evidence is what these runs leave. */
static bool play_all(Case *c, size_t n)
{
    Job *jobs = memory_get(n, sizeof *jobs);
    size_t *of = memory_get(n, sizeof *of), ready = 0;
    for (size_t run = 0; run < n; run++) {
        Execution *play = &c->plays[run];
        char *stem = memory_format("%s/%s-%s", c->workspace->work, c->exercise->id,
                                   c->exercise->runs[run].name);
        execution_start(play, c->workspace, PURPOSE_PLAY, c->builds[run].player, stem,
                        &c->exercise->runs[run], c->models[run], input_seed(c, run));
        if (!c->options->sandbox) {
            variable(play, memory_format(ENV_PLAY "=%s", c->executions[run].log));
            variable(play, memory_format(ENV_PLAY_SOURCE "=%s", c->verdict->source));
        }
        c->played[run] =
            execution_job(play, NULL,
                          c->options->seconds > 0 ? c->options->seconds : LIMIT_RUN_SECONDS);
        free(stem);
        if (!c->options->sandbox || confine_play(c, run)) {
            jobs[ready] = c->played[run];
            of[ready++] = run;
        } else {
            c->played[run].end = JOB_NOT_STARTED;
            c->played[run].status = errno;
        }
    }
    /* what the first one costs beyond its limits, it costs once */
    size_t first = c->options->sandbox && ready && of[0] == 0;
    bool done = !first || jobs_run(jobs, 1, 1);
    if (first && done && job_used_up(&jobs[0])) ready = first;
    if (done) done = jobs_run(jobs + first, ready - first, c->workspace->parallel);
    for (size_t i = 0; i < ready; i++) c->played[of[i]] = jobs[i];
    free(jobs);
    free(of);

    return done;
}

/* How the playing of a run ended, as a verdict, and in words. A log that is wrong ends the player
 * by its own word; a signal that nobody sent is a hole in the player (is_incident). */
static VerdictKind played_kind(const Job *job)
{
    switch (job->end) {
    case JOB_NOT_STARTED:
    case JOB_SIGNALED: return VERDICT_GRADER;
    case JOB_EXITED:
        return job->status == 0                ? VERDICT_PASS
               : job->status == PLAYER_BROKEN  ? VERDICT_GRADER
               : job->status == PLAYER_LIMIT   ? VERDICT_LIMIT
               : job->status == PLAYER_REFUSED ? VERDICT_REFUSED
                                               : VERDICT_CRASH;
    default: return VERDICT_LIMIT;
    }
}

static void say_played(Text *text, const Job *job, const Outcome *outcome)
{
    static const char *const used_up[] = {[JOB_TIMEOUT] = "time",
                                          [JOB_OUTPUT] = "output",
                                          [JOB_MEMORY] = "memory",
                                          [JOB_FILE] = "room for what it records",
                                          [JOB_PROCESSES] = "threads"};
    switch (job->end) {
    case JOB_NOT_STARTED:
        text_printf(text, "The player could not be started: %s.", strerror(job->status));
        break;
    case JOB_SIGNALED:
        text_printf(text,
                    "The player, which makes the program's calls again, crashed: signal %d (%s)"
                    "%s%s. That is a fault of Threelane's, whatever the program did: nothing of "
                    "this run counts, and a person has to look at it.",
                    job->status, strsignal(job->status), outcome->line ? " at the log's line " : "",
                    outcome->line ? outcome->line : "");
        break;
    case JOB_EXITED:
        if (!outcome->text)
            text_add(text, "The program's calls cannot be made again: they do not fit the "
                           "exercise's own code.");
        else
            text_printf(text, "Made again, the program's calls end so: %s%s%.*s.",
                        outcome->site ? outcome->site : "", outcome->site ? ": " : "",
                        (int)strcspn(outcome->text, "\n"), outcome->text);
        break;
    default:
        text_printf(text,
                    "Making the program's calls again took more %s than is allowed, and was "
                    "stopped.",
                    used_up[job->end]);
    }
}

static bool confine_run(Case *c, size_t run, unsigned long long seed)
{
    const Execution *execution = &c->executions[run];
    const ConfineOptions options = {.sandbox = c->options->sandbox,
                                    .program = c->builds[run].program,
                                    .folder = execution->folder,
                                    .model = c->models[run],
                                    .seed = seed,
                                    .env = execution->env + execution->of_run,
                                    .log = execution->log,
                                    .card = c->workspace->card,
                                    .trace = execution->trace,
                                    .results = execution->results,
                                    .values = execution->values};
    return confine(&c->confined[run], &c->jobs[run], &options);
}

/* A program on a card records call stacks; the source lines in them are looked up when it has
 * ended. */
static bool find_sites(Case *c)
{
    Job *jobs = memory_get(c->n, sizeof *jobs);
    size_t n = 0;
    for (size_t run = 0; run < c->n; run++) {
        if (!c->confined[run].n_fds) continue;
        jobs[n] =
            (Job){.limits = {.seconds = LIMIT_SITES_SECONDS, .output_bytes = LIMIT_SITES_OUTPUT}};
        confine_sites(&c->confined[run], &jobs[n++]);
    }
    bool done = jobs_run(jobs, n, c->workspace->parallel);
    for (size_t i = 0; i < n; i++) text_release(&jobs[i].output);
    free(jobs);
    return done;
}

/* Jobs in the order in which they are run; of: whose they are, by the numbers of Case.jobs. */
typedef struct Queue {
    Job *jobs;
    size_t *of, n;
} Queue;

static void queue_add(Queue *queue, const Case *c, size_t which)
{
    queue->jobs[queue->n] = c->jobs[which];
    queue->of[queue->n++] = which;
}

/* What has to be so for the program to do the same again (grader/whatif). */
static void note_variables(const Case *c, const Execution *execution)
{
    static const char *const own[] = {ENV_TRACE "=", ENV_RESULTS "=", ENV_VALUES "=",
                                      ENV_OUTCOME "="};
    for (size_t i = 0; execution->env[i]; i++) {
        bool ours = strchr(execution->env[i], '\n') != NULL;
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            ours |= !strncmp(execution->env[i], own[k], strlen(own[k]));
        if (!ours) text_printf(&c->verdict->again, "%s\n", execution->env[i]);
    }
}

/* A job for each run of the submission; one that cannot even be prepared has ended already. */
static void queue_submission(Case *c, Queue *queue)
{
    const Card *card = c->workspace->card;
    double seconds = c->options->seconds > 0 ? c->options->seconds
                     : card                  ? LIMIT_RUN_CARD_SECONDS
                                             : LIMIT_RUN_SECONDS;
    for (size_t run = 0; run < c->n; run++) {
        Execution *execution = &c->executions[run];
        Purpose purpose = c->options->trusted ? PURPOSE_LOG : PURPOSE_EVIDENCE;
        char *stem = memory_format("%s/%s-%s", c->workspace->work, c->exercise->id,
                                   c->exercise->runs[run].name);
        execution_start(execution, c->workspace, purpose, c->builds[run].program, stem,
                        &c->exercise->runs[run], c->models[run], input_seed(c, run));
        if (c->options->schedule)
            variable(execution, memory_format(ENV_SEED "=%llu", c->options->schedule));
        c->verdict->trace_paths[run] = memory_copy(execution->trace);
        if (run == 0 && !c->options->trusted && !card) note_variables(c, execution);
        free(stem);

        c->jobs[run] = execution_job(execution, card, seconds);
        c->jobs[run].fixed_addresses = c->options->trusted;
        if (!c->options->sandbox || confine_run(c, run, input_seed(c, run))) {
            queue_add(queue, c, run);
        } else {
            c->jobs[run].end = JOB_NOT_STARTED;
            c->jobs[run].status = errno;
        }
    }
}

/* A job for each run of the solution that is not in the cache; stems: what it is named by there. */
static void queue_solution(Case *c, char *const *stems, Queue *queue)
{
    for (size_t run = 0; run < c->n; run++) {
        size_t which = c->n + run;
        char *done = memory_format("%s.done", stems[run]);
        bool kept = access(done, F_OK) == 0;
        free(done);
        for (size_t k = 0; k < run && !kept; k++) kept = !strcmp(stems[k], stems[run]);
        if (kept) continue;

        char *stem =
            memory_format("%s/solution-%s", c->workspace->work, c->exercise->runs[run].name);
        execution_start(&c->executions[which], c->workspace, PURPOSE_EVIDENCE,
                        c->builds[which].program, stem, &c->exercise->runs[run], c->models[run],
                        input_seed(c, run));
        c->jobs[which] =
            execution_job(&c->executions[which], c->workspace->card, LIMIT_SOLUTION_SECONDS);
        queue_add(queue, c, which);
        free(stem);
    }
}

/* Runs them. *spent: the submission's first run has used up all of its time or room, and the others
 * were left out: what it costs, it costs once. */
static bool run_queue(Case *c, Queue *queue, bool *spent)
{
    /* on a card one after the other, and nobody else's meanwhile: what is measured is the one
     * program */
    const Card *card = c->workspace->card;
    int *locks = card ? card_lock(card, c->workspace->cache) : NULL;
    size_t first = c->options->sandbox && queue->n && queue->of[0] == 0;
    bool done = !first || jobs_run(queue->jobs, 1, 1);
    *spent = first && done && job_used_up(&queue->jobs[0]);
    if (*spent) {
        size_t all = queue->n;
        queue->n = first;
        for (size_t j = first; j < all; j++)
            if (queue->of[j] >= c->n) queue_add(queue, c, queue->of[j]);
    }
    if (done)
        done = jobs_run(queue->jobs + first, queue->n - first, card ? 1 : c->workspace->parallel);
    card_unlock(locks);
    for (size_t j = 0; j < queue->n; j++) c->jobs[queue->of[j]] = queue->jobs[j];
    return done;
}

/* What a run of the solution left, moved into the cache: .done comes last, so that a half-moved one
 * is not taken for whole. */
static void keep_solution(const Execution *execution, const char *stem)
{
    const char *const endings[] = {"lane", "results", "values"};
    const char *const paths[] = {execution->trace, execution->results, execution->values};
    for (size_t k = 0; k < 3; k++) {
        char *to = memory_format("%s.%s", stem, endings[k]);
        rename(paths[k], to);
        free(to);
    }
    char *mark = memory_format("%s.done", stem);
    text_write_file(mark, "", 0);
    free(mark);
}

/* Reads what the solution's run left, now or earlier, unless it failed; and what the submission's
 * did. */
static void read_evidence(Case *c, size_t run, const char *stem)
{
    Evidence *evidence = &c->verdict->evidence[run];
    Execution kept = {.trace = memory_format("%s.lane", stem),
                      .results = memory_format("%s.results", stem),
                      .values = memory_format("%s.values", stem)};
    bool failed = c->executions[c->n + run].trace && end_kind(&c->jobs[c->n + run]) != VERDICT_PASS;
    if (!failed) recording_read(&evidence->expected, &kept);
    if (!failed && run == 0) c->verdict->solution_trace = memory_copy(kept.trace);
    const Execution *left = c->options->trusted ? &c->plays[run] : &c->executions[run];
    if (left->trace) recording_read(&evidence->got, left);
    execution_release(&kept);
}

/* Runs the submission, and the solution where that is new. False when interrupted. */
static bool run_all(Case *c)
{
    Queue queue = {.jobs = memory_get(2 * c->n, sizeof *queue.jobs),
                   .of = memory_get(2 * c->n, sizeof *queue.of)};
    char **stems = memory_get(c->n, sizeof *stems);
    for (size_t run = 0; run < c->n; run++) stems[run] = solution_stem(c, run);
    bool spent;
    queue_submission(c, &queue);
    queue_solution(c, stems, &queue);
    bool done = run_queue(c, &queue, &spent);

    for (size_t run = 0; run < c->n; run++) confined_ended(&c->confined[run]);
    if (done && c->workspace->card && c->options->sandbox) done = find_sites(c);
    if (done && c->options->trusted) done = play_all(c, spent ? 1 : c->n);
    for (size_t run = 0; run < c->n && done; run++) {
        const Execution *execution = &c->executions[c->n + run];
        if (execution->trace && end_kind(&c->jobs[c->n + run]) == VERDICT_PASS)
            keep_solution(execution, stems[run]);
    }
    for (size_t run = 0; run < c->n && done; run++) read_evidence(c, run, stems[run]);

    for (size_t run = 0; run < c->n; run++) free(stems[run]);
    free(stems);
    free(queue.jobs);
    free(queue.of);
    return done;
}

/* The solution has to run to its end: else the exercise, the model or the machine is at fault, not
 * the student. */
static bool solutions_fine(Case *c)
{
    for (size_t run = 0; run < c->n; run++) {
        const Job *job = &c->jobs[c->n + run];
        bool ran = c->executions[c->n + run].trace != NULL;
        bool fine =
            (!ran || end_kind(job) == VERDICT_PASS) && c->verdict->evidence[run].expected.trace;
        if (fine) continue;
        /* a device model that was asked for and is none: whoever asked for it is told, nobody else
         * is at fault */
        Outcome outcome = {0};
        bool told =
            ran && c->options->model && outcome_read(&outcome, c->executions[c->n + run].outcome);
        if (told && outcome.stop == STOP_MODEL) {
            fail(c->verdict, VERDICT_USAGE, REASON_MODEL, run, outcome.text ? outcome.text : "");
            outcome_release(&outcome);
            return false;
        }
        outcome_release(&outcome);
        fail(c->verdict, VERDICT_GRADER,
             end_reason(job) == REASON_DISK_FULL ? REASON_DISK_FULL : REASON_COURSE, run, "");
        if (ran) say_end(&c->verdict->message, job, c->exercise, "The solution of this exercise");
        if (!ran || end_kind(job) == VERDICT_PASS)
            text_add(&c->verdict->message, " It left no trace.");
        if (c->workspace->card)
            text_printf(&c->verdict->message, " (on %s)", c->workspace->card->name);
        else text_printf(&c->verdict->message, " (model %s)", c->models[run]);
        if (job->output.length) {
            text_add(&c->verdict->message, "\n");
            text_append(&c->verdict->message, text_string(&job->output),
                        job->output.length < 2000 ? job->output.length : 2000);
        }
        return false;
    }
    return true;
}

/* A card that has no memory left, which the harness finds out before anything of the student's
 * runs: 0, or the call. */
static uint32_t without_memory(const Case *c, size_t run)
{
    enum { OUT_OF_MEMORY = 2 };
    const Trace *trace = c->verdict->evidence[run].got.trace;
    for (uint32_t i = 1; c->workspace->card && trace && i <= trace->n_calls; i++) {
        const char *file = trace->calls[i].site.file, *name = file ? strrchr(file, '/') : NULL;
        name = name ? name + 1 : file;
        if (trace->calls[i].result == OUT_OF_MEMORY && name && !strcmp(name, "harness.cu"))
            return i;
    }
    return 0;
}

static bool card_is_full(Case *c)
{
    for (size_t run = 0; run < c->n; run++) {
        uint32_t call = without_memory(c, run);
        if (!call || (c->jobs[run].end == JOB_EXITED && c->jobs[run].status == 0)) continue;
        fail(c->verdict, VERDICT_GRADER, REASON_CARD_FULL, run, "");
        text_printf(&c->verdict->message,
                    "%s has no memory left for this exercise (%s: out of memory). Another program "
                    "uses it: `nvidia-smi` shows which; or take another card (CARD=1).",
                    c->workspace->card->name,
                    c->verdict->evidence[run].got.trace->calls[call].name);
        return true;
    }
    return false;
}

/* The report of each run, which may have fields of the others: the student's, or the solution's. */
static bool render_reports(Case *c, bool solution)
{
    Evidence *evidence = c->verdict->evidence;
    const Recording **recordings = memory_get(c->n, sizeof *recordings);
    const ReportRuns runs = {c->exercise, recordings};
    char error[WORDS];
    bool fine = true;
    for (size_t run = 0; run < c->n; run++)
        recordings[run] = c->exercise->runs[run].hidden ? NULL /* nothing of it is told */
                          : solution                    ? &evidence[run].expected
                                                        : &evidence[run].got;
    for (size_t run = 0; run < c->n && fine; run++) {
        Recording *own = solution ? &evidence[run].expected : &evidence[run].got;
        fine = report_render(&own->report, c->template, evidence[run].run, own, &runs, error,
                             sizeof error);
        if (!fine) fail(c->verdict, VERDICT_GRADER, REASON_COURSE, run, error);
    }
    free(recordings);
    return fine;
}

/* A player that a signal ended: what it left may be anything, so that nothing is judged. */
static bool is_incident(Case *c)
{
    for (size_t run = 0; run < c->n && c->options->trusted; run++) {
        Outcome outcome;
        if (c->played[run].end != JOB_SIGNALED) continue;
        outcome_read(&outcome, c->plays[run].outcome);
        fail(c->verdict, VERDICT_GRADER, REASON_INCIDENT, run, "");
        say_played(&c->verdict->message, &c->played[run], &outcome);
        outcome_release(&outcome);
        return true;
    }
    return false;
}

static bool evaluate(Case *c)
{
    Verdict *verdict = c->verdict;
    for (size_t run = 0; run < c->n; run++) {
        Evidence *evidence = &verdict->evidence[run];
        const Job *job = &c->jobs[run];
        verdict->jobs[run] = *job;
        c->jobs[run].output = (Text){0}; /* the verdict's now */
        evidence->exercise = c->exercise;
        evidence->run = &c->exercise->runs[run];
        evidence->source = verdict->source;
        evidence->output = text_string(&verdict->jobs[run].output);
        evidence->complete = job->end == JOB_EXITED && job->status == 0 &&
                             (!c->options->trusted || played_kind(&c->played[run]) == VERDICT_PASS);
        evidence->explored = c->options->schedule != 0;
        evidence->replayed = c->options->trusted;
        bool own = run == 0 && !exercise_elsewhere(c->exercise, c->options->model);
        evidence->golden = own ? verdict->golden : NULL;
    }
    if (!render_reports(c, false) || !render_reports(c, true)) return false;
    verdict->checks = memory_get(c->exercise->n_checks, sizeof *verdict->checks);
    checks_evaluate(c->exercise, verdict->evidence, verdict->checks);
    verdict->kind = VERDICT_PASS;
    for (size_t i = 0; i < c->exercise->n_checks; i++) {
        verdict->points += check_earned(&c->exercise->checks[i], &verdict->checks[i]);
        if (verdict->checks[i].state == CHECK_PASS) continue;
        if (verdict->checks[i].state == CHECK_OPEN)
            verdict->points_possible -= c->exercise->checks[i].points;
        else if (verdict->kind == VERDICT_PASS) verdict->kind = VERDICT_FAIL;
    }
    verdict->golden_printed =
        verdict->kind != VERDICT_PASS && checks_golden_printed(&verdict->evidence[0]);
    for (size_t nth = 0; nth < c->n; nth++) {
        size_t run = deciding(c, nth);
        VerdictKind kind = end_kind(&verdict->jobs[run]);
        VerdictKind played = c->options->trusted ? played_kind(&c->played[run]) : VERDICT_PASS;
        if (kind == VERDICT_PASS && played == VERDICT_PASS) continue;
        bool refused = played == VERDICT_REFUSED || played == VERDICT_GRADER;
        bool by_player = kind == VERDICT_PASS || refused;
        fail(verdict, by_player ? played : kind,
             by_player ? REASON_REPLAY : end_reason(&verdict->jobs[run]), run, "");
        outcome_read(&verdict->outcome,
                     c->options->trusted ? c->plays[run].outcome : c->executions[run].outcome);
        if (by_player) say_played(&verdict->message, &c->played[run], &verdict->outcome);
        else say_end(&verdict->message, &verdict->jobs[run], c->exercise, "The program");
        break;
    }
    for (size_t i = 0; i < c->exercise->n_checks; i++) {
        if (verdict->checks[i].state != CHECK_BROKEN) continue;
        fail(verdict, VERDICT_GRADER, REASON_COURSE, verdict->checks[i].run, "");
        text_printf(&verdict->message, "exercise.ini: [check %s] cannot be judged: %s",
                    c->exercise->checks[i].id, verdict->checks[i].cause);
        break;
    }
    return true;
}

bool judge(Workspace *workspace, const Exercise *exercise, const JudgeOptions *options,
           Verdict *verdict)
{
    size_t n = exercise->n_runs;
    *verdict = (Verdict){.points_possible = exercise_points(exercise)};
    Case c = {.workspace = workspace,
              .exercise = exercise,
              .options = options,
              .verdict = verdict,
              .n = n};
    c.builds = memory_get(2 * n, sizeof *c.builds);
    c.executions = memory_get(2 * n, sizeof *c.executions);
    c.jobs = memory_get(2 * n, sizeof *c.jobs);
    c.confined = memory_get(2 * n, sizeof *c.confined);
    c.plays = memory_get(n, sizeof *c.plays);
    c.played = memory_get(n, sizeof *c.played);
    c.models = memory_get(n, sizeof *c.models);
    c.solutions = memory_get(n, sizeof *c.solutions);
    verdict->evidence = memory_get(n, sizeof *verdict->evidence);
    verdict->jobs = memory_get(n, sizeof *verdict->jobs);
    verdict->trace_paths = memory_get(n, sizeof *verdict->trace_paths);
    verdict->source = catalogue_relative(workspace->catalogue, options->source);
    for (size_t i = 0; i < n; i++)
        c.models[i] = workspace->card
                          ? memory_copy("card")
                          : exercise_model(exercise, &exercise->runs[i], options->model);
    bool going = true;
    if (read_texts(&c)) {
        going = build_all(&c);
        if (going && builds_fine(&c)) {
            verdict->program = memory_copy(c.builds[0].program);
            going = run_all(&c);
            if (going && !card_is_full(&c) && solutions_fine(&c) && !is_incident(&c)) evaluate(&c);
        }
    }
    for (size_t i = 0; i < 2 * n; i++) {
        build_release(&c.builds[i]);
        execution_release(&c.executions[i]);
        text_release(&c.jobs[i].output);
        confined_release(&c.confined[i]);
    }
    for (size_t i = 0; i < n; i++) {
        execution_release(&c.plays[i]);
        text_release(&c.played[i].output);
        free(c.models[i]);
    }
    free(c.builds);
    free(c.confined);
    free(c.plays);
    free(c.played);
    free(c.executions);
    free(c.jobs);
    free(c.models);
    for (size_t i = 0; i < n; i++) free(c.solutions[i]);
    free(c.solutions);
    free(c.template);
    return going;
}

void verdict_release(const Exercise *exercise, Verdict *verdict)
{
    checks_release(exercise, verdict->checks);
    free(verdict->checks);
    for (size_t i = 0; verdict->evidence && i < exercise->n_runs; i++) {
        recording_release(&verdict->evidence[i].got);
        recording_release(&verdict->evidence[i].expected);
        text_release(&verdict->jobs[i].output);
        free(verdict->trace_paths[i]);
    }
    free(verdict->evidence);
    free(verdict->jobs);
    free(verdict->trace_paths);
    free(verdict->solution_trace);
    free(verdict->golden);
    free(verdict->source);
    free(verdict->program);
    text_release(&verdict->again);
    free(verdict->undefined);
    outcome_release(&verdict->outcome);
    text_release(&verdict->message);
    *verdict = (Verdict){0};
}

/* ---- the solution by itself ---- */

/* The runs of which the solution's report has something. */
static bool is_reported(const Exercise *exercise, size_t run, const char *template)
{
    return run == 0 || report_names_run(template, exercise->runs[run].name);
}

/* Builds it with a run's parameters and runs it as that run. */
static bool record_solution(Workspace *workspace, const Exercise *exercise, size_t run,
                            Recording *recording, char *error, size_t error_size)
{
    const ExerciseRun *own = &exercise->runs[run];
    char *source = build_solution(exercise, own),
         *stem = memory_format("%s/golden-%s", workspace->work, own->name),
         *model = workspace->card ? memory_copy("card") : exercise_model(exercise, own, NULL);
    Build build = {.exercise = exercise, .run = own, .source = source, .keep = true};
    bool fine = builds_make(workspace, &build, 1) && build.state == BUILD_OK;
    if (!fine)
        snprintf(error, error_size, "the solution does not compile: %s",
                 text_string(&build.output));
    if (fine) {
        Execution execution;
        execution_start(&execution, workspace, PURPOSE_EVIDENCE, build.program, stem, own, model,
                        1);
        Job job = execution_job(&execution, workspace->card, LIMIT_SOLUTION_SECONDS);
        fine = jobs_run(&job, 1, 1) && end_kind(&job) == VERDICT_PASS;
        if (fine) {
            recording_read(recording, &execution);
        } else {
            Text words = {0};
            say_end(&words, &job, exercise, "the solution");
            snprintf(error, error_size, "%s %.300s", text_string(&words), text_string(&job.output));
            text_release(&words);
        }
        text_release(&job.output);
        execution_release(&execution);
    }
    build_release(&build);
    free(source);
    free(stem);
    free(model);
    return fine;
}

bool judge_solution(Workspace *workspace, const Exercise *exercise, Recording *recording,
                    char *error, size_t error_size)
{
    size_t n = exercise->n_runs;
    Recording *recordings = memory_get(n, sizeof *recordings);
    const Recording **of = memory_get(n, sizeof *of);
    char *path = exercise_file(exercise, "report.txt");
    Text template = {0};
    int unread = text_read_file(&template, path, LIMIT_TEXT);
    bool fine = !unread;
    if (unread) snprintf(error, error_size, "%s: %s", path, strerror(unread));
    for (size_t run = 0; run < n && fine; run++) {
        if (!is_reported(exercise, run, text_string(&template))) continue;
        fine = record_solution(workspace, exercise, run, &recordings[run], error, error_size);
        of[run] = &recordings[run];
    }
    if (fine)
        fine = report_render(&recordings[0].report, text_string(&template), &exercise->runs[0],
                             &recordings[0], &(ReportRuns){exercise, of}, error, error_size);
    *recording = recordings[0];
    for (size_t run = 1; run < n; run++) recording_release(&recordings[run]);
    text_release(&template);
    free(recordings);
    free(of);
    free(path);
    return fine;
}
