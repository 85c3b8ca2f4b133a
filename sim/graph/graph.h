/* graph.h - graphs: nodes, and the edges that order them.
 *
 * A node is what a call of the same purpose would put into a stream, kept (operation.h), and its
 * parameters as the program knows them. Nothing in a graph happens until an executable graph, which
 * is made from it and owns a copy of its own, is launched (graph_exec.h, graph_launch.h).
 *
 * Ownership: a graph owns its nodes, a node its operation, its arguments, and the graphs inside it
 * (a child, the bodies of a condition). Handles are numbers (handle.h): graph_find and graph_node
 * end the program for one that is gone, with what and where.
 */
#ifndef THREELANE_GRAPH_H
#define THREELANE_GRAPH_H
#include "sim/graph/graph_memory.h"
#include "sim/graph/user_object.h"
#include "sim/runtime/call.h"
#include "sim/runtime/operation.h"

typedef struct Graph Graph;
typedef struct GraphNode GraphNode;

typedef struct GraphEdge {
    GraphNode *node;
    cudaGraphEdgeData data;
} GraphEdge;
typedef struct GraphEdges {
    GraphEdge *items;
    uint32_t n, room;
} GraphEdges;

typedef struct OpList {
    EngineOp *items;
    uint32_t n, room;
} OpList;

struct GraphNode {
    uint32_t id; /* the handle's number */
    Graph *graph;
    GraphNode *next;                   /* in the order in which they were made */
    TraceSite site;                    /* where */
    struct cudaGraphNodeParams params; /* arguments of kernels: those of the operation */
    Operation operation;               /* kept; of kinds that are none: nothing */
    int device;
    bool captured; /* out of a stream, and so with what the stream's device may */
    GraphEdges before, behind;
    GraphMemory *memory; /* that it allocates or frees */
    Graph **inside;      /* a child; the bodies of a condition */
    uint32_t n_inside;
    cudaGraph_t *given; /* their handles, for phGraph_out */
    uint32_t source;    /* in a copy: the node that it is one of */

    /* in an executable graph */
    bool disabled;
    uint32_t rank; /* in the order of launching */
    EngineOp op;   /* of this launch: what it is; 0: nothing, the lists stand for it */
    OpList ends;   /* what has to have ended so that it has */
    OpList begun;  /* what has to have begun */
    OpList early;  /* what has to have triggered */
};

struct Graph {
    uint32_t id; /* the handle's number */
    GraphNode *nodes, **end;
    uint32_t n_nodes;
    GraphNode *owner; /* it is inside that node; NULL: it is the program's own */
    bool executable;  /* it belongs to an executable graph */
    bool capturing;   /* a capture adds to it */
    uint32_t source;  /* in a copy: the graph that it is one of */
    TraceSite made;
    GraphObject *objects;
    GraphNode **order; /* of an executable one: of launching */
};

Graph *graph_new(TraceSite made); /* NULL when memory is short */
void graph_free(Graph *, TraceSite gone);
cudaGraph_t graph_handle(const Graph *);
cudaGraphNode_t graph_node_handle(const GraphNode *);
/* What a handle means in this call; NULL for a NULL handle. */
Graph *graph_find(const Call *, cudaGraph_t);
GraphNode *graph_node(const Call *, cudaGraphNode_t);

/* A new node behind others; takes over the operation (NULL: it has none). NULL when memory is
 * short. */
GraphNode *graph_add(Graph *, const struct cudaGraphNodeParams *, Operation *, TraceSite);
void graph_remove(GraphNode *, TraceSite gone);
/* Instead of the operation that it had. */
void graph_node_set(GraphNode *, const struct cudaGraphNodeParams *, Operation *);

/* What another node does, which stays as it is. False: memory is short. */
bool graph_node_take(GraphNode *, GraphNode *from);

/* An edge, and one less. False: memory is short; there was none. */
bool graph_link(GraphNode *from, GraphNode *to, const cudaGraphEdgeData *);
bool graph_unlink(GraphNode *from, GraphNode *to, const cudaGraphEdgeData *);
const GraphEdge *graph_edge(const GraphNode *from, const GraphNode *to);
bool edges_add(GraphEdges *, GraphNode *, const cudaGraphEdgeData *); /* once for each node */
/* Does a node come after another, or is it the same? */
bool graph_reaches(const GraphNode *from, const GraphNode *to);

/* A copy, whose nodes know by `source` which they are copies of. NULL when memory is short. */
Graph *graph_copy(const Graph *, bool executable, TraceSite);
/* The copy of a node in a copy of its graph, or inside it; NULL: none. */
GraphNode *graph_copy_of(const Graph *copy, uint32_t node);
/* Its nodes, each behind those that it depends on; free() it. NULL: there is a circle, or no memory
 * (circle tells). */
GraphNode **graph_order(const Graph *, bool *circle);

/* Calls visit for the nodes of a graph and of those inside it, until it returns true: that one. */
GraphNode *graph_search(const Graph *, bool (*visit)(const GraphNode *, const void *),
                        const void *);
#endif
