/* ex45.h - exercise 45: parameters, the kernel, the host's side of the work, and the function you complete. */
#ifndef EX45_H
#define EX45_H
#include <cuda_runtime.h>

#ifndef BATCHES
#define BATCHES 6                /* how many batches there are ... */
#endif
#ifndef BUFFERS
#define BUFFERS 3                /* ... and how many pinned buffers to move them with */
#endif
#ifndef BATCH_FLOATS
#define BATCH_FLOATS 16384       /* floats in one batch; 4194304 or more on a real GPU */
#endif
#ifndef HOST_STRIDE
#define HOST_STRIDE 1            /* the host writes and reads, and work computes, every HOST_STRIDE-th float of a batch: a */
#endif                           /* real GPU's copies are so fast that the host could not keep up with all of them */
#define BATCH_BYTES (BATCH_FLOATS * sizeof(float))
#define BLOCKS 64
#define THREADS 256

/* A pinned buffer, the device memory that belongs to it, and the batch that is in it now. */
typedef struct Buffer {
    float *host;                 /* pinned, BATCH_FLOATS floats: takes a batch there and its results back */
    float *device;               /* as many floats on the device */
    int batch;
} Buffer;

/* Computes a batch in place. Launch it with BLOCKS and THREADS. */
__global__ void work(float *batch);

/* Host code: puts a batch's input into buffer->host, and its number into buffer->batch. */
void fillBatch(Buffer *buffer, int batch);

/* Host code, no CUDA call in it: takes the results of batch buffer->batch out of buffer->host. They have to be there
 * already, and the buffer must not be filled again before it returns. */
void collectBatch(const Buffer *buffer);

/* Sends every batch 0 ... BATCHES - 1 through one of the buffers: fillBatch, copy to the device, work, copy back,
 * collectBatch. A host function in the batch's stream says that its results are there; whether it collects them itself or
 * hands them to your own thread is up to you. Returns when every batch has been collected. */
void streamBatches(Buffer buffers[BUFFERS]);
#endif
