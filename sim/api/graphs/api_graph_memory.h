/* api_graph_memory.h - memory of graphs in calls that are not about graphs. */
#ifndef THREELANE_API_GRAPH_MEMORY_H
#define THREELANE_API_GRAPH_MEMORY_H
#include "sim/api/api.h"
#include "sim/graph/graph.h"

/* cudaMallocAsync and cudaFreeAsync in a stream that is captured. */
cudaError_t graph_capture_alloc(Call *, const Stream *, void **to, size_t bytes);
cudaError_t graph_capture_free(Call *, const Stream *, void *address);
#endif
