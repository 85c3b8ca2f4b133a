/* macros.h - the macros that the program itself defines, as far as they matter to the rewriter:
 * those that bring a __global__ or a launch configuration, and those that stand in a kernel's
 * parameter list. */
#ifndef THREELANE_MACROS_H
#define THREELANE_MACROS_H
#include <stdbool.h>
#include "sim/rewrite/lexer.h"
#include "sim/rewrite/bytes.h"

typedef struct Macro {
    uint32_t define, end;     /* the directive: from # to before the newline */
    uint32_t name, name_size; /* offsets into the text */
    uint32_t next;            /* in its hash chain, TOKEN_NONE at the end */
    bool function_like;
    bool signature;     /* brings __global__, but no body */
    bool opens_kernel;  /* brings __global__ and the { of the body, but not its } */
    bool configuration; /* is <<<...>>> and nothing else */
    Tokens parameters;  /* names (and ...) */
    Tokens body;
} Macro;

typedef struct Macros {
    const char *text;
    Macro *item;
    uint32_t count, room;
    uint32_t *bucket, buckets;
} Macros;

/* Adds the #define at text[start..end). */
void macros_add(Macros *, const char *text, uint32_t start, uint32_t end, uint32_t line,
                const SourceFile *);
/* Works out signature and configuration of all of them; call once all are known. */
void macros_finish(Macros *);
/* The last macro of that name, NULL: none. */
const Macro *macros_find(const Macros *, const Tokens *, uint32_t token);
/* Adds the tokens first..last with the program's macros replaced, with blanks between. True if
 * there were any. */
bool macros_expand(const Macros *, const Tokens *, uint32_t first, uint32_t last, Bytes *out);
void macros_release(Macros *);
#endif
