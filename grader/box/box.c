/* box.c - see box.h. */
#include "grader/box/box.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "common/text.h"
#include "grader/box/users.h"

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

/* What the system's root is in a box: libraries to run, the compiler as well to compile. Those that
 * are not there are left out; links stay links. */
static const char *const run_paths[] = {"/usr/lib", "/usr/lib64",       "/usr/libexec",      "/lib",
                                        "/lib64",   "/etc/ld.so.cache", "/usr/bin/addr2line"};
static const char *const compile_paths[] = {"/usr/bin",         "/usr/lib",     "/usr/lib64",
                                            "/usr/libexec",     "/usr/include", "/lib",
                                            "/lib64",           "/bin",         "/etc/ld.so.cache",
                                            "/etc/alternatives"};
static const char *const gpu_paths[] = {"/dev/nvidia0",          "/dev/nvidia1",
                                        "/dev/nvidia2",          "/dev/nvidia3",
                                        "/dev/nvidia4",          "/dev/nvidia5",
                                        "/dev/nvidia6",          "/dev/nvidia7",
                                        "/dev/nvidiactl",        "/dev/nvidia-uvm",
                                        "/dev/nvidia-uvm-tools", "/dev/nvidia-modeset"};

/* What NVIDIA's driver and CUPTI read about the machine and their own process. */
static const char *const gpu_facts[] = {"/sys/devices", "/sys/bus/pci", "/sys/module/nvidia",
                                        "/sys/module/nvidia_uvm"};

static const char *const *system_paths(BoxPurpose purpose, size_t *n)
{
    *n = purpose == BOX_COMPILE ? sizeof compile_paths / sizeof *compile_paths
                                : sizeof run_paths / sizeof *run_paths;
    return purpose == BOX_COMPILE ? compile_paths : run_paths;
}

const char *box_path(const Box *box, size_t file)
{
    return box->sandbox->level == SANDBOX_NAMESPACES ? box->files[file].to : box->files[file].from;
}

const char *box_scratch(const Box *box)
{
    return box->sandbox->level == SANDBOX_NAMESPACES ? "/tmp" : box->scratch;
}

/* ---- the command line for bubblewrap ---- */
typedef struct Words {
    char **items;
    size_t n, room;
} Words;

static void word(Words *words, const char *text)
{
    if (words->n + 2 > words->room) {
        words->room = words->room ? 2 * words->room : 64;
        words->items = memory_grow(words->items, words->room, sizeof *words->items);
    }
    words->items[words->n++] = memory_copy(text);
    words->items[words->n] = NULL;
}

static void words3(Words *words, const char *a, const char *b, const char *c)
{
    word(words, a);
    word(words, b);
    if (c) word(words, c);
}

static void words_release(char **items)
{
    for (size_t i = 0; items && items[i]; i++) free(items[i]);
    free(items);
}

static void number(Words *words, const char *option, unsigned long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", value);
    words3(words, option, text, NULL);
}

static void mount_system(Words *words, const char *path)
{
    struct stat about;
    char target[4096];
    if (lstat(path, &about) != 0) return;
    if (!S_ISLNK(about.st_mode)) {
        words3(words, "--ro-bind", path, path);
        return;
    }
    ssize_t n = readlink(path, target, sizeof target - 1);
    if (n <= 0) return;
    target[n] = 0;
    /* a link to another file: the file itself stands in its place */
    struct stat what;
    if (stat(path, &what) == 0 && S_ISDIR(what.st_mode)) words3(words, "--symlink", target, path);
    else words3(words, "--ro-bind", path, path);
}

static void tmpfs(Words *words, const Sandbox *sandbox, uint64_t bytes, const char *path)
{
    if (sandbox->sized && bytes) number(words, "--size", bytes);
    words3(words, "--tmpfs", path, NULL);
}

/* CUDA's driver names its threads by /proc/self/task/N/comm and gives up where it cannot. So /proc
 * is writable in its box; only what is the machine's and no process's is not, which else a root
 * without powers might still write. */
static void proc_for_driver(Words *words)
{
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc && (entry = readdir(proc));) {
        if (isdigit((unsigned char)entry->d_name[0]) ||
            (entry->d_type != DT_REG && entry->d_type != DT_DIR))
            continue;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        char *path = memory_format("/proc/%s", entry->d_name);
        words3(words, "--ro-bind-try", path, path);
        free(path);
    }
    if (proc) closedir(proc);
}

static char **box_environment(const Box *box, char *const *env)
{
    Words words = {0};
    const char *scratch = box_scratch(box);
    for (size_t i = 0; env && env[i]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(env[i], "="), env[i]);
        if (!strcmp(name, "HOME") || !strcmp(name, "TMPDIR") || !strcmp(name, "PATH")) continue;
        word(&words, env[i]);
    }
    char *own[] = {memory_format("HOME=%s", scratch), memory_format("TMPDIR=%s", scratch),
                   memory_copy("PATH=/usr/bin:/bin"), memory_copy("LC_ALL=C.UTF-8")};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        word(&words, own[i]);
        free(own[i]);
    }
    return words.items;
}

