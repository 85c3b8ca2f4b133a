/* The box: what a program in it can do, tried by a program in it (this one, with a word as its
 * argument). */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "grader/box/runner.h"
#include "grader/box/sandbox.h"
#include "grader/box/users.h"
#include "tests/unit/cases.h"
#include <sys/resource.h>

/* ---- inside ---- */
static int reads(const char *path)
{
    int fd = open(path, O_RDONLY);
    char byte;
    bool read_it = fd >= 0 && read(fd, &byte, 1) >= 0;
    DIR *dir = fd < 0 ? NULL : opendir(path);
    if (dir) closedir(dir);
    if (fd >= 0) close(fd);
    return read_it || dir;
}

static int writes(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

/* What NVIDIA's driver does before anything else; how many of these failed. */
static int driver(void)
{
    char path[64];
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0cuda-uvmfd"};
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", (int)syscall(SYS_gettid));
    int local = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), failed = 0;
    FILE *comm = fopen(path, "w");
    failed += !comm || fputs("cuda-EvtHandlr", comm) < 0 || fclose(comm) != 0;
    failed += local < 0 || bind(local, (struct sockaddr *)&name, sizeof name) != 0 ||
              listen(local, 128) != 0;
    failed += mmap(NULL, 1 << 21, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) ==
              MAP_FAILED;
    return failed;
}

/* What goes through the doors that are ajar for it; bits. */
static int ajar(void)
{
    const int families[] = {AF_UNIX, AF_INET, AF_NETLINK},
              kinds[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET};
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0cuda-uvmfd"};
    int got = 0, local = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    for (size_t f = 0; f < 3; f++)
        for (size_t k = 0; k < 4; k++)
            if (!(families[f] == AF_UNIX && kinds[k] == SOCK_SEQPACKET) &&
                socket(families[f], kinds[k] | SOCK_CLOEXEC, 0) >= 0)
                got |= 1;
    if (connect(local, (struct sockaddr *)&name, sizeof name) == 0 || errno != EPERM) got |= 2;
    if (open("/proc/sys/kernel/core_pattern", O_WRONLY) >= 0 ||
        open("/proc/sysrq-trigger", O_WRONLY) >= 0)
        got |= 4;
    if (memfd_create("x", 0) >= 0) got |= 8;
    if (prctl(PR_SET_DUMPABLE, 0) == 0) got |= 16; /* else nobody could see what it maps */
    return got;
}

/* How many ways there are to give a file the right to run as its owner or group: the filter says no
 * before anybody looks for the file, which is not there. */
static int gives_rights(void)
{
    const mode_t bits[] = {S_ISUID | 0700, S_ISGID | 0700, S_ISUID | S_ISGID | 0700};
    int got = 0;
    if (chmod("nothing", 0700) == 0 || errno == EPERM) return 99; /* this it may ask for */
    for (size_t i = 0; i < 3; i++) {
        got += chmod("nothing", bits[i]) == 0 || errno != EPERM;
        got += fchmod(999, bits[i]) == 0 || errno != EPERM;
        got += fchmodat(AT_FDCWD, "nothing", bits[i], 0) == 0 || errno != EPERM;
        got += syscall(452, AT_FDCWD, "nothing", bits[i], 0) == 0 ||
               (errno != EPERM && errno != ENOSYS); /* fchmodat2, since Linux 6.6 */
    }
    return got;
}

