/* runner.c - see runner.h. One poll loop over the output pipes and process descriptors of the jobs
 * that are running. */
#include "grader/box/runner.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "grader/box/box.h"
#include "grader/box/time_spent.h"

enum { TICK_MS = 10, FIRST_FREE = 4 };
static const double GRACE_SECONDS = 0.5;

typedef struct Running {
    Job *job;
    pid_t pid;
    int output, process; /* descriptors; -1 when closed or not to be had */
    double started;
    TimeSpent spent;
    JobEnd killed; /* why we killed it; JOB_EXITED when we did not */
    double asked;  /* when it was asked to end, and what it had spent then; 0: it was not */
    double asked_spent;
    BoxLaunch launch; /* of a job in a box */
} Running;

static volatile sig_atomic_t interrupted;

static void on_signal(int number) { interrupted = number; }

int jobs_interrupted(void) { return interrupted; }

void jobs_listen(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &(struct sigaction){.sa_handler = on_signal}, NULL);
}

int jobs_resume(void)
{
    int came = interrupted;
    interrupted = 0;
    return came;
}

void jobs_interrupt(int number) { interrupted = number; }

size_t jobs_processors(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return n > 0 ? (size_t)n : 1;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double grace(const Job *job)
{
    return job->limits.grace_seconds > 0 ? job->limits.grace_seconds : GRACE_SECONDS;
}

/* ---- the child, between fork and exec: only calls that are safe there ---- */
static void limit(int resource, uint64_t most)
{
    struct rlimit old;
    if (getrlimit((__rlimit_resource_t)resource, &old) != 0) return;
    rlim_t value =
        old.rlim_max != RLIM_INFINITY && most > old.rlim_max ? old.rlim_max : (rlim_t)most;
    setrlimit((__rlimit_resource_t)resource, &(struct rlimit){value, value});
}

static void close_from(unsigned first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, ~0u, 0) == 0) return;
#endif
    for (int fd = (int)first; fd < 4096; fd++) close(fd);
}

/* A box with Landlock gets a session of its own, as bubblewrap makes one: no terminal, and where
 * the scheduler gives each session its share, many processes in one box take little from the box
 * beside it. */
static bool has_session(const Job *job)
{
    return job->box && job->box->sandbox->level == SANDBOX_LANDLOCK;
}

/* Puts the box's descriptors in their places; the first number that is free behind them. */
static int place_descriptors(const Job *job, const BoxLaunch *launch)
{
    enum { AWAY = 100, MOST = 32 };
    int fds[MOST + 3], n = 0, keep = AWAY;
    for (size_t i = 0; i < job->box->n_fds && n < MOST; i++) fds[n++] = job->box->fds[i];
    if (launch->filter >= 0) fds[n++] = launch->filter;
    if (launch->status >= 0) fds[n++] = launch->status;
    if (launch->arguments >= 0) fds[n++] = launch->arguments;
    for (int i = 0; i < n; i++) fds[i] = fcntl(fds[i], F_DUPFD, keep);
    for (int i = 0; i < n; i++) dup2(fds[i], BOX_FIRST_FD + i);
    return BOX_FIRST_FD + n;
}

static void child(const Job *job, const BoxLaunch *launch, int output, int failure, pid_t parent)
    __attribute__((noreturn));
static void child(const Job *job, const BoxLaunch *launch, int output, int failure, pid_t parent)
{
    if (!has_session(job) || setsid() < 0) setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, 0);
    dup2(output, 1);
    dup2(output, 2);
    if (failure != 3) dup3(failure, 3, O_CLOEXEC);
    close_from(job->box ? (unsigned)place_descriptors(job, launch) : FIRST_FREE);
    limit(RLIMIT_CORE, 0);
    if (job->fixed_addresses) personality(ADDR_NO_RANDOMIZE);
    enum {
        SPARE_SECONDS = 3
    }; /* should the parent not come to look; whole seconds, of each process */
    limit(RLIMIT_CPU, (uint64_t)(job->limits.seconds + grace(job)) + SPARE_SECONDS);
    if (job->limits.file_bytes) limit(RLIMIT_FSIZE, job->limits.file_bytes);
    uint64_t processes = job->box ? job->box->sandbox->user_processes : job->limits.processes;
    if (job->box && job->box->purpose == BOX_COMPILE)
        processes += job->box->sandbox->compilers_spare;
    if (processes) limit(RLIMIT_NPROC, processes);
    if (job->box) {
        const char *inside = job->folder ? job->folder : job->box->scratch;
        bool there =
            job->box->sandbox->level == SANDBOX_NAMESPACES || !inside || chdir(inside) == 0;
        if (there && box_enter(launch, job->box))
            execve(launch->argv[0], launch->argv, launch->env);
    } else if (!job->folder || chdir(job->folder) == 0) {
        if (job->env) execve(job->argv[0], job->argv, job->env);
        else execv(job->argv[0], job->argv);
    }
    int error = errno;
    ssize_t ignored = write(3, &error, sizeof error);
    (void)ignored;
    _exit(127);
}

