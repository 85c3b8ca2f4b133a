/* Graphs below the calls: random ones against the plainest statements of what order, reaching,
 * copies and updates are; and captures, step by random step, against a model that has nothing but
 * sets. */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/cases.h"
#include "sim/graph/capture.h"
#include "sim/graph/graph_exec.h"
#include "sim/include/cuda_runtime_api.h"

enum { NODES = 24, ROUNDS = 300 };

static uint64_t state = 1;
static uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

static const TraceSite nowhere = {NULL, 0};
static const struct cudaGraphNodeParams empty = {.type = cudaGraphNodeTypeEmpty};

/* A graph of n empty nodes whose edges all go forwards in `rank`; edge[i][j]: from i to j. */
static Graph *make(uint32_t n, GraphNode *nodes[], bool edge[NODES][NODES])
{
    uint32_t rank[NODES];
    Graph *graph = graph_new(nowhere);
    memset(edge, 0, sizeof(bool[NODES][NODES]));
    for (uint32_t i = 0; i < n; i++) {
        nodes[i] = graph_add(graph, &empty, NULL, nowhere);
        rank[i] = below(1000) * NODES + i;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (rank[i] < rank[j] && below(5) == 0) {
                ck_assert(graph_link(nodes[i], nodes[j], NULL));
                edge[i][j] = true;
            }
    return graph;
}

START_TEST(order_and_reach)
{
    static bool edge[NODES][NODES], reach[NODES][NODES];
    for (int round = 0; round < ROUNDS; round++) {
        GraphNode *nodes[NODES], **order;
        uint32_t n = 1 + below(NODES), place[NODES];
        bool circle;
        Graph *graph = make(n, nodes, edge);
        ck_assert_ptr_nonnull(order = graph_order(graph, &circle));
        ck_assert(!circle);
        for (uint32_t i = 0; i < n; i++) place[i] = UINT32_MAX;
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t i = 0; i < n; i++)
                if (order[k] == nodes[i]) place[i] = k;
        for (uint32_t i = 0; i < n; i++) {
            ck_assert_uint_lt(place[i], n); /* each is there */
            for (uint32_t j = 0; j < n; j++)
                if (edge[i][j]) ck_assert_uint_lt(place[i], place[j]);
        }
        free(order);

        memcpy(reach, edge, sizeof reach);
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t i = 0; i < n; i++)
                for (uint32_t j = 0; j < n; j++) reach[i][j] |= reach[i][k] && reach[k][j];
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                ck_assert_int_eq(graph_reaches(nodes[i], nodes[j]), i == j || reach[i][j]);
        graph_free(graph, nowhere);
    }
}
END_TEST

START_TEST(circles_are_found)
{
    static bool edge[NODES][NODES];
    for (int round = 0; round < ROUNDS; round++) {
        GraphNode *nodes[NODES];
        uint32_t n = 2 + below(NODES - 2), i = below(n), j = below(n);
        bool circle;
        Graph *graph = make(n, nodes, edge);
        if (i == j || !graph_reaches(nodes[i], nodes[j])) {
            graph_free(graph, nowhere);
            continue;
        }
        ck_assert(graph_link(nodes[j], nodes[i], NULL));
        ck_assert(!graph_order(graph, &circle) && circle);
        ck_assert(graph_unlink(nodes[j], nodes[i], NULL));
        ck_assert(!graph_unlink(nodes[j], nodes[i], NULL));
        graph_remove(nodes[i], nowhere);
        GraphNode **order = graph_order(graph, &circle);
        ck_assert(order && !circle);
        free(order);
        graph_free(graph, nowhere);
    }
}
END_TEST

