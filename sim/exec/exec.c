/* exec.c - see exec.h. Starting, suspending, stopping and publishing kernels. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include "sim/exec/cluster.h"
#include "sim/exec/exec_internal.h"
#include "sim/exec/inside.h"
#include "sim/exec/race.h"
#include "sim/host/host.h"
#include "sim/include/threelane/self.h"
#include "sim/light/light.h"
#include "sim/light/hook_sites.h"
#include "sim/memory/memory.h"

Run *exec_run;
ExecApart *exec_apart;
bool exec_without_heap;
_Thread_local unsigned exec_kernel;

/* Blocks that are set aside in unfinished runs. While there are any, a kernel puts the program's
 * thread-local segment back as it found it: their __shared__ variables, and the host's own, lie
 * there. */
static unsigned waiting_runs;

static const void *fault_pc;
static TraceSite fault_site;

void *exec_allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        host_fatal(HOST_STATUS_CRASH, (TraceSite){0},
                   "out of memory (%zu bytes for the running kernel)", bytes);
    return memory;
}

/* ---- closures: in a range of their own, so that kernels may read them ---- */

enum { CLOSURE_LEAST = 64 }; /* sizes are this times a power of two */
#define CLOSURE_RANGE ((size_t)4 << 30)
static char *closures;
static size_t closures_used;
static void *free_closures[32];

static unsigned closure_class(size_t bytes)
{
    unsigned k = 0;
    while ((size_t)CLOSURE_LEAST << k < bytes) k++;
    return k;
}