/* ---- the parent ---- */
static bool start(Running *run, Job *job)
{
    int output[2], failure[2];
    *run =
        (Running){.job = job, .output = -1, .process = -1, .killed = JOB_EXITED, .started = now()};
    job->end = JOB_NOT_STARTED;
    if (job->box &&
        !box_prepare(&run->launch, job->box, job->argv, job->env, job->folder, &job->status))
        return false;
    if (pipe2(output, O_CLOEXEC) != 0) {
        job->status = errno;
        if (job->box) box_finish(&run->launch);
        return false;
    }
    if (pipe2(failure, O_CLOEXEC) != 0) {
        job->status = errno;
        close(output[0]);
        close(output[1]);
        if (job->box) box_finish(&run->launch);
        return false;
    }
    pid_t parent = getpid();
    run->pid = fork();
    if (run->pid == 0) child(job, &run->launch, output[1], failure[1], parent);
    int error = run->pid < 0 ? errno : 0;
    close(output[1]);
    close(failure[1]);
    if (!error) {
        if (!has_session(job)) setpgid(run->pid, run->pid);
        ssize_t n;
        while ((n = read(failure[0], &error, sizeof error)) < 0 && errno == EINTR) {}
        if (n != (ssize_t)sizeof error) error = 0;
        else waitpid(run->pid, NULL, 0);
    }
    close(failure[0]);
    if (error) {
        close(output[0]);
        job->status = error;
        if (job->box) box_finish(&run->launch);
        return false;
    }
    if (job->box && run->launch.status >= 0) {
        close(run->launch.status);
        run->launch.status = -1;
    }
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    run->output = output[0];
#ifdef SYS_pidfd_open
    run->process = (int)syscall(SYS_pidfd_open, run->pid, 0);
#endif
    return true;
}

static void stop(Running *run, JobEnd why)
{
    if (run->killed == JOB_EXITED) run->killed = why;
    kill(-run->pid, SIGKILL);
    kill(run->pid, SIGKILL); /* it may have joined another group */
}

/* It has spent so many seconds, or hides what it spends. */
static bool has_spent(Running *run, double time, double seconds, double since)
{
    return time_spent_more(&run->spent, run->pid, time, seconds) ||
           time - since > TIME_SPENT_CLOCK_FACTOR * (seconds - run->asked_spent);
}

/* Too late. First asked to end, so that it can say where it is and hand over what it printed; then
 * made to. */
static void time_out(Running *run, double time)
{
    if (!run->asked) {
        run->asked = time;
        run->asked_spent = run->spent.computed + run->spent.waited;
        run->killed = JOB_TIMEOUT;
        if (run->job->box) box_signal(&run->launch, run->pid, SIGTERM);
        else kill(-run->pid, SIGTERM), kill(run->pid, SIGTERM);
    } else if (has_spent(run, time, run->asked_spent + grace(run->job), run->asked)) {
        stop(run, JOB_TIMEOUT);
    }
}

/* Takes what is in the pipe; false when the pipe has ended. */
static bool take_output(Running *run)
{
    char piece[65536];
    while (true) {
        ssize_t n = read(run->output, piece, sizeof piece);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno == EAGAIN;
        if (n == 0) return false;
        size_t room = (size_t)run->job->limits.output_bytes - run->job->output.length;
        text_append(&run->job->output, piece, (size_t)n < room ? (size_t)n : room);
        if ((size_t)n > room) {
            stop(run, JOB_OUTPUT);
            return true;
        }
    }
}

static uint64_t resident_bytes(pid_t pid);

/* The program may run under another one. */
static uint64_t resident_bytes_of_children(pid_t pid)
{
    char path[64];
    int child_pid;
    uint64_t bytes = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *file = fopen(path, "re");
    while (file && fscanf(file, "%d", &child_pid) == 1) bytes += resident_bytes(child_pid);
    if (file) fclose(file);
    return bytes;
}

