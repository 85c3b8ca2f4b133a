/* ptx.h - inline PTX as C++ expressions: special registers, fences, plain loads and stores, simple
 * arithmetic.
 *
 * A host compiler cannot assemble PTX. What is here is what programs use to look at their own
 * execution; anything else has a CUDA C++ function that says the same and that the virtual GPU
 * runs. */
#ifndef THREELANE_PTX_H
#define THREELANE_PTX_H
#include <stddef.h>
#include "sim/rewrite/bytes.h"

typedef enum PtxKind {
    PTX_NONE, /* no PTX: the host's own assembler, or a bare compiler barrier */
    PTX_KNOWN,
    PTX_UNKNOWN
} PtxKind;

/* Before the index (plus one) of an operand in a translated expression. */
#define PTX_OPERAND '\1'

/* What leaves the thread, wherever it is: a kernel that may come there has to catch it. */
#define PTX_EXIT "::tl::ptx::exit_thread()"

/* Translates the assembler text of one asm statement. PTX_KNOWN: expression (added to) is a C++
 * expression in which PTX_OPERAND and a byte stand for each operand, parenthesised. PTX_UNKNOWN:
 * instruction says which one. */
PtxKind ptx_translate(const char *text, Bytes *expression, char *instruction,
                      size_t instruction_size);
#endif