/* A closure is preceded by its size class. */
void *threelane_closure_new(size_t bytes)
{
    exec_kernel = 0; /* in a kernel: until exec_closure_made */
    unsigned k = closure_class(bytes + CLOSURE_LEAST);
    char *slot = free_closures[k];
    if (slot) {
        memcpy(&free_closures[k], slot, sizeof(void *));
    } else {
        if (!closures) {
            void *at = mmap(NULL, CLOSURE_RANGE, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (at == MAP_FAILED)
                host_fatal(HOST_STATUS_CRASH, (TraceSite){0},
                           "no address space for kernel launches; "
                           "raise the limit of virtual memory (ulimit -v)");
            closures = at;
        }
        size_t size = (size_t)CLOSURE_LEAST << k;
        if (size > CLOSURE_RANGE - closures_used)
            host_fatal(HOST_STATUS_CRASH, (TraceSite){0},
                       "too many kernel launches are pending; "
                       "synchronize now and then");
        slot = closures + closures_used;
        closures_used += size;
    }
    memcpy(slot, &k, sizeof k);
    return slot + CLOSURE_LEAST;
}

void threelane_closure_free(void *closure)
{
    unsigned k;
    char *slot = (char *)closure - CLOSURE_LEAST;
    memcpy(&k, slot, sizeof k);
    memcpy(slot, &free_closures[k], sizeof(void *));
    free_closures[k] = slot;
}

bool exec_is_closure(uintptr_t address)
{
    return closures && address - (uintptr_t)closures < closures_used;
}

/* ---- faults ---- */

const char *exec_where(void)
{
    static _Thread_local char text[128];
    const uint32_t *b = exec_block->index, *t = threelane_self.thread;
    snprintf(text, sizeof text, "block (%u,%u,%u), thread (%u,%u,%u)", b[0], b[1], b[2], t[0], t[1],
             t[2]);
    return text;
}

_Noreturn void exec_fault(int code, const void *pc, const char *file, int line, const char *format,
                          ...)
{
    Run *run = exec_run;
    exec_alone_at_end();
    exec_kernel = 0;
    run->pub.state = EXEC_FAULT;
    run->pub.fault_code = code;
    int begun = 0;
    if (run->is_nested)
        begun =
            snprintf(run->pub.fault_text, sizeof run->pub.fault_text,
                     "in %.200s (%s:%u): ", run->launch.name,
                     run->launch.site.file ? run->launch.site.file : "?", run->launch.site.line);
    va_list args;
    va_start(args, format);
    vsnprintf(run->pub.fault_text + begun, sizeof run->pub.fault_text - (size_t)begun, format,
              args);
    va_end(args);
    fault_pc = pc;
    fault_site = (TraceSite){file, line > 0 ? (uint32_t)line : 0};
    schedule_leave();
}

_Noreturn void exec_end_kernel(int error, const void *pc, const char *text)
{
    exec_fault(error, pc, NULL, 0, "%s, %s", text, exec_where());
}

_Noreturn void exec_bad_access(uintptr_t address, size_t bytes, uintptr_t bad, bool write,
                               const void *pc)
{
    char what[160] = "";
    exec_alone_at_end();
    exec_kernel = 0;
    bool guard;
    if (fiber_owns(bad, &guard) && guard)
        exec_fault(EXEC_STACK, pc, NULL, 0, "stack overflow in a kernel, %s", exec_where());
    exec_report_bad_access(address, bytes, bad, write, pc);
    bool known = exec_report_past_text(bad, what, sizeof what) ||
                 host_describe_address((const void *)bad, what, sizeof what);
    char access[48] = "access"; /* bytes 0: the processor did not say what it was */
    const char *kind = write ? "write" : "read";
    if (bytes)
        snprintf(access, sizeof access, "%s of %zu byte%s", kind, bytes, bytes == 1 ? "" : "s");
    exec_fault(EXEC_ILLEGAL_ADDRESS, pc, NULL, 0, "illegal %s at %#lx, %s: %s", access,
               (unsigned long)bad, exec_where(),
               known ? what : "host memory that is neither pinned nor managed, or nothing at all");
}

/* Accesses that no hook saw (a library function, --plain) can only be caught by the processor. The
 * handler makes the thread go on in trapped(), on a stack of its own, which ends the kernel. */
static struct sigaction previous_segv, previous_bus, previous_fpe;
static _Thread_local int trap_signal;
static _Thread_local uintptr_t trap_address;
static _Thread_local bool trap_writes;
static _Thread_local const void *trap_pc;
static char trap_stack[64 << 10] __attribute__((aligned(64)));
_Thread_local char *exec_trap_top; /* NULL: that of trap_stack */

static void trapped(void)
{
    exec_alone_at_end();
    if (trap_signal == SIGFPE)
        exec_fault(EXEC_LAUNCH_FAILURE, trap_pc, NULL, 0,
                   "integer division by zero in a kernel, %s (a real GPU goes "
                   "on with an arbitrary result)",
                   exec_where());
    exec_bad_access(trap_address, 0, trap_address, trap_writes, trap_pc);
}

static bool is_write(const ucontext_t *c)
{
#if defined(__x86_64__)
    return c->uc_mcontext.gregs[REG_ERR] & 2;
#else
    (void)c;
    return false;
#endif
}

static void on_trap(int number, siginfo_t *info, void *context)
{
    ucontext_t *c = context;
    if (light_on && number == SIGSEGV && light_fault((uintptr_t)info->si_addr, is_write(c))) return;
    if (!exec_kernel || info->si_code <= 0) {
        const struct sigaction *before = number == SIGSEGV  ? &previous_segv
                                         : number == SIGBUS ? &previous_bus
                                                            : &previous_fpe;
        if (before->sa_flags & SA_SIGINFO) {
            before->sa_sigaction(number, info, context);
        } else if (before->sa_handler == SIG_DFL || before->sa_handler == SIG_IGN) {
            sigaction(number, before, NULL); /* it happens again when we return, and then for good
                                              */
        } else {
            before->sa_handler(number);
        }
        return;
    }
    trap_signal = number;
    trap_address = (uintptr_t)info->si_addr;
    char *stack_top = exec_trap_top ? exec_trap_top : trap_stack + sizeof trap_stack;
    uintptr_t top = (uintptr_t)stack_top - 64;
    trap_writes = number == SIGSEGV && is_write(c);
#if defined(__x86_64__)
    trap_pc = (const void *)c->uc_mcontext.gregs[REG_RIP];
    c->uc_mcontext.gregs[REG_RSP] = (greg_t)(top - 8); /* as after a call */
    c->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)trapped;
    c->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)0x400; /* the ABI wants the direction flag clear */
#else
    trap_pc = (const void *)c->uc_mcontext.pc;
    c->uc_mcontext.sp = top;
    c->uc_mcontext.pc = (uintptr_t)trapped;
#endif
}

