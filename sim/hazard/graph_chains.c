#include "sim/hazard/graph_chains.h"
#include <stdlib.h>
#include <string.h>

enum {
    LAUNCHES = 4096, /* are remembered: who depends on an older one has come after it long since */
    NEAR = 8,        /* places that one may have */
    TICKS = 256      /* of an actor's time, for each node: see OP_TICKS */
};

/* A node of a graph whose nodes come late. */
typedef struct LateNode {
    uint32_t op;
    Clock *clock;
} LateNode;

typedef struct Launch {
    uint32_t op, in, outermost; /* in: the one that it is a node of; 0: none */
    Clock *begin, *end;
    TraceSite launched;
    bool early; /* some node begins early */
    bool late;  /* its nodes come when it runs */
    bool opens; /* ... one graph after the other: */
    ClockPoint gate;
    Clock *so_far; /* what its graphs have done */
    LateNode *nodes;
    uint32_t n_nodes, room_nodes;
} Launch;

static Launch launches[LAUNCHES];

static Launch *launch_at(uint32_t op)
{
    for (uint32_t i = 0; op && i < NEAR; i++)
        if (launches[(op + i) % LAUNCHES].op == op) return &launches[(op + i) % LAUNCHES];
    return NULL;
}

static bool is_around(uint32_t op, uint32_t in)
{
    for (const Launch *l = launch_at(in); l; l = launch_at(l->in))
        if (l->op == op) return true;
    return false;
}

/* Where the oldest one is that the new one is not inside of. */
static Launch *launch_place(uint32_t op, uint32_t in)
{
    Launch *best = NULL;
    for (uint32_t i = 0; i < NEAR; i++) {
        Launch *place = &launches[(op + i) % LAUNCHES];
        if ((!best || place->op < best->op) && !(place->op && is_around(place->op, in)))
            best = place;
    }
    return best ? best : &launches[op % LAUNCHES];
}

/* Takes over the clocks. */
static Launch *launch_new(uint32_t op, uint32_t in, uint32_t outermost, Clock *begin, Clock *end,
                          TraceSite site)
{
    Launch *launch = launch_place(op, in);
    clock_release(launch->begin);
    clock_release(launch->end);
    clock_release(launch->so_far);
    for (uint32_t i = 0; i < launch->n_nodes; i++) clock_release(launch->nodes[i].clock);
    *launch = (Launch){.op = op,
                       .in = in,
                       .outermost = outermost,
                       .begin = begin,
                       .end = end,
                       .launched = site,
                       .nodes = launch->nodes,
                       .room_nodes = launch->room_nodes};
    return launch;
}

static void learn(Clock **slot, Clock *more)
{
    Clock *all = clock_join(*slot, more);
    clock_release(*slot);
    *slot = all;
}

void graph_chains_launch(GraphChains *s, uint32_t op, Clock *clock, TraceSite site)
{
    launch_new(op, 0, op, clock_ref(clock), clock_ref(clock), site);
    for (uint32_t i = 0; i < s->n_places; i++) clock_release(s->places[i].clock);
    s->n_places = 0;
    s->free_from = 0;
    s->launch = op;
}