/* What bubblewrap is told of the box. */
static void bubblewrap(Words *words, const Box *box, char *const *env, const char *folder,
                       int filter, int status)
{
    const Sandbox *sandbox = box->sandbox;
    static const char *const fixed[] = {"--unshare-user",    "--unshare-pid",
                                        "--unshare-net",     "--unshare-ipc",
                                        "--unshare-uts",     "--unshare-cgroup-try",
                                        "--die-with-parent", "--new-session",
                                        "--hostname",        "box",
                                        "--cap-drop",        "ALL",
                                        "--clearenv"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) word(words, fixed[i]);
    if (sandbox->no_nesting) word(words, "--disable-userns");
    for (size_t i = 0; env[i]; i++) {
        const char *equals = strchr(env[i], '=');
        if (!equals) continue;
        char *name = memory_format("%.*s", (int)(equals - env[i]), env[i]);
        words3(words, "--setenv", name, equals + 1);
        free(name);
    }
    size_t n;
    const char *const *paths = system_paths(box->purpose, &n);
    for (size_t i = 0; i < n; i++) mount_system(words, paths[i]);
    if (box->gpu) words3(words, "--proc", "/proc", NULL);
    words3(words, "--dev", "/dev", NULL);
    tmpfs(words, sandbox, box->scratch_bytes, "/dev/shm");
    tmpfs(words, sandbox, box->scratch_bytes, "/tmp");
    for (size_t i = 0; box->gpu && i < sizeof gpu_paths / sizeof *gpu_paths; i++)
        words3(words, "--dev-bind-try", gpu_paths[i], gpu_paths[i]);
    for (size_t i = 0; box->gpu && i < sizeof gpu_facts / sizeof *gpu_facts; i++)
        words3(words, "--ro-bind-try", gpu_facts[i], gpu_facts[i]);
    for (size_t i = 0; i < box->n_files; i++)
        words3(words, "--ro-bind", box->files[i].from, box->files[i].to);
    /* Nothing but the driver needs /proc, and it tells of the machine: its kernel's command line,
     * keys, where the files of the box lie outside. */
    if (box->gpu) proc_for_driver(words);
    words3(words, "--remount-ro", "/", NULL);
    words3(words, "--remount-ro", "/dev", NULL);
    words3(words, "--chdir", folder ? folder : "/tmp", NULL);
    number(words, "--seccomp", (unsigned)filter);
    number(words, "--json-status-fd", (unsigned)status);
}

/* As a file that bubblewrap reads: its command line is there for the box to see (/proc/1), and says
 * where everything lies outside. A descriptor, or -1: errno. */
static int words_file(const Words *words)
{
    int fd = memfd_create("arguments", MFD_CLOEXEC);
    Text text = {0};
    for (size_t i = 0; i < words->n; i++)
        text_append(&text, words->items[i], strlen(words->items[i]) + 1);
    bool whole = fd >= 0 && write(fd, text_string(&text), text.length) == (ssize_t)text.length &&
                 lseek(fd, 0, SEEK_SET) == 0;
    text_release(&text);
    if (whole || fd < 0) return fd;
    close(fd);
    return -1;
}

/* ---- launching ---- */
bool box_prepare(BoxLaunch *launch, const Box *box, char *const *argv, char *const *env,
                 const char *folder, int *error)
{
    Sandbox *sandbox = box->sandbox;
    static char *const nothing[] = {NULL};
    *launch = (BoxLaunch){.filter = -1, .status = -1, .status_read = -1, .arguments = -1};
    for (size_t i = 0; i < sandbox->groups.n && !launch->group; i++) {
        if (sandbox->groups.all[i].busy) continue;
        launch->group = &sandbox->groups.all[i];
        launch->group->busy = true;
        launch->group->killed = control_group_killed(launch->group);
    }
    if (sandbox->users) launch->user = users_next();
    launch->env = box_environment(box, env);
    if (sandbox->level == SANDBOX_NAMESPACES) {
        char path[64];
        int ends[2];
        snprintf(path, sizeof path, "/proc/self/fd/%d", sandbox->filter.fd);
        launch->filter = open(path, O_RDONLY | O_CLOEXEC); /* with an offset of its own */
        if (launch->filter < 0 || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
            *error = errno;
            box_finish(launch);
            return false;
        }
        launch->status_read = ends[0];
        launch->status = ends[1];
        Words told = {0}, words = {0};
        int first = BOX_FIRST_FD + (int)box->n_fds;
        bubblewrap(&told, box, launch->env, folder, first, first + 1);
        launch->arguments = words_file(&told);
        words_release(told.items);
        if (launch->arguments < 0) {
            *error = errno;
            box_finish(launch);
            return false;
        }
        word(&words, sandbox->bwrap);
        number(&words, "--args", (unsigned)first + 2);
        word(&words, "--");
        for (size_t i = 0; argv[i]; i++) word(&words, argv[i]);
        launch->argv = words.items;
        words_release(launch->env);
        launch->env = memory_get(1, sizeof *nothing);
    } else {
        Words words = {0};
        for (size_t i = 0; argv[i]; i++) word(&words, argv[i]);
        launch->argv = words.items;
    }
    return true;
}