static void install_traps(void)
{
    static char signal_stack[64 << 10];
    static bool installed;
    if (installed) return;
    installed = true;
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && now.ss_flags & SS_DISABLE) {
        stack_t ours = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
        sigaltstack(&ours, NULL);
    }
    struct sigaction trap = {.sa_sigaction = on_trap,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&trap.sa_mask);
    sigaction(SIGSEGV, &trap, &previous_segv);
    sigaction(SIGBUS, &trap, &previous_bus);
    sigaction(SIGFPE, &trap, &previous_fpe);
}

/* ---- runs ---- */

static void find_site(Run *run)
{
    HostPosition at;
    if (fault_site.file) {
        run->pub.fault_site = fault_site;
        return;
    }
    if (!fault_pc || !host_position(fault_pc, &at)) return;
    run->site_file = strdup(at.file);
    if (run->site_file) run->pub.fault_site = (TraceSite){run->site_file, at.line};
}

/* ---- grids that the kernel's threads launch ---- */

const ExecNested *exec_nested;

ExecRun *exec_running(void)
{
    if (!exec_run) return NULL;
    exec_in_order(); /* what it is asked for, other blocks may ask for, too */
    return &exec_run->pub;
}

uint64_t exec_block_number(void)
{
    const TraceDim *grid = &exec_run->launch.grid;
    const uint32_t *at = exec_block->index;
    return at[0] + (uint64_t)grid->x * (at[1] + (uint64_t)grid->y * at[2]);
}

void exec_closure_made(void) { exec_kernel = exec_run != NULL; }

static void order_blocks(Run *run, uint64_t order);

static void begin_grid(Run *run, const ExecLaunch *launch, uint64_t start_ns)
{
    cluster_free(run);
    run->launch = *launch;
    run->clock.start_ns = start_ns;
    run->blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    run->next_block = run->longest_ns = run->grid_accesses = 0;
    run->block_first = 0;
    order_blocks(run, launch->order);
    run->fenced = run->pub.clock_driven = false;
    clock_new_run(run);
}

/* The kernel is itself again. */
static void nested_over(Run *run)
{
    if (!run->is_nested) return;
    run->is_nested = false;
    begin_grid(run, &run->own, run->own_start_ns);
}

/* A grid, and then what its threads have launched. */
static void run_grids(Run *run)
{
    for (;;) {
        uint64_t accesses = exec_accesses, begin_ns = 0;
        schedule_run(run);
        run->grid_accesses += exec_accesses - accesses;
        if (!run->pub.nested || run->pub.state != EXEC_DONE || run->suspended ||
            run->next_block < run->blocks)
            return;

        exec_count_goes_on();
        exec_set_light(run, false);
        run->budget.begun = false; /* the next one's first block has hooks again */
        if (race_watching) exec_report_mute(false);
        race_grid_over();
        if (race_watching) exec_report_mute(true);
        ExecNestedFacts facts = {.accesses = run->grid_accesses,
                                 .bytes = 8 * run->grid_accesses,
                                 .block_ns = run->longest_ns,
                                 .clock_driven = run->pub.clock_driven};
        const ExecLaunch *next = exec_nested->next(&run->pub, &facts, &begin_ns);
        if (!next) {
            run->pub.nested_ns = begin_ns;
            nested_over(run);
            run->settled = run->own_settled;
            run->next_block = run->blocks;
            return;
        }
        if (!run->is_nested) {
            run->own = run->launch;
            run->own_start_ns = run->clock.start_ns;
            run->own_settled = run->settled;
            run->is_nested = true;
        }
        begin_grid(run, next, run->own_start_ns + begin_ns);
    }
}

/* Nothing of it has happened yet: it begins anew. */
static void rewind_run(Run *run)
{
    nested_over(run);
    if (run->pub.nested) exec_nested->forget(&run->pub);
    run->pub = (ExecRun){.state = EXEC_DONE, .inside = run->pub.inside};
    run->next_block = run->longest_ns = run->steps = 0;
    run->out_length = 0;
    run->fenced = false;
    clock_new_run(run);
    depend_new_run(run);
}

bool exec_alone;

/* ---- with hooks, or without ---- */

static uint64_t accesses_so_far(const Run *run)
{
    return exec_count_accesses() - run->accesses_from;
}

