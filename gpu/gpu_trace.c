/* gpu_trace.c - `threelane trace`: a program, unmodified, under the tracer. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "common/exit_status.h"
#include "common/env.h"
#include "gpu/gpu.h"
#include "gpu/tools.h"
#include "timeline/trace/analysis.h"

#define SYNOPSIS "usage: threelane trace [-o FILE] [--] PROGRAM [ARGUMENTS]"


static int say(int status, const char *format, const char *a, const char *b)
{
    fputs("threelane: ", stderr);
    fprintf(stderr, format, a, b);
    fputc('\n', stderr);
    return status;
}

/* What has to be there before a program is started at all. */
static int check(char *tracer, size_t tracer_size)
{
    static const char *const taken[] = {ENV_CUDA_INJECTION, ENV_NVTX_INJECTION};
    const char *named = getenv(ENV_TRACER);
    if (named && named[0]) {
        snprintf(tracer, tracer_size, "%s", named);
        if (access(tracer, R_OK) != 0)
            return say(VERDICT_GRADER, "%s (from " ENV_TRACER "): %s", tracer, strerror(errno));
    } else if (!tools_beside("libthreelane_trace.so", tracer, tracer_size)) {
        return say(VERDICT_GRADER,
                   "the tracer was not built, because CUPTI was not found: install the CUDA "
                   "Toolkit, or name it (make CUDA_HOME=/path tools); `%s` says what is missing%s",
                   "threelane doctor", "");
    }
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        if (!getenv(taken[i])) continue;
        return say(VERDICT_GRADER,
                   "another tool is set to be loaded into programs (%s=%s): unset it first",
                   taken[i], getenv(taken[i]));
    }
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!driver) {
        return say(VERDICT_GRADER,
                   "there is no NVIDIA driver here (libcuda.so.1): on the virtual GPU, build "
                   "the program with tlcc and set " ENV_TRACE "=FILE instead; `%s` says more%s",
                   "threelane doctor", "");
    }
    dlclose(driver);
    return 0;
}

static volatile sig_atomic_t child;

static void pass_on(int number)
{
    if (child > 0) kill((pid_t)child, number);
}

static void load_tracer(const char *tracer, const char *output)
{
    setenv(ENV_CUDA_INJECTION, tracer, 1);
    setenv(ENV_NVTX_INJECTION, tracer, 1);
    setenv(ENV_TRACE, output, 1);
}

