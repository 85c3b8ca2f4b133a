#include "sim/tlcc/process.h"
#include "common/env.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { CHILDREN_MOST = 64 };
static volatile pid_t children[CHILDREN_MOST];
static char directory[4096];
static pid_t directory_owner;

/* ---- temporary files ---- */

const char *process_directory(void)
{
    if (*directory) return directory;
    const char *parent = getenv(ENV_TMPDIR);
    if (!parent || !*parent) parent = "/tmp";
    char name[sizeof directory];
    if (snprintf(name, sizeof name, "%s/tlcc-XXXXXX", parent) >= (int)sizeof name ||
        !mkdtemp(name)) {
        fprintf(stderr, "tlcc: cannot make a temporary directory in %s: %s\n", parent,
                strerror(errno));
        return NULL;
    }
    directory_owner = getpid();
    strcpy(directory, name);
    return directory;
}

/* The files in it have names that we chose, 0.o, 1.o, ...: that keeps this fit for signal
 * handlers. */
static void remove_directory(void)
{
    if (!*directory || getpid() != directory_owner) return;
    for (int i = 0; i < 100000; i++) {
        char path[sizeof directory + 16];
        char digits[8];
        int n = 0, value = i;
        do {
            digits[n++] = (char)('0' + value % 10);
            value /= 10;
        } while (value);
        size_t size = strlen(directory);
        memcpy(path, directory, size);
        path[size++] = '/';
        while (n > 0) path[size++] = digits[--n];
        memcpy(path + size, ".o", 3);
        if (unlink(path) != 0 && i >= 64) break;
    }
    char program[sizeof directory + 16];
    size_t size = strlen(directory);
    memcpy(program, directory, size);
    memcpy(program + size, "/program", 9);
    unlink(program);
    rmdir(directory);
    *directory = 0;
}

void process_clean(void) { remove_directory(); }

static void on_signal(int signal)
{
    for (int i = 0; i < CHILDREN_MOST; i++)
        if (children[i] > 0) kill(children[i], SIGTERM);
    for (int i = 0; i < CHILDREN_MOST; i++) /* they may still be writing into the directory */
        if (children[i] > 0) waitpid(children[i], NULL, 0);
    remove_directory();
    raise(signal); /* SA_RESETHAND: now it ends us */
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* From here until they are let in again none of those signals comes: a child that is not known yet
 * would live on. */
static void hold_signals(sigset_t *before)
{
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&held, signals[i]);
    sigprocmask(SIG_BLOCK, &held, before);
}

static void let_signals_in(const sigset_t *before) { sigprocmask(SIG_SETMASK, before, NULL); }

void process_guard(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN); /* a compiler that stops reading is no reason to die */
}

static int remember_child(pid_t pid)
{
    for (int i = 0; i < CHILDREN_MOST; i++) {
        if (children[i] == 0) {
            children[i] = pid;
            return i;
        }
    }
    return -1;
}

static int wait_for(pid_t pid, int slot)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return 127;
    if (slot >= 0) children[slot] = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- one program ---- */

typedef struct Pipe {
    int ours, theirs;
} Pipe;

static bool make_pipe(Pipe *ends, bool we_write)
{
    int fd[2];
    if (pipe2(fd, O_CLOEXEC) < 0) return false;
    *ends = we_write ? (Pipe){fd[1], fd[0]} : (Pipe){fd[0], fd[1]};
#ifdef F_SETPIPE_SZ
    fcntl(ends->ours, F_SETPIPE_SZ, 1 << 20);
#endif
    if (we_write) fcntl(ends->ours, F_SETFL, O_NONBLOCK);
    return true;
}

