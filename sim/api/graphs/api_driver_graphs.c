/* api_driver_graphs.c - captures and graphs by the driver API: as far as the calls are the
 * runtime's under another name. */
#include "sim/api/api_driver.h"

DRIVER_STREAM(cuStreamBeginCapture, 0, (CUstream hStream, CUstreamCaptureMode mode),
              (hStream, mode))
{
    return do_cudaStreamBeginCapture(call, hStream, (enum cudaStreamCaptureMode)mode);
}

DRIVER_STREAM(cuStreamEndCapture, 0, (CUstream hStream, CUgraph *phGraph), (hStream, phGraph))
{
    return do_cudaStreamEndCapture(call, hStream, phGraph);
}

DRIVER_STREAM(cuStreamGetCaptureInfo, 0,
              (CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out,
               CUgraph *graph_out, const CUgraphNode **dependencies_out,
               const CUgraphEdgeData **edgeData_out, size_t *numDependencies_out),
              (hStream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out,
               numDependencies_out))
{
    return do_cudaStreamGetCaptureInfo(call, hStream,
                                       (enum cudaStreamCaptureStatus *)captureStatus_out,
                                       (unsigned long long *)id_out, graph_out, dependencies_out,
                                       edgeData_out, numDependencies_out);
}

DRIVER_STREAM(cuStreamUpdateCaptureDependencies, 0,
              (CUstream hStream, CUgraphNode *dependencies, const CUgraphEdgeData *dependencyData,
               size_t numDependencies, unsigned flags),
              (hStream, dependencies, dependencyData, numDependencies, flags))
{
    return do_cudaStreamUpdateCaptureDependencies(call, hStream, dependencies, dependencyData,
                                                  numDependencies, flags);
}

DRIVER(cuThreadExchangeStreamCaptureMode, 0, (CUstreamCaptureMode * mode), (mode))
{
    return do_cudaThreadExchangeStreamCaptureMode(call, (enum cudaStreamCaptureMode *)mode);
}

DRIVER(cuGraphCreate, 0, (CUgraph * phGraph, unsigned flags), (phGraph, flags))
{
    return do_cudaGraphCreate(call, phGraph, flags);
}

DRIVER(cuGraphDestroy, 0, (CUgraph hGraph), (hGraph)) { return do_cudaGraphDestroy(call, hGraph); }

DRIVER(cuGraphClone, 0, (CUgraph * phGraphClone, CUgraph originalGraph),
       (phGraphClone, originalGraph))
{
    return do_cudaGraphClone(call, phGraphClone, originalGraph);
}

DRIVER(cuGraphInstantiate, CALL_UNSAFE,
       (CUgraphExec * phGraphExec, CUgraph hGraph, unsigned long long flags),
       (phGraphExec, hGraph, flags))
{
    return do_cudaGraphInstantiate(call, phGraphExec, hGraph, flags);
}

DRIVER_STREAM(cuGraphUpload, 0, (CUgraphExec hGraphExec, CUstream hStream), (hGraphExec, hStream))
{
    return do_cudaGraphUpload(call, hGraphExec, hStream);
}

DRIVER_STREAM(cuGraphLaunch, 0, (CUgraphExec hGraphExec, CUstream hStream), (hGraphExec, hStream))
{
    return do_cudaGraphLaunch(call, hGraphExec, hStream);
}

DRIVER(cuGraphExecDestroy, CALL_UNSAFE, (CUgraphExec hGraphExec), (hGraphExec))
{
    return do_cudaGraphExecDestroy(call, hGraphExec);
}

DRIVER(cuGraphExecUpdate, 0,
       (CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo *resultInfo),
       (hGraphExec, hGraph, resultInfo))
{
    return do_cudaGraphExecUpdate(call, hGraphExec, hGraph, resultInfo);
}

