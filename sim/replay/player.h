/* player.h - the trusted side of grading: the program that makes again what a program log says.
 *
 * It is the harness, compiled from the grader's own copy, with stubs for the student's functions
 * (glue.h). main, the input, the kernels, the checks and the dumps are real; a stub plays the
 * recorded calls (play.h) on this process's own virtual GPU. No byte that the student's code
 * computed gets into memory: data come from the harness, from kernels and from copies.
 * grader/TRUST.md has the rules. It runs in a box of its own (grader/box/confine.h).
 *
 * This header is all that play.c asks of the machine that it runs on: what reaches these functions
 * has been checked, so that a fuzzer can stand in their place (tests/fuzz/play_fake.c). Addresses
 * are this process's. A program that ends before its time ends this process with a status of its
 * own (PLAYER_..., common/ends.h), a line on stderr and a trace that is true as far as it goes. */
#ifndef THREELANE_PLAYER_H
#define THREELANE_PLAYER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "common/ends.h"
#include "sim/include/threelane/glue.h"
#include "sim/replay/playlog.h"

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

/* A call of the API. pointer[i] is where the letter P stands, bytes[i] what was promised of it,
 * kernel[i] where the letter K stands; word[i] the number that everything else is. */
typedef struct PlayerCall {
    uint64_t word[PLAY_WORDS];
    uintptr_t pointer[PLAY_WORDS];
    uint64_t bytes[PLAY_WORDS];
    bool given[PLAY_WORDS]; /* of the letter V: there is a value */
    const GlueFunction *kernel[PLAY_WORDS];
    int line;
} PlayerCall;

void player_call(int call, const PlayerCall *); /* call: in replay_calls */
void player_push(const uint32_t sides[6], uint64_t shared, uint64_t stream, int line);
bool player_launch_is_pending(void);
/* May a kernel be given this address? */
bool player_is_registered(uintptr_t address);
/* Calls a function of the harness's with these arguments. False: it touched memory that is none,
 * at *bad. */
bool player_own(const GlueFunction *, void **arguments, uintptr_t *bad);
void player_kernel(const GlueFunction *, void **arguments);
void player_nvtx(PlayVerb, const char *text, uint64_t id);
void player_order(bool release, uint64_t object); /* object: only a name */
/* The host computed so many bytes of what the exercise gave out, in this function; said once. */
void player_computed(uint64_t bytes, const char *function);
#endif
