/* The program of a run, kept beside its trace: which is found again, which is not, and what it is
 * given when it makes its calls once more. Nothing is run. */
#include "grader/whatif/rerun.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/env.h"
#include "common/limits.h"
#include "tests/unit/cases.h"

static char state[] = "/tmp/again-XXXXXX";
static char error[600];
static Rerun again;

static const char *in_state(const char *name)
{
    static char paths[8][300];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", state, name);
    return path;
}

static void put(const char *path, const char *text, mode_t mode)
{
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, mode);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static void setup(void) { ck_assert_ptr_nonnull(mkdtemp(state)); }

static void teardown(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", state);
    ck_assert_int_eq(system(command), 0);
}

/* The value in a list of NAME=VALUE; it must be there once. NULL: it is not there. */
static const char *value(char *const *env, const char *name)
{
    const char *found = NULL;
    size_t length = strlen(name);
    for (; *env; env++) {
        if (strncmp(*env, name, length) || (*env)[length] != '=') continue;
        ck_assert_msg(!found, "%s is there twice", name);
        found = *env + length + 1;
    }
    return found;
}

/* A run that left its trace and its program. */
static const char *kept(void)
{
    const char *lane = in_state("ex43.lane");
    put(lane, "threelane\t1\n", 0600);
    put(in_state("built"), "#!/bin/sh\n", 0700);
    rerun_keep(lane, in_state("built"), "ex43", "exercises/ex43.cu",
               ENV_MODEL "=unit\n" ENV_INPUT "=5\nEMPTY=");
    return lane;
}

START_TEST(what_was_kept_is_found)
{
    const char *lane = kept();
    ck_assert_msg(rerun_find(&again, lane, state, error, sizeof error), "%s", error);
    ck_assert_str_eq(again.exercise, "ex43");
    ck_assert_str_eq(again.source, "exercises/ex43.cu");
    ck_assert_str_eq(again.program, in_state("ex43.program"));
    ck_assert_str_eq(value(again.env, ENV_MODEL), "unit");
    ck_assert_str_eq(value(again.env, ENV_INPUT), "5");
    ck_assert_str_eq(value(again.env, "EMPTY"), "");
    ck_assert_ptr_null(again.env[3]);
    ck_assert_ptr_null(again.argv);
    rerun_release(&again);

    rerun_forget(lane);
    ck_assert(access(in_state("ex43.program"), F_OK) && access(in_state("ex43.again"), F_OK));
    ck_assert(!rerun_find(&again, lane, state, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "ex43.lane has no program beside it: run it once more"));
    rerun_release(&again);
}
END_TEST

/* Only what a run has left here is ever run: each time one thing is not as it left it. */
START_TEST(what_was_not_kept_here_is_not_run)
{
    char facts[2000], text[2100];
    const char *lane = kept(), *program = in_state("ex43.program"), *about = in_state("ex43.again");
    int fd = open(about, O_RDONLY);
    ssize_t n = read(fd, facts, sizeof facts - 1);
    ck_assert_int_gt(n, 20);
    facts[n] = 0;
    close(fd);

    /* another program of the same name */
    unlink(program);
    put(program, "#!/bin/sh\n", 0700);
    ck_assert(!rerun_find(&again, lane, state, error, sizeof error));
    rerun_release(&again);

    /* what names no program */
    lane = kept();
    put(about, "threelane-again 1\nexercise ex43\n", 0600);
    ck_assert(!rerun_find(&again, lane, state, error, sizeof error));
    rerun_release(&again);
    put(about, "threelane-again 1\nprogram \n", 0600);
    ck_assert(!rerun_find(&again, lane, state, error, sizeof error));
    rerun_release(&again);

    /* another format */
    lane = kept();
    fd = open(about, O_RDONLY);
    n = read(fd, facts, sizeof facts - 1);
    facts[n] = 0;
    close(fd);
    snprintf(text, sizeof text, "threelane-again 2%s", facts + strlen("threelane-again 1"));
    put(about, text, 0600);
    ck_assert(!rerun_find(&again, lane, state, error, sizeof error));
    rerun_release(&again);
    put(about, facts, 0600);
    ck_assert(rerun_find(&again, lane, state, error, sizeof error));
    rerun_release(&again);

    /* one that cannot be run; a trace that only leads here; the state of another course */
    chmod(program, 0600);
    if (geteuid() || access(program, X_OK))
        ck_assert(!rerun_find(&again, lane, state, error, sizeof error));
    rerun_release(&again);
    chmod(program, 0700);
    ck_assert_int_eq(rename(lane, in_state("other.lane")), 0);
    ck_assert_int_eq(symlink(in_state("other.lane"), lane), 0);
    ck_assert(!rerun_find(&again, lane, state, error, sizeof error));
    rerun_release(&again);
    unlink(lane);
    put(lane, "threelane\t1\n", 0600);
    ck_assert(rerun_find(&again, lane, state, error, sizeof error));
    rerun_release(&again);
    ck_assert(!rerun_find(&again, lane, "/tmp", error, sizeof error));
    rerun_release(&again);
    ck_assert(!rerun_find(&again, lane, NULL, error, sizeof error));
    rerun_release(&again);
}
END_TEST

