/* ex60.h - exercise 60: parameters, the kernels, the house's functions, and the program that you speed up. */
#ifndef EX60_H
#define EX60_H
#include <cuda_runtime.h>

#ifndef FLOATS
#define FLOATS 32768             /* floats in a picture; 4194304 or more on a real GPU */
#endif
#ifndef STRIDE
#define STRIDE 1                 /* host, kernels and who looks at the results take every STRIDE-th float */
#endif
#define BYTES (FLOATS * sizeof(float))
#define NOTE_FLOATS 64           /* floats in a note */
#define NOTE_BYTES (NOTE_FLOATS * sizeof(float))
#define BLOCKS 16
#define THREADS 256
#define SUMS (BLOCKS * THREADS)  /* floats in a histogram */

/* One picture of the telescope: nine kernels, each needs what the ones before it made. Launch all with BLOCKS and THREADS.
 * d_picture, d_table, d_flat, d_frame and scratch hold FLOATS floats, d_histogram SUMS, d_note NOTE_FLOATS. */
__global__ void bias(float *d_picture);
__global__ void dark(float *d_picture, const float *d_table);
__global__ void flatten(float *d_picture, const float *d_flat, float *scratch);    /* scratch: for this kernel alone */
__global__ void smooth(float *d_picture);
__global__ void scale(float *d_picture);                                           /* by the gain */
__global__ void add(float *d_picture, const float *d_frame);
__global__ void histogram(const float *d_picture, float *d_histogram);             /* adds to what is there: zeros first */
__global__ void sky(const float *d_picture, float *d_sky);                         /* takes three times as long as others */
__global__ void mark(float *d_picture, const float *d_histogram, const float *d_sky, const float *d_note);
__global__ void shut(float *d_table);                                              /* clears it for the next night */

/* What comes from the house, into host memory of yours: a table of FLOATS floats (the same all night), a frame of FLOATS
 * floats, a note of NOTE_FLOATS. */
void readTable(float *table);
void readFrame(float *frame);
void readNote(float *note);

/* The gain that scale() multiplies by. It is a variable in device memory:
 *
 *     __device__ float gain;
 *     void setGain(float value)                             { cudaMemcpyToSymbol(gain, &value, sizeof value); }
 *     void setGainAsync(float value, cudaStream_t stream)   { cudaMemcpyToSymbolAsync(gain, &value, sizeof value, 0,
 *                                                                                cudaMemcpyHostToDevice, stream); } */
void setGain(float value);
void setGainAsync(float value, cudaStream_t stream);

/* A piece of the CPU's own work, half as long as a kernel: 1 to 8, in this order, once each, where they are. Something has
 * to be at work on the device meanwhile. */
void chores(int number);

/* Takes the finished picture out of host memory of yours. */
void archive(const float *picture);

/* The program. setUp() is called once, before the night; takePicture() when it has to be quick; packUp() after the night.
 * flat is FLOATS floats of the house's own host memory, which nobody changes; it is valid until packUp() has returned.
 * takePicture() returns when the picture has been archived and nothing is at work any more. */
void setUp(float *flat);
void takePicture(float *flat, float gain);
void packUp(float *flat);
#endif
