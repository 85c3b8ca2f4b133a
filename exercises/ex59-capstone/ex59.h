/* ex59.h - exercise 59: parameters, the kernel, the house's functions, and the function you complete. */
#ifndef EX59_H
#define EX59_H
#include <stdint.h>
#include <cuda_runtime.h>

#ifndef REQUESTS
#define REQUESTS 8               /* how many requests come */
#endif
#ifndef DAY
#define DAY 0                    /* on which day: who is long, and when they arrive. 0 is the one of the lesson */
#endif
#ifndef PIECE_FLOATS
#define PIECE_FLOATS 12288       /* floats in a piece; 4194304 or more on a real GPU */
#endif
#ifndef STRIDE
#define STRIDE 16                /* the kernel and who looks at answers take every STRIDE-th float */
#endif
#ifndef BUDGET
#define BUDGET 12                /* pieces of device memory that requests may lie in, all of them together */
#endif
#define LONG 4                   /* a request has one piece, or LONG */
#define PIECE_BYTES (PIECE_FLOATS * sizeof(float))
#define BLOCKS 64
#define THREADS 256

/* What the server has. Request r begins at r * LONG * PIECE_FLOATS of `in`, and its answer there of `out`; both are
 * pinned host memory. */
typedef struct Server {
    const float *in;
    float *out;
    float start;                 /* what starting a copy costs, as a part of what copying one piece takes in all: 0.25
                                    means that LONG pieces in one copy take 0.25 + LONG * 0.75 times as long as one */
    int copy_engines;            /* 1: copies of both directions take turns */
} Server;

/* Host code. Returns the number of the request that has come next, waiting for it if need be: 0, 1 ... REQUESTS - 1, and
 * then -1: no more will come. */
int nextRequest(void);
/* Host code. How many pieces request r has: 1 or LONG. */
int pieces(int r);
/* Host code, no CUDA call in it: sends the answer to request r, which has to be in `out`, all of it. Once for each; any
 * thread may call it, a host function, too. */
void answer(int r);

/* Computes n pieces in place, on PIECE_FLOATS * n floats in device memory. Pieces know nothing of each other. Takes as
 * long as a copy of n pieces. Launch it with BLOCKS and THREADS. */
__global__ void compute(float *scratch, int n);

/* Serves all requests: each is copied to scratch memory of the device's pool, computed, copied back and answered. Returns
 * when all have been answered. */
void serve(Server server);
#endif