/* One rule: a path and what may be done below it. A path that is not there needs none. */
static bool allow(int ruleset, const char *path, uint64_t rights)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT;
    struct stat about;
    uint64_t files =
        LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE;
    if (fstat(fd, &about) == 0 && !S_ISDIR(about.st_mode)) rights &= files;
    struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = fd};
    bool fine = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(fd);
    return fine;
}

static bool landlock(const Box *box)
{
    enum { REFER = 1 << 13, TRUNCATE = 1 << 14 };
    const uint64_t look =
        LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE;
    uint64_t all = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
    if (box->sandbox->landlock_abi >= 2) all |= REFER;
    if (box->sandbox->landlock_abi >= 3) all |= TRUNCATE;
    struct {
        uint64_t handled, network, scoped;
    } attributes = {.handled = all};
    size_t size = 8;
    if (box->sandbox->landlock_abi >= 4)
        size = 16, attributes.network = 3; /* bind and connect of TCP */
    if (box->sandbox->landlock_abi >= 6)
        size = 24, attributes.scoped = 3; /* abstract sockets, signals */
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    if (ruleset < 0) return false;
    size_t n;
    bool fine = true;
    const char *const *paths = system_paths(box->purpose, &n);
    for (size_t i = 0; i < n && fine; i++) fine = allow(ruleset, paths[i], look);
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                          "/dev/urandom"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices && fine; i++)
        fine = allow(ruleset, devices[i],
                     LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
    for (size_t i = 0; box->gpu && i < sizeof gpu_paths / sizeof *gpu_paths && fine; i++)
        fine = allow(ruleset, gpu_paths[i],
                     LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
    /* of other processes it sees what anybody may see: the kernel keeps their memory, files and
     * environment apart */
    const uint64_t read = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    if (box->gpu && fine) fine = allow(ruleset, "/proc", read);
    /* the names of its own threads, without which the driver gives up */
    const uint64_t name = all & (LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE);
    if (box->gpu && fine) fine = allow(ruleset, "/proc/self/task", read | name);
    for (size_t i = 0; box->gpu && i < sizeof gpu_facts / sizeof *gpu_facts && fine; i++)
        fine = allow(ruleset, gpu_facts[i], read);
    for (size_t i = 0; i < box->n_files && fine; i++)
        fine = allow(ruleset, box->files[i].from, look);
    /* what is written there has no limit but for each file: a compiler may, and what it compiles
     * may not */
    if (fine && box->scratch && box->purpose == BOX_COMPILE)
        fine = allow(ruleset, box->scratch, all);
    fine = fine && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return fine;
}

bool box_enter(const BoxLaunch *launch, const Box *box)
{
    const Sandbox *sandbox = box->sandbox;
    if (launch->group) {
        bool inside = control_group_write(launch->group->memory, "cgroup.procs", "0") &&
                      (launch->group->pids == launch->group->memory ||
                       control_group_write(launch->group->pids, "cgroup.procs", "0"));
        if (!inside) return false;
    }
    if (sandbox->level != SANDBOX_LANDLOCK) return true;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0 ||
        !landlock(box))
        return false;
    if (launch->user ? !users_become(launch->user) : !users_drop_powers()) return false;
    struct sock_fprog program = {.len = (unsigned short)sandbox->filter.instructions,
                                 .filter = sandbox->filter.bytes};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* ---- while it runs ---- */
typedef struct Tree {
    bool gpu;
    uint64_t resident;
    unsigned processes;
} Tree;

/* What a process has mapped of memory that is shared, whether its own pages of it are there or
 * not. */
static uint64_t shared_bytes(pid_t pid)
{
    char path[64], line[512];
    uint64_t bytes = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        unsigned long long begin, end;
        if (strstr(line, " /dev/zero (deleted)\n") && sscanf(line, "%llx-%llx", &begin, &end) == 2)
            bytes += end - begin;
    }
    if (file) fclose(file);
    return bytes;
}