bool exec_goes_light(Run *run, uint64_t n)
{
    if (run->budget.never) return false;
    if (!budget_skips(&run->budget, n, run->blocks, accesses_so_far(run))) return false;
    if (light_on) return true;
    if (sites_known() && footprint_go_light()) return true;
    run->budget.never = true;
    return false;
}

void exec_set_light(Run *run, bool light)
{
    if (light == run->light) return;
    uint64_t now = accesses_so_far(run);
    if (light) touch_forget();
    else run->budget.skipped += now - run->light_since;
    run->light = light;
    run->light_since = now;
    sites_skip(light);
}

/* What it does from here on counts anew. */
static void begin_budget(Run *run)
{
    run->budget.never |= inside_on || run->launch.early || run->launch.cluster.x;
    run->budget.skipped = 0;
    run->accesses_from = exec_accesses;
}

static void end_budget(Run *run)
{
    exec_count_goes_on(); /* not on a fiber any more */
    exec_set_light(run, false);
    uint64_t all = accesses_so_far(run), checked = all - run->budget.skipped;
    run->footprint.times = checked ? (double)all / (double)checked : 1;
    budget_ran(run->launch.name, all, run->budget.skipped);
}

/* It runs, and what it did is undone. ranked: see inside.h. True: a second time has more to
 * tell. */
static bool try_inside(Run *run, bool ranked)
{
    exec_report_mute(true);
    inside_begin(run, ranked);
    footprint_enter(&run->footprint);
    footprint_keep(true);
    /* nobody acts while it is looked into, so its clock may run on for who waits */
    bool alone = exec_alone;
    exec_alone = true;
    exec_kernel = 1;
    schedule_run(run);
    exec_kernel = 0;
    exec_alone = alone;
    bool ended = run->pub.state == EXEC_DONE && !run->suspended;
    if (!ended) schedule_abandon(run);
    footprint_leave(&run->footprint, false);
    bool undone = footprint_undo(&run->footprint);
    footprint_keep(false);
    exec_report_mute(false);
    if (!undone)
        host_fatal(HOST_STATUS_MISUSE, run->launch.site,
                   "%s changes too much memory with atomic operations to be looked into",
                   run->launch.name);
    return inside_end(run, ended);
}

static void look_inside(Run *run)
{
    bool more = try_inside(run, false);
    rewind_run(run);
    if (!more) return;
    try_inside(run, true);
    rewind_run(run);
}

/* The kernel, which has run to its end, to a fault or to where it waits for others, runs again from
 * the start to the same place, watched (race.h). */
static void go_again(Run *run)
{
    ExecRun before = run->pub;
    exec_report_end();
    shared_end_run();
    footprint_leave(&run->footprint, false);
    bool undone = footprint_undo(&run->footprint);
    footprint_enter(&run->footprint);
    if (!undone) return;
    if (before.state == EXEC_FAULT || run->suspended) schedule_abandon(run);
    rewind_run(run);
    race_watch();
    exec_report_mute(true);
    begin_budget(run);
    exec_kernel = 1;
    run_grids(run);
    exec_kernel = 0;
    exec_count_goes_on();
    exec_set_light(run, false);
    if (before.state == EXEC_FAULT) { /* told already */
        before.nested = run->pub.nested;
        run->pub = before;
    }
}

/* A run that is over, whose stores are still in memory: most are published before anybody looks. */
bool exec_settles_later;
static Run *unsettled;

void exec_settle(const ExecRun *but)
{
    if (!unsettled || &unsettled->pub == but) return;
    footprint_settle(&unsettled->footprint);
    unsettled = NULL;
}

void exec_settle_for_host(void)
{
    if (unsettled && !footprint_on_device(&unsettled->footprint)) exec_settle(NULL);
}

/* A store of a block without hooks lies on a page of some block, and in none. */
static void look_wild(Run *run)
{
    char what[160];
    uintptr_t at = run->footprint.wild;
    if (!at || run->pub.state != EXEC_DONE) return;
    fault_pc = NULL;
    fault_site = (TraceSite){0};
    run->pub.state = EXEC_FAULT;
    run->pub.fault_code = EXEC_ILLEGAL_ADDRESS;
    snprintf(run->pub.fault_text, sizeof run->pub.fault_text,
             "illegal write at %#lx: %s (in one of the blocks that are not checked access by "
             "access: " BUDGET_WHOLE " says in which line)",
             (unsigned long)at,
             host_describe_address((const void *)at, what, sizeof what) ? what
                                                                        : "in no allocation");
}

