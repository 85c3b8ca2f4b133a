/* condition.h - the values that conditional nodes look at.
 *
 * A handle belongs to one graph and to one conditional node in it; device code sets the value, and
 * a launch begins with the default where that was asked for. Values outlive their graph, since what
 * was instantiated from it looks at them.
 */
#ifndef THREELANE_CONDITION_H
#define THREELANE_CONDITION_H
#include "sim/graph/graph.h"

/* 0 when memory is short. */
cudaGraphConditionalHandle condition_new(const Graph *, unsigned first, bool assigned);
bool condition_is_of(cudaGraphConditionalHandle, const Graph *);
/* A node looks at it; false: another one does. */
bool condition_use(cudaGraphConditionalHandle);
unsigned condition_value(cudaGraphConditionalHandle);
/* False: it is none. */
bool condition_set(cudaGraphConditionalHandle, unsigned value);
/* A launch of the graph with that number begins. */
void conditions_begin(uint32_t graph);
/* All of the graph's are looked at by nodes. */
bool conditions_are_used(uint32_t graph);
#endif
