/* api_capture.c - the calls that begin and end captures, and ask about them. */
#include "sim/graph/capture.h"
#include "sim/api/graphs/api_graph.h"
#include <stdlib.h>

static bool is_mode(enum cudaStreamCaptureMode mode)
{
    return (unsigned)mode <= cudaStreamCaptureModeRelaxed;
}

API_STREAM(cudaStreamBeginCapture, 0, (cudaStream_t handle, enum cudaStreamCaptureMode mode),
           (handle, mode))
{
    Stream *stream = stream_of(call, handle);
    if (!is_mode(mode)) return cudaErrorInvalidValue;
    call_spend(call->costs->other);
    return capture_begin(call, stream, NULL, NULL, mode);
}

API_STREAM(cudaStreamBeginCaptureToGraph, 0,
           (cudaStream_t handle, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
            const cudaGraphEdgeData *dependencyData, size_t numDependencies,
            enum cudaStreamCaptureMode mode),
           (handle, graph, dependencies, dependencyData, numDependencies, mode))
{
    Stream *stream = stream_of(call, handle);
    Graph *to = graph_find(call, graph);
    GraphEdges after = {0};
    if (!to || !is_mode(mode)) return cudaErrorInvalidValue;
    call_spend(call->costs->other);
    cudaError_t error =
        nodes_listed(call, to, dependencies, dependencyData, numDependencies, &after);
    if (!error) error = capture_begin(call, stream, to, &after, mode);
    free(after.items);
    return error;
}

API_STREAM(cudaStreamEndCapture, 0, (cudaStream_t handle, cudaGraph_t *pGraph), (handle, pGraph))
{
    const Stream *stream = stream_of(call, handle);
    Graph *graph;
    /* the graph of a capture into a graph is known already */
    if (!pGraph && capture_has(stream) && !capture_is_into(stream)) return cudaErrorInvalidValue;
    call_spend(call->costs->other);
    cudaError_t error = capture_end(call, stream_of(call, handle), &graph);
    if (pGraph) *pGraph = graph_handle(graph);
    return error;
}

API(cudaThreadExchangeStreamCaptureMode, CALL_NO_DEVICE, (enum cudaStreamCaptureMode * mode),
    (mode))
{
    if (!mode) return cudaErrorInvalidValue;
    *mode = capture_exchange(*mode); /* nothing looks at it here, whatever it is */
    return cudaSuccess;
}

/* The arrays that a program is shown of a stream's dependencies; valid until it asks again. */
static struct {
    cudaGraphNode_t *nodes;
    cudaGraphEdgeData *data;
    uint32_t room;
} shown;

static bool show(const GraphEdges *edges)
{
    if (edges->n > shown.room || !shown.room) {
        uint32_t room = 2 * edges->n + 16;
        free(shown.nodes);
        free(shown.data);
        shown.nodes = calloc(room, sizeof *shown.nodes);
        shown.data = calloc(room, sizeof *shown.data);
        shown.room = shown.nodes && shown.data ? room : 0;
        if (!shown.room) return false;
    }
    for (uint32_t i = 0; i < edges->n; i++) {
        shown.nodes[i] = graph_node_handle(edges->items[i].node);
        shown.data[i] = edges->items[i].data;
    }
    return true;
}

API_STREAM(cudaStreamGetCaptureInfo, 0,
           (cudaStream_t handle, enum cudaStreamCaptureStatus *captureStatus_out,
            unsigned long long *id_out, cudaGraph_t *graph_out,
            const cudaGraphNode_t **dependencies_out, const cudaGraphEdgeData **edgeData_out,
            size_t *numDependencies_out),
           (handle, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out,
            numDependencies_out))
{
    CaptureInfo info;
    if (!captureStatus_out || (edgeData_out && !dependencies_out)) return cudaErrorInvalidValue;
    cudaError_t error = capture_info(call, stream_of(call, handle), &info);
    *captureStatus_out = info.status;
    if (error || info.status != cudaStreamCaptureStatusActive) return error;
    for (uint32_t i = 0; dependencies_out && !edgeData_out && i < info.after->n; i++)
        if (info.after->items[i].data.type || info.after->items[i].data.from_port)
            return cudaErrorLossyQuery;

    if (id_out) *id_out = info.id;
    if (graph_out) *graph_out = graph_handle(info.graph);
    if (dependencies_out && !show(info.after)) return cudaErrorMemoryAllocation;
    if (dependencies_out) *dependencies_out = shown.nodes;
    if (edgeData_out) *edgeData_out = shown.data;
    if (numDependencies_out) *numDependencies_out = info.after->n;

    return cudaSuccess;
}

API_STREAM(cudaStreamUpdateCaptureDependencies, 0,
           (cudaStream_t handle, cudaGraphNode_t *dependencies,
            const cudaGraphEdgeData *dependencyData, size_t numDependencies, unsigned flags),
           (handle, dependencies, dependencyData, numDependencies, flags))
{
    Stream *stream = stream_of(call, handle);
    CaptureInfo info;
    GraphEdges after = {0};
    if (flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
    cudaError_t error = capture_info(call, stream, &info);
    if (error) return error;
    if (info.status == cudaStreamCaptureStatusNone) return cudaErrorIllegalState;
    error = nodes_listed(call, info.graph, dependencies, dependencyData, numDependencies, &after);
    if (!error)
        error = capture_after(call, stream, &after, flags == cudaStreamSetCaptureDependencies);
    free(after.items);
    return error;
}
