/* slurm.c - see slurm.h. */
#include "grader/cluster/slurm.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/limits.h"
#include "common/text.h"
#include "grader/box/runner.h"
#include "grader/build/workspace.h"

enum { WORDS_MOST = 64, FIELDS = 6 };

bool slurm_open(Slurm *slurm, char *error, size_t error_size)
{
    *slurm = (Slurm){workspace_find("sbatch"), workspace_find("squeue"), workspace_find("scancel")};
    if (slurm->sbatch && slurm->squeue && slurm->scancel) return true;
    snprintf(error, error_size,
             "%s of Slurm is not in PATH: --slurm is for a machine from which jobs are submitted "
             "(a login node)",
             !slurm->sbatch   ? "sbatch"
             : !slurm->squeue ? "squeue"
                              : "scancel");
    return false;
}

void slurm_close(Slurm *slurm)
{
    free(slurm->sbatch);
    free(slurm->squeue);
    free(slurm->scancel);
    *slurm = (Slurm){0};
}

/* The last line that a command said, without its own name in front. */
static void say(const char *program, const Job *job, char *error, size_t error_size)
{
    const char *last = text_string(&job->output), *end = last + job->output.length;
    while (end > last && end[-1] == '\n') end--;
    for (const char *at = last; at < end; at++)
        if (*at == '\n') last = at + 1;
    const char *name = strrchr(program, '/');
    name = name ? name + 1 : program;
    Text shown = {0};
    text_add_shown(&shown, last, (size_t)(end - last), true);
    snprintf(error, error_size, "%s: %.400s", name,
             shown.length                  ? text_string(&shown)
             : job->end == JOB_TIMEOUT     ? "it does not answer"
             : job->end == JOB_NOT_STARTED ? strerror(job->status)
                                           : "it ended badly and said nothing");
    text_release(&shown);
}

/* True when it ended well; what it said is in job->output either way. */
static bool ask(const char *const *words, Job *job)
{
    *job = (Job){.argv = (char *const *)(uintptr_t)words,
                 .limits = {.seconds = LIMIT_SLURM_SECONDS, .output_bytes = LIMIT_SLURM_OUTPUT}};
    return jobs_run(job, 1, 1) && job->end == JOB_EXITED && job->status == 0;
}

/* ---- submitting ---- */
typedef struct Words {
    const char *words[WORDS_MOST];
    char *made[WORDS_MOST]; /* those to be freed */
    size_t n, n_made;
} Words;

static void word(Words *w, const char *text)
{
    if (w->n < WORDS_MOST - 1) w->words[w->n++] = text;
}

static void option(Words *w, const char *name, const char *value)
{
    if (!value || !*value || w->n >= WORDS_MOST - 1) return;
    w->made[w->n_made] = memory_format("%s=%s", name, value);
    word(w, w->made[w->n_made++]);
}

SlurmAnswer slurm_submit(const Slurm *slurm, const SlurmWants *wants, char *error,
                         size_t error_size)
{
    Words w = {{slurm->sbatch, "--parsable", "--no-requeue", "--open-mode=append", "--nodes=1",
                "--ntasks=1", NULL},
               .n = 6};
    char array[32], cpus[16];
    snprintf(array, sizeof array, "0-%u", wants->count - 1);
    snprintf(cpus, sizeof cpus, "%u", wants->cpus);
    char *log = memory_format("log-%s.%%a", wants->name);
    option(&w, "--job-name", wants->name);
    option(&w, "--array", array);
    option(&w, "--cpus-per-task", cpus);
    option(&w, "--chdir", wants->folder);
    option(&w, "--output", log);
    option(&w, "--partition", wants->partition);
    option(&w, "--account", wants->account);
    option(&w, "--time", wants->time);
    option(&w, "--exclude", wants->exclude);
    if (wants->gpu) word(&w, "--gres=gpu:1");
    char **more = list_split(wants->more, ' ', NULL);
    for (size_t i = 0; more[i]; i++)
        if (*more[i]) word(&w, more[i]);
    word(&w, wants->script);

    Job job;
    SlurmAnswer answer = SLURM_DONE;
    if (!ask(w.words, &job)) {
        say(slurm->sbatch, &job, error, error_size);
        text_release(&job.output);
        /* was it the question, or is nobody there? */
        const char *const there[] = {slurm->squeue, "--noheader", "--name", wants->name, NULL};
        answer = ask(there, &job) ? SLURM_REFUSED : SLURM_SILENT;
    }
    text_release(&job.output);
    list_free(more);
    for (size_t i = 0; i < w.n_made; i++) free(w.made[i]);
    free(log);
    return answer;
}

