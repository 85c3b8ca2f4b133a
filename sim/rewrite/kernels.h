/* kernels.h - finding kernel definitions, and the names of their parameters. */
#ifndef THREELANE_KERNELS_H
#define THREELANE_KERNELS_H
#include <stdbool.h>
#include "sim/rewrite/lexer.h"
#include "sim/rewrite/macros.h"
#include "sim/rewrite/bytes.h"

enum { KERNEL_NEW_NAMES = 64 };

typedef struct Kernel {
    uint32_t open, close; /* { and } of its body */
    Bytes names;          /* "p, n, a...": what ::tl::params is called with */
    Bytes references;     /* ", &r, &s": those of them that are references; released with names */
    Bytes cluster;        /* "2, 1, 1": what __cluster_dims__ says; released with names */
    struct {
        uint32_t before; /* the token before which a parameter without a name gets one */
        int number;
    } named[KERNEL_NEW_NAMES];
    int named_count;
} Kernel;

/* Looks at token i: is it __global__, or a macro that brings it, and does a body follow? macros may
 * be NULL (inside of a macro's own replacement). True: kernel is filled; release its names,
 * references and cluster. */
bool kernel_find(Kernel *, const Tokens *, uint32_t i, const Macros *macros);

/* Does the __cluster_dims__ at token i belong to the definition of a kernel? */
bool kernel_has_cluster(const Tokens *, uint32_t i);

/* The { of the function that the declaration at token i (its __global__ or __device__) defines,
 * TOKEN_NONE if none. list: its parameter list has been seen, in a macro. */
uint32_t kernel_body(const Tokens *, uint32_t i, bool list);

/* The matching > of the < at token i, TOKEN_NONE if it seems to be no template bracket. last: look
 * no further. */
uint32_t angle_close(const Tokens *, uint32_t i, uint32_t last);
#endif
