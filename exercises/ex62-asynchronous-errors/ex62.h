/* ex62.h - exercise 62: parameters, the kernel, the host's side of the work, and the function you complete. */
#ifndef EX62_H
#define EX62_H
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
#ifndef STRIDE
#define STRIDE 1                 /* the host and work take every STRIDE-th float of a batch */
#endif
#define BATCH_BYTES (BATCH_FLOATS * sizeof(float))
#define BLOCKS 32

/* What goes wrong in this run. It is the harness's affair: your program has to do without knowing. */
#ifndef FAULT
#define FAULT 0                  /* 0: nothing; 1: a launch; 2: an allocation; 3: a kernel; 4: something before you came */
#endif
#ifndef AT
#define AT 2                     /* with which batch */
#endif

/* A pinned buffer, the device memory that belongs to it, and the batch that is in it now. */
typedef struct Buffer {
    float *host;                 /* pinned, BATCH_FLOATS floats: takes a batch there and its results back */
    float *device;               /* as many floats on the device */
    int batch;
} Buffer;

/* Computes a batch in place, with scratch memory and a table of its own. Launch it with BLOCKS blocks. */
__global__ void work(float *device, float *scratch, const float *table);

/* What the kernel of a batch needs: that many bytes of device memory, that many threads in each block, that table in
 * device memory. Other people wrote these; that they are right is not known before the device has been asked. */
size_t scratchOf(int batch);
int threadsOf(int batch);
const float *tableOf(int batch);

/* Host code: puts a batch's input into buffer->host, and its number into buffer->batch. */
void fillBatch(Buffer *buffer, int batch);
/* Host code: takes the results of batch buffer->batch out of buffer->host, where they have to be. */
void collectBatch(const Buffer *buffer);

/* Says what went wrong, once for each thing that did: with which batch, or NOBODY_KNOWS; in which stage; and the error. */
enum { NOBODY_KNOWS = -1 };
enum Stage { ALLOCATE = 1, LAUNCH = 2, RUN = 3 };
void report(int batch, int stage, int error);

/* Sends every batch 0 ... BATCHES - 1 through one of the buffers, as in exercise 45: fillBatch, copy to the device, work,
 * copy back, collectBatch.
 *
 * An error of one batch, after which the device still works: report(batch, ALLOCATE or LAUNCH, error); that batch is
 * neither computed nor collected, all others are. An error after which no call works any more (it is sticky): one
 * report(NOBODY_KNOWS, RUN, error), no more copies, launches and allocations, nothing collected that has not been
 * computed, and the error is returned. If nothing of that kind has happened: 0, with all work ended, all memory of yours
 * freed, all streams destroyed, and no error left behind in cudaGetLastError().
 *
 * careful is 0: the batches overlap as in exercise 45. Not 0: somebody looks for a mistake, and time does not matter; then
 * a sticky error is reported with the batch whose kernel made it. */
int runBatches(Buffer buffers[BUFFERS], int careful);
#endif
