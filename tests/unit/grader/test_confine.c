/* What a box is given of a run and of a player: files, descriptors, variables. Nothing is run. */
#include "grader/box/confine.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/env.h"
#include "tests/unit/cases.h"

static char folder[] = "/tmp/confine-XXXXXX";
static Confined confined;
static Job job;

static const char *path_of(const char *name)
{
    static char paths[8][300];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void setup(void) { ck_assert_ptr_nonnull(mkdtemp(folder)); }

static void teardown(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

/* The value of a variable of the job; NULL: it has none. */
static const char *variable(const char *name)
{
    size_t length = strlen(name);
    for (char *const *env = job.env; *env; env++)
        if (!strncmp(*env, name, length) && (*env)[length] == '=') return *env + length + 1;
    return NULL;
}

/* Which file of ours a descriptor of the box is. */
static bool leads_to(const char *name, const char *path, int flags)
{
    const char *value = variable(name);
    struct stat ours, theirs;
    ck_assert_msg(value && !strncmp(value, "fd:", 3), "%s=%s", name, value ? value : "-");
    size_t number = (size_t)(atoi(value + 3) - BOX_FIRST_FD);
    ck_assert_uint_lt(number, confined.n_fds);
    ck_assert_int_eq(fcntl(confined.fds[number], F_GETFL) & O_ACCMODE, flags);
    return fstat(confined.fds[number], &theirs) == 0 && stat(path, &ours) == 0 &&
           ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev;
}

static bool shows(const char *from, const char *to)
{
    for (size_t i = 0; i < confined.box.n_files; i++)
        if (!strcmp(confined.files[i].from, from) && !strcmp(confined.files[i].to, to)) return true;
    return false;
}

START_TEST(a_run_has_its_program_and_its_log)
{
    Sandbox sandbox = {.level = SANDBOX_NAMESPACES};
    char one[] = "ONE=1", two[] = "TWO=2", *more[] = {one, two, NULL};
    const char *log = path_of("log");
    ConfineOptions options = {.sandbox = &sandbox,
                              .program = "/bin/true",
                              .folder = folder,
                              .model = "unit",
                              .seed = 12,
                              .env = more,
                              .log = log};
    ck_assert(confine(&confined, &job, &options));
    ck_assert_ptr_eq(job.box, &confined.box);
    ck_assert_ptr_null(job.folder);
    ck_assert_str_eq(job.argv[0], "/program");
    ck_assert_ptr_null(job.argv[1]);
    ck_assert(shows("/bin/true", "/program"));
    ck_assert_uint_eq(confined.box.n_files, 1);
    ck_assert_uint_eq(confined.n_fds, 1);
    ck_assert(leads_to(ENV_LOG, log, O_WRONLY));
    ck_assert_str_eq(variable(ENV_MODEL), "unit");
    ck_assert_str_eq(variable(ENV_INPUT), "12");
    ck_assert_str_eq(variable("ONE"), "1");
    ck_assert_str_eq(variable("TWO"), "2");
    ck_assert_str_eq(confined.box.scratch, folder);
    confined_release(&confined);

    /* a model of the author's own is a file, in the box as well */
    options.model = "/etc/passwd";
    ck_assert(confine(&confined, &job, &options));
    ck_assert(shows("/etc/passwd", "/model.ini"));
    ck_assert_str_eq(variable(ENV_MODEL), "/model.ini");
    confined_release(&confined);
}
END_TEST

START_TEST(without_its_log_nothing_is_run)
{
    Sandbox sandbox = {.level = SANDBOX_NAMESPACES};
    ConfineOptions options = {.sandbox = &sandbox,
                              .program = "/bin/true",
                              .folder = folder,
                              .model = "unit",
                              .log = "/nowhere/log"};
    errno = 0;
    ck_assert(!confine(&confined, &job, &options));
    ck_assert_int_eq(errno, ENOENT);
    confined_release(&confined);
    options.trace = path_of("trace");
    options.results = path_of("results");
    options.values = path_of("values");
    options.outcome = path_of("outcome");
    ck_assert(!confine_player(&confined, &job, &options));
    confined_release(&confined);
    options.log = "/dev/null";
    options.outcome = "/nowhere/outcome";
    ck_assert(!confine_player(&confined, &job, &options));
    confined_release(&confined);
}
END_TEST

/* The log is read only; the evidence goes where nobody else writes. */
START_TEST(a_player_reads_the_log)
{
    Sandbox sandbox = {.level = SANDBOX_NAMESPACES};
    const char *log = path_of("log"), *source = path_of("mine.cu");
    close(open(log, O_CREAT | O_WRONLY, 0600));
    close(open(source, O_CREAT | O_WRONLY, 0600));
    ConfineOptions options = {.sandbox = &sandbox,
                              .program = "/bin/true",
                              .folder = folder,
                              .model = "unit",
                              .seed = 3,
                              .log = log,
                              .trace = path_of("trace"),
                              .results = path_of("results"),
                              .values = path_of("values"),
                              .outcome = path_of("outcome"),
                              .source = source,
                              .named = "ex43.cu",
                              .harness = path_of("none.cu")};
    ck_assert(confine_player(&confined, &job, &options));
    ck_assert_str_eq(job.argv[0], "/player");
    ck_assert(shows("/bin/true", "/player"));
    ck_assert(shows(source, "/sources/ex43.cu"));
    ck_assert_uint_eq(confined.box.n_files, 2); /* there is no harness */
    ck_assert_uint_eq(confined.n_fds, 5);
    ck_assert(leads_to(ENV_PLAY, log, O_RDONLY));
    ck_assert(leads_to(ENV_TRACE, options.trace, O_RDWR));
    ck_assert(leads_to(ENV_RESULTS, options.results, O_WRONLY));
    ck_assert(leads_to(ENV_VALUES, options.values, O_WRONLY));
    ck_assert(leads_to(ENV_OUTCOME, options.outcome, O_WRONLY));
    ck_assert_str_eq(variable(ENV_PLAY_SOURCE), "ex43.cu");
    ck_assert_str_eq(variable(ENV_SOURCES), "/sources");
    ck_assert_str_eq(variable(ENV_MODEL), "unit");
    ck_assert_str_eq(variable(ENV_INPUT), "3");
    confined_release(&confined);

    options.harness = options.source;
    options.named = source;
    ck_assert(confine_player(&confined, &job, &options));
    ck_assert_uint_eq(confined.box.n_files, 3);
    ck_assert(shows(source, source)); /* a whole path is the same in the box */
    confined_release(&confined);
}
END_TEST

CASES("confine", .before = setup, .after = teardown)
