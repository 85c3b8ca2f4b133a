// a linked list of free blocks for each stream, and one for those that other streams still use
#include "ex63.h"
#include <stdlib.h>

typedef struct Block {
    struct Block *next;
    char *at;
    size_t bytes;
    cudaStream_t home;
    struct { cudaStream_t stream; cudaEvent_t event; } uses[STREAMS];
    int use_count;
} Block;

static struct { cudaStream_t stream; Block *free; } lists[STREAMS];
static int list_count;
static Block *held, *crossed;
static char *slab_at;
static size_t slab_left;

static void push(Block **list, Block *block)
{
    block->next = *list;
    *list = block;
}

static Block *take(Block **from)
{
    Block *block = *from;
    *from = block->next;
    return block;
}

static Block **list_of(cudaStream_t stream)
{
    for (int i = 0; i < list_count; i++)
        if (lists[i].stream == stream) return &lists[i].free;
    lists[list_count].stream = stream;
    return &lists[list_count++].free;
}

static Block **place_of(void *at)
{
    Block **block = &held;
    while (*block && (*block)->at != at) block = &(*block)->next;
    return block;
}

/* Puts the blocks that nobody uses any more into the lists of their streams. */
static void collect(void)
{
    for (Block **at = &crossed; *at;) {
        Block *block = *at;
        int over = 0;
        while (over < block->use_count && cudaEventQuery(block->uses[over].event) == cudaSuccess) over++;
        if (over < block->use_count) {
            at = &block->next;
            continue;
        }
        take(at);
        while (block->use_count > 0) cudaEventDestroy(block->uses[--block->use_count].event);
        push(list_of(block->home), block);
    }
}

void allocatorStart(void *slab, size_t bytes)
{
    slab_at = (char *)slab;
    slab_left = bytes;
}

void *allocate(size_t bytes, cudaStream_t stream)
{
    Block *block = NULL, **at = list_of(stream);
    bytes = (bytes + 4095) / 4096 * 4096;
    collect();

    while (*at && (*at)->bytes != bytes) at = &(*at)->next;
    if (*at) {
        block = take(at);
    } else if (bytes <= slab_left) {
        block = (Block *)calloc(1, sizeof *block);
        block->at = slab_at;
        block->bytes = bytes;
        block->home = stream;
        slab_at += bytes;
        slab_left -= bytes;
    }
    if (!block) return NULL;
    push(&held, block);
    return block->at;
}

void recordStream(void *at, cudaStream_t stream)
{
    Block *block = *place_of(at);
    bool known = !block || stream == block->home;
    for (int i = 0; !known && i < block->use_count; i++) known = block->uses[i].stream == stream;
    if (!known) block->uses[block->use_count++].stream = stream;
}

void release(void *at)
{
    Block **place = place_of(at);
    if (!*place) return;
    Block *block = take(place);
    for (int i = 0; i < block->use_count; i++) {
        cudaEventCreateWithFlags(&block->uses[i].event, cudaEventDisableTiming);
        cudaEventRecord(block->uses[i].event, block->uses[i].stream);
    }
    push(block->use_count ? &crossed : list_of(block->home), block);
}

static void drop(Block **list)
{
    while (*list) {
        Block *block = take(list);
        for (int i = 0; i < block->use_count; i++) cudaEventDestroy(block->uses[i].event);
        free(block);
    }
}

void allocatorStop(void)
{
    drop(&crossed);
    drop(&held);
    for (int i = 0; i < list_count; i++) drop(&lists[i].free);
    list_count = 0;
}