/* Runs the program to its end. Its wait status, or -1 after saying why it could not be started. */
static int run(char **words, const char *tracer, const char *output)
{
    int failed[2], error = 0, status = 0;
    if (pipe2(failed, O_CLOEXEC) != 0) return say(-1, "%s%s", strerror(errno), "");
    struct sigaction ignore = {.sa_handler = SIG_IGN}, forward = {.sa_handler = pass_on}, before[2];
    sigaction(SIGINT, &ignore, &before[0]); /* ^C is for the program; what it recorded is still
                                               wanted */
    sigaction(SIGQUIT, &ignore, &before[1]);
    sigaction(SIGTERM, &forward, NULL);
    sigaction(SIGHUP, &forward, NULL);
    pid_t pid = fork();
    child = pid;
    if (pid == 0) {
        sigaction(SIGINT, &before[0], NULL);
        sigaction(SIGQUIT, &before[1], NULL);
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
        load_tracer(tracer, output);
        execvp(words[0], words);
        error = errno;
        ssize_t written = write(failed[1], &error, sizeof error);
        _exit(written > 0 ? 127 : 126);
    }
    close(failed[1]);
    if (pid < 0) error = errno;
    else if (read(failed[0], &error, sizeof error) != (ssize_t)sizeof error) error = 0;
    close(failed[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    if (error) return say(-1, "%s cannot be run: %s", words[0], strerror(error));
    return status;
}

static void count(char *text, size_t size, uint32_t n, const char *one, const char *many)
{
    size_t at = strlen(text);
    if (n && at < size)
        snprintf(text + at, size - at, "%s%u %s", at ? ", " : "", n, n == 1 ? one : many);
}

/* What a trace holds, in one line, and what the tracer had to say. False when it holds nothing;
 * empty: it was begun, and no call came. */
static bool report(const char *path, bool *empty)
{
    char error[PATH_MAX + 300], what[400] = "", time[64];
    struct stat about;
    if (stat(path, &about) != 0 || about.st_size == 0) return false;
    if (!sites_resolve(path, error, sizeof error)) say(0, "no source lines: %s%s", error, "");
    Trace *t = trace_read(path, error, sizeof error);
    if (!t) return say(0, "%s%s", error, ""), false;
    for (uint32_t i = 1; i <= t->n_notes; i++) {
        const TraceNote *note = &t->notes[i];
        if (note->severity != TRACE_INFO)
            say(0, "%s: %s", trace_severity_word[note->severity], note->text);
    }
    *empty = t->n_calls == 0;
    if (*empty) {
        trace_free(t);
        return false;
    }
    uint32_t copies = 0, kernels = 0, sets = 0, hosts = 0, open = 0;
    for (uint32_t i = 1; i <= t->n_ops; i++) {
        const TraceOp *op = &t->ops[i];
        if (op->kind <= TRACE_P2P) copies++;
        else if (op->kind == TRACE_MEMSET) sets++;
        else if (op->kind == TRACE_KERNEL) kernels++;
        else if (op->kind == TRACE_HOSTFN) hosts++;
        if (trace_op_is_work(op) && op->end_ns == TRACE_OPEN_NS) open++;
    }
    count(what, sizeof what, copies, "copy", "copies");
    count(what, sizeof what, sets, "memset", "memsets");
    count(what, sizeof what, kernels, "kernel", "kernels");
    count(what, sizeof what, hosts, "host function", "host functions");
    count(what, sizeof what, t->n_streams, "stream", "streams");
    if (!what[0]) snprintf(what, sizeof what, "%u calls and no work for a device", t->n_calls);
    for (uint32_t i = 1; i <= t->n_calls && t->n_ops == 0; i++) {
        const TraceCall *call = &t->calls[i];
        char number[32], site[300];
        if (call->result == 0 || call->end_ns == TRACE_OPEN_NS) continue;
        analysis_site(call->site, site, sizeof site);
        snprintf(number, sizeof number, "%d", call->result);
        fprintf(stderr, "threelane: no work reached a GPU: %s%s%s%s returned error %s%s\n",
                call->name, site[0] ? " (" : "", site, site[0] ? ")" : "", number,
                call->result == 2     ? " (out of memory: on the card, if there is enough here; "
                                        "nvidia-smi shows who uses it)"
                : call->result == 100 ? " (no GPU)"
                : call->result == 35  ? " (the driver is older than the program)"
                                      : "");
        break;
    }
    const char *card = trace_meta(t, "card");
    fprintf(stderr, "threelane: recorded %s on %s in %s: %s\n", what, card ? card : "no device",
            analysis_time(t, analysis_makespan_ns(t, 0), time, sizeof time), path);
    if (open)
        fprintf(stderr, "threelane: %u of these had not ended when the recording did\n", open);
    trace_free(t);
    return true;
}

/* What was asked for. */
typedef struct Request {
    bool quiet;           /* somebody reads the trace and says what is to be said */
    char named[PATH_MAX]; /* where the trace goes: a file, or "fd:N" */
    char **program;       /* its name and arguments */
} Request;

static int read_request(int argc, char **argv, Request *r)
{
    int at = 1;
    while (at < argc && argv[at][0] == '-' && strcmp(argv[at], "--") != 0) {
        if (!strcmp(argv[at], "-q")) {
            r->quiet = true;
            at++;
            continue;
        }
        bool output_next = !strcmp(argv[at], "-o") && at + 1 < argc;
        if (!output_next && strncmp(argv[at], "--output=", 9) != 0)
            return say(VERDICT_USAGE, "trace does not take %s%s", argv[at], "; " SYNOPSIS);
        snprintf(r->named, sizeof r->named, "%s", output_next ? argv[at + 1] : argv[at] + 9);
        at += output_next ? 2 : 1;
    }
    if (at < argc && !strcmp(argv[at], "--")) at++;
    if (at >= argc) return say(VERDICT_USAGE, "%s%s", SYNOPSIS, "");

    r->program = argv + at;
    const char *slash = strrchr(argv[at], '/');
    if (!r->named[0])
        snprintf(r->named, sizeof r->named, "%s.lane", slash && slash[1] ? slash + 1 : argv[at]);
    return 0;
}

/* The caller reads the trace and says what is to be said; it learns of a signal as if it had run
 * the program. */
static int end_quietly(const char *output, int status)
{
    char error[PATH_MAX + 300];
    struct stat about;
    if (stat(output, &about) == 0 && about.st_size == 0) unlink(output);
    else sites_resolve(output, error, sizeof error);
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Other processes of the same run wrote beside it. */
static bool report_others(const char *output, time_t began)
{
    char pattern[PATH_MAX + 20];
    size_t length = strlen(output);
    bool lane = length > 5 && !strcmp(output + length - 5, ".lane"), told = false, empty;
    snprintf(pattern, sizeof pattern, "%.*s.[0-9]*.lane", (int)(lane ? length - 5 : length),
             output);
    glob_t found;
    struct stat theirs;
    if (glob(pattern, 0, NULL, &found) != 0) return false;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (stat(found.gl_pathv[i], &theirs) != 0 || theirs.st_mtime < began) continue;
        told = report(found.gl_pathv[i], &empty) || told;
    }
    globfree(&found);
    return told;
}

static void say_what_was_recorded(const Request *r, const char *output, time_t began, int status)
{
    if (WIFSIGNALED(status))
        say(0, "the program was ended by a signal (%s); what was recorded until then is kept%s",
            strsignal(WTERMSIG(status)), "");
    bool begun = false, told = report(output, &begun);
    if (told) fprintf(stderr, "threelane: draw it with: threelane show %s\n", r->named);
    else unlink(output);

    if (report_others(output, began) || told) return;
    say(0,
        begun ? "nothing was recorded: %s made no CUDA call that reached a GPU (`%s` looks for "
                "the reason), or ended at once and without exit()"
              : "%s made no CUDA call: nothing was recorded%.0s",
        r->program[0], "threelane doctor");
}

int gpu_trace(int argc, char **argv)
{
    char tracer[PATH_MAX], output[PATH_MAX];
    Request r = {0};
    int status = read_request(argc, argv, &r);
    if (!status) status = check(tracer, sizeof tracer);
    if (status) return status;
    if (r.quiet && !strncmp(r.named, "fd:", 3)) {
        /* a descriptor that the program inherits: it takes our place, and `sites` finds the source
         * lines later */
        load_tracer(tracer, r.named);
        execvp(r.program[0], r.program);
        say(0, "%s cannot be run: %s", r.program[0], strerror(errno));
        return 127;
    }

    /* emptied, never replaced: the first process to use CUDA writes it; by its full path, since
     * programs change their folder */
    int fd = open(r.named, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || close(fd) != 0 || !realpath(r.named, output))
        return say(VERDICT_USAGE, "%s cannot be written: %s", r.named, strerror(errno));
    time_t began = time(NULL);
    status = run(r.program, tracer, output);
    if (status == -1) {
        unlink(output);
        return 127;
    }

    if (r.quiet) return end_quietly(output, status);
    say_what_was_recorded(&r, output, began, status);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int gpu_sites(int argc, char **argv)
{
    char error[PATH_MAX + 300];
    if (argc != 2)
        return say(VERDICT_USAGE, "usage: threelane-gpu sites FILE.lane|fd:N%s%s", "", "");
    return sites_resolve(argv[1], error, sizeof error) ? 0 : say(1, "%s%s", error, "");
}
