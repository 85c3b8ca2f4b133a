// caught-by: hazards + pinned, on a card: pinned
// flat is never unregistered
#include "ex60.h"

static cudaStream_t line, side;
static cudaEvent_t added, looked;
static float *h_frame, *h_picture, *h_table, *h_note, *h_kept;
static float *d_picture, *d_table, *d_flat, *d_frame, *d_scratch, *d_histogram, *d_sky, *d_note;

void setUp(float *flat)
{
    cudaStreamCreate(&line);
    cudaStreamCreate(&side);
    cudaEventCreateWithFlags(&added, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&looked, cudaEventDisableTiming);
    cudaMallocHost((void **)&h_frame, BYTES);
    cudaMallocHost((void **)&h_picture, BYTES);
    cudaMallocHost((void **)&h_table, BYTES);
    cudaMallocHost((void **)&h_note, NOTE_BYTES);
    cudaMallocHost((void **)&h_kept, NOTE_BYTES);
    cudaMalloc((void **)&d_picture, BYTES);
    cudaMalloc((void **)&d_table, BYTES);
    cudaMalloc((void **)&d_flat, BYTES);
    cudaMalloc((void **)&d_frame, BYTES);
    cudaMalloc((void **)&d_scratch, BYTES);
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
    (void)flat;
    readFrame(h_frame);
    readNote(h_note);

    bias<<<BLOCKS, THREADS, 0, line>>>(d_picture);
    chores(1);

    dark<<<BLOCKS, THREADS, 0, line>>>(d_picture, d_table);
    chores(2);

    flatten<<<BLOCKS, THREADS, 0, line>>>(d_picture, d_flat, d_scratch);
    chores(3);

    smooth<<<BLOCKS, THREADS, 0, line>>>(d_picture);
    setGainAsync(gain, line);
    chores(4);

    scale<<<BLOCKS, THREADS, 0, line>>>(d_picture);
    cudaMemcpyAsync(d_frame, h_frame, BYTES, cudaMemcpyHostToDevice, line);
    chores(5);

    add<<<BLOCKS, THREADS, 0, line>>>(d_picture, d_frame);
    cudaEventRecord(added, line);
    cudaStreamWaitEvent(side, added, 0);
    sky<<<BLOCKS, THREADS, 0, side>>>(d_picture, d_sky);
    cudaEventRecord(looked, side);
    cudaMemsetAsync(d_histogram, 0, SUMS * sizeof(float), line);
    chores(6);

    histogram<<<BLOCKS, THREADS, 0, line>>>(d_picture, d_histogram);
    memcpy(h_kept, h_note, NOTE_BYTES);
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
    cudaFreeHost(h_frame);
    cudaFreeHost(h_picture);
    cudaFreeHost(h_table);
    cudaFreeHost(h_note);
    cudaFreeHost(h_kept);
    cudaFree(d_picture);
    cudaFree(d_table);
    cudaFree(d_flat);
    cudaFree(d_frame);
    cudaFree(d_scratch);
    cudaFree(d_histogram);
    cudaFree(d_sky);
    cudaFree(d_note);
    cudaEventDestroy(added);
    cudaEventDestroy(looked);
    cudaStreamDestroy(line);
    cudaStreamDestroy(side);
}
