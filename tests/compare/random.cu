// random SEED - a plan drawn by lot: 40 operations of every kind in five streams, joined here and there by events.
#include "compare.h"

static unsigned state;
static unsigned draw(unsigned n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 10) % n;
}
static void CUDART_CB no_work(void *) {}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    enum { STREAMS = 4 };
    const size_t most = 16 * MIB;
    char *pinned, *device, *pageable = (char *)malloc(most);
    CHECK(cudaMallocHost(&pinned, STREAMS * most));
    CHECK(cudaMalloc(&device, 2 * STREAMS * most));
    memset(pageable, 1, most);
    cudaStream_t s[STREAMS + 1];
    cudaEvent_t events[STREAMS + 1];
    for (int i = 0; i < STREAMS; i++) {
        if (i % 2) CHECK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
        else CHECK(cudaStreamCreate(&s[i]));
    }
    s[STREAMS] = 0;
    for (auto &event : events) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    measure([&] {
        state = (unsigned)atoi(argv[1]);
        for (int i = 0; i < 40; i++) {
            int k = draw(20) == 0 ? STREAMS : (int)draw(STREAMS);
            size_t bytes = (256 * KIB) << draw(7);
            char *on_host = pinned + k % STREAMS * most, *there = device + k % STREAMS * most;
            switch (draw(12)) {
            case 0: case 1: case 2: CHECK(cudaMemcpyAsync(there, on_host, bytes, cudaMemcpyHostToDevice, s[k])); break;
            case 3: case 4: CHECK(cudaMemcpyAsync(on_host, there, bytes, cudaMemcpyDeviceToHost, s[k])); break;
            case 5: case 6: case 7: spin<<<8, 64, 0, s[k]>>>(20000 + 1000 * (long long)draw(300)); break;
            case 8: launch_scale(there, bytes, s[k]); break;
            case 9: CHECK(cudaMemsetAsync(there, 0, bytes, s[k])); break;
            case 10:
                if (draw(2)) CHECK(cudaMemcpyAsync(there, pageable, bytes / 4, cudaMemcpyHostToDevice, s[k]));
                else CHECK(cudaLaunchHostFunc(s[k], no_work, NULL));
                break;
            default: {
                int other = (int)draw(STREAMS);
                CHECK(cudaEventRecord(events[k], s[k]));
                CHECK(cudaStreamWaitEvent(s[other], events[k], 0));
            }
            }
        }
    });
    return 0;
}
