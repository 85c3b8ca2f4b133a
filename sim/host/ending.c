/* ending.c - how a program ends: exit, a fatal misuse, a crash; and where in the source it was.
 *
 * A crash is told in one line by a signal handler on its own stack: the position comes from
 * addr2line, run on the addresses of the stack, and the address that was touched is named by what
 * lies there. Then the exit hook closes the trace, and the process dies by the same signal, so that
 * whoever started it sees what happened. Should the handler itself crash (a destroyed stack), a
 * second round says what it can without looking at anything.
 */
#include "common/env.h"
#include "sim/host/host.h"
#include "sim/host/raw.h"
#include "sim/host/host_internal.h"
#include "sim/memory/memory.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

extern const Elf64_Ehdr __ehdr_start; /* by the linker: the program's first byte and the end of its
                                         code */
extern const char etext[];

enum {
    SIGNAL_STACK_BYTES = 128 << 10,
    NULL_PAGES = 65536,
    STACK_SLACK = 256 << 10,
    LOOKUP_MS = 5000
};

static bool (*exit_hook)(int status, bool crashed);
static void (*take_note)(const TraceNote *);
static atomic_flag ended = ATOMIC_FLAG_INIT;
static pid_t owner;

/* True when it said something. */
static bool run_exit_hook(int status, bool crashed)
{
    if (raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0) != owner || atomic_flag_test_and_set(&ended))
        return false;
    return exit_hook && exit_hook(status, crashed);
}

void host_set_exit_hook(bool (*hook)(int status, bool crashed), void (*note)(const TraceNote *))
{
    exit_hook = hook;
    take_note = note;
}

static _Noreturn void end_process(int status)
{
    for (;;) raw_syscall(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

void _exit(int status)
{
    run_exit_hook(status, false);
    end_process(status);
}

void _Exit(int status) { _exit(status); }

static void at_exit(int status, void *unused)
{
    (void)unused;
    run_exit_hook(status & 255, false);
}

static void put_to(int file, const char *text, size_t length)
{
    while (length) {
        long n = raw_syscall(SYS_write, file, (long)text, (long)length, 0, 0, 0);
        if (n == -EINTR) continue;
        if (n <= 0) return;
        text += n;
        length -= (size_t)n;
    }
}

static void put(const char *text, size_t length) { put_to(STDERR_FILENO, text, length); }

/* ---- what the program says of its end (grader/box/outcome.h) ---- */

void host_outcome(const char *key, const char *value)
{
    static char line[40000];
    const char *path = getenv(ENV_OUTCOME);
    size_t n = 0;
    if (!path || !*path) return;

    for (; *key; key++) line[n++] = *key;
    line[n++] = '\t';
    for (; *value && n < sizeof line - 3; value++) {
        bool escaped = *value == '\\' || *value == '\n' || *value == '\t';
        if (escaped) line[n++] = '\\';
        line[n++] = *value == '\n' ? 'n' : *value == '\t' ? 't' : *value;
    }
    line[n++] = '\n';
    if (!strncmp(path, "fd:", 3)) { /* an open one; no library is asked: this runs in a handler */
        int open_one = 0;
        for (path += 3; *path >= '0' && *path <= '9' && open_one < 1 << 20; path++)
            open_one = 10 * open_one + (*path - '0');
        if (!*path) put_to(open_one, line, n);
        return;
    }
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file < 0) return;
    put_to(file, line, n);
    close(file);
}

void host_outcome_count(const char *key, unsigned count)
{
    char digits[16];
    char *at = digits + sizeof digits - 1;
    *at = 0;
    do *--at = (char)('0' + count % 10);
    while (count /= 10);
    host_outcome(key, at);
}

static HostStop stopped;

const HostStop *host_stopped(void) { return stopped.kind == STOP_NONE ? NULL : &stopped; }

/* The first that stops the program is why. */
static void say_stop(StopKind kind, TraceSite site, const char *text)
{
    char place[400];
    if (stopped.kind == STOP_NONE) stopped = (HostStop){kind, site, text};
    host_outcome("stop", exit_status_stop[kind].word);
    if (site.file) snprintf(place, sizeof place, "%.300s:%u", site.file, site.line);
    if (site.file) host_outcome("site", place);
    host_outcome("text", text);
}

/* ---- messages ---- */

/* Formats and prints; *text is what follows `kind` in it. */
static size_t put_message(TraceSite site, const char *kind, const char *format, va_list list,
                          char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "threelane: "), start;
    if (site.file) n += (size_t)snprintf(text + n, size - n, "%.300s:%u: ", site.file, site.line);
    n += (size_t)snprintf(text + n, size - n, "%s", kind);
    start = n;
    int more = vsnprintf(text + n, size - n - 1, format, list);
    n += more < 0 ? 0 : (size_t)more < size - n - 1 ? (size_t)more : size - n - 2;
    text[n] = '\n';
    put(text, n + 1);
    text[n] = 0;
    return start;
}