DRIVER(cuGraphExecGetFlags, 0, (CUgraphExec hGraphExec, cuuint64_t *flags), (hGraphExec, flags))
{
    return do_cudaGraphExecGetFlags(call, hGraphExec, (unsigned long long *)flags);
}

DRIVER(cuGraphGetNodes, 0, (CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes),
       (hGraph, nodes, numNodes))
{
    return do_cudaGraphGetNodes(call, hGraph, nodes, numNodes);
}

DRIVER(cuGraphGetRootNodes, 0, (CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes),
       (hGraph, rootNodes, numRootNodes))
{
    return do_cudaGraphGetRootNodes(call, hGraph, rootNodes, numRootNodes);
}

DRIVER(cuGraphNodeGetType, 0, (CUgraphNode hNode, CUgraphNodeType *type), (hNode, type))
{
    return do_cudaGraphNodeGetType(call, hNode, type);
}

DRIVER(cuGraphAddEmptyNode, 0,
       (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
        size_t numDependencies),
       (phGraphNode, hGraph, dependencies, numDependencies))
{
    return do_cudaGraphAddEmptyNode(call, phGraphNode, hGraph, dependencies, numDependencies);
}

DRIVER(cuGraphAddChildGraphNode, 0,
       (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
        size_t numDependencies, CUgraph childGraph),
       (phGraphNode, hGraph, dependencies, numDependencies, childGraph))
{
    return do_cudaGraphAddChildGraphNode(call, phGraphNode, hGraph, dependencies, numDependencies,
                                         childGraph);
}

DRIVER(cuGraphAddDependencies, 0,
       (CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
        const CUgraphEdgeData *edgeData, size_t numDependencies),
       (hGraph, from, to, edgeData, numDependencies))
{
    return do_cudaGraphAddDependencies(call, hGraph, from, to, edgeData, numDependencies);
}

DRIVER(cuGraphRemoveDependencies, 0,
       (CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
        const CUgraphEdgeData *edgeData, size_t numDependencies),
       (hGraph, from, to, edgeData, numDependencies))
{
    return do_cudaGraphRemoveDependencies(call, hGraph, from, to, edgeData, numDependencies);
}

DRIVER(cuGraphDestroyNode, 0, (CUgraphNode hNode), (hNode))
{
    return do_cudaGraphDestroyNode(call, hNode);
}

DRIVER(cuGraphNodeSetEnabled, 0, (CUgraphExec hGraphExec, CUgraphNode hNode, unsigned isEnabled),
       (hGraphExec, hNode, isEnabled))
{
    return do_cudaGraphNodeSetEnabled(call, hGraphExec, hNode, isEnabled);
}

DRIVER(cuGraphNodeGetEnabled, 0, (CUgraphExec hGraphExec, CUgraphNode hNode, unsigned *isEnabled),
       (hGraphExec, hNode, isEnabled))
{
    return do_cudaGraphNodeGetEnabled(call, hGraphExec, hNode, isEnabled);
}

ALSO_CALLED(cuStreamBeginCapture, cuStreamBeginCapture_v2)
ALSO_CALLED(cuStreamBeginCapture_ptsz, cuStreamBeginCapture_v2_ptsz)
ALSO_CALLED(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_v3)
ALSO_CALLED(cuStreamGetCaptureInfo_ptsz, cuStreamGetCaptureInfo_v3_ptsz)
ALSO_CALLED(cuStreamUpdateCaptureDependencies, cuStreamUpdateCaptureDependencies_v2)
ALSO_CALLED(cuStreamUpdateCaptureDependencies_ptsz, cuStreamUpdateCaptureDependencies_v2_ptsz)
ALSO_CALLED(cuGraphInstantiate, cuGraphInstantiateWithFlags)
ALSO_CALLED(cuGraphExecUpdate, cuGraphExecUpdate_v2)
ALSO_CALLED(cuGraphAddDependencies, cuGraphAddDependencies_v2)
ALSO_CALLED(cuGraphRemoveDependencies, cuGraphRemoveDependencies_v2)
