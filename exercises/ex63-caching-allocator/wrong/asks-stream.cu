// caught-by: batches, on a card: nothing
// asks the streams instead of events: the compute stream is never idle
#include "ex63.h"

typedef struct Block {
    char *at;
    size_t bytes;
    bool held;
    cudaStream_t home;               /* the stream that it was allocated for */
    cudaStream_t users[STREAMS];     /* the other streams that it was used in */
    int user_count;
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

static Block *cut(size_t bytes, cudaStream_t stream)
{
    if (bytes > (size_t)(slab_end - next) || block_count == 1024) return NULL;
    Block *block = &blocks[block_count++];
    *block = (Block){next, bytes, false, stream};
    next += bytes;
    return block;
}

/* Whether another stream may still be at it. Asks, and does not wait. */
static bool used_elsewhere(Block *block)
{
    while (block->user_count > 0) {
        if (cudaStreamQuery(block->users[block->user_count - 1]) != cudaSuccess) return true;
        block->user_count--;
    }
    return false;
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
    for (int i = 0; i < block_count && !block; i++) {
        Block *b = &blocks[i];
        if (!b->held && b->home == stream && b->bytes == bytes && !used_elsewhere(b)) block = b;
    }

    if (!block) block = cut(bytes, stream);
    if (!block) return NULL;
    block->held = true;
    return block->at;
}

void recordStream(void *at, cudaStream_t stream)
{
    Block *block = find(at);
    if (!block || stream == block->home) return;
    for (int i = 0; i < block->user_count; i++)
        if (block->users[i] == stream) return;
    block->users[block->user_count++] = stream;
}

void release(void *at)
{
    Block *block = find(at);
    if (!block) return;
    block->held = false;
}

void allocatorStop(void)
{
    for (int i = 0; i < block_count; i++)
        blocks[i].user_count = 0;
}