static _Noreturn void stop(StopKind kind, TraceSite site, const char *before, const char *format,
                           va_list list)
{
    static char text[18000]; /* not on the stack: it may be a fiber's */
    fflush(stdout);
    size_t start = put_message(site, before, format, list, text, sizeof text);
    say_stop(kind, site, text + start);
    if (take_note)
        take_note(&(TraceNote){.severity = TRACE_ERROR,
                               .site = site,
                               .text = text + start,
                               .kind = exit_status_stop[kind].word,
                               .by = kind <= STOP_DAMAGED ? "player" : "gpu"});
    if (run_exit_hook(exit_status_stop[kind].status, false)) {
        size_t length = strlen(text);
        text[length] = '\n';
        put(text, length + 1);
    }
    end_process(exit_status_stop[kind].status);
}

void host_stop(StopKind kind, TraceSite site, const char *before, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    stop(kind, site, before, format, list);
}

void host_fatal(int status, TraceSite site, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    stop(exit_status_stop_of_status(status), site, "", format, list);
}

static void warn(const char *kind, const char *by, TraceSite site, const char *format, va_list list)
{
    static char text[2000];
    fflush(stdout);
    size_t start = put_message(site, "warning: ", format, list, text, sizeof text);
    if (take_note)
        take_note(&(TraceNote){.severity = TRACE_WARNING,
                               .site = site,
                               .text = text + start,
                               .kind = kind,
                               .by = by});
}

void host_warn(TraceSite site, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    warn("", "gpu", site, format, list);
    va_end(list);
}

void host_warn_of_kind(const char *kind, const char *by, TraceSite site, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    warn(kind, by, site, format, list);
    va_end(list);
}

/* ---- positions ---- */

typedef struct Trail {
    const void **pcs;
    size_t n, most;
} Trail;

static _Unwind_Reason_Code step_out(struct _Unwind_Context *frame, void *arg)
{
    Trail *trail = arg;
    int exact = 0;
    uintptr_t pc = _Unwind_GetIPInfo(frame, &exact);
    if (!pc || trail->n == trail->most) return _URC_END_OF_STACK;
    trail->pcs[trail->n++] = (const void *)(pc - !exact); /* a return address is past its call */
    return _URC_NO_REASON;
}

size_t host_backtrace(const void **pcs, size_t most)
{
    Trail trail = {pcs, 0, most};
    _Unwind_Backtrace(step_out, &trail);
    return trail.n;
}

enum { MOST_ADDRESSES = 48 };

/* Starts addr2line on addresses of this program; returns the descriptor of its output, or -1.
 * asked: which addresses are answered, in their order. */
static int start_lookup(const void *const *pcs, size_t n, size_t *asked, long *child)
{
    enum { MOST = MOST_ADDRESSES };
    static char exe[PATH_MAX], addresses[MOST][20];
    const char *arguments[MOST + 6] = {"addr2line", "-Cfpi", "-e", exe};
    uintptr_t base = (uintptr_t)&__ehdr_start, bias = __ehdr_start.e_type == ET_DYN ? base : 0;
    int count = 4, fds[2];
    for (size_t i = 0; i < n && count < MOST + 4; i++) {
        uintptr_t pc = (uintptr_t)pcs[i];
        if (pc < base || pc >= (uintptr_t)etext) continue;
        snprintf(addresses[count - 4], sizeof *addresses, "%#lx", (unsigned long)(pc - bias));
        arguments[count] = addresses[count - 4];
        asked[count - 4] = i;
        count++;
    }
    if (count == 4) return -1;
    snprintf(exe, sizeof exe, "/proc/%d/exe", (int)getpid());
    const char *started_as = (const char *)getauxval(AT_EXECFN);
    if (access(exe, R_OK) != 0 && started_as) /* in a box there is no /proc */
        snprintf(exe, sizeof exe, "%s", started_as);
    if (pipe2(fds, O_CLOEXEC)) return -1;
    *child = raw_syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
    if (*child == 0) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDERR_FILENO);
        dup2(fds[1], STDOUT_FILENO);
        execvp("addr2line", (char *const *)(uintptr_t)arguments);
        end_process(127);
    }
    close(fds[1]);
    if (*child > 0) return fds[0];
    close(fds[0]);
    return -1;
}

