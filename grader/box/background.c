/* background.c - see background.h. */
#include "grader/box/background.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "grader/box/runner.h"

static const double PATIENCE_SECONDS = 1.0; /* between asking it to stop and making it */
enum { LARGEST_RESULT = 1 << 30, SIGNALS = 11 };

double background_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void child(BackgroundWork *work, void *data, const int results[BACKGROUND_RESULTS],
                  pid_t parent) __attribute__((noreturn));
static void child(BackgroundWork *work, void *data, const int results[BACKGROUND_RESULTS],
                  pid_t parent)
{
    static const int theirs[SIGNALS] = {SIGWINCH, SIGTSTP, SIGCONT, SIGCHLD, SIGSEGV, SIGABRT,
                                        SIGQUIT,  SIGPIPE, SIGBUS,  SIGFPE,  SIGILL};
    for (size_t i = 0; i < SIGNALS; i++) signal(theirs[i], SIG_DFL);
    setpgid(0, 0); /* ^C in an editor is not meant for it */
    jobs_listen();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3 && nothing >= 0; fd++) dup2(nothing, fd);
    work(data, results);
    _exit(jobs_interrupted() ? 1 : 0);
}

int background_start(Background *b, BackgroundWork *work, void *data)
{
    int ends[2] = {-1, -1}, results[BACKGROUND_RESULTS], error = 0;
    for (int i = 0; i < BACKGROUND_RESULTS; i++) {
        results[i] = memfd_create("threelane", MFD_CLOEXEC);
        if (results[i] < 0) error = errno;
    }
    if (!error && pipe2(ends, O_CLOEXEC) != 0) error = errno;
    /* held back until the child has handlers of its own: the parent's would put the terminal
     * right */
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pid_t parent = getpid(), pid = error ? -1 : fork();
    if (pid != 0) sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid == 0) {
        close(ends[0]);
        child(work, data, results, parent);
    }
    if (!error && pid < 0) error = errno;
    if (ends[1] >= 0) close(ends[1]);
    if (error) {
        for (int i = 0; i < BACKGROUND_RESULTS; i++) {
            if (results[i] >= 0) close(results[i]);
        }
        if (ends[0] >= 0) close(ends[0]);
        return error;
    }
    *b = (Background){.pid = pid, .end = ends[0], .started = background_clock()};
    for (int i = 0; i < BACKGROUND_RESULTS; i++) b->results[i] = results[i];
    return 0;
}

void background_cancel(Background *b)
{
    if (!b->pid || b->cancelled) return;
    b->cancelled = true;
    b->asked = background_clock();
    kill(b->pid, SIGTERM);
}

int background_timeout(const Background *b)
{
    if (!b->pid || !b->cancelled) return -1;
    double left = b->asked + PATIENCE_SECONDS - background_clock();
    return left > 0 ? (int)(left * 1000) + 1 : 20;
}

BackgroundState background_poll(Background *b)
{
    int status;
    if (!b->pid) return BACKGROUND_NONE;
    if (b->cancelled && background_clock() - b->asked > PATIENCE_SECONDS) kill(b->pid, SIGKILL);
    /* asked of the pipe first: a child that has just closed it is a moment away from being waited
     * for */
    struct pollfd ready = {.fd = b->end, .events = POLLIN};
    if (poll(&ready, 1, 0) <= 0) return BACKGROUND_GOING;
    pid_t who;
    while ((who = waitpid(b->pid, &status, 0)) < 0 && errno == EINTR) {}
    b->pid = 0;
    bool fine = who > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return fine && !b->cancelled ? BACKGROUND_DONE : BACKGROUND_STOPPED;
}

const char *background_path(const Background *b, int result, char path[64])
{
    snprintf(path, 64, "/proc/self/fd/%d", b->results[result]);
    return path;
}

int background_read(const Background *b, int result, Text *text)
{
    char path[64];
    return text_read_file(text, background_path(b, result, path), LARGEST_RESULT);
}

void background_close(Background *b)
{
    if (b->pid) {
        struct pollfd ready = {.fd = b->end, .events = POLLIN};
        background_cancel(b);
        poll(&ready, 1, (int)(PATIENCE_SECONDS * 1000));
        kill(b->pid, SIGKILL);
        while (waitpid(b->pid, NULL, 0) < 0 && errno == EINTR) {}
    }
    if (b->started > 0) {
        close(b->end);
        for (int i = 0; i < BACKGROUND_RESULTS; i++) close(b->results[i]);
    }
    *b = (Background){0};
}
