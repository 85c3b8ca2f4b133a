#include "sim/host/malloced.h"
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <unwind.h>

void __libc_free(void *);

/* What stands in the byte of a block's first 16: 1 + the bytes that it has too many, or LONG, and
 * the two bytes after it have 7 bits of that number each, beside MORE. */
enum { GRANULE = 16, SHORT_MOST = 125, LONG = 127, MORE = 128, LOW_BITS = 7 };
enum { LEAF_BITS = 26, LEAF_GRANULES = (1 << LEAF_BITS) / GRANULE, ADDRESS_BITS = 47 };

static unsigned char *leaves[1 << (ADDRESS_BITS - LEAF_BITS)];

static unsigned char *leaf_of(uintptr_t address, bool make)
{
    uintptr_t i = address >> LEAF_BITS;
    if (i >= sizeof leaves / sizeof *leaves) return NULL;
    unsigned char *leaf = __atomic_load_n(&leaves[i], __ATOMIC_ACQUIRE), *other = NULL;
    if (leaf || !make) return leaf;

    leaf = mmap(NULL, LEAF_GRANULES, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (leaf == MAP_FAILED) return NULL;
    if (__atomic_compare_exchange_n(&leaves[i], &other, leaf, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return leaf;
    munmap(leaf, LEAF_GRANULES);
    return other;
}

static size_t granule(uintptr_t address) { return (address & ((1ul << LEAF_BITS) - 1)) / GRANULE; }

void malloced_made(void *block, size_t bytes)
{
    uintptr_t at = (uintptr_t)block;
    unsigned char *leaf = block ? leaf_of(at, true) : NULL;
    if (!leaf) return;
    size_t i = granule(at), more = malloc_usable_size(block) - bytes;
    if (more <= SHORT_MOST) {
        leaf[i] = (unsigned char)(1 + more);
    } else if (i + 2 < LEAF_GRANULES && more < 1 << 2 * LOW_BITS) {
        leaf[i + 1] = (unsigned char)(MORE | (more & (MORE - 1)));
        leaf[i + 2] = (unsigned char)(MORE | more >> LOW_BITS);
        leaf[i] = LONG;
    }
}

void (*malloced_forget)(uintptr_t block, size_t bytes);

void malloced_gone(const void *block)
{
    uintptr_t at = (uintptr_t)block;
    if (malloced_forget && block) malloced_forget(at, malloc_usable_size((void *)at));
    unsigned char *leaf = block ? leaf_of(at, false) : NULL;
    if (!leaf) return;
    size_t i = granule(at);
    if (leaf[i] == LONG) leaf[i + 1] = leaf[i + 2] = 0;
    leaf[i] = 0;
}

/* The last granule up to that one in which a block begins; LEAF_GRANULES: none. */
static size_t last_begin(const unsigned char *leaf, size_t i)
{
    static const unsigned char nothing[4096];
    for (;; i--) {
        if (leaf[i] && leaf[i] < MORE) return i;
        while (i >= sizeof nothing && !memcmp(leaf + i - sizeof nothing, nothing, sizeof nothing))
            i -= sizeof nothing;
        if (!i) return LEAF_GRANULES;
    }
}

static bool block_at(uintptr_t begin, const unsigned char *leaf, MallocedBlock *block)
{
    size_t i = granule(begin), more = (size_t)leaf[i] - 1;
    if (leaf[i] == LONG)
        more = (leaf[i + 1] & (MORE - 1u)) | (leaf[i + 2] & (MORE - 1u)) << LOW_BITS;
    size_t room = malloc_usable_size((void *)begin);
    if (more > room) return false;
    *block = (MallocedBlock){begin, room - more};
    return true;
}

bool malloced_find(const void *address, MallocedBlock *block)
{
    static __thread MallocedBlock last; /* buffers are copied piece by piece */
    uintptr_t at = (uintptr_t)address;
    unsigned char *leaf = last.bytes ? leaf_of(last.address, false) : NULL;
    if (leaf && leaf[granule(last.address)] && at - last.address < last.bytes &&
        block_at(last.address, leaf, block) && block->bytes == last.bytes)
        return true;

    uintptr_t base = at >> LEAF_BITS << LEAF_BITS;
    size_t i = granule(at);
    if (at >> ADDRESS_BITS) return false;
    for (unsigned n = 0; n < 4096; n++) { /* 256 GiB */
        leaf = leaf_of(base, false);
        size_t begin = leaf ? last_begin(leaf, i) : LEAF_GRANULES;
        if (begin < LEAF_GRANULES) {
            if (!block_at(base + begin * GRANULE, leaf, block) ||
                at - block->address >= block->bytes)
                return false;
            last = *block;
            return true;
        }
        if (!base) return false;
        base -= 1ul << LEAF_BITS;
        i = LEAF_GRANULES - 1;
    }
    return false;
}

void malloced_free(void *block)
{
    malloced_gone(block);
    __libc_free(block);
}

/* ---- the stack ---- */

typedef struct FrameSearch {
    uintptr_t address, end;
} FrameSearch;

/* A frame ends where its caller's begins; on x86-64 the return address is the last of it. */
static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *frame, void *arg)
{
    FrameSearch *search = arg;
    uintptr_t begin = _Unwind_GetCFA(frame);
    if (begin <= search->address) return _URC_NO_REASON;
#if defined(__x86_64__)
    begin -= sizeof(void *);
#endif
    search->end = begin;
    return _URC_END_OF_STACK;
}

size_t malloced_frame_room(const void *address)
{
    FrameSearch search = {(uintptr_t)address, 0};
    if (search.address < (uintptr_t)__builtin_frame_address(0)) return SIZE_MAX;
    _Unwind_Backtrace(look_at_frame, &search);
    return search.end > search.address ? search.end - search.address : SIZE_MAX;
}