/* Is this file the program's own, not the toolchain's and not ours? */
static bool is_own_source(const char *file)
{
    static const char *const others[] =
        {"/threelane/include/", "/sim/include/", "/sim/host/",   "/sim/exec/",   "/sim/api/",
         "/sim/runtime/",       "/sim/process/", "/sim/replay/", "/sim/hazard/", "/sim/memory/",
         "/sim/engine/",        "/sim/model/",   ".glue.cu"};
    if (file[0] == '?' || !strncmp(file, "/usr/", 5) || strstr(file, "/include/c++/")) return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(file, others[i])) return false;
    return true;
}

/* "void scale<float>(float*, int)" -> "scale<float>"; lambdas by the function they stand in. */
static void short_name(char *to, size_t size, const char *name)
{
    static const char anonymous[] = "(anonymous namespace)::";
    int depth = 0;
    size_t start = 0, end = 0;
    if (!strncmp(name, anonymous, sizeof anonymous - 1)) name += sizeof anonymous - 1;
    for (; name[end]; end++) {
        if (name[end] == '<') depth++;
        if (name[end] == '>') depth--;
        if (depth) continue;
        if (name[end] == '(' || !strncmp(name + end, "::{lambda", 9)) break;
        if (name[end] == ' ') start = end + 1;
    }
    snprintf(to, size, "%.*s", (int)(end - start), name + start);
    char *clone = strchr(to, '.'); /* "main.cold", "fill.constprop.0": the compiler's pieces of one
                                      function */
    if (clone) *clone = 0;
    if (!strncmp(to, "std::", 5)) snprintf(to, size, "?"); /* what a lambda was inlined into */
}

static const char inlined[] = " (inlined by) ";

/* A line of addr2line's: "[ (inlined by) ]NAME at FILE:LINE[ (discriminator N)]". */
static bool parse_line(char *line, HostPosition *at)
{
    if (!strncmp(line, inlined, sizeof inlined - 1)) line += sizeof inlined - 1;
    char *middle = NULL;
    for (char *next = line; (next = strstr(next, " at ")); next++) middle = next;
    if (!middle) return false;
    *middle = 0;
    char *file = middle + 4, *note = strstr(file, " (discriminator");
    if (note) *note = 0;
    char *colon = strrchr(file, ':');
    if (!colon || colon[1] < '0' || colon[1] > '9') return false;
    *colon = 0;
    if (!is_own_source(file)) return false;
    at->line = (uint32_t)strtoul(colon + 1, NULL, 10);
    short_name(at->function, sizeof at->function, line);
    char here[4096];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    const char *shown = file; /* as the student knows it: from here, or the last part */
    if (length && !strncmp(file, here, length) && file[length] == '/') shown = file + length + 1;
    else if (strrchr(file, '/')) shown = strrchr(file, '/') + 1;
    snprintf(at->file, sizeof at->file, "%.255s", shown);
    return true;
}

size_t host_positions(const void *const *pcs, size_t n, HostPosition *at, size_t most_positions)
{
    static char output[32768];
    static size_t asked[MOST_ADDRESSES];
    long child;
    size_t length = 0, found = 0, answered = 0;
    int fd = start_lookup(pcs, n, asked, &child);
    if (fd < 0) return 0;
    for (;;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        struct timespec most = {.tv_sec = LOOKUP_MS / 1000};
        long ready = raw_syscall(SYS_ppoll, (long)&wait, 1, (long)&most, 0, 0, 0);
        if (ready == -EINTR) continue;
        if (ready <= 0) raw_syscall(SYS_kill, child, SIGKILL, 0, 0, 0, 0);
        long got = ready > 0 ? read(fd, output + length, sizeof output - 1 - length) : 0;
        if (got <= 0) break;
        length += (size_t)got;
    }
    close(fd);
    raw_syscall(SYS_wait4, child, 0, 0, 0, 0, 0);
    output[length] = 0;
    for (char *line = output, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        if (strncmp(line, inlined, sizeof inlined - 1) != 0) answered++;
        if (found == most_positions || !answered || answered > MOST_ADDRESSES) break;
        if (parse_line(line, &at[found])) at[found++].pc = asked[answered - 1];
    }
    return found;
}

