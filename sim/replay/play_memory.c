/* play_memory.c - see play_memory.h. */
#include "sim/replay/play_memory.h"
#include <stdlib.h>
#include <string.h>
#include "sim/replay/play_ends.h"
#include "sim/replay/play_machine.h"

/* A mirror is 2^36 bytes of addresses. Words that look like addresses lie between FIRST_ADDRESS
 * (this process has nothing below but, on small machines, the arena) and LAST_ADDRESS. */
enum { MIRROR_BITS = 36, MIRRORS = 64, SHOWN = 64, LEAST_COPY = 64, NULL_PAGES = 65536 };
#define MIRROR_BYTES ((uint64_t)1 << MIRROR_BITS)
#define FIRST_ADDRESS ((uint64_t)1 << 40)
#define LAST_ADDRESS ((uint64_t)1 << 48)
#define NOWHERE 0xdead000000000000u /* no address at all */
#define MOST_STRETCHES ((size_t)1 << 20)

typedef struct Shown {
    uintptr_t address;
    uint64_t there; /* in the box; 0: unknown */
    uint64_t bytes;
} Shown;
static Shown shown[SHOWN];
static size_t n_shown;
static struct {
    uint64_t number; /* of the box's; NO_NUMBER: of nothing now */
    uintptr_t address;
} mirrors[MIRRORS];
static size_t n_mirrors, made_mirrors;
static uint64_t base; /* of the box's arena */

void play_memory_start(uint64_t of_box) { base = of_box; }

/* ---- places ---- */

void play_memory_show(uintptr_t memory, uint64_t bytes)
{
    if (n_shown == SHOWN || !bytes) return;
    shown[n_shown++] = (Shown){memory, 0, bytes};
}

void play_memory_pair(uintptr_t here, uint64_t there)
{
    for (size_t i = 0; i < n_shown; i++) {
        uintptr_t offset = here - shown[i].address;
        if (offset < shown[i].bytes && there > offset) shown[i].there = there - offset;
    }
}

/* Blocks of pools that lie elsewhere here than in the box; disjoint in the box. */
typedef struct Elsewhere {
    uint64_t there;
    uintptr_t here;
    uint64_t bytes;
} Elsewhere;
static Elsewhere *elsewhere;
static size_t n_elsewhere;

void play_memory_given(uintptr_t here, uint64_t there, uint64_t bytes)
{
    uint64_t span;
    uintptr_t arena = player_arena(&span);
    size_t kept = 0;
    if (there - base >= span) return;
    for (size_t i = 0; i < n_elsewhere; i++)
        if (elsewhere[i].there >= there + bytes || elsewhere[i].there + elsewhere[i].bytes <= there)
            elsewhere[kept++] = elsewhere[i];
    n_elsewhere = kept;
    if (there - base + arena == here) return;

    Elsewhere *more = realloc(elsewhere, (n_elsewhere + 1) * sizeof *elsewhere);
    if (!more) play_limit("memory");
    elsewhere = more;
    elsewhere[n_elsewhere++] = (Elsewhere){there, here, bytes};
}

static uintptr_t mirror_of(uint64_t address, bool make)
{
    uint64_t number = address >> MIRROR_BITS;
    for (size_t i = 0; i < n_mirrors; i++)
        if (mirrors[i].number == number) return mirrors[i].address;
    if (!make) return 0;
    if (n_mirrors == MIRRORS) play_limit("host memory in more than %d places", MIRRORS);
    /* aligned, so that the lower bits are the same on both sides */
    if (n_mirrors == made_mirrors) {
        uintptr_t made = player_reserve(MIRROR_BYTES);
        if (!made) play_limit("no address space for its memory");
        mirrors[made_mirrors++].address = made;
    }
    mirrors[n_mirrors].number = number;

    return mirrors[n_mirrors++].address;
}

static bool in_arena(uintptr_t here)
{
    uint64_t span;
    return here - player_arena(&span) < span;
}

