// A queue of its own: few copies are in flight at any time, and what has the least left to do goes next.
#include <pthread.h>
#include "ex59.h"

enum { MOST = 8 };                   /* streams */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int to_send[REQUESTS], to_come[REQUESTS];     /* pieces */
static int known, answered;
static int idle[MOST], idle_count;                   /* streams without work */

typedef struct Note {
    int r, pieces, stream;
} Note;
static Note notes[REQUESTS * LONG];

static void CUDART_CB back(void *data)
{
    const Note *note = (const Note *)data;
    pthread_mutex_lock(&lock);
    idle[idle_count++] = note->stream;
    to_come[note->r] -= note->pieces;
    bool last = to_come[note->r] == 0;
    pthread_mutex_unlock(&lock);

    if (last) answer(note->r);
    pthread_mutex_lock(&lock);
    answered += last;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void *receive(void *unused)
{
    for (int r; (r = nextRequest()) >= 0;) {
        int n = pieces(r);
        pthread_mutex_lock(&lock);
        to_send[r] = to_come[r] = n;
        known = r + 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

/* The request with the least left to send; waits until there is one, and a stream. -1: everything has been answered. */
static int take_next(void)
{
    int best = -1;
    pthread_mutex_lock(&lock);
    while (best < 0 && answered < REQUESTS) {
        for (int r = 0; r < known && idle_count; r++)
            if (to_send[r] && (best < 0 || to_send[r] < to_send[best])) best = r;
        if (best < 0) pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return best;
}

void serve(Server server)
{
    const int cut = server.start > 0.5f ? LONG : 1;
    const int streams = cut > 1 ? MOST : server.copy_engines > 1 ? 3 : 2;
    cudaStream_t stream[MOST];
    for (int k = 0; k < streams; k++) {
        cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking);
        idle[idle_count++] = k;
    }
    pthread_t thread;
    pthread_create(&thread, NULL, receive, NULL);

    int n = 0;
    for (int r; (r = take_next()) >= 0; n++) {
        Note *note = &notes[n];
        pthread_mutex_lock(&lock);
        int first = pieces(r) - to_send[r];
        *note = (Note){r, to_send[r] < cut ? to_send[r] : cut, idle[--idle_count]};
        to_send[r] -= note->pieces;
        pthread_mutex_unlock(&lock);

        cudaStream_t mine = stream[note->stream];
        size_t at = ((size_t)r * LONG + first) * PIECE_FLOATS, bytes = note->pieces * PIECE_BYTES;
        float *scratch;
        cudaMallocAsync((void **)&scratch, bytes, mine);
        cudaMemcpyAsync(scratch, server.in + at, bytes, cudaMemcpyHostToDevice, mine);
        compute<<<BLOCKS, THREADS, 0, mine>>>(scratch, note->pieces);
        cudaMemcpyAsync(server.out + at, scratch, bytes, cudaMemcpyDeviceToHost, mine);
        cudaFreeAsync(scratch, mine);
        cudaLaunchHostFunc(mine, back, note);
    }

    pthread_join(thread, NULL);
    for (int k = 0; k < streams; k++) cudaStreamDestroy(stream[k]);
}