bool host_find_position(const void *const *pcs, size_t n, HostPosition *at)
{
    return host_positions(pcs, n, at, 1) > 0;
}

bool host_position(const void *pc, HostPosition *at) { return host_find_position(&pc, 1, at); }

/* ---- addresses ---- */

static void describe_site(char *text, size_t size, const char *what, TraceSite site)
{
    if (site.file) snprintf(text, size, "%s at %.300s:%u", what, site.file, site.line);
    else snprintf(text, size, "%s", what);
}

bool host_describe_address(const void *address, char *text, size_t text_size)
{
    static const char *const kind[TRACE_MEMORIES] = {[TRACE_MEM_DEVICE] = "device memory",
                                                     [TRACE_MEM_PINNED] = "pinned host memory",
                                                     [TRACE_MEM_MANAGED] = "managed memory",
                                                     [TRACE_MEM_REGISTERED] =
                                                         "registered host memory"};
    enum { NEAR_BYTES = 1 << 20 };
    uintptr_t at = (uintptr_t)address;
    char made[360], gone[360];
    if (text_size) *text = 0;
    if (at < NULL_PAGES) {
        snprintf(text, text_size, "a null pointer");
        return true;
    }
    const MemoryBlock *block = memory_find(address);
    if (block) {
        describe_site(made, sizeof made, " allocated", block->made);
        snprintf(text, text_size, "%s%s", kind[block->kind], made);
        return true;
    }
    block = memory_find_freed(address);
    if (block) {
        describe_site(gone, sizeof gone, " freed", block->gone);
        describe_site(made, sizeof made, "allocated", block->made);
        snprintf(text, text_size, "%s%s (%s)", kind[block->kind], gone, made);
        return true;
    }
    if (at - memory_base >= memory_span) return false;
    block = memory_find_below(address);
    if (block && at - block->address - block->bytes < NEAR_BYTES) {
        describe_site(made, sizeof made, "allocated", block->made);
        snprintf(text, text_size, "%zu bytes past the end of the %zu-byte block %s",
                 (size_t)(at - block->address - block->bytes), block->bytes, made);
    } else {
        snprintf(text, text_size, "CUDA memory that was never allocated");
    }
    return true;
}

/* ---- crashes ---- */

typedef struct Signal {
    int number;
    const char *what;
    bool fault, place;
} Signal;
static const Signal signals[] = {
    {SIGSEGV, "segmentation fault", true, true},
    {SIGBUS, "bus error", true, true},
    {SIGFPE, "arithmetic error", false, true},
    {SIGILL, "illegal instruction", false, true},
    {SIGABRT, "aborted", false, true},
    {SIGTERM, "ended by SIGTERM", false, true},
    {SIGINT, "interrupted", false, false},
    {SIGALRM, "ended by SIGALRM (a time limit)", false, true},
    {SIGXCPU, "ended by SIGXCPU (the limit of processor time)", false, true},
};
enum { N_SIGNALS = sizeof signals / sizeof *signals };

static _Noreturn void die(int number)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t only;
    sigaction(number, &standard, NULL);
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raw_syscall(SYS_tgkill, raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0),
                raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0), number, 0, 0, 0);
    end_process(HOST_STATUS_CRASH);
}

static uintptr_t context_pc(const ucontext_t *context, uintptr_t *sp)
{
#if defined(__x86_64__)
    *sp = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
    *sp = (uintptr_t)context->uc_mcontext.sp;
    return (uintptr_t)context->uc_mcontext.pc;
#endif
}

/* The stack of what was interrupted: without the handler's own frames. */
static size_t crash_stack(const ucontext_t *context, const void **pcs, size_t most)
{
    uintptr_t sp, pc = context_pc(context, &sp);
    size_t n = host_backtrace(pcs, most), first = 0;
    while (first < n && (uintptr_t)pcs[first] != pc) first++;
    if (first + 1 < n) {
        memmove(pcs, pcs + first, (n - first) * sizeof *pcs);
        return n - first;
    }
    /* a jump into nowhere: only the caller is known */
    pcs[0] = (const void *)pc;
#if defined(__x86_64__)
    pcs[1] = (const void *)(*(const uintptr_t *)sp - 1);
#else
    pcs[1] = (const void *)(context->uc_mcontext.regs[30] - 1);
#endif
    return 2;
}

