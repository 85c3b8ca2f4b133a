/* Exercise 61: priorities on one GPU. What you may rely on is in ex61.h; the lesson is `make ex61-lesson`.
 *
 * In all three functions a request comes while the device is full of training, and its answer should not have to wait until
 * the training is over. Nothing can stop a block that runs; but when it ends, somebody decides who comes next. */
#include "ex61.h"

/* A stream for what can wait, and one for what cannot. */
static void createStreams(cudaStream_t *background, cudaStream_t *urgent)
{
    /* TODO A: There are two streams, but the device knows no reason to take one before the other. Give it one. */
    cudaStreamCreateWithFlags(background, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(urgent, cudaStreamNonBlocking);
}

void urgentRequest(Work work)
{
    cudaStream_t background, urgent;
    createStreams(&background, &urgent);

    train<<<WAVES * waveBlocks(), THREADS, 0, background>>>(work.d_model);
    awaitRequest();

    cudaMemcpyAsync(work.d_in, work.h_in, BYTES, cudaMemcpyHostToDevice, urgent);
    answer<<<waveBlocks(), THREADS, 0, urgent>>>(work.d_in, work.d_table, work.d_out);
    cudaMemcpyAsync(work.h_out, work.d_out, BYTES, cudaMemcpyDeviceToHost, urgent);
    cudaStreamSynchronize(urgent);
    sendAnswer(work.h_out);

    cudaStreamSynchronize(background);
    cudaStreamDestroy(background);
    cudaStreamDestroy(urgent);
}

void freshRequest(Work work)
{
    /* TODO B: Once A is done, this one is as late as before: what does the urgent answer wait for, and what is that behind? */
    cudaStream_t background, urgent;
    cudaEvent_t refreshed;
    createStreams(&background, &urgent);
    cudaEventCreateWithFlags(&refreshed, cudaEventDisableTiming);

    train<<<WAVES * waveBlocks(), THREADS, 0, background>>>(work.d_model);
    awaitRequest();

    refresh<<<waveBlocks(), THREADS, 0, background>>>(work.d_table);
    cudaEventRecord(refreshed, background);
    cudaStreamWaitEvent(urgent, refreshed, 0);
    cudaMemcpyAsync(work.d_in, work.h_in, BYTES, cudaMemcpyHostToDevice, urgent);
    answer<<<waveBlocks(), THREADS, 0, urgent>>>(work.d_in, work.d_table, work.d_out);
    cudaMemcpyAsync(work.h_out, work.d_out, BYTES, cudaMemcpyDeviceToHost, urgent);
    cudaStreamSynchronize(urgent);
    sendAnswer(work.h_out);

    cudaStreamSynchronize(background);
    cudaEventDestroy(refreshed);
    cudaStreamDestroy(background);
    cudaStreamDestroy(urgent);
}

void betweenPieces(Work work)
{
    /* TODO C: Once A is done, this one is as late as before, too: when is the next moment at which a block ends? */
    cudaStream_t background, urgent;
    createStreams(&background, &urgent);
    const int pieces = WAVES * waveBlocks();

    crunch<<<waveBlocks(), THREADS, 0, background>>>(work.d_model, pieces);
    awaitRequest();

    cudaMemcpyAsync(work.d_in, work.h_in, BYTES, cudaMemcpyHostToDevice, urgent);
    answer<<<waveBlocks(), THREADS, 0, urgent>>>(work.d_in, work.d_table, work.d_out);
    cudaMemcpyAsync(work.h_out, work.d_out, BYTES, cudaMemcpyDeviceToHost, urgent);
    cudaStreamSynchronize(urgent);
    sendAnswer(work.h_out);

    cudaStreamSynchronize(background);
    cudaStreamDestroy(background);
    cudaStreamDestroy(urgent);
}
