/* dependent.c - launches that begin before the kernels they depend on have ended: who lets them
 * begin, and what they wait for.
 *
 * A block triggers when the first of its threads says so; the kernel, when each of its blocks has
 * triggered or ended. A trigger publishes nothing. A thread of an early launch that synchronizes
 * stops, whether what it depends on has ended or not: so that what the kernel touches before is
 * known apart from what it touches after, in every schedule. Blocks that begin when that is over
 * (more threads than there are fibers for) do not stop, and what they touch counts as after.
 */
#include <string.h>
#include "sim/exec/exec_internal.h"

void depend_new_run(Run *run)
{
    run->settled = 0;
    run->trigger_accesses = 0;
    run->pub.held_ns = 0;
    run->pub.triggers = run->pub.all_triggered = false;
    run->pub.triggered_ns = 0;
    run->pub.depended_ns = UINT64_MAX;
}

void depend_new_block(void)
{
    exec_block->triggered = false;
    exec_block->longest_ns = 0;
    exec_block->accesses = exec_count_accesses();
}

static void settled(uint64_t local_ns)
{
    Run *run = exec_run;
    __atomic_fetch_add(&run->settled, 1, __ATOMIC_RELAXED);
    if (local_ns > run->pub.triggered_ns) run->pub.triggered_ns = local_ns;
}

/* Of blocks that this OS thread has run beside others. */
static _Thread_local uint64_t spread_settled, spread_accesses;

void depend_spread_over(Run *run)
{
    __atomic_fetch_add(&run->settled, spread_settled, __ATOMIC_RELAXED);
    __atomic_fetch_add(&run->spread_accesses, spread_accesses, __ATOMIC_RELAXED);
    spread_settled = spread_accesses = 0;
}

void depend_block_over(void)
{
    if (exec_block->triggered) return;
    if (exec_order == EXEC_SPREAD && !exec_block->ordered) { /* it has no time of its own, then */
        spread_accesses += exec_count_accesses() - exec_block->accesses;
        spread_settled++;
        return;
    }
    exec_run->trigger_accesses += (double)(exec_count_accesses() - exec_block->accesses);
    settled(exec_block->longest_ns);
}

void threelane_trigger(void)
{
    if (!exec_run || exec_block->triggered) return;
    exec_in_order();
    Block *b = exec_block;
    double accesses = (double)(exec_count_accesses() - b->accesses);
    /* threads run one after the other up to a barrier: the first one was alone */
    if (!b->fibers && threelane_rank() == 0) accesses *= b->total;
    b->triggered = true;
    exec_run->pub.triggers = true;
    exec_run->trigger_accesses += accesses;
    settled(exec_local_ns(threelane_rank()));
}

void threelane_depend(const char *file, int line)
{
    Run *run = exec_run;
    if (!run || !run->launch.early) return;
    if (!run->depended) {
        schedule_depend(file, line);
        return;
    }
    run->waited = true;
    uint64_t now = exec_local_ns(threelane_rank());
    if (now < run->pub.depended_ns) run->pub.depended_ns = now;
}

void depend_stops(Run *run)
{
    ExecRun *pub = &run->pub;
    double accesses = (double)pub->accesses;
    run->trigger_accesses += (double)run->spread_accesses;
    run->spread_accesses = 0;
    pub->all_triggered = run->settled == run->blocks;
    pub->triggered_part = accesses > 0 ? run->trigger_accesses / accesses : 0;
    if (pub->triggered_part > 1) pub->triggered_part = 1;
    pub->depended_part = accesses > 0 ? (double)run->early_accesses / accesses : 0;
    pub->held = pub->state == EXEC_WAITING && run->suspended;
    for (const Block *b = run->suspended; b; b = b->next)
        if (!b->n_depend || b->n_polling) pub->held = false;
}

void exec_depend(ExecRun *pub, uint64_t now_ns)
{
    Run *run = (Run *)pub;
    if (run->depended) return;
    if (run->apart) {
        run->depended = true;
        run->over_ns = now_ns;
        return;
    }
    if (hazard_on) footprint_sets(&run->footprint, run->launch.device, run->early);
    run->early_accesses = pub->accesses;
    run->depended = true;
    run->waited =
        schedule_depended(run, now_ns > run->clock.start_ns ? now_ns - run->clock.start_ns : 0);
}

bool exec_touched_early(ExecRun *pub, HazardBytes sets[HAZARD_TOUCHES])
{
    Run *run = (Run *)pub;
    if (!run->waited) return false;
    memcpy(sets, run->early, sizeof run->early);
    memset(run->early, 0, sizeof run->early);
    return true;
}
