#include "sim/graph/condition.h"
#include <stdlib.h>

typedef struct Condition {
    uint32_t graph;
    unsigned value, first;
    bool assigned, used;
} Condition;
static Condition *conditions; /* a handle is 1 + the place here, and a mark that no small number has
                               */
static uint32_t n_conditions, room;

#define MARK 0xc0d1000000000000ull

static Condition *find(cudaGraphConditionalHandle handle)
{
    uint64_t number = handle ^ MARK;
    return number && number <= n_conditions ? &conditions[number - 1] : NULL;
}

cudaGraphConditionalHandle condition_new(const Graph *graph, unsigned first, bool assigned)
{
    if (n_conditions == room) {
        uint32_t more = room ? 2 * room : 16;
        Condition *grown = realloc(conditions, more * sizeof *grown);
        if (!grown) return 0;
        conditions = grown;
        room = more;
    }
    conditions[n_conditions++] = (Condition){graph->id, first, first, assigned, false};
    return MARK | n_conditions;
}

bool condition_is_of(cudaGraphConditionalHandle handle, const Graph *graph)
{
    const Condition *condition = find(handle);
    return condition && condition->graph == graph->id;
}

bool condition_use(cudaGraphConditionalHandle handle)
{
    Condition *condition = find(handle);
    if (!condition || condition->used) return false;
    return condition->used = true;
}

unsigned condition_value(cudaGraphConditionalHandle handle)
{
    const Condition *condition = find(handle);
    return condition ? condition->value : 0;
}

bool condition_set(cudaGraphConditionalHandle handle, unsigned value)
{
    Condition *condition = find(handle);
    if (condition) condition->value = value;
    return condition != NULL;
}

void conditions_begin(uint32_t graph)
{
    for (uint32_t i = 0; i < n_conditions; i++)
        if (conditions[i].graph == graph && conditions[i].assigned)
            conditions[i].value = conditions[i].first;
}

bool conditions_are_used(uint32_t graph)
{
    for (uint32_t i = 0; i < n_conditions; i++)
        if (conditions[i].graph == graph && !conditions[i].used) return false;
    return true;
}
