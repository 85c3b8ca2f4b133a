/* graph_alloc.h - nodes that allocate and free (graph_memory.h), made by hand and captured. */
#ifndef THREELANE_GRAPH_ALLOC_H
#define THREELANE_GRAPH_ALLOC_H
#include "sim/graph/graph.h"

/* May a node of the graph free what is at this address? */
cudaError_t graph_may_free(const Graph *, const void *address);
/* What a node that has just been made does; the address is written into its parameters and into
 * these. */
cudaError_t graph_node_allocates(Call *, GraphNode *, struct cudaMemAllocNodeParamsV2 *);
void graph_node_frees(const Call *, GraphNode *, void *address);

/* cudaMallocAsync and cudaFreeAsync in a stream that is captured. */
cudaError_t capture_alloc(Call *, const Stream *, void **to, size_t bytes);
cudaError_t capture_free(Call *, const Stream *, void *address);
#endif
