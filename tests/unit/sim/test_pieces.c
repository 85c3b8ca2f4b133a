/* The pieces of a pool: what is chosen, joined, grown and given back; and random orders of all
 * that. */
#include <stdlib.h>
#include <string.h>
#include "sim/memory/pieces.h"
#include "tests/unit/cases.h"

#define MIB ((uint64_t)1 << 20)
#define AT(offset) (BASE + PIECE_STRETCH * (offset))
enum { BASE = 1 << 30 };

static Pieces pieces;
static uint32_t ended; /* operations up to this one are over */
static uint64_t bared, backed, refused;

static void set_up(void)
{
    pieces = (Pieces){0};
    ended = 0;
    bared = backed = refused = 0;
}

static bool all(const Piece *piece, void *unused)
{
    (void)piece, (void)unused;
    return true;
}
static bool is_over(const Piece *piece, void *unused)
{
    (void)unused;
    return piece->op <= ended;
}
static void bare(uintptr_t address, uint64_t bytes, void *unused)
{
    (void)address, (void)unused;
    ck_assert_uint_eq(bytes % PIECE_GRANULE, 0);
    bared += bytes;
}
static bool back(uint64_t bytes, void *unused)
{
    (void)unused;
    if (refused) return false;
    backed += bytes;
    return true;
}
static Piece *take(uint64_t bytes) { return pieces_take(&pieces, bytes, all, NULL, NULL); }

START_TEST(the_smallest_place_that_is_large_enough)
{
    static const uint64_t size[] = {2, 1, 8, 1, 4, 1, 3, 1, 4, 1};
    Piece *piece[10];
    ck_assert(pieces_add(&pieces, BASE, 32 * MIB));
    for (int i = 0; i < 10; i++) piece[i] = take(size[i] * MIB);
    for (int i = 0; i < 10; i += 2) pieces_give(&pieces, piece[i], 1, (uint32_t)i + 1);

    ck_assert_uint_eq(take(4 * MIB)->address, AT(12 * MIB)); /* two are as small: freed first */
    ck_assert_uint_eq(take(4 * MIB)->address, AT(21 * MIB));
    ck_assert_uint_eq(take(3 * MIB)->address, AT(17 * MIB));
    ck_assert_uint_eq(take(2 * MIB)->address, AT(0));
    ck_assert_uint_eq(take(6 * MIB)->address, AT(26 * MIB)); /* what is left at the end */
    ck_assert_uint_eq(take(8 * MIB)->address, AT(3 * MIB));
    ck_assert_ptr_null(take(PIECE_BYTES));
}
END_TEST

START_TEST(neighbours_are_one_place)
{
    Piece *a, *b, *c;
    ck_assert(pieces_add(&pieces, BASE, 32 * MIB));
    a = take(10 * MIB), b = take(10 * MIB), c = take(12 * MIB);
    pieces_give(&pieces, a, 1, 5);
    pieces_give(&pieces, b, 2, 6);
    ended = 5;
    ck_assert_ptr_null(pieces_take(&pieces, 20 * MIB, is_over, NULL, NULL)); /* b is not over */
    ended = 6;
    ck_assert_uint_eq(pieces_take(&pieces, 20 * MIB, is_over, NULL, NULL)->address, AT(0));
    pieces_give(&pieces, c, 1, 0);
    ck_assert_uint_eq(take(12 * MIB)->address, AT(20 * MIB));
}
END_TEST

START_TEST(granules_come_and_go)
{
    Piece *a, *b, *c;
    ck_assert(pieces_add(&pieces, BASE, 192 * MIB));
    a = take(40 * MIB), b = take(60 * MIB), c = take(80 * MIB);
    pieces_give(&pieces, b, 1, 1);
    pieces_release(&pieces, 0, bare, NULL); /* not over */
    ck_assert_uint_eq(bared, 0);
    pieces_settle(&pieces, all, NULL);
    pieces_release(&pieces, 0, bare, NULL); /* 64 to 96 is the only whole one */
    ck_assert_uint_eq(bared, 32 * MIB);
    ck_assert_uint_eq(pieces.reserved, 160 * MIB);

    ck_assert_ptr_null(take(60 * MIB));
    refused = 1;
    ck_assert(!pieces_back(&pieces, 60 * MIB, all, back, NULL));
    refused = 0;
    ck_assert(pieces_back(&pieces, 60 * MIB, all, back, NULL));
    ck_assert_uint_eq(backed, 32 * MIB);
    b = take(60 * MIB);
    ck_assert_uint_eq(b->address, AT(40 * MIB));

    pieces_give(&pieces, a, 1, 0);
    pieces_give(&pieces, b, 1, 0);
    pieces_give(&pieces, c, 1, 0);
    pieces_release(&pieces, 64 * MIB, bare, NULL);
    ck_assert_uint_eq(pieces.reserved, 64 * MIB);
    ck_assert_uint_eq(take(64 * MIB)->address, AT(0)); /* the highest went */
}
END_TEST

START_TEST(the_end_grows)
{
    Piece *a;
    ck_assert_uint_eq(pieces_tail(&pieces, all, NULL), 0);
    ck_assert(pieces_add(&pieces, BASE, 32 * MIB));
    a = take(20 * MIB);
    ck_assert_uint_eq(pieces_tail(&pieces, all, NULL), 12 * MIB);
    ck_assert(pieces_extend(&pieces, 32 * MIB));
    ck_assert_uint_eq(take(40 * MIB)->address, AT(20 * MIB));
    pieces_give(&pieces, a, 1, 0);
    ck_assert_uint_eq(pieces.reserved, 64 * MIB);
}
END_TEST

/* Random takes, gives, settlements and releases: blocks never overlap, and the books are right. */
START_TEST(random_orders)
{
    enum { BLOCKS = 64, STEPS = 20000 };
    static Piece *piece[BLOCKS];
    uint32_t random = 7, op = 0;
    memset(piece, 0, sizeof piece);
    ck_assert(pieces_add(&pieces, BASE, 128 * MIB));
    for (int step = 0; step < STEPS; step++) {
        random = random * 1664525 + 1013904223;
        uint32_t what = random >> 16, i = what % BLOCKS;
        if (piece[i]) {
            pieces_give(&pieces, piece[i], 1 + what % 3, ++op);
            piece[i] = NULL;
        } else {
            uint64_t bytes = (1 + what % 9000) * PIECE_BYTES;
            piece[i] = pieces_take(&pieces, bytes, what % 2 ? is_over : all, NULL, NULL);
            if (!piece[i] && pieces_back(&pieces, bytes, is_over, back, NULL))
                piece[i] = pieces_take(&pieces, bytes, is_over, NULL, NULL);
            if (piece[i]) ck_assert_uint_eq(piece[i]->bytes, bytes);
        }
        if (what % 17 == 0) {
            ended = op;
            pieces_settle(&pieces, is_over, NULL);
        }
        if (what % 101 == 0) pieces_release(&pieces, what % 5 * 32 * MIB, bare, NULL);

        uint64_t sum = 0, with = 0;
        for (const Piece *at = pieces.chunks->first; at; at = at->after) {
            ck_assert_uint_eq(at->address, AT(sum));
            sum += at->bytes;
            if (!at->bare) with += at->bytes;
            if (at->after) ck_assert_ptr_eq(at->after->before, at);
        }
        ck_assert_uint_eq(sum, 128 * MIB);
        ck_assert_uint_eq(with, pieces.reserved);
    }
    ck_assert_uint_gt(bared, 0);
    ck_assert_uint_gt(backed, 0);
}
END_TEST

CASES("pieces", .before = set_up)