static int inside(int argc, char **argv)
{
    const char *what = argv[1], *more = argc > 2 ? argv[2] : "";
    if (!strcmp(what, "status")) return atoi(more);
    if (!strcmp(what, "abort")) abort();
    if (!strcmp(what, "crash")) raise(SIGSEGV);
    if (!strcmp(what, "read")) return reads(more);
    if (!strcmp(what, "write")) return writes(more);
    if (!strcmp(what, "environment")) {
        extern char **environ;
        for (char **at = environ; *at; at++) puts(*at);
        return 0;
    }
    if (!strcmp(what, "descriptors")) {
        for (int fd = 3; fd < 1024; fd++)
            if (fcntl(fd, F_GETFD) >= 0) printf("%d ", fd);
        return 0;
    }
    if (!strcmp(what, "say")) {
        dprintf(atoi(more), "said");
        return 0;
    }
    if (!strcmp(what, "socket"))
        return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
    if (!strcmp(what, "unshare")) return unshare(CLONE_NEWUSER) == 0 || unshare(CLONE_NEWNS) == 0;
    if (!strcmp(what, "trace")) return ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0;
    if (!strcmp(what, "kill")) return kill((pid_t)atoi(more), 0) == 0;
    if (!strcmp(what, "rights")) return gives_rights();
    if (!strcmp(what, "threads")) { /* the library's own way to make processes still works */
        pid_t pid = fork();
        int status;
        if (pid == 0) _exit(5);
        return waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 5;
    }
    if (!strcmp(what, "memory")) {
        for (size_t i = 0; i < 4096; i++) {
            char *piece =
                mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (piece == MAP_FAILED) return 3;
            memset(piece, 1, 1 << 20);
        }
        pause();
    }
    if (!strcmp(what, "bomb")) { /* a byte for each that is born, and none of them ends */
        while (1) {
            pid_t pid = fork();
            if (pid == 0 && write(4, "x", 1) != 1) return 1;
            if (pid < 0) usleep(1000);
        }
    }
    if (!strcmp(what, "daemon")) {
        if (fork() == 0) {
            setsid();
            if (fork() == 0) {
                for (int i = 0; i < 3000; i++) usleep(1000);
                dprintf(4, "alive");
            }
            _exit(0);
        }
        usleep(20000);
        return 0;
    }
    if (!strcmp(what, "hop")) { /* is born again all the time, each time in a session of its own */
        if (fork() > 0) {
            usleep(20000);
            return 0;
        }
        while (1) {
            if (fork() > 0) _exit(0);
            setsid();
        }
    }
    if (!strcmp(what, "join")) { /* leaves its process group for its parent's */
        setpgid(0, getpgid(getppid()));
        while (1) pause();
    }
    if (!strcmp(what, "shared")) { /* memory that is in no process's account */
        return mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) !=
                   MAP_FAILED ||
               memfd_create("x", 0) >= 0;
    }
    if (!strcmp(what, "driver")) return driver();
    if (!strcmp(what, "ajar")) return ajar();
    if (!strcmp(what, "pin")) { /* maps shared memory, and shows nothing of it */
        enum { PIECE = 16 << 20 };
        for (int i = 0; i < 256; i++) {
            char *piece =
                mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            if (piece == MAP_FAILED) return 3;
            memset(piece, 1, PIECE);
            madvise(piece, PIECE, MADV_DONTNEED);
        }
        pause();
    }
    if (!strcmp(what, "spin"))
        while (1) {}
    if (!strcmp(what, "stubborn")) {
        signal(SIGTERM, SIG_IGN);
        while (1) pause();
    }
    if (!strcmp(what, "fill")) {
        int fd = open("big", O_WRONLY | O_CREAT, 0666);
        char block[65536];
        memset(block, 1, sizeof block);
        long total = 0;
        signal(SIGXFSZ, SIG_IGN);
        while (total < 64l << 20) {
            ssize_t n = write(fd, block, sizeof block);
            if (n <= 0) break;
            total += n;
        }
        printf("%ld", total >> 20);
        return 0;
    }
    return 99;
}

/* ---- outside ---- */
static Sandbox sandbox;
static char self[4096], scratch[64];
static const SandboxLevel levels[] = {SANDBOX_NAMESPACES, SANDBOX_LANDLOCK};
static bool there[2];

static const char *const level_names[] = {"namespaces", "Landlock"};
static char error[500];

static bool open_level(int i, size_t boxes)
{
    SandboxOptions options = {.least = levels[i],
                              .most = levels[i],
                              .memory_bytes = 256 << 20,
                              .processes = 32,
                              .boxes = boxes};
    return sandbox_open(&sandbox, &options, error, sizeof error) && sandbox.level == levels[i];
}

