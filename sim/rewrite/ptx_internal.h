/* ptx_internal.h - what the two ways to translate PTX share: as one expression (ptx.c), and as
 * statements with registers of their own (ptx_block.c). */
#ifndef THREELANE_PTX_INTERNAL_H
#define THREELANE_PTX_INTERNAL_H
#include <stdbool.h>
#include <stddef.h>
#include "sim/rewrite/bytes.h"

enum { PARTS_MOST = 8, OPERANDS_MOST = 30 };

typedef struct Instruction {
    char text[256];
    char *part[PARTS_MOST]; /* of the mnemonic, between dots */
    int parts;
    char *operand[PARTS_MOST]; /* a vector is one */
    int operands;
} Instruction;

/* Before the number of a register that the text declares; ptx_block puts it there. */
#define PTX_REGISTER '\2'

char *ptx_trim(char *);
/* Splits "ld.global.u32 %0, [%1]" into its parts. False when it is too long to be one of ours. */
bool ptx_split(Instruction *, const char *text, size_t size);
/* What PTX calls u32 is unsigned int; NULL: no such type. */
const char *ptx_c_type(const char *ptx);
/* An operand as C++: %3, an integer, or a special register. */
bool ptx_operand(Bytes *out, const char *text, bool assigned);
/* [%1] or [%1 + 16] as a number; as what lies there. */
bool ptx_place(Bytes *out, const char *text);
/* One instruction without predicates and vectors, as an expression. */
bool ptx_instruction(const Instruction *, const char *mnemonic, Bytes *out);
/* A text without comments, with registers, predicates and vectors: adds a statement expression.
 * False: it holds something that is not known; out may then have been added to. */
bool ptx_block(const char *text, Bytes *out);
#endif
