/* heap.h - operations by time (or rank); equal keys leave in order of submission.
 *
 * Nearly always what comes in belongs behind all that is there: it is appended to a sorted run.
 * What does not goes into a heap beside it, with four children to a node: shallower than a binary
 * heap, and the children of a node share a cache line. What leaves is the lesser of both fronts.
 */
#ifndef THREELANE_HEAP_H
#define THREELANE_HEAP_H
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct HeapItem {
    uint64_t key;
    uint32_t op, count;
} HeapItem;
typedef struct Heap {
    HeapItem *run;
    uint32_t run_first, run_end, run_room; /* sorted: run[run_first] .. run[run_end - 1] */
    HeapItem *items;
    uint32_t n, room; /* the heap */
} Heap;

static inline bool heap_before(const HeapItem *a, const HeapItem *b)
{
    return a->key < b->key || (a->key == b->key && a->op < b->op);
}

static inline void heap_free(Heap *heap)
{
    free(heap->run);
    free(heap->items);
}

/* Makes room at the end of a run that is full: what has left its front is room too if it was half
 * of it. False when out of memory. */
static inline bool heap_run_room(Heap *heap)
{
    uint32_t n = heap->run_end - heap->run_first;

    if (n > heap->run_room / 2 || heap->run_room == 0) {
        uint32_t room = heap->run_room ? heap->run_room * 2 : 16;
        HeapItem *run = realloc(heap->run, room * sizeof *run);
        if (!run) return false;
        heap->run = run;
        heap->run_room = room;
    }
    memmove(heap->run, heap->run + heap->run_first, n * sizeof *heap->run);
    heap->run_first = 0;
    heap->run_end = n;
    return true;
}

/* False when out of memory. */
static inline bool heap_push(Heap *heap, uint64_t key, uint32_t op, uint32_t count)
{
    HeapItem item = {key, op, count};
    uint32_t at = heap->n;

    if (heap->run_first == heap->run_end || !heap_before(&item, &heap->run[heap->run_end - 1])) {
        if (heap->run_end == heap->run_room && !heap_run_room(heap)) return false;
        heap->run[heap->run_end++] = item;
        return true;
    }
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

/* The one that leaves next, or NULL. */
static inline const HeapItem *heap_first(const Heap *heap)
{
    const HeapItem *first = heap->run_first < heap->run_end ? &heap->run[heap->run_first] : NULL;
    return heap->n && (!first || heap_before(&heap->items[0], first)) ? &heap->items[0] : first;
}

/* There must be one. */
static inline HeapItem heap_pop(Heap *heap)
{
    const HeapItem *first = heap_first(heap);
    HeapItem top = *first, item;
    uint32_t at = 0;

    if (first != heap->items) { /* it is the run's */
        if (++heap->run_first == heap->run_end) heap->run_first = heap->run_end = 0;
        return top;
    }
    item = heap->items[--heap->n];
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