static void start(int i)
{
    if (!there[i]) return;
    strcpy(scratch, "/tmp/sandbox-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(scratch));
    ck_assert(open_level(i, 2));
}

static void finish(void)
{
    char command[128];
    sandbox_close(&sandbox);
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    ck_assert_int_eq(system(command), 0);
}

/* Without control groups: of what is then refused, the reason is said. */
static bool open_uncounted(int i, bool gpu, const char *what)
{
    SandboxOptions options = {.least = levels[i],
                              .most = levels[i],
                              .memory_bytes = 256 << 20,
                              .processes = 32,
                              .gpu = gpu};
    if (sandbox_open(&sandbox, &options, error, sizeof error)) return true;
    printf("skipped: %s, %s without control groups # %s\n", what, level_names[i], error);
    finish();
    return false;
}

static Job run_with(const char *what, const char *more, const int *fds, size_t n_fds,
                    double seconds)
{
    static BoxFile files[1];
    static Box box;
    static char inside_word[] = "inside", *argv[5];
    files[0] = (BoxFile){self, "/box/inside"};
    box = (Box){.sandbox = &sandbox,
                .files = files,
                .n_files = 1,
                .fds = fds,
                .n_fds = n_fds,
                .scratch = scratch,
                .scratch_bytes = 8 << 20,
                .gpu = sandbox.gpu};
    argv[0] = (char *)(uintptr_t)box_path(&box, 0);
    argv[1] = inside_word;
    argv[2] = (char *)(uintptr_t)what;
    argv[3] = (char *)(uintptr_t)more;
    Job job = {.argv = argv,
               .box = &box,
               .limits = {.seconds = seconds, .output_bytes = 1 << 16, .file_bytes = 16 << 20}};
    ck_assert(jobs_run(&job, 1, 1));
    return job;
}

static Job run(const char *what, const char *more) { return run_with(what, more, NULL, 0, 10); }

static int status_of(const char *what, const char *more)
{
    Job job = run(what, more);
    if (job.end != JOB_EXITED)
        fprintf(stderr, "%s %s: end %d status %d: %s\n", what, more ? more : "", job.end,
                job.status, text_string(&job.output));
    ck_assert_int_eq(job.end, JOB_EXITED);
    text_release(&job.output);
    return job.status;
}

START_TEST_WITH(test_ends, .times = 2)
{
    if (!there[_i]) return;
    start(_i);
    ck_assert_int_eq(status_of("status", "0"), 0);
    ck_assert_int_eq(status_of("status", "3"), 3);
    ck_assert_int_eq(status_of("threads", NULL), 0);
    Job job = run("abort", NULL);
    ck_assert_int_eq(job.end, JOB_SIGNALED);
    ck_assert_int_eq(job.status, SIGABRT);
    job = run("crash", NULL);
    ck_assert_int_eq(job.end, JOB_SIGNALED);
    ck_assert_int_eq(job.status, SIGSEGV);
    finish();
}
END_TEST

START_TEST_WITH(test_files, .times = 2)
{
    if (!there[_i]) return;
    start(_i);
    char own[4096];
    const char *secrets[] = {"/etc/passwd",  "/root",
                             "/home",        "/var",
                             "/etc/shadow",  "/proc/1/environ",
                             getenv("HOME"), getcwd(own, sizeof own),
                             "/usr/share",   "/tmp/sandbox-secret",
                             "/opt",         "/sys/kernel",
                             "/boot"};
    int fd = open("/tmp/sandbox-secret", O_WRONLY | O_CREAT, 0666);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, "secret", 6), 6);
    close(fd);
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
        if (!secrets[i] || !strcmp(secrets[i], "/tmp") ||
            (levels[_i] == SANDBOX_NAMESPACES && !strcmp(secrets[i], "/proc/1/environ")))
            continue;
        if (status_of("read", secrets[i])) ck_abort_msg("%s can be read", secrets[i]);
    }
    unlink("/tmp/sandbox-secret");
    const char *walls[] = {"/usr/lib/new", "/box/new", "/box/inside", "/new", "/etc/new", self};
    for (size_t i = 0; i < sizeof walls / sizeof *walls; i++)
        if (status_of("write", walls[i])) ck_abort_msg("%s can be written", walls[i]);
    ck_assert_int_eq(status_of("write", "here"), levels[_i] == SANDBOX_NAMESPACES);
    ck_assert_int_eq(status_of("write", "/proc/sys/kernel/core_pattern"), 0); /* its own scratch
                                                                                 folder */
    ck_assert_int_eq(status_of("read", "/dev/zero"), 1);
    finish();
}
END_TEST

