/* heap.h - a heap of operations by time (or rank), four children to a node: shallower than a binary heap, and the
 * children of a node share a cache line. Equal keys leave in order of submission. */
#ifndef THREELANE_ENGINE_HEAP_H
#define THREELANE_ENGINE_HEAP_H
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct HeapItem { uint64_t key; uint32_t op, count; } HeapItem;
typedef struct Heap { HeapItem *items; uint32_t n, room; } Heap;

static inline bool heap_before(const HeapItem *a, const HeapItem *b)
{
    return a->key < b->key || (a->key == b->key && a->op < b->op);
}

/* False when out of memory. */
static inline bool heap_push(Heap *heap, uint64_t key, uint32_t op, uint32_t count)
{
    HeapItem item = { key, op, count };
    uint32_t at = heap->n;

    if (heap->n == heap->room) {
        uint32_t room = heap->room ? heap->room * 2 : 16;
        HeapItem *items = realloc(heap->items, room * sizeof *items);
        if (!items) return false;
        heap->items = items;
        heap->room = room;
    }
    heap->n++;
    while (at > 0) {
        uint32_t parent = (at - 1) / 4;
        if (!heap_before(&item, &heap->items[parent])) break;
        heap->items[at] = heap->items[parent];
        at = parent;
    }
    heap->items[at] = item;
    return true;
}

static inline HeapItem heap_pop(Heap *heap)
{
    HeapItem top = heap->items[0], item = heap->items[--heap->n];
    uint32_t at = 0;

    for (;;) {
        uint32_t child = 4 * at + 1, least = child, end = child + 4 < heap->n ? child + 4 : heap->n;
        if (child >= heap->n) break;
        for (child++; child < end; child++)
            if (heap_before(&heap->items[child], &heap->items[least])) least = child;
        if (!heap_before(&heap->items[least], &item)) break;
        heap->items[at] = heap->items[least];
        at = least;
    }
    heap->items[at] = item;
    return top;
}
#endif
