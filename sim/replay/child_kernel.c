/* child_kernel.c - see child_kernel.h. What the child says is hostile: everything in it is bounded
 * and checked.
 */
#include "sim/replay/child_kernel.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "sim/api/api_launch.h"
#include "sim/exec/exec.h"
#include "sim/exec/footprint.h"
#include "sim/hazard/hazard_report.h"
#include "sim/host/raw.h"
#include "sim/memory/memory.h"

enum { WORDS = 600, REPORTS = 64, MEMORIES = 64, LAUNCH_FAILURE = 719 };
#define MOST_BYTES ((size_t)512 << 20)
#define MAGIC 0x7472617041ull

static const Glue *glue;

/* ---- what the child says ---- */

typedef struct Said {
    uint64_t magic, accesses, block_ns, n_early, n_pages, n_memories, n_reports, length;
    uint64_t triggered_ns, depended_ns, held_ns; /* and below: of a dependent launch, as ExecRun */
    double triggered_part, depended_part;
    int64_t lead[EXEC_LEADS], whole;
    uint64_t barriers;
    int32_t state, fault_code;
    uint8_t clock_driven, has_inside, several, has_lead[EXEC_LEADS];
    uint8_t held, triggers, all_triggered;
    char fault_text[256];
} Said;

typedef struct SaidPage {
    uint64_t address, read[FOOTPRINT_LINES], held[FOOTPRINT_LINES], wrote[FOOTPRINT_LINES],
        polled[FOOTPRINT_LINES], landed[FOOTPRINT_LINES];
    unsigned char bytes[FOOTPRINT_PAGE];
} SaidPage;

typedef struct SaidReport {
    uint64_t address, bytes, touched, memory, memory_bytes;
    uint64_t pc[2];
    int32_t kind;
    uint32_t line[2], times;
    uint8_t variable, has_headline, has_verb[2];
    char verb[2][40], name[80], headline[WORDS], why[WORDS], fix[WORDS];
} SaidReport;

/* ---- in the child ---- */

static SaidReport *reports;
static uint64_t n_reports;
static struct Captured {
    void (*run_block)(void *);
    void *closure;
    void (*destroy)(void *);
} captured;

static _Noreturn void leave(int how)
{
    for (;;) raw_syscall(SYS_exit_group, how, 0, 0, 0, 0, 0);
}