static void go(Run *run)
{
    void *tls, *kept = NULL;
    size_t tls_bytes;
    bool was_waiting = run->pub.state == EXEC_WAITING;
    exec_settle(NULL);
    footprint_tls(&tls, &tls_bytes);
    if (waiting_runs && tls_bytes) {
        kept = exec_allocate(tls_bytes);
        memcpy(kept, tls, tls_bytes);
    }
    run->pub.state = EXEC_DONE;
    if (!was_waiting && inside_wanted(run->launch.name)) look_inside(run);
    footprint_enter(&run->footprint);
    uint64_t accesses = exec_accesses;
    footprint_keep(!was_waiting && hazard_wanted(HAZARD_GLOBAL_RACE));
    run->budget.never |= was_waiting;
    begin_budget(run);
    exec_kernel = 1;
    run_grids(run);
    exec_kernel = 0;
    end_budget(run);
    touch_tell();
    accesses = exec_accesses - accesses;
    if (!was_waiting && race_wants_again()) go_again(run);
    exec_report_mute(false);
    race_end();
    footprint_keep(false);
    run->pub.accesses += accesses;
    if (run->pub.state == EXEC_FAULT) schedule_abandon(run);
    else if (run->suspended || run->next_block < run->blocks) /* or no stacks are left to begin on
                                                               */
        run->pub.state = EXEC_WAITING;
    bool later = exec_settles_later && run->pub.state == EXEC_DONE;
    footprint_leave(&run->footprint, later);
    if (later) unsettled = run;
    look_wild(run);
    exec_report_end();
    shared_end_run();
    cluster_end_run();
    exec_run = NULL;
    if (kept) footprint_tls_bring(kept);
    free(kept);
    waiting_runs += (run->pub.state == EXEC_WAITING) - was_waiting;
    run->pub.block_ns = run->longest_ns;
    depend_stops(run);
    if (run->pub.state == EXEC_WAITING) return;
    footprint_count(&run->footprint, &run->pub.bytes_read, &run->pub.bytes_written);
    if (run->pub.state == EXEC_FAULT) {
        exec_settle(NULL);
        footprint_free(&run->footprint); /* what it held back never happens */
        find_site(run);
    }
}

/* The order of blocks: with a step that has no divisor in common with their number, each gets its
 * turn once. */
static void order_blocks(Run *run, uint64_t order)
{
    uint64_t a, b, clusters = run->blocks / cluster_blocks(run);
    run->block_step = 1;
    if (!order || run->blocks < 2) return;
    run->block_first = order % clusters;
    run->block_step = (order >> 24) % clusters;
    do {
        a = ++run->block_step;
        for (b = clusters; b;) {
            uint64_t rest = a % b;
            a = b;
            b = rest;
        }
    } while (a != 1);
}

ExecRun *exec_start(const ExecLaunch *launch, const ExecClock *clock)
{
    Run *run = exec_allocate(sizeof *run);
    *run = (Run){.launch = *launch, .clock = *clock};
    run->footprint.device = launch->device;
    run->suspended_tail = &run->suspended;
    run->blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    order_blocks(run, launch->order);
    if (!run->clock.read_ns) run->clock.read_ns = 1;
    if (!run->clock.sm_count) run->clock.sm_count = 1;
    if (!(run->clock.sm_clock_ghz > 0)) run->clock.sm_clock_ghz = 1;
    footprint_init();
    schedule_init();
    uint64_t threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
    if (threads == 0 || threads > 1024 || launch->shared_bytes > THREELANE_DYNAMIC_SHARED) {
        run->pub.state = EXEC_FAULT;
        run->pub.fault_code = 9;
        snprintf(run->pub.fault_text, sizeof run->pub.fault_text,
                 "a block of %llu threads and %zu bytes of dynamic "
                 "shared memory cannot run",
                 (unsigned long long)threads, launch->shared_bytes);
        return &run->pub;
    }
    install_traps();
    clock_new_run(run);
    depend_new_run(run);
    if (exec_apart &&
        exec_apart(&run->launch, &run->clock, &run->pub, &run->footprint, NULL, NULL)) {
        if (run->pub.state == EXEC_FAULT) footprint_free(&run->footprint);
        run->apart = run->pub.state == EXEC_WAITING;
        return &run->pub;
    }
    go(run);
    return &run->pub;
}