/* ---- what there is ---- */
static char *upto(char **at)
{
    char *field = *at ? *at : (char *)(uintptr_t) "";
    if (*at) *at = strchr(*at, '|');
    if (*at) *(*at)++ = 0;
    return field;
}

/* Slurm's codes of states are for good (squeue(1)). */
static bool one_of(const char *word, const char *words)
{
    size_t length = strlen(word);
    for (const char *at = words; *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (strcspn(at, " ") == length && !strncmp(at, word, length)) return true;
    return false;
}

bool slurm_read_task(char *line, SlurmTask *task)
{
    char *fields[FIELDS], *at = line, *end;
    size_t bars = 0;
    for (const char *c = line; *c; c++) bars += *c == '|';
    if (bars < FIELDS - 1) return false;
    for (size_t i = 0; i + 1 < FIELDS; i++) fields[i] = upto(&at);
    fields[FIELDS - 1] = at; /* the reason is anybody's text */
    unsigned long index = strtoul(fields[2], &end, 10);
    if (!isdigit((unsigned char)*fields[2]) || *end) return false;
    const char *state = fields[3], *why = fields[FIELDS - 1];
    bool waits = one_of(state, "PD RH RQ RF RD SE"),
         ended = one_of(state, "BF CA CD DL F NF OOM PR TO RV");
    /* "launch failed requeued held", with blanks or underscores */
    bool stuck = waits && strstr(why, "launch") && strstr(why, "held");
    *task = (SlurmTask){.name = memory_copy(fields[1]),
                        .id = memory_copy(fields[0]),
                        .node = memory_copy(fields[4]),
                        .why = memory_copy(waits ? why : ""),
                        .index = (unsigned)index,
                        .runs = !waits && !ended,
                        .stuck = stuck,
                        .ended = ended,
                        .taken = ended && one_of(state, "BF NF PR RV")};
    return true;
}

SlurmAnswer slurm_list(const Slurm *slurm, const char *names, SlurmTasks *tasks, char *error,
                       size_t error_size)
{
    *tasks = (SlurmTasks){0};
    char user[24];
    snprintf(user, sizeof user, "%ld", (long)geteuid());
    const char *const words[] = {slurm->squeue, "--noheader", "--array",
                                 "--user",      user,         "--name",
                                 names,         "--format",   "%i|%j|%K|%t|%N|%r",
                                 NULL};
    Job job;
    bool fine = ask(words, &job);
    if (!fine) say(slurm->squeue, &job, error, error_size);
    char *rest = fine ? job.output.data : NULL;
    for (char *line; rest && (line = strsep(&rest, "\n"));) {
        SlurmTask task;
        if (!slurm_read_task(line, &task)) continue;
        tasks->items = memory_grow(tasks->items, tasks->n + 1, sizeof *tasks->items);
        tasks->items[tasks->n++] = task;
    }
    text_release(&job.output);
    return fine ? SLURM_DONE : SLURM_SILENT;
}

void slurm_forget(SlurmTasks *tasks)
{
    for (size_t i = 0; i < tasks->n; i++) {
        free(tasks->items[i].name);
        free(tasks->items[i].id);
        free(tasks->items[i].node);
        free(tasks->items[i].why);
    }
    free(tasks->items);
    *tasks = (SlurmTasks){0};
}

SlurmAnswer slurm_cancel(const Slurm *slurm, const char *names, const char *id, char *error,
                         size_t error_size)
{
    char user[24];
    snprintf(user, sizeof user, "%ld", (long)geteuid());
    const char *const by_name[] = {slurm->scancel, "--quiet", "--user", user,
                                   "--name",       names,     NULL};
    const char *const by_id[] = {slurm->scancel, "--quiet", id, NULL};
    Job job;
    bool fine = ask(id ? by_id : by_name, &job);
    if (!fine) say(slurm->scancel, &job, error, error_size);
    text_release(&job.output);
    return fine ? SLURM_DONE : SLURM_SILENT;
}
