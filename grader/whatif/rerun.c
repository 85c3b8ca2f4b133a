/* rerun.c - see rerun.h. */
#include "grader/whatif/rerun.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/env.h"
#include "common/folder.h"
#include "common/limits.h"

#define HEAD "threelane-again 1\n"
extern char **environ;

/* ".threelane/ex43.lane" and "again": ".threelane/ex43.again". */
static char *beside(const char *lane, const char *ending)
{
    size_t length = strlen(lane);
    if (length > 5 && !strcmp(lane + length - 5, ".lane")) length -= 5;
    return memory_format("%.*s.%s", (int)length, lane, ending);
}

/* Which file it is, and when it was made, which nobody else can know before it has been made: a
 * folder that somebody hands on names another one. NULL: it is no file of its own. */
static char *mark_of(const char *program)
{
    struct statx about;
    unsigned want = STATX_TYPE | STATX_INO | STATX_BTIME;
    if (statx(AT_FDCWD, program, AT_SYMLINK_NOFOLLOW, want, &about) != 0) return NULL;
    if (!S_ISREG(about.stx_mode)) return NULL;
    bool known = about.stx_mask & STATX_BTIME;
    return memory_format("%u:%u %llu %lld.%09u", about.stx_dev_major, about.stx_dev_minor,
                         (unsigned long long)about.stx_ino,
                         known ? (long long)about.stx_btime.tv_sec : 0,
                         known ? about.stx_btime.tv_nsec : 0);
}

void rerun_forget(const char *lane)
{
    char *program = beside(lane, "program"), *again = beside(lane, "again");
    unlink(program);
    unlink(again);
    free(program);
    free(again);
}

void rerun_keep(const char *lane, const char *program, const char *exercise, const char *source,
                const char *env)
{
    char *to = beside(lane, "program"), *again = beside(lane, "again");
    rerun_forget(lane);
    if (link(program, to) == 0 || rename(program, to) == 0) {
        Text text = {0};
        char *mark = mark_of(to);
        text_add(&text, HEAD);
        text_printf(&text, "program %s\nexercise %s\nsource %s\n", mark ? mark : "", exercise,
                    source);
        free(mark);
        for (const char *at = env; *at; at += strcspn(at, "\n"), at += *at == '\n')
            text_printf(&text, "env %.*s\n", (int)strcspn(at, "\n"), at);
        if (text_write_file(again, text_string(&text), text.length) != 0) unlink(to);
        text_release(&text);
    }
    free(to);
    free(again);
}

static void variable(char **env, char *text)
{
    size_t n = 0;
    while (env[n]) n++;
    if (n + 1 < RERUN_VARIABLES) env[n] = text;
    else free(text);
}

/* False: they are none, or those of another program than the one that is there. */
static bool read_facts(Rerun *a, char *text)
{
    if (strncmp(text, HEAD, strlen(HEAD)) != 0) return false;
    char *rest = text + strlen(HEAD), *line, *mark = mark_of(a->program);
    bool same = false;
    while ((line = strsep(&rest, "\n"))) {
        char *value = strchr(line, ' ');
        if (!value) continue;
        *value++ = '\0';
        if (!strcmp(line, "program")) same = mark && !strcmp(value, mark);
        else if (!strcmp(line, "exercise") && !a->exercise) a->exercise = memory_copy(value);
        else if (!strcmp(line, "source") && !a->source) a->source = memory_copy(value);
        else if (!strcmp(line, "env") && strchr(value, '=')) variable(a->env, memory_copy(value));
    }
    free(mark);
    return same;
}

/* Does the file lie in the folder? It is no link to one there: what is beside it is not. */
static bool is_in(const char *file, const char *folder)
{
    struct stat about;
    char *path = realpath(file, NULL), *real = folder ? realpath(folder, NULL) : NULL;
    char *slash = path ? strrchr(path, '/') : NULL;
    if (slash) *slash = '\0';
    bool is =
        slash && real && !strcmp(path, real) && lstat(file, &about) == 0 && S_ISREG(about.st_mode);
    free(path);
    free(real);
    return is;
}

bool rerun_find(Rerun *a, const char *lane, const char *state, char *error, size_t error_size)
{
    *a = (Rerun){.program = beside(lane, "program")};
    char *again = beside(lane, "again");
    Text text = {0};
    char *facts = NULL;
    bool there = is_in(lane, state) && access(a->program, X_OK) == 0 &&
                 text_read_file(&text, again, LIMIT_TEXT) == 0;
    if (there) { /* it runs in another folder */
        char *path = realpath(a->program, NULL);
        if (path) {
            free(a->program);
            a->program = path;
        }
        facts = text_take(&text);
        there = read_facts(a, facts);
    }
    if (!there)
        snprintf(error, error_size,
                 "%s has no program beside it: run it once more, or name one: -- ./PROGRAM", lane);
    free(facts);
    free(again);
    text_release(&text);
    return there;
}

