/* ex42.h - exercise 42: parameters, and the functions you complete. */
#ifndef EX42_H
#define EX42_H
#include <cuda_runtime.h>

#ifndef TRANSFER_FLOATS
#define TRANSFER_FLOATS 300000   /* Task A: floats in one transfer; 16777216 or more on a real GPU */
#endif
#ifndef CHUNKS
#define CHUNKS 4                 /* Task B: how many chunks there are ... */
#endif
#ifndef CHUNK_FLOATS
#define CHUNK_FLOATS 30000       /* ... floats in one chunk; 4194304 or more on a real GPU ... */
#endif
#ifndef PREPARE_US
#define PREPARE_US 5             /* ... and how long the host takes to prepare one, microseconds */
#endif
#ifndef HOST_STRIDE
#define HOST_STRIDE 1            /* the host writes and looks at every HOST_STRIDE-th float of a chunk: a real GPU's copies */
#endif                           /* are so fast that writing all of them would take longer than sending them */
#define TRANSFER_BYTES (TRANSFER_FLOATS * sizeof(float))
#define CHUNK_BYTES (CHUNK_FLOATS * sizeof(float))

/* Writes the TRANSFER_FLOATS floats that are to be sent into a host buffer of yours. */
void fillTransfer(float *buffer);

/* The host's work on one chunk: writes its floats into a host buffer of yours, of CHUNK_FLOATS. Takes PREPARE_US. */
void prepareChunk(float *buffer, int chunk);

/* Task A. Each sends TRANSFER_FLOATS floats, made by fillTransfer, to d_data in one copy, and returns the bandwidth it
 * measured, in GB/s (1e9 bytes a second): of the copy alone, without allocating and filling. Returns when the data have
 * arrived; frees what it allocated. */
double sendPageable(float *d_data);
double sendPinned(float *d_data);

/* Task B. Prepares and sends CHUNKS chunks; chunk i goes to d_chunks + i * CHUNK_FLOATS. While one chunk is being
 * copied, the host prepares the next, with fewer buffers than there are chunks: two are enough. Returns when all have
 * arrived; frees what it allocated. */
void sendChunks(float *d_chunks);
#endif
