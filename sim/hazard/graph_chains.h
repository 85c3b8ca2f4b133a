/* graph_chains.h - the order of a graph's nodes: which clock each has, of which actor (clock.h).
 *
 * A stream's operations are in order, so that one actor counts them all. The nodes of a graph are
 * in order only along its edges: a launch divides them into chains, in which each node
 * depends on the one before, and a chain is an actor. A stream keeps its chains from launch to
 * launch, since each launch in it comes after the one before.
 *
 * A graph inside a graph begins with what it depends on, and its nodes belong to the same chains.
 * Where the nodes are known only when it runs (a condition), they come late: what depends on it has
 * long been told that it comes after all of them. That knows a gate, a point that stands for the
 * end of them all, and is to learn what is behind the gate; the nodes have chains of their own,
 * of which one goes on with another's wherever it comes after that. Pure.
 */
#ifndef THREELANE_GRAPH_CHAINS_H
#define THREELANE_GRAPH_CHAINS_H
#include "sim/hazard/clock.h"
#include "timeline/trace/trace.h"

typedef struct GraphChain {
    uint32_t actor;
    uint64_t time;
    uint32_t launch, op; /* the launch that used it last, and its latest node in there */
} GraphChain;

typedef struct GraphChains { /* {0}: none yet */
    GraphChain *items;
    uint32_t n, room, free_from; /* before that all belong to the launch */
    uint32_t launch;
    struct GraphChainPlace {
        Clock *clock;   /* of a node of the launch: what it comes after, and that */
        uint32_t chain; /* from 1 */
    } * places;         /* by op, from the launch on */
    uint32_t n_places, room_places;
    ClockPoint *late; /* of nodes that come late: the last point of each chain */
    uint32_t n_late, room_late;
} GraphChains;

/* A launch begins: `clock` is what it comes after, itself included. What it is told of its nodes
 * makes its end. */
void graph_chains_launch(GraphChains *, uint32_t op, Clock *clock, TraceSite);

typedef struct GraphChainNode {
    ClockPoint point;
    Clock *before, *clock; /* without and with itself; the caller's */
    uint32_t in, launch;   /* whose node it is, and the outermost */
    TraceSite launched;
    bool late; /* it belongs to a graph whose nodes were not known when it was launched */
} GraphChainNode;

/* Does somebody who knows this come after the point? More is known of that than the clock says:
 * what is behind gates. */
typedef bool GraphChainKnows(const Clock *, ClockPoint);

/* A node of `of` (a launch, or a graph inside one), behind the nodes in `after`; it also learns
 * what `more` knows. A new actor gets the number *n_actors, which is raised. False: such a launch
 * is not known (any more), or memory is short. */
bool graph_chains_node(GraphChains *, uint32_t op, uint32_t of, const uint32_t *after, int n_after,
                       Clock *more, GraphChainKnows *, uint32_t *n_actors, GraphChainNode *);
/* The node is a graph with nodes of its own; opens: they come when it runs, those of one run after
 * those of the run before. */
void graph_chains_inner(GraphChains *, uint32_t op, const GraphChainNode *, bool opens);
/* The gates that a node of `of` is behind: calls told for each. */
void graph_chains_gates(uint32_t of, void (*told)(ClockPoint gate, Clock *), Clock *);
/* One of the nodes of an outermost launch begins before a node that it depends on has ended; is
 * there one so far? */
void graph_chains_begins_early(uint32_t launch);
bool graph_chains_early(uint32_t launch);
/* What comes after a launch, or after a graph inside one, knows this; NULL: it is not known.
 * Belongs to the launch. */
Clock *graph_chains_end(uint32_t op);
#endif