static bool resume_apart(Run *run)
{
    if (!run->depended) return false;
    exec_apart(&run->launch, &run->clock, &run->pub, &run->footprint, &run->over_ns, run->early);
    run->apart = false;
    run->waited = run->pub.state == EXEC_DONE && run->pub.depended_ns != UINT64_MAX;
    if (run->pub.state == EXEC_FAULT) footprint_free(&run->footprint);
    return true;
}

bool exec_resume(ExecRun *pub, uint64_t now_ns)
{
    Run *run = (Run *)pub;
    if (pub->state != EXEC_WAITING) return false;
    if (run->apart) return resume_apart(run);
    uint64_t local = now_ns > run->clock.start_ns ? now_ns - run->clock.start_ns : 0,
             longest = run->longest_ns;
    run->patient = exec_alone && now_ns <= run->resumed_at; /* asked again at the same time */
    if (exec_alone) run->resumed_at = now_ns;
    uint64_t steps = run->steps;
    clock_resumed(run, local);
    go(run);
    bool moved = run->steps != steps || pub->state != EXEC_WAITING ||
                 (pub->clock_driven && run->longest_ns > (longest > local ? longest : local));
    if (moved) {
        pub->waited_until_ns = local;
        if (local > pub->block_ns) pub->block_ns = run->longest_ns = local;
    }
    return moved;
}

static void print_out(Run *run)
{
    if (run->out_length) fwrite(run->out, 1, run->out_length, stdout);
    run->out_length = 0;
}

const Footprint *exec_footprint(const ExecRun *pub)
{
    exec_settle(NULL);
    return &((const Run *)pub)->footprint;
}

void exec_touched(const ExecRun *pub, HazardBytes sets[HAZARD_TOUCHES])
{
    const Run *run = (const Run *)pub;
    footprint_sets(&run->footprint, run->launch.device, sets);
}

void exec_elsewhere(const ExecRun *pub,
                    void (*tell)(void *arg, uintptr_t first, uint64_t read, uint64_t written),
                    void *arg)
{
    footprint_elsewhere(&((const Run *)pub)->footprint, tell, arg);
}

void exec_publish(ExecRun *pub)
{
    Run *run = (Run *)pub;
    print_out(run);
    footprint_publish(&run->footprint);
    if (unsettled == run) unsettled = NULL;
}

void exec_free(ExecRun *pub)
{
    Run *run = (Run *)pub;
    if (!run) return;
    print_out(run);
    if (unsettled == run) exec_settle(NULL);
    if (pub->state == EXEC_WAITING && !run->apart) {
        schedule_abandon(run);
        waiting_runs--;
    }
    nested_over(run);
    if (run->pub.nested) exec_nested->forget(&run->pub);
    footprint_free(&run->footprint);
    cluster_free(run);
    for (int i = 0; i < HAZARD_TOUCHES; i++) bytes_release(&run->early[i]);
    if (run->launch.destroy) run->launch.destroy(run->launch.closure);
    free(run->out);
    free(run->site_file);
    inside_free(run->pub.inside);
    free(run);
}

ExecRun *exec_stop(void)
{
    Run *run = exec_run;
    if (!run) return NULL;
    exec_set_light(run, false);
    footprint_leave(&run->footprint, false);
    exec_kernel = 0;
    exec_run = NULL;
    return &run->pub;
}

/* exec_in_kernel under a name that programs can link with: tlcc writes calls of it. */
bool threelane_in_kernel(void);
bool threelane_in_kernel(void) { return exec_run != NULL; }
const ExecLaunch *exec_current(void) { return exec_run ? &exec_run->launch : NULL; }

/* Held-back stores are in their kernels' logs, not in memory: a copy writes beneath them by
 * itself. */
void exec_copy(void *to, const void *from, size_t bytes) { memmove(to, from, bytes); }
void exec_set(void *to, uint32_t value, unsigned element, size_t bytes)
{
    if (element == 1) memset(to, (int)value, bytes);
    else
        for (size_t at = 0; at < bytes; at += element)
            memcpy((char *)to + at, &value, element); /* its low bytes come first */
}