START_TEST_WITH(test_environment, .times = 2)
{
    if (!there[_i]) return;
    start(_i);
    setenv("SANDBOX_SECRET", "secret", 1);
    Job job = run("environment", NULL);
    ck_assert_int_eq(job.end, JOB_EXITED);
    ck_assert_ptr_null(strstr(text_string(&job.output), "SECRET"));
    ck_assert_ptr_nonnull(strstr(text_string(&job.output), "PATH=/usr/bin:/bin\n"));
    text_release(&job.output);
    int ends[2], leak = open("/dev/null", O_RDONLY); /* without close-on-exec, as others may leave
                                                        them */
    ck_assert_int_eq(pipe(ends), 0);
    job = run_with("descriptors", NULL, &ends[1], 1, 10);
    ck_assert_str_eq(text_string(&job.output), "4 ");
    text_release(&job.output);
    job = run_with("say", "4", &ends[1], 1, 10);
    char text[8] = "";
    ck_assert_int_eq(read(ends[0], text, sizeof text), 4);
    ck_assert_str_eq(text, "said");
    close(ends[0]);
    close(ends[1]);
    close(leak);
    finish();
}
END_TEST

START_TEST_WITH(test_calls, .times = 2)
{
    if (!there[_i]) return;
    char pid[16];
    start(_i);
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    ck_assert_int_eq(status_of("socket", NULL), 0);
    ck_assert_int_eq(status_of("unshare", NULL), 0);
    ck_assert_int_eq(status_of("trace", NULL), 0);
    ck_assert_int_eq(status_of("kill", pid), 0);
    ck_assert_int_eq(status_of("rights", NULL), 0);
    finish();
}
END_TEST

START_TEST_WITH(test_limits, .times = 2)
{
    if (!there[_i]) return;
    start(_i);
    Job job = run("memory", NULL);
    ck_assert_int_eq(job.end, JOB_MEMORY);
    job = run_with("spin", NULL, NULL, 0, 0.3);
    ck_assert_int_eq(job.end, JOB_TIMEOUT);
    ck_assert_double_lt(job.spent_seconds, 3);
    job = run_with("stubborn", NULL, NULL, 0, 0.3);
    ck_assert_int_eq(job.end, JOB_TIMEOUT);
    ck_assert_double_lt(job.spent_seconds, 3);
    job = run("fill", NULL);
    ck_assert_int_eq(job.end, JOB_EXITED);
    ck_assert_int_le(atoi(text_string(&job.output)), 16);
    text_release(&job.output);
    finish();
}
END_TEST

/* However fast they are born: with a control group to count them, and without. */
START_TEST_WITH(test_bomb, .times = 2)
{
    for (size_t boxes = 0; boxes < 3 && there[_i]; boxes += 2) {
        start(_i);
        if (!boxes) {
            sandbox_close(&sandbox);
            if (!open_uncounted(_i, false, "a fork bomb")) continue;
        }
        int ends[2];
        uint64_t born = 0, most = sandbox.groups.n ? sandbox.processes : sandbox.user_processes;
        ck_assert_int_eq(pipe2(ends, O_NONBLOCK), 0);
        for (int again = 0; again < 2; again++) {
            Job job = run_with("bomb", NULL, &ends[1], 1, 0.5);
            ck_assert(job.end == JOB_TIMEOUT || job.end == JOB_PROCESSES);
            char bytes[4096];
            ssize_t n;
            for (born = 0; (n = read(ends[0], bytes, sizeof bytes)) > 0;) born += (uint64_t)n;
            ck_assert_uint_gt(born, 0);
            ck_assert_uint_le(born, most);
        }
        close(ends[0]);
        close(ends[1]);
        ck_assert_int_eq(status_of("threads", NULL), 0); /* there is room for another one */
        finish();
    }
}
END_TEST

