/* unfinished.c - the end of a program while the device still works.
 *
 * What is in flight then is a part of the program like any other: it is run to its end for the
 * checker, and compared with everything that nothing orders it with. Its effects are nobody's: all
 * of it happens in a child process, where nothing that the program still does (destructors, the
 * rest of exit) can see it, where a kernel that never ends costs a limited time, and where a crash,
 * or a heap that is broken already, takes nothing else along. The child writes the reports and
 * closes the trace; where it does not come that far, the process itself does, without what was in
 * flight.
 *
 * Host functions are not run: they may print, and what they use is gone. What a kernel prints is
 * not shown, as on a card, where the program's end takes it away.
 */
#include "sim/process/unfinished.h"
#include "sim/exec/exec.h"
#include "sim/hazard/hazard_report.h"
#include "sim/host/host.h"
#include "sim/host/raw.h"
#include "sim/process/checker.h"
#include "sim/process/record.h"
#include "sim/runtime/runtime.h"
#include "sim/runtime/work.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSOR_SECONDS = 5, BLOCKED_SECONDS = 60 };
enum { NOTHING_SAID = 0, SAID = 1, FAILED = 2 }; /* how the child ends */

void unfinished_note(void)
{
    EngineOp first;
    uint32_t n = work_unfinished(&first);
    if (!n || !hazard_wanted(HAZARD_UNFINISHED)) return;

    const Work *work = work_of(first);
    char headline[160];
    if (n == 1) snprintf(headline, sizeof headline, "{2} was not finished when the program ended");
    else
        snprintf(headline, sizeof headline,
                 "{2} and %u more operation%s were not finished when the program ended", n - 1,
                 n == 2 ? "" : "s");
    hazard_report(&(HazardReport){
        .kind = HAZARD_UNFINISHED,
        .headline = headline,
        .second = {.verb = "was issued", .op = first, .stream = work->stream, .site = work->site},
        .why = "the host did not wait: what was still to be written is lost, and what was still to "
               "be printed is not shown",
        .fix =
            "call cudaDeviceSynchronize() before the program ends, and look at what it returns"});
}

/* Runs what can be run without the program. */
static void run_to_end(void)
{
    int output = dup(STDOUT_FILENO), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);

    record_pause(true); /* the picture ends where the program ended */
    dup2(nothing, STDOUT_FILENO);
    work_discard();
    while (engine_next_ns(runtime.engine) != ENGINE_NEVER) work_step();
    fflush(stdout);
    dup2(output, STDOUT_FILENO);
    close(output);
    close(nothing);
    record_pause(false);
}

static _Noreturn void leave_child(int how)
{
    for (;;) raw_syscall(SYS_exit_group, how, 0, 0, 0, 0, 0);
}

/* In the child. A byte in `told` says that what may fail is over. */
static _Noreturn void look_at_rest(int told, bool run, const UnfinishedEnd *end)
{
    struct rlimit limit = {PROCESSOR_SECONDS, PROCESSOR_SECONDS};
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(SIGXCPU, &standard, NULL);
    setrlimit(RLIMIT_CPU, &limit);

    bool stopped = exec_in_kernel();
    if (stopped) checker_stop_kernel();
    if (run && !stopped && runtime.engine) run_to_end();
    checker_touch_unfinished();
    if (write(told, "", 1) != 1) leave_child(FAILED);
    record_take_over();
    leave_child(end->finish(end->status, end->crashed) ? SAID : NOTHING_SAID);
}

/* Waits for the child's byte and for its end. */
static int await(long child, int told)
{
    struct pollfd ready = {.fd = told, .events = POLLIN};
    char byte;
    for (int rest = 2; rest--;) {
        struct timespec most = {.tv_sec = BLOCKED_SECONDS};
        long n;
        while ((n = raw_syscall(SYS_ppoll, (long)&ready, 1, (long)&most, 0, 0, 0)) == -EINTR) {}
        if (n <= 0) raw_syscall(SYS_kill, child, SIGKILL, 0, 0, 0, 0);
        if (n <= 0 || read(told, &byte, 1) != 1) break;
    }

    int status = 0;
    while (raw_syscall(SYS_wait4, child, (long)&status, 0, 0, 0, 0) == -EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}

/* One try: NOTHING_SAID, SAID, or FAILED with nothing written. */
static int try_apart(bool run, const UnfinishedEnd *end)
{
    int fds[2];
    if (pipe2(fds, O_CLOEXEC)) return FAILED;
    long child = raw_syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
    if (child == 0) look_at_rest(fds[1], run, end);
    close(fds[1]);
    int how = child > 0 ? await(child, fds[0]) : FAILED;
    close(fds[0]);
    return how;
}

bool unfinished_look(const UnfinishedEnd *end, bool *said)
{
    if (!end->crashed) fflush(stdout);
    bool run = work_unfinished(NULL) > 0 && !exec_in_kernel() && host_is_main();
    int how = try_apart(run, end);
    if (how == FAILED && run) {
        fprintf(stderr, "threelane: what was still running when the program ended could not be "
                        "followed to its end: "
                        "the reports are without it\n");
        how = try_apart(false, end);
    }
    *said = how == SAID;
    return how != FAILED;
}
