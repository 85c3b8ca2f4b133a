/* pieces.h - the memory of a pool, cut into pieces: who has which, and what a request is given.
 *
 * A pool's addresses come in chunks; a chunk is a row of pieces, in use or free. A free piece
 * remembers the operation that freed it, until somebody says that this is over: whether it may be
 * used again before, who asks decides. Memory comes and goes in granules: a free piece can be bare,
 * addresses without memory. Sizes are in bytes, multiples of PIECE_BYTES; addresses are
 * PIECE_STRETCH times as far apart as the sizes say, so that behind each block there is room that
 * belongs to nobody, and an access past its end is found. Pure.
 *
 * What is chosen, and the sizes, are what an H200 was seen to do.
 */
#ifndef THREELANE_PIECES_H
#define THREELANE_PIECES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PIECE_BYTES = 512, PIECE_GRANULE = 32 << 20, PIECE_STRETCH = 2 };

typedef struct Pieces Pieces;
typedef struct PieceChunk PieceChunk;
typedef struct Piece Piece;
struct Piece {
    uintptr_t address;
    uint64_t bytes;
    bool used, bare;
    uint32_t stream, op; /* free: where it was freed, and by which operation; 0: that is over */
    uint32_t since;      /* free: the operation that freed it, over or not */
    PieceChunk *chunk;
    Piece *before, *after; /* in the chunk */
    Piece *last, *next;    /* free: in the list of all that are free, by address */
};
struct PieceChunk {
    Pieces *of;
    uintptr_t address;
    uint64_t bytes;
    Piece *first, *end; /* end: the last one */
    PieceChunk *next;
};
struct Pieces {
    PieceChunk *chunks; /* the latest first */
    Piece *free, *free_end;
    uint64_t reserved; /* bytes that are not bare */
    uint32_t open;     /* devices that may reach it besides its own, a bit each (peers.h) */
};                     /* {0}: no memory yet */

/* A new chunk, and the latest one made longer. False when memory is short. */
bool pieces_add(Pieces *, uintptr_t address, uint64_t bytes);
bool pieces_extend(Pieces *, uint64_t bytes);

/* May this free piece be used? */
typedef bool PieceUsable(const Piece *, void *arg);
/* Is told of each free piece that becomes part of a block. */
typedef void PieceTaken(const Piece *, void *arg);

/* A piece of that size, now in use, out of neighbours that may all be used: the place that leaves
 * the least; of equal ones what was freed first, or, where that is over, last; else the lowest.
 * `taken` (or NULL) hears of what it is made of. NULL when there is none, or memory is short. */
Piece *pieces_take(Pieces *, uint64_t bytes, PieceUsable *, PieceTaken *taken, void *arg);
/* Puts memory behind bare pieces, granule by granule, so that pieces_take finds a place: `back`
 * says whether there is that much. False when there is no such place. */
bool pieces_back(Pieces *, uint64_t bytes, PieceUsable *, bool (*back)(uint64_t bytes, void *arg),
                 void *arg);
/* So many bytes at the end of the latest chunk may be used. */
uint64_t pieces_tail(const Pieces *, PieceUsable *, void *arg);

/* It is free from now on, once that operation is over (0: at once). */
void pieces_give(Pieces *, Piece *, uint32_t stream, uint32_t op);
/* The frees of pieces for which `over` says so are over. */
void pieces_settle(Pieces *, PieceUsable *over, void *arg);
/* Takes the memory from whole granules that are free and over, the highest first, as long as at
 * least `keep` bytes stay. */
void pieces_release(Pieces *, uint64_t keep,
                    void (*bare)(uintptr_t address, uint64_t bytes, void *arg), void *arg);
/* Forgets everything. backed: bytes of the chunk that are not bare. */
void pieces_forget(Pieces *, void (*give_back)(const PieceChunk *, uint64_t backed, void *arg),
                   void *arg);
#endif