static void shut(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

static void receive(int *fd, Bytes *to)
{
    static char buffer[1 << 16];
    ssize_t got = read(*fd, buffer, sizeof buffer);
    if (got > 0) bytes_add(to, buffer, (size_t)got);
    else if (got == 0 || (errno != EINTR && errno != EAGAIN)) shut(fd);
}

/* Feeds and drains until all ends are closed. */
static void exchange(Pipe *in, Pipe *out, Pipe *err, const Bytes *input, Bytes *output,
                     Bytes *errors)
{
    size_t sent = 0;
    while (in->ours >= 0 || out->ours >= 0 || err->ours >= 0) {
        if (in->ours >= 0 && sent == input->size) {
            shut(&in->ours);
            continue;
        }
        struct pollfd fds[] = {{in->ours, POLLOUT, 0},
                               {out->ours, POLLIN, 0},
                               {err->ours, POLLIN, 0}};
        if (poll(fds, 3, -1) < 0 && errno != EINTR) break;
        if (fds[0].revents) {
            ssize_t done = write(in->ours, input->data + sent, input->size - sent);
            if (done > 0) sent += (size_t)done;
            else if (done < 0 && errno != EAGAIN && errno != EINTR) shut(&in->ours);
        }
        if (fds[1].revents) receive(&out->ours, output);
        if (fds[2].revents) receive(&err->ours, errors);
    }
}

int process_run(const Args *arguments, const Bytes *input, Bytes *output, Bytes *errors)
{
    Pipe in = {-1, -1}, out = {-1, -1}, err = {-1, -1};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int status = 127;
    pid_t pid;
    fflush(stdout);
    fflush(stderr);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    bool piped = (!input || make_pipe(&in, true)) && (!output || make_pipe(&out, false)) &&
                 (!errors || make_pipe(&err, false));
    if (!piped) {
        fprintf(stderr, "tlcc: cannot make a pipe: %s\n", strerror(errno));
        goto done;
    }
    if (input) posix_spawn_file_actions_adddup2(&actions, in.theirs, 0);
    else posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (output) posix_spawn_file_actions_adddup2(&actions, out.theirs, 1);
    if (errors) posix_spawn_file_actions_adddup2(&actions, err.theirs, 2);
    sigset_t standard, before;
    sigemptyset(&standard);
    sigaddset(&standard, SIGPIPE);
    hold_signals(&before);
    posix_spawnattr_setsigdefault(&attributes, &standard);
    posix_spawnattr_setsigmask(&attributes, &before);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    int error =
        posix_spawnp(&pid, arguments->item[0], &actions, &attributes, arguments->item, environ);
    int slot = error ? -1 : remember_child(pid);
    let_signals_in(&before);
    if (error) {
        fprintf(stderr, "tlcc: cannot run '%s': %s\n", arguments->item[0], strerror(error));
        goto done;
    }
    shut(&in.theirs);
    shut(&out.theirs);
    shut(&err.theirs);
    exchange(&in, &out, &err, input, output, errors);
    status = wait_for(pid, slot);
done:
    shut(&in.ours);
    shut(&in.theirs);
    shut(&out.ours);
    shut(&out.theirs);
    shut(&err.ours);
    shut(&err.theirs);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return status;
}

/* ---- several pieces of work ---- */

typedef struct Piece {
    pid_t pid;
    int slot, status;
    FILE *out, *err;
} Piece;

static void replay(FILE *from, FILE *to)
{
    char buffer[1 << 14];
    rewind(from);
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, from)) > 0;) fwrite(buffer, 1, got, to);
    fflush(to);
    fclose(from);
}

static bool start_piece(Piece *piece, int i, int (*work)(void *, int), void *arg)
{
    sigset_t before;
    piece->out = tmpfile();
    piece->err = tmpfile();
    hold_signals(&before);
    piece->pid = piece->out && piece->err ? fork() : -1;
    if (piece->pid > 0) piece->slot = remember_child(piece->pid);
    if (piece->pid == 0)
        for (int k = 0; k < CHILDREN_MOST; k++) children[k] = 0;
    let_signals_in(&before);
    if (piece->pid < 0) {
        fprintf(stderr, "tlcc: cannot start another process: %s\n", strerror(errno));
        if (piece->out) fclose(piece->out);
        if (piece->err) fclose(piece->err);
        return false;
    }
    if (piece->pid == 0) {
        dup2(fileno(piece->out), 1);
        dup2(fileno(piece->err), 2);
        int status = work(arg, i);
        fflush(stdout);
        fflush(stderr);
        _exit(status);
    }
    return true;
}

int process_each(int count, int parallel, int (*work)(void *arg, int i), void *arg)
{
    if (parallel > CHILDREN_MOST / 2) parallel = CHILDREN_MOST / 2;
    if (count == 1 || parallel <= 1) {
        int first = 0;
        for (int i = 0; i < count; i++) {
            int status = work(arg, i);
            if (!first) first = status;
        }
        return first;
    }
    Piece *piece = must_alloc((size_t)count * sizeof *piece);
    int first = 0, started = 0;
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < count; i++) {
        while (started < count && started < i + parallel) {
            if (!start_piece(&piece[started], started, work, arg)) {
                first = 1;
                count = started;
                break;
            }
            started++;
        }
        if (i >= count) break;
        piece[i].status = wait_for(piece[i].pid, piece[i].slot);
        replay(piece[i].out, stdout);
        replay(piece[i].err, stderr);
        if (!first) first = piece[i].status;
    }
    free(piece);
    return first;
}
