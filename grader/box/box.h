/* box.h - what a job of a sandbox sees and may do, and how it is begun, watched and ended there.
 * sandbox.h has the theory, and opens sandboxes; runner.h runs jobs in them. */
#ifndef THREELANE_BOX_H
#define THREELANE_BOX_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "grader/box/control_groups.h"
#include "grader/box/sandbox_filter.h"

typedef enum SandboxLevel { SANDBOX_NONE, SANDBOX_LANDLOCK, SANDBOX_NAMESPACES } SandboxLevel;

typedef struct Sandbox {
    SandboxLevel level;
    char *words; /* for verdicts: "namespaces, seccomp, cgroup v2" */
    uint64_t memory_bytes;
    unsigned processes;
    bool gpu;                 /* as asked */
    uint64_t user_processes;  /* what RLIMIT_NPROC is set to, where no control group counts; 0: not
                               */
    uint64_t compilers_spare; /* so many more where a compiler runs, which programs beside it cannot
                                 take from it */
    bool users;               /* each box is run by a user of its own */
    /* private */
    char *bwrap;
    bool sized, no_nesting; /* what this bubblewrap knows */
    Filter filter;
    int landlock_abi;
    ControlGroups groups; /* none: memory and processes are watched */
} Sandbox;

typedef enum BoxPurpose { BOX_RUN, BOX_COMPILE } BoxPurpose;
enum { BOX_FIRST_FD = 4 };

typedef struct BoxFile {
    const char *from, *to;
} BoxFile; /* to: absolute path in the box */

typedef struct Box {
    Sandbox *sandbox;
    BoxPurpose purpose;
    const BoxFile *files; /* files and folders it may read (and run) */
    size_t n_files;
    const int *fds; /* these become its descriptors BOX_FIRST_FD, BOX_FIRST_FD + 1, ... */
    size_t n_fds;
    const char *scratch;    /* a folder of the caller's to begin in where nothing can be mounted
                               (Landlock); there a    compiler may write, and a program may not */
    uint64_t scratch_bytes; /* size of /tmp, and of /dev/shm */
    bool gpu; /* the NVIDIA devices are there, what the driver reads, and its threads' names, which
                 it writes (sandbox opened with .gpu) */
} Box;

/* Where a file of the box is, seen from inside. */
const char *box_path(const Box *, size_t file);
/* Its scratch folder, seen from inside. */
const char *box_scratch(const Box *);

/* ---- for runner.c ---- */
typedef struct BoxLaunch {
    char **argv, **env; /* what to execute */
    int filter, status; /* descriptors for bubblewrap: the filter, and where it says what became of
                           the program (the writing end); -1 for none */
    int arguments;      /* and what it is told, which is not on its command line */
    int status_read;
    ControlGroup *group;
    uid_t user; /* who runs it; 0: who calls */
} BoxLaunch;

/* Prepares argv, to be run in `folder` (NULL: the scratch folder) with `env` (NULL-terminated).
 * False and an errno. */
bool box_prepare(BoxLaunch *, const Box *, char *const *argv, char *const *env, const char *folder,
                 int *error);
/* In the child, last before exec; only calls that are safe there. Descriptors are in place. False:
 * errno. */
bool box_enter(const BoxLaunch *, const Box *);
/* What it uses now; where memory may be shared (Sandbox.gpu), of that all that is mapped. 0:
 * bounded otherwise. */
uint64_t box_memory(const BoxLaunch *, const Box *, pid_t first);
unsigned box_processes(const BoxLaunch *, pid_t first);
/* True when the kernel ended something in it for want of memory. */
bool box_out_of_memory(const BoxLaunch *);
/* With namespaces: did the program start, and how did it end? status as from wait. */
bool box_status(const BoxLaunch *, int bwrap_status, int *status);
/* Sends a signal to the program itself. */
void box_signal(const BoxLaunch *, pid_t first, int number);
/* Its first process has ended: all others have to. */
void box_end(const BoxLaunch *);
void box_finish(BoxLaunch *);
#endif
