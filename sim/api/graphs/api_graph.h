/* api_graph.h - what the calls of graphs share: lists of nodes as the program gives them, and the
 * operation that a node's parameters describe. */
#ifndef THREELANE_API_GRAPH_H
#define THREELANE_API_GRAPH_H
#include "sim/api/api.h"
#include "sim/graph/graph.h"

/* The nodes of a graph that a program lists, once each; data may be NULL. The list is the caller's
 * to free, whatever comes back. */
cudaError_t nodes_listed(const Call *, const Graph *, const cudaGraphNode_t *,
                         const cudaGraphEdgeData *data, size_t n, GraphEdges *);
bool edge_is_valid(const cudaGraphEdgeData *, const GraphNode *from, const GraphNode *to);

/* Is it a conditional node; does it allocate or free? For graph_search; the pointer is not used. */
bool node_is_conditional(const GraphNode *, const void *);
bool node_has_memory(const GraphNode *, const void *);

/* A kept operation that does what the parameters say; operation->kind TRACE_GRAPH: they have none.
 * Kinds: kernel, copy, set, host function, empty. */
cudaError_t describe_node(Call *, const struct cudaGraphNodeParams *, Operation *operation);

/* The same as CUDA's other structs for the same things. */
struct cudaGraphNodeParams params_of_kernel(const struct cudaKernelNodeParams *);
struct cudaGraphNodeParams params_of_copy(const struct cudaMemcpy3DParms *);
struct cudaGraphNodeParams params_of_flat(void *to, const void *from, size_t bytes,
                                          enum cudaMemcpyKind);
struct cudaGraphNodeParams params_of_set(const struct cudaMemsetParams *);
struct cudaGraphNodeParams params_of_function(const struct cudaHostNodeParams *);
/* A copy to or from a variable of the program's: its address instead, or what is wrong. */
cudaError_t symbol_place(const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind,
                         bool is_target, void **address);

/* Adds a node of these parameters behind others, of any kind; what CUDA says in them (a child's
 * graph, an allocation's address) is written into *params. */
cudaError_t add_node(Call *, cudaGraphNode_t *to, cudaGraph_t, const cudaGraphNode_t *after,
                     const cudaGraphEdgeData *data, size_t n, struct cudaGraphNodeParams *params);
/* Other parameters for a node: of a graph, or of an executable one (exec NULL: none). */
cudaError_t set_node(Call *, GraphNode *, const struct cudaGraphNodeParams *, bool executable);
#endif
