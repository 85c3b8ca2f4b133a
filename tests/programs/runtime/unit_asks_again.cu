// Where calls take no time: who issues work and asks the same event again has not waited in between; a loop of that ends.
// run: THREELANE_MODEL=unit
// out: ok asks again
#include <stdio.h>
#include <time.h>

__global__ void work(void) {}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(void)
{
    cudaStream_t busy, other;
    cudaEvent_t event;
    bool right = true;
    cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);

    work<<<1, 1, 0, busy>>>();
    cudaEventRecord(event, busy);
    double begin = now_s();
    for (int i = 0; i < 8; i++) {
        right = right && cudaEventQuery(event) == cudaErrorNotReady;
        work<<<1, 1, 0, other>>>();
    }
    right = right && now_s() - begin < 1e-4;
    if (!right) printf("asking again took %g s\n", now_s() - begin);

    int rounds = 0;
    for (; cudaEventQuery(event) == cudaErrorNotReady; rounds++) work<<<1, 1, 0, other>>>();
    if (rounds > 100) printf("%d rounds\n", rounds);
    cudaDeviceSynchronize();
    if (right && rounds <= 100) printf("ok asks again\n");
    return 0;
}
