#include "sim/memory/pieces.h"
#include <stdlib.h>

/* ---- the list of what is free, by address ---- */

static void list_add(Pieces *p, Piece *piece)
{
    Piece *last = piece->before;

    /* the nearest free one before it in its chunk, if there is one, is where it belongs */
    while (last && last->used) last = last->before;
    if (!last) {
        last = p->free_end;
        while (last && last->address > piece->address) last = last->last;
    }
    piece->last = last;
    piece->next = last ? last->next : p->free;
    *(last ? &last->next : &p->free) = piece;
    *(piece->next ? &piece->next->last : &p->free_end) = piece;
}

static void list_remove(Pieces *p, Piece *piece)
{
    *(piece->last ? &piece->last->next : &p->free) = piece->next;
    *(piece->next ? &piece->next->last : &p->free_end) = piece->last;
}

/* ---- pieces of a chunk ---- */

bool pieces_add(Pieces *p, uintptr_t address, uint64_t bytes)
{
    PieceChunk *chunk = malloc(sizeof *chunk);
    Piece *piece = calloc(1, sizeof *piece);
    if (!chunk || !piece) {
        free(chunk);
        free(piece);
        return false;
    }
    *chunk = (PieceChunk){p, address, bytes, piece, piece, p->chunks};
    *piece = (Piece){.address = address, .bytes = bytes, .chunk = chunk};
    p->chunks = chunk;
    p->reserved += bytes;
    list_add(p, piece);

    return true;
}

static bool is_clean(const Piece *piece)
{
    return piece && !piece->used && !piece->op && !piece->bare;
}

bool pieces_extend(Pieces *p, uint64_t bytes)
{
    PieceChunk *chunk = p->chunks;
    Piece *end = chunk->end;
    if (!is_clean(end)) {
        Piece *piece = malloc(sizeof *piece);
        if (!piece) return false;
        *piece = (Piece){.address = chunk->address + PIECE_STRETCH * chunk->bytes,
                         .chunk = chunk,
                         .before = end};
        end->after = chunk->end = piece;
        list_add(p, piece);
        end = piece;
    }
    end->bytes += bytes;
    chunk->bytes += bytes;
    p->reserved += bytes;

    return true;
}

/* Takes `bytes` off the start of a free piece; the rest is a piece behind it, which is what the
 * whole was. False when memory is short. */
static bool cut(Pieces *p, Piece *piece, uint64_t bytes)
{
    if (piece->bytes <= bytes) return true;
    Piece *rest = malloc(sizeof *rest);
    if (!rest) return false;
    *rest = *piece;
    rest->address += PIECE_STRETCH * bytes;
    rest->bytes -= bytes;
    rest->before = piece;
    *(rest->after ? &rest->after->before : &rest->chunk->end) = rest;
    piece->after = rest;
    piece->bytes = bytes;
    list_add(p, rest);

    return true;
}

/* The free piece behind becomes part of this one. */
static void join(Pieces *p, Piece *piece)
{
    Piece *behind = piece->after;
    list_remove(p, behind);
    piece->bytes += behind->bytes;
    if (piece->since < behind->since) piece->since = behind->since;
    piece->after = behind->after;
    *(piece->after ? &piece->after->before : &piece->chunk->end) = piece;
    free(behind);
}

/* ---- taking ---- */

typedef struct Run {
    Piece *first;
    uint64_t bytes;
} Run;

static bool is_better(const Run *a, const Run *b)
{
    const Piece *x = a->first, *y = b->first;
    if (!y || a->bytes != b->bytes) return !y || a->bytes < b->bytes;
    if (!x->op != !y->op) return x->op != 0;
    return x->op ? x->since < y->since : x->since > y->since;
}

static Run best_run(const Pieces *p, uint64_t bytes, PieceUsable *usable, bool bare, void *arg)
{
    Run best = {NULL, 0};
    for (Piece *piece = p->free; piece;) {
        Run run = {piece, 0};
        Piece *end = piece, *last = piece;
        while (end && !end->used && (end->bare ? bare : usable(end, arg))) {
            run.bytes += end->bytes;
            last = end;
            end = end->after;
        }
        if (run.bytes >= bytes && is_better(&run, &best)) best = run;
        piece = last->next;
    }
    return best;
}

