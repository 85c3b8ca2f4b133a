/* Exercise 60: find the eight stops. What you may rely on is in ex60.h; the lesson is `make ex60-lesson`.
 *
 * TODO: This program is right, and slow: the CPU's own work (chores) has the device idle, eight times. There is one wait in
 * it, at the end of takePicture(). Do not read on. Run it, look at the row `Host` of the timeline, and take away one
 * stop after the other; every one is a check. The last of the eight is none of the host, but one of all streams. */
#include <stdlib.h>
#include "ex60.h"

static cudaStream_t line, side;
static cudaEvent_t added, looked;
static float *h_frame, *h_picture, *h_table, *h_note, *h_kept;
static float *d_picture, *d_table, *d_flat, *d_frame, *d_histogram, *d_sky, *d_note;

void setUp(float *flat)
{
    cudaStreamCreate(&line);
    cudaStreamCreate(&side);
    cudaEventCreateWithFlags(&added, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&looked, cudaEventDisableTiming);
    h_frame = (float *)malloc(BYTES);
    h_picture = (float *)malloc(BYTES);
    cudaMallocHost((void **)&h_table, BYTES);
    cudaMallocHost((void **)&h_note, NOTE_BYTES);
    cudaMallocHost((void **)&h_kept, NOTE_BYTES);
    cudaMalloc((void **)&d_picture, BYTES);
    cudaMalloc((void **)&d_table, BYTES);
    cudaMalloc((void **)&d_flat, BYTES);
    cudaMalloc((void **)&d_frame, BYTES);
    cudaMalloc((void **)&d_histogram, SUMS * sizeof(float));
    cudaMalloc((void **)&d_sky, SUMS * sizeof(float));
    cudaMalloc((void **)&d_note, NOTE_BYTES);

    readTable(h_table);
    cudaMemcpy(d_table, h_table, BYTES, cudaMemcpyHostToDevice);
    cudaHostRegister(flat, BYTES, cudaHostRegisterDefault);
    cudaMemcpy(d_flat, flat, BYTES, cudaMemcpyHostToDevice);
}

void takePicture(float *flat, float gain)
{
    readFrame(h_frame);
    readNote(h_note);

    bias<<<BLOCKS, THREADS, 0, line>>>(d_picture);
    cudaFreeHost(h_table);                           /* it is on the device: nobody needs it any more */
    chores(1);

    dark<<<BLOCKS, THREADS, 0, line>>>(d_picture, d_table);
    cudaHostUnregister(flat);                        /* nor this */
    chores(2);

    float *scratch;
    cudaMalloc((void **)&scratch, BYTES);
    flatten<<<BLOCKS, THREADS, 0, line>>>(d_picture, d_flat, scratch);
    cudaFree(scratch);
    chores(3);

    smooth<<<BLOCKS, THREADS, 0, line>>>(d_picture);
    setGain(gain);
    chores(4);

    scale<<<BLOCKS, THREADS, 0, line>>>(d_picture);
    cudaMemcpyAsync(d_frame, h_frame, BYTES, cudaMemcpyHostToDevice, line);
    chores(5);

    add<<<BLOCKS, THREADS, 0, line>>>(d_picture, d_frame);
    cudaEventRecord(added, line);
    cudaStreamWaitEvent(side, added, 0);
    sky<<<BLOCKS, THREADS, 0, side>>>(d_picture, d_sky);             /* beside the histogram, or so it was meant */
    cudaEventRecord(looked, side);
    cudaMemset(d_histogram, 0, SUMS * sizeof(float));
    chores(6);

    histogram<<<BLOCKS, THREADS, 0, line>>>(d_picture, d_histogram);
    cudaMemcpyAsync(h_kept, h_note, NOTE_BYTES, cudaMemcpyHostToHost, line);
    cudaMemcpyAsync(d_note, h_kept, NOTE_BYTES, cudaMemcpyHostToDevice, line);
    chores(7);

    cudaStreamWaitEvent(line, looked, 0);
    mark<<<BLOCKS, THREADS, 0, line>>>(d_picture, d_histogram, d_sky, d_note);
    cudaMemcpyAsync(h_picture, d_picture, BYTES, cudaMemcpyDeviceToHost, line);
    chores(8);
    shut<<<BLOCKS, THREADS, 0, line>>>(d_table);

    cudaStreamSynchronize(line);                     /* the one wait that this program needs */
    archive(h_picture);
}

void packUp(float *flat)
{
    (void)flat;
    free(h_frame);
    free(h_picture);
    cudaFreeHost(h_note);
    cudaFreeHost(h_kept);
    cudaFree(d_picture);
    cudaFree(d_table);
    cudaFree(d_flat);
    cudaFree(d_frame);
    cudaFree(d_histogram);
    cudaFree(d_sky);
    cudaFree(d_note);
    cudaEventDestroy(added);
    cudaEventDestroy(looked);
    cudaStreamDestroy(line);
    cudaStreamDestroy(side);
}
