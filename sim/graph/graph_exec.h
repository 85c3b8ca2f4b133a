/* graph_exec.h - executable graphs: a graph as it was when it was instantiated, and launching it.
 *
 * A launch is an operation of its stream (TRACE_GRAPH) that lasts from where its first nodes may
 * begin until its last one has ended; its nodes stand in no stream. Two launches of one executable
 * graph never run at once: the second waits for the first, whatever streams they are in.
 */
#ifndef THREELANE_GRAPH_EXEC_H
#define THREELANE_GRAPH_EXEC_H
#include "sim/graph/graph.h"

typedef struct GraphExec {
    uint32_t id;  /* the handle's number */
    Graph *graph; /* its own */
    unsigned long long flags;
    EngineOp last;         /* its latest launch; 0: none */
    Call call;             /* the call that launched it then */
    GraphBacking *backing; /* what its latest launch allocates from */
    bool uploaded;         /* launched before, or uploaded */
    bool gone;             /* destroyed, while a launch of it had not ended */
    TraceSite made;
    struct GraphExec *next;
} GraphExec;

/* What is wrong with a graph that cannot be instantiated. */
typedef struct GraphFault {
    cudaGraphInstantiateResult result;
    const GraphNode *node;
    bool out_of_reach; /* it sets memory that its device does not reach */
} GraphFault;

/* NULL: see fault; where that is success, memory is short. */
GraphExec *graph_exec_new(Call *, const Graph *, unsigned long long flags, GraphFault *fault);
void graph_exec_destroy(GraphExec *, TraceSite);
cudaGraphExec_t graph_exec_handle(const GraphExec *);
GraphExec *graph_exec_find(const Call *, cudaGraphExec_t); /* NULL for a NULL handle */
void graph_execs_each(void (*visit)(const GraphExec *));   /* that the program has */

/* Into a stream that is not captured: call->op is the launch. */
cudaError_t graph_launch(Call *, GraphExec *, const Stream *);

/* Pinned and pageable memory are both the host's: a node may go from one to the other. */
bool graph_same_place(TraceMemory, TraceMemory);
/* The nodes of an executable graph take over what those of a graph of the same shape do. True: they
 * cannot, *info says why, and nothing is changed. */
bool graph_update(Graph *, const Graph *, cudaGraphExecUpdateResultInfo *info);
#endif