Piece *pieces_take(Pieces *p, uint64_t bytes, PieceUsable *usable, PieceTaken *taken, void *arg)
{
    Piece *piece = best_run(p, bytes, usable, false, arg).first, *end = piece;
    uint64_t have = 0;
    if (!piece) return NULL;

    /* the piece that the block ends in is cut first, so that what is joined is wholly taken */
    while (have + end->bytes < bytes) {
        have += end->bytes;
        end = end->after;
    }
    if (!cut(p, end, bytes - have)) return NULL;

    if (taken) taken(piece, arg);
    while (piece->bytes < bytes) {
        if (taken) taken(piece->after, arg);
        join(p, piece);
    }
    list_remove(p, piece);
    piece->used = true;

    return piece;
}

bool pieces_back(Pieces *p, uint64_t bytes, PieceUsable *usable,
                 bool (*back)(uint64_t bytes, void *arg), void *arg)
{
    Piece *piece = best_run(p, bytes, usable, true, arg).first;
    uint64_t have = 0;
    if (!piece) return false;
    for (; have < bytes; have += piece->bytes, piece = piece->after) {
        if (!piece->bare) continue;
        uint64_t need = (bytes - have + PIECE_GRANULE - 1) / PIECE_GRANULE * PIECE_GRANULE;
        if (!cut(p, piece, need) || !back(piece->bytes, arg)) return false;
        piece->bare = false;
        p->reserved += piece->bytes;
    }
    return true;
}

uint64_t pieces_tail(const Pieces *p, PieceUsable *usable, void *arg)
{
    uint64_t bytes = 0;
    const Piece *piece = p->chunks ? p->chunks->end : NULL;
    for (; piece && !piece->used && !piece->bare && usable(piece, arg); piece = piece->before)
        bytes += piece->bytes;
    return bytes;
}

/* ---- giving ---- */

void pieces_give(Pieces *p, Piece *piece, uint32_t stream, uint32_t op)
{
    piece->used = false;
    piece->stream = stream;
    piece->op = piece->since = op;
    list_add(p, piece);
    if (!op) pieces_settle(p, NULL, NULL);
}

static bool can_join(const Piece *a, const Piece *b)
{
    return b && !a->used && !b->used && !a->op && !b->op && a->bare == b->bare;
}

void pieces_settle(Pieces *p, PieceUsable *over, void *arg)
{
    for (Piece *piece = p->free; piece; piece = piece->next)
        if (piece->op && over && over(piece, arg)) piece->op = 0;
    for (Piece *piece = p->free; piece; piece = piece->next)
        while (can_join(piece, piece->after)) join(p, piece);
}

static uint64_t offset(const Piece *piece)
{
    return (piece->address - piece->chunk->address) / PIECE_STRETCH;
}

void pieces_release(Pieces *p, uint64_t keep,
                    void (*bare)(uintptr_t address, uint64_t bytes, void *arg), void *arg)
{
    for (Piece *piece = p->free_end, *last; piece && p->reserved > keep; piece = last) {
        last = piece->last;
        if (!is_clean(piece)) continue;
        uint64_t begin = offset(piece), end = begin + piece->bytes, granule = PIECE_GRANULE;
        uint64_t low = (begin + granule - 1) / granule * granule, high = end / granule * granule;
        uint64_t most = (p->reserved - keep) / granule * granule;
        if (high <= low || !most) continue;
        if (high - low > most) low = high - most;
        if (!cut(p, piece, high - begin)) return;
        if (low > begin) {
            if (!cut(p, piece, low - begin)) return;
            piece = piece->after;
        }
        piece->bare = true;
        p->reserved -= piece->bytes;
        bare(piece->address, piece->bytes, arg);
    }
    pieces_settle(p, NULL, NULL);
}

void pieces_forget(Pieces *p, void (*give_back)(const PieceChunk *, uint64_t backed, void *arg),
                   void *arg)
{
    for (PieceChunk *chunk; (chunk = p->chunks);) {
        uint64_t backed = 0;
        for (Piece *piece = chunk->first, *after; piece; piece = after) {
            after = piece->after;
            if (!piece->bare) backed += piece->bytes;
            free(piece);
        }
        p->chunks = chunk->next;
        give_back(chunk, backed, arg);
        free(chunk);
    }
    *p = (Pieces){0};
}
