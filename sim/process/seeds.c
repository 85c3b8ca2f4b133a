/* seeds.c - many schedules of one program: a process per seed, forked before the program's own code
 * begins.
 *
 * THREELANE_EXPLORE=FIRST:COUNT:STEP:SECONDS:STEM makes the program run COUNT times, with the seeds
 * FIRST, FIRST + STEP, ... one after the other. Linking, loading and the libraries' start-up are so
 * paid once. Each run is a child that finds THREELANE_SEED, THREELANE_TRACE=STEM-SEED.lane,
 * THREELANE_RESULTS=STEM-SEED.results and THREELANE_VALUES=STEM-SEED.values and
 * THREELANE_OUTCOME=STEM-SEED.outcome in its environment (and THREELANE_CHECK_JSON=STEM-SEED.json
 * where that variable was set to anything), and STEM-SEED.out as its output and error. How it ended
 * is a line in STEM.ends: "SEED exit STATUS", "SEED signal NUMBER", or "SEED timeout 0" when it
 * took more than SECONDS of processor time (or, waiting for something that is not of this machine,
 * CLOCK_FACTOR times that by the clock). The program that was started runs nothing itself; its
 * status is 0, or 97 when the variable makes no sense.
 */
#include "common/env.h"
#include "sim/host/host.h"
#include "sim/host/raw.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct Plan {
    unsigned long long first, count, step;
    double seconds;
    const char *stem;
} Plan;

/* What follows is real time, and real ends: the functions of libc are the virtual ones here. */
static _Noreturn void leave(int status)
{
    for (;;) raw_syscall(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

static bool parse(const char *text, Plan *plan)
{
    int used = 0;
    if (sscanf(text, "%llu:%llu:%llu:%lf:%n", &plan->first, &plan->count, &plan->step,
               &plan->seconds, &used) != 4 ||
        !used || !text[used])
        return false;
    plan->stem = text + used;
    return plan->step && plan->seconds >= 0.01 && plan->seconds <= 86400 &&
           strlen(plan->stem) < 3500;
}

/* In the child: its own environment and output; then the program begins. */
static void become(const Plan *plan, unsigned long long seed, long parent)
{
    static const struct {
        const char *variable, *ending;
    } files[] = {{ENV_TRACE, "lane"},
                 {ENV_RESULTS, "results"},
                 {ENV_VALUES, "values"},
                 {ENV_OUTCOME, "outcome"}};
    char path[4096], number[32];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) leave(HOST_STATUS_CRASH);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s-%llu.%s", plan->stem, seed, files[i].ending);
        setenv(files[i].variable, path, 1);
    }
    if (getenv(ENV_CHECK_JSON)) {
        snprintf(path, sizeof path, "%s-%llu.json", plan->stem, seed);
        setenv(ENV_CHECK_JSON, path, 1);
    }
    snprintf(number, sizeof number, "%llu", seed);
    setenv(ENV_SEED, number, 1);
    snprintf(path, sizeof path, "%s-%llu.out", plan->stem, seed);
    int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out < 0) leave(HOST_STATUS_CRASH);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    close(out);
}

/* Waits for a child to end; false when it has had its time. How busy the machine is with others
 * does not count. */
static bool ends_in_time(pid_t child, int process, double seconds)
{
    enum { LOOK_MS = 10, CLOCK_FACTOR = 10 };
    const clockid_t its_time = (clockid_t)(~(unsigned)child << 3 | 2); /* of all its threads
                                                                          (clock_getcpuclockid) */
    struct pollfd end = {.fd = process, .events = POLLIN};
    struct timespec begin, now, spent, look = {0, LOOK_MS * 1000000};
    raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&begin, 0, 0, 0, 0);
    while (raw_syscall(SYS_ppoll, (long)&end, 1, (long)&look, 0, 0, 0) == 0) {
        raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0, 0, 0, 0);
        if (raw_syscall(SYS_clock_gettime, its_time, (long)&spent, 0, 0, 0, 0) != 0) continue;
        double by_clock =
            (double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) * 1e-9;
        if ((double)spent.tv_sec + (double)spent.tv_nsec * 1e-9 > seconds ||
            by_clock > CLOCK_FACTOR * seconds)
            return false;
        look = (struct timespec){0, LOOK_MS * 1000000};
    }
    return true;
}

/* Waits for a child; says how it ended. */
static void await(pid_t child, double seconds, char *text, size_t size)
{
    int status = 0;
    bool late = false;
    long process = raw_syscall(SYS_pidfd_open, child, 0, 0, 0, 0, 0);
    if (process >= 0 && !ends_in_time(child, (int)process, seconds)) {
        late = true;
        kill(child, SIGKILL);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (process >= 0) close((int)process);
    if (late) snprintf(text, size, "timeout 0");
    else if (WIFSIGNALED(status)) snprintf(text, size, "signal %d", WTERMSIG(status));
    else snprintf(text, size, "exit %d", WEXITSTATUS(status));
}

/* After the host room's own constructor, before any of the program's. */
__attribute__((constructor(102))) static void explore(void)
{
    const char *asked = getenv(ENV_EXPLORE);
    Plan plan;
    char path[4096], how[64], line[128];
    if (!asked || !*asked) return;
    char *own = strdup(asked);
    if (!own || !parse(own, &plan))
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0},
                   ENV_EXPLORE "=%s: not FIRST:COUNT:STEP:SECONDS:STEM", asked);
    unsetenv(ENV_EXPLORE);
    snprintf(path, sizeof path, "%s.ends", plan.stem);
    int ends = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (ends < 0)
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0}, ENV_EXPLORE ": %s: %s", path,
                   strerror(errno));
    long parent = getpid();
    for (unsigned long long i = 0; i < plan.count; i++) {
        unsigned long long seed = plan.first + i * plan.step;
        pid_t child = fork();
        if (child == 0) {
            close(ends);
            become(&plan, seed, parent);
            return; /* to the program */
        }
        if (child < 0) leave(HOST_STATUS_CRASH);
        await(child, plan.seconds, how, sizeof how);
        int n = snprintf(line, sizeof line, "%llu %s\n", seed, how);
        if (write(ends, line, (size_t)n) != n) leave(HOST_STATUS_CRASH);
    }
    leave(0);
}
