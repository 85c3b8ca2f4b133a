// One field of a struct is in flight, its neighbours are not.
// hazard: host-race A B
// err: s[8..11]
// right: -DRIGHT
#include "../hazards.h"
struct State { int step, ready, value, spare; };
int main()
{
    State *d; cudaMalloc(&d, sizeof *d); keep(d, sizeof *d);
    State *s; cudaMallocHost(&s, sizeof *s); keep_pinned((int *)s, sizeof *s);
    cudaStream_t a = stream();
    cudaMemcpyAsync(&s->value, &d->value, 4, cudaMemcpyDeviceToHost, a);         // A
    s->step = 1;
    s->ready = 2;
    s->spare = s->step + s->ready;
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    int seen = s->value;                                         // B
    return seen ? 1 : finish();
}
