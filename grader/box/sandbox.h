/* sandbox.h - a box for programs that nobody has looked at: they see a few files, may read them,
 * and reach nothing else.
 *
 * Theory of operation. A submission is compiled and run by jobs (runner.h) that are given a Box.
 * With bubblewrap and user namespaces (SANDBOX_NAMESPACES) the box has its own processes, network
 * (none), mounts, IPC and host name; its root holds the system's libraries (to compile: the
 * compiler as well), read-only, the files named in the Box, and sized /tmp and /dev/shm in memory,
 * and nothing else: no home, no course, no other submission. Results leave it only through
 * descriptors that the grader opened. Where namespaces are forbidden or bubblewrap is missing
 * (SANDBOX_LANDLOCK), the kernel's Landlock limits files to the same list and, to compile, to one
 * scratch folder. On both, a seccomp filter refuses what no exercise needs (sockets, namespaces,
 * mounts, ptrace, keys, io_uring, bpf, modules, other processes' memory ...), limits bound
 * processor time, file size, processes and output, and memory is bounded by a control group (v2 or
 * v1) where one can be made, and watched otherwise. How many processes there may be is limited by
 * the kernel on every level, for looking on cannot keep up with a program that does nothing but
 * fork: by the control group, or by RLIMIT_NPROC. That does not count root, whose boxes with
 * Landlock are each run by a user of their own (users.h). Whether the limit holds is tried, and
 * where it does not, a level is not taken. Below all that nothing untrusted is run, unless the
 * instructor says so (SANDBOX_NONE).
 *
 * THREELANE_SANDBOX=landlock lowers what is tried, THREELANE_SANDBOX=namespaces takes nothing less.
 *
 * The environment of the box is exactly what the job names, plus HOME, TMPDIR, PATH and
 * LC_ALL=C.UTF-8. What remains possible: a hole in the kernel, and telling by time how busy the
 * machine is. */
#ifndef THREELANE_SANDBOX_H
#define THREELANE_SANDBOX_H
#include "grader/box/box.h"

typedef struct SandboxOptions {
    SandboxLevel least;    /* sandbox_open fails below it */
    SandboxLevel most;     /* nothing stronger is tried; for tests */
    uint64_t memory_bytes; /* of all processes of one box together */
    unsigned processes;    /* in one box */
    size_t boxes;          /* how many there are at once: control groups are made for so many */
    bool gpu;              /* boxes may have the NVIDIA devices (Box.gpu) */
} SandboxOptions;

/* The strongest level that works here is found out by running something in it. False and one line,
 * which says what to install or allow, when that is less than options->least. */
bool sandbox_open(Sandbox *, const SandboxOptions *, char *error, size_t error_size);
void sandbox_close(Sandbox *);
#endif