PlayWhere play_memory_find(uint64_t there, uint64_t bytes, bool make, uintptr_t *here)
{
    uint64_t span;
    uintptr_t arena = player_arena(&span);
    *here = 0;
    if (!there) return PLAY_NULL;
    if (there - base < span) {
        *here = (uintptr_t)(there - base + arena);
        for (size_t i = 0; i < n_elsewhere; i++)
            if (there - elsewhere[i].there < elsewhere[i].bytes)
                *here = elsewhere[i].here + (uintptr_t)(there - elsewhere[i].there);
        return PLAY_ARENA;
    }
    for (size_t i = 0; i < n_shown; i++) {
        uint64_t offset = there - shown[i].there;
        if (!shown[i].there || offset >= shown[i].bytes) continue;
        *here = shown[i].address + offset;
        return bytes <= shown[i].bytes - offset ? PLAY_SHOWN : PLAY_NOWHERE;
    }
    uint64_t offset = there & (MIRROR_BYTES - 1);
    if (there < NULL_PAGES || there >= LAST_ADDRESS || bytes > MIRROR_BYTES - offset)
        return PLAY_NOWHERE;
    uintptr_t mirror = mirror_of(there, make);
    if (!mirror) return PLAY_NOWHERE;
    *here = mirror + offset;
    return PLAY_MIRROR;
}

_Noreturn static void no_memory(uint64_t there, uint64_t bytes)
{
    play_damaged("%#llx (%llu bytes) is no memory of the program's", (unsigned long long)there,
                 (unsigned long long)bytes);
}

uintptr_t play_memory_pointer(uint64_t there, uint64_t bytes)
{
    uintptr_t here;
    if (play_memory_find(there, bytes, true, &here) == PLAY_NOWHERE) no_memory(there, bytes);
    return here;
}

static bool block_holds(uintptr_t here, uint64_t bytes)
{
    PlayerBlock block;
    return player_block(here, &block) && block.host &&
           bytes <= block.bytes - (here - block.address);
}

uintptr_t play_memory_of_host(uint64_t there, uint64_t bytes, PlayWhere *where)
{
    uintptr_t here;
    *where = play_memory_find(there, bytes, true, &here);
    if (*where == PLAY_NOWHERE || *where == PLAY_NULL ||
        (*where == PLAY_ARENA && !block_holds(here, bytes)))
        no_memory(there, bytes);
    return here;
}

bool play_memory_holds(uintptr_t here, uint64_t bytes)
{
    if (!bytes) return true;
    if (in_arena(here)) return block_holds(here, bytes);
    for (size_t i = 0; i < n_shown; i++) {
        uint64_t offset = here - shown[i].address;
        if (offset < shown[i].bytes) return bytes <= shown[i].bytes - offset;
    }
    for (size_t i = 0; i < n_mirrors; i++) {
        uint64_t offset = here - mirrors[i].address;
        if (offset < MIRROR_BYTES) return bytes <= MIRROR_BYTES - offset;
    }
    return false;
}

/* ---- structs ---- */

static uint64_t word(uint64_t value)
{
    uintptr_t here;
    PlayerBlock block;
    uint64_t span;
    player_arena(&span);
    PlayWhere where = value < FIRST_ADDRESS && value - base >= span
                          ? PLAY_NOWHERE
                          : play_memory_find(value, 1, false, &here);
    if (where == PLAY_ARENA) return player_block(here, &block) ? here : NOWHERE;
    if (where == PLAY_MIRROR) return here;
    if (where == PLAY_SHOWN) return NOWHERE; /* nobody knows how much would be written there */
    /* A number of this size may be two small ones; where it is an address that this process uses,
     * now or from here on, it is not one that the program may name. */
    if (value < FIRST_ADDRESS || value >= LAST_ADDRESS) return value;
    return player_has_page((uintptr_t)value) || in_arena((uintptr_t)value) ||
                   play_memory_holds((uintptr_t)value, 1)
               ? NOWHERE
               : value;
}

