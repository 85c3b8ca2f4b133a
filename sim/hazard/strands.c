#include "sim/hazard/strands.h"
#include <stdlib.h>
#include <string.h>

enum {
    LAUNCHES = 4096, /* are remembered: who depends on an older one has come after it long since */
    TICKS = 256      /* of an actor's time, for each node: see OP_TICKS */
};
#define RESERVED ((uint64_t)1 << 40) /* ticks for the nodes that a graph gets when it runs */

typedef struct Launch {
    uint32_t op, in, outermost; /* in: the one that it is a node of; 0: none */
    Clock *begin, *end;
    TraceSite launched;
    bool early;          /* some node begins early */
    bool late;           /* all its nodes are in one strand: */
    ClockPoint reserved; /* the last of that so far */
} Launch;

static Launch launches[LAUNCHES];

static Launch *launch_at(uint32_t op)
{
    Launch *launch = &launches[op % LAUNCHES];
    return op && launch->op == op ? launch : NULL;
}

/* Takes over the clocks. */
static Launch *launch_new(uint32_t op, uint32_t in, uint32_t outermost, Clock *begin, Clock *end,
                          TraceSite site)
{
    Launch *launch = &launches[op % LAUNCHES];
    clock_release(launch->begin);
    clock_release(launch->end);
    *launch = (Launch){.op = op,
                       .in = in,
                       .outermost = outermost,
                       .begin = begin,
                       .end = end,
                       .launched = site};
    return launch;
}

static void learn(Clock **slot, Clock *more)
{
    Clock *all = clock_join(*slot, more);
    clock_release(*slot);
    *slot = all;
}

void strands_launch(Strands *s, uint32_t op, Clock *clock, TraceSite site)
{
    launch_new(op, 0, op, clock_ref(clock), clock_ref(clock), site);
    for (uint32_t i = 0; i < s->n_places; i++) clock_release(s->places[i].clock);
    s->n_places = 0;
    s->free_from = 0;
    s->launch = op;
}

static struct StrandPlace *place_at(const Strands *s, uint32_t op)
{
    uint32_t at = op - s->launch;
    return op > s->launch && at < s->n_places && s->places[at].strand ? &s->places[at] : NULL;
}

static bool grow(void **array, uint32_t *room, uint32_t wanted, size_t item)
{
    uint32_t more = *room ? *room : 32;
    if (wanted <= *room) return true;
    while (more < wanted) more *= 2;
    void *grown = realloc(*array, more * item);
    if (!grown) return false;
    *array = grown;
    *room = more;
    return true;
}

/* The strand of one that it depends on, if nothing else has gone on with it; else one that this
 * launch has not used. 0: memory is short. */
static uint32_t choose(Strands *s, const uint32_t *after, int n_after, uint32_t *n_actors)
{
    for (int i = 0; i < n_after; i++) {
        const struct StrandPlace *place = place_at(s, after[i]);
        if (place && s->items[place->strand - 1].op == after[i] &&
            s->items[place->strand - 1].launch == s->launch)
            return place->strand;
    }
    while (s->free_from < s->n && s->items[s->free_from].launch == s->launch) s->free_from++;
    if (s->free_from == s->n) {
        if (!grow((void **)&s->items, &s->room, s->n + 1, sizeof *s->items)) return 0;
        s->items[s->n++] = (Strand){.actor = (*n_actors)++};
    }
    return s->free_from + 1;
}

/* Where the node's clock is kept for those that depend on it. */
static void remember(Strands *s, uint32_t op, uint32_t strand, Clock *clock)
{
    uint32_t at = op - s->launch;
    if (op <= s->launch || !grow((void **)&s->places, &s->room_places, at + 1, sizeof *s->places))
        return;
    while (s->n_places <= at) s->places[s->n_places++] = (struct StrandPlace){NULL, 0};
    s->places[at] = (struct StrandPlace){clock_ref(clock), strand};
}

static bool node_in_time(Strands *s, uint32_t op, const uint32_t *after, int n_after,
                         uint32_t *n_actors, StrandNode *node)
{
    uint32_t chosen = choose(s, after, n_after, n_actors);
    if (!chosen) return false;

    Strand *strand = &s->items[chosen - 1];
    strand->launch = s->launch;
    strand->op = op;
    node->point = (ClockPoint){strand->actor, strand->time += TICKS};
    node->clock = clock_make(node->before, NULL, node->point, node->point);
    remember(s, op, chosen, node->clock);
    return node->clock != NULL;
}

bool strands_node(Strands *s, uint32_t op, uint32_t of, const uint32_t *after, int n_after,
                  Clock *more, uint32_t *n_actors, StrandNode *node)
{
    Launch *launch = launch_at(of);
    if (!launch) return false;

    *node = (StrandNode){.before = clock_ref(launch->begin),
                         .in = of,
                         .launch = launch->outermost,
                         .launched = launch->launched,
                         .late = launch->late};
    for (int i = 0; i < n_after; i++) {
        const struct StrandPlace *place = place_at(s, after[i]);
        Clock *known = strands_end(after[i]);
        learn(&node->before, known ? known : place ? place->clock : NULL);
    }
    if (more) learn(&node->before, more);
    if (launch->late) {
        node->point = launch->reserved;
        node->point.time = launch->reserved.time += TICKS;
        node->clock = clock_make(node->before, NULL, node->point, node->point);
        return node->clock != NULL;
    }
    if (!node_in_time(s, op, after, n_after, n_actors, node)) {
        clock_release(node->before);
        return false;
    }
    for (Launch *in = launch; in; in = launch_at(in->in)) learn(&in->end, node->clock);

    return true;
}

void strands_inner(Strands *s, uint32_t op, const StrandNode *node, bool opens)
{
    Launch *launch = launch_new(op, node->in, node->launch, clock_ref(node->clock),
                                clock_ref(node->clock), node->launched);
    struct StrandPlace *place = place_at(s, op);
    launch->late = opens || node->late;
    if (!launch->late) return;

    launch->reserved = node->point;
    if (!opens || node->late || !place) return;
    Strand *strand = &s->items[place->strand - 1];
    strand->time += RESERVED;
    ClockPoint last = {strand->actor, strand->time};
    Clock *end = clock_make(launch->end, NULL, last, last);
    clock_release(launch->end);
    launch->end = end;
    for (Launch *in = launch_at(launch->in); in && end; in = launch_at(in->in))
        learn(&in->end, end);
}

void strands_begins_early(uint32_t launch)
{
    if (launch_at(launch)) launch_at(launch)->early = true;
}

bool strands_early(uint32_t launch) { return launch_at(launch) && launch_at(launch)->early; }

Clock *strands_end(uint32_t op)
{
    const Launch *launch = launch_at(op);
    return launch ? launch->end : NULL;
}