START_TEST_WITH(test_daemon, .times = 2)
{
    if (!there[_i]) return;
    start(_i);
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    Job job = run_with("daemon", NULL, &ends[1], 1, 5);
    ck_assert_int_eq(job.end, JOB_EXITED);
    close(ends[1]);
    char text[8];
    ck_assert_int_eq(read(ends[0], text, sizeof text), 0); /* the pipe has ended: nobody holds it
                                                              any more */
    close(ends[0]);
    job = run_with("join", NULL, NULL, 0, 0.2);
    ck_assert_int_eq(job.end, JOB_TIMEOUT);
    finish();
}
END_TEST

static bool have_children(void)
{
    int pid;
    FILE *file = fopen("/proc/thread-self/children", "r");
    bool one = file && fscanf(file, "%d", &pid) == 1;
    if (file) fclose(file);
    return one;
}

/* With a control group to end it by, and without. */
START_TEST_WITH(test_hop, .times = 2)
{
    for (size_t boxes = 0; boxes < 3 && there[_i]; boxes += 2) {
        start(_i);
        if (!boxes) {
            sandbox_close(&sandbox);
            if (!open_uncounted(_i, false, "one that hops")) continue;
        }
        Job job = run("hop", NULL);
        ck_assert_int_eq(job.end, JOB_EXITED);
        ck_assert(!have_children());
        finish();
    }
}
END_TEST

/* Where nothing counts it, there is no shared memory. */
START_TEST_WITH(test_uncounted, .times = 2)
{
    if (!there[_i]) return;
    start(_i);
    sandbox_close(&sandbox);
    if (!open_uncounted(_i, false, "memory that is shared")) return;
    ck_assert_int_eq(status_of("shared", NULL), 0);
    finish();
}
END_TEST

/* The driver of a card begins, and nothing else gets through; without a control group what it maps
 * is counted. */
START_TEST_WITH(test_card, .times = 2)
{
    if (!there[_i]) return;
    start(_i);
    sandbox_close(&sandbox);
    if (!open_uncounted(_i, true, "a card")) return;
    ck_assert_int_eq(status_of("driver", NULL), 0);
    ck_assert_int_eq(status_of("ajar", NULL), 0);
    Job job = run("pin", NULL);
    ck_assert_int_eq(job.end, JOB_MEMORY);
    finish();
}
END_TEST

/* Where root may, a box gets a user that nobody else is, who passes file permissions and may do
 * nothing else. (Without that a box is only refused, and the tests above would be skipped.) */
