// caught-by: hazards, on a card: nothing
// the starter without its wait: any block for anybody, at once
#include "ex63.h"

typedef struct Block {
    char *at;
    size_t bytes;
    bool held;
} Block;

static Block blocks[1024];           /* all that was ever cut off the slab */
static int block_count;
static char *next, *slab_end;        /* what of the slab nobody has had yet */

static Block *find(void *at)
{
    for (int i = 0; i < block_count; i++)
        if (blocks[i].at == at) return &blocks[i];
    return NULL;
}

static Block *cut(size_t bytes)
{
    if (bytes > (size_t)(slab_end - next) || block_count == 1024) return NULL;
    Block *block = &blocks[block_count++];
    *block = (Block){next, bytes, false};
    next += bytes;
    return block;
}

void allocatorStart(void *slab, size_t bytes)
{
    next = (char *)slab;
    slab_end = next + bytes;
    block_count = 0;
}

void *allocate(size_t bytes, cudaStream_t stream)
{
    bytes = (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;

    Block *block = NULL;
    for (int i = 0; i < block_count && !block; i++)
        if (!blocks[i].held && blocks[i].bytes == bytes) block = &blocks[i];

    if (!block) block = cut(bytes);
    if (!block) return NULL;
    block->held = true;
    return block->at;
}

void recordStream(void *at, cudaStream_t stream)
{
}

void release(void *at)
{
    Block *block = find(at);
    if (!block) return;
    block->held = false;
}

void allocatorStop(void)
{
}