static void put_words(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

static void divert(const HazardReport *r)
{
    if (n_reports == REPORTS) return;
    SaidReport *s = &reports[n_reports++];
    *s = (SaidReport){.address = (uintptr_t)r->address,
                      .bytes = r->bytes,
                      .touched = r->touched,
                      .memory = r->memory.address,
                      .memory_bytes = r->memory.bytes,
                      .pc = {(uintptr_t)r->first.pc, (uintptr_t)r->second.pc},
                      .kind = (int32_t)r->kind,
                      .line = {r->first.site.line, r->second.site.line},
                      .times = r->times,
                      .variable = r->memory.variable,
                      .has_headline = r->headline != NULL,
                      .has_verb = {r->first.verb != NULL, r->second.verb != NULL}};
    put_words(s->verb[0], sizeof s->verb[0], r->first.verb);
    put_words(s->verb[1], sizeof s->verb[1], r->second.verb);
    put_words(s->name, sizeof s->name, r->memory.name);
    put_words(s->headline, sizeof s->headline, r->headline);
    put_words(s->why, sizeof s->why, r->why);
    put_words(s->fix, sizeof s->fix, r->fix);
}

static void capture(const char *name, void (*run_block)(void *), void *closure,
                    void (*destroy)(void *))
{
    (void)name;
    captured = (struct Captured){run_block, closure, destroy};
}

/* Nothing is left but memory, the processor, and writing to the pipe. What does not know how to do
 * without the rest is told that it may not. */
static bool lock(int pipe)
{
    static const int allowed[] = {SYS_write,          SYS_munmap,       SYS_brk,
                                  SYS_madvise,        SYS_futex,        SYS_exit,
                                  SYS_exit_group,     SYS_rt_sigreturn, SYS_rt_sigaction,
                                  SYS_rt_sigprocmask, SYS_sigaltstack,  SYS_mincore};
    enum { MOST = 64 };
    struct sock_filter code[MOST];
    unsigned short n = 0;
#if defined(__x86_64__)
    const unsigned machine = AUDIT_ARCH_X86_64;
#else
    const unsigned machine = AUDIT_ARCH_AARCH64;
#endif
#define SAYS(...) code[n++] = (struct sock_filter)__VA_ARGS__
    const unsigned no = SECCOMP_RET_ERRNO | EPERM;
    SAYS(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
    SAYS(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0));
    SAYS(BPF_STMT(BPF_RET | BPF_K, no));
    SAYS(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        SAYS(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i], 0, 1));
        SAYS(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    /* memory that cannot be executed: its third argument is its protection */
    static const int maps[] = {SYS_mmap, SYS_mprotect};
    for (size_t i = 0; i < 2; i++) {
        SAYS(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)maps[i], 0, 4));
        SAYS(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])));
        SAYS(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1));
        SAYS(BPF_STMT(BPF_RET | BPF_K, no));
        SAYS(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    SAYS(BPF_STMT(BPF_RET | BPF_K, no));
#undef SAYS
    const struct sock_fprog program = {n, code};
    for (int fd = 0; fd < 3; fd++)
        if (fd != pipe) raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
    if (pipe > 3) raw_syscall(SYS_close_range, 3, pipe - 1, 0, 0, 0, 0);
    raw_syscall(SYS_close_range, pipe + 1, ~0u, 0, 0, 0, 0);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void say(int fd, const void *bytes, size_t n)
{
    for (const char *at = bytes; n;) {
        long wrote = raw_syscall(SYS_write, fd, (long)at, (long)n, 0, 0, 0);
        if (wrote == -EINTR) continue;
        if (wrote <= 0) leave(1);
        at += wrote;
        n -= (size_t)wrote;
    }
}

static bool any(const uint64_t *bits)
{
    for (int i = 0; i < FOOTPRINT_LINES; i++)
        if (bits[i]) return true;
    return false;
}

static bool is_told(const FootprintPage *page)
{
    return page->counts && (any(page->read) || any(page->held) || any(page->wrote) || page->atomic);
}

static void note_page(SaidPage *s, const FootprintPage *page)
{
    *s = (SaidPage){.address = page->address};
    memcpy(s->read, page->read, sizeof s->read);
    memcpy(s->held, page->held, sizeof s->held);
    memcpy(s->wrote, page->wrote, sizeof s->wrote);
    if (page->atomic) {
        memcpy(s->polled, page->atomic[FOOTPRINT_ATOMIC_READ], sizeof s->polled);
        memcpy(s->landed, page->atomic[FOOTPRINT_ATOMIC_WRITE], sizeof s->landed);
    }
    for (unsigned i = 0; i < FOOTPRINT_PAGE; i++) {
        uint64_t bit = 1ull << i % 64;
        if (page->held[i / 64] & bit) s->bytes[i] = page->old[i]; /* swapped out: the new value */
        else if (page->wrote[i / 64] & bit) s->bytes[i] = ((const unsigned char *)page->address)[i];
    }
}

static uint64_t pages_told(const Footprint *f)
{
    uint64_t n = 0;
    for (const FootprintPage *page = f->pages; page; page = page->next) n += is_told(page);
    return n;
}

/* What it has touched so far. */
static SaidPage *note_pages(const Footprint *f, uint64_t *n)
{
    SaidPage *pages = calloc(pages_told(f) + 1, sizeof *pages);
    *n = 0;
    for (const FootprintPage *page = f->pages; page && pages; page = page->next)
        if (is_told(page)) note_page(&pages[(*n)++], page);
    if (!pages) leave(2);
    return pages;
}

static void say_depends(Said *said, const ExecRun *run)
{
    said->held = run->held;
    said->triggers = run->triggers;
    said->all_triggered = run->all_triggered;
    said->triggered_ns = run->triggered_ns;
    said->triggered_part = run->triggered_part;
    said->depended_ns = run->depended_ns;
    said->held_ns = run->held_ns;
    said->depended_part = run->depended_part;
}

/* What was found out of the inside of the kernel (sim/exec/inside.h); inside may be NULL. */
static void say_inside(Said *said, const ExecInside *inside)
{
    if (!inside) return;
    said->has_inside = 1;
    said->barriers = inside->barriers;
    said->several = inside->several;
    said->whole = inside->whole;
    said->n_memories = inside->n_memories;
    for (int i = 0; i < EXEC_LEADS; i++) {
        said->lead[i] = inside->lead[i];
        said->has_lead[i] = inside->has_lead[i];
    }
}

static void say_pages(int fd, const Footprint *f)
{
    static SaidPage s;
    for (const FootprintPage *page = f->pages; page; page = page->next) {
        if (!is_told(page)) continue;
        note_page(&s, page);
        say(fd, &s, sizeof s);
    }
}

static _Noreturn void run_child(const ExecLaunch *launch, const ExecClock *clock,
                                const uint64_t *over_ns, int fd)
{
    exec_apart = NULL;
    exec_without_heap = true;
    reports = calloc(REPORTS, sizeof *reports);
    if (!reports || !lock(fd)) leave(2);
    launch_captured = capture;
    launch->run_block(launch->closure); /* calls the kernel's function, which brings its body */
    if (!captured.run_block) leave(3);

    ExecLaunch own = *launch;
    own.run_block = captured.run_block;
    own.closure = captured.closure;
    own.destroy = NULL;
    hazard_diverted = divert;
    exec_settles_later = false;
    ExecRun *run = exec_start(&own, clock);
    const Footprint *f = exec_footprint(run);
    SaidPage *early = NULL;
    uint64_t n_early = 0;
    if (over_ns && run->state == EXEC_WAITING) {
        early = note_pages(f, &n_early);
        exec_depend(run, *over_ns);
        exec_resume(run, *over_ns);
    }
    bool held = run->state == EXEC_WAITING; /* all of it is told the next time */

    Said said = {.magic = MAGIC,
                 .accesses = run->accesses,
                 .block_ns = run->block_ns,
                 .n_early = n_early,
                 .n_reports = held ? 0 : n_reports,
                 .state = (int32_t)run->state,
                 .fault_code = run->fault_code,
                 .clock_driven = run->clock_driven};
    memcpy(said.fault_text, run->fault_text, sizeof said.fault_text);
    const ExecInside *inside = run->inside;
    say_inside(&said, inside);
    say_depends(&said, run);
    said.n_pages = held ? 0 : pages_told(f);

    say(fd, &said, sizeof said);
    if (inside) say(fd, inside->memories, inside->n_memories * sizeof *inside->memories);
    say(fd, reports, said.n_reports * sizeof *reports);
    say(fd, early, n_early * sizeof *early);
    if (!held) say_pages(fd, f);
    leave(0);
}

/* ---- in the player ---- */

static bool read_whole(int fd, char **bytes, size_t *length)
{
    size_t room = 0;
    *bytes = NULL;
    *length = 0;
    for (;;) {
        if (*length == room) {
            if (room >= MOST_BYTES) return false;
            room = room ? 2 * room : 1 << 16;
            char *more = realloc(*bytes, room);
            if (!more) return false;
            *bytes = more;
        }
        long n =
            raw_syscall(SYS_read, fd, (long)(*bytes + *length), (long)(room - *length), 0, 0, 0);
        if (n == -EINTR) continue;
        if (n < 0) return false;
        if (n == 0) return true;
        *length += (size_t)n;
    }
}

static bool fails(ExecRun *run, const char *why)
{
    run->state = EXEC_FAULT;
    run->fault_code = LAUNCH_FAILURE;
    snprintf(run->fault_text, sizeof run->fault_text, "%s", why);
    return true;
}

static const char *kept(const char *text, size_t size)
{
    size_t n = strnlen(text, size);
    char *copy = malloc(n + 1);
    if (!copy) return "?";
    for (size_t i = 0; i < n; i++) copy[i] = text[i] < ' ' ? ' ' : text[i];
    copy[n] = 0;
    return copy;
}

/* What an access of a kernel's does is one of these: nothing else is repeated. */
static const char *verb_of(const char *verb)
{
    static const char *const known[] = {"reads", "writes", "atomically updates", "atomically reads",
                                        "uses"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(verb, known[i], 40)) return known[i];
    return "uses";
}

static HazardAccess access_of(const SaidReport *s, int i, const ExecLaunch *launch)
{
    if (!s->has_verb[i]) return (HazardAccess){0};
    HazardAccess a = {.verb = verb_of(s->verb[i]), .op = launch->op, .stream = launch->stream};
    if (s->line[i]) a.site = (TraceSite){launch->site.file, s->line[i]};
    else a.pc = (const void *)(uintptr_t)s->pc[i];
    return a;
}

static void tell_report(const SaidReport *s, const ExecLaunch *launch)
{
    if (s->kind < 0 || s->kind >= HAZARD_KINDS) return;
    HazardReport r = {.kind = (HazardKind)s->kind,
                      .first = access_of(s, 0, launch),
                      .second = access_of(s, 1, launch),
                      .address = (const void *)(uintptr_t)s->address,
                      .bytes = s->bytes,
                      .touched = s->touched,
                      .why = s->why[0] ? kept(s->why, WORDS) : NULL,
                      .fix = s->fix[0] ? kept(s->fix, WORDS) : NULL,
                      .headline = s->has_headline ? kept(s->headline, WORDS) : NULL,
                      .times = s->times,
                      .source = launch->site.file};
    if (s->name[0])
        r.memory = (HazardMemory){.address = s->memory,
                                  .bytes = s->memory_bytes,
                                  .name = kept(s->name, sizeof s->name),
                                  .variable = s->variable};
    hazard_report(&r);
}

/* The bytes of these bits are touched again, run by run. False: the kernel may not. */
typedef bool Touch(uintptr_t address, size_t bytes, uintptr_t *bad);
static bool poll_bytes(uintptr_t at, size_t n, uintptr_t *bad)
{
    return footprint_poll(at, n, bad);
}
static bool land_bytes(uintptr_t at, size_t n, uintptr_t *bad)
{
    return footprint_land(at, n, false, bad);
}

static bool touch_page(const SaidPage *s, const uint64_t *bits, Touch *touch, bool writes)
{
    for (unsigned at = 0, end; at < FOOTPRINT_PAGE; at = end) {
        bool set = bits[at / 64] >> at % 64 & 1;
        for (end = at + 1; end < FOOTPRINT_PAGE && (bits[end / 64] >> end % 64 & 1) == set; end++) {
        }
        uintptr_t address = s->address + at, bad;
        if (!set) continue;
        const MemoryBlock *block = memory_find((const void *)address);
        if (!block) { /* a variable of the program, or a block that begins or ends within */
            if (writes) return false;
            continue;
        }
        size_t rest = block->address + block->bytes - address;
        if (end - at > rest) end = at + (unsigned)rest;
        if (!touch(address, end - at, &bad)) return false;
        if (writes) memcpy((void *)address, s->bytes + at, end - at);
    }
    return true;
}

static bool touch_again(const SaidPage *s)
{
    uint64_t landed[FOOTPRINT_LINES];
    if (s->address % FOOTPRINT_PAGE) return false;
    for (int i = 0; i < FOOTPRINT_LINES; i++) landed[i] = s->wrote[i] | s->landed[i];
    return touch_page(s, s->read, footprint_read, false) &&
           touch_page(s, s->polled, poll_bytes, false) && touch_page(s, landed, land_bytes, true) &&
           touch_page(s, s->held, footprint_write, true);
}

static ExecInside *inside_said(const Said *said, const ExecInsideMemory *memories)
{
    ExecInside *inside = calloc(1, sizeof *inside);
    if (!inside) return NULL;
    *inside = (ExecInside){.barriers = said->barriers,
                           .several = said->several,
                           .whole = said->whole > 0 ? said->whole : 1};
    for (int i = 0; i < EXEC_LEADS; i++) {
        inside->lead[i] = said->lead[i] > 0 ? said->lead[i] : 0;
        if (inside->lead[i] > inside->whole) inside->lead[i] = inside->whole;
        inside->has_lead[i] = said->has_lead[i];
    }
    inside->memories = calloc(said->n_memories + 1, sizeof *inside->memories);
    if (!inside->memories) return inside;
    inside->n_memories = said->n_memories;
    memcpy(inside->memories, memories, said->n_memories * sizeof *memories);
    return inside;
}

/* The allocations that a kernel is said to have read are among those that there are. */
static bool are_known(const ExecInsideMemory *memories, size_t n, uint64_t newest)
{
    for (size_t i = 0; i < n; i++)
        if (!memories[i].alloc || memories[i].alloc > newest) return false;
    return true;
}

static void find_newest(const MemoryBlock *block, void *newest)
{
    if (block->id > *(uint64_t *)newest) *(uint64_t *)newest = block->id;
}

static uint64_t some_ns(uint64_t ns) { return ns < (uint64_t)1 << 60 ? ns : 0; }
static double part(double of) { return of > 0 && of < 1 ? of : of >= 1 ? 1 : 0; }

static void take_depends(const Said *said, ExecRun *run)
{
    run->triggers = said->triggers;
    run->all_triggered = said->all_triggered;
    run->triggered_ns = some_ns(said->triggered_ns);
    run->triggered_part = part(said->triggered_part);
    run->depended_ns = said->depended_ns == UINT64_MAX ? UINT64_MAX : some_ns(said->depended_ns);
    run->held_ns = some_ns(said->held_ns);
    run->depended_part = part(said->depended_part);
}

/* n pages from *at on are touched again, in the footprint. False: the kernel may not. */
static bool take_pages(Footprint *f, const char **at, uint64_t n)
{
    bool fine = true;
    footprint_enter(f);
    for (uint64_t i = 0; i < n && fine; i++, *at += sizeof(SaidPage)) {
        SaidPage page;
        memcpy(&page, *at, sizeof page);
        fine = touch_again(&page);
    }
    footprint_leave(f, false);
    return fine;
}

static bool take(const ExecLaunch *launch, ExecRun *run, Footprint *f, HazardBytes *early,
                 const char *bytes, size_t length)
{
    static const char damaged[] = "what is known of this kernel makes no sense";
    Said said;
    uint64_t newest = 0;
    if (length < sizeof said) return fails(run, "a kernel of your own crashed");
    memcpy(&said, bytes, sizeof said);
    size_t memories = said.n_memories * sizeof(ExecInsideMemory),
           told = said.n_reports * sizeof(SaidReport),
           pages = (said.n_early + said.n_pages) * sizeof(SaidPage);
    if (said.magic != MAGIC || said.n_memories > MEMORIES || said.n_reports > REPORTS ||
        said.n_pages > MOST_BYTES / sizeof(SaidPage) ||
        said.n_early > (early ? MOST_BYTES / sizeof(SaidPage) : 0) ||
        length != sizeof said + memories + told + pages)
        return fails(run, damaged);
    const char *at = bytes + sizeof said;
    ExecInsideMemory known[MEMORIES];
    memcpy(known, at, memories);
    at += memories;
    memory_each(find_newest, &newest);
    if (!are_known(known, said.n_memories, newest)) return fails(run, damaged);
    for (uint64_t i = 0; i < said.n_reports; i++, at += sizeof(SaidReport)) {
        SaidReport report;
        memcpy(&report, at, sizeof report);
        tell_report(&report, launch);
    }
    run->accesses = said.accesses;
    run->block_ns = some_ns(said.block_ns);
    take_depends(&said, run);
    run->clock_driven = said.clock_driven;
    if (said.state == EXEC_FAULT) {
        fails(run, kept(said.fault_text, sizeof said.fault_text));
        if (said.fault_code > 0 && said.fault_code < 1000) run->fault_code = said.fault_code;
        return true;
    }
    if (said.state == EXEC_WAITING && said.held && launch->early && !early) {
        run->state = EXEC_WAITING;
        run->held = true;
        return true;
    }
    if (said.state != EXEC_DONE)
        return fails(run, "a kernel of your own that waits for others cannot be graded");

    bool fine = take_pages(f, &at, said.n_early);
    if (early && fine && hazard_on) footprint_sets(f, launch->device, early);
    if (!fine || !take_pages(f, &at, said.n_pages)) return fails(run, damaged);
    run->state = EXEC_DONE;
    if (said.has_inside) run->inside = inside_said(&said, known);
    footprint_count(f, &run->bytes_read, &run->bytes_written);
    return true;
}

static bool is_apart(const ExecLaunch *launch)
{
    for (size_t i = 0; i < glue->n_kernels; i++)
        if (glue->kernels[i].apart && glue->kernels[i].apart == launch->run_block) return true;
    return false;
}

static bool run_apart(const ExecLaunch *launch, const ExecClock *clock, ExecRun *run, Footprint *f,
                      const uint64_t *over_ns, HazardBytes *early)
{
    if (!is_apart(launch)) return false;
    int fds[2], status = 0;
    char *bytes = NULL;
    size_t length = 0;
    if (pipe2(fds, O_CLOEXEC)) return fails(run, "no pipe for a kernel of your own");
    fflush(NULL);
    long child = raw_syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
    if (child == 0) run_child(launch, clock, over_ns, fds[1]);
    close(fds[1]);
    bool whole = child > 0 && read_whole(fds[0], &bytes, &length);
    close(fds[0]);
    if (child > 0 && !whole) raw_syscall(SYS_kill, child, SIGKILL, 0, 0, 0, 0);
    while (child > 0 && raw_syscall(SYS_wait4, child, (long)&status, 0, 0, 0, 0) == -EINTR) {}
    if (!whole) fails(run, "a kernel of your own could not be run");
    else if (!WIFEXITED(status) || WEXITSTATUS(status)) fails(run, "a kernel of your own crashed");
    else take(launch, run, f, early, bytes, length);
    free(bytes);
    return true;
}

void child_kernel_begin(const Glue *with)
{
    glue = with;
    exec_apart = run_apart;
}
