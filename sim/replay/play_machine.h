/* play_machine.h - all that play.c and play_memory.c ask of the machine that they run on.
 *
 * What reaches these functions has been checked. player.c has them, on the virtual GPU; a fuzzer
 * has others, which look whether it was (tests/fuzz/play_fake.c). Addresses are this process's. */
#ifndef THREELANE_PLAY_MACHINE_H
#define THREELANE_PLAY_MACHINE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/include/threelane/glue.h"
#include "sim/replay/log_parse.h"

_Noreturn void player_end(int status, const char *text);

/* ---- memory ---- */

typedef struct PlayerBlock {
    uintptr_t address;
    uint64_t bytes;
    bool host; /* code of the host may touch it */
} PlayerBlock;

/* Where device, pinned and managed memory is allocated. */
uintptr_t player_arena(uint64_t *span);
/* The live block, in the arena or registered, that contains the address. */
bool player_block(uintptr_t address, PlayerBlock *);
/* Does the page of this address belong to this process? */
bool player_has_page(uintptr_t address);
/* Memory of so many bytes, a power of two, that begins at a multiple of that, with nothing beside
 * it; pages become real when they are touched. 0: there is no room. */
uintptr_t player_reserve(uint64_t bytes);
/* How much all of the program's memory may be. */
uint64_t player_memory(void);

/* ---- threads and time ---- */

uint32_t player_thread(void); /* the calling thread's number, 1: main */
/* False when there are too many. */
bool player_start_thread(void (*run)(void *), void *argument);
/* Blocks the calling thread until ready(argument). */
void player_wait(bool (*ready)(void *), void *argument);
void player_advance(uint64_t ns); /* to this virtual time, if that is later */
void player_charge(void);         /* what the thread's code has cost so far is paid */
/* Whose code runs from now on, the student's or the harness's; returns whose it was. */
bool player_side(bool student);

/* ---- what the program did ---- */

enum { PLAYER_OBJECT_BYTES = 88 };

/* A kernel as a node of a graph. kernel NULL: the program gave none. */
typedef struct PlayerNode {
    const GlueFunction *kernel;
    uint32_t sides[7]; /* grid, block, shared memory */
    void *arguments[PLAY_WORDS];
} PlayerNode;

/* A call of the API. pointer[i] is where the letter P stands, bytes[i] what was promised of it,
 * kernel[i] where the letter K stands, object where M or U does; word[i] the number that everything
 * else is. */
typedef struct PlayerCall {
    uint64_t word[PLAY_WORDS];
    uintptr_t pointer[PLAY_WORDS];
    uint64_t bytes[PLAY_WORDS];
    bool given[PLAY_WORDS]; /* of the letter V: there is a value */
    const GlueFunction *kernel[PLAY_WORDS];
    /* of the letters m, u and w: whatever pointer is in it is looked at, not followed */
    _Alignas(8) unsigned char object[PLAYER_OBJECT_BYTES];
    /* of the letters n and e, y, t: the list, the struct as words of 8 bytes, with pointers that
     * have been looked at; NULL: none */
    void *list[PLAY_WORDS];
    PlayerNode node; /* of the letter x */
    int line;
} PlayerCall;

/* The address that the calling thread's last call gave, if it was an allocation; else anything. */
uintptr_t player_given(void);

void player_call(int call, const PlayerCall *); /* call: in replay_calls */

/* A launch as the program asked for it. there: how many attributes there are to look at; the list
 * is at NULL where given is false. What is in a value is not followed. */
typedef struct PlayerLaunch {
    uint32_t sides[6];
    uint64_t shared, stream;
    int line;
    uint32_t n_attributes; /* as the program said */
    uint32_t there;
    bool given;
    struct {
        uint32_t id;
        _Alignas(8) unsigned char value[PLAY_ATTRIBUTE_BYTES];
    } attributes[PLAY_ATTRIBUTES];
} PlayerLaunch;

void player_push(const PlayerLaunch *);
bool player_launch_is_pending(void);
/* May a kernel be given this address? */
bool player_is_registered(uintptr_t address);
/* Calls a function of the harness's with these arguments. False: it touched memory that is none,
 * at *bad. */
bool player_own(const GlueFunction *, void **arguments, uintptr_t *bad);
/* cluster: the sides of the clusters that it was declared with; zeros: none. */
void player_kernel(const GlueFunction *, void **arguments, const uint32_t cluster[3]);
void player_nvtx(PlayVerb, const char *text, uint64_t id);
void player_order(bool release, uint64_t object); /* object: only a name */
/* The host computed so many bytes of what the exercise gave out, in this function; said once. */
void player_computed(uint64_t bytes, const char *function);
#endif