static Trace *trace_of_model(const char *model, bool measured)
{
    char text[200];
    snprintf(text, sizeof text,
             "threelane\t1\nmeta\tbackend\t%s\nmeta\texact\t%d\nmeta\tmodel\t%s\n",
             measured ? "cuda" : "sim", !measured, model);
    Trace *t = trace_parse(text, strlen(text), error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    return t;
}

START_TEST(a_program_that_is_given)
{
    char shell[] = "/bin/sh", name[] = "sh", nothing[] = "./nothing", word[] = "word";
    char *argv[] = {shell, word, NULL};
    Trace *t = trace_of_model("h200", false), *card = trace_of_model("h200", true);
    unsetenv(ENV_MODEL);
    ck_assert_msg(rerun_given(&again, t, argv, error, sizeof error), "%s", error);
    ck_assert_ptr_eq(again.argv, argv);
    ck_assert_str_eq(value(again.env, ENV_MODEL), "h200"); /* the machine of the trace */
    rerun_release(&again);
    setenv(ENV_MODEL, "unit", 1);
    ck_assert(rerun_given(&again, t, argv, error, sizeof error));
    ck_assert_ptr_null(again.env[0]); /* or the one that is asked for */
    rerun_release(&again);

    argv[0] = name; /* nothing is looked for in PATH */
    ck_assert(!rerun_given(&again, t, argv, error, sizeof error));
    ck_assert_str_eq(error, "sh: no such program (one of this folder is ./PROGRAM)");
    rerun_release(&again);
    argv[0] = nothing;
    ck_assert(!rerun_given(&again, t, argv, error, sizeof error));
    ck_assert_str_eq(error, "./nothing: No such file or directory");
    rerun_release(&again);
    argv[0] = shell;
    ck_assert(!rerun_given(&again, card, argv, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "this was recorded on a GPU"));
    rerun_release(&again);
    trace_free(t);
    trace_free(card);
}
END_TEST

/* What belongs to the run before is left out: where it wrote, what it was asked. */
START_TEST(each_run_has_its_own_files)
{
    char program[] = "/kept/program", env[][40] = {"A=1",
                                                   ENV_MODEL "=unit",
                                                   ENV_TRACE "=old.lane",
                                                   ENV_WHATIF "=old",
                                                   ENV_LOG "=old",
                                                   "B=2"};
    Rerun kept_one = {.program = program};
    for (size_t i = 0; i < sizeof env / sizeof *env; i++) kept_one.env[i] = env[i];
    RerunJob run = {.calls = "stream 3 1\n", .where = state};
    char path[400];
    ck_assert_msg(rerun_start(&kept_one, &run, error, sizeof error), "%s", error);
    ck_assert_ptr_nonnull(strstr(run.folder, state));
    ck_assert_str_eq(value(run.env, "A"), "1");
    ck_assert_str_eq(value(run.env, "B"), "2");
    ck_assert_str_eq(value(run.env, ENV_MODEL), "unit");
    ck_assert_ptr_null(value(run.env, ENV_LOG));
    ck_assert_str_eq(value(run.env, ENV_TRACE), run.trace);
    ck_assert_str_eq(value(run.env, ENV_OUTCOME), run.outcome);
    snprintf(path, sizeof path, "%s/results", run.folder);
    ck_assert_str_eq(value(run.env, ENV_RESULTS), path);
    snprintf(path, sizeof path, "%s/values", run.folder);
    ck_assert_str_eq(value(run.env, ENV_VALUES), path);
    snprintf(path, sizeof path, "%s/what-if", run.folder);
    ck_assert_str_eq(value(run.env, ENV_WHATIF), path);
    Text asked = {0};
    ck_assert_int_eq(text_read_file(&asked, path, 1000), 0);
    ck_assert_str_eq(text_string(&asked), "threelane-whatif 1\nstream 3 1\n");
    text_release(&asked);
    ck_assert_str_eq(run.job.argv[0], "/kept/program");
    ck_assert_ptr_null(run.job.argv[1]);
    ck_assert_ptr_eq(run.job.env, run.env);
    ck_assert_str_eq(run.job.folder, run.folder);
    ck_assert_double_eq(run.job.limits.seconds, LIMIT_SOLUTION_SECONDS);
    ck_assert_uint_eq(run.job.limits.memory_bytes, LIMIT_RUN_MEMORY);
    rerun_over(&run);
    ck_assert_int_ne(access(path, F_OK), 0);

    /* another model; nothing that is asked; another program */
    run = (RerunJob){.model = "h200", .program = "/other", .where = state};
    ck_assert(rerun_start(&kept_one, &run, error, sizeof error));
    ck_assert_str_eq(value(run.env, ENV_MODEL), "h200");
    ck_assert_ptr_null(value(run.env, ENV_WHATIF));
    ck_assert_str_eq(run.job.argv[0], "/other");
    rerun_over(&run);

    run = (RerunJob){.where = "/nowhere"};
    ck_assert(!rerun_start(&kept_one, &run, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "/nowhere/.what-if-"));
    rerun_over(&run);
}
END_TEST

/* A program that was given has the caller's surroundings, however many. */
START_TEST(a_given_program_has_all_variables)
{
    char name[20], number[20], shell[] = "/bin/sh", *argv[] = {shell, NULL};
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "V%d", i);
        snprintf(number, sizeof number, "%d", i);
        setenv(name, number, 1);
    }
    setenv(ENV_TRACE, "mine.lane", 1);
    Trace *t = trace_of_model("unit", false);
    unsetenv(ENV_MODEL);
    ck_assert(rerun_given(&again, t, argv, error, sizeof error));
    RerunJob run = {.where = state};
    ck_assert(rerun_start(&again, &run, error, sizeof error));
    for (int i = 0; i < 5000; i += 499) {
        snprintf(name, sizeof name, "V%d", i);
        ck_assert_int_eq(atoi(value(run.env, name)), i);
    }
    ck_assert_str_eq(value(run.env, ENV_TRACE), run.trace);
    ck_assert_str_eq(value(run.env, ENV_MODEL), "unit");
    ck_assert_ptr_eq(run.job.argv, argv);
    ck_assert_ptr_null(run.job.folder); /* it stays where it is */
    rerun_over(&run);
    rerun_release(&again);
    trace_free(t);
}
END_TEST

CASES("again", .before = setup, .after = teardown)