void play_memory_store(void *at, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        uint64_t value = 0;
        size_t length = n - i < 8 ? n - i : 8;
        memcpy(&value, (const char *)bytes + i, length);
        if (length == 8) value = word(value);
        memcpy((char *)at + i, &value, length);
    }
}

/* ---- what host code did to memory ---- */

/* Stretches of memory that host code has copied. They stay at least LEAST_COPY bytes long: one that
 * is cut down further is wiped, or a host could lay any bytes it likes, one by one, out of copies
 * that overlap. */
typedef struct Stretch {
    uintptr_t begin, end;
} Stretch;
static Stretch *stretches; /* sorted, disjoint */
static size_t n_stretches, room_stretches;

static void insert(size_t i, uintptr_t begin, uintptr_t end)
{
    if (begin >= end) return;
    if (n_stretches == MOST_STRETCHES)
        play_limit("more than %zu pieces of memory copied by the host", MOST_STRETCHES);
    if (n_stretches == room_stretches) {
        size_t more = room_stretches ? 2 * room_stretches : 64;
        Stretch *grown = realloc(stretches, more * sizeof *stretches);
        if (!grown) play_limit("memory");
        stretches = grown;
        room_stretches = more;
    }
    memmove(stretches + i + 1, stretches + i, (n_stretches - i) * sizeof *stretches);
    stretches[i] = (Stretch){begin, end};
    n_stretches++;
}

/* What is left of a stretch may lie in a block that is not there any more. */
static void keep_or_wipe(size_t i, uintptr_t begin, uintptr_t end)
{
    if (end <= begin) return;
    if (end - begin >= LEAST_COPY) insert(i, begin, end);
    else if (play_memory_holds(begin, end - begin)) memset((void *)begin, 0xff, end - begin);
}

static void note_copied(uintptr_t begin, uintptr_t end)
{
    size_t low = 0, high = n_stretches;
    while (low < high) { /* the first that ends after begin */
        size_t middle = (low + high) / 2;
        if (stretches[middle].end <= begin) low = middle + 1;
        else high = middle;
    }
    size_t last = low;
    while (last < n_stretches && stretches[last].begin < end) last++;
    Stretch first = {0, 0}, final = {0, 0};
    if (last > low) {
        first = (Stretch){stretches[low].begin, begin};
        final = (Stretch){end, stretches[last - 1].end};
        memmove(stretches + low, stretches + last, (n_stretches - last) * sizeof *stretches);
        n_stretches -= last - low;
    }
    keep_or_wipe(low, final.begin, final.end);
    insert(low, begin, end);
    keep_or_wipe(low, first.begin, first.end);
}

void play_memory_copy(uint64_t to, uint64_t from, int value, uint64_t bytes, bool fill)
{
    PlayWhere where;
    if (bytes < LEAST_COPY) play_damaged("a copy of %llu bytes", (unsigned long long)bytes);
    if (bytes > player_memory()) play_limit("%llu bytes copied at once", (unsigned long long)bytes);
    char *target = (char *)play_memory_of_host(to, bytes, &where);
    const char *source = fill ? NULL : (const char *)play_memory_of_host(from, bytes, &where);

    if (fill) memset(target, value & 0xff, bytes);
    else memmove(target, source, bytes);
    note_copied((uintptr_t)target, (uintptr_t)target + bytes);
}

bool play_memory_wrote(uint64_t to, uint64_t bytes)
{
    uintptr_t here;
    PlayerBlock block;
    PlayWhere where = play_memory_find(to, 1, false, &here);
    bool given = where == PLAY_ARENA && player_block(here, &block) && block.host;
    if (given) {
        uint64_t room = block.bytes - (here - block.address);
        memset((void *)here, 0xff, bytes < room ? bytes : room);
    }
    return given || where == PLAY_SHOWN;
}

void play_memory_release(void)
{
    free(elsewhere);
    elsewhere = NULL;
    n_elsewhere = 0;
    free(stretches);
    stretches = NULL;
    n_stretches = room_stretches = 0;
    n_shown = n_mirrors = 0;
}
