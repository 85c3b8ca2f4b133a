/* ex61.h - exercise 61: parameters, the kernels, the house's functions, and the three functions you complete. */
#ifndef EX61_H
#define EX61_H
#include <cuda_runtime.h>

#ifndef WAVES
#define WAVES 6                  /* how many times the training fills the whole device */
#endif
#ifndef FLOATS
#define FLOATS 16384             /* floats in a request and in its answer; 4194304 or more on a real GPU */
#endif
#ifndef STRIDE
#define STRIDE 1                 /* kernels and who looks at the results take every STRIDE-th float */
#endif
#define BYTES (FLOATS * sizeof(float))
#define THREADS 1024

/* How many blocks of THREADS threads run on this device at one time: no more kernels get in beside so many. Each block of
 * each kernel here takes as long as one copy of a request, if nothing else is said. */
int waveBlocks(void);

/* The training: WAVES * waveBlocks() pieces, each THREADS floats of d_model. train does a piece a block: launch it with
 * as many blocks as there are pieces. crunch does the same pieces with any number of blocks, each block several pieces
 * one after the other (a grid-stride loop), each of which takes as long as a block of train. */
__global__ void train(float *d_model);
__global__ void crunch(float *d_model, int pieces);

/* Answers a request: reads d_in and d_table, writes d_out. Launch it with waveBlocks() blocks. */
__global__ void answer(const float *d_in, const float *d_table, float *d_out);
/* Brings d_table up to date; has nothing to do with d_model. Launch it with waveBlocks() blocks. */
__global__ void refresh(float *d_table);

/* Host code. Returns when a request has arrived in h_in. */
void awaitRequest(void);
/* Host code. Sends the answer, which has to be in h_out. */
void sendAnswer(const float *h_out);

/* What a function works with. h_in and h_out are pinned and hold FLOATS floats, as do d_in, d_out and d_table. */
typedef struct Work {
    float *d_model, *d_in, *d_table, *d_out;
    const float *h_in;
    float *h_out;
} Work;

/* Each starts the training with one launch, waits for a request, answers it while the training goes on (copy to the
 * device, answer, copy back, sendAnswer), and returns when all work has ended. */
void urgentRequest(Work work);   /* A: train, and answer */
void freshRequest(Work work);    /* B: train, and answer with a table that has been brought up to date after the request came */
void betweenPieces(Work work);   /* C: crunch, and answer */
#endif
