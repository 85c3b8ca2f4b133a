// A sum in pinned memory: each thread adds its part, in a critical section.
// flags: -Xcompiler -fopenmp
// hazard: thread-race A A
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    #pragma omp parallel num_threads(2)
    {
#ifdef RIGHT
        #pragma omp critical
#endif
        h[0] += 1;                                               // A
    }
    h[0] += 1;                        // after the region
    #pragma omp parallel for num_threads(2) reduction(+ : h[1:1])
    for (int i = 0; i < 100; i++) h[1] += i;
    return h[1] == 4950 ? finish() : 1;
}