static uint64_t resident_bytes(pid_t pid)
{
    char path[64], text[128];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    unsigned long long size = 0, resident = 0;
    if (n <= 0) return 0;
    text[n] = 0;
    if (sscanf(text, "%llu %llu", &size, &resident) != 2) return 0;
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* True when the job has ended and everything about it is known. */
static bool ended(Running *run)
{
    int status;
    pid_t who = waitpid(run->pid, &status, WNOHANG);
    if (who == 0) return false;
    kill(-run->pid, SIGKILL); /* whatever it left behind in its group */
    if (run->job->box) box_end(&run->launch);
    if (run->output >= 0) take_output(run);
    Job *job = run->job;
    job->seconds = now() - run->started;
    job->spent_seconds = run->spent.computed + run->spent.waited;
    bool started = !job->box || box_status(&run->launch, status, &status);
    if (run->killed != JOB_EXITED) {
        job->end = run->killed;
    } else if (job->box && box_out_of_memory(&run->launch)) {
        job->end = JOB_MEMORY;
    } else if (!started) {
        job->end = JOB_NOT_STARTED; /* its words are in the output */
        job->status = ECHILD;
    } else if (who > 0 && WIFSIGNALED(status)) {
        job->end = WTERMSIG(status) == SIGXCPU   ? JOB_TIMEOUT
                   : WTERMSIG(status) == SIGXFSZ ? JOB_FILE
                                                 : JOB_SIGNALED;
        job->status = WTERMSIG(status);
    } else {
        job->end = JOB_EXITED;
        job->status = who > 0 ? WEXITSTATUS(status) : 0;
    }
    if (run->output >= 0) close(run->output);
    if (run->process >= 0) close(run->process);
    if (job->box) box_finish(&run->launch);
    return true;
}

/* Orphans of jobs become our children (PR_SET_CHILD_SUBREAPER); none may live on. Returns how many
 * there were. */
static size_t kill_orphans(const Running *running, size_t n)
{
    FILE *file = fopen("/proc/thread-self/children", "re");
    size_t found = 0;
    int pid;
    while (file && fscanf(file, "%d", &pid) == 1) {
        bool job = false;
        for (size_t i = 0; i < n; i++) job = job || running[i].pid == pid;
        if (job) continue;
        kill(pid, SIGKILL);
        waitpid(pid, NULL, WNOHANG);
        found++;
    }
    if (file) fclose(file);
    return found;
}

/* One that keeps being born again may take more than one attempt. */
static void end_orphans(void)
{
    enum { TRIED_US = 200 };
    static const double LONGEST_SECONDS = 5;
    for (double begin = now(); kill_orphans(NULL, 0) && now() - begin < LONGEST_SECONDS;)
        usleep(TRIED_US);
}

static void watch(Running *running, size_t n)
{
    struct pollfd fds[2 * n + 1];
    for (size_t i = 0; i < n; i++) {
        fds[2 * i] = (struct pollfd){.fd = running[i].output, .events = POLLIN};
        fds[2 * i + 1] = (struct pollfd){.fd = running[i].process, .events = POLLIN};
    }
    poll(fds, 2 * n, TICK_MS);
    double time = now();
    for (size_t i = 0; i < n; i++) {
        Running *run = &running[i];
        if (run->output >= 0 && fds[2 * i].revents && !take_output(run)) {
            close(run->output);
            run->output = -1;
        }
        const Limits *limits = &run->job->limits;
        if (run->asked || has_spent(run, time, limits->seconds, run->started)) time_out(run, time);
        const Box *box = run->job->box;
        uint64_t resident = box ? box_memory(&run->launch, box, run->pid)
                                : resident_bytes(run->pid) + resident_bytes_of_children(run->pid);
        uint64_t most = box ? box->sandbox->memory_bytes : limits->memory_bytes;
        if (most && resident > most) stop(run, JOB_MEMORY);
        if (box && box->sandbox->processes &&
            box_processes(&run->launch, run->pid) > box->sandbox->processes)
            stop(run, JOB_PROCESSES);
    }
    /* what has left its job is in no job's account */
    kill_orphans(running, n);
}

bool job_used_up(const Job *job)
{
    return job->end != JOB_EXITED && job->end != JOB_SIGNALED && job->end != JOB_NOT_STARTED;
}

bool jobs_run(Job *jobs, size_t n, size_t parallel)
{
    struct sigaction act = {.sa_handler = on_signal}, old[3];
    static const int signals[3] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++) sigaction(signals[i], &act, &old[i]);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    Running *running = memory_get(n, sizeof *running);
    size_t next = 0, live = 0;
    if (!parallel) parallel = 1;
    while ((next < n || live) && !interrupted) {
        while (next < n && live < parallel) {
            if (start(&running[live], &jobs[next])) live++;
            next++;
        }
        if (!live) continue;
        watch(running, live);
        for (size_t i = 0; i < live;) {
            if (ended(&running[i])) running[i] = running[--live];
            else i++;
        }
    }
    for (size_t i = 0; i < live; i++) {
        stop(&running[i], JOB_SIGNALED);
        waitpid(running[i].pid, NULL, 0);
        if (running[i].job->box) box_end(&running[i].launch);
        if (running[i].output >= 0) close(running[i].output);
        if (running[i].process >= 0) close(running[i].process);
        if (running[i].job->box) box_finish(&running[i].launch);
    }
    end_orphans();
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    free(running);
    for (int i = 0; i < 3; i++) sigaction(signals[i], &old[i], NULL);
    return !interrupted;
}