static void add_tree(Tree *tree, pid_t pid, int depth)
{
    enum { MOST = 10000 };
    char path[64], text[4096];
    if (depth > 64 || tree->processes > MOST) return;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    unsigned long long size, resident, shared;
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    if (n <= 0) return;
    text[n] = 0;
    if (sscanf(text, "%llu %llu %llu", &size, &resident, &shared) == 3) {
        if (tree->gpu && shared < resident) resident -= shared;
        tree->resident += resident * (uint64_t)sysconf(_SC_PAGESIZE);
    }
    if (tree->gpu) tree->resident += shared_bytes(pid);
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    for (struct dirent *task; tasks && (task = readdir(tasks));) {
        if (!isdigit((unsigned char)task->d_name[0])) continue;
        tree->processes++;
        char children[128];
        snprintf(children, sizeof children, "/proc/%d/task/%.20s/children", (int)pid, task->d_name);
        FILE *file = fopen(children, "re");
        int child;
        while (file && fscanf(file, "%d", &child) == 1) add_tree(tree, child, depth + 1);
        if (file) fclose(file);
    }
    if (tasks) closedir(tasks);
}

uint64_t box_memory(const BoxLaunch *launch, const Box *box, pid_t first)
{
    Tree tree = {.gpu = box->sandbox->gpu};
    if (launch->group) return 0;
    add_tree(&tree, first, 0);
    return tree.resident;
}

unsigned box_processes(const BoxLaunch *launch, pid_t first)
{
    Tree tree = {0};
    if (launch->group) return 0;
    add_tree(&tree, first, 0);
    return tree.processes;
}

bool box_out_of_memory(const BoxLaunch *launch)
{
    return launch->group && control_group_killed(launch->group) > launch->group->killed;
}

/* bubblewrap says {"child-pid": N} when the program is about to start and {"exit-code": N} when it
 * has ended. */
static bool status_number(const char *text, const char *name, long *value)
{
    const char *at = strstr(text, name);
    at = at ? strchr(at, ':') : NULL;
    return at && sscanf(at + 1, "%ld", value) == 1;
}

static ssize_t status_text(const BoxLaunch *launch, char *text, size_t size)
{
    size_t length = 0;
    ssize_t n;
    while (length + 1 < size &&
           (n = read(launch->status_read, text + length, size - 1 - length)) > 0)
        length += (size_t)n;
    text[length] = 0;
    return (ssize_t)length;
}

bool box_status(const BoxLaunch *launch, int bwrap_status, int *status)
{
    *status = bwrap_status;
    if (launch->status_read < 0) return true;
    char text[2048];
    long code;
    status_text(launch, text, sizeof text);
    if (!status_number(text, "exit-code", &code)) return false;
    /* a program that a signal ended is told as 128 + its number */
    *status = code > 128 && code < 128 + 64 ? (int)(code - 128) : (int)(code & 255) << 8;
    return true;
}

/* Every process of a box that has ended: with nobody able to be born, none gets away. */
void box_end(const BoxLaunch *launch)
{
    enum { ROUNDS = 2000, ROUND_US = 500 };
    const ControlGroup *group = launch->group;
    if (launch->user) users_end(launch->user);
    if (!group) return;
    char *path = memory_format("%s/cgroup.procs", group->pids), many[32];
    for (int round = 0; round < ROUNDS; round++) {
        FILE *file = fopen(path, "re");
        int pid, n = 0;
        while (file && fscanf(file, "%d", &pid) == 1) {
            if (!n++ && !round) control_group_write(group->pids, "pids.max", "0");
            kill(pid, SIGKILL);
        }
        if (file) fclose(file);
        if (!n) break;
        usleep(ROUND_US);
    }
    snprintf(many, sizeof many, "%u", group->processes);
    control_group_write(group->pids, "pids.max", many);
    free(path);
}

/* The innermost first child: bubblewrap, its init, the program. Without bubblewrap all there is,
 * since a program that runs another one cannot pass it on. */
void box_signal(const BoxLaunch *launch, pid_t first, int number)
{
    pid_t at = first;
    if (launch->status_read < 0) kill(-first, number);
    for (int depth = 0; launch->status_read >= 0 && depth < 2; depth++) {
        char path[128];
        int child = 0;
        snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)at, (int)at);
        FILE *file = fopen(path, "re");
        bool found = file && fscanf(file, "%d", &child) == 1;
        if (file) fclose(file);
        if (!found) break;
        at = child;
    }
    if (at != first || launch->status_read < 0) kill(at, number);
}

void box_finish(BoxLaunch *launch)
{
    if (launch->group) launch->group->busy = false;
    int fds[] = {launch->filter, launch->status, launch->status_read, launch->arguments};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0) close(fds[i]);
    words_release(launch->argv);
    words_release(launch->env);
    *launch = (BoxLaunch){.filter = -1, .status = -1, .status_read = -1, .arguments = -1};
}