START_TEST_WITH(test_another_user, .bare = true)
{
    if (!users_possible(false)) {
        printf("skipped: a user for each box # only root may become others\n");
        return;
    }
    char path[] = "/tmp/threelane-user-XXXXXX";
    int fd = mkstemp(path), status = 0;
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fchmod(fd, 0600), 0);
    uid_t user = users_next();
    ck_assert_uint_ne(user, 0);
    pid_t child = fork();
    if (child == 0) {
        if (!users_become(user)) _exit(1);
        if (getuid() != user || geteuid() != user) _exit(2);
        if (access(path, R_OK | W_OK) != 0 || open(path, O_RDWR) < 0) _exit(3);
        _exit(setuid(0) == 0 || kill(getppid(), 0) == 0 ? 4 : 0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    close(fd);
    unlink(path);
    ck_assert_int_eq(status, 0);
}
END_TEST

/* What went wrong before, and was dealt with, is not taken for an answer now. */
START_TEST_WITH(test_interrupted_before, .bare = true)
{
    errno = EINTR;
    users_are_limited(0);
    errno = EINTR;
    bool is_free = users_are_free(0);
    errno = 0;
    ck_assert_int_eq(is_free, users_are_free(0));
}
END_TEST

/* A grader in a process namespace of its own, where its process has the number that this one's had:
 * it is not given the same user. */
static uid_t user_in_a_container(void)
{
    int ends[2], status;
    uid_t user = 0;
    if (pipe(ends) != 0) return 0;
    pid_t child = fork();
    if (child == 0) {
        if (unshare(CLONE_NEWPID) != 0) _exit(1);
        pid_t first = fork();
        if (first == 0) {
            user = getpid() == 1 ? users_next() : 0;
            _exit(write(ends[1], &user, sizeof user) != (ssize_t)sizeof user);
        }
        waitpid(first, &status, 0);
        _exit(0);
    }
    close(ends[1]);
    if (read(ends[0], &user, sizeof user) != (ssize_t)sizeof user) user = 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    return user;
}

START_TEST_WITH(test_users_of_containers, .bare = true)
{
    uid_t one = users_possible(false) ? user_in_a_container() : 0;
    if (!one) {
        printf("skipped: users of two containers # process namespaces cannot be made here\n");
        return;
    }
    ck_assert_uint_ne(one, user_in_a_container());

    /* what has a process is not free, though that is seen by nobody here */
    int go[2];
    ck_assert_int_eq(pipe(go), 0);
    ck_assert(users_are_free(one));
    pid_t child = fork();
    if (child == 0) {
        char byte = 0;
        close(go[1]);
        _exit(!users_become(one) || read(go[0], &byte, 1) != 0);
    }
    close(go[0]);
    bool taken = false;
    for (int i = 0; i < 1000 && !taken; i++) {
        taken = !users_are_free(one);
        usleep(1000);
    }
    ck_assert(taken);
    close(go[1]);
    waitpid(child, NULL, 0);
    ck_assert(users_are_free(one));
}
END_TEST

/* Groups that killed commands left are taken away, whichever are left of them, and are in nobody's
 * way. */
START_TEST_WITH(test_groups, .times = 2)
{
    if (!there[_i]) return;
    start(_i);
    if (!sandbox.groups.n) {
        printf("skipped: what is left of control groups # none can be made here\n");
        finish();
        return;
    }
    char left[2][600], box[2][620], mine[500];
    ck_assert_int_lt(snprintf(mine, sizeof mine, "%s", sandbox.groups.root[0]), (int)sizeof mine);
    sandbox_close(&sandbox);
    ck_assert_int_ne(access(mine, F_OK), 0);
    for (int i = 0; i < 2; i++) {
        snprintf(left[i], sizeof left[i], "%.*s/threelane-%d-Left0%d",
                 (int)(strrchr(mine, '/') - mine), mine, (int)getpid(), i);
        snprintf(box[i], sizeof box[i], "%.600s/box5", left[i]);
        ck_assert_int_eq(mkdir(left[i], 0755), 0);
        ck_assert_int_eq(mkdir(box[i], 0755), 0);
    }
    ck_assert(open_level(_i, 2));
    ck_assert_uint_eq(sandbox.groups.n, 2);
    ck_assert_int_ne(access(left[0], F_OK), 0);
    ck_assert_int_ne(access(left[1], F_OK), 0);
    ck_assert_int_eq(status_of("status", "3"), 3);
    finish();
}
END_TEST

START_TEST_WITH(test_cost, .times = 2)
{
    if (!there[_i]) return;
    start(_i);
    enum { RUNS = 20 };
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    for (int i = 0; i < RUNS; i++) run("status", "0");
    getrusage(RUSAGE_CHILDREN, &after);
    double user = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
                  (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) * 1e-6;
    double system = (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
                    (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec) * 1e-6;
    double each = (user + system) / RUNS;
    printf("sandbox (%s): %.1f ms of processor time a run\n", sandbox.words, each * 1e3);
    ck_assert_double_lt(each, 0.1);
    finish();
}
END_TEST

START_TEST(test_ladder)
{
    error[0] = 0;
    SandboxOptions options = {.least = SANDBOX_LANDLOCK, .most = SANDBOX_NONE};
    ck_assert(!sandbox_open(&sandbox, &options, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "no sandbox works here"));
    options.least = SANDBOX_NONE;
    ck_assert(sandbox_open(&sandbox, &options, error, sizeof error));
    ck_assert_str_eq(sandbox.words, "none");
    sandbox_close(&sandbox);
}
END_TEST

int main(int argc, char **argv)
{
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (argc > 2 && !strcmp(argv[1], "inside")) return inside(argc - 1, argv + 1);
    if (n <= 0) return 2;
    for (int i = 0; i < 2; i++) {
        there[i] = open_level(i, 2);
        if (!there[i]) printf("skipped: %s # %s\n", level_names[i], error);
        else printf("sandbox: %s\n", sandbox.words), sandbox_close(&sandbox);
    }
    return cases_run("sandbox", argc, argv, &(CasesOptions){0});
}