bool rerun_given(Rerun *a, const Trace *trace, char **argv, char *error, size_t error_size)
{
    const char *model = trace_meta(trace, "model"), *asked = getenv(ENV_MODEL);
    *a = (Rerun){.argv = argv};
    if (trace_measured(trace)) {
        snprintf(error, error_size,
                 "this was recorded on a GPU: run the program on the virtual one first "
                 "(" ENV_TRACE "=FILE), and ask about that");
        return false;
    }
    a->program = strchr(argv[0], '/') ? realpath(argv[0], NULL) : NULL;
    if (!a->program || access(a->program, X_OK) != 0) {
        snprintf(error, error_size, "%s: %s", argv[0],
                 strchr(argv[0], '/') ? strerror(errno)
                                      : "no such program (one of this folder is ./PROGRAM)");
        return false;
    }
    if (model && !asked) variable(a->env, memory_format(ENV_MODEL "=%s", model));
    return true;
}

void rerun_release(Rerun *a)
{
    for (size_t i = 0; a->env[i]; i++) free(a->env[i]);
    free(a->program);
    free(a->exercise);
    free(a->source);
    *a = (Rerun){0};
}

/* ---- a run ---- */

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Is it a variable that the run sets itself? */
static bool is_set_here(const char *text)
{
    static const char *const names[] = {ENV_TRACE "=", ENV_WHATIF "=",  ENV_OUTCOME "=",
                                        ENV_LOG "=",   ENV_EXPLORE "=", ENV_RESULTS "=",
                                        ENV_VALUES "="};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins(text, names[i])) return true;
    return false;
}

static size_t add_variables(char **env, size_t n, char *const *from, const char *model)
{
    for (size_t i = 0; from[i]; i++)
        if (!is_set_here(from[i]) && !(model && begins(from[i], ENV_MODEL "=")))
            env[n++] = memory_copy(from[i]);
    return n;
}

/* The environment: the caller's where the program was given, what is known of the run, and what
 * this one is asked. */
static char **environment(const Rerun *a, const RerunJob *run)
{
    size_t n = 0, room = RERUN_VARIABLES + 16;
    for (size_t i = 0; a->argv && environ[i]; i++) room++;
    char **env = memory_get(room, sizeof *env);
    if (a->argv) n = add_variables(env, n, environ, run->model);
    n = add_variables(env, n, a->env, run->model);
    if (run->model) env[n++] = memory_format(ENV_MODEL "=%s", run->model);
    env[n++] = memory_format(ENV_TRACE "=%s", run->trace);
    env[n++] = memory_format(ENV_OUTCOME "=%s", run->outcome);
    env[n++] = memory_format(ENV_RESULTS "=%s/results", run->folder);
    env[n++] = memory_format(ENV_VALUES "=%s/values", run->folder);
    if (run->calls && *run->calls) env[n++] = memory_format(ENV_WHATIF "=%s/what-if", run->folder);
    return env;
}

bool rerun_start(const Rerun *a, RerunJob *run, char *error, size_t error_size)
{
    const char *where = run->where ? run->where : getenv(ENV_TMPDIR);
    run->folder = memory_format("%s/.what-if-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(run->folder)) {
        snprintf(error, error_size, "%s: %s", run->folder, strerror(errno));
        free(run->folder);
        run->folder = NULL;
        return false;
    }
    char *whole = realpath(run->folder, NULL); /* the program runs in it */
    if (whole) {
        free(run->folder);
        run->folder = whole;
    }
    run->trace = memory_format("%s/after.lane", run->folder);
    run->outcome = memory_format("%s/outcome", run->folder);
    run->env = environment(a, run);
    if (run->calls && *run->calls) {
        Text text = {0};
        char *path = memory_format("%s/what-if", run->folder);
        text_printf(&text, "threelane-whatif 1\n%s", run->calls);
        int failed = text_write_file(path, text_string(&text), text.length);
        if (failed) snprintf(error, error_size, "%s: %s", path, strerror(failed));
        text_release(&text);
        free(path);
        if (failed) return false;
    }
    run->args[0] = (char *)(run->program ? run->program : a->program);
    run->job = (Job){.argv = a->argv ? a->argv : run->args,
                     .env = run->env,
                     .folder = a->argv ? NULL : run->folder,
                     .limits = {.seconds = LIMIT_SOLUTION_SECONDS,
                                .memory_bytes = LIMIT_RUN_MEMORY,
                                .output_bytes = LIMIT_RUN_OUTPUT,
                                .file_bytes = LIMIT_RUN_FILE,
                                .processes = LIMIT_RUN_PROCESSES}};
    return true;
}

void rerun_over(RerunJob *run)
{
    if (run->folder) folder_remove(run->folder);
    for (size_t i = 0; run->env && run->env[i]; i++) free(run->env[i]);
    free(run->env);
    free(run->folder);
    free(run->trace);
    free(run->outcome);
    text_release(&run->job.output);
    run->folder = run->trace = run->outcome = NULL;
    run->env = NULL;
}