START_TEST(copies_and_updates)
{
    static bool edge[NODES][NODES];
    for (int round = 0; round < ROUNDS; round++) {
        GraphNode *nodes[NODES], *copied[NODES];
        uint32_t n = 2 + below(NODES - 2), i = below(n), j = below(n);
        cudaGraphExecUpdateResultInfo info;
        Graph *graph = make(n, nodes, edge), *copy = graph_copy(graph, false, nowhere);
        ck_assert_ptr_nonnull(copy);
        for (uint32_t k = 0; k < n; k++) {
            copied[k] = graph_copy_of(copy, nodes[k]->id);
            ck_assert(copied[k] && copied[k] != nodes[k] && copied[k]->graph == copy);
        }
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < n; b++)
                ck_assert_int_eq(graph_edge(copied[a], copied[b]) != NULL, edge[a][b]);
        ck_assert(!graph_update(copy, graph, &info)); /* the same shape */
        ck_assert_int_eq(info.result, cudaGraphExecUpdateSuccess);
        /* one edge more, where it is no circle: another shape */
        if (i != j && !edge[i][j] && !graph_reaches(nodes[j], nodes[i])) {
            ck_assert(graph_link(nodes[i], nodes[j], NULL));
            ck_assert(graph_update(copy, graph, &info));
            ck_assert_int_eq(info.result, cudaGraphExecUpdateErrorTopologyChanged);
        }
        graph_free(copy, nowhere);
        graph_free(graph, nowhere);
    }
}
END_TEST

/* ---- captures ---- */

/* Streams and events as sets of nodes: bit k is the k-th node of the capture. */
enum { STREAMS = 4, EVENTS = 6, STEPS = 40 };
typedef struct Sets {
    bool in[STREAMS], recorded[EVENTS];
    uint64_t after[STREAMS], event[EVENTS];
    uint64_t behind[64]; /* of each node: all that it comes after, itself as well */
    int n;
} Sets;

static uint64_t closure(const Sets *m, uint64_t set)
{
    uint64_t all = 0;
    for (int k = 0; k < m->n; k++)
        if (set >> k & 1) all |= m->behind[k];
    return all;
}

START_TEST(captures_keep_what_events_order)
{
    cudaStream_t streams[STREAMS];
    cudaEvent_t events[EVENTS];
    for (int i = 0; i < STREAMS; i++) ck_assert(!cudaStreamCreate(&streams[i]));
    for (int i = 0; i < EVENTS; i++) ck_assert(!cudaEventCreate(&events[i]));
    static int count;
    for (int round = 0; round < ROUNDS; round++) {
        Sets m = {.in = {true}};
        cudaGraph_t handle;
        GraphNode *nodes[64];
        ck_assert(!cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal));
        for (int step = 0; step < STEPS; step++) {
            int s = (int)below(STREAMS), e = (int)below(EVENTS);
            if (below(3) == 0 && m.in[s]) {
                ck_assert(
                    !cudaLaunchHostFunc(streams[s], (cudaHostFn_t)(void (*)(void))free, &count));
                m.behind[m.n] = closure(&m, m.after[s]) | (uint64_t)1 << m.n;
                m.after[s] = (uint64_t)1 << m.n++;
            } else if (below(2) && m.in[s]) {
                ck_assert(!cudaEventRecord(events[e], streams[s]));
                m.recorded[e] = true;
                m.event[e] = m.after[s];
            } else if (m.recorded[e]) { /* forks s off, or joins */
                ck_assert(!cudaStreamWaitEvent(streams[s], events[e], 0));
                m.after[s] |= m.event[e];
                m.in[s] = true;
            }
        }
        uint64_t joined = closure(&m, m.after[0]);
        bool whole = true;
        for (int s = 1; s < STREAMS; s++)
            if (m.in[s] && m.after[s] & ~joined) whole = false;
        cudaError_t error = cudaStreamEndCapture(streams[0], &handle);
        ck_assert_int_eq(error, whole ? cudaSuccess : cudaErrorStreamCaptureUnjoined);
        for (int i = 0; i < EVENTS; i++) { /* none is of a capture any more */
            ck_assert(!cudaEventDestroy(events[i]));
            ck_assert(!cudaEventCreate(&events[i]));
        }
        if (!whole) continue;

        Graph *graph = graph_find(&(Call){.name = "test"}, handle);
        ck_assert_int_eq((int)graph->n_nodes, m.n);
        int n = 0;
        for (GraphNode *node = graph->nodes; node; node = node->next) nodes[n++] = node;
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                ck_assert_int_eq(graph_reaches(nodes[a], nodes[b]), m.behind[b] >> a & 1);
        ck_assert(!cudaGraphDestroy(handle));
    }
}
END_TEST

CASES("graph")
