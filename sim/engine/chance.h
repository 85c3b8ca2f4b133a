/* chance.h - the choices of an explored schedule: what CUDA leaves open, decided by a seed.
 *
 * A choice is a pure function of the seed, of what is chosen and of which one it is (an operation's
 * number, a count): integers only, no state, so the same seed makes the same choices on every
 * machine. Seed 0 chooses nothing: the canonical schedule. sim/engine/EXPLORE.md says which choices
 * there are and why each outcome is legal.
 */
#ifndef THREELANE_CHANCE_H
#define THREELANE_CHANCE_H
#include <stdbool.h>
#include <stdint.h>

typedef enum ChanceOf {
    CHANCE_RANK,
    CHANCE_BOLD,
    CHANCE_DURATION,
    CHANCE_LATENCY,
    CHANCE_CALL,
    CHANCE_EFFECT,
    CHANCE_STAGING,
    CHANCE_BLOCKS,
    CHANCE_THREAD,
    CHANCE_WAKE
} ChanceOf;

static inline uint64_t chance_hash(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static inline uint64_t chance(uint64_t seed, ChanceOf what, uint64_t which)
{
    return chance_hash(chance_hash(seed) ^ chance_hash((uint64_t)what << 56 ^ which));
}

/* Some schedules differ from the canonical one only in order among equals, some a little, most a
 * lot: 0 to 3. */
static inline unsigned chance_boldness(uint64_t seed)
{
    return (unsigned)(chance(seed, CHANCE_BOLD, 0) & 3);
}

/* A time between 0 and most_ns that is added to something; 0 more often than not. */
static inline uint64_t chance_delay(uint64_t seed, ChanceOf what, uint64_t which, uint64_t most_ns)
{
    unsigned bold = chance_boldness(seed);
    uint64_t c = chance(seed, what, which);
    if (!seed || !bold || c & 3 || !most_ns) return 0;
    return (c >> 16) % (most_ns / (bold == 1 ? 16 : 1) + 1);
}

/* How long something takes that canonically takes ns. On a textbook (free) that is anybody's guess:
 * a third of it to three times as much. On a device that was measured, what measurements vary by:
 * 2% either way. A kernel that ran by the clock (at_least) takes its time or up to 2% more. */
static inline uint64_t chance_duration(uint64_t seed, uint64_t which, uint64_t ns, bool free,
                                       bool at_least)
{
    unsigned bold = chance_boldness(seed);
    uint64_t c = chance(seed, CHANCE_DURATION, which), part = (c >> 16) % 1025; /* of 1024 */
    uint64_t most = (uint64_t)1 << 40; /* what is longer (a quarter of an hour) stays as it is */
    if (!seed || !bold || c & 1 || ns > most) return ns;
    if (bold == 1 || at_least || !free)
        return c & 2 || at_least ? ns + ns * part / 51200 : ns - ns * part / 51200;
    return c & 2 ? ns + ns * part / 512 : ns - ns * part / 1537;
}
#endif
