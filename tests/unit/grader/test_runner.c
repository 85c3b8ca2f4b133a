/* How long a job may take: what it computes and what it waits counts, what others keep it from does
 * not. */
#include "grader/box/runner.h"
#include "tests/unit/cases.h"
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_OTHERS = 64 }; /* that compute beside a job */

static char self[4096];

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void compute(double seconds)
{
    for (double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
         seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin < seconds;) {}
}

/* What this program does when it is the job. */
static int inside(const char *what)
{
    if (!strcmp(what, "computes")) compute(0.15);
    if (!strcmp(what, "computes for ever")) compute(1e9);
    if (!strcmp(what, "waits for ever")) pause();
    if (!strcmp(what, "its child computes")) {
        if (fork() == 0) compute(1e9);
        wait(NULL);
    }
    if (!strcmp(what, "its children compute one after the other"))
        for (int i = 0; i < 100000; i++) {
            if (fork() == 0) {
                compute(0.02);
                _exit(0);
            }
            wait(NULL);
        }
    if (!strcmp(what, "will not end")) {
        signal(SIGTERM, SIG_IGN);
        pause();
    }
    return 0;
}

static Job run(const char *what, double seconds)
{
    static char word[] = "inside";
    char *argv[] = {self, word, (char *)(uintptr_t)what, NULL};
    Job job = {.argv = argv, .limits = {.seconds = seconds, .output_bytes = 1000}};
    ck_assert(jobs_run(&job, 1, 1));
    text_release(&job.output);
    return job;
}

static const char *const endless[] = {"computes for ever", "waits for ever", "its child computes",
                                      "its children compute one after the other", "will not end"};

START_TEST_WITH(what_does_not_end_is_ended, .times = sizeof endless / sizeof *endless)
{
    Job job = run(endless[_i], 0.3);
    ck_assert_int_eq(job.end, JOB_TIMEOUT);
    ck_assert_double_ge(job.spent_seconds, 0.3);
    ck_assert_double_lt(job.spent_seconds, 3);
}
END_TEST

/* Runs what computes for half its limit beside so many that compute as well; `took`: by the
 * clock. */
static Job run_beside(unsigned others_n, double *took)
{
    pid_t others[MOST_OTHERS];
    for (unsigned i = 0; i < others_n; i++) {
        others[i] = fork();
        if (others[i] == 0) {
            alarm(60);
            compute(1e9);
        }
    }

    double begin = seconds_of(CLOCK_MONOTONIC);
    Job job = run("computes", 0.3);
    *took = seconds_of(CLOCK_MONOTONIC) - begin;
    for (unsigned i = 0; i < others_n; i++) {
        kill(others[i], SIGKILL);
        waitpid(others[i], NULL, 0);
    }
    return job;
}

START_TEST(a_busy_machine_ends_nobody)
{
    cpu_set_t all, one;
    ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &all)) {
            CPU_SET(i, &one);
            break;
        }

    /* All on one processor, of which the job gets a small part: by the clock it takes several times
     * its limit. Not every kernel keeps processes where it is told to, so there are more and more
     * others until they are in its way. */
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert_int_eq(setpriority(PRIO_PROCESS, 0, 5), 0);
    double took = 0;
    for (unsigned others = 4; others <= MOST_OTHERS && took <= 0.3; others *= 2) {
        Job job = run_beside(others, &took);
        ck_assert_int_eq(job.end, JOB_EXITED);
        ck_assert_int_eq(job.status, 0);
    }
    if (took <= 0.3)
        printf("skipped: a busy machine ends nobody # %d others do not keep a job waiting\n",
               MOST_OTHERS);
}
END_TEST

/* While jobs run, orphans come to who runs them; afterwards they go where they always went. */
START_TEST(orphans_are_nobodys_afterwards)
{
    int adopts = -1;
    run("computes", 10);
    ck_assert_int_eq(prctl(PR_GET_CHILD_SUBREAPER, &adopts), 0);
    ck_assert_int_eq(adopts, 0);
}
END_TEST

static int descriptors(void)
{
    int n = 0;
    for (int fd = 0; fd < 256; fd++) n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

/* A watch runs thousands of jobs in one process: each gives back the descriptors that it took. */
START_TEST(descriptors_are_given_back)
{
    int before = descriptors();
    run("computes", 10);
    ck_assert_int_eq(descriptors(), before);
    run("waits for ever", 0.05);
    ck_assert_int_eq(descriptors(), before);
}
END_TEST

int main(int argc, char **argv)
{
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) return 2;
    if (argc == 3 && !strcmp(argv[1], "inside")) return inside(argv[2]);
    return cases_run("runner", argc, argv, &(CasesOptions){0});
}