static struct GraphChainPlace *place_at(const GraphChains *s, uint32_t op)
{
    uint32_t at = op - s->launch;
    return op > s->launch && at < s->n_places && s->places[at].chain ? &s->places[at] : NULL;
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

/* The chain of one that it depends on, if nothing else has gone on with it; else one that this
 * launch has not used. 0: memory is short. */
static uint32_t choose(GraphChains *s, const uint32_t *after, int n_after, uint32_t *n_actors)
{
    for (int i = 0; i < n_after; i++) {
        const struct GraphChainPlace *place = place_at(s, after[i]);
        if (place && s->items[place->chain - 1].op == after[i] &&
            s->items[place->chain - 1].launch == s->launch)
            return place->chain;
    }
    while (s->free_from < s->n && s->items[s->free_from].launch == s->launch) s->free_from++;
    if (s->free_from == s->n) {
        if (!grow((void **)&s->items, &s->room, s->n + 1, sizeof *s->items)) return 0;
        s->items[s->n++] = (GraphChain){.actor = (*n_actors)++};
    }
    return s->free_from + 1;
}

/* Where the node's clock is kept for those that depend on it. */
static void remember(GraphChains *s, uint32_t op, uint32_t chain, Clock *clock)
{
    uint32_t at = op - s->launch;
    if (op <= s->launch || !grow((void **)&s->places, &s->room_places, at + 1, sizeof *s->places))
        return;
    while (s->n_places <= at) s->places[s->n_places++] = (struct GraphChainPlace){NULL, 0};
    s->places[at] = (struct GraphChainPlace){clock_ref(clock), chain};
}

static bool node_in_time(GraphChains *s, uint32_t op, const uint32_t *after, int n_after,
                         uint32_t *n_actors, GraphChainNode *node)
{
    uint32_t chosen = choose(s, after, n_after, n_actors);
    if (!chosen) return false;

    GraphChain *chain = &s->items[chosen - 1];
    chain->launch = s->launch;
    chain->op = op;
    node->point = (ClockPoint){chain->actor, chain->time += TICKS};
    node->clock = clock_make(node->before, NULL, node->point, node->point);
    remember(s, op, chosen, node->clock);
    return node->clock != NULL;
}

/* A chain whose last node this one comes after goes on with it. */
static bool node_late(GraphChains *s, uint32_t op, Launch *launch, GraphChainKnows *knows,
                      uint32_t *n_actors, GraphChainNode *node)
{
    uint32_t chosen = 0;
    if (!grow((void **)&s->late, &s->room_late, s->n_late + 1, sizeof *s->late) ||
        !grow((void **)&launch->nodes, &launch->room_nodes, launch->n_nodes + 1,
              sizeof *launch->nodes))
        return false;
    while (chosen < s->n_late && !knows(node->before, s->late[chosen])) chosen++;
    if (chosen == s->n_late) s->late[s->n_late++] = (ClockPoint){(*n_actors)++, 0};

    node->point = s->late[chosen];
    node->point.time = s->late[chosen].time += TICKS;
    node->clock = clock_make(node->before, NULL, node->point, node->point);
    if (!node->clock) return false;
    launch->nodes[launch->n_nodes++] = (LateNode){op, clock_ref(node->clock)};
    return true;
}

/* What a node before this one did and came after; NULL: it is not known. */
static Clock *clock_before(const GraphChains *s, const Launch *launch, uint32_t op)
{
    const struct GraphChainPlace *place = launch->late ? NULL : place_at(s, op);
    Clock *end = graph_chains_end(op);
    if (end || place) return end ? end : place->clock;
    for (uint32_t i = launch->n_nodes; i-- > 0;)
        if (launch->nodes[i].op == op) return launch->nodes[i].clock;
    return NULL;
}

/* What comes after the graphs around knows this. */
static void end_with(Launch *launch, Clock *clock)
{
    for (; launch && clock; launch = launch_at(launch->in)) {
        learn(&launch->end, clock);
        if (launch->opens) learn(&launch->so_far, clock);
    }
}

bool graph_chains_node(GraphChains *s, uint32_t op, uint32_t of, const uint32_t *after, int n_after,
                       Clock *more, GraphChainKnows *knows, uint32_t *n_actors,
                       GraphChainNode *node)
{
    Launch *launch = launch_at(of);
    if (!launch) return false;

    *node = (GraphChainNode){.before = clock_ref(launch->begin),
                             .in = of,
                             .launch = launch->outermost,
                             .launched = launch->launched,
                             .late = launch->late};
    for (int i = 0; i < n_after; i++) learn(&node->before, clock_before(s, launch, after[i]));
    if (launch->so_far) learn(&node->before, launch->so_far);
    if (more) learn(&node->before, more);
    if (!(launch->late ? node_late(s, op, launch, knows, n_actors, node)
                       : node_in_time(s, op, after, n_after, n_actors, node))) {
        clock_release(node->before);
        return false;
    }
    end_with(launch, node->clock);

    return true;
}

/* The next point of the node's chain. */
static ClockPoint point_behind(GraphChains *s, uint32_t op, const GraphChainNode *node)
{
    const struct GraphChainPlace *place = node->late ? NULL : place_at(s, op);
    uint64_t *time = place ? &s->items[place->chain - 1].time : NULL;
    for (uint32_t i = 0; i < s->n_late && node->late; i++)
        if (s->late[i].actor == node->point.actor) time = &s->late[i].time;
    if (!time) return node->point;
    return (ClockPoint){node->point.actor, *time += TICKS};
}

void graph_chains_inner(GraphChains *s, uint32_t op, const GraphChainNode *node, bool opens)
{
    Launch *launch = launch_new(op, node->in, node->launch, clock_ref(node->clock),
                                clock_ref(node->clock), node->launched);
    launch->late = opens || node->late;
    launch->opens = opens;
    if (!opens) return;

    launch->gate = point_behind(s, op, node);
    Clock *end = clock_make(launch->end, NULL, launch->gate, launch->gate);
    clock_release(launch->end);
    launch->end = end;
    end_with(launch_at(launch->in), end);
}

void graph_chains_gates(uint32_t of, void (*told)(ClockPoint gate, Clock *), Clock *clock)
{
    for (const Launch *launch = launch_at(of); launch; launch = launch_at(launch->in))
        if (launch->opens) told(launch->gate, clock);
}

void graph_chains_begins_early(uint32_t launch)
{
    if (launch_at(launch)) launch_at(launch)->early = true;
}

bool graph_chains_early(uint32_t launch) { return launch_at(launch) && launch_at(launch)->early; }

Clock *graph_chains_end(uint32_t op)
{
    const Launch *launch = launch_at(op);
    return launch ? launch->end : NULL;
}
