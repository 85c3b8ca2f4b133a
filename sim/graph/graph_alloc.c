#include "sim/graph/graph_alloc.h"
#include "sim/graph/capture.h"

/* Only what a graph allocates; once; and either in that graph or in others. */
cudaError_t graph_may_free(const Graph *graph, const void *address)
{
    const MemoryBlock *block = memory_find(address);
    const GraphMemory *memory = graph_memory_of(block);
    if (!memory || block->address != (uintptr_t)address) return cudaErrorInvalidValue;
    if (memory->freed_in && (memory->freed_in == graph->id || memory->freed_in == memory->graph ||
                             memory->graph == graph->id))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

/* An address that the graph has freed before this node, and that nobody after that has; NULL:
 * none. */
static GraphMemory *freed_before(const GraphNode *node, const struct cudaMemAllocNodeParamsV2 *p)
{
    for (const GraphNode *other = node->graph->nodes; other; other = other->next) {
        GraphMemory *memory = other->memory;
        if (other->params.type == cudaGraphNodeTypeMemFree && memory->freed_in == node->graph->id &&
            memory->graph == node->graph->id && memory->bytes == p->bytesize &&
            memory->device == p->poolProps.location.id && graph_reaches(other, node))
            return memory;
    }
    return NULL;
}

cudaError_t graph_node_allocates(Call *call, GraphNode *node, struct cudaMemAllocNodeParamsV2 *p)
{
    node->memory = freed_before(node, p);
    if (node->memory) node->memory->freed_in = 0;
    else
        node->memory =
            graph_memory_new(call, p->poolProps.location.id, p->bytesize, node->graph->id);
    if (!node->memory) return cudaErrorMemoryAllocation;
    graph_memory_hold(node->memory);
    p->dptr = node->params.alloc.dptr = (void *)node->memory->block->address;
    node->params.alloc.accessDescs = NULL;
    node->params.alloc.accessDescCount = 0;
    node->operation = (Operation){.kind = TRACE_ALLOC,
                                  .bytes = p->bytesize,
                                  .to = TRACE_MEM_DEVICE,
                                  .site = call->site,
                                  .effect = {EFFECT_NONE, .allocated = p->dptr}};
    Place place = place_of(p->dptr);
    operation_uses(&node->operation, true, &place, p->bytesize);
    return cudaSuccess;
}

void graph_node_frees(const Call *call, GraphNode *node, void *address)
{
    MemoryBlock *block = memory_find(address);
    node->memory = graph_memory_of(block);
    graph_memory_hold(node->memory);
    node->memory->freed_in = node->graph->id;
    node->operation = (Operation){.kind = TRACE_FREE,
                                  .bytes = block->bytes,
                                  .from = TRACE_MEM_DEVICE,
                                  .site = call->site,
                                  .effect = {EFFECT_RELEASE, .release = block}};
    Place place = place_of(address);
    operation_uses(&node->operation, false, &place, block->bytes);
}

/* ---- in captured streams ---- */

cudaError_t capture_alloc(Call *call, const Stream *stream, void **to, size_t bytes)
{
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeMemAlloc};
    GraphNode *node;
    params.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    params.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    params.alloc.poolProps.location.id = stream->device;
    params.alloc.bytesize = bytes;
    cudaError_t error = capture_node(call, stream, &params, NULL, &node);
    if (!error) error = graph_node_allocates(call, node, &params.alloc);
    if (!error) *to = params.alloc.dptr;
    return error;
}

cudaError_t capture_free(Call *call, const Stream *stream, void *address)
{
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeMemFree, .free = {address}};
    CaptureInfo info;
    GraphNode *node;
    cudaError_t error = capture_info(call, stream, &info);
    if (!error && info.status != cudaStreamCaptureStatusActive)
        error = cudaErrorStreamCaptureInvalidated;
    if (!error) error = graph_may_free(info.graph, address);
    if (!error) error = capture_node(call, stream, &params, NULL, &node);
    if (!error) graph_node_frees(call, node, address);
    return error;
}