static void describe_fault(const siginfo_t *info, const ucontext_t *context, char *text,
                           size_t size)
{
    char what[800] = "";
    uintptr_t sp, at = (uintptr_t)info->si_addr;
    context_pc(context, &sp);
    if (info->si_code <= 0) return; /* sent by kill */
    if (info->si_code == SI_KERNEL) {
        snprintf(text, size, ": an address that cannot be one");
        return;
    }
    if (at < sp + STACK_SLACK && at + STACK_SLACK > sp && at >= NULL_PAGES)
        snprintf(what, sizeof what,
                 " (the stack is full: recursion without end, or local arrays that are too large)");
    else if (host_describe_address(info->si_addr, what, sizeof what - 4)) {
        size_t n = strlen(what);
        memmove(what + 2, what, n);
        memcpy(what, " (", 2);
        memcpy(what + n + 2, ")", 2);
    }
    snprintf(text, size, ": address %#lx%s", (unsigned long)at, what);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    static const char unreadable[] =
        "threelane: the program crashed, and its stack cannot be read\n";
    static atomic_int stage;
    static const void *pcs[48];
    static char text[2048], fault[1024], where[256];
    static HostPosition at;
    const Signal *signal = signals;
    int entered = atomic_fetch_add(&stage, 1), saved = errno;
    while (signal < signals + N_SIGNALS - 1 && signal->number != number) signal++;
    if (entered) { /* the handler itself crashed, or another thread did meanwhile */
        if (entered == 1) put(unreadable, sizeof unreadable - 1);
        die(number);
    }
    if (raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0) != owner)
        die(number); /* a child made with vfork */
    const char *kernel = host_kernel();
    bool known = signal->place && host_find_position(pcs, crash_stack(context, pcs, 48), &at);
    if (signal->fault) describe_fault(info, context, fault, sizeof fault);
    if (number == SIGFPE && info->si_code == FPE_INTDIV)
        snprintf(fault, sizeof fault, ": integer division by zero");
    if (kernel) snprintf(where, sizeof where, " in kernel %.200s", kernel);
    else if (known && at.function[0] != '?') snprintf(where, sizeof where, " in %s()", at.function);
    TraceSite site = {known ? at.file : NULL, at.line};
    int n = snprintf(text, sizeof text, "%s%s%s", signal->what, where, fault);
    static char line[2500];
    n = known ? snprintf(line, sizeof line, "threelane: %s:%u: %s\n", at.file, at.line, text)
              : snprintf(line, sizeof line, "threelane: %s\n", text);
    put(line, (size_t)n);
    say_stop(STOP_CRASH, site, text);
    if (take_note)
        take_note(&(TraceNote){.severity = TRACE_ERROR,
                               .site = site,
                               .text = text,
                               .kind = exit_status_stop[STOP_CRASH].word,
                               .by = "gpu"});
    if (run_exit_hook(128 + number, true)) put(line, (size_t)n);
    /* What the program printed and is still in the buffer. Last, since the buffer may be what is
     * broken. */
    if (ftrylockfile(stdout) == 0) fflush_unlocked(stdout);
    errno = saved;
    die(number);
}

void *host_signal_stack(void)
{
    void *memory =
        mmap(NULL, SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    stack_t stack = {.ss_sp = memory, .ss_size = SIGNAL_STACK_BYTES};
    sigaltstack(&stack, NULL);
    return memory;
}

void host_signal_stack_free(void *memory)
{
    stack_t none = {.ss_flags = SS_DISABLE};
    if (!memory) return;
    sigaltstack(&none, NULL);
    munmap(memory, SIGNAL_STACK_BYTES);
}

/* Here, because every file of this room needs this one: whichever a program pulls in, it gets all
 * of them. */
__attribute__((constructor(101))) static void set_up(void)
{
    struct sigaction ours = {.sa_sigaction = on_signal,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER},
                     now;
    owner = getpid();
    host_signal_stack();
    sigemptyset(&ours.sa_mask);
    for (int i = 0; i < N_SIGNALS; i++)
        if (!sigaction(signals[i].number, NULL, &now) && now.sa_handler == SIG_DFL)
            sigaction(signals[i].number, &ours, NULL);
    on_exit(at_exit, NULL);
    host_setup();
}

void host_ending_forked(void)
{
    owner = getpid();
    exit_hook = NULL;
    take_note = NULL;
}
